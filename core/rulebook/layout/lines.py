"""From runs of glyphs to rows of pieces: what stands on one baseline, cut where a gap is wider than a space.

Each piece is made of spans of one style and one state (live, deleted, hidden).
"""

from bisect import bisect_left
from dataclasses import dataclass, field

from core.rulebook.layout.blocks import Script, Span, State
from core.rulebook.layout.marks import (
    Interval,
    find_strikethroughs,
    is_hidden,
    is_scan_with_text,
    is_struck,
)
from core.rulebook.pdf.page_content import GlyphRun, PageContent, RuledLine

_SAME_LINE = 0.22  # ems between baselines of one line
_SPACE = 0.16  # ems from which a gap is a space where pdfium saw none
_HINTED_SPACE = 0.06  # ... and where it did
_TAB = 1.0  # ems from which a gap cuts a row into pieces
_WIDE = (
    0.45  # ems from which a space may be a gap between the heads of a table: kept as an em space
)
_SCRIPT_SIZE = 0.82  # of the line's size: smaller print off the baseline is a super- or subscript


@dataclass(slots=True)
class RowPiece:
    """A stretch of a row without a wide gap."""

    spans: list[Span]
    left: float
    right: float
    top: float
    bottom: float
    baseline: float
    size: float

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, self.baseline - 0.3 * self.size


TextRow = list[RowPiece]


@dataclass(slots=True)
class _Baseline:
    y: float
    size: float
    runs: list[GlyphRun] = field(default_factory=list)


def build_text_rows(content: PageContent) -> list[TextRow]:
    """The page's upright text as rows from top to bottom, their pieces from left to right."""
    scan = is_scan_with_text(content)
    rules = sorted(
        (rule for rule in content.rules if rule.right - rule.left > rule.bottom - rule.top),
        key=_middle,
    )
    heights = [_middle(rule) for rule in rules]
    rows = []
    for line in _baselines([run for run in content.runs if run.upright]):
        low = bisect_left(heights, line.y - 0.6 * line.size)
        near = rules[low : bisect_left(heights, line.y)]
        row = _pieces(line, near, content, scan)
        if row:
            rows.append(row)
    return rows


def _middle(rule: RuledLine) -> float:
    return (rule.top + rule.bottom) / 2


def _baselines(runs: list[GlyphRun]) -> list[_Baseline]:
    """Groups runs by baseline, the largest print first, so that super- and subscripts find their line."""
    lines: list[_Baseline] = []
    ys: list[float] = []
    scripts: list[GlyphRun] = []
    inked = [run for run in runs if any(not char.isspace() for char in run.chars)]
    main = max((run.style.size for run in inked), default=0.0)
    common = _common_size(inked) or main
    for run in sorted(inked, key=lambda r: r.baseline):
        if run.style.size < _SCRIPT_SIZE * common:
            scripts.append(run)
            continue
        if lines and abs(run.baseline - lines[-1].y) <= _SAME_LINE * max(
            run.style.size, lines[-1].size
        ):
            lines[-1].runs.append(run)
            lines[-1].size = max(lines[-1].size, run.style.size)
        else:
            lines.append(_Baseline(run.baseline, run.style.size, [run]))
            ys.append(run.baseline)
    rest = [run for run in scripts if not _attached(run, lines, ys)]
    for run in rest:
        position = bisect_left(ys, run.baseline - _SAME_LINE * run.style.size)
        if (
            position < len(lines)
            and abs(run.baseline - lines[position].y) <= _SAME_LINE * run.style.size
        ):
            lines[position].runs.append(run)
        else:
            position = bisect_left(ys, run.baseline)
            lines.insert(position, _Baseline(run.baseline, run.style.size, [run]))
            ys.insert(position, run.baseline)
    return lines


def _common_size(runs: list[GlyphRun]) -> float:
    sizes: dict[float, int] = {}
    for run in runs:
        sizes[run.style.size] = sizes.get(run.style.size, 0) + len(run.chars)
    return max(sizes, key=lambda size: sizes[size]) if sizes else 0.0


def _attached(run: GlyphRun, lines: list[_Baseline], ys: list[float]) -> bool:
    """Puts small print beside larger print on a nearby baseline, as its super- or subscript."""
    position = bisect_left(ys, run.baseline)
    best: tuple[float, _Baseline] | None = None
    for line in lines[max(0, position - 2) : position + 2]:
        if (
            run.style.size >= _SCRIPT_SIZE * line.size
            or abs(run.baseline - line.y) > 0.75 * line.size
        ):
            continue
        gap = min(
            max(run.lefts[0] - other.rights[-1], other.lefts[0] - run.rights[-1])
            for other in line.runs
            if other.style.size > run.style.size or other.baseline == run.baseline
        )
        if gap < 0.35 * line.size and (best is None or abs(run.baseline - line.y) < best[0]):
            best = (abs(run.baseline - line.y), line)
    if best is None:
        return False
    best[1].runs.append(run)
    return True


def _pieces(line: _Baseline, near: list[RuledLine], sheet: PageContent, scan: bool) -> TextRow:
    runs = sorted(line.runs, key=lambda run: run.lefts[0])
    strokes = find_strikethroughs(near, runs, line.y, line.size) if near else []
    row: TextRow = []
    piece: RowPiece | None = None
    end = 0.0
    for before, run in zip([None, *runs], runs, strict=False):
        if (
            before
            and before.chars == run.chars
            and abs(before.lefts[0] - run.lefts[0]) < 0.1 * line.size
        ):
            continue  # printed twice to look bold
        hidden = not scan and is_hidden(run, sheet)
        script = _script(run, line)
        for text, left, right, state in _stretches(run, strokes, hidden):
            gap = left - end
            if piece is None or gap > _TAB * line.size:
                piece = RowPiece([], left, right, run.top, run.bottom, line.y, line.size)
                row.append(piece)
            elif gap > _SPACE * line.size or (
                run.space_before and not script and gap > _HINTED_SPACE * line.size
            ):
                _space(piece, "\u2003" if gap > _WIDE * line.size else " ")
            _append(piece, Span(text, left, right, run.style, state, script))
            piece.top, piece.bottom = min(piece.top, run.top), max(piece.bottom, run.bottom)
            end = max(end, right) if not text.isspace() else end
            piece.right = max(piece.right, right)
    return [tidy for piece in row if (tidy := _trimmed(piece))]


def _script(run: GlyphRun, line: _Baseline) -> Script:
    if run.style.size >= _SCRIPT_SIZE * line.size:
        return ""
    shift = (line.y - run.baseline) / line.size
    return "sup" if shift > 0.12 else "sub" if shift < -0.06 else ""


def _stretches(
    run: GlyphRun, strokes: list[Interval], hidden: bool
) -> list[tuple[str, float, float, State]]:
    """A run cut where its state changes, and around its spaces, so that gaps are seen where they are."""
    if hidden or not strokes:
        state: State = "hidden" if hidden else "live"
        text = "".join(run.chars)
        if (" " not in text and "\u00a0" not in text) or not _has_gap(run):
            return [(text, run.lefts[0], run.rights[-1], state)]
    found: list[tuple[str, float, float, State]] = []
    for char, left, right in zip(run.chars, run.lefts, run.rights, strict=True):
        state = (
            "hidden"
            if hidden
            else "deleted"
            if strokes and is_struck(left, right, strokes)
            else "live"
        )
        space = char in " \u00a0"
        if found and found[-1][3] == state and (found[-1][0][-1:] in " \u00a0") == space:
            text, start, _, _ = found[-1]
            found[-1] = (text + char, start, right, state)
        else:
            found.append((char, left, right, state))
    return found


def _has_gap(run: GlyphRun) -> bool:
    """True for runs of blanks, or a blank at an end: they may stand for a gap."""
    text = "".join(run.chars)
    return "  " in text or text[0] in " \u00a0" or text[-1] in " \u00a0"


def _space(piece: RowPiece, space: str) -> None:
    last = piece.spans[-1]
    piece.spans[-1] = last._replace(text=last.text.rstrip(" \u00a0") + space)


def _append(piece: RowPiece, span: Span) -> None:
    if piece.spans:
        last = piece.spans[-1]
        alike = last.style == span.style and last.state == span.state and last.script == span.script
        if alike and not last.text.endswith("\u2003"):
            piece.spans[-1] = last._replace(text=last.text + span.text, right=span.right)
            return
    piece.spans.append(span)


def _trimmed(piece: RowPiece) -> RowPiece | None:
    """Without blanks at its ends; None where nothing but blanks is left."""
    spans = piece.spans
    while spans and not spans[0].text.strip():
        spans.pop(0)
    while spans and not spans[-1].text.strip():
        spans.pop()
    if not spans:
        return None
    spans[0] = spans[0]._replace(text=spans[0].text.lstrip())
    spans[-1] = spans[-1]._replace(text=spans[-1].text.rstrip())
    piece.left, piece.right = spans[0].left, spans[-1].right
    return piece
