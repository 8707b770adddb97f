"""From a new issue to the last answer that somebody looked at again, by the command line."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.commands import run_command, run_json
from tests.rulebook.pdf_builder import Paper

pytestmark = pytest.mark.slow

LIMIT = "The speed limit in the pit lane is {} km/h at all times."
BUMPER = "Every kart must carry a yellow bumper of foam at its rear end."
SEE = "A driver who exceeds the limit of Article 1.1 pays a fine of 100 Euros."
DOGS = "Dogs are forbidden in the paddock at all times."


def rulebook(folder: Path, issue: int, *rules: tuple[str, str]) -> Path:
    named = {"document": f"Kart rules {issue}", "family": "kart", "season": 2025, "issue": issue}
    rows = [named | {"article": article, "text": text} for article, text in rules]
    path = folder / f"issue{issue}.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture
def folder(tmp_path):
    """A library with the first issue, two questions asked of it, and then the second issue."""
    data = tmp_path / "data"
    first = (("1.1", LIMIT.format(60)), ("1.2", BUMPER), ("1.3", SEE), ("1.4", DOGS))
    second = (("1.1", LIMIT.format(50)), ("1.2", DOGS), ("1.3", SEE), ("1.4", BUMPER))
    run_json(data, "ingest", rulebook(tmp_path, 1, *first), "--json")
    run_json(data, "ask", "What is the speed limit in the pit lane?", "--json")
    run_json(data, "ask", "Which colour must the bumper of a kart have?", "--json")
    run_json(data, "ingest", rulebook(tmp_path, 2, *second), "--json")
    return data


def newest(folder):
    lines = run_json(folder, "documents", "--json")[1]
    return next(line["document_id"] for line in lines if line["issue"] == 2)


def test_answers_that_cite_a_changed_rule_are_suspect_until_somebody_clears_them(folder):
    status, [impact] = run_json(folder, "impact", newest(folder), "--json")
    assert (status, impact["suspects"]) == (1, 1)
    [answer] = impact["answers"]  # that on the bumper cites a rule that has moved, not changed
    assert answer["question"] == "What is the speed limit in the pit lane?"
    assert {(c["article"], c["article_now"]) for c in answer["citations"]} == {("1.1", "1.1")}
    assert answer["suspect"]

    run = answer["run_id"]
    status, [cleared] = run_json(
        folder, "impact", newest(folder), "--clear", run, "--by", "Ada", "--json"
    )
    assert (status, cleared["suspects"]) == (0, 0)
    assert (cleared["answers"][0]["cleared_by"], cleared["answers"][0]["suspect"]) == ("Ada", False)
    assert cleared["answers"][0]["cleared_at"]
    assert run_json(folder, "impact", newest(folder), "--json") == (0, [cleared])


def test_rules_that_refer_to_a_changed_rule_are_touched(folder):
    _, [impact] = run_json(folder, "impact", newest(folder), "--json")
    assert [change["article_b"] for change in impact["changed"]] == ["1.1"]
    touched = [(clause["article"], clause["refers_to"]) for clause in impact["clauses"]]
    assert touched == [("1.3", ["1.1"])]
    assert impact["sheets"] == []


def test_the_digest_is_markdown_with_the_words_that_changed(folder):
    digest = run_command(folder, "impact", newest(folder)).stdout
    assert "# What changed for us: 2025 Kart rules 2, Issue 2" in digest
    assert "- **1.1** (changed): ~~60~~ **50**" in digest
    assert "cite them: 1, to look at: 1. Clauses that refer to them: 1." in digest


def test_the_first_edition_changes_nothing(folder):
    lines = run_json(folder, "documents", "--json")[1]
    first = next(line["document_id"] for line in lines if line["issue"] == 1)
    status, [impact] = run_json(folder, "impact", first, "--json")
    assert (status, impact["before"], impact["answers"]) == (0, None, [])


def test_a_run_that_is_not_there_cannot_be_cleared(folder):
    status, [line] = run_json(folder, "impact", newest(folder), "--clear", "nobody", "--json")
    assert (status, line["error"]["code"]) == (1, "unknown_run")


def test_a_watched_folder_is_read_once_and_each_file_gets_its_digest(tmp_path):
    watched = tmp_path / "inbox"
    watched.mkdir()
    paper = Paper().heading("1", "KARTS").clause("1.1", BUMPER)
    for name, content in (("karts.pdf", paper.pdf()), ("broken.pdf", b"no pdf")):
        (watched / name).write_bytes(content)
        an_hour_ago = time.time() - 3600
        os.utime(watched / name, (an_hour_ago, an_hour_ago))
    copied = watched / "still_copied.pdf"
    copied.write_bytes(b"%PDF")
    os.utime(copied, (time.time() + 600, time.time() + 600))
    data = tmp_path / "data"
    status, lines = run_json(data, "watch", watched, "--once", "--json")
    assert (status, [line["status"] for line in lines]) == (0, ["failed", "added"])
    assert "is not a PDF" in (watched / "broken.pdf.changes.md").read_text()
    assert "first edition" in (watched / "karts.pdf.changes.md").read_text()
    assert run_json(data, "watch", watched, "--once", "--json") == (0, [])


def test_an_article_tells_its_stable_id_and_since_when_it_says_what_it_says(folder):
    _, [older] = run_json(folder, "article", "1.2", "--issue", "1", "--json")
    status, [newer] = run_json(folder, "article", "1.4", "--issue", "2", "--json")
    assert status == 0
    assert older["stable_id"] == newer["stable_id"]  # the rule on bumpers, with another number
    numbers = [(step["issue"], step["article"], step["wording"]) for step in newer["history"]]
    assert numbers == [(1, "1.2", "changed"), (2, "1.4", "same")]
    assert newer["since"]["issue"] == 1
    _, [limit] = run_json(folder, "article", "1.1", "--issue", "2", "--json")
    assert limit["since"]["issue"] == 2
