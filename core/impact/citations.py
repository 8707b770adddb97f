"""A citation of a clause that an issue changed, and what the clause is there."""

from dataclasses import dataclass

from core.library import Document, Library, Lineage, editions_that_change


@dataclass(frozen=True, slots=True)
class TouchedCitation:
    """A citation of a clause that the issue changed; without `clause_now` it dropped it."""

    clause_id: str
    document_id: str
    document: str
    article: str
    quote: str
    clause_now: str | None
    article_now: str | None


def find_touched_citation(
    library: Library,
    lineage: Lineage,
    issue: Document,
    clause_id: str,
    label: str = "",
    quote: str = "",
) -> TouchedCitation | None:
    """Return the citation of a clause if the issue changed it, else None.

    `label` is the name of the document that was cited.
    """
    clause = library.clause(clause_id)
    if clause is None or issue.document_id not in editions_that_change(library, lineage, clause):
        return None
    steps = lineage.history(clause.clause_id)
    now = next((step for step in steps if step.document_id == issue.document_id), None)
    return TouchedCitation(
        clause_id=clause.clause_id,
        document_id=clause.document_id,
        document=label,
        article=clause.article,
        quote=quote,
        clause_now=now.clause_id if now else None,
        article_now=now.article if now else None,
    )
