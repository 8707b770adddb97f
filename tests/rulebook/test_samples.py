"""The samples are read back to the letter: their sources say what is in force in each issue, clause by clause."""

import hashlib
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.rulebook import read_pdf
from core.rulebook.structure.numbering import canonical_number
from core.rulebook.types import READING_VERSION

SAMPLES = Path(__file__).parents[2] / "data" / "samples"


def _build():
    spec = importlib.util.spec_from_file_location("build", SAMPLES / "build.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["build"] = module
    spec.loader.exec_module(module)
    return module


pytest.importorskip("reportlab", reason="reportlab, which builds the samples, is not installed")
build = _build()


READ = (3, "c643764a9798c54f")
"""The version of the reading, and a digest of what is read of the samples with it."""


def test_another_reading_has_another_version():
    """Where this fails because more is read, or otherwise: raise READING in core/rulebook/types.py, so that libraries
    read their documents again, and set both here."""
    read = hashlib.sha256()
    for file in sorted(SAMPLES.glob("*.pdf")):
        for clause in read_pdf(file.read_bytes(), file.name).clauses:
            marks = [(mark.kind, mark.text, mark.page) for mark in clause.marks]
            told = replace(clause, marks=(), places=(), figures=())
            read.update(repr((told, marks)).encode())
    assert (READING_VERSION, read.hexdigest()[:16]) == READ


def squeezed(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def in_force(issue) -> dict[str, str]:
    """Letters and digits in force of every clause of an issue, by number, as its source tells them."""
    source = (SAMPLES / "sources" / f"{issue.subject.lower()}.txt").read_text(encoding="utf-8")
    told: dict[str, str] = {}
    number = ""
    for line in build.read_lines(source):
        label = build.plain(build.runs_of(line.label, line.edits, issue.step))
        text = build.plain(build.runs_of(line.text, line.edits, issue.step))
        if line.kind in ("article", "heading", "clause"):
            number = canonical_number(label.rstrip(":)"))
            label = ""
        if number and line.kind != "widths" and text:
            told[number] = told.get(number, "") + squeezed(f"{label} {text}")
    return told


@pytest.fixture(scope="module", params=build.ISSUES, ids=lambda issue: issue.file_name)
def issue_and_rulebook(request):
    return request.param, read_pdf(
        (SAMPLES / request.param.file_name).read_bytes(), request.param.file_name
    )


def test_every_clause_says_what_is_in_force_and_nothing_else(issue_and_rulebook):
    issue, rulebook = issue_and_rulebook
    told = in_force(issue)
    read: dict[str, str] = {}
    for clause in rulebook.clauses:
        if clause.status == "in_force":
            number = canonical_number(clause.article)
            read[number] = read.get(number, "") + squeezed(f"{clause.title} {clause.text}")
    wrong = {
        number: (told.get(number), read.get(number))
        for number in told.keys() | read.keys()
        if told.get(number) != read.get(number) and not number.startswith(("APPENDIX", "PREAMBLE"))
    }
    assert not wrong


def test_what_an_issue_is_stands_on_its_first_page(issue_and_rulebook):
    issue, rulebook = issue_and_rulebook
    identity = rulebook.identity
    assert (identity.season, identity.issue) == (issue.season, issue.number)
    assert identity.family == f"meridian-{issue.subject.lower()}"
    assert identity.title == issue.title
