"""A draft made of quotes: which clauses are quoted, and which of their words.

It writes no sentence about a rule.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.agent.compliance import collect_citations
from core.agent.models.base import ReplyRequest
from core.agent.models.offline.confidence import (
    Confidence,
    has_asked_amount,
    has_asked_count,
    knows_language,
    measure_match,
    read_language,
)
from core.agent.models.offline.excluded_conditions import opposes_condition
from core.agent.models.offline.passages import (
    MAX_FIRST_QUOTE_WORDS,
    MAX_QUOTE_WORDS,
    add_lead_ins,
    extract_passage,
    text_between,
)
from core.agent.models.offline.rewrite_followup import find_news
from core.agent.question import Question, select_near
from core.grammar import (
    VOCABULARY,
    article_label,
    canonical_number,
    detect_language,
    extract_part,
    find_article_numbers,
    find_sanctions,
    read_sentence,
    split_part,
    split_sentences,
)
from core.library import MIN_COVERAGE, coverage, held_stems
from core.registers import LayerNote
from core.sheets import names_subject
from core.verification import Citation, Source, cite, list_sources

MAX_QUOTES, MAX_SUMMARY_QUOTES = 4, 6
"""Clauses that are quoted at most."""
FURTHER_QUOTE_SHARE = 0.7
"""A further clause is quoted when its score reaches this share of the first one's."""
MAX_PAIRS = 4
"""Aligned clauses that a draft shows at most."""
NOTHING_ALIGNED = "I did not find a clause on this in both documents."


@dataclass(frozen=True, slots=True)
class ClauseQuote:
    """Words of a clause, exactly as they are in it."""

    source: Source
    text: str


@dataclass(frozen=True, slots=True)
class QuotedDraft:
    """A draft made of quotes; `measures` say how those that a search found match the question."""

    thinking: str
    text: str
    citations: tuple[Citation, ...] = ()
    measures: Mapping[str, float] = field(default_factory=dict)


def rank_sources(request: ReplyRequest) -> list[Source]:
    """Return the clauses that searches found, best first, without clauses added to them.

    Clauses near the best are ordered anew: first those with all words that a follow-up adds to the
    question before, then those with the amount or count asked for, last those for the opposite of
    a condition that the question excludes. For a question on a penalty a clause that names one is
    worth 0.1 more.
    """
    asked = request.asked
    news = find_news(asked)
    found = [
        s for s in request.evidence if s.text and s.why in ("exact", "words", "vector", "topic")
    ]
    enough = FURTHER_QUOTE_SHARE * max((source.score for source in found), default=0.0)
    near = [source for source in found if source.score >= enough]
    opposed = opposes_condition(asked.text, near, lambda s: f"{s.title}\n{s.text}")
    opposing = {source.clause_id for source, does in zip(near, opposed, strict=True) if does}

    def score(source: Source) -> tuple[bool, bool, bool, float]:
        names_sanction = request.intent == "PENALTY" and find_sanctions(source.text)
        points = source.score + (0.1 if names_sanction else 0.0)
        if source.score < enough:
            return False, False, False, points
        has_news = coverage(news, f"{source.title}\n{source.text}") == 1
        numbers = has_asked_amount(asked, source.text) and has_asked_count(asked, source.text)
        return source.clause_id not in opposing, has_news, numbers, points

    return sorted(found, key=score, reverse=True)


def _quote_definitions(question: Question, evidence: Sequence[Source]) -> list[ClauseQuote]:
    """Quote what defines the term that a question asks for; a long clause from there on."""
    sources = {source.clause_id: source for source in evidence}
    found = []
    for one in question.definitions[:MAX_QUOTES]:
        if source := sources.get(one.clause.clause_id):
            is_whole = len(one.words.split()) <= MAX_FIRST_QUOTE_WORDS
            first = one.words.partition("\n")[0]
            longer = extract_passage(question, source, first, MAX_FIRST_QUOTE_WORDS)
            found.append(ClauseQuote(source, one.words if is_whole else longer))
    return found


def _quote_limits(request: ReplyRequest) -> list[ClauseQuote]:
    """Quote the clauses with limits for the question's values, and with those of which one is."""
    is_any = not names_subject(request.asked.text)  # a search for a value alone finds its digits
    rows = [
        one
        for one in request.requirements
        if is_any or one.verdict != "cannot tell" or one.alternative
    ]
    if not rows:
        return []
    sources = {source.clause_id: source for source in request.evidence}
    cited: dict[str, list[str]] = {}
    for citation in collect_citations(rows):
        cited.setdefault(citation.clause_id, []).append(citation.quote)
    found = []
    for source in [sources[clause_id] for clause_id in cited][:MAX_QUOTES]:
        sentences = cited[source.clause_id]
        pieces = split_sentences(source.text)
        ordered = [piece for piece in pieces if any(words in piece for words in sentences)]
        if len(ordered) > 1 and len(source.text.split()) > MAX_QUOTE_WORDS:
            between = text_between(source.text, ordered[0], ordered[-1])
            text = add_lead_ins(source, between)  # each limit may be the one
        else:
            text = extract_passage(request.asked, source, (*ordered, sentences[0])[0])
        found.append(ClauseQuote(source, text))
    return found


def _quote_named_articles(question: Question, evidence: Sequence[Source]) -> list[ClauseQuote]:
    """Quote the articles or lettered items that a question names; of a heading 12 sub-clauses.

    Of several, with its other words, those that have most of them come first.
    """

    def share(source: Source) -> float:
        return coverage(question.words, f"{source.title}\n{source.text}", question.weights)

    found: list[ClauseQuote] = []
    for citation in question.articles:
        number, part = split_part(citation)
        same = canonical_number(number)
        named = [s for s in evidence if canonical_number(s.article) == same]
        below = [s for s in evidence if s.article.startswith(f"{number}.")]
        sources = named if any(s.text for s in named) else below[:12]
        if question.words and not part:
            nearest = sorted((*named, *below), key=share, reverse=True)[:1]
            sources = sorted(dict.fromkeys((*sources, *nearest)), key=share, reverse=True)
        for source in sources:
            if text := extract_part(source.text, part) if part else source.text:
                found.append(ClauseQuote(source, add_lead_ins(source, text)))
    return found


def _quote_nearest(request: ReplyRequest) -> list[ClauseQuote]:
    """Quote the first clauses that the searches found.

    None where a question names an article, since those that there are were quoted before.
    """
    question, ranked = request.asked, rank_sources(request)
    if not ranked or question.articles:
        return []
    lifted = _find_lifted(request)
    if lifted and any(_obliges_in_general(question, one) for one in ranked if one not in lifted):
        ranked = [one for one in ranked if one not in lifted]
    limit = MAX_SUMMARY_QUOTES if request.intent == "SUMMARY" else MAX_QUOTES
    enough = FURTHER_QUOTE_SHARE * max(source.score for source in ranked)
    best = [source for source in ranked if source.score >= enough]
    if question.compares_editions:
        others = (source for source in ranked if source.document_id != best[0].document_id)
        best = list(dict.fromkeys((best[0], *islice(others, 1), *best)))
    found: list[ClauseQuote] = []
    for source in best[:limit]:
        max_words = MAX_QUOTE_WORDS if found else MAX_FIRST_QUOTE_WORDS
        text = extract_passage(question, source, max_words=max_words)
        found.append(ClauseQuote(source, text))
    return found


def _measure_quotes(
    request: ReplyRequest, ranked: Sequence[Source], citations: Sequence[Citation]
) -> Mapping[str, float]:
    """Return how quotes of ranked clauses match the question; nothing without such quotes."""
    ids = {source.clause_id for source in ranked}
    found = [citation for citation in citations if citation.clause_id in ids]
    if not found:
        return {}
    first = sorted(ranked, key=lambda source: source.clause_id != found[0].clause_id)
    return measure_match(request.asked, first, [citation.quote for citation in found])


def _measure_editions(
    request: ReplyRequest, citations: Sequence[Citation]
) -> list[Mapping[str, float]]:
    """Return how quotes match the question, for each edition that it compares on its own."""
    ranked = rank_sources(request)
    choices = request.asked.choices if request.asked.compares_editions else ()
    editions = [[s for s in ranked if choice.admits(s.season, s.issue)] for choice in choices]
    found = [_measure_quotes(request, clauses, citations) for clauses in editions]
    return list(filter(None, found)) or [_measure_quotes(request, ranked, citations)]


def _quote_references(
    quotes: Sequence[ClauseQuote], evidence: Sequence[Source]
) -> Iterator[ClauseQuote]:
    """Yield the items that quotes refer to ("a penalty under Article 54.3d)")."""
    known = [quote.text for quote in quotes]
    for quote in quotes:
        for citation in find_article_numbers(quote.text):
            number, part = split_part(citation)
            same = quote.source.document_id, canonical_number(number)
            matches = (s for s in evidence if (s.document_id, canonical_number(s.article)) == same)
            source = next(matches, None)
            text = extract_part(source.text, part) if source and part else None
            if source and text and not any(text in other for other in known):
                known.append(text)
                yield ClauseQuote(source, text)


def _quote_layers(request: ReplyRequest, quotes: Sequence[ClauseQuote]) -> Iterator[ClauseQuote]:
    """Yield quotes with what other layers say of them, and the words that say who prevails.

    Before a rule comes what overrides it or else answers before it (`LayerNote.leads`). First of
    all come those that lead (`_find_leading`), but last what only takes a permission away.
    """
    sources = {source.clause_id: source for source in request.evidence}
    shown: set[str] = set()

    def quote_all(source: Source, text: str, is_asked: bool = True) -> Iterator[ClauseQuote]:
        if source.clause_id in shown or not source.text:
            return
        shown.add(source.clause_id)
        about = (one for one in source.layers if one.is_about(text))
        notes = sorted(about, key=lambda one: not one.wording)  # a heading says the least
        for note in notes:
            if note.leads(request.asked.text, text):
                yield from quote_other(note.clause_id, note.wording)
        yield ClauseQuote(source, text)
        for note in notes:
            if is_asked or note.is_against:
                yield from quote_other(note.clause_id, note.wording)
            if is_asked and note.kind in ("overridden", "overrides"):
                yield from quote_other(note.said.clause_id, note.said.quote, is_enough=True)

    def quote_other(
        clause_id: str, words: str, *, is_enough: bool = False
    ) -> Iterator[ClauseQuote]:
        if source := sources.get(clause_id):
            text = _choose_words(request.asked, source, words, is_enough)
            yield from quote_all(source, text, False)

    before, behind = _place_leading(request, quotes)
    for quote in (*before, *quotes, *behind):
        yield from quote_all(quote.source, quote.text)


def _place_leading(
    request: ReplyRequest, quotes: Sequence[ClauseQuote]
) -> tuple[list[ClauseQuote], list[ClauseQuote]]:
    """Return what leads before the quotes, and behind them what only takes a permission away."""
    lifted = _find_lifted(request)
    sides: tuple[list[ClauseQuote], list[ClauseQuote]] = [], []
    for source in _find_leading(request, quotes):
        words = _find_change(request, source)
        text = _choose_words(request.asked, source, words, is_enough=False)
        is_last = source in lifted and quotes[0].source not in lifted
        sides[is_last].append(ClauseQuote(source, text))
    return sides


def _choose_words(question: Question, source: Source, words: str, is_enough: bool) -> str:
    """Return words of a clause that are enough; of others, the passage that has them."""
    passage = extract_passage(question, source)
    is_apart = words in source.text and (is_enough or words not in passage)
    if not (words and is_apart):
        return passage
    line = next((one for one in source.text.split("\n") if words in one), words)
    return words if is_enough or len(line.split()) > MAX_QUOTE_WORDS else line


def _find_change(request: ReplyRequest, source: Source) -> str:
    """Return the words by which a rule overrides the one that has most of the question's words."""
    overridden = [
        (coverage(request.asked.words, f"{one.title} {one.text}"), note.wording)
        for one in request.evidence
        for note in one.layers
        if note.clause_id == source.clause_id and note.kind == "overridden"
    ]
    most, words = max(overridden, default=(0.0, ""))
    return words if most >= MIN_COVERAGE else ""


def _find_leading(request: ReplyRequest, quotes: Sequence[ClauseQuote]) -> list[Source]:
    """Return the rules of which layers say otherwise and that have more of the question's words
    than other quotes have, the best first.
    """

    def measure(source: Source) -> float:
        return _measure_words(request.asked, source)

    settled = [measure(one.source) for one in quotes if not _is_layered(one.source)]
    least = max(MIN_COVERAGE, *(settled or map(measure, [quotes[0].source])))
    leading = [one for one in request.evidence if _is_layered(one) and measure(one) > least]
    return sorted(leading, key=measure, reverse=True)


def _measure_words(question: Question, source: Source) -> float:
    return coverage(question.words, f"{source.title} {source.text}")


def _obliges_in_general(question: Question, source: Source) -> bool:
    """True of a rule with a duty and enough words of a question, two at least, to answer it."""
    duties = read_sentence(source.text).duties
    held = held_stems(question.words, f"{source.title} {source.text}")
    is_near = len(held) > 1 and _measure_words(question, source) >= MIN_COVERAGE
    return is_near and any(one.is_main and one.modality != "may" for one in duties)


def _find_lifted(request: ReplyRequest) -> list[Source]:
    """Return the clauses that only permit and are deleted, and what deletes them."""
    texts = {one.clause_id: one.text for one in request.evidence}
    notes = {one.clause_id: one.layers for one in request.evidence}
    lifted = LayerNote.find_lifted(texts, notes)
    return [one for one in request.evidence if one.clause_id in lifted]


def _is_layered(source: Source) -> bool:
    """True of a rule that another layer may override, or that overrides one."""
    return any(note.is_against or note.kind == "overrides" for note in source.layers)


# Drafts


def draft_quotes(request: ReplyRequest, confidence: Confidence) -> QuotedDraft:
    """Return a draft that answers from single clauses, or says that none is likely to."""
    count = len(request.evidence)
    measures: Mapping[str, float] = {}
    quotes = (
        _quote_limits(request)
        or _quote_named_articles(request.asked, request.evidence)
        or _quote_definitions(request.asked, request.evidence)
    )
    if not quotes and (quotes := _quote_nearest(request)):
        nearest = [cite(quote.source, quote.text) for quote in quotes]
        editions = _measure_editions(request, nearest)
        likely = max(confidence.estimate_answerable(request.asked, one) for one in editions)
        is_told = knows_language(request.asked, request.evidence) or not request.asked.by_meaning
        quotes = [] if is_told and likely < confidence.refused_below else quotes
        # An answer on several editions is as good as what is quoted of the worst of them.
        measures = min(editions, key=lambda one: confidence.estimate_right(request.asked, one))
    if not quotes:
        thinking = f"{count} clauses were found; none is likely to answer the question."
        return QuotedDraft(thinking, _report_nothing(request))
    quotes = list(_quote_layers(request, quotes))
    quotes = [*quotes, *_quote_references(quotes, request.evidence)]
    listed = "; ".join(_describe_match(request.asked, quote.source) for quote in quotes)
    thinking = f"{count} clauses were found. Quoted, the nearest first: {listed}."
    citations = tuple(cite(quote.source, quote.text) for quote in quotes)
    text = "\n\n".join(map(_format_block, citations, (quote.source for quote in quotes)))
    return QuotedDraft(thinking, text, citations, measures)


def _describe_match(question: Question, source: Source) -> str:
    """Return an article with the question's words that it has: "34.7 (pit lane, speed limit)"."""
    text = " ".join((source.title, *source.breadcrumb, source.text))
    words = (word for stem, word in question.words.items() if coverage({stem: word}, text))
    matching = ", ".join(dict.fromkeys(words))
    return f"{source.article} ({matching})" if matching else source.article


def _report_nothing(request: ReplyRequest) -> str:
    """Say that nothing was found, and why where question and rules seem to differ in language."""
    names = VOCABULARY["languages"]
    spoken = detect_language(request.question)
    rules = read_language(request.evidence)
    is_foreign = spoken not in (None, rules) and (spoken != "en" or rules)
    words = () if is_foreign else sorted({*request.asked.words.values()})
    report = f"No rule was found on {', '.join(words) or f'“{request.question}”'}."
    if is_foreign:
        known = f"in {names[rules]}, as the rules are" if rules else "in the language of the rules"
        report += (
            f" The question seems to be in {names[spoken]}, and I do not translate: ask {known}."
        )
    if near := select_near(request.asked, request.evidence):
        report += f"\n\nNearest clauses:\n\n{list_sources(near)}"
    return report


def draft_comparison(request: ReplyRequest) -> QuotedDraft:
    """Return a draft that answers from aligned clauses."""
    changed = [pair for pair in request.pairs if pair.has_difference]
    by_id = {source.clause_id: source for source in request.evidence if source.text}
    blocks, citations = [], []
    for pair in (changed or request.pairs)[:MAX_PAIRS]:
        sides = [by_id[c] for c in (pair.clause_a, pair.clause_b) if c in by_id]
        quotes = []
        for source, other in zip(sides, reversed(sides), strict=True):
            theirs = split_sentences(other.text)
            own = (piece for piece in split_sentences(source.text) if piece not in theirs)
            quotes.append(cite(source, extract_passage(request.asked, source, next(own, ""))))
        if quotes:
            numbers = " → ".join(dict.fromkeys(filter(None, (pair.article_a, pair.article_b))))
            blocks.append(f"**{article_label(numbers)}: {pair.change}**")
            blocks += map(_format_block, quotes, sides)
            citations += quotes
    thinking = f"{len(request.pairs)} clauses were aligned, {len(changed)} of them differ."
    lead = "" if changed else "The clauses found say the same in both documents.\n\n"
    if len(changed) > MAX_PAIRS:
        lead = "More articles differ than are quoted here: the page Compare shows all.\n\n"
    text = lead + "\n\n".join(blocks) or NOTHING_ALIGNED
    measures = _measure_quotes(request, rank_sources(request), tuple(citations))
    return QuotedDraft(thinking, text, tuple(citations), measures)


def _format_block(citation: Citation, source: Source) -> str:
    """Return a quote as a Markdown block with its place; its lines and tables are kept."""
    part = citation.lettered_part
    whole = (extract_part(source.text, part) or "") if part else source.text
    place = citation.describe_place(" ".join(whole.split()) not in " ".join(citation.quote.split()))
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
