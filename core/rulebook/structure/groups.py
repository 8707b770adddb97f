"""What groups articles: words such as "Chapter", unnumbered chapters, parts on a later season."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from core.rulebook.layout.blocks import Block, Line
from core.rulebook.layout.text import line_text
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.families import BEGINNINGS, CAPTION, best_chain, sequence_score
from core.rulebook.structure.line_corrections import read_lettered_item
from core.rulebook.structure.titles import SENTENCE_VERB, find_unnumbered_headings
from core.rulebook.structure.typography import SAME_SIZE, BodyPrint, prominence_of

_MIN_GROUPS = 3
_NEAR = 6  # blocks from the number of a group to the first article below it
_SHARE = 0.6  # of the groups just below which the articles count on
_FIRST_WITHIN = 4  # blocks from the name of a chapter to its first number
_MAX_DEEP = 0.1  # of the numbers of a document whose chapters have no number
_MIN_ITEMS = 3
_SENTENCE_END = re.compile(r"[\w)%][.;:!?]?[.;:!”\"»“]$")
_FUTURE = re.compile(
    r"\b(?:chang|amend|modif|regulations?|rules)\w*\b.{0,60}?\b(?:for|in respect of|from|to)\b"
    r".{0,40}?\b(20\d\d\b|(?:subsequent|future|following)(?=\s+(?:season|year|championship)))",
    re.IGNORECASE | re.DOTALL,
)
_PROPOSED = tuple(
    re.compile(rf"(?i)\b(?:{words})")
    for words in ("possib|propos|potential|planned", "future", "chang|amend|modif|revis")
)
"""A title has all of them: "Future amendments" alone may say how rules are amended."""
FOR_YEAR = re.compile(
    r"^(?:approved\s+)?(?:chang|amend|modif)\w*\s+(?:for|in|from)\s+(20\d\d)\b", re.IGNORECASE
)


def mark_groups(candidates: Sequence[Heading]) -> None:
    """Make parts of the numbers behind a word that counts above articles which count through."""
    by_word: dict[str, list[Heading]] = defaultdict(list)
    articles: dict[tuple[str, str], list[Heading]] = defaultdict(list)
    for head in candidates:
        word = head.lead_word.casefold()
        if head.is_single:
            by_word[word].append(head)
        if head.is_single and head.style == "digits" and not head.is_inserted:
            articles[word, head.ending].append(head)
    for word, heads in by_word.items():
        groups = list(_count_up(heads))
        if not word or CAPTION.match(word) or len(groups) < _MIN_GROUPS:
            continue
        others = (found for (other, _), found in articles.items() if other != word)
        if any(_count_on_below(groups, found) for found in others):
            for head in groups:
                head.kind, head.style = "part", groups[-1].style
                head.is_counted_over = head is not groups[0]


def drop_inner_parts(headings: Sequence[Heading]) -> list[Heading]:
    """The headings without parts of a text: several in a row, over which other numbers go on."""
    kept: list[Heading] = []
    runs = [list(run) for _, run in groupby(headings, key=_part_word)]
    for before, run, after in zip([None, *runs], runs, [*runs[1:], None], strict=False):
        is_inner = before and after and sequence_score(after[0].key, before[-1].key) >= 1
        if not (is_inner and len(run) > 1 and _part_word(run[0])):
            kept += run
    return kept


def _part_word(head: Heading) -> str:
    return head.lead_word.casefold() if head.kind == "part" else ""


def _count_up(heads: Iterable[Heading]) -> Iterator[Heading]:
    expected = 1
    for head in heads:
        if head.key[0] == expected - head.is_inserted:
            yield head
            expected += not head.is_inserted


def _count_on_below(groups: Sequence[Heading], articles: Sequence[Heading]) -> bool:
    """True if below most groups an article is next that goes on from the last one above."""
    on = 0
    for group in groups:
        before = [head.key[0] for head in articles if head.index < group.index]
        below = [head.key[0] for head in articles if 0 < head.index - group.index <= _NEAR]
        last, first = before[-1:], below[:1]
        on += bool(last and first) and first[0] == int(last[0]) + 1
    return on >= max(_MIN_GROUPS - 1, _SHARE * (len(groups) - 1))


def mark_chapters(heads: Sequence[Heading], blocks: Sequence[Block], body: BodyPrint) -> None:
    """Set `chapter`: how many names of chapters are above a number, if few numbers are deep."""
    deep = sum(head.kind == "plain" and head.is_telling for head in heads)
    starts = list(_find_chapters(heads, blocks, body)) if deep <= _MAX_DEEP * len(heads) else []
    if len(starts) > 1:
        for head in heads:
            head.chapter = bisect_right(starts, head.index)


def _find_chapters(
    heads: Sequence[Heading], blocks: Sequence[Block], body: BodyPrint
) -> Iterator[int]:
    """Yield the blocks that name chapters: they stand out more than the number just below.

    That number begins to count. In larger print a name may have text of its own above the number.
    """
    lines = {head.index: head.line for head in heads}
    firsts = {head.index for head in heads if head.counters in BEGINNINGS}
    indexes = [*sorted(lines), len(blocks)]
    for at, prominence in find_unnumbered_headings(blocks, body):
        following = indexes[bisect_right(indexes, at)]
        if following in firsts and prominence.stands_out(body):
            number = lines[following]
            is_near = following - at <= _FIRST_WITHIN and prominence > prominence_of(number)
            if is_near or prominence.size > number.size + SAME_SIZE:
                yield at


def find_plain_rules(
    readings: Sequence[Heading], blocks: Sequence[Block], body: BodyPrint
) -> list[Heading]:
    """The items "a)", "b)", else the sentences "1 The", "2 A", of a document that counts nothing
    else, and hardly has a heading.
    """
    lines = ((at, block) for at, block in enumerate(blocks) if isinstance(block, Line))
    lettered = [head for at, line in lines if (head := read_lettered_item(line, at))]
    bare = [head for head in readings if head.is_whole_number and not head.ending]
    headings = sum(1 for _ in find_unnumbered_headings(blocks, body))
    for heads in (lettered, bare):
        mark_chapters(heads, blocks, body)
        for head in heads:
            head.fit = 0.5
        chain = best_chain(heads)
        is_sure = heads is lettered or _are_sentences(chain, blocks)
        if is_sure and len(chain) >= max(_MIN_ITEMS, headings):
            return chain
    return []


def _are_sentences(heads: Sequence[Heading], blocks: Sequence[Block]) -> bool:
    """True for 1, 2, 3 ... with a sentence behind each, unlike the rows of a list of names."""
    ends = [*(head.index for head in heads[1:]), len(blocks)]
    texts = (
        [line_text(one) for one in blocks[head.index : end] if isinstance(one, Line)]
        for head, end in zip(heads, ends, strict=False)
    )
    is_counted = [head.key for head in heads] == [(at,) for at in range(1, len(heads) + 1)]
    read = [*texts]
    verbs = sum(SENTENCE_VERB.search(" ".join(text)) is not None for text in read)
    is_ended = all(any(_SENTENCE_END.search(line) for line in text) for text in read)
    return is_counted and is_ended and 2 * verbs >= len(read)


def proposed_season(title: str, season: int | None) -> int | None:
    """The season after `season` where a title names what may be changed in the future."""
    is_proposed = all(pattern.search(title) for pattern in _PROPOSED)
    return season + 1 if season and is_proposed else None


def announced_season(title: str, season: int | None, *, is_appendix: bool) -> int | None:
    """The season that "Approved changes for 2025" is about, if it is later than `season`."""
    found = _FUTURE.search(title)
    if not found or not (is_appendix or FOR_YEAR.match(title)):
        return None
    if not found[1].isdigit():
        return season + 1 if season else None
    return int(found[1]) if season is None or int(found[1]) > season else None
