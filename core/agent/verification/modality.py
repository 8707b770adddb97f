"""Whether a draft keeps the strength of the rules it cites: must, may, only, unless, no less than.

What a draft says in its own words is compared; a quote has the rule's own strength.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from core.agent.evidence import alphanumeric_only, shorten_text
from core.agent.text.limits import QuantityLimit, find_limits
from core.agent.text.quantities import find_quantities
from core.agent.text.stems import coverage, fold_accents
from core.agent.text.vocabulary import any_word
from core.agent.types import DraftCheck
from core.agent.verification.statements import ParsedDraft, Piece, Statement, plain_words
from core.rulebook import article_label

MIN_SENTENCE_OVERLAP = 0.6
"""Share of its words that a draft's sentence must share with a rule's sentence to restate it."""
MIN_MUTUAL_OVERLAP = 0.75
"""Share from which two sentences are close enough that one "not" between them counts."""

_MUST_NOT = re.compile(
    r"(?i)\b(?:must|shall|may|can) (?:not|never|only)\b|\bcannot\b|"
    rf"\b(?:is|are) (?:not|never) (?:{any_word('permitted')})\b|\b(?:{any_word('forbidden')})\b|"
    r"\bno \w+(?:,? \w+){0,8} (?:may|shall|is permitted|are permitted)\b|"
    r"\b(?:nor|at no time|never) may\b|\bnobody may\b"
)
_DUTIES = {
    "must": re.compile(
        rf"(?i)\b(?:{any_word('must', 'obligatory')}|at least|no (?:less|more) than)\b"
    ),
    "may": re.compile(rf"\b(?:{any_word('may', 'permitted', 'optional')})\b", re.I),
    "should": re.compile(rf"\b(?:{any_word('advice')})\b", re.I),
}
_CLAIMS = re.compile(
    rf"(?i)\b(?:{any_word('must', 'obligatory', 'permitted', 'forbidden')}|"
    r"may (?:not|only|never))\b"
)
_EXCEPTION = re.compile(
    rf"(?i)\b(?:{any_word('exception', 'saving')}|excepting|save (?:in|with))\b"
)
_KEEPS_EXCEPTION = re.compile(
    rf"(?i)\b(?:{any_word('exception', 'proviso')}|except\w*|save|only|provided|otherwise|but|"
    r"apart from|without)\b"
)
_VERB = re.compile(
    rf"(?i)\b({any_word('must', 'may', 'advice')})\b (?:not |only )?(?:be )?([^\W\d]{{4,}})"
)
_NEGATION = re.compile(rf"(?i)(?<!\w)(?:{any_word('negation', 'forbidden')})(?!\w)")
_TURNING = re.compile(rf"(?i)\b(?:{any_word('turning')})\b")
_LOWER, _UPPER = ("at least", "more than"), ("at most", "less than")
_PARTS = re.compile(r",\s+(?:and|but|or)?\s?|\s(?:and|but|while)\s(?=.*?\b(?:must|may|shall)\b)")


def has_duty(text: str) -> bool:
    """True where a text says what a rule requires, permits or forbids."""
    return bool(_CLAIMS.search(text))


def is_negated(text: str) -> bool:
    """True where a text says that something is not."""
    return bool(_NEGATION.search(text))


def check_duties(statement: Statement, draft: ParsedDraft) -> Iterator[DraftCheck]:
    """Yield a failed check for a statement that changes the strength of what it cites.

    Found are a duty, a negation or a limit that is reversed or weakened, and an exception that is
    left out. A statement that cites nothing is compared with what the draft cites.
    """
    sources = statement.sources or draft.sources
    if wrong := _find_change(statement, draft.pieces_of(sources), draft) if sources else "":
        articles = ", ".join(dict.fromkeys(article_label(source.article) for source in sources))
        subject = shorten_text(statement.own)
        yield DraftCheck("duty", False, subject, f"“{subject}” {wrong}, {articles}.")


def _find_change(statement: Statement, pieces: Sequence[Piece], draft: ParsedDraft) -> str:
    """Return how a statement changes the strength of its clauses; empty where it keeps it."""
    said = find_limits(statement.own)
    by_amount = {limit.amount.key: limit for p in pieces for limit in find_limits(p.text)}
    limits = [limit for limit in said if limit.amount.key in by_amount]
    for limit in limits if statement.sources else ():
        rule = by_amount[limit.amount.key]
        if _reverses_limit(limit, rule):
            return f"says “{limit}” where it is “{rule}”"
    restated = _find_restated(statement.words, pieces)
    if any(limit.relation != "unclear" for limit in limits):  # which keeps the duty too
        if verb := _find_changed_verb(statement.own, restated):
            return f"changes what it says of “{verb}”"
    else:
        for part in _split_parts(statement.own):
            if change := _find_added_duty(part, statement, pieces):
                return change
    return _find_lost_exception(statement, restated, draft) if statement.sources else ""


def _find_restated(words: dict[str, str], pieces: Iterable[Piece]) -> str:
    """Return the sentence of the clauses that a statement restates; empty where it is none."""
    best = max(pieces, key=lambda p: p.covers(words) + 0.1 * p.is_cited, default=None)
    is_close = best and len(words) > 1 and best.covers(words) >= MIN_SENTENCE_OVERLAP
    return best.text if best and is_close else ""


def _find_added_duty(part: str, statement: Statement, pieces: Sequence[Piece]) -> str:
    words = plain_words(part)
    sentence = _find_restated(words, pieces)
    restated = max(_split_parts(sentence), key=lambda one: coverage(words, one), default="")
    said, known = _find_duties(part), _find_duties(restated)
    if not said:
        return _find_lost_negation(part, words, restated, bool(statement.sources))
    if not known:
        known = _find_duties(sentence)
    if not known and statement.sources:
        texts = [" ".join((*s.lead_in, s.title, s.text)) for s in statement.sources]
        known = set().union(*map(_find_duties, texts))
    if {frozenset(said), frozenset(known)} == {frozenset({"must"}), frozenset({"should"})}:
        return f"says “{', '.join(said)}” where it says “{', '.join(known)}”"
    added = said - known - {"should"}
    if not known - {"should"} or not added:
        return ""
    is_turned = _is_odd(part) != _is_odd(restated or sentence)
    if added | known == {"must", "must not"} and not is_turned:  # "must drive without"
        return ""
    return f"says “{', '.join(sorted(added))}”, which it does not"


def _find_changed_verb(own: str, restated: str) -> str:
    """Return a verb that is in both sentences, with a duty in one and a permission in the other."""
    said, known = (
        {fold_accents(match[2]): match[1] for match in _VERB.finditer(text)}
        for text in (own, restated)
    )
    return next(
        (v for v in said if v in known and _find_duties(said[v]) != _find_duties(known[v])), ""
    )


def _find_lost_negation(part: str, words: dict[str, str], restated: str, is_cited: bool) -> str:
    """Return that a "not" was lost or added between two sentences that say the same."""
    close = coverage(words, restated) >= MIN_MUTUAL_OVERLAP
    if not close or len(words) < 2 or find_quantities(restated):
        return ""
    if coverage(plain_words(restated), part) < (0.5 if is_cited else MIN_MUTUAL_OVERLAP):
        return ""
    is_turned = _is_odd(part) != _is_odd(restated)
    return f"turns “{shorten_text(restated)}” round" if is_turned else ""


def _is_odd(text: str) -> bool:
    """True where a text denies something: not "no car may, until", which permits what follows."""
    count = len(_NEGATION.findall(text))
    return (count + bool(_TURNING.search(text))) % 2 == 1 if count else False


def _find_lost_exception(statement: Statement, restated: str, draft: ParsedDraft) -> str:
    exception = _EXCEPTION.search(restated)
    if exception is None or _KEEPS_EXCEPTION.search(statement.own):
        return ""
    lost = restated[exception.start() :]
    quoted = alphanumeric_only(" ".join(p for one in draft.statements for p in one.passages))
    words = plain_words(lost)
    others = " ".join(one.own for one in draft.statements if one is not statement)
    is_kept = alphanumeric_only(lost)[:40] in quoted or coverage(words, others) >= 0.6
    return "" if is_kept else f"leaves out “{shorten_text(lost)}”"


def _split_parts(sentence: str) -> list[str]:
    """Return the parts of a sentence of which each can have a duty of its own."""
    parts: list[str] = []
    for half in re.split(r"[;:]\s+", sentence):
        opens = True
        for part in filter(None, _PARTS.split(half)):
            if opens or (_find_duties(part) and _find_duties(parts[-1])):
                parts.append(part)
            else:
                parts[-1] += f", {part}"
            opens = False
    return parts


def _reverses_limit(said: QuantityLimit, rule: QuantityLimit) -> bool:
    """True where a limit goes the other way than the rule's, or no longer says its direction."""
    if said.relation in _LOWER:
        return rule.relation in _UPPER
    if said.relation in _UPPER:
        return rule.relation in _LOWER
    return said.relation == "unclear" and rule.relation in (*_LOWER, *_UPPER)


def _find_duties(text: str) -> set[str]:
    """Return what a text obliges to, permits, forbids and advises: "must", "may", "must not"."""
    rest = _MUST_NOT.sub(" ", text)
    duties = {duty for duty, pattern in _DUTIES.items() if pattern.search(rest)}
    return duties | {"must not"} if _MUST_NOT.search(text) else duties
