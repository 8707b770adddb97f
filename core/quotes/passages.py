"""Find the quotes of a text and the articles that it cites, and which of them belong together.

Quotes are known by their marks, of any language, and by the block quotes of Markdown.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from core.errors import ReadError
from core.grammar import ArticleCitation, articles_in, split_sentences
from core.quotes.types import CitedArticle, Quote

CLOSING_MARKS = {
    "“": "”", "”": "”", "„": "“”", "‟": "”", "«": "»", "»": "«", "‹": "›", "›": "‹",
    "‘": "’", "‚": "‘’", "「": "」", "『": "』", '"': '"', "'": "'",
}  # fmt: skip
"""Quotation marks that open a quote (Unicode, "Quotation Marks"), and those that close it."""
_SPACED = "«»‹›"
"""Marks that may have a space inside, as French has it."""
_SINGLE = "'‘’‚"
_MAX_CLOSERS = 6
_MAX_NESTED = 40
"""Closing marks up to which a quote may stand, and those among which that of a quote with quotes in
it is looked for. Without a bound a text of opening marks would take the square of its length;
`tests/benchmarks/quotes.py --growth` times it."""
_CLOSING = {mark: re.compile(f"[{closers}]") for mark, closers in CLOSING_MARKS.items()}
_MARK = re.compile(rf"[{''.join(CLOSING_MARKS)}]")
_DOUBLE = "".join({*CLOSING_MARKS, *CLOSING_MARKS.values()} - {*_SINGLE, "‘’"})
_DOUBLE_MARK = re.compile(f"[{_DOUBLE}]")
MAX_PASSAGES = 5_000
"""Quotes and citations of a text that is checked: a minute of work or two, as 2,000 take 27 s
(`tests/benchmarks/quotes.py --growth`)."""
_LONG_BLOCK = 3_000
"""Characters from which a paragraph is looked through in parts: those of a page."""
_ENDS = re.compile(r"(?<=[.!?])[\"”’»)\]]*\s+(?=\S)")
_FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?^[ \t]*\1[^\n]*$")
_BLOCK_QUOTE = re.compile(r"[ \t]*>")
_QUOTE_MARKS = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.M)
_CLOSING_BRACKET = re.compile(r"[(\[]([^()\[\]]*(?:\([^()]*\)[^()\[\]]*)*)[)\]]\s*\.?$")
_STARTS_BLOCK = re.compile(r"[ \t]*(?:[-*•+]\s|\(?(?:\d{1,3}|[a-z]{1,3})[.)]\s|#+\s|\|)")
_ATTRIBUTION = re.compile(r"\s*(?:[—–]|--?\s)")
_FOLLOWS = re.compile(r"[\s.,;:]*[(\[—–-]")
_LINE_START = re.compile(r"(?m)^[\s#>|*•+-]*$")

_WITHIN_APPENDIX = re.compile(r"\s*,\s*(\d+(?:\.\d+)*)(?![\w%°/])")

_Passage = TypeVar("_Passage", Quote, CitedArticle)
Stands = Callable[[str], bool]
"""True of a passage whose words stand in a rule."""
Holds = Callable[[str], bool]
"""True of a number that an article bears."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, list item, heading, table row or block quote: its place in the text."""

    start: int
    end: int
    is_quote: bool


_Spans = Sequence[tuple[int, int]]
"""Where quotes begin and end in a block, with their marks."""


def find_passages(
    text: str, stands: Stands, holds: Holds
) -> tuple[list[Quote], list[CitedArticle]]:
    """Return the quotes and the citations of a text, each in order.

    Where several marks may close a quote, the last counts up to which its words `stands`. "Appendix
    3, 2" is one citation where the rulebooks hold such an article. Raises ReadError `too_large`.
    """
    quotes: list[Quote] = []
    citations: list[CitedArticle] = []
    before: Sequence[CitedArticle] = ()
    for block in _split_blocks(text):
        if len(quotes) + len(citations) > MAX_PASSAGES:
            message = f"The text has more than {MAX_PASSAGES:,} quotes and citations"
            raise ReadError(f"{message}: check it in parts.", code="too_large")
        if block.is_quote:
            quotes += _read_block_quote(text, block, before, stands)
            continue
        words = text[block.start : block.end]
        spans = list(_find_marked_passages(words, stands))
        named = list(_find_cited_articles(words, spans, holds))
        quotes += (_move(quote, block.start) for quote in _link(words, spans, named))
        citations += (_move(one, block.start) for one in named)
        last = named[-1].sentence if named else ""
        is_end = bool(last) and words.rstrip().endswith(last.rstrip())
        before = [one for one in named if one.sentence == last] if is_end else ()
    return quotes, citations


def _move(passage: _Passage, by: int) -> _Passage:
    return replace(passage, start=passage.start + by, end=passage.end + by)


def _split_blocks(text: str) -> Iterator[_Block]:
    """Yield the blocks of a text, without those that are code, long ones in parts."""
    text = _FENCE.sub(lambda code: " " * len(code[0]), text)
    start, is_quote, at, quotation = -1, False, 0, _Quotation(text)
    for line in (*text.splitlines(keepends=True), ""):
        quoted = bool(_BLOCK_QUOTE.match(line))
        is_blank = not line.strip(" \t\r\n>")
        is_item = not quoted and bool(_STARTS_BLOCK.match(line))
        is_within = is_item and start >= 0 and quotation.is_open_at(at)
        if start >= 0 and (is_blank or quoted != is_quote or (is_item and not is_within)):
            yield from _part_block(text, start, at, is_quote)
            start = -1
        if start < 0 and not is_blank:
            start, is_quote = at, quoted
            quotation.begin(at)
        at += len(line)


def _part_block(text: str, start: int, end: int, is_quote: bool) -> Iterator[_Block]:
    """Yield a block, a paragraph of more than _LONG_BLOCK characters in parts.

    A part ends with a sentence outside of quotes, or after four times as much.
    """
    quotation = _Quotation(text)
    quotation.begin(start)
    while end - start > _LONG_BLOCK and not is_quote:
        last = min(start + 4 * _LONG_BLOCK, end)
        ends = (match.end() for match in _ENDS.finditer(text, start + _LONG_BLOCK, last))
        at = next((at for at in ends if not quotation.is_open_at(at)), last)
        yield _Block(start, at, is_quote)
        start = at
        quotation.begin(at)
    if start < end:
        yield _Block(start, end, is_quote)


class _Quotation:
    """Whether a quote is open somewhere in a block; single marks may be apostrophes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.begin(0)

    def begin(self, at: int) -> None:
        """Begin a block here."""
        self._at, self._opener = at, -1

    def is_open_at(self, at: int) -> bool:
        """Return whether a quote goes on at a place that is not before the last one asked for."""
        for match in _DOUBLE_MARK.finditer(self._text, self._at, at):
            place = match.start()
            if self._opener < 0:
                self._opener = place if _opens(self._text, place) else -1
            elif place > self._opener + 1 and _closes(self._text, self._text[self._opener], place):
                self._opener = -1
        self._at = max(at, self._at)
        return self._opener >= 0


def _read_block_quote(
    text: str, block: _Block, before: Sequence[CitedArticle], stands: Stands
) -> Iterator[Quote]:
    """Yield the quote of a block; its source is named in it, behind a dash, or before it."""
    lines = text[block.start : block.end].splitlines(keepends=True)
    size = len(lines)
    while size > 1 and _ATTRIBUTION.match(lines[size - 1].lstrip(" \t>")):
        size -= 1
    # The marks at the beginnings of the lines become spaces.
    words = _QUOTE_MARKS.sub(lambda match: " " * len(match[0]), "".join(lines[:size]))
    tail = "".join(lines[size:])
    named = articles_in(tail) or articles_in(words[-80:]) if tail else []
    lead = " ".join(dict.fromkeys(one.sentence for one in before))
    citations = tuple(named or (one.citation for one in before))
    context = f"{lead} {tail}".strip()
    inner = words.rstrip()
    closing = _CLOSING_BRACKET.search(inner)
    own = articles_in(closing[1]) if closing else ()
    if closing and own and not stands(words):  # else it is a part of the rule
        inner, citations = inner[: closing.start()], tuple(own)
        context = f"{context} {closing[1]}"
    bare = inner.strip()
    if len(bare) > 2 and bare[-1] in CLOSING_MARKS.get(bare[0], ""):
        bare = bare[1:-1].strip()
    if bare:
        first = block.start + words.index(bare)
        yield Quote(first, first + len(bare), bare, citations, context, context)


def _find_marked_passages(words: str, stands: Stands) -> Iterator[tuple[int, int]]:
    """Yield where quotation marks begin and end passages of a block, none in another."""
    end = 0
    for match in _MARK.finditer(words):
        at = match.start()
        if at >= end and _opens(words, at):
            close = _find_end(words, at, stands)
            if close is not None:
                end = close + 1
                yield at, end


def _opens(text: str, at: int) -> bool:
    before, behind = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    is_apart = not before.isalnum() and (text[at] in _SPACED or not behind.isspace())
    return is_apart and bool(behind)


def _find_end(text: str, opener: int, stands: Stands) -> int | None:
    """Return where a quote closes: the last mark up to which its words stand, else its own."""
    mark = text[opener]
    marks = (match.start() for match in _CLOSING[mark].finditer(text, opener + 2))
    closers = list(islice((at for at in marks if _closes(text, mark, at)), _MAX_NESTED))
    first = closers[0] if closers else None
    for at in reversed(closers[1:_MAX_CLOSERS]):
        if stands(text[opener + 1 : at]):
            return at
    if mark in CLOSING_MARKS[mark]:
        return first
    depth, since = 0, opener + 1
    for at in closers:
        depth += text.count(mark, since, at)
        depth -= sum(text.count(closer, since, at) for closer in CLOSING_MARKS[mark])
        if depth <= 0:
            return at
        since = at
    return first


def _closes(text: str, mark: str, at: int) -> bool:
    if text[at] not in CLOSING_MARKS[mark]:
        return False
    before, behind = text[at - 1], text[at + 1 : at + 2]
    return not behind.isalnum() and (mark in _SPACED or not before.isspace())


def _find_cited_articles(words: str, quotes: _Spans, holds: Holds) -> Iterator[CitedArticle]:
    """Yield the articles that a block names outside its quotes."""
    plain = _mask(words, quotes, " ")
    sentences = _sentence_spans(words, quotes, quotes_end=True)
    starts, paragraph = [start for start, _ in sentences], words.strip()
    for found in articles_in(" ".join(re.split(r"\s", plain))):
        citation = _extend_into_appendix(found, plain, holds)
        start, end = sentences[max(bisect_right(starts, citation.start) - 1, 0)]
        span = citation.start, citation.end
        written = words[slice(*span)]
        is_led = written[:1].isalpha() or written[:1] == "§"
        # Without a word before it, it may be the number of a heading or item of the text's own.
        if is_led or not _LINE_START.search(words[: citation.start].rpartition("\n")[2]):
            sentence = words[start:end].strip()
            yield CitedArticle(*span, written, citation, sentence, paragraph, is_led)


def _extend_into_appendix(citation: ArticleCitation, words: str, holds: Holds) -> ArticleCitation:
    """Return a citation with the number behind it, if an article bears both ("Appendix 3, 2")."""
    behind = _WITHIN_APPENDIX.match(words, citation.end)
    number = f"{citation.number}, {behind[1]}" if behind else ""
    if behind is None or citation.part or not holds(number):
        return citation
    return ArticleCitation(number, None, citation.start, behind.end())


def _mask(words: str, spans: _Spans, sign: str) -> str:
    for start, end in spans:
        words = words[:start] + sign * (end - start) + words[end:]
    return words


def _sentence_spans(
    words: str, quotes: _Spans, *, quotes_end: bool = False
) -> list[tuple[int, int]]:
    """Return where the sentences of a block are; a quote is within one, whatever ends in it.

    With `quotes_end`, one also ends with a quote that does, where a capital follows.
    """
    masked = _mask(words, quotes, "x")
    for _, end in quotes if quotes_end else ():
        if words[end - 2] in ".!?" and words[end:].lstrip()[:1].isupper():
            masked = _mask(masked, [(end - 1, end)], ".")
    flat = " ".join(re.split(r"\s", masked))
    found, at = [], 0
    for sentence in split_sentences(flat):
        start = at
        for word in sentence.split():
            at = flat.index(word, at) + len(word)
        found.append((start, at))
    return found or [(0, len(words))]


def _link(words: str, spans: _Spans, named: Sequence[CitedArticle]) -> Iterator[Quote]:
    """Yield the quotes of a block with the articles said to be their sources."""
    sentences = _sentence_spans(words, spans)
    starts = [start for start, _ in sentences]
    sources = _assign(words, spans, named, starts)
    masked = _mask(words, spans, " ")
    for (opens, closes), cited in zip(spans, sources, strict=True):
        first, last = sentences[max(bisect_right(starts, opens) - 1, 0)]
        context = masked[min([first, *(c.start for c in cited)]) : last]
        inner = words[opens + 1 : closes - 1]
        bare = inner.strip()
        start = opens + 1 + inner.index(bare)
        citations = tuple(c.citation for c in cited)
        yield Quote(start, start + len(bare), bare, citations, context, masked)


def _assign(
    words: str, spans: _Spans, named: Sequence[CitedArticle], starts: Sequence[int]
) -> Iterator[list[CitedArticle]]:
    """Yield the citations of each quote.

    A citation in brackets right behind a quote is its source; else those before it in its sentence,
    else those behind it there; else the one article of the sentence before, if that quotes nothing.
    `starts` are those of the sentences.
    """

    def sentence_of(at: int) -> int:
        return max(bisect_right(starts, at) - 1, 0)

    taken: list[CitedArticle] = []
    since = 0
    limits = [*(start for start, _ in spans[1:]), len(words)]
    for (start, end), limit in zip(spans, limits, strict=False):
        own = sentence_of(start)
        before = [c for c in named if since <= c.start < start and c not in taken]
        behind = [c for c in named if end <= c.start < limit and sentence_of(c.start) <= own]
        is_bound = behind and _FOLLOWS.match(words, end, behind[0].start)
        taken = behind if is_bound else []
        here = [c for c in before if sentence_of(c.start) == own]
        is_first = since == 0 or sentence_of(since - 1) < own - 1
        led = [c for c in before if is_first and sentence_of(c.start) == own - 1]
        yield taken or here or behind or _find_sole_article(led)
        since = end


def _find_sole_article(named: list[CitedArticle]) -> list[CitedArticle]:
    """Return citations of one article; none of several, as which is meant is not said."""
    return named if len({one.citation.number for one in named}) == 1 else []


def own_numbers(text: str) -> frozenset[str]:
    """Return the numbers that a text gives its own headings and items."""
    number = r"(?:\w+ )?(\d{1,3}(?:\.\d{1,3})*)\.?[\s:*_]+\S"
    return frozenset(re.findall(rf"(?m)^(?:[^\S\n]|[#*_])*{number}", text))
