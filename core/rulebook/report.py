"""The reading report: what was met in a document, in counts and in warnings that a person can act on."""

from collections import Counter
from collections.abc import Iterable, Sequence

from core.rulebook.layout.blocks import Page, Table
from core.rulebook.layout.ligatures import LigatureRepair
from core.rulebook.pdf import ocr
from core.rulebook.structure.references import find_unresolved_references
from core.rulebook.structure.section_tree import Section
from core.rulebook.types import Clause, ReadingReport, ReadingWarning

OCR_HINT = "To have scans read, start with the optional part for it: make run EXTRAS=ocr."
_MOST_LISTED = 40


def build_report(
    pages: Sequence[Page],
    clauses: Sequence[Clause],
    sections: Sequence[Section],
    repairs: Sequence[LigatureRepair],
    contents_pages: Sequence[int],
    prior_warnings: Iterable[ReadingWarning],
) -> ReadingReport:
    """Counts and warnings of one reading; `before` are warnings that came up on the way."""
    gaps = find_numbering_gaps(sections)
    duplicates = _duplicates(clauses)
    missing = _unresolved(clauses)
    counts = {
        "pages": len(pages),
        "clauses": len(clauses),
        "tables": sum(isinstance(block, Table) for section in sections for block in section.blocks),
        **_counts(clauses),
        "repairs": sum(entry.count for entry in repairs),
        "unresolved_references": len(missing),
        "numbering_gaps": len(gaps),
        "duplicates": len(duplicates),
        "pages_without_text": sum(not page.letter_count for page in pages),
        "pages_recognised": sum(page.from_ocr for page in pages),
        "contents_pages": len(contents_pages),
    }
    warnings = [*prior_warnings]
    warnings += [_silent(page) for page in pages if not page.letter_count]
    warnings += _repaired(repairs)
    for found in (gaps, duplicates, missing):
        warnings += found[:_MOST_LISTED]
    warnings += _hidden(clauses)
    warnings += _scanned(pages)
    return ReadingReport(counts, tuple(warnings))


def _counts(clauses: Sequence[Clause]) -> dict[str, int]:
    """What the clauses hold, in numbers."""
    return {
        "figures": sum(len(clause.figures) for clause in clauses),
        "deleted_clauses": sum(clause.status == "deleted" for clause in clauses),
        "future_clauses": sum(clause.status == "future" for clause in clauses),
        "deleted_spans": sum(len(clause.deleted) for clause in clauses),
        "inserted_spans": sum(len(clause.inserted) for clause in clauses),
        "hidden_spans": sum(mark.kind == "hidden" for clause in clauses for mark in clause.marks),
        "notes": sum(len(clause.notes) for clause in clauses),
        "references": sum(len(clause.references) for clause in clauses),
    }


def find_numbering_gaps(sections: Sequence[Section]) -> list[ReadingWarning]:
    """Numbers that do not follow on their neighbours within one parent; struck numbers explain a gap."""
    struck = {section.article for section in sections if section.deleted}
    found = []
    last: dict[object, Section] = {}
    for section in sections:
        if section.head is None or section.future or section.deleted or section.head.kind == "part":
            continue
        parent = id(section.parent) if section.parent else section.head.kind
        before = last.get(parent)
        last[parent] = section
        if before is None or before.head is None or len(before.head.key) != len(section.head.key):
            continue
        missing = _missing(before, section)
        if missing and not struck & set(missing):
            found.append(
                ReadingWarning(
                    "numbering_gap",
                    section.title[0].page
                    if section.title
                    else section.blocks[0].page
                    if section.blocks
                    else None,
                    f"{section.article} follows {before.article}: {', '.join(missing)} not found.",
                )
            )
    return found


def _missing(before: Section, after: Section) -> list[str]:
    """The numbers between two siblings."""
    if not (
        before.head and after.head and before.head.key and after.head.key
    ):  # "Appendix" may have no number
        return []
    if before.head.key[:-1] != after.head.key[:-1]:
        return []
    last, this = before.head.key[-1], after.head.key[-1]
    if not isinstance(last, int) or not isinstance(this, int):
        return []
    stem = before.article.rstrip(")")[: -len(str(last))]
    return [f"{stem}{number}" for number in range(last + 1, this)]


def _duplicates(clauses: Sequence[Clause]) -> list[ReadingWarning]:
    numbers = Counter((c.article, c.language) for c in clauses if c.status == "in_force")
    return [
        ReadingWarning(
            "duplicate_number", None, f"The number {article} is borne by {count} clauses in force."
        )
        for (article, _), count in numbers.items()
        if count > 1
    ]


def _unresolved(clauses: Sequence[Clause]) -> list[ReadingWarning]:
    pages: dict[str, int] = {}
    for clause in clauses:
        pages.setdefault(clause.article, clause.page_first)
    return [
        ReadingWarning(
            "unresolved_reference",
            pages.get(article),
            f"{article} refers to {named}, which is not here.",
        )
        for article, named in find_unresolved_references(clauses)
    ]


def _silent(page: Page) -> ReadingWarning:
    what = "is an image without text" if page.image_count else "holds no text"
    how = f" {OCR_HINT}" if page.image_count and not ocr.is_available() else ""
    return ReadingWarning(
        "page_without_text", page.number, f"Page {page.number} {what}; it was not read.{how}"
    )


def _repaired(repairs: Sequence[LigatureRepair]) -> list[ReadingWarning]:
    if not repairs:
        return []
    words = ", ".join(f"{entry.before} → {entry.after} ({entry.count})" for entry in repairs)
    return [
        ReadingWarning("words_repaired", None, f"Letters lost in the file were put back: {words}.")
    ]


def _hidden(clauses: Sequence[Clause]) -> list[ReadingWarning]:
    pages = sorted(
        {mark.page for clause in clauses for mark in clause.marks if mark.kind == "hidden"}
    )
    return [
        ReadingWarning(
            "hidden_text", page, "Text that a reader of the page cannot see was left out."
        )
        for page in pages
    ]


def _scanned(pages: Sequence[Page]) -> list[ReadingWarning]:
    scanned = [page for page in pages if page.from_ocr]
    if not scanned:
        return []
    numbers = [page.number for page in scanned]
    told = f"Text recognition gave the words of {_listed(numbers)}: they may hold errors; struck-out words go unseen."
    return [ReadingWarning("ocr", numbers[0], told)]


def _listed(numbers: Sequence[int]) -> str:
    """ "page 3", "pages 3 to 5 and 9"."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], number]
        else:
            spans.append([number])
    words = [str(span[0]) if len(span) == 1 else f"{span[0]} to {span[-1]}" for span in spans]
    listed = " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
    return f"page {listed}" if len(numbers) == 1 else f"pages {listed}"
