"""Learn how likely an offline answer is right, and write the weights for the offline model.

    python tests/benchmarks/learn_confidence.py EVAL_FOLDER LIBRARIES RULEBOOK_FOLDER ... [--write]

EVAL_FOLDER holds the questions and clauses of ObliQA, answers_visible.jsonl and score_answers.py;
LIBRARIES takes a library for each set of documents (made where it is missing), and the examples,
which are kept: delete `examples-*.jsonl` to measure anew.

What is learned from has its answer by how it was made: questions on the rules of SETS, which
`own_rules.py` makes from these rules, and those of ObliQA on half of its documents. Each is put to
a library with all rules and to one that lacks every other of them, so that a half of what is asked
there has no answer; and some are put to rulebooks of others, which say nothing of them. The input
of a logistic regression (L2) is what `measure_match` returns of the draft, its target whether the
rule is quoted.

Measured alone, and learned from by no weight: the rules of HELD_BACK and of the other half of
ObliQA, and all questions that people wrote: the visible ones and tests/benchmarks/questions. With
--write the weights go into core/agent/models/offline/confidence.toml. The thresholds there stay, as
do the weights for what is refused: what people ask that no rule is on cannot be made from rules.
"""

import argparse
import hashlib
import json
import re
import sys
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scipy.optimize import minimize

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from own_rules import OwnQuestion, Vocabulary, ask_of_clause

from core.agent import Agent, Ended, Request, Turn
from core.agent.models.offline.confidence import Confidence, apply_weights, load_confidence
from core.agent.models.offline.model import OfflineModel
from core.agent.question import Question
from core.agent.types import RunBudget
from core.choices import SearchMode
from core.library import Library, ScopeChoice, add_file, embed_clauses
from core.library.embedding.models import EmbeddingModel

WEIGHTS = ROOT / "core/agent/models/offline/confidence.toml"
REGULARIZATION = 5.0
"""On standardized inputs."""
MEASURES = (
    "words_met",
    "rare_met_best",
    "unmet",
    "weakest_in_scope",
    "has_best",
    "length",
    "asks_whether",
    "lead",
    "lead_by_words",
    "on_question",
    "first_by_words",
    "stands_out",
    "share_of_rare",
    "title_asked",
    "unknown",
    "strange_names",
    "quotes_amount",
    "lacks_asked",
    "left_out",
)
"""What the estimate is made from."""
SETS = {
    "formula": ("f1_2025_sporting_iss05", "f1_2024_technical", "fsae_rules_2024"),
    "student": ("FS-Rules_2022", "FSA-Competition-Handbook-2025", "lions", "fedreg"),
    "older": ("2014 FSAE", "fia_isc", "financial_iss16"),
}
HELD_BACK = {
    "handbook": ("FSF25", "cmu", "zw_marriages"),
    "combustion": ("FSE_Rules_2015", "FSC_Rules_2015", "fide", "zw_swf"),
}
"""Parts of the names of files. Drawn before anything was learned."""
QUESTIONS_OF_A_DOCUMENT = 60
QUESTIONS_OF_OBLIQA = 250
FOREIGN_QUESTIONS = 80
SHARES = {"amount": 0.3, "duty": 0.3, "words": 0.15, "penalty": 0.1, "title": 0.15}
"""Of the kinds of questions."""
MODES: dict[str, SearchMode] = {"by_meaning": "hybrid", "by_words": "lexical"}
LIMITS = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85)
Row = dict[str, Any]


@dataclass(frozen=True)
class Example:
    """A question's draft: what was measured of it, and what is known of its answer.

    `measures` is None of a draft that a proof accepts.
    """

    source: str
    question: str
    measures: dict[str, float] | None
    right: bool
    answerable: bool
    accepted: bool


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


class Asker:
    """An agent on a library, and what its drafts measured."""

    def __init__(self, library: Library) -> None:
        self.files = {d.document_id: d.file for d in library.documents()}
        self._recorder = Recorder({}, {}, accepted_from=1.1, refused_below=0.0)
        self._agent = Agent(library, OfflineModel(self._recorder))

    def ask(
        self, question: str, scope: Mapping[str, Any] | None = None, history: Sequence[str] = ()
    ) -> tuple[Ended, dict[str, float] | None]:
        """Return the end of a run of one iteration, and what was measured of its draft."""
        self._recorder.seen.clear()
        turns = tuple(Turn(earlier, "") for earlier in history)
        choice = ScopeChoice(**(scope or {}))
        *_, ended = self._agent.ask(Request(question, choice, RunBudget(max_iterations=1), turns))
        assert isinstance(ended, Ended)
        seen = self._recorder.seen
        measures = min(seen, key=itemgetter(0))[1] if seen else None
        return ended, None if ended.outcome == "answered" else measures


class Rulebooks:
    """The libraries of sets of documents: whole, and without every other of their rules."""

    def __init__(self, folder: Path, files: Mapping[str, Path], mode: SearchMode) -> None:
        self._folder, self._files, self._mode = folder, files, mode

    def open_whole(self, names: Iterable[str]) -> Library:
        """Return a library of files, by their names or parts of these."""
        found = [next(file for name, file in self._files.items() if part in name) for part in names]
        key = hashlib.sha256("\n".join(file.name for file in found).encode()).hexdigest()[:12]
        return self._open(key, found)

    def open_halved(self, whole: Library) -> Library:
        """Return a library of the rules of another whose hash is odd."""
        rows = [
            {"document": d.title, "season": d.season, "issue": d.issue, "family": d.family}
            | {"article": clause.article, "title": clause.title, "text": clause.text}
            for d in whole.documents()
            for clause in whole.clauses(d.document_id)
            if clause.text and clause.status == "in_force" and is_kept(d.title + clause.article)
        ]
        return self.open_rows(f"{whole.folder.name}-halved", rows)

    def open_rows(self, name: str, rows: Iterable[Row]) -> Library:
        """Return a library of clauses."""
        file = self._folder / f"{name}.jsonl"
        lines = [json.dumps({k: v for k, v in row.items() if v is not None}) for row in rows]
        file.write_text("\n".join(lines), "utf-8")
        return self._open(name, [file])

    def _open(self, key: str, files: Iterable[Path]) -> Library:
        library = Library(self._folder / f"{self._mode}-{key}", self._mode)
        held = {document.file for document in library.documents()}
        for file in files:
            if file.name not in held:
                list(add_file(library, file))
        if self._mode == "hybrid":
            embed_clauses(library)
        return library


def is_kept(name: str) -> bool:
    """True of half of all names."""
    return bool(hashlib.sha256(name.encode()).digest()[0] % 2)


def squeeze(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def make_questions(library: Library) -> list[OwnQuestion]:
    """Return questions on the rules of a library, the same each time."""
    random = Random(7)
    rules = {
        document.document_id: [
            clause
            for clause in library.clauses(document.document_id)
            if clause.text and clause.status == "in_force"
        ]
        for document in library.documents()
    }
    texts = (clause.text.lower() for own in rules.values() for clause in own)
    counts = Counter(word for text in texts for word in set(re.findall(r"[a-z]{4,}", text)))
    words = [word for word, _ in counts.most_common(5_000)]
    vocabulary = Vocabulary(words, EmbeddingModel().embed_texts(words))
    found = []
    for own in rules.values():
        by_kind: dict[str, list[OwnQuestion]] = {kind: [] for kind in SHARES}
        for clause in random.sample(own, min(len(own), 4 * QUESTIONS_OF_A_DOCUMENT)):
            asked = list(ask_of_clause(clause, vocabulary, random))
            random.shuffle(asked)
            for one in {question.kind: question for question in asked}.values():
                by_kind[one.kind].append(one)
        for kind, share in SHARES.items():
            found += by_kind[kind][: round(share * QUESTIONS_OF_A_DOCUMENT)]
    return found


def ask_own(source: str, library: Library, questions: Sequence[OwnQuestion]) -> Iterator[Example]:
    """Ask a library questions on rules that it has, or had."""
    asker = Asker(library)
    clauses = [(c.article, squeeze(c.text)) for d in asker.files for c in library.clauses(d)]
    for one in questions:
        sentence, says = squeeze(one.sentence), squeeze(one.says)
        holders = {article for article, text in clauses if sentence in text}
        ended, measures = asker.ask(one.question)
        quotes = [(citation.article, squeeze(citation.quote)) for citation in ended.citations]
        right = any(
            sentence in quote or (says in quote and article in holders) for article, quote in quotes
        )
        accepted = ended.outcome == "answered"
        yield Example(source, one.question, measures, right, bool(holders), accepted)


def ask_obliqa(
    source: str, library: Library, questions: Sequence[Row], held: set[str]
) -> Iterator[Example]:
    """Ask questions of ObliQA; `held` are the ids of the clauses of the library."""
    asker = Asker(library)
    ids = {c.clause_id: c.source_id for d in asker.files for c in library.clauses(d)}
    for row in questions:
        ended, measures = asker.ask(row["question"])
        gold = held & set(row["gold"])
        right = any(ids.get(citation.clause_id) in gold for citation in ended.citations)
        accepted = ended.outcome == "answered"
        yield Example(source, row["question"], measures, right, bool(gold), accepted)


def ask_foreign(source: str, library: Library, questions: Iterable[str]) -> Iterator[Example]:
    """Ask a library what other rulebooks answer."""
    asker = Asker(library)
    for question in questions:
        ended, measures = asker.ask(question)
        yield Example(source, question, measures, False, False, ended.outcome == "answered")


def ask_as_people(evaluation: Path, rulebooks: Rulebooks) -> Iterator[Example]:
    """Ask the questions that people wrote; reworded ones take their keys from the visible ones."""
    sys.path.insert(0, str(evaluation.resolve()))
    from score_answers import judge  # type: ignore[import-not-found]

    visible = read_rows(evaluation / "answers_visible.jsonl")
    keys = {row["id"]: row for row in visible}
    sets = {"visible": visible}
    for file in sorted((ROOT / "tests/benchmarks/questions").glob("*.jsonl")):
        if "question" in (rows := read_rows(file))[0] and "language" not in rows[0]:
            sets[file.stem] = [keys.get(row["id"], {}) | row for row in rows]
    askers: dict[tuple[str, ...], Asker] = {}
    for source, rows in sets.items():
        for row in rows:
            documents = tuple(row["documents"])
            if documents not in askers:
                askers[documents] = Asker(rulebooks.open_whole(documents))
            asker = askers[documents]
            scope = {key: value for key, value in row["scope"].items() if value is not None}
            if "document" in scope:
                named = scope["document"]
                scope["document"] = next(i for i, file in asker.files.items() if file == named)
            ended, measures = asker.ask(row["question"], scope, row.get("history") or ())
            came, _ = judge(row, json.loads(ended.model_dump_json()), asker.files)
            right = row["answerable"] and came.startswith("right")
            accepted = ended.outcome == "answered"
            answerable = row["answerable"]
            yield Example(source, row["question"], measures, right, answerable, accepted)


def read_rows(file: Path) -> list[Row]:
    """Return the rows of a file of JSON Lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def collect(evaluation: Path, rulebooks: Rulebooks) -> Iterator[Example]:
    """Ask everything. What is not to be learned from has a source with a `*`."""
    random = Random(5)
    asked: dict[str, list[str]] = {}
    wholes: dict[str, Library] = {}
    for name, parts in (SETS | HELD_BACK).items():
        whole, mark = rulebooks.open_whole(parts), "*" if name in HELD_BACK else ""
        questions = make_questions(whole)
        yield from ask_own(f"{name}{mark}", whole, questions)
        yield from ask_own(f"{name} halved{mark}", rulebooks.open_halved(whole), questions)
        asked[name], wholes[name] = [one.question for one in questions], whole
    for odd, mark in ((0, ""), (1, "*")):
        rows = read_rows(evaluation / "obliqa_clauses.jsonl")
        rows = [row for row in rows if int(row["document"].partition("-")[2]) % 2 == odd]
        ids = {row["id"] for row in rows}
        all_questions = read_rows(evaluation / "obliqa_dev.jsonl")
        own = [row for row in all_questions if ids.issuperset(row["gold"])]
        own = random.sample(own, QUESTIONS_OF_OBLIQA)
        for name, kept in (("obliqa", ids), ("obliqa halved", {*filter(is_kept, ids)})):
            held = rulebooks.open_rows(f"{name}-{odd}", (r for r in rows if r["id"] in kept))
            yield from ask_obliqa(f"{name}{mark}", held, own, kept)
            wholes.setdefault(name, held)
        asked.setdefault("obliqa", [row["question"] for row in own])
    for name in (*SETS, "obliqa"):
        others = [
            question for other in (*SETS, "obliqa") if other != name for question in asked[other]
        ]
        foreign = random.sample(others, FOREIGN_QUESTIONS)
        yield from ask_foreign(f"{name} foreign", wholes[name], foreign)
    yield from (
        Example(**asdict(one) | {"source": f"{one.source}*"})
        for one in ask_as_people(evaluation, rulebooks)
    )


def learn(examples: Sequence[Example]) -> dict[str, float]:
    """Return the constant and the weight of each measure, from the sources without a `*`."""
    measured = [
        (one.measures, one.right) for one in examples if one.measures and "*" not in one.source
    ]
    values = np.array([[measures[name] for name in MEASURES] for measures, _ in measured])
    wanted = np.array([right for _, right in measured], float)
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
        zip(MEASURES, map(float, plain), strict=True)
    )


def print_sources(examples: Sequence[Example], weights: Mapping[str, float]) -> None:
    """Print for each source what thresholds accept, with what proofs accept."""
    for source in dict.fromkeys(one.source for one in examples):
        own = [one for one in examples if one.source == source]
        answerable, right = sum(one.answerable for one in own), sum(one.right for one in own)
        print(f"{source}: {len(own)} asked, {answerable} answerable, {right} right")
        told = []
        for limit in LIMITS:
            accepted = [
                one.right
                for one in own
                if one.accepted or (one.measures and apply_weights(weights, one.measures) >= limit)
            ]
            told.append(f"{limit}: {len(accepted)}, wrong {accepted.count(False)}")
        print(f"  accepted from {'; '.join(told)}")


def write_weights(learned: Mapping[str, Mapping[str, float]]) -> None:
    """Write the weights of each search mode; all else in the file stays."""
    kept = tomllib.loads(WEIGHTS.read_text("utf-8"))
    sections = {f"right.{mode}": weights for mode, weights in learned.items()}
    sections |= {f"answerable.{mode}": weights for mode, weights in kept["answerable"].items()}
    lines = [line for line in WEIGHTS.read_text("utf-8").splitlines() if line]
    lines = lines[: next(n for n, line in enumerate(lines) if line.startswith("["))]
    for name, weights in sections.items():
        rounded = {measure: round(weight, 4) for measure, weight in weights.items()}
        lines += ["", f"[{name}]"]
        lines += [f"{measure} = {weight:.4f}" for measure, weight in rounded.items() if weight]
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
    files = {file.name: file for folder in given.rulebooks for file in folder.rglob("*.pdf")}
    given.libraries.mkdir(parents=True, exist_ok=True)
    learned = {}
    for name, mode in MODES.items():
        kept = given.libraries / f"examples-{mode}.jsonl"
        if not kept.is_file():
            found = collect(given.evaluation, Rulebooks(given.libraries, files, mode))
            kept.write_text("\n".join(json.dumps(asdict(one)) for one in found), "utf-8")
        examples = [Example(**row) for row in read_rows(kept)]
        learned[name] = learn(examples)
        print(name)
        print_sources(examples, learned[name])
    if given.write:
        write_weights(learned)


if __name__ == "__main__":
    main()
