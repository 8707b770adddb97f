"""What the publisher says of its own changes, beside what was found: records of changes and marks.

An entry of a record begins with a number of either document. Where entries carry a version, as
"T 2.1.3 1.1 Changed height", it is known by following many numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from core.library.article_path import article_key, article_steps
from core.library.types import ClausePair, Declaration
from core.rulebook import Clause

LONGEST_NUMBER = 3
"""Words of the longest number: "Appendix 3, 7.1"."""
MIN_VERSION_ENTRIES = 3
"""Fewest numbers at the beginning of a line that a word follows which is a version."""

Entries = Mapping[str, Sequence[str]]
"""What is said of each rule, by its number as `article_key` gives it."""


def add_declarations(
    pairs: Sequence[ClausePair], changelog: Iterable[Clause], marked_clauses: Container[str]
) -> list[ClausePair]:
    """Return the pairs with what the publisher says of each, where it says anything at all.

    `marked_clauses` are the ids of later clauses with marks that refer to the earlier document.
    """
    numbers = (number for pair in pairs for number in (pair.article_a, pair.article_b) if number)
    entries = read_entries(changelog, set(map(article_key, numbers)))
    if not entries and not any(pair.marked for pair in pairs):
        return list(pairs)
    gaps = {article_key(pair.gap_after) for pair in pairs if pair.gap_after}
    changed = {key for pair in pairs if is_change(pair) for key in _keys(pair)}
    changed |= {above for key in changed for above in _keys_above(key)} | gaps
    return [_add_declaration(pair, entries, changed, marked_clauses) for pair in pairs]


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
    pair: ClausePair, entries: Entries, changed: Container[str], marked_clauses: Container[str]
) -> ClausePair:
    keys = _keys(pair)
    said = tuple(words for key in keys for words in entries.get(key, ()))
    named = any(key in entries for key in keys)
    declaration: Declaration | None = None
    if is_change(pair):
        declaration = _declare_change(pair, named, entries)
    elif named:
        declaration = "found" if any(key in changed for key in keys) else "not_found"
    elif pair.clause_b in marked_clauses:
        declaration = "not_found"
    return replace(pair, declaration=declaration, said=said) if declaration else pair


def _declare_change(pair: ClausePair, named: bool, entries: Entries) -> Declaration | None:
    """Return whether a change was declared: by an entry, by marks, or with what is above it."""
    above = _keys_above(pair.article_b or pair.article_a or "")
    if named or pair.marked in ("marked", "partly") or any(key in entries for key in above):
        return "found"
    # The rules below a heading count themselves.
    return None if pair.added_below or pair.removed_below else "undeclared"


def _keys_above(article: str) -> list[str]:
    """Return the numbers of the rules above one: an entry for them is for it too."""
    steps = article_steps(article)
    return [".".join(steps[:depth]) for depth in range(1, len(steps))]


def _keys(pair: ClausePair) -> list[str]:
    """Return the numbers of a pair, each once, that of the later document first."""
    numbers = filter(None, (pair.article_b, pair.article_a))
    return list(dict.fromkeys(map(article_key, numbers)))
