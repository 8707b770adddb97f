"""Fifty people asking one server at once: `python tests/benchmarks/load.py` (`--rounds 2` for a
quick look).

47 speak the server's own protocol, 3 sit at real browsers; each is logged in as somebody else, and
asks with a mark of their own that the scripted model repeats in its answer. Own share: from sending
a question until its whole answer stands on a page at rest, less 0.5 s for each of the 3 calls of
the model, whose streaming overshoot counts as ours.

Measured on two cores that did nothing else, 50 people, 20 rounds: 1,000 of 1,000 answered, people
apart.

| | own share, median | p95 | processor a question | resident memory |
|---|---|---|---|---|
| round 1 | 5.1 s | 6.3 s | 177 ms | 460 MiB |
| round 2 | 4.6 s | 4.7 s | 135 ms | 464 MiB |
| round 10 | 3.2 s | 4.4 s | 123 ms | 456 MiB |
| round 20 | 4.5 s | 5.8 s | 168 ms | 461 MiB |
| all rounds | 3.5 s | 5.2 s | 135 ms | 461 MiB |
| three more, nothing added | 3.3 s | 4.8 s | 134 ms | 465 MiB |
| three more, 200 pages added in each | 6.4 s | 8.2 s | 186 ms | 545 MiB |

These figures are of 22 November 2026. Four days later the same version took 271 ms of processor a
question in four rounds, the machine being slower, and right after it the present one 470 ms: own
share 14.5 s for 7.7 (median) and 27.0 s for 15.5 (p95). With four people instead of fifty it is 240
ms for 180.

Before anybody comes there are 197 MiB, with 50 pages open 318. While tabs held on to every run they
had shown (tests/pages/test_memory.py) memory grew by 45 to 57 KiB a question; it is 9 now, and
`malloc_trim` gives most back. What is held is what Streamlit knows of each widget until its tab is
closed, four a question.
"""

import argparse
import asyncio
import io
import json
import multiprocessing
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import pypdfium2
from playwright.async_api import async_playwright

from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from tests.benchmarks.visitors import ANSWERED, MARK, Caller, Reader, Visitor, all_ask
from tests.benchmarks.watched import Watched
from tests.browser.app_server import free_port, served
from tests.messages_server import Body, MessagesServer, Scripted, assessed, citing, classified

SAMPLES = ROOT / "data" / "samples"
RULEBOOKS = ROOT.parent / "shared" / "rulebooks"
QUESTION = "What is the pit lane speed limit?"
CALL = 0.5
"""Seconds that each call of the model takes."""
SECRET = "a secret of this load run alone, not of any server that serves"
PAGES = 200
GENEROUS = {
    "SCRUTINEER_RUNS_AT_A_TIME": "100",
    "SCRUTINEER_QUESTIONS_A_MINUTE": "10000",
    "SCRUTINEER_LOG_LEVEL": "WARNING",
}


@dataclass(frozen=True, slots=True)
class Round:
    """One round of questions: what each took in seconds, the processor time and resident memory of
    the server.
    """

    seconds: tuple[float, ...]
    cpu: float
    resident: float
    """MiB, at the end of the round."""

    def told(self) -> str:
        own = sorted(second - CALLS * CALL for second in self.seconds)
        return (
            f"own share: median {statistics.median(own):5.2f} s, p95 {_p95(own):5.2f} s, most"
            f" {own[-1]:5.2f} s;"
            f" processor {1000 * self.cpu / len(own):4.0f} ms a question; {self.resident:5.0f} MiB"
        )


CALLS = 3
"""Calls a question takes: to classify, to answer, to score. The events kept of each run are counted
to be sure."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Many people asking one server at once.")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument(
        "--adding", type=int, default=3, help="rounds with, and as many without, a PDF being added"
    )
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument(
        "--browsers", type=int, default=3, help="how many of the sessions are in real browsers"
    )
    parser.add_argument("--script", type=Path, default=ROOT / "app.py", help=argparse.SUPPRESS)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _models() as model:
        data, port = Path(folder), free_port()
        list(add_file(Library(data / "library"), SAMPLES / "meridian_2024_sporting_issue1.pdf"))
        (data / "secrets.toml").write_text(_secrets(port))
        settings = {"ANTHROPIC_BASE_URL": model, "ANTHROPIC_API_KEY": "none", **GENEROUS}
        with served(
            data, told.script, port, STREAMLIT_SECRETS_FILES=str(data / "secrets.toml"), **settings
        ) as address:
            asyncio.run(_measure(told, address, Watched.at(port)))
        _check_kept(
            data / "library" / "conversations.db", told.sessions * (told.rounds + 2 * told.adding)
        )
        if errors := [
            line for line in (data / "server.log").read_text().splitlines() if "Traceback" in line
        ]:
            print(
                f"the server's log has {len(errors)}"
                f" errors:\n{(data / 'server.log').read_text()[-3000:]}"
            )


async def _measure(told: argparse.Namespace, address: str, server: Watched) -> None:
    """Everybody comes, asks round by round, and goes."""
    print(
        f"load before: {' '.join(f'{load:.1f}' for load in os.getloadavg())};"
        f" {server.resident():.0f} MiB at the start"
    )
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with server.peaking():
            people = range(told.sessions)
            readers = [
                await Reader.comes(person, address, SECRET, browser)
                for person in people[: told.browsers]
            ]
            callers = [
                await Caller.comes(person, address, SECRET) for person in people[told.browsers :]
            ]
            visitors: list[Visitor] = [*readers, *callers]
            print(
                f"{len(visitors)} pages open: {server.resident():.0f} MiB, {server.threads()}"
                " threads"
            )
            rounds = [await _round(visitors, number, server) for number in range(told.rounds)]
            _tell_all("all rounds", rounds)
            _tell_growth(rounds[1:])
            number = told.rounds
            alone = [await _round(visitors, number + n, server) for n in range(told.adding)]
            _tell_all("nothing added", alone)
            number += told.adding
            meanwhile = [
                await _round(visitors, number + n, server, _large_pdf(n), readers[0])
                for n in range(told.adding)
            ]
            _tell_all(f"{PAGES} pages added meanwhile", meanwhile)
            for visitor in visitors:
                await visitor.goes()
        await browser.close()
    await asyncio.sleep(2)
    print(
        f"everybody gone: {server.resident():.0f} MiB, at the peak {server.peak:.0f} MiB,"
        f" {server.threads()} threads"
    )
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


async def _round(
    visitors: Sequence[Visitor],
    number: int,
    server: Watched,
    pdf: bytes = b"",
    by: Reader | None = None,
) -> Round:
    cpu = server.cpu()
    if by:
        await by.bring(f"rules {number}.pdf", pdf)
    met = await all_ask(visitors, number, QUESTION)
    for visitor, trouble in zip(visitors, met, strict=True):
        if isinstance(trouble, BaseException):
            print(
                f"NOT ANSWERED: {type(visitor).__name__} {visitor.person} in round"
                f" {number + 1}: {trouble!r}"
            )
    ended = Round(
        tuple(s for s in met if isinstance(s, float)), server.cpu() - cpu, server.resident()
    )
    print(f"round {number + 1:2}: {ended.told()}, {server.threads()} threads", flush=True)
    return ended


def _tell_all(name: str, rounds: Sequence[Round]) -> None:
    if rounds:
        seconds = tuple(second for each in rounds for second in each.seconds)
        print(
            f"{name}: {len(seconds)} answers;"
            f" {Round(seconds, sum(r.cpu for r in rounds), rounds[-1].resident).told()}"
        )


def _tell_growth(rounds: Sequence[Round]) -> None:
    """What memory a question leaves behind: the slope of a line through the rounds, which no one
    peak decides.
    """
    if len(rounds) > 1:
        asked = [
            float(sum(len(each.seconds) for each in rounds[: end + 1]))
            for end in range(len(rounds))
        ]
        slope, _ = statistics.linear_regression(asked, [each.resident for each in rounds])
        print(f"memory from round 2 on: {1024 * slope:+.1f} KiB a question")


def _large_pdf(number: int) -> bytes:
    """A rulebook of 200 pages out of large ones; `number` makes it one that has not been added
    yet.
    """
    made = pypdfium2.PdfDocument.new()
    for path in sorted(RULEBOOKS.glob("*technical*.pdf")) + sorted(
        RULEBOOKS.glob("*sporting*.pdf")
    ):
        source = pypdfium2.PdfDocument(path)
        made.import_pages(source, list(range(min(len(source), PAGES - len(made)))))
        if len(made) == PAGES:
            break
    whole = io.BytesIO()
    made.save(whole)
    return whole.getvalue() + f"\n% {number}\n".encode()


def _secrets(port: int) -> str:
    """A login whose provider is never asked: who comes has logged in before."""
    told = {
        "redirect_uri": f"http://127.0.0.1:{port}/oauth2callback",
        "cookie_secret": SECRET,
        "client_id": "load",
        "client_secret": "load",
        "server_metadata_url": "http://127.0.0.1:9/.well-known/openid-configuration",
    }
    return "[auth]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in told.items())


@contextmanager
def _models() -> Iterator[str]:
    """The address of the scripted Messages server, in a process of its own so that it takes no time
    of ours.
    """
    port = free_port()
    process = multiprocessing.get_context("spawn").Process(
        target=_serve_model, args=(port,), daemon=True
    )
    process.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.join()


def _serve_model(port: int) -> None:
    with suppress(KeyboardInterrupt):
        MessagesServer(repeat(_reply), port).serve()


def _reply(body: Body) -> Scripted:
    """Half a second for each call: at once for the decisions, word by word for the answer, as
    models do it.
    """
    if not body.get("stream"):
        classifying = "documents" in body["output_config"]["format"]["schema"]["properties"]
        return replace(classified(query=QUESTION) if classifying else assessed(9), pause=CALL)
    asked = [
        found.group().decode() for found in MARK.finditer(json.dumps(body["messages"]).encode())
    ]
    reply = citing("50 km/h", f"TASK_COMPLETE: {ANSWERED.format(asked[-1])}: ", chunk=12)(body)
    said = sum(
        -(-len(block["text"]) // 12) + len(block.get("citations", ())) + 2
        for block in reply.content
    )
    return replace(reply, pause=CALL / (said + 3))


def _check_kept(database: Path, expected: int) -> None:
    """Every question is kept with its answer and its own mark, for whom asked it, and took three
    calls.
    """
    calls = (
        "select count(*) from events e where e.run_id = r.run_id"
        " and json_extract(event, '$.type') = 'ModelCalled'"
    )
    last = "select event from events e where e.run_id = r.run_id order by seq desc limit 1"
    told = f"c.person, r.question, r.outcome, ({calls}), ({last})"
    query = f"select {told} from runs r join conversations c using (conversation_id)"
    with sqlite3.connect(database) as connection:
        rows = connection.execute(query).fetchall()
    wrong = [
        row
        for row in rows
        if row[2:4] != ("answered", CALLS) or ANSWERED.format(row[1].split()[-1]) not in row[4]
    ]
    people = {(person, MARK.search(question.encode())[1]) for person, question, *_ in rows}  # type: ignore[index]
    apart = len(people) == len({person for person, _ in people}) == len({who for _, who in people})
    print(
        f"kept: {len(rows)} of {expected} runs, {len(wrong)} not answered as they should;"
        f" people apart: {apart}"
    )
    if wrong:
        print(*wrong, sep="\n")


def _p95(ordered: Sequence[float]) -> float:
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


if __name__ == "__main__":
    main()
