"""What other rooms may use of `core.limits`."""

from .checklist import (
    ChecklistEntry as ChecklistEntry,
    ChecklistStore as ChecklistStore,
    read_checklist as read_checklist,
)
from .compliance import check_values as check_values
from .compliance_question import (
    subject_words as subject_words,
    values_in_question as values_in_question,
)
from .json_rows import (
    CheckedRow as CheckedRow,
    checklist_row as checklist_row,
    limit_row as limit_row,
    obligation_row as obligation_row,
    omitted_row as omitted_row,
    sheet_row as sheet_row,
    unread_row as unread_row,
)
from .junit import junit_report as junit_report
from .limit_search import LimitIndex as LimitIndex
from .obligations import (
    Obligation as Obligation,
    ObligationsList as ObligationsList,
    OmittedDuty as OmittedDuty,
    read_obligations as read_obligations,
)
from .register import (
    Limit as Limit,
    LimitsRegister as LimitsRegister,
    UnreadNumbers as UnreadNumbers,
    read_register as read_register,
)
from .rule_lists import (
    RuleList as RuleList,
    list_limits as list_limits,
    list_obligations as list_obligations,
    list_unread as list_unread,
)
from .sheet_check import (
    SheetResult as SheetResult,
    SheetRow as SheetRow,
    SheetVerdict as SheetVerdict,
    check_row as check_row,
    check_sheet as check_sheet,
    uncovered_limits as uncovered_limits,
)
from .sheet_files import (
    COLUMNS as COLUMNS,
    MAX_BYTES as MAX_BYTES,
    make_workbook as make_workbook,
    read_records as read_records,
    read_sheet as read_sheet,
    write_report as write_report,
    write_workbook as write_workbook,
)
from .sheet_progress import (
    KnownResults as KnownResults,
    check_new_rows as check_new_rows,
)
from .sheet_storage import (
    SavedSheet as SavedSheet,
    SheetStore as SheetStore,
    new_sheet as new_sheet,
)
from .sheet_template import template_records as template_records, template_rows as template_rows
from .storage import (
    limit_index as limit_index,
    read_missing_registers as read_missing_registers,
    register_of as register_of,
    suggest_examples as suggest_examples,
    suggest_value_question as suggest_value_question,
)
from .table_cells import (
    FOUND_BY_WORDS as FOUND_BY_WORDS,
    limit_cells as limit_cells,
    list_rule_choices as list_rule_choices,
    obligation_cells as obligation_cells,
    unread_cells as unread_cells,
    verdict_cells as verdict_cells,
)
from .verdicts import (
    CheckedLimit as CheckedLimit,
    QuotedWords as QuotedWords,
    ValueCheck as ValueCheck,
    Verdict as Verdict,
    overall_verdict as overall_verdict,
)
