"""How many rows of sheets are decided as a person did with the rulebook in hand.

    python tests/benchmarks/sheet_verdicts.py EVAL_FOLDER LIBRARY RULEBOOK_FOLDER ...

EVAL_FOLDER holds sheet_visible_*.csv and verdicts_visible.jsonl; LIBRARY is a data folder to which
the rulebooks of all sheets are added where they are missing. Printed for each of those sheets, and
for those of tests/benchmarks/sheets, is how many rows have the verdict of their key, a wrong one
("wrongly legal", "wrongly not legal"), or none. A row without a verdict counts as right where its
key has the same of "cannot tell" and "no rule".

Weights were learned from the two visible sheets and the last three; the other three are held back:

    sheet_visible_f1     3 not told, 17 right
    sheet_visible_fsae   9 not told, 42 right
    F1_2024_technical    17 not told, 21 right, 2 wrongly legal
    FS-Rules_2018        17 not told, 23 right
    FSC_Rules_2015       23 not told, 15 right
    FS-Rules_2022        13 not told, 26 right, 1 wrongly legal
    FSAE_2013            12 not told, 27 right, 1 wrongly not legal
    FSG_Rules_2016       19 not told, 19 right
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.library import Document, Library, add_file
from core.sheets import LimitIndex, check_row, limit_index, read_sheet

SHEETS = Path(__file__).with_name("sheets")
Keys = Mapping[str, Mapping[str, Any]]


def read_keys(path: Path) -> Keys:
    """Return the keys of a sheet by the ids of its rows."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {row["id"]: row for row in rows}


def list_sheets(evaluation: Path) -> Iterator[tuple[Path, Keys]]:
    """Yield all sheets, each with its keys."""
    keys = read_keys(evaluation / "verdicts_visible.jsonl")
    for path in sorted(evaluation.glob("sheet_visible_*.csv")):
        ids = {row.id for row in read_sheet(path.read_bytes(), path.name)}
        yield path, {key: row for key, row in keys.items() if key in ids}
    for path in sorted(SHEETS.rglob("*.csv")):
        yield path, read_keys(path.with_suffix(".key.jsonl"))


def find_document(library: Library, name: str, folders: Iterable[Path]) -> Document:
    """Return a document of the library by its file's name; it is added where it is missing."""
    if name not in {document.file for document in library.documents()}:
        path = next(folder / name for folder in folders if (folder / name).exists())
        list(add_file(library, path))
    return next(document for document in library.documents() if document.file == name)


def count_verdicts(path: Path, keys: Keys, index: LimitIndex) -> Counter[str]:
    """Count the rows of a sheet that are decided right, wrong in either way, and not."""
    counts: Counter[str] = Counter()
    for row in read_sheet(path.read_bytes(), path.name):
        told, truth = check_row(row, index).verdict, keys[row.id]["verdict"]
        is_told = told in ("legal", "not legal")
        counts["right" if told == truth else f"wrongly {told}" if is_told else "not told"] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("evaluation", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("rulebooks", type=Path, nargs="+")
    options = parser.parse_args()
    library = Library(options.library, "lexical")
    for path, keys in list_sheets(options.evaluation):
        name = next(iter(keys.values()))["document"]
        index = limit_index(library, find_document(library, name, options.rulebooks))
        counts = count_verdicts(path, keys, index)
        print(f"{path.stem:20} {', '.join(f'{n} {what}' for what, n in sorted(counts.items()))}")


if __name__ == "__main__":
    main()
