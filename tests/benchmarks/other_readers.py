"""What other readers give of the crafted pages of crafted_pages.py, judged as ours is.

    ENVIRONMENT/bin/python tests/benchmarks/other_readers.py [FOLDER]

Run it with the Python of an environment of its own that has PyMuPDF (AGPL 3.0 or commercial) and
pdf-inspector (MIT); neither is part of Scrutineer. Each is asked in the way that tells the most of
what is seen: of PyMuPDF's spans those are left out that it says are struck, transparent, or neither
filled nor stroked; of pdf-inspector's Markdown what is in `<s>`. Neither says of a rule that its
print may differ, so there is no `told`:

- `right`: of a visible page rules 1.1 to 1.4 are given; of any other page nothing is given for
  rule 1.2 that is not seen, or just the words that are.
- `silent`: words that are not seen are given. `wrong`: a visible page that is not whole.

Counts by reader and kind are printed as one line of JSON. A page that a reader cannot read has
nothing.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pdf_inspector
import pymupdf

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "seen_more"
STRUCK, FILLED, STROKED = 1, 16, 32
"""Bits of `char_flags` in PyMuPDF's spans."""
AS_TEXT = {"900, note 1": "900¹", "3": "300"}
"""As in crafted_pages.py."""


def read_with_pymupdf(file: Path) -> str:
    """Return the text of the first page without what PyMuPDF says is not seen or struck."""
    flags = pymupdf.TEXTFLAGS_DICT | pymupdf.TEXT_COLLECT_STYLES
    lines = []
    with pymupdf.open(file) as document:
        for block in document[0].get_text("dict", flags=flags)["blocks"]:
            for line in block.get("lines", ()):
                lines.append("".join(span["text"] for span in line["spans"] if _is_seen(span)))
    return "\n".join(lines)


def _is_seen(span: dict[str, int]) -> bool:
    marks = span["char_flags"]
    return not marks & STRUCK and bool(marks & (FILLED | STROKED)) and span["alpha"] > 0


def read_with_pdf_inspector(file: Path) -> str:
    """Return the Markdown of a file without what is struck."""
    markdown = pdf_inspector.process_pdf(str(file)).markdown or ""
    return re.sub(r"(?s)<s>.*?</s>|~~.*?~~", "", markdown)


def judge(text: str, sight: dict[str, str]) -> str:
    """Return right, silent or wrong for the text of a page and what is seen of it."""
    rule = re.search(r"(?s)\b1\.2\b(.*?)(?:\b1\.3\b|$)", text)
    words = " ".join(rule[1].split()) if rule else ""
    if sight["kind"] == "visible":
        whole = all(re.search(rf"(?m)\b1\.{number}\b\W*\w+", text) for number in (1, 2, 3, 4))
        return "right" if whole and "900" in words else "wrong"
    if sight["kind"] == "other":
        shown = AS_TEXT.get(sight["seen"], sight["seen"])
        pattern = rf"(?<![\w.,-]){re.escape(shown)}(?!\w|[.,]\d)"
        return "right" if re.search(pattern, words) or not words else "silent"
    return "silent" if "900" in words else "right"


READERS: dict[str, tuple[str, Callable[[Path], str]]] = {
    "PyMuPDF": ("pymupdf", read_with_pymupdf),
    "pdf-inspector": ("pdf-inspector", read_with_pdf_inspector),
}


def main(folder: Path = FOLDER) -> None:
    """Print the counts of each reader."""
    sights = json.loads((folder / "see.json").read_text())
    found = {}
    for name, (package, read) in READERS.items():
        counts: dict[str, Counter[str]] = {}
        for file, sight in sorted(sights.items()):
            try:
                text = read(folder / f"{file}.pdf")
            except Exception as error:  # noqa: BLE001 - a reader's own, of any kind
                print(f"{name} cannot read {file}: {error}", file=sys.stderr)
                text = ""
            counts.setdefault(sight["kind"], Counter())[judge(text, sight)] += 1
        found[f"{name} {version(package)}"] = counts
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
