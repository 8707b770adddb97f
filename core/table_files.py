"""Tables as files: CSV and XLSX, read with care, as anybody may have made them."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.errors import SheetError

MAX_ROWS = 20_000
"""At a millisecond each (tests/benchmarks/sheet.py) they take 20 s for a rulebook."""
MAX_CELL = 2_000
"""Characters of a cell that are read."""
MAX_BYTES, MAX_UNPACKED = 20 << 20, 100 << 20
"""Size of a file, and of what a workbook unpacks to."""
MAX_TAGS = 2_000_000
"""Tags of a workbook's parts: 20,000 rows of 20 cells have 1.6 million. The parser keeps 100 bytes
of each."""
_DAMAGED = (SyntaxError, TypeError, IndexError, AttributeError, RuntimeError, zlib.error)
"""What a workbook raises whose XML, relations or compressed bytes are not what they should be."""
_ENCODINGS = ("utf-8-sig", "cp1252")
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def open_table(data: bytes, name: str) -> tuple[Iterator[list[str]], bool]:
    """Return the rows of a file, and whether a comma is its decimal sign."""
    if len(data) > MAX_BYTES:
        raise SheetError(f"{name} is larger than {MAX_BYTES >> 20} MB.", code="too_large")
    if data.startswith(b"PK"):
        return _read_workbook(data, name), False
    return _read_csv(data, name)


def name_cells(
    table: Iterable[Sequence[str]],
    name: str,
    columns: Sequence[str],
    required: Sequence[str],
    longest: int = MAX_CELL,
) -> Iterator[dict[str, str]]:
    """Yield the cells of each row that has any by column, as the first row names the columns.

    Of each cell at most `longest` characters are read.
    """
    lines = iter(table)
    header = [cell.strip().casefold() for cell in next(lines, [])]
    if lacking := [column for column in required if column not in header]:
        raise SheetError(
            f"{name} has no column {', '.join(lacking)}: its first row must name the columns"
            f" {', '.join(columns)}.",
            code="columns",
        )
    places = {column: header.index(column) for column in columns if column in header}
    for number, cells in enumerate(lines):
        if number >= MAX_ROWS:
            raise SheetError(f"{name} has more than {MAX_ROWS} rows.", code="too_large")
        values = {
            column: cells[place].strip()[:longest] if place < len(cells) else ""
            for column, place in places.items()
        }
        if any(values.values()):
            yield values


def _read_csv(data: bytes, name: str) -> tuple[Iterator[list[str]], bool]:
    """Return the rows of a CSV file, and whether a comma is its decimal sign."""
    text = _decode_text(data, name)
    first = text.partition("\n")[0]
    delimiter = max(";\t,", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)

    def rows() -> Iterator[list[str]]:
        try:
            yield from reader
        except csv.Error as error:
            raise SheetError(f"{name} is no CSV file: {error}.", code="damaged") from error

    return rows(), delimiter != ","


def _decode_text(data: bytes, name: str) -> str:
    encodings = (_MARKS[data[:2]],) if data[:2] in _MARKS else _ENCODINGS
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text
    message = f"{name} is neither a text in UTF-8 nor an XLSX file: save it as one of these."
    raise SheetError(message, code="encoding")


def _read_workbook(data: bytes, name: str) -> Iterator[list[str]]:
    """Yield the rows of a workbook's first sheet as texts; a formula stays its own text."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    failures = (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError, OSError, EOFError)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_size(archive, name)
        book = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
        for cells in book.worksheets[0].iter_rows(max_col=50, values_only=True):
            yield ["" if cell is None else str(cell) for cell in cells]
    except SheetError:
        raise
    except (*failures, *_DAMAGED) as error:
        raise SheetError(f"{name} is no workbook that can be read.", code="damaged") from error


def _check_size(archive: zipfile.ZipFile, name: str) -> None:
    """Raise SheetError `too_large` where a workbook would take long, or much memory, to parse."""
    message = f"{name} is too large to read: save only the sheet of values."
    if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED:
        raise SheetError(message, code="too_large")
    tags = 0
    for entry in archive.infolist():
        with archive.open(entry) as part:
            while chunk := part.read(1 << 20):
                tags += chunk.count(b"<")
                if tags > MAX_TAGS:
                    raise SheetError(message, code="too_large")


def make_workbook(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as an XLSX file; no text of theirs is run as a formula."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Rows")
    for number, row in enumerate(rows):
        if not number:
            sheet.append(list(row))
        cells = []
        for value in row.values():
            cell = WriteOnlyCell(sheet, value=_plain_cell(value))
            if isinstance(cell.value, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _plain_cell(value: Any) -> Any:
    """Return what a cell can hold: text with plain spaces and no control characters, a number
    or nothing.
    """
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    if isinstance(value, str):
        spaced = (" " if one.isspace() and one not in "\n\t" else one for one in value)
        return "".join(one for one in spaced if one.isprintable() or one in "\n\t")[:32_000]
    return value
