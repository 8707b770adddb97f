"""A process to be killed: it adds, removes and asks, and says on standard output what it has done once it is done.

It begins when it is told a line: by then all is imported, which takes longer than the rest.
"""

import random
import sys
from pathlib import Path

from core.agent.loop import Agent, Request
from core.agent.offline import OfflineModel
from core.conversations import Conversations
from core.library.ingest import add_bytes
from core.library.store import Library

CLAUSES = 40


def lines(name: str) -> bytes:
    """A rulebook whose every clause names it."""
    line = '{{"document": "{0}", "article": "{1}", "text": "The speed limit of {0} in zone {1} is {1} km/h."}}\n'
    return "".join(line.format(name, number + 1) for number in range(CLAUSES)).encode()


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(seed)
    sys.stdin.readline()
    library, chats = Library(folder), Conversations(f"sqlite:///{folder / 'conversations.db'}")
    for sentence in library.repair():
        print("repaired", sentence, flush=True)
    agent, held = Agent(library, OfflineModel()), {d.title: d.document_id for d in library.documents()}
    print("ready", flush=True)
    for number in range(1000):
        match chance.choices(["add", "remove", "ask"], [5, 2, 2])[0]:
            case "add":
                name = f"Rules {seed} {number}"
                print("adding", name, flush=True)
                [addition] = add_bytes(library, lines(name), f"{name}.jsonl")
                assert addition.document is not None, addition.message
                held[name] = addition.document.document_id
                print("added", name, flush=True)
            case "remove" if held:
                name = chance.choice(sorted(held))
                print("removing", name, flush=True)
                library.remove(held.pop(name))
                print("removed", name, flush=True)
            case "ask" if held:
                for event in chats.keep(chats.start("Speed"), agent.ask(Request("What is the speed limit in zone 7?"))):
                    print("event", event.run_id, event.seq, flush=True)


if __name__ == "__main__":
    main()
