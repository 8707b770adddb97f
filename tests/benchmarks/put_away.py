"""What of rulebooks is in no clause, by document and place, and which of it looks like a rule.

    .venv/bin/python tests/benchmarks/put_away.py FOLDER ... [--list]

Each PDF of the folders is read in this process, on one core. A row of the table is a document and a
place (cover, contents, changelog, footnote, legend, lettering, turned, furniture): letters, their
share of those in clauses, sentences (or lines that are none), and how many of these have a word of
duty, the number of an article, or a sanction. `--list` prints these sentences below their row; the
last row has the sums.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.errors import ReadError
from core.grammar import find_sanctions, split_sentences
from core.rulebook import Rulebook
from core.rulebook.layout.blocks import Page
from core.rulebook.layout.reading_order import layout_page
from core.rulebook.pdf.pages import PdfFile
from core.rulebook.pipeline import DocumentSource, build_rulebook
from core.rulebook.rule_signs import binds, is_rule_like

_SIGNS = ("number", "duty", "sanction")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="print what looks like a rule")
    chosen = parser.parse_args()
    print(f"{'document':44} {'place':10} letters share sentences number duty sanction")
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for file in sorted(file for folder in chosen.folders for file in folder.glob("*.pdf")):
        try:
            book, pages = read_book(file)
        except ReadError as error:
            print(f"{file.name[:44]:44} {error.code}")
            continue
        places: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for place, page, text in list_print(book, pages):
            places[place] += [(page, sentence) for sentence in split_sentences(text)]
        for place in sorted({row.place for row in book.report.account.put_away}):
            found = places[place]
            counts = count_signs(sentence for _, sentence in found)
            counts["letters"] = book.report.counts[f"letters_{place}"]
            counts["kept"] = book.report.counts["letters"]
            sums[place] += counts
            print_row(file.name, place, counts)
            for page, sentence in found if chosen.list else ():
                if is_rule_like(sentence):
                    print(f"      page {page}: {sentence[:150]}")
    for place, counts in sums.items():
        print_row("all", place, counts)


def read_book(file: Path) -> tuple[Rulebook, list[Page]]:
    """Return a rulebook and its pages as they were laid out. Raises ReadError."""
    data = file.read_bytes()
    with PdfFile(data) as document:
        pages = [layout_page(document.read_page(number)) for number in range(1, len(document) + 1)]
        source = DocumentSource(sha256(data).hexdigest(), file.name, document.read_metadata())
    return build_rulebook(pages, source), pages


def list_print(book: Rulebook, pages: list[Page]) -> Iterator[tuple[str, int, str]]:
    """Yield place, page and words: whole texts where the reading keeps them, else first words."""
    for text in book.other_texts:
        yield text.kind, text.page_first, text.text
    for page in pages:
        yield from (("lettering", page.number, text) for text in page.picture_labels)
        yield from (("turned", page.number, text) for text in page.rotated_texts)
    for row in book.report.account.put_away:
        if row.place in ("furniture", "legend"):
            yield row.place, row.pages[0], row.words


def count_signs(sentences: Iterator[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for sentence in sentences:
        sanction, duty = bool(find_sanctions(sentence)), binds(sentence)
        counts["sentences"] += 1
        counts["sanction"] += sanction
        counts["duty"] += duty and not sanction
        counts["number"] += is_rule_like(sentence) and not duty
    return counts


def print_row(document: str, place: str, counts: Counter[str]) -> None:
    share = counts["letters"] / max(counts["kept"], 1)
    signs = " ".join(f"{counts[sign]:6}" for sign in _SIGNS)
    row = f"{document[:44]:44} {place:10} {counts['letters']:7} {share:5.1%}"
    print(f"{row} {counts['sentences']:9} {signs}", flush=True)


if __name__ == "__main__":
    main()
