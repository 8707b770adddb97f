"""In how many answers the first line holds the value, the sanction or the verdict that was asked.

    python tests/benchmarks/first_line.py QUESTIONS.jsonl LIBRARY [--runs FOLDER] [--lines]

LIBRARY is a data folder with the documents of the questions; those whose sources it lacks are left
out. QUESTIONS are as in `questions/README.md`: each row with a verdict, or with a number or a
sanction in its `must_contain`, counts; so does one whose words decide (`decides`). With --runs the
runs are kept there and read on the next call, so that only the first line is made again. --lines
prints each question with its first line.
"in answer" counts the answers whose text holds the words: no line can have them elsewhere.

Measured of the answers that hold the words, before and after what is proved, and where a clause
begins, decided: 64 and 67 of 74 first lines that were looked at, 26 and 28 of 35 that were held
back; of 200 wider questions 27 and 31 of 45, 11 and 12 of 22; of 27 written afterwards 23.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.answers.answer_text import describe_headline
from core.answers.answer_view import view_answer
from core.grammar import find_sanctions, read_sentence
from core.language import ENGLISH
from core.library import Library
from core.library.types import ScopeChoice


def holds(key: str, text: str) -> bool:
    """True where the letters and digits of a key are in a text in this order, numbers whole."""
    parts = re.findall(r"\d+(?:[.,]\d+)*|[^\W\d_]+", key.rpartition("|")[2].lower())
    inner = r"[\W_]*".join(map(re.escape, parts))
    return bool(re.search(rf"(?<![\w.,]){inner}(?![.,]?\d)", text.lower()))


def list_keys(row: dict[str, Any]) -> list[list[str]]:
    """Return the alternatives that decide an answer: numbers and sanctions, not other words.

    Where a row says that its words decide, they are those.
    """
    said = row["must_contain"]
    if row.get("decides"):
        return said
    return [one for one in said if any(read_sentence(k).amounts or find_sanctions(k) for k in one)]


def ask(library: Library, row: dict[str, Any], kept: Path | None) -> list[ev.Event]:
    """Return the events of a question's run, from the folder where they are kept already."""
    if kept and kept.exists():
        return [ev.from_json(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    scope = dict(row["scope"])
    if file := scope.pop("document", None):
        ids = {one.file: one.document_id for one in library.documents()}
        scope["document"] = ids[file]
    events = list(
        Agent(library, OfflineModel()).ask(Request(row["question"], ScopeChoice(**scope)))
    )
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("\n".join(event.model_dump_json() for event in events), encoding="utf-8")
    return events


def select_rows(questions: Path, library: Library) -> Iterator[dict[str, Any]]:
    held = {one.file for one in library.documents()}
    for line in questions.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sources = row.get("sources") or row["documents"]
        has_words = row["answerable"] and (row.get("verdict") or list_keys(row))
        if has_words and not row.get("history") and held.issuperset(sources):
            yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--lines", action="store_true")
    given = parser.parse_args()
    library, counts = Library(given.library), Counter[str]()
    for row in select_rows(given.questions, library):
        events = ask(library, row, given.runs and given.runs / f"{row['id']}.jsonl")
        ended = events[-1]
        assert isinstance(ended, ev.Ended)
        headline = view_answer(events, ended).headline
        line = describe_headline(ENGLISH, headline) if headline else ""
        if verdict := row.get("verdict"):
            in_line = line.lower().startswith(verdict)
            in_answer = bool(ended.requirements)
        else:
            in_line, in_answer = (
                all(any(holds(key, text) for key in one) for one in list_keys(row))
                for text in (line, ended.answer)
            )
        kind = "accepted" if ended.outcome == "answered" else "left"
        counts.update(["questions", kind, *["in answer"] * in_answer, *["in line"] * in_line])
        counts.update([f"{kind}, in answer"] * in_answer + [f"{kind}, in line"] * in_line)
        if given.lines:
            mark = "+" if in_line else "-" if in_answer else "."
            print(f"{mark} {row['id']} {kind}: {row['question']}\n    {line}\n    {list_keys(row)}")
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
