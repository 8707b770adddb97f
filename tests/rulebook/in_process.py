"""Reads a PDF in the process of a test.

It does the jobs that `read_pdf` gives to three processes, in a third of the time.
"""

from hashlib import sha256

from core.rulebook import LineCorrection, Rulebook
from core.rulebook.isolation.build_process import build
from core.rulebook.isolation.codec import codec_for
from core.rulebook.isolation.messages import BuildJob, DocumentInfo, EncodedPage, PageJob
from core.rulebook.isolation.page_process import read_pages
from core.rulebook.pdf.provenance import find_provenance
from core.rulebook.provenance import add_provenance


def read_here(
    data: bytes, name: str = "rules.pdf", corrections: tuple[LineCorrection, ...] = ()
) -> Rulebook:
    """Return what `read_pdf` returns for a PDF of pages that can all be read."""
    info, *pages = read_pages(PageJob(data, first=1, step=1))
    assert isinstance(info, DocumentInfo)
    assert all(isinstance(page, EncodedPage) for page in pages)
    encoded = tuple(page.data for page in pages)
    document_id = sha256(data).hexdigest()
    book = build(BuildJob(document_id, name, encoded, info.metadata, (), corrections))
    received = codec_for(Rulebook).decode(codec_for(Rulebook).encode(book))
    return add_provenance(received, find_provenance(data))
