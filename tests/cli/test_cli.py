"""The command line as scripts use it: JSON Lines, exit statuses, errors as JSON."""

import json
import subprocess
import sys

import pytest

from core.agent import events as ev
from core.cli.output import format_ingest_result
from core.shapes import IngestedFile
from tests.commands import SAMPLES, environment_of, run_command, run_json
from tests.rulebook.pdf_builder import Paper, handbook_without_numbers, locked

CLAUSE = (
    "clause_id document_id source_id article title breadcrumb text status deleted inserted marks"
    " season issue family future page_first page_last references"
).split()


def sporting(cup):
    """Return what is listed of the sporting rulebook of each season."""
    status, lines = run_json(cup, "documents", "--json")
    assert status == 0
    found = [line for line in lines if line["family"] == "meridian-sporting"]
    return sorted(found, key=lambda line: line["season"])


@pytest.mark.slow
def test_a_document_read_in_part_says_so_when_it_is_added_and_before_its_answers(tmp_path):
    (tmp_path / "cup.pdf").write_bytes(handbook_without_numbers().pdf())
    commands = ["ingest", "cup.pdf"], ["ask", "In which color are the gates painted?"]
    added, answer = (
        " ".join(run_command(tmp_path / "library", *command).stdout.split()) for command in commands
    )
    assert "This document was read in part" in added
    assert answer.startswith("Read in part, so rules may be missing: Cup Rules 2024")


def test_adding_an_older_issue_says_that_it_is_older(tmp_path):
    told = []
    for issue in (2, 1):
        row = {"document": f"Kart {issue}", "family": "kart", "season": 2024, "issue": issue}
        file = tmp_path / f"{issue}.jsonl"
        file.write_text(json.dumps(row | {"article": "1", "text": "Every kart has a bumper."}))
        told.append(" ".join(run_command(tmp_path, "ingest", file).stderr.split()))
    assert "older" not in told[0]
    assert "2024 Kart 1, Issue 1 is older than 2024 Kart 2, Issue 2" in told[1]


@pytest.mark.slow
def test_it_runs_as_a_program_of_its_own(cup):
    done = subprocess.run(
        [sys.executable, "-m", "core", "article", "21.3", "--season", "2024", "--json"],
        capture_output=True,
        text=True,
        env=environment_of(cup),
        check=True,
    )
    assert json.loads(done.stdout)["article"] == "21.3"
    assert not done.stderr


def test_documents_lists_the_metadata(cup):
    [_, newest] = sporting(cup)
    assert (newest["family"], newest["issue"], newest["date"], newest["pages"]) == (
        "meridian-sporting",
        1,
        "2023-12-12",
        19,
    )


def test_the_same_file_again_is_unchanged(cup):
    status, [line] = run_json(
        cup, "ingest", SAMPLES / "meridian_2024_sporting_issue1.pdf", "--json"
    )
    assert (status, line["status"], line["error"]) == (0, "unchanged", None)


@pytest.mark.slow
def test_a_bad_file_does_not_stop_the_others(tmp_path):
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"not a pdf")
    good = SAMPLES / "meridian_2023_technical_issue1.pdf"
    status, [first, second] = run_json(tmp_path / "library", "ingest", bad, good, "--json")
    assert status == 1
    assert (first["status"], first["error"]["code"], first["document_id"]) == (
        "failed",
        "not_pdf",
        None,
    )
    assert second["status"] == "added"


@pytest.mark.slow
def test_a_password_comes_in_on_standard_input_and_stays_nowhere(tmp_path):
    paper = Paper().heading("1", "KARTS").clause("1.1", "Every kart must carry a yellow bumper.")
    (tmp_path / "locked.pdf").write_bytes(locked(paper.pdf(), "marked-password-77"))
    results = []
    for stdin in (None, "wrong\n", "marked-password-77\n"):
        option = ["--password"] if stdin else []
        done = subprocess.run(
            [sys.executable, "-m", "core", "ingest", "locked.pdf", "--json", *option],
            cwd=tmp_path,
            input=stdin or "",
            capture_output=True,
            text=True,
            env=environment_of(tmp_path / "library", SCRUTINEER_LOG_LEVEL="DEBUG"),
        )
        assert "marked-password-77" not in done.stdout + done.stderr
        results.append((done.returncode, (json.loads(done.stdout)["error"] or {}).get("code")))
    assert results == [(1, "encrypted"), (1, "wrong_password"), (0, None)]
    kept = [path for path in (tmp_path / "library").rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if b"marked-password-77" in path.read_bytes()]


def test_an_article_is_flat_and_has_the_whole_shape(cup):
    status, [line] = run_json(cup, "article", "21.3", "--season", 2024, "--json")
    assert status == 0
    assert {"found", *CLAUSE} <= line.keys()
    assert (line["part"], line["children"]) == (None, [])
    assert "50 km/h" in line["text"]


def test_a_lettered_item_is_cut_out(cup):
    status, [line] = run_json(cup, "article", "38.3c)", "--season", 2024, "--json")
    assert (status, line["article"], line["part"]) == (0, "38.3", "c)")
    assert line["text"].startswith("c)")
    assert "\nd)" not in line["text"]


def test_an_unknown_article_is_not_found(cup):
    status, [line] = run_json(cup, "article", "99.9", "--json")
    others = {"elsewhere": [], "not_in_force": []}
    assert (status, line) == (1, {"found": False, "candidates": [], **others})


def test_a_search_is_ranked_within_the_season(cup):
    status, lines = run_json(
        cup, "search", "pit lane speed limit", "--season", 2023, "--k", 5, "--json"
    )
    assert status == 0
    assert [line["rank"] for line in lines] == [1, 2, 3, 4, 5]
    assert {line["season"] for line in lines} == {2023}
    assert lines[0]["article"] == "21.3"


def test_a_search_is_by_words_and_by_meaning_unless_set_otherwise(tmp_path):
    clauses = ("1", "Every driver wears a helmet."), ("2", "Each car carries a yellow bumper.")
    rows = [{"document": "Kart 2024", "article": number, "text": text} for number, text in clauses]
    (tmp_path / "kart.jsonl").write_text("\n".join(map(json.dumps, rows)))
    added = run_command(tmp_path, "ingest", tmp_path / "kart.jsonl", SCRUTINEER_SEARCH_MODE=None)
    assert "Vectors: 2 of 2 clauses" in added.stderr
    asked = "search", "head protection", "--json"
    _, [first, *_] = run_json(tmp_path, *asked, SCRUTINEER_SEARCH_MODE=None)
    assert first["article"] == "1"
    assert run_json(tmp_path, *asked, SCRUTINEER_SEARCH_MODE="lexical") == (1, [])


def test_mentions_names_each_clause_once(cup):
    status, [line] = run_json(cup, "mentions", "success ballast/parc fermé", "--json")
    assert status == 0
    numbers = [clause["article"] for clause in line["clauses"]]
    assert len(numbers) == len(set(numbers)) > 0


def test_a_question_is_answered_in_events(cup):
    status, lines = run_json(
        cup, "ask", "What is the pit lane speed limit?", "--season", 2024, "--json"
    )
    events = [ev.from_json(json.dumps(line)) for line in lines]
    assert status == 0
    assert isinstance(events[0], ev.Asked)
    assert isinstance(events[-1], ev.Ended)
    assert events[-1].outcome == "answered"
    citation = events[-1].citations[0]
    assert (citation.article, citation.season, citation.issue) == ("21.3", 2024, 1)
    assert "50 km/h" in citation.quote


def test_what_is_not_found_has_exit_status_one(cup):
    status, lines = run_json(cup, "ask", "How heavy may a helicopter be?", "--json")
    assert (status, lines[-1]["outcome"]) == (1, "not_found")


def test_an_empty_question_is_refused_in_json(cup):
    status, [line] = run_json(cup, "ask", " ", "--json")
    assert (status, line["error"]["code"]) == (1, "empty_question")


def test_batch_answers_line_by_line_and_survives_a_bad_one(cup):
    requests = [
        {"op": "article", "article": "21.3", "season": 2024},
        {"op": "fly"},
        {"op": "search", "query": ""},
        {"op": "search", "query": "speed limit", "k": 1, "season": 2024},
        {"op": "mentions", "term": "parc fermé"},
    ]
    lines = [json.dumps(request) for request in requests]
    lines.insert(1, "{not json")
    status, (article, broken, unknown, empty, found, mentioned) = run_json(
        cup, "batch", stdin="\n".join(lines)
    )
    assert status == 0
    assert article["found"]
    assert broken["error"]["code"] == unknown["error"]["code"] == "bad_request"
    assert empty["error"]["code"] == "empty_query"
    assert len(found["clauses"]) == 1
    assert mentioned["clauses"]


def test_a_request_may_hold_any_white_space_but_a_new_line(cup):
    status, results = run_json(
        cup, "batch", stdin='{"op": "article",\r"article":\t"21.3",\r\n"season": 2024}\r\n'
    )
    assert (status, [list(line) for line in results]) == (0, [["error"], ["error"]])
    status, results = run_json(
        cup, "batch", stdin='{"op": "article",\r"article":\t"21.3", "season": 2024}\r\n'
    )
    assert [line["article"] for line in results] == ["21.3"]


@pytest.mark.slow
def test_a_document_is_removed_and_then_unknown(tmp_path):
    [added] = run_json(
        tmp_path, "ingest", SAMPLES / "meridian_2023_technical_issue1.pdf", "--json"
    )[1]
    assert run_json(tmp_path, "remove", added["document_id"], "--json")[0] == 0
    status, [line] = run_json(tmp_path, "export", added["document_id"], "--json")
    assert (status, line["error"]["code"]) == (1, "unknown_document")


def test_export_gives_every_clause_in_reading_order_and_then_what_is_no_rule(cup):
    [_, newest] = sporting(cup)
    status, lines = run_json(cup, "export", newest["document_id"], "--json")
    assert status == 0
    clauses, others = lines[: newest["clauses"]], lines[newest["clauses"] :]
    assert all(list(line)[: len(CLAUSE)] == CLAUSE for line in lines)
    pages = [line["page_first"] for line in clauses]
    assert pages == sorted(pages)
    assert all(line["article"] and not line["kind"] for line in clauses)
    assert {(line["kind"], line["article"]) for line in others} == {("cover", ""), ("contents", "")}


def test_wrong_usage_has_exit_status_two(cup):
    assert run_json(cup, "search")[0] == 2
    assert run_json(cup, "fly")[0] == 2


@pytest.mark.slow
def test_a_waiting_run_is_decided_on_later(tmp_path):
    run_json(tmp_path, "ingest", SAMPLES / "meridian_2024_sporting_issue1.pdf", "--json")
    asked = (
        "ask",
        "What is the pit lane speed limit?",
        "--max-iterations",
        1,
        "--quality-threshold",
        10,
        "--json",
    )
    status, lines = run_json(tmp_path, *asked)
    assert (status, lines[-1]["outcome"]) == (1, "found"), "quotes are left to the person"
    run_id = lines[0]["run_id"]
    status, more = run_json(
        tmp_path,
        "resume",
        run_id,
        "--guidance",
        "in a narrow pit lane",
        "--max-iterations",
        1,
        "--json",
    )
    assert (more[0]["resumed"], more[0]["seq"]) == (True, lines[-1]["seq"] + 1)
    assert more[-1]["iterations"] == 2
    refused = run_json(tmp_path, "resume", run_id, "--conclude", "--json")[1][0]
    assert refused["error"]["code"] == "not_waiting"
    other = run_json(tmp_path, *asked)[1][0]["run_id"]
    status, [_, ended] = run_json(tmp_path, "resume", other, "--conclude", "--json")
    assert (status, ended["outcome"], ended["decided_by"]) == (0, "answered", "person")
    assert (
        run_json(tmp_path, "resume", "no-such-run", "--json")[1][0]["error"]["code"]
        == "unknown_run"
    )


@pytest.mark.slow
def test_a_question_is_put_after_earlier_ones(cup):
    follow_up = ("ask", "And in 2023?", "--json")
    status, lines = run_json(cup, *follow_up)
    assert (status, lines[-1]["outcome"]) == (1, "clarification_needed")
    earlier = ("--after", "Where is the pit lane?", "--after", "What is the pit lane speed limit?")
    _, lines = run_json(cup, *follow_up, *earlier)
    [classified] = [line for line in lines if line["type"] == "Classified"]
    assert "speed limit" in classified["question"]
    assert {citation["season"] for citation in lines[-1]["citations"]} == {2023}
    assert "21.3" in {citation["article"] for citation in lines[-1]["citations"]}


def test_two_documents_are_compared_pair_by_pair(cup):
    [older, newer] = sporting(cup)
    status, lines = run_json(
        cup, "compare", older["document_id"], newer["document_id"][:12], "--json"
    )
    assert status == 0
    assert list(lines[0])[:7] == [
        "kind",
        "article_a",
        "article_b",
        "title",
        "before",
        "after",
        "similarity",
    ]
    pairs = {(line["article_a"], line["article_b"]): line["kind"] for line in lines}
    assert pairs["21.3", "21.3"] == "changed"
    assert pairs["21.11", "21.10"] == "renumbered"
    assert pairs["40.1", None] == "removed"


@pytest.mark.parametrize(
    ("option", "value"), [("--date", "yesterday"), ("--season", "1500"), ("--issue", "-1")]
)
def test_impossible_metadata_is_refused(tmp_path, option, value):
    sample = SAMPLES / "meridian_2023_sporting_issue2.pdf"
    status, [line] = run_json(tmp_path / "untouched", "ingest", sample, option, value, "--json")
    assert (status, line["error"]["code"] if "error" in line else line["code"]) == (2, "given")
    assert not (tmp_path / "untouched").exists()


@pytest.mark.slow
def test_a_line_is_said_to_be_a_heading_and_the_document_is_read_again(tmp_path):
    paper = Paper().line("2025 Rowing Club Rules", bold=True).line("Issue 2").page()
    for name in ("Purpose of the rules", "Who may take part"):
        paper.line(name, left=72, bold=True, gap=12).line("These are its words.", left=72, gap=4)
    paper.page()
    for number in ("1", "1.1", "1.2", "2"):
        paper.heading(number, "Boats").line("Every boat must carry a number.", gap=4)
    file = tmp_path / "rules.pdf"
    file.write_bytes(paper.pdf())
    status, [added] = run_json(tmp_path, "ingest", file, "--json")
    assert (status, added["not_in_force"], added["long_clauses"]) == (0, 0.0, [])
    assert added["unplaced"][0] == {"page": 2, "words": "Purpose of the rules"}
    assert added["untaken_numbers"] == []
    told = format_ingest_result(IngestedFile.model_validate(added))
    assert "Left over: 4 lines below no number." in told
    name = added["document_id"]
    line = ("--page", 2, "--line", "purpose of", "--json")
    status, [corrected] = run_json(tmp_path, "correct", name, *line, "--heading", 1)
    assert (status, corrected["unplaced"]) == (0, [])
    assert corrected["corrections"] == [
        {"kind": "heading", "page": 2, "words": "purpose of", "level": 1}
    ]
    _, clauses = run_json(tmp_path, "export", name, "--json")
    assert clauses[1]["article"] == "Purpose of the rules"
    _, [undone] = run_json(tmp_path, "correct", name, *line, "--undo")
    _, [listed] = run_json(tmp_path, "correct", name, "--json")
    assert undone == listed
    assert (listed["corrections"], listed["unplaced"]) == ([], added["unplaced"])
    line = ("--page", 2, "--line", "no such line", "--json")
    status, [corrected] = run_json(tmp_path, "correct", name, *line, "--heading", 1)
    assert (status, corrected["warnings"][0]["code"]) == (1, "line_not_found")


def test_correct_takes_a_line_and_what_it_is_together(cup):
    assert run_json(cup, "correct", "12345678", "--line", "Words")[0] == 2
    assert run_json(cup, "correct", "12345678", "--furniture")[0] == 2
    status, [error] = run_json(cup, "correct", "12345678", "--json")
    assert (status, error["error"]["code"]) == (1, "unknown_document")


def test_asking_makes_no_vectors_and_says_that_words_alone_are_searched(tmp_path):
    file = tmp_path / "kart.jsonl"
    file.write_text(json.dumps({"document": "Kart", "article": "1", "text": "A bumper is yellow."}))
    assert run_command(tmp_path / "data", "ingest", file).exit_code == 0
    by_both = {"SCRUTINEER_SEARCH_MODE": "hybrid"}
    for _ in range(2):
        done = run_command(tmp_path / "data", "ask", "Is a bumper yellow?", **by_both)
        assert "Meaning is being prepared (clauses left: 1)" in " ".join(done.stderr.split())
        assert "A bumper is yellow." in done.stdout


@pytest.mark.slow
def test_asking_tells_which_documents_were_left_out(tmp_path):
    names = ("meridian_2023_technical_issue1.pdf", "meridian_2023_technical_issue2.pdf")
    run_json(tmp_path, "ingest", *(SAMPLES / name for name in names), "--json")
    _, events = run_json(tmp_path, "ask", "How wide may the car be?", "--json")
    [left_out] = events[0]["scope"]["left_out"].values()
    assert left_out == "2023 Meridian Cup Technical Regulations, Issue 1 (invented)"
    assert all("(invented)" in citation["document"] for citation in events[-1]["citations"])


def test_a_token_is_made_listed_and_removed(tmp_path):
    _, [made] = run_json(tmp_path, "token", "ada@team.example", "--json")
    assert made["token"].startswith("scrutineer_")
    _, [listed] = run_json(tmp_path, "token", "--json")
    assert (listed["name"], "token" in listed) == ("ada@team.example", False)
    assert run_json(tmp_path, "token", "--remove", listed["token_id"], "--json")[0] == 0
    assert run_json(tmp_path, "token", "--json") == (0, [])
    status, [refused] = run_json(tmp_path, "token", "--remove", listed["token_id"], "--json")
    assert (status, refused["error"]["code"]) == (1, "unknown_token")


def test_a_missing_file_of_sentences_is_told_as_one(tmp_path):
    status, (line,) = run_json(tmp_path, "sentences", tmp_path / "none.jsonl", "--json")
    assert (status, line["error"]["code"]) == (1, "not_found")
