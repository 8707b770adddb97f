"""What other rooms may use of `core.penalties`."""

from .rows import (
    UNNAMED_SANCTION as UNNAMED_SANCTION,
    PenaltyRow as PenaltyRow,
    extract_rows as extract_rows,
    is_penalty_list as is_penalty_list,
    threatens_sanction as threatens_sanction,
)
