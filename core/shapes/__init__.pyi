"""What other rooms may use of `core.shapes`."""

from .assistant import (
    Answer as Answer,
    ArticleText as ArticleText,
    CheckedText as CheckedText,
    Comparison as Comparison,
    DocumentList as DocumentList,
    FetchedText as FetchedText,
    Penalties as Penalties,
    RuleText as RuleText,
    SearchResults as SearchResults,
    ValueVerdicts as ValueVerdicts,
)
from .clauses import (
    AmbiguousArticle as AmbiguousArticle,
    ArticleClause as ArticleClause,
    CompareReply as CompareReply,
    FoundArticle as FoundArticle,
    MentionsReply as MentionsReply,
    MissingArticle as MissingArticle,
    SearchReply as SearchReply,
    export_row as export_row,
)
from .documents import (
    CorrectedDocument as CorrectedDocument,
    DocumentsReply as DocumentsReply,
    ErrorReply as ErrorReply,
    IngestedFile as IngestedFile,
)
from .impact import ImpactReply as ImpactReply
from .rows import (
    LimitsReply as LimitsReply,
    VerifyReply as VerifyReply,
    checklist_row as checklist_row,
    passage_row as passage_row,
    rule_row as rule_row,
    sentence_row as sentence_row,
    verdict_row as verdict_row,
)
