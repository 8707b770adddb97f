"""The process that builds a rulebook from pages that other processes have read.

It opens no PDF.
"""

from core.rulebook.invisible import leave_out_invisible
from core.rulebook.isolation.codec import codec_for
from core.rulebook.isolation.messages import BuildJob, TextJob
from core.rulebook.layout.blocks import Page, blocks_of, iter_lines
from core.rulebook.layout.text import page_text, settle_gaps
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.structure.headers_footers import remove_headers_footers
from core.rulebook.types import Rulebook


def build(job: BuildJob) -> Rulebook:
    """Return the rulebook of the job's pages. Raises ReadError."""
    source = DocumentSource(job.document_id, job.name, job.metadata, job.warnings, job.corrections)
    return leave_out_invisible(build_rulebook(_decode_pages(job), source))


def extract_text(job: TextJob) -> tuple[str, ...]:
    """Return the words of the job's pages, without headers and footers."""
    pages = _decode_pages(job)
    remove_headers_footers(pages)
    settle_gaps(list(iter_lines(blocks_of(pages))))
    return tuple(page_text(page, job.with_rows) for page in pages)


def _decode_pages(job: BuildJob | TextJob) -> list[Page]:
    return list(map(codec_for(Page).decode, job.pages))
