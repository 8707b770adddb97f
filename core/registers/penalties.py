"""How sentences of rules become rows of a penalty table.

Every cell of a row but `kinds` is words of the rules. Where a breach cannot be separated from its
sanction, both cells are the whole sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile, zip_longest

from core.grammar import (
    article_label,
    find_citations,
    find_lead_in,
    find_sanction_spans,
    find_sanctions,
    has_marker,
    list_parts,
    split_sentences,
)
from core.library import Library, Scope, find_clause
from core.rulebook import Clause

UNNAMED_SANCTION = "penalty"
"""The kind of a sanction that is named only by its article."""
SHORT_BREACH_WORDS = 12
"""A breach of at most so many words is shown with the heading above it."""
MAX_FULL_REFERENCES = 2
"""Referenced items that are quoted in full; of more, only the first sentence is quoted."""

_LIST = re.compile(
    r"\b(?:penalties|sanctions)\b.{0,80}(?:below|following|are\b|as follows).*:$"
    r"|following (?:sanctions|penalties)",
    re.I,
)
_PROCEDURE = re.compile(
    r"subject to appeal|appeals may not|must be served|served in the|following procedure"
    r"|fines? (?:must|shall) be paid|penalty points (?:\w+ ){0,2}(?:remain|are removed|will remain)"
    r"|payment of all fines|of any fines|penalt\w+[^.;]{0,60}\b(?:is|are) imposed (?:during|upon)"
    r"|with the exclusion of fines|without penalty|no (?:point )?penalty|penalt\w+ will not be"
    r"|means a penalty|susceptible to appeal|^Example\b|^(?:DNF|DQ) - |time penalties added"
    r"|penalty which has been imposed",
    re.I,
)
"""Sentences that mention sanctions and threaten none."""
_VERB = re.compile(
    r"\b(?:(?:will|shall|must|may|can|is|are)\b(?! not\b)"
    r"|receives?|results? in|entails?|loses?|starts?|gets?)\b",
    re.I,
)
_SUBJECT = (
    r"(?:any|an?|the|each) "
    r"(?:driver|competitor|team|car|person|participant|entrant|f1 team|vehicle)"
)
_IMPOSED = re.compile(
    r"^(?:(?P<when>(?:During|In|At|For)\b[^,]*), )?"
    r"(?P<sanction>(?:.{0,60}?\b(?:may|shall|will|must) impose\b.*?"
    r"|[^.]*?\bpenalt(?:y|ies)\b.*?\b(?:will|shall|may|must)(?: also)? be "
    r"(?:imposed|applied|given|assessed)))"
    rf" (?:up)?on (?P<breach>{_SUBJECT}\b.*)$",
    re.I,
)
_CASE = re.compile(r"^(?:if|where|should|when|in the (?:event|case)|other than|except)\b", re.I)
_CLAUSE = re.compile(r"^(?:if|where|should|when)\b", re.I)
_MAIN = re.compile(
    r",\s(?=(?:the|a|an|any|both|such|it|they|he|each)\b)"
    r"|\s(?=the stewards (?:may|shall|will)\b)"
    r"|\s(?=an? (?:additional )?penalty (?:under|in accordance))",
    re.I,
)
_CONDITION = re.compile(
    r"(?:,\s*|\s|^)(?P<words>(?:unless|save (?:where|for)|except|provided|if|where|should"
    r"|other than|subject to|in the (?:event|case))\b.*?)(?=[.;](?:\s|$)|$|\s→)",
    re.I,
)
_DECIDER = (
    r"(?:stewards|race director|technical delegate|clerk of the course"
    r"|cost cap adjudication panel|cost cap administration|chief marshall|cost judges|judges"
    r"|officials?|organi[sz]ers?)"
)
_DECIDERS = re.compile(rf"\b({_DECIDER})\b", re.I)
_DECIDES = re.compile(rf"\b({_DECIDER})\s+(?:may|shall|will|must|can|decide)", re.I)
_BACKWARD = re.compile(
    r"^(?:such|this|these|those|however|beyond that|in (?:such|this|these)"
    r"|under (?:such|these|this))\b|\bdo so\b",
    re.I,
)
_VAGUE = re.compile(
    r"\b(?:this article|these provisions|this rule|each violation|violations?|violators)\b", re.I
)
_TWO_THREATS = re.compile(rf",? and (?={_SUBJECT} (?:who|which|that|whose)\b)|;\s+(?=\w)", re.I)
_MARK = re.compile(r"^(?:[-•*]\s+)?\(?(?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})[).]\s+")
_FURTHER_ITEM = re.compile(r"\s*(?P<how>,|and|or|to)\s+(?P<letter>[a-z])\)")


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A breach, its sanction and its conditions ("unless ..."), in the words of the clause.

    `sanction` has behind an arrow the text of the article that it names as the penalty. `article`
    includes the lettered item ("34.14d)"), `kinds` are as in `Clause.sanctions`, `document` is a
    label.
    """

    breach: str
    sanction: str
    decided_by: str
    article: str
    page: int
    clause_id: str
    conditions: str = ""
    kinds: tuple[str, ...] = ()
    document: str = ""


@dataclass(frozen=True, slots=True)
class _Threat:
    """A sentence that threatens a sanction, the words before it that it needs, and its item."""

    sentence: str
    lead_in: str
    part: str
    is_listed: bool = False
    """True for an item of a general list of penalties."""


def extract_rows(library: Library, scope: Scope, clause: Clause) -> list[PenaltyRow]:
    """Return a row for each threat of a sanction, in order. Raises LibraryError."""
    return [_build_row(library, scope, clause, threat) for threat in _find_threats(clause)]


def _build_row(library: Library, scope: Scope, clause: Clause, threat: _Threat) -> PenaltyRow:
    sentence = threat.sentence
    if threat.is_listed:
        breach, sanction, items = threat.lead_in, sentence, []
        kinds = find_sanctions(sentence.split(":")[0])
    else:
        breach, sanction = _split_breach(sentence)
        breach = _complete_breach(clause, threat, breach)
        items = list(_follow_items(library, scope, clause, sentence))
        kinds = find_sanctions(sentence)
    texts = [text for _, text in items]
    item_kinds = chain.from_iterable(find_sanctions(split_sentences(text)[0]) for text in texts)
    named = dict.fromkeys((*kinds, *item_kinds))
    quoted = "; ".join(f"{article_label(number)}: {text}" for number, text in items)
    return PenaltyRow(
        breach=breach,
        sanction=f"{sanction} → {quoted}" if quoted else sanction,
        decided_by=_find_deciders(clause, threat, texts),
        article=f"{clause.article}{threat.part}",
        page=clause.page_first,
        clause_id=clause.clause_id,
        conditions="; ".join(match["words"] for match in _CONDITION.finditer(sanction)),
        kinds=tuple(kind for kind in named if kind != UNNAMED_SANCTION) or kinds,
        document=scope.labels.get(clause.document_id, ""),
    )


def _follow_items(
    library: Library, scope: Scope, clause: Clause, sentence: str
) -> Iterator[tuple[str, str]]:
    """Yield number and text of the lettered items that a sentence names as its penalty."""
    within = scope.restrict_to(clause.document_id)
    numbers = list(_penalty_items(sentence))
    for number in numbers:
        target = find_clause(library, number, within)
        first, *others = target.text.split("\n") if target else [""]
        text = " ".join([_MARK.sub("", first), *takewhile(has_marker, others)])
        if text and find_sanctions(opening := split_sentences(text)[0]):
            yield number, text if len(numbers) <= MAX_FULL_REFERENCES else opening


def is_penalty_list(clause: Clause) -> bool:
    """True for a general list of penalties, which other rules refer to."""
    return any(threat.is_listed for threat in _find_threats(clause))


def _find_threats(clause: Clause) -> Iterator[_Threat]:
    """Yield the sentences that threaten a sanction, and the items of a sentence that does."""
    lines = clause.text.split("\n")
    previous = ""
    followed = zip_longest(lines, lines[1:], fillvalue="")
    for part, (line, following) in zip(list_parts(clause.text), followed, strict=True):
        lead_in = (find_lead_in(clause.text, part) if part and has_marker(line) else None) or ""
        words = _MARK.sub("", line)
        if _is_listed_penalty(lead_in, line):
            yield _Threat(words, lead_in, part, is_listed=True)
        elif line.endswith(":") and has_marker(following):
            previous = line
        elif find_sanctions(lead_in):
            if not _PROCEDURE.search(lead_in):
                yield _Threat(f"{lead_in} {words}", "", part)
        else:
            pieces = map(_TWO_THREATS.split, split_sentences(words))
            for sentence in chain.from_iterable(pieces):
                if threatens_sanction(sentence) and not _PROCEDURE.search(lead_in):
                    needs_previous = _BACKWARD.search(sentence) and previous != lead_in
                    context = (lead_in, previous if needs_previous else "")
                    yield _Threat(sentence, " ".join(filter(None, context)), part)
                previous = sentence


def threatens_sanction(text: str) -> bool:
    """True where a sentence names a sanction that follows, not only how one is imposed."""
    sentences = split_sentences(text) if find_sanctions(text) else ()
    return any(find_sanctions(one) and not _PROCEDURE.search(one) for one in sentences)


def _is_listed_penalty(lead_in: str, line: str) -> bool:
    """True for a line that names a sanction, below words that open a list of penalties."""
    return bool(
        _LIST.search(lead_in)
        and not _PROCEDURE.search(lead_in)
        and find_sanctions(split_sentences(line)[0].split(": ")[0])
    )


def _split_breach(sentence: str) -> tuple[str, str]:
    """Return breach and sanction; both are the whole sentence where they cannot be separated."""
    spans = find_sanction_spans(sentence)
    mains = [match.end() for match in _MAIN.finditer(sentence) if match.end() <= spans[0][0]]
    cut = max(mains, default=0) if _CASE.match(sentence) else 0  # "If ..., the driver ..."
    if not cut and (match := _IMPOSED.match(sentence)):
        breach = f"{match['when']}, {match['breach']}" if match["when"] else match["breach"]
        return breach, match["sanction"]
    cut = cut or next(filter(None, (_verb_start(sentence, end) for _, end in spans)), 0)
    return (sentence[:cut].strip(" ,"), sentence[cut:].strip(" ,")) if cut else (sentence, sentence)


def _verb_start(sentence: str, end: int) -> int:
    """Return where the last verb before `end` starts, if enough words for a breach precede it."""
    verbs = [match for match in _VERB.finditer(sentence) if match.start() < end]
    while len(verbs) > 1 and not sentence[verbs[-2].end() : verbs[-1].start()].strip():
        verbs.pop()  # "may result in" is one verb
    if not verbs or (len(verbs) == 1 and _CLAUSE.match(sentence)):
        return 0
    start = verbs[-1].start()
    before = sentence[:start].lower().split()
    is_breach = len(before) > 1 and before[-1] not in ("who", "which", "that", "whose")
    return start if is_breach else 0


def _complete_breach(clause: Clause, threat: _Threat, breach: str) -> str:
    """Return a breach with its lead-in; a short or vague one without lead-in, with a heading."""
    if threat.lead_in:
        return f"{threat.lead_in} {breach}"
    if len(breach.split()) > SHORT_BREACH_WORDS and not _VAGUE.search(threat.sentence):
        return breach
    headings = (clause.title, *(crumb.partition(" ")[2] for crumb in reversed(clause.breadcrumb)))
    heading = next((heading for heading in headings if any(map(str.isalpha, heading))), "")
    return f"{heading}: {breach}" if heading else breach


def _penalty_items(sentence: str) -> Iterator[str]:
    """Yield the lettered items cited behind "penalty": "54.3d)"; four for "38.3a) to d)"."""
    penalty = sentence.casefold().find("penalt")
    for citation in find_citations(sentence):
        if not citation.part or not 0 <= penalty < citation.start:
            continue
        letters, end = [citation.part.rstrip(")")], citation.end
        while match := _FURTHER_ITEM.match(sentence, end):
            last, end = letters[-1], match.end()
            if match["how"] == "to" and len(last) == 1:
                letters += map(chr, range(ord(last) + 1, ord(match["letter"])))
            letters.append(match["letter"])
        yield from (f"{citation.number}{letter})" for letter in letters)


def _find_deciders(clause: Clause, threat: _Threat, items: Sequence[str]) -> str:
    """Return who decides by the sentence, else by its clause, else by the items it refers to."""
    deciders = (
        _DECIDERS.findall(f"{threat.lead_in} {threat.sentence}"),
        _DECIDES.findall(clause.text),
        *map(_DECIDERS.findall, items),
    )
    names = next(filter(None, deciders), [])
    return ", ".join(dict.fromkeys(map(str.casefold, names)))
