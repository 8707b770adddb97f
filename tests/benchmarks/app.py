"""How long the chat page takes to run its script again with 200 messages in the chat: `python tests/benchmarks/app.py`.

The script alone, as the server runs it, over the samples and without a model; not the drawing in the browser.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from streamlit.testing.v1 import AppTest

from core.agent.loop import Agent, Request
from core.agent.offline import OfflineModel
from core.chats.conversations import Conversations
from core.library.ingest import add_file
from core.library.store import Library

MESSAGES, TIMES = 200, 10
QUESTION = "What is the pit lane speed limit?"


def main() -> None:
    """Fill a chat, open it, and run its page again and again."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SCRUTINEER_DATA_DIR"] = folder
        library = Library(Path(folder))
        list(add_file(library, ROOT / "data" / "samples" / "meridian_2024_sporting_issue1.pdf"))
        chats = Conversations(f"sqlite:///{folder}/conversations.db")
        chat = chats.start(QUESTION)
        agent = Agent(library, OfflineModel())
        for _ in range(MESSAGES // 2):
            list(chats.keep(chat, agent.ask(Request(QUESTION))))
        app = AppTest.from_file(ROOT / "pages" / "home.py", default_timeout=120)
        app.query_params["chat"] = chat
        taken = [_seconds(app) for _ in range(TIMES + 1)]
        again = [1000 * seconds for seconds in taken[1:]]
        print(f"{MESSAGES} messages: first {taken[0]:.2f} s")
        print(f"again: median {statistics.median(again):.0f} ms, from {min(again):.0f} to {max(again):.0f} ms")


def _seconds(app: AppTest) -> float:
    begun = time.perf_counter()
    app.run()
    assert not app.exception
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
