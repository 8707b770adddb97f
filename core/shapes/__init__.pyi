"""What other rooms may use of `core.shapes`."""

from .clauses import (
    AmbiguousArticle as AmbiguousArticle,
    ArticleClause as ArticleClause,
    CompareReply as CompareReply,
    FoundArticle as FoundArticle,
    MentionsReply as MentionsReply,
    MissingArticle as MissingArticle,
    RulingOnClause as RulingOnClause,
    RulingReply as RulingReply,
    SearchReply as SearchReply,
    export_row as export_row,
)
from .documents import (
    CorrectedDocument as CorrectedDocument,
    DocumentsReply as DocumentsReply,
    ErrorReply as ErrorReply,
    IngestedFile as IngestedFile,
    RelatedDocument as RelatedDocument,
)
from .impact import ImpactReply as ImpactReply
from .rows import (
    LimitsReply as LimitsReply,
    PassageRow as PassageRow,
    VerifyReply as VerifyReply,
    checklist_row as checklist_row,
    rule_row as rule_row,
    sentence_row as sentence_row,
    verdict_row as verdict_row,
)
