"""The process that builds a rulebook from pages that other processes have read.

It opens no PDF.
"""

from core.rulebook.invisible import leave_out_invisible
from core.rulebook.isolation.codec import codec_for
from core.rulebook.isolation.messages import BuildJob, PlainText, TextJob
from core.rulebook.layout.blocks import Page, blocks_of, iter_lines
from core.rulebook.layout.text import page_text, settle_gaps
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.structure.headers_footers import remove_headers_footers
from core.rulebook.types import Rulebook


def build(job: BuildJob) -> Rulebook:
    """The rulebook of the job's pages. Raises ReadError."""
    pages: list[Page] = [codec_for(Page).decode(data) for data in job.pages]
    source = DocumentSource(job.document_id, job.name, job.metadata, job.warnings, job.corrections)
    return leave_out_invisible(build_rulebook(pages, source))


def extract_text(job: TextJob) -> PlainText:
    """The words of the job's pages, without headers and footers."""
    pages: list[Page] = [codec_for(Page).decode(data) for data in job.pages]
    remove_headers_footers(pages)
    settle_gaps(list(iter_lines(blocks_of(pages))))
    return PlainText(tuple(map(page_text, pages)))
