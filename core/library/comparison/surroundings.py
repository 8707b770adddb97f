"""What surrounds a pair: the rules right below a heading, and the gap that a removed one left."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.library.article_path import article_steps
from core.library.types import ClausePair, PairKind

Steps = tuple[str, ...]


def mark_headings(pairs: Sequence[ClausePair]) -> Iterator[ClausePair]:
    """Yield the pairs; a heading without text says what came and left right below it."""
    old: dict[Steps, list[ClausePair]] = defaultdict(list)
    new: dict[Steps, list[ClausePair]] = defaultdict(list)
    for pair in pairs:
        before, after = _places_above(pair)
        old[before].append(pair)
        new[after].append(pair)
    for pair in pairs:
        if not (pair.article_a and pair.article_b and pair.before == pair.after == pair.title):
            yield pair
            continue
        own = article_steps(pair.article_a), article_steps(pair.article_b)
        left = [p.article_a for p in old[own[0]] if p.article_a and _places_above(p) != own]
        came = [p.article_b for p in new[own[1]] if p.article_b and _places_above(p) != own]
        if left or came:
            kind: PairKind = "changed" if pair.place == "same" else pair.kind
            pair = replace(
                pair, kind=kind, wording="changed", removed_below=(*left,), added_below=(*came,)
            )
        yield pair


def _places_above(pair: ClausePair) -> tuple[Steps, Steps]:
    """Return what is right above a pair in each document, () above none."""
    return article_steps(pair.article_a or "")[:-1], article_steps(pair.article_b or "")[:-1]


def locate_gaps(pairs: Iterable[ClausePair], old_articles: Iterable[str]) -> Iterator[ClausePair]:
    """Yield the pairs; removed ones with the later article that stands before their gap.

    `old_articles` are those of the earlier document, in reading order.
    """
    listed = tuple(pairs)
    partners = {pair.article_a: pair.article_b for pair in listed if pair.article_b}
    gaps: dict[str | None, str | None] = {}
    last: str | None = None
    for article in old_articles:
        last = partners.get(article) or last
        gaps[article] = last
    for pair in listed:
        removed = pair.place == "removed"
        yield replace(pair, gap_after=gaps[pair.article_a]) if removed else pair
