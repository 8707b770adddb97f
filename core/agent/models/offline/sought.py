"""What a question wants to be told: an amount, a number of things, or what a word means; and where a clause tells it.

It goes by the form of a question and of a sentence. Whether what is told is right is not decided here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from core.agent.evidence import split_sentences
from core.agent.text.compliance_question import find_length_words, is_same_measure
from core.agent.text.limits import Relation, find_limits
from core.agent.text.quantities import AMOUNTS, UNITS, AmountWords, find_quantities
from core.agent.text.stems import content_words, coverage, fold_accents, stem_words
from core.agent.types import Source

_AMOUNTS = tuple(
    (amount, re.compile(rf"\b(?:{words})$", re.I))
    for amount in AMOUNTS
    if (words := "|".join(amount.nouns))
)
LONGEST = 500
"""Letters of a question that its form is read from: what is longer tells a story first, or is no question."""
_ALL_KINDS = frozenset({kind for kind, _ in UNITS.values()} | {"money", "age", "date"})
_NUMBER = re.compile(
    r"(?<![\w.,€$£])(?:\d+(?:[.,]\d+)*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|"
    r"twenty|thirty|forty|fifty|sixty)\b(?![.,]\d)",
    re.I,
)
"""A number of things, in figures or words."""
_OF_THINGS = re.compile(
    rf"(?:{_NUMBER.pattern}(?:\s*\(\d+\))?(?: or \w+)?|\bno(?=\s[\w'’-]+ (?:is|are|will be|shall be)\b))"
    r"(?P<things>(?:\s+(?!(?:for|per|in|to|on|at|with|from|by|after|before|if|when|who|which|that|is|are|may|must|shall)\b)"
    r"[\w'’-]+){1,4})",
    re.I,
)
"""A number with the words behind it, which say what it is a number of."""
_VERBS = "may|must|can|could|should|shall|will|would|does|do|did|is|are|was|were|has|have"
_COUNTED = re.compile(
    rf"\bhow (?:many|much)\s+(?!(?:{_VERBS})\b)(?P<what>(?:[\w'’-]+\s+){{0,3}}?[\w'’-]+?)"
    rf"(?=\s+(?:{_VERBS}|in|for|per|of|on|at|to|a|an|the)\b|\W*$)",
    re.I,
)
_NUMBER_OF = re.compile(
    r"^\W*(?:what (?:is|are) )?(?:the )?(?:(?:minimum|maximum) )?number of (?P<what>(?:[\w'’-]+\s+){0,2}?[\w'’-]+?)"
    r"(?=\s+(?:in|for|per|of|on|at|to|a|an|the|that|which|allowed|required)\b|\W*$)",
    re.I,
)
_HOW = re.compile(r"\bhow (?P<head>(?!many\b|much\b)\w+)", re.I)
_HOW_IS = re.compile(r"\bhow \w+ (?:is|are|was|were) (?:the |an? )?(?P<head>[\w'’-]+)", re.I)
_HOW_MUCH = re.compile(rf"\bhow much (?:{_VERBS})\b.*?\b(?P<head>weigh|cost|pay)\b", re.I)
_WHAT = re.compile(
    r"\b(?:what|which|when)(?:['’]s| is| are| was| were)? "
    r"(?P<head>(?:(?!(?:of|for|in|on|at|during|per|to|if|when|as)\b)[\w'’-]+\s*){1,6}(?:as (?:an? )?\w+ \w+)?)",
    re.I,
)
_LEADING = re.compile(
    r"^\W*(?:(?:the|an?|minimum|maximum|min|max|permitted|allowed|required)\b\W*)+", re.I
)
_TRAILING = re.compile(
    r"(?:\W*\b(?:limits?|levels?|values?|allowed|permitted|required|must|be|19\d\d|20\d\d))+\W*$",
    re.I,
)
"""What stands around the word for an amount where one asks for it."""
_LIMITING = "minimum maximum limit level value size least most"
"""Words of asking that a sentence with an amount need not hold."""
_BOUNDS: tuple[tuple[re.Pattern[str], frozenset[Relation]], ...] = (
    (
        re.compile(r"\b(?:max(?:imum)?|at most|highest|largest)\b", re.I),
        frozenset({"at most", "less than", "between"}),
    ),
    (
        re.compile(r"\b(?:min(?:imum)?|at least|lowest|smallest)\b", re.I),
        frozenset({"at least", "more than", "between"}),
    ),
)
"""Words by which one asks for an end of a range, and the limits that tell it."""
_ASKING = re.compile(
    r"\b(?:what|which|how|who|whom|whose|when|where|why|is|are|may|can|must|does|do|if)\b", re.I
)
_TOPIC_WORDS = 6
"""Words up to which a query that asks nothing is a topic, "rear wing width"."""
_EACH = re.compile(
    r"^\W*(?:\w\W\s+)?(?:each|every)\s+(?:[\w-]+\s+){0,3}?(?P<thing>[\w-]+)\s+(?:must|may|shall|will|is|has)\b",
    re.I,
)
"""What a sentence begins with that is on each of some things."""
_MONEY = re.compile(
    r"[€$£]\s?\d|\b(?:USD|EUR|GBP|CHF|(?:US )?dollars?|euros?|pounds)\s?\d|"
    r"\d\s?(?:€|\b(?:USD|EUR|GBP|CHF|euros?|dollars|pounds)\b)",
    re.I,
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_AGE = re.compile(
    r"\b\d\d? years\b|\bage(?:d| of)?\s+(?:of\s+)?\d\d?\b|\d\d?(?:th)? birthday", re.I
)
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})\b|\b(?:{_MONTHS}) \d{{1,2}}\b"
)
_ARTICLE = re.compile(
    r"\b(?:articles?|sections?|appendix|rules?)\s+[\w.]+(?:\s*\w?\))?|\b[A-Z]{1,3}\.?\d+(?:\.\d+)+|\b\d+(?:\.\d+){2,}",
    re.I,
)
"""The number of an article, which is no amount and no number of things."""
_ABOVE = re.compile(r"\d\s?(?:mm|cm|m)\s+above\b|\babove the (?:ground|reference|track)", re.I)
_MEANING = re.compile(
    r"^\W*(?:what (?:is|are)(?: an?| meant by)? (?P<a>(?!the\b)[^?]+?)|"
    r"what (?:is|are) the (?P<name>(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*)*)|"
    r"what does (?:an? |the )?(?P<b>[^?]+?) mean|"
    r"who (?:is|are) the (?P<c>[^?]+?)|(?:define|(?:what is the )?definition of) (?:an? |the )?(?P<d>[^?]+?))"
    r"(?: in (?:the )?(?:(?:19|20)\d\d\b)?[^?]*?\b(?:rules?|regulations?|rulebook|code|(?:19|20)\d\d))?\W*$",
    re.I,
)
_NO_TERM = re.compile(
    r"\b(?:allowed|permitted|required|needed|forbidden|prohibited|legal|in|on|at|for|under|after|before|when|if|to|"
    r"my|our|your|article|rules?)\b|\d",
    re.I,
)
"""Words that no term holds whose meaning one asks for: "what is allowed in parc fermé?" asks for a rule."""
_SAYS = (
    r"[”\"’']?(?:\s*\([^)]*\))?\s*(?::|–|-\s|\bmeans?\b|\bdesignates\b|\brefers? to\b|"
    r"\b(?:shall )?(?:mean|be|is|are) (?:an?|the|any|those|that)\b)"
)
"""What stands between a term and its meaning."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is to be told: `kinds` of amounts, or things `counted`, or what `term` means. `name` says it to a person."""

    name: str
    asking: str = ""
    """The question's own word for it."""
    kinds: frozenset[str] = frozenset()
    measured: frozenset[str] = frozenset()
    """What a length is of ("thickness"), where the question says it."""
    bounds: tuple[tuple[re.Pattern[str], frozenset[Relation]], ...] = ()
    """Where the question asks for an end of a range."""
    counted: str = ""
    term: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """The sentence of a clause that tells it, and the share of the question's words there and around it."""

    sentence: str
    share: float


@lru_cache(maxsize=1000)
def sought(question: str) -> Sought | None:
    """What a question wants to be told; None where its form does not say."""
    question = " ".join(question[:LONGEST].split())
    wanted = _sought(question)
    bounds = tuple(bound for bound in _BOUNDS if bound[0].search(question))
    return replace(wanted, bounds=bounds) if wanted else None


def _sought(question: str) -> Sought | None:
    if counted := _COUNTED.search(question) or _NUMBER_OF.search(question):
        return _number_of(counted["what"])
    meaning = _MEANING.search(question)
    if meaning and meaning["name"]:
        return Sought(f"what the {meaning['name']} is", term=meaning["name"])
    for pattern in (_HOW_IS, _HOW_MUCH, _WHAT):
        if (match := pattern.search(question)) and (found := _kind(match["head"])):
            return found
    if (match := _HOW.search(question)) and (
        amount := next((a for a in AMOUNTS if match["head"].lower() in a.adjectives), None)
    ):
        return _amount(amount, match["head"])
    if meaning and (term := next(group for group in meaning.groups() if group)):
        return None if _NO_TERM.search(term) else Sought(f"what {term} is", term=term)
    topic = not _ASKING.search(question) and len(question.split()) <= _TOPIC_WORDS
    return _kind(question) if topic else None


def told(
    wanted: Sought, words: Mapping[str, str], source: Source, weights: Mapping[str, float]
) -> Told | None:
    """The sentence of a clause that tells what is wanted and holds most of the question's words; None where none does.

    A sentence is read with what it stands under: the clause's headings, the line that leads in, a table's header. Words
    that stand only elsewhere in its clause, or in the headings above it, count half.
    """
    plain = beside(wanted, words)
    if wanted.term and source.text and stem_words(source.title) == stem_words(wanted.term):
        return Told(split_sentences(source.text)[0], 1.0)
    near = " ".join(
        (source.title or (source.breadcrumb or ("",))[-1], *source.lead_in, source.text)
    )
    shares = {
        sentence: (
            coverage(plain, f"{around} {sentence}", weights) + coverage(plain, near, weights)
        )
        / 2
        for sentence, around, lead in _read(source)
        if _tells(wanted, sentence, around)
        and not (wanted.kinds and _of_each(words, sentence, lead))
    }
    best = max(shares, key=lambda sentence: shares[sentence], default=None)
    return None if best is None else Told(best, shares[best])


def beside(wanted: Sought, words: Mapping[str, str]) -> dict[str, str]:
    """The words of a question, by stem, without those that ask for an amount, which need not stand where it is told."""
    named = wanted.asking if "money" not in wanted.kinds else ""  # a fee is no fine
    asking = content_words(f"{named} {_LIMITING}") if wanted.kinds else {}
    return {stem: word for stem, word in words.items() if stem not in asking} or dict(words)


def _number_of(what: str) -> Sought:
    """What words behind "how many" are for: things, or an amount that is named by its unit ("how many days")."""
    # What stands behind the last plural is a verb: "reprimands lead".
    things = re.sub(r"(?<=[^s\W]s)\s+(?:[\w'’-]+[^s\W]|\W)*$", "", what)
    kind, _ = UNITS.get(things.lower(), ("", 0))
    if kind and kind not in ("laps", "points", "sets", "places"):
        return Sought(f"a number of {things}", things, frozenset({kind}))
    return _kind(things) or Sought(f"a number of {things}", counted=things)


def _kind(head: str) -> Sought | None:
    """The amount that the words of asking are for: the last before the verb names it."""
    before_verb = re.split(rf"\b(?:{_VERBS})\b", head)[0].strip() or head
    words = _TRAILING.sub("", _LEADING.sub("", before_verb)).strip()
    for amount, pattern in _AMOUNTS:
        if match := pattern.search(words):
            return _amount(amount, match[0], words)
    return (
        Sought("a limit", "limit", _ALL_KINDS)
        if re.search(r"\blimit$", before_verb, re.I)
        else None
    )


def _amount(amount: AmountWords, asking: str, words: str = "") -> Sought:
    measured = frozenset(find_length_words(words or asking) if amount.kinds == {"length"} else ())
    article = "an" if amount.name[0] in "aeiou" else "a"
    return Sought(f"{article} {amount.name}", asking, amount.kinds, measured)


def _read(source: Source) -> Iterator[tuple[str, str, str]]:
    """The sentences of a clause, each with what it stands under and the line that leads in."""
    heading = " ".join((source.title, *source.breadcrumb, source.document, *source.lead_in))
    lead = header = ""
    for sentence in split_sentences(source.text):
        header = (header or sentence) if sentence.startswith("|") else ""
        yield sentence, f"{heading} {lead} {header if header != sentence else ''}", lead
        if sentence.endswith(":"):
            lead = sentence


def _of_each(words: Mapping[str, str], sentence: str, lead: str) -> bool:
    """True where an amount is of each of some things that the question does not speak of, "Each Segment must"."""
    each = _EACH.search(sentence) or _EACH.search(lead)
    return each is not None and not coverage(words, each["thing"])


def _tells(wanted: Sought, sentence: str, around: str) -> bool:
    if wanted.term:
        return _means(wanted.term, sentence)
    amounts = _ARTICLE.sub(" ", sentence)
    if wanted.counted:
        return _counts(wanted.counted, amounts, around)
    kinds = {quantity.kind for quantity in find_quantities(amounts)}
    kinds |= {
        kind
        for kind, pattern in (("money", _MONEY), ("age", _AGE), ("date", _DATE))
        if pattern.search(amounts)
    }
    text = f"{around} {sentence}"
    return (
        bool(kinds & wanted.kinds)
        and _of_measure(wanted.measured, text)
        and _bounded(wanted, sentence, text)
    )


def _of_measure(measured: frozenset[str], text: str) -> bool:
    said = find_length_words(text) | ({"height"} if _ABOVE.search(text) else set())
    return not measured or is_same_measure(set(measured), said)


def _bounded(wanted: Sought, sentence: str, text: str) -> bool:
    """True where the end of a range that is asked for is named so or set by a limit, not told by the way."""
    relations = {limit.relation for limit in find_limits(sentence) if limit.kind in wanted.kinds}
    return all(named.search(text) or relations & ways for named, ways in wanted.bounds)


def _counts(what: str, sentence: str, around: str) -> bool:
    """True where a sentence says a number of the things, or a number stands in the row of a table on them.

    What has no plural ("how much fuel") may be told by any number of a sentence on it.
    """
    thing = content_words(what.split()[-1])
    if re.search(r"[^s]s$", what) and not sentence.startswith("|"):
        return any(coverage(thing, match["things"]) for match in _OF_THINGS.finditer(sentence))
    return bool(_NUMBER.search(sentence) and coverage(thing, f"{around} {sentence}"))


def _means(term: str, sentence: str) -> bool:
    """True where a sentence begins with a term and says what it is, or puts the term in quotation marks."""
    words = r"\W+".join(re.escape(word) for word in re.findall(r"\w+", fold_accents(term)))
    plain = fold_accents(sentence)
    begins = re.search(rf"^\W*(?:(?:an?|the)\s)?\W*{words}s?{_SAYS}", plain)
    return bool(begins or re.search(rf"[“\"]{words}s?[”\"]", plain))
