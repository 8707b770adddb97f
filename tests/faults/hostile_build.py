"""A process that was taken over while it builds a rulebook: it answers with the ids of another's.

Takes the place of `build_process`; the name of the file says what it lies about.
"""

import os
import pickle
import sys
from dataclasses import replace

from core.rulebook.isolation.codec import codec_for
from core.rulebook.isolation.sandbox import FRAME, VALUE
from core.rulebook.types import Clause, Identity, ReadingReport, Rulebook

_OTHER = "0" * 64


class _Call:
    def __reduce__(self):
        return os.system, ("touch run",)


def build(job):
    own = job.document_id
    clause = Clause(
        f"{own}:1", own, "s", "1", "", (), "Words.", "in_force", (), (), (), None, None, None, None,
        1, 1, (),
    )  # fmt: skip
    book = Rulebook(own, Identity("Title"), 1, (clause,), ReadingReport({}, ()))
    match job.name:
        case "document":
            return replace(book, document_id=_OTHER)
        case "clause of another":
            return replace(book, clauses=(replace(clause, document_id=_OTHER),))
        case "id of another":
            return replace(book, clauses=(replace(clause, clause_id=f"{_OTHER}:1"),))
        case "id twice":
            return replace(book, clauses=(clause, clause))
        case "another type":
            return replace(book, pages="../../etc/passwd")
        case "pickle":
            _send(pickle.dumps(_Call()))
        case "length":
            _send(b"", 1 << 62)
        case "elements":
            _send(b"\xdd\xff\xff\xff\xff" * 1000)
        case "many":
            return replace(book, clauses=(replace(clause, breadcrumb=("",) * 5_000_000),))
        case "depth":
            _send(b"\x91" * 10_000_000)
        case "half":
            _send(codec_for(Rulebook).encode(book)[:-5])
        case "memory":
            raise MemoryError
        case "panic":
            raise BaseException("PanicException: as a library in Rust ends")
    return book


def _send(data, length=None):
    sys.stdout.buffer.write(FRAME.pack(VALUE, len(data) if length is None else length) + data)
    sys.stdout.buffer.flush()
    os._exit(0)
