"""Planted faults and right drafts (`drafts.toml`), judged over HTTP by a judge who gives 9 to all.

None of the faults may be accepted, but for those that only their meaning tells (`doubted`), on
which the judge has to be asked; none of the right drafts is refused. The rules of the samples
themselves are such drafts too: right as they stand, wrong with another number or duty.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from core.grammar.sentences import split_sentences
from core.library.storage.library import Library
from core.library.types import Hit
from core.verification.evidence import Evidence, cite as cite_source
from tests.agent.drafted_replies import run_drafted
from tests.made_once import SAMPLES, SHELF, read_once
from tests.verification.drafts import verify

DRAFTS = tomllib.loads(Path(__file__).with_name("drafts.toml").read_text(encoding="utf-8"))
BOOKS = {
    "2023 Meridian Cup Technical": "meridian_2023_technical_issue2.pdf",
    "2024 Meridian Cup Sporting": "meridian_2024_sporting_issue1.pdf",
    "2024 Meridian Cup Technical": "meridian_2024_technical_issue1.pdf",
    "Formula SAE": "fsae_rules_2024_v1.0_2023-09-01.pdf",
    "2023 Formula 1 Financial": "fia_f1_2023_financial_iss16_2023-08-31.pdf",
    "2024 Formula One Sporting": "fia_f1_2024_sporting_iss06_2024-04-30.pdf",
    "2024 Formula 1 Technical": "fia_f1_2024_technical_iss07_2024-07-31.pdf",
    "2026 Formula 1: Sporting": "fia_f1_2026_secB_sporting_iss07_2026-06-25.pdf",
    "2025 International Sporting Code": "fia_isc_2025_fr-en_2025-01-27.pdf",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def open_book(tmp_path_factory):
    """Open the library that has one of the books."""

    @cache
    def open_it(book):
        return Library(read_once(tmp_path_factory, find_file(book)))

    return open_it


def find_file(book):
    return (SAMPLES if BOOKS[book].startswith("meridian") else SHELF) / BOOKS[book]


def cases(name):
    for number, case in enumerate(DRAFTS[name], start=1):
        label = case.get("kind") or case["style"]
        missing = not find_file(case["book"]).exists()
        mark = pytest.mark.skipif(missing, reason="the rulebooks of ../shared are not here")
        yield pytest.param(case, id=f"{number} {label}", marks=mark)


def run(library, case):
    [document] = library.documents()
    return run_drafted(library, case["question"], case["look"], case["draft"], document)


@pytest.mark.parametrize("case", list(cases("fault")))
def test_a_planted_fault_is_not_accepted(open_book, case):
    events = run(open_book(case["book"]), case)
    *_, verified, ended = (e for e in events if e.type in ("Verified", "Ended"))
    if case.get("doubted"):
        assert any(check.is_doubt for check in verified.checks), "the judge is asked"
        return
    assert ended.outcome in ("limit_reached", "not_found")
    assert ended.unsettled, "the person is told what failed"


@pytest.mark.parametrize("case", list(cases("right")))
def test_a_right_draft_is_not_refused(open_book, case):
    events = run(open_book(case["book"]), case)
    checks = [check for e in events if e.type == "Verified" for check in e.checks]
    assert not [check for check in checks if not check.passed and not check.is_doubt]
    assert events[-1].outcome == case.get("outcome", "answered")


def failed_checks(source, piece, said):
    """What is wrong with a sentence that cites one sentence of a clause."""
    evidence, citation = Evidence([source]), cite_source(source, piece)
    checks = verify(f"{said} [{source.marker}]", [citation], evidence, "What is the rule?")
    return [check.message for check in checks if not check.passed]


def sentences(libraries):
    for library in libraries:
        [document] = library.documents()
        for clause in library.clauses(document.document_id):
            if clause.status == "in_force":
                [source] = Evidence().add_hits([Hit(clause, 1.0, "words")], {})
                pieces = split_sentences(clause.text)
                yield from ((source, p) for p in pieces if len(p.split()) > 4 and p[0] != "|")


def test_every_rule_of_the_samples_passes_as_it_stands_and_fails_when_it_is_changed(open_book):
    changes = {
        "number": (r"\b(\d+) (km/h|mm|kg|V|bar|minutes|days)\b", r"9\1 \2"),
        "duty": (r"^([^\d:]*)\bmust (?!not)([^\d:]*)$", r"\1may \2"),
        "negation": (r"^([^\d:]*)\b(must|may) not\b([^\d:]*)$", r"\1\2\3"),
    }
    missed, told = {name: [] for name in changes}, dict.fromkeys(changes, 0)
    samples = [open_book(book) for book in BOOKS if "Meridian" in book]
    for source, piece in sentences(samples):
        assert not failed_checks(source, piece, piece)
        for name, (pattern, change) in changes.items():
            wrong = re.sub(pattern, change, piece, count=1)
            if wrong != piece:
                told[name] += 1
                missed[name] += [] if failed_checks(source, piece, wrong) else [wrong]
    assert min(told.values()) > 15
    for name, found in missed.items():
        assert len(found) <= 0.1 * told[name], found
