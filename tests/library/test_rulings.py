"""Rulings are tied to the articles they name, through the editions, and are never rules."""

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_once import SAMPLES, read_once
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from core.errors import LibraryError
from core.library import (
    ClauseHistory,
    Document,
    Library,
    RestrictedLibrary,
    Rulings,
    ScopeChoice,
    article,
    check_library,
    compare_documents,
    mentions,
    resolve_scope,
    search,
)
from core.library.ingestion.ingest import add_bytes
from core.quotes import RuleTexts, check_text
from core.rulebook import Clause

EDITIONS = [SAMPLES / f"meridian_{one}.pdf" for one in (
    "2023_sporting_issue1", "2023_sporting_issue2", "2024_sporting_issue1", "2024_technical_issue1",
)]  # fmt: skip
QUESTIONS = """number;date;question;answer;articles
Q1;2023-04-03;May a damaged tyre be replaced by a new one?;No, not even a worn one of velvet.;15.6
Q2;2023-08-01;Who measures the speed?;The timekeepers, see Articles 21.3 to 21.5.;
Q3;2024-02-01;Is there an article on kites?;Articles 21.3 and 99.9 do not name them.;21.3, 99.9
Q4;2024-02-02;Does the Code matter?;Article 21.3 of the International Sporting Code is another.;
Q5;;Undated?;The grid of Article 21.3 is meant.;
"""
STYLES = getSampleStyleSheet()


@pytest.fixture(scope="module")
def rulebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return read_once(tmp_path_factory, *EDITIONS)


@pytest.fixture
def library(rulebooks: Path, tmp_path: Path) -> Library:
    shutil.copytree(rulebooks, tmp_path / "library")
    return Library(tmp_path / "library")


def sporting(library: Library, season: int, issue: int) -> Document:
    [found] = [
        one
        for one in library.documents()
        if (one.family, one.season, one.issue) == ("meridian-sporting", season, issue)
    ]
    return found


def find(library: Library, document: Document, number: str) -> Clause:
    [found] = [c for c in library.clauses(document.document_id) if c.article == number]
    return found


def add(library: Library, data: bytes, name: str, *interprets: Document) -> Document:
    ids = [one.document_id for one in interprets]
    [result] = add_bytes(library, data, name, interprets=ids)
    assert result.document is not None, result.message
    return result.document


@pytest.fixture
def questions(library: Library) -> Document:
    return add(library, QUESTIONS.encode(), "questions.csv", sporting(library, 2024, 1))


def write_pdf(*parts: str | list[tuple[str, str]]) -> bytes:
    """Return a PDF of paragraphs, and of forms as lists of names and what is filled in."""
    body = STYLES["BodyText"]
    story = [
        Paragraph(part, body)
        if isinstance(part, str)
        else Table([[name, Paragraph(text, body)] for name, text in part], colWidths=[90, 360])
        for part in parts
    ]
    file = io.BytesIO()
    SimpleDocTemplate(file, invariant=True).build(story)
    return file.getvalue()


def links_of(library: Library, document: Document) -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield title, reference, state, and the articles with the issue that they are tied to."""
    for link in Rulings(library).list_links(document):
        places = [f"{one.season}/{one.issue} {one.article}" for one in link.clauses]
        yield link.ruling.title, link.reference, link.state, places


def test_each_article_is_looked_up_in_the_edition_of_the_rulings_day(
    library: Library, questions: Document
) -> None:
    assert [*links_of(library, questions)] == [
        ("Q1", "15.6", "found", ["2023/1 15.6"]),
        ("Q2", "21.3", "found", ["2023/2 21.3", "2023/2 21.4"]),
        ("Q2", "21.5", "found", ["2023/2 21.5"]),
        ("Q3", "21.3", "found", ["2024/1 21.3"]),
        ("Q3", "99.9", "missing", []),
        ("Q4", "21.3 of International Sporting Code", "elsewhere", []),
        ("Q5", "21.3", "found", ["2024/1 21.3"]),
    ]
    links = Rulings(library).list_links(questions)
    subjects = {(one.ruling.title, one.reference) for one in links if one.is_subject}
    assert subjects == {("Q1", "15.6"), ("Q3", "21.3"), ("Q3", "99.9")}


def test_a_ruling_follows_its_rule_to_a_new_number_and_warns_of_new_words(
    library: Library, questions: Document
) -> None:
    renumbered = find(library, sporting(library, 2024, 1), "15.5")
    [ruling] = Rulings(library).find_on(renumbered)
    assert (ruling.ruling.title, ruling.day, ruling.articles) == ("Q1", "2023-04-03", ("15.6",))
    assert ruling.has_changed  # "no more than one tyres"
    assert ruling.edition.label == "2023 Meridian Cup Sporting Regulations, Issue 1"
    _, unchanged, _ = ClauseHistory(library, renumbered).steps.values()
    in_issue_2 = library.clause(unchanged.clause_id)
    assert in_issue_2 is not None
    assert [one.has_changed for one in Rulings(library).find_on(in_issue_2)] == [False]
    speed = Rulings(library).find_on(find(library, sporting(library, 2024, 1), "21.3"))
    assert [(one.ruling.title, one.has_changed) for one in speed] == [
        ("Q3", False),
        ("Q2", True),
        ("Q5", None),  # nobody knows which words it is on
    ]


def test_a_decision_is_one_ruling_and_knows_what_it_is_about(library: Library) -> None:
    form = [
        ("Fact", "Car 7 was released into the path of car 12."),
        ("Infringement", "Article 21.6 of the Meridian Cup Sporting Regulations."),
        ("Decision", "A penalty under Article 38.3 b)."),
        ("Reason", "It was the first time. Article 4.9 of the Cup Code is not touched."),
    ]
    data = write_pdf("Decision of the Stewards", "Date: 4 September 2023", form)
    decision = add(library, data, "decision.pdf", sporting(library, 2024, 1))
    assert [*links_of(library, decision)] == [
        ("", "21.6 of Meridian Cup Sporting Regulations", "found", ["2023/2 21.6"]),
        ("", "38.3b)", "found", ["2023/2 38.3"]),
        ("", "4.9 of Cup Code", "elsewhere", []),
    ]
    [about, cited, _] = Rulings(library).list_links(decision)
    assert (about.is_subject, cited.is_subject) == (True, False)
    [shown] = Rulings(library).find_on(find(library, sporting(library, 2023, 2), "21.6"))
    assert (shown.day, shown.ruling.page_first) == ("2023-09-04", 1)
    assert "Reason It was the first time." in shown.ruling.text


def test_a_paper_of_questions_is_many_rulings(library: Library) -> None:
    data = write_pdf(
        "Questions on the rules, published 1 August 2023",
        "Question 1: Does Article 21.3 bind a car that is pushed?",
        "Answer: Yes.",
        "Question 2 – 2 September 2023",
        "Which penalties are there?",
        "Answer: Those of Articles 38.3 a), 38.3 b) and 38.5.",
    )
    paper = add(library, data, "paper.pdf", sporting(library, 2024, 1))
    texts = library.other_texts(paper.document_id)
    assert [(one.kind, one.title) for one in texts] == [
        ("cover", ""),
        ("ruling", "Question 1"),
        ("ruling", "Question 2"),
    ]
    assert [one.ruling.day for one in texts if one.ruling] == ["2023-08-01", "2023-09-02"]
    assert [place for *_, places in links_of(library, paper) for place in places] == [
        "2023/2 21.3",
        "2023/2 38.3",
        "2023/2 38.3",
        "2023/2 38.5",
    ]


def test_a_table_of_a_pdf_is_a_ruling_a_row(library: Library) -> None:
    cells = [
        ["No.", "Question", "Answer", "Rule"],
        ["7", "Is a pushed car bound?", "It is not, whoever pushes it.", "Art. 21.3"],
        ["8", "Which penalties?", "Those that are listed.", "38.3 b)"],
    ]
    body = STYLES["BodyText"]
    rows = [[Paragraph(cell, body) for cell in row] for row in cells]
    file = io.BytesIO()
    grid = [("GRID", (0, 0), (-1, -1), 0.5, "black")]
    story = [Paragraph("Answers", body), Table(rows, style=grid)]
    SimpleDocTemplate(file, invariant=True).build(story)
    paper = add(library, file.getvalue(), "table.pdf", sporting(library, 2024, 1))
    assert [*links_of(library, paper)] == [
        ("7", "21.3", "found", ["2024/1 21.3"]),
        ("8", "38.3b)", "found", ["2024/1 38.3"]),
    ]


def test_a_number_of_two_rulebooks_is_tied_to_neither(library: Library) -> None:
    technical = next(one for one in library.documents() if one.family == "meridian-technical")
    rows = (
        "answer,articles\n"
        "Both.,1.1\n"
        "One.,Article 1.1 of the Technical Regulations\n"
        "Another series.,Article 1.1 of the Formula 2 Sporting Regulations\n"
    )
    books = sporting(library, 2024, 1), technical
    paper = add(library, rows.encode(), "paper.csv", *books)
    assert [(state, len(places)) for _, _, state, places in links_of(library, paper)] == [
        ("ambiguous", 0),
        ("found", 1),
        ("elsewhere", 0),
    ]


def test_a_season_beside_a_number_says_which_edition_is_meant(library: Library) -> None:
    rows = (
        "date,answer\n"
        "2024-02-01,Article 21.3 of the 2023 regulations.\n"
        "2024-02-01,In the 2023 regulations Article 21.3 was meant.\n"
        "2024-02-01,See Article 21.3. 2023 regulations are no longer in force.\n"
        "2024-02-01,It was so in the 2023 regulations. Article 21.3 says it now.\n"
    )
    paper = add(library, rows.encode(), "seasons.csv", sporting(library, 2024, 1))
    assert [places for _, _, _, places in links_of(library, paper)] == [
        ["2023/2 21.3"],
        ["2023/2 21.3"],
        ["2024/1 21.3"],
        ["2024/1 21.3"],
    ]


def test_no_way_to_the_rules_finds_a_ruling(library: Library, questions: Document) -> None:
    word = "velvet"
    newest = sporting(library, 2024, 1)
    assert questions not in library.documents()
    assert questions in library.list_every_document()
    assert library.clauses(questions.document_id) == ()
    for choice in (ScopeChoice(), ScopeChoice(season=2023), ScopeChoice(on="2024-03-01")):
        scope = resolve_scope(library.documents(), choice)
        assert questions not in (*scope.documents, *scope.left_out)
    with pytest.raises(LibraryError):
        resolve_scope(library.documents(), ScopeChoice(document=questions.document_id))
    # Even where somebody puts it into a scope by hand.
    forced = resolve_scope((questions, newest), ScopeChoice(documents=(questions.document_id,)))
    assert forced.documents == (questions,)
    assert not search(library, word, forced)
    assert not mentions(library, word, forced)
    assert article(library, "ruling", forced).clause is None
    assert article(library, "15.6", forced).clause is None
    with pytest.raises(LibraryError, match="holds rulings, not rules"):
        library.rulebook(questions.document_id)
    pairs = compare_documents(library, newest.document_id, questions.document_id)
    assert all(pair.kind == "removed" for pair in pairs)
    assert library.list_editions(newest) == [
        one for one in library.list_editions(newest) if not one.interprets
    ]


def test_who_may_see_a_rulebook_sees_the_rulings_on_it(
    library: Library, questions: Document
) -> None:
    rule = find(library, sporting(library, 2024, 1), "21.3")
    seen = RestrictedLibrary(library, ScopeChoice(season=2024))
    titles = [one.ruling.title for one in Rulings(library).find_on(rule)]
    assert [one.ruling.title for one in Rulings(seen).find_on(rule)] == titles
    named = RestrictedLibrary(library, ScopeChoice(documents=(rule.document_id,)))
    assert Rulings(named).find_on(rule) == ()


def test_a_document_becomes_one_of_rulings_and_a_rulebook_again(library: Library) -> None:
    rulebook = sporting(library, 2023, 1)
    base = sporting(library, 2024, 1)
    count = len(library.clauses(rulebook.document_id))
    turned = Rulings(library).interpret(rulebook.document_id, [base.document_id])
    assert turned.interprets == (base.document_id,)
    assert library.clauses(rulebook.document_id) == ()
    assert rulebook not in library.documents()
    with pytest.raises(LibraryError, match="holds rulings"):
        library.unrelate(rulebook.document_id, base.document_id)
    with pytest.raises(LibraryError, match="holds rulings, not rules"):
        Rulings(library).interpret(base.document_id, [rulebook.document_id])
    assert Rulings(library).interpret(rulebook.document_id, []).interprets == ()
    assert len(library.clauses(rulebook.document_id)) == count


def test_rulings_survive_check_and_a_lost_index(library: Library, questions: Document) -> None:
    before = [*links_of(library, questions)]
    shutil.rmtree(library.folder / "index")
    fresh = Library(library.folder)
    assert [*check_library(fresh)]
    assert [*links_of(fresh, fresh.document(questions.document_id))] == before


def test_a_table_without_rulings_is_refused(library: Library) -> None:
    [result] = add_bytes(
        library, b"x,y\n1,2\n", "x.csv", interprets=[sporting(library, 2024, 1).document_id]
    )
    assert (result.status, result.code) == ("failed", "columns")


def test_a_quote_of_a_ruling_stands_in_no_rule(library: Library, questions: Document) -> None:
    text = "Article 15.5 says “No, not even a worn one of velvet.” to teams."
    [quote] = [one for one in check_text(RuleTexts(library), text) if one.kind == "quote"]
    assert (quote.finding, quote.article, quote.page) == ("ruling", "Q1", None)
    assert quote.difference == "stands in a ruling, which is no rule: Q1, questions, 2023-04-03"
    assert not quote.stands


def test_a_decision_that_is_added_as_a_rulebook_is_proposed_as_a_ruling(library: Library) -> None:
    form = [("Fact", "Car 7 spun."), ("Decision", "No penalty."), ("Reason", "It hit nobody.")]
    [result] = add_bytes(library, write_pdf("Decision of the Stewards", form), "decision.pdf")
    assert (result.status, result.code) == ("failed", "maybe_rulings")


def test_a_table_names_its_columns_as_its_makers_do(library: Library) -> None:
    rows = (
        "Clarifications of 2024;;;;\n"
        "Ref;Article no.;Asked question;Official answer;Date of answer;Issued by;Team\n"
        "C1;21.3 – 21.5;Who measures?;The timekeepers.;2.2.2024;The committee;34\n"
        "C2;;Where do we park?;Behind the pits.;3.2.2024;;\n"
    )
    table = add(library, rows.encode(), "table.csv", sporting(library, 2024, 1))
    assert [*links_of(library, table)] == [
        ("C1", "21.3", "found", ["2024/1 21.3", "2024/1 21.4"]),
        ("C1", "21.5", "found", ["2024/1 21.5"]),
    ]
    [first, second] = library.other_texts(table.document_id)
    assert first.ruling is not None
    assert (first.ruling.day, first.ruling.source) == ("2024-02-02", "The committee")
    assert first.text.endswith("Team: 34")
    assert second.title == "C2"


def test_a_column_that_another_one_stands_for_is_told_too(library: Library) -> None:
    rows = "Rule;Decision;Answer;Notes;notes\n21.3;A fine.;Yes.;Heard.;Filed.\n"
    table = add(library, rows.encode(), "table.csv", sporting(library, 2024, 1))
    [ruling] = library.other_texts(table.document_id)
    assert {"A fine.", "Yes.", "Heard.", "Filed."} <= {*ruling.text.replace(": ", "\n").split("\n")}


def test_decisions_of_one_file_are_told_apart_by_what_each_repeats(library: Library) -> None:
    decisions = [
        part
        for number, day, article in (("34", "4 May 2023", "21.3"), ("41", "5 August 2023", "21.4"))
        for part in (
            f"Document {number}",
            f"To the team manager, date {day}",
            [
                ("Fact", "Car 7 was fast."),
                ("Infringement", f"Breach of Article {article}."),
                ("Decision", "5 second time penalty."),
            ],
        )
    ]
    data = write_pdf("Decisions of the Stewards", *decisions)
    paper = add(library, data, "decisions.pdf", sporting(library, 2024, 1))
    assert [*links_of(library, paper)] == [
        ("Document 34", "21.3", "found", ["2023/1 21.3"]),
        ("Document 41", "21.4", "found", ["2023/2 21.4"]),
    ]


def test_a_heading_names_what_the_questions_below_it_are_on(library: Library) -> None:
    gap = "<br/><br/>"
    data = write_pdf(
        f"Questions of teams{gap}",
        f"Article 21 The pit lane{gap}",
        f"Q1 May it be painted?<br/>A1: Yes.{gap}",
        f"Organisation{gap}",
        f"Q2 Where do we park?<br/>A2: Behind the pits.{gap}",
    )
    paper = add(library, data, "paper.pdf", sporting(library, 2024, 1))
    assert [(title, number) for title, number, *_ in links_of(library, paper)] == [("Q 1", "21")]


def test_a_season_beside_a_number_says_which_rules_are_meant(library: Library) -> None:
    rows = (
        "question,answer\n"
        "Where is it now?,Article 21.3 of the 2023 rules is Article 15.5 of the 2024 rules.\n"
        'And before?,"In the 2019 rules, Article 15.5 was another."\n'
    )
    table = add(library, rows.encode(), "table.csv", sporting(library, 2024, 1))
    assert [told for _, *told in links_of(library, table)] == [
        ["21.3", "found", ["2023/2 21.3"]],
        ["15.5", "found", ["2024/1 15.5"]],
        ["15.5", "elsewhere", []],
    ]
