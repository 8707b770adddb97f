"""A question, parsed once: what it names, which of its words count, what it brings and asks for.

It knows how often each word is in the clauses of the scope, and of these only those that define the
term that is asked for.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import islice
from math import log

from core.grammar import (
    AMOUNTS,
    SERIES,
    UNITS,
    Amount,
    AskedTerm,
    ClauseLimit,
    Quantity,
    detect_language,
    find_cues,
    find_direction,
    fold_accents,
    list_cues,
    list_words,
    read_passages,
    read_sentence,
    stem_words,
)
from core.library import (
    MIN_COVERAGE,
    Library,
    Scope,
    ScopeChoice,
    TermDefinition,
    content_words,
    count_words,
    coverage,
    find_named_articles,
    find_search_mode,
    find_term_definitions,
    parse_query_filters,
    synonyms_of,
)
from core.sheets import subject_words, values_in_question
from core.verification import Source

_HOW = re.compile(r"(?i)\bhow (?P<how>\w+)(?: (?P<what>\w+))?")
_BEHIND = re.compile(r"(?P<what>(?:\W+\w+){1,6})")
_ASKED_FOR = re.compile(rf"(?i)\b(?:{list_cues('question').any})\b{_BEHIND.pattern}")
"""A word of asking, and those behind it that may name what is asked for."""
_ASKS_WHETHER = re.compile(
    r"(?i)(?:^|[.,;:!?–-])\W*"
    rf"(?:{list_cues('verb', 'verb_of_advice', 'verb_of_verdict', 'verb_of_statement').any})\b"
)
_ASKS_FOR_THING = re.compile(rf"(?i)^\W*(?:[\w'’-]+\W+){{0,2}}(?:{list_cues('question').any})\b")
_EDITIONS_AT_END = re.compile(
    r"(?i)(?:\s+in(?: the)?(?: season)? (?:(?:19|20)\d\d|issue \d+))+[\s?.]*$"
)
"""Behind other words a year may be an amount: "of 2000"."""
_CAPITALIZES_NOUNS = ("de",)
_BESIDE_TERMS = frozenset(list_words("beside_terms"))
MAX_BARE_WORDS = 4
"""A question of more words asks for more than a term: the longest of the 60 that are defined in
tests/benchmarks/questions/definitions.csv have four."""
_DEFINING = frozenset(list_words("defining"))


_SIDES = {"at least": ("at least", "more than"), "at most": ("at most", "less than")}
_OPPOSITES = {"at least": "at most", "at most": "at least"}
_SUPERLATIVE = re.compile(r"(?i)\b(\w+e)st\b")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the steps after it see it.

    `words` are those that a clause on it should hold, by stem. `weights` is how much each says, by
    stem: the rarer in the scope the more (inverse document frequency), 0 where no clause has it.
    """

    text: str
    articles: tuple[str, ...] = ()
    """The articles that it names by number."""
    values: tuple[Quantity, ...] = ()
    """The values that it asks a verdict on."""
    words: Mapping[str, str] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    kinds: frozenset[str] = frozenset()
    """The kinds of amount that it asks for; empty where its words do not say."""
    choices: tuple[ScopeChoice, ...] = ()
    """The seasons, issues and rulebooks that it names."""

    asked_term: AskedTerm | None = None
    definitions: tuple[TermDefinition, ...] = ()
    """What defines that term in the scope, the surest first."""
    by_meaning: bool = False
    """True where the scope is searched by meaning too."""
    is_follow_up: bool = False
    """True where it was rewritten to stand alone, and asks for more than another edition."""

    @property
    def compares_editions(self) -> bool:
        """True where it names several seasons or issues."""
        return len({(choice.season, choice.issue) for choice in self.choices}) > 1

    @property
    def unknown(self) -> tuple[str, ...]:
        """Its words that no clause of the scope has."""
        return tuple(word for stem, word in self.words.items() if not self.weights[stem])

    @property
    def strange_names(self) -> tuple[str, ...]:
        """Names in it that no clause of the scope has: unknown words with a capital within it.

        A language that writes all nouns so tells nothing by it.
        """
        if detect_language(self.text) in _CAPITALIZES_NOUNS:
            return ()
        within = re.findall(r"(?<=[\w,] )[A-Z][\w'’-]{2,}", self.text)
        return tuple(word for word in within if word.lower() in self.unknown)

    @property
    def strange_series(self) -> tuple[str, ...]:
        """Names of series in it whose own word no clause of the scope has: "Zephyr Cup"."""
        strange = " ".join(self.unknown)
        named = SERIES.find_competitions(self.text)
        return tuple(name for word, name in named.items() if word in re.split(r"[\s-]", strange))

    @property
    def asks_whether(self) -> bool:
        """True where a sentence of it begins with a verb: it is answered by yes or no."""
        return bool(_ASKS_WHETHER.search(self.text))

    @property
    def asks_for_thing(self) -> bool:
        """True where it opens with a word of asking: only a rule that names the thing answers."""
        return bool(_ASKS_FOR_THING.search(self.text))

    @property
    def counted(self) -> frozenset[str]:
        """The stems of what it asks the number of; empty where that is a unit, or nothing is."""
        how = _HOW.search(self.text)
        what = (how["what"] or "") if how and how["how"].lower() == "many" else ""
        return frozenset() if what.lower() in UNITS else stem_words(what)

    @property
    def how(self) -> str:
        """The adjective behind "how", in lower case: "wide" of "How wide is it?"."""
        found = _HOW.search(self.text)
        return found["how"].lower() if found else ""

    @property
    def asked_kinds(self) -> frozenset[str]:
        """The kinds of amount that its words of asking are for."""
        return _find_amount_kinds(self.text)

    @property
    def wanted(self) -> str:
        """Return "at most" of "maximum" and "widest", "at least" of their opposites, else ""."""
        return _find_wanted_side(self.text)

    @property
    def asks_for_extreme(self) -> bool:
        """True where it says that a maximum, or a minimum, is asked for, and nothing else."""
        named = find_cues(self.text, "minimum", "maximum")
        sides = {"at most" if one.has("maximum") else "at least" for one in named}
        return sides == {self.wanted}

    def asks_for(self, amount: Amount) -> bool:
        """True of an amount of the kind asked for, or of any where none is."""
        if self.counted:
            return not amount.unit and bool(self.counted & stem_words(amount.thing))
        return not self.kinds or amount.measure in self.kinds

    def is_of_side(self, amount: Amount) -> bool:
        """True of a maximum where one is asked for, and likewise of a minimum."""
        return amount.relation in _SIDES.get(self.wanted, ())

    def is_opposite(self, amount: Amount | ClauseLimit) -> bool:
        """True of a minimum where a maximum is asked for, and the other way round."""
        return amount.relation in _SIDES.get(_OPPOSITES.get(self.wanted, ""), ())

    @property
    def is_undefined(self) -> bool:
        """True where it asks what a term is or means, and nothing in the scope defines that."""
        asked = self.asked_term
        return asked is not None and asked.form != "certain" and not self.definitions


@lru_cache(maxsize=64)
def _find_wanted_side(text: str) -> str:
    """Return the side that a question asks for.

    What belongs to an amount of the question says nothing: "more than two weeks late".
    """
    longer = [f"{found[1]}r than 1" for found in _SUPERLATIVE.finditer(text)]
    wanted = find_direction(text) or ""
    if any(find_cues(words, "more") for words in longer):
        wanted = "at most"
    elif any(find_cues(words, "less") for words in longer):
        wanted = "at least"
    side = next((name for name, same in _SIDES.items() if wanted in same), "")
    is_named = longer or find_cues(text, "minimum", "maximum")
    is_own = any(one.relation in _SIDES.get(side, ()) for one in read_sentence(text).amounts)
    return "" if is_own and not is_named else side


def read_amounts(
    question: Question, text: str, words: Mapping[str, str] | None = None
) -> tuple[list[Amount], list[Amount]]:
    """Return the limits in a text of a kind that a question asks for, and the opposite ones.

    With `words` only those of the passages that have most of these.
    """
    found = [
        (coverage(words, f"{one.passage.lead} {one.passage.label} {one.passage.text}"), amount)
        if words
        else (1.0, amount)
        for one in read_passages(text)
        for amount in one.sentence.amounts
        if amount.kind == "amount" and amount.role in ("limit", "sanction") and amount.proved
        if question.asks_for(amount)
    ]
    best = max((share for share, _ in found), default=0.0)
    nearest = [amount for share, amount in found if share == best]
    fitting = [one for one in nearest if not question.is_opposite(one)]
    return fitting, [one for one in nearest if one not in fitting]


def select_near(question: Question, sources: Iterable[Source]) -> tuple[Source, ...]:
    """Return the first four clauses that have half of what a question says; others would mislead.

    A word weighs by its rarity in the scope; one that no clause has as much as the rarest other.
    A question without words, that names an article only, is near to what was found for it.
    """
    rarest = max(question.weights.values(), default=0.0)
    weights = {stem: weight or rarest for stem, weight in question.weights.items()}

    def share(source: Source) -> float:
        text = " ".join((source.title, *source.breadcrumb, source.text))
        return coverage(question.words, text, weights)

    near = (s for s in sources if not question.words or share(s) >= MIN_COVERAGE)
    return tuple(islice(near, 4))


def asks_the_same(question: str, earlier: str) -> bool:
    """True where two questions differ at most in the seasons and issues that they end with."""
    first, second = (_EDITIONS_AT_END.sub("", text).rstrip(" ?.") for text in (question, earlier))
    return first == second


def read_question(library: Library, text: str, scope: Scope) -> Question:
    """Parse a question that is asked of a scope. Raises LibraryError `unreadable`."""
    counts = count_words(library, scope)
    articles = find_named_articles(library, text, scope)
    values = values_in_question(text)
    plain = reduce(lambda rest, number: rest.replace(number, " "), articles, text)
    plain = counts.correct_text(plain)
    words = subject_words(plain) if values else content_words(plain)

    def count_together(words: str) -> int:
        """In how many clauses some words can be together at most."""
        return min((counts.by_stem.get(stem, 0) for stem in stem_words(words)), default=0)

    found = {
        stem: counts.by_stem.get(stem, 0) or max(map(count_together, synonyms_of(word)), default=0)
        for stem, word in words.items()
    }
    weights = {
        stem: log(1 + counts.clauses / number) if number else 0.0 for stem, number in found.items()
    }
    filters, kinds = parse_query_filters(text, scope.documents), Question(text).asked_kinds
    term = None if values or articles else _find_term(text, filters.remaining_text, words)
    defined = _list_definitions(library, scope, term, text, kinds) if term else ()
    choices, mode = filters.choices, find_search_mode(library, scope, library.mode)
    return Question(
        text, articles, values, words, weights, kinds, choices, term, defined, mode != "lexical"
    )


def _find_term(text: str, without_names: str, words: Mapping[str, str]) -> AskedTerm | None:
    """Return the term that a question asks for, else all its words if they may be one."""
    asked = list(filter(None, map(AskedTerm.find, (text, without_names))))
    sure = [one for one in asked if one.form != "certain"]
    plain = [word for word in dict.fromkeys(words.values()) if word not in _DEFINING]
    others = {*re.findall(r"[\w'’-]+", fold_accents(text))} - {*plain} - _DEFINING - _BESIDE_TERMS
    is_term = 0 < len(plain) <= MAX_BARE_WORDS and not others
    return next(iter((*sure, *asked, *[AskedTerm(" ".join(plain), "certain")] * is_term)), None)


def _list_definitions(
    library: Library, scope: Scope, asked: AskedTerm, text: str, kinds: frozenset[str]
) -> tuple[TermDefinition, ...]:
    """Return what defines a term; where an amount is asked for, only entries of lists do."""
    surest = (0 if kinds else 3) if asked.form == "certain" else 5
    found = find_term_definitions(library, asked.term, scope, detect_language(text))
    return tuple(one for one in found if one.rank <= surest)


def _find_amount_kinds(text: str) -> frozenset[str]:
    """Return the kinds of amount that the words of asking are for."""
    how = _HOW.search(text)
    adjective = how["how"].lower() if how else ""
    if adjective == "many":
        return _find_unit(how)
    if adjective not in ("", "much"):
        meant = [one for one in AMOUNTS if adjective in one.adjectives]
        if not find_cues(text, "copula"):  # "How long do we have?" asks for no extent
            meant = [one for one in meant if not one.is_extent] or meant
        return frozenset[str]().union(*(one.kinds for one in meant))
    asked = _ASKED_FOR.search(text)
    if not asked and (extremes := find_cues(text, "minimum", "maximum")):
        asked = _BEHIND.match(text, extremes[0].end)
    said = set(re.findall(r"\w+", asked["what"].lower())) if asked else set()
    named = frozenset(kind for one in AMOUNTS if said & set(one.nouns) for kind in one.kinds)
    return _find_unit(how) or named


def _find_unit(how: re.Match[str] | None) -> frozenset[str]:
    """Return the kind of the unit behind "how many" or "how much", if it is one."""
    what = ((how and how["what"]) or "").lower()
    return frozenset((UNITS[what][0],)) if what in UNITS else frozenset()
