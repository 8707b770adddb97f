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
        is_number = pair.place == "renumbered" and marks_number(pair.article_b or "", marks)
        declaration = "found" if is_number else "not_found"
    return replace(pair, declaration=declaration, said=said) if declaration else pair


def marks_number(article: str, marks: Sequence[str]) -> bool:
    """True if the only mark of a clause is its number, or the end of it that changed."""
    return len(marks) == 1 and article_key(article).endswith(article_key(marks[0]))


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
