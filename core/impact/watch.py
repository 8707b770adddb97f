"""A folder whose new PDFs are added by themselves, each with a digest of what it changes."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from core.atomic_files import write_atomically
from core.chats import Conversations
from core.errors import ScrutineerError
from core.impact.digest import format_digest
from core.impact.impact import assess_impact
from core.library import IngestResult, Library, add_file
from core.sheets import SheetStore

DIGEST_SUFFIX = ".changes.md"
SETTLED_SECONDS = 2.0
"""Since the last write to a file: until then it may still be copied."""
INTERVAL_SECONDS = 10.0


def add_new_files(library: Library, chats: Conversations, folder: Path) -> Iterator[IngestResult]:
    """Add each PDF of a folder that has no digest beside it yet, and write its digest.

    One that cannot be read gets the reason as its digest. Without leave to write there, what the
    library knows is not read again.
    """
    for path in sorted(folder.glob("*.pdf")):
        digest = path.with_name(path.name + DIGEST_SUFFIX)
        if digest.exists() or time.time() - path.stat().st_mtime < SETTLED_SECONDS:
            continue
        results = tuple(add_file(library, path))
        added = (result.document.document_id for result in results if result.document)
        sheets = SheetStore(library.folder)
        texts = [format_digest(assess_impact(library, chats, sheets, one)) for one in added]
        failed = [f"# {path.name}\n\n{result.message}\n" for result in results]
        with suppress(OSError):
            write_atomically(digest, "\n".join(texts or failed).encode())
        yield from results


class FolderWatch(threading.Thread):
    """A thread that looks into a folder until the process ends."""

    def __init__(self, library: Library, chats: Conversations, folder: Path) -> None:
        super().__init__(name="folder-watch", daemon=True)
        self._library, self._chats, self._folder = library, chats, folder

    def run(self) -> None:
        while True:
            with suppress(OSError, ScrutineerError):  # the folder may be away, the library locked
                for _ in add_new_files(self._library, self._chats, self._folder):
                    pass
            time.sleep(INTERVAL_SECONDS)
