"""Comparisons in the words of a language, as Markdown: what is said of pairs, words that stand out.

Long unchanged stretches are folded.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from core.choices import Declaration, PairPlace, PairWording
from core.language import Language
from core.library.outline import has_words
from core.library.types import ClausePair, DiffSegment, MarkStatus, SegmentKind
from core.markdown_escape import style_text
from core.rulebook import ClauseMark

Kind = TypeVar("Kind")
Style = SegmentKind | Literal["found"]
_STYLE: dict[Style, str] = {
    "same": "{}",
    "deleted": ":red-background[~~{}~~]",
    "inserted": ":green-background[**{}**]",
    "found": ":orange-background[**{}**]",
}
_LONGEST_UNFOLDED = 60
"""Unchanged words in a row that are shown in full. Longer stretches are folded."""
_CONTEXT = 15
"""Words shown on either side of a fold."""
_BEGINNING = 120
"""Words shown of a text that is on one side only."""


def _split_words(text: str) -> list[str]:
    """Return the words of a text, each with the white space after it."""
    return re.findall(r"\S+\s*", text)


@dataclass(frozen=True, slots=True)
class ComparisonText:
    """Says in a language what a comparison found."""

    language: Language

    def describe_pairs(self, pairs: Sequence[ClausePair]) -> str:
        """Return the places and the wordings of all pairs, counted, each in one sentence."""
        say, sentences = self.language.say, []
        for kind, values in (("place", get_args(PairPlace)), ("wording", get_args(PairWording))):
            counts = Counter(getattr(pair, kind) for pair in pairs)
            said = (say(f"{kind}-count-{one}", count=counts[one]) for one in values if counts[one])
            name = say(f"compare-{kind}")
            sentences.append(say("compare-counts", name=name, counts=", ".join(said)))
        return " ".join(sentences)

    def name_pair(self, pair: ClausePair) -> tuple[str, str]:
        """Return articles and title of a pair, and how much of it is unchanged if it is two."""
        heading = " ".join(filter(None, (" → ".join(dict.fromkeys(pair.articles)), pair.title)))
        if not (pair.article_a and pair.article_b):
            return heading, ""
        share = self.language.format_share(pair.similarity)
        return heading, self.language.say("compare-unchanged", share=share)

    def list_notes(self, pair: ClausePair) -> Iterator[str]:
        """Yield what else there is on a pair: the publisher's word, drawings, clauses below it."""
        say = self.language.say
        if pair.said:
            yield say("compare-said", words="; ".join(pair.said))
        for figure in pair.redrawn:
            name = figure.caption or say("compare-figure", page=figure.page)
            yield say("compare-redrawn", figure=name)
        for key, below in (("came", pair.added_below), ("left", pair.removed_below)):
            if below:
                yield say(f"compare-{key}-below", articles=", ".join(below))

    def format_side(
        self,
        pieces: Sequence[DiffSegment],
        own_kind: Literal["deleted", "inserted"],
        whole: bool,
    ) -> str:
        """Format one side of a comparison. Long unchanged stretches are folded unless `whole`."""
        spans: list[tuple[Style, str]] = [
            (piece.kind, piece.text) for piece in pieces if piece.kind in ("same", own_kind)
        ]
        shown = spans if whole else self._fold(spans, "unchanged")
        return "".join(_style(kind, text) for kind, text in shown)

    def format_found(self, runs: Iterable[tuple[bool, str]]) -> str:
        """Format a text with the words that were found. Long stretches without any are folded."""
        spans: list[tuple[Style, str]] = [
            ("found" if found else "same", text) for found, text in runs
        ]
        return "".join(_style(kind, text) for kind, text in self._fold(spans, "more"))

    def format_single(self, text: str, whole: bool) -> str:
        """Format a text without differences. A long one is cut unless `whole`."""
        words = _split_words(text)
        if whole or len(words) <= _BEGINNING:
            return _style("same", text)
        beginning, rest = _style("same", "".join(words[:_BEGINNING])), len(words) - _BEGINNING
        return f"{beginning} {self.language.say('fold-rest', count=rest)}"

    def format_insertions(
        self, text: str, marks: Sequence[ClauseMark]
    ) -> tuple[str, list[ClauseMark]]:
        """Format a text with its inserted words, and return the marks that it does not show.

        It is "" where no mark has a place in the text.
        """
        pieces, unplaced = split_insertions(text, marks)
        return self.format_side(pieces, "inserted", True) if len(pieces) > 1 else "", unplaced

    @staticmethod
    def fold_spans(
        spans: Sequence[tuple[Kind, str]], context: int, longest: int = 0
    ) -> Iterator[tuple[Kind, str] | int]:
        """Yield spans, those of both sides with a number in place of their middle words.

        `context` is how many words are shown on either side of a fold where another span follows;
        of `longest` words and fewer nothing is folded.
        """
        for place, (kind, text) in enumerate(spans):
            words = _split_words(text)
            head, tail = context * (place > 0), context * (place < len(spans) - 1)
            if kind != "same" or len(words) <= max(longest, head + tail + 1):
                yield kind, text
                continue
            if head:
                yield kind, "".join(words[:head])
            yield len(words) - head - tail
            if tail:
                yield kind, "".join(words[len(words) - tail :])

    def _fold(
        self, spans: Sequence[tuple[Style, str]], which: Literal["unchanged", "more"]
    ) -> Iterator[tuple[Style, str]]:
        for piece in self.fold_spans(spans, _CONTEXT, _LONGEST_UNFOLDED):
            if isinstance(piece, int):
                yield "same", f" {self.language.say(f'fold-{which}', count=piece)} "
            else:
                yield piece


def _style(kind: Style, text: str) -> str:
    return style_text(text, _STYLE[kind])


def split_insertions(
    text: str, marks: Sequence[ClauseMark]
) -> tuple[tuple[DiffSegment, ...], list[ClauseMark]]:
    """Split a text at the inserted words that occur in it exactly once.

    Returns the segments, and the marks that they do not show.
    """
    spans: list[tuple[int, int]] = []
    unplaced: list[ClauseMark] = []
    for mark in marks:
        pattern = r"\s+".join(map(re.escape, mark.text.split()))
        searched = mark.kind == "inserted" and pattern
        found = list(re.finditer(rf"(?<!\w){pattern}(?!\w)", text)) if searched else []
        if len(found) == 1:
            spans.append(found[0].span())
        else:
            unplaced.append(mark)
    pieces: list[DiffSegment] = []
    end = 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces.append(DiffSegment("same", text[end:start]))
            pieces.append(DiffSegment("inserted", text[start:stop]))
            end = stop
    return (*pieces, DiffSegment("same", text[end:])), unplaced


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which pairs of a comparison to show. An empty choice matches every pair.

    Without a place and a wording, those that do not differ at all are left out.
    """

    places: Sequence[PairPlace] = ()
    wordings: Sequence[PairWording] = ()
    marked: Sequence[MarkStatus] = ()
    declared: Sequence[Declaration] = ()
    article: str = ""
    words: str = ""

    def matches_pair(self, pair: ClausePair) -> bool:
        return (
            (bool(self.places or self.wordings) or pair.kind != "unchanged")
            and (not self.places or pair.place in self.places)
            and (not self.wordings or pair.wording in self.wordings)
            and (not self.marked or pair.marked in self.marked)
            and (not self.declared or pair.declaration in self.declared)
            and (not self.article or pair.is_about(self.article))
            and has_words(f"{pair.title} {pair.before} {pair.after}", self.words)
        )
