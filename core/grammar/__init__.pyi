"""What other rooms may use of `core.grammar`."""

from .article_changes import ChangeReader as ChangeReader, list_kinds as list_kinds
from .clause_limits import (
    CASE_BEFORE as CASE_BEFORE,
    ClauseLimit as ClauseLimit,
    collect_limits as collect_limits,
    read_figure_limits as read_figure_limits,
)
from .clause_sentences import (
    ReadPassage as ReadPassage,
    amount_kinds_in as amount_kinds_in,
    list_printed_sentences as list_printed_sentences,
    read_passages as read_passages,
)
from .cues import (
    Piece as Piece,
    find_languages as find_languages,
    is_cue as is_cue,
    list_cues as list_cues,
    load_months as load_months,
)
from .definitions import (
    AskedTerm as AskedTerm,
    find_definition as find_definition,
    stem_term as stem_term,
)
from .duties import MODAL_CUES as MODAL_CUES, Duty as Duty, Modality as Modality
from .figures import (
    WrittenNumber as WrittenNumber,
    articles_in as articles_in,
    find_figures as find_figures,
)
from .numbering import (
    ROMAN_NUMERALS as ROMAN_NUMERALS,
    ArticleCitation as ArticleCitation,
    article_label as article_label,
    canonical_number as canonical_number,
    extract_part as extract_part,
    find_article_numbers as find_article_numbers,
    find_citations as find_citations,
    has_marker as has_marker,
    list_parts as list_parts,
    split_part as split_part,
    strip_marker as strip_marker,
)
from .numerals import parse_unit as parse_unit
from .passages import (
    split_cells as split_cells,
)
from .quantities import (
    AMOUNTS as AMOUNTS,
    UNITS as UNITS,
    Quantity as Quantity,
    amount_keys as amount_keys,
    find_quantities as find_quantities,
    remove_quantities as remove_quantities,
    unify_degree_signs as unify_degree_signs,
)
from .references import (
    GLOSSARY_TITLE as GLOSSARY_TITLE,
    candidate_numbers as candidate_numbers,
    find_defined_terms as find_defined_terms,
    find_ranges as find_ranges,
    find_references as find_references,
    split_reference as split_reference,
)
from .relations import find_direction as find_direction
from .sanctions import find_sanction_spans as find_sanction_spans, find_sanctions as find_sanctions
from .sentence import (
    Amount as Amount,
    Sentence as Sentence,
    find_cues as find_cues,
    find_verdict as find_verdict,
    has_duty as has_duty,
    read_sentence as read_sentence,
)
from .sentences import (
    alphanumeric_only as alphanumeric_only,
    match_whole_words as match_whole_words,
    split_sentences as split_sentences,
)
from .series import (
    SERIES as SERIES,
)
from .stems import (
    stem_content_words as stem_content_words,
    stem_words as stem_words,
)
from .text_language import detect_language as detect_language
from .vocabulary import (
    STOP_WORDS as STOP_WORDS,
    VOCABULARY as VOCABULARY,
    fold_accents as fold_accents,
    list_words as list_words,
)
