"""What a rulebook prints that is no rule, and long articles that are parted as they are printed."""

import pytest

from core.library import article, search
from core.library.ingestion.ingest import add_bytes, correct_lines
from core.library.integrity import check_library
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import Hit
from core.rulebook import LineCorrection
from core.verification.draft_checks import quote_matches
from core.verification.evidence import Evidence, cite
from tests.commands import run_json
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import Paper

TEXT = "The rule itself is written in these words, which are enough to fill a whole line."
MORE = "It goes on in the same words as before so that a line is filled, and the next one too,"
LONG = 62  # lines: more than a page, too long for one clause
NUMBERS = [f"{article}.{rule}" for article in range(1, 5) for rule in range(4)]


def rules(paper, numbers=NUMBERS):
    for number in numbers:
        if paper.y < 110:
            paper.page()
        name = number.removesuffix(".0")
        paper.line(f"{name}  A heading of its own", left=72, bold=True, gap=10)
        paper.line(TEXT, left=72, gap=4)
    return paper


def fill(paper, lines=LONG):
    for _ in range(lines):
        if paper.y < 110:
            paper.page()
        paper.line(MORE, left=72)
    return paper


def read(paper):
    return read_here(paper.pdf(), "Cup Rules 2024.pdf")


def add(tmp_path, paper):
    library = Library(tmp_path / "data")
    [added] = add_bytes(library, paper.pdf(), "Cup Rules 2024.pdf")
    assert added.document is not None, added.message
    return library, added.document


def handbook():
    """A cover, contents, a record of changes, and rules."""
    paper = Paper().line("Cup Rules 2024", bold=True).page()
    for at, number in enumerate(NUMBERS):
        name = number.removesuffix(".0")
        paper.line(f"{name}  A heading of its own {'.' * 30} {at + 3}", left=72)
    paper.page().line("CHANGELOG", bold=True)
    for number in ("1.2", "2.1", "3.3"):
        paper.line(f"{number}  Reworded for clarity since the spring.", left=72, gap=4)
    fill(rules(paper.page()), 40)
    return paper


def kinds(book):
    return [text.kind for text in book.other_texts]


def test_cover_contents_and_changelog_have_a_kind_and_are_no_clauses():
    book = read(handbook())
    assert sorted(kinds(book)) == ["changelog", "contents", "cover"]
    assert {text.article for text in book.other_texts} == {""}
    assert {text.status for text in book.other_texts} == {"no_rule"}
    words = " ".join(clause.text for clause in book.clauses)
    assert "Reworded" not in words
    assert "......" not in words
    assert "Preamble" not in {clause.article for clause in book.clauses}
    assert book.report.counts["clauses"] == len(book.clauses)
    assert book.report.counts["letters_changelog"] > 80


def test_rules_that_only_the_record_of_changes_names_are_no_rules():
    paper = Paper().line("Cup Rules 2024", bold=True).page().line("CHANGELOG", bold=True)
    held = [f"A {number}" for number in NUMBERS[1::2]], [f"T {number}" for number in NUMBERS[1::2]]
    for number in (*held[0], "DV 1.4", "DV 2.2", "DV 2.3", *held[1]):
        paper.line(f"{number} 1.0 Reworded for clarity.", left=72, gap=4)
    rules(paper.page(), [f"A {number}" for number in NUMBERS])
    rules(paper, [f"T {number}" for number in NUMBERS])
    book = read(paper)
    assert kinds(book).count("changelog") == 1
    assert not any("Reworded" in clause.text or "DV" in clause.article for clause in book.clauses)


def test_a_kind_is_stored_and_exported_but_no_search_finds_it(tmp_path):
    library, document = add(tmp_path, handbook())
    assert document.clauses == len(library.clauses(document.document_id))
    assert len(library.other_texts(document.document_id)) == 3
    scope = resolve_scope(library.documents())
    hits = search(
        library, "reworded for clarity", scope, statuses=("in_force", "deleted", "future")
    )
    assert not any("Reworded" in hit.clause.text for hit in hits)
    assert article(library, "", scope).clause is None
    assert not list(check_library(library))
    _, rows = run_json(library.folder, "export", document.document_id, "--json")
    [record] = [row for row in rows if row["kind"] == "changelog"]
    assert (record["article"], record["title"]) == ("", "CHANGELOG")
    assert "Reworded for clarity since the spring." in record["text"]


def test_changes_for_a_later_season_are_future_rules_and_no_changelog():
    paper = rules(Paper().line("Cup Rules 2024", bold=True))
    paper.page().line("APPENDIX 1  CHANGES FOR 2025", left=72, bold=True, gap=10)
    rules(paper, ["1.2", "2.1", "3.3"])
    book = read(paper)
    assert not book.other_texts
    assert [c.article for c in book.clauses if c.status == "future"][1:] == ["1.2", "2.1", "3.3"]


def test_an_act_that_amends_others_is_no_changelog():
    paper = rules(Paper()).page().line("PART 2  AMENDMENT OF OTHER RULES", left=72, bold=True)
    for number in ("1.2", "2.1", "3.3"):
        paper.line(f"{number}  Is repealed, and this is substituted.", left=90, gap=4)
    assert not read(paper).other_texts


def test_rules_about_changes_are_rules():
    paper = rules(Paper())
    paper.page().line("5  CHANGES AND REVISIONS", left=72, bold=True, gap=10)
    for rule in range(1, 5):
        paper.line(f"5.{rule}  The committee may change a rule in the spring.", left=72, gap=8)
    book = read(paper)
    assert not book.other_texts
    assert [c.article for c in book.clauses][-4:] == ["5.1", "5.2", "5.3", "5.4"]


def test_each_term_of_a_long_list_of_definitions_is_found_and_cited_by_itself(tmp_path):
    paper = rules(Paper()).page().line("5  DEFINITIONS", left=72, bold=True, gap=10)
    paper.line("These terms are used in these rules:", left=72)
    for term in ("Paddock", "Marshal", "Pit lane", "Parade lap", "Scrutineer", "Yellow flag"):
        fill(paper.line(f"{term}: The place or person of that name where", left=72, gap=12), 10)
    library, document = add(tmp_path, paper)
    scope = resolve_scope(library.documents())
    whole = article(library, "5", scope)
    assert whole.clause.text == "These terms are used in these rules:"
    assert whole.children[:2] == ("5 “Paddock”", "5 “Marshal”")
    [term] = [c for c in library.clauses(document.document_id) if c.part == "Marshal"]
    assert article(library, "Article 5 “Marshal”", scope).clause == term
    assert term.text.startswith("Marshal: The place or person")
    assert term.defines == ("Marshal",)
    citation = cite(Evidence().add_hits([Hit(term, 1.0, "exact")], {})[0], "The place or person")
    assert (citation.article, citation.part) == ("5", "“Marshal”")


def test_a_long_article_is_parted_at_its_unnumbered_headings():
    paper = rules(Paper())
    for heading in ("Paddock and Garages", "Signals"):
        fill(paper.line(heading, left=72, bold=True, gap=14), 45)
    book = read(paper)
    parts = [clause for clause in book.clauses if clause.part]
    assert [part.article for part in parts] == ["4.3 “Paddock and Garages”", "4.3 “Signals”"]
    assert [part.title for part in parts] == ["Paddock and Garages", "Signals"]
    assert parts[0].breadcrumb[-1].startswith("4.3")


def test_a_long_article_is_parted_at_its_counted_items():
    paper = rules(Paper())
    for item in range(1, 5):
        fill(paper.line(f"({item}) The stewards decide on this point.", left=90, gap=8), 20)
    assert [c.article for c in read(paper).clauses][-4:] == ["4.3(1)", "4.3(2)", "4.3(3)", "4.3(4)"]


def test_a_larger_heading_ends_the_last_article():
    paper = rules(Paper())
    paper.page().at(72, 90, "Guidelines for Visitors", size=18)
    paper.y -= 40
    book = read(fill(paper))
    last = book.clauses[-1]
    assert (last.article, last.breadcrumb) == ("Guidelines for Visitors", ())
    assert book.clauses[-2].text == TEXT


def test_lists_below_unnumbered_headings_are_no_rules():
    paper = Paper()
    for heading in range(14):
        paper.line(f"Chapter of the Handbook about {'ABCDEFGHIJKLMN'[heading]}", bold=True, gap=20)
        fill(paper, 8)
        if heading in (3, 9):
            for number, name in enumerate(("Tilt test", "Noise test", "Brake test"), 1):
                paper.line(f"{number}. {name}", left=90)
        if heading % 2:
            paper.page()
    book = read(paper)
    assert not {"1", "2", "3"} & {clause.article for clause in book.clauses}
    assert "partly_read" in {warning.code for warning in book.report.warnings}


def test_a_footnote_hangs_on_the_clause_that_bears_its_mark_and_can_be_quoted():
    paper = rules(Paper(), ["1.0", "1.1", "1.2"])
    paper.line("1.3  The tyres come from the supplier", left=72, gap=8)
    end = 72 + paper.canvas.stringWidth("1.3  The tyres come from the supplier", "Helvetica", 11)
    paper.at(end, 841.9 - paper.y - 4, "1", size=6)
    rules(paper, ["1.4", "2.0", "2.1"])
    paper.at(72, 760, "1", size=6).at(76, 764, "As named by the series in the spring.", size=8)
    book = read(rules(paper.page(), ["2.2", "2.3", "3.0", "3.1"]))
    [clause] = [clause for clause in book.clauses if clause.footnotes]
    assert clause.article == "1.3"
    assert "As named" not in clause.text
    [note] = [text for text in book.other_texts if text.kind == "footnote"]
    assert "As named by the series in the spring." in note.text
    evidence = Evidence()
    [source] = evidence.add_hits([Hit(clause, 1.0, "exact")], {})
    assert quote_matches(cite(source, "As named by the series in the spring."), evidence)


def mark(paper, text):
    """Draw a line whose last word bears the mark of a footnote."""
    paper.line(text, left=72, gap=8)
    end = 72 + paper.canvas.stringWidth(text, "Helvetica", 11)
    paper.at(end, 841.9 - paper.y - 4, "1", size=6)


def test_a_footnote_goes_on_at_the_foot_of_the_next_page():
    paper = rules(Paper(), ["1.0", "1.1", "1.2"])
    mark(paper, "1.3  The tyres come from the supplier")
    rules(paper, ["1.4", "2.0", "2.1"])
    paper.at(72, 760, "1", size=6).at(
        76, 764, "As named by the series in the spring, and in", size=8
    )
    rules(paper.page(), ["2.2", "2.3", "3.0", "3.1"])
    paper.at(72, 764, "the autumn if a supplier has left.", size=8)
    book = read(rules(paper.page(), ["3.2", "3.3"]))
    [clause] = [clause for clause in book.clauses if clause.footnotes]
    [note] = clause.footnotes
    assert note.endswith("in the spring, and in the autumn if a supplier has left.")
    assert not any("autumn" in clause.text for clause in book.clauses)


def test_notes_behind_the_last_rule_are_no_part_of_it():
    paper = rules(Paper(), ["1.0", "1.1", "1.2"])
    mark(paper, "1.3  The tyres come from the supplier")
    rules(paper, ["1.4", "2.0", "2.1"])
    rules(paper.page(), ["2.2", "2.3"])
    paper.at(72, 500, "1", size=6).at(76, 504, "As named by the series in the spring.", size=8)
    book = read(paper)
    [clause] = [clause for clause in book.clauses if clause.footnotes]
    assert clause.article == "1.3"
    assert book.clauses[-1].text == TEXT


def test_a_rule_on_changes_whose_line_begins_with_a_citation_stays_a_rule():
    paper = rules(Paper(), NUMBERS[:8])
    paper.line("Driver Changes", bold=True, gap=12)
    paper.line(
        "A change of drivers is allowed in the pit lane, where the limits of Article", left=72
    )
    paper.line("1.2 apply to all who help, and Version 3 of the form is used.", left=72)
    rules(paper, NUMBERS[8:])
    book = read(paper)
    assert "changelog" not in kinds(book)
    assert any("A change of drivers is allowed" in clause.text for clause in book.clauses)


def test_a_table_of_penalties_in_a_rule_is_no_record_of_changes():
    paper = rules(Paper(), NUMBERS[:10])
    paper.line("3.4  Tyre changes", left=72, bold=True, gap=10)
    for number, penalty in (("1.1", "10 seconds"), ("1.2", "20 seconds"), ("2.3", "30 seconds")):
        paper.line(f"{number}   {penalty}", left=90)
    rules(paper, NUMBERS[12:])
    assert "changelog" not in kinds(read(paper))


def test_a_foreword_with_duties_is_no_cover():
    paper = Paper().line("Cup Rules 2024", bold=True)
    for _ in range(5):
        paper.line("Each team must keep to the spirit of these rules. It answers for its guests.")
    fill(rules(paper.page()), 40)
    book = read(paper)
    assert "cover" not in kinds(book)
    assert "spirit of these rules" in book.clauses[0].text


@pytest.mark.slow
def test_furniture_stays_out_of_pages_that_are_laid_out_again(tmp_path):
    library, document = add(tmp_path, stamped())
    said = LineCorrection("furniture", 1, "Uncontrolled when printed")
    corrected = correct_lines(library, document.document_id, [said])
    texts = [clause.text for clause in library.clauses(corrected.document_id)]
    assert not any("Uncontrolled" in text for text in texts)


def stamped():
    """Pages with a stamp in their middle, a table at their end and a footer with a rule."""
    paper = Paper()
    for page in range(1, 6):
        if page > 1:
            paper.page()
        fill(paper, page)
        rules(paper, [f"{page}.{rule}" for rule in range(1, 4)])
        paper.y = 300
        paper.line("Uncontrolled when printed", left=72)
        fill(paper, 3)
    return paper
