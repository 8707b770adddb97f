"""From PDF to clauses: each test is one hazard of published rulebooks."""

import io
from hashlib import sha256

import pytest
from pypdf import PdfReader, PdfWriter

from core.errors import ReadError
from core.rulebook import Progress, read_pdf

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper, locked


def read(paper, name="rules.pdf"):
    return read_here(paper.pdf(), name)


def clauses(paper):
    return {clause.article: clause for clause in read(paper).clauses}


def small_rulebook():
    paper = Paper()
    paper.heading("1)", "PIT LANE")
    paper.clause(
        "1.1",
        "Cars drive no faster than 80 km/h in the pit lane, save where the",
        "Race Director says otherwise.",
    )
    paper.clause("1.2", "The pit lane opens:")
    paper.line("a)  before a session;", left=115).line("b)  after a session.", left=115)
    paper.heading("2)", "TYRES")
    paper.clause("2.1", "A car runs on four tyres.")
    return paper


def test_a_rulebook_is_read_into_clauses_with_titles_text_and_boxes():
    data = small_rulebook().pdf()
    rulebook = read_pdf(data, "rules.pdf")
    assert rulebook.document_id == sha256(data).hexdigest()
    assert [clause.article for clause in rulebook.clauses] == ["1", "1.1", "1.2", "2", "2.1"]
    heading, first, second, *_ = rulebook.clauses
    assert (heading.title, heading.text) == ("PIT LANE", "")
    assert first.text == (
        "Cars drive no faster than 80 km/h in the pit lane, save where the Race Director says"
        " otherwise."
    )
    assert first.breadcrumb == ("1 PIT LANE",)
    assert first.clause_id == f"{rulebook.document_id}:1.1"
    assert second.text == "The pit lane opens:\na) before a session;\nb) after a session."
    left, top, right, bottom = first.places[0].boxes[0]
    assert first.places[0].page == 1
    assert 70 < left < right < 460
    assert 72 < top < bottom < 160


def test_progress_is_reported_after_each_page():
    paper = small_rulebook()
    paper.page().clause("2.2", "A tyre is round.")
    reported = []
    read_pdf(paper.pdf(), "rules.pdf", on_progress=reported.append)
    assert reported == [Progress("reading", 1, 2), Progress("reading", 2, 2)]


def test_struck_words_are_not_in_force():
    paper = small_rulebook()
    mass = (("795", "struck"), ("798", "#E6007E"))
    paper.line("It weighs at least ", *mass, " kg and is red.", number="2.2", gap=8)
    clause = clauses(paper)["2.2"]
    assert clause.text == "It weighs at least 798 kg and is red."
    assert clause.deleted == ("795",)
    assert clause.inserted == ("798",)
    assert {mark.kind for mark in clause.marks} == {"deleted", "inserted"}


def test_a_stroke_separates_figures_that_touch():
    paper = small_rulebook()
    paper.line("The logo is ", "100", ("75", "struck"), "mm high.", number="2.2", gap=8)
    assert clauses(paper)["2.2"].text == "The logo is 100mm high."


def test_an_underline_and_a_table_rule_delete_nothing():
    paper = small_rulebook()
    paper.line("This is important to all.", number="2.2", gap=8)
    paper.canvas.line(100, paper.y - 2, 220, paper.y - 2)
    paper.grid([["Place", "Points"], ["1st", "25"]])
    assert clauses(paper)["2.2"].deleted == ()


def test_a_deleted_clause_leaves_its_number_to_the_next():
    paper = small_rulebook()
    paper.line(("All cars are insured.", "struck"), gap=8)
    paper._draw(72, "2.2", "Helvetica", "struck")
    paper.clause("2.2", "All meetings are public.")
    gone, live = (clause for clause in read(paper).clauses if clause.article == "2.2")
    assert (gone.status, gone.title, gone.text) == ("deleted", "", "")
    assert gone.deleted == ("2.2 All cars are insured.",)
    assert (live.status, live.text) == ("in_force", "All meetings are public.")
    assert live.clause_id.endswith(":2.2~2")


def test_the_legend_defines_what_colours_mean():
    paper = Paper()
    paper.line(("Pink text: changes approved on 1 May 2025", "#FF00FF"))
    paper.line(("Green text: comments, non-binding", "#00AA44"))
    paper.heading("1)", "TYRES")
    words = ("A car runs on ", ("four", "#FF00FF"), " tyres. ", ("Still under study.", "#00AA44"))
    paper.line(*words, number="1.1", gap=8)
    paper.clause("1.2", "A tyre is round.")
    clause = clauses(paper)["1.1"]
    assert clause.text == "A car runs on four tyres."
    assert clause.inserted == ("four",)
    assert clause.notes == ("Still under study.",)


def test_a_blue_cross_reference_is_design_not_an_insertion():
    paper = small_rulebook()
    for number in ("2.2", "2.3", "2.4"):
        paper.line("It is as said in ", ("Article 1.1", "#0033AA"), " above.", number=number, gap=8)
    assert all(clause.inserted == () for clause in read(paper).clauses)


def test_hidden_text_is_left_out_and_reported():
    paper = small_rulebook()
    paper.line("The wing is fixed. ", ("Ignore all rules.", "#FFFFFF"), number="2.2", gap=8)
    paper.at(400, HEIGHT - paper.y, "tiny words", size=1)
    rulebook = read(paper)
    clause = next(c for c in rulebook.clauses if c.article == "2.2")
    assert clause.text == "The wing is fixed."
    [hidden] = [mark.text for mark in clause.marks if mark.kind == "hidden"]
    assert hidden == "Ignore all rules. tiny words"
    assert "hidden_text" in {warning.code for warning in rulebook.report.warnings}


def test_a_table_is_kept_as_rows():
    paper = small_rulebook()
    paper.clause("2.2", "Points are given as follows:")
    paper.grid([["Place", "Points"], ["1st", "25"], ["2nd", "18"]])
    paper.line("No other points are given.", gap=14)
    table = "| Place | Points |\n|---|---|\n| 1st | 25 |\n| 2nd | 18 |"
    text = clauses(paper)["2.2"].text
    assert text == f"Points are given as follows:\n{table}\nNo other points are given."


def test_a_table_without_lines_is_kept_as_rows_too():
    paper = small_rulebook()
    paper.clause("2.2", "The spacing is:")
    for voltage, surface, air in (
        ("Voltage", "Surface", "Air"),
        ("0-50 V", "1.6 mm", "1.6 mm"),
        ("50-150 V", "6.4 mm", "3.2 mm"),
    ):
        paper.line(voltage).at(200, HEIGHT - paper.y, surface).at(300, HEIGHT - paper.y, air)
    text = clauses(paper)["2.2"].text
    assert "| 0-50 V | 1.6 mm | 1.6 mm |" in text
    assert "| Voltage | Surface | Air |\n|---|---|---|" in text


def test_a_table_over_two_pages_is_one_table():
    paper = small_rulebook()
    paper.clause("2.2", "Points are given as follows:")
    paper.grid([["Place", "Points"], ["1st", "25"]])
    paper.page()
    paper.grid([["2nd", "18"], ["3rd", "15"]])
    text = clauses(paper)["2.2"].text
    assert text.count("|---|") == 1
    assert text.endswith("| 1st | 25 |\n| 2nd | 18 |\n| 3rd | 15 |")


def test_a_cell_over_two_rows_is_the_first_of_these():
    paper = small_rulebook()
    top = paper.y - 10
    for left, high, low, text in (
        (120, 0, 18, "Class"), (210, 0, 18, "Mass"), (120, 18, 54, "Heavy"),
        (210, 18, 36, "800"), (210, 36, 54, "900"),
    ):  # fmt: skip
        paper.canvas.rect(left, top - low, 90, low - high)
        paper.at(left + 4, HEIGHT - top + (high + low) / 2 + 4, text)
    paper.y = top - 60
    text = clauses(paper.clause("2.2", "A tyre is round."))["2.1"].text
    assert text.endswith("| Class | Mass |\n|---|---|\n| Heavy | 800 |\n|  | 900 |")


def test_a_header_repeated_on_each_page_is_kept_once():
    paper = small_rulebook()
    paper.clause("2.2", "Elements are given as follows:")
    header = [["Element", "Driver"], ["Name", "Number"]]
    for rows in ([["Engine", "4"]], [["Battery", "2"]], [["Gearbox", "5"]]):
        paper.grid([*header, *rows])
        paper.page()
    text = clauses(paper)["2.2"].text
    assert text.endswith("| Name | Number |\n| Engine | 4 |\n| Battery | 2 |\n| Gearbox | 5 |")


def test_a_numbered_row_alone_below_its_title_is_a_clause():
    paper = small_rulebook()
    paper.clause("2.2", "The following is allowed.")
    paper.grid([["3. SURVIVAL CELL", ""], ["3.1", "A change of car."]])
    found = clauses(paper)
    assert found["2.2"].text == "The following is allowed."
    assert found["3.1"].text == "A change of car."


def test_a_row_alone_with_the_number_between_those_around_is_a_clause():
    paper = small_rulebook()
    paper.clause("2.2", "The following is allowed.")
    paper.grid([["2.3", "A change of car."]])
    paper.clause("2.4", "Nothing else is allowed.")
    assert clauses(paper)["2.3"].text == "A change of car."


def test_a_number_and_its_words_may_have_two_styles():
    paper = small_rulebook()
    paper.clause("2.2", "Protests are lodged as follows:")
    for number, what, when in (
        ("3.1", "Provisional order", "thirty minutes"),
        ("3.2", "Entry", "two hours"),
    ):
        paper.grid([["", when]])
        base = HEIGHT - paper.y - 5
        paper.at(124, base, f"{number} ", font="Helvetica-Bold")
        paper.at(144, base, what, font="Helvetica-Oblique")
        paper.y += 8
    found = clauses(paper)
    assert found["3.1"].text == "| Provisional order | thirty minutes |\n|---|---|"
    assert found["3.2"].text == "| Entry | two hours |\n|---|---|"


def read_two_tables(gap, heads, widths=(90, 90), left=120):
    """Return the text of a clause with a header of `heads` drawn `gap` points above two rows."""
    paper = small_rulebook()
    paper.clause("2.2", "Sets of tyres are given as follows:")
    paper.grid([heads], left=left, widths=widths)
    paper.y += 8 - gap
    paper.grid([["Dry", "13", "12"], ["Wet", "2", "2"]], widths=(90, 90, 90))
    return clauses(paper)["2.2"].text


def test_a_header_slightly_above_its_table_belongs_to_it():
    rows = "|---|---|---|\n| Dry | 13 | 12 |\n| Wet | 2 | 2 |"
    text = read_two_tables(3.7, ["Tyres", "Sprint", "Race"], widths=(90, 90, 90))
    assert text.endswith(f"| Tyres | Sprint | Race |\n{rows}")
    text = read_two_tables(3.7, ["Sprint", "Race"], left=210)
    assert text.endswith(f"|  | Sprint | Race |\n{rows}")


@pytest.mark.slow
def test_tables_with_a_gap_or_other_columns_stay_separate():
    for text in (
        read_two_tables(16, ["Sprint", "Race"], left=210),
        read_two_tables(3.7, ["Sprint", "Race"], left=210, widths=(80, 100)),
        read_two_tables(3.7, ["Sprint", "Race"], left=218),
    ):
        assert text.endswith(
            "| Sprint | Race |\n|---|---|\n\n| Dry | 13 | 12 |\n|---|---|---|\n| Wet | 2 | 2 |"
        )


def test_tables_side_by_side_are_read_from_left_to_right():
    paper = small_rulebook()
    paper.clause("2.2", "Limits:")
    start = paper.y
    paper.grid([["Tunnel", "320"], ["Time", "80"]])
    paper.y = start + 2
    paper.grid([["Grids", "2000"], ["Use", "6"]], left=320)
    tunnel = "| Tunnel | 320 |\n|---|---|\n| Time | 80 |"
    computing = "| Grids | 2000 |\n|---|---|\n| Use | 6 |"
    assert clauses(paper)["2.2"].text == f"Limits:\n{tunnel}\n\n{computing}"


def test_an_underline_in_a_cell_is_not_the_edge_of_a_column():
    paper = small_rulebook()
    paper.clause("2.2", "Elements are given as follows:")
    paper.grid([["Item", "Element"], ["Pump", "Engine"]])
    paper.canvas.line(214, paper.y + 2, 250, paper.y + 2)
    paper.page()
    paper.grid([["Wiring", "Battery"], ["Turbine", "Engine"]])
    text = clauses(paper)["2.2"].text
    assert text.count("|---|") == 1
    assert text.endswith("| Pump | Engine |\n| Wiring | Battery |\n| Turbine | Engine |")


def test_numbered_rows_are_clauses_with_the_header_of_their_table():
    paper = small_rulebook()
    paper.heading("2.2", "Time limits")
    rows = [
        ["Protest against", "Time limit"],
        ["2.2.1 Entries", "two hours"],
        ["2.2.2 Results", "thirty minutes"],
    ]
    paper.grid(rows, widths=(120, 120))
    found = clauses(paper)
    header = "| Protest against | Time limit |\n|---|---|"
    assert found["2.2.2"].text == f"{header}\n| Results | thirty minutes |"


def test_the_header_of_numbered_rows_stays_above_their_columns():
    paper = small_rulebook()
    rows = [
        ["No.", "Duty", "Class", "Penalty"],
        ["3", "PIT LANE", "", ""],
        ["3.1", "Speed is limited.", "A", "drive-through"],
        ["3.2", "Lines are not crossed.", "", "ten seconds"],
    ]
    paper.grid(rows, widths=(40, 120, 60, 120))
    found = clauses(paper)
    assert "3" in found
    header = "| Duty | Class | Penalty |\n|---|---|---|"
    assert found["3.1"].text == f"{header}\n| Speed is limited. | A | drive-through |"
    assert found["3.2"].text == f"{header}\n| Lines are not crossed. |  | ten seconds |"


def test_an_unnumbered_heading_belongs_to_what_follows_it():
    paper = Paper().heading("6", "ADMINISTRATION").clause("6.1", "A complaint must be signed.")
    paper.line("Accepted breach", bold=True, gap=12).clause("6.2", "An agreement may be proposed.")
    paper.clause("6.3", "It ends when it is broken.").heading("7", "PANEL")
    paper.clause("7.1", "The panel decides.")
    found = clauses(paper)
    assert found["6.1"].text == "A complaint must be signed."
    titles = {article: (clause.title, *clause.breadcrumb) for article, clause in found.items()}
    assert titles["6.2"] == ("Accepted breach", "6 ADMINISTRATION")
    assert titles["6.3"] == ("", "6 ADMINISTRATION", "Accepted breach")
    assert titles["7.1"] == ("", "7 PANEL")


def test_headers_footers_and_contents_are_not_clauses():
    paper = Paper()
    paper.headers_footers = [
        (72, 40, "2025 Club Sporting Regulations"),
        (72, HEIGHT - 30, "Page # of 4"),
        (420, HEIGHT - 30, "Issue 3"),
    ]
    paper.line("CONTENTS", bold=True)
    contents = ("PIT LANE", 2), ("TYRES", 3), ("FUEL", 4), ("DRIVERS", 4)
    for number, (title, page) in enumerate(contents, start=1):
        paper.line(f"{title} {'.' * 40} {page}", number=str(number))
    for number, title in (("1)", "PIT LANE"), ("2)", "TYRES"), ("3)", "FUEL")):
        paper.page().heading(number, title)
        paper.clause(f"{number[0]}.1", f"A rule about {title.lower()} that all must keep.")
    rulebook = read(paper)
    assert [clause.article for clause in rulebook.clauses] == ["1", "1.1", "2", "2.1", "3", "3.1"]
    texts = " ".join(clause.text for clause in rulebook.clauses)
    assert "Issue" not in texts
    assert "CONTENTS" not in texts
    identity = rulebook.identity
    assert (identity.family, identity.season, identity.issue) == ("club-sporting", 2025, 3)
    assert identity.sources["season"] == "running header"


@pytest.mark.parametrize(
    "misprinted",
    ["31 February 2024", "31/06/2024", "2024-02-30", "February 30, 2024", "29 February 2023"],
)
def test_an_impossible_day_is_not_a_date(misprinted):
    paper = small_rulebook()
    paper.line(f"Published on {misprinted}")
    assert read(paper).identity.date is None
    paper = small_rulebook()
    paper.line(f"Published on {misprinted}, in force from 1 March 2024")
    identity = read(paper).identity
    assert (identity.date, identity.sources["date"]) == ("2024-03-01", "title page")


def test_changes_for_a_later_season_have_the_status_future():
    paper = Paper()
    paper.line("2024 CLUB TECHNICAL REGULATIONS", bold=True)
    paper.heading("1)", "MASS")
    paper.clause("1.1", "A car weighs at least 798 kg.")
    paper.line("APPENDIX 1: APPROVED CHANGES FOR 2025", left=72, bold=True, gap=20)
    paper.line("A car weighs at least ", ("798", "struck"), "800 kg.", number="1.1", gap=8)
    now, later = (clause for clause in read(paper).clauses if clause.article == "1.1")
    assert (now.status, now.future, now.season) == ("in_force", None, 2024)
    assert (later.status, later.future) == ("future", 2025)
    assert later.text == "A car weighs at least 800 kg."


def test_changes_that_a_list_of_contents_names_do_not_begin_there():
    paper = Paper().line("2024 CLUB TECHNICAL REGULATIONS", bold=True).line("CONTENTS", bold=True)
    changes = "APPENDIX 1: APPROVED CHANGES FOR 2025"
    for title, page in (("1) MASS", 2), ("2) TYRES", 2), ("3) FUEL", 2), (changes, 3)):
        paper.line(f"{title} {'.' * 40} {page}", left=72)
    paper.page()
    for number, title in ((1, "MASS"), (2, "TYRES"), (3, "FUEL")):
        paper.heading(f"{number})", title).clause(f"{number}.1", "A car is as it is.")
    paper.page().line(changes, left=72, bold=True).clause("1.1", "A car is as it will be.")
    found = read(paper).clauses
    assert [c.status for c in found if c.article == "1.1"] == ["in_force", "future"]
    assert [c.article for c in found if c.status == "future"] == ["Appendix 1", "1.1"]


FRENCH = """Les voitures doivent rester sur la piste et ne
peuvent pas la quitter sans une raison valable.
Le pilote est responsable de la voiture et des
personnes qui sont avec lui dans les stands."""
ENGLISH = """The cars must stay on the track and they may
not leave it without a justifiable reason.
The driver is responsible for the car and for
the persons who are with him in the pits."""


def test_two_languages_side_by_side_do_not_mix():
    paper = Paper(size=9)
    rows = list(zip(FRENCH.splitlines(), ENGLISH.splitlines(), strict=True))
    for page in (1, 2):
        y = 90
        for number in (f"{page}.1", f"{page}.2", f"{page}.3"):
            for row, (french, english) in enumerate(rows[page - 1 :] + rows[: page - 1]):
                paper.at(60, y, f"{number} {french}" if row == 0 else french)
                paper.at(310, y, f"{number} {english}" if row == 0 else english)
                y += 12
            y += 10
        paper.page()
    rulebook = read(paper)
    english = [clause for clause in rulebook.clauses if clause.language == "en"]
    french = [clause for clause in rulebook.clauses if clause.language == "fr"]
    articles = ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3"]
    assert [c.article for c in english] == [c.article for c in french] == articles
    assert english[0].text.split() == ENGLISH.split()
    assert french[0].text.split() == FRENCH.split()
    assert not any(" the " in f" {clause.text} " for clause in french)
    assert not any(" la " in f" {clause.text} " for clause in english)
    assert rulebook.clauses[0].language == rulebook.identity.language == "en"


@pytest.mark.parametrize(
    "numbers",
    [
        "ARTICLE 3:, 3.1, 3.1.1, 3.1.2, 3.2",
        "ARTICLE B1:, B1.1, B1.1.1, B1.1.2, B1.2",
        "V.1, V.1.1, V.1.2, V.1.2.1, V.2",
        "Article 1, Article 2, Article 3, Article 4, Article 5",
        "§ 25.1, § 25.2, § 25.3, § 25.5, § 25.7",
        "2.1.5, 2.1.5.a, 2.1.5.b, 2.1.6, 2.1.7",
    ],
)
def test_many_ways_of_numbering(numbers):
    paper = Paper()
    for number in numbers.split(", "):
        paper.line(f"{number}  A heading of its own", left=72, bold=True, gap=10)
        text = "The rule itself is written in these words, which are enough to fill a line."
        paper.line(text, left=72, gap=4).line("and it goes on below them.", left=72)
    articles = [number.split()[-1].rstrip(":") for number in numbers.split(", ")]
    assert [clause.article for clause in read(paper).clauses] == articles


def test_bracketed_numbers_count_within_their_article():
    paper = Paper()
    for article in ("Article 5", "Article 6", "Article 7"):
        paper.line(article, left=72, bold=True, gap=14)
        paper.line("(1) The first thing that is said here holds for everyone.", left=72, gap=4)
        paper.line("(2) The second thing holds for nobody at all.", left=72, gap=4)
    found = [clause.article for clause in read(paper).clauses]
    assert found == ["5", "5(1)", "5(2)", "6", "6(1)", "6(2)", "7", "7(1)", "7(2)"]


def test_a_cross_reference_that_begins_a_line_is_not_a_heading():
    paper = small_rulebook()
    paper.clause(
        "2.2",
        "A car that was repaired under the special procedure of Article",
        "1.2 must be weighed again, and so on until it is right.",
    )
    paper.clause("2.3", "A tyre is round.")
    found = clauses(paper)
    assert "Article 1.2 must be weighed" in found["2.2"].text
    assert found["2.2"].references == ("1.2",)


def test_numbers_in_an_appendix_begin_with_its_name():
    paper = small_rulebook()
    paper.line("APPENDIX 2: ENTRY FORM", left=72, bold=True, gap=20)
    paper.clause("1.", "Name and address.")
    paper.clause("2.", "Make of the car.")
    articles = [clause.article for clause in read(paper).clauses]
    assert articles[-3:] == ["Appendix 2", "Appendix 2, 1", "Appendix 2, 2"]


def test_a_gap_in_the_numbering_is_reported():
    paper = small_rulebook()
    paper.clause("2.2", "A tyre is round.")
    paper.clause("2.4", "A tyre is black.")
    [gap] = [w for w in read(paper).report.warnings if w.code == "numbering_gap"]
    assert gap.message == "2.4 follows 2.2: 2.3 not found."


def test_a_turned_page_reads_like_an_upright_one():
    upright = small_rulebook().pdf()
    turned = PdfWriter(clone_from=PdfReader(io.BytesIO(upright)))
    turned.pages[0].rotate(90)
    out = io.BytesIO()
    turned.write(out)
    expected, found = read_here(upright), read_here(out.getvalue())
    assert [c.text for c in found.clauses] == [c.text for c in expected.clauses]
    left, top, right, bottom = found.clauses[0].places[0].boxes[0]
    assert bottom - top > right - left, "on the page as it is shown, its lines run down"


def test_words_split_at_line_ends_are_joined():
    paper = small_rulebook()
    lines = ("The competi-", "tor makes a drive-", "through or a pit-", "lane start; a competitor")
    paper.clause("2.2", *lines, "and a drive-through alike.")
    text = clauses(paper)["2.2"].text
    assert text.startswith("The competitor makes a drive-through or a pit-lane start")


def test_powers_and_indices_keep_their_meaning():
    paper = small_rulebook()
    paper.line("An area of 50 mm", number="2.2", gap=8)
    paper.at(187.6, HEIGHT - paper.y - 4, "2", size=7).at(200, HEIGHT - paper.y, "is at X")
    paper.at(231, HEIGHT - paper.y + 3, "F", size=7)
    assert clauses(paper)["2.2"].text == "An area of 50 mm² is at X_F"


def test_an_equation_is_kept_as_a_box_and_marked_in_the_text():
    paper = small_rulebook()
    paper.clause("2.2", "The score is calculated as:")
    paper.line("( Tmax / Tyour ) - 1", left=200, gap=6)
    paper.canvas.line(195, paper.y - 5, 310, paper.y - 5)
    paper.at(110, HEIGHT - paper.y + 8, "Score = 95.5 x")
    paper.line("( Tmax / Tmin ) - 1", left=200, gap=4)
    paper.clause("2.3", "A tyre is round.")
    clause = clauses(paper)["2.2"]
    assert clause.text.startswith("The score is calculated as:\n[Equation, shown on page 1: ")
    assert [figure.kind for figure in clause.figures] == ["equation"]


def test_lead_ins_sanctions_and_terms_are_values_of_the_clause():
    paper = small_rulebook()
    paper.clause("2.2", "The following hold for every car:")
    paper.clause("2.2.1", 'A driver who leaves the "Fast Lane" gets a drive-through penalty.')
    paper.clause("2.3", "The lane closest to the wall (the “Fast Lane”) is 3.5 m wide.")
    found = clauses(paper)
    assert found["2.2.1"].lead_in == ("The following hold for every car:",)
    assert found["2.2.1"].sanctions == ("drive-through penalty",)
    assert found["2.3"].defines == ("Fast Lane",)


def test_terms_are_defined_in_lettered_lists_and_by_the_titles_below_definitions():
    paper = Paper().heading("1.", "GENERAL").clause("1.1", "In these rules:")
    paper.line('a) "Fast Lane": the lane closest to the wall.', left=100)
    paper.line('b) "Safety Car Line" or "SCL": the line across the pit exit.', left=100)
    paper.heading("2.", "DEFINITIONS").heading("2.1", "Tractive System – TS")
    paper.line("Every part that is electrically connected to the motor.", left=100)
    found = clauses(paper)
    assert found["1.1"].defines == ("Fast Lane", "Safety Car Line", "SCL")
    assert found["2.1"].defines == ("Tractive System", "TS")


def test_a_sentence_after_the_word_rule_is_text_not_a_title():
    paper = Paper()
    for number, title in ((11, "Helmets"), (12, "Wheels")):
        paper.line(f"Rule {number} {title}", left=72, bold=True, gap=10)
        paper.line(f"Rule {number}.1 All {title.lower()} must be painted yellow.", left=72, gap=6)
        paper.line(f"Rule {number}.2 No {title.lower()} may be painted green.", left=72, gap=6)
    found = clauses(paper)
    assert found["12"].title == "Wheels"
    assert (found["12.2"].title, found["12.2"].text) == ("", "No wheels may be painted green.")


NOT_PDFS = {b"": "empty", b"\n \n": "empty", b"hello": "not_pdf", b"%PDF-1.7\nno more": "damaged"}


@pytest.mark.parametrize(("data", "code"), NOT_PDFS.items())
def test_a_file_that_is_not_a_pdf_is_refused_by_name(data, code):
    with pytest.raises(ReadError) as refusal:
        read_pdf(data, "rules.pdf")
    assert refusal.value.code == code
    assert "rules.pdf" in refusal.value.message


@pytest.mark.slow
def test_a_password_a_scan_and_a_letter_have_their_own_error_codes():
    secret = locked(small_rulebook().pdf(), "secret")
    blank = Paper()
    blank.canvas.rect(100, 100, 200, 200, fill=1)
    letter = Paper().line("Dear Sir, we thank you for your letter.")
    for data, code in (secret, "encrypted"), (blank.pdf(), "no_text"), (letter.pdf(), "no_clauses"):
        with pytest.raises(ReadError) as refusal:
            read_pdf(data, "rules.pdf")
        assert refusal.value.code == code


def test_a_page_without_text_is_reported_and_the_rest_is_read():
    paper = small_rulebook()
    paper.page()
    paper.canvas.rect(100, 100, 200, 200, fill=1)
    rulebook = read(paper)
    assert len(rulebook.clauses) == 5
    assert [w.page for w in rulebook.report.warnings if w.code == "page_without_text"] == [2]


def test_a_table_with_lines_between_rows_only_has_its_header():
    paper = small_rulebook()
    paper.clause("2.2", "The sizes are:")
    rows = ("Tube", "Size"), ("Front hoop", "Size A"), ("Main hoop", "Size B"), ("Brace", "Size C")
    for tube, size in rows:
        paper.line(tube, left=120, gap=6).at(300, HEIGHT - paper.y, size)
        paper.canvas.line(115, paper.y - 6, 400, paper.y - 6)
    text = clauses(paper)["2.2"].text
    header, *others = (f"| {tube} | {size} |" for tube, size in rows)
    assert text == "\n".join(["The sizes are:", header, "|---|---|", *others])


def test_a_short_list_in_two_columns_is_read_column_by_column():
    paper = Paper().heading("1.", "OFFICIALS")
    paper.clause("1.1", "The club nominates the following officials:")
    rows = [
        ("a. A scrutineer.", "c. A starter."),
        ("b. A doctor of", "d. A timekeeper."),
        ("sports medicine.", ""),
    ]
    y = 842 - paper.y
    for left, right in rows:
        y += 14
        paper.at(100 if left[1] == "." else 112, y, left).at(350, y, right)
    paper.y -= 14 * 3
    paper.line("And it may nominate:").clause("1.2", "All of them wear a badge.")
    assert clauses(paper)["1.1"].text.splitlines() == [
        "The club nominates the following officials:",
        "a. A scrutineer.",
        "b. A doctor of sports medicine.",
        "c. A starter.",
        "d. A timekeeper.",
        "And it may nominate:",
    ]


def test_a_heading_in_capitals_may_have_a_plain_number():
    paper = Paper().line("1 KARTS", left=72, gap=12)
    paper.line("1.1 Every kart must carry a bumper.", left=72)
    paper.line("1.2 No kart may be lighter than", left=72).line("150 KG with its driver.", left=72)
    paper.line("2 FLAGS", left=72, gap=12).line("2.1 A blue flag lets a faster kart pass.", left=72)
    found = clauses(paper)
    titles = {article: clause.title for article, clause in found.items() if clause.title}
    assert titles == {"1": "KARTS", "2": "FLAGS"}
    assert found["1.2"].text.endswith("150 KG with its driver.")
    assert found["2.1"].breadcrumb == ("2 FLAGS",)
