"""Documents in the words of a language, as plain text: names, editions, sizes, their readings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from core.language import Language
from core.library.scope import edition_status
from core.library.types import Document
from core.markdown_escape import escape_markdown
from core.rulebook import METADATA_FIELDS, LineCorrection
from core.sanitize import strip_control_characters

_MAX_LISTED = 20  # long clauses


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


def list_leftovers(language: Language, document: Document) -> Iterator[str]:
    """Yield what a reading left over: lines, numbers, and the clauses longer than a rule."""
    account = document.account
    if account.unplaced:
        yield language.say("left-lines", count=len(account.unplaced))
    if account.untaken:
        yield language.say("left-numbers", count=len(account.untaken))
    for clause in account.long_clauses[:_MAX_LISTED]:
        place: dict[str, str | int] = {"article": clause.article, "page": clause.page}
        yield language.say("left-long", letters=clause.letters, **place)


def describe_correction(language: Language, said: LineCorrection) -> str:
    """Return what a person said of a line."""
    if said.kind == "heading":
        line: dict[str, str | int] = {"page": said.page, "level": said.level}
        return language.say("lines-said-heading", words=said.words, **line)
    return language.say("lines-said-furniture", page=said.page, words=said.words)


def document_facts(
    language: Language, document: Document, documents: Iterable[Document]
) -> dict[str, str]:
    """Return the facts of a document by the names of fields, as Markdown, with where they are from.

    The last is a newer edition among the documents, if there is one.
    """
    facts = {
        "file": escape_markdown(document.file),
        "size": language.format_size(document.size),
        "added": f"{document.added_at[:10]} {document.added_at[11:16]} UTC",
        "document_id": document.document_id[:12],
    }
    for name in METADATA_FIELDS:
        value, source = getattr(document, name), document.sources.get(name)
        origin = f" :gray[({escape_markdown(source)})]" if source else ""
        known = f"{escape_markdown(str(value))}{origin}"
        facts[name] = known if value is not None else language.say("document-not-known")
    if later := edition_status(document, documents).later:
        label = escape_markdown(later.label)
        facts["newer"] = language.say("document-newer-label", label=label)
    return facts


def document_rows(language: Language, documents: Iterable[Document]) -> list[dict[str, object]]:
    """Return documents as rows of a table, their cells by the names of the columns."""
    names = ("title", "season", "issue", "date", "family", "pages", "clauses", "size", "file")
    return [
        {name: getattr(one, name) for name in names} | {"size": language.format_size(one.size)}
        for one in documents
    ]
