"""What other rooms may use of `core.quotes`."""

from .marked_text import (
    format_marked_text as format_marked_text,
    mark_text as mark_text,
    passage_cells as passage_cells,
    summarize_findings as summarize_findings,
)
from .rule_texts import RuleTexts as RuleTexts
from .text_check import (
    MAX_TEXT as MAX_TEXT,
    check_text as check_text,
)
from .text_files import read_text_file as read_text_file
from .types import (
    FINDINGS as FINDINGS,
    CheckedPassage as CheckedPassage,
    Finding as Finding,
)
