"""Measure what the README says of Scrutineer and write docs/figures.md: `make figures`.

    python -m docs.site.figures [NAME ...]

Each measure of figures.toml is a command of tests/benchmarks, or of ../shared/eval on what lies
there, whose output becomes a table. With names only these are measured; the others stay as they
are, with their date and commit, and so do those whose files are not here. Two runs write the same
but for the lines in italics (date, commit, seconds) and the section on speed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

PAGE = Path(__file__).parents[1] / "figures.md"
ROOT = PAGE.parents[1]
WORK = ROOT / "build" / "figures"
SHARED = ROOT.parent / "shared"


@dataclass(frozen=True, slots=True)
class Measure:
    """A part of the page, as figures.toml has it."""

    heading: str
    text: str
    command: str
    needs: Sequence[str] = ()


def main(names: Sequence[str] = ()) -> None:
    """Measure and write the page, after each measure: one that fails loses none before it."""
    page = tomllib.loads((Path(__file__).with_suffix(".toml")).read_text(encoding="utf-8"))
    measures = {name: Measure(**one) for name, one in page["measures"].items()}
    if unknown := set(names) - set(measures):
        raise SystemExit(f"No measure is named {', '.join(sorted(unknown))}.")
    parts = _read_parts()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for name in names or measures:
        measure = measures[name]
        if missing := [path for path in measure.needs if not (ROOT / path).exists()]:
            print(f"{name}: not measured, {', '.join(missing)} is not here.")
            continue
        print(f"{name} ...", flush=True)
        parts[name] = "\n".join(_measure(measure, FOLDS[name]))
        write_page(page["introduction"], measures, parts)


def write_page(
    introduction: str, measures: Mapping[str, Measure], parts: Mapping[str, str]
) -> None:
    """Write the parts in the order of the measures, and name those that are missing."""
    known = [f"<!-- {one} -->\n{parts[one]}\n" for one in measures if one in parts]
    absent = [measure.heading for name, measure in measures.items() if name not in parts]
    rest = f"Not measured yet: {'; '.join(absent)}.\n"
    lines = (introduction, *([rest] if absent else []), *known)
    PAGE.write_text("\n".join(lines), encoding="utf-8")


def _read_parts() -> dict[str, str]:
    pieces = re.split(r"<!-- ([\w-]+) -->\n", PAGE.read_text(encoding="utf-8"))
    return dict(zip(pieces[1::2], map(str.strip, pieces[2::2]), strict=True))


def _measure(measure: Measure, fold: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a part: its text, its table, and when and how it was measured."""
    began = time.monotonic()
    own = ("SCRUTINEER_", "ANTHROPIC_")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    done = subprocess.run(
        ["sh", "-ec", measure.command],
        cwd=ROOT,
        env=clean | {"PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{clean['PATH']}"},
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{measure.heading}: the command ended with {done.returncode}.")
    commit = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True
    )
    yield from (f"## {measure.heading}", "", measure.text)
    yield from fold(done.stdout)
    seconds = time.monotonic() - began
    day = datetime.now(UTC).date()
    yield from ("", f"*{day} · commit {commit.stdout.strip()} · {seconds:.0f} s*", "")
    yield from ("```", measure.command.strip(), "```")


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a table in Markdown."""
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"


def share(part: int, whole: int) -> str:
    """Return "7 of 20 (35 %)"."""
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"


def last_json(output: str) -> Any:
    """Return the last line of an output that is JSON."""
    lines = [line for line in output.splitlines() if line.startswith(("{", "["))]
    return json.loads(lines[-1])


# Reading

KINDS = {
    "FIA": "FIA (motor sport)",
    "Formula Student": "Formula Student",
    "SAE": "Formula SAE",
    "": "others: statutes, by-laws, a law, a release, chess",
}


def fold_numbers(output: str) -> Iterator[str]:
    """Fold the lines of score_numbers.py, one a document, by kind of publisher."""
    key = SHARED / "eval" / "numbers_visible.jsonl"
    publishers = {
        row["file"]: row["publisher"] for row in map(json.loads, key.read_text().splitlines())
    }
    kinds: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for line in output.splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        if row.get("file") in publishers:
            kinds[next(kind for kind in KINDS if kind in publishers[row["file"]])].append(row)
    everything = [row for rows in kinds.values() for row in rows]
    heads = ("publisher", "rulebooks", "numbers", "found", "taken right", "first words right")
    yield from table(
        heads,
        (
            (name, len(rows), sum(row["key"] for row in rows), *map(_mean(rows), SCORED))
            for name, rows in (
                *((KINDS[kind], kinds[kind]) for kind in KINDS if kind in kinds),
                ("all", everything),
            )
        ),
    )


def _mean(rows: Iterable[Mapping[str, float | None]]) -> Callable[[str], str]:
    """Return what gives the mean of a score; a document without numbers has none."""
    return lambda score: f"{fmean(row[score] for row in rows if row[score] is not None):.3f}"


SCORED = ("recall", "precision", "first_words")


# What is seen


def fold_seen(output: str) -> Iterator[str]:
    """Fold the counts of crafted_pages.py and, if they were run, of other_readers.py."""
    found = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    readers = {"Scrutineer": found[0]} | (found[1] if len(found) > 1 else {})
    sights = ("struck", "nothing", "other", "visible")
    rows = []
    for name, counts in readers.items():
        cells = []
        for sight in sights:
            own = Counter(counts[sight])
            good = own["right"] + own["told"]
            told = f", {own['told']} of them told as doubtful" if own["told"] else ""
            cells.append(f"{good} of {own.total()}{told}")
        rows.append((name, *cells))
    heads = ("reader", "struck out", "not visible", "page shows other words", "plain, looks odd")
    yield from table(heads, rows)
    if len(found) == 1:
        yield from ("", "The other readers were not installed when this was measured.")


# Answers

FINDINGS = ("right_accepted", "wrong_accepted", "right_left", "refused_rightly")


def _answer_row(name: str, counts: Mapping[str, int]) -> tuple[object, ...]:
    accepted = counts["right_accepted"] + counts["wrong_accepted"]
    return (
        name,
        sum(counts.values()),
        accepted,
        share(counts["wrong_accepted"], accepted),
        counts["right_left"],
        counts["refused_rightly"],
        sum(counts.values()) - accepted - counts["right_left"] - counts["refused_rightly"],
    )


ANSWER_HEADS = (
    "set",
    "questions",
    "accepted",
    "wrong of accepted",
    "right, left to a person",
    "rightly refused",
    "missed or wrong, left to a person",
)


def fold_samples(output: str) -> Iterator[str]:
    """Fold the results of `evaluate --json` over both sets of the samples."""
    sets: list[Counter[str]] = [Counter()]
    names = []
    for line in output.splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        if "finding" in row:
            finding = row["finding"].replace("right_not_accepted", "right_left")
            sets[-1][finding if finding in FINDINGS else "left"] += 1
        elif "evaluation_id" in row:
            names.append(f"`{row['file']}`")
            sets.append(Counter())
    yield from table(ANSWER_HEADS, map(_answer_row, names, sets))


def fold_answers(output: str) -> Iterator[str]:
    """Fold the last line of score_answers.py."""
    counts = last_json(output)["counts"]["ALL"]
    names = (*FINDINGS, "refused_answerable", "wrong_left", "failed")
    row = _answer_row("`answers_visible.jsonl`", {one: counts[one] for one in names})
    yield from table(ANSWER_HEADS, [row])


# Statements, limits, changes


def fold_pairs(output: str) -> Iterator[str]:
    """Fold the counts of pairs.py --json."""
    counts: Counter[tuple[str, bool, str]] = Counter()
    for row in last_json(output):
        counts[row["label"], row["held_back"], row["level"]] += row["count"]

    def cells(label: str, held: bool) -> tuple[object, ...]:
        own = {level: counts[label, held, level] for level in ("fatal", "doubt", "passed")}
        return (sum(own.values()), *own.values())

    rows = [
        ("right", *cells("right", False)),
        ("wrong by one thing", *cells("wrong", False)),
        ("wrong, held back", *cells("wrong", True)),
    ]
    yield from table(("statement", "count", "fails", "doubted, for the judge", "passes"), rows)


def fold_turned(output: str) -> Iterator[str]:
    """Fold the table of turned_limits.py."""
    rows = re.findall(r"^(\S+) +.*?(\d+) turned, +(\d+) noticed", output, re.MULTILINE)
    yield from table(
        ("rulebook", "limits turned round", "noticed"),
        ((name, turned, share(int(noticed), int(turned))) for name, turned, noticed in rows),
    )
    yield from ("", _sentence(r"\d+ false alarms of .*", output))


def fold_quotes(output: str) -> Iterator[str]:
    """Fold the result of quotes.py."""
    found = re.search(r"(\d+) quotes: recall ([\d.]+), precision ([\d.]+), named ([\d.]+)", output)
    assert found, output
    heads = (
        "quotes, half of them altered",
        "altered ones found",
        "found ones altered",
        "fault named",
    )
    yield from table(heads, [found.groups()])


def fold_limits(output: str) -> Iterator[str]:
    """Fold the JSON of score_limits.py for limits, obligations and sheets."""
    found = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    rows = (
        (name, one["key"], one["false"], f"{one['precision']:.3f}", f"{one['recall']:.3f}")
        for name, one in zip(("limits", "obligations"), found, strict=True)
    )
    heads = ("list", "in the key", "listed and false", "precision", "recall")
    yield from table(heads, rows)


def fold_values(output: str) -> Iterator[str]:
    """Fold the table of value_verdicts.py."""
    pattern = r"^(open|held back) +(ask|sheet) +of +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$"
    asked = {"ask": "asked as a question", "sheet": "row of a sheet"}
    yield from table(
        ("rows", "how", "count", "falsely legal", "falsely not legal", "right", "left undecided"),
        (
            (rows, asked[how], *rest)
            for rows, how, *rest in re.findall(pattern, output, re.MULTILINE)
        ),
    )


def fold_changes(output: str) -> Iterator[str]:
    """Fold the last lines of changes.py, one a pair of issues, and those of declared_changes.py."""
    pattern = (
        r"(\d+) pairs in .*?; (\d+) marks, (\d+) not found;"
        r" (\d+) differences, \d+ marked, \d+ explained, (\d+) neither"
    )
    pairs = ("Sporting 2023, 1 to 2", "Sporting 2023 to 2024", "Technical 2023, 1 to 2")
    pairs += ("Technical 2023 to 2024",)
    heads = ("issues", "rules", "marks of the publisher", "not found", "differences", "unmarked")
    rows = re.findall(pattern, output)
    yield from table(
        heads,
        (
            (name, rules, marks, lost, differences, unmarked)
            for name, (rules, marks, lost, differences, unmarked) in zip(pairs, rows, strict=True)
        ),
    )
    parts = ("declared and found", "without.*?found", "base rate, any change")
    shares = "".join(rf".*?{part}: +(\d+/\d+ = [\d.]+)" for part in parts)
    if declared := re.findall(rf"^(\S+ -> \S+)$(?s:{shares})", output, re.MULTILINE):
        yield ""
        yield from table(("issues", "listed rules", "without the same", "all rules"), declared)


def fold_speed(output: str) -> Iterator[str]:
    """Fold what reading.py, startup.py and growth.py print."""
    pypdf = re.findall(r"([\d.]+) times pypdf", output)
    commands = re.findall(r"^(documents|search|ask)( served)? .* ([\d.]+)$", output, re.MULTILINE)
    search = re.compile(r"^(all documents|one document|bm25s) .* ([\d.]+) +\d+$", re.MULTILINE)
    every, one, bm25s = (float(found[2]) for found in search.finditer(output))
    rows = [
        ("reading a rulebook", "its plain text by pypdf", 1 / float(pypdf[0])),
        *(
            (f"`{name}`{served}", "`import lancedb`", float(ratio))
            for name, served, ratio in commands
        ),
        ("search in all documents", "bm25s in memory", every / bm25s),
        ("search in one document", "bm25s in memory", one / bm25s),
    ]
    yield from table(
        ("work", "beside", "ratio of times"), ((*names, f"{ratio:.2f}") for *names, ratio in rows)
    )


def _sentence(pattern: str, output: str) -> str:
    found = re.search(pattern, output)
    assert found, output
    return found[0]


FOLDS: Mapping[str, Callable[[str], Iterable[str]]] = {
    "numbers": fold_numbers,
    "seen": fold_seen,
    "answers": fold_samples,
    "published-answers": fold_answers,
    "pairs": fold_pairs,
    "turned": fold_turned,
    "quotes": fold_quotes,
    "limits": fold_limits,
    "values": fold_values,
    "changes": fold_changes,
    "speed": fold_speed,
}

if __name__ == "__main__":
    main(sys.argv[1:])
