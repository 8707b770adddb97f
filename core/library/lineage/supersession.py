"""Whether a clause that somebody quoted still says the same in later editions."""

from dataclasses import dataclass

from core.library.lineage.lineage import Lineage
from core.library.lineage.records import list_editions, read_lineage
from core.library.storage.library import Library
from core.library.types import Document
from core.rulebook import Clause


@dataclass(frozen=True, slots=True)
class Supersession:
    """The newest edition whose words differ from those of a clause, and the clause there."""

    document: Document
    clause: Clause | None
    """None where that edition no longer has the rule."""


def find_supersession(library: Library, clause: Clause) -> Supersession | None:
    """Return what superseded a clause, None where its words still stand in the newest edition."""
    document = library.document(clause.document_id)
    lineage = read_lineage(library, document)
    changed_in = editions_that_change(library, lineage, clause)
    if not changed_in:
        return None
    newest = changed_in[-1]
    edition = next(d for d in list_editions(library, document) if d.document_id == newest)
    steps = {step.document_id: step for step in lineage.history(clause.clause_id)}
    now = library.clause(steps[newest].clause_id) if newest in steps else None
    is_back = now is not None and _squeeze(now.text) == _squeeze(clause.text)
    return None if is_back else Supersession(edition, now)


def editions_that_change(library: Library, lineage: Lineage, clause: Clause) -> list[str]:
    """Return the ids of the later editions that changed the words of a clause, or dropped it.

    A part of a long article is changed only where its own words no longer stand in the article.
    """
    steps = lineage.history(clause.clause_id)
    if not steps or clause.document_id not in lineage.documents:
        return []
    by_document = {step.document_id: step for step in steps}
    later = lineage.documents[lineage.documents.index(clause.document_id) + 1 :]
    changed, there = [], True
    for document_id in later:
        step = by_document.get(document_id)
        if step is None:
            changed += [document_id] if there else []
        elif step.wording == "changed" and not _holds_part(library, clause, step.clause_id):
            changed.append(document_id)
        there = step is not None
    return changed


def _holds_part(library: Library, part: Clause, clause_id: str) -> bool:
    """True where an article of another edition still has the words of a part in one piece."""
    if not part.part:
        return False
    document_id = clause_id.partition(":")[0]
    whole = library.clause(clause_id)
    texts = (
        clause.text
        for clause in library.clauses(document_id)
        if whole and clause.whole_article == whole.whole_article
    )
    return any(_squeeze(part.text) in _squeeze(text) for text in texts)


def _squeeze(text: str) -> str:
    return "".join(text.split()).casefold()
