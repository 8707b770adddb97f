"""The text of a file that is to be checked: Markdown, plain text, Word or PDF."""

from pathlib import PurePath

from core.errors import ReadError
from core.rulebook import ReadLimits, read_pdf_text, read_word_text


def read_text_file(data: bytes, name: str, limits: ReadLimits) -> str:
    """Return the text of a file, of Word and PDF paragraph by paragraph.

    Raises ReadError `encoding`, or those of `read_pdf` and `read_word_text`.
    """
    suffix = PurePath(name).suffix.lower()
    if data.startswith(b"%PDF-") or suffix == ".pdf":
        return "\n".join(read_pdf_text(data, name, limits))
    if data.startswith(b"PK\3\4") or suffix == ".docx":
        return read_word_text(data, name)
    return _decode(data, name)


def _decode(data: bytes, name: str) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        message = f"{name} is not in UTF-8: please save it as text in UTF-8."
        raise ReadError(message, code="encoding") from error
