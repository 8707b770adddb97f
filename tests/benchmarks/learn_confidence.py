"""Learn how likely an offline answer is right, and write the weights for the offline model.

    python tests/benchmarks/learn_confidence.py EVAL_FOLDER LIBRARIES RULEBOOK_FOLDER ... [--write]

EVAL_FOLDER holds answers_visible.jsonl and score_answers.py, LIBRARIES takes a library for each
set of documents (made where it is missing). Each question of that file and of
tests/benchmarks/questions is asked once, with one iteration; what `measure_match` returns of the
draft is the input of a logistic regression (L2), and whether the scorer calls the draft right is
the target.

Every set is predicted from the others (the reworded questions have the keys of the visible ones, so
neither is learned from where the other is predicted). With --write the weights of all sets together
go into core/agent/models/offline/confidence.toml; the two thresholds there stay as they are.
"""

import argparse
import hashlib
import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent import Agent, Request, Turn
from core.agent.models.offline.confidence import Confidence, apply_weights, load_confidence
from core.agent.models.offline.model import OfflineModel
from core.agent.question import Question
from core.agent.types import RunBudget
from core.library import Library, ScopeChoice, SearchMode, add_file, embed_clauses

WEIGHTS = ROOT / "core/agent/models/offline/confidence.toml"
REGULARIZATION = 5.0
"""Of 2 to 25 the best on sets held out. On standardized inputs."""
MEASURES = {
    "right": (
        "words_met",
        "rare_met",
        "unmet",
        "lead",
        "lead_by_words",
        "on_question",
        "first_by_words",
        "stands_out",
        "share_of_rare",
        "unknown",
        "strange_names",
        "quotes_amount",
        "lacks_asked",
        "left_out",
    ),
    "answerable": (
        "rare_met_best",
        "has_best",
        "on_question",
        "length",
        "asks_whether",
        "asks_for_thing",
        "strange_names",
        "lacks_asked",
    ),
}
"""What each estimate is made from: chosen one after the other while sets held out gained by it."""
MODES: dict[str, SearchMode] = {"by_meaning": "hybrid", "by_words": "lexical"}
Row = dict[str, Any]


@dataclass
class Example:
    """A question's draft: what was measured of it, and what the scorer says."""

    source: str
    measures: dict[str, float]
    right: bool
    answerable: bool


@dataclass(frozen=True)
class Recorder(Confidence):
    """Quotes whatever is found and accepts nothing by estimate; keeps what was measured.

    Of several editions that are asked for, the one that is the least likely decides.
    """

    seen: list[tuple[float, dict[str, float]]] = field(default_factory=list)

    def estimate_right(self, question: Question, measures: Mapping[str, float]) -> float:
        estimate = load_confidence().estimate_right(question, measures)
        self.seen.append((estimate, dict(measures)))
        return estimate

    def estimate_answerable(self, question: Question, measures: Mapping[str, float]) -> float:
        return 1.0


def read_sets(evaluation: Path) -> dict[str, list[Row]]:
    """Return the questions by set; reworded ones take their keys from the visible ones."""
    visible = _read_rows(evaluation / "answers_visible.jsonl")
    keys = {row["id"]: row for row in visible}
    sets = {"visible": visible}
    for file in sorted((ROOT / "tests/benchmarks/questions").glob("*.jsonl")):
        rows = _read_rows(file)
        sets[file.stem] = [keys[r["id"]] | r if "documents" not in r else r for r in rows]
    return sets


def _read_rows(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def measure_drafts(
    name: str, rows: Sequence[Row], open_library: Callable[[Sequence[str]], Library], judge: Any
) -> Iterator[Example]:
    """Ask each question and yield what was measured of drafts that no proof accepts."""
    recorder = Recorder({}, {}, accepted_from=1.1, refused_below=0.0)
    agents: dict[tuple[str, ...], tuple[Agent, dict[str, str]]] = {}
    for row in rows:
        documents = tuple(row["documents"])
        if documents not in agents:
            library = open_library(documents)
            names = {d.document_id: d.file for d in library.documents()}
            agents[documents] = Agent(library, OfflineModel(recorder)), names
        agent, names = agents[documents]
        recorder.seen.clear()
        choice = {key: value for key, value in row["scope"].items() if value is not None}
        if "document" in choice:
            choice["document"] = next(i for i, f in names.items() if f == choice["document"])
        history = tuple(Turn(earlier, "") for earlier in row.get("history") or ())
        budget = RunBudget(max_iterations=1)
        *_, ended = agent.ask(Request(row["question"], ScopeChoice(**choice), budget, history))
        came, _ = judge(row, json.loads(ended.model_dump_json()), names)
        if recorder.seen and not came.endswith("accepted"):
            right = row["answerable"] and came.startswith("right")
            _, measures = min(recorder.seen, key=itemgetter(0))
            yield Example(name, measures, right, row["answerable"])


def open_library(
    folder: Path, files: Mapping[str, Path], mode: SearchMode, documents: Sequence[str]
) -> Library:
    """Return a library of these documents with their vectors; what is missing is made."""
    key = hashlib.sha256("\n".join(documents).encode()).hexdigest()[:12]
    library = Library(folder / key, mode)
    held = {document.file for document in library.documents()}
    for name in documents:
        if name not in held:
            list(add_file(library, files[name]))
    if mode == "hybrid":
        embed_clauses(library)
    return library


def learn(examples: Sequence[Example], target: str) -> dict[str, float]:
    """Return the constant and the weight of each measure."""
    names = MEASURES[target]
    values = np.array([[one.measures[name] for name in names] for one in examples])
    wanted = np.array([getattr(one, target) for one in examples], float)
    mean, spread = values.mean(0), values.std(0) + 1e-6
    inputs = np.c_[np.ones(len(values)), (values - mean) / spread]

    def loss(weights: Any) -> tuple[float, Any]:
        likely = 1 / (1 + np.exp(-inputs @ weights))
        fit = -np.log(np.where(wanted == 1, likely, 1 - likely) + 1e-9).sum()
        penalty = REGULARIZATION * (weights[1:] ** 2).sum()
        slope = inputs.T @ (likely - wanted) + 2 * REGULARIZATION * np.r_[0, weights[1:]]
        return fit + penalty, slope

    found = minimize(loss, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B").x
    plain = found[1:] / spread
    return {"constant": float(found[0] - plain @ mean)} | dict(
        zip(names, map(float, plain), strict=True)
    )


def print_held_out(examples: Sequence[Example]) -> None:
    """Print for each set, predicted from the others, what thresholds would accept and refuse."""
    related = {"visible": {"visible", "reworded"}, "reworded": {"visible", "reworded"}}
    for name in dict.fromkeys(one.source for one in examples):
        apart = related.get(name, {name})
        others = [one for one in examples if one.source not in apart]
        learned = {target: learn(others, target) for target in ("right", "answerable")}
        own = [one for one in examples if one.source == name]
        right = [(apply_weights(learned["right"], one.measures), one.right) for one in own]
        held = [(apply_weights(learned["answerable"], one.measures), one.answerable) for one in own]
        print(f"{name}: {len(own)} drafts without a proof, {sum(r for _, r in right)} right")
        for limit in (0.75, 0.775, 0.8, 0.825, 0.85, 0.9):
            accepted = [is_right for likely, is_right in right if likely >= limit]
            print(f"  accepted from {limit}: {len(accepted)}, wrong {accepted.count(False)}")
        for limit in (0.5, 0.6, 0.65, 0.7, 0.75):
            refused = [answerable for likely, answerable in held if likely < limit]
            print(f"  refused below {limit}: {len(refused)}, answerable {refused.count(True)}")


def write_weights(examples: Mapping[str, Sequence[Example]]) -> None:
    """Write the weights learned from the examples of each search mode."""
    before = tomllib.loads(WEIGHTS.read_text("utf-8"))
    lines = [
        "# How likely an offline answer is right: made by tests/benchmarks/learn_confidence.py,"
        " which says from what.",
        *(f"{name} = {before[name]}" for name in ("accepted_from", "refused_below")),
    ]
    for target in ("right", "answerable"):
        for mode, found in examples.items():
            weights = learn(found, target).items()
            lines += [
                "",
                f"[{target}.{mode}]",
                *(f"{name} = {value:.4f}" for name, value in weights if round(value, 4)),
            ]
    WEIGHTS.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("evaluation", type=Path)
    parser.add_argument("libraries", type=Path)
    parser.add_argument("rulebooks", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    sys.path.insert(0, str(given.evaluation.resolve()))
    from score_answers import judge  # type: ignore[import-not-found]

    files = {file.name: file for folder in given.rulebooks for file in folder.rglob("*.pdf")}
    sets = read_sets(given.evaluation)
    examples = {}
    for name, mode in MODES.items():
        opened = partial(open_library, given.libraries, files, mode)
        examples[name] = [
            example
            for source, rows in sets.items()
            for example in measure_drafts(source, rows, opened, judge)
        ]
        print(name)
        print_held_out(examples[name])
    if given.write:
        write_weights(examples)


if __name__ == "__main__":
    main()
