"""A process to be killed: it adds, removes and asks, and prints each action once it is complete.

As imports take longer than all the rest, one process imports and forks for each line of standard
input, a seed and a data folder. It prints the process id of the fork and how it ended.
"""

import os
import random
import sys
import warnings
from pathlib import Path

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import Conversations
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library

CLAUSES = 40


def lines(name: str) -> bytes:
    """A rulebook whose every clause contains its name."""
    text = f"The speed limit of {name} in zone %d is %d km/h."
    line = f'{{"document": "{name}", "article": "%d", "text": "{text}"}}\n'
    return "".join(line % (n, n, n) for n in range(1, CLAUSES + 1)).encode()


def say(*words: object) -> None:
    """Print a line in one system call, as a kill may cut the output of `print`."""
    os.write(sys.stdout.fileno(), (" ".join(map(str, words)) + "\n").encode())


def main() -> None:
    warnings.simplefilter("ignore")  # about forks of processes with threads: none runs yet
    for line in sys.stdin:
        seed, folder = line.rstrip("\n").split(" ", 1)
        number = os.fork()
        if number == 0:
            work(Path(folder), int(seed))
            os._exit(0)
        _, status = os.waitpid(number, 0)
        say("ended", os.waitstatus_to_exitcode(status))


def work(folder: Path, seed: int) -> None:
    say("number", os.getpid())
    chance = random.Random(seed)
    library, chats = Library(folder), Conversations(f"sqlite:///{folder / 'conversations.db'}")
    for sentence in library.clean_up_leftovers():
        say("repaired", sentence)
    agent, held = (
        Agent(library, OfflineModel()),
        {d.title: d.document_id for d in library.documents()},
    )
    say("ready")
    for number in range(1000):
        match chance.choices(["add", "remove", "ask"], [5, 2, 2])[0]:
            case "add":
                name = f"Rules {seed} {number}"
                say("adding", name)
                [addition] = add_bytes(library, lines(name), f"{name}.jsonl")
                assert addition.document is not None, addition.message
                held[name] = addition.document.document_id
                say("added", name)
            case "remove" if held:
                name = chance.choice(sorted(held))
                say("removing", name)
                library.remove_document(held.pop(name))
                say("removed", name)
            case "ask" if held:
                for event in chats.save_events(
                    chats.start_conversation("Speed"),
                    agent.ask(Request("What is the speed limit in zone 7?")),
                ):
                    if not event.grows:  # growing text is shown before it is saved
                        say("event", event.run_id, event.seq)


if __name__ == "__main__":
    main()
