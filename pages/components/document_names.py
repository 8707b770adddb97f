"""Distinct names for documents in a list to choose from."""

from collections import Counter
from collections.abc import Iterable

from core.library import Document
from core.sanitize import strip_control_characters


def distinct_names(documents: Iterable[Document]) -> dict[str, str]:
    """A name for each document id: its label, with file and id if others have the same label."""
    labelled = [(document, strip_control_characters(document.label)) for document in documents]
    count = Counter(label for _, label in labelled)
    return {
        document.document_id: label
        if count[label] == 1
        else f"{label} ({strip_control_characters(document.file)}, {document.document_id[:8]})"
        for document, label in labelled
    }
