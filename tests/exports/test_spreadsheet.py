"""A spreadsheet reads foreign text in exported tables as text, whatever it begins with."""

import csv
import io

import pytest

from core.exports import csv_file


@pytest.mark.parametrize(
    "text",
    ['=HYPERLINK("http://evil.example")', "+1", "-2+3", "@SUM(A1)", "  =1", "\t=1", "\r=1", "\n=1"],
)
def test_no_cell_is_a_formula(text):
    rows = list(
        csv.reader(io.StringIO(csv_file(("text",), [(text,)]).decode("utf-8-sig"), newline=""))
    )
    assert rows == [["text"], [f"'{text}"]]


def test_numbers_and_other_text_stay_as_they_are():
    file = csv_file(("article", "value", "nothing"), [("21.3", -5, None), ("a, b", 1.5, None)])
    assert file.decode("utf-8-sig").splitlines() == [
        "article,value,nothing",
        "21.3,-5,",
        '"a, b",1.5,',
    ]
