"""What other rooms may use of `core.exports`."""

from .formats import FORMATS as FORMATS, ExportFormat as ExportFormat, write_export as write_export
from .items import (
    Export as Export,
    ExportItem as ExportItem,
    export_changes as export_changes,
    export_document as export_document,
)
from .tables import (
    checklist_csv as checklist_csv,
    csv_file as csv_file,
    pairs_csv as pairs_csv,
    pairs_json as pairs_json,
)
