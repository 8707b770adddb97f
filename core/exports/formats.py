"""The formats of exports, by the names that the command line takes."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from core.choices import ExportFormat, RedlineFormat
from core.exports.akn import write_akn
from core.exports.items import Export
from core.exports.oscal import write_oscal
from core.exports.pdf import write_pdf, write_redline_pdf
from core.exports.redline import Redline, compose_redline
from core.exports.report import ReportPart
from core.exports.reqif import write_reqif
from core.exports.tables import write_csv, write_jsonl, write_xlsx
from core.exports.word import write_redline_word, write_word
from core.language import ENGLISH, Language
from core.library import ClausePair, Document, Library

FORMATS: Mapping[ExportFormat, Callable[[Export], bytes]] = {
    "csv": write_csv,
    "xlsx": write_xlsx,
    "jsonl": write_jsonl,
    "reqif": write_reqif,
    "oscal": write_oscal,
    "akn": write_akn,
}
REDLINES: Mapping[RedlineFormat, Callable[[Redline], bytes]] = {
    "docx": write_redline_word,
    "pdf": write_redline_pdf,
}


def write_export(export: Export, export_format: ExportFormat) -> bytes:
    return FORMATS[export_format](export)


def write_report_file(parts: Iterable[ReportPart], report_format: RedlineFormat) -> bytes:
    """Write a report."""
    return write_word(parts) if report_format == "docx" else write_pdf(parts)


def write_redline(
    library: Library,
    documents: tuple[Document, Document],
    pairs: Sequence[ClausePair],
    redline_format: RedlineFormat,
    language: Language = ENGLISH,
) -> bytes:
    """Write the redline of two documents, the earlier one first, from all pairs of both."""
    redline = compose_redline(library, *documents, pairs, language)
    return REDLINES[redline_format](redline)
