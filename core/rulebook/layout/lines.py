"""Rows of text: the glyph runs on one baseline, cut into pieces at gaps wider than a space.

Each piece consists of spans of one style and one state (live, deleted, hidden).
"""

import math
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from operator import attrgetter, itemgetter
from unicodedata import bidirectional

from core.rulebook.layout.blocks import Line, RowPiece, Script, Span, State, TextRow, span_edges
from core.rulebook.layout.geometry import bounding_box
from core.rulebook.layout.marks import (
    Interval,
    find_strikethroughs,
    is_hidden,
    is_scan_with_text,
    stroke_coverage,
)
from core.rulebook.layout.text import LIKELY_NONE, LIKELY_SPACE, heaviest, is_right_to_left
from core.rulebook.pdf.page_content import GlyphRun, PageContent, RuledLine

_SAME_LINE = 0.22  # ems between baselines of one line
_SPACE = 0.16
"""Ems: a wider gap is a space even if pdfium saw none. Blanks have 0.25 in Times and 0.28 in
Helvetica; TeX shrinks those of Computer Modern to 0.22."""
_HINTED_SPACE = 0.06  # ems: a wider gap is a space if pdfium saw one
_DOUBTFUL = (0.08, 0.2)  # ems: such gaps are in words that are spaced, and between tight words
_TAB = 1.0  # ems: a wider gap cuts a row into pieces
_WIDE = 0.45  # ems: a wider space may separate the heads of a table; it becomes an em space
_SCRIPT_SIZE = 0.82
"""Of the line's size: smaller print off the baseline is a super- or subscript. LaTeX sets it at
0.67 to 0.75 of 8 to 12 points (`\\DeclareMathSizes`)."""
_MARK_SIZE, _MARK_LENGTH = 0.86, 3
"""The same of so few letters, of which a raised "th" may have five sixths of the line's size."""
_SHARED = 0.2  # of a stroke that lies on larger print than the script it crosses
_ABOVE, _BELOW = 1.2, 0.7  # ems of a line within which strokes can cross its scripts
_WATERMARK = 4.0  # times the common size of print: larger words may lie behind it
_BLANKS = " \u00a0"
_MIRRORED = str.maketrans("()[]", ")(][")


def build_text_rows(content: PageContent) -> list[TextRow]:
    """Return the upright text as rows from top to bottom, with pieces from left to right."""
    is_scan = is_scan_with_text(content)
    rules = sorted(content.strokes, key=_middle_y)
    rows = []
    for line in _group_by_baseline(_leave_out_watermarks(content.runs)):
        start = bisect_left(rules, line.y - _ABOVE * line.size, key=_middle_y)
        near = rules[start : bisect_left(rules, line.y + _BELOW * line.size, key=_middle_y)]
        strokes = _strokes_by_run(line, near) if near else {}
        hidden = {id(run) for run in line.runs if not is_scan and is_hidden(run, content)}
        rows.append([piece for piece in _cut_row(line, strokes, hidden) if _strip_blanks(piece)])
    return list(filter(None, rows))


def build_line(pieces: Sequence[RowPiece]) -> Line:
    """Join the pieces of a row to a line, with a tab between them, in the order they are read."""
    spans: list[Span] = []
    backwards = is_right_to_left("".join(piece.text for piece in pieces))
    for piece in reversed(pieces) if backwards else pieces:
        if spans:
            spans[-1] = spans[-1]._replace(text=spans[-1].text + "\t")
        spans.extend(piece.spans)
    size = max(piece.size for piece in pieces)
    return Line(*bounding_box(pieces), tuple(spans), pieces[0].baseline, size)


def remove_pieces(rows: list[TextRow], pieces: Collection[RowPiece]) -> None:
    """Remove `pieces` from `rows`, and rows that are then empty."""
    removed = set(map(id, pieces))
    for row in rows:
        row[:] = [piece for piece in row if id(piece) not in removed]
    rows[:] = filter(None, rows)


def _middle_y(rule: RuledLine) -> float:
    return (rule.top + rule.bottom) / 2


def _leave_out_watermarks(runs: Sequence[GlyphRun]) -> list[GlyphRun]:
    """Return the upright runs without large words that other print lies on."""
    upright = [run for run in runs if run.upright]
    common = heaviest(((run.style.size, len(run.chars)) for run in upright), 0.0)

    def lies_under_print(word: GlyphRun) -> bool:
        left, right = min(word.lefts), max(word.rights)
        return any(
            word.top < run.baseline <= word.baseline and left < min(run.lefts) < right
            for run in upright
            if run.style.size < word.style.size
        )

    return [
        run for run in upright if run.style.size < _WATERMARK * common or not lies_under_print(run)
    ]


@dataclass(slots=True)
class _Baseline:
    y: float
    size: float
    runs: list[GlyphRun]


def _group_by_baseline(runs: Iterable[GlyphRun]) -> list[_Baseline]:
    """Group runs by baseline, large print first, so that super- and subscripts find their line."""
    inked = [run for run in runs if not all(map(str.isspace, run.chars))]
    common = heaviest(((run.style.size, len(run.chars)) for run in inked), 0.0)
    lines: list[_Baseline] = []
    scripts: list[GlyphRun] = []
    for run in sorted(inked, key=lambda run: run.baseline):
        y, size = run.baseline, run.style.size
        if _is_small(run, common):
            scripts.append(run)
        elif lines and abs(y - lines[-1].y) <= _SAME_LINE * max(size, lines[-1].size):
            lines[-1].runs.append(run)
            lines[-1].size = max(size, lines[-1].size)
        else:
            lines.append(_Baseline(y, size, [run]))
    # Small print that is beside no larger print makes lines of its own.
    for run in [run for run in scripts if not _attach_script(run, lines)]:
        y, tolerance = run.baseline, _SAME_LINE * run.style.size
        index = bisect_left(lines, y - tolerance, key=attrgetter("y"))
        if index < len(lines) and abs(y - lines[index].y) <= tolerance:
            lines[index].runs.append(run)
        else:
            insort(lines, _Baseline(y, run.style.size, [run]), key=attrgetter("y"))
    return lines


def _is_small(run: GlyphRun, size: float) -> bool:
    """True for print of the size of a superscript; a mark or "th" may be a little larger."""
    is_mark = len(run.chars) <= _MARK_LENGTH and "".join(run.chars).strip().isalnum()
    return run.style.size < (_MARK_SIZE if is_mark else _SCRIPT_SIZE) * size


def _attach_script(run: GlyphRun, lines: list[_Baseline]) -> bool:
    """Add small print to a nearby line if it is a super- or subscript beside larger print."""
    index = bisect_left(lines, run.baseline, key=attrgetter("y"))
    near = [
        (abs(run.baseline - line.y), line)
        for line in lines[max(0, index - 2) : index + 2]
        if _is_small(run, line.size)
        and abs(run.baseline - line.y) <= 0.75 * line.size
        and _gap_beside(run, line) < 0.35 * line.size
    ]
    if near:
        min(near, key=itemgetter(0))[1].runs.append(run)
    return bool(near)


def _gap_beside(run: GlyphRun, line: _Baseline) -> float:
    """The points between small print and the nearest print of a line that it may belong to."""
    return min(
        max(run.lefts[0] - other.rights[-1], other.lefts[0] - run.rights[-1])
        for other in line.runs
        if other.style.size > run.style.size or other.baseline == run.baseline
    )


def _strokes_by_run(line: _Baseline, rules: Sequence[RuledLine]) -> dict[int, list[Interval]]:
    """Return the struck intervals of each run by its id, from strokes that cross its own print.

    A stroke that strikes larger print also strikes a superscript or subscript beside it. A stroke
    that crosses a script alone is the bar of a fraction; if it continues over larger print, it is
    an underline or a border there.
    """
    plain = [run for run in line.runs if not _script_of(run, line)]
    through_line = find_strikethroughs(rules, line.runs, line.y, line.size)
    over_plain = [stroke for stroke in through_line if stroke_coverage(stroke, plain) >= _SHARED]
    found: dict[int, list[Interval]] = {}
    for run in line.runs:
        is_script = _script_of(run, line)
        level = [one for one in line.runs if not is_script or one.baseline == run.baseline]
        own = find_strikethroughs(rules, level, run.baseline, run.style.size)
        if is_script:
            own = [stroke for stroke in own if stroke_coverage(stroke, plain) < _SHARED]
            own = [*over_plain, *own]
        found[id(run)] = own
    return found


_PlacedSpan = tuple[GlyphRun, float, Span]
_Part = tuple[str, float, float, State, str]
"""Text, left and right edge, and state of a part of a run, and what is seen there instead."""


def _split_run(run: GlyphRun, strokes: list[Interval], hidden: bool) -> Iterator[_Part]:
    """Cut a run where its state changes, and around its blanks, which may be gaps."""
    unstruck: State = "hidden" if hidden else "live"
    strokes = [] if hidden else strokes
    if not strokes and not run.flaws and _is_unbroken(run):
        text = "".join(run.chars)
        bare = text.strip(_BLANKS)
        start = text.find(bare)
        ends = (0, start, start + len(bare), len(text))
        for part in (slice(*pair) for pair in pairwise(ends) if pair[0] < pair[1]):
            yield text[part], min(run.lefts[part]), max(run.rights[part]), unstruck, ""
        return

    def mark_of(glyph: tuple[str, float, float]) -> tuple[State, str, bool]:
        char, left, right = glyph
        middle = (left + right) / 2
        if any(start <= middle <= end for start, end in strokes):
            return "deleted", "", char in _BLANKS
        flaw = run.flaw_at(middle)
        state, shown = (flaw.kind, flaw.shown) if flaw else (unstruck, "")
        return state, shown, char in _BLANKS

    glyphs = zip(run.chars, run.lefts, run.rights, strict=True)
    for (state, shown, _), group in groupby(glyphs, mark_of):
        chars, lefts, rights = zip(*group, strict=True)
        yield "".join(chars), min(lefts), max(rights), state, shown


def _is_unbroken(run: GlyphRun) -> bool:
    """True if no two letters are further apart than letters and the blank between them."""
    text = "".join(run.chars)
    if "  " in text:
        return False
    if run.in_one_box:
        return text.strip(_BLANKS) == text or len(text) == len(run.chars)
    gaps = (left - right for right, left in zip(run.rights, run.lefts[1:], strict=False))
    return text.strip(_BLANKS) == text and max(gaps, default=0.0) <= _WIDE * run.style.size


def _order_runs(line: _Baseline) -> tuple[Iterable[GlyphRun], bool]:
    """The runs of a line as they are read, and whether that is from right to left.

    Words of other scripts among those of such a line are read from left to right. Of runs printed
    twice to look bold there is one.
    """
    by_left = sorted(line.runs, key=lambda run: run.lefts[0])
    runs = [
        run
        for before, run in zip([None, *by_left], by_left, strict=False)
        if not before
        or before.chars != run.chars
        or run.lefts[0] - before.lefts[0] >= 0.1 * line.size
    ]
    if not is_right_to_left("".join(chain.from_iterable(run.chars for run in line.runs))):
        return runs, False
    ordered: list[GlyphRun] = []
    leftwards = sorted(runs, key=lambda run: max(run.rights), reverse=True)
    for is_other, group in groupby(leftwards, lambda run: "L" in map(bidirectional, run.chars)):
        words = list(group)
        ordered += reversed(words) if is_other else words
    return ordered, True


def _cut_row(line: _Baseline, strokes: dict[int, list[Interval]], hidden: set[int]) -> TextRow:
    """The pieces of a line, by ids of its runs: `strokes` through them, and which are `hidden`."""
    row: TextRow = []
    last_left, last_right = math.inf, -math.inf
    ordered, backwards = _order_runs(line)
    cut = _cut_spans(line, ordered, strokes, hidden)
    if not backwards and any(run.flaws for run in line.runs):
        cut = iter(_order_parts(list(cut)))
    for run, space, span in cut:
        left, right = span.left, span.right
        gap = max(left - last_right, last_left - right) if backwards else left - last_right
        if not row or gap > _TAB * line.size:
            row.append(RowPiece([], left, right, run.top, run.bottom, line.y, line.size))
        elif blank := _name_gap(row[-1].spans[-1], span, gap / line.size, space):
            last = row[-1].spans[-1]
            row[-1].spans[-1] = last._replace(text=last.text.rstrip(_BLANKS) + blank)
        _append_span(row[-1].spans, span)
        row[-1].top, row[-1].bottom = min(row[-1].top, run.top), max(row[-1].bottom, run.bottom)
        if not span.text.isspace():
            last_left = left
            last_right = right if backwards else max(last_right, right)
    if backwards:
        _mirror_brackets(row)
        row.reverse()
    return row


def _name_gap(before: Span, after: Span, ems: float, space: float) -> str:
    """The blank for a gap of so many ems between spans, where one of `space` ems makes a space."""
    if ems > _WIDE:
        return "\u2003"
    in_word = (
        before.text[-1:].isalnum()
        and after.text[:1].isalnum()
        and not (before.text[-1:].isdigit() and after.text[:1].isdigit())  # "1 4" may be "14"
        and before.script == after.script
    )
    if in_word and _DOUBTFUL[0] < ems < _DOUBTFUL[1]:
        return LIKELY_SPACE if ems > space else LIKELY_NONE
    return " " if ems > space else ""


def _order_parts(parts: Sequence[_PlacedSpan]) -> list[_PlacedSpan]:
    """Return the parts of runs with words typed where another run has a gap put into it."""
    states: dict[int, set[State]] = defaultdict(set)
    for run, _, span in parts:
        states[id(run)].add(span.state)

    def place(part: _PlacedSpan) -> float:
        run, _, span = part
        return span.left if len(states[id(run)]) > 1 else run.lefts[0]

    return sorted(parts, key=place)


def _cut_spans(
    line: _Baseline,
    runs: Iterable[GlyphRun],
    strokes: dict[int, list[Interval]],
    hidden: set[int],
) -> Iterator[_PlacedSpan]:
    """The parts of runs, each with its run and the ems before it that make a space."""
    for run in runs:
        script = _script_of(run, line)
        space = _HINTED_SPACE if run.space_before and not script else _SPACE
        for text, left, right, state, shown in _split_run(
            run, strokes.get(id(run), []), id(run) in hidden
        ):
            yield run, space, Span(text, left, right, run.style, state, script, shown=shown)


def _script_of(run: GlyphRun, line: _Baseline) -> Script:
    """Whether small print stands above or below the baseline of its line."""
    if not _is_small(run, line.size):
        return ""
    rise = (line.y - run.baseline) / line.size
    if rise > 0.12:
        return "sup"
    return "sub" if rise < -0.06 else ""


def _mirror_brackets(row: TextRow) -> None:
    """Turn brackets round where a font names them by their shape: ") 3 (" becomes "( 3 )"."""
    before, closing, _ = "".join(piece.text for piece in row).partition(")")
    if closing and "(" not in before:
        for piece in row:
            spans = piece.spans
            spans[:] = [span._replace(text=span.text.translate(_MIRRORED)) for span in spans]


def _append_span(spans: list[Span], span: Span) -> None:
    """Add a span; extend the last one instead if it looks the same and no wide space follows it."""
    last = spans[-1] if spans and not spans[-1].text.endswith("\u2003") else None
    if last and (*last[3:6], last.shown) == (*span[3:6], span.shown):
        left, right = min(last.left, span.left), max(last.right, span.right)
        spans[-1] = last._replace(text=last.text + span.text, left=left, right=right)
    else:
        spans.append(span)


def _strip_blanks(piece: RowPiece) -> bool:
    """Remove blanks from both ends of a piece; return False if nothing else is in it."""
    inked = [at for at, span in enumerate(piece.spans) if span.text.strip()]
    if not inked:
        return False
    spans = piece.spans = piece.spans[inked[0] : inked[-1] + 1]
    spans[0] = spans[0]._replace(text=spans[0].text.lstrip())
    spans[-1] = spans[-1]._replace(text=spans[-1].text.rstrip())
    piece.left, piece.right = span_edges(spans)
    return True
