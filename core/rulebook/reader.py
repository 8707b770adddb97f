"""One call each: the bytes of a PDF, or of a JSON Lines file, become rulebooks.

The bytes of a PDF are opened in child processes only (see `child`), one a core; what they find is put together here.
"""

import hashlib
import json
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from core.errors import ReadError
from core.rulebook.assembly import Source, assemble
from core.rulebook.blocks import Page
from core.rulebook.child import Job, Opened, Refused
from core.rulebook.references import defined_terms, references_in, sanctions_in
from core.rulebook.types import Clause, Identity, ReadingReport, Rulebook, Warning

OnPage = Callable[[int, int], None]
_ROOT = Path(__file__).resolve().parents[2]
_SMALL = 150_000  # bytes: below it a second process costs more than it saves
_MOST_PROCESSES = 8
_MOST_RESTARTS = 5


def read_pdf(data: bytes, name: str, on_page: OnPage | None = None) -> Rulebook:
    """Read a PDF. `on_page(done, of)` is called as pages come in, from the calling thread.

    Raises ReadError with code `empty`, `not_pdf`, `encrypted`, `damaged`, `no_text` or `no_clauses`.
    """
    if not data.strip(b"\x00\t\n\f\r "):
        raise ReadError(f"{name} is empty: please choose another file.", code="empty")
    if b"%PDF-" not in data[:1024]:
        raise ReadError(f"{name} is not a PDF: please choose a PDF file.", code="not_pdf")
    reading = _Reading(data, name, on_page)
    pages = reading.pages()
    source = Source(hashlib.sha256(data).hexdigest(), name, reading.metadata, tuple(reading.warnings))
    return assemble(pages, source)


def read_jsonl(data: bytes, name: str) -> tuple[Rulebook, ...]:
    """Read rulebooks given a clause a line: `document`, `article`, `text`; optional `id title season issue family`.

    Raises ReadError with code `empty` or `bad_line` (the message names the line).
    """
    digest = hashlib.sha256(data)
    documents: dict[str, list[Mapping[str, Any]]] = {}
    for line in _records(data, name):
        documents.setdefault(str(line["document"]), []).append(line)
    if not documents:
        raise ReadError(f"{name} is empty: it holds no clause.", code="empty")
    rulebooks = []
    for document, lines in documents.items():
        own = digest.copy()
        own.update(document.encode())
        rulebooks.append(_imported(own.hexdigest(), document, lines))
    return tuple(rulebooks)


@dataclass(slots=True)
class _Reading:
    """The child processes at work on one PDF, and what they have found so far."""

    data: bytes
    name: str
    on_page: OnPage | None
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: list[Warning] = field(default_factory=list)
    _found: dict[int, Page] = field(default_factory=dict)
    _failed: set[int] = field(default_factory=set)
    _opened: Opened | None = None

    def pages(self) -> list[Page]:
        """All pages in order; those that could not be read are warned of. Raises ReadError where none could."""
        processes = 1 if len(self.data) < _SMALL else min(os.cpu_count() or 1, _MOST_PROCESSES)
        self._run([Job(self.data, first + 1, processes) for first in range(processes)])
        for _ in range(_MOST_RESTARTS):
            missing = self._missing()
            if not missing:
                break
            # The first missing page ended its process: leave it out and go on behind it.
            self._fail(missing[0], "Reading this page ended the reading process.")
            self._run([Job(self.data, 1, 1, frozenset(self._found) | frozenset(self._failed))])
        if not self._found:
            raise ReadError(f"{self.name} is damaged: none of its pages could be read.", code="damaged")
        return [self._found[number] for number in sorted(self._found)]

    def _missing(self) -> list[int]:
        if self._opened is None:
            raise ReadError(f"{self.name} is damaged and cannot be opened.", code="damaged")
        return [n for n in range(1, self._opened.pages + 1) if n not in self._found and n not in self._failed]

    def _run(self, jobs: list[Job]) -> None:
        results: queue.SimpleQueue[Opened | Refused | Page | None] = queue.SimpleQueue()
        children = [_start(job, results) for job in jobs]
        running = len(children)
        try:
            while running:
                match results.get():
                    case None:
                        running -= 1
                    case Opened() as opened:
                        self._opened, self.metadata = opened, opened.metadata
                    case Refused(page=0) as refused:
                        raise ReadError(self._refusal(refused), code=refused.code)
                    case Refused() as refused:
                        self._fail(refused.page, refused.message)
                    case Page() as page:
                        self._take(page)
        finally:
            for child in children:
                child.kill()
                child.wait()

    def _take(self, page: Page) -> None:
        assert self._opened is not None
        page.label = self._opened.labels[page.number - 1] if self._opened.labels else ""
        self._found[page.number] = page
        if self.on_page is not None:
            self.on_page(len(self._found), self._opened.pages)

    def _fail(self, page: int, message: str) -> None:
        self._failed.add(page)
        self.warnings.append(Warning("page_unread", page, message))

    def _refusal(self, refused: Refused) -> str:
        if refused.code == "encrypted":
            return f"{self.name} is protected with a password: please save a copy without one and add that."
        return f"{self.name} is damaged and cannot be opened: please fetch it again."


def _start(job: Job, results: "queue.SimpleQueue[Opened | Refused | Page | None]") -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(_ROOT)}
    child = subprocess.Popen(
        [sys.executable, "-c", "from core.rulebook.child import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    threading.Thread(target=_converse, args=(child, job, results), daemon=True).start()
    return child


def _converse(
    child: subprocess.Popen[bytes], job: Job, results: "queue.SimpleQueue[Opened | Refused | Page | None]"
) -> None:
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        with child.stdin as to_child:
            pickle.dump(job, to_child, protocol=pickle.HIGHEST_PROTOCOL)
        for value in _values(child.stdout):
            results.put(value)
    except OSError:
        pass  # the child has ended early; what it did not read is found missing
    finally:
        child.stdout.close()
        results.put(None)


def _values(stream: IO[bytes]) -> Iterator[Any]:
    while True:
        try:
            yield pickle.load(stream)
        except (EOFError, pickle.UnpicklingError):
            return


def _records(data: bytes, name: str) -> Iterator[Mapping[str, Any]]:
    for number, raw in enumerate(data.splitlines(), start=1):
        if not raw.strip():
            continue
        try:
            line = json.loads(raw)
        except ValueError as error:
            raise ReadError(f"Line {number} of {name} is not JSON: please correct it.", code="bad_line") from error
        wrong = _wrong_with(line)
        if wrong:
            raise ReadError(f"Line {number} of {name} {wrong}: please correct it.", code="bad_line")
        yield line


def _wrong_with(line: object) -> str:
    if not isinstance(line, dict):
        return "is not an object"
    for key in ("document", "article", "text"):
        if not isinstance(line.get(key), str):
            return f'has no text under "{key}"'
    for key in ("season", "issue"):
        if not isinstance(line.get(key), int | None) or isinstance(line.get(key), bool):
            return f'has no whole number under "{key}"'
    for key in ("id", "title", "family"):
        if not isinstance(line.get(key), str | None):
            return f'has no text under "{key}"'
    return ""


def _imported(document_id: str, document: str, lines: list[Mapping[str, Any]]) -> Rulebook:
    first = lines[0]
    season, issue, family = first.get("season"), first.get("issue"), first.get("family")
    given = {key: "given" for key in ("title", "season", "issue", "family") if key == "title" or first.get(key)}
    identity = Identity(document, family, season, issue, None, None, given)
    seen: dict[str, int] = {}
    clauses = []
    for line in lines:
        article = line["article"].strip()
        seen[article] = seen.get(article, 0) + 1
        clause_id = f"{document_id}:{article}" + (f"~{seen[article]}" if seen[article] > 1 else "")
        clauses.append(_imported_clause(clause_id, document_id, article, line, identity))
    report = ReadingReport({"pages": 1, "clauses": len(clauses)}, ())
    return Rulebook(document_id, identity, 1, tuple(clauses), report)


def _imported_clause(
    clause_id: str, document_id: str, article: str, line: Mapping[str, Any], identity: Identity
) -> Clause:
    text, title = line["text"], line.get("title") or ""
    return Clause(
        clause_id=clause_id,
        document_id=document_id,
        source_id=line.get("id") or clause_id,
        article=article,
        title=title,
        breadcrumb=(),
        text=text,
        status="in_force",
        deleted=(),
        inserted=(),
        marks=(),
        season=identity.season,
        issue=identity.issue,
        family=identity.family,
        future=None,
        page_first=1,
        page_last=1,
        references=references_in(text),
        defines=defined_terms(title, text),
        sanctions=sanctions_in(text),
    )
