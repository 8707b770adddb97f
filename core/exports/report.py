"""A report as parts in reading order, which `word` and `pdf` write into files."""

from dataclasses import dataclass
from typing import Literal

PartKind = Literal["title", "heading", "subheading", "lead", "text", "quote", "table", "picture"]


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A part of a report, in the order of reading. Its text is plain, line by line."""

    kind: PartKind
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    """The rows of a table, its head first."""
    image: bytes = b""
    """A picture as PNG; `text` is its caption."""


def make_printable(text: str) -> str:
    """Return a text without control characters, which XML cannot hold."""
    return "".join(one if one.isprintable() or one == "\n" else " " for one in text)
