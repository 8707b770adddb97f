"""How sentences of rules become rows of a penalty table, which are kept with their document.

Every cell of a row but `kinds` is words of the rules. Where a breach cannot be separated from its
sanction, both cells are the whole sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, pairwise, takewhile, zip_longest

from pydantic import TypeAdapter

from core.grammar import (
    MODAL_CUES,
    Piece,
    article_label,
    extract_part,
    find_citations,
    find_cues,
    find_sanction_spans,
    find_sanctions,
    has_marker,
    list_cues,
    list_parts,
    split_sentences,
)
from core.library import DerivedKind, Document, Library, Scope, find_clauses
from core.rulebook import Clause

UNNAMED_SANCTION = "penalty"
"""The kind of a sanction that is named only by its article."""
SHORT_BREACH_WORDS = 12
"""A breach of at most so many words is shown with the heading above it, as it says little alone."""

_LIST = re.compile(
    r"\b(?:penalties|sanctions)\b.{0,80}(?:below|following|are\b|as follows).*:$"
    r"|following (?:sanctions|penalties)",
    re.I,
)
_VERBS = (*MODAL_CUES, "definition", "incurring")
"""Cues of the verb that parts a breach from its sanction."""
_SUBJECT = (
    r"(?:any|an?|the|each) "
    r"(?:driver|competitor|team|car|person|participant|entrant|f1 team|vehicle)"
)
_IMPOSED = re.compile(
    r"^(?:(?P<when>(?:During|In|At|For)\b[^,]*), )?"
    rf"(?P<sanction>(?:.{{0,60}}?\b(?:{list_cues('modal').any}) impose\b.*?"
    rf"|[^.]*?\bpenalt(?:y|ies)\b.*?\b(?:{list_cues('modal').any})(?: also)? be "
    r"(?:imposed|applied|given|assessed)))"
    rf" (?:up)?on (?P<breach>{_SUBJECT}\b.*)$",
    re.I,
)
_MAIN = re.compile(
    r",\s(?=(?:the|a|an|any|both|such|it|they|he|each)\b)"
    rf"|\s(?=the stewards (?:{list_cues('modal').any})\b)"
    r"|\s(?=an? (?:additional )?penalty (?:under|in accordance))",
    re.I,
)
_CASE_END = re.compile(r"[.;](?:\s|$)|$")
_BACKWARD = re.compile(
    r"^(?:instead|such|this|these|those|however|beyond that|in (?:such|this|these)"
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
    page: int | None
    clause_id: str
    conditions: str = ""
    kinds: tuple[str, ...] = ()
    document: str = ""


@dataclass(frozen=True, slots=True)
class _Threat:
    """A sentence that threatens a sanction: its row as far as it says it, and what is needed more.

    `lead_in` are the words before it that it needs, `items` the numbers of lettered items that it
    names as its penalty.
    """

    row: PenaltyRow
    lead_in: str = ""
    items: tuple[str, ...] = ()
    is_listed: bool = False
    """True for an item of a general list of penalties."""


@dataclass(frozen=True, slots=True)
class ClausePenalties:
    """The rows of a clause in order, a row for each threat of a sanction.

    `is_list` marks a general list of penalties, which other rules refer to.
    """

    rows: tuple[PenaltyRow, ...] = ()
    is_list: bool = False


def find_penalties(
    library: Library, scope: Scope, clauses: Sequence[Clause]
) -> list[tuple[Clause, ClausePenalties]]:
    """Return clauses of a scope with their penalties, as kept with their document, else read now.

    Raises LibraryError.
    """
    wanted = {clause.document_id for clause in clauses}
    documents = {one.document_id: one for one in scope.documents if one.document_id in wanted}
    kept = {key: PENALTIES.recall(library, one) for key, one in documents.items()}
    labels = {key: one.label for key, one in documents.items()}
    found = []
    for clause in clauses:
        known, document = kept[clause.document_id], documents[clause.document_id]
        if known is None:
            own = _read_clause(library, document, clause)
        else:
            own = known.get(clause.clause_id, ClausePenalties())
        rows = (
            replace(row, document=labels[clause.document_id])
            for row in own.rows
            if _is_of_text(row, clause)
        )
        found.append((clause, ClausePenalties(tuple(rows), own.is_list)))
    return found


def _is_of_text(row: PenaltyRow, clause: Clause) -> bool:
    """True of a row of an item that a clause has; one that is cut to an item has no other's."""
    item = row.article.removeprefix(clause.article)
    parts = list_parts(clause.text)
    return item in parts or any(part and f"){item}".endswith(f"){part}") for part in parts)


def _read_document(library: Library, document: Document) -> dict[str, ClausePenalties]:
    """Return the penalties of the clauses that threaten any, by clause id."""
    clauses = library.clauses(document.document_id)
    found = ((one.clause_id, _read_clause(library, document, one)) for one in clauses)
    return {clause_id: penalties for clause_id, penalties in found if penalties.rows}


_BY_CLAUSE = TypeAdapter(dict[str, ClausePenalties])
PENALTIES = DerivedKind(
    "penalties", 6, _read_document, _BY_CLAUSE.dump_json, _BY_CLAUSE.validate_json
)


def _read_clause(library: Library, document: Document, clause: Clause) -> ClausePenalties:
    within = Scope((document,), "one document")
    threats = _find_threats(clause.text)
    rows = (_build_row(library, within, clause, threat) for threat in threats)
    return ClausePenalties(tuple(rows), any(threat.is_listed for threat in threats))


def _build_row(library: Library, within: Scope, clause: Clause, threat: _Threat) -> PenaltyRow:
    row, items = threat.row, list(_follow_items(library, within, threat.items))
    texts = [text for _, text in items]
    item_kinds = chain.from_iterable(find_sanctions(split_sentences(text)[0]) for text in texts)
    named = dict.fromkeys((*row.kinds, *item_kinds))
    quoted = "; ".join(f"{article_label(number)}: {text}" for number, text in items)
    deciders = row.decided_by or _find_deciders(clause.text, "must", "may", "will", "deciding")
    return replace(
        row,
        breach=_complete_breach(clause, threat),
        sanction=f"{row.sanction} → {quoted}" if quoted else row.sanction,
        decided_by=deciders or next(filter(None, map(_find_deciders, texts)), ""),
        article=f"{clause.article}{row.article}",
        page=clause.page_first,
        clause_id=clause.clause_id,
        kinds=tuple(kind for kind in named if kind != UNNAMED_SANCTION) or row.kinds,
    )


def _follow_items(
    library: Library, within: Scope, numbers: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield number and text of the lettered items that a sentence names as its penalty.

    Of more than two the text is the first sentence.
    """
    for number in numbers:
        found = find_clauses(library, number, within)
        first, *others = found[0].text.split("\n") if len(found) == 1 else [""]
        text = " ".join([_MARK.sub("", first), *takewhile(has_marker, others)])
        if text and find_sanctions(opening := split_sentences(text)[0]):
            yield number, text if len(numbers) <= 2 else opening


@lru_cache(maxsize=4_000)
def find_lead_in(text: str, part: str) -> str | None:
    """The last line without a marker before the item `part` that ends in a colon, or None."""
    found = extract_part(text, part)
    if found is None:
        return None
    lines = text.split("\n")
    above = lines[: lines.index(found.split("\n")[0])]
    lead_ins = (line for line in reversed(above) if line.endswith(":") and not has_marker(line))
    return next(lead_ins, None)


def _find_threats(text: str) -> list[_Threat]:
    """Return the sentences of a clause that threaten a sanction; of one with items, these."""
    lines = text.split("\n")
    previous = ""
    found: list[_Threat] = []
    followed = zip_longest(lines, lines[1:], fillvalue="")
    for part, (line, following) in zip(list_parts(text), followed, strict=True):
        lead_in = (find_lead_in(text, part) if part and has_marker(line) else None) or ""
        words = _MARK.sub("", line)
        if _is_listed_penalty(lead_in, line):
            found.append(_read_threat(words, lead_in, part, is_listed=True))
        elif line.endswith(":") and has_marker(following):
            previous = line
        elif find_sanctions(lead_in):
            if not _is_procedure(lead_in):
                found.append(_read_threat(f"{lead_in} {words}", "", part))
        else:
            pieces = map(_TWO_THREATS.split, split_sentences(words))
            for sentence in chain.from_iterable(pieces):
                if threatens_sanction(sentence) and not _is_procedure(lead_in):
                    needs_previous = _BACKWARD.search(sentence) and previous != lead_in
                    context = (lead_in, previous if needs_previous else "")
                    found.append(_read_threat(sentence, " ".join(filter(None, context)), part))
                previous = sentence
    return found


def _read_threat(sentence: str, lead_in: str, part: str, is_listed: bool = False) -> _Threat:
    breach, sanction = (lead_in, sentence) if is_listed else _split_breach(sentence)
    kinds = find_sanctions(sentence.split(":")[0] if is_listed else sentence)
    deciders = _find_deciders(f"{lead_in} {sentence}")
    row = PenaltyRow(breach, sanction, deciders, part, 0, "", _find_conditions(sanction), kinds)
    items = () if is_listed else tuple(_penalty_items(sentence))
    return _Threat(row, lead_in, items, is_listed)


def threatens_sanction(text: str) -> bool:
    """True where a sentence names a sanction that follows, not only how one is imposed."""
    sentences = split_sentences(text) if find_sanctions(text) else ()
    return any(find_sanctions(one) and not _is_procedure(one) for one in sentences)


def _is_procedure(text: str) -> bool:
    """True of a sentence that mentions sanctions and threatens none, or is an example.

    "If a penalty is imposed in the last lap, Article 38.4 does not apply" threatens none.
    """
    cues = find_cues(text, "procedure", "unpunished", "example")
    is_told = any(not (one.start and one.has("example")) for one in cues)
    case = text.partition(",")[0] if _find_opening_case(text) else ""
    if is_told or not case or case == text or find_cues(case, *MODAL_CUES):
        return is_told
    return all(end <= len(case) for _, end in find_sanction_spans(text))


def _is_listed_penalty(lead_in: str, line: str) -> bool:
    """True for a line that names a sanction, below words that open a list of penalties."""
    return bool(
        _LIST.search(lead_in)
        and not _is_procedure(lead_in)
        and find_sanctions(split_sentences(line)[0].split(": ")[0])
    )


def _split_breach(sentence: str) -> tuple[str, str]:
    """Return breach and sanction; both are the whole sentence where they cannot be separated."""
    spans = find_sanction_spans(sentence)
    mains = [match.end() for match in _MAIN.finditer(sentence) if match.end() <= spans[0][0]]
    cut = max(mains, default=0) if _find_opening_case(sentence) else 0  # "If ..., the driver ..."
    if not cut and (match := _IMPOSED.match(sentence)):
        breach = f"{match['when']}, {match['breach']}" if match["when"] else match["breach"]
        return breach, match["sanction"]
    cut = cut or next(filter(None, (_verb_start(sentence, end) for _, end in spans)), 0)
    return (sentence[:cut].strip(" ,"), sentence[cut:].strip(" ,")) if cut else (sentence, sentence)


def _verb_start(sentence: str, end: int) -> int:
    """Return where the last verb before `end` starts, if enough words for a breach precede it."""
    cues = find_cues(sentence[:end], *_VERBS, "negation", "relative")
    pairs = list(_adjacent(sentence, cues))
    denied = {before.start for before, one in pairs if one.has("negation")}
    verbs = [one for one in cues if one.has(*_VERBS) and one.start not in denied]
    while len(verbs) > 1 and not sentence[verbs[-2].end : verbs[-1].start].strip():
        verbs.pop()  # "may result in" is one verb
    case = _find_opening_case(sentence)
    if not verbs or (len(verbs) == 1 and case and not case.endswith(" of")):
        return 0
    start = verbs[-1].start
    is_led = any(one.start == start and before.has("relative") for before, one in pairs)
    return 0 if is_led or len(sentence[:start].split()) < 2 else start


def _adjacent(text: str, cues: Sequence[Piece]) -> Iterator[tuple[Piece, Piece]]:
    """Yield each two cues that only spaces part."""
    return (pair for pair in pairwise(cues) if text[pair[0].end : pair[1].start].isspace())


def _find_cases(text: str) -> list[Piece]:
    """Return the words that begin a condition or an exception, without those of a time."""
    cues = find_cues(text, "condition", "exception", "proviso")
    return [one for one in cues if not one.has("before", "after", "latest")]


def _find_opening_case(text: str) -> str:
    """Return "if" or "in the event of" where a sentence opens with it."""
    opening = (one for one in _find_cases(text)[:1] if not one.start)
    return next((one.text for one in opening if not one.has("exception", "proviso")), "")


def _find_conditions(text: str) -> str:
    """Return the conditions of a sanction, each from its first word to its sentence's end."""
    end, found = -1, []
    for one in _find_cases(text):
        if one.start > end and (match := _CASE_END.search(text, one.end)):
            end = match.start()
            found.append(text[one.start : end])
    return "; ".join(found)


def _complete_breach(clause: Clause, threat: _Threat) -> str:
    """Return a breach with its lead-in; a short or vague one without lead-in, with a heading."""
    breach = threat.row.breach
    if threat.is_listed or threat.lead_in:
        return breach if threat.is_listed else f"{threat.lead_in} {breach}"
    if len(breach.split()) > SHORT_BREACH_WORDS and not _VAGUE.search(breach):
        return breach
    headings = (clause.title, *(crumb.partition(" ")[2] for crumb in reversed(clause.breadcrumb)))
    heading = next((heading for heading in headings if any(map(str.isalpha, heading))), "")
    if " " in heading and heading.isupper():
        heading = heading.capitalize()  # a cell is no headline
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


def _find_deciders(text: str, *verbs: str) -> str:
    """Return who may decide on a sanction; of a text with `verbs` only who does: "stewards may"."""
    cues = find_cues(text, "decider", *verbs)
    found = [one for one, verb in _adjacent(text, cues) if verb.has(*verbs)] if verbs else cues
    return ", ".join(dict.fromkeys(one.text.casefold() for one in found if one.has("decider")))
