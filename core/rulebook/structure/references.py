"""What a clause's words name: other articles, terms they define, sanctions. Values only; the library resolves them."""

import re
from collections.abc import Iterator, Sequence

from core.rulebook.structure.numbering import ArticleCitation, canonical_number, find_citations
from core.rulebook.types import Clause

_BODY = r"(?:Regulations?|Rules|Code|ISC|Statutes|Provisions|Act|Law|Convention|Directive|Agreement|Protocol)"
_NAME = rf"(?:20\d\d\s+)?(?:(?:[A-Z][\w’'-]*|1|and|&)\s+){{0,7}}?{_BODY}\b"
_OF_DOCUMENT = re.compile(
    rf"^[\s,]{{0,2}}(?:\([^)]{{0,40}}\)\s*)?(?:respectively\s+)?(?:of|to|in|from)\s+(?:the\s+|these\s+|this\s+|an?\s+)?"
    rf"(?P<name>{_NAME}|Section\s+[A-Z]\b|(?:Appendix|Annex)\s+[A-Z]?\d*[A-Z]?\b)"
)
_BEFORE_DOCUMENT = re.compile(
    rf"(?P<name>\b(?:[A-Z][\w’'-]*\s+){{0,3}}{_BODY}|\b(?:ISC|TR|SR|FR))\s*[:,]?\s*(?:\(|in\s+)?$"
)
_LIST = re.compile(
    r"[\s,]*(?:and|or|to|and/or|&)?\s*(?:the\s+)?(?:[Aa]rticles?|[Aa]ppendix|[Aa]ppendices)?\s*(?:\d\s*)?"
)
_DEFINED = re.compile(
    r"(?:^|\n)\W{0,3}(?:\w{1,4}[.)]\s+)?[\"“‘](?P<head>[^\"”’\n]{2,60})[\"”’]\s*(?:\([^)]{1,30}\)\s*)?"
    r"(?:or\s+[\"“](?P<or>[^\"”\n]{2,30})[\"”]\s*)?(?::|means|shall mean|is|has the meaning)"
    r"|\((?:the|each a|a|an|together[^\"“)]{0,30}|collectively[^\"“)]{0,20})?\s*"
    r"[\"“](?P<short>[^\"”)\n]{2,50})[\"”]\s*\)"
    r"|[\"“](?P<also>[^\"”\n]{2,60})[\"”]\s+(?:means|shall mean|is defined as)"
    r"|(?:defined as|known as|referred to as|called)\s+(?:the\s+|an?\s+)?[\"“](?P<called>[^\"”\n]{2,60})[\"”]",
)
GLOSSARY_TITLE = re.compile(r"definition|glossary|interpretation|définition", re.IGNORECASE)
"""Titles of lists of definitions."""
_ABBREVIATED = re.compile(r"\s[–-]\s(?=[A-Z]{2,6}$)")
_LISTED = re.compile(r"(?:^|\n)(?P<term>[A-Z][\w’'/() -]{2,50}?)\s?:\s+[A-Z][^\n]{15,}")
_SANCTIONS = {
    "reprimand": r"reprimand",
    "warning": r"\b(?:an?|formal|official|written) warning\b(?!\s+(?:light|signal|sign|board|device|period))"
    r"|(?:^|\)\s?|;\s)warning\s*[;.]",
    "referral to the stewards": r"\b(?:be|is|are) (?:referred|reported) to the stewards",
    "fine": r"\bfine[ds]?\b(?!\s*(?:mesh|tun))",
    "financial penalty": r"financial penalt(?:y|ies)",
    "sporting penalty": r"(?:minor|material) sporting penalt(?:y|ies)",
    "time penalty": r"(?<!go )\btime penalt(?:y|ies)\b|\bseconds?\)? penalt(?:y|ies)",
    "drive-through penalty": r"drive[- ]through(?! it\b)(?= penalt|\b(?! the ))",
    "stop-and-go penalty": r"stop[- ]and[- ]go",
    "grid drop": r"\bdrop(?:ped)? (?:of )?[\w() -]{0,30}(?:grid )?(?:place|position)s?|grid (?:place|position) penalt",
    "back of the grid": r"(?:back|rear) of the (?:starting )?grid",
    "pit-lane start": r"\b(?:must|shall|will|will be required to)\s+(?:then\s+)?(?:also\s+)?start\b[\w ,]{0,40}?"
    r" from (?:the end of )?the pit lane",
    "deletion of lap times": r"lap times?[\w ,()-]{0,40} (?:be )?(?:deleted|disallowed|cancelled|removed)"
    r"|delet(?:e|es|ed|ion of|ing)\b[\w’' ]{0,30}lap times?|loses? its qualifying times?",
    "penalty points": r"penalty points?",
    "deduction of points": r"(?:deduct|withdraw|loss|remov)\w* of[\w’' ]{0,40}points"
    r"|points?[\w ]{0,20}(?:deduct|withdraw)\w*|\bpoint penalt(?:y|ies)\b|\bloses? [\w ]{0,20}points\b|\bzero points\b",
    "disqualification": r"disqualif|\bDQ\b",
    "did not finish": r"\bDNF\b",
    "suspension": r"\bsuspen(?:sion|ded)\b[\w ]{0,20}(?:licen[cs]e|from (?:the|a|one|further|an)\b|for the following)"
    r"|(?:^|\)\s?|;\s)suspension(?: from|\s*[.;]| for)|licen[cs]e[\w ]{0,12} suspended",
    "exclusion": r"\bexclu(?:sion|ded) from (?:the|a) (?:championship|competition|event|race|results?)|\bexclusion\.$",
    "expulsion": r"\bexpulsion\b|\bexpelled\b",
    "penalty": r"\bpenalt(?:y|ies)\b[^.;]{0,60}?\b(?:imposed|applied|given|assessed|received?|result)\b"
    r"|\b(?:impose|apply|give|receives?|punished by|carry|carries|entails?)\b[^.;]{0,40}\bpenalt(?:y|ies)\b"
    r"|\bpenalt(?:y|ies)\b(?: \w+){0,3} (?:under|in accordance with|of) Articles?\b",
}
_SANCTION_PATTERNS = {
    name: re.compile(pattern, re.IGNORECASE | re.MULTILINE) for name, pattern in _SANCTIONS.items()
}


def find_references(text: str) -> tuple[str, ...]:
    """The articles that a clause names, each once, in order: "54.3d)", "8.2 of the Technical Regulations"."""
    named = [citation for citation in find_citations(text) if not _is_heading(text, citation)]
    found: dict[str, None] = {}
    for group in _lists(text, named):
        document = _document_of(text, group[0], group[-1])
        for citation in group:
            own = f"{citation.number}{citation.part or ''}"
            found[f"{own} of {document}" if document else own] = None
    return tuple(found)


def _is_heading(text: str, citation: ArticleCitation) -> bool:
    """ "Section 1: Personnel" at the beginning of a line or a cell names itself."""
    return text[citation.end : citation.end + 1] == ":" and text[: citation.start].endswith(
        ("\n", "| ")
    )


def _lists(text: str, named: Sequence[ArticleCitation]) -> Iterator[list[ArticleCitation]]:
    """Citations that stand in one list: what names the document of one names that of all."""
    group: list[ArticleCitation] = []
    for citation in named:
        if group and not _LIST.fullmatch(text[group[-1].end : citation.start]):
            yield group
            group = []
        group.append(citation)
    if group:
        yield group


def split_reference(reference: str) -> tuple[str, str | None]:
    """A reference as the article and the document it names: ("8.2", "the Technical Regulations"), ("54.3d)", None)."""
    article, _, document = reference.partition(" of ")
    return article, document or None


def find_defined_terms(title: str, text: str, heading_above: str = "") -> tuple[str, ...]:
    """The terms whose meaning the words give: `"Code" means`, `(the "Code")`, `Driver: Person driving`; and a title
    that stands right below a heading such as "Definitions" (`above`), in each of its forms ("Tractive System – TS").
    """
    found: dict[str, None] = {}
    if title and text and GLOSSARY_TITLE.search(heading_above):
        term = title.replace("(s)", "").rstrip(" .:")
        found.update(dict.fromkeys(_ABBREVIATED.split(term, maxsplit=1)))
    for match in _DEFINED.finditer(text):
        found.update(dict.fromkeys(group.strip(" ,.;:") for group in match.groups() if group))
    if GLOSSARY_TITLE.search(title):
        found.update(dict.fromkeys(match["term"].strip() for match in _LISTED.finditer(text)))
    return tuple(found)


def find_sanctions(text: str) -> tuple[str, ...]:
    """The kinds of sanction that the words name, in a fixed order."""
    return tuple(name for name, pattern in _SANCTION_PATTERNS.items() if pattern.search(text))


def find_sanction_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the words name a sanction: first letter and the one behind the last, in order."""
    return tuple(
        sorted({found.span() for p in _SANCTION_PATTERNS.values() for found in p.finditer(text)})
    )


def find_unresolved_references(clauses: Sequence[Clause]) -> list[tuple[str, str]]:
    """References within the document that name no clause of it: (article of the clause, reference)."""
    known = {canonical_number(clause.article) for clause in clauses}
    schemes = {_scheme(number) for number in known}
    missing = []
    for clause in clauses:
        for reference in clause.references:
            article, document = split_reference(reference)
            inside = document is None and _scheme(canonical_number(article)) in schemes
            if inside and not can_resolve(article, clause.article, known):
                missing.append((clause.article, reference))
    return missing


def _scheme(number: str) -> str:
    """What a number has to begin with to be of a document: its letters; "C3.5" is of another section than "B1.4"."""
    found = re.match(r"((?:APPENDIX|ANNEX|SCHEDULE)?\s?[A-Z]*\.?)\d", number)
    return f"{found[1]}#" if found else number


def can_resolve(article: str, citing_article: str, known_numbers: set[str]) -> bool:
    """True where one of `known` (canonical numbers) is meant by `article` in a clause numbered `within`."""
    return any(reading in known_numbers for reading in candidate_numbers(article, citing_article))


def candidate_numbers(article: str, citing_article: str = "") -> tuple[str, ...]:
    """The canonical numbers that a citation may mean, the likeliest first; parts are left off.

    In an appendix with a numbering of its own its own articles come first; "3.9.2.a" is item a of 3.9.2 where there
    is no such article.
    """
    bare = re.sub(r"(?:[a-z]{1,5}\))+$", "", article)
    numbers = [canonical_number(bare)]
    if found := re.match(r"(.*\d)\.[A-Z](?:\.[IVX]+)?$", numbers[0]):
        numbers.append(found[1])
    if found := re.match(r"(.*\d)(?:\([A-Z0-9]{1,3}\))+$", numbers[0]):
        numbers.append(found[1])
    home = re.match(r"((?:APPENDIX|ANNEX|SCHEDULE)\s[^,]+),", canonical_number(citing_article))
    if home:
        numbers = [f"{home[1]}, {number}" for number in numbers] + numbers
    return tuple(numbers)


def _document_of(text: str, first: ArticleCitation, last: ArticleCitation) -> str | None:
    """The document that is named behind a list of citations, or right before it."""
    found = _OF_DOCUMENT.match(text[last.end : last.end + 120]) or _BEFORE_DOCUMENT.search(
        text[max(0, first.start - 80) : first.start]
    )
    return " ".join(found["name"].split()) if found else None
