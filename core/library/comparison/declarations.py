"""What is known of a pair from elsewhere: from other pairs, and by the publisher's own word.

Other pairs: which rules came and left below a heading, after which rule a removed one stood, which
words moved (only words that are deleted in one place and inserted in another). The publisher's
word: records of changes, and marks. An entry of a record begins with a number of either document.
Where entries carry a version, as "T 2.1.3 1.1 Changed height", it is known by following many
numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from core.choices import Declaration, PairKind
from core.library.article_path import article_key, article_steps
from core.library.comparison.alignment import encode_words
from core.library.comparison.word_diff import diff_words
from core.library.types import ClausePair, DiffSegment
from core.rulebook import Clause

Steps = tuple[str, ...]
MIN_MOVED_WORDS = 15
"""Fewest words that can be recognised elsewhere."""
MIN_SHARED_RATIO = 0.75
"""Share of them that another clause must have, in the same order; half occurs by chance."""
MAX_LENGTH_RATIO = 15
"""Longest text to search, in lengths of the moved words: in longer ones a match is by chance."""
ChangeSide = Literal["deleted", "inserted"]
_DIRECTIONS: tuple[tuple[ChangeSide, ChangeSide], ...] = (
    ("deleted", "inserted"),
    ("inserted", "deleted"),
)
LONGEST_NUMBER = 3
"""Words of the longest number: "Appendix 3, 7.1"."""
MIN_VERSION_ENTRIES = 3
"""Fewest numbers at the beginning of a line that a word follows which is a version."""
Entries = Mapping[str, Sequence[str]]
"""What is said of each rule, by its number as `article_key` gives it."""


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


def link_moved_words(pairs: Sequence[ClausePair]) -> list[ClausePair]:
    """Return the pairs with `elsewhere` set where words came from or went to another clause."""
    linked = list(pairs)
    for side, other in _DIRECTIONS:
        for number, text, best in _find_moved_words(pairs, side, other):
            article = best.article_b if side == "deleted" else best.article_a
            linked[number] = _link(linked[number], DiffSegment(side, text), article)
    return linked


def _find_moved_words(
    pairs: Sequence[ClausePair], side: ChangeSide, other: ChangeSide
) -> Iterator[tuple[int, str, ClausePair]]:
    """Yield changed words on one side: of which pair, which, and the pair that has them too."""
    candidates = list(_find_long_changes(pairs, side))
    if not candidates:
        return
    others = [
        [word for piece in _changed_pieces(pair, other) for word in diff_words(piece.text)]
        for pair in pairs
    ]
    lengths = np.array(list(map(len, others)))
    encoded = encode_words([words for _, _, words in candidates], others)
    shared = cdist(*encoded, scorer=LCSseq.similarity, workers=-1)
    for (number, text, words), row in zip(candidates, shared, strict=True):
        row[number] = 0
        row[lengths > MAX_LENGTH_RATIO * len(words)] = 0
        best = int(np.argmax(row))
        if row[best] >= MIN_SHARED_RATIO * len(words):
            yield number, text, pairs[best]


def _find_long_changes(
    pairs: Sequence[ClausePair], side: ChangeSide
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield changes without a reason that can be recognised: of which pair, text and words."""
    for number, pair in enumerate(pairs):
        for piece in _changed_pieces(pair, side):
            words = diff_words(piece.text)
            if piece.reason is None and len(words) >= MIN_MOVED_WORDS:
                yield number, piece.text, words


def _link(pair: ClausePair, moved: DiffSegment, article: str | None) -> ClausePair:
    pieces = [
        replace(piece, reason="elsewhere")
        if (piece.kind, piece.text) == (moved.kind, moved.text)
        else piece
        for piece in pair.pieces
    ]
    return replace(pair, pieces=tuple(pieces), elsewhere=article)


def _changed_pieces(pair: ClausePair, side: ChangeSide) -> list[DiffSegment]:
    text = pair.before if side == "deleted" else pair.after
    if pair.kind in ("added", "removed"):
        return [DiffSegment(side, text)] if text else []
    return [piece for piece in pair.pieces if piece.kind == side]


def add_declarations(
    pairs: Sequence[ClausePair],
    changelog: Iterable[Clause],
    insertions: Mapping[str, Sequence[str]],
    has_earlier: bool = False,
) -> list[ClausePair]:
    """Return the pairs with what the publisher says of each, where it says anything at all.

    `insertions` are the words marked as inserted, by the id of the later clause, where marks refer
    to the earlier document. With `has_earlier` there may be changes that were declared before.
    """
    numbers = (number for pair in pairs for number in (pair.article_a, pair.article_b) if number)
    entries = read_entries(changelog, set(map(article_key, numbers)))
    if not entries and not insertions:
        return list(pairs)
    gaps = {article_key(pair.gap_after) for pair in pairs if pair.gap_after}
    changed = {key for pair in pairs if is_change(pair) for key in _keys(pair)}
    changed |= {above for key in changed for above in _keys_above(key)} | gaps
    told = [_add_declaration(pair, entries, changed, insertions) for pair in pairs]
    declared = {key for pair in told if pair.declaration == "found" for key in _keys(pair)}
    return [_settle_open_change(pair, declared, has_earlier) for pair in told]


def _settle_open_change(
    pair: ClausePair, declared: Container[str], has_earlier: bool
) -> ClausePair:
    """Return the pair, declared with the rule that its words went to or came from."""
    if pair.declaration != "undeclared":
        return pair
    pieces = [piece for piece in pair.pieces if piece.marked is False and piece.reason is None]
    if pair.elsewhere and not pieces and article_key(pair.elsewhere) in declared:
        return replace(pair, declaration="found")
    return replace(pair, declaration=None) if has_earlier else pair


def is_change(pair: ClausePair) -> bool:
    """True unless all that changed is the number."""
    return pair.wording == "changed" or pair.place == "moved"


def read_entries(changelog: Iterable[Clause], known: Container[str]) -> dict[str, list[str]]:
    """Return what records of changes say, by the `known` numbers that they name."""
    texts = chain.from_iterable(clause.text.splitlines() for clause in changelog)
    lines = [line.strip("| ").replace(" | ", " ").split() for line in texts]  # tables' too
    openings = [(words, end) for words in lines if (end := _number_end(words, 0, known))]
    following = Counter(words[end] for words, end in openings if end < len(words))
    versions = {word for word, count in following.items() if count >= MIN_VERSION_ENTRIES}
    entries: dict[str, list[str]] = defaultdict(list)
    for words, _ in openings:
        for number, said in _split_entries(words, known, versions):
            entries[number].append(said)
    return dict(entries)


def _split_entries(
    words: Sequence[str], known: Container[str], versions: Container[str]
) -> Iterator[tuple[str, str]]:
    """Yield number and words of each entry of a line; later ones have a version too."""
    starts = [(0, _number_end(words, 0, known))]
    for start in range(1, len(words)):
        end = _number_end(words, start, known)
        if starts[-1][1] <= start < end < len(words) and words[end] in versions:
            starts.append((start, end))
    stops = [start for start, _ in starts[1:]] + [len(words)]
    for (start, end), stop in zip(starts, stops, strict=True):
        yield article_key(" ".join(words[start:end])), " ".join(words[end:stop])


def _number_end(words: Sequence[str], start: int, known: Container[str]) -> int:
    """Return the end of the longest known number that begins at a word, 0 for none."""
    ends = range(min(start + LONGEST_NUMBER, len(words)), start, -1)
    return next((end for end in ends if article_key(" ".join(words[start:end])) in known), 0)


def _add_declaration(
    pair: ClausePair,
    entries: Entries,
    changed: Container[str],
    insertions: Mapping[str, Sequence[str]],
) -> ClausePair:
    keys = _keys(pair)
    said = tuple(words for key in keys for words in entries.get(key, ()))
    named = any(key in entries for key in keys)
    declaration: Declaration | None = None
    if is_change(pair):
        declaration = _declare_change(pair, named, entries)
    elif named:
        declaration = "found" if any(key in changed for key in keys) else "not_found"
    elif marks := insertions.get(pair.clause_b or ""):
        has_moved = pair.place in ("renumbered", "moved")
        is_said = has_moved and marks_place(pair.article_b or "", pair.after, marks)
        declaration = "found" if is_said else "not_found"
    return replace(pair, declaration=declaration, said=said) if declaration else pair


def marks_place(article: str, text: str, marks: Sequence[str]) -> bool:
    """True if the only mark of a clause is the end of its number, or all its words are marked.

    A rule that moved in a Word file is marked whole.
    """
    is_number = len(marks) == 1 and article_key(article).endswith(article_key(marks[0]))
    return is_number or "".join("".join(marks).split()) == "".join(text.split())


def _declare_change(pair: ClausePair, named: bool, entries: Entries) -> Declaration | None:
    """Return whether a change was declared: by an entry, by marks, or with what is above it."""
    above = _keys_above(pair.article_b or pair.article_a or "")
    if named or pair.marked in ("marked", "partly") or any(key in entries for key in above):
        return "found"
    changes = [piece for piece in pair.pieces if piece.kind != "same"]
    follows = bool(changes) and all(piece.reason == "reference" for piece in changes)
    only_follows = follows and pair.place != "moved"
    # The rules below a heading count themselves, as does the rule that got another number.
    return None if only_follows or pair.added_below or pair.removed_below else "undeclared"


def _keys_above(article: str) -> list[str]:
    """Return the numbers of the rules above one: an entry for them is for it too."""
    steps = article_steps(article)
    return [".".join(steps[:depth]) for depth in range(1, len(steps))]


def _keys(pair: ClausePair) -> list[str]:
    """Return the numbers of a pair, each once, that of the later document first."""
    numbers = filter(None, (pair.article_b, pair.article_a))
    return list(dict.fromkeys(map(article_key, numbers)))
