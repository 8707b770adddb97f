"""Files that are being added, in the words of a language, as Markdown: how far, and what came."""

from collections import Counter
from collections.abc import Iterable, Iterator

from core.language import Language
from core.library.document_text import describe_size
from core.library.ingestion.upload_jobs import UploadJob
from core.library.scope import edition_status
from core.library.types import Document
from core.markdown_escape import escape_markdown

_GROUPS = ("adding", "added", "unchanged", "failed")


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
        case "vectors":
            stage = language.say("queue-vectors", done=job.done, count=job.of)
        case _ if ahead:
            stage = language.say("queue-waiting-behind", count=ahead)
        case _:
            stage = language.say("queue-waiting")
    return f"{escape_markdown(job.name)}: {stage} · {language.format_seconds(job.elapsed)}"


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
