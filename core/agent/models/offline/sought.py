"""What a question wants to know (an amount, a number of things, the meaning of a word), and the
sentence that says it.

Both go by the form of question and sentence. Whether the sentence is right is not decided here.
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
from core.agent.text.vocabulary import any_word
from core.agent.types import Source

LONGEST = 500
"""Characters of a question that are read; a longer one tells a story, or is no question."""
_VERBS = any_word("verb", "verb_of_advice", "verb_of_verdict", "verb_of_statement")
_MONTHS = any_word("month")
_NUMBER = rf"(?<![\w.,€$£])(?:\d+(?:[.,]\d+)*|{any_word('number')})\b(?![.,]\d)"
_OF_THINGS = re.compile(
    rf"(?i)(?:{_NUMBER}(?:\s*\(\d+\))?(?: or \w+)?|"
    r"\bno(?=\s[\w'’-]+ (?:is|are|will be|shall be)\b))"
    r"(?P<things>(?:\s+(?!(?:for|per|in|to|on|at|with|from|by|after|before|if|when|who|which|that|"
    r"is|are|may|must|shall)\b)[\w'’-]+){1,4})"
)
"""A number with the words behind it, which say what it is a number of."""
_COUNTED = re.compile(
    rf"(?i)\bhow (?:many|much)\s+(?!(?:{_VERBS})\b)(?P<what>(?:[\w'’-]+\s+){{0,3}}?[\w'’-]+?)"
    rf"(?=\s+(?:{_VERBS}|in|for|per|of|on|at|to|a|an|the)\b|\W*$)"
)
_NUMBER_OF = re.compile(
    r"(?i)^\W*(?:what (?:is|are) )?(?:the )?(?:(?:minimum|maximum) )?number of "
    r"(?P<what>(?:[\w'’-]+\s+){0,2}?[\w'’-]+?)"
    r"(?=\s+(?:in|for|per|of|on|at|to|a|an|the|that|which|allowed|required)\b|\W*$)"
)
_HOW = re.compile(r"\bhow (?P<head>(?!many\b|much\b)\w+)", re.I)
_HEADS = (
    re.compile(r"\bhow \w+ (?:is|are|was|were) (?:the |an? )?(?P<head>[\w'’-]+)", re.I),
    re.compile(rf"\bhow much (?:{_VERBS})\b.*?\b(?P<head>weigh|cost|pay)\b", re.I),
    re.compile(
        r"(?i)\b(?:what|which|when)(?:['’]s| is| are| was| were)? "
        r"(?P<head>(?:(?!(?:of|for|in|on|at|during|per|to|if|when|as)\b)[\w'’-]+\s*){1,6}"
        r"(?:as (?:an? )?\w+ \w+)?)"
    ),
)
"""Questions whose `head` may name an amount."""
_LEADING = re.compile(
    r"(?i)^\W*(?:(?:the|an?|minimum|maximum|min|max|permitted|allowed|required)\b\W*)+"
)
_TRAILING = re.compile(
    r"(?i)(?:\W*\b(?:limits?|levels?|values?|allowed|permitted|required|must|be|19\d\d|20\d\d))+\W*$"
)
_LIMITING = "minimum maximum limit level value size least most"
"""Words of asking that a sentence with an amount need not hold."""
_BOUNDS: tuple[tuple[re.Pattern[str], frozenset[Relation]], ...] = (
    (
        re.compile(r"\b(?:max(?:imum)?|at most|highest|largest)\b", re.I),
        frozenset(("at most", "less than", "between")),
    ),
    (
        re.compile(r"\b(?:min(?:imum)?|at least|lowest|smallest)\b", re.I),
        frozenset(("at least", "more than", "between")),
    ),
)
"""Words by which one asks for an end of a range, and the limits that give it."""
_ASKING = re.compile(rf"\b(?:{any_word('question', 'verb')}|if)\b", re.I)
_TOPIC_WORDS = 6
"""Words up to which a query that asks nothing is a topic, "rear wing width"."""
_EACH = re.compile(
    r"(?i)^\W*(?:\w\W\s+)?(?:each|every)\s+(?:[\w-]+\s+){0,3}?(?P<thing>[\w-]+)\s+"
    r"(?:must|may|shall|will|is|has)\b"
)
"""The beginning of a sentence on each of some things."""
_OTHER_KINDS = {
    "money": re.compile(
        r"(?i)[€$£]\s?\d|\b(?:USD|EUR|GBP|CHF|(?:US )?dollars?|euros?|pounds)\s?\d|"
        r"\d\s?(?:€|\b(?:USD|EUR|GBP|CHF|euros?|dollars|pounds)\b)"
    ),
    "age": re.compile(
        r"(?i)\b\d\d? years\b|\bage(?:d| of)?\s+(?:of\s+)?\d\d?\b|\d\d?(?:th)? birthday"
    ),
    "date": re.compile(
        rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})\b|\b(?:{_MONTHS}) \d{{1,2}}\b"
    ),
}
"""Amounts without a unit of the vocabulary."""
_ALL_KINDS = frozenset({kind for kind, _ in UNITS.values()} | _OTHER_KINDS.keys())
_ARTICLE = re.compile(
    r"(?i)\b(?:articles?|sections?|appendix|rules?)\s+[\w.]+(?:\s*\w?\))?|"
    r"\b[A-Z]{1,3}\.?\d+(?:\.\d+)+|\b\d+(?:\.\d+){2,}"
)
"""The number of an article, which is no amount and no number of things."""
_ABOVE = re.compile(r"\d\s?(?:mm|cm|m)\s+above\b|\babove the (?:ground|reference|track)", re.I)
_MEANING = re.compile(
    r"(?i)^\W*(?:what (?:is|are)(?: an?| meant by)? (?P<a>(?!the\b)[^?]+?)|"
    r"what (?:is|are) the (?P<name>(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*)*)|"
    r"what does (?:an? |the )?(?P<b>[^?]+?) mean|who (?:is|are) the (?P<c>[^?]+?)|"
    r"(?:define|(?:what is the )?definition of) (?:an? |the )?(?P<d>[^?]+?))"
    r"(?: in (?:the )?(?:(?:19|20)\d\d\b)?[^?]*?"
    r"\b(?:rules?|regulations?|rulebook|code|(?:19|20)\d\d))?\W*$"
)
_NO_TERM = re.compile(
    r"(?i)\b(?:allowed|permitted|required|needed|forbidden|prohibited|legal|in|on|at|for|under|after|"
    r"before|when|if|to|my|our|your|article|rules?)\b|\d"
)
"""Words of a question for a rule ("what is allowed in parc fermé?"), not for a term's meaning."""
_SAYS = (
    r"[”\"’']?(?:\s*\([^)]*\))?\s*(?::|–|-\s|\bmeans?\b|\bdesignates\b|\brefers? to\b|"
    r"\b(?:shall )?(?:mean|be|is|are) (?:an?|the|any|those|that)\b)"
)
"""What comes between a term and its meaning."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question wants: `kinds` of amounts, or things `counted`, or what `term` means.

    `name` is for people to read, `asking` the question's own word for it. `measured` is what a
    length is of ("thickness"), `bounds` which end of a range is asked for.
    """

    name: str
    asking: str = ""
    kinds: frozenset[str] = frozenset()
    measured: frozenset[str] = frozenset()
    bounds: tuple[tuple[re.Pattern[str], frozenset[Relation]], ...] = ()
    counted: str = ""
    term: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """The sentence of a clause that says it, and the share of the question's words around it."""

    sentence: str
    share: float


@lru_cache(maxsize=1000)
def sought(question: str) -> Sought | None:
    """Return what a question wants to know; None where its form does not say."""
    question = " ".join(question[:LONGEST].split())
    wanted = _read_amount(question) or _read_meaning(question)
    is_asking = _ASKING.search(question) or _MEANING.search(question)
    if not wanted and not is_asking and len(question.split()) <= _TOPIC_WORDS:
        wanted = _kind(question)
    bounds = tuple(bound for bound in _BOUNDS if bound[0].search(question))
    return replace(wanted, bounds=bounds) if wanted else None


def _read_amount(question: str) -> Sought | None:
    """Return the amount or number of things that a question asks for."""
    if counted := _COUNTED.search(question) or _NUMBER_OF.search(question):
        return _number_of(counted["what"])
    if (meaning := _MEANING.search(question)) and meaning["name"]:
        return Sought(f"what the {meaning['name']} is", term=meaning["name"])
    heads = (match["head"] for pattern in _HEADS if (match := pattern.search(question)))
    if found := next(filter(None, map(_kind, heads)), None):
        return found
    adjective = _HOW.search(question)
    word = adjective["head"] if adjective else ""
    amount = next((one for one in AMOUNTS if word.lower() in one.adjectives), None)
    return _amount(amount, word) if amount else None


def _read_meaning(question: str) -> Sought | None:
    """Return the term whose meaning a question asks for."""
    meaning = _MEANING.search(question)
    term = next(filter(None, meaning.groups()), "") if meaning else ""
    return Sought(f"what {term} is", term=term) if term and not _NO_TERM.search(term) else None


def told(
    wanted: Sought, words: Mapping[str, str], source: Source, weights: Mapping[str, float]
) -> Told | None:
    """Return the sentence of a clause that says what is wanted with most of the question's words.

    A sentence is read with the clause's headings, the line that leads in and a table's header.
    Words that are only elsewhere in its clause, or in the headings above it, count half.
    """
    plain = beside(wanted, words)
    if wanted.term and source.text and stem_words(source.title) == stem_words(wanted.term):
        return Told(split_sentences(source.text)[0], 1.0)
    title = source.title or (source.breadcrumb or ("",))[-1]
    near = coverage(plain, " ".join((title, *source.lead_in, source.text)), weights)
    shares: dict[str, float] = {}
    for sentence, around, lead in _read_sentences(source):
        # "Each Segment must ..." gives no amount of what is not a segment.
        each = _EACH.search(sentence) or _EACH.search(lead)
        is_of_part = wanted.kinds and each and not coverage(words, each["thing"])
        if not is_of_part and _tells(wanted, sentence, around):
            shares[sentence] = (coverage(plain, f"{around} {sentence}", weights) + near) / 2
    best = max(shares, key=lambda sentence: shares[sentence], default=None)
    return None if best is None else Told(best, shares[best])


def _read_sentences(source: Source) -> Iterator[tuple[str, str, str]]:
    """Yield the sentences of a clause, each with its context and the line that leads in."""
    heading = " ".join((source.title, *source.breadcrumb, source.document, *source.lead_in))
    lead = header = ""
    for sentence in split_sentences(source.text):
        header = (header or sentence) if sentence.startswith("|") else ""
        yield sentence, f"{heading} {lead} {header if header != sentence else ''}", lead
        lead = sentence if sentence.endswith(":") else lead


def beside(wanted: Sought, words: Mapping[str, str]) -> dict[str, str]:
    """Return the words of a question, by stem, without those that ask for an amount."""
    named = wanted.asking if "money" not in wanted.kinds else ""  # a fee is no fine
    asking = content_words(f"{named} {_LIMITING}") if wanted.kinds else {}
    return {stem: word for stem, word in words.items() if stem not in asking} or dict(words)


def _number_of(what: str) -> Sought:
    """Return what "how many" asks for: things, or an amount by its unit ("how many days")."""
    # What comes after the last plural is a verb: "reprimands lead".
    things = re.sub(r"(?<=[^s\W]s)\s+(?:[\w'’-]+[^s\W]|\W)*$", "", what)
    kind, _ = UNITS.get(things.lower(), ("", 0))
    if kind and kind not in ("laps", "points", "sets", "places"):
        return Sought(f"a number of {things}", things, frozenset({kind}))
    return _kind(things) or Sought(f"a number of {things}", counted=things)


def _kind(head: str) -> Sought | None:
    """Return the amount that words of asking are for: the last before the verb names it."""
    before_verb = re.split(rf"\b(?:{_VERBS})\b", head)[0].strip() or head
    words = _TRAILING.sub("", _LEADING.sub("", before_verb)).strip()
    for amount in AMOUNTS:
        nouns = "|".join(amount.nouns)
        if nouns and (match := re.search(rf"\b(?:{nouns})$", words, re.I)):
            return _amount(amount, match[0], words)
    is_limit = re.search(r"\blimit$", before_verb, re.I)
    return Sought("a limit", "limit", _ALL_KINDS) if is_limit else None


def _amount(amount: AmountWords, asking: str, words: str = "") -> Sought:
    measured = frozenset(find_length_words(words or asking) if amount.kinds == {"length"} else ())
    article = "an" if amount.name[0] in "aeiou" else "a"
    return Sought(f"{article} {amount.name}", asking, amount.kinds, measured)


def _tells(wanted: Sought, sentence: str, around: str) -> bool:
    if wanted.term:  # the sentence begins with it and says what it is, or has it in quotation marks
        plain = fold_accents(sentence)
        term = r"\W+".join(map(re.escape, re.findall(r"\w+", fold_accents(wanted.term))))
        begins = re.search(rf"^\W*(?:(?:an?|the)\s)?\W*{term}s?{_SAYS}", plain)
        return bool(begins or re.search(rf"[“\"]{term}s?[”\"]", plain))
    amounts = _ARTICLE.sub(" ", sentence)
    if wanted.counted:
        return _counts(wanted.counted, amounts, around)
    kinds = {quantity.kind for quantity in find_quantities(amounts)}
    kinds |= {kind for kind, pattern in _OTHER_KINDS.items() if pattern.search(amounts)}
    text = f"{around} {sentence}"
    said = find_length_words(text) | ({"height"} if _ABOVE.search(text) else set())
    if not kinds & wanted.kinds or (
        wanted.measured and not is_same_measure(set(wanted.measured), said)
    ):
        return False
    # The end of a range that is asked for is named so or set by a limit, not said by the way.
    relations = {limit.relation for limit in find_limits(sentence) if limit.kind in wanted.kinds}
    return all(named.search(text) or relations & ways for named, ways in wanted.bounds)


def _counts(what: str, sentence: str, around: str) -> bool:
    """True where a sentence gives a number of the things, or a row of a table on them has a number.

    For what has no plural ("how much fuel") any number of a sentence on it will do.
    """
    thing = content_words(what.split()[-1])
    if re.search(r"[^s]s$", what) and not sentence.startswith("|"):
        return any(coverage(thing, match["things"]) for match in _OF_THINGS.finditer(sentence))
    return bool(re.search(_NUMBER, sentence, re.I) and coverage(thing, f"{around} {sentence}"))
