"""What is printed and becomes no rule is proved to be none, and is counted by place and page."""

import io

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from PIL import Image
from reportlab.lib.utils import ImageReader

from tests.rulebook.drawn_page import line_annotation, read_page, show
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

LIMITS = (
    "Engine swap: 20 points",
    "Roof cut: 35 points",
    "Wide wheels: 15 points",
    "Second fuel pump: 5 points",
    "Cage of steel: 0 points",
    "Glass removed: 10 points",
)


def rules(paper, chapter, titles):
    """Draw a chapter of numbered rules, each with its title in bold and a sentence."""
    paper.line(f"{chapter}  {titles[0]}", left=72, bold=True, gap=14)
    for number, title in enumerate(titles[1:], 1):
        paper.line(f"{chapter}.{number}  {title}", left=72, bold=True, gap=8)
        paper.line("The team must show this to the scrutineer before it starts.", left=72)
    return paper


def points_chapter(draw_rows, values=("0", "1", "2")):
    """Rules in two parts, and a chapter of points for each change to a car."""
    paper = Paper().line("Part 1 General", left=72, bold=True)
    rules(paper, 1, ["Licences", "Drivers", "Entries"])
    paper.line("Part 2 Cars", left=72, bold=True, gap=14)
    rules(paper, 2, ["Cars", "Tyres", "Seats"])
    paper.page().line("3  MODIFICATION POINTS", left=72, bold=True)
    paper.line("A car must not have more than 100 points in its class.", left=72)
    for part in ("Engine", "Body", "Wheels"):
        paper.line(part, left=72, bold=True, gap=12)
        words = (f"{part} as it is sold", f"{part} that is lighter", f"{part} of carbon")
        draw_rows(paper, list(zip(values, words, strict=True)))
    return rules(paper, 4, ["Races", "Start", "Finish"])


def as_lines(paper, rows):
    for value, words in rows:
        paper.line(value, left=80).at(150, HEIGHT - paper.y, words)


def as_table(paper, rows):
    paper.grid([("Points", "Change"), *rows], widths=(60, 200))


def read(paper):
    return read_here(paper.pdf(), "Cup Rules 2024.pdf")


def words_in_force(book):
    return " ".join(f"{c.title} {c.text}" for c in book.clauses if c.status == "in_force")


def numbers(book):
    return [clause.article for clause in book.clauses]


@pytest.mark.parametrize("draw_rows", [as_lines, as_table])
@pytest.mark.parametrize("values", [("0", "1", "2"), ("1.1", "1.2", "2.1")])
def test_a_chapter_of_points_for_modifications_is_no_record_of_changes(draw_rows, values):
    book = read(points_chapter(draw_rows, values))
    assert {"3", "4", "4.1", "4.2"} <= set(numbers(book))
    assert not book.other_texts
    words = words_in_force(book)
    assert "more than 100 points" in words
    assert all(f"{part} of carbon" in words for part in ("Engine", "Body", "Wheels"))


@pytest.mark.parametrize("title", ["Penalties at a glance", "What teams forget"])
def test_a_summary_before_all_rules_is_no_record_of_changes(title):
    paper = Paper().line("Cup Rules 2024", bold=True).line(title, left=72, bold=True, gap=20)
    for number in ("1.1", "1.2", "2.1", "2.2"):
        paper.line(f"{number}   A team that forgets this loses 10 places.", left=72, gap=4)
    rules(paper.page(), 1, ["General", "Licences", "Entries"])
    book = read(rules(paper, 2, ["Cars", "Tyres", "Seats"]))
    assert not [text for text in book.other_texts if text.kind == "changelog"]
    assert "loses 10 places" in words_in_force(book)


@pytest.mark.parametrize("values", [("0.0", "0.2", "0.5", "0.5", "0.8"), ("1", "2", "3", "5", "5")])
def test_a_table_whose_last_column_rises_is_no_list_of_contents(values):
    paper = rules(Paper(), 1, ["General", "Licences", "Entries"])
    paper.line("1.3  Weights for a longer race, which are added to the mass", left=72, gap=8)
    names = ("Sprint race", "Long race", "Night race", "Race in the rain", "Race of a day")
    for name, value in zip(names, values, strict=True):
        paper.line(name, left=90).at(420, HEIGHT - paper.y, value)
    paper.line("A team that is lighter must start from the pit lane.", left=72, gap=6)
    book = read(rules(paper.page(), 2, ["Cars", "Tyres", "Seats"]))
    assert not book.other_texts
    words = words_in_force(book)
    assert all(name in words for name in names)
    assert "A team that is lighter must start" in words


def test_a_list_of_contents_keeps_what_binds_and_comes_again_nowhere():
    paper = Paper().line("Cup Rules 2024", bold=True)
    titles = ("Licences", "Entries", "Tyres", "Seats", "Fuel")
    for number, title in enumerate(titles, 1):
        paper.line(f"{number}  {title} {'.' * 60} {number + 1}", left=72)
    paper.line("Guests must wear a pass in the pit lane at all times.", left=72)
    paper.line(f"6  Flags {'.' * 60} 7", left=72)
    for number, title in enumerate((*titles, "Flags"), 1):
        paper.page().line(f"{number}  {title}", left=72, bold=True)
        paper.line("The team must show this to the scrutineer.", left=72)
    book = read(paper)
    assert "Guests must wear a pass" in words_in_force(book)
    [contents] = [row for row in book.report.account.put_away if row.place == "contents"]
    assert (contents.pages, contents.unproved) == ((1,), 0)
    assert book.report.counts["letters_contents"] == contents.letters > 30


def framed(draw):
    """A page with a rule below which something is drawn, with text on it, and another rule."""
    paper = rules(Paper(), 1, ["General", "Licences", "Entries"])
    draw(paper)
    paper.y -= 150
    return rules(paper, 2, ["Cars", "Tyres", "Seats"])


def call_out(paper):
    paper.canvas.roundRect(66, paper.y - 60, 430, 48, 8)
    paper.at(80, HEIGHT - paper.y + 30, "1.3  A car that is too light is excluded from the race.")
    paper.at(80, HEIGHT - paper.y + 46, "Penalty: 10 places.")


def band(paper):
    paper.canvas.setFillColorRGB(1, 0.9, 0.6)
    paper.canvas.roundRect(66, paper.y - 60, 430, 48, 8, stroke=0, fill=1)
    paper.canvas.setFillColorRGB(0, 0, 0)
    paper.at(80, HEIGHT - paper.y + 36, "1.3  Penalties")
    paper.at(80, HEIGHT - paper.y + 50, "Too light: 10 places.")


def photograph(paper):
    picture = Image.linear_gradient("L").resize((430, 60)).point(lambda shade: 200 + shade // 8)
    file = io.BytesIO()
    picture.save(file, "PNG")
    paper.canvas.drawImage(ImageReader(file), 66, paper.y - 70, 430, 60)
    paper.at(80, HEIGHT - paper.y + 30, "1.3  A car that is too light is excluded from the race.")


def warning_sign(paper):
    """A call-out with a drawn sign in its corner."""
    call_out(paper)
    for radius in (5, 8, 10):
        paper.canvas.circle(480, paper.y - 36, radius)


@pytest.mark.parametrize("draw", [call_out, band, photograph, warning_sign])
def test_a_rule_on_a_panel_is_a_rule(draw):
    book = read(framed(draw))
    assert "1.3" in numbers(book)
    [rule] = [clause for clause in book.clauses if clause.article == "1.3"]
    assert "too light" in f"{rule.title} {rule.text}".lower()
    assert "numbering_gap" not in {warning.code for warning in book.report.warnings}


@pytest.mark.parametrize("radius", [6, 30])
def test_limits_in_an_outline_are_read_each(radius):
    paper = rules(Paper(), 1, ["General", "Licences", "Entries"])
    for _ in range(12):
        paper.line("These words fill the page, so that the panel has few of its letters.", left=72)
    paper.line("1.3  Points for changes are as follows:", left=72, gap=8)
    paper.canvas.roundRect(66, paper.y - 110, 300, 106, radius)
    for limit in LIMITS:
        paper.line(limit, left=90)
    book = read(rules(paper.page(), 2, ["Cars", "Tyres", "Seats"]))
    assert all(limit in words_in_force(book) for limit in LIMITS)


def test_the_lettering_of_a_drawing_is_put_away_and_counted():
    paper = rules(Paper(), 1, ["General", "Licences", "Entries"])
    for x, y, name in ((90, 60, "Front hoop"), (230, 90, "Main hoop"), (330, 50, "Brace")):
        for radius in (22, 26):
            paper.canvas.circle(x, paper.y - y, radius)
        paper.canvas.circle(x, paper.y - y - 16, 3)
        paper.at(x - 20, HEIGHT - paper.y + y, name, size=8)
    paper.y -= 150
    book = read(rules(paper, 2, ["Cars", "Tyres", "Seats"]))
    assert "Main hoop" not in words_in_force(book)
    lettering = [row for row in book.report.account.put_away if row.place == "lettering"]
    assert {row.words for row in lettering} == {"Front hoop", "Main hoop", "Brace"}
    assert {(row.pages, row.unproved) for row in lettering} == {((1,), 0)}


def ring(x, y, wide, high):
    """Draw an ellipse in red, as four curves."""
    near, far = 0.45 * wide, 0.45 * high
    return (
        f"1 0 0 RG {x - wide} {y} m {x - wide} {y + far} {x - near} {y + high} {x} {y + high} c"
        f" {x + near} {y + high} {x + wide} {y + far} {x + wide} {y} c"
        f" {x + wide} {y - far} {x + near} {y - high} {x} {y - high} c"
        f" {x - near} {y - high} {x - wide} {y - far} {x - wide} {y} c S\n"
    )


BY_HAND = "1 0 0 RG 66 684 m 68 689 86 690 87 684 c 88 678 68 678 67 683 c S\n"


@pytest.mark.parametrize(
    "drawn", [ring(72, 684, 10, 4.5), ring(79, 684, 10, 4.5), ring(240, 684, 180, 6), BY_HAND]
)
def test_a_ring_around_a_number_or_a_line_strikes_nothing(drawn):
    assert read_page(show() + drawn) == read_page(show())


def test_a_ring_as_an_annotation_strikes_nothing():
    circle = line_annotation(**{"/Subtype": "/Circle", "/Rect": [66, 672, 92, 694]})
    assert read_page(show(), [circle]) == read_page(show())


def test_a_curve_along_a_line_strikes_it():
    wave = "1 0 0 RG 110 683 m 200 686 300 680 386 684 c S\n"
    text, marks, _ = read_page(show() + wave)
    assert (text, marks) == ("", {"deleted"})


@pytest.mark.parametrize("sentences", [1, 3])
def test_print_that_is_put_away_without_proof_makes_a_reading_partial(sentences):
    paper = rules(Paper(), 1, ["General", "Licences", "Entries"])
    rules(paper.page(), 2, ["Cars", "Tyres", "Seats"])
    for line in range(sentences):
        paper.canvas.saveState()
        paper.canvas.translate(500 - 14 * line, 300)
        paper.canvas.rotate(90)
        paper.canvas.drawString(0, 0, "A driver must not leave the pit lane.")
        paper.canvas.restoreState()
    book = read(rules(paper.page(), 3, ["Races", "Start", "Finish"]))
    [warning] = [w for w in book.report.warnings if w.code == "partly_read"]
    assert "page 2" in warning.message
    [row] = [row for row in book.report.account.put_away if row.place == "turned"]
    assert (row.pages, row.unproved, row.letters) == ((2,), row.letters, row.letters)
