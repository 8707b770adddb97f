"""The formats of exports, by the names that the command line takes."""

from collections.abc import Callable, Mapping

from core.choices import ExportFormat
from core.exports.akn import write_akn
from core.exports.items import Export
from core.exports.oscal import write_oscal
from core.exports.reqif import write_reqif
from core.exports.tables import write_csv, write_jsonl, write_xlsx

FORMATS: Mapping[ExportFormat, Callable[[Export], bytes]] = {
    "csv": write_csv,
    "xlsx": write_xlsx,
    "jsonl": write_jsonl,
    "reqif": write_reqif,
    "oscal": write_oscal,
    "akn": write_akn,
}


def write_export(export: Export, export_format: ExportFormat) -> bytes:
    return FORMATS[export_format](export)
