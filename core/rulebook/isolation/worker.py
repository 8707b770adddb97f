"""The program of every sandboxed process: reads one job from standard input, sends back values.

It imports only what its job needs: a process lives for one document or one page. Without arguments
it is the fork server, which imports what a kind of job needs once and runs no job.
"""

import gc
import os
import select
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.errors import ReadError
from core.rulebook.isolation import confinement, messages
from core.rulebook.isolation.codec import codec_for
from core.rulebook.isolation.sandbox import END, ERROR, FRAME, NO_MEMORY, VALUE

_KINDS: dict[str, Any] = vars(messages)


def main() -> None:
    """Run the job on standard input; the arguments are its kind, a folder, and limits.

    A failure of any other kind than those below ends the process, which is noticed.
    """
    gc.disable()  # in so short a life it only costs time
    kind, folder, *limits = sys.argv[1:] or _fork_on_request()
    os.chdir(folder)
    os.environ.update(HOME=folder, TMPDIR=folder)
    confinement.set_limits(*map(int, limits))
    confinement.confine(Path(folder))
    try:
        run = _prepare(kind)  # pages are read meanwhile
        job = codec_for(_KINDS[kind]).decode(sys.stdin.buffer.read())
        answer = codec_for(job.answer)
        for value in run(job):
            _send(VALUE, answer.encode(value))
    except ReadError as error:
        failure = messages.JobError(error.code, error.message)
        _send(ERROR, codec_for(messages.JobError).encode(failure))
    except MemoryError:
        _send(NO_MEMORY)
    _send(END)


def _fork_on_request() -> list[str]:
    """Fork a process for each request on standard input; return its arguments, in it alone.

    A request brings the process's standard input and output, and is answered by its number and a
    handle. The fork server ends once nobody can send one.
    """
    confinement.forbid_inspection()  # all copies are made of its memory
    server, requests = os.getpid(), socket.socket(fileno=0)
    processes: dict[int, int] = {}
    """By their handles."""
    while True:
        ready, _, _ = select.select([0, *processes], [], [])
        for handle in processes.keys() & ready:
            os.waitpid(processes.pop(handle), 0)
            os.close(handle)
        if 0 not in ready:
            continue
        request, pipes, _, _ = socket.recv_fds(requests, 4096, 2)
        if not request:
            os._exit(0)
        arguments = os.fsdecode(request).split("\0")
        with suppress(ImportError, MemoryError, OSError):  # the copy meets it again, and tells
            _prepare(arguments[0])
        try:
            number = os.fork()
        except OSError:  # too many processes: the others go on
            number = -1
        if number == 0:
            confinement.end_with_parent(server)
            for standard, pipe in enumerate(pipes):
                os.dup2(pipe, standard, inheritable=False)
            requests.detach()
            os.closerange(3, 1024)  # handles and the pipes; `select` takes no higher numbers
            return arguments
        handles = [os.pidfd_open(number)] if number > 0 else []
        processes |= dict.fromkeys(handles, number)
        socket.send_fds(requests, [str(number).encode()], handles)
        for pipe in pipes:
            os.close(pipe)


def _prepare(kind: str) -> Callable[[Any], Iterable[object]]:
    """Load what a kind of job needs for nearly every document; return what answers such a job."""
    codec_for(_KINDS[kind].answer)
    match _KINDS[kind]:
        case messages.PageJob:
            from core.rulebook.isolation.page_process import read_pages
            from core.rulebook.pdf.glyph_shapes import draw_reference_shapes

            draw_reference_shapes()
            return read_pages
        case messages.ScanJob:
            from core.rulebook.isolation.page_process import recognize_pages

            return recognize_pages
        case messages.FigureJob:
            from core.rulebook.isolation.page_process import recognize_figures

            return recognize_figures
        case messages.ProvenanceJob:
            from core.rulebook.pdf.provenance import find_provenance

            return lambda job: [find_provenance(job.data)]
        case messages.BuildJob:
            from core.rulebook.isolation.build_process import build
            from core.rulebook.layout.ligatures import load_english_dictionary

            load_english_dictionary()
            return lambda job: [build(job)]
        case messages.TextJob:
            from core.rulebook.isolation.build_process import extract_text

            return lambda job: [extract_text(job)]
        case messages.WordJob:
            from core.rulebook.isolation.word_process import build_from_word
            from core.rulebook.layout.ligatures import load_english_dictionary

            load_english_dictionary()
            return lambda job: [build_from_word(job)]
        case messages.WordTextJob:
            from core.rulebook.isolation.word_process import extract_word_text

            return lambda job: [extract_word_text(job)]
        case messages.DecryptJob:
            from core.rulebook.pdf.pages import remove_password

            return lambda job: [remove_password(job.data, job.password)]
        case messages.ImageJob:
            from core.rulebook.pdf.pages import render_page

            return lambda job: (render_page(job.data, page, job.scale) for page in job.pages)
        case messages.QuoteJob:
            from core.rulebook.quote_locator import find_quote_boxes

            return lambda job: [find_quote_boxes(job.data, job.page, job.quote, job.near)]
        case messages.ProbeJob:
            from core.rulebook.isolation.probe import find_open_ways

            return lambda job: [tuple(find_open_ways(job))]
    raise ValueError(kind)


def _send(kind: bytes, data: bytes = b"") -> None:
    sys.stdout.buffer.write(FRAME.pack(kind, len(data)) + data)
    sys.stdout.buffer.flush()
