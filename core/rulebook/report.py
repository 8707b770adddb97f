"""The reading report: what was met in a document, as counts and as warnings for a person."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter
from typing import Self

from core.errors import ReadError
from core.program import describe_install
from core.rulebook.layout.blocks import Line, Page, Table, iter_lines
from core.rulebook.layout.ligatures import LigatureRepair
from core.rulebook.pdf import ocr
from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.section_tree import Section
from core.rulebook.types import (
    MAX_WARNINGS,
    PREAMBLE,
    Clause,
    LineCorrection,
    LongClause,
    PageLine,
    PutAway,
    ReadingAccount,
    ReadingReport,
    ReadingWarning,
)

OCR_HINT = f"To have scans read, install the optional part for it: {describe_install('ocr')}."
_MAX_CLAUSE = 5_000  # letters of a clause of usual length, as a page of print has at most
_FEWEST_LETTERS = 500  # of a document, to judge how many are in rules
_MIN_PLACED = 0.3  # of the letters in numbered clauses of usual length; a law of finance has 0.45
_MAX_PREAMBLE = 0.25  # of the letters before the first number; rules with records of changes: 0.05
_MAX_ORPHANS = 0.5  # of deep numbers; where articles and rules count apart it is 0.35
MAX_UNREAD = 0.03  # of the pages, and of the letters between rules that are put away unproved
_MIN_PER_PAGE = 0.1  # numbers on a page, below which nothing was understood
_PAGES_TO_JUDGE = 20
_MAX_UNRESOLVED = 0.5  # of the references; an addendum to other rules has 0.45
_FEWEST_REFERENCES = 10
_MAX_IDLE = 0.5  # of the letters in rules not in force; announced changes of rules have 0.15
_MAX_COVER = 1_000  # letters of a cover; those of 50 rulebooks have up to 400
_MAX_KEPT = 400  # of each thing that a reading leaves over
MAX_WORDS = 80  # letters of a line, to know it by
_MIN_HEADINGS = 10  # of a handbook without numbers, and one to a page


@dataclass(frozen=True, slots=True)
class LetterAccount:
    """Where the letters of a document went: all, those before the first number, those placed.

    Placed are those in numbered clauses of usual length: what is lost in the reading of a numbering
    makes clauses too long.
    """

    letters: int
    preamble: int
    placed: int

    @classmethod
    def of(cls, clauses: Iterable[Clause]) -> Self:
        letters = preamble = 0
        # Of each article with its parts: what is lost makes articles too long.
        whole: Counter[tuple[str, str | None]] = Counter()
        for clause in clauses:
            count = _letters_of(clause)
            letters += count
            if clause.article not in (PREAMBLE, clause.part):
                whole[clause.whole_article, clause.language] += count
            elif not whole:
                preamble += count
        placed = sum(count for count in whole.values() if count <= _MAX_CLAUSE)
        return cls(letters, preamble, placed)

    @property
    def is_partial(self) -> bool:
        """True if so much is not placed that the numbering was hardly understood."""
        little = self.placed < _MIN_PLACED * self.letters
        late = self.preamble > _MAX_PREAMBLE * self.letters and self.letters > _MAX_CLAUSE
        return late or (little and (not self.placed or self.letters > _FEWEST_LETTERS))


@dataclass(slots=True)
class DocumentTexts:
    """What the blocks of a document became: rules, and texts that are none."""

    sections: list[Section] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    others: list[Clause] = field(default_factory=list)
    untaken: list[Heading] = field(default_factory=list)
    """Numbers that look like headings and are none."""


def build_report(
    pages: Sequence[Page],
    texts: DocumentTexts,
    repairs: Sequence[LigatureRepair],
    account: LetterAccount,
    prior_warnings: Sequence[ReadingWarning],
    put_away: Sequence[PutAway],
) -> ReadingReport:
    """Count what was read, and add warnings to those that came up before."""
    clauses, sections = texts.clauses, texts.sections
    left = _list_leftovers(pages, texts)
    gaps = list(_warn_of_numbering_gaps(sections))
    duplicates = _find_duplicates(clauses)
    unresolved, references = ReadingWarning.list_unresolved(clauses)
    given_up = {warning.page for warning in prior_warnings}
    letters: Counter[str] = Counter()
    for row in put_away:
        letters[f"letters_{row.place}"] += row.letters
    contents = {text.page_first for text in texts.others if text.kind == "contents"}
    counts = {
        "pages": len(pages),
        "clauses": len(clauses),
        "letters": account.letters,
        "letters_placed": account.placed,
        "lines_unplaced": len(left.unplaced),
        "numbers_untaken": len(left.untaken),
        "long_clauses": len(left.long_clauses),
        "tables": sum(isinstance(block, Table) for section in sections for block in section.blocks),
        **_count_contents(clauses),
        "repairs": sum(repair.count for repair in repairs),
        "unresolved_references": unresolved,
        "numbering_gaps": len(gaps),
        "duplicates": len(duplicates),
        "pages_without_text": sum(one.is_unread_image or not one.letter_count for one in pages),
        "images_unread": sum(one.is_unread_image and one.number not in given_up for one in pages),
        "pages_recognised": sum(page.from_ocr for page in pages),
        "contents_pages": len(contents),
        "other_texts": len(texts.others),
        **letters,
        "letters_unproved": sum(row.unproved for row in put_away),
    }
    warnings = (
        *_warn_of_partial_reading(account, sections, counts["references"], unresolved),
        *_warn_of_little_in_force(clauses),
        *prior_warnings,
        *_warn_of_lost_text(pages, repairs),
        *gaps[:MAX_WARNINGS],
        *duplicates[:MAX_WARNINGS],
        *references,
        *_warn_of_doubtful_text(pages, clauses),
    )
    shown = ReadingAccount(
        left.unplaced[:_MAX_KEPT],
        left.untaken[:_MAX_KEPT],
        left.long_clauses[:_MAX_KEPT],
        tuple(put_away[:_MAX_KEPT]),
    )
    return ReadingReport(counts, warnings, shown)


def partly_read(reason: str, page: int | None = None) -> ReadingWarning:
    return ReadingWarning("partly_read", page, f"This document was read in part: {reason}.")


def _list_leftovers(pages: Sequence[Page], texts: DocumentTexts) -> ReadingAccount:
    """List the lines below no number, the numbers that began no clause, and the long clauses."""
    displays = {page.number: page.to_display for page in pages}

    def describe(line: Line, number: str = "") -> PageLine:
        words = " ".join(line.visible_text.split())[:MAX_WORDS]
        return PageLine(line.page, words, displays[line.page](line.box), number)

    long = (
        LongClause(clause.article, clause.page_first, letters)
        for clause in texts.clauses
        if (letters := _letters_of(clause)) > _MAX_CLAUSE and not clause.is_preamble
    )
    unplaced = map(describe, _lines_before_rules(pages, texts.sections))
    untaken = (describe(head.line, head.number) for head in texts.untaken)
    return ReadingAccount(tuple(unplaced), tuple(untaken), tuple(long))


def _lines_before_rules(pages: Sequence[Page], sections: Iterable[Section]) -> list[Line]:
    """The lines before the first number, without a cover: a first page of few letters."""
    preambles = (section.blocks for section in sections if section.article == PREAMBLE)
    lines = iter_lines(chain.from_iterable(preambles))
    letters = [(line, count) for line in lines if (count := count_letters(line.visible_text))]
    first = min((line.page for line, _ in letters), default=0)
    opening = sum(count for line, count in letters if line.page == first)
    cover = first if first == pages[0].number and opening < _MAX_COVER else None
    return [line for line, _ in letters if line.page != cover]


def _letters_of(clause: Clause) -> int:
    return count_letters(" ".join((clause.title, clause.text, *clause.deleted)))


@lru_cache(maxsize=10_000)
def count_letters(text: str) -> int:
    """Return how many letters and digits a text has."""
    return sum(map(str.isalnum, text))


def require_understood(
    name: str,
    account: LetterAccount,
    sections: Sequence[Section],
    pages: int,
    fewest: int = _MIN_HEADINGS,
) -> None:
    """Raise ReadError `no_clauses` for hardly any numbers, unless headings part a text well.

    `fewest` are the headings that do so, at least one a page.
    """
    numbers = sum(section.head is not None for section in sections)
    unnumbered = sum(section.is_unnumbered for section in sections)
    if not numbers and unnumbered < max(fewest, pages):
        message = f"No numbered rules were found in {name}: it is not a rulebook that can be added."
        raise ReadError(message, code="no_clauses")
    few = pages >= _PAGES_TO_JUDGE and numbers + unnumbered < _MIN_PER_PAGE * pages
    if few and account.is_partial:
        message = f"{name} cannot be added: {numbers} numbered rules were found on {pages} pages,"
        raise ReadError(f"{message} so its numbering is not understood.", code="no_clauses")


def _warn_of_partial_reading(
    account: LetterAccount, sections: Sequence[Section], references: int, unresolved: int
) -> Iterator[ReadingWarning]:
    keys = [section.head.key for section in sections if section.head and section.head.key]
    found = {*keys, *(key[:1] for key in keys if isinstance(key[0], str))}  # "T" is above "T 1"
    deep = [key for key in keys if len(key) > 1]
    orphans = sum(key[:-1] not in found for key in deep) / max(len(deep), 1)
    why = []
    if references >= _FEWEST_REFERENCES and unresolved > _MAX_UNRESOLVED * references:
        why.append(f"{unresolved} of its {references} references lead to numbers not found in it")
    if account.is_partial:
        placed, before = account.placed / account.letters, account.preamble / account.letters
        why.append(
            f"{placed:.0%} of its letters are in numbered rules of usual length, {before:.0%} come"
            " before the first number"
        )
    if orphans > _MAX_ORPHANS:
        why.append(f"for {orphans:.0%} of its numbers the number above was not found")
    if why:
        advice = "Rules may be missing or run together: check answers from it on its pages"
        yield partly_read(f"{'; '.join(why)}. {advice}")


def _warn_of_little_in_force(clauses: Sequence[Clause]) -> Iterator[ReadingWarning]:
    letters = [(clause.status, _letters_of(clause)) for clause in clauses]
    idle = sum(count for status, count in letters if status != "in_force")
    total = sum(count for _, count in letters)
    if idle > _MAX_IDLE * total:
        message = (
            f"{idle / total:.0%} of its letters are in rules that are not in force (struck out, or"
            " for a later season): check on its pages that this is so."
        )
        yield ReadingWarning("little_in_force", None, message)


def _warn_of_numbering_gaps(sections: Sequence[Section]) -> Iterator[ReadingWarning]:
    """Warn of numbers missing between siblings; a deleted number explains a gap."""
    deleted = {section.article for section in sections if section.deleted}
    for before, section in _sibling_pairs(sections):
        missing = _numbers_between(before, section)
        if missing and deleted.isdisjoint(missing):
            page = next((part.page for part in (*section.title, *section.blocks)), None)
            message = f"{section.article} follows {before.article}: {', '.join(missing)} not found."
            yield ReadingWarning("numbering_gap", page, message)


def _sibling_pairs(sections: Sequence[Section]) -> Iterator[tuple[Section, Section]]:
    """Each numbered section in force with the one before it below the same parent."""
    parts = {s for s in sections if not s.parent and s.head and s.head.kind == "part"}
    siblings: dict[object, Section] = {}
    for section in filter(attrgetter("counts_on"), sections):
        level: object = section.parent
        if section.head and (section.parent is None or section.parent in parts):
            level = section.head.kind
        if level in siblings:
            yield siblings[level], section
        siblings[level] = section


def _numbers_between(before: Section, after: Section) -> list[str]:
    first, second = (section.head.key if section.head else () for section in (before, after))
    if not first or not second or first[:-1] != second[:-1]:  # "Appendix" may have no number
        return []
    last, this = first[-1], second[-1]
    if not isinstance(last, int) or not isinstance(this, int):
        return []
    stem = before.article.rstrip(")")[: -len(str(last))]
    return [f"{stem}{number}" for number in range(last + 1, this)]


def _find_duplicates(clauses: Sequence[Clause]) -> list[ReadingWarning]:
    counts = Counter((c.article, c.language) for c in clauses if c.status == "in_force")
    return [
        ReadingWarning("duplicate_number", None, f"{n} clauses in force have the number {article}.")
        for (article, _), n in counts.items()
        if n > 1
    ]


def _count_contents(clauses: Sequence[Clause]) -> dict[str, int]:
    marks = Counter(mark.kind for clause in clauses for mark in clause.marks)
    statuses = Counter(clause.status for clause in clauses)
    return {
        "figures": sum(len(clause.figures) for clause in clauses),
        "deleted_clauses": statuses["deleted"],
        "future_clauses": statuses["future"],
        "deleted_spans": sum(len(clause.deleted) for clause in clauses),
        "inserted_spans": sum(len(clause.inserted) for clause in clauses),
        "hidden_spans": marks["hidden"],
        "notes": sum(len(clause.notes) for clause in clauses),
        "references": sum(len(clause.references) for clause in clauses),
    }


def _warn_of_lost_text(
    pages: Sequence[Page], repairs: Sequence[LigatureRepair]
) -> Iterator[ReadingWarning]:
    hint = "" if ocr.is_available() else f" {OCR_HINT}"
    # The cover may be an image, and a few pages more.
    images = [one.number for one in pages[1:] if one.is_unread_image]
    if len(images) > MAX_UNREAD * len(pages):
        where = f"{format_pages(images)} may hold rules as images, whose words were not read"
        yield partly_read(f"{where}.{hint}".removesuffix("."), images[0])
    for page in pages:
        if page.is_unread_image or not page.letter_count:
            content = "is an image without text" if page.image_count else "holds no text"
            content = "holds an image beside its text" if page.letter_count else content
            message = f"Page {page.number} {content}; it was not read."
            message += hint if page.image_count else ""
            yield ReadingWarning("page_without_text", page.number, message)
    if repairs:
        words = ", ".join(f"{fix.before} → {fix.after} ({fix.count})" for fix in repairs)
        message = f"Letters lost in the file were restored: {words}."
        yield ReadingWarning("words_repaired", None, message)


def _warn_of_doubtful_text(
    pages: Sequence[Page], clauses: Sequence[Clause]
) -> Iterator[ReadingWarning]:
    hidden = {
        mark.page or 0 for clause in clauses for mark in clause.marks if mark.kind == "hidden"
    }
    for number in sorted(hidden):
        message = "Text that a reader of the page cannot see was left out."
        yield ReadingWarning("hidden_text", number, message)
    differing = [mark for clause in clauses for mark in clause.marks if mark.kind == "differs"]
    for mark in differing[:MAX_WARNINGS]:
        words = mark.text[: LineCorrection.LONGEST]
        message = f"Page and text differ, so this is not in force: “{words}”."
        yield ReadingWarning("page_differs", mark.page, message)
    for page in pages:
        for note in page.notes:
            yield ReadingWarning(note.code, page.number, note.message)
    if scanned := [page.number for page in pages if page.from_ocr]:
        message = (
            f"Text recognition read the words of {format_pages(scanned)}: they may hold"
            " errors, and struck-out words are not recognized."
        )
        yield ReadingWarning("ocr", scanned[0], message)


def format_pages(numbers: Sequence[int]) -> str:
    """Return "page 3" or "pages 3 to 5 and 9"."""
    groups = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in group] for _, group in groups]
    words = [f"{span[0]} to {span[-1]}" if span[1:] else str(span[0]) for span in spans]
    listed = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    return f"page {listed}" if len(numbers) == 1 else f"pages {listed}"
