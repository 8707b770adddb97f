"""A draft as its statements, each with what it rests on; the modules beside it check them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, pairwise, takewhile

from core.grammar import (
    Amount,
    Sentence,
    WrittenNumber,
    find_languages,
    find_quantities,
    has_duty,
    list_printed_sentences,
    read_passages,
    read_sentence,
    remove_quantities,
    split_sentences,
    strip_marker,
)
from core.library import content_words
from core.verification.evidence import CITATION_MARKER, QUOTED_PASSAGE, Evidence
from core.verification.types import Citation, DraftCheck, Source, StatedRule

KeptSentences = Callable[[str], Mapping[str, Sentence]]
"""Returns the sentences of a clause, by its id, as parsed with its document: by printed words."""
WAYS: Mapping[str, tuple[int, bool]] = {
    "at least": (1, False),
    "more than": (1, True),
    "at most": (-1, False),
    "less than": (-1, True),
}
"""Which side of an amount a relation allows, and whether that is without the amount itself."""
FIXED = (0, False)
"""That of a relation that allows one value."""
CLEARLY_MORE = 0.2
"""By so much of a statement's words one piece must be closer to it than another to be meant.
tests/benchmarks/pairs.py counts the values and amounts that are caught by it."""
MIN_QUOTE_LENGTH = 12
"""Characters from which a passage in quotation marks counts as a quote; a shorter one is a term."""
SEPARATOR = re.compile(r"[,;:(|]|\b(?:and|or|but|while|whereas|against|und|oder|et|ou)\b")
"""What parts the things that a sentence names one after the other."""
_LATE_MARKERS = re.compile(r"([.;!?:]+[\"”’»)]*)((?:\s?\[\d{1,3}\])+)")
_LINE_OPENING = re.compile(r"^(?:[\s>]|#+\s|[-*•+]\s|\d{1,2}[.)]\s)+")
_RULER = re.compile(r"^\|?[\s:|-]+$")
_ITEM = re.compile(
    r"([\s>]*)(?:(?P<bullet>[-*•+])\s|\(?(?:(?P<roman>[ivx]+)|(?P<letter>[a-z])|(?P<digit>\d+))[).]\s|"
    r"(?P<row>\|))"
)
_HELD = re.compile(r"\x00(\d+)\x00")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=[\w.,])[*_](?!\w)")


@dataclass(frozen=True)
class Statement:
    """A sentence, list item or table row: `text` as written, `own` without what it quotes."""

    text: str
    own: str
    passages: tuple[str, ...]
    sources: tuple[Source, ...]
    """The clauses that it cites; empty where it cites none."""

    @property
    def has_own_words(self) -> bool:
        """False of one that quotes and cites, and says nothing beside."""
        return any(map(str.isalnum, self.own))

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Its own content words, by stem."""
        return plain_words(self.own)


@dataclass(frozen=True)
class StatementPiece:
    """A sentence, item or table row of a clause, as printed and as read with what leads to it."""

    text: str
    is_cited: bool
    sentence: Sentence


@dataclass(frozen=True)
class ParsedDraft:
    """The statements of a draft with the clauses that it cites; `text` is all of it."""

    text: str
    statements: tuple[Statement, ...]
    citations: tuple[Citation, ...]
    sources: tuple[Source, ...]
    """Every clause that it cites, each once."""
    counts: tuple[int, ...]
    """How many things it shows: clauses, statements, items of its lists and of those it cites."""
    kept: KeptSentences
    _pieces: dict[str, list[StatementPiece]] = field(default_factory=dict)
    """The pieces of the clauses that were asked for so far, by clause id."""

    def pieces_of(self, sources: Sequence[Source]) -> list[StatementPiece]:
        """Return the pieces of clauses, with those that the draft cites marked."""
        for source in sources:
            if source.clause_id not in self._pieces:
                self._pieces[source.clause_id] = list(self._split_clause(source))
        return [piece for source in sources for piece in self._pieces[source.clause_id]]

    def _split_clause(self, source: Source) -> Iterator[StatementPiece]:
        quotes = [squeeze(c.quote) for c in self.citations if c.clause_id == source.clause_id]
        beside = chain.from_iterable(
            map(split_sentences, (source.title, *source.lead_in, *source.footnotes))
        )
        kept = self.kept(source.clause_id) or list_printed_sentences(
            read_passages(source.text, source.lead_in, find_languages((source.text,)))
        )
        for one in (*map(read_sentence, beside), *kept.values()):
            words = squeeze(one.text)
            is_cited = any(words in quote or quote in words for quote in quotes)
            yield StatementPiece(one.text, is_cited or not quotes, one)


def parse_draft(
    draft: str,
    citations: Sequence[Citation],
    evidence: Evidence,
    kept: KeptSentences = lambda _: {},
) -> ParsedDraft:
    """Return a draft as its statements.

    `kept` returns the sentences of a clause as parsed with its document; others are parsed here.
    """
    statements = tuple(_parse_statements(draft, citations, evidence))
    cited = [evidence.find_by_clause(citation.clause_id) for citation in citations]
    marked = [source for statement in statements for source in statement.sources]
    sources = {source.clause_id: source for source in (*cited, *marked) if source}
    lists = (draft, *(source.text for source in sources.values()))
    counts = (len(sources), len(statements), *(n for text in lists for n in _count_items(text)))
    return ParsedDraft(draft, statements, tuple(citations), tuple(sources.values()), counts, kept)


def list_stated_rules(draft: ParsedDraft, checks: Sequence[DraftCheck]) -> tuple[StatedRule, ...]:
    """Return the statements that cite a clause, say a duty or an amount, or are doubted."""
    rules = []
    for number, one in enumerate(draft.statements, start=1):
        tells_rule = has_duty(one.text) or bool(find_quantities(one.text))
        doubts = tuple(c.message for c in checks if c.is_doubt and c.statement == number)
        is_listed = tells_rule or one.sources or doubts
        if not is_listed or not any(map(str.isalnum, one.text)):
            continue
        sources = one.sources or draft.sources
        ids = {source.clause_id for source in sources}
        quotes = tuple(c.quote for c in draft.citations if c.clause_id in ids)
        rules.append(StatedRule(number, one.text, quotes, sources, doubts, tells_rule))
    return tuple(rules)


def _count_items(text: str) -> Iterator[int]:
    """Yield the lengths of the lists and tables of a text, without what is below their items."""
    marks = [_ITEM.match(line) for line in text.splitlines() if line.strip()]
    levels = [f"{mark[1]}{mark.lastgroup}" if mark else "" for mark in marks]
    for place, (before, level) in enumerate(pairwise(("", *levels))):
        if level and level != before:
            outer = ("", before)
            items = takewhile(lambda one: one not in outer, levels[place:])  # noqa: B023
            length = sum(one == level for one in items)
            yield from (length, length - 2)  # of a table without its head


@lru_cache(maxsize=4_000)
def plain_words(text: str) -> Mapping[str, str]:
    """Return the content words of a text, by stem, without its amounts."""
    return content_words(remove_quantities(text))


def clause_text(source: Source) -> str:
    """Return all words of a clause that can be cited, with what leads to them."""
    return "\n".join((source.title, *source.lead_in, source.text, *source.footnotes))


def words_beside(
    text: str, one: WrittenNumber | Amount, others: Iterable[WrittenNumber | Amount]
) -> tuple[str, str]:
    """Return the words around a number up to a separator, and those up to the next numbers."""
    spans = [(other.start, other.end) for other in others]
    first = max((end for _, end in spans if end <= one.start), default=0)
    last = min((start for start, _ in spans if start >= one.end), default=len(text))
    opens = max((m.end() for m in SEPARATOR.finditer(text, first, one.start)), default=first)
    closes = min((m.start() for m in SEPARATOR.finditer(text, one.end, last)), default=last)
    return (
        f"{text[opens : one.start]} {text[one.end : closes]}",
        f"{text[first : one.start]} {text[one.end : last]}",
    )


@lru_cache(maxsize=4_000)
def squeeze(text: str) -> str:
    """Return a text in lower case with single spaces."""
    return " ".join(text.casefold().split())


def _parse_statements(
    draft: str, citations: Sequence[Citation], evidence: Evidence
) -> Iterator[Statement]:
    passages: list[str] = []

    def hold(match: re.Match[str]) -> str:
        passages.append(match[0])
        last = match[0].rstrip('”“" \n')[-1:]
        return f"\0{len(passages) - 1}\0" + (last if last in ".!?" else "")

    text = re.sub(r"(?m)^[ \t]*>[ \t]?|\\(?=[.)])", "", draft.replace("\0", ""))
    quotes = sorted({citation.quote for citation in citations if citation.quote}, key=len)
    if quotes:  # which may have quotation marks of their own
        whole = "|".join(r"\s+".join(map(re.escape, quote.split())) for quote in reversed(quotes))
        text = re.sub(rf"[“\"]\s*(?:{whole})\s*[”\"]", hold, text)
    text = QUOTED_PASSAGE.sub(hold, _EMPHASIS.sub("", text))
    # A marker belongs to the sentence that it follows.
    lines = _LATE_MARKERS.sub(r"\2\1", text).splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if _RULER.match(line) or (_RULER.match(following) and line.startswith("|")):
            continue
        for sentence in split_sentences(strip_marker(_LINE_OPENING.sub("", line))):
            markers = map(int, dict.fromkeys(CITATION_MARKER.findall(sentence)))
            words = CITATION_MARKER.sub(" ", sentence)
            yield Statement(
                _HELD.sub(lambda match: passages[int(match[1])], words).strip(),
                _HELD.sub(" ", words).strip(),
                tuple(passages[int(n)] for n in _HELD.findall(words)),
                tuple(source for n in markers if (source := evidence.find_by_marker(n))),
            )
