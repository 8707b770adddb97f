"""Whether a draft keeps the strength of the rules it cites: must, may, only, unless, no less than.

Both are read by the one reader of sentences. What a draft says in its own words is compared; a
quote has the rule's own strength.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache

from core.grammar import (
    Amount,
    Sentence,
    alphanumeric_only,
    article_label,
    find_cues,
    find_quantities,
    fold_accents,
    read_sentence,
)
from core.library import coverage
from core.verification.evidence import shorten_text
from core.verification.statements import ParsedDraft, Piece, Statement, plain_words
from core.verification.types import DraftCheck, doubt_or_fail

MIN_SENTENCE_OVERLAP = 0.6
"""Share of its words that a draft's sentence must share with a rule's sentence to restate it."""
MIN_MUTUAL_OVERLAP = 0.75
"""Share from which two sentences are close enough that one "not" between them counts."""

_SIDES = {"at least": 1, "more than": 1, "at most": -1, "less than": -1}
"""Which side of a limit is allowed."""
_COMPLEMENTS = {"less than": "at least", "more than": "at most", "at least": "less than"}
"""What is left beside an amount that decides which of two cases holds."""
_KEEPS_EXCEPTION = (
    "exception",
    "naming_exception",
    "condition",
    "only",
    "must_not",
    "requires",
    "doubtful",
)
Difference = tuple[str, str] | None
"""Why a statement differs from what it restates (of `LEVELS`), and how; None where it does not."""
_PARTS = re.compile(r",\s+(?:and|but|or)?\s?|\s(?:and|but|while)\s")
_VERB = re.compile(r"(?:be\s)?([^\W\d]{4,})")


def check_duties(statement: Statement, draft: ParsedDraft) -> Iterator[DraftCheck]:
    """Yield a failed check for a statement that changes the strength of what it cites.

    Found are a duty, a negation or a limit that is reversed or weakened, and an exception that is
    left out. A statement that cites nothing is compared with what the draft cites.
    """
    sources = statement.sources or draft.sources
    pieces = draft.pieces_of(sources)
    restated = _find_closest_piece(statement.words, pieces)
    wrong, keeps_limit = _compare_limits(statement, pieces)
    if keeps_limit:  # which keeps the duty too
        wrong = wrong or _find_changed_verb(statement.own, restated)
    else:
        parts = (
            _find_changed_duty(part, statement, pieces, restated) for part in _split(statement.own)
        )
        wrong = wrong or next(filter(None, parts), None)
    if wrong := wrong or _find_lost_exception(statement, restated.text, draft):
        reason, what = wrong
        articles = ", ".join(dict.fromkeys(article_label(source.article) for source in sources))
        subject = shorten_text(statement.own)
        yield doubt_or_fail("duty", subject, f"“{subject}” {what}, {articles}.", reason)


def _compare_limits(statement: Statement, pieces: Sequence[Piece]) -> tuple[Difference, bool]:
    """Return which limit a statement turns round or blurs, and whether it keeps one."""
    said = [one for one in read_sentence(statement.own).amounts if one.relation]
    if not said:
        return None, False
    rules: dict[object, list[Amount]] = {}
    for piece in pieces:
        for one in piece.sentence.amounts:
            if one.relation:
                rules.setdefault(one.key, []).append(one)
    said = [one for one in said if one.key in rules]
    for one in said if statement.sources else ():
        sides = {_SIDES.get(rule.relation or "", 0) for rule in rules[one.key]}
        side = _SIDES.get(one.relation or "", 0)
        is_other_case = one.role == "threshold" and _COMPLEMENTS.get(one.relation or "") in {
            rule.relation for rule in rules[one.key]
        }
        if is_other_case:  # "below 6,800 rpm" beside "from 6,800 rpm"
            continue
        is_blurred = not side and one.role == "limit" and one.is_governed and 0 not in sides
        if (side and -side in sides and side not in sides) or is_blurred:
            rule = rules[one.key][0]
            reason = "limit turned" if one.proved and rule.proved else "limit doubted"
            return (reason, f"says “{one}” where it is “{rule}”"), False
    return None, any(one.is_compared for one in said)


def _find_closest_piece(words: Mapping[str, str], pieces: Sequence[Piece]) -> Piece:
    """Return the sentence of the clauses that a statement restates; an empty one for none."""
    best = max(pieces, key=lambda p: coverage(words, p.text) + 0.1 * p.is_cited, default=None)
    is_close = best and len(words) > 1 and coverage(words, best.text) >= MIN_SENTENCE_OVERLAP
    return best if best and is_close else Piece("", False)


def _find_changed_duty(
    part: str, statement: Statement, pieces: Sequence[Piece], whole: Piece
) -> Difference:
    """Return how a part changes the duty of the clauses; `whole` is what its statement restates."""
    words = plain_words(part)
    closest = _find_closest_piece(words, pieces)
    closest = closest if closest.text else whole
    restated = max(_split(closest.text), key=lambda one: coverage(words, one), default="")
    is_turned = _denies(part, restated) != _denies(restated, part)
    said = _find_duties(part)
    if not said:
        is_lost = is_turned and _is_same_sentence(part, restated, bool(statement.sources))
        turned = f"turns “{shorten_text(restated)}” round"
        return ("sentence turned", turned) if is_lost else None
    texts = [" ".join((*s.lead_in, s.title, s.text)) for s in statement.sources]
    known = (
        _find_duties(restated)
        or _name_duties(closest.sentence)
        or frozenset[str]().union(*map(_find_duties, texts))
    )
    return _compare_duties(said, known, is_turned)


def _is_same_sentence(part: str, restated: str, is_cited: bool) -> bool:
    """True where two sentences without amounts have most words of each other."""
    words = plain_words(part)
    shares = coverage(words, restated), coverage(plain_words(restated), part)
    least = 0.5 if is_cited else MIN_MUTUAL_OVERLAP
    is_close = len(words) > 1 and shares[0] >= MIN_MUTUAL_OVERLAP and shares[1] >= least
    return is_close and not find_quantities(restated)


def _compare_duties(said: Set[str], known: Set[str], is_turned: bool) -> Difference:
    """Return how duties said differ from those of the clauses."""
    added = said - known - {"should"}
    if (said, known) in (({"should"}, {"must"}), ({"must"}, {"should"})):
        weakened = f"says “{', '.join(said)}” where it says “{', '.join(known)}”"
        return "duty weakened", weakened
    # "must drive without" forbids as "must not" does
    is_kept = added | known == {"must", "must not"} and not is_turned
    if is_kept or not added or not known - {"should"}:
        return None
    return "duty added", f"says “{', '.join(sorted(added))}”, which it does not"


def _find_changed_verb(own: str, restated: Piece) -> Difference:
    """Return a verb that is in both sentences, with a duty in one and a permission in the other."""
    said, known = (
        {
            fold_accents(verb[1]): duty.modality.removesuffix(" not")
            for duty in sentence.duties
            if (verb := _VERB.match(duty.what))
        }
        for sentence in (read_sentence(own), restated.sentence)
    )
    changed = (verb for verb, duty in said.items() if duty != known.get(verb, duty))
    found = next(changed, "")
    return ("verb changed", f"changes what it says of “{found}”") if found else None


@lru_cache(maxsize=4_000)
def _denies(text: str, other: str) -> bool:
    """True where a text denies; "no car may, until" permits, where the other text has no until."""
    count = len(find_cues(text, "negation", "denial", "forbidding"))
    turns = ("exception", "latest")
    is_permitted = find_cues(text, *turns) and not find_cues(other, *turns)
    return bool(count) and (count + bool(is_permitted)) % 2 == 1


def _find_lost_exception(statement: Statement, restated: str, draft: ParsedDraft) -> Difference:
    exceptions = find_cues(restated, "exception")
    is_kept = find_cues(statement.own, *_KEEPS_EXCEPTION) or find_cues(statement.own, "turning")
    if not statement.sources or not exceptions or is_kept:
        return None
    lost = restated[exceptions[0].start :]
    others = " ".join(one.text for one in draft.statements if one is not statement)
    is_told = coverage(plain_words(lost), others) >= MIN_SENTENCE_OVERLAP
    is_quoted = alphanumeric_only(lost)[:40] in alphanumeric_only(statement.text)
    if is_told or is_quoted:
        return None
    is_strict = _find_duties(statement.own) & {"must", "must not"}
    reason = "exception lost" if is_strict else "exception doubted"
    return reason, f"leaves out “{shorten_text(lost)}”"


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


@lru_cache(maxsize=4_000)
def _find_duties(text: str) -> frozenset[str]:
    """Return what a text obliges to, permits, forbids and advises: "must", "may", "must not"."""
    return _name_duties(read_sentence(text))


def _name_duties(sentence: Sentence) -> frozenset[str]:
    bounds = {"must" for one in sentence.amounts if one.is_compared and one.role == "limit"}
    said = {duty.modality for duty in sentence.duties if duty.end}
    return frozenset(said or bounds)
