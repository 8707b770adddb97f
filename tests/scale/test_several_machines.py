"""The main job on several machines, on S3 and PostgreSQL, while they are killed and cut off.

`make scale` runs the full count.
"""

import json
import os
import random
import time
from functools import partial

import pytest

from core.chats.conversations import Conversations
from core.chats.quota import Quota
from core.errors import LibraryError
from core.library import UploadQueue
from core.library.ingestion.ingest import add_bytes
from core.library.integrity import check_library
from core.library.storage.library import Library
from core.maintenance.backups import backup, restore
from core.settings import Settings
from tests.cup import add_cup_rules
from tests.maintenance.test_move_to_shared_places import hashes
from tests.rulebook.pdf_builder import Paper
from tests.scale.services import get, kill, wait_until

KILLS = int(os.environ.get("KILLS", "4"))
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
CLAUSES = 6
SECONDS_A_FILE = 6.0
"""That a worker needs on two busy cores, nearly all of them for the store's many small requests."""
WORK, ASK = ("work", "--once"), ("ask", "How many yellow bumpers must a kart carry?")
AWAY_SECONDS = float(os.environ.get("AWAY_SECONDS", "8"))

pytestmark = pytest.mark.slow


def tells_documents(address, count):
    return json.loads(get(f"{address}/healthz"))["library"]["documents"] == count


def rulebook(name):
    """A PDF whose every clause holds its name."""
    paper = Paper()
    paper.line(f"2025 {name} Sporting Regulations").heading("1", "KARTS")
    for number in range(1, CLAUSES + 1):
        paper.clause(f"1.{number}", f"Every kart of {name} must carry {number} yellow bumpers.")
    return paper.pdf()


def states(settings):
    return [job.state for job in UploadQueue.open(settings).list_jobs()]


def count_begun(queue, chats):
    """Count the runs that are kept, and the times that workers began to read a file."""
    return len(chats.list_run_summaries()) + sum(job.tries for job in queue.list_jobs())


def has_begun(process, queue, chats, before):
    """True once a run or the reading of a file was begun; and where the process was quicker."""
    return process.poll() is not None or count_begun(queue, chats) > before


def nothing_is_lost(settings, names):
    """Each document is there once and whole, and the check finds nothing."""
    library = Library.open(settings)
    library.clean_up_leftovers()
    documents = library.documents()
    assert sorted(document.file for document in documents) == sorted(f"{n}.pdf" for n in names)
    for document in documents:
        texts = [clause.text for clause in library.clauses(document.document_id)]
        assert sum("yellow bumpers" in text for text in texts) == CLAUSES
        assert library.files.is_intact(f"{document.document_id}.pdf")
    assert library.tables.clauses_table().count_rows() == sum(d.rows for d in documents)
    assert list(check_library(library)) == []


def test_the_main_job_through_two_servers_and_two_workers(machines, tmp_path):
    here, there = machines
    for number in range(4):
        UploadQueue.open(here.settings).enqueue(
            f"Club{number}.pdf", rulebook(f"Club{number}"), "ada"
        )
    workers = [machine.start("work", "--once") for machine in machines]
    servers = [machine.serve() for machine in machines]
    try:
        assert [worker.wait(300) for worker in workers] == [0, 0]
        assert states(there.settings) == ["added"] * 4
        for _, address in servers:
            wait_until(partial(tells_documents, address, 4))  # a server looks every few seconds
    finally:
        for process in (*workers, *(server for server, _ in servers)):
            kill(process)
    nothing_is_lost(here.settings, [f"Club{number}" for number in range(4)])
    events = there.run("ask", "How many yellow bumpers must a kart of Club2 carry?", "--json")
    assert json.loads(events.splitlines()[-1])["outcome"] in ("answered", "found")
    chats = Conversations(here.settings.conversations_url)
    assert len(chats.list_conversations()) == 1, "what one machine answered the other shows"
    ids = [document.document_id for document in Library.open(here.settings).documents()]
    assert "changed" in here.run("compare", ids[0], ids[1], "--json")
    there.run("remove", ids[0])
    here.run("backup", str(tmp_path / "all.zip"))
    alone = Settings(_env_file=None, data_dir=tmp_path / "alone")
    restore(alone, tmp_path / "all.zip")
    assert Library.open(alone).documents() == Library.open(there.settings).documents()
    assert len(Library.open(alone).documents()) == 3


def test_nothing_changes_from_one_machine_to_several_and_back(machines, tmp_path):
    alone = Settings(_env_file=None, data_dir=tmp_path / "alone")
    add_cup_rules(Library.open(alone))
    Conversations(alone.conversations_url).start_conversation("Pit lane")
    backup(alone, tmp_path / "there.zip")
    restore(machines[0].settings, tmp_path / "there.zip")
    several = machines[1].settings
    assert Library.open(several).documents() == Library.open(alone).documents()
    chats = Conversations(several.conversations_url)
    assert [chat.title for chat in chats.list_conversations()] == ["Pit lane"]
    chats.start_conversation("Numbers go on")
    backup(several, tmp_path / "back.zip")
    again = Settings(_env_file=None, data_dir=tmp_path / "again")
    restore(again, tmp_path / "back.zip")
    assert hashes(tmp_path / "there.zip") == hashes(tmp_path / "back.zip")
    assert len(Conversations(again.conversations_url).list_conversations()) == 2


def test_workers_and_servers_are_killed_and_nothing_is_lost(machines):
    chance, names = random.Random(SEED), []
    print(f"SEED={SEED} KILLS={KILLS}")
    settings = machines[0].settings
    queue, chats = UploadQueue.open(settings), Conversations(settings.conversations_url)
    for number in range(KILLS):
        names.append(f"Club{number}")
        queue.enqueue(f"Club{number}.pdf", rulebook(f"Club{number}"))
        machine = chance.choice(machines)
        before = count_begun(queue, chats)
        process = machine.start(*(ASK if number % 2 else WORK))
        wait_until(partial(has_begun, process, queue, chats, before))
        time.sleep(chance.uniform(0.0, 2.0 if number % 2 else SECONDS_A_FILE))
        kill(process)
        for job in queue.list_jobs():  # killed three times at work on the same file
            if queue.can_retry(job):
                queue.retry_job(job.entry_id)
    machines[1].run(*WORK, seconds=300 + 60 * KILLS)  # it has all that the others did not finish
    for job in queue.list_jobs():  # whose third worker was killed among the last
        if queue.can_retry(job):
            queue.retry_job(job.entry_id)
    machines[1].run(*WORK, seconds=300)
    assert set(states(settings)) <= {"added", "unchanged"}
    nothing_is_lost(settings, names)
    for summary in chats.list_run_summaries():
        events = chats.find_run(summary.run_id).events
        assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_a_store_that_is_away_is_waited_for(machines, store):
    settings = machines[0].settings
    queue, worker = UploadQueue.open(settings), machines[0].start("work")
    try:
        queue.enqueue("Before.pdf", rulebook("Before"))
        wait_until(lambda: states(settings) == ["added"])
        store.go_away()
        queue.enqueue("Away.pdf", rulebook("Away"))
        time.sleep(AWAY_SECONDS)
        assert states(settings)[1] in ("waiting", "reading", "keeping")
        store.come_back()
        wait_until(lambda: states(settings) == ["added", "added"], 300)
        assert worker.poll() is None
    finally:
        store.come_back()
        kill(worker)
    nothing_is_lost(settings, ["Before", "Away"])


def test_a_store_that_refuses_is_one_clear_sentence(machines):
    elsewhere = {"library_url": "s3://another-bucket/rules"}
    settings = machines[0].settings.model_copy(update=elsewhere)
    [result] = add_bytes(Library.open(settings), b'{"document": "R", "article": "1"}', "r.jsonl")
    assert result.code == "away"
    assert "cannot be reached" in result.message


def test_one_person_has_one_limit_on_all_servers(machines):
    here, there = (
        Conversations(machine.settings.conversations_url).for_person(
            "ada", Quota(uploads_an_hour=2)
        )
        for machine in machines
    )
    here.count_uploads(2)
    with pytest.raises(LibraryError) as error:
        there.count_uploads(1)
    assert error.value.code == "limit"
