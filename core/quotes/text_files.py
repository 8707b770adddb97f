"""The text of a file that is to be checked: Markdown, plain text, Word or PDF."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from core.errors import ReadError
from core.rulebook import ReadLimits, read_pdf_text

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

MAX_TEXT = 5_000_000
"""Characters of a text: ten times those of a thick rulebook."""
_MAX_UNPACKED = 200 << 20  # bytes of a Word file


def read_text_file(data: bytes, name: str, limits: ReadLimits) -> str:
    """Return the text of a file, of Word and PDF paragraph by paragraph.

    Raises ReadError `encoding`, `too_large`, `missing_part`, or those of `read_pdf`.
    """
    suffix = PurePath(name).suffix.lower()
    if data.startswith(b"%PDF-") or suffix == ".pdf":
        text = "\n".join(read_pdf_text(data, name, limits))
    elif suffix == ".docx":
        text = _read_word(data, name)
    else:
        text = _decode(data, name)
    if len(text) > MAX_TEXT:
        message = f"{name} has {len(text):,} characters, {MAX_TEXT:,} are the most: split it."
        raise ReadError(message, code="too_large")
    return text


def _decode(data: bytes, name: str) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"{name} is not in UTF-8: please save it as text in UTF-8."
        raise ReadError(message, code="encoding") from error


def _read_word(data: bytes, name: str) -> str:
    """Return the paragraphs and tables of a Word file; those in a style for quotes as Markdown."""
    try:
        from docx import Document
        from docx.opc.exceptions import PackageNotFoundError
    except ImportError as error:
        message = "Word files need the optional part word: install it with EXTRAS=word."
        raise ReadError(message, code="missing_part") from error
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            if sum(item.file_size for item in packed.infolist()) > _MAX_UNPACKED:
                raise ReadError(f"{name} unpacks to more than 200 MB: split it.", code="too_large")
        document = Document(io.BytesIO(data))
    except (zipfile.BadZipFile, PackageNotFoundError, KeyError, ValueError) as error:
        message = f"{name} is no Word file that can be opened: please save it again."
        raise ReadError(message, code="damaged") from error
    return "\n\n".join(_word_blocks(document))


def _word_blocks(document: "WordDocument") -> Iterator[str]:
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            rows = (" | ".join(cell.text for cell in row.cells) for row in block.rows)
            yield "\n".join(f"| {row} |" for row in rows)
            continue
        style = block.style.name if block.style is not None else ""
        mark = "> " if "quote" in (style or "").casefold() else ""
        yield "\n".join(f"{mark}{line}" for line in block.text.splitlines())
