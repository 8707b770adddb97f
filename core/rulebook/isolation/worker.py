"""The program of every sandboxed process: reads one job from standard input, sends back values.

It imports only what its job needs: a process lives for one document or one page.
"""

import gc
import os
import pickle
import resource
import sys
from collections.abc import Iterator
from contextlib import suppress

from core.errors import ReadError
from core.rulebook.isolation import messages
from core.rulebook.isolation.sandbox import LENGTH


def main() -> None:
    """Run the job on standard input within the limits of `sys.argv`: bytes, seconds, niceness."""
    memory, seconds, niceness = map(int, sys.argv[1:])
    set_rlimits(memory, seconds, niceness)
    gc.disable()  # in so short a life it only costs time
    try:
        for value in _run(pickle.load(sys.stdin.buffer)):
            _send(value)
    except ReadError as error:
        _send(messages.JobError(error.code, error.message))
    _send(None)


def set_rlimits(memory: int, seconds: int, niceness: int) -> None:
    """Limit this process to `memory` bytes and `seconds` of each core, and lower its priority."""
    os.nice(niceness)
    for kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds * (os.cpu_count() or 1)),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # some systems only know the name of a limit
            # The hard limit stays: a process that this one starts may be allowed more.
            resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))


def _run(job: object) -> Iterator[object]:
    match job:
        case messages.TextJob():
            from core.rulebook.isolation.document_process import read_text

            yield from read_text(job)
        case messages.RulebookJob():
            from core.rulebook.isolation.document_process import read_document

            yield from read_document(job)
        case messages.PageJob():
            from core.rulebook.isolation.page_process import read_pages

            yield from read_pages(job)
        case messages.ScanJob():
            from core.rulebook.isolation.page_process import recognize_pages

            yield from recognize_pages(job)
        case messages.DecryptJob():
            from core.rulebook.pdf.pypdf_fallback import remove_password

            yield remove_password(job.data, job.password)
        case messages.ImageJob():
            from core.rulebook.pdf.pages import render_page

            yield render_page(job.data, job.page, job.scale)
        case messages.QuoteJob():
            from core.rulebook.quote_locator import find_quote_boxes

            yield find_quote_boxes(job.data, job.page, job.quote, job.near)


def _send(value: object) -> None:
    """Send a value; None ends the job."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    sys.stdout.buffer.write(LENGTH.pack(len(data)) + data)
    sys.stdout.buffer.flush()
