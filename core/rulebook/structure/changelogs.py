"""Records of changes: stretches that name rules which are elsewhere, and tell what became of them.

They are evidence of changes, and never law.
"""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from core.grammar import find_sanctions
from core.rulebook.layout.blocks import Block, Cell, Line, Table, iter_lines, lines_of, row_lines
from core.rulebook.layout.text import line_text
from core.rulebook.metadata import CHANGE_WORDS, find_dates
from core.rulebook.rule_signs import is_rule_like
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.families import order_score
from core.rulebook.structure.groups import announced_season
from core.rulebook.structure.line_numbers import NumberKey, read_line_numbers
from core.rulebook.structure.repeated_numbers import find_strays
from core.rulebook.structure.titles import find_unnumbered_headings
from core.rulebook.structure.typography import BodyPrint, prominence_of

_VERSION = re.compile(
    r"(?:v|ver|version|rev|revision|issue)[. ]{0,2}\d+(?:\.\d+)*\b", re.IGNORECASE
)
_HISTORY = re.compile(r"histor|change\s?log|\bversions|release notes|record of", re.IGNORECASE)
"""What a record is called whose rows say which version came when, and what it brought."""
_ROW_VERSION = re.compile(rf"(?:{_VERSION.pattern}|\d{{1,2}}(?:\.\d{{1,2}})*|[A-Z])(?=\s|$)", re.I)
_ROW_START = 30
"""Letters of a line with the version and the date that it begins with."""
_NAME_WORDS = 4  # at most: an act that amends others says which ("Amendment of section 2 of ...")
_MIN_ENTRIES = 3
_FEW_CHANGES = 0.3  # of the entries before all rules say so: some only name what their rule is on
_ENTRY_LINES = 3  # of the last entry, to know it by
_DENSITY = 25  # blocks to an entry, at most
_FOLLOWS = 0.6  # `order_score` of what goes on from another; where one is passed over it is 0.3


@dataclass(frozen=True, slots=True)
class ChangelogContext:
    """What is known of a document: its print, its season, the blocks of its lists of contents."""

    body: BodyPrint
    season: int | None
    contents: set[int]


def find_changelogs(
    chosen: Sequence[Heading],
    readings: Sequence[Heading],
    blocks: Sequence[Block],
    context: ChangelogContext,
) -> dict[int, list[int]]:
    """The blocks of each record of changes by the index of its heading, which may be numbered.

    It is called one and has entries, or it names several rules before the first one begins.
    Changes for a later season are no record.
    """
    live = [head for head in chosen if not head.deleted]
    named = find_strays(live, across_parts=True)
    own = [head for head in live if head not in named]
    no_entries = context.contents.union(head.index for head in own)
    entries = _find_entries(live, readings, blocks, no_entries)
    bounds = _select_rules(own, entries, blocks)
    unnumbered = find_unnumbered_headings(blocks, context.body)
    openers = {at: prominence for at, prominence in unnumbered if at not in context.contents}
    openers |= {at: prominence_of(head.line) for at, head in bounds.items()}
    found: dict[int, list[int]] = {}
    behind = 0
    order = sorted(openers)
    for place, start in enumerate(order, start=1):
        if start < behind or start in entries:
            continue
        ends = (  # at a rule, or at a heading that stands out as much
            at
            for at in order[place:]
            if at in bounds or (openers[at] >= openers[start] and at not in entries)
        )
        stop = next(ends, len(blocks))
        if _is_record(range(start, stop), bounds, entries, blocks, context):
            found[start] = [at for at in range(start + 1, stop) if at not in context.contents]
            behind = stop
    return found


def _select_rules(
    own: Sequence[Heading], entries: Iterable[int], blocks: Sequence[Block]
) -> dict[int, Heading]:
    """The headings of rules by index, without versions and rules that a record only names."""
    rules = {head.index: head for head in _headings_in_order(own)}
    signs = sorted([*((index, -1) for index in rules), *((index, 1) for index in entries)])
    named = _find_rules_before_entries(signs) & _find_rules_before_entries(signs[::-1])
    return {
        index: head
        for index, head in rules.items()
        if (head.stands_out or index not in named) and not _is_version(head, blocks)
    }


def _is_version(head: Heading, blocks: Sequence[Block]) -> bool:
    """True for a number that is a version: a date is right behind it, or in the row below."""
    text = line_text(head.line)
    rows = [row for block in blocks[head.index + 1 : head.index + 2] for row in _rows_of(block)]
    is_dated = any(find_dates(_join_row(row)) for row in rows)
    return _begins_with_date(text) or (is_dated and _ROW_VERSION.fullmatch(text) is not None)


def _rows_of(block: Block) -> list[list[Cell | None]]:
    return block.rows if isinstance(block, Table) else []


def _find_rules_before_entries(signs: Sequence[tuple[int, int]]) -> set[int]:
    """Return the rules from which on entries soon outnumber rules, before a gap ends both."""
    found: set[int] = set()
    lead = last = 0
    for index, sign in reversed(signs):
        lead = sign + (max(lead, 0) if abs(last - index) <= _DENSITY else 0)
        last = index
        if sign < 0 < lead:
            found.add(index)
    return found


def _is_record(
    stretch: range,
    bounds: dict[int, Heading],
    entries: dict[int, list[NumberKey]],
    blocks: Sequence[Block],
    context: ChangelogContext,
) -> bool:
    """True if the entries of a stretch name rules that are elsewhere, or versions."""
    start, head = stretch[0], bounds.get(stretch[0])
    if _is_history(stretch, head, blocks):
        return True
    named = _list_named_rules(stretch, head, entries)
    if not named:
        return False
    kind = head.kind if head else ""
    is_appendix = kind == "appendix"
    title = " ".join(map(line_text, lines_of(blocks[start : start + 1 + is_appendix])))
    if announced_season(title, context.season, is_appendix=is_appendix) is not None:
        return False
    name = head.following_text if head else title
    is_before = stretch.stop <= min(bounds, default=len(blocks))
    telling = _share_of_changes(stretch, entries, blocks)
    if is_before and len({key[:1] for key in named}) > 1 and telling >= _FEW_CHANGES:
        return True
    is_called = len(name.split()) <= _NAME_WORDS and CHANGE_WORDS.search(name) is not None
    # A part of an act says what it amends.
    return kind != "part" and is_called and (is_before or () in named or telling == 1)


def _share_of_changes(
    stretch: range, entries: dict[int, list[NumberKey]], blocks: Sequence[Block]
) -> float:
    """The share of entries that say what became of their rule, and not of a sanction."""
    starts = [at for at in stretch if at in entries]
    ends = [*starts[1:], min(stretch.stop, starts[-1] + _ENTRY_LINES)]
    texts = [
        " ".join(map(line_text, iter_lines(blocks[start:end])))
        for start, end in zip(starts, ends, strict=True)
    ]
    telling = [CHANGE_WORDS.search(text) and not find_sanctions(text) for text in texts]
    return sum(map(bool, telling)) / len(telling)


def _is_history(stretch: range, head: Heading | None, blocks: Sequence[Block]) -> bool:
    """True for a stretch that is called a history and has little but dated rows."""
    title, *others = (blocks[at] for at in stretch)
    name = head.following_text if head else " ".join(map(line_text, lines_of([title])))
    if len(name.split()) > _NAME_WORDS or not _HISTORY.search(name):
        return False
    lines = [line_text(one) for one in others if isinstance(one, Line)]
    rows = [_join_row(row) for one in others for row in _rows_of(one)]
    dated = [*filter(_begins_with_date, lines), *filter(find_dates, rows)]
    plain = [one for one in lines if not _begins_with_date(one) and not _ROW_VERSION.fullmatch(one)]
    return bool(dated) and len(plain) <= 2 * len(dated)


def _begins_with_date(text: str) -> bool:
    return bool(_ROW_VERSION.match(text) and find_dates(text[:_ROW_START]))


def _join_row(row: Iterable[Cell | None]) -> str:
    return " ".join(map(line_text, row_lines(row)))


def _list_named_rules(
    stretch: range, head: Heading | None, entries: dict[int, list[NumberKey]]
) -> list[NumberKey]:
    """What the entries of a stretch name beside its heading's own rules; none if they are few."""
    if head and len(head.key) > 1:
        return []  # a rule, which may have a table of other rules
    own = head.key[:1] if head else None
    keys = (key for index in stretch for key in entries.get(index, ()))
    named = [key for key in keys if key[:1] != own]
    are_many = len(named) >= _MIN_ENTRIES and len(stretch) <= _DENSITY * len(named)
    return named if are_many else []


def _headings_in_order(own: Sequence[Heading]) -> list[Heading]:
    """The headings, without plain numbers that go on from none, and from which none goes on."""
    kept = []
    for before, head, after in zip([None, *own], own, [*own[1:], None], strict=False):
        follows = before is not None and order_score(head, before) >= _FOLLOWS
        is_followed = after is not None and order_score(after, head) >= _FOLLOWS
        if head.is_group or head.lead_word or follows or is_followed:
            kept.append(head)
    return kept


def _find_entries(
    chain: Sequence[Heading],
    readings: Sequence[Heading],
    blocks: Sequence[Block],
    no_entries: set[int],
) -> dict[int, list[NumberKey]]:
    """By block, the rules that it may name as an entry of a record, or () for a version."""
    telling = [head for head in chain if head.is_telling]
    titles = {(head.kind == "part", head.key): head.title_letters for head in telling}
    first = min((head.index for head in chain), default=len(blocks))
    entries = {at: _read_entries(block, titles, at < first) for at, block in enumerate(blocks)}
    for head in readings:
        title, words = titles.get((head.kind == "part", head.key)), head.title_letters
        if title is not None and not (words and title.startswith(words)):
            entries[head.index] = [head.key]
    return {index: keys for index, keys in entries.items() if keys and index not in no_entries}


def _read_entries(
    block: Block, known: Container[tuple[bool, NumberKey]], is_before_rules: bool
) -> list[NumberKey]:
    """The known numbers that the rows of a table begin with; () for versions and dates."""
    if isinstance(block, Line):
        version = _VERSION.match(line_text(block))
        return [()] if version and not is_rule_like(version.string[version.end() :]) else []
    rows = _rows_of(block)
    if is_before_rules and rows[1:] and all(find_dates(_join_row(row)) for row in rows[1:]):
        return [()] * _MIN_ENTRIES
    first_lines = (line for row in rows for line in row_lines(row)[:1])
    numbers = (number for line in first_lines for number in read_line_numbers(line_text(line)))
    return [one.key for one in numbers if (one.kind == "part", one.key) in known]
