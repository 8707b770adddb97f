"""Rules that name a sanction as rows of a table: breach, sanction, conditions, who decides. It searches nothing.

Every cell but `kinds` is words of the rules; what cannot be told apart stays together in the breach.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.agent.evidence import split_sentences
from core.agent.tools.base import restrict_to_clause_document
from core.agent.types import PenaltyRow
from core.library import Library, Scope, find_clause
from core.rulebook import (
    Clause,
    article_label,
    find_citations,
    find_sanction_spans,
    find_sanctions,
    has_marker,
    part_at_line,
)
from core.rulebook import find_lead_in as governing

UNNAMED_SANCTION = "penalty"
"""The kind of a sanction that is named by its article alone."""
SHORT_BREACH_WORDS = 12
"""Words up to which a breach is told with the heading above it, without which it says little."""
MAX_FULL_REFERENCES = 2
"""Articles that are followed to their whole words; of more only the first sentence is told."""

_LIST = re.compile(
    r"\b(?:penalties|sanctions)\b.{0,80}(?:below|following|are\b|as follows).*:$"
    r"|following (?:sanctions|penalties)",
    re.I,
)
_PROCEDURE = re.compile(
    r"subject to appeal|appeals may not|must be served|served in the|following procedure|fines? (?:must|shall) be paid"
    r"|penalty points (?:\w+ ){0,2}(?:remain|are removed|will remain)|payment of all fines|of any fines"
    r"|penalt\w+[^.;]{0,60}\b(?:is|are) imposed (?:during|upon)|with the exclusion of fines|without penalty"
    r"|no (?:point )?penalty|penalt\w+ will not be|means a penalty|susceptible to appeal|^Example\b|^(?:DNF|DQ) - "
    r"|time penalties added|penalty which has been imposed",
    re.I,
)
"""Sentences that speak of sanctions and threaten none."""
_VERB = re.compile(
    r"\b(?:(?:will|shall|must|may|can|is|are)\b(?! not\b)|receives?|results? in|entails?|loses?|starts?|gets?)\b",
    re.I,
)
_SUBJECT = r"(?:any|an?|the|each) (?:driver|competitor|team|car|person|participant|entrant|f1 team|vehicle)"
_IMPOSED = re.compile(
    rf"^(?:(?P<when>(?:During|In|At|For)\b[^,]*), )?(?P<sanction>(?:.{{0,60}}?\b(?:may|shall|will|must) impose\b.*?"
    rf"|[^.]*?\bpenalt(?:y|ies)\b.*?\b(?:will|shall|may|must)(?: also)? be (?:imposed|applied|given|assessed)))"
    rf" (?:up)?on (?P<breach>{_SUBJECT}\b.*)$",
    re.I,
)
_CASE = re.compile(r"^(?:if|where|should|when|in the (?:event|case)|other than|except)\b", re.I)
_CLAUSE = re.compile(r"^(?:if|where|should|when)\b", re.I)
_MAIN = re.compile(
    r",\s(?=(?:the|a|an|any|both|such|it|they|he|each)\b)|\s(?=the stewards (?:may|shall|will)\b)"
    r"|\s(?=an? (?:additional )?penalty (?:under|in accordance))",
    re.I,
)
_CONDITION = re.compile(
    r"(?:,\s*|\s|^)(?P<words>(?:unless|save (?:where|for)|except|provided|if|where|should|other than|subject to"
    r"|in the (?:event|case))\b.*?)(?=[.;](?:\s|$)|$|\s→)",
    re.I,
)
_DECIDER = (
    r"(?:stewards|race director|technical delegate|clerk of the course|cost cap adjudication panel|"
    r"cost cap administration|chief marshall|cost judges|judges|officials?|organi[sz]ers?)"
)
_DECIDERS = re.compile(rf"\b({_DECIDER})\b", re.I)
_DECIDES = re.compile(rf"\b({_DECIDER})\s+(?:may|shall|will|must|can|decide)", re.I)
_BACKWARD = re.compile(
    r"^(?:such|this|these|those|however|beyond that|in (?:such|this|these)|under (?:such|these|this))\b|\bdo so\b",
    re.I,
)
_VAGUE = re.compile(
    r"\b(?:this article|these provisions|this rule|each violation|violations?|violators)\b", re.I
)
_TWO = re.compile(rf",? and (?={_SUBJECT} (?:who|which|that|whose)\b)|;\s+(?=\w)", re.I)
_MARK = re.compile(r"^(?:[-•*]\s+)?\(?(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})[).]\s+")
_FURTHER = re.compile(r"\s*(?P<how>,|and|or|to)\s+(?P<letter>[a-z])\)")


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence of a clause, the words before it that govern it, and the lettered item it stands in."""

    sentence: str
    above: str
    part: str | None
    listed: bool = False
    """It is an item of a general list of penalties."""


@dataclass(frozen=True, slots=True)
class PenaltyExtractor:
    """Where rows are read from: a library, and the documents in which references are followed."""

    library: Library
    scope: Scope

    def extract_rows(self, clause: Clause) -> list[PenaltyRow]:
        """A row for each sentence or item of a clause that threatens a sanction, in its order. Raises LibraryError."""
        return [self._row(clause, said) for said in _sayings(clause)]

    def _row(self, clause: Clause, said: _Said) -> PenaltyRow:
        breach, sanction = (said.above, said.sentence) if said.listed else _parted(said.sentence)
        followed = [] if said.listed else list(self._followed(clause, said.sentence))
        kinds = find_sanctions(sanction.split(":")[0] if said.listed else said.sentence)
        named = dict.fromkeys(
            (
                *kinds,
                *(
                    kind
                    for _, text in followed
                    for kind in find_sanctions(split_sentences(text)[0])
                ),
            )
        )
        words = "; ".join(f"{article_label(number)}: {text}" for number, text in followed)
        return PenaltyRow(
            breach=breach if said.listed else _told(clause, said, breach),
            sanction=f"{sanction} → {words}" if words else sanction,
            decided_by=_decided_by(clause, said, [text for _, text in followed]),
            article=f"{clause.article}{said.part or ''}",
            page=clause.page_first,
            clause_id=clause.clause_id,
            conditions="; ".join(found["words"] for found in _CONDITION.finditer(sanction)),
            kinds=tuple(kind for kind in named if kind != UNNAMED_SANCTION) or kinds,
            document=next(
                (d.label for d in self.scope.documents if d.document_id == clause.document_id), ""
            ),
        )

    def _followed(self, clause: Clause, sentence: str) -> Iterator[tuple[str, str]]:
        """The lettered items that a sentence names as its penalty, each with its own words."""
        within = restrict_to_clause_document(self.scope, clause)
        named = list(_named(sentence))
        for number in named:
            target = find_clause(self.library, number, within)
            text = _own_words(target.text) if target else ""
            if text and find_sanctions(split_sentences(text)[0]):
                yield (
                    number,
                    text if len(named) <= MAX_FULL_REFERENCES else split_sentences(text)[0],
                )


def is_penalty_list(clause: Clause) -> bool:
    """True for a list of penalties that other rules send one to."""
    return any(said.listed for said in _sayings(clause))


def _sayings(clause: Clause) -> Iterator[_Said]:
    """The sentences that threaten a sanction, and the items under words that threaten it for all of them."""
    lines = clause.text.split("\n")
    last = ""
    for number, line in enumerate(lines):
        part = part_at_line(clause.text, number)
        above = (governing(clause.text, part) if part and has_marker(line) else None) or ""
        if (
            _LIST.search(above)
            and not _PROCEDURE.search(above)
            and find_sanctions(split_sentences(line)[0].split(": ")[0])
        ):
            yield _Said(_MARK.sub("", line), above, part, listed=True)
        elif line.endswith(":") and number + 1 < len(lines) and has_marker(lines[number + 1]):
            last = line
        elif above and find_sanctions(above):
            if _PROCEDURE.search(above):
                continue
            yield _Said(f"{above} {_MARK.sub('', line)}", "", part)
        else:
            for sentence in (
                piece
                for whole in split_sentences(_MARK.sub("", line))
                for piece in _TWO.split(whole)
            ):
                if find_sanctions(sentence) and not _PROCEDURE.search(f"{above} {sentence}"):
                    before = last if _BACKWARD.search(sentence) and last != above else ""
                    yield _Said(sentence, " ".join(filter(None, (above, before))), part)
                last = sentence


def _parted(sentence: str) -> tuple[str, str]:
    """A sentence as breach and sanction; the whole of it is both where they cannot be told apart."""
    named = find_sanction_spans(sentence)
    cut = _before_main(sentence, named[0][0])
    if not cut and (found := _IMPOSED.match(sentence)):
        breach = f"{found['when']}, {found['breach']}" if found["when"] else found["breach"]
        return breach, found["sanction"]
    cut = cut or next((at for _, end in named if (at := _before_verb(sentence, end))), 0)
    return (sentence[:cut].strip(" ,"), sentence[cut:].strip(" ,")) if cut else (sentence, sentence)


def _before_main(sentence: str, named: int) -> int:
    """Where the main clause of a sentence begins that opens with its case ("If ..., the driver ..."); 0 for none."""
    if not _CASE.match(sentence):
        return 0
    return max(
        (found.end() for found in _MAIN.finditer(sentence) if found.end() <= named), default=0
    )


def _before_verb(sentence: str, named: int) -> int:
    """Where the verb stands that goes with a sanction, behind words enough for a breach; 0 for none."""
    verbs = [found for found in _VERB.finditer(sentence) if found.start() < named]
    while len(verbs) > 1 and not sentence[verbs[-2].end() : verbs[-1].start()].strip():
        verbs.pop()  # "may result in" is one
    if not verbs or (len(verbs) == 1 and _CLAUSE.match(sentence)):
        return 0
    before = sentence[: verbs[-1].start()].split()
    return (
        verbs[-1].start()
        if len(before) > 1 and before[-1].lower() not in ("who", "which", "that", "whose")
        else 0
    )


def _told(clause: Clause, said: _Said, breach: str) -> str:
    """A breach with the words above it that it needs to be understood: its lead-in, or a heading."""
    if said.above:
        return f"{said.above} {breach}"
    if len(breach.split()) > SHORT_BREACH_WORDS and not _VAGUE.search(said.sentence):
        return breach
    headings = (clause.title, *(crumb.partition(" ")[2] for crumb in reversed(clause.breadcrumb)))
    heading = next((heading for heading in headings if any(map(str.isalpha, heading))), "")
    return f"{heading}: {breach}" if heading else breach


def _named(sentence: str) -> Iterator[str]:
    """The lettered items behind the word penalty: "54.3d)"; of "38.3a) to d)" all four."""
    at = sentence.casefold().find("penalt")
    for citation in find_citations(sentence):
        if not citation.part or not 0 <= at < citation.start:
            continue
        letters, end = [citation.part.rstrip(")")], citation.end
        while further := _FURTHER.match(sentence, end):
            first = letters[-1]
            between = (
                range(ord(first) + 1, ord(further["letter"]))
                if further["how"] == "to" and len(first) == 1
                else ()
            )
            letters += [*map(chr, between), further["letter"]]
            end = further.end()
        yield from (f"{citation.number}{letter})" for letter in letters)


def _own_words(item: str) -> str:
    """A lettered item without its mark, and without what follows it and is no item of its own."""
    first, *others = item.split("\n")
    return " ".join([_MARK.sub("", first), *takewhile(has_marker, others)])


def _decided_by(clause: Clause, said: _Said, followed: Sequence[str]) -> str:
    """Who decides, as the sentence says it, else its clause, else the rule that it is sent to."""
    for found in (
        _DECIDERS.findall(f"{said.above} {said.sentence}"),
        _DECIDES.findall(clause.text),
        *map(_DECIDERS.findall, followed),
    ):
        if found:
            return ", ".join(dict.fromkeys(map(str.casefold, found)))
    return ""
