"""Learn which limit a parameter of a sheet means, and write the weights for it.

    python tests/benchmarks/learn_limits.py EVAL_FOLDER LIBRARY RULEBOOK_FOLDER ... [--write]

EVAL_FOLDER holds sheet_visible_*.csv and verdicts_visible.jsonl; LIBRARY is a data folder to which
the rulebooks of all sheets are added, with their vectors, where they are missing. Each row of those
sheets and of tests/benchmarks/sheets/open is looked up in the register of its rulebook; the
articles of its key say which of the limits found are meant, or that none is. The weights maximize
the likelihood of that: a limit is meant in proportion to the exponential of the weighted sum of
what `LimitIndex.find` measures of it, no rule in proportion to one.

Every sheet is predicted from the others, the sheets under tests/benchmarks/sheets/held_back from
all of those. Printed is the mean negative log likelihood of what is meant; `sheet_verdicts.py`
counts the verdicts. With --write the weights go into core/sheets/limit_confidence.toml.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.library import Library, embed_clauses
from core.sheets import LimitIndex, limit_index, read_sheet
from core.sheets.sheet_amounts import parse_amount, parse_value
from tests.benchmarks.sheet_verdicts import Keys, find_document, list_sheets

WEIGHTS = ROOT / "core/sheets/limit_confidence.toml"
MEASURES = ("words", "unsaid", "other_thing", "of_part", "other_size")
MODES = {"by_meaning": (*MEASURES, "nearness"), "by_words": MEASURES}
REGULARIZATION = 0.05
"""Of the squares of the weights."""


Array = NDArray[Any]


@dataclass(frozen=True)
class Example:
    """A row of a sheet with its key: what was measured of each limit found, and which are meant."""

    sheet: str
    measures: Array  # a row for each limit
    is_meant: Array


def collect(path: Path, keys: Keys, index: LimitIndex, names: Sequence[str]) -> Iterator[Example]:
    """Yield what is measured for the rows of a sheet whose value can be read."""
    for row in read_sheet(path.read_bytes(), path.name):
        value = parse_value(row.value, row.decimal_comma)
        amount = parse_amount(value, row.unit) if value is not None else None
        found = index.find(amount, row.subject, row.remarks) if amount and row.id in keys else []
        if not found:
            continue
        meant = {_plain(article) for article in keys[row.id]["articles"]}
        is_meant = [not meant.isdisjoint(map(_plain, one.candidate.articles)) for one in found]
        if any(is_meant) or keys[row.id]["verdict"] == "no rule":
            measures = [[one.measures[name] for name in names] for one in found]
            yield Example(path.stem, np.array(measures), np.array(is_meant))


def fit(examples: Sequence[Example]) -> Array:
    """Return the weights of the measures, and the constant behind them."""

    def cost(weights: Array) -> float:
        loss = sum(compute_loss(example, weights) for example in examples)
        return loss + REGULARIZATION * float(np.square(weights[:-1]).sum())

    found: Array = minimize(cost, np.zeros(examples[0].measures.shape[1] + 1)).x
    return found


def compute_loss(example: Example, weights: Array) -> float:
    """Return the negative log likelihood of what is meant."""
    scores = example.measures @ weights[:-1] + weights[-1]
    meant = scores[example.is_meant] if example.is_meant.any() else [0.0]
    return float(logsumexp([*scores, 0.0]) - logsumexp(meant))


def _plain(article: str) -> str:
    return article.replace(" ", "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("evaluation", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("rulebooks", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    library = Library(options.library, "hybrid")
    sheets = list(list_sheets(options.evaluation))
    held_back = [one for one in sheets if one[0].parent.name == "held_back"]
    learned = [one for one in sheets if one not in held_back]
    documents = {
        path: find_document(library, next(iter(keys.values()))["document"], options.rulebooks)
        for path, keys in (*learned, *held_back)
    }
    embed_clauses(library)
    indexes = {path: limit_index(library, document) for path, document in documents.items()}
    text = (
        "# Which limit is meant: made by tests/benchmarks/learn_limits.py, which says from what.\n"
    )
    for mode, names in MODES.items():
        bound = {
            path: index if mode == "by_meaning" else index.with_meanings(None)
            for path, index in indexes.items()
        }
        examples = [
            one for path, keys in learned for one in collect(path, keys, bound[path], names)
        ]
        held = [one for path, keys in held_back for one in collect(path, keys, bound[path], names)]
        losses: list[float] = []
        for sheet in {one.sheet for one in examples}:
            weights = fit([one for one in examples if one.sheet != sheet])
            left = (one for one in examples if one.sheet == sheet)
            losses += (compute_loss(one, weights) for one in left)
        weights = fit(examples)
        of_held = float(np.mean([compute_loss(one, weights) for one in held]))
        print(f"{mode}: {len(examples)} rows, each sheet from the others {np.mean(losses):.3f}")
        print(f"{mode}: {len(held)} rows held back {of_held:.3f}")
        lines = zip((*names, "constant"), weights, strict=True)
        text += f"\n[{mode}]\n" + "".join(f"{name} = {weight:.4f}\n" for name, weight in lines)
    if options.write:
        WEIGHTS.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
