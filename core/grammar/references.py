"""Find what the text of a clause names: other articles, and terms that it defines.

The results are values; the library resolves them.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.grammar.numbering import ArticleCitation, canonical_number, find_citations

_BODY = (
    r"(?:Regulations?|Rules|Code|ISC|Statutes|Provisions|Act|Law|Convention|Directive|Agreement"
    r"|Protocol)"
)
_NAME = rf"(?:20\d\d\s+)?(?:(?:[A-Z][\w’'-]*|[1-9]|and|&)\s+){{0,7}}?{_BODY}\b"
_OF_DOCUMENT = re.compile(
    r"^[\s,]{0,2}(?:\([^)]{0,40}\)\s*)?(?:respectively\s+)?"
    r"(?:of|to|in|from)\s+(?:the\s+|these\s+|this\s+|an?\s+)?"
    rf"(?P<name>{_NAME}|Section\s+[A-Z]\b|(?:Appendix|Annex)\s+[A-Z]?\d*[A-Z]?\b)"
)
_BEFORE_DOCUMENT = re.compile(
    rf"(?P<name>\b(?:[A-Z][\w’'-]*\s+){{0,3}}{_BODY}|\b(?:ISC|TR|SR|FR))\s*[:,]?\s*(?:\(|in\s+)?$"
)
_LIST = re.compile(
    r"[\s,]*(?:and|or|to|and/or|&)?\s*(?:the\s+)?"
    r"(?:[Aa]rticles?|[Aa]ppendix|[Aa]ppendices)?\s*(?:\d\s*)?"
)
_RANGE = re.compile(
    r"\s*(?:up to|to|through|until|bis|à|-|–|—)\s*(?:and including\s+)?(?:articles?\s+)?",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    r"(?:^|\n)\W{0,3}(?:\w{1,4}[.)]\s+)?"
    r"[\"“‘](?P<head>[^\"”’\n]{2,60})[\"”’]\s*(?:\([^)]{1,30}\)\s*)?"
    r"(?:or\s+[\"“](?P<or>[^\"”\n]{2,30})[\"”]\s*)?(?::|means|shall mean|is|has the meaning)"
    r"|\((?:the|each a|a|an|together[^\"“)]{0,30}|collectively[^\"“)]{0,20})?\s*"
    r"[\"“](?P<short>[^\"”)\n]{2,50})[\"”]\s*\)"
    r"|[\"“](?P<also>[^\"”\n]{2,60})[\"”]\s+(?:means|shall mean|is defined as)"
    r"|(?:defined as|known as|referred to as|called)\s+(?:the\s+|an?\s+)?"
    r"[\"“](?P<called>[^\"”\n]{2,60})[\"”]"
)
GLOSSARY_TITLE = re.compile(
    r"d[eé]finition|glossary|interpretation|abbreviation|acronym|begriff", re.IGNORECASE
)
"""Titles of lists of definitions."""
_ABBREVIATED = re.compile(r"\s[–-]\s(?=[A-Z]{2,6}$)")
_LISTED = re.compile(r"(?:^|\n)(?P<term>[A-Z][\w’'/() -]{2,50}?)\s?:\s+[A-Z][^\n]{15,}")


def find_references(text: str) -> tuple[str, ...]:
    """The articles that a clause names, each once: "54.3d)", "8.2 of the Technical Regulations"."""
    # "Section 1: Personnel" at the beginning of a line or a cell is a heading.
    cited = [
        citation
        for citation in find_citations(text)
        if text[citation.end : citation.end + 1] != ":"
        or not text[: citation.start].endswith(("\n", "| "))
    ]
    found: dict[str, None] = {}
    for group in _group_lists(text, cited):
        before = text[max(0, group[0].start - 80) : group[0].start]
        behind = text[group[-1].end : group[-1].end + 120]
        document = _OF_DOCUMENT.match(behind) or _BEFORE_DOCUMENT.search(before)
        suffix = f" of {' '.join(document['name'].split())}" if document else ""
        found |= {f"{citation.number}{citation.part or ''}{suffix}": None for citation in group}
    return tuple(found)


def find_ranges(text: str) -> tuple[tuple[str, str], ...]:
    """The first and the last number of each range of articles that a text names."""
    return tuple(
        (first.number, last.number)
        for first, last in pairwise(find_citations(text))
        if is_range_sign(text[first.end : last.start])
    )


def is_range_sign(between: str) -> bool:
    """True of what stands between the first and the last number of a range."""
    return bool(_RANGE.fullmatch(between))


def _group_lists(
    text: str, citations: Sequence[ArticleCitation]
) -> Iterator[list[ArticleCitation]]:
    """The citations by list: the document that one of a list names is that of all."""
    group: list[ArticleCitation] = []
    for citation in citations:
        if group and not _LIST.fullmatch(text[group[-1].end : citation.start]):
            yield group
            group = []
        group.append(citation)
    if group:
        yield group


def split_reference(reference: str) -> tuple[str, str | None]:
    """Article and document: ("8.2", "the Technical Regulations"), or ("54.3d)", None)."""
    article, _, document = reference.partition(" of ")
    return article, document or None


def find_defined_terms(title: str, text: str, heading_above: str = "") -> tuple[str, ...]:
    """The terms that a clause defines: `"Code" means`, `(the "Code")`, `Driver: Person driving`.

    A title right below a heading such as "Definitions" is a term, in each of its forms ("Tractive
    System – TS").
    """
    terms: list[str] = []
    if title and text and GLOSSARY_TITLE.search(heading_above):
        terms += _ABBREVIATED.split(title.replace("(s)", "").rstrip(" .:"), maxsplit=1)
    for match in _DEFINED.finditer(text):
        terms += [group.strip(" ,.;:") for group in match.groups() if group]
    if GLOSSARY_TITLE.search(title):
        terms += [match["term"].strip() for match in _LISTED.finditer(text)]
    return tuple(dict.fromkeys(terms))


def candidate_numbers(article: str, citing_article: str = "") -> tuple[str, ...]:
    """The canonical numbers that a citation may mean, the likeliest first, without parts.

    In an appendix with its own numbering, its articles come first. "3.9.2.a" is item a of 3.9.2 if
    there is no such article.
    """
    numbers = [canonical_number(re.sub(r"(?:[a-z]{1,5}\))+$", "", article))]
    for part in (r"\.[A-Z](?:\.[IVX]+)?", r"(?:\([A-Z0-9]{1,3}\))+"):
        if found := re.match(rf"(.*\d){part}$", numbers[0]):
            numbers.append(found[1])
    home = re.match(r"((?:APPENDIX|ANNEX|SCHEDULE)\s[^,]+),", canonical_number(citing_article))
    if home:
        numbers = [f"{home[1]}, {number}" for number in numbers] + numbers
    return tuple(numbers)
