"""What surrounds a pair: the rules right below a heading, and the gap that a removed one left."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from core.library.article_path import article_steps
from core.library.types import ClausePair

Steps = tuple[str, ...]


def mark_headings(pairs: Sequence[ClausePair]) -> Iterator[ClausePair]:
    """Yield the pairs; a heading without text says what came and left right below it."""
    changed = [pair for pair in pairs if pair.place in ("added", "removed", "moved")]
    left = _group_by_parent(pair.article_a for pair in changed)
    came = _group_by_parent(pair.article_b for pair in changed)
    for pair in pairs:
        if pair.article_a and pair.article_b and pair.before == pair.after == pair.title:
            yield _mark_heading(pair, left, came)
        else:
            yield pair


def _mark_heading(
    pair: ClausePair, left: Mapping[Steps, list[str]], came: Mapping[Steps, list[str]]
) -> ClausePair:
    removed = tuple(left.get(article_steps(pair.article_a or ""), ()))
    added = tuple(came.get(article_steps(pair.article_b or ""), ()))
    if not (removed or added):
        return pair
    return replace(pair, wording="changed", removed_below=removed, added_below=added)


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


def _group_by_parent(articles: Iterable[str | None]) -> Mapping[Steps, list[str]]:
    groups: dict[Steps, list[str]] = defaultdict(list)
    for article in filter(None, articles):
        groups[article_steps(article)[:-1]].append(article)
    return groups
