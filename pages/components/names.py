"""Documents by name where one is chosen from many: each name is told apart from all others. Draws nothing."""

from collections import Counter
from collections.abc import Iterable

from core.library.types import Document


def names_of(documents: Iterable[Document]) -> dict[str, str]:
    """A name for each document by its id: its label, with its file and id where others have the same."""
    held = tuple(documents)
    labels = Counter(document.label for document in held)
    return {
        document.document_id: document.label
        if labels[document.label] == 1
        else f"{document.label} ({document.file}, {document.document_id[:8]})"
        for document in held
    }
