"""Compare two documents of a library, with what the later one says of its own changes."""

from collections.abc import Iterable

from core.library.comparison.compare import compare
from core.library.storage.library import Library
from core.library.types import ClausePair


def compare_documents(
    library: Library, before: str, after: str, about: Iterable[str] = ()
) -> tuple[ClausePair, ...]:
    """Compare two documents by id, the earlier one first, as `compare` does their clauses."""
    texts = library.other_texts(after)
    changelog = [text for text in texts if text.kind == "changelog"]
    legend = library.document(after).legend
    return compare(library.clauses(before), library.clauses(after), about, changelog, legend)
