"""Learn what an amount of a sentence is for, and write the weights for it.

    python tests/benchmarks/learn_roles.py [LABELLED.jsonl ...] [--write]

Read are the labelled sentences of tests/benchmarks/sentences, and further files with the keys of
`sentences_visible.jsonl`; rows whose id's number is divisible by 3 are left out of those, for they
are what the reader is measured with. A role may be several, parted by "|": what is known of the
numbers of a limits key is whether they are in it. A role is predicted in proportion to the
exponential of the sum of the weights of an amount's features (`core/grammar/roles.py`); the weights
maximize the likelihood of the labels, less a penalty on their squares. Printed is how often the
likeliest role is the label, each quarter of the sentences predicted from the others. With --write
the weights of all go into core/grammar/roles.json.

Last figures: 0.81 of our own amounts (many were written to be hard), 0.88 of the visible ones.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.grammar.amounts import WrittenAmount
from core.grammar.roles import Role, find_features, weigh_roles
from core.grammar.sentence import scan_sentence

OWN = ROOT / "tests/benchmarks/sentences"
WEIGHTS = ROOT / "core/grammar/roles.json"
ROLES: tuple[Role, ...] = get_args(Role)
REGULARIZATION = 0.6
FEWEST = 5
"""Amounts that have a feature, for it to be weighed."""
SMALLEST = 0.08
"""Weights below it are left out of the file."""


@dataclass(frozen=True)
class Example:
    """A labelled amount: features of its place, the roles it may have, and its sentence's id."""

    features: frozenset[str]
    roles: frozenset[str]
    sentence: str


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file; of one that is not ours without the part that is held back."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if row["id"][:2] != "SV" or int(row["id"][2:]) % 3]


def match_amount(
    label: dict[str, Any], sentence: str, found: Sequence[WrittenAmount]
) -> int | None:
    """Return which amount of a sentence a label is of; None where it was not found."""
    start = sentence.find(label["text"])
    end = start + len(label["text"])
    overlapping = [n for n, one in enumerate(found) if one.start < end and start < one.end]
    same = [n for n in overlapping if str(label["value"]) in (f"{found[n].value:f}", found[n].name)]
    return next(iter((*same, *overlapping)), None) if start >= 0 else None


def collect(rows: Sequence[dict[str, Any]]) -> Iterator[Example]:
    """Yield the amounts of labelled sentences that the reader finds."""
    for row in rows:
        scanned = scan_sentence(row["sentence"], row["lead"], row["language"])
        taken: set[int] = set()
        for label in row["amounts"]:
            number = match_amount(label, row["sentence"], scanned.amounts)
            if number is None or number in taken:
                continue
            taken.add(number)
            one, bound = scanned.amounts[number], scanned.bounds[number]
            place = scanned.pieces.place_of(number)
            features = find_features(scanned.pieces, place, one, bound)
            yield Example(features, frozenset(label["role"].split("|")), row["id"])


def learn(examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """Return the weights of features, by role."""
    counts = Counter(name for one in examples for name in one.features)
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    places = {name: place for place, name in enumerate(names)}
    known = np.zeros((len(examples), len(names) + 1))
    for row, one in enumerate(examples):
        known[row, [places[name] for name in one.features if name in places]] = 1
    known[:, -1] = 1
    allowed = np.array([[role in one.roles for role in ROLES] for one in examples], float)

    def lose(flat: Any) -> tuple[float, Any]:
        weights = flat.reshape(len(names) + 1, len(ROLES))
        sums = known @ weights
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        right = shares * allowed
        whole = right.sum(axis=1, keepdims=True) + 1e-12
        loss = -np.log(whole).sum() + REGULARIZATION * (weights[:-1] ** 2).sum()
        slope = known.T @ (shares - right / whole)
        slope[:-1] += 2 * REGULARIZATION * weights[:-1]
        return float(loss), slope.ravel()

    start = np.zeros((len(names) + 1) * len(ROLES))
    found = minimize(lose, start, jac=True, method="L-BFGS-B", options={"maxiter": 400})
    weights = found.x.reshape(len(names) + 1, len(ROLES))
    return {
        role: {
            name: round(float(weights[place, column]), 2)
            for name, place in (*places.items(), ("bias", len(names)))
            if abs(weights[place, column]) >= SMALLEST
        }
        for column, role in enumerate(ROLES)
    }


def share_right(weights: dict[str, dict[str, float]], examples: Sequence[Example]) -> float:
    """Return how often the likeliest role is the label."""
    said = [weigh_roles(one.features, weights) for one in examples]
    right = [max(one, key=lambda role: one[role]) for one in said]
    pairs = zip(right, examples, strict=True)
    return sum(role in one.roles for role, one in pairs) / max(len(examples), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("labelled", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    paths = [*sorted(OWN.glob("*.jsonl")), *options.labelled]
    files = {path.stem: list(collect(read_rows(path))) for path in paths}
    examples = [one for found in files.values() for one in found]
    ids = sorted({one.sentence for one in examples})
    random.Random(1).shuffle(ids)
    fold = {name: place % 4 for place, name in enumerate(ids)}
    right: Counter[str] = Counter()
    for number in range(4):
        weights = learn([one for one in examples if fold[one.sentence] != number])
        for name, found in files.items():
            held_back = [one for one in found if fold[one.sentence] == number]
            right[name] += share_right(weights, held_back) * len(held_back)
    for name, found in files.items():
        print(f"{name}: {right[name] / len(found):.3f} of {len(found)}")
    if options.write:
        lines = (
            f"{json.dumps(role)}: {json.dumps(known, ensure_ascii=False)}"
            for role, known in learn(examples).items()
        )
        WEIGHTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
