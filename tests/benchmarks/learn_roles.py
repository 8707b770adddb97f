"""Learn what an amount of a sentence is for, and write the weights for it.

    python tests/benchmarks/learn_roles.py [LABELLED.jsonl ...] [--key KEY.jsonl] [--write]

Read are the labelled sentences of tests/benchmarks/sentences, and further files with the keys of
`sentences_visible.jsonl`; rows whose id's number is divisible by 3 are left out of those, for they
are what the reader is measured with. Of our drawn sentences those rows are held back: learned from
the others, the roles of theirs are counted too. A role may be several, parted by "|": what is known
of a number in an article of a limits key (../shared/eval/limits_visible.jsonl) is whether the key
has it. The key's documents are read from the library of SCRUTINEER_DATA_DIR. A role is predicted in
proportion to the exponential of the sum of the weights of an amount's features
(`core/grammar/roles.py`); the weights maximize the likelihood of the labels, less a penalty on
their squares. Printed is how often the likeliest role is the label, each quarter of the sentences
predicted from the others. With --write the weights of all go into core/grammar/roles.json.

Last figures: 0.89 of the visible amounts, 0.80 of the drawn English ones and 0.84 of the German and
French; held back 0.78 and 0.84 (0.78 and 0.79 by the weights before).
"""

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, get_args
from zlib import crc32

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.grammar.amounts import WrittenAmount, find_amounts
from core.grammar.passages import split_passages
from core.grammar.roles import Role, find_features, weigh_roles
from core.grammar.sentence import scan_sentence
from core.library import Library
from core.settings import load_settings

OWN = ROOT / "tests/benchmarks/sentences"
WEIGHTS = ROOT / "core/grammar/roles.json"
ROLES: tuple[Role, ...] = get_args(Role)
REGULARIZATION = 1.0
FEWEST = 3
"""Amounts that have a feature, for it to be weighed."""
SMALLEST = 0.1
"""Weights below it are left out of the file."""
DRAWN = ("DEN", "DDE", "DFR")
"""How the ids of drawn sentences begin."""
IN_KEY, NOT_IN_KEY = "limit|sanction", "threshold|size_name|fact|date|reference|tolerance|other"


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


def read_key_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the sentences of the articles of a limits key, their numbers in the key or not.

    A third of the articles is left out, for they are what the register is measured with.
    """
    keys = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    values, articles = defaultdict(set), set()
    for key in keys:
        articles |= {(key["document"], _bare(one)) for one in key.get("articles", ())}
        if key["kind"] == "limit":
            ends = (key["value"], key["upper"])
            values[key["document"], _bare(key["article"])] |= set(filter(None, map(_number, ends)))
    library = Library.open(load_settings())
    files = {key["document"] for key in keys}
    for document in (one for one in library.documents() if one.file in files):
        for clause in library.clauses(document.document_id):
            article = document.file, _bare(clause.article)
            if article not in articles or crc32(clause.article.encode()) % 3 == 0:
                continue
            for passage in split_passages(clause.text, clause.lead_in):
                labels = [
                    {
                        "text": one.text,
                        "value": f"{one.value:f}",
                        "role": IN_KEY if {one.value, one.upper} & values[article] else NOT_IN_KEY,
                    }
                    for one in find_amounts(passage.text)
                    if one.kind == "amount"
                ]
                if labels and passage.source != "table":
                    lead, text = passage.lead, passage.text
                    row = {"id": f"key {clause.article}", "language": "en", "lead": lead}
                    yield {**row, "sentence": text, "amounts": labels}


def _bare(article: str) -> str:
    return article.replace(" ", "")


def _number(written: object) -> Decimal | None:
    try:
        return Decimal(str(written).replace(",", ""))
    except InvalidOperation:
        return None


def match_amount(
    label: dict[str, Any], sentence: str, found: Sequence[WrittenAmount], taken: set[int]
) -> int | None:
    """Return which amount of a sentence a label is of; None where it was not found."""
    places = [match.span() for match in re.finditer(re.escape(label["text"]), sentence)]
    over = [
        n
        for start, end in places
        for n, one in enumerate(found)
        if n not in taken and one.start < end and start < one.end
    ]
    same = [n for n in over if str(label["value"]) in (f"{found[n].value:f}", found[n].name)]
    return next(iter((*same, *over)), None)


def collect(rows: Iterable[dict[str, Any]]) -> Iterator[Example]:
    """Yield the amounts of labelled sentences that the reader finds."""
    for row in rows:
        pieces, bounds = scan_sentence(row["sentence"], row["lead"], row["language"])
        amounts = [amount for amount, _ in bounds]
        taken: set[int] = set()
        for label in row["amounts"]:
            number = match_amount(label, row["sentence"], amounts, taken)
            if number is None:
                continue
            taken.add(number)
            features = find_features(pieces, pieces.amounts[number], *bounds[number])
            yield Example(features, frozenset(label["role"].split("|")), row["id"])


def is_held_back(example: Example) -> bool:
    """True of every third drawn sentence."""
    return example.sentence[:3] in DRAWN and int(example.sentence[3:]) % 3 == 0


def learn(examples: Sequence[Example]) -> dict[str, dict[str, float]]:
    """Return the weights of features, by role."""
    counts = Counter(name for one in examples for name in one.features)
    names = sorted(name for name, count in counts.items() if count >= FEWEST)
    places = {name: place for place, name in enumerate(names)}
    pairs = [
        (row, places[name])
        for row, one in enumerate(examples)
        for name in one.features & places.keys()
    ]
    pairs += [(row, len(names)) for row in range(len(examples))]
    shape = len(examples), len(names) + 1
    known = csr_matrix((np.ones(len(pairs)), tuple(zip(*pairs, strict=True))), shape=shape)
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


def count_right(weights: dict[str, dict[str, float]], examples: Sequence[Example]) -> int:
    """Return of how many amounts the likeliest role is the label."""
    said = [weigh_roles(one.features, weights) for one in examples]
    pairs = zip(said, examples, strict=True)
    return sum(max(one, key=lambda role: one[role]) in label.roles for one, label in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("labelled", nargs="*", type=Path)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    paths = [*sorted(OWN.glob("*.jsonl")), *options.labelled]
    read = {path.stem: list(collect(read_rows(path))) for path in paths}
    files = {name: found for name, found in read.items() if found}
    if options.key:
        files["key"] = list(collect(read_key_rows(options.key)))
    examples = [one for found in files.values() for one in found]
    weights = learn([one for one in examples if not is_held_back(one)])
    for name, found in files.items():
        apart = [one for one in found if is_held_back(one)]
        if apart:
            print(
                f"{name}, held back: {count_right(weights, apart) / len(apart):.3f} of {len(apart)}"
            )
    ids = sorted({one.sentence for one in examples})
    random.Random(1).shuffle(ids)
    fold = {name: place % 4 for place, name in enumerate(ids)}
    right: Counter[str] = Counter()
    for number in range(4):
        weights = learn([one for one in examples if fold[one.sentence] != number])
        for name, found in files.items():
            right[name] += count_right(weights, [o for o in found if fold[o.sentence] == number])
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
