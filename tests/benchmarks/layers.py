"""Ask questions on rules in layers, offline, and count which rules are told as law.

    python tests/benchmarks/layers.py [--held-back] [--folder FOLDER]

`questions/layers.csv` has 30 questions with the rule that holds, the one that it overrides, and who
prevails: half on the Harbour Cup (`tests/layered_cup.py`), half on the Formula Student Rules 2020
with the handbook of Formula Student Austria 2020, read from FOLDER. Those whose number 3 divides
were put aside before the first change, and are asked with --held-back alone.
"""

import argparse
import csv
import tempfile
from collections import Counter
from pathlib import Path

from core.agent import Agent, Ended, Request
from core.agent.models.offline.model import OfflineModel
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from core.library.types import Relation
from tests.layered_cup import add_harbour_cup

QUESTIONS = Path(__file__).parent / "questions" / "layers.csv"
FOLDER = Path(__file__).resolve().parents[3] / "shared" / "rulebooks_wide"
FILES = ("FS-Rules_2020_V1.0.pdf", "FSA-Competition-Handbook-2020-1.0.1.pdf")
SAID = (
    "In case of any contradiction between this document and “Rules 2020” the FSA rules are to be"
    " considered valid."
)


def read_questions(documents: str) -> list[dict[str, str]]:
    """Return the questions on some documents."""
    with QUESTIONS.open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["documents"] == documents]


def add_austria(library: Library, folder: Path) -> None:
    """Add rules and handbook of one season, and say how they stand to one another."""
    ids = []
    for name in FILES:
        [added] = add_file(library, folder / name)
        assert added.document is not None, added.message
        ids.append(added.document.document_id)
    said = Relation("supplements", ids[0], "this", None, f"{ids[1]}:AT 1.2", SAID)
    library.relate(ids[1], said)


def judge_answer(library: Library, row: dict[str, str]) -> tuple[str, Ended]:
    """Return "right", "law" (an overridden rule told as law), or what else is wrong."""
    *_, ended = Agent(library, OfflineModel()).ask(Request(row["question"]))
    assert isinstance(ended, Ended)
    cited = [citation.article for citation in ended.citations]
    marks = {one.article: {note.kind for note in one.layers} for one in ended.citations}
    under = row["overridden"]
    if under in marks and ("overridden" not in marks[under] or row["law"] not in cited):
        return "law", ended
    if row["prevails"] == "nothing":
        is_told = any("unsettled" in kinds for kinds in marks.values())
        return ("right" if is_told else "not told as unsettled"), ended
    if row["law"] not in cited:
        return f"not found ({ended.outcome})", ended
    is_first = not under or under not in cited or cited.index(row["law"]) < cited.index(under)
    return ("right" if is_first else "in the wrong order"), ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-back", action="store_true")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--library", type=Path, help="One in which the pair is already.")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        cup, austria = Library(Path(folder) / "cup"), Library(Path(folder) / "fsa")
        add_harbour_cup(cup)
        if asked.library:
            austria = Library(asked.library)
        else:
            add_austria(austria, asked.folder)
        for library, documents in ((cup, "cup"), (austria, "fsa")):
            for row in read_questions(documents):
                if (int(row["id"]) % 3 == 0) == asked.held_back:
                    judged, ended = judge_answer(library, row)
                    counts[judged] += 1
                    cited = ", ".join(one.article for one in ended.citations)
                    print(f"{row['id']:>3} {judged:30} {ended.outcome:10} {cited}")
    print(dict(counts))


if __name__ == "__main__":
    main()
