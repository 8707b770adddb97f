"""The process that reads a Word file: its parts, its text, and the rulebook or the words of it."""

from core.errors import ReadError
from core.rulebook.invisible import leave_out_invisible
from core.rulebook.isolation.messages import WordJob, WordTextJob
from core.rulebook.pipeline import DocumentSource, build_word_rulebook
from core.rulebook.types import Rulebook
from core.rulebook.word.blocks import lay_out_text, write_plain_text
from core.rulebook.word.package import WordPackage
from core.rulebook.word.text import WordText, read_word_text


def build_from_word(job: WordJob) -> Rulebook:
    """Return the rulebook of a Word file. Raises ReadError."""
    source = DocumentSource(job.document_id, job.name, {}, (), job.corrections)
    return leave_out_invisible(build_word_rulebook(lay_out_text(_read(job.data)), source))


def extract_word_text(job: WordTextJob) -> str:
    """Return paragraphs and tables of a Word file, quotes as Markdown. Raises ReadError."""
    return write_plain_text(_read(job.data))


def _read(data: bytes) -> WordText:
    try:
        return read_word_text(WordPackage.open(data))
    except RecursionError as error:
        message = "its parts lie too deep in each other: please save it again"
        raise ReadError(message, code="too_large") from error
