"""The samples are read to the letter: their sources list the text in force, clause by clause."""

import hashlib
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.grammar.numbering import canonical_number
from core.rulebook import read_pdf
from core.rulebook.types import READING_VERSION
from tests.rulebook.in_process import read_here
from tests.rulebook.sample_words import build_word_sample
from tests.rulebook.test_word import read as read_word_here

SAMPLES = Path(__file__).parents[2] / "data" / "samples"


def _build():
    spec = importlib.util.spec_from_file_location("build", SAMPLES / "build.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["build"] = module
    spec.loader.exec_module(module)
    return module


pytest.importorskip("reportlab", reason="reportlab, which builds the samples, is not installed")
build = _build()


READ = (23, "9523936b0d3c8a79")
"""The reading version, and a digest of the clauses that it reads from the samples."""


@pytest.mark.slow
def test_a_changed_reading_has_a_new_version():
    """If this fails because clauses are read differently: raise READING_VERSION and set READ.

    Libraries then read their documents again.
    """
    read = hashlib.sha256()
    for file in sorted(SAMPLES.glob("*.pdf")):
        book = read_pdf(file.read_bytes(), file.name)
        for clause in (*book.clauses, *book.other_texts):
            marks = [(mark.kind, mark.text, mark.page) for mark in clause.marks]
            words = replace(clause, marks=(), places=(), figures=())
            read.update(repr((words, marks)).encode())
    assert (READING_VERSION, read.hexdigest()[:16]) == READ


def alphanumeric_only(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def in_force(issue) -> dict[str, str]:
    """Letters and digits in force of each clause of an issue, by number, from its source."""
    source = (SAMPLES / "sources" / f"{issue.subject.lower()}.txt").read_text(encoding="utf-8")
    expected: dict[str, str] = {}
    number = ""
    for line in build.read_lines(source):
        label = build.plain(build.runs_of(line.label, line.edits, issue.step))
        text = build.plain(build.runs_of(line.text, line.edits, issue.step))
        if line.kind in ("article", "heading", "clause"):
            number = canonical_number(label.rstrip(":)"))
            label = ""
        if number and line.kind != "widths" and text:
            expected[number] = expected.get(number, "") + alphanumeric_only(f"{label} {text}")
    return expected


@pytest.fixture(scope="module", params=build.ISSUES, ids=lambda issue: issue.file_name)
def issue_and_rulebook(request):
    file = SAMPLES / request.param.file_name
    return request.param, read_here(file.read_bytes(), file.name)


def test_every_clause_has_the_text_in_force_and_nothing_else(issue_and_rulebook):
    issue, rulebook = issue_and_rulebook
    expected = in_force(issue)
    read: dict[str, str] = {}
    for clause in rulebook.clauses:
        if clause.status == "in_force":
            number = canonical_number(clause.article)
            read[number] = read.get(number, "") + alphanumeric_only(f"{clause.title} {clause.text}")
    wrong = {
        number: (expected.get(number), read.get(number))
        for number in expected.keys() | read.keys()
        if expected.get(number) != read.get(number)
        and not number.startswith(("APPENDIX", "PREAMBLE"))
    }
    assert not wrong


def test_the_identity_of_an_issue_is_read_from_its_first_page(issue_and_rulebook):
    issue, rulebook = issue_and_rulebook
    identity = rulebook.identity
    assert (identity.season, identity.issue) == (issue.season, issue.number)
    assert identity.family == f"meridian-{issue.subject.lower()}"
    assert identity.title == issue.title


def test_a_word_file_reads_as_the_pdf_beside_it(issue_and_rulebook):
    """Numbers, titles and texts letter by letter; print alone may part a text at struck words."""
    issue, printed = issue_and_rulebook
    source = (SAMPLES / "sources" / f"{issue.subject.lower()}.txt").read_text(encoding="utf-8")
    written = read_word_here(build_word_sample(build, issue, source), "rules.docx")

    def told(book):
        return [(c.article, c.title, " ".join(c.text.split()), c.status) for c in book.clauses]

    def struck(book):
        return ["".join("".join(c.deleted).split()) for c in book.clauses]

    assert told(written) == told(printed)
    assert struck(written) == struck(printed)
    assert {c.page_first for c in written.clauses} == {None}
    same = ("title", "family", "season", "issue", "date", "language")
    assert [getattr(written.identity, name) for name in same] == [
        getattr(printed.identity, name) for name in same
    ]


@pytest.mark.slow
def test_processes_of_their_own_read_what_one_process_reads():
    file = SAMPLES / build.ISSUES[0].file_name
    assert read_here(file.read_bytes(), file.name) == read_pdf(file.read_bytes(), file.name)
