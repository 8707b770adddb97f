"""Whether a draft keeps the strength of the rules it cites: must, may, only, unless, no less than.

What a draft says in its own words is compared; a quote has the rule's own strength.
"""

import re
from collections.abc import Iterator, Sequence

from core.grammar import (
    alphanumeric_only,
    any_word,
    article_label,
    find_limits,
    find_quantities,
    fold_accents,
)
from core.library import coverage
from core.verification.evidence import shorten_text
from core.verification.statements import ParsedDraft, Piece, Statement, plain_words
from core.verification.types import DraftCheck

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
DUTY = re.compile(
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
NEGATION = re.compile(rf"(?i)(?<!\w)(?:{any_word('negation', 'forbidden')})(?!\w)")
_TURNING = re.compile(rf"(?i)\b(?:{any_word('turning')})\b")
_SIDES = {"at least": 1, "more than": 1, "at most": -1, "less than": -1}
"""Which side of a limit is allowed."""
_PARTS = re.compile(r",\s+(?:and|but|or)?\s?|\s(?:and|but|while)\s(?=.*?\b(?:must|may|shall)\b)")


def check_duties(statement: Statement, draft: ParsedDraft) -> Iterator[DraftCheck]:
    """Yield a failed check for a statement that changes the strength of what it cites.

    Found are a duty, a negation or a limit that is reversed or weakened, and an exception that is
    left out. A statement that cites nothing is compared with what the draft cites.
    """
    sources = statement.sources or draft.sources
    pieces = draft.pieces_of(sources)
    restated = _find_closest_sentence(statement.words, pieces)
    wrong, keeps_limit = _compare_limits(statement, pieces)
    if keeps_limit:  # which keeps the duty too
        wrong = wrong or _find_changed_verb(statement.own, restated)
    else:
        parts = (
            _find_changed_duty(part, statement, pieces, restated) for part in _split(statement.own)
        )
        wrong = wrong or next(filter(None, parts), "")
    if wrong := wrong or _find_lost_exception(statement, restated, draft):
        articles = ", ".join(dict.fromkeys(article_label(source.article) for source in sources))
        subject = shorten_text(statement.own)
        yield DraftCheck("duty", False, subject, f"“{subject}” {wrong}, {articles}.")


def _compare_limits(statement: Statement, pieces: Sequence[Piece]) -> tuple[str, bool]:
    """Return which limit a statement turns round or blurs, and whether it keeps one."""
    if not (said := find_limits(statement.own)):
        return "", False
    rules = {limit.amount.key: limit for piece in pieces for limit in find_limits(piece.text)}
    said = tuple(limit for limit in said if limit.amount.key in rules)
    for limit in said if statement.sources else ():
        rule = rules[limit.amount.key]
        side, other = _SIDES.get(limit.relation, 0), _SIDES.get(rule.relation, 0)
        if other and (side == -other or limit.relation == "unclear"):
            return f"says “{limit}” where it is “{rule}”", False
    return "", any(limit.relation != "unclear" for limit in said)


def _find_closest_sentence(words: dict[str, str], pieces: Sequence[Piece]) -> str:
    """Return the sentence of the clauses that a statement restates; empty where it is none."""
    best = max(pieces, key=lambda p: p.covers(words) + 0.1 * p.is_cited, default=None)
    is_close = best and len(words) > 1 and best.covers(words) >= MIN_SENTENCE_OVERLAP
    return best.text if best and is_close else ""


def _find_changed_duty(part: str, statement: Statement, pieces: Sequence[Piece], whole: str) -> str:
    """Return how a part changes the duty of the clauses; `whole` is what its statement restates."""
    sentence = _find_closest_sentence(plain_words(part), pieces) or whole
    words = plain_words(part)
    restated = max(_split(sentence), key=lambda one: coverage(words, one), default="")
    is_turned = _denies(part, restated) != _denies(restated, part)
    said = _find_duties(part)
    if not said:
        is_lost = is_turned and _is_same_sentence(part, restated, bool(statement.sources))
        return f"turns “{shorten_text(restated)}” round" if is_lost else ""
    texts = [" ".join((*s.lead_in, s.title, s.text)) for s in statement.sources]
    known = (
        _find_duties(restated) or _find_duties(sentence) or set().union(*map(_find_duties, texts))
    )
    return _compare_duties(said, known, is_turned)


def _is_same_sentence(part: str, restated: str, is_cited: bool) -> bool:
    """True where two sentences without amounts have most words of each other."""
    words = plain_words(part)
    shares = coverage(words, restated), coverage(plain_words(restated), part)
    least = 0.5 if is_cited else MIN_MUTUAL_OVERLAP
    is_close = len(words) > 1 and shares[0] >= MIN_MUTUAL_OVERLAP and shares[1] >= least
    return is_close and not find_quantities(restated)


def _compare_duties(said: set[str], known: set[str], is_turned: bool) -> str:
    """Return how duties said differ from those of the clauses; empty where they do not."""
    added = said - known - {"should"}
    if (said, known) in (({"should"}, {"must"}), ({"must"}, {"should"})):
        return f"says “{', '.join(said)}” where it says “{', '.join(known)}”"
    # "must drive without" forbids as "must not" does
    is_kept = added | known == {"must", "must not"} and not is_turned
    if is_kept or not added or not known - {"should"}:
        return ""
    return f"says “{', '.join(sorted(added))}”, which it does not"


def _find_changed_verb(own: str, restated: str) -> str:
    """Return a verb that is in both sentences, with a duty in one and a permission in the other."""
    said, known = (
        {fold_accents(match[2]): _find_duties(match[1]) for match in _VERB.finditer(text)}
        for text in (own, restated)
    )
    changed = (verb for verb, duty in said.items() if duty != known.get(verb, duty))
    return next((f"changes what it says of “{verb}”" for verb in changed), "")


def _denies(text: str, other: str) -> bool:
    """True where a text denies; "no car may, until" permits, where the other text has no until."""
    count = len(NEGATION.findall(text))
    is_permitted = _TURNING.search(text) and not _TURNING.search(other)
    return bool(count) and (count + bool(is_permitted)) % 2 == 1


def _find_lost_exception(statement: Statement, restated: str, draft: ParsedDraft) -> str:
    exception = _EXCEPTION.search(restated)
    if not statement.sources or not exception or _KEEPS_EXCEPTION.search(statement.own):
        return ""
    lost = restated[exception.start() :]
    others = " ".join(one.text for one in draft.statements if one is not statement)
    is_told = coverage(plain_words(lost), others) >= MIN_SENTENCE_OVERLAP
    is_quoted = alphanumeric_only(lost)[:40] in alphanumeric_only(statement.text)
    return "" if is_told or is_quoted else f"leaves out “{shorten_text(lost)}”"


def _split(sentence: str) -> list[str]:
    """Return the parts of a sentence of which each can have a duty of its own."""
    parts: list[str] = []
    for half in re.split(r"[;:]\s+", sentence):
        first, *others = _PARTS.split(half)
        parts.append(first)
        for part in others:
            if _find_duties(part) and _find_duties(parts[-1]):
                parts.append(part)
            else:
                parts[-1] += f", {part}"
    return parts


def _find_duties(text: str) -> set[str]:
    """Return what a text obliges to, permits, forbids and advises: "must", "may", "must not"."""
    rest = _MUST_NOT.sub(" ", text)
    duties = {duty for duty, pattern in _DUTIES.items() if pattern.search(rest)}
    return duties | {"must not"} if _MUST_NOT.search(text) else duties
