"""What other rooms may use of `core.rulebook`."""

from .isolation.confinement import forbid_inspection as forbid_inspection
from .isolation.messages import ReadLimits as ReadLimits
from .isolation.probe import describe_isolation as describe_isolation
from .jsonl import read_jsonl as read_jsonl
from .layout.ligatures import (
    english_rarity as english_rarity,
    load_english_dictionary as load_english_dictionary,
)
from .metadata import (
    NAMELESS_WORDS as NAMELESS_WORDS,
    family_from_title as family_from_title,
    find_dates as find_dates,
    find_versions as find_versions,
)
from .page_renders import (
    crop_page as crop_page,
    draw_marked_page as draw_marked_page,
)
from .reader import (
    can_recognize_text as can_recognize_text,
    decrypt_pdf as decrypt_pdf,
    locate_quote as locate_quote,
    page_image as page_image,
    page_images as page_images,
    read_figures as read_figures,
    read_pdf as read_pdf,
    read_pdf_text as read_pdf_text,
    read_word as read_word,
    read_word_text as read_word_text,
)
from .rulings import read_rulings as read_rulings
from .types import (
    READING_VERSION as READING_VERSION,
    Box as Box,
    Clause as Clause,
    ClauseMark as ClauseMark,
    ClauseStatus as ClauseStatus,
    Figure as Figure,
    Identity as Identity,
    LineCorrection as LineCorrection,
    LongClause as LongClause,
    MarkKind as MarkKind,
    MetadataOverride as MetadataOverride,
    OnProgress as OnProgress,
    PageLine as PageLine,
    Progress as Progress,
    PutAway as PutAway,
    ReadingAccount as ReadingAccount,
    ReadingWarning as ReadingWarning,
    Rulebook as Rulebook,
    TextKind as TextKind,
    is_day as is_day,
)
