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
from .duties import find_duty_words as find_duty_words
from .figures import (
    WrittenNumber as WrittenNumber,
    articles_in as articles_in,
    find_figures as find_figures,
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
from .limits import find_limits as find_limits
from .obligations import (
    Obligation as Obligation,
    ObligationsList as ObligationsList,
    OmittedDuty as OmittedDuty,
    read_obligations as read_obligations,
)
from .passage_numbers import amount_kinds_in as amount_kinds_in
from .quantities import (
    AMOUNT_NOUNS as AMOUNT_NOUNS,
    AMOUNTS as AMOUNTS,
    UNITS as UNITS,
    Quantity as Quantity,
    amount_keys as amount_keys,
    find_quantities as find_quantities,
    remove_quantities as remove_quantities,
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
from .sentences import (
    alphanumeric_only as alphanumeric_only,
    split_sentences as split_sentences,
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
from .stems import (
    MIN_COVERAGE as MIN_COVERAGE,
    content_words as content_words,
    coverage as coverage,
    fold_accents as fold_accents,
    has_own_words as has_own_words,
    query_stems as query_stems,
    split_at_stems as split_at_stems,
    stem_words as stem_words,
)
from .storage import (
    complete_library as complete_library,
    limit_index as limit_index,
    list_derived_kinds as list_derived_kinds,
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
from .vocabulary import (
    VOCABULARY as VOCABULARY,
    any_word as any_word,
    list_words as list_words,
)
