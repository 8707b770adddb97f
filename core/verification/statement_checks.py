"""Checks of a draft's statements: whether they rest on a clause, its place, and its force."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.grammar import (
    amount_keys,
    articles_in,
    canonical_number,
    detect_language,
    find_sanctions,
    has_duty,
    list_cues,
    list_words,
    read_sentence,
)
from core.library import MIN_COVERAGE, coverage
from core.verification.evidence import shorten_text
from core.verification.statements import ParsedDraft, Statement, clause_text, plain_words, squeeze
from core.verification.types import DraftCheck, Source, doubt_or_fail

STRUCK_SHARE = 0.7
"""Share of a statement's words from which it repeats words that are not in force."""
_YEAR = re.compile(r"(?<![\w.,/€$£-])(?:19|20)\d\d(?![\w/-]|[.,]\d)")
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|\.)?"
_DATE = re.compile(rf"(?i)\b(?:{_DAY}\s+[^\W\d]+|[^\W\d]+\s+{_DAY},?)\s+(?:19|20)\d\d\b")
_ISSUE = re.compile(rf"(?i)\b(?:{list_cues('edition').any})\s*(\d+)")
UNTOLD = list_cues("untold").pattern
"""Words by which a draft says that the rules do not say something."""
_NOT_IN_FORCE = list_cues("not_in_force").pattern
_SPEAKER = re.compile(rf"\b(?:{list_cues('speaker').any})\b")
_RULING = list_cues("ruling", "saying", "no_law").pattern
_NAMED_RULING = re.compile(
    rf"""(?xi)\b(?P<named>(?:{list_cues("ruling").any}))\b(?P<about>[^,:;“”"]*?)
    (?:\b(?:{list_cues("saying").any})\b
    |(?:[,(][^,]*?)?\b(?:{list_cues("no_law").any})\b
    |\d{{4}}-\d\d-\d\d|{_DATE.pattern.removeprefix("(?i)")}
    |\b(?:number|nummer|numéro|Q)\s?\d)"""
)
"""A ruling that says something, that is called no law, or with its day or number."""
_NO_RULING = re.compile(rf"(?i)\b(?:{list_cues('negation').any})\s+(?:[^\W\d]+\s+)?$")
_TOPIC = re.compile(
    r"(?i)\b(?:on|about|of|to|for|regarding|concerning|zu|zum|über|von|sur|de|à)"
    r"(?:\s+(?:the|der|dem|den|die|la|le|l'))?\s*$"
)
_BOOKS = "|".join(list_words("below_documents"))
_RULE = re.compile(rf"(?i)\b(?:{_BOOKS}|rule|regulation|regel)\b")


@dataclass(frozen=True, slots=True)
class NotInForce:
    """Words that are not law, and a sentence on where they are.

    They are deleted, struck or future words of a cited article, or those of a ruling.
    """

    words: str
    note: str
    ruled_clause_id: str = ""
    """Of words of a ruling the clause that it is on; empty for others."""


def says_not_in_force(statement: Statement, draft: ParsedDraft) -> bool:
    """True where a statement says that something is not in force, in words of no rule it cites."""
    found = {match[0].casefold() for match in _NOT_IN_FORCE.finditer(statement.own)}
    if not found:
        return False
    rules = " ".join(map(clause_text, statement.sources or draft.sources)).casefold()
    return any(word not in rules for word in found)


def select_told(
    statement: Statement, draft: ParsedDraft, lapsed: Sequence[NotInForce]
) -> list[NotInForce]:
    """Return what a statement tells for what it is: not in force, or a ruling on a cited clause."""
    is_past = says_not_in_force(statement, draft)
    is_ruling = _names_ruling(statement.own)
    cited = {source.clause_id for source in draft.sources}
    return [
        one
        for one in lapsed
        if (is_ruling and one.ruled_clause_id in cited if one.ruled_clause_id else is_past)
    ]


def _names_ruling(text: str) -> bool:
    """True of a text in which a ruling speaks, and no article or rule does."""
    for match in _NAMED_RULING.finditer(text):
        if _NO_RULING.search(text[: match.start()]):
            continue
        about, first = match["about"], match.start()
        places = [one.start for one in articles_in(text) if one.start > first]
        places += [match.start("about") + one.start() for one in _RULE.finditer(about)]
        between = re.split(r"[,;:]", text[:first])[-1]
        is_alone = not articles_in(between)
        if is_alone and all(_TOPIC.search(text[first:place]) for place in places):
            return True
    return False


def repeats_ruling(statement: Statement, told: Sequence[NotInForce]) -> bool:
    """True where what a statement says in its own words is what a ruling says, and no more."""
    words = plain_words(_RULING.sub(" ", _DATE.sub(" ", statement.own)))
    return any(
        coverage(words, f"{one.words} {one.note}") >= STRUCK_SHARE
        for one in told
        if one.ruled_clause_id
    )


def check_support(statement: Statement, draft: ParsedDraft, question: str) -> Iterator[DraftCheck]:
    """Yield a failed check for a duty that no cited clause speaks of.

    A verdict on a value of the question is checked elsewhere.
    """
    text, words = statement.own, statement.words
    is_verdict = draft.sources and amount_keys(text) & amount_keys(question)
    sources = statement.sources or draft.sources
    is_told_elsewhere = is_verdict and not statement.sources
    if is_told_elsewhere or not _says_rule(text) or _SPEAKER.search(text) or UNTOLD.search(text):
        return
    known = "\n".join(map(_words_with_headings, sources))
    is_foreign = detect_language(text) not in (None, detect_language(known))
    share = 1 if is_foreign or len(words) < 2 else coverage(words, known)  # "It may not."
    if not sources or not share or (share < MIN_COVERAGE and not statement.sources):
        subject = shorten_text(text)
        reason = "unlike its clause" if statement.sources else "no clause"
        yield doubt_or_fail("uncited", subject, f"No cited clause says “{subject}”.", reason)


def _says_rule(text: str) -> bool:
    """True of a duty, and of what a breach costs."""
    amounts = read_sentence(text).amounts
    is_cost = find_sanctions(text) or any(one.role == "sanction" for one in amounts)
    return has_duty(text) or bool(is_cost)


def check_places(
    statement: Statement, draft: ParsedDraft, spoken: str, known: Sequence[Source]
) -> Iterator[DraftCheck]:
    """Yield a failed check for an article, season or issue that nothing cited bears.

    Of the places that a statement names beside its citations, one must be theirs. `spoken` are the
    question and notes; `known` are clauses that a statement without a duty may point to.
    """
    own = _DATE.sub(lambda m: "" if m[0].casefold() in spoken.casefold() else m[0], statement.own)
    sources = draft.sources if has_duty(own) else (*draft.sources, *known)
    for kind in ("Article", "Season", "Issue"):
        reason = "place" if kind == "Article" else "other edition"
        found = dict.fromkeys(_find_places(own, kind))
        spoken_of = _find_places(spoken, kind)
        for place in found:
            if place not in spoken_of and not any(_bears(one, kind, place) for one in sources):
                subject = f"{kind} {place}"
                message = f"{subject} is named, but no cited clause or document bears it."
                yield doubt_or_fail("place", subject, message, reason)
        cited = statement.sources
        if cited and found and not any(_bears(one, kind, p) for one in cited for p in found):
            labels = "; ".join(dict.fromkeys(f"{one.article}, {one.document}" for one in cited))
            subject = f"{kind} {next(iter(found))}"
            message = f"{subject} is named where {labels} is cited."
            yield doubt_or_fail("place", subject, message, reason)


def check_force(
    statement: Statement, draft: ParsedDraft, lapsed: Sequence[NotInForce]
) -> Iterator[DraftCheck]:
    """Yield a failed check where a statement tells words as law that are not."""
    if not lapsed:
        return
    pieces = draft.pieces_of(statement.sources or draft.sources)
    rules = "\n".join(piece.text for piece in pieces)
    subject = shorten_text(statement.text)
    repeated = next((one for one in lapsed if _repeats(statement.own, one, rules)), None)
    if repeated:
        message = f"“{subject}” is told as the rule. {repeated.note}"
        yield DraftCheck("force", False, subject, message)
        return
    words = plain_words(_DATE.sub(" ", statement.text))
    if len(words) < 3:
        return
    live = max((coverage(words, piece.text) for piece in pieces), default=0.0)
    every = coverage(words, rules)
    for one in lapsed:
        if one.ruled_clause_id and one.words.rstrip().endswith("?"):
            continue  # what is asked in a ruling is told by nobody
        known = every if one.ruled_clause_id else live
        if coverage(words, one.words) >= max(STRUCK_SHARE, known + 0.01):
            message = f"“{subject}” is told as the rule. {one.note}"
            yield DraftCheck("force", False, subject, message)
            return


def _repeats(text: str, ruling: NotInForce, rules: str) -> bool:
    """True of most of a sentence of a ruling, word for word, which no rule has."""
    words, sentence = squeeze(text).strip(' .>“”"'), squeeze(ruling.words)
    is_most = len(words.split()) > 2 and len(words) >= STRUCK_SHARE * len(sentence)
    is_told = is_most and words in sentence and words not in squeeze(rules)
    return bool(ruling.ruled_clause_id) and is_told


def _words_with_headings(source: Source) -> str:
    return "\n".join((*source.breadcrumb, source.document, clause_text(source)))


def _bears(source: Source, kind: str, place: str) -> bool:
    """True where a clause is of an article, season or issue, or names it."""
    if kind == "Article":
        article, number = canonical_number(source.article.split(" “")[0]), canonical_number(place)
        is_of = article == number or article.startswith((f"{number}.", f"{number}("))
    else:
        is_of = place == str(source.season if kind == "Season" else source.issue)
    return is_of or place in _find_places(_words_with_headings(source), kind)


@lru_cache(maxsize=2_000)
def _find_places(text: str, kind: str) -> tuple[str, ...]:
    """Return the numbers of the articles, seasons or issues that a text names."""
    if kind == "Article":
        return tuple(citation.number for citation in articles_in(text))
    return tuple((_YEAR if kind == "Season" else _ISSUE).findall(text))
