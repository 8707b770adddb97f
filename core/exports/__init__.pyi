"""What other rooms may use of `core.exports`."""

from .feeds import Feed as Feed
from .formats import write_export as write_export, write_redline as write_redline
from .items import (
    export_changes as export_changes,
    export_document as export_document,
)
from .pdf import write_pdf as write_pdf
from .report import ReportPart as ReportPart
from .tables import (
    checklist_csv as checklist_csv,
    csv_file as csv_file,
    pairs_csv as pairs_csv,
)
from .word import write_word as write_word
