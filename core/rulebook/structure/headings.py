"""Find the numbers that begin clauses: by the order and the look of a document's own numbering.

A number at the start of a line may begin a clause. It may also be a cross-reference, an amount, a
version, or the mark of a list item. No numbering is known beforehand. Readings that look alike make
a family; a family that counts, and does not count anew within other text as lists do, is one of the
document's own; the chain of readings that fits best in order and print is taken. Numbers that come
again elsewhere with more text below them are a list of contents.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise

from core.grammar import UNITS, list_cues
from core.rulebook.layout.blocks import Block, Line
from core.rulebook.layout.text import line_text
from core.rulebook.structure.candidates import Heading, find_candidates
from core.rulebook.structure.changelogs import ChangelogContext, find_changelogs
from core.rulebook.structure.families import FIRSTS, best_chain, family_of, find_families
from core.rulebook.structure.groups import (
    drop_inner_parts,
    find_plain_rules,
    mark_chapters,
    mark_groups,
)
from core.rulebook.structure.line_corrections import (
    include_given_headings,
    mark_given_headings,
    place_given_headings,
)
from core.rulebook.structure.repeated_numbers import (
    find_contents,
    find_strays,
    find_untaken_numbers,
)
from core.rulebook.structure.titles import find_unnumbered_headings
from core.rulebook.structure.typography import BodyPrint, is_apart, is_in_middle, prominence_of
from core.rulebook.types import LineCorrection

_UNIT = re.compile(rf"(?:{UNITS.sure}|[x×])(?![\w’'])")
_RUNS_ON = re.compile(
    rf"[,;)]|(?:and|or|of|to|et|ou|is|are|above|below|{list_cues('modal').any})\b"
)
_HANGING = 60.0  # points by which lines are indented below their number
_MAX_ROUNDS = 5  # of leaving out lists of contents, or numbers that are only named


@dataclass(frozen=True, slots=True)
class FoundHeadings:
    """The headings of a document in reading order, its blocks, and what was taken out of these."""

    headings: list[Heading]
    blocks: list[Block]
    body: BodyPrint
    contents: list[Block]
    changelogs: list[list[Block]]
    """The heading of each record of changes, and the blocks below it."""
    untaken: list[Heading]
    """Numbers that look like headings and are none."""


def find_headings(
    blocks: Sequence[Block], season: int | None, corrections: Sequence[LineCorrection] = ()
) -> FoundHeadings:
    """The numbers that begin clauses, without lists of contents and records of changes."""
    body = BodyPrint.of(blocks)
    readings = find_candidates(blocks)
    mark_groups(readings)
    mark_chapters(readings, blocks, body)
    named = mark_given_headings(readings, blocks, corrections)
    chosen, contents = _choose_in_rounds(readings, blocks, body)
    chosen = drop_inner_parts(chosen)
    if not chosen or _are_lists(chosen, blocks, body):
        chosen = find_plain_rules(readings, blocks, body)
    untaken = find_untaken_numbers(readings, chosen, contents)
    chosen += [head for head in named if head.index not in contents]
    chosen.sort(key=lambda head: head.index)
    place_given_headings(chosen)
    changelogs = find_changelogs(chosen, readings, blocks, ChangelogContext(body, season, contents))
    numbered = {head.index for head in chosen}
    gone = contents.union(changelogs.keys() - numbered, *changelogs.values())
    records = [[blocks[at] for at in (start, *record)] for start, record in changelogs.items()]
    headings = [head for head in chosen if head.index not in gone]
    before = sorted(gone)
    for head in headings:  # its index among the blocks that are left
        head.index -= bisect_left(before, head.index)
    return FoundHeadings(
        headings,
        [block for at, block in enumerate(blocks) if at not in gone],
        body,
        [blocks[at] for at in sorted(contents)],
        records,
        [head for head in untaken if head.index not in gone],
    )


def _choose_in_rounds(
    candidates: list[Heading], blocks: Sequence[Block], body: BodyPrint
) -> tuple[list[Heading], set[int]]:
    """The headings, and the indexes of contents lists: both are left out until none is found."""
    chosen = _select_headings(candidates, blocks, body)
    contents: set[int] = set()
    for _ in range(_MAX_ROUNDS):
        live = [head for head in chosen if not head.deleted]
        listed = find_contents(live, blocks) - {head.index for head in live if head.is_given}
        strays = set() if listed else {head for head in find_strays(live) if not head.given_level}
        if not listed and not strays:
            break
        contents |= listed
        candidates = [
            head for head in candidates if head.index not in listed and head not in strays
        ]
        chosen = _select_headings(candidates, blocks, body)
    return chosen, contents


def _are_lists(chosen: Sequence[Heading], blocks: Sequence[Block], body: BodyPrint) -> bool:
    """True for whole numbers that count anew below many headings which stand out more."""
    whole = all(head.is_whole_number for head in chosen)
    if not whole or not any(after.counts_anew_after(head) for head, after in pairwise(chosen)):
        return False
    most = max(prominence_of(head.line) for head in chosen)
    above = [found for _, found in find_unnumbered_headings(blocks, body) if found > most]
    return len(above) > len(chosen)


def _select_headings(
    candidates: list[Heading], blocks: Sequence[Block], body: BodyPrint
) -> list[Heading]:
    """The candidates in the best order, with the deleted ones that look like them."""
    for head in candidates:
        head.reset()
    _assign_sub_numbers(candidates, blocks)
    families = find_families(candidates, body)
    for heads in families.values():
        _score_family(heads, blocks, body)
    accepted = include_given_headings(chain.from_iterable(families.values()), candidates)
    chosen = set(best_chain([head for head in accepted if not head.deleted]))
    looks = {(family_of(head, body), head.indent) for head in chosen}
    taken = {head.index for head in chosen}
    for head in accepted:
        is_alike = head.is_given or (family_of(head, body), head.indent) in looks
        if head.deleted and is_alike and head.index not in taken:
            taken.add(head.index)
            chosen.add(head)
    return [head for head in accepted if head in chosen]


def _score_family(heads: Sequence[Heading], blocks: Sequence[Block], body: BodyPrint) -> None:
    """Set `fit`: the evidence for each reading apart from the order of the numbers."""
    indents = Counter(head.indent for head in heads)
    edge = max(indents, key=lambda indent: indents[indent])
    mostly_bold = sum(head.bold for head in heads) > 0.6 * len(heads)
    begins = any(head.key and head.key[-1] in FIRSTS for head in heads)
    for head in heads:
        in_place = head.indent == edge or (head.is_group and is_in_middle(head.line))
        may_begin = begins or head.is_group or head.kind == "sub"
        fit = 0.5 * (len(heads) > 2) + (0.15 if in_place else -0.2)
        fit += 0.5 * (head.bold > body.bold) - 0.6 * (mostly_bold > head.bold)
        fit -= 0.8 * (not may_begin)
        head.fit = fit + sum(_weights(head, blocks))


def _weights(head: Heading, blocks: Sequence[Block]) -> Iterator[float]:
    text = head.following_text
    yield 0.3 * (head.has_gap and bool(text))
    yield -0.5 * text[:1].islower()
    yield -1.5 * (_UNIT.match(text) is not None)
    yield (-0.3 if head.has_gap else -1.0) * (_RUNS_ON.match(text) is not None)
    yield -1.6 * _continues_line_above(head, blocks)
    yield -1.5 * head.lead_word[:1].islower()
    if head.kind == "plain" and len(head.key) == 1:
        yield -1.2 * (not head.ending and not head.has_gap and not head.following_text.isupper())
        yield -0.4 * (not head.stands_out)
        yield -2.0 * (isinstance(head.key[0], int) and head.key[0] > 300)
    yield -1.0 * any(isinstance(part, int) and part > 200 for part in head.counters[1:])


def _continues_line_above(
    head: Heading, blocks: Sequence[Block], numbered: Set[int] = frozenset()
) -> bool:
    """True if the line above is full and goes on; lines hang below one of the `numbered` lines."""
    before = blocks[head.index - 1] if head.index else None
    line = head.line
    if not isinstance(before, Line) or is_apart(before, line):
        return False
    room = 0.2 * (before.edge - before.start)
    full = not head.following_text or before.right > before.edge - room
    ends = line_text(before).endswith((".", ";", ":", ".)", "?"))
    is_alike = head.lead_word != "" and prominence_of(before) == prominence_of(line)
    goes_on = not head.bold or is_alike
    hanging = _HANGING if head.index - 1 in numbered else 3
    return full and not ends and -3 < line.left - before.left < hanging and goes_on


def _assign_sub_numbers(heads: list[Heading], blocks: Sequence[Block]) -> None:
    """Make `(1)`, `1)` or `1.` that begin anew below many numbers parts of them: "5(1)".

    What goes on from the line above names a number: it begins no count and ends none.
    """
    numbered = {head.index for head in heads}
    wrapped = {head for head in heads if _continues_line_above(head, blocks, numbered)}
    for ending in ("()", ")", ".", ""):
        wanted = {
            head
            for head in heads
            if (head.kind, head.ending) == ("plain", ending)
            and (head.is_whole_number or head.is_inserted)
        }
        if sum(head.number == "1" for head in wanted) < 3:
            continue
        others = [head for head in heads if head in wanted or head not in wrapped]
        pairs = _pair_with_parents(wanted, others, wrapped)
        if len({parent for _, parent in pairs}) >= 3 and len(pairs) >= 0.6 * len(wanted):
            for head, parent in pairs:
                head.parent, head.kind, head.key = parent, "sub", (*parent.key, *head.key)


def _pair_with_parents(
    wanted: Set[Heading], heads: list[Heading], wrapped: Set[Heading]
) -> list[tuple[Heading, Heading]]:
    """Those `wanted` that count 1, 2, 2a, 3 below an article or a dotted number, with that."""
    behind = (one for one, other in pairwise(heads) if other in wanted and other.number == "1")
    words = {head.lead_word for head in behind}
    pairs: list[tuple[Heading, Heading]] = []
    parent: Heading | None = None
    expected = 1
    for head in heads:
        if head not in wanted:
            if head.may_have_parts(words):
                parent, expected = head, 1
            elif head.kind == "sub" or (head.lead_word and head.kind != "article"):
                parent = None  # what counts below a part of an article is an item of that
        elif (
            parent and head.deleted == parent.deleted and head.key[0] == expected - head.is_inserted
        ):
            pairs.append((head, parent))
            expected += not head.is_inserted
        elif head.number == "1" and head not in wrapped:
            parent = None  # a list within it
    return pairs
