"""Which references of a document lead nowhere."""

import re
from collections.abc import Iterable, Sequence

from core.grammar import candidate_numbers, canonical_number, split_reference


def find_unresolved_references(
    cited: Sequence[tuple[str, Iterable[str]]], related: Iterable[str] = ()
) -> list[tuple[str, str]]:
    """Return the references to articles that a document does not have, each with who cites it.

    `cited` are its articles with what they refer to; the `related` articles of other documents are
    no less there.
    """
    known = {canonical_number(article) for article, _ in cited}
    schemes = {_scheme(number) for number in known}
    known |= {*map(canonical_number, related)}
    missing = []
    for citing, references in cited:
        for reference in references:
            article, document = split_reference(reference)
            inside = document is None and _scheme(canonical_number(article)) in schemes
            if inside and known.isdisjoint(candidate_numbers(article, citing)):
                missing.append((citing, reference))
    return missing


def _scheme(number: str) -> str:
    """The letters that numbers of one document begin with: "C3.5" is of another one than "B1.4"."""
    found = re.match(r"((?:APPENDIX|ANNEX|SCHEDULE)?\s?[A-Z]*\.?)\d", number)
    return f"{found[1]}#" if found else number
