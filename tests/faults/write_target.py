"""A process that writes, and ends itself by SIGKILL between two steps of a write.

As imports take longer than all the rest, one process imports and forks for each line of standard
input: an action, the number of the step to end at (0: at none) and a folder. It prints each step,
each event that was saved, and how the fork ended.
"""

import os
import signal
import sqlite3
import sys
import warnings
from dataclasses import replace
from itertools import count
from pathlib import Path

import lancedb
from lancedb.embeddings import TextEmbeddingFunction, register

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import Conversations
from core.library.embedding.models import EmbeddingModel
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.storage.vectors import embed_clauses
from core.maintenance.backups import backup, restore
from core.maintenance.checks import check
from core.rulebook import MetadataOverride
from core.settings import Settings
from core.write_steps import WriteStep, observe_steps
from tests.cup import queue_in
from tests.rulebook.pdf_builder import Paper

CLAUSES = 12
QUESTION = "What is the speed limit in zone 7?"


@register("one-number")
class OneNumber(TextEmbeddingFunction):
    """A model for which all texts mean the same."""

    def ndims(self) -> int:
        return 1

    def generate_embeddings(self, texts, *args, **kwargs):
        return [[1.0] for _ in texts]


def lines(season: int) -> bytes:
    """An edition of a rulebook whose every clause contains its season."""
    text = f"The speed limit of {season} in zone %d is %d km/h."
    about = f'"document": "Cup {season}", "family": "cup", "season": {season}'
    line = f'{{{about}, "article": "%d", "text": "{text}"}}\n'
    return "".join(line % (n, n, n) for n in range(1, CLAUSES + 1)).encode()


def paper() -> bytes:
    page = Paper().line("2025 Karting Club Sporting Regulations").heading("1", "KARTS")
    return page.clause("1.1", "Every kart must carry a yellow bumper.").pdf()


def settings_of(folder: Path) -> Settings:
    return Settings(_env_file=None, data_dir=folder / "data")


def library_in(folder: Path) -> Library:
    return Library(folder / "data", "hybrid", EmbeddingModel("one-number"))


def chats_in(folder: Path) -> Conversations:
    return Conversations(settings_of(folder).conversations_url)


def prepare(folder: Path) -> None:
    """Two editions, an answered question, a backup of both, and the same as an older version."""
    (folder / "data").mkdir(parents=True)
    for season in (2023, 2024):
        list(add_bytes(library_in(folder), lines(season), f"{season}.jsonl"))
    ask(folder)
    backup(settings_of(folder), folder / "before.zip")


def make_old(folder: Path) -> None:
    """Make the library and the chats as an older version left them."""
    index = lancedb.connect(str(folder / "data" / "index"))
    for name in ("documents", "clauses"):
        rows = index.open_table(name).to_arrow().drop_columns(["digest"])
        index.create_table(name, rows.replace_schema_metadata({}), mode="overwrite")
    with sqlite3.connect(folder / "data" / "conversations.db") as chats:
        for column in ("thumb", "reason"):
            chats.execute(f"ALTER TABLE runs DROP COLUMN {column}")
    (folder / "data" / "files" / "unknown.pdf").write_bytes(b"%PDF that no note mentions")


def add(folder: Path) -> None:
    list(add_bytes(library_in(folder), lines(2025), "2025.jsonl"))


def upload(folder: Path) -> None:
    library, queue = library_in(folder), queue_in(folder / "data")
    if not queue.list_jobs():
        queue.enqueue("kart.pdf", paper())
    while queue.process_next_job(library):
        pass


def correct(folder: Path) -> None:
    first = library_in(folder).documents()[0]
    library_in(folder).correct_metadata(first.document_id, MetadataOverride(issue=3))


def read_again(folder: Path) -> None:
    """Replace a document by the same with other words, as a later version may read it."""
    library = library_in(folder)
    document = library.documents()[0]
    clauses = (
        replace(one, text=one.text.replace("speed", "highest speed"))
        for one in library.clauses(document.document_id)
        if "highest" not in one.text
    )
    if changed := tuple(clauses):
        library.replace_document(library.find_entry(document.document_id)[1], (document, changed))
    embed_clauses(library)


def remove(folder: Path) -> None:
    library = library_in(folder)
    for document in library.documents():
        if document.season == 2023:
            library.remove_document(document.document_id)


def ask(folder: Path) -> None:
    chats, agent = chats_in(folder), Agent(library_in(folder), OfflineModel())
    events = agent.ask(Request(QUESTION))
    for event in chats.save_events(chats.start_conversation("Speed"), events):
        if not event.grows:  # growing text is shown before it is saved
            say("event", event.run_id, event.seq)


def back_up(folder: Path) -> None:
    if not (folder / "all.zip").exists():
        backup(settings_of(folder), folder / "all.zip", signed=True)


def bring_back(folder: Path) -> None:
    settings = Settings(_env_file=None, data_dir=folder / "back" / "data")
    if not settings.data_dir.exists():
        restore(settings, folder / "before.zip")


def migrate(folder: Path) -> None:
    chats_in(folder)
    list(check(settings_of(folder)))
    embed_clauses(library_in(folder))


def say(*words: object) -> None:
    """Print a line in one system call, as a kill may cut the output of `print`."""
    os.write(sys.stdout.fileno(), (" ".join(map(str, words)) + "\n").encode())


def end_at(kill_at: int) -> None:
    """Have this process killed at a step."""
    numbers = count(1)

    def observe(step: WriteStep) -> None:
        say("step", step)
        if next(numbers) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    observe_steps(observe)


ACTIONS = {
    action.__name__: action
    for action in (add, upload, correct, read_again, remove, ask, back_up, bring_back, migrate)
}


def main() -> None:
    warnings.simplefilter("ignore")  # about forks of processes with threads: none runs yet
    others = {"prepare": prepare, "make_old": make_old}
    for line in sys.stdin:
        action, kill_at, folder = line.rstrip("\n").split(" ", 2)
        number = os.fork()
        if number == 0:
            end_at(int(kill_at))
            (ACTIONS | others)[action](Path(folder))
            os._exit(0)
        _, status = os.waitpid(number, 0)
        say("ended", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
