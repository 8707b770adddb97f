"""What other rooms may use of `core.verification`."""

from .draft_checks import (
    check_draft as check_draft,
    check_whole as check_whole,
    contains_parts as contains_parts,
    has_grounding as has_grounding,
    normalize_text as normalize_text,
)
from .evidence import (
    CITATION_MARKER as CITATION_MARKER,
    Evidence as Evidence,
    cite as cite,
    list_sources as list_sources,
    relevant_text as relevant_text,
    shorten_text as shorten_text,
)
from .statement_checks import NotInForce as NotInForce
from .statements import (
    KeptSentences as KeptSentences,
    ParsedDraft as ParsedDraft,
    clause_text as clause_text,
    list_stated_rules as list_stated_rules,
    parse_draft as parse_draft,
    plain_words as plain_words,
)
from .types import (
    Citation as Citation,
    ComplianceRow as ComplianceRow,
    DraftCheck as DraftCheck,
    Ruling as Ruling,
    Source as Source,
    StatedRule as StatedRule,
    StatementVerdict as StatementVerdict,
    list_doubts as list_doubts,
)
