"""Documents by name where one is chosen from many: each name is told apart from all others. Draws nothing."""

from collections import Counter
from collections.abc import Iterable

from core.library import Document
from core.sanitize import strip_control_characters


def distinct_names(documents: Iterable[Document]) -> dict[str, str]:
    """A name for each document by its id: its label, with its file and id where others have the same."""
    held = tuple(documents)
    labels = {document.document_id: strip_control_characters(document.label) for document in held}
    often = Counter(labels.values())
    return {
        document.document_id: label
        if often[label := labels[document.document_id]] == 1
        else f"{label} ({strip_control_characters(document.file)}, {document.document_id[:8]})"
        for document in held
    }
