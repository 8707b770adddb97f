"""What a question may mean that leaves it open, and which other document answers it: as choices.

A choice is a question that needs no more to be said, asked of the scope or of one document.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice

from core.agent.events import Choice
from core.agent.question import Question, read_amounts
from core.grammar import (
    AMOUNTS,
    article_label,
    detect_language,
    find_cues,
    list_cues,
    list_words,
    stem_term,
    stem_words,
)
from core.library import (
    Document,
    Library,
    Scope,
    coverage,
    find_term_definitions,
    resolve_scope,
    search,
)
from core.registers import LIMITS, Limit
from core.rulebook import Clause
from core.verification import Source

MAX_CHOICES = 6
_MAX_TITLE_WORDS = 6
"""A longer title is usually a sentence or a list, and names no thing."""
_MIN_SHARE = 0.7
"""Of a question's words, in the clauses by which several rulebooks answer it."""
_NEAR_SHARE = 0.1
"""By how much less of them a clause may have than the best one."""
_SURE_RANK = 2
"""Of a definition, up to which a document is named for it: later ones say something of the term."""
_NUMBER = re.compile(r"^(?:[A-Z]{1,3}[ .])?[A-Z]*\d[\w.]*[.:)]?\s+")
_SAID_OF_AMOUNTS = stem_words(" ".join(list_cues("minimum", "maximum")))
_SAID_OF_THINGS = stem_words(" ".join(list_words("said_of_things")))
_AMOUNTS = stem_words(" ".join(AMOUNTS.nouns))


def names_nothing(asked: Question) -> bool:
    """True of a question for an amount that does not say of what: "maximum width", "How high?"."""
    if (
        asked.values
        or asked.articles
        or not (amounts := AMOUNTS.list_named(asked.words.values(), asked.how))
    ):
        return False
    said = {word for one in amounts for word in (*one.nouns, *one.adjectives)}
    return not any(
        word not in said
        and word not in AMOUNTS.nouns  # "speeding" is a thing, "speed" is none
        and stem not in _SAID_OF_THINGS
        and not find_cues(word, "minimum", "maximum")
        for stem, word in asked.words.items()
    )


def list_meanings(library: Library, asked: Question, scope: Scope) -> Iterator[Choice]:
    """Yield what a question may be on that names nothing; nothing where that is one thing.

    They are what has limits on such an amount: on the side asked for, else on the other one. None
    where a rule has the amount alone as its title, "Weight": it is of what the document is on.
    """
    if asked.definitions or not names_nothing(asked):
        return
    nouns = _stem_nouns(asked)
    series = {one.series for one in scope.documents}
    named: dict[str, Choice] = {}
    for one in _find_limits(library, asked, scope, nouns):
        titles = [_NUMBER.sub("", title).strip() for title in one.heading.split(" / ")]
        if titles[-1] and stem_term(titles[-1]) <= nouns | _SAID_OF_AMOUNTS:
            return
        thing = _name_thing(titles, nouns) or article_label(one.article)
        question = f"{asked.text.strip().rstrip('? ')} ({thing})?"
        choice = _choose(question, scope.by_id[one.document_id], len(series) > 1)
        named.setdefault(thing.casefold(), choice)
    if len(named) > 1:
        yield from islice(named.values(), MAX_CHOICES)


def _stem_nouns(asked: Question) -> frozenset[str]:
    """Return the stems of the nouns by which a question names an amount, else of all for it."""
    amounts = AMOUNTS.list_named(asked.words.values(), asked.how)
    every = [noun for one in amounts for noun in one.nouns]
    said = [noun for noun in every if re.search(rf"(?i)\b{noun}\b", asked.text)]
    adjectives = (word for one in amounts for word in one.adjectives)
    return stem_words(" ".join((*(said or every), *adjectives)))


def _find_limits(
    library: Library, asked: Question, scope: Scope, nouns: Set[str]
) -> Sequence[Limit]:
    """Return the limits whose wording has nouns for the amount, those of the side asked for."""
    kinds = {
        kind for one in AMOUNTS.list_named(asked.words.values(), asked.how) for kind in one.kinds
    }
    limits = [
        one
        for document in scope.documents
        for one in LIMITS.obtain(library, document).binding
        if one.kind in kinds and nouns & stem_words(one.wording)
    ]
    return [one for one in limits if not asked.is_opposite(one)] or limits


def _name_thing(titles: Sequence[str], nouns: Set[str]) -> str:
    """Return the nearest title above a limit that names a thing."""
    for title in reversed(titles):
        own = stem_words(title) - nouns - _SAID_OF_THINGS - _AMOUNTS
        is_short = 0 < len(title.split()) <= _MAX_TITLE_WORDS
        if is_short and any(stem.isalpha() for stem in own):
            return title.capitalize() if title.isupper() else title
    return ""


def _choose(question: str, document: Document, is_of_it: bool = True) -> Choice:
    if not is_of_it:
        return Choice(question=question)
    label = document.citation_label
    return Choice(question=question, document_id=document.document_id, document=label)


def list_rulebooks(
    asked: Question, sources: Sequence[Source], documents: Sequence[Document]
) -> Iterator[Choice]:
    """Yield the documents that answer a question for an amount, each with another one.

    Nothing where the question names one of them. Of one series and season they are issues of one.
    """
    if asked.choices or asked.is_follow_up or not (asked.kinds or asked.counted):
        return
    found = _find_answers(asked, sources)
    held = [one for one in documents if one.document_id in found]
    groups = {(one.series, one.season) for one in held}
    families = [one.family for one in held if one.family]
    is_several = len(groups) > 1 or len(families) > len({*families})
    if is_several and len({found[one.document_id] for one in held}) > 1:
        yield from (_choose(asked.text, one) for one in held[:MAX_CHOICES])


def _find_answers(asked: Question, sources: Sequence[Source]) -> dict[str, frozenset[object]]:
    """Return the amounts asked for by document: of the first clause that is near enough."""
    shares = {source: coverage(asked.words, f"{source.title} {source.text}") for source in sources}
    least = max(_MIN_SHARE, max(shares.values(), default=0.0) - _NEAR_SHARE)
    found: dict[str, frozenset[object]] = {}
    for source in (one for one, share in shares.items() if share >= least):
        amounts, _ = read_amounts(asked, source.text, asked.words)
        if amounts:
            found.setdefault(source.document_id, frozenset(one.key for one in amounts))
    return found


def list_elsewhere(library: Library, asked: Question, scope: Scope) -> Iterator[Choice]:
    """Yield those of the twelve newest documents outside a scope that say what is asked for.

    Samples are left out. Raises LibraryError as `search`.
    """
    is_lacking = asked.unknown or asked.is_undefined
    if names_nothing(asked) or not is_lacking:
        return
    newest = resolve_scope(library.documents()).documents
    families = {document.family for document in scope.documents if document.family}
    others = [
        one
        for one in newest
        if one.document_id not in scope.ids and one.family not in families and not one.is_sample
    ]
    for document in others[:12]:
        if _answers(library, asked, Scope((document,), "elsewhere")):
            yield _choose(asked.text, document)


def _answers(library: Library, asked: Question, scope: Scope) -> bool:
    """True where a document defines the term asked for, or has all words of the question."""
    if asked.is_undefined and asked.asked_term:
        spoken = detect_language(asked.text)
        found = find_term_definitions(library, asked.asked_term.term, scope, spoken)
        return any(one.rank <= _SURE_RANK for one in found)
    if not asked.words:
        return False
    first: Iterable[Clause] = (hit.clause for hit in search(library, asked.text, scope, 1))
    return any(
        coverage(asked.words, f"{one.title} {one.text}") == 1
        and (not asked.kinds or bool(read_amounts(asked, one.text)[0]))
        for one in first
    )
