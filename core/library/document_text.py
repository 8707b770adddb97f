"""Documents in the words of a language, as plain text: names, editions, sizes, their readings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from core.language import Language
from core.library.types import Document
from core.rulebook import METADATA_FIELDS
from core.sanitize import strip_control_characters


def name_documents(documents: Iterable[Document]) -> dict[str, str]:
    """Return a distinct name for each document by id: its label, without control characters.

    File and id follow where others have the same label.
    """
    labelled = [(document, strip_control_characters(document.label)) for document in documents]
    count = Counter(label for _, label in labelled)
    return {
        document.document_id: label
        if count[label] == 1
        else f"{label} ({strip_control_characters(document.file)}, {document.document_id[:8]})"
        for document, label in labelled
    }


def describe_edition(language: Language, document: Document) -> str:
    """Return season, issue and date, else the title: "2025 · Issue 5 · 30 Apr 2025"."""
    issue = str(document.issue)
    parts = (
        str(document.season or ""),
        language.say("issue-number", issue=issue) if document.issue is not None else "",
        language.format_day(date.fromisoformat(document.date)) if document.date else "",
    )
    return strip_control_characters(" · ".join(filter(None, parts)) or document.title)


def describe_size(language: Language, document: Document) -> str:
    """Return the size of a document: "412 clauses on 87 pages"."""
    pages = language.say("pages", count=document.pages)
    return language.say("clauses-on-pages", count=document.clauses, pages=pages)


def list_document_notes(language: Language, document: Document) -> Iterator[str]:
    """Yield what a line on a document says beside its name: sizes, doubts, what is not known."""
    yield language.say("clauses", count=document.clauses)
    yield language.say("pages", count=document.pages)
    yield language.format_size(document.size)
    if document.reading == "partly":
        yield language.say("document-partly")
    if document.warnings:
        yield language.say("document-warnings", count=len(document.warnings))
    missing = [name for name in METADATA_FIELDS if getattr(document, name) is None]
    if missing:
        names = ", ".join(language.say(f"column-{name}") for name in missing)
        yield language.say("document-unknown", names=names)


def list_reading_counts(language: Language, counts: Mapping[str, int]) -> list[str]:
    """Return the counts of a reading that are not zero and have a name, each in words."""
    told = {name: count for name, count in counts.items() if count}
    known = [name for name in told if language.has_message(f"report-{name}")]
    return [language.say(f"report-{name}", count=told[name]) for name in known]


def document_rows(language: Language, documents: Iterable[Document]) -> list[dict[str, object]]:
    """Return documents as rows of a table, their cells by the names of the columns."""
    names = ("title", "season", "issue", "date", "family", "pages", "clauses", "size", "file")
    return [
        {name: getattr(one, name) for name in names} | {"size": language.format_size(one.size)}
        for one in documents
    ]
