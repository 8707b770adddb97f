"""What other rooms may use of `core.exports`."""

from .formats import write_export as write_export
from .items import (
    export_changes as export_changes,
    export_document as export_document,
)
from .tables import (
    checklist_csv as checklist_csv,
    csv_file as csv_file,
    pairs_csv as pairs_csv,
)
