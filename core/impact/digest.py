"""An impact as Markdown, for a mail or a chat, and beside each new file of a watched folder."""

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.atomic_files import write_atomically
from core.chats import Conversations
from core.errors import ScrutineerError
from core.impact.impact import ChangedClause, Impact, assess_impact
from core.library import ClausePair, IngestResult, Library, add_file, expand_paths
from core.sheets import SheetStore

MAX_CHANGES = 200
MAX_WORDS = 60
"""Most words of a wording that are shown."""
DIGEST_SUFFIX = ".changes.md"
SETTLED_SECONDS = 2.0
"""Since the last write to a file: until then it may still be copied."""


def format_digest(impact: Impact) -> str:
    """Return what an issue changed and what that touches: suspects first, then the changes."""
    if impact.before is None:
        return f"# {impact.document.label}\n\nIt is the first edition of its rulebook here.\n"
    suspects = (
        f"{_escape(one.question)} (asked {one.asked_at[:10]}): cites {one.cited}"
        for one in impact.suspects
    )
    sheets = (
        f"{_escape(sheet.name)}, {_escape(row.id)} {_escape(row.parameter)} ({_escape(row.value)}):"
        f" {row.verdict_before} ({row.limit_before or 'no limit'})"
        f" → {row.verdict} ({row.limit or 'no limit'})"
        for sheet in impact.suspect_sheets
        for row in sheet.rows
    )
    referring = (
        f"{f'{one.article} {_escape(one.title)}'.rstrip()}: refers to {', '.join(one.refers_to)}"
        for one in impact.clauses
    )
    blocks = [
        f"# What changed for us: {impact.document.label}",
        f"Compared with {impact.before.label}. Changed clauses: {len(impact.changed)}. Answers"
        f" and checks that cite them: {len(impact.answers)}, to look at: {len(impact.suspects)}."
        f" Clauses that refer to them: {len(impact.clauses)}. Sheets that rest on them:"
        f" {len(impact.sheets)}, to look at: {len(impact.suspect_sheets)}.",
        *_list_section("Answers and checks to look at", suspects),
        *_list_section("Rows of sheets to look at", sheets),
        *_list_section("Changed clauses", _format_changes(impact.changed)),
        *_list_section("Clauses that refer to them", referring),
    ]
    return "\n\n".join(blocks) + "\n"


def _list_section(title: str, lines: Iterable[str]) -> Iterator[str]:
    if items := "\n".join(f"- {line}" for line in lines):
        yield f"## {title}"
        yield items


def _format_changes(changed: Sequence[ChangedClause]) -> Iterator[str]:
    for change in changed[:MAX_CHANGES]:
        pair = change.pair
        numbers = " → ".join(dict.fromkeys(filter(None, (pair.article_a, pair.article_b))))
        declared = ", not declared" if pair.declaration == "undeclared" else ""
        name = f"**{numbers}** {_escape(pair.title)}".rstrip()
        yield f"{name} ({pair.change}{declared}): {_format_words(pair)}"
    if len(changed) > MAX_CHANGES:
        yield f"and {len(changed) - MAX_CHANGES} more"


def _format_words(pair: ClausePair) -> str:
    """Return the words that differ: ~~left~~ and **came**."""
    if not pair.pieces:
        return _shorten(pair.before or pair.after)
    signs = {"deleted": "~~", "inserted": "**"}
    pieces = ((signs[p.kind], _shorten(p.text)) for p in pair.pieces if p.kind in signs)
    return " ".join(f"{sign}{text}{sign}" for sign, text in pieces if text)


def _shorten(text: str) -> str:
    words = text.split()
    return _escape(" ".join(words[:MAX_WORDS]) + (" …" if len(words) > MAX_WORDS else ""))


def _escape(text: str) -> str:
    """Return a text of others so that it stays one line and no mark-up."""
    return "".join(f"\\{c}" if c in "\\`*_~[]<>#|" else c for c in " ".join(text.split()))


class FolderWatch(threading.Thread):
    """A thread that looks into a folder until the process ends."""

    INTERVAL: Final = 10.0  # seconds

    def __init__(self, library: Library, chats: Conversations, folder: Path) -> None:
        super().__init__(name="folder-watch", daemon=True)
        self._library, self._chats, self._folder = library, chats, folder

    def run(self) -> None:
        while True:
            with suppress(OSError, ScrutineerError):  # the folder may be away, the library locked
                for _ in self.add_new_files():
                    pass
            time.sleep(self.INTERVAL)

    def add_new_files(self) -> Iterator[IngestResult]:
        """Add each PDF and Word file without a digest beside it, and write its digest.

        One that cannot be read gets the reason as its digest. Without leave to write there, what
        the library knows is not read again.
        """
        sheets = SheetStore(self._library.folder)
        for path in expand_paths([self._folder]):
            if path.suffix.lower() == ".jsonl":
                continue
            digest = path.with_name(path.name + DIGEST_SUFFIX)
            if digest.exists() or time.time() - path.stat().st_mtime < SETTLED_SECONDS:
                continue
            results = tuple(add_file(self._library, path))
            ids = (result.document.document_id for result in results if result.document)
            impacts = (assess_impact(self._library, self._chats, sheets, one) for one in ids)
            texts = [*map(format_digest, impacts)]
            failed = [f"# {path.name}\n\n{result.message}\n" for result in results]
            with suppress(OSError):
                write_atomically(digest, "\n".join(texts or failed).encode())
            yield from results
