"""What other rooms may use of `core.impact`."""

from .digest import FolderWatch as FolderWatch, format_digest as format_digest
from .impact import (
    Impact as Impact,
    ReferringClause as ReferringClause,
    TouchedAnswer as TouchedAnswer,
    TouchedCitation as TouchedCitation,
    TouchedSheet as TouchedSheet,
    assess_impact as assess_impact,
)
from .webhook import Webhook as Webhook
