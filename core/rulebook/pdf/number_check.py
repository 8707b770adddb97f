"""Numbers whose digits are not placed as they are stored: backwards, squeezed, over other print.

What is left of a number without one of its digits would be another number, so it is doubted as a
whole.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import TypeAlias

from core.rulebook.pdf.glyph_shapes import UNKNOWN
from core.rulebook.pdf.page_content import Flaw
from core.rulebook.pdf.visibility import PagePrint, PrintedRun, runs_that_overlap

_SQUEEZED = 0.12  # ems a letter on average: nobody can read narrower print
_FEWEST_SQUEEZED = 3  # letters: a single one may be narrow, but no digit is
_LEVEL = 0.1  # ems between the baselines, and the edges, of two glyphs of one number
_IN_NUMBERS = (".", ",", UNKNOWN)
_Glyph: TypeAlias = tuple[str, float, float]
"""A character and its edges."""
_NUMBER = re.compile(r"\d[\d.,]*\d")
_STEP = 0.4  # of the width of a digit, from one to the next
_OVER = 0.5  # of the narrower of two glyphs in one place
_UNREADABLE = 0.5  # of the letters of a run, that others are printed over
_LARGER = 1.6  # times as large is a word behind print
_OVERLAP = 0.25  # ems that two runs of a line share


def mark_squeezed_runs(runs: Iterable[PrintedRun]) -> None:
    """Add flaws to runs whose letters are too narrow for anybody to read."""
    for printed in runs:
        narrowest = printed.width / (_SQUEEZED * printed.size)
        if narrowest >= len(printed.text):
            continue
        letters = sum(map(str.isalnum, printed.text))
        if narrowest < letters and (letters >= _FEWEST_SQUEEZED or printed.text.strip().isdigit()):
            printed.run.flaws.append(Flaw(printed.box[0], printed.box[2], "hidden"))


def mark_broken_numbers(page: PagePrint) -> None:
    """Add flaws to the other digits of a number with one that is not seen as it is stored.

    What is left of "600" without its first digit would be another number.
    """
    flawed = [printed for printed in page.runs if any(map(_is_unread, printed.run.flaws))]
    for baseline, size in {(printed.baseline, printed.size) for printed in flawed}:
        near = _LEVEL * size
        line = page.runs_between(baseline - near, baseline + near)
        alike = (printed for printed in line if size / 2 <= printed.size <= size * 2)
        for number in _numbers_of(alike):
            flaws = [printed.run.flaw_at((left + right) / 2) for printed, left, right in number]
            kind = next((flaw.kind for flaw in flaws if flaw and _is_unread(flaw)), None)
            for flaw, (printed, left, right) in zip(flaws, number, strict=True):
                if kind and not flaw:
                    printed.doubt(left, right, kind)


def _is_unread(flaw: Flaw) -> bool:
    return flaw.kind != "deleted"


def _numbers_of(line: Iterable[PrintedRun]) -> list[list[tuple[PrintedRun, float, float]]]:
    """The numbers of a line, each glyph with its run and its edges.

    One may go on in the run that begins where its own ends.
    """
    numbers: list[list[tuple[PrintedRun, float, float]]] = []
    for printed in sorted(line, key=lambda printed: printed.box[0]):
        for is_number, group in groupby(
            printed.glyphs, lambda glyph: glyph[0].isdigit() or glyph[0] in _IN_NUMBERS
        ):
            found = [(printed, left, right) for _, left, right in group]
            if not is_number:
                continue
            near = _LEVEL * printed.size
            ends = (number for number in numbers if abs(number[-1][2] - found[0][1]) < near)
            if number := next(ends, None):
                number += found
            else:
                numbers.append(found)
    return numbers


def mark_displaced_digits(runs: Iterable[PrintedRun]) -> None:
    """Add flaws to numbers whose digits are not one after the other from left to right."""
    for printed in runs:
        for number in _NUMBER.finditer(printed.spelled):
            parts = printed.places.edges(printed.raw, *number.span())
            glyphs = list(zip(number[0], *parts, strict=True))
            if any(
                after[1] - before[1] < _STEP * min(before[2] - before[1], after[2] - after[1])
                for before, after in pairwise(glyphs)
            ):
                ends = min(left for _, left, _ in glyphs), max(right for *_, right in glyphs)
                shown = "".join(char for char, *_ in sorted(glyphs, key=lambda glyph: glyph[1]))
                printed.doubt(*ends, "differs", shown if shown != number[0] else UNKNOWN)


def mark_mirrored_runs(runs: Iterable[PrintedRun]) -> None:
    """Add flaws to runs that are seen as in a mirror."""
    for printed in runs:
        if printed.raw.is_mirrored:
            printed.doubt_whole("differs", UNKNOWN)


def mark_printed_over(runs: Sequence[PrintedRun]) -> None:
    """Add flaws to digits that other print lies on, and to words that mostly do."""
    twice: dict[PrintedRun, set[_Glyph]] = defaultdict(set)
    found = []
    for one, other in runs_that_overlap(runs, _OVERLAP):
        if pairs := list(_glyphs_over(one, other)):
            found.append((one, other, pairs))
            twice[one].update(a for a, b in pairs if a[0] == b[0])
            twice[other].update(b for a, b in pairs if a[0] == b[0])
    for one, other, pairs in found:
        if not one.run.flaws and not other.run.flaws:
            _doubt_pairs(one, other, pairs, twice)


def _doubt_pairs(
    one: PrintedRun,
    other: PrintedRun,
    pairs: list[tuple[_Glyph, _Glyph]],
    twice: dict[PrintedRun, set[_Glyph]],
) -> None:
    """Add flaws to glyphs that lie on each other; not to print of which all is drawn `twice`."""
    letters = {each: sum(map(str.isalnum, each.text)) for each in (one, other)}
    is_bold = any(len(twice[each]) == count for each, count in letters.items())
    over = [(a, b) for a, b in pairs if a[0] != b[0]]
    if not over and not is_bold:  # a digit on itself
        over = pairs
    if len(over) >= max(_UNREADABLE * min(letters.values()), _FEWEST_SQUEEZED):
        one.doubt_whole("differs", UNKNOWN)
        other.doubt_whole("differs", UNKNOWN)
        return
    for a, b in over:
        if a[0].isdigit() or b[0].isdigit():
            one.doubt(*a[1:], "differs", UNKNOWN)
            other.doubt(*b[1:], "differs", UNKNOWN)


def _glyphs_over(one: PrintedRun, other: PrintedRun) -> Iterator[tuple[_Glyph, _Glyph]]:
    """Yield letters and digits of two runs about as large that lie on each other."""
    larger, smaller = max(one.size, other.size), min(one.size, other.size)
    if one.run.flaws or other.run.flaws or larger > _LARGER * smaller:
        return
    second = [glyph for glyph in other.glyphs if glyph[0].isalnum()]
    for a in one.glyphs:
        for b in second if a[0].isalnum() else ():
            shared = min(a[2], b[2]) - max(a[1], b[1])
            if shared > _OVER * min(a[2] - a[1], b[2] - b[1]):
                yield a, b
                break
