"""The parts of a Word file (ECMA-376, Part 2): opened with limits, and refused where it is unsafe.

Nothing is fetched: a relation that leads out of the file is never followed.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from posixpath import dirname, join, normpath
from typing import Any
from xml.etree import ElementTree

from core.errors import ReadError

Element = ElementTree.Element
_MAX_PART = 60 << 20  # bytes of a part; the text of the largest rulebook takes 10 MB
_MAX_FILE = 400 << 20  # bytes of all parts, pictures too
_MAX_ELEMENTS = 4_000_000  # of a part: each takes some 200 bytes of memory
_MAX_PARAGRAPHS = 200_000  # of a part; a rulebook of 1,000 pages has some 30,000
_MAX_DEPTH = 400  # of elements; tables in tables in boxes have 60
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_AWAY = re.compile(r"(?i)(?!file:)[a-z][a-z0-9+.-]+:|(?:file:)?(?:\\\\|//(?!/)|/{4})")
"""The address of something on another machine."""
_TEXT_ELSEWHERE = ("subDocument", "aFChunk")
"""Kinds of relations to parts whose text belongs to the document."""
_OFFICE = "http://schemas.microsoft.com/office"
_OPEN_XML = "http://schemas.openxmlformats.org"
_KNOWN_SPACES = frozenset(
    [
        "urn:schemas-microsoft-com:vml",
        "urn:schemas-microsoft-com:office:office",
        "urn:schemas-microsoft-com:office:word",
        f"{_OPEN_XML}/wordprocessingml/2006/main",
        f"{_OPEN_XML}/officeDocument/2006/math",
        f"{_OPEN_XML}/officeDocument/2006/relationships",
        f"{_OPEN_XML}/drawingml/2006/main",
        f"{_OPEN_XML}/drawingml/2006/chart",
        f"{_OPEN_XML}/drawingml/2006/picture",
        f"{_OPEN_XML}/drawingml/2006/wordprocessingDrawing",
        f"{_OFFICE}/word/2006/wordml",
        f"{_OFFICE}/word/2010/wordml",
        f"{_OFFICE}/word/2010/wordprocessingCanvas",
        f"{_OFFICE}/word/2010/wordprocessingDrawing",
        f"{_OFFICE}/word/2010/wordprocessingGroup",
        f"{_OFFICE}/word/2010/wordprocessingInk",
        f"{_OFFICE}/word/2010/wordprocessingShape",
        f"{_OFFICE}/word/2012/wordml",
        f"{_OFFICE}/word/2012/wordprocessingDrawing",
        f"{_OFFICE}/word/2015/wordml/symex",
        f"{_OFFICE}/word/2016/wordml/cid",
        f"{_OFFICE}/word/2018/wordml",
        f"{_OFFICE}/word/2018/wordml/cex",
        f"{_OFFICE}/word/2020/wordml/sdtdatahash",
        f"{_OFFICE}/word/2020/oembed",
        f"{_OFFICE}/word/2023/wordml/word16du",
        f"{_OFFICE}/word/2024/wordml/sdtformatlock",
        f"{_OFFICE}/drawing/2007/8/2/chart",
        f"{_OFFICE}/drawing/2010/main",
        f"{_OFFICE}/drawing/2012/chart",
        f"{_OFFICE}/drawing/2014/chartex",
        f"{_OFFICE}/drawing/2014/main",
        f"{_OFFICE}/drawing/2016/ink",
        f"{_OFFICE}/drawing/2016/SVG/main",
        f"{_OFFICE}/drawing/2017/model3d",
        *(
            f"{_OFFICE}/drawing/{name}/chartex"
            for name in "2015/9/8 2015/10/21 2016/5/9 2016/5/10 2016/5/11 2016/5/12 2016/5/13"
            " 2016/5/14".split()
        ),
    ]
)
"""What Word reads of alternate content (MS-DOCX 2.2; MS-ODRAWXML 2.1 for the drawings)."""
_BROKEN = (
    ElementTree.ParseError,
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    ValueError,
    OSError,
    EOFError,
    RuntimeError,
    NotImplementedError,
)
"""How a broken or locked archive, and broken XML in one, show."""
_SAVE_AGAIN = "it is no Word file that can be opened: please save it as .docx again"


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of a part: its kind (the end of its type), and the part or address it leads to."""

    kind: str
    target: str
    is_external: bool


@dataclass
class WordPackage:
    """The parts of a Word file by their names. Raises ReadError where it is unsafe or broken."""

    archive: zipfile.ZipFile
    names: dict[str, str] = field(init=False)
    """The name of each part as it is stored, by its name in small letters."""

    @classmethod
    def open(cls, data: bytes) -> "WordPackage":
        """Open a file's bytes. Raises ReadError."""
        if data.startswith(_OLE):
            if _ENCRYPTED in data:
                message = "it needs a password: please save a copy without one and add that"
                raise ReadError(message, code="encrypted")
            message = "it is a Word file of before 2007: please save it as .docx and add that"
            raise ReadError(message, code="not_word")
        if b"%PDF-" in data[:1024]:
            message = "it is a PDF: please name it .pdf and add it again"
            raise ReadError(message, code="not_word")
        try:
            package = cls(zipfile.ZipFile(io.BytesIO(data)))
        except _BROKEN as error:
            raise ReadError(_SAVE_AGAIN, code="damaged") from error
        package._refuse_unsafe_parts()
        return package

    def __post_init__(self) -> None:
        self.names = {name.lstrip("/").casefold(): name for name in self.archive.namelist()}

    def _refuse_unsafe_parts(self) -> None:
        if len(self.names) < len(self.archive.namelist()):
            # Which of two parts of one name a person sees depends on the program that opens it.
            raise ReadError("two of its parts have one name: please save it again", code="damaged")
        if sum(info.file_size for info in self.archive.infolist()) > _MAX_FILE:
            raise ReadError(f"it unpacks to more than {_MAX_FILE >> 20} MB", code="too_large")
        if any("vbaproject" in name for name in self.names) or self._has_macros():
            message = "it holds macros: please save it as .docx, without them, and add that"
            raise ReadError(message, code="macros")
        for name in self.names:
            for link in self._links_of_file(name) if name.endswith(".rels") else ():
                if link.is_external and link.kind != "hyperlink" and _is_away(link):
                    message = (
                        "it loads a part from another place"
                        f" ({link.target[:80]}): please save a copy that holds all its parts"
                    )
                    raise ReadError(message, code="external")

    def _has_macros(self) -> bool:
        types = self.parse("[content_types].xml") if "[content_types].xml" in self.names else ()
        return any(
            "macroenabled" in value.casefold() for one in types for value in one.attrib.values()
        )

    @cached_property
    def main(self) -> str:
        """The name of the part that holds the text."""
        found = [
            one.target for one in self._links_of_file("_rels/.rels") if one.kind == "officeDocument"
        ]
        if len(found) != 1 or not self.has(found[0]):
            raise ReadError(_SAVE_AGAIN, code="damaged")
        return found[0]

    def has(self, name: str) -> bool:
        return name.casefold() in self.names

    def links(self, part: str) -> dict[str, Link]:
        """The relations of a part by their ids."""
        name = join(dirname(part), "_rels", f"{part.rpartition('/')[2]}.rels")
        return dict(self._read_links(name)) if self.has(name) else {}

    def parse_related(self, kind: str) -> Element | None:
        """The root of the part that the text names as its styles, numbering, comments ..."""
        links = self.links(self.main).values()
        names = (link.target for link in links if link.kind == kind and not link.is_external)
        return next((self.parse(name) for name in names if self.has(name)), None)

    def parse(self, name: str) -> Element:
        """Parse a part. Raises ReadError."""
        try:
            with self.archive.open(self.names[name.casefold()]) as file:
                data = file.read(_MAX_PART + 1)
            if len(data) > _MAX_PART:
                message = f"a part of it unpacks to more than {_MAX_PART >> 20} MB"
                raise ReadError(message, code="too_large")
            parser = ElementTree.XMLParser(target=_LimitedBuilder())
            parser.feed(data)
            root: Element = parser.close()
        except _BROKEN as error:
            raise ReadError(_SAVE_AGAIN, code="damaged") from error
        return root

    def _links_of_file(self, name: str) -> list[Link]:
        return [link for _, link in self._read_links(name)] if self.has(name) else []

    def _read_links(self, name: str) -> Iterator[tuple[str, Link]]:
        folder = dirname(dirname(name))
        for one in self.parse(name):
            target = one.get("Target", "")
            is_external = one.get("TargetMode", "") == "External"
            if not is_external:
                target = normpath(join(folder, target)) if target[:1] != "/" else target.lstrip("/")
            yield (
                one.get("Id", ""),
                Link(one.get("Type", "").rpartition("/")[2], target, is_external),
            )


def _is_away(link: Link) -> bool:
    return link.kind in _TEXT_ELSEWHERE or _AWAY.match(link.target) is not None


class _LimitedBuilder(ElementTree.TreeBuilder):
    """Builds a tree of limited depth and size, from XML that declares no entities."""

    def __init__(self) -> None:
        super().__init__()
        self._spaces: dict[str, list[str]] = {}
        self._depth = self._count = self._paragraphs = 0

    def doctype(self, *_: Any) -> None:
        message = "it declares entities, which a Word file has not: please save it again"
        raise ReadError(message, code="damaged")

    def start_ns(self, prefix: str, uri: str) -> None:
        self._spaces.setdefault(prefix, []).append(uri)

    def end_ns(self, prefix: str) -> None:
        self._spaces[prefix].pop()

    def start(self, tag: Any, attrs: Any) -> Element:
        if tag.endswith("}Choice"):  # its prefixes mean something here alone
            prefixes = attrs.get("Requires", "").split()
            spaces = (self._spaces.get(prefix) or [""] for prefix in prefixes)
            attrs["Requires"] = " ".join(own[-1] or "unknown" for own in spaces)
        self._depth += 1
        self._count += 1
        if self._depth > _MAX_DEPTH:
            message = f"its parts lie more than {_MAX_DEPTH} deep in each other"
            raise ReadError(message, code="too_large")
        if self._count > _MAX_ELEMENTS:
            raise ReadError(f"it has more than {_MAX_ELEMENTS} elements", code="too_large")
        self._paragraphs += tag.endswith("}p")
        if self._paragraphs > _MAX_PARAGRAPHS:
            message = f"it has more than {_MAX_PARAGRAPHS} paragraphs: please split it"
            raise ReadError(message, code="too_large")
        return super().start(tag, attrs)

    def end(self, tag: Any) -> Element:
        self._depth -= 1
        return super().end(tag)


def name_of(element: Element) -> str:
    """The name of an element without its namespace: those of ECMA-376 and ISO 29500 differ."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: Element | None, name: str = "val") -> str | None:
    """An attribute of an element, whatever its namespace; None without it."""
    if element is None:
        return None
    return next(
        (value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), None
    )


def whole_number(element: Element | None, name: str = "val") -> int | None:
    """A whole number of an attribute, None without one."""
    value = attribute(element, name)
    try:
        return None if value is None else int(float(value))
    except (ValueError, OverflowError):
        return None


def is_on(element: Element | None, name: str = "val", usual: str = "true") -> bool | None:
    """What a property says that is on or off, `usual` without a word; None if it is not there."""
    if element is None:
        return None
    return (attribute(element, name) or usual).casefold() not in ("0", "false", "off", "none")


def child(element: Element | None, name: str) -> Element | None:
    if element is None:
        return None
    return next((one for one in element if name_of(one) == name), None)


def children(parent: Element) -> Iterator[Element]:
    """Yield the children of an element; of alternate content those of what Word shows."""
    for one in parent:
        if name_of(one) == "AlternateContent":
            yield from children(_choose_alternate(one))
        else:
            yield one


def _choose_alternate(element: Element) -> Element:
    """The first choice of alternate content that Word knows, else the fallback."""
    for choice in element.iterfind("{*}Choice"):
        if _KNOWN_SPACES.issuperset((attribute(choice, "Requires") or "unknown").split()):
            return choice
    fallback = child(element, "Fallback")
    return Element("none") if fallback is None else fallback
