"""Count the calls and tokens of 12 scripted runs: what is sent to a model, and what is cached.

    .venv/bin/python tests/benchmarks/prompt_cost.py [--json]

The runs ask a library of the samples, searched by words, over HTTP with the scripted server. It
counts as its `count_tokens` does, a token for four characters of JSON, and caches as the Messages
API describes it: tools, system and messages are one prefix of blocks, kept up to each block that is
marked, from 1,024 tokens on; another `tool_choice` leaves of it only tools and system. Each run
begins with an empty cache. Output is not counted. Shown for each run: its end, its calls (to
classify, answer and score), their input tokens, how many of these are of answers, the share read
from the cache and the share written to it, and the input's price in cents.

At the commit before the first change to what is sent:

    run                   end          calls     input  answers  read written    cents
    simple question       answered     1+1+1     7,503    3,631    0%     48%     0.95
    look-up by number     answered     1+1+1     8,010    3,952    0%     49%     1.03
    look-up of a group    answered     1+1+1     9,294    4,726    0%     51%     1.23
    comparison of seasons answered     1+1+1    11,202    5,835    0%     52%     1.51
    comparison of a rule  answered     1+1+1    10,284    5,319    0%     52%     1.38
    summary               answered     1+1+1     9,610    4,908    0%     51%     1.27
    penalty               answered     1+1+1     9,357    4,587    0%     49%     1.19
    value                 answered     1+1+1     7,574    3,603    0%     48%     0.94
    one round of tools    answered     1+2+1    14,787   10,084   24%     44%     1.70
    two rounds of tools   answered     1+3+1    20,105   15,458   30%     47%     2.46
    mended draft          answered     1+2+1    11,376    7,493   18%     48%     1.42
    two iterations        answered     1+2+2    14,065    7,574   15%     39%     1.46
    all                                12+17+13 133,167   77,170   10%     48%    16.54

Since the judge sees cited clauses alone, `tool_choice` stays as it is, and comparisons are cut:

    run                   end          calls     input  answers  read written    cents
    simple question       answered     1+1+1     7,760    3,866    0%     43%     0.93
    look-up by number     answered     1+1+1     8,087    4,187    0%     42%     0.99
    look-up of a group    answered     1+1+1     9,105    4,961    0%     37%     1.15
    comparison of seasons answered     1+1+1     8,784    4,632    0%     38%     1.09
    comparison of a rule  answered     1+1+1     8,271    4,175    0%     41%     0.99
    summary               answered     1+1+1     9,305    5,143    0%     36%     1.19
    penalty               answered     1+1+1     9,478    4,822    0%     36%     1.13
    value                 answered     1+1+1     8,004    3,985    0%     42%     0.95
    one round of tools    answered     1+2+1    14,739   10,554   16%     53%     2.06
    two rounds of tools   answered     1+3+1    20,290   16,160   40%     34%     2.03
    mended draft          answered     1+2+1    11,848    7,952   19%     28%     1.31
    two iterations        answered     1+2+2    14,485    8,050   23%     23%     1.35
    all                                12+17+13 130,156   78,487   12%     37%    15.17
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.claude import Claude
from core.agent.types import RunBudget
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from core.model_calls.client import make_client
from core.model_calls.messages_api import MessagesApi
from core.settings import Settings
from core.sheets import complete_library
from tests.messages_server import (
    Body,
    MessagesServer,
    Scripted,
    assessed,
    called,
    classified,
    location,
    said,
    search_results,
    text,
    tool_use,
)

MINIMUM_CACHED = 1024
"""Tokens from which a prefix is kept."""
CHARACTERS_PER_TOKEN = 4
Answer = Callable[[Body], Scripted]


@dataclass(frozen=True)
class Script:
    """A run: what is asked, how it is classified, what the model replies and the judge gives."""

    name: str
    question: str
    answers: Sequence[Answer]
    tool: str = "regulation_search"
    query: str = ""
    grades: Sequence[int] = (9,)


@dataclass
class PromptCache:
    """The prefixes that a server keeps, and the counts of a request by them."""

    kept: set[str] = field(default_factory=set)

    def count(self, body: Body) -> dict[str, int]:
        """Return the usage of a request, and keep its marked prefixes."""
        prefix, size, read, written = body["model"], 0, 0, 0
        for block, is_marked in list_blocks(body):
            prefix, size = f"{prefix}\n{block}", size + len(block) // CHARACTERS_PER_TOKEN
            if prefix in self.kept:
                read = size
            elif is_marked and size >= MINIMUM_CACHED:
                self.kept.add(prefix)
                written = size - read
        counts = {"cache_read_input_tokens": read, "cache_creation_input_tokens": written}
        return counts | {"input_tokens": size - read - written, "output_tokens": 0}


def list_blocks(body: Body) -> Iterator[tuple[str, bool]]:
    """Yield the blocks of a request in the order of its prefix, each with whether it is marked."""
    groups = [body.get("tools", []), body.get("system", [])]
    blocks = [json.dumps(block) for group in groups for block in group]
    marked = ["cache_control" in block for group in groups for block in group]
    yield from zip(blocks, marked, strict=True)
    choice = json.dumps([body.get("tool_choice"), body.get("output_config"), body.get("thinking")])
    listed = [
        (message["role"], block)
        for message in body["messages"]
        for block in as_blocks(message["content"])
    ]
    for place, (role, block) in enumerate(listed, start=1):
        is_last = place == len(listed) and "cache_control" in body
        opening = f"{choice}\n" if place == 1 else ""
        yield f"{opening}{role} {json.dumps(block)}", is_last or "cache_control" in block


def as_blocks(content: str | list[Body]) -> list[Body]:
    """Return the content of a message as blocks."""
    return [text(content)] if isinstance(content, str) else content


def quote(words: str = "") -> Answer:
    """Return an answer that quotes the first piece with these words, else the first of all."""

    def reply(body: Body) -> Scripted:
        pieces = [
            (" ".join(piece["text"].split()), location(block, index, place))
            for index, block in enumerate(search_results(body))
            for place, piece in enumerate(block["content"])
        ]
        found, cited = next((one for one in pieces if words in one[0]), pieces[0])
        return said("TASK_COMPLETE:\n", text(f'"{found}"', cited))

    return reply


def look_up(*queries: str, tool: str = "regulation_search") -> Answer:
    """Return a reply that calls a tool with each of the queries."""
    calls = (tool_use(tool, f"toolu_{n}_{q[:8]}", query=q) for n, q in enumerate(queries))
    reply = called(*calls, aloud="I look further.")
    return lambda _: reply


def say(words: str) -> Answer:
    """Return a reply with a draft that quotes nothing."""
    return lambda _: said(f"TASK_COMPLETE:\n{words}")


PIT_LANE = "pit lane speed limit is 50 km/h"
SCRIPTS = (
    Script("simple question", "What is the pit lane speed limit in 2024?", [quote(PIT_LANE)]),
    Script("look-up by number", "What does Article 21.3 say in 2024?", [quote(PIT_LANE)]),
    Script("look-up of a group", "What does Article 21 say in 2024?", [quote(PIT_LANE)]),
    Script(
        "comparison of seasons",
        "What changed in the sporting regulations from 2023 to 2024?",
        [quote()],
        "regulation_comparison",
    ),
    Script(
        "comparison of a rule",
        "How did the pit lane speed limit change from 2023 to 2024?",
        [quote()],
        "regulation_comparison",
    ),
    Script(
        "summary",
        "Summarise the rules on tyres in 2024.",
        [quote()],
        "regulation_summary",
    ),
    Script(
        "penalty",
        "What is the penalty for an unsafe release in a 2024 race?",
        [quote()],
        "penalty_lookup",
    ),
    Script("value", "Is 55 km/h in the pit lane legal in 2024?", [quote(PIT_LANE)]),
    Script(
        "one round of tools",
        "What is the pit lane speed limit in 2024, and what follows from speeding?",
        [look_up("penalty for speeding in the pit lane", "Article 38.3"), quote(PIT_LANE)],
    ),
    Script(
        "two rounds of tools",
        "What must a car weigh in 2024?",
        [look_up("minimum mass of the car"), look_up("ballast"), quote("617 kg")],
    ),
    Script(
        "mended draft",
        "How fast may one drive in the pit lane in 2024?",
        [say('"The pit lane speed limit is 60 km/h during the whole Event." [2]'), quote(PIT_LANE)],
    ),
    Script(
        "two iterations",
        "May I go faster than the limit of the pit lane in 2024?",
        [quote(PIT_LANE), quote(PIT_LANE)],
        grades=(5, 9),
    ),
)


@dataclass(frozen=True)
class Counts:
    """What a run sent: calls by purpose, and tokens."""

    name: str
    outcome: str
    calls: Mapping[str, int]
    input_tokens: int
    answer_tokens: int
    read: int
    written: int
    cents: float

    def describe(self) -> str:
        """Return one line of the table."""
        calls = "+".join(str(self.calls[purpose]) for purpose in ("classify", "answer", "score"))
        shares = f"{self.read / self.input_tokens:6.0%} {self.written / self.input_tokens:7.0%}"
        return (
            f"    {self.name:22}{self.outcome:13}{calls:7}{self.input_tokens:8,}"
            f"{self.answer_tokens:9,}{shares}{self.cents:9.2f}"
        )


def play_script(library: Library, script: Script) -> Counts:
    """Return what the run of a script sent."""
    answers, grades, cache = iter(script.answers), iter(script.grades), PromptCache()

    def choose_reply(body: Body) -> Scripted:
        if body.get("stream"):
            return next(answers)(body)
        if "first step" in body["system"][0]["text"]:
            return classified(script.tool, question=script.question, query=script.query)
        grade = next(grades)
        if grade >= 7:
            return assessed(grade)
        return assessed(grade, "REFINE_QUERY", query="speed in the pit lane")

    def reply(body: Body) -> Scripted:
        return replace(choose_reply(body), usage=cache.count(body))

    with MessagesServer(iter(lambda: reply, None)) as server:
        key: dict[str, Any] = {"anthropic_api_key": "sk-ant-test"}
        settings = Settings(_env_file=None, anthropic_base_url=server.url, **key)
        with make_client(settings) as client:
            model = Claude(settings, MessagesApi(settings, client))
            asked = Request(script.question, budget=RunBudget())
            events = list(Agent(library, model).ask(asked))
    made = [event for event in events if isinstance(event, ev.ModelCalled)]
    *_, ended = events
    return Counts(
        script.name,
        ended.outcome,
        {p: sum(one.purpose == p for one in made) for p in ("classify", "answer", "score")},
        sum(one.usage.sent_tokens for one in made),
        sum(one.usage.sent_tokens for one in made if one.purpose == "answer"),
        sum(one.usage.cache_read_tokens for one in made),
        sum(one.usage.cache_write_tokens for one in made),
        100 * sum(one.usage.cost or 0.0 for one in made),
    )


def sum_counts(counted: Sequence[Counts]) -> Counts:
    """Return the counts of all runs together."""
    purposes = ("classify", "answer", "score")
    return Counts(
        "all",
        "",
        {purpose: sum(one.calls[purpose] for one in counted) for purpose in purposes},
        *(sum(getattr(one, name) for one in counted) for name in ("input_tokens", "answer_tokens")),
        *(sum(getattr(one, name) for one in counted) for name in ("read", "written", "cents")),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder), "lexical")
        for file in sorted((ROOT / "data" / "samples").glob("*.pdf")):
            list(add_file(library, file))
        complete_library(library)
        counted = [play_script(library, script) for script in SCRIPTS]
    if options.json:
        print(json.dumps([asdict(one) for one in counted]))
        return
    head = f"    {'run':22}{'end':13}{'calls':7}{'input':>8}{'answers':>9}{'read':>6}{'written':>8}"
    print(f"{head}{'cents':>9}")
    for one in (*counted, sum_counts(counted)):
        print(one.describe())


if __name__ == "__main__":
    main()
