"""Sheets as files: whoever made them, each is read or refused with a clear reason."""

import io
import tracemalloc
import zipfile
from contextlib import suppress
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from openpyxl import Workbook, load_workbook

from core.errors import SheetError
from core.sheets import CheckedRow
from core.sheets.junit import junit_report
from core.sheets.sheet_check import SheetResult, SheetRow
from core.sheets.sheet_files import read_sheet
from core.table_files import MAX_BYTES, MAX_ROWS, make_workbook
from tests.library.test_scope import S24

HEADER = "id,parameter,value,unit,note\n"


def workbook(*rows):
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def bomb():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(101 << 20))
    return out.getvalue()


def test_csv_and_xlsx_are_read_alike():
    rows = (SheetRow("1", "wheelbase", "1200", "mm", "front"),)
    cells = (("id", "parameter", "value", "unit", "note"), (1, "wheelbase", 1200, "mm", "front"))
    assert read_sheet(f"{HEADER}1,wheelbase,1200,mm,front\n".encode(), "a.csv") == rows
    assert read_sheet(workbook(*cells), "a.xlsx") == rows


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_of_spreadsheets_are_known(encoding):
    [row] = read_sheet(f"{HEADER}1,größe,1,mm,\n".encode(encoding), "a.csv")
    assert row.parameter == "größe"


def test_a_sheet_with_semicolons_has_decimal_commas():
    [row] = read_sheet(b"id;parameter;value\n1;width;2,4\n", "a.csv")
    assert (row.value, row.decimal_comma) == ("2,4", True)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "columns"),
        (b"width,2.4\n", "columns"),
        (HEADER.encode(), "empty"),
        (f"{HEADER}1,a,2,,\n1,b,3,,\n".encode(), "twice"),
        (b"\x00\x01\x02" * 50, "encoding"),
        (b"PK\x03\x04 no workbook", "damaged"),
        ((HEADER + "1,a,2,,\n" * (MAX_ROWS + 1)).encode(), "too_large"),
        (HEADER.encode() + bytes(MAX_BYTES), "too_large"),
        (f"{HEADER}1,{'a' * (1 << 21)},2,,\n".encode(), "damaged"),
        (f"{HEADER}1,a,2,,\n".encode("utf-16-le"), "encoding"),
    ],
)
def test_a_sheet_that_cannot_be_read_says_why(data, code):
    with pytest.raises(SheetError) as refused:
        read_sheet(data, "team.csv")
    assert refused.value.code == code
    assert "team.csv" in refused.value.message


def workbook_with(sheet):
    """A workbook whose sheet has this XML."""
    plain, out = workbook(("id", "parameter", "value")), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for name in old.namelist():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            new.writestr(name, sheet if is_sheet else old.read(name))
    return out.getvalue()


SPREADSHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


@pytest.mark.slow
def test_ten_million_rows_in_a_small_file_are_not_parsed():
    rows = "<row/>" * 10_000_000
    data = workbook_with(f"<worksheet {SPREADSHEET}><sheetData>{rows}</sheetData></worksheet>")
    assert len(data) < 200_000
    tracemalloc.start()
    with pytest.raises(SheetError) as refused:
        read_sheet(data, "team.xlsx")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused.value.code == "too_large"
    assert most < 50 << 20


def test_entities_of_entities_are_not_expanded():
    laughs = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghij"))
    cell = '<row><c t="inlineStr"><is><t>&j;</t></is></c></row>'
    sheet = f"<sheetData>{cell}</sheetData>"
    head = f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{laughs}]>'
    with pytest.raises(SheetError) as refused:
        read_sheet(
            workbook_with(f"{head}<worksheet {SPREADSHEET}>{sheet}</worksheet>"), "team.xlsx"
        )
    assert refused.value.code == "damaged"


@pytest.mark.slow
def test_a_zip_bomb_is_not_unpacked():
    with pytest.raises(SheetError) as refused:
        read_sheet(bomb(), "team.xlsx")
    assert refused.value.code == "too_large"


def test_a_workbook_with_any_bytes_changed_is_read_or_refused():
    """A seeded sample: one byte in each of 40 places."""
    whole = workbook(("id", "parameter", "value"), *((n, f"width {n}", n) for n in range(1, 9)))
    for place in range(0, len(whole), len(whole) // 40):
        damaged = whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :]
        with suppress(SheetError):
            assert read_sheet(damaged, "team.xlsx")


def test_a_formula_is_no_number_and_is_never_run(tmp_path):
    [row] = read_sheet(workbook(("id", "parameter", "value"), (1, "width", "=1+1")), "a.xlsx")
    assert row.value == "=1+1"
    rows = [{"id": "=1+1", "n": 2.5, "articles": ["1.1", "1.2"]}]
    (tmp_path / "out.xlsx").write_bytes(make_workbook(rows))
    sheet = load_workbook(tmp_path / "out.xlsx").active
    assert [cell.data_type for cell in sheet[2]] == ["s", "n", "s"]
    assert sheet["C2"].value == "1.1, 1.2"


def test_the_report_fails_what_is_illegal_and_skips_what_is_open():
    rows = [SheetRow(str(n), "width", "1", "mm") for n in range(3)]
    results = [
        SheetResult("0", "legal"),
        SheetResult("1", "not legal", margin="-1 mm"),
        SheetResult("2", "cannot tell", missing="front or rear"),
    ]
    cases = [CheckedRow(S24, row, result) for row, result in zip(rows, results, strict=True)]
    suite = ElementTree.fromstring(junit_report(cases))[0]
    told = [case.get("message") for case in suite.iter("skipped")]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert "front or rear" in told[0]
    strict = ElementTree.fromstring(junit_report(cases, strict=True))[0]
    assert strict.get("failures") == "2"
