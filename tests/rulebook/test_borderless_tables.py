"""Tables without lines: columns by what is above one another, in the clause they stand in."""

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, LEADING, Paper

SIZE = 11
SPACING = [
    ("Voltage", "Over surface", "Through air"),
    ("0 V to 50 V", "1.6 mm", "1.2 mm"),
    ("50 V to 150 V", "6.4 mm", "3.2 mm"),
    ("150 V to 300 V", "9.5 mm", "6.4 mm"),
]
PENALTIES = [
    ("Fault", "Sprint", "Relay"),
    ("Cone hit", "2 s", "2 s"),
    ("Gate missed", "10 s", "20 s"),
    ("Unsafe stop", "DNF", "50 points"),
]
ALIGNMENTS = {"left": 0.0, "middle": 0.5, "right": 1.0}


def draw_row(paper, cells, share, lefts=(150, 260, 370), width=80):
    """Draw the cells of a row, `share` of what is free in a column before each."""
    for left, text in zip(lefts, cells, strict=True):
        free = width - stringWidth(text, "Helvetica", SIZE)
        paper.at(left + share * free, HEIGHT - paper.y, text)


def rulebook_with(table, share=0.0, beside_number=False, ruled=False):
    """Draw a table between two clauses: below the words of the first, or beside its number."""
    paper = Paper(size=SIZE).heading("4", "DISTANCES")
    paper.clause("4.1", "The distances of this part are measured along the surface.")
    paper.line("" if beside_number else "These values hold:", number="4.2", gap=8)
    for number, cells in enumerate(table):
        paper.y -= 0 if beside_number and number == 0 else LEADING
        draw_row(paper, cells, share)
        if ruled and number == 0:
            paper.canvas.line(146, paper.y - 3, 455, paper.y - 3)
    paper.line("Table 7: What holds in this part", left=200, gap=6)
    return paper.clause("4.3", "Everything else is free.").pdf()


def read_texts(data):
    return {clause.article: clause.text for clause in read_here(data).clauses}


def as_rows(table):
    head, *rows = [f"| {' | '.join(cells)} |" for cells in table]
    return "\n".join([head, "|---|---|---|", *rows])


@pytest.mark.parametrize("table", [SPACING, PENALTIES])
@pytest.mark.parametrize("alignment", ALIGNMENTS)
def test_a_table_belongs_to_the_clause_it_stands_in(table, alignment):
    texts = read_texts(rulebook_with(table, ALIGNMENTS[alignment]))
    assert texts["4.2"].startswith("These values hold:\n" + as_rows(table))
    assert texts["4.3"] == "Everything else is free."


@pytest.mark.parametrize("table", [SPACING, PENALTIES])
def test_the_number_of_a_clause_before_a_table_is_no_cell(table):
    texts = read_texts(rulebook_with(table, beside_number=True))
    assert texts["4.2"].startswith(as_rows(table))


@pytest.mark.parametrize("table", [SPACING, PENALTIES])
def test_the_line_below_the_heads_is_no_fraction(table):
    texts = read_texts(rulebook_with(table, ruled=True))
    assert as_rows(table) in texts["4.2"]
    assert "Equation" not in texts["4.2"]


@pytest.mark.parametrize("table", [SPACING, PENALTIES])
def test_the_caption_below_a_table_is_in_no_cell(table):
    texts = read_texts(rulebook_with(table))
    assert texts["4.2"].endswith("|\nTable 7: What holds in this part")


@pytest.mark.parametrize("gap", [8000, 11000])
def test_rows_that_a_file_writes_as_one_object_have_columns(gap):
    """pdfTeX moves to the next cell within one array of text: TJ."""
    paper = Paper(size=SIZE).heading("4", "DISTANCES").line("These values hold:", number="4.1")
    for cells in SPACING:
        paper.y -= LEADING
        write_as_one(paper, cells, gap)
    texts = read_texts(paper.clause("4.2", "Everything else is free.").pdf())
    assert texts["4.1"] == "These values hold:\n" + as_rows(SPACING)


def write_as_one(paper, cells, gap):
    """Write cells as one array, each `gap` thousandths of an em behind the start of the last."""
    array = ""
    for text in cells:
        move = gap - 1000 * stringWidth(text, "Helvetica", 1)
        array += f"({text.replace(' ', ') -278 (')}) {-move:.0f} "
    paper.canvas.setFont("Helvetica", SIZE)
    font = paper.canvas._doc.getInternalFontName("Helvetica")
    paper.canvas._code.append(f"BT {font} {SIZE} Tf 1 0 0 1 100 {paper.y} Tm [{array}] TJ ET")


ITEMS = ["The crew waits here until green.", "The judge counts laps.", "Nobody helps the judge."]


@pytest.mark.parametrize("items", [ITEMS, ITEMS[::-1]])
def test_a_list_with_its_markers_apart_is_no_table(items):
    paper = Paper(size=SIZE).heading("4", "CREWS").line("These things happen:", number="4.1")
    for marker, text in zip("abc", items, strict=True):
        paper.y -= LEADING
        paper.at(100, HEIGHT - paper.y, f"{marker}.").at(130, HEIGHT - paper.y, text)
    texts = read_texts(paper.clause("4.2", "Everything else is free.").pdf())
    assert "|" not in texts["4.1"]
    assert all(text in texts["4.1"] for text in items)
