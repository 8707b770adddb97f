"""Tables whose head or rows are filled with a colour instead of ruled."""

from reportlab.lib.colors import HexColor

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

ROWS = ("Fuel type", "2024-01-31"), ("Drawings", "2024-03-20"), ("Photos", "2024-06-05")
TABLE = """| Document | Date |
|---|---|
| Fuel type | 2024-01-31 |
| Drawings | 2024-03-20 |
| Photos | 2024-06-05 |"""


def paint(paper, left, width, height=16):
    paper.canvas.setFillColor(HexColor("#C0C0C0"))
    paper.canvas.rect(left, paper.y - height, width, height, stroke=0, fill=1)
    paper.canvas.setFillColor(HexColor("#000000"))


def put(paper, row, columns=(104, 304), height=16):
    for x, text in zip(columns, row, strict=True):
        paper.at(x, HEIGHT - (paper.y - height + 4), text)
    paper.y -= height


def text_of_table(paper):
    paper.clause("1.2", "Nothing else has to be sent in.").clause("1.3", "It is free.")
    found = {clause.article: clause for clause in read_here(paper.pdf()).clauses}
    return found["1.1"].text


def begin():
    return Paper().heading("1", "DEADLINES").clause("1.1", "These have to be sent in:")


def test_a_filled_head_above_a_ruled_table_is_its_first_row():
    paper = begin()
    paper.y -= 8
    paint(paper, 100, 400)
    put(paper, ("Document", "Date"))
    paper.y += 8  # which `grid` leaves free
    paper.grid(ROWS, left=100, widths=(200, 200))
    assert text_of_table(paper).endswith(TABLE)


def test_rows_that_are_grey_by_turns_are_a_table_beside_a_framed_note():
    paper = begin()
    paper.y -= 8
    paper.canvas.rect(100, paper.y - 30, 400, 30)
    paper.at(104, HEIGHT - (paper.y - 20), "These may change if the other events change theirs.")
    paper.y -= 50
    paper.canvas.line(100, paper.y, 500, paper.y)
    put(paper, ("Document", "Date"))
    for number, row in enumerate((*ROWS, ("Cost report", "2024-07-10"))):
        if not number % 2:
            paint(paper, 100, 400)
        put(paper, row)
    paper.canvas.line(100, paper.y, 500, paper.y)
    text = text_of_table(paper)
    assert "These may change if the other events change theirs.\n" in text
    assert text.endswith(TABLE + "\n| Cost report | 2024-07-10 |")


def test_heads_that_only_their_fills_part_are_cells_of_their_own():
    paper = begin()
    paper.y -= 8
    paper.canvas.rect(100, paper.y - 16, 400, 16)
    paint(paper, 100, 200)
    paint(paper, 300, 200)
    put(paper, ("Document", "Date"))
    paper.y += 8
    paper.grid(ROWS, left=100, widths=(200, 200))
    assert text_of_table(paper).endswith(TABLE)


def test_words_that_one_command_draws_in_two_cells_are_parted():
    paper = begin()
    paper.y -= 8
    for row in (("Place", "Team"), ("1", "Delft"), ("2", "Aalen"), ("3", "Graz")):
        for left, width in ((100, 40), (140, 100)):
            paper.canvas.rect(left, paper.y - 18, width, 18)
        words = paper.canvas.beginText(104, paper.y - 13)
        words.setFont("Helvetica", 11)
        words.setWordSpace(40 - paper.canvas.stringWidth(row[0] + " ", "Helvetica", 11))
        words.textOut(" ".join(row))
        paper.canvas.drawText(words)
        paper.y -= 18
    assert text_of_table(paper).endswith("| 1 | Delft |\n| 2 | Aalen |\n| 3 | Graz |")
