"""Words that group articles ("Titre II", "Kapitel 3"): the articles count on over their numbers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.families import CAPTION
from core.rulebook.structure.number_order import sequence_score

_MIN_GROUPS = 3
_NEAR = 6  # blocks from the number of a group to the first article below it
_SHARE = 0.6  # of the groups just below which the articles count on


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
    for word in by_word:
        groups = list(_count_up(by_word[word]))
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
    """The readings that count 1, 2, 2 bis, 3."""
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
