"""Build the rulebook of a document from its pages: a list of passes, one after the other.

What each takes and gives is in ARCHITECTURE.md. Depends on the pages alone: opens no file and knows
no library. A Word file has its text on pages that are made up, and says itself what is apart.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from core.errors import ReadError
from core.rulebook.layout.blocks import Block, Line, Page, blocks_of, iter_lines
from core.rulebook.layout.ligatures import load_english_dictionary, repair_ligatures
from core.rulebook.layout.text import line_text, settle_gaps
from core.rulebook.losses import warn_of_missing_pages, warn_of_unreadable_letters
from core.rulebook.metadata import MetadataSources, read_identity, title_page_lines
from core.rulebook.pdf import ocr
from core.rulebook.put_away import account_for_print, list_print, warn_of_unproved_letters
from core.rulebook.report import (
    OCR_HINT,
    DocumentTexts,
    LetterAccount,
    build_report,
    require_understood,
)
from core.rulebook.structure.clause_builder import ClauseBuilder
from core.rulebook.structure.contents_lists import remove_contents_tables
from core.rulebook.structure.headers_footers import remove_headers_footers, remove_repeated_pictures
from core.rulebook.structure.headings import find_headings
from core.rulebook.structure.language_columns import (
    split_language_rows,
    split_language_tables,
    split_languages,
)
from core.rulebook.structure.line_corrections import find_corrected_line, remove_given_furniture
from core.rulebook.structure.numbered_tables import join_tables, split_numbered_tables
from core.rulebook.structure.other_texts import (
    Footnote,
    attach_footnotes,
    sections_by_page,
    split_cover,
    take_footnotes,
    usual_letters,
)
from core.rulebook.structure.revision_colors import build_palette, describe_changes, take_legend
from core.rulebook.structure.section_parts import part_long_sections, take_run_in_titles
from core.rulebook.structure.section_tree import PREAMBLE, Section, build_sections
from core.rulebook.types import (
    Clause,
    Identity,
    LineCorrection,
    ReadingAccount,
    ReadingReport,
    ReadingWarning,
    Rulebook,
)
from core.rulebook.word.blocks import FEWEST_HEADINGS, WordPages, leave_out_signs
from core.rulebook.word.text import list_objects

_WITH_ARTICLE = {
    "figure": "a figure",
    "object": "an object",
    "equation": "an equation",
    "field": "a field",
}
_USUAL_LETTERS = 3_000  # of a page of rules: the cover of a Word file has fewer than half


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """Where pages come from: SHA-256 and name of the file, its metadata, warnings so far."""

    document_id: str
    name: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[ReadingWarning, ...] = ()
    corrections: tuple[LineCorrection, ...] = ()
    """What a person said of its lines."""


@dataclass(frozen=True, slots=True)
class DocumentStreams:
    """The pages of a document after all that runs through them was set aside."""

    identity: Identity
    streams: Mapping[str, list[Block]]
    """The blocks of each language in reading order, the main one first; "" for all."""
    running: list[list[str]]
    """The headers and footers of each page."""
    legend: list[Line]
    contents: list[Block]
    footnotes: list[Footnote]
    warnings: tuple[ReadingWarning, ...]
    cover_letters: float
    """Letters of a usual page, beside which a first page is a cover; 0 where none can be."""
    apart: Sequence[Section] = ()
    """Texts that the file itself sets apart."""
    is_proved: bool = False
    """The file itself says what is no text of rules."""

    @property
    def lines(self) -> list[Line]:
        apart = chain(self.contents, *(note.lines for note in self.footnotes))
        return list(iter_lines(chain(apart, *self.streams.values())))


def build_rulebook(pages: Sequence[Page], source: DocumentSource) -> Rulebook:
    """The rulebook of `pages`. Raises ReadError with code `no_text` or `no_clauses`."""
    if not any(page.letter_count for page in pages):
        how = "None could be recognised in them." if ocr.is_available() else OCR_HINT
        raise ReadError(f"{source.name} holds no text, only images of pages. {how}", code="no_text")
    return _compose_rulebook(pages, source, separate_streams)


def build_word_rulebook(read: WordPages, source: DocumentSource) -> Rulebook:
    """The rulebook of a Word file. Raises ReadError with code `no_text` or `no_clauses`."""
    pages = [read.front, read.body]
    if not any(page.letter_count for page in pages):
        raise ReadError(f"{source.name} holds no text: there is nothing to add.", code="no_text")

    def separate(pages: Sequence[Page], source: DocumentSource) -> DocumentStreams:
        return separate_word_streams(read, pages, source)

    book = forget_pages(_compose_rulebook(pages, source, separate))
    warnings = (*book.report.warnings, *_warn_of_objects(book.clauses))
    return replace(book, report=replace(book.report, warnings=warnings))


def _compose_rulebook(
    pages: Sequence[Page],
    source: DocumentSource,
    separate: Callable[[Sequence[Page], DocumentSource], DocumentStreams],
) -> Rulebook:
    printed = list(iter_lines(blocks_of(pages)))
    known = [said for said in source.corrections if find_corrected_line(printed, said)]
    found = separate(pages, source)
    lines, identity = found.lines, found.identity
    repairs = repair_ligatures(lines)
    by_number = {page.number: page for page in pages}
    palette, is_word = build_palette(found.legend, lines, by_number), _word_test(lines)
    builder = ClauseBuilder(
        source.document_id, identity, palette, by_number, is_word, identity.language
    )
    texts = _build_texts(found, builder, source.corrections)
    unused = _warn_of_corrections(source.corrections, known, texts.sections)
    account = LetterAccount.of(texts.clauses)
    given = (FEWEST_HEADINGS,) if found.is_proved else ()
    require_understood(source.name, account, texts.sections, len(pages), *given)
    removed = list_print(pages, found.running, found.legend)
    put_away = account_for_print(removed, texts.clauses, texts.others, found.is_proved)
    doubts = warn_of_unproved_letters(put_away, account.letters)
    warnings = (*found.warnings, *doubts, *unused)
    report = build_report(pages, texts, repairs, account, warnings, put_away)
    clauses, others = tuple(texts.clauses), tuple(texts.others)
    return Rulebook(source.document_id, identity, len(pages), clauses, report, others)


def separate_streams(pages: Sequence[Page], source: DocumentSource) -> DocumentStreams:
    """Take from the pages, in place, what is no text of rules; return that and what is left."""
    remove_given_furniture(pages, source.corrections)
    edges = remove_headers_footers(pages)
    apart = (line for row in chain.from_iterable(edges) for line in row.lines)
    settle_gaps([*apart, *iter_lines(blocks_of(pages))])
    running = [[row.text for row in rows] for rows in edges]
    remove_repeated_pictures(pages)
    split_language_tables(pages)
    footnotes = take_footnotes(pages)
    cover_letters = usual_letters(pages)
    opening = title_page_lines(pages)
    losses = (*warn_of_missing_pages(running), *warn_of_unreadable_letters(pages))
    legend = take_legend(pages)
    contents = remove_contents_tables(pages)
    language, streams = split_languages(pages)
    headers = list(dict.fromkeys(chain.from_iterable(running)))
    clues = MetadataSources(opening, headers, source.metadata, source.name)
    identity, unread = read_identity(clues, language)
    identity = replace(identity, legend=describe_changes(legend))
    warnings = (*source.warnings, *losses, *unread)
    return DocumentStreams(
        identity, streams, running, legend, contents, footnotes, warnings, cover_letters
    )


def separate_word_streams(
    read: WordPages, pages: Sequence[Page], source: DocumentSource
) -> DocumentStreams:
    """Take the legend of colours from the pages of a Word file; all else is apart already."""
    remove_given_furniture(pages, source.corrections)
    opening = leave_out_signs(title_page_lines([read.front]))
    legend = take_legend([read.front])
    language, streams = split_language_rows(list(blocks_of(pages)))
    clues = MetadataSources(opening, read.running, read.metadata, source.name)
    identity, unread = read_identity(clues, language)
    identity = replace(identity, legend=describe_changes(legend))
    apart = [
        section
        for kind, title, blocks in read.apart
        for section in sections_by_page(kind, blocks, title)
    ]
    return DocumentStreams(
        identity,
        streams,
        [read.running, []],
        legend,
        read.contents,
        read.footnotes,
        (*source.warnings, *unread),
        _USUAL_LETTERS if read.has_cover else 0,
        apart,
        is_proved=True,
    )


def forget_pages(book: Rulebook) -> Rulebook:
    """Return a rulebook without the places of its texts: its document has no pages."""

    def forget(clause: Clause) -> Clause:
        marks = tuple(replace(mark, page=None, boxes=()) for mark in clause.marks)
        return replace(clause, page_first=None, page_last=None, places=(), figures=(), marks=marks)

    account, nowhere = book.report.account, (0.0, 0.0, 0.0, 0.0)
    account = ReadingAccount(
        tuple(replace(line, page=None, box=nowhere) for line in account.unplaced),
        tuple(replace(line, page=None, box=nowhere) for line in account.untaken),
        tuple(replace(clause, page=None) for clause in account.long_clauses),
        tuple(replace(row, pages=()) for row in account.put_away),
    )
    warnings = tuple(replace(warning, page=None) for warning in book.report.warnings)
    counts = {**book.report.counts, "pages": 0}
    return replace(
        book,
        pages=0,
        clauses=tuple(map(forget, book.clauses)),
        other_texts=tuple(map(forget, book.other_texts)),
        report=ReadingReport(counts, tuple(dict.fromkeys(warnings)), account),
    )


def _warn_of_objects(clauses: Iterable[Clause]) -> Iterator[ReadingWarning]:
    for clause in clauses:
        for kind in list_objects(f"{clause.title}\n{clause.text}"):
            where = clause.article or "A text without a number"
            message = f"{where} holds {_WITH_ARTICLE[kind]} that was not read: see it in Word."
            yield ReadingWarning("object_unread", None, message)


def _build_texts(
    document: DocumentStreams, builder: ClauseBuilder, corrections: Sequence[LineCorrection]
) -> DocumentTexts:
    season, pages = document.identity.season, list(builder.pages.values())
    texts = DocumentTexts()
    others: list[Section] = []
    listed = list(document.contents)
    numbers: Counter[str] = Counter()
    for code, blocks in document.streams.items():
        found = find_headings(split_numbered_tables(join_tables(blocks)), season, corrections)
        sections = build_sections(found, season)
        take_run_in_titles(sections, found.body)
        sections = part_long_sections(sections, found.body)
        listed += found.contents
        others += split_cover(sections, pages[0].number, document.cover_letters)
        if sections and sections[0].article == PREAMBLE and not sections[0].blocks:
            del sections[0]
        for title, *record in found.changelogs:
            others += sections_by_page("changelog", record, list(iter_lines([title])))
        attach_footnotes(document.footnotes, sections)
        texts.sections += sections
        texts.untaken += found.untaken
        own_builder = replace(builder, language=code or builder.language, leading=found.body.within)
        texts.clauses += own_builder.build_clauses(sections, numbers)
    others += sections_by_page("contents", listed)
    for note in document.footnotes:
        others += sections_by_page("footnote", note.lines)
    others += document.apart
    texts.others += builder.build_clauses(others, numbers)
    return texts


def _warn_of_corrections(
    corrections: Iterable[LineCorrection],
    known: Sequence[LineCorrection],
    sections: Iterable[Section],
) -> Iterator[ReadingWarning]:
    """A warning for each correction of a line that is not there, or that begins no rule."""
    heads = [section.head.line for section in sections if section.head]
    for said in corrections:
        if said not in known:
            message = f"No line begins with “{said.words}”: what was said of it is not used."
            yield ReadingWarning("line_not_found", said.page, message)
        elif said.kind == "heading" and find_corrected_line(heads, said) is None:
            where = "a sentence, or in a table, a list of contents or a record of changes"
            message = f"“{said.words}” is {where}: it is no heading."
            yield ReadingWarning("line_not_used", said.page, message)


def _word_test(lines: Iterable[Line]) -> Callable[[str], bool]:
    """A test for the words of the document and of English, to join words split at line ends."""
    # The last word of a line may be the first half of one: it is left out.
    text = "\n".join(map(line_text, lines)).lower()
    own = frozenset(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*(?=[^\w\n\u00ad-])", text))

    def is_word(word: str) -> bool:
        return word.lower() in own or (
            "-" not in word and word.isascii() and load_english_dictionary()(word)
        )

    return is_word
