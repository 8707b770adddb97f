"""A rulebook in Word goes all the ways of one in PDF; it has no pages, and says null for them."""

import os
import shutil
import time
from typing import get_args

import pytest

from core.choices import ExportFormat
from core.library import UploadQueue
from tests.commands import run_command, run_json
from tests.made_once import make_once
from tests.rulebook.word_builder import (
    deleted,
    heading_styles,
    inserted,
    level,
    lists,
    paragraph,
    run,
    word_file,
)

LISTS = lists([level(0, "%1"), level(1, "%1.%2")])


def kart_rules(issue: int, speed: str, mark=run) -> bytes:
    """An issue of a rulebook, whose footnote and second paragraph are below rule 1.1."""
    return word_file(
        paragraph("2025 Kart Sporting Regulations")
        + paragraph(f"Issue {issue}")
        + paragraph("Speed", style="Heading1")
        + paragraph("Pit lane", style="Heading2")
        + paragraph("Drivers must slow down.")
        + paragraph(run("The speed must not exceed ") + mark + run(" km/h."))
        + paragraph("Stewards", style="Heading1")
        + paragraph("A driver who breaches Article 1.1 shall receive a drive-through penalty."),
        styles=heading_styles(),
        numbering=LISTS,
    )


BULLETIN = word_file(
    paragraph("Bulletin 1 to the 2025 Kart Sporting Regulations")
    + paragraph("Speed", style="Heading1")
    + paragraph("This bulletin amends the 2025 Kart Sporting Regulations. Article 1.1 is deleted."),
    styles=heading_styles(),
    numbering=LISTS,
)
ISSUES = {
    "karts1.docx": kart_rules(1, "60", run("60")),
    "karts2.docx": kart_rules(2, "50", deleted("60") + inserted("50")),
}


def add_issues(folder):
    inbox = folder / "inbox"
    inbox.mkdir(parents=True)
    for name, data in ISSUES.items():
        (inbox / name).write_bytes(data)
    status, lines = run_json(folder, "ingest", inbox, "--json")
    assert (status, [line["status"] for line in lines]) == (0, ["added", "added"])


@pytest.fixture
def folder(tmp_path, tmp_path_factory):
    return shutil.copytree(make_once(tmp_path_factory, "karts", add_issues), tmp_path / "data")


@pytest.fixture
def ids(folder):
    return [line["document_id"] for line in run_json(folder, "documents", "--json")[1]]


def test_its_clauses_have_null_for_a_page_and_say_who_changed_them(folder, ids):
    assert len(list((folder / "files").glob("*.docx"))) == 2
    _, [found, *_] = run_json(folder, "search", "speed pit lane", "--issue", "2", "--json")
    assert (found["article"], found["page_first"], found["page_last"]) == ("1.1", None, None)
    assert found["text"] == "Drivers must slow down.\nThe speed must not exceed 50 km/h."
    assert found["deleted"] == ["60"]
    assert {mark["change"]["by"] for mark in found["marks"]} == {"Jane Doe"}
    _, [pair] = run_json(folder, "compare", *ids, "--kind", "changed", "--json")
    assert (pair["article_a"], pair["article_b"]) == ("1.1", "1.1")
    _, limits = run_json(folder, "limits", ids[1], "--json")
    assert [(row["value"], row["page"]) for row in limits if "value" in row] == [(50, None)]


def test_an_answer_cites_article_and_paragraph(folder):
    asked = run_command(folder, "ask", "What is the speed limit in the pit lane in issue 2?")
    told = " ".join(asked.stdout.split())
    assert "Art. 1.1, para. 1" in told
    assert "None" not in told


def test_it_is_exported_checked_saved_and_taken_back(folder, ids, tmp_path):
    for name in get_args(ExportFormat):
        done = run_command(folder, "export", ids[1], "--format", name, "--output", tmp_path / name)
        assert done.exit_code == 0, done.output
    assert run_command(folder, "check", "--deep").exit_code == 0
    archive = tmp_path / "saved.tar.gz"
    assert run_command(folder, "backup", archive).exit_code == 0
    restored = tmp_path / "restored"
    assert run_command(restored, "restore", archive).exit_code == 0
    kept = [line["document_id"] for line in run_json(restored, "documents", "--json")[1]]
    assert kept == ids


def test_a_person_says_what_a_line_is(folder, ids):
    status, [told] = run_json(
        folder, "correct", ids[0], "--line", "A driver who", "--furniture", "--json"
    )
    assert (status, told["corrections"][0]["kind"]) == (0, "furniture")
    _, [rule] = run_json(folder, "article", "2", "--issue", "1", "--json")
    assert rule["text"] == ""


def test_it_is_queued_and_watched(tmp_path):
    data, watched = tmp_path / "data", tmp_path / "inbox"
    watched.mkdir()
    for name, content in (*ISSUES.items(), ("broken.docx", b"PK\3\4")):
        (watched / name).write_bytes(content)
        an_hour_ago = time.time() - 3600
        os.utime(watched / name, (an_hour_ago, an_hour_ago))
    status, lines = run_json(data, "watch", watched, "--once", "--json")
    assert (status, [line["status"] for line in lines]) == (0, ["failed", "added", "added"])
    assert "~~60~~ **50**" in (watched / "karts2.docx.changes.md").read_text()
    queue = UploadQueue(f"sqlite:///{tmp_path / 'queue.db'}")
    assert queue.enqueue("karts.docx", ISSUES["karts1.docx"]).state == "waiting"
    assert queue.enqueue("karts.txt", b"1 Speed").state == "failed"


def test_who_adds_a_bulletin_is_told_what_it_proposes(tmp_path):
    for name, content in ISSUES.items() | {("bulletin.docx", BULLETIN)}:
        (tmp_path / name).write_bytes(content)
    run_command(tmp_path / "data", "ingest", *(tmp_path / name for name in ISSUES))
    added = run_command(tmp_path / "data", "ingest", tmp_path / "bulletin.docx")
    said = " ".join(added.stderr.split())
    assert "amends 2025 Kart Sporting Regulations" in said
    assert "--accept NUMBER` accepts one." in said
