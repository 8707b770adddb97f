"""What other rooms may use of `core.impact`."""

from .digest import format_digest as format_digest
from .impact import (
    ChangedClause as ChangedClause,
    Impact as Impact,
    ReferringClause as ReferringClause,
    TouchedAnswer as TouchedAnswer,
    TouchedCitation as TouchedCitation,
    assess_impact as assess_impact,
)
from .watch import (
    INTERVAL_SECONDS as INTERVAL_SECONDS,
    FolderWatch as FolderWatch,
    add_new_files as add_new_files,
)
