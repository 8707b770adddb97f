"""The text of a Word file, by its XML alone. It is a stranger's: read in a process with limits."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from posixpath import dirname, join
from xml.etree import ElementTree

from core.errors import ReadError

_MAX_PART = 100 << 20  # bytes of a part of the file
_UNSEEN = {"del", "moveFrom", "Fallback", "delText", "instrText"}
"""What is no text of the page: what was deleted, other forms of what is there, and codes."""
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_BROKEN = (
    ElementTree.ParseError,
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    ValueError,
    OSError,
    EOFError,
    RuntimeError,
)
"""How a broken or locked archive, and broken XML in one, show."""


def extract_word_text(data: bytes) -> str:
    """Return paragraphs and tables of a Word file, quotes as Markdown. Raises ReadError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            links = _parse(archive, "_rels/.rels")
            [main] = (
                link.get("Target", "").lstrip("/")
                for link in links
                if link.get("Type", "").endswith("/officeDocument")
            )
            styles = join(dirname(main), "styles.xml")
            has_styles = styles in archive.NameToInfo
            quotes = frozenset(
                _value(style, "styleId")
                for style in (_parse(archive, styles).iterfind("{*}style") if has_styles else ())
                if "quote" in _value(style.find("{*}name"), "val").casefold()
            )
            return "\n\n".join(_list_blocks(_parse(archive, main), quotes))
    except _BROKEN as error:
        message = "it is no Word file that can be opened: please save it again"
        raise ReadError(message, code="damaged") from error


def _parse(archive: zipfile.ZipFile, name: str) -> ElementTree.Element:
    if archive.getinfo(name).file_size > _MAX_PART:
        raise ReadError(f"it unpacks to more than {_MAX_PART >> 20} MB", code="too_large")
    return ElementTree.fromstring(archive.read(name))


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _value(element: ElementTree.Element | None, name: str) -> str:
    attributes = element.attrib.items() if element is not None else ()
    return next((value for key, value in attributes if key.rpartition("}")[2] == name), "")


def _list_blocks(parent: ElementTree.Element, quotes: frozenset[str]) -> Iterator[str]:
    for element in parent:
        match _name(element):
            case "p":
                style = _value(element.find("{*}pPr/{*}pStyle"), "val")
                mark = "> " if style in quotes else ""
                lines = "".join(_list_texts(element)).splitlines()
                yield "\n".join(f"{mark}{line}" for line in lines)
            case "tbl":
                rows = []
                for row in element.iterfind("{*}tr"):
                    cells = (" ".join(_list_blocks(c, frozenset())) for c in row.iterfind("{*}tc"))
                    rows.append(f"| {' '.join(' | '.join(cells).split())} |")
                yield "\n".join(rows)
            case name if name not in _UNSEEN:
                yield from _list_blocks(element, quotes)


def _list_texts(parent: ElementTree.Element) -> Iterator[str]:
    for element in parent:
        name = _name(element)
        if name == "t":
            yield element.text or ""
        elif name in _SIGNS:
            yield _SIGNS[name]
        elif name not in _UNSEEN and name != "pPr":
            yield from _list_texts(element)
