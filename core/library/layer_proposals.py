"""What documents say of how they stand to one another, as proposals that a person accepts.

A sentence proposes something where it names two documents, one of them maybe as "this document",
and has a verb of precedence, of adding, changing or replacing. Which of them prevails is the one
that the verb is said of, the last that is named before it; or the one that is silent where the
other holds. A title says it too: "Amendment to the Rules". A sentence that denies something else
proposes nothing, nor does one in which a pronoun prevails, or of what a document may do. Nothing
acts on a proposal.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from core.choices import Prevailing, RelationKind
from core.grammar import list_cues, list_words, split_sentences
from core.library.layers import Layers
from core.library.named_documents import (
    TITLE_OF_CHANGE,
    DocumentName,
    drop_signs,
    find_named_documents,
)
from core.library.rulings import Rulings
from core.library.storage.library import Library
from core.library.types import Document, Relation
from core.rulebook import Clause, MetadataOverride, find_dates


def _any_of(*names: str) -> re.Pattern[str]:
    phrases = "|".join(map(re.escape, list_words(*names)))
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
_BEGINS = re.compile(
    rf"{_any_of('beginning_force').pattern}|\b(?:tritt|treten)\b(?=.{{1,60}}\bin kraft\b)",
    re.IGNORECASE,
)
_ENDS = _any_of("ending_force")
_CHANGES_FROM = _any_of("beginning_change")
_OF_SEASON = re.compile(rf"{_any_of('valid_for_season').pattern}\s+(20\d\d)", re.IGNORECASE)
_SEASON, _YEAR = re.compile(r"(?i)\b(?:season|saison)\b"), _any_of("calendar_year")
_DENIES = list_cues("negation").pattern
_MODAL = rf"\s+(?:{list_cues('modal').any}\s+)?$"
_ORDINAL = re.compile(
    r"(?i)\b(?:(?P<first>the former|erstere[rns]?|le premier|la première)|the latter"
    rf"|letztere[rns]?|ce dernier|cette dernière){_MODAL}"
)
_PRONOUN = re.compile(
    r"(?i)\b(?:it|they|these|those|both|either|which|that|one|es|sie|beide|diese|ils|elles?|il)"
    + _MODAL
)
_RELATIVE = re.compile(rf"(?i),?\s+(?:which|that|qui|die|das|der|welche[rs]?){_MODAL}")
_INVERTED = re.compile(
    r"(?i)\b(?:hat|haben|geht|gehen|gilt|gelten|ist|sind)\s+([^,;]+?)\s+"
    r"(?:vorrang|vor|vorrangig|maßgebend|maßgeblich)\b"
)
"""A German verb whose subject is between its parts: "so geht das Handbuch vor"."""
_BY = re.compile(r"(?i)\b(?:by|durch|par)\s+(?:the\s+|den\s+|die\s+|das\s+|la\s+|le\s+|l['’])?$")
_DONE: dict[RelationKind | None, re.Pattern[str]] = {
    None: _any_of("done_prevailing"),
    "replaces": _any_of("done_replacing"),
    "amends": _any_of("done_amending"),
    "supplements": _any_of("done_adding"),
}
"""What was done to a document "by" another."""
_AMENDED, _MAY = _any_of("amended_document"), _any_of("permitted_change")
_NOT_DONE = _any_of("permitted_change", "past_change")
_WILL = re.compile(rf"(?i)\b(?:{list_cues('will').any})\s+(?:be\s+)?$")
_UNTIL = re.compile(
    r"(?i)\s(?:to|until|till|through|bis(?: zum)?|au|jusqu['’]au|[–—-])\s+"
    r"(?:and including\s|the\s)?"
)
_LONGEST_DAY = 24
"""Characters in which a date begins and ends behind the word that announces it."""


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
    documents = library.documents()
    layers = Layers(documents).every
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


def _read_clause(
    clause: Clause, document: Document, documents: Sequence[Document]
) -> Iterator[LayerProposal]:
    """Yield what a clause says of its document and another one."""
    if clause.kind == "cover" or clause.is_preamble:
        yield from _read_title(clause, document, documents)
    for before, sentence in pairwise(("", *split_sentences(clause.text))):
        if _DENIES.search(sentence) and not _SILENT.search(sentence):
            continue
        words = drop_signs(sentence)
        names = find_named_documents(words, document, documents)
        known = [one.document for one in names]
        if len(set(known)) == 1 and before:  # "In that case the handbook ..."
            earlier = find_named_documents(drop_signs(before), document, documents)
            known = [*(one.document for one in earlier), *known]
        others = dict.fromkeys(one for one in known if one != document)
        for kind, subject in _read_sentence(words, names, document):
            if subject == document or document in known:
                for other in others if subject == document else (subject,):
                    yield _propose(clause, sentence, kind, (document, other), subject)


def _read_title(
    clause: Clause, document: Document, documents: Sequence[Document]
) -> Iterator[LayerProposal]:
    """Yield what the title of a document says that it is of another: "Amendment to the Rules"."""
    for line in clause.text.splitlines():
        words = drop_signs(line)
        for name in find_named_documents(words, document, documents):
            above = TITLE_OF_CHANGE.search(words[: name.start])
            if above and name.document != document and not line.endswith("."):
                kind: RelationKind = "amends" if above["amending"] else "supplements"
                yield _propose(clause, line, kind, (document, name.document), document)


def _read_sentence(
    sentence: str, names: Sequence[DocumentName], document: Document
) -> Iterator[tuple[RelationKind | None, Document]]:
    """Yield what a sentence says that a document does, and which one; None for that it prevails."""
    if silent := _SILENT.search(sentence):
        if subject := _find_subject(sentence, silent.start(), names):
            yield None, subject
        return
    for kind, pattern in _VERBS.items():
        if (verb := pattern.search(sentence)) is None:
            continue
        subject = _find_subject(sentence, verb.start(), names, may_have_done=kind is None)
        if subject:
            yield kind, subject
    for verb in _INVERTED.finditer(sentence):
        inside = [one for one in names if verb.start(1) <= one.start < verb.end(1)]
        yield from ((None, one.document) for one in inside[:1])
    yield from _find_agents(sentence, names)
    if amended := _AMENDED.search(sentence):
        patient = _find_subject(sentence, amended.start(), names)
        behind = {one.document for one in names if one.start >= amended.end()}
        if patient and patient != document and behind <= {document, patient}:
            yield "amends", document


def _find_agents(
    sentence: str, names: Sequence[DocumentName]
) -> Iterator[tuple[RelationKind | None, Document]]:
    """Yield the documents by which something is done to others, each with what is done.

    What is only told of the past, "was changed by", and of what no document is named before, "the
    course is changed in this handbook by", is not done.
    """
    for agent in names:
        by = _BY.search(sentence[: agent.start])
        if not by or _NOT_DONE.search(sentence[: by.start()]):
            continue
        for kind, pattern in _DONE.items():
            done = pattern.search(sentence)
            before = [one.document for one in names if done and one.start < done.start()]
            if {*before} - {agent.document}:
                yield kind, agent.document


def _find_subject(
    sentence: str, at: int, names: Sequence[DocumentName], may_have_done: bool = True
) -> Document | None:
    """Return the document that the verb at a place is said of; None if that is unclear.

    It is none where the document may or will do so: "This handbook may amend the rules".
    """
    before = sentence[:at]
    named = [one for one in names if one.start < at]
    if ordinal := _ORDINAL.search(before):
        documents = list(dict.fromkeys(one.document for one in named))
        return documents[0 if ordinal["first"] else 1] if len(documents) == 2 else None
    if not named:
        return None
    last = named[-1]
    is_relative = _RELATIVE.fullmatch(before[last.end :])
    if _PRONOUN.search(before) and not is_relative:
        return None
    is_open = _MAY.search(before[last.end :]) or (not may_have_done and _WILL.search(before))
    return None if is_open else last.document


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
        ranks = bool(_ABOVE.search(document.title)), bool(_ABOVE.search(other.title))
        is_above = subject == document if all(ranks) else ranks[0] or not ranks[1]
        above, below = (document, other) if is_above else (other, document)
        prevails: Prevailing = "this" if subject == above else "other"
        said: RelationKind = "supplements"
    else:
        above, below = (subject, other if subject == document else document)
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
        is_own = clause.kind == "cover" or find_named_documents(sentence, document, ())
        if (first or last) and is_own:
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
