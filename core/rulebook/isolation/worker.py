"""The program of every sandboxed process: reads one job from standard input, sends back values.

It imports only what its job needs: a process lives for one document or one page.
"""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from core.errors import ReadError
from core.rulebook.isolation import confinement, messages
from core.rulebook.isolation.codec import codec_for
from core.rulebook.isolation.sandbox import END, ERROR, FRAME, NO_MEMORY, VALUE

_KINDS = {kind.__name__: kind for kind in get_args(messages.Job)}


def main() -> None:
    """Run the job on standard input; `sys.argv` has its kind, and bytes, seconds and niceness.

    A failure of any other kind than those below ends the process, which is noticed.
    """
    kind, *limits = sys.argv[1:]
    confinement.set_limits(*map(int, limits))
    confinement.confine(Path.cwd())
    gc.disable()  # in so short a life it only costs time
    try:
        if kind == messages.BuildJob.__name__:  # its pages are read meanwhile
            import core.rulebook.isolation.build_process  # noqa: F401
            from core.rulebook.layout.ligatures import load_english_dictionary

            load_english_dictionary()  # nearly every rulebook needs it
        job = codec_for(_KINDS[kind]).decode(sys.stdin.buffer.read())
        answer = codec_for(job.answer)
        for value in _run(job):
            _send(VALUE, answer.encode(value))
    except ReadError as error:
        failure = messages.JobError(error.code, error.message)
        _send(ERROR, codec_for(messages.JobError).encode(failure))
    except MemoryError:
        _send(NO_MEMORY)
    _send(END)


def _run(job: messages.Job) -> Iterator[object]:
    match job:
        case messages.PageJob():
            from core.rulebook.isolation.page_process import read_pages

            yield from read_pages(job)
        case messages.ScanJob():
            from core.rulebook.isolation.page_process import recognize_pages

            yield from recognize_pages(job)
        case messages.ProvenanceJob():
            from core.rulebook.pdf.provenance import find_provenance

            yield find_provenance(job.data)
        case messages.BuildJob():
            from core.rulebook.isolation.build_process import build

            yield build(job)
        case messages.TextJob():
            from core.rulebook.isolation.build_process import extract_text

            yield extract_text(job)
        case messages.WordJob():
            from core.rulebook.word_text import extract_word_text

            yield extract_word_text(job.data)
        case messages.DecryptJob():
            from core.rulebook.pdf.pypdf_fallback import remove_password

            yield remove_password(job.data, job.password)
        case messages.ImageJob():
            from core.rulebook.pdf.pages import render_page

            for page in job.pages:
                yield render_page(job.data, page, job.scale)
        case messages.FigureJob():
            from core.rulebook.isolation.page_process import recognize_figures

            yield from recognize_figures(job)
        case messages.QuoteJob():
            from core.rulebook.quote_locator import find_quote_boxes

            yield find_quote_boxes(job.data, job.page, job.quote, job.near)
        case messages.ProbeJob():
            from core.rulebook.isolation.probe import find_open_ways

            yield tuple(find_open_ways(job))


def _send(kind: bytes, data: bytes = b"") -> None:
    sys.stdout.buffer.write(FRAME.pack(kind, len(data)) + data)
    sys.stdout.buffer.flush()
