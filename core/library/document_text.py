"""Documents in the words of a language: names, editions, sizes, readings, files being added."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from core.language import Language
from core.library.ingestion.upload_queue import UploadJob
from core.library.scope import edition_status
from core.library.types import Document
from core.markdown_escape import escape_markdown
from core.rulebook import METADATA_FIELDS, LineCorrection
from core.sanitize import strip_control_characters

_MAX_LISTED = 20  # long clauses
_GROUPS = ("adding", "added", "unchanged", "failed")


def name_documents(documents: Iterable[Document]) -> dict[str, str]:
    """Return a distinct name for each document by id: its label, without control characters.

    File and id follow where others have the same label.
    """
    labelled = [
        (document, strip_control_characters(document.citation_label)) for document in documents
    ]
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
    if document.is_sample:
        yield language.say("document-invented")
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


def select_jobs(jobs: Iterable[UploadJob], since: float) -> list[UploadJob]:
    """Return unfinished jobs and those that ended after a time (Unix seconds), newest first."""
    newest = sorted(jobs, key=lambda job: job.entry_id, reverse=True)
    return [job for job in newest if job.unfinished or job.since + job.seconds > since]


def summarize_jobs(language: Language, jobs: Iterable[UploadJob]) -> str:
    """Return how many jobs are in each state. A cancelled one counts as failed."""
    states = Counter("adding" if job.unfinished else job.state for job in jobs)
    states["failed"] += states.pop("cancelled", 0)
    counts = (language.say(f"queue-{one}", count=states[one]) for one in _GROUPS if states[one])
    return " · ".join(counts)


def describe_progress(language: Language, job: UploadJob, ahead: int) -> str:
    """Return how far an unfinished job is; `ahead` are the jobs before it."""
    match job.state:
        case "reading" if job.of:
            stage = language.say("queue-reading-page", page=job.done, pages=job.of)
        case "reading" | "keeping":
            stage = language.say(f"queue-{job.state}")
        case "scans":
            stage = language.say("queue-scans", page=job.done, pages=job.of)
        case "vectors":
            stage = language.say("queue-vectors", done=job.done, count=job.of)
        case _ if ahead:
            stage = language.say("queue-waiting-behind", count=ahead)
        case _:
            stage = language.say("queue-waiting")
    elapsed = language.say("queue-elapsed", time=language.format_seconds(job.elapsed))
    return f"{escape_markdown(job.name)}: {stage} · {elapsed}"


def describe_result(language: Language, job: UploadJob, documents: Iterable[Document]) -> str:
    """Return what came of a job that ended; `documents` are those of the library now."""
    held = tuple(documents)
    document = next((found for found in held if found.document_id == job.document_id), None)
    name, label = escape_markdown(job.name), escape_markdown(document.label if document else "")
    reason = escape_markdown(job.message)
    match job.state:
        case "added" if document:
            size, time = describe_size(language, document), language.format_seconds(job.seconds)
            added = language.say("result-added", label=label, size=size, time=time)
            editions = _describe_editions(language, document, held)
            partial = (w.message for w in document.warnings if w.code == "partly_read")
            cautions = (f":orange[{escape_markdown(message)}]" for message in partial)
            return " ".join(filter(None, (added, *editions, reason, *cautions)))
        case "unchanged" if document and document.file == job.name:
            return f"{language.say('result-same', name=name, label=label)} {reason}"
        case "unchanged" if document:
            file = escape_markdown(document.file)
            return f"{language.say('result-copy', name=name, file=file, label=label)} {reason}"
        case "failed" if job.needs_password:
            return language.say("result-locked", name=name)
        case "added" | "unchanged":
            return language.say("result-removed", name=name)
        case "cancelled":
            return language.say("result-cancelled", name=name)
        case _:
            reason = escape_markdown(language.say_failure(f"ReadError-{job.code}", job.message))
            said = reason if reason.startswith(name) else f"{name}. {reason}"
            return language.say("result-failed", said=said)


def _describe_editions(
    language: Language, document: Document, documents: Iterable[Document]
) -> Iterator[str]:
    """Yield sentences on other issues of the same rulebook."""
    found = edition_status(document, documents)
    if found.same:
        yield language.say("edition-same", file=escape_markdown(found.same.file))
    if found.later:
        yield language.say("edition-later", label=escape_markdown(found.later.label))
    elif found.earlier:
        yield language.say("edition-earlier", label=escape_markdown(found.earlier.label))
