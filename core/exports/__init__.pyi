"""What other rooms may use of `core.exports`."""

from .feeds import Feed as Feed
from .formats import (
    write_export as write_export,
    write_redline as write_redline,
    write_report_file as write_report_file,
)
from .items import (
    export_changes as export_changes,
    export_document as export_document,
)
from .report import ReportPart as ReportPart
from .tables import (
    checklist_csv as checklist_csv,
    csv_file as csv_file,
    pairs_csv as pairs_csv,
)
