"""What other rooms may use of `core.impact`."""

from .digest import (
    INTERVAL_SECONDS as INTERVAL_SECONDS,
    FolderWatch as FolderWatch,
    add_new_files as add_new_files,
    format_digest as format_digest,
)
from .impact import (
    ChangedClause as ChangedClause,
    Impact as Impact,
    ReferringClause as ReferringClause,
    TouchedAnswer as TouchedAnswer,
    TouchedCitation as TouchedCitation,
    TouchedRow as TouchedRow,
    TouchedSheet as TouchedSheet,
    assess_impact as assess_impact,
    touched_cells as touched_cells,
)
