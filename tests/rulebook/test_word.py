"""Word files are read into the clauses that Word shows, with all changes accepted."""

from hashlib import sha256

from core.rulebook.isolation.messages import WordJob
from core.rulebook.isolation.word_process import build_from_word
from tests.rulebook.word_builder import (
    CHANGE,
    deleted,
    heading_styles,
    inserted,
    level,
    lists,
    paragraph,
    run,
    table,
    word_file,
)

LEGAL = [level(0, "%1"), level(1, "%1.%2"), level(2, "%1.%2.%3")]


def read(data: bytes, name: str = "rules.docx"):
    return build_from_word(WordJob(data, sha256(data).hexdigest(), name))


def rules(body: str, numbering: str = "", **parts) -> list[tuple[str, str, str]]:
    """Article, title and text in force of each rule of a Word file."""
    data = word_file(body, styles=heading_styles(), numbering=numbering or lists(LEGAL), **parts)
    return [(c.article, c.title, c.text) for c in read(data).clauses if c.status == "in_force"]


def test_numbers_of_headings_are_those_that_word_makes():
    body = (
        paragraph("Scope", style="Heading1")
        + paragraph("Cars", style="Heading2")
        + paragraph("The car must have four wheels.")
        + paragraph("Engine", style="Heading1")
        + paragraph("Fuel", style="Heading2")
        + paragraph("No fuel may be added.")
    )
    assert rules(body) == [
        ("1", "Scope", ""),
        ("1.1", "Cars", "The car must have four wheels."),
        ("2", "Engine", ""),
        ("2.1", "Fuel", "No fuel may be added."),
    ]


def test_deleted_rules_keep_their_old_number_and_the_next_one_has_it_now():
    gone = f"<w:del {CHANGE}/>"
    body = (
        paragraph("Scope", style="Heading1")
        + paragraph(deleted("Old"), style="Heading2", mark=gone)
        + paragraph(deleted("Old text."), mark=gone)
        + paragraph("New", style="Heading2")
        + paragraph(run("The width must be ") + deleted("180") + inserted("200") + run(" mm."))
        + table(["Load", "Limit"], ["Front", "2 kN"])
    )
    book = read(word_file(body, styles=heading_styles(), numbering=lists(LEGAL)))
    _, old, new = book.clauses
    assert (old.article, old.status, old.deleted) == ("1.1", "deleted", ("1.1 Old Old text.",))
    assert (new.article, new.status, new.page_first) == ("1.1", "in_force", None)
    assert new.text.startswith("The width must be 200 mm.\n| Load | Limit |")
    assert (new.deleted, new.inserted) == (("180",), ("200",))
    assert new.marks[0].change.by == "Jane Doe"
