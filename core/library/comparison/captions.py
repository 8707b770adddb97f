"""Pictures and tables that both documents have: left out, as each is printed where a page has room.

They are known by their captions: lines that a picture names, and lines with a label whose numbers
count up through a document ("Figure 1", "Figure 2" ...), as only captions do.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from core.library.comparison.word_diff import diff_words
from core.rulebook import Clause

MIN_NUMBERED_CAPTIONS = 3
"""Fewest captions with one label, each below another rule."""
_NUMBERED_LINE = re.compile(r"(?P<label>[^\W\d_]+) (?P<number>\d+)\b")
_FIRST_NUMBER = re.compile(r"\d+(?:[.-]\d+)*")


@dataclass(frozen=True, slots=True)
class _Caption:
    """Where a caption is: which clause of the document, which line of its text."""

    clause: int
    line: int
    letters: str


def drop_shared_captions(old: Sequence[Clause], new: Sequence[Clause]) -> list[list[Clause]]:
    """Return the clauses of both documents without the captions that both have.

    Where another rule has one now, the lines beside it that came along are left out too: words in
    a picture, rows of a table.
    """
    documents = (old, new)
    captions = [_group_captions(clauses) for clauses in documents]
    shared = captions[0].keys() & captions[1].keys()
    dropped: tuple[defaultdict[int, set[int]], ...] = (defaultdict(set), defaultdict(set))
    for letters in shared:
        found = [by_letters[letters] for by_letters in captions]
        for lines, places in zip(dropped, found, strict=True):
            for place in places:
                lines[place.clause].add(place.line)
        if all(len(places) == 1 for places in found):
            a, b = (places[0] for places in found)
            moved = list(_moved_lines(old[a.clause], new[b.clause], a.line, b.line))
            dropped[0][a.clause].update(line for line, _ in moved)
            dropped[1][b.clause].update(line for _, line in moved)
    return [_drop_lines(*document) for document in zip(documents, dropped, strict=True)]


def _group_captions(clauses: Sequence[Clause]) -> Mapping[str, Sequence[_Caption]]:
    """Return the captions of a document by their letters."""
    captions = set(_numbered_captions(clauses))
    for n, clause in enumerate(clauses):
        named = tuple(figure.caption for figure in clause.figures if _letters(figure.caption))
        for number, line in enumerate(clause.text.splitlines() if named else ()):
            if line.startswith(named):
                captions.add(_Caption(n, number, _letters(line)))
    grouped: dict[str, list[_Caption]] = defaultdict(list)
    for caption in captions:
        grouped[caption.letters].append(caption)
    return grouped


def _numbered_captions(clauses: Sequence[Clause]) -> Iterator[_Caption]:
    """Yield the lines of each label whose numbers count up. A rule itself begins with none."""
    by_label: dict[str, dict[_Caption, int]] = defaultdict(dict)
    for n, clause in enumerate(clauses):
        for number, line in enumerate(clause.text.splitlines()):
            found = _NUMBERED_LINE.match(line) if number >= _first_own_line(clause) else None
            if found:
                caption = _Caption(n, number, _letters(line))
                by_label[found["label"]][caption] = int(found["number"])
    for numbers in by_label.values():
        times = Counter(numbers.values())
        once = {caption: number for caption, number in numbers.items() if times[number] == 1}
        is_counting = list(once.values()) == sorted(once.values())
        if is_counting and len({caption.clause for caption in once}) >= MIN_NUMBERED_CAPTIONS:
            yield from once


def _moved_lines(a: Clause, b: Clause, line_a: int, line_b: int) -> Iterator[tuple[int, int]]:
    """Yield the lines right before and after a caption that two different rules both have."""
    one, other = ([diff_words(line) for line in clause.text.splitlines()] for clause in (a, b))
    if (a.title, one[:1]) == (b.title, other[:1]):
        return  # the same rule: what is beside the caption in both is no difference
    before = zip(
        range(line_a - 1, _first_own_line(a) - 1, -1),
        range(line_b - 1, _first_own_line(b) - 1, -1),
        strict=False,
    )
    after = zip(range(line_a + 1, len(one)), range(line_b + 1, len(other)), strict=False)
    for places in (before, after):
        yield from takewhile(lambda place: one[place[0]] == other[place[1]], places)


def _first_own_line(clause: Clause) -> int:
    """Return the first line that may belong to a picture: a rule begins with words of its own."""
    return 0 if clause.title else 1


def _drop_lines(clauses: Sequence[Clause], dropped: Mapping[int, Container[int]]) -> list[Clause]:
    """Return the clauses without some lines, by the position of their clause."""
    kept = list(clauses)
    for n, numbers in dropped.items():
        lines = enumerate(clauses[n].text.splitlines())
        text = "\n".join(line for number, line in lines if number not in numbers)
        kept[n] = replace(clauses[n], text=text.strip())
    return kept


def _letters(caption: str) -> str:
    """Return letters and digits of a caption, without its number, which other pictures change."""
    words = _FIRST_NUMBER.sub("", caption.casefold(), count=1)
    return "".join(character for character in words if character.isalnum())
