"""What documents say of how they stand to one another, as proposals that a person accepts.

A sentence proposes something where it names two documents, one of them maybe as "this document",
and has a verb of precedence, of adding, changing or replacing. Which of them prevails is the one
that the verb is said of, the last that is named before it; or the one that is silent where the
other holds. A sentence that denies something else proposes nothing, nor does one in which a pronoun
prevails. Nothing acts on a proposal.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from core.choices import Prevailing, RelationKind
from core.grammar import list_cues, list_words, split_sentences
from core.library.layers import Layers
from core.library.rulings import Rulings
from core.library.storage.library import Library
from core.library.types import Document, Relation, series_tokens
from core.rulebook import NAMELESS_WORDS, Clause, MetadataOverride, find_dates


def _any_of(name: str) -> re.Pattern[str]:
    phrases = "|".join(map(re.escape, list_words(name)))
    return re.compile(rf"\b(?:{phrases})\b", re.IGNORECASE)


_VERBS: dict[RelationKind | None, re.Pattern[str]] = {
    None: _any_of("prevailing"),
    "replaces": _any_of("replacing_document"),
    "amends": _any_of("amending_document"),
    "supplements": _any_of("adding_document"),
    "interprets": _any_of("interpreting_document"),
}
"""Verbs by what they say; None for who prevails."""
_SILENT = _any_of("silent_document")
_ABOVE, _BELOW = _any_of("above_documents"), _any_of("below_documents")
_BEGINS, _ENDS = _any_of("beginning_force"), _any_of("ending_force")
_CHANGES_FROM = _any_of("beginning_change")
_OF_SEASON = re.compile(rf"{_any_of('valid_for_season').pattern}\s+(20\d\d)", re.IGNORECASE)
_SEASON, _YEAR = re.compile(r"(?i)\b(?:season|saison)\b"), _any_of("calendar_year")
_KINDS = "|".join(map(re.escape, (*list_words("above_documents"), *list_words("below_documents"))))
_OWN = re.compile(
    rf"\b(?:(?:this|these|dieses?|diese[rmn]?|ces?|cette|présente?s?)\s+(?:[\w-]+\s+)?"
    rf"(?:documents?|dokuments?|{_KINDS})|hereby)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"\b((?:[A-ZÀ-Þ][\w-]*\s+){{0,5}})((?i:{_KINDS}))\b(?:\s+(20\d\d))?")
_COMMON = frozenset((*list_words("above_documents", "below_documents"), "formula", "student"))
"""Words that are no series' own."""
_DENIES = list_cues("negation").pattern
_ORDINAL = re.compile(
    r"(?i)\b(?:(?P<first>the former|erstere[rns]?)|the latter|letztere[rns]?)\s+"
    r"(?:shall\s+|will\s+)?$"
)
_PRONOUN = re.compile(
    r"(?i)\b(?:it|they|these|those|both|either|which|that|one|es|sie|beide|diese|ils|elles?|il)"
    r"\s+(?:shall\s+|will\s+)?$"
)
_UNTIL = re.compile(
    r"(?i)\s(?:to|until|till|through|bis(?: zum)?|au|jusqu['’]au|[–—-])\s+"
    r"(?:and including\s|the\s)?"
)
_LONGEST_DAY = 24
"""Characters in which a date begins and ends behind the word that announces it."""
_ARTICLES = frozenset("the this these der die das dem den des le la les".split())


@dataclass(frozen=True, slots=True)
class LayerProposal:
    """What a clause says of a document: how it stands to another one, or when it is in force."""

    document: Document
    other: Document | None
    relation: Relation | None
    valid_from: str | None
    valid_to: str | None
    clause_id: str
    article: str
    quote: str
    number: int = 0
    """Its place among all that the texts propose, from 1: it stays while others are accepted."""

    def accept(self, library: Library, by: str = "") -> None:
        """Store what it says, as said by a person. Raises ScrutineerError."""
        if self.relation and self.relation.kind == "interprets":
            interprets = (*self.document.interprets, self.relation.document_id)
            Rulings(library).interpret(self.document.document_id, interprets, by)
        elif self.relation:
            library.relate(self.document.document_id, replace(self.relation, by=by))
        else:
            days = MetadataOverride(valid_from=self.valid_from, valid_to=self.valid_to)
            library.correct_metadata(self.document.document_id, days)


def propose_layers(library: Library, document: Document) -> list[LayerProposal]:
    """Return what a document says of how it stands to others of its season, or they to it.

    What was said of both by a person is left out. Each pair is proposed once, with the sentence
    that says who prevails if there is one. Raises LibraryError.
    """
    document = library.document(document.document_id)  # as it is now
    documents = [one for one in library.documents() if _is_of_season(one, document)]
    layers = Layers(library.documents()).every
    known: set[frozenset[Document | None]] = {frozenset((one.above, one.below)) for one in layers}
    found: dict[frozenset[Document | None], LayerProposal] = {}  # known ones too, for the numbers
    texts = chain(library.clauses(document.document_id), library.other_texts(document.document_id))
    for clause in (one for one in texts if one.status in ("in_force", "no_rule")):
        if clause.kind not in ("", "cover"):
            continue
        for one in _read_clause(clause, document, documents):
            pair = frozenset((one.document, one.other))
            before = found.get(pair)
            if before is None or _weight(one) > _weight(before):
                found[pair] = one
    proposed = enumerate((*found.values(), *_propose_validity(library, document)), 1)
    numbered = [replace(one, number=number) for number, one in proposed]
    return [one for one in numbered if frozenset((one.document, one.other)) not in known]


def _weight(proposal: LayerProposal) -> tuple[bool, bool]:
    said = proposal.relation
    return bool(said and said.kind != "supplements"), bool(said and said.prevails)


def _is_of_season(one: Document, other: Document) -> bool:
    return None in (one.season, other.season) or one.season == other.season


def _read_clause(
    clause: Clause, document: Document, documents: Sequence[Document]
) -> Iterator[LayerProposal]:
    """Yield what the sentences of a clause say of its document and another one."""
    sentences = split_sentences(clause.text)
    for before, sentence in pairwise(("", *sentences)):
        silent = _SILENT.search(sentence)
        if _DENIES.search(sentence) and not silent:
            continue
        for kind, pattern in _VERBS.items() if silent is None else ((None, _SILENT),):
            if (verb := pattern.search(sentence)) is None:
                continue
            named = [*_find_named(sentence, document, documents)]
            if len({one for _, one in named}) == 1 and before:  # "In that case the handbook ..."
                named = [(-1, one) for _, one in _find_named(before, document, documents)] + named
            subject = _find_subject(sentence[: verb.start()], named)
            others = dict.fromkeys(one for _, one in named if one != document)
            if subject is None or len({one for _, one in named}) < 2:
                continue
            for other in others:
                yield _propose(clause, sentence, kind, (document, other), subject)


def _find_subject(before: str, named: Sequence[tuple[int, Document]]) -> Document | None:
    """Return the document that a verb is said of, by what is before it; None if that is unclear."""
    if ordinal := _ORDINAL.search(before):
        documents = list(dict.fromkeys(one for at, one in named if at < len(before)))
        return documents[0 if ordinal["first"] else 1] if len(documents) == 2 else None
    if _PRONOUN.search(before):
        return None
    return next((one for at, one in reversed(named) if at < len(before)), None)


def _find_named(
    sentence: str, document: Document, documents: Sequence[Document]
) -> Iterator[tuple[int, Document]]:
    """Yield where a sentence names the document itself or others, in order."""
    own = [(match.start(), document) for match in _OWN.finditer(sentence)]
    spans = [match.span() for match in _OWN.finditer(sentence)]
    found = list(own)
    for match in _NAMED.finditer(sentence):
        if any(start <= match.start(2) < end for start, end in spans):
            continue
        found += [(match.start(), one) for one in _find_meant(match, document, documents)]
    yield from sorted(found, key=lambda one: one[0])


def _find_meant(
    match: re.Match[str], document: Document, documents: Sequence[Document]
) -> list[Document]:
    """Return the documents that a name means: "the FSA rules", “Rules 2020”, "the handbook".

    The series in it decides, else the kind in a title; a year has to be the season.
    """
    words = {word.casefold() for word in match[1].split()} - _ARTICLES
    kind, year = match[2], match[3]
    fitting = [
        one
        for one in documents
        if (year is None or one.season == int(year))
        and re.search(rf"(?i)\b{re.escape(kind)}\b", one.title)
    ]
    titles = {one: set(one.title.casefold().split()) | _own_words(one) for one in documents}
    told = words & set().union(*titles.values())  # "Sporting" of "FIA Sporting Regulations"
    named = [one for one in fitting if words & _own_words(one) and told <= titles[one]]
    if not named and words & _own_words(document):
        return [document]  # "the FSA rules" in a handbook of that series
    # A name whose words are not of the title is that of another document.
    named = named or [one for one in fitting if words <= set(one.title.casefold().split())]
    return [one for one in named if one != document] or named


def _own_words(document: Document) -> set[str]:
    """Return the words of a document's series, by its family."""
    return set(series_tokens(document.family or "")) - NAMELESS_WORDS - _COMMON


def _propose(
    clause: Clause,
    sentence: str,
    kind: RelationKind | None,
    pair: tuple[Document, Document],
    subject: Document,
) -> LayerProposal:
    """Return how two documents stand to one another by a sentence, of the one that lies above."""
    document, other = pair
    if kind is None:  # who prevails does not say what lies above
        is_above = bool(_ABOVE.search(document.title)) or not _ABOVE.search(other.title)
        above, below = (document, other) if is_above else (other, document)
        prevails: Prevailing = "this" if subject == above else "other"
        said: RelationKind = "supplements"
    else:
        is_passive = re.search(r"(?i)\bby\b|\bdurch\b|\bpar\b", sentence) and kind == "replaces"
        above, below = (subject, other if subject == document else document)
        if is_passive:
            above, below = below, above
        said, prevails = kind, "this" if kind in ("amends", "replaces") else ""
        if said == "supplements" and not _ABOVE.search(above.title) and _ABOVE.search(below.title):
            above, below = below, above  # "the handbook is part of these rules"
    quote = " ".join(sentence.split())
    since = (_find_day(sentence[one.end() :]) for one in _CHANGES_FROM.finditer(sentence))
    day = _read_days(sentence)[0] or next(filter(None, since), None)
    relation = Relation(said, below.document_id, prevails, day, clause.clause_id, sentence)
    return LayerProposal(
        above, below, relation, None, None, clause.clause_id, clause.article, quote
    )


def _propose_validity(library: Library, document: Document) -> Iterator[LayerProposal]:
    """Yield the first sentence that says from when, or until when, a document is in force."""
    if document.valid_from or document.valid_to:
        return
    texts = chain(library.other_texts(document.document_id), library.clauses(document.document_id))
    said = [
        (clause, sentence)
        for clause in texts
        if clause.kind in ("", "cover") and clause.status in ("in_force", "no_rule")
        for sentence in split_sentences(clause.text)
        if not _DENIES.search(sentence)
    ]
    for clause, sentence in said:
        first, last = _read_days(sentence)
        if season := _OF_SEASON.search(sentence):
            first, last = _find_season(season[1], (one for _, one in said))
        if (first or last) and (_OWN.search(sentence) or clause.kind == "cover"):
            place = clause.clause_id, clause.article, sentence
            yield LayerProposal(document, None, None, first, last, *place)
            return


def _find_season(year: str, sentences: Iterable[str]) -> tuple[str | None, str | None]:
    """Return the first and the last day of a season, if a sentence says them."""
    for sentence in filter(_SEASON.search, sentences):
        if _YEAR.search(sentence):
            return f"{year}-01-01", f"{year}-12-31"
        days = [one for one in find_dates(sentence) if one.startswith(year)]
        if len(days) == 2 and _UNTIL.search(sentence):
            return min(days), max(days)
    return None, None


def _read_days(sentence: str) -> tuple[str | None, str | None]:
    """Return the first and the last day of force that a sentence names, as ISO dates.

    "from 1 January to 31 December 2026" has one year for both.
    """
    begins, ends = _BEGINS.search(sentence), _ENDS.search(sentence)
    last = _find_day(sentence[ends.end() :]) if ends else None
    if begins is None:
        return None, last
    behind = sentence[begins.end() :]
    until = _UNTIL.search(behind)
    own = _find_day(behind[until.end() :]) if until else None
    if until is None or own is None:
        return _find_day(behind), last
    begun = behind[: until.start()]
    first = _find_day(begun) or _find_day(f"{begun} {own[:4]}")
    return (first, own) if first is None or first <= own else (None, None)


def _find_day(text: str) -> str | None:
    """Return the date with which a text begins, maybe behind "on" or "the"."""
    return next(iter(find_dates(text[:_LONGEST_DAY])), None)
