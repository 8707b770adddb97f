"""Records of changes: stretches that name rules which are elsewhere, and tell what became of them.

They are evidence of changes, and never law.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
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
from core.rulebook.structure.typography import BodyPrint, Prominence, prominence_of
from core.rulebook.structure.unnumbered_headings import find_unnumbered_headings

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
_FOLLOWS = 0.6  # order of a number that goes on from another


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
    own = {head.index: head for head in live if head not in named}
    entries = _find_entries(live, readings, blocks, own.keys() | context.contents)
    rules = {head.index: head for head in _headings_in_order(list(own.values()))}
    # Rules before and behind which entries of a record soon outnumber rules are only named there:
    # the document lacks them, as they were deleted or are on no page.
    signs = sorted([*((index, -1) for index in rules), *((index, 1) for index in entries)])
    named_only = _find_rules_before_entries(signs) & _find_rules_before_entries(signs[::-1])
    named_only = {index for index in named_only if not rules[index].stands_out}
    named_only |= {index for index in rules if _is_version(blocks, index)}
    bounds = {index: head for index, head in rules.items() if index not in named_only}
    unnumbered = find_unnumbered_headings(blocks, context.body)
    openers = {at: prominence for at, prominence in unnumbered if at not in context.contents}
    openers |= {at: prominence_of(head.line) for at, head in bounds.items()}
    found: dict[int, list[int]] = {}
    behind = 0
    order = sorted(openers)
    for place, start in enumerate(order):
        if start < behind or start in entries:
            continue
        stop = next(_find_ends(order[place:], openers, bounds, entries), len(blocks))
        if _is_record(range(start, stop), bounds, entries, blocks, context):
            found[start] = [at for at in range(start + 1, stop) if at not in context.contents]
            behind = stop
    return found


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


def _find_ends(
    order: Sequence[int],
    openers: dict[int, Prominence],
    bounds: Container[int],
    entries: Container[int],
) -> Iterator[int]:
    """Yield where a record may end: at a rule, or at a heading that stands out as much."""
    start, *others = order
    for index in others:
        if index in bounds or (openers[index] >= openers[start] and index not in entries):
            yield index


def _is_record(
    stretch: range,
    bounds: dict[int, Heading],
    entries: dict[int, list[NumberKey]],
    blocks: Sequence[Block],
    context: ChangelogContext,
) -> bool:
    """True for a stretch whose entries name rules that are elsewhere, or versions.

    It is called a record and its entries tell changes, or it is before all rules.
    """
    start, head = stretch[0], bounds.get(stretch[0])
    if _is_history(stretch, head, blocks):
        return True
    is_rule = head is not None and len(head.key) > 1  # which may have a table of other rules
    named = _list_named_rules(stretch, head, entries)
    if is_rule or not named:
        return False
    is_appendix = head is not None and head.kind == "appendix"
    lines = lines_of(blocks[start : start + 2])
    title = " ".join(map(line_text, lines if is_appendix else lines[:1]))
    if announced_season(title, context.season, is_appendix=is_appendix) is not None:
        return False
    name = head.following_text if head else title
    is_part = head is not None and head.kind == "part"  # of an act: it says what it amends
    is_before = stretch.stop <= min(bounds, default=len(blocks))
    telling = _share_of_changes(stretch, entries, blocks)
    if is_before and len({key[:1] for key in named}) > 1 and telling >= _FEW_CHANGES:
        return True
    is_called = len(name.split()) <= _NAME_WORDS and CHANGE_WORDS.search(name) is not None
    return not is_part and is_called and (is_before or () in named or telling == 1)


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
    rows = [_join_row(row) for one in others if isinstance(one, Table) for row in one.rows]
    dated = [*filter(_begins_with_date, lines), *filter(find_dates, rows)]
    plain = [one for one in lines if not _begins_with_date(one) and not _ROW_VERSION.fullmatch(one)]
    return bool(dated) and len(plain) <= 2 * len(dated)


def _is_version(blocks: Sequence[Block], index: int) -> bool:
    """True for a number that is a version: a date is right behind it, or in the row below."""
    text = line_text(line) if isinstance(line := blocks[index], Line) else ""
    below = blocks[index + 1] if index + 1 < len(blocks) else None
    is_row = isinstance(below, Table) and any(find_dates(_join_row(row)) for row in below.rows)
    return _begins_with_date(text) or (bool(_ROW_VERSION.fullmatch(text)) and is_row)


def _begins_with_date(text: str) -> bool:
    return bool(_ROW_VERSION.match(text) and find_dates(text[:_ROW_START]))


def _join_row(row: Iterable[Cell | None]) -> str:
    return " ".join(map(line_text, row_lines(row)))


def _list_named_rules(
    stretch: range, head: Heading | None, entries: dict[int, list[NumberKey]]
) -> list[NumberKey]:
    """What the entries of a stretch name beside its heading's own rules; none if they are few."""
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
        if head.is_group or head.is_led or follows or is_followed:
            kept.append(head)
    return kept


def _find_entries(
    chain: Sequence[Heading],
    readings: Sequence[Heading],
    blocks: Sequence[Block],
    no_entries: set[int],
) -> dict[int, list[NumberKey]]:
    """What the entries of a record of changes may name, by block: rules, or () for a version.

    Words that are those of the rule's own title belong to a list of contents.
    """
    telling = [head for head in chain if head.is_telling]
    titles = {(head.kind == "part", head.key): head.title_letters for head in telling}
    entries = {index: _read_entries(block, titles) for index, block in enumerate(blocks)}
    for head in readings:
        title, words = titles.get((head.kind == "part", head.key)), head.title_letters
        if title is not None and not (words and title.startswith(words)):
            entries[head.index] = [head.key]
    first = min((head.index for head in chain), default=len(blocks))
    for index, block in enumerate(blocks[:first]):  # there dated tables are records as a whole
        rows = block.rows[1:] if isinstance(block, Table) else []
        if rows and all(find_dates(_join_row(row)) for row in rows):
            entries[index] = [()] * _MIN_ENTRIES
    return {index: keys for index, keys in entries.items() if keys and index not in no_entries}


def _read_entries(block: Block, known: Container[tuple[bool, NumberKey]]) -> list[NumberKey]:
    """The known numbers that the rows of a table begin with; () for a line with a version.

    Such a line begins with the version, and goes on as no rule does.
    """
    if isinstance(block, Line):
        version = _VERSION.match(line_text(block))
        return [()] if version and not is_rule_like(version.string[version.end() :]) else []
    rows = block.rows if isinstance(block, Table) else []
    first_lines = (line for row in rows for line in row_lines(row)[:1])
    numbers = (number for line in first_lines for number in read_line_numbers(line_text(line)))
    return [one.key for one in numbers if (one.kind == "part", one.key) in known]
