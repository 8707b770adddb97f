"""Output in a terminal: ids to copy, sentences that name the option, no control characters."""

import json
import subprocess
import sys

import pytest

from tests.commands import environment_of, run_command, run_json
from tests.rulebook.pdf_builder import Paper


def ids(folder):
    listed = [
        json.loads(line) for line in run_command(folder, "documents", "--json").stdout.splitlines()
    ]
    return {(line["family"], line["season"]): line["document_id"] for line in listed}


@pytest.mark.slow
def test_ids_and_families_can_be_copied_from_a_narrow_terminal(cup):
    shown = run_command(cup, "documents").stdout
    assert max(map(len, shown.splitlines())) <= 80
    for (family, _), document_id in ids(cup).items():
        [line] = [line for line in shown.splitlines() if document_id[:12] in line]
        assert family in line
        assert run_command(cup, "export", document_id[:12]).exit_code == 0
    assert "8 characters" in " ".join(run_command(cup, "export", "--help").stdout.split())


def test_an_empty_library_says_so(tmp_path):
    done = run_command(tmp_path / "none", "documents")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "The library is empty: `ingest FILE` adds a rulebook.\n"


def test_an_ambiguous_number_lists_the_options_that_resolve_it(cup):
    done = run_command(cup, "article", "3.1")
    sporting, technical = ids(cup)["meridian-sporting", 2024], ids(cup)["meridian-technical", 2024]
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "More than one clause bears this number. Say which with --document or --family:",
        "  3.1, page 2, 2024 Meridian Cup Sporting Regulations, Issue 1",
        f"    --document {sporting[:12]} or --family meridian-sporting",
        "  3.1 Overall dimensions, page 4, 2024 Meridian Cup Technical Regulations, Issue",
        "1",
        f"    --document {technical[:12]} or --family meridian-technical",
    ]
    assert run_command(cup, "article", "3.1", "--family", "meridian-technical").exit_code == 0
    assert run_command(cup, "article", "3.1", "--document", sporting[:12]).exit_code == 0


def test_an_article_of_another_family_is_not_suggested(cup):
    assert (
        run_command(cup, "article", "21.3", "--family", "meridian-technical").stdout
        == "Not found.\n"
    )
    done = run_command(cup, "article", "21.11", "--family", "meridian-sporting")
    sporting = ids(cup)["meridian-sporting", 2023]
    assert done.stdout.splitlines() == [
        "Not found in the documents that were looked at. It is in these:",
        f"  2023 Meridian Cup Sporting Regulations, Issue 2: --document {sporting[:12]}",
    ]


def test_a_deleted_article_is_named(cup):
    document = ids(cup)["meridian-sporting", 2023]
    done = run_command(cup, "article", "43.3", "--document", document[:12])
    place = "43.3, page 18, 2023 Meridian Cup Sporting Regulations, Issue 2"
    said = " ".join(done.stdout.split())
    assert (done.exit_code, said) == (1, f"No law, since it is deleted: {place}")


def test_what_is_given_of_a_known_document_is_told(tmp_path):
    file = tmp_path / "kart.pdf"
    paper = Paper().line("2025 Karting Club Sporting Regulations").heading("1", "KARTS")
    file.write_bytes(paper.clause("1.1", "Every kart must carry a yellow bumper.").pdf())
    run_command(tmp_path / "data", "ingest", file)
    told = run_command(tmp_path / "data", "ingest", file, "--date", "2025-02-03").stdout
    assert ": corrected," in told
    assert "Now: date 2025-02-03." in told
    told = run_command(tmp_path / "data", "ingest", file, "--date", "2025-02-03").stdout
    assert ": unchanged," in told
    table = tmp_path / "answers.csv"
    table.write_text("question,answer,articles\nMust it be yellow?,Yes.,1.1\nRed?,No.,9.9\n")
    _, [listed] = run_json(tmp_path / "data", "documents", "--json")
    of = "--rulings", listed["document_id"]
    told = run_command(tmp_path / "data", "ingest", table, *of).stdout
    assert "Tied to no article: 9.9." in told


def test_an_issue_that_cannot_be_read_is_given_by_its_option_then_or_later(tmp_path):
    paper = Paper().line("2025 Karting Club Sporting Regulations").heading("1", "KARTS")
    (tmp_path / "kart.pdf").write_bytes(
        paper.clause("1.1", "Every kart must carry a yellow bumper.").pdf()
    )
    folder = tmp_path / "library"
    unread = (
        "The issue could not be read from the document: ingest it again with --issue to say it."
    )
    assert unread in " ".join(run_command(folder, "ingest", "kart.pdf").stdout.split())
    assert "could not be read" not in run_command(folder, "ingest", "kart.pdf", "--issue", 4).stdout
    [document] = [
        json.loads(line) for line in run_command(folder, "documents", "--json").stdout.splitlines()
    ]
    assert (document["issue"], document["sources"]["issue"], document["season"]) == (
        4,
        "given",
        2025,
    )


def test_conclude_and_stop_exclude_each_other(tmp_path):
    done = run_command(tmp_path, "resume", "any-run", "--conclude", "--stop")
    assert done.exit_code == 2
    assert "choose one" in " ".join(done.stderr.replace("│", " ").split())


def test_a_query_that_is_too_long_is_refused(cup):
    done = run_command(cup, "search", "2024 " * 3000)
    assert done.exit_code == 1
    assert done.stderr == "query: String should have at most 10000 characters.\n"
    requests = [{"op": "search", "query": "a" * 10_001}, {"op": "article", "article": "1" * 10_001}]
    requests += [{"op": "mentions", "term": "b" * 10_001}]
    answers = run_command(
        cup, "batch", stdin="\n".join(map(json.dumps, requests))
    ).stdout.splitlines()
    assert [json.loads(answer)["error"]["code"] for answer in answers] == ["bad_request"] * 3


CONTROLS = "\x1b]0;owned\x07 \x1b[2J \x9b31m \u202ereversed"
"""A window title, a cleared screen, red text, reversed text."""


@pytest.fixture
def hostile(tmp_path):
    """A library whose rulebook has control characters in its title, text and file name."""
    lines = [
        {
            "document": f"2024 Kart {CONTROLS} Rules",
            "article": f"1.{number}",
            "season": 2024,
            "text": text,
        }
        for number, text in enumerate(
            (f"The mass {CONTROLS} must be at least 600 kg.", "A kart has four wheels."), 1
        )
    ]
    (tmp_path / "kart\x1b[2J.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert (
        run_command(tmp_path / "library", "ingest", tmp_path / "kart\x1b[2J.jsonl").exit_code == 0
    )
    return tmp_path / "library"


@pytest.mark.parametrize(
    "command",
    [
        ("documents",),
        ("search", "mass"),
        ("article", "1.1"),
        ("mentions", "mass"),
        ("ask", "What must the mass be?"),
        ("ask", "What must the mass be?", "--json"),
        ("export", "\x1b[2J\x9b31m"),
        ("ingest", "kart\x1b[2J.jsonl"),
    ],
)
def test_no_outside_text_controls_the_terminal(hostile, command):
    done = run_command(hostile, *command)
    shown = done.stdout + done.stderr
    assert shown
    assert not [
        sign for sign in shown if sign != "\n" and (not sign.isprintable() or sign == "\u202e")
    ]


@pytest.mark.slow
def test_the_colors_of_the_command_line_remain(hostile):
    done = subprocess.run(
        [sys.executable, "-m", "core", "ask", "What must the mass be?"],
        capture_output=True,
        text=True,
        env=environment_of(hostile, FORCE_COLOR="1", TERM="xterm"),
    )
    assert "\x1b[2mPlan" in done.stderr
    assert "600 kg" in done.stdout
    assert not [
        order
        for order in ("\x1b]0;", "\x1b[2J", "\x9b", "\u202e")
        if order in done.stdout + done.stderr
    ]


def test_two_clauses_with_one_number_are_both_shown(tmp_path):
    rows = [
        {"document": "Kart 2024", "article": "3.2", "text": text}
        for text in ("Every kart carries a bumper.", "The bumper is yellow.")
    ]
    (tmp_path / "kart.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert run_command(tmp_path / "data", "ingest", tmp_path / "kart.jsonl").exit_code == 0
    done = run_command(tmp_path / "data", "article", "3.2")
    assert done.exit_code == 1
    assert done.stdout.startswith("2 clauses of Kart 2024 bear this number:")
    assert "Every kart carries a bumper." in done.stdout
    assert "The bumper is yellow." in done.stdout
