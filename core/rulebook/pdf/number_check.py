"""Numbers whose digits are not placed as they are stored: backwards, squeezed, over other print.

Print that is seen as in a mirror is doubted with them.

What is left of a number without one of its digits would be another number, so it is doubted as a
whole.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from core.rulebook.pdf.glyph_shapes import UNKNOWN
from core.rulebook.pdf.page_content import Flaw
from core.rulebook.pdf.visibility import PrintedRun, runs_between, runs_that_overlap

_SQUEEZED = 0.12  # ems a letter on average: nobody can read narrower print
_FEWEST_SQUEEZED = 3  # letters: a single one may be narrow, but no digit is
_LEVEL = 0.1  # ems between the baselines, and the edges, of two glyphs of one number
_POINTS = (".", ",")
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


def mark_broken_numbers(runs: Sequence[PrintedRun]) -> None:
    """Add flaws to the other digits of a number with one that is not seen as it is stored.

    What is left of "600" without its first digit would be another number.
    """
    flawed = [printed for printed in runs if any(map(_is_unread, printed.run.flaws))]
    for baseline, size in {(printed.baseline, printed.size) for printed in flawed}:
        near = _LEVEL * size
        line = runs_between(runs, baseline - near, baseline + near)
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
            printed.glyphs, lambda glyph: glyph[0].isdigit() or glyph[0] in (*_POINTS, UNKNOWN)
        ):
            found = [(printed, left, right) for _, left, right in group]
            before = (
                number
                for number in numbers
                if abs(number[-1][2] - found[0][1]) < _LEVEL * printed.size
            )
            if is_number and (number := next(before, None)):
                number += found
            elif is_number:
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
    found = [
        (one, other, list(_glyphs_over(one, other)))
        for one, other in runs_that_overlap(runs, _OVERLAP)
        if not one.run.flaws and not other.run.flaws
        if max(one.size, other.size) <= _LARGER * min(one.size, other.size)
    ]
    letters = {each: sum(map(str.isalnum, each.text)) for *both, _ in found for each in both}
    twice: dict[PrintedRun, set[_Glyph]] = {printed: set() for printed in letters}
    for one, other, pairs in found:
        twice[one].update(a for a, b in pairs if a[0] == b[0])
        twice[other].update(b for a, b in pairs if a[0] == b[0])
    for one, other, pairs in found:
        if one.run.flaws or other.run.flaws:
            continue
        fewest = min(letters[one], letters[other])
        is_bold = any(len(twice[each]) == letters[each] for each in (one, other))
        over = [(a, b) for a, b in pairs if a[0] != b[0]]
        if not over and not is_bold:  # a digit on itself
            over = pairs
        unreadable = len(over) >= max(_UNREADABLE * fewest, _FEWEST_SQUEEZED)
        for printed, side in ((one, 0), (other, 1)):
            if unreadable:
                printed.doubt_whole("differs", UNKNOWN)
                continue
            for pair in over:
                if pair[0][0].isdigit() or pair[1][0].isdigit():
                    printed.doubt(*pair[side][1:], "differs", UNKNOWN)


_Glyph = tuple[str, float, float]
"""A character and its edges."""


def _glyphs_over(one: PrintedRun, other: PrintedRun) -> Iterator[tuple[_Glyph, _Glyph]]:
    """Letters and digits of two runs that lie on each other."""
    first, second = (
        [glyph for glyph in each.glyphs if glyph[0].isalnum()] for each in (one, other)
    )
    for a in first:
        for b in second:
            shared = min(a[2], b[2]) - max(a[1], b[1])
            if shared > _OVER * min(a[2] - a[1], b[2] - b[1]):
                yield a, b
                break
