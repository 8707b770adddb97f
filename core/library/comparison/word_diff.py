"""Word by word, what differs between two wordings of a rule, and which of it the publisher has marked.

It aligns no clauses. What only the reading of two files makes different (spaces, lines of tables, broken glyphs, what
a title page says of its own issue) is no difference.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate

from rapidfuzz.fuzz import partial_ratio_alignment

from core.library.types import DiffSegment, UnmarkedReason
from core.rulebook import ArticleCitation, find_citations

MAX_CHANCE_WORDS = 3
"""Words that two wordings share by chance between two changes at least as long: shown as part of one change."""
MIN_MARKED_SHARE = 0.5
"""Share of the letters of a change within the publisher's marks from which it is marked."""
CITATION_CONTEXT = 80
"""Letters around a number that tell whether an article is meant."""
MIN_MARK_LETTERS = 6
"""Letters of marked words from which their place in a text is not one by chance."""
FUZZY_MARK_LETTERS, FUZZY_MARK_SCORE = 30, 96
"""Letters of marked words that are looked for in nearly their wording too, and how alike (of 100) that has to be."""

_TOKEN = re.compile(r"[\w\xad]+(?:[.,]\d\w*)*|[^\w\s]")  # a number is one word: "18,000", "B2.1.2a"
_NO_WORDS = re.compile(
    r"^\|(?:-{3,}\|)+$|(?<=\[Equation, shown on page )\d+|^(?:Published|Issued)\b.{0,20}\d{4}$|^Issue\s+\d+$",
    re.MULTILINE | re.IGNORECASE,
)
_ALIKE = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "•": "-", "\xad": None}
)
_LIGATURE = re.compile(r"f(?:f[il]?|[ilt])|t[tih]")
_UNREAD = "\ufffd"
_MATHEMATICAL = range(0x1D400, 0x1D800)

SameRule = Callable[[ArticleCitation, ArticleCitation], bool]
"""True where what the earlier document cites and what the later one cites are one rule."""


@dataclass(frozen=True, slots=True)
class DiffToken:
    """A word or a sign: as it is compared, and where it stands in its text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PublisherMarks:
    """What the later document marks, in its own words: inserted in a clause, deleted from it or right beside it."""

    inserted: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two wordings, in tokens; `letters` are those of all its words, `at` where each token's begin in them."""

    text: str
    tokens: Sequence[DiffToken]
    letters: str
    letter_offsets: Sequence[int]

    def words_in_span(self, span: tuple[int, int]) -> list[str]:
        return [token.word for token in self.tokens[slice(*span)]]

    def text_in_span(self, span: tuple[int, int]) -> str:
        """The text of some tokens, with the space behind them."""
        if span[0] == span[1]:
            return ""
        start = self.tokens[span[0]].start if span[0] else 0
        end = self.tokens[span[1]].start if span[1] < len(self.tokens) else len(self.text)
        return self.text[start:end]

    def find_citation(self, span: tuple[int, int]) -> ArticleCitation | None:
        """The citation that some tokens stand in."""
        if not any(character.isdigit() for word in self.words_in_span(span) for character in word):
            return None
        start, end = self.tokens[span[0]].start, self.tokens[span[1] - 1].end
        first = max(start - CITATION_CONTEXT, 0)
        named = find_citations(self.text[first : end + CITATION_CONTEXT])
        return next((c for c in named if c.start <= start - first and end - first <= c.end), None)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Tokens of both wordings, by position: the same, or a change."""

    old: tuple[int, int]
    new: tuple[int, int]
    same: bool
    marked: bool | None = None
    reason: UnmarkedReason | None = None

    @property
    def length(self) -> int:
        return max(self.old[1] - self.old[0], self.new[1] - self.new[0])


def diff_tokens(text: str) -> list[DiffToken]:
    """The words and signs of a text as they are compared: without case, typography and the lines of tables."""
    idle = [range(*match.span()) for match in _NO_WORDS.finditer(text)]
    return [
        DiffToken(word, match.start(), match.end())
        for match in _TOKEN.finditer(text)
        if (word := _folded(match[0])) and not any(match.start() in span for span in idle)
    ]


def diff_words(text: str) -> list[str]:
    """The words and signs of a text as they are compared."""
    return [token.word for token in diff_tokens(text)]


def diff_texts(
    before: str, after: str, marks: PublisherMarks | None, same_rule: SameRule
) -> tuple[DiffSegment, ...]:
    """Two wordings as pieces that are the same, deleted or inserted, in order; () where no words differ.

    The same and the inserted pieces put together are the later wording, the same and the deleted ones the earlier,
    but for spaces. Without `marks` they do not tell whether they are marked.
    """
    if before == after:
        return ()
    old, new = _side(before), _side(after)
    stretches = list(_stretches(old, new))
    if all(stretch.same for stretch in stretches):
        return ()
    told = [_reasoned(stretch, old, new, same_rule) for stretch in stretches]
    if marks is not None:
        told = _marked(told, old, new, marks)
        if any(map(_is_open, told)):
            # Where a change can be told in several ways the publisher's own is the one to show.
            led = [_reasoned(stretch, old, new, same_rule) for stretch in _led(old, new, marks)]
            told = min(
                told,
                _marked(led, old, new, marks),
                key=lambda way: sum(s.length for s in way if _is_open(s)),
            )
    return tuple(piece for stretch in _joined(told, new) for piece in _pieces(stretch, old, new))


def marked_share(text: str, marks: Iterable[str]) -> float:
    """The share of a text's letters, 0 to 1, that marked words cover."""
    letters = _side(text).letters
    return len(_covered(marks, letters, set(range(len(letters))))) / max(len(letters), 1)


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    return (
        ""
        if word in ("|", "\\")
        else unicodedata.normalize("NFKC", word.translate(_ALIKE)).casefold()
    )


def _side(text: str) -> _Side:
    found = diff_tokens(text)
    letters = [_letters(token.word) for token in found]
    return _Side(text, found, "".join(letters), [0, *accumulate(map(len, letters))])


def _letters(text: str) -> str:
    return "".join(character for character in _folded(text) if character.isalnum())


def _stretches(old: _Side, new: _Side) -> Iterator[_Stretch]:
    one, other = ([token.word for token in side.tokens] for side in (old, new))
    for tag, *bounds in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        old_span, new_span = (bounds[0], bounds[1]), (bounds[2], bounds[3])
        same = tag == "equal" or _reads_alike(
            old.text_in_span(old_span), new.text_in_span(new_span)
        )
        yield _Stretch(old_span, new_span, same)


def _led(old: _Side, new: _Side, marks: PublisherMarks) -> Iterator[_Stretch]:
    """The stretches that are left when marked words are taken for changes from the outset."""
    kept, brought = _unmarked(old, marks.deleted), _unmarked(new, marks.inserted)
    one, other = [old.tokens[n].word for n in kept], [new.tokens[n].word for n in brought]
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    pairs = [
        (kept[block.a + n], brought[block.b + n]) for block in blocks for n in range(block.size)
    ]
    at = (0, 0)
    for i, j in [*pairs, (len(old.tokens), len(new.tokens))]:
        if (i, j) != at:
            gap = _Stretch((at[0], i), (at[1], j), same=False)
            yield replace(
                gap, same=_reads_alike(old.text_in_span(gap.old), new.text_in_span(gap.new))
            )
        if i < len(old.tokens):
            yield _Stretch((i, i + 1), (j, j + 1), same=True)
        at = (i + 1, j + 1)


def _unmarked(side: _Side, marks: Iterable[str]) -> list[int]:
    """The tokens of a side outside of marked words, these found one after the other; shreds are left alone."""
    taken: set[int] = set()
    at = 0
    for letters in map(_letters, marks):
        spans = list(_places(letters, side.letters)) if len(letters) >= MIN_MARK_LETTERS else []
        if span := next((span for span in spans if span.start >= at), None):
            taken |= set(span)
            at = span.stop
    return [
        n
        for n in range(len(side.tokens))
        if not taken & set(range(side.letter_offsets[n], side.letter_offsets[n + 1]))
    ]


def _is_open(stretch: _Stretch) -> bool:
    """A change that is neither marked nor explained."""
    return stretch.marked is False and stretch.reason is None


def _reads_alike(old: str, new: str) -> bool:
    """True where two texts are one on paper: spaces apart, ligatures that a file lost, formulas it cannot spell."""
    one, other = (_spelled(text, unread=_UNREAD in old + new) for text in (old, new))
    return one == other or _lost_ligatures(one, other) or _lost_ligatures(other, one)


def _spelled(text: str, unread: bool) -> str:
    """A text without spaces; a letter of a formula that a file says twice is one, and none where some are unread."""
    kept: list[str] = []
    for character in text:
        mathematical = ord(character) in _MATHEMATICAL
        if character.isspace() or (mathematical and kept and kept[-1] == character):
            continue
        if not (unread and (mathematical or not character.isalnum())):
            kept.append(character)
    return _folded("".join(kept))


def _lost_ligatures(broken: str, whole: str) -> bool:
    if not _LIGATURE.search(whole):
        return False
    pattern = _LIGATURE.sub(lambda found: f"(?:{found[0]}|[^a-z])", re.escape(whole))
    return re.fullmatch(pattern, broken) is not None


def _reasoned(stretch: _Stretch, old: _Side, new: _Side, same_rule: SameRule) -> _Stretch:
    if stretch.same:
        return stretch
    one, other = old.find_citation(stretch.old), new.find_citation(stretch.new)
    if one and other and same_rule(one, other):
        return replace(stretch, reason="reference")
    if _letters(old.text_in_span(stretch.old)) == _letters(new.text_in_span(stretch.new)):
        return replace(stretch, reason="punctuation")
    return stretch


def _marked(
    stretches: Sequence[_Stretch], old: _Side, new: _Side, marks: PublisherMarks
) -> list[_Stretch]:
    """The changes with what they have of the publisher's marks. A mark counts once, where it covers most."""
    changed = [_changed_letters(stretch, old, new) for stretch in stretches]
    gone, come = (set().union(*(letters[side] for letters in changed)) for side in (0, 1))
    gone, come = (
        _covered(marks.deleted, old.letters, gone),
        _covered(marks.inserted, new.letters, come),
    )
    told = []
    for stretch, (deleted, inserted) in zip(stretches, changed, strict=True):
        size, covered = len(deleted) + len(inserted), len(deleted & gone) + len(inserted & come)
        marked = (
            covered >= MIN_MARKED_SHARE * size if size else _sign_marked(stretch, old, new, marks)
        )
        told.append(stretch if stretch.same else replace(stretch, marked=marked))
    return told


def _changed_letters(stretch: _Stretch, old: _Side, new: _Side) -> tuple[set[int], set[int]]:
    """Positions of the letters that a change takes away and brings; "laps" for "lap" brings one."""
    if stretch.same:
        return set(), set()
    (a, b), (c, d) = (
        (side.letter_offsets[span[0]], side.letter_offsets[span[1]])
        for side, span in ((old, stretch.old), (new, stretch.new))
    )
    while a < b and c < d and old.letters[a] == new.letters[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and old.letters[b - 1] == new.letters[d - 1]:
        b, d = b - 1, d - 1
    return set(range(a, b)), set(range(c, d))


def _sign_marked(stretch: _Stretch, old: _Side, new: _Side, marks: PublisherMarks) -> bool:
    sides = (
        (old.words_in_span(stretch.old), marks.deleted),
        (new.words_in_span(stretch.new), marks.inserted),
    )
    return any(_folded(mark.strip()) in said for said, marked in sides for mark in marked)


def _covered(marks: Iterable[str], letters: str, changed: set[int]) -> set[int]:
    """Those of some letters that marked words cover, each mark where it covers most that none has covered."""
    left = set(changed)
    for mark in sorted(map(_letters, marks), key=len, reverse=True):
        if spans := list(_places(mark, letters)):
            left -= set(max(spans, key=lambda span: sum(place in left for place in span)))
    return changed - left


def _places(mark: str, letters: str) -> Iterator[range]:
    """Where marked words stand in a text; longer ones also where a letter or two differ (a number that was mended)."""
    at = letters.find(mark) if mark else -1
    if (
        at < 0
        and len(mark) >= FUZZY_MARK_LETTERS
        and (found := partial_ratio_alignment(mark, letters, score_cutoff=FUZZY_MARK_SCORE))
    ):
        yield range(found.dest_start, found.dest_end)
    while at >= 0:
        yield range(at, at + len(mark))
        at = letters.find(mark, at + 1)


def _joined(stretches: Iterable[_Stretch], new: _Side) -> list[_Stretch]:
    """Stretches of one kind put together, also where only a few words between two changes are the same."""
    joined: list[_Stretch] = []
    for stretch in stretches:
        if joined and joined[-1].same and stretch.same:
            stretch = replace(
                stretch,
                old=(joined[-1].old[0], stretch.old[1]),
                new=(joined.pop().new[0], stretch.new[1]),
            )
        if (
            len(joined) > 1
            and not stretch.same
            and _is_chance(joined[-2], joined[-1], stretch)
            and not _ends_line(joined[-1], new)
        ):
            first = joined[-2]
            del joined[-2:]
            stretch = replace(
                stretch, old=(first.old[0], stretch.old[1]), new=(first.new[0], stretch.new[1])
            )
        joined.append(stretch)
    return joined


def _is_chance(first: _Stretch, between: _Stretch, last: _Stretch) -> bool:
    return (
        between.same
        and not last.same
        and between.length <= min(MAX_CHANCE_WORDS, first.length, last.length)
        and (first.marked, first.reason, last.reason) == (last.marked, None, None)
    )


def _ends_line(stretch: _Stretch, new: _Side) -> bool:
    return "\n" in new.text_in_span(stretch.new)


def _pieces(stretch: _Stretch, old: _Side, new: _Side) -> Iterator[DiffSegment]:
    if stretch.same:
        yield DiffSegment("same", new.text_in_span(stretch.new))
        return
    if said := old.text_in_span(stretch.old):
        yield DiffSegment("deleted", said, stretch.marked, stretch.reason)
    if said := new.text_in_span(stretch.new):
        yield DiffSegment("inserted", said, stretch.marked, stretch.reason)
