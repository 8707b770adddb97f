"""Score the reading of sentences against labelled ones: amounts, relations and duties.

    .venv/bin/python tests/benchmarks/sentences.py [LABELS] [OUTPUT] [--faults]

LABELS is a file of labelled sentences (../shared/eval/sentences_visible.jsonl without it). OUTPUT
is what `python -m core sentences LABELS --json` printed; without it that command is run. Sentences
whose number is divisible by 3 are held back: they are counted apart and never listed. With
--faults the faults of the other two thirds are listed, with --json all counts are printed as JSON.

An amount is found where the output has its value: of one value that occurs twice, the amount whose
text is at the same place of the sentence. A label that is no number (a date, an article, a
fraction) is found at its place too. A range is found as one amount with `upper`, or as both of its
ends. Shares are of the labelled amounts, those not found included:

    found             amounts
    role              amounts with the right role
    limit right       limits with the right relation, proved or not
    right|unproved    of the limits shown with a relation, those right or unproved
    proved            limits proved and right
    wrong             relations proved and wrong, a count: of limits and thresholds
    no limit          amounts that are no limit, or not labelled, shown as a proved limit, a count
    modality          sentences with the right modalities
    duties            sentences with the right modalities and actor

Last: the register of the version before the reader, with each sentence a clause of its own, all its
relations taken as proved (open thirds, then held back):

                          role   limit right   wrong  no limit     modality       duties
    English           81 / 157      71 / 103   11/86         6     81 / 109     72 / 109
    English held back  38 / 86       35 / 49    3/43         6      45 / 55      39 / 55
    all               84 / 198      72 / 130   13/89         6     84 / 143     75 / 143
    all held back     40 / 100       35 / 59    5/45         6      48 / 71      42 / 71

A sentence has the right modalities if each labelled duty (or another that its label accepts) is
there and no other; its actor is right if a duty's actor has the head word of a labelled one.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LABELS = ROOT.parent / "shared/eval/sentences_visible.jsonl"
Row = Mapping[str, Any]

BOUNDS = {"limit", "threshold"}
"""Roles with a relation."""
ENDS = ({"at least", "more than"}, {"at most", "less than"})
"""Relations of the two ends of a range."""
ARTICLES = set(
    "a an the each any every all both said such no of and or in by at two one das der die den dem"
    " des ein eine einer einen einem von vom oder und durch le la les un une du de l d au aux par"
    " moins".split()
)
"""Words that no actor is recognized by."""
TAIL = re.compile(
    r"\s(?:of|to|who|which|that|not|in|with|from|under|at|having|registered|next|des|der|du|de|par"
    r"|qui|désignés)\s.*"
)
"""What follows the head of a noun phrase."""
WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Fault:
    """A difference between output and label; `kind` names the figure that it counts against."""

    kind: str
    id: str
    text: str
    said: str
    label: str

    def __str__(self) -> str:
        return f"{self.kind:22} {self.id} {self.text!r}: said {self.said}, is {self.label}"


@dataclass
class Tally:
    """What was counted of a group of sentences, and the faults found."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def share(self, part: str, whole: str) -> str:
        """Return a percentage with its counts: "92 % (46/50)"."""
        done, of = self.counts[part], self.counts[whole]
        return f"{100 * done / of:.0f} ({done}/{of})" if of else "-"


def is_held_back(row_id: str) -> bool:
    """True for sentences whose number is divisible by 3."""
    return int(re.sub(r"\D", "", row_id)) % 3 == 0


def score_sentence(label: Row, said: Row, tally: Tally) -> None:
    """Count the amounts and duties of one sentence."""
    tally.counts["sentences"] += 1
    pairs, left = match_amounts(label, said.get("amounts", []))
    for labelled, shown in pairs:
        _score_amount(str(label["id"]), labelled, shown, tally)
    for extra in left:
        tally.counts["shown, not labelled"] += 1
        if _is_proved_limit(extra):
            _count_false_limit(str(label["id"]), extra, "not labelled", tally)
    _score_duties(label, said.get("duties", []), tally)


def _score_amount(row_id: str, label: Row, shown: Sequence[Row], tally: Tally) -> None:
    """Count one labelled amount with what is shown for it: nothing, one amount, or two ends."""
    counts, role = tally.counts, label["role"]

    def note(kind: str, what: str, truth: str) -> None:
        tally.faults.append(Fault(kind, row_id, label["text"], what, truth))

    counts["amounts"] += 1
    if role in BOUNDS:
        counts[f"{role}s"] += 1
    if not shown:
        note("not found", "nothing", role)
        return
    counts["found"] += 1
    roles = {one.get("role") for one in shown}
    if roles == {role}:
        counts["role right"] += 1
    else:
        note("role", "/".join(sorted(map(str, roles))), role)
    if role not in BOUNDS:
        if any(map(_is_proved_limit, shown)):
            _count_false_limit(row_id, shown[0], role, tally)
        return
    if role == "threshold" and any(map(_is_proved_limit, shown)):
        counts["threshold as limit"] += 1
    if not roles <= BOUNDS:
        counts[f"{role} without relation"] += 1
        return
    counts[f"{role} shown"] += 1
    is_right = _has_relation(label, shown)
    is_proved = all(one.get("proved") for one in shown)
    counts[f"{role} right"] += is_right
    counts[f"{role} unproved"] += not is_proved
    counts[f"{role} right or unproved"] += is_right or not is_proved
    counts[f"{role} proved right"] += is_right and is_proved
    counts[f"{role} proved wrong"] += is_proved and not is_right
    counts["relations shown"] += 1
    counts["wrong"] += is_proved and not is_right
    if not is_right or not is_proved:
        sure = "proved and" if is_proved else "unproved,"
        kind = f"{role} {sure} {'right' if is_right else 'wrong'}"
        note(kind, "/".join(str(one.get("relation")) for one in shown), label["relation"])


def _has_relation(label: Row, shown: Sequence[Row]) -> bool:
    """True where the relation is the labelled one; two ends of a range have one each."""
    if len(shown) == 1:
        return bool(shown[0].get("relation") == label["relation"])
    ends = sorted(shown, key=lambda one: float(one["value"]))
    return all(one.get("relation") in side for one, side in zip(ends, ENDS, strict=True))


def _is_proved_limit(shown: Row) -> bool:
    return shown.get("role") == "limit" and bool(shown.get("proved"))


def _count_false_limit(row_id: str, shown: Row, truth: str, tally: Tally) -> None:
    kind = "no limit" if truth != "not labelled" else "limit, not labelled"
    tally.counts[kind] += 1
    fault = Fault(kind, row_id, str(shown.get("text")), str(shown.get("relation")), truth)
    tally.faults.append(fault)


def match_amounts(
    label: Row, shown: Sequence[Row]
) -> tuple[list[tuple[Row, tuple[Row, ...]]], list[Row]]:
    """Return the labelled amounts, each with the amounts shown for it, and those left over."""
    sentence = str(label["sentence"])
    places = _find_places(sentence, [str(one["text"]) for one in label["amounts"]])
    at = dict(enumerate(_find_places(sentence, [str(one.get("text", "")) for one in shown])))
    left = dict(enumerate(shown))
    pairs: list[tuple[Row, tuple[Row, ...]]] = [(one, ()) for one in label["amounts"]]
    for is_loose in (False, True):
        for n, (labelled, taken) in enumerate(pairs):
            if taken:
                continue
            near = sorted(left, key=lambda i: _distance(places[n], at[i]))
            chosen = _choose(labelled, [i for i in near if _distance(places[n], at[i]) == 0], left)
            if not chosen and is_loose:
                chosen = _choose(labelled, near, left)
            pairs[n] = (labelled, tuple(left.pop(i) for i in chosen))
    for n, (labelled, taken) in enumerate(pairs):
        if not taken and _read_number(labelled["value"]) is None:
            here = [i for i in left if _distance(places[n], at[i]) == 0][:1]
            pairs[n] = (labelled, tuple(left.pop(i) for i in here))
    return pairs, list(left.values())


def _choose(label: Row, order: Sequence[int], shown: Mapping[int, Row]) -> list[int]:
    """Return the first amount with the value of the label, or two that are the ends of its range.

    Half of a range is chosen where its other end is not shown.
    """
    value, upper = _read_number(label["value"]), _read_number(label.get("upper"))
    numbers = {i: _read_number(shown[i].get("value")) for i in order}
    tops = {i: _read_number(shown[i].get("upper")) for i in order}
    if upper is not None:
        for i in order:
            if _is_same(numbers[i], value) and _is_same(tops[i], upper):
                return [i]
        low = [i for i in order if _is_same(numbers[i], value) and tops[i] is None][:1]
        high = [i for i in order if _is_same(numbers[i], upper) and i not in low][:1]
        return low + high
    alone = [i for i in order if _is_same(numbers[i], value)]
    return sorted(alone, key=lambda i: tops[i] is not None)[:1]


def _read_number(value: object) -> float | None:
    """Return a number, or what a fraction or another text is as one; None without a number."""
    if isinstance(value, int | float):
        return float(value)
    try:
        return float(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        return None


def _is_same(said: float | None, value: float | None) -> bool:
    """True of equal numbers, and of a fraction that is shown as a percentage."""
    if said is None or value is None:
        return False
    is_percentage = 0 < value < 1 and math.isclose(said, value * 100, rel_tol=1e-2)
    return is_percentage or math.isclose(said, value, rel_tol=1e-3)


def _find_places(sentence: str, texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return where texts are in a sentence, (start, end) each; equal ones one after the other.

    A text that is not there has a place behind the end.
    """
    taken: Counter[str] = Counter()
    places = []
    for text in texts:
        whole = rf"(?<!\w){re.escape(text)}(?!\w)"
        found = [m.span() for m in re.finditer(whole, sentence)] if text else []
        found = found or (
            [m.span() for m in re.finditer(re.escape(text), sentence)] if text else []
        )
        behind = (len(sentence) + 1, len(sentence) + 1)
        places.append(found[min(taken[text], len(found) - 1)] if found else behind)
        taken[text] += 1
    return places


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return how many characters are between two places; 0 where they overlap."""
    return max(0, one[0] - other[1] + 1, other[0] - one[1] + 1)


def _score_duties(label: Row, shown: Sequence[Row], tally: Tally) -> None:
    wanted = [{duty["modality"], *duty.get("also", ())} for duty in label["duties"]]
    said = {str(duty.get("modality")) for duty in shown} - {"none"}
    allowed = set().union(*wanted)
    is_right = said <= allowed and all(said & one or "none" in one for one in wanted)
    actors = [duty["actor"] for duty in label["duties"] if duty["actor"]]
    has_actor = not actors or any(
        _shares_head(actor, str(duty.get("actor", ""))) for actor in actors for duty in shown
    )
    tally.counts["modality right"] += is_right
    tally.counts["duties right"] += is_right and has_actor
    tally.counts["with actor"] += bool(actors)
    tally.counts["actor right"] += bool(actors) and has_actor
    start = str(label["sentence"])[:60]
    if not is_right:
        truth = " + ".join("|".join(sorted(one)) for one in wanted)
        fault = Fault("modality", label["id"], start, ", ".join(sorted(said)) or "none", truth)
        tally.faults.append(fault)
    if not has_actor:
        actor = " / ".join(str(duty.get("actor", "")) for duty in shown)
        tally.faults.append(Fault("actor", label["id"], start, repr(actor), " / ".join(actors)))


def _shares_head(label: str, said: str) -> bool:
    """True where an actor has the head word of a labelled one, or of one of several joined."""
    spoken = _stems(said)
    joined = re.split(r"\b(?:and|or|und|oder|et|ou)\b", label)
    heads = (_stems(TAIL.sub("", f" {one.strip()} ")) or _stems(one) for one in joined)
    return any(head[-1] in spoken or head[0] in spoken for head in heads if head)


def _stems(text: str) -> list[str]:
    """Return the words of a text that say who is meant, without the endings of a plural."""
    words = [word for word in WORD.findall(text.casefold()) if word not in ARTICLES]
    return [re.sub(r"(?:innen|in|s)$", "", word) or word for word in words]


def read_rows(text: str) -> dict[str, Row]:
    """Return JSON lines by their ids."""
    return {row["id"]: row for row in map(json.loads, filter(str.strip, text.splitlines()))}


def run_reader(labels: Mapping[str, Row]) -> str:
    """Return what the command prints for the sentences, which it gets without their labels."""
    keys = ("id", "language", "lead", "sentence")
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder, "sentences.jsonl")
        rows = ({key: row[key] for key in keys if key in row} for row in labels.values())
        bare.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        command = [sys.executable, "-m", "core", "sentences", str(bare), "--json"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"`python -m core sentences` failed:\n{done.stderr}")
    return done.stdout


def tally_groups(labels: Mapping[str, Row], said: Mapping[str, Row]) -> dict[str, Tally]:
    """Return what is counted for each language and for all, those held back apart."""
    groups: dict[str, Tally] = defaultdict(Tally)
    for row_id, label in labels.items():
        part = "held back" if is_held_back(row_id) else "open"
        for group in (f"{label.get('language', 'en')} {part}", f"all {part}"):
            if row_id not in said:
                groups[group].counts["missing"] += 1
            score_sentence(label, said.get(row_id, {}), groups[group])
    return dict(groups)


def table_lines(groups: Mapping[str, Tally]) -> Iterator[str]:
    """Yield the table of the figures, a line for each group."""
    columns = {
        "found": lambda one: one.share("found", "amounts"),
        "role": lambda one: one.share("role right", "amounts"),
        "limit right": lambda one: one.share("limit right", "limits"),
        "right|unproved": lambda one: one.share("limit right or unproved", "limit shown"),
        "proved": lambda one: one.share("limit proved right", "limits"),
        "threshold right": lambda one: one.share("threshold right", "thresholds"),
        "proved.": lambda one: one.share("threshold proved right", "thresholds"),
        "wrong": lambda one: f"{one.counts['wrong']}/{one.counts['relations shown']}",
        "no limit": lambda one: (
            f"{one.counts['no limit']}+{one.counts['limit, not labelled']}"
            f"/{one.counts['threshold as limit']}"
        ),
        "modality": lambda one: one.share("modality right", "sentences"),
        "duties": lambda one: one.share("duties right", "sentences"),
    }
    yield f"{'':13}" + "".join(f"{name:>16}" for name in columns)
    for group in sorted(groups, key=lambda name: (name.startswith("all"), name)):
        cells = (show(groups[group]) for show in columns.values())
        yield f"{group:13}" + "".join(f"{cell:>16}" for cell in cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="?", default=LABELS)
    parser.add_argument("output", type=Path, nargs="?")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.labels.exists():
        sys.exit(f"Skipped: {options.labels} is not there.")
    labels = read_rows(options.labels.read_text("utf-8"))
    said = read_rows(options.output.read_text("utf-8") if options.output else run_reader(labels))
    groups = tally_groups(labels, said)
    if options.json:
        print(json.dumps({name: one.counts for name, one in groups.items()}, indent=1))
        return
    print("\n".join(table_lines(groups)))
    if options.faults:
        print()
        print("\n".join(map(str, sorted(groups["all open"].faults, key=lambda one: one.kind))))


if __name__ == "__main__":
    main()
