"""Signs printed over words to delete them: dashes, slashes, strokes that combine with letters.

They are stored as text of their own and would be read among the words that they strike.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from core.rulebook.pdf.page_content import Flaw, GlyphRun, PageContent
from core.rulebook.pdf.visibility import GlyphEdges, PrintedRun, runs_between, shared_part
from core.rulebook.types import Box

_COMBINING_STROKES = frozenset(map(chr, (*range(0x334, 0x339), 0x20D2, 0x20D3, 0x20E5, 0x20EB)))
_LOWEST, _HIGHEST = 0.12, 0.62  # ems above the baseline: a sign lower is an underline
_FEWEST_SIGNS = 3  # "xxx" deletes, "x" is a letter
_COVERED = 0.5  # of a sign's width that lies on other print

InkBox = Callable[[int], Box]
"""The box around the ink of the run with this index."""


def mark_overprinted(
    content: PageContent, runs: Sequence[PrintedRun], ink_box: InkBox, edges_of: GlyphEdges
) -> None:
    """Add flaws to print that signs or combining strokes are printed over; drop these signs."""
    dropped = set()
    for printed in runs:
        if not _COMBINING_STROKES.isdisjoint(printed.run.chars):
            _apply_combining_strokes(printed.run, *edges_of(printed.index))
        elif is_sign(printed.text.strip()) and not printed.run.flaws:
            struck = list(_print_below(printed, runs, ink_box, edges_of))
            for other, left, right in struck:
                other.run.add_flaws([Flaw(left, right, "deleted")], edges_of(other.index))
            if struck:
                dropped.add(id(printed.run))
    content.runs = [run for run in content.runs if id(run) not in dropped]


def is_sign(text: str) -> bool:
    """True for a dash, or one sign many times, apart or together, that is no word."""
    text = "".join(text.split())
    if len(set(text)) != 1:
        return False
    kind = unicodedata.category(text[0])
    if kind == "Pd" or text[0] in _COMBINING_STROKES:
        return True
    return len(text) >= _FEWEST_SIGNS and (kind[0] in ("P", "S") or kind in ("Ll", "Lu"))


def _apply_combining_strokes(run: GlyphRun, lefts: list[float], rights: list[float]) -> None:
    """Strike the glyphs that a stroke combines with, and leave the strokes out."""
    base = None
    flaws = []
    for index, char in enumerate(run.chars):
        if char in _COMBINING_STROKES:
            if base is not None:
                flaws.append(Flaw(lefts[base], rights[base], "deleted"))
            run.chars[index] = ""
        elif char:
            base = index
    run.add_flaws(flaws, (lefts, rights))


def _print_below(
    sign: PrintedRun, runs: Sequence[PrintedRun], ink_box: InkBox, edges_of: GlyphEdges
) -> Iterator[tuple[PrintedRun, float, float]]:
    """The runs that a sign is printed over, each with the part that it strikes."""
    near = [
        other
        for other in runs_between(runs, sign.box[1], sign.box[3] + sign.size)
        if shared_part(other, sign) >= _COVERED and not is_sign(other.text.strip())
    ]
    left, top, right, bottom = ink_box(sign.index) if near else sign.box
    for other in near:
        above = (other.baseline - (top + bottom) / 2) / other.size
        shared = sum(
            max(0.0, min(right, end) - max(left, start))
            for char, start, end in zip(other.run.chars, *edges_of(other.index), strict=True)
            if not char.isspace()
        )
        if _LOWEST <= above <= _HIGHEST and shared >= _COVERED * (right - left):
            yield other, left, right
