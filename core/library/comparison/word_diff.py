"""Compare two wordings of a rule word by word, and find which changes the publisher marked.

Differences that only reading two files makes are ignored: spaces, lines of tables, broken glyphs,
what a title page says about its own issue. Clauses are aligned elsewhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate, chain, pairwise

from rapidfuzz.fuzz import partial_ratio_alignment

from core.grammar import ArticleCitation, find_citations, unify_degree_signs
from core.library.types import DiffSegment, UnmarkedReason

MAX_CHANCE_WORDS = 3
"""Most equal words between two longer changes that count as chance: shown as one change."""
MIN_MARKED_SHARE = 0.5
"""Share of a change's letters that marks must cover for it to count as marked.
tests/benchmarks/changes.py counts the changes without a mark, and the marks without a change."""
CITATION_CONTEXT = 80
"""Characters around a number that are searched for a citation."""
MIN_MARK_LETTERS = 6
"""Fewest letters of a mark that locate it in a text; fewer occur by chance."""
FUZZY_MARK_LETTERS, FUZZY_MARK_SCORE = 30, 96
"""Fewest letters of a mark that may match approximately, and the lowest score (of 100). Of 30
letters one may then be another."""

_TOKEN = re.compile(r"[\w\xad]+(?:[.,]\d\w*)*|[^\w\s]")  # a number is one word: "18,000", "B2.1.2a"
_NO_WORDS = re.compile(
    r"^\|(?:-{3,}\|)+$|(?<=\[Equation, shown on page )\d+"
    r"|^(?:Published|Issued)\b.{0,20}\d{4}$|^Issue\s+\d+$",
    re.MULTILINE | re.IGNORECASE,
)
_TYPOGRAPHY = str.maketrans("’‘“”–—•", "''\"\"---", "\xad_")
_LIGATURE = re.compile(r"f(?:f[il]?|[ilt])|t[tih]")
_UNREAD = "\ufffd"
_MATHEMATICAL = range(0x1D400, 0x1D800)
"""The block Mathematical Alphanumeric Symbols of Unicode."""

SameRule = Callable[[ArticleCitation, ArticleCitation], bool]
"""True if a citation in the earlier document and one in the later document mean the same rule."""
Span = tuple[int, int]
"""First token and end, exclusive."""


@dataclass(frozen=True, slots=True)
class DiffToken:
    """A word or sign as it is compared, and its position in the text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PublisherMarks:
    """Words marked in the later document: inserted in a clause, deleted from it or next to it."""

    inserted: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _TokenizedText:
    """One of two wordings. `letters` joins those of all tokens, starting at `letter_offsets`."""

    text: str
    tokens: Sequence[DiffToken]
    letters: str
    letter_offsets: Sequence[int]

    def words_in_span(self, span: Span) -> list[str]:
        return [token.word for token in self.tokens[slice(*span)]]

    def text_of(self, number: int) -> str:
        """Return one token as it is printed."""
        return self.text[self.tokens[number].start : self.tokens[number].end]

    def text_in_span(self, span: Span) -> str:
        """Return the text of some tokens, with the space after them."""
        if span[0] == span[1]:
            return ""
        start = self.tokens[span[0]].start if span[0] else 0
        end = self.tokens[span[1]].start if span[1] < len(self.tokens) else len(self.text)
        return self.text[start:end]

    def find_citation(self, span: Span) -> ArticleCitation | None:
        """Return the citation that contains some tokens, if they contain a digit."""
        if not any(character.isdigit() for word in self.words_in_span(span) for character in word):
            return None
        start, end = self.tokens[span[0]].start, self.tokens[span[1] - 1].end
        first = max(start - CITATION_CONTEXT, 0)
        citations = find_citations(self.text[first : end + CITATION_CONTEXT])
        within = (c for c in citations if c.start <= start - first and end - first <= c.end)
        return next(within, None)


@dataclass(frozen=True, slots=True)
class _Segment:
    """Spans of both wordings that are the same, or a change."""

    old: Span
    new: Span
    same: bool
    marked: bool | None = None
    reason: UnmarkedReason | None = None

    @property
    def length(self) -> int:
        return max(self.old[1] - self.old[0], self.new[1] - self.new[0])

    @property
    def is_unexplained(self) -> bool:
        """True for a change that is neither marked nor has a reason."""
        return self.marked is False and self.reason is None


def diff_tokens(text: str) -> list[DiffToken]:
    """Return words and signs as they are compared: without case, typography and table lines."""
    ignored = [range(*match.span()) for match in _NO_WORDS.finditer(text)]
    return [
        DiffToken(word, match.start(), match.end())
        for match in _TOKEN.finditer(unify_degree_signs(text))
        if (word := _fold(match[0])) and not any(match.start() in span for span in ignored)
    ]


def diff_words(text: str) -> list[str]:
    return [token.word for token in diff_tokens(text)]


def diff_texts(
    before: str, after: str, marks: PublisherMarks | None, same_rule: SameRule
) -> tuple[DiffSegment, ...]:
    """Split two wordings into same, deleted and inserted pieces, in order.

    It is () where neither words differ nor their capital letters. Except for spaces, the same and
    inserted pieces make up the later wording, the same and deleted ones the earlier wording.
    Without `marks`, `marked` is None in all pieces.
    """
    if before == after:
        return ()
    diff = _Diff(_build_wording(before), _build_wording(after), same_rule)
    segments = list(diff.align())
    if all(segment.same for segment in segments):
        segments = list(chain.from_iterable(map(diff.split_at_capitals, segments)))
    if all(segment.same for segment in segments):
        return ()
    segments = list(map(diff.add_reason, segments))
    if marks is not None:
        segments = diff.explain_by_marks(segments, marks)
    return tuple(chain.from_iterable(map(diff.cut_pieces, diff.join(segments))))


def marked_share(text: str, marks: Iterable[str]) -> float:
    """Return the share of a text's letters, 0 to 1, that marks cover."""
    letters = _build_wording(text).letters
    return len(_cover(marks, letters, set(range(len(letters))))) / max(len(letters), 1)


@dataclass(frozen=True, slots=True)
class _Diff:
    """Two wordings and the steps of their comparison."""

    old: _TokenizedText
    new: _TokenizedText
    same_rule: SameRule

    def align(self) -> Iterator[_Segment]:
        old_words, new_words = ([t.word for t in side.tokens] for side in (self.old, self.new))
        matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            yield _Segment((a, b), (c, d), tag == "equal" or self._reads_alike((a, b), (c, d)))

    def split_at_capitals(self, segment: _Segment) -> Iterator[_Segment]:
        """Split the same words into those with the same capital letters and those with others.

        A word all in capitals is no other word: some files store small capitals that way.
        """
        olds, news = range(*segment.old), range(*segment.new)
        if len(olds) != len(news):
            yield segment
            return
        for i, j in zip(olds, news, strict=True):
            one, other = self.old.text_of(i), self.new.text_of(j)
            is_style = len(one) > 1 and one.upper() in (one, other)
            is_same = one == other or one.lower() != other.lower() or is_style
            yield _Segment((i, i + 1), (j, j + 1), is_same)

    def align_by_marks(self, marks: PublisherMarks) -> Iterator[_Segment]:
        """Align again, taking all marked words as changes from the outset."""
        old_kept = _unmarked_tokens(self.old, marks.deleted)
        new_kept = _unmarked_tokens(self.new, marks.inserted)
        old_words = [self.old.tokens[n].word for n in old_kept]
        new_words = [self.new.tokens[n].word for n in new_kept]
        matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
        pairs = [
            (old_kept[block.a + n], new_kept[block.b + n])
            for block in matcher.get_matching_blocks()
            for n in range(block.size)
        ]
        at = (0, 0)
        for i, j in [*pairs, (len(self.old.tokens), len(self.new.tokens))]:
            if (i, j) != at:
                old, new = (at[0], i), (at[1], j)
                yield _Segment(old, new, same=self._reads_alike(old, new))
            if i < len(self.old.tokens):
                yield _Segment((i, i + 1), (j, j + 1), same=True)
            at = (i + 1, j + 1)

    def _reads_alike(self, old: Span, new: Span) -> bool:
        """True if only spaces, lost ligatures or formulas the file cannot encode differ."""
        texts = self.old.text_in_span(old), self.new.text_in_span(new)
        one, other = (_spell(text, unread=_UNREAD in "".join(texts)) for text in texts)
        return one == other or _has_lost_ligatures(one, other) or _has_lost_ligatures(other, one)

    def add_reason(self, segment: _Segment) -> _Segment:
        if segment.same:
            return segment
        one, other = self.old.find_citation(segment.old), self.new.find_citation(segment.new)
        if one and other and self.same_rule(one, other):
            return replace(segment, reason="reference")
        old, new = self.old.text_in_span(segment.old), self.new.text_in_span(segment.new)
        return replace(segment, reason="punctuation") if _letters(old) == _letters(new) else segment

    def explain_by_marks(
        self, segments: Sequence[_Segment], marks: PublisherMarks
    ) -> list[_Segment]:
        """Set `marked`; of several ways to show the changes, prefer the publisher's."""
        segments = self.apply_marks(segments, marks)
        if not any(segment.is_unexplained for segment in segments):
            return segments
        guided = list(map(self.add_reason, self.align_by_marks(marks)))
        return min(
            segments,
            self.apply_marks(guided, marks),
            key=lambda found: sum(s.length for s in found if s.is_unexplained),
        )

    def apply_marks(self, segments: Sequence[_Segment], marks: PublisherMarks) -> list[_Segment]:
        """Set `marked` on the changes. A mark counts once, where it covers most."""
        letters = list(map(self._changed_letters, segments))
        deleted, inserted = (set().union(*(pair[side] for pair in letters)) for side in (0, 1))
        deleted = _cover(marks.deleted, self.old.letters, deleted)
        inserted = _cover(marks.inserted, self.new.letters, inserted)
        result = []
        for segment, (gone, come) in zip(segments, letters, strict=True):
            if segment.same:
                result.append(segment)
                continue
            if size := len(gone) + len(come):
                covered = len(gone & deleted) + len(come & inserted)
                marked = covered >= MIN_MARKED_SHARE * size
            else:
                marked = self.marks_signs(segment, marks)
            result.append(replace(segment, marked=marked))
        return result

    def marks_signs(self, segment: _Segment, marks: PublisherMarks) -> bool:
        """True if one of the signs that changed is a mark by itself."""
        old, new = self.old.words_in_span(segment.old), self.new.words_in_span(segment.new)
        sides = ((old, marks.deleted), (new, marks.inserted))
        return any(_fold(mark.strip()) in words for words, own in sides for mark in own)

    def _changed_letters(self, segment: _Segment) -> tuple[set[int], set[int]]:
        """Return positions of deleted and inserted letters; "laps" for "lap" inserts one."""
        if segment.same:
            return set(), set()
        (a, b), (c, d) = (
            (wording.letter_offsets[start], wording.letter_offsets[end])
            for wording, (start, end) in ((self.old, segment.old), (self.new, segment.new))
        )
        while a < b and c < d and self.old.letters[a] == self.new.letters[c]:
            a, c = a + 1, c + 1
        while a < b and c < d and self.old.letters[b - 1] == self.new.letters[d - 1]:
            b, d = b - 1, d - 1
        return set(range(a, b)), set(range(c, d))

    def join(self, segments: Iterable[_Segment]) -> list[_Segment]:
        """Join neighbours of one kind, and changes with a few equal words on one line between."""
        joined: list[_Segment] = []
        for segment in segments:
            if joined and joined[-1].same and segment.same:
                segment = _extend(segment, joined.pop())
            elif (
                len(joined) > 1
                and _is_chance(joined[-2], joined[-1], segment)
                and "\n" not in self.new.text_in_span(joined[-1].new)
            ):
                segment = _extend(segment, joined[-2])
                del joined[-2:]
            joined.append(segment)
        return joined

    def cut_pieces(self, segment: _Segment) -> Iterator[DiffSegment]:
        old, new = self.old.text_in_span(segment.old), self.new.text_in_span(segment.new)
        if segment.same:
            yield DiffSegment("same", new, before=None if old == new else old)
            return
        if old:
            yield DiffSegment("deleted", old, segment.marked, segment.reason)
        if new:
            yield DiffSegment("inserted", new, segment.marked, segment.reason)


@lru_cache(maxsize=50_000)
def _fold(word: str) -> str:
    if word in ("|", "\\"):
        return ""
    return unicodedata.normalize("NFKC", word.translate(_TYPOGRAPHY)).casefold()


def _build_wording(text: str) -> _TokenizedText:
    tokens = diff_tokens(text)
    letters = [_letters(token.word) for token in tokens]
    return _TokenizedText(text, tokens, "".join(letters), [0, *accumulate(map(len, letters))])


def _letters(text: str) -> str:
    return "".join(character for character in _fold(text) if character.isalnum())


def _unmarked_tokens(wording: _TokenizedText, marks: Iterable[str]) -> list[int]:
    """Return the tokens outside marks, searched for one after the other; skip short marks."""
    marked: set[int] = set()
    end = 0
    for letters in map(_letters, marks):
        spans = _find_mark(letters, wording.letters) if len(letters) >= MIN_MARK_LETTERS else ()
        if span := next((span for span in spans if span.start >= end), None):
            marked |= set(span)
            end = span.stop
    bounds = pairwise(wording.letter_offsets)
    return [n for n, (start, stop) in enumerate(bounds) if marked.isdisjoint(range(start, stop))]


def _spell(text: str, unread: bool) -> str:
    """Remove spaces and repeated letters of formulas; all formula signs if some are unread."""
    kept: list[str] = []
    for character in unify_degree_signs(text):
        mathematical = ord(character) in _MATHEMATICAL
        if character.isspace() or (mathematical and kept and kept[-1] == character):
            continue
        if not (unread and (mathematical or not character.isalnum())):
            kept.append(character)
    return _fold("".join(kept))


def _has_lost_ligatures(broken: str, whole: str) -> bool:
    if not _LIGATURE.search(whole):
        return False
    pattern = _LIGATURE.sub(lambda found: f"(?:{found[0]}|[^a-z])", re.escape(whole))
    return re.fullmatch(pattern, broken) is not None


def _cover(marks: Iterable[str], letters: str, changed: set[int]) -> set[int]:
    """Return the changed letters that marks cover, each where it adds most, long ones first."""
    left = set(changed)
    for mark in sorted(map(_letters, marks), key=len, reverse=True):
        if spans := list(_find_mark(mark, letters)):
            left -= set(max(spans, key=lambda span: sum(place in left for place in span)))
    return changed - left


def _find_mark(mark: str, letters: str) -> Iterator[range]:
    """Yield where a mark occurs; a long one may differ by a letter or two (a corrected number)."""
    start = letters.find(mark) if mark else -1
    if start < 0 and len(mark) >= FUZZY_MARK_LETTERS:
        found = partial_ratio_alignment(mark, letters, score_cutoff=FUZZY_MARK_SCORE)
        if found:
            yield range(found.dest_start, found.dest_end)
    while start >= 0:
        yield range(start, start + len(mark))
        start = letters.find(mark, start + 1)


def _extend(segment: _Segment, first: _Segment) -> _Segment:
    """Extend a segment to begin where an earlier one does."""
    return replace(segment, old=(first.old[0], segment.old[1]), new=(first.new[0], segment.new[1]))


def _is_chance(first: _Segment, between: _Segment, last: _Segment) -> bool:
    return (
        between.same
        and not last.same
        and between.length <= min(MAX_CHANCE_WORDS, first.length, last.length)
        and (first.marked, first.reason, last.reason) == (last.marked, None, None)
    )
