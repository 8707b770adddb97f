"""Files that are being added in words, without a page."""

import time
from dataclasses import replace

from core.language import ENGLISH, Language
from core.library import LibraryText, UploadJob
from tests.library.test_scope import S24, S25_4, S25_5

JOB = UploadJob("1", "rules_*.pdf", "0" * 64, 100, "", since=time.time())
ADDED = replace(JOB, entry_id="2", state="added", document_id=S25_4.document_id, seconds=2.0)


def test_how_far_a_file_is_is_said():
    def say(ahead=0, **change):
        return LibraryText(ENGLISH).describe_progress(replace(JOB, **change), ahead).split(" · ")[0]

    assert say() == r"rules\_\*\.pdf: waiting"
    assert say(ahead=2).endswith("waiting, 2 files before it")
    assert say(state="reading").endswith(": reading")
    assert say(state="reading", done=3, of=9).endswith("reading page 3 of 9")
    assert say(state="keeping").endswith(": saving its rules")
    assert say(state="vectors", done=3, of=9).endswith("by meaning, 3 of 9 clauses")


def test_what_came_of_a_file_is_said():
    def say(job, *documents):
        return LibraryText(ENGLISH).describe_result(job, documents)

    assert "Added 2025 Cup Sporting Regulations" in say(ADDED, S25_4)
    assert "is newer and stays the default" in say(ADDED, S25_4, S25_5)
    assert "It is newer than" in say(ADDED, S24, S25_4)
    assert "removed since" in say(ADDED)
    same = replace(ADDED, state="unchanged", name=S25_4.file)
    assert "is in the library already" in say(same, S25_4)
    assert "is the same file as" in say(replace(same, name="other.pdf"), S25_4)
    assert "needs a password" in say(replace(JOB, state="failed", code="encrypted"))
    assert "not added" in say(replace(JOB, state="cancelled"))
    failed = replace(JOB, state="failed", message="The file is no PDF.")
    assert say(failed).endswith(r"Not added: rules\_\*\.pdf. The file is no PDF\.")


def test_jobs_are_counted_by_state():
    late = replace(ADDED, entry_id="3")
    failed = replace(JOB, entry_id="4", state="failed"), replace(JOB, state="cancelled")
    assert (
        LibraryText(ENGLISH).summarize_jobs((JOB, late, *failed))
        == "Adding 1 file · 1 file added · 2 files not added"
    )
    assert "1" in LibraryText(Language("de", "de")).summarize_jobs((JOB,))
