"""A library in the words of a language: documents, scopes, files being added; as Markdown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.choices import ID_PREFIX_LENGTH
from core.language import Language
from core.library.edition_order import Editions
from core.library.ingestion.upload_queue import UploadJob
from core.library.layer_proposals import LayerProposal
from core.library.types import Document, Relation, Scope, ScopeChoice
from core.markdown_escape import escape_markdown
from core.rulebook import LineCorrection, MetadataOverride
from core.sanitize import strip_control_characters

_GROUPS = ("adding", "added", "unchanged", "failed")


@dataclass(frozen=True, slots=True)
class LibraryText:
    """Says in a language what a library holds."""

    language: Language

    def name_documents(self, documents: Iterable[Document]) -> dict[str, str]:
        """Return a distinct name for each document by id: its label, without control characters.

        File and id follow where others have the same label.
        """
        labels = {one: strip_control_characters(one.citation_label) for one in documents}
        count = Counter(labels.values())
        return {
            document.document_id: label
            if count[label] == 1
            else f"{label} ({strip_control_characters(document.file)},"
            f" {document.document_id[:ID_PREFIX_LENGTH]})"
            for document, label in labels.items()
        }

    def describe_edition(self, document: Document) -> str:
        """Return season, issue and date, else the title: "2025 · Issue 5 · 30 Apr 2025"."""
        say, issue = self.language.say, document.issue
        parts = (
            str(document.season or ""),
            say("issue-number", issue=str(issue)) if issue is not None else "",
            self.language.format_day(date.fromisoformat(document.date)) if document.date else "",
        )
        return strip_control_characters(" · ".join(filter(None, parts)) or document.title)

    def describe_size(self, document: Document) -> str:
        """Return the size of a document: "412 clauses on 87 pages"."""
        if not document.pages:
            return self.language.say("clauses", count=document.clauses)
        pages = self.language.say("pages", count=document.pages)
        return self.language.say("clauses-on-pages", count=document.clauses, pages=pages)

    def describe_pages(self, document: Document) -> str:
        """Return how many pages a document has; of a Word file, which has none, that it is one."""
        say = self.language.say
        return say("pages", count=document.pages) if document.pages else say("document-word")

    def list_notes(self, document: Document) -> Iterator[str]:
        """Yield what a line on a document says beside its name: sizes, doubts, what is unknown."""
        say = self.language.say
        if document.is_sample:
            yield say("document-invented")
        yield say("clauses", count=document.clauses)
        yield self.describe_pages(document)
        yield self.language.format_size(document.size)
        if document.reading == "partly":
            yield say("document-partly")
        if document.warnings:
            yield say("document-warnings", count=len(document.warnings))
        missing = [name for name in MetadataOverride.FIELDS if getattr(document, name) is None]
        if missing:
            yield say("document-unknown", names=", ".join(say(f"column-{one}") for one in missing))

    def list_reading_counts(self, counts: Mapping[str, int]) -> list[str]:
        """Return the counts of a reading that are not zero and have a name, each in words."""
        return [
            self.language.say(f"report-{name}", count=count)
            for name, count in counts.items()
            if count and self.language.has_message(f"report-{name}")
        ]

    def list_leftovers(self, document: Document) -> Iterator[str]:
        """Yield what a reading left over: lines, numbers, the first 20 long clauses."""
        say, account = self.language.say, document.account
        if account.unplaced:
            yield say("left-lines", count=len(account.unplaced))
        if account.untaken:
            yield say("left-numbers", count=len(account.untaken))
        for clause in account.long_clauses[:20]:
            place: dict[str, str | int | None] = {"article": clause.article, "page": clause.page}
            yield say("left-long", letters=clause.letters, **place)

    def describe_correction(self, said: LineCorrection) -> str:
        """Return what a person said of a line."""
        if said.kind == "heading":
            line: dict[str, str | int] = {"page": said.page, "level": said.level}
            return self.language.say("lines-said-heading", words=said.words, **line)
        return self.language.say("lines-said-furniture", page=said.page, words=said.words)

    def describe_relation(self, said: Relation, documents: Iterable[Document]) -> str:
        """Return how a document stands to another one: "amends 2025 Rules, from 1 May 2025 on"."""
        say = self.language.say
        labels = {one.document_id: one.label for one in documents}
        other = labels.get(said.document_id) or say("relation-gone")
        parts = [say(f"relation-{said.kind}", document=other)]
        if said.kind == "supplements":
            parts.append(say(f"relation-prevails-{said.prevails or 'none'}"))
        if said.from_day:
            day = self.language.format_day(date.fromisoformat(said.from_day))
            parts.append(say("relation-from", day=day))
        if said.at:
            day = self.language.format_day(date.fromisoformat(said.at[:10]))
            who = say("relation-by", who=said.by, day=day) if said.by else ""
            parts.append(who or say("relation-at", day=day))
        return strip_control_characters(", ".join(parts))

    def describe_proposal(self, one: LayerProposal, documents: Iterable[Document]) -> str:
        """Return what a clause says: "2025 Handbook: supplements 2025 Rules, ..."."""
        say = self.language.say
        if one.relation:
            said = self.describe_relation(one.relation, documents)
        else:
            ends = (one.valid_from or say("relation-open"), one.valid_to or say("relation-open"))
            said = say("relation-valid", **dict(zip(("from", "to"), ends, strict=True)))
        label = strip_control_characters(one.document.label)
        return say("layers-on-this", document=label, relation=said)

    def list_facts(self, document: Document, documents: Iterable[Document]) -> dict[str, str]:
        """Return the facts of a document by the names of fields, with where they are from.

        The last is a newer edition among the documents, if there is one.
        """
        facts = {
            "file": escape_markdown(document.file),
            "size": self.language.format_size(document.size),
            "added": f"{document.added_at[:10]} {document.added_at[11:16]} UTC",
            "document_id": document.document_id[:12],
        }
        for name in MetadataOverride.FIELDS:
            value, source = getattr(document, name), document.sources.get(name)
            origin = f" :gray[({escape_markdown(source)})]" if source else ""
            known = f"{escape_markdown(str(value))}{origin}"
            facts[name] = known if value is not None else self.language.say("document-not-known")
        for name in MetadataOverride.VALIDITY:
            if value := getattr(document, name):
                facts[name] = self.language.format_day(date.fromisoformat(value))
        if later := Editions(documents).find_later(document):
            label = escape_markdown(later.label)
            facts["newer"] = self.language.say("document-newer-label", label=label)
        return facts

    def list_scope_choices(self, documents: Sequence[Document]) -> dict[ScopeChoice, str]:
        """Return the scopes that one click can choose, with names: newest, season, document."""
        say = self.language.say
        choices = {ScopeChoice(): say("preset-newest")}
        for season in Editions(documents).seasons:
            choices[ScopeChoice(season=season)] = say("decide-season", season=str(season))
        for document in documents:
            label = strip_control_characters(document.citation_label)
            choices[ScopeChoice(document=document.document_id)] = label
        return choices

    def describe_scope(self, scope: Scope, held: int, adding: int) -> tuple[str, str]:
        """Return a short line on a scope of `held` documents, and the whole of it.

        `adding` are the files that are not read yet.
        """
        say = self.language.say
        count = say("scope-count", count=len(scope.documents), held=held)
        soon = say("scope-adding", count=adding) if adding else ""
        labels = [escape_markdown(document.citation_label) for document in scope.documents]
        first = labels[0] if labels else ""
        why = escape_markdown(scope.why).capitalize()
        details = [f"{why}.", "", *(f"- {label}" for label in labels)]
        if scope.left_out:
            left = (escape_markdown(document.citation_label) for document in scope.left_out)
            details += ["", say("scope-left-out"), "", *(f"- {label}" for label in left)]
        if len(labels) > 1:
            first = say("scope-more", document=first, more=len(labels) - 1)
        return " · ".join(filter(None, (first, count, soon))), "\n".join(details)

    def summarize_jobs(self, jobs: Iterable[UploadJob]) -> str:
        """Return how many jobs are in each state. A cancelled one counts as failed."""
        states = Counter("adding" if job.unfinished else job.state for job in jobs)
        states["failed"] += states.pop("cancelled", 0)
        say = self.language.say
        counts = (say(f"queue-{one}", count=states[one]) for one in _GROUPS if states[one])
        return " · ".join(counts)

    def describe_progress(self, job: UploadJob, ahead: int) -> str:
        """Return how far an unfinished job is; `ahead` are the jobs before it."""
        say = self.language.say
        match job.state:
            case "reading" if job.of:
                stage = say("queue-reading-page", page=job.done, pages=job.of)
            case "reading" | "keeping":
                stage = say(f"queue-{job.state}")
            case "scans":
                stage = say("queue-scans", page=job.done, pages=job.of)
            case "vectors":
                stage = say("queue-vectors", done=job.done, count=job.of)
            case _ if ahead:
                stage = say("queue-waiting-behind", count=ahead)
            case _:
                stage = say("queue-waiting")
        elapsed = say("queue-elapsed", time=self.language.format_seconds(job.elapsed))
        return f"{escape_markdown(job.name)}: {stage} · {elapsed}"

    def describe_result(self, job: UploadJob, documents: Iterable[Document]) -> str:
        """Return what came of a job that ended; `documents` are those of the library now."""
        say, held = self.language.say, tuple(documents)
        document = next((found for found in held if found.document_id == job.document_id), None)
        name, label = escape_markdown(job.name), escape_markdown(document.label if document else "")
        reason = escape_markdown(job.message)
        match job.state:
            case "added" if document:
                time = self.language.format_seconds(job.seconds)
                size = self.describe_size(document)
                added = say("result-added", label=label, size=size, time=time)
                editions = self._describe_editions(document, held)
                partial = (w.message for w in document.warnings if w.code == "partly_read")
                cautions = (f":orange[{escape_markdown(message)}]" for message in partial)
                return " ".join(filter(None, (added, *editions, reason, *cautions)))
            case "unchanged" if document and document.file == job.name:
                return f"{say('result-same', name=name, label=label)} {reason}"
            case "unchanged" if document:
                file = escape_markdown(document.file)
                return f"{say('result-copy', name=name, file=file, label=label)} {reason}"
            case "failed" if job.needs_password:
                return say("result-locked", name=name)
            case "added" | "unchanged":
                return say("result-removed", name=name)
            case "cancelled":
                return say("result-cancelled", name=name)
            case _:
                failure = self.language.say_failure(f"ReadError-{job.code}", job.message)
                reason = escape_markdown(failure)
                said = reason if reason.startswith(name) else f"{name}. {reason}"
                return say("result-failed", said=said)

    def _describe_editions(self, document: Document, held: Sequence[Document]) -> Iterator[str]:
        """Yield sentences on other issues of the same rulebook."""
        say, editions = self.language.say, Editions(held)
        if twin := editions.find_twin(document):
            yield say("edition-same", file=escape_markdown(twin.file))
        if later := editions.find_later(document):
            yield say("edition-later", label=escape_markdown(later.label))
        elif earlier := editions.find_earlier(document):
            yield say("edition-earlier", label=escape_markdown(earlier.label))
