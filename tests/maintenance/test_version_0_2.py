"""What people made with version 0.2 is still theirs: see tests/data/README.md.

What was read from the PDFs for limits and obligations may be read in another way by now, so no row
of a register is expected here; what a person wrote beside it is.
"""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from core.chats.conversations import Conversations
from core.chats.quota import Quota
from core.chats.tokens import Tokens
from core.evaluation.runner import EvaluationStore
from core.library import Editions
from core.library.storage.library import Library
from core.registers.checklist import ChecklistStore
from core.registers.document_sentences import SENTENCES
from core.registers.obligations import read_obligations
from core.sheets.derived_kinds import complete_library
from core.sheets.sheet_storage import SheetStore
from tests.commands import run_command, run_json
from tests.made_once import make_once
from tests.maintenance.test_earlier_versions import sha256

pytestmark = pytest.mark.slow

MADE = Path(__file__).parents[1] / "data" / "version_0.2"
EXPECTED = json.loads((MADE / "expected.json").read_text("utf-8"))
RUNS = EXPECTED["runs"]
OTHER_PERSON = "0" * 64
BY_DEFAULT = {"SCRUTINEER_SEARCH_MODE": "hybrid"}
"""Searches by words and by meaning, so that vectors are looked for too."""


def open_folder(folder):
    """Unpack the data folder and read again what the program now reads in another way.

    That is asked for and told: `documents` refuses, and `check` names what it read again.
    """
    with zipfile.ZipFile(MADE / "data_folder.zip") as archive:
        archive.extractall(folder)
    refused = run_command(folder, "documents").exit_code == 1
    _, findings = run_json(folder, "check", "--json", **BY_DEFAULT)
    assert all(finding["mended"] for finding in findings)
    assert refused == any("again" in finding["message"] for finding in findings)


def take_back(folder):
    """Restore the backup, and check it as after every restore."""
    assert run_command(folder, "restore", MADE / "backup.zip").exit_code == 0
    run_command(folder, "check", **BY_DEFAULT)


@pytest.fixture(scope="module", params=["opened", pytest.param("restored", marks=pytest.mark.slow)])
def folder(request, tmp_path_factory):
    """The data folder as it is now: the one that was there, and the one of its backup."""
    make = open_folder if request.param == "opened" else take_back
    made = make_once(tmp_path_factory, f"version_0.2_{request.param}", make)
    return shutil.copytree(made, tmp_path_factory.mktemp("version_0.2") / "data")


@pytest.fixture
def chats(folder):
    return Conversations(f"sqlite:///{folder / 'conversations.db'}")


@pytest.fixture
def library(folder):
    return Library(folder)


def numbered_clauses(library, document_id):
    """Return the clauses of a document, without the words of its cover."""
    return [one for one in library.clauses(document_id) if one.article != "Preamble"]


def test_the_documents_are_the_same_with_what_a_person_corrected(folder):
    status, documents = run_json(folder, "documents", "--json")
    assert status == 0
    names = ("document_id", "file", "label", "title", "family", "season", "issue", "date", "pages")
    for now, before in zip(documents, EXPECTED["documents"], strict=True):
        assert {name: now[name] for name in names} == {name: before[name] for name in names}
        assert now["sources"] == before["sources"]
        assert now["corrections"] == before["corrections"]
    [lantern] = [one for one in documents if one["family"] == "lantern-regatta-sporting"]
    assert (lantern["issue"], lantern["date"]) == (2, "2025-04-01")
    assert lantern["sources"]["issue"] == "given"
    assert [one["words"] for one in lantern["corrections"]] == ["Bring your own lantern oil."]


def test_the_clauses_are_the_same(library):
    for document_id, clauses in EXPECTED["clauses"].items():
        found = [[c.article, c.title, c.text] for c in numbered_clauses(library, document_id)]
        assert found == clauses
    for document_id, expected in EXPECTED["clauses_sha256"].items():
        clauses = numbered_clauses(library, document_id)
        assert sha256("".join(f"{c.article}\t{c.text}\n" for c in clauses)) == expected


def test_rules_are_found_by_words_and_by_meaning(folder):
    for mode in ("lexical", "dense", "hybrid"):
        question = "search", "voltage of a lantern", "--json"
        status, found = run_json(folder, *question, SCRUTINEER_SEARCH_MODE=mode)
        assert status == 0
        assert found[0]["article"] == "2.2"


def test_check_finds_nothing_to_mend(folder):
    done = run_command(folder, "check", "--json", **BY_DEFAULT)
    assert (done.exit_code, done.stdout) == (0, "")


def test_the_scopes_that_one_click_chooses_are_the_same(library):
    assert ["newest", *Editions(library.documents()).seasons, "day", "ticks"] == EXPECTED["presets"]


def test_chats_are_listed_by_their_titles_and_the_pinned_one_is_first(chats):
    listed = chats.list_conversations()
    assert sorted(chat.title for chat in listed) == sorted(EXPECTED["chats"])
    assert (listed[0].title, listed[0].pinned) == ("What is the minimum mass of a boat?", True)
    assert "Burning time" in {chat.title for chat in listed}, "a person renamed it"


def test_runs_are_shown_as_they_ended(chats):
    for before in (run for story, run in RUNS.items() if story != "cut_off"):
        run = chats.find_run(before["run_id"])
        ended = run.events[-1]
        assert (run.question, run.outcome) == (before["question"], before["outcome"])
        assert (ended.outcome, ended.answer) == (before["outcome"], before["answer"])
        assert (ended.message, ended.decided_by) == (before["message"], before["decided_by"])
        assert [row.verdict for row in ended.requirements] == before["verdicts"]
        assert len(run.events) == before["events"]
        assert (run.thumb, run.reason) == (before["thumb"], before["reason"])
        scope = run.events[0].scope
        assert {"why": scope.why, "documents": list(scope.documents)} == before["scope"]
        quotes = [[one.article, one.quote, one.page, one.document_id] for one in ended.citations]
        assert quotes == before["quotes"]


def test_every_way_in_which_a_run_can_end_is_among_them():
    known = "answered found declined not_found limit_reached clarification_needed cancelled failed"
    assert {run["outcome"] for run in RUNS.values()} == {*known.split(), None}


def test_every_quote_stands_in_the_rule_that_it_is_from(chats, library):
    quotes = [one for run in RUNS.values() for one in run["quotes"]]
    assert len(quotes) > 10
    for article, quote, page, document_id in quotes:
        places = [one for one in library.clauses(document_id) if one.article == article]
        assert any(quote in c.text and c.page_first <= page <= c.page_last for c in places), quote


def test_a_run_that_the_program_did_not_finish_is_told_as_cut_off(chats):
    run = chats.find_run(RUNS["cut_off"]["run_id"])
    assert run.outcome == "cancelled"
    assert "The program ended before this run was finished" in run.events[-1].message
    assert len(run.events) == RUNS["cut_off"]["events"] + 1


def test_a_link_a_token_and_another_persons_chat_are_kept(chats, folder):
    shared = chats.read_shared_chat(EXPECTED["shared"])
    assert [run.question for run in shared.runs] == [
        RUNS["answered"]["question"],
        RUNS["follow_up"]["question"],
    ]
    tokens = Tokens(f"sqlite:///{folder / 'conversations.db'}").list_tokens()
    assert [token.name for token in tokens] == EXPECTED["tokens"]
    theirs = chats.for_person(OTHER_PERSON, Quota()).list_conversations()
    assert [chat.title for chat in theirs] == EXPECTED["other_persons_chats"]


def test_saved_sheets_keep_their_values_and_who_looked_at_them(folder):
    sheets = [
        {
            "name": sheet.name,
            "parameters": [[r.id, r.parameter, r.value, r.unit] for r in sheet.rows],
            "documents": list(sheet.documents),
            "cleared": {key: list(value) for key, value in sheet.cleared.items()},
        }
        for sheet in SheetStore(folder).load_sheets()
    ]
    assert sheets == EXPECTED["sheets"]


def test_the_rules_that_a_person_picked_are_picked_in_both_seasons(folder, library):
    for document_id, picked in EXPECTED["picked_rules"].items():
        assert SheetStore(folder).choices_for(library, library.document(document_id)) == picked


def test_a_saved_sheet_can_be_checked_again(folder, tmp_path):
    [car] = [one for one in EXPECTED["sheets"] if one["name"] == "Car 7"]
    rows = (",".join(row) + "\n" for row in car["parameters"])
    (tmp_path / "car.csv").write_text("id,parameter,value,unit\n" + "".join(rows), "utf-8")
    command = "sheet", tmp_path / "car.csv", "--document", car["documents"][0], "--json"
    _, checked = run_json(folder, *command)
    assert [row["id"] for row in checked] == [row[0] for row in car["parameters"]]


def test_the_checklist_has_what_was_noted_in_this_issue_and_the_next(folder, library):
    fields = ("owner", "status", "evidence")
    for document_id, noted in EXPECTED["checklist"].items():
        document = library.document(document_id)
        duties = read_obligations(library.clauses(document_id)).obligations
        entries = ChecklistStore(folder).entries_for(library, document, duties)
        found = {
            (duty.article, entry.owner, entry.status, entry.evidence)
            for duty, entry in entries.items()
        }
        assert found == {(one["article"], *(one[name] or "" for name in fields)) for one in noted}


def test_the_sentences_of_its_documents_are_parsed_and_kept(library):
    complete_library(library)
    for document in library.documents():
        kept = SENTENCES.load(library, document)
        clauses = library.clauses(document.document_id)
        assert list(kept.passages) == [clause.clause_id for clause in clauses]


def test_an_evaluation_is_listed(folder):
    kept = EvaluationStore(folder / EvaluationStore.FOLDER).load_all()
    assert [[result.question for result in one.results] for one in kept] == EXPECTED["evaluations"]


def test_a_run_that_waits_is_ended_by_a_person(folder, tmp_path):
    own = shutil.copytree(folder, tmp_path / "data")
    waiting = RUNS["limit_reached"]
    _, events = run_json(own, "resume", waiting["run_id"], "--conclude", "--json")
    ended = events[-1]
    assert (ended["outcome"], ended["decided_by"]) == ("answered", "person")
    assert ended["answer"] == waiting["answer"]
