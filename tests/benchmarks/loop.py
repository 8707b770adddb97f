"""Our own time in a run, models and network left out: to the first event, and an iteration.

    .venv/bin/python tests/benchmarks/loop.py [PDF ...]     (default: two of data/samples)

Runs questions over a library of these files with a scripted model that answers at once, and with
the offline model. Gives medians in milliseconds over all questions, and what share of an iteration
is the search.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.base import Assessment, Classification, Model, Reply
from core.agent.models.offline.model import OfflineModel
from core.agent.types import Score
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from core.model_calls.types import Usage
from tests.scripted_model import ScriptedModel

QUESTIONS = (
    "What is the pit lane speed limit?",
    "What is the minimum mass of the car?",
    "Which tyres must be used in qualifying?",
    "What happens after a false start?",
    "Who may enter the parc fermé?",
)
ROUNDS = 20


def scripted(question: str) -> ScriptedModel:
    """A model that classifies, answers and scores without a moment's thought."""
    usage = Usage("scripted", "script")
    return ScriptedModel(
        (
            Classification("SEARCH", "tool", question, "regulation_search", question, ""),
            Reply("", "I did not find it.", (), (), usage),
            Assessment(Score(9, 9, 9, 9), "CONCLUDE", "", "", ""),
        )
    )


def timed(library: Library, model: Model, question: str) -> tuple[float, float, float]:
    """Milliseconds to the first event, of the first iteration, and of its tool."""
    started = time.perf_counter()
    first = begun = tool = 0.0
    for event in Agent(library, model).ask(Request(question)):
        now = 1000 * (time.perf_counter() - started)
        match event:
            case ev.Asked():
                first = now
            case ev.PlanMade(iteration=1):
                begun = now
            case ev.ToolCalled():
                tool += 1000 * event.seconds
            case ev.Decided(iteration=1):
                return first, now - begun, tool
    return first, 0.0, tool


def main(files: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder))
        for file in files:
            for addition in add_file(library, file):
                print(f"{addition.file}: {addition.status}")
        for name in ("scripted", "offline"):
            models = [
                (q, scripted(q) if name == "scripted" else OfflineModel())
                for q in QUESTIONS * ROUNDS
            ]
            times = [timed(library, model, question) for question, model in models]
            first, iteration, tool = (
                statistics.median(column) for column in zip(*times, strict=True)
            )
            print(
                f"{name:9} first event {first:6.1f} ms   iteration {iteration:6.1f} ms   of"
                f" which tool {tool:6.1f} ms"
            )


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    main(given or sorted((ROOT / "data" / "samples").glob("meridian_2024_*.pdf")))
