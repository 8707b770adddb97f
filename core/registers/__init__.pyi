"""What other rooms may use of `core.registers`."""

from .checklist import ChecklistEntry as ChecklistEntry, ChecklistStore as ChecklistStore
from .document_sentences import (
    SENTENCES as SENTENCES,
    DocumentSentences as DocumentSentences,
    find_kept_sentences as find_kept_sentences,
    read_sentences as read_sentences,
)
from .figure_texts import FIGURE_TEXTS as FIGURE_TEXTS, reads_figures as reads_figures
from .obligations import (
    Obligation as Obligation,
    ObligationsList as ObligationsList,
    OmittedDuty as OmittedDuty,
    read_obligations as read_obligations,
)
from .penalties import (
    PENALTIES as PENALTIES,
    UNNAMED_SANCTION as UNNAMED_SANCTION,
    ClausePenalties as ClausePenalties,
    PenaltyRow as PenaltyRow,
    find_penalties as find_penalties,
    threatens_sanction as threatens_sanction,
)
from .personal_files import (
    SHEETS_FOLDER as SHEETS_FOLDER,
    PersonalFile as PersonalFile,
    lock_folder as lock_folder,
)
from .register import (
    Limit as Limit,
    LimitsRegister as LimitsRegister,
    RowLink as RowLink,
    UnreadNumbers as UnreadNumbers,
    read_register as read_register,
)
from .rule_lists import (
    RuleList as RuleList,
    limit_cells as limit_cells,
    list_limits as list_limits,
    list_obligations as list_obligations,
    list_unread as list_unread,
)
from .storage import (
    LIMITS as LIMITS,
    obligations_of as obligations_of,
    register_of as register_of,
)
from .table_files import (
    MAX_BYTES as MAX_BYTES,
    make_workbook as make_workbook,
    name_cells as name_cells,
    open_table as open_table,
    write_report as write_report,
)
