"""Planted drafts, 60 wrong and 60 right, over HTTP with a judge who gives 9 to all of them.

Half of them are on `boat_rules.jsonl`, the others on rulebooks of ../shared. The wrong ones are
four of each of the 15 kinds of fault that are most frequent. `planted_drafts.jsonl` was written
before the first change to a check: a draft is replaced only with the reason told.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.library.ingestion.ingest import add_bytes, add_file
from core.library.storage.derived import complete_derived_values
from core.library.storage.library import Library
from core.registers.document_sentences import SENTENCES
from tests.agent.drafted_replies import contradict, run_drafted

FOLDER = Path(__file__).parent
RULEBOOKS = Path(__file__).parents[3] / "shared" / "rulebooks_wide"
BOOKS = {
    "boat": "boat_rules.jsonl",
    "constitution": "fr_constitution.pdf",
    "fide": "fide_laws_of_chess.pdf",
    "fsa": "FSA-Competition-Handbook-2025-version-1.1.0.pdf",
    "fsf": "FSF25CompetitionHandbookv1-00.pdf",
    "lions": "lions_bylaws.pdf",
    "ordnung": "de_ordnung.pdf",
}
LINES = (FOLDER / "planted_drafts.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
MISSES = {
    ("own", "wrong"): 14,
    ("own", "right"): 0,
    ("others", "wrong"): 16,
    ("others", "right"): 0,
}
"""How many wrong drafts are accepted and right ones refused, by whose rules. Only lowered since
doubts are the judge's to decide: before, 38 of the wrong ones passed and 13 right ones did not."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("planted"), "lexical")
    own = (FOLDER / BOOKS["boat"]).read_bytes()
    assert [one.status for one in add_bytes(library, own, BOOKS["boat"])] == ["added"]
    for file in BOOKS.values():
        if (RULEBOOKS / file).exists():
            assert [one.status for one in add_file(library, RULEBOOKS / file)] == ["added"]
    complete_derived_values(library, [SENTENCES])
    return library


def failures(events):
    """What the checks found wrong in a run's drafts."""
    checks = (check for one in events if one.type == "Verified" for check in one.checks)
    return dict.fromkeys(check.message for check in checks if not check.passed)


def missed(library, label, is_own):
    """The drafts of a label that end in the other way: wrong and accepted, right and refused."""
    documents = {one.file: one for one in library.documents()}
    for case in CASES:
        if case["label"] == label and (case["document"] == "boat") == is_own:
            document = documents[BOOKS[case["document"]]]
            events = run_drafted(library, case["question"], case["look"], case["draft"], document)
            assert events[-1].outcome != "failed", case
            if (events[-1].outcome == "answered") == (label == "wrong"):
                why = "; ".join(failures(events)) or events[-1].message
                yield f"{case['kind']}: {case['draft']}" + (f" -- {why}" if why else "")


def test_there_are_four_wrong_drafts_of_each_kind_and_as_many_right_ones():
    kinds = Counter(case["kind"] for case in CASES if case["label"] == "wrong")
    assert (len(kinds), set(kinds.values())) == (15, {4})
    assert Counter(case["label"] for case in CASES) == {"wrong": 60, "right": 60}
    flagship = [case for case in CASES if case["kind"] == "the flagship question"]
    assert len({case["question"] for case in flagship}) == 6


@pytest.mark.parametrize(("whose", "label"), list(MISSES))
def test_no_more_drafts_are_judged_wrongly_than_before(library, whose, label):
    if whose == "others" and len(library.documents()) < len(BOOKS):
        pytest.skip("the rulebooks of ../shared are not here")
    found = list(missed(library, label, whose == "own"))
    print(f"{whose}, {label}: {len(found)}", *found, sep="\n")
    assert len(found) <= MISSES[whose, label], "\n".join(found)


def test_no_wrong_draft_passes_a_judge_who_knows_it(library):
    """Each is refused for what the judge says, not for a want of marks."""
    [boat] = [one for one in library.documents() if one.file == BOOKS["boat"]]
    for case in CASES:
        if case["label"] == "wrong" and case["document"] == "boat":
            asked = case["question"], case["look"], case["draft"], boat
            events = run_drafted(library, *asked, rule=contradict)
            assert events[-1].outcome != "answered", case
            scored = [one for one in events if one.type == "Scored"]
            assert all(one.ruling == "contradicted" for one in scored[-1].statements), case
