"""Questions that one would ask next of the clauses that an answer rests on."""

import re
from collections.abc import Iterator, Sequence

from core.grammar import (
    article_label,
    canonical_number,
    find_citations,
    find_sanctions,
    list_cues,
    split_sentences,
)
from core.library import (
    ClauseHistory,
    Editions,
    Library,
    Scope,
    find_definitions,
    find_referring_by_number,
)
from core.rulebook import Clause
from core.verification import Citation

_EXCEPTION = list_cues("exception", "exempting").pattern


def suggest_follow_ups(
    library: Library, scope: Scope, citations: Sequence[Citation]
) -> Iterator[str]:
    """Yield a question for each clause that completes the first two cited, the weightiest first.

    Penalties and exceptions are in sentences that name a cited one by its number; a wording of an
    earlier edition is offered where it differs, a definition where the quote uses the term.
    Raises LibraryError `unreadable`.
    """
    cited = {citation.clause_id: citation for citation in citations}
    for clause_id, citation in list(cited.items())[:2]:
        clause = library.clause(clause_id)
        if clause is None:
            continue
        others = [c for c in find_referring_by_number(library, clause) if c.clause_id not in cited]
        label, number = article_label(clause.article), canonical_number(clause.article)
        said = [
            (
                c.article,
                [
                    sentence
                    for sentence in split_sentences(c.text)
                    if number in {one.number for one in find_citations(sentence)}
                ],
            )
            for c in others
        ]
        for what, completes in (
            (f"What penalty for a breach of {label}", find_sanctions),
            (f"What exception to {label}", _EXCEPTION.search),
        ):
            if found := next((one for one, words in said if any(map(completes, words))), None):
                yield f"{what} does {article_label(found)} set?"
        yield from _earlier_wording(library, clause)
        yield from _definition(library, scope, clause, citation.quote)


def _earlier_wording(library: Library, clause: Clause) -> Iterator[str]:
    documents = library.documents()
    document = library.document(clause.document_id)
    earlier = Editions(documents).find_earlier(document)
    if earlier is None:
        return
    for before in ClauseHistory(library, clause).find_counterparts([earlier]):
        if before.text.split() != clause.text.split():
            yield f"What did {article_label(before.article)} say in {earlier.label}?"


def _definition(library: Library, scope: Scope, clause: Clause, quote: str) -> Iterator[str]:
    """Yield a question on the longest defined term in a quote, which says most on its own."""
    defined = (d for d in find_definitions(library, clause, scope) if d.text not in quote)
    terms = {term for definer in defined for term in definer.defines}
    used = [term for term in terms if re.search(rf"(?<!\w){re.escape(term)}(?!\w)", quote)]
    if used:
        yield f"What does “{max(sorted(used), key=len)}” mean?"
