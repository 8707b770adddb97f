"""Which clauses a draft quotes, and which of their words. How a draft is laid out is not decided here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.agent.evidence import split_sentences
from core.agent.models.base import ReplyRequest
from core.agent.models.offline.relevance import QUOTABLE_SHARE, clause_relevance, find_answer_spans
from core.agent.text.stems import coverage
from core.agent.types import Source
from core.agent.verification.compliance import check_compliance, collect_citations
from core.library import OMISSION_MARK
from core.rulebook import (
    canonical_number,
    extract_part,
    find_article_numbers,
    part_at_line,
    split_part,
)

FURTHER_QUOTE_SHARE = 0.8
"""A further clause is quoted when it covers this share of what the best one covers."""
TOP_HIT_BONUS = 0.1
"""What it counts for that search put a clause first, beside the share of words. That clause is quoted too where
none holds all words."""
MAX_QUOTES = 3
MAX_SUBCLAUSES = 12
"""Sub-clauses that are quoted of an article asked for by number whose own text is only a heading."""
MAX_QUOTE_WORDS = 120
"""A clause up to this length is quoted whole, a longer one from its best sentence on."""
MAX_FIRST_QUOTE_WORDS = 300
"""The same of the clause that is quoted first: what a rule says at its end may be what was asked for."""


@dataclass(frozen=True, slots=True)
class ClauseQuote:
    """Words of a clause, as they stand in it."""

    source: Source
    text: str


def select_quotes(words: dict[str, str], request: ReplyRequest) -> list[ClauseQuote]:
    """What answers a question with these words, best first, with the items that it sends one to; mostly QUOTES."""
    return _with_referred(
        _checked_quotes(words, request) or _best_quotes(words, request), request.evidence
    )


def _best_quotes(words: dict[str, str], turn: ReplyRequest) -> list[ClauseQuote]:
    if named := _named_quotes(turn):
        return named
    tells = find_answer_spans(turn.question, turn.intent, turn.evidence)
    sources = [source for source in turn.evidence if source.text]
    ranked = sorted(
        (
            (
                clause_relevance(words, source, tells.get(source.clause_id))
                + (0 if rank else TOP_HIT_BONUS),
                source,
            )
            for rank, source in enumerate(sources)
        ),
        key=lambda item: item[0],
        reverse=True,
    )
    if not ranked or ranked[0][0] < QUOTABLE_SHARE:
        return []
    limit = 2 * MAX_QUOTES if turn.intent == "SUMMARY" else MAX_QUOTES
    best = [source for share, source in ranked if share >= FURTHER_QUOTE_SHARE * ranked[0][0]][
        :limit
    ]
    if ranked[0][0] < 1:
        best += [source for source in sources[:1] if source not in best]
    holding = {clause_id: found.sentence for clause_id, found in tells.items()}
    first, *others = best
    return [
        ClauseQuote(
            first,
            extract_passage(words, first, holding.get(first.clause_id, ""), MAX_FIRST_QUOTE_WORDS),
        ),
        *(
            ClauseQuote(source, extract_passage(words, source, holding.get(source.clause_id, "")))
            for source in others
        ),
    ]


def _checked_quotes(words: dict[str, str], turn: ReplyRequest) -> list[ClauseQuote]:
    """The clauses whose limits the question's values can be held against, those most on its words first."""
    whole = [(source, source.text) for source in turn.evidence if source.text]
    told = [row for row in check_compliance(turn.question, whole) if row.verdict != "cannot tell"]
    shares = {source.clause_id: clause_relevance(words, source) for source, _ in whole}
    best = max((shares[row.citations[0].clause_id] for row in told), default=0.0)
    rows = [row for row in told if shares[row.citations[0].clause_id] >= FURTHER_QUOTE_SHARE * best]
    sources = {source.clause_id: source for source, _ in whole}
    places: dict[str, list[str]] = {}
    for citation in collect_citations(rows):
        places.setdefault(citation.clause_id, []).append(citation.quote)
    return [
        ClauseQuote(sources[key], _span(words, sources[key], held)) for key, held in places.items()
    ][: 2 * MAX_QUOTES]


def _span(words: dict[str, str], source: Source, held: Sequence[str]) -> str:
    """The words of a clause from the first sentence that holds a limit to the last: each may be the one that counts."""
    order = [piece for piece in split_sentences(source.text) if piece in held]
    if len(order) < 2 or len(source.text.split()) <= MAX_QUOTE_WORDS:
        return extract_passage(words, source, held[0])
    return _between(source.text, order[0], order[-1])


def _named_quotes(turn: ReplyRequest) -> list[ClauseQuote]:
    """The articles that the question names, whole, or the lettered items of them; of a heading its sub-clauses."""
    found: list[ClauseQuote] = []
    for citation in find_article_numbers(turn.question):
        number, part = split_part(citation)
        bearing = [
            s for s in turn.evidence if canonical_number(s.article) == canonical_number(number)
        ]
        below = [s for s in turn.evidence if s.article.startswith(f"{number}.")]
        for source in bearing if any(s.text for s in bearing) else below[:MAX_SUBCLAUSES]:
            words = extract_part(source.text, part) if part else source.text
            if words:
                found.append(ClauseQuote(source, words))
    return found


def extract_passage(
    words: dict[str, str], source: Source, best_sentence: str = "", max_words: int = MAX_QUOTE_WORDS
) -> str:
    """The words to quote from a clause, lines kept: all of them, or as much as fits from the best sentence on, which
    is `holding` where that is one of its sentences.

    A table is quoted from its header on, and whole; so is the lettered item that the sentence stands in with all that
    is below it, up to twice as long.
    """
    if OMISSION_MARK in source.text:
        entries = source.text.split(OMISSION_MARK)
        best_entry = max(
            entries,
            key=lambda entry: (
                bool(best_sentence) and best_sentence in entry,
                coverage(words, entry),
            ),
        )
        source = replace(source, text=best_entry.strip())
    if len(source.text.split()) <= max_words:
        return source.text
    lines = source.text.split("\n")
    numbered = [
        (number, piece) for number, line in enumerate(lines) for piece in split_sentences(line)
    ]
    pieces = [piece for _, piece in numbered]
    best = max(
        range(len(pieces)),
        key=lambda i: (pieces[i] == best_sentence, coverage(words, pieces[i]), -i),
    )
    first = last = best
    while first and pieces[best].startswith("|") and pieces[first - 1].startswith("|"):
        first -= 1
    if first and pieces[first].startswith("|") and pieces[first - 1].endswith(":"):
        first -= 1
    length = sum(len(piece.split()) for piece in pieces[first : best + 1])
    while last + 1 < len(pieces):
        length += len(pieces[last + 1].split())
        if length > MAX_QUOTE_WORDS and not (
            pieces[last].startswith("|") and pieces[last + 1].startswith("|")
        ):
            break
        last += 1
    if item := part_at_line(source.text, numbered[best][0]):
        below = [
            n
            for n, (line, _) in enumerate(numbered)
            if (part_at_line(source.text, line) or "").startswith(item)
        ]
        if (
            sum(len(piece.split()) for piece in pieces[first : below[-1] + 1])
            <= 2 * MAX_QUOTE_WORDS
        ):
            last = max(last, below[-1])
    return _between(source.text, pieces[first], pieces[last])


def _between(text: str, first: str, last: str) -> str:
    """The text from one of its pieces to another."""
    start = text.find(first)
    end = text.find(last, start)
    return text[start : end + len(last)] if start >= 0 <= end else first


def _with_referred(first: list[ClauseQuote], evidence: Sequence[Source]) -> list[ClauseQuote]:
    """The quotes and the items of other clauses that they send one to ("a penalty under Article 54.3d)")."""
    found = list(first)
    for quote in first:
        for citation in find_article_numbers(quote.text):
            number, part = split_part(citation)
            source = _of_number(number, quote.source, evidence)
            words = extract_part(source.text, part) if source and part else None
            if source and words and not any(q.source is source and words in q.text for q in found):
                found.append(ClauseQuote(source, words))
    return found


def _of_number(number: str, beside: Source, evidence: Iterable[Source]) -> Source | None:
    wanted = canonical_number(number)
    return next(
        (
            s
            for s in evidence
            if s.document_id == beside.document_id and canonical_number(s.article) == wanted
        ),
        None,
    )
