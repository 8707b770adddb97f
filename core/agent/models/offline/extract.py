"""A draft made of quotes: how relevant each clause is, which are quoted, which of their words.

It writes no sentence about a rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.agent.evidence import cite, list_sources, split_sentences
from core.agent.models.base import ReplyRequest
from core.agent.models.offline.sought import Sought, Told, sought, told
from core.agent.text.compliance_question import subject_words, values_in_question
from core.agent.text.stems import content_words, coverage, idf
from core.agent.text.vocabulary import VOCABULARY
from core.agent.types import Citation, Intent, Source
from core.agent.verification.compliance import check_compliance, collect_citations
from core.library import OMISSION_MARK
from core.rulebook import (
    article_label,
    canonical_number,
    detect_language,
    extract_part,
    find_article_numbers,
    part_at_line,
    split_part,
)

QUOTABLE_SHARE = 0.5
"""Share of the question's words from which a clause is quoted as an answer."""
ON_TOPIC_SHARE = 0.75
"""Share of the question's words from which the quoted clauses are taken to be about it."""
ANSWER_BONUS = 0.25
"""Added to the share of words of a clause that says what is asked for."""
TOP_HIT_BONUS = 0.1
"""Added to the share of words of the first hit. It is also quoted where no clause has all words."""
FURTHER_QUOTE_SHARE = 0.8
"""A further clause is quoted when it reaches this share of the best one's relevance."""
MAX_QUOTES = 3
MAX_SUBCLAUSES = 12
"""Sub-clauses that are quoted of an article asked for by number that is only a heading."""
MAX_QUOTE_WORDS = 120
"""A clause up to this length is quoted whole, a longer one from its best sentence on."""
MAX_FIRST_QUOTE_WORDS = 300
"""The same for the first quote: what a rule says at its end may be what was asked for."""
MAX_PAIRS = 4
"""Aligned clauses that a draft shows at most."""
NOTHING_ALIGNED = "I did not find a clause on this in both documents."

DraftParts = tuple[str, str, tuple[Citation, ...]]
"""Thinking, draft and citations."""


@dataclass(frozen=True, slots=True)
class ClauseQuote:
    """Words of a clause, exactly as they are in it."""

    source: Source
    text: str


# Relevance


def question_words(question: str) -> dict[str, str]:
    """Return, by stem, the words of a question that a clause should hold, without its values."""
    return subject_words(question) if values_in_question(question) else content_words(question)


def expected_answer_type(question: str, intent: Intent) -> Sought | None:
    """Return what a question wants to know; None for a topic, an article or a check of a value.

    Nor is a fine expected of a question on penalties: the answer may be another penalty.
    """
    if intent == "SUMMARY" or find_article_numbers(question) or values_in_question(question):
        return None
    wanted = sought(question)
    return None if wanted and intent == "PENALTY" and "money" in wanted.kinds else wanted


def find_answer_spans(question: str, intent: Intent, evidence: Sequence[Source]) -> dict[str, Told]:
    """Return, by clause id, the sentences that say what a question wants to know."""
    wanted = expected_answer_type(question, intent)
    if wanted is None:
        return {}
    words = question_words(question)
    weights = idf(words, [f"{source.title} {source.text}" for source in evidence])
    found = ((source.clause_id, told(wanted, words, source, weights)) for source in evidence)
    return {key: span for key, span in found if span and span.share >= QUOTABLE_SHARE}


def clause_relevance(
    words: dict[str, str], source: Source, answer_span: Told | None = None
) -> float:
    """Return the share of the question's words that a clause holds, with a bonus for an answer.

    A word found only in its headings counts half, unless its own title holds them all.
    """
    own = coverage(words, source.text)
    if len(words) > 1 and coverage(words, source.title) == 1:
        own = 1.0
    share = own + (coverage(words, f"{source.text} {join_headings(source)}") - own) / 2
    return share + ANSWER_BONUS if answer_span else share


def join_headings(source: Source) -> str:
    """Return the titles above a clause and its document's name."""
    return " ".join((source.title, *source.breadcrumb, source.document))


# Clauses


def select_quotes(words: dict[str, str], request: ReplyRequest) -> list[ClauseQuote]:
    """Return the quotes that answer a question, best first, and the items they refer to."""
    quotes = (
        _quote_limits(words, request)
        or _quote_named_articles(request)
        or _quote_relevant(words, request)
    )
    return quotes + _quote_references(quotes, request.evidence)


def _quote_limits(words: dict[str, str], request: ReplyRequest) -> list[ClauseQuote]:
    """Quote the clauses with limits for the question's values, those most on its words first."""
    whole = [(source, source.text) for source in request.evidence if source.text]
    rows = [r for r in check_compliance(request.question, whole) if r.verdict != "cannot tell"]
    shares = {source.clause_id: clause_relevance(words, source) for source, _ in whole}
    best = max((shares[row.citations[0].clause_id] for row in rows), default=0.0)
    rows = [r for r in rows if shares[r.citations[0].clause_id] >= FURTHER_QUOTE_SHARE * best]
    sources = {source.clause_id: source for source, _ in whole}
    cited: dict[str, list[str]] = {}
    for citation in collect_citations(rows):
        cited.setdefault(citation.clause_id, []).append(citation.quote)
    found = []
    for clause_id, sentences in list(cited.items())[: 2 * MAX_QUOTES]:
        source = sources[clause_id]
        ordered = [piece for piece in split_sentences(source.text) if piece in sentences]
        if len(ordered) > 1 and len(source.text.split()) > MAX_QUOTE_WORDS:
            text = _between(source.text, ordered[0], ordered[-1])  # each limit may be the one
        else:
            text = extract_passage(words, source, sentences[0])
        found.append(ClauseQuote(source, text))
    return found


def _quote_named_articles(request: ReplyRequest) -> list[ClauseQuote]:
    """Quote the articles or lettered items that a question names; of a heading its sub-clauses."""
    found: list[ClauseQuote] = []
    for citation in find_article_numbers(request.question):
        number, part = split_part(citation)
        same = canonical_number(number)
        named = [s for s in request.evidence if canonical_number(s.article) == same]
        below = [s for s in request.evidence if s.article.startswith(f"{number}.")]
        for source in named if any(s.text for s in named) else below[:MAX_SUBCLAUSES]:
            if text := extract_part(source.text, part) if part else source.text:
                found.append(ClauseQuote(source, text))
    return found


def _quote_relevant(words: dict[str, str], request: ReplyRequest) -> list[ClauseQuote]:
    """Quote the clauses that hold most of the question's words."""
    spans = find_answer_spans(request.question, request.intent, request.evidence)
    sources = [source for source in request.evidence if source.text]
    relevance = {
        source.clause_id: clause_relevance(words, source, spans.get(source.clause_id))
        + (0 if rank else TOP_HIT_BONUS)
        for rank, source in enumerate(sources)
    }
    highest = max(relevance.values(), default=0.0)
    if highest < QUOTABLE_SHARE:
        return []
    ranked = sorted(sources, key=lambda source: relevance[source.clause_id], reverse=True)
    enough = FURTHER_QUOTE_SHARE * highest
    limit = 2 * MAX_QUOTES if request.intent == "SUMMARY" else MAX_QUOTES
    best = [source for source in ranked if relevance[source.clause_id] >= enough][:limit]
    if highest < 1:
        best += [source for source in sources[:1] if source not in best]
    found: list[ClauseQuote] = []
    for source in best:
        span = spans.get(source.clause_id)
        max_words = MAX_QUOTE_WORDS if found else MAX_FIRST_QUOTE_WORDS
        text = extract_passage(words, source, span.sentence if span else "", max_words)
        found.append(ClauseQuote(source, text))
    return found


def _quote_references(
    quotes: Sequence[ClauseQuote], evidence: Sequence[Source]
) -> list[ClauseQuote]:
    """Quote the items that quotes refer to ("a penalty under Article 54.3d)")."""
    found: list[ClauseQuote] = []
    for quote in quotes:
        for citation in find_article_numbers(quote.text):
            number, part = split_part(citation)
            same = quote.source.document_id, canonical_number(number)
            matches = (s for s in evidence if (s.document_id, canonical_number(s.article)) == same)
            source = next(matches, None)
            text = extract_part(source.text, part) if source and part else None
            known = (one.text for one in (*quotes, *found) if one.source is source)
            if source and text and not any(text in other for other in known):
                found.append(ClauseQuote(source, text))
    return found


# Passages


def extract_passage(
    words: dict[str, str], source: Source, best_sentence: str = "", max_words: int = MAX_QUOTE_WORDS
) -> str:
    """Return the words to quote from a clause, lines kept: all, or as much as fits.

    A long clause is quoted from `best_sentence` on, or from the sentence with most of the words.
    A table is quoted whole, from its header on; so is the lettered item that the sentence is in
    with all that is below it, up to twice as long.
    """
    entries = source.text.split(OMISSION_MARK)
    has_best = [bool(best_sentence) and best_sentence in entry for entry in entries]
    ranks = [(has, coverage(words, entry)) for has, entry in zip(has_best, entries, strict=True)]
    text = source.text if len(entries) == 1 else entries[ranks.index(max(ranks))].strip()
    if len(text.split()) <= max_words:
        return text
    numbered = [
        (number, piece)
        for number, line in enumerate(text.split("\n"))
        for piece in split_sentences(line)
    ]
    pieces = [piece for _, piece in numbered]
    best = max(
        range(len(pieces)),
        key=lambda i: (pieces[i] == best_sentence, coverage(words, pieces[i]), -i),
    )
    first = _first_piece(pieces, best)
    last = _last_piece(pieces, first, best)
    if item := part_at_line(text, numbered[best][0]):
        parts = [part_at_line(text, line) or "" for line, _ in numbered]
        end = max(n for n, part in enumerate(parts) if part.startswith(item))
        if _count_words(pieces[first : end + 1]) <= 2 * MAX_QUOTE_WORDS:
            last = max(last, end)
    return _between(text, pieces[first], pieces[last])


def _first_piece(pieces: Sequence[str], best: int) -> int:
    """Return where a quote starts: for a table row at the header or the sentence before it."""
    first = best
    if pieces[best].startswith("|"):
        while first and pieces[first - 1].startswith("|"):
            first -= 1
        if first and pieces[first - 1].endswith(":"):
            first -= 1
    return first


def _last_piece(pieces: Sequence[str], first: int, best: int) -> int:
    """Return where a quote ends: at MAX_QUOTE_WORDS, but never within a table."""
    last = best
    while last + 1 < len(pieces):
        in_table = pieces[last].startswith("|") and pieces[last + 1].startswith("|")
        if _count_words(pieces[first : last + 2]) > MAX_QUOTE_WORDS and not in_table:
            break
        last += 1
    return last


def _count_words(pieces: Sequence[str]) -> int:
    return sum(len(piece.split()) for piece in pieces)


def _between(text: str, first: str, last: str) -> str:
    """Return the text from one of its pieces to another."""
    start = text.find(first)
    end = text.find(last, start)
    return text[start : end + len(last)] if start >= 0 <= end else first


# Drafts


def draft_quotes(request: ReplyRequest) -> DraftParts:
    """Return thinking, draft and citations that answer from single clauses."""
    words = question_words(request.question)
    found = select_quotes(words, request)
    count = len(request.evidence)
    if not found:
        thinking = f"{count} clauses were found; none has enough of the question's words."
        return thinking, _report_nothing(request, words), ()
    articles = ", ".join(dict.fromkeys(quote.source.article for quote in found))
    listed = ", ".join(sorted({*words.values()}))
    thinking = f"{count} clauses were found. Quoted are those with most of “{listed}”: {articles}."
    citations = tuple(cite(quote.source, quote.text) for quote in found)
    sources = (quote.source for quote in found)
    return thinking, "\n\n".join(map(_format_block, citations, sources)), citations


def _report_nothing(request: ReplyRequest, words: dict[str, str]) -> str:
    """Say that nothing was found, and why where question and rules seem to differ in language."""
    topic = ", ".join(sorted({*words.values()})) or request.question
    report = f"I did not find a clause that says something on: {topic}."
    names = VOCABULARY["languages"]
    spoken = detect_language(request.question)
    rules = detect_language(" ".join(source.text for source in request.evidence))
    if spoken not in (None, rules) and (spoken != "en" or rules):
        known = f"in {names[rules]}, as the rules are" if rules else "in the language of the rules"
        report += (
            f" The question seems to be in {names[spoken]}, and I do not translate: ask {known}."
        )
    if request.evidence:
        report += f"\n\nNearest clauses:\n\n{list_sources(request.evidence[:MAX_QUOTES])}"
    return report


def draft_comparison(request: ReplyRequest) -> DraftParts:
    """Return thinking, draft and citations that answer from aligned clauses."""
    changed = [pair for pair in request.pairs if pair.kind != "unchanged"]
    by_id = {source.clause_id: source for source in request.evidence if source.text}
    words = content_words(request.question)
    blocks, citations = [], []
    for pair in (changed or request.pairs)[:MAX_PAIRS]:
        sides = [by_id[c] for c in (pair.clause_a, pair.clause_b) if c in by_id]
        quotes = []
        for source, other in zip(sides, reversed(sides), strict=True):
            theirs = split_sentences(other.text)
            own = (piece for piece in split_sentences(source.text) if piece not in theirs)
            quotes.append(cite(source, extract_passage(words, source, next(own, ""))))
        if quotes:
            numbers = " → ".join(dict.fromkeys(filter(None, (pair.article_a, pair.article_b))))
            blocks.append(f"**{article_label(numbers)}: {pair.kind}**")
            blocks += map(_format_block, quotes, sides)
            citations += quotes
    thinking = f"{len(request.pairs)} clauses were aligned, {len(changed)} of them differ."
    lead = "" if changed else "The clauses found say the same in both documents.\n\n"
    if len(changed) > MAX_PAIRS:
        lead = (
            f"{len(changed)} articles differ. {MAX_PAIRS} of them are quoted here;"
            " the page Compare shows all.\n\n"
        )
    return thinking, lead + "\n\n".join(blocks) or NOTHING_ALIGNED, tuple(citations)


def _format_block(citation: Citation, source: Source) -> str:
    """Return a quote as a Markdown block with its place; its lines and tables are kept."""
    article = article_label(f"{citation.article} {citation.part or ''}".rstrip())
    whole = source.text if citation.part is None else extract_part(source.text, citation.part) or ""
    cut = " (in part)" if len(whole.split()) > len(citation.quote.split()) else ""
    place = f"{article}{cut}, page {citation.page}, {citation.document}{citation.caution}"
    opening = "“\n" if citation.quote.startswith("|") else "“"
    closing = "\n”" if citation.quote.endswith("|") else "”"
    shown: list[str] = []
    before = ""
    for line in f"{opening}{citation.quote}{closing} [{citation.marker}]".splitlines():
        is_row = line.startswith("|")
        if shown and is_row != before.startswith("|"):
            shown.append("")
        shown.append(line if is_row else f"{line}  ")
        before = line
    lines = (*shown, "", place)
    return "\n".join(f"> {line}" if line.strip() else ">" for line in lines)
