"""What other rooms may use of `core.registers`."""

from .asked_conflicts import list_layer_notes as list_layer_notes
from .checklist import (
    ChecklistEntry as ChecklistEntry,
    ChecklistStore as ChecklistStore,
)
from .document_sentences import find_kept_sentences as find_kept_sentences
from .obligations import (
    Obligation as Obligation,
    ObligationsList as ObligationsList,
    OmittedDuty as OmittedDuty,
)
from .open_counts import OpenCounts as OpenCounts
from .overrides import LayerNote as LayerNote, LayerNotes as LayerNotes
from .penalties import (
    PENALTIES as PENALTIES,
    UNNAMED_SANCTION as UNNAMED_SANCTION,
    PenaltyRow as PenaltyRow,
    find_penalties as find_penalties,
    threatens_sanction as threatens_sanction,
)
from .personal_files import PersonalFolder as PersonalFolder
from .register import (
    Limit as Limit,
    LimitsRegister as LimitsRegister,
    RowLink as RowLink,
    UnreadNumbers as UnreadNumbers,
    find_override as find_override,
)
from .rule_lists import RuleList as RuleList, RuleLists as RuleLists
from .storage import (
    LIMITS as LIMITS,
    list_register_kinds as list_register_kinds,
    obligations_of as obligations_of,
    register_of as register_of,
)
