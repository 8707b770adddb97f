"""The model that needs no key and no network: it classifies by rules, quotes whole sentences and scores by measures.

It writes no sentence about a rule of its own; what it cannot find it says it did not find.
"""

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace

from core.agent.evidence import cite, listed, sentences
from core.agent.models.following import standalone
from core.agent.models.llm import (
    Assessment,
    Classification,
    ClassifyRequest,
    Delta,
    Reply,
    ScoreRequest,
    Turn,
    estimate,
)
from core.agent.models.sought import Sought, Told, beside, sought, told
from core.agent.types import Citation, Intent, Score, Source, Strategy, Usage
from core.agent.verification.asked import brought, subject
from core.agent.verification.coverage import content_words, covered, rarity
from core.agent.verification.requirements import cited, requirements
from core.library.retrieval.definitions import LEFT_OUT
from core.rulebook.identity import language_of
from core.rulebook.structure import numbering

NAME = "offline (extractive)"
FOUND = 0.5
"""Share of the question's words from which a clause is quoted as an answer."""
MOST = 0.7
"""Share of the question's words from which the quoted clauses are taken to be about it."""
BESIDE = 0.8
"""A further clause is quoted when it covers this share of what the best one covers."""
UNTOLD = 0.4
"""What a check that comes to no verdict counts for at the most."""
TELLING = 0.25
"""What it counts for, beside the share of the question's words, that a clause tells what is asked for."""
QUOTES = 3
SUBCLAUSES = 12
"""Sub-clauses that are quoted of an article asked for by number whose own text is only a heading."""
QUOTE_WORDS = 120
"""A clause up to this length is quoted whole, a longer one from its best sentence on."""
FIRST_WORDS = 300
"""The same of the clause that is quoted first: what a rule says at its end may be what was asked for."""
PAIRS = 4
LANGUAGES = {
    "en": "English",
    "fr": "French",
    "de": "German",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "el": "Greek",
}
"""Those that are told apart."""

ABOUT = (
    "I answer questions about the rulebooks in the library, word for word, with article, page, season and issue."
    " Ask for a rule (“What is the pit lane speed limit?”), an article (“Article 12.3”), a summary, a penalty,"
    " or what changed between two issues or seasons. I am working offline: I quote the clauses I find and write"
    " nothing of my own."
)
OUT_OF_SCOPE = "That is not something a rulebook answers. Ask about the documents in the library."

_GREETING = re.compile(
    r"^\W*(hi|hello|hey|good (morning|day|evening)|thanks?( you)?|who are you)\b[\w\s,!.]{0,20}$", re.I
)
_ABOUT = re.compile(r"\bwhat can you (do|help)|\bhow (do|does) (you|this|it|scrutineer) work|^\W*help\W*$", re.I)
_FOREIGN = re.compile(
    r"\b(weather (be|like|today|tomorrow)|forecast|joke|poem|recipe|capital (city )?of|stock price|horoscope|lottery|"
    r"bet(ting)? odds|"
    r"who (won|will win|is winning)|write (me )?(a|some) (code|program|song|story)|translate)\b",
    re.I,
)
_INTENTS: tuple[tuple[Intent, str, re.Pattern[str]], ...] = (
    (
        "COMPARISON",
        "regulation_comparison",
        re.compile(
            r"\b(compar\w+|differences?|differs?|different (from|in|between)|versus|vs\.?|"
            r"between (season|issue|the )?\s*\d)\b|"
            # rules that changed, not a driver who changes tyres
            r"^((?!\b(may|must|can|could|shall|should|when|if|who|event|happens|many|often|penalt\w+)\b).)*?"
            r"(?<!for )\bchang\w+(?!.*\b(allowed|permitted|mandatory|required)\b)",
            re.I,
        ),
    ),
    (
        "PENALTY",
        "penalty_lookup",
        re.compile(r"\b(penalt\w+|sanction\w*|punish\w*|fined?|disqualif\w+|what happens (if|when|to))\b", re.I),
    ),
    (
        "SUMMARY",
        "regulation_summary",
        re.compile(
            r"\b(summar\w+|overview|outline|everything (about|on)|all (the )?(rules|requirements|articles))\b", re.I
        ),
    ),
    (
        "GENERAL",
        "general_rag",
        re.compile(r"\b(in general|generally|across|any rulebook|which (rulebook|document))", re.I),
    ),
)
_SECOND_CHOICE = {"regulation_search": "general_rag", "penalty_lookup": "regulation_search"}
_VALUE = re.compile(
    r"\b(how (many|much|fast|long|far|high|wide|heavy|often|old)|limit|minimum|maximum|at least|when|what time|"
    r"weight|mass|speed|width|height|length|number of)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Quote:
    source: Source
    text: str


class OfflineModel:
    """The extractive model. Deterministic: the same evidence gives the same draft and the same score."""

    answer_model = NAME
    decision_model = NAME
    offline = True

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]:
        question = standalone(request.question, request.history)
        if _GREETING.search(question) or _ABOUT.search(question):
            return _replied(
                "GENERAL", "answer", question, ABOUT, "A word to the assistant, not a question on rules."
            ), _USAGE
        if _FOREIGN.search(question):
            return _replied("OUT_OF_SCOPE", "decline", question, OUT_OF_SCOPE, "Not a question on a rulebook."), _USAGE
        for intent, tool, pattern in _INTENTS:
            if match := pattern.search(question):
                reason = f"The question says “{match.group(0)}”."
                return Classification(intent, "tool", question, tool, question, reason), _USAGE
        reason = "A specific question: its clauses are searched by number and by words."
        return Classification("SEARCH", "tool", question, "regulation_search", question, reason), _USAGE

    def respond(self, turn: Turn) -> Generator[Delta, None, Reply]:
        if turn.pairs:
            thinking, draft, citations = _compared(turn)
        else:
            thinking, draft, citations = _quoted(turn)
        draft = "\n\n".join((*turn.struck, draft))
        yield Delta("thought", thinking)
        yield Delta("draft", draft)
        return Reply(thinking, draft, citations, (), _USAGE)

    def measure(self, turn: Turn) -> int:
        return estimate(turn)

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        strategy, tool, query, reason = _refined(request)
        suggestions = tuple(f"What does Article {s.article} say on {s.title.lower()}?" for s in _beside(request))
        return Assessment(_measured(request), strategy, tool, query, reason, suggestions=suggestions), _USAGE


_USAGE = Usage(model=NAME, server="this machine", cost=0.0, stop_reason="end_turn")


def _replied(intent: Intent, kind: str, question: str, reply: str, reason: str) -> Classification:
    match kind:
        case "answer":
            return Classification(intent, "answer", question, "", "", reason, reply)
        case _:
            return Classification(intent, "decline", question, "", "", reason, reply)


def _quoted(turn: Turn) -> tuple[str, str, tuple[Citation, ...]]:
    """Thinking, draft and citations that answer from single clauses."""
    words = _words(turn.question)
    quotes = _with_referred(_checked_quotes(words, turn) or _best_quotes(words, turn), turn.evidence)
    if not quotes:
        return _not_found(turn, words)
    thinking = (
        f"{len(turn.evidence)} clauses are at hand. Those that hold most of “{', '.join(sorted(words.values()))}”"
        f" are quoted: {', '.join(dict.fromkeys(quote.source.article for quote in quotes))}."
    )
    citations = tuple(cite(quote.source, quote.text) for quote in quotes)
    blocks = (_block(citation, quote.source) for citation, quote in zip(citations, quotes, strict=True))
    return thinking, "\n\n".join(blocks), citations


def _different(source: Source, other: Source) -> str:
    """The first sentence of a clause that another does not have word for word."""
    theirs = frozenset(sentences(other.text))
    return next((sentence for sentence in sentences(source.text) if sentence not in theirs), "")


def _not_found(turn: Turn, words: dict[str, str]) -> tuple[str, str, tuple[Citation, ...]]:
    thinking = f"{len(turn.evidence)} clauses are at hand; none holds enough of the question's words."
    nearest = f"\n\nNearest clauses:\n\n{listed(turn.evidence[:QUOTES])}" if turn.evidence else ""
    wanted = ", ".join(sorted(words.values())) or turn.question
    found = f"I did not find a clause that says something on: {wanted}.{_other_language(turn)}{nearest}"
    return thinking, found, ()


def _other_language(turn: Turn) -> str:
    """A sentence where the question seems to be in another language than the rules; mostly empty."""
    spoken = language_of(turn.question)
    rules = language_of(" ".join(source.text for source in turn.evidence))
    if spoken in (None, rules) or (spoken == "en" and rules is None):
        return ""
    ask = f"in {LANGUAGES[rules]}, as the rules are" if rules else "in the language of the rules"
    return f" The question seems to be in {LANGUAGES[str(spoken)]}, and I do not translate: ask {ask}."


def _compared(turn: Turn) -> tuple[str, str, tuple[Citation, ...]]:
    """Thinking, draft and citations that answer from aligned clauses."""
    changed = [pair for pair in turn.pairs if pair.kind != "unchanged"]
    shown = (changed or turn.pairs)[:PAIRS]
    sources = {source.clause_id: source for source in turn.evidence}
    blocks, citations = [], []
    words = content_words(turn.question)
    for pair in shown:
        told = [sources[c] for c in (pair.clause_a, pair.clause_b) if c in sources]
        told = [source for source in told if source.text]
        sides = [
            cite(source, _passage(words, source, _different(source, other)))
            for source, other in zip(told, reversed(told), strict=True)
        ]
        if sides:
            numbers = " → ".join(dict.fromkeys(n for n in (pair.article_a, pair.article_b) if n))
            blocks.append(f"**Article {numbers}: {pair.kind}**\n\n" + "\n\n".join(map(_block, sides, told)))
            citations += sides
    thinking = f"{len(turn.pairs)} clauses were aligned, {len(changed)} of them differ."
    lead = "" if changed else "The clauses found say the same in both documents.\n\n"
    return thinking, lead + "\n\n".join(blocks) or NOTHING_ALIGNED, tuple(citations)


NOTHING_ALIGNED = "I did not find a clause on this in both documents."


def _best_quotes(words: dict[str, str], turn: Turn) -> list[_Quote]:
    if named := _named_quotes(turn):
        return named
    telling = _telling(turn.question, turn.intent, turn.evidence)
    ranked = sorted(
        ((_relevance(words, s, telling.get(s.clause_id)), -rank, s) for rank, s in enumerate(turn.evidence) if s.text),
        key=lambda item: item[:2],
        reverse=True,
    )
    if not ranked or ranked[0][0] < FOUND:
        return []
    limit = 2 * QUOTES if turn.intent == "SUMMARY" else QUOTES
    best = [source for relevance, _, source in ranked if relevance >= BESIDE * ranked[0][0]][:limit]
    holding = {clause_id: found.sentence for clause_id, found in telling.items()}
    first, *others = best
    return [
        _Quote(first, _passage(words, first, holding.get(first.clause_id, ""), FIRST_WORDS)),
        *(_Quote(source, _passage(words, source, holding.get(source.clause_id, ""))) for source in others),
    ]


def _telling(question: str, intent: Intent, evidence: Sequence[Source]) -> dict[str, Told]:
    """By clause id, where clauses tell what a question wants to be told, and are about the question."""
    wanted = _wanted(question, intent)
    if wanted is None:
        return {}
    words = _words(question)
    weights = rarity(words, [f"{source.title} {source.text}" for source in evidence])
    found = ((source.clause_id, told(wanted, words, source, weights)) for source in evidence)
    return {clause_id: one for clause_id, one in found if one is not None and one.share >= FOUND}


def _wanted(question: str, intent: Intent) -> Sought | None:
    """What a question wants to be told, where it is neither of a topic or an article as a whole nor of a value."""
    whole = intent in ("SUMMARY", "COMPARISON", "PENALTY") or numbering.articles_named(question) or brought(question)
    return None if whole else sought(question)


def _words(question: str) -> dict[str, str]:
    """The words of a question that a clause should hold; a value that it brings for a check is none of them."""
    return subject(question) if brought(question) else content_words(question)


def _checked_quotes(words: dict[str, str], turn: Turn) -> list[_Quote]:
    """The clauses whose limits the question's values can be held against, those most on its words first."""
    whole = [(source, source.text) for source in turn.evidence if source.text]
    told = [row for row in requirements(turn.question, whole) if row.verdict != "cannot tell"]
    shares = {source.clause_id: _relevance(words, source) for source, _ in whole}
    best = max((shares[row.citations[0].clause_id] for row in told), default=0.0)
    rows = [row for row in told if shares[row.citations[0].clause_id] >= BESIDE * best]
    sources = {source.clause_id: source for source, _ in whole}
    places: dict[str, list[str]] = {}
    for citation in cited(rows):
        places.setdefault(citation.clause_id, []).append(citation.quote)
    return [_Quote(sources[key], _span(words, sources[key], held)) for key, held in places.items()][: 2 * QUOTES]


def _span(words: dict[str, str], source: Source, held: Sequence[str]) -> str:
    """The words of a clause from the first sentence that holds a limit to the last: each may be the one that counts."""
    order = [piece for piece in sentences(source.text) if piece in held]
    if len(order) < 2 or len(source.text.split()) <= QUOTE_WORDS:
        return _passage(words, source, held[0])
    return _between(source.text, order[0], order[-1])


def _named_quotes(turn: Turn) -> list[_Quote]:
    """The articles that the question names, whole, or the lettered items of them; of a heading its sub-clauses."""
    quotes: list[_Quote] = []
    for citation in numbering.articles_named(turn.question):
        number, part = numbering.split_part(citation)
        bearing = [s for s in turn.evidence if numbering.normalise(s.article) == numbering.normalise(number)]
        below = [s for s in turn.evidence if s.article.startswith(f"{number}.") and s.why == "exact"]
        for source in bearing if any(s.text for s in bearing) else below[:SUBCLAUSES]:
            words = numbering.cut_part(source.text, part) if part else source.text
            if words:
                quotes.append(_Quote(source, words))
    return quotes


def _relevance(words: dict[str, str], source: Source, tells: Told | None = None) -> float:
    """Share of the question's words a clause covers, more where it tells what is asked for.

    A word found in its headings only counts half, unless its own title says all of them.
    """
    own = covered(words, source.text)
    if len(words) > 1 and covered(words, source.title) == 1:
        own = 1.0
    share = own + (covered(words, f"{source.text} {_heading(source)}") - own) / 2
    return max(share, tells.share) + TELLING if tells else share


def _heading(source: Source) -> str:
    """What a clause stands under: its titles, and its document's name."""
    return " ".join((source.title, *source.breadcrumb, source.document))


def _passage(words: dict[str, str], source: Source, holding: str = "", most: int = QUOTE_WORDS) -> str:
    """The words to quote from a clause, lines kept: all of them, or as much as fits from the best sentence on, which
    is the one `holding` certain words where they are given.

    A table is quoted from its header on, and whole; so is the lettered item that the sentence stands in with all that
    is below it, up to twice as long.
    """
    if LEFT_OUT in source.text:
        entries = source.text.split(LEFT_OUT)
        best_entry = max(entries, key=lambda entry: (bool(holding) and holding in entry, covered(words, entry)))
        source = replace(source, text=best_entry.strip())
    if len(source.text.split()) <= most:
        return source.text
    lines = source.text.split("\n")
    numbered = [(number, piece) for number, line in enumerate(lines) for piece in sentences(line)]
    pieces = [piece for _, piece in numbered]
    best = max(range(len(pieces)), key=lambda i: (pieces[i] == holding, covered(words, pieces[i]), -i))
    first = last = best
    while first and pieces[best].startswith("|") and pieces[first - 1].startswith("|"):
        first -= 1
    if first and pieces[first].startswith("|") and pieces[first - 1].endswith(":"):
        first -= 1
    length = sum(len(piece.split()) for piece in pieces[first : best + 1])
    while last + 1 < len(pieces):
        length += len(pieces[last + 1].split())
        if length > QUOTE_WORDS and not (pieces[last].startswith("|") and pieces[last + 1].startswith("|")):
            break
        last += 1
    if item := numbering.part_at(source.text, numbered[best][0]):
        below = [
            n for n, (line, _) in enumerate(numbered) if (numbering.part_at(source.text, line) or "").startswith(item)
        ]
        if sum(len(piece.split()) for piece in pieces[first : below[-1] + 1]) <= 2 * QUOTE_WORDS:
            last = max(last, below[-1])
    return _between(source.text, pieces[first], pieces[last])


def _between(text: str, first: str, last: str) -> str:
    """The text from one of its pieces to another."""
    start = text.find(first)
    end = text.find(last, start)
    return text[start : end + len(last)] if start >= 0 <= end else first


def _with_referred(quotes: list[_Quote], evidence: Sequence[Source]) -> list[_Quote]:
    """The quotes and the items of other clauses that they send one to ("a penalty under Article 54.3d)")."""
    found = list(quotes)
    for quote in quotes:
        for citation in numbering.articles_named(quote.text):
            number, part = numbering.split_part(citation)
            source = _of_number(number, quote.source, evidence)
            words = numbering.cut_part(source.text, part) if source and part else None
            if source and words and not any(q.source is source and words in q.text for q in found):
                found.append(_Quote(source, words))
    return found


def _of_number(number: str, beside: Source, evidence: Iterable[Source]) -> Source | None:
    wanted = numbering.normalise(number)
    return next(
        (s for s in evidence if s.document_id == beside.document_id and numbering.normalise(s.article) == wanted), None
    )


def _block(citation: Citation, source: Source) -> str:
    """A quote as a Markdown block, its lines and tables kept, with its place and whether more stands there."""
    part = f" {citation.part}" if citation.part else ""
    more = source.text if citation.part is None else numbering.cut_part(source.text, citation.part) or ""
    cut = " (in part)" if len(more.split()) > len(citation.quote.split()) else ""
    place = f"Article {citation.article}{part}{cut}, page {citation.page}, {citation.document}{citation.caution}"
    opening, closing = (
        ("“\n" if citation.quote.startswith("|") else "“"),
        ("\n”" if citation.quote.endswith("|") else "”"),
    )
    lines = f"{opening}{citation.quote}{closing} [{citation.marker}]".splitlines()
    shown: list[str] = []
    for before, line in zip(["", *lines], lines, strict=False):
        in_table, was_in_table = line.startswith("|"), before.startswith("|")
        shown += [""] if in_table != was_in_table and shown else []
        shown.append(line if in_table else f"{line}  ")
    return "\n".join(f"> {line}".rstrip(" ") if not line.strip() else f"> {line}" for line in (*shown, "", place))


def _measured(request: ScoreRequest) -> Score:
    """The four criteria by measures; the reasons name them.

    Right words that miss a word of the question may be about something else, so accuracy and specificity, too, are
    high only where the quoted clauses hold MOST of the question's words.
    """
    words = _words(request.question)
    wanted = _wanted(request.question, request.intent)
    tells = wanted is not None and _told_in_quotes(request)
    if wanted and tells:
        words = beside(wanted, words)
    places = {source.clause_id: _heading(source) for source in request.evidence}
    each = [f"{places.get(c.clause_id, c.title)} {c.quote}" for c in request.citations]
    quoted = " ".join(each)
    weights = rarity(words, [f"{source.title} {source.text}" for source in request.evidence])
    # Words that stand in quotes of their own, far from one another, may be about something else.
    one = max((covered(words, quote, weights) for quote in each), default=0.0)
    share = (covered(words, quoted, weights) + 2 * one) / 3
    if request.requirements:
        told = any(row.verdict != "cannot tell" for row in request.requirements)
        share = max(share, MOST) if told else min(share, UNTOLD)
    if _quotes_what_is_named(request) and not words:
        share = 1.0
    missing = [word for stem, word in words.items() if not covered({stem: word}, quoted)]
    if wanted and request.citations and not tells:
        share = min(share, UNTOLD)
        missing.append(wanted.name)
    length = len(request.draft.split())
    clarity = (9 if length <= 150 else 8 if length <= 600 else 6) if request.citations else 5
    accuracy, verified = _accurate(request, share)
    specificity, specific = _specific(request, quoted, share)
    return Score(
        completeness=round(1 + 9 * share),
        accuracy=accuracy,
        clarity=clarity,
        specificity=specificity,
        reasons={
            "completeness": f"{share:.0%} of the question's words, rare ones counting more, are in the quoted clauses.",
            "accuracy": verified,
            "clarity": f"{length} words.",
            "specificity": specific,
        },
        missing=", ".join(missing) if share < 1 else "",
    )


def _told_in_quotes(request: ScoreRequest) -> bool:
    """True where a sentence that is quoted tells what was asked for, and is about the question."""
    found = _telling(request.question, request.intent, request.evidence)
    return any(
        (one := found.get(citation.clause_id)) is not None and one.share >= MOST and one.sentence in citation.quote
        for citation in request.citations
    )


def _quotes_what_is_named(request: ScoreRequest) -> bool:
    """True where a citation is of an article that the question names, or of a sub-clause of it."""
    asked = [numbering.normalise(numbering.split_part(n)[0]) for n in numbering.articles_named(request.question)]
    quoted = [numbering.normalise(citation.article) for citation in request.citations]
    return any(article == number or article.startswith(f"{number}.") for number in asked for article in quoted)


def _accurate(request: ScoreRequest, share: float) -> tuple[int, str]:
    if not request.citations:
        return 1, "Nothing is quoted."
    if request.failures:
        return 3, "A quote could not be verified."
    if share < MOST:
        return 5, "The quotes are verified, but may be about something else."
    return 9, "Every quote was found in its clause."


def _beside(request: ScoreRequest) -> list[Source]:
    """Titled clauses that were found and not quoted."""
    quoted = {citation.clause_id for citation in request.citations}
    return [source for source in request.evidence if source.title and source.text and source.clause_id not in quoted]


def _specific(request: ScoreRequest, quoted: str, share: float) -> tuple[int, str]:
    if numbering.articles_named(request.question):
        hit = _quotes_what_is_named(request)
        return (10, "The article asked for is quoted.") if hit else (2, "The article asked for was not found.")
    if not request.citations:
        return 1, "Nothing is quoted."
    if share < MOST:
        return 4, "The quoted clauses lack words of the question."
    if _VALUE.search(request.question):
        has = bool(re.search(r"\d", quoted))
        return (9, "A value was asked for and one is quoted.") if has else (4, "A value was asked for, none is quoted.")
    return (
        (8, "The quoted clauses are about the question.") if share >= FOUND else (5, "Only loosely about the question.")
    )


def _refined(request: ScoreRequest) -> tuple[Strategy, str, str, str]:
    """What to try next: the question in the words of what was found, then another tool."""
    plan = request.plan
    words = _words(request.question)
    if brought(request.question):
        query = " ".join((*words.values(), "minimum maximum limit size requirements"))
        if (plan.tool, query) not in request.tried:
            return "REFINE_QUERY", plan.tool, query, "A limit on what is measured is looked for, not the value itself."
    titles = [source.title for source in request.evidence[:3] if covered(words, source.title) > 0]
    query = " ".join(dict.fromkeys(" ".join((*titles, *words.values())).split()))
    if query and (plan.tool, query) not in request.tried:
        return "REFINE_QUERY", plan.tool, query, "The question is put in the words of the headings that were found."
    tool = _SECOND_CHOICE.get(plan.tool, "regulation_search")
    return "SWITCH_TOOL", tool, request.question, f"{plan.tool} brought too little; {tool} looks more widely."
