"""Score the checks of a draft on single statements, each right or wrong by one clause.

    .venv/bin/python tests/benchmarks/pairs.py [PAIRS] [--faults] [--json] [--judges]

PAIRS is a file of labelled statements (../shared/eval/pairs_visible.jsonl without it). The clauses
become a library, a document for each file that they are from, whose sentences are parsed and kept
as those of any document. A draft is the statement followed by `[1]`, where `[1]` is its clause: it
is read and checked as the loop does it, with no model and no judge. The question is "What does the
rule say?", with the example values of a worked case (`EXAMPLES`), which are the asker's own.

Shown are, by kind and language, the shares of right statements with a fatal check and, of the
others, with a doubt; and the same of wrong statements, which are the caught ones. A check without a
level is fatal. Statements whose number is divisible by 3 are held back: they are counted apart and
never listed. In pairs_visible.jsonl all of those are wrong, a third statement on a clause that a
right and a wrong one are on already. With --faults the right ones of the others that are flagged
and the wrong ones that are not caught are listed, with --json all counts are printed as JSON. With
--judges each statement is the draft of a run over HTTP, judged by a scripted judge who calls
everything supported, and by one who knows which statements are wrong: shown are how many pass, how
many of them otherwise than by the checks alone, and how often a judge was asked of a statement
without seeing all of the clause that decides.

Measured in November, before the first change to a check (every check that failed was fatal):

    right, flagged                              open
      all                                  37 of 103
      en                                    26 of 85
      de                                     6 of 10
      fr                                      5 of 8
      plain                                 10 of 34
      computed                               8 of 15
      if first                               5 of 13
      is allowed                              4 of 8
      terse                                   2 of 7
      summary of two                          1 of 6
      bulleted                                1 of 5
      number words                            2 of 5
      article number                          2 of 4
      cannot be told                          2 of 3
      quote                                   0 of 3
      by uncited 19, duty 11, number 11, place 2
    wrong, caught                               open      held back
      all                                  46 of 103      45 of 103
      en                                    39 of 85       38 of 85
      de                                     6 of 10        4 of 10
      fr                                      1 of 8         3 of 8
      consequence of another case             1 of 7         2 of 7
      may/must/should                         5 of 6         3 of 7
      condition of another case               2 of 6         2 of 7
      direction turned                        5 of 5         5 of 6
      value                                   3 of 6         4 of 5
      numbers swapped                         6 of 9         1 of 2
      negation                                2 of 5         4 of 6
      actor                                   0 of 4         1 of 7
      threshold's side                        3 of 7         2 of 3
      time or deadline turned                 3 of 5         3 of 5
      condition dropped                       1 of 5         2 of 4
      exception dropped                       1 of 4         2 of 5
      all for some                            0 of 2         2 of 7
      invented addition                       1 of 2         3 of 6
      at-least dropped                        3 of 5         2 of 2
      unit                                    1 of 1         3 of 6
      exception applied to the wrong case      4 of 5         0 of 2
      merged with another rule                0 of 1         3 of 6
      row or column                           2 of 6         0 of 1
      definition swapped                      2 of 5         0 of 2
      order changed                           1 of 4         0 of 3
      quote cut                               0 of 3         1 of 4
      by duty 57, uncited 22, number 17, place 3, quote 1

Of the 37 right ones 16 fail as a draft that cites nothing: the loop makes no citation of a bare
marker where no sentence of its clause shares half of the statement's words.

With --judges, since a judge rules on each statement: the kind one lets 103 of 103 right ones pass
and 126 of 206 wrong ones (open 58 of 103, held back 68), as the checks alone do; the knowing one
all right ones and no wrong one. Each was asked with all of the clause that decides.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, product
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent.models.stream_parser import parse_citations
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Hit
from core.registers import find_kept_sentences
from core.rulebook import Clause
from core.sheets import complete_library
from core.verification import DraftCheck, Evidence, check_whole
from tests.agent.drafted_replies import contradict, find_stated, run_drafted
from tests.messages_server import support
from tests.verification.drafts import verify

PAIRS = ROOT.parent / "shared/eval/pairs_visible.jsonl"
Row = Mapping[str, Any]
Level = Literal["fatal", "doubt", "passed"]

EXAMPLES = {
    16: "a viscosity index of 100",
    34: "two extra elements",
    46: "a driver who drives for two Competitors",
    52: "80 msec",
    55: "150 V DC",
    61: "20 mm",
    64: "two people too many",
    70: "three and a half minutes",
    76: "fifteen minutes",
    85: "four litres, which are 4000 ml",
    97: "45 W",
    115: "a team of 25",
    121: "27 liter/100km",
    133: "two of his own pieces",
    136: "four minutes",
    148: "eight feet",
    151: "three buggies in all",
    163: "$80",
    190: "three extra people",
    199: "30 hours",
    223: "eine Referent:in",
    232: "48 Stunden",
    244: "lundi à midi",
    262: "six Automobiles",
    268: "ten minutes plus five seconds a move",
    277: "26 mm",
    283: "thirty members",
    301: "one and a half fluid ounces",
    304: "a 1.0 mm wall",
    307: "five members",
}
"""The asker's own values, by the number of the first statement on a clause."""


JUDGES = ("kind", "knowing")
"""One who calls everything supported, and one who knows which statements are wrong."""


@dataclass(frozen=True)
class Judged:
    """A statement with what the checks found; `is_held` if it is held back."""

    row: Row
    level: Level
    failed: tuple[DraftCheck, ...]
    is_held: bool

    @property
    def is_right(self) -> bool:
        return bool(self.row["label"] == "right")


@dataclass(frozen=True)
class Ruled:
    """A statement that was the draft of a run: whether it passed a judge.

    `is_fatal` if the checks alone refuse it; `hidden` counts what the judge was asked without the
    clause that decides.
    """

    row: Row
    judge: str
    is_accepted: bool
    is_fatal: bool
    hidden: int


def read_rows(path: Path) -> list[Row]:
    """Return labelled statements: lines of JSON, or rules with right and wrong statements below."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in lines if line.strip()]
    rows: list[Row] = []
    clause: list[str] = []
    language, place = "", ""
    for line in lines:
        if line.startswith("# "):
            (language, place), clause = line[2:].split(None, 1), []
        elif stated := re.match(r"([RW]) ([^:]+): (.+)", line):
            document, article = map(str.strip, place.split("|"))
            rows.append(
                {"id": f"S{3 * len(rows) + 1}", "document": document, "article": article}
                | {"clause": "\n".join(clause), "language": language, "kind": stated[2]}
                | {"label": "right" if stated[1] == "R" else "wrong", "statement": stated[3]}
            )
        else:
            clause.append(line)
    return rows


def find_number(row: Row) -> int:
    """Return the number of a statement: of "PV016" 16."""
    return int(re.sub(r"\D", "", row["id"]))


def group_by_clause(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the statements on each clause together; they follow each other in the file."""
    grouped = groupby(rows, lambda row: (row["document"], row["article"], row["clause"]))
    return [list(own) for _, own in grouped]


def make_library(folder: Path, groups: Sequence[Sequence[Row]]) -> tuple[Library, list[Clause]]:
    """Return a library of the clauses of groups, and these clauses in the order of the groups."""
    lines = []
    for number, (first, *_) in enumerate(groups, start=1):
        season = re.search(r"20\d\d", first["document"])
        lines.append(
            {"document": Path(first["document"]).stem, "text": first["clause"]}
            | {"article": first["article"] or f"Z{number}"}
            | ({"season": int(season[0])} if season else {})
        )
    library = Library(folder, "lexical")
    data = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    added = add_bytes(library, data.encode(), "pairs.jsonl")
    assert all(addition.status == "added" for addition in added)
    complete_library(library)
    clauses = {one.title: iter(library.clauses(one.document_id)) for one in library.documents()}
    return library, [next(clauses[line["document"]]) for line in lines]


def ask_for(example: str) -> str:
    """Return the question of a draft, with the asker's own values."""
    return f"What does the rule say{f' of {example}' if example else ''}?"


def check_statement(
    library: Library, clause: Clause, statement: str, example: str
) -> tuple[DraftCheck, ...]:
    """Return the checks of a draft that is a statement on one clause."""
    labels = {one.document_id: one.citation_label for one in library.documents()}
    evidence = Evidence()
    [source] = evidence.add_hits([Hit(clause, 1.0, "words")], labels)
    draft = f"{statement} [{source.marker}]"
    citations = parse_citations(draft, {source.marker: source})
    question = ask_for(example)
    return (
        *check_whole(draft, citations, False),
        *verify(
            draft,
            citations,
            evidence,
            question,
            notes=(labels[clause.document_id],),
            kept=partial(find_kept_sentences, library),
        ),
    )


def find_level(failed: Sequence[DraftCheck]) -> Level:
    """Return the gravest level of checks that failed; one without a level is fatal."""
    levels = {getattr(check, "level", "fatal") for check in failed}
    return "fatal" if "fatal" in levels else "doubt" if "doubt" in levels else "passed"


def judge_pairs(rows: Sequence[Row]) -> Iterator[Judged]:
    """Yield each statement with what the checks found."""
    groups = group_by_clause(rows)
    with tempfile.TemporaryDirectory() as folder:
        library, clauses = make_library(Path(folder), groups)
        for own, clause in zip(groups, clauses, strict=True):
            example = EXAMPLES.get(find_number(own[0]), "")
            for row in own:
                checks = check_statement(library, clause, row["statement"], example)
                failed = tuple(check for check in checks if not check.passed)
                yield Judged(row, find_level(failed), failed, find_number(row) % 3 == 0)


def describe_share(judged: Sequence[Judged]) -> str:
    """Return "fatal + doubt of all" of statements."""
    levels = Counter(one.level for one in judged)
    return f"{levels['fatal']:3} +{levels['doubt']:2} of {len(judged):3}"


def print_table(judged: Sequence[Judged]) -> None:
    """Print shares of open and held back statements: all, by language, kind and kind of check."""

    def print_row(name: str, own: Sequence[Judged]) -> None:
        parts = ([one for one in own if one.is_held == held] for held in (False, True))
        print(f"    {name:36}" + "   ".join(f"{describe_share(part):14}" for part in parts))

    for label in ("right", "wrong"):
        own = [one for one in judged if one.row["label"] == label]
        print(f"{label + ': fatal + doubt':40}{'open':17}held back")
        print_row("all", own)
        for key in ("language", "kind"):
            counts = Counter(one.row[key] for one in own)
            for name, _ in counts.most_common():
                print_row(name, [one for one in own if one.row[key] == name])
        kinds = Counter(kind for one in own for kind in {check.kind for check in one.failed})
        print("    by " + ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()))


def print_faults(judged: Sequence[Judged]) -> None:
    """List the right statements that are flagged and the wrong ones that are not caught."""
    for one in judged:
        if not one.is_held and one.is_right == (one.level != "passed"):
            row = one.row
            print(f"{row['id']} {row['label']} {row['kind']}: {row['statement']}")
            for check in one.failed:
                print(f"    {find_level([check])}, {check.kind}: {check.message}")


def judge_in_loop(rows: Sequence[Row]) -> Iterator[Ruled]:
    """Yield each statement as the draft of a run over HTTP, by each of the judges."""
    groups = group_by_clause(rows)
    with tempfile.TemporaryDirectory() as folder:
        library, clauses = make_library(Path(folder), groups)
        documents = {one.document_id: one for one in library.documents()}
        for own, clause in zip(groups, clauses, strict=True):
            example = EXAMPLES.get(find_number(own[0]), "")
            for row, judge in product(own, JUDGES):
                failed = check_statement(library, clause, row["statement"], example)
                is_fatal = find_level([one for one in failed if not one.passed]) == "fatal"
                refuses = judge == "knowing" and row["label"] == "wrong"
                hidden = []

                def rule(body: Any, number: int) -> Any:
                    _, shown = find_stated(body, number)
                    texts = (" ".join(text.split()) for text in shown)
                    hidden.append(not any(" ".join(clause.text.split()) in one for one in texts))  # noqa: B023
                    return (contradict if refuses else support)(body, number)  # noqa: B023

                events = run_drafted(
                    library,
                    ask_for(example),
                    f"{clause.title} {clause.text[:200]}",
                    f"{row['statement']} {{{clause.article}}}",
                    documents[clause.document_id],
                    rule,
                )
                yield Ruled(row, judge, events[-1].outcome == "answered", is_fatal, sum(hidden))


def print_ruled(ruled: Sequence[Ruled]) -> None:
    """Print what each judge let pass: open and held back statements by label."""
    for judge, label, is_held in product(JUDGES, ("right", "wrong"), (False, True)):
        own = [
            one
            for one in ruled
            if (one.judge, one.row["label"]) == (judge, label)
            and (find_number(one.row) % 3 == 0) == is_held
        ]
        accepted = sum(one.is_accepted for one in own)
        unlike = sum(one.is_accepted == one.is_fatal for one in own)
        hidden = sum(one.hidden for one in own)
        print(
            f"    {judge} judge, {label}, {'held back' if is_held else 'open'}: {accepted} of"
            f" {len(own)} accepted; otherwise than by the checks alone {unlike};"
            f" statements without the words that decide {hidden}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pairs", type=Path, nargs="?", default=PAIRS)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--judges", action="store_true")
    options = parser.parse_args()
    rows = read_rows(options.pairs)
    if options.judges:
        print_ruled(list(judge_in_loop(rows)))
        return
    judged = list(judge_pairs(rows))
    if options.json:
        keys = ("label", "language", "kind")
        counts = Counter((*(j.row[k] for k in keys), j.is_held, j.level) for j in judged)
        names = (*keys, "held_back", "level")
        shares = [dict(zip(names, key, strict=True)) | {"count": n} for key, n in counts.items()]
        print(json.dumps(shares, ensure_ascii=False))
        return
    print_table(judged)
    if options.faults:
        print_faults(judged)


if __name__ == "__main__":
    main()
