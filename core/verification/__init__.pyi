"""What other rooms may use of `core.verification`."""

from .compliance import (
    check_question_values as check_question_values,
    cite_checks as cite_checks,
    collect_citations as collect_citations,
    find_limit_clauses as find_limit_clauses,
)
from .draft_checks import (
    check_draft as check_draft,
    check_whole as check_whole,
    contains_parts as contains_parts,
    contains_words as contains_words,
    has_grounding as has_grounding,
    normalize_text as normalize_text,
    quote_matches as quote_matches,
    verify as verify,
)
from .evidence import (
    CITATION_MARKER as CITATION_MARKER,
    Evidence as Evidence,
    cite as cite,
    is_of_edition as is_of_edition,
    lettered_part as lettered_part,
    list_sources as list_sources,
    relevant_text as relevant_text,
    shorten_text as shorten_text,
)
from .excluded_conditions import opposes_condition as opposes_condition
from .statement_checks import NotInForce as NotInForce
from .statements import (
    KeptSentences as KeptSentences,
    ParsedDraft as ParsedDraft,
    clause_text as clause_text,
    list_stated_rules as list_stated_rules,
    parse_draft as parse_draft,
    plain_words as plain_words,
    squeeze as squeeze,
)
from .types import (
    OCR_CAUTION as OCR_CAUTION,
    Citation as Citation,
    ComplianceRow as ComplianceRow,
    DraftCheck as DraftCheck,
    Ruling as Ruling,
    Score as Score,
    Source as Source,
    StatedRule as StatedRule,
    StatementVerdict as StatementVerdict,
    compute_accuracy as compute_accuracy,
    list_doubts as list_doubts,
    source_from_hit as source_from_hit,
)
