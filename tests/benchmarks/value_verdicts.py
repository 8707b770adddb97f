"""Whether values of real rulebooks get the right verdict, asked as questions and in sheets.

    .venv/bin/python tests/benchmarks/value_verdicts.py [--library DIR] [--faults] [--kind WORD]

Each row of value_verdicts.jsonl is a value of our own with the verdict that a person reached with
the rulebook in hand, and its article. 52 are of the seven kinds of rules that are easily read
wrong (`kind`), the others plain, 66 of them in lay words ("plain, fresh"); each third row is held
back and counted apart. A row is asked as
a question (the events of `python -m core ask --json`, offline, of its rulebook alone) and as a row
of a sheet (`python -m core sheet --json`). Printed is what is falsely legal (also where nobody can
tell), falsely not legal, right, and undecided where the rule decides; what was not answered at
all; and where question and sheet differ. With --faults the open rows in error are listed.

The rulebooks are those of ../shared; they are added to a library in a temporary folder, or in DIR
and kept there.

Measured at the version before the reader of rules (open 40, held back 20):

                    falsely legal  falsely not legal  right  undecided
    ask, open                   2                  0     14         24
    sheet, open                 2                  0     18         20
    ask, held back              0                  0      6         14
    sheet, held back            0                  0     10         10
    ask and sheet differ in 14 rows; no question with "24 hours" finds a clause

Measured with the fresh rows (open 84, held back 42): 0 falsely legal or not; right 55 and 18 asked,
61 and 26 in sheets.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.library import Library, ScopeChoice, add_file, embed_clauses

ROWS = Path(__file__).with_suffix(".jsonl")
FOLDERS = [ROOT.parent / "shared" / name for name in ("rulebooks_wide", "rulebooks")]
SURFACES = ("ask", "sheet")
FOUND = ("answered", "found")
"""Outcomes of a question with clauses that it quotes; with "found" they decide nothing."""
Row = Mapping[str, Any]


def combine_verdicts(shown: Sequence[Row]) -> str:
    """Return the verdict of all checked limits; differing alternatives decide nothing."""
    verdicts = {row["verdict"] for row in shown if not row.get("alternative")}
    alternatives = {row["verdict"] for row in shown if row.get("alternative")}
    verdicts |= {"cannot tell"} if len(alternatives) > 1 else alternatives
    if "not legal" in verdicts:
        return "not legal"
    return "legal" if verdicts == {"legal"} else "cannot tell"


def ask_value(agent: Agent, document_id: str, question: str) -> tuple[str, str]:
    """Return the verdict on the values of a question, and how its run ended."""
    *_, ended = agent.ask(Request(question, ScopeChoice(document=document_id)))
    told = json.loads(ended.model_dump_json())
    return combine_verdicts(told["requirements"]), told["outcome"]


def check_sheet(library: Library, document_id: str, rows: Iterable[Row]) -> dict[str, str]:
    """Return the verdicts on rows of one sheet, by their ids."""
    with tempfile.TemporaryDirectory() as folder:
        sheet = Path(folder, "sheet.csv")
        with sheet.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("id", "parameter", "value", "unit", "note"))
            writer.writerows(
                (one["id"], one["name"], one["value"], one["unit"], "") for one in rows
            )
        command = [sys.executable, "-m", "core", "sheet", str(sheet), "--json"]
        command += ["--document", document_id]
        env = {**os.environ, "SCRUTINEER_DATA_DIR": str(library.folder.resolve())}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(f"`python -m core sheet` failed:\n{done.stdout}{done.stderr}")
    told = map(json.loads, done.stdout.splitlines())
    return {one["id"]: one["verdict"] for one in told}


def grade_verdict(said: str, right: str) -> str:
    """Name what a verdict is: right, undecided, or false in either way."""
    said = said if said in ("legal", "not legal") else "cannot tell"
    if said == right:
        return "right"
    return "undecided" if said == "cannot tell" else f"falsely {said}"


def make_library(folder: Path, names: Iterable[str]) -> tuple[Library, dict[str, str]]:
    """Return a library with the rulebooks of these names, and their ids; missing ones are added."""
    library = Library(folder, "hybrid")
    held = {document.file for document in library.documents()}
    for name in names:
        paths = (folder / name for folder in FOLDERS if (folder / name).exists())
        path = None if name in held else next(paths, None)
        if path:
            print(*(f"{one.file}: {one.status}" for one in add_file(library, path)), flush=True)
    embed_clauses(library)
    return library, {one.file: one.document_id for one in library.documents()}


def judge(library: Library, ids: Mapping[str, str], rows: Sequence[Row]) -> list[dict[str, str]]:
    """Return for each row what was said by both, and how its question ended."""
    by_document = defaultdict(list)
    for row in rows:
        by_document[row["document"]].append(row)
    sheets: dict[str, str] = {}
    for document, of_it in by_document.items():
        sheets |= check_sheet(library, ids[document], of_it)
    agent = Agent(library, OfflineModel())
    judged = []
    for row in rows:
        said, outcome = ask_value(agent, ids[row["document"]], row["question"])
        judged.append({"ask": said, "sheet": sheets.get(row["id"], "no rule"), "outcome": outcome})
    return judged


def table_lines(rows: Sequence[Row], judged: Sequence[Mapping[str, str]]) -> Iterable[str]:
    """Yield the counts of open rows, of those held back, and of each kind."""
    columns = ("falsely legal", "falsely not legal", "right", "undecided")
    yield f"{'':44}" + "".join(f"{name:>19}" for name in columns)
    groups: dict[str, list[int]] = defaultdict(list)
    for n, row in enumerate(rows):
        groups["held back" if row["held_back"] else "open"].append(n)
        groups[row["kind"]].append(n)
    for group, members in groups.items():
        for surface in SURFACES:
            counts = Counter(grade_verdict(judged[n][surface], rows[n]["verdict"]) for n in members)
            cells = "".join(f"{counts[name]:>19}" for name in columns)
            yield f"{group:28} {surface:5} of {len(members):3}    {cells}"
    differ = sum(_differs(one) for one in judged)
    silent = sum(one["outcome"] not in FOUND for one in judged)
    yield f"ask and sheet differ in {differ} rows; no clause was found for {silent} questions"


def _differs(said: Mapping[str, str]) -> bool:
    told = {said[one] if said[one] in ("legal", "not legal") else "" for one in SURFACES}
    return len(told) > 1


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--library", type=Path)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--kind", default="")
    options = parser.parse_args()
    lines = ROWS.read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if options.kind in row["kind"]]
    if not any(folder.exists() for folder in FOLDERS):
        sys.exit(f"Skipped: {FOLDERS[0].parent} is not there.")
    with tempfile.TemporaryDirectory() as folder:
        names = sorted({row["document"] for row in rows})
        library, ids = make_library(options.library or Path(folder, "library"), names)
        if missing := [name for name in names if name not in ids]:
            print(f"Skipped: {', '.join(missing)}")
        rows = [row for row in rows if row["document"] in ids]
        judged = judge(library, ids, rows)
    print("\n".join(table_lines(rows, judged)))
    for row, said in zip(rows, judged, strict=True) if options.faults else ():
        grades = {grade_verdict(said[one], row["verdict"]) for one in SURFACES}
        if not row["held_back"] and (grades != {"right"} or said["outcome"] not in FOUND):
            print(
                f"{row['id']} {row['kind']}: ask {said['ask']} ({said['outcome']}), sheet"
                f" {said['sheet']}, is {row['verdict']} | {row['question']} | {row['article']}"
            )


if __name__ == "__main__":
    main()
