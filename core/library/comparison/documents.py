"""Compare two documents of a library, with what the later one says of its own changes."""

from collections.abc import Iterable, Sequence

from core.library.comparison.compare import compare
from core.library.comparison.drawings import add_redrawn_figures
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


def compare_drawings(
    library: Library, before: str, after: str, pairs: Sequence[ClausePair]
) -> tuple[ClausePair, ...]:
    """Return pairs of two documents with the figures that are drawn differently: some seconds."""
    old, new = ((library.stored_file(each), library.clauses(each)) for each in (before, after))
    return add_redrawn_figures(pairs, old, new)
