"""Whether crafted pages whose print differs from their stored text are ever read in silence.

    .venv/bin/python tests/benchmarks/crafted_pages.py [FOLDER] [--shown | --held-back] [NAME ...]

FOLDER (default: ../shared/seen_more; without it nothing is done) has a PDF for each name of its
`see.json`, which says what a person sees of Article 1.2: `visible`, `other`, `nothing` or `struck`.

- `right`: a visible page is whole, its rules 1.1 to 1.4 are in force without a mark and no doubt is
  told; of any other page nothing is in force that is not seen, or just the words that are.
- `told`: words that differ are in force, but the clause has a mark.
- `silent`: words that are not seen are in force without a mark, or what is left out is told
  nowhere: by no mark of the clause, nor, if the clause is gone, by a warning of its page.
- `wrong`: a visible page that is not whole, or doubted.

Counts by kind are printed last, as one line of JSON. Every third file by name is held back while
rules are made: `--held-back` prints its counts alone, `--shown` the rest.
"""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.rulebook import Rulebook
from tests.rulebook.in_process import read_here

_FOLDER = Path(__file__).resolve().parents[3] / "shared" / "seen_more"
_DOUBTS = {"deleted", "hidden", "differs"}
_TOLD = {"hidden_text", "page_differs", "page_limit", "partly_read"}
_AS_TEXT = {"900, note 1": "900¹", "3": "300"}
"""What `see.json` describes and does not spell out, as text."""
_RULES = ("1.1", "1.2", "1.3", "1.4")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=_FOLDER)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--shown", action="store_true", help="leave out every third file")
    parser.add_argument("--held-back", action="store_true", help="count every third file alone")
    chosen = parser.parse_args()
    if not (chosen.folder / "see.json").exists():
        print(f"{chosen.folder} is not here: nothing was read.")
        return
    sights = json.loads((chosen.folder / "see.json").read_text())
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for index, (name, sight) in enumerate(sorted(sights.items())):
        is_held_back = index % 3 == 2
        left_out = chosen.shown if is_held_back else chosen.held_back
        if left_out or (chosen.names and name not in chosen.names):
            continue
        book = read_here((chosen.folder / f"{name}.pdf").read_bytes(), f"{name}.pdf")
        verdict = _judge(book, sight)
        counts[sight["kind"]][verdict] += 1
        if not is_held_back and verdict != "right":
            print(f"{verdict:7} {name:28} {sight['kind']} ({sight['seen']}): {_describe(book)}")
    print(json.dumps(counts))


def _judge(book: Rulebook, sight: dict[str, str]) -> str:
    """Return right, told, silent or wrong for a book and what is seen of its Article 1.2."""
    clauses = {clause.article: clause for clause in book.clauses}
    warnings = {warning.code for warning in book.report.warnings}
    rule = clauses.get("1.2")
    in_force = rule is not None and rule.status == "in_force" and "900" in rule.text
    if sight["kind"] == "visible":
        rules = [clauses.get(number) for number in _RULES]
        whole = all(one and one.status == "in_force" and one.text.strip() for one in rules)
        doubted = any(mark.kind in _DOUBTS for clause in book.clauses for mark in clause.marks)
        is_right = in_force and whole and not doubted and not warnings & _TOLD
        return "right" if is_right else "wrong"
    marked = rule is not None and any(mark.kind in _DOUBTS for mark in rule.marks)
    gone = rule is None and bool(warnings & {"hidden_text", "page_differs"})
    if rule is not None and rule.status == "deleted":
        return "right"
    if sight["kind"] == "other":
        shown = _AS_TEXT.get(sight["seen"], sight["seen"])
        if rule and re.search(rf"(?<![\w.,-]){re.escape(shown)}(?!\w|[.,]\d)", rule.text):
            return "right"
        return "told" if marked or gone else "silent"
    return "right" if (marked or gone) and not in_force else "told" if marked else "silent"


def _describe(book: Rulebook) -> dict[str, Any]:
    rules = [clause for clause in book.clauses if clause.article.startswith("1.")]
    return {
        "text": next((clause.text for clause in rules if clause.article == "1.2"), None),
        "marks": [(rule.article, mark.kind, mark.text) for rule in rules for mark in rule.marks],
        "told": sorted({warning.code for warning in book.report.warnings}),
        "rules": [f"{rule.article} {rule.status}" for rule in rules],
    }


if __name__ == "__main__":
    main()
