"""How many of the changes that publishers declared a comparison finds, beside the base rate.

    python tests/benchmarks/declared_changes.py KEY.jsonl FOLDER [--only PART] [--misses] [--draw N]

Each row of KEY names two files of FOLDER, a `rule`, what the publisher `said` of it, and whether
its number stands `in_before` and `in_after`. A row is found where `compare` has a pair with that
rule as either number whose `place` or `wording` is not the same. Rows in neither are left out. A
wording change is a row in both. The base rate is the share of all rules for which the same holds,
so that a comparison which calls everything changed gains nothing.

`--only` takes the pairs whose earlier file's name holds PART. `--misses` prints what was not
found, `--draw` N differences drawn at random that no row declares. The documents are added to the
library of the settings (`SCRUTINEER_DATA_DIR`), where they stay for the next time.

A line of a record of changes that was read as a rule finds nothing. Measured with the four pairs of
one publisher's rules for students, 2017 to 2022:

                        declared and found   wording changes found   base rates (any, wording)
    kinds of pairs      644/672 = 0.958      392/418 = 0.938         0.51, 0.26
    place and wording   653/672 = 0.972      399/418 = 0.955         0.53, 0.29
    capital letters     654/672 = 0.973      400/418 = 0.957         0.53, 0.29
    without 26 rows     645/646 = 0.998      391/392 = 0.997

The 26 rows are declared at rules whose number and words, letter for letter, stand in the text
layers of both files, as PDFium has them. What was found and what was missed is asked alike: 9 of
them are found, the headings among them that say which rules came or left. Looked at on the pages,
15 of the 17 missed ones name the rule before one that was removed, which is how this publisher
declares removals; one names a heading above rules that changed, one the rule after the changed one.
Nothing printed of these rules differs: no picture, cell, sign or footnote. Another points to a
table that changed and is printed below the next rules: it is found by its capital letter alone. The
row that is missed was declared at two rules and made at one of them. With what is after or below a
rule it is 669/672 = 0.996; that holds for 0.63 of all numbers, against 0.57.

Of 40 undeclared differences drawn from all pairs and read beside the pages, 38 were real, three
times. Three of the four others of the first two draws are no differences any more: a line of a
record of changes that was read as a rule, a sign of degrees drawn as a ring, a number printed with
another space. The words in a picture that was printed below another rule still are one: left out,
changed numbers of a drawing would be too. Those of the third are two drawn
equations, whose signs one of the files has no characters for. Left out with what stands beside
their captions, pictures that only moved are no differences (80 of 80 were real then), but a line
that two rules both have beside a caption, or a caption's number that changed, is one: taken back.
Of 60 steps of stable ids drawn where number or words had changed, 58 were one rule: one was two
headings that share two words (no pair any more), one a rule that was split. Of 30 more, 30 were.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pypdfium2 import PdfDocument

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.library import ClausePair, Library, add_file
from core.library.article_path import article_key, article_steps
from core.library.comparison.compare import compare
from core.settings import load_settings

SEED = 7

Row = Mapping[str, Any]
PairsByNumber = Mapping[str, Sequence[ClausePair]]


def compare_files(library: Library, files: Iterable[Path]) -> tuple[ClausePair, ...]:
    """Compare two files, after adding those that the library does not hold."""
    documents = []
    for path in files:
        known = next((d for d in library.documents() if d.file == path.name), None)
        added = known or next(add_file(library, path)).document
        if added is None:
            raise SystemExit(f"{path} could not be added")
        documents.append(added)
    before, after = (library.clauses(document.document_id) for document in documents)
    return compare(before, after)


def group_by_number(pairs: Iterable[ClausePair]) -> dict[str, list[ClausePair]]:
    grouped: dict[str, list[ClausePair]] = {}
    for pair in pairs:
        for number in {article_key(n) for n in (pair.article_a, pair.article_b) if n}:
            grouped.setdefault(number, []).append(pair)
    return grouped


def is_wording_changed(pair: ClausePair) -> bool:
    return pair.wording != "same"


def is_changed(pair: ClausePair) -> bool:
    return pair.place != "same" or is_wording_changed(pair)


def is_declaration(pair: ClausePair, row: Row) -> bool:
    """True for the line of the record of changes itself, where that was read as a rule.

    A rule may hold the words that were said of it, but not behind a version.
    """
    return fold(f"{row['version']} {row['said']}") in fold(f"{pair.before} {pair.after}")


def fold(text: str) -> str:
    return "".join(character for character in text if character.isalnum()).casefold()


def find_row(grouped: PairsByNumber, near: set[str], row: Row) -> tuple[bool, bool, bool]:
    """Return whether a declared change is found, whether its words differ, whether one is near.

    One is near where a rule was removed right after it, or one below it changed: publishers
    declare these there too.
    """
    number = article_key(row["rule"])
    pairs = [pair for pair in grouped.get(number, ()) if not is_declaration(pair, row)]
    found, worded = any(map(is_changed, pairs)), any(map(is_wording_changed, pairs))
    return found, worded, found or number in near


def stands_in_both(row: Row, grouped: PairsByNumber, texts: Sequence[str]) -> bool:
    """True for a rule whose number and words stand, letter for letter, in both files' text layers.

    Asked of what was found and of what was missed alike, so that it tells faults of the key apart.
    """
    number = article_key(row["rule"])
    sides = [
        (article, text)
        for pair in grouped.get(number, ())
        if not is_declaration(pair, row)
        for article, text in ((pair.article_a, pair.before), (pair.article_b, pair.after))
    ]
    rules = {fold(number + text) for article, text in sides if article_key(article or "") == number}
    return bool(rules) and all(rule in text for rule in rules for text in texts)


def read_text_layer(path: Path) -> str:
    """Return the letters of a file as PDFium has them, which no code of this project reads."""
    pages = PdfDocument(path)
    return fold(" ".join(page.get_textpage().get_text_range() for page in pages))


def list_neighbours(pairs: Iterable[ClausePair]) -> Iterator[str]:
    """Yield the numbers of the rules before gaps, and of those above changed ones."""
    for pair in filter(is_changed, pairs):
        if pair.gap_after:
            yield article_key(pair.gap_after)
        for number in filter(None, (pair.article_a, pair.article_b)):
            steps = article_steps(number)
            yield from (".".join(steps[:depth]) for depth in range(1, len(steps)))


def format_share(found: int, count: int) -> str:
    return f"{found}/{count} = {found / max(count, 1):.3f}"


def score(
    rows: Sequence[Row], pairs: Sequence[ClausePair], texts: Sequence[str], show_misses: bool
) -> list[list[bool]]:
    """Print the figures of two files; return those of each row, as `print_figures` takes them."""
    grouped = group_by_number(pairs)
    near = set(list_neighbours(pairs))
    results = []
    for row in rows:
        found, worded, is_near = find_row(grouped, near, row)
        is_same = stands_in_both(row, grouped, texts)
        results.append([found, worded, row["in_before"] and row["in_after"], is_near, is_same])
        if show_misses and not found:
            note = " (its words stand in both files)" if is_same else ""
            print(f"  not found: {row['rule']}: {row['said']}{note}")
    print(f"{rows[0]['before_file']} -> {rows[0]['after_file']}")
    print_figures(results)
    both = [p for p in pairs if p.article_a and p.article_b]
    print(f"  base rate, any change: {format_share(sum(map(is_changed, pairs)), len(pairs))}")
    worded = sum(map(is_wording_changed, both))
    print(f"  base rate, of wording: {format_share(worded, len(both))}")
    return results


def print_figures(results: Sequence[Sequence[bool]]) -> None:
    wording = [r for r in results if r[2]]
    print(f"  declared and found:    {format_share(sum(r[0] for r in results), len(results))}")
    print(f"    after or below it:   {format_share(sum(r[3] for r in results), len(results))}")
    print(f"  wording changes found: {format_share(sum(r[0] for r in wording), len(wording))}")
    print(f"    with other words:    {format_share(sum(r[1] for r in wording), len(wording))}")
    same = [r for r in results if r[4]]
    print(f"  rules whose number and words stand, letter for letter, in both files: {len(same)}")
    print(f"    of these found:      {format_share(sum(r[0] for r in same), len(same))}")
    other, others = ([r for r in rows if not r[4]] for rows in (results, wording))
    print("  without them:")
    print(f"    declared and found:  {format_share(sum(r[0] for r in other), len(other))}")
    print(f"    wording changes:     {format_share(sum(r[0] for r in others), len(others))}")


def draw_undeclared(
    rows: Sequence[Row], pairs: Sequence[ClausePair], count: int
) -> Iterator[ClausePair]:
    declared = {article_key(row["rule"]) for row in rows}
    open_pairs = [
        pair
        for pair in pairs
        if is_changed(pair)
        and declared.isdisjoint(article_key(n) for n in (pair.article_a, pair.article_b) if n)
    ]
    yield from random.Random(SEED).sample(open_pairs, min(count, len(open_pairs)))


def print_pair(pair: ClausePair) -> None:
    print(f"--- {pair.change} {pair.article_a} -> {pair.article_b} {pair.similarity:.2f}")
    for piece in pair.pieces or ():
        print(f"  {piece.kind:8} {piece.text[:300]!r}")
    if not pair.pieces:
        print(f"  {pair.before[:400]!r} -> {pair.after[:400]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("key", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--draw", type=int, default=0)
    options = parser.parse_args()
    library = Library.open(load_settings())
    rows = [json.loads(line) for line in options.key.read_text().splitlines()]
    rows = [row for row in rows if row["in_before"] or row["in_after"]]
    results = []
    for files, of_files in groupby(rows, lambda row: (row["before_file"], row["after_file"])):
        if options.only not in files[0]:
            continue
        declared = list(of_files)
        paths = [options.folder / name for name in files]
        pairs = compare_files(library, paths)
        results += score(declared, pairs, list(map(read_text_layer, paths)), options.misses)
        for pair in draw_undeclared(declared, pairs, options.draw):
            print_pair(pair)
    print("all")
    print_figures(results)


if __name__ == "__main__":
    main()
