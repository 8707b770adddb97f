"""A text in two languages may be printed as a table: each language keeps its own numbers."""

import pytest

pytest.importorskip(
    "reportlab", reason="reportlab, which draws the PDFs of these tests, is not installed"
)
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, Paper

GERMAN = (
    "Das Reglement gilt für alle Veranstaltungen.",
    "Die Fahrzeuge entsprechen dem Reglement",
    "und die Fahrer tragen einen Helm.",
)
ENGLISH = (
    "The regulations apply to all of the events.",
    "The cars comply with the regulations",
    "and the drivers wear a helmet.",
)
WORDS = "Alpha Bravo Delta Echo Foxtrot Golf Hotel Kilo Lima".split()


def test_a_table_in_two_languages_is_read_language_by_language():
    paper = Paper(size=9)
    words = iter(WORDS)
    for chapter in (1, 2, 3):
        for number in (1, 2, 3):
            word = next(words)
            top, paper.y = paper.y, paper.y - 60
            for left, lines in ((60, GERMAN), (300, ENGLISH)):
                paper.canvas.rect(left, paper.y, 240, 60)
                for row, line in enumerate((f"{chapter}.{number} {word}.", *lines)):
                    paper.at(left + 4, HEIGHT - (top - 13 - 12 * row), line)
        paper.page()
    rulebook = read_here(paper.pdf())
    by_language = {"de": GERMAN, "en": ENGLISH}
    for language, lines in by_language.items():
        clauses = [clause for clause in rulebook.clauses if clause.language == language]
        assert [clause.article for clause in clauses] == [
            f"{chapter}.{number}" for chapter in (1, 2, 3) for number in (1, 2, 3)
        ]
        for clause, word in zip(clauses, WORDS, strict=True):
            said = f"{clause.title} {clause.text}"
            assert said.split() == f"{word}. {' '.join(lines)}".split()
