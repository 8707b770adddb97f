"""READ: a PDF becomes numbered clauses. Knows no database and no model."""

from core.rulebook.isolation.messages import ReadLimits
from core.rulebook.jsonl import read_jsonl
from core.rulebook.metadata import detect_language
from core.rulebook.reader import decrypt_pdf, locate_quote, page_image, read_pdf
from core.rulebook.structure.numbering import (
    ArticleCitation,
    article_label,
    canonical_number,
    extract_part,
    find_article_numbers,
    find_citations,
    find_lead_in,
    has_marker,
    part_at_line,
    split_part,
    strip_marker,
    title_within_sentence,
)
from core.rulebook.structure.references import (
    GLOSSARY_TITLE,
    candidate_numbers,
    find_references,
    find_sanction_spans,
    find_sanctions,
    split_reference,
)
from core.rulebook.types import (
    FIRST_SEASON,
    LAST_SEASON,
    METADATA_FIELDS,
    READING_VERSION,
    Box,
    Clause,
    ClauseMark,
    ClauseStatus,
    Figure,
    Identity,
    MarkKind,
    MetadataOverride,
    OnProgress,
    Progress,
    ReadingWarning,
    Rulebook,
)
