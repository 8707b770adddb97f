"""Count what one question calls: the files and functions of `core` that its answer runs through.

    .venv/bin/python tests/benchmarks/question_cost.py [QUESTION] [--library DIR] [--top 25]

The question (the README's without it) is asked offline of a library of the samples alone, which is
made in a temporary folder, or in DIR and kept there, with what the application derives from each
document. Its run is counted with `sys.setprofile`: the calls of named functions whose file is in
`core`. A generator that continues counts again; generator expressions, comprehensions, lambdas and
the code of modules are not counted. Printed are the files and calls of a run after other questions,
in the same process, and of the same run again with what was kept in memory; of the first of them
the functions called most. With `--first` no other questions come before. Splits are those of a text
into sentences; a text is of clauses where all of it, in one piece, is in a clause of the library:
the first quote of the draft is one.

Measured by words and meaning (`hybrid`) at the version before the reader of rules:

    first 78 files, 20,462 calls of 450 functions; 138 splits of 41 texts, 32 of clauses
    again 73 files, 11,160 calls of 395 functions; 138 splits of 41 texts, 32 of clauses

before penalties were kept with their documents, and statements that only quote left unread:

    first 91 files, 39,298 calls of 531 functions; 41 splits of 41 texts, 31 of clauses
    after 89 files, 13,834 calls of 483 functions; 36 splits of 36 texts, 30 of clauses
    again 73 files, 3,461 calls of 346 functions; 0 splits of 0 texts, 0 of clauses

and since:

    first 69 files, 20,172 calls of 439 functions; 11 splits of 11 texts, 1 of clauses
    after 68 files, 2,794 calls of 395 functions; 7 splits of 7 texts, 1 of clauses
    again 59 files, 2,071 calls of 315 functions; 0 splits of 0 texts, 0 of clauses

with the statements of a draft read for a judge that is not there, offline, and without:

    after 92 files, 15,189 calls of 665 functions; 9 splits of 9 texts, 2 of clauses
    after 90 files, 5,243 calls of 550 functions; 9 splits of 9 texts, 2 of clauses
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.library import Library, add_file, embed_clauses
from core.sheets import complete_library

QUESTION = "What is the penalty for an unsafe release in a race?"
OTHERS = (
    "What is the minimum weight of the car?",
    "How long is the pit lane speed limit?",
    "Summarise the parc ferme rules.",
    "What does marshal mean?",
    "May a driver change a tyre during the race?",
)
SPLITTERS = ("split_sentences", "parse_sentences", "read_sentences")
"""Functions that split a text into sentences; the text is their first argument."""


@dataclass
class Cost:
    """What a run called, by (file, function), and the texts that were split into sentences."""

    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)

    @property
    def files(self) -> Counter[str]:
        by_file: Counter[str] = Counter()
        for (file, _), count in self.calls.items():
            by_file[file] += count
        return by_file

    def describe(self, clauses: str) -> str:
        """Return the counts on one line; `clauses` are the texts of all clauses."""
        of_clauses = [text for text in self.texts if text.strip() and text.strip() in clauses]
        return (
            f"{len(self.files)} files, {self.calls.total():,} calls of {len(self.calls)} functions;"
            f" {self.texts.total()} splits of {len(self.texts)} texts, {len(of_clauses)} of clauses"
        )


@contextmanager
def count_calls() -> Iterator[Cost]:
    """Count the calls of functions of `core` by this thread."""
    cost, folder = Cost(), f"{ROOT / 'core'}/"

    def profile(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_named = not code.co_name.startswith("<")
        if event != "call" or not is_named or not code.co_filename.startswith(folder):
            return
        cost.calls[code.co_filename.removeprefix(folder), code.co_qualname] += 1
        if code.co_name in SPLITTERS and code.co_argcount:
            cost.texts[str(frame.f_locals[code.co_varnames[0]])] += 1

    sys.setprofile(profile)
    try:
        yield cost
    finally:
        sys.setprofile(None)


def make_library(folder: Path) -> Library:
    """Return a library of the samples with all that is made of them; what is missing is made."""
    library = Library(folder, "hybrid")
    held = {document.file for document in library.documents()}
    for file in sorted((ROOT / "data/samples").glob("*.pdf")):
        if file.name not in held:
            print(*(f"{one.file}: {one.status}" for one in add_file(library, file)))
    embed_clauses(library)
    complete_library(library)
    return library


def count_question(library: Library, question: str) -> tuple[Cost, str]:
    """Return what the run of a question called, and how it ended."""
    agent = Agent(library, OfflineModel())
    with count_calls() as cost:
        *_, ended = agent.ask(Request(question))
    return cost, ended.outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("question", nargs="?", default=QUESTION)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--top", type=int, default=25)
    parser.add_argument("--first", action="store_true", help="ask no other questions before")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library = make_library(options.library or Path(folder, "library"))
        for other in () if options.first else OTHERS:
            count_question(library, other)
        cost, outcome = count_question(library, options.question)
        again, _ = count_question(library, options.question)
        held = [one.document_id for one in library.documents()]
        clauses = [clause for one in held for clause in library.clauses(one)]
        words = "\n\n".join(text for one in clauses for text in (one.text, *one.lead_in))
    print(f"{options.question} {outcome}.")
    print(f"{'first' if options.first else 'after'} {cost.describe(words)}")
    print(f"again {again.describe(words)}")
    for (file, name), count in cost.calls.most_common(options.top):
        print(f"{count:7} {name:40} {file}")


if __name__ == "__main__":
    main()
