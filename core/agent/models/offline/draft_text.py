"""A draft out of quotes: blocks with their places, the two sides of a comparison, or that nothing was found."""

from core.agent.evidence import cite, list_sources, split_sentences
from core.agent.models.base import ReplyRequest
from core.agent.models.offline.extract import MAX_QUOTES, extract_passage, select_quotes
from core.agent.models.offline.relevance import question_words
from core.agent.text.stems import content_words
from core.agent.types import Citation, Source
from core.rulebook import article_label, detect_language, extract_part

MAX_PAIRS = 4
"""Aligned clauses that a draft shows at the most."""
NOTHING_ALIGNED = "I did not find a clause on this in both documents."
LANGUAGE_NAMES = {
    "en": "English",
    "fr": "French",
    "de": "German",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "el": "Greek",
}
"""Those that `language_of` tells apart."""


def draft_quotes(request: ReplyRequest) -> tuple[str, str, tuple[Citation, ...]]:
    """Thinking, draft and citations that answer from single clauses."""
    words = question_words(request.question)
    found = select_quotes(words, request)
    if not found:
        return _not_found(request, words)
    thinking = (
        f"{len(request.evidence)} clauses are at hand. Those that hold most of “{', '.join(sorted({*words.values()}))}”"
        f" are quoted: {', '.join(dict.fromkeys(quote.source.article for quote in found))}."
    )
    citations = tuple(cite(quote.source, quote.text) for quote in found)
    blocks = (
        _block(citation, quote.source) for citation, quote in zip(citations, found, strict=True)
    )
    return thinking, "\n\n".join(blocks), citations


def _not_found(turn: ReplyRequest, words: dict[str, str]) -> tuple[str, str, tuple[Citation, ...]]:
    thinking = (
        f"{len(turn.evidence)} clauses are at hand; none holds enough of the question's words."
    )
    nearest = (
        f"\n\nNearest clauses:\n\n{list_sources(turn.evidence[:MAX_QUOTES])}"
        if turn.evidence
        else ""
    )
    wanted = ", ".join(sorted({*words.values()})) or turn.question
    found = (
        f"I did not find a clause that says something on: {wanted}.{_other_language(turn)}{nearest}"
    )
    return thinking, found, ()


def _other_language(turn: ReplyRequest) -> str:
    """A sentence where the question seems to be in another language than the rules; mostly empty."""
    spoken = detect_language(turn.question)
    rules = detect_language(" ".join(source.text for source in turn.evidence))
    if spoken in (None, rules) or (spoken == "en" and rules is None):
        return ""
    ask = (
        f"in {LANGUAGE_NAMES[rules]}, as the rules are" if rules else "in the language of the rules"
    )
    return f" The question seems to be in {LANGUAGE_NAMES[str(spoken)]}, and I do not translate: ask {ask}."


def draft_comparison(request: ReplyRequest) -> tuple[str, str, tuple[Citation, ...]]:
    """Thinking, draft and citations that answer from aligned clauses."""
    changed = [pair for pair in request.pairs if pair.kind != "unchanged"]
    shown = (changed or request.pairs)[:MAX_PAIRS]
    sources = {source.clause_id: source for source in request.evidence}
    blocks, citations = [], []
    words = content_words(request.question)
    for pair in shown:
        told = [sources[c] for c in (pair.clause_a, pair.clause_b) if c in sources]
        told = [source for source in told if source.text]
        sides = [
            cite(source, extract_passage(words, source, _different(source, other)))
            for source, other in zip(told, reversed(told), strict=True)
        ]
        if sides:
            numbers = " → ".join(dict.fromkeys(n for n in (pair.article_a, pair.article_b) if n))
            blocks.append(
                f"**{article_label(numbers)}: {pair.kind}**\n\n"
                + "\n\n".join(map(_block, sides, told))
            )
            citations += sides
    thinking = f"{len(request.pairs)} clauses were aligned, {len(changed)} of them differ."
    lead = "" if changed else "The clauses found say the same in both documents.\n\n"
    if len(changed) > MAX_PAIRS:
        lead = f"{len(changed)} articles differ. {MAX_PAIRS} of them are quoted here; the page Compare shows all.\n\n"
    return thinking, lead + "\n\n".join(blocks) or NOTHING_ALIGNED, tuple(citations)


def _different(source: Source, other: Source) -> str:
    """The first sentence of a clause that another does not have word for word."""
    theirs = frozenset(split_sentences(other.text))
    return next(
        (sentence for sentence in split_sentences(source.text) if sentence not in theirs), ""
    )


def _block(citation: Citation, source: Source) -> str:
    """A quote as a Markdown block, its lines and tables kept, with its place and whether more stands there."""
    article = article_label(f"{citation.article} {citation.part or ''}".rstrip())
    whole = source.text if citation.part is None else extract_part(source.text, citation.part) or ""
    cut = " (in part)" if len(whole.split()) > len(citation.quote.split()) else ""
    place = f"{article}{cut}, page {citation.page}, {citation.document}{citation.caution}"
    opening = "“\n" if citation.quote.startswith("|") else "“"
    closing = "\n”" if citation.quote.endswith("|") else "”"
    lines = f"{opening}{citation.quote}{closing} [{citation.marker}]".splitlines()
    shown: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        in_table, was_in_table = line.startswith("|"), before.startswith("|")
        shown += [""] if in_table != was_in_table and shown else []
        shown.append(line if in_table else f"{line}  ")
    return "\n".join(
        f"> {line}".rstrip(" ") if not line.strip() else f"> {line}" for line in (*shown, "", place)
    )
