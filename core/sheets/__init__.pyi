"""What other rooms may use of `core.sheets`."""

from .checked_rows import (
    CheckedRow as CheckedRow,
    guess_rulebook as guess_rulebook,
    join_rulebooks as join_rulebooks,
)
from .compliance import check_values as check_values
from .compliance_question import (
    names_subject as names_subject,
    subject_words as subject_words,
    values_in_question as values_in_question,
)
from .derived_kinds import (
    complete_library as complete_library,
    list_derived_kinds as list_derived_kinds,
)
from .junit import junit_report as junit_report
from .limit_indexes import limit_index as limit_index
from .limit_search import LimitIndex as LimitIndex
from .sheet_check import (
    SheetResult as SheetResult,
    SheetRow as SheetRow,
    SheetVerdict as SheetVerdict,
    check_row as check_row,
    uncovered_limits as uncovered_limits,
)
from .sheet_files import read_records as read_records, read_sheet as read_sheet
from .sheet_progress import check_new_rows as check_new_rows
from .sheet_storage import (
    SavedSheet as SavedSheet,
    SheetStore as SheetStore,
)
from .sheet_template import template_records as template_records
from .starter_questions import question_about_clause as question_about_clause
from .value_question import (
    suggest_examples as suggest_examples,
)
from .verdicts import (
    CheckedLimit as CheckedLimit,
    QuotedWords as QuotedWords,
    ValueCheck as ValueCheck,
    Verdict as Verdict,
    overall_verdict as overall_verdict,
)
