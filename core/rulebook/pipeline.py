"""Build the rulebook of a document from its pages: clean-up, repair, clauses and report.

Depends on the pages alone: opens no PDF and knows no library. A text in two languages side by side,
also in tables, becomes one stream of blocks for each language.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile
from statistics import median

from core.errors import ReadError
from core.grammar import detect_language
from core.rulebook.layout.blocks import (
    Block,
    Cell,
    Line,
    Page,
    Table,
    index_after_gutter,
    iter_lines,
    row_lines,
)
from core.rulebook.layout.ligatures import load_english_dictionary, repair_ligatures
from core.rulebook.layout.text import line_text, settle_gaps
from core.rulebook.losses import warn_of_missing_pages, warn_of_unreadable_letters
from core.rulebook.metadata import MetadataSources, language_pair, read_identity, title_page_lines
from core.rulebook.pdf import ocr
from core.rulebook.put_away import account_for_print, list_print, warn_of_unproved
from core.rulebook.report import (
    OCR_HINT,
    DocumentTexts,
    account_for_letters,
    build_report,
    require_understood,
)
from core.rulebook.structure.clause_builder import ClauseBuilder
from core.rulebook.structure.contents_lists import remove_contents_tables
from core.rulebook.structure.headers_footers import remove_headers_footers, remove_repeated_pictures
from core.rulebook.structure.headings import find_headings
from core.rulebook.structure.line_corrections import find_corrected_line, remove_given_furniture
from core.rulebook.structure.numbered_tables import split_numbered_tables
from core.rulebook.structure.other_texts import (
    Footnote,
    attach_footnotes,
    sections_by_page,
    split_cover,
    take_footnotes,
)
from core.rulebook.structure.revision_colors import (
    build_palette,
    describe_changes,
    find_legend_lines,
)
from core.rulebook.structure.section_parts import part_long_sections
from core.rulebook.structure.section_tree import PREAMBLE, Section, build_sections
from core.rulebook.structure.titles import take_run_in_titles
from core.rulebook.types import LineCorrection, ReadingWarning, Rulebook

_FEWEST_MIXED = 2  # such tables in a document: one alone may be a glossary
_MIXED_SHARE = 0.5  # of the tables of two columns that hold two languages
_BILINGUAL_SHARE = 0.4  # of the pages in columns that must have two languages side by side


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """Where pages come from: SHA-256 and name of the file, its metadata, warnings so far."""

    document_id: str
    name: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[ReadingWarning, ...] = ()
    corrections: tuple[LineCorrection, ...] = ()
    """What a person said of its lines."""


def build_rulebook(pages: Sequence[Page], source: DocumentSource) -> Rulebook:
    """The rulebook of `pages`. Raises ReadError with code `no_text` or `no_clauses`."""
    if not any(page.letter_count for page in pages):
        how = "None could be recognised in them." if ocr.is_available() else OCR_HINT
        raise ReadError(f"{source.name} holds no text, only images of pages. {how}", code="no_text")
    printed = list(iter_lines(_blocks_of(pages)))
    known = [said for said in source.corrections if find_corrected_line(printed, said)]
    remove_given_furniture(pages, source.corrections)
    edges = remove_headers_footers(pages)
    apart = chain.from_iterable(row.lines for rows in edges for row in rows)
    settle_gaps([*apart, *iter_lines(_blocks_of(pages))])
    running = [[row.text for row in rows] for rows in edges]
    remove_repeated_pictures(pages)
    split_language_tables(pages)
    footnotes = take_footnotes(pages)
    opening = title_page_lines(pages)
    language, streams = _split_languages(pages)
    losses = (*warn_of_missing_pages(running), *warn_of_unreadable_letters(pages))
    headers = list(dict.fromkeys(chain.from_iterable(running)))
    clues = MetadataSources(opening, headers, source.metadata, source.name)
    identity, unread = read_identity(clues, language)
    legend = find_legend_lines(iter_lines(_blocks_of(pages)))
    identity = replace(identity, legend=describe_changes(legend))
    contents = remove_contents_tables(pages)
    kept = set(map(id, _blocks_of(pages))).difference(map(id, legend))
    streams = {code: [b for b in blocks if id(b) in kept] for code, blocks in streams.items()}
    others = chain(contents, *(note.lines for note in footnotes))
    lines = list(iter_lines(chain(others, *streams.values())))
    repairs = repair_ligatures(lines)
    by_number = {page.number: page for page in pages}
    palette = build_palette([*legend, *lines], by_number)
    builder = ClauseBuilder(
        source.document_id, identity, palette, by_number, _word_test(lines), identity.language
    )
    texts = _build_texts(streams, contents, footnotes, builder, source.corrections)
    unused = _warn_of_corrections(source.corrections, known, texts.sections)
    account = account_for_letters(texts.clauses)
    require_understood(source.name, account, texts.sections, len(pages))
    removed = list_print(pages, running, legend)
    put_away = account_for_print(removed, texts.clauses, texts.others)
    doubts = warn_of_unproved(put_away, account.letters)
    warnings = (*source.warnings, *losses, *doubts, *unread, *unused)
    report = build_report(pages, texts, repairs, account, warnings, put_away)
    return Rulebook(
        source.document_id,
        identity,
        len(pages),
        tuple(texts.clauses),
        report,
        tuple(texts.others),
    )


def _build_texts(
    streams: Mapping[str, list[Block]],
    contents: Sequence[Block],
    footnotes: Sequence[Footnote],
    builder: ClauseBuilder,
    corrections: Sequence[LineCorrection],
) -> DocumentTexts:
    """The sections and clauses of all languages, and the texts that are no rules."""
    season, pages = builder.identity.season, list(builder.pages.values())
    texts = DocumentTexts()
    others: list[Section] = []
    listed = list(contents)
    numbers: Counter[str] = Counter()
    for code, blocks in streams.items():
        rows = split_numbered_tables(_join_tables(blocks))
        found = find_headings(rows, season, corrections)
        sections = build_sections(found, season)
        take_run_in_titles(sections, found.body)
        sections = part_long_sections(sections, found.body)
        listed += found.contents
        others += split_cover(sections, pages)
        if sections and sections[0].article == PREAMBLE and not sections[0].blocks:
            del sections[0]
        for title, *record in found.changelogs:
            others += sections_by_page("changelog", record, list(iter_lines([title])))
        attach_footnotes(footnotes, sections)
        texts.sections += sections
        texts.untaken += found.untaken
        own_builder = replace(builder, language=code or builder.language)
        texts.clauses += own_builder.build_clauses(sections, numbers)
    others += sections_by_page("contents", listed)
    for note in footnotes:
        others += sections_by_page("footnote", note.lines)
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


def _blocks_of(pages: Iterable[Page]) -> Iterable[Block]:
    return chain.from_iterable(page.blocks for page in pages)


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


def _split_languages(pages: Sequence[Page]) -> tuple[str | None, dict[str, list[Block]]]:
    """The main language, and the blocks of each language in reading order, the main one first.

    Only languages in columns side by side are separated; else all blocks have the code "".
    """
    by_column = _column_languages(pages)
    if not by_column:
        sample = " ".join(map(line_text, iter_lines(_blocks_of(pages[:60]))))
        return detect_language(sample), {"": list(_blocks_of(pages))}
    languages = by_column.values()
    main = "en" if "en" in languages else by_column[min(by_column)]
    streams: dict[str, list[Block]] = {code: [] for code in (main, *languages)}
    gutter = median(page.gutter for page in pages if page.gutter)
    for page in pages:
        if page.columns == 1:
            page.blocks = [part for block in page.blocks for part in _split_at(gutter, block)]
    for block in _blocks_of(pages):
        across = block.left < gutter - 10 and block.right > gutter + 10
        streams[main if across else by_column.get(block.column, main)].append(block)
    return main, streams


def _split_at(gutter: float, block: Block) -> tuple[Block, ...]:
    """A block of a page with undetected columns: with its column set, or cut at the gutter."""
    block.column = int(block.left > gutter - 10)
    if not isinstance(block, Line) or not block.left < gutter < block.right:
        return (block,)
    index = index_after_gutter(block.spans, gutter)
    if index is None:
        return (block,)
    one, other = block.split_at(index)
    other.column = 1
    return one, other


def _column_languages(pages: Sequence[Page]) -> dict[int, str]:
    """Column to language, if on enough pages the two columns have different languages."""
    in_columns = [page for page in pages if page.columns == 2]
    languages = (language_pair(_lines_of(page, 0), _lines_of(page, 1)) for page in in_columns)
    pairs = list(filter(None, languages))
    if len(in_columns) < 2 or len(pairs) < _BILINGUAL_SHARE * len(in_columns):
        return {}
    columns = enumerate(zip(*pairs, strict=True))
    return {column: Counter(codes).most_common(1)[0][0] for column, codes in columns}


def _lines_of(page: Page, column: int) -> Iterator[Line]:
    return iter_lines(block for block in page.blocks if block.column == column)


def split_language_tables(pages: Sequence[Page]) -> None:
    """Put the lines of tables in two languages into the two columns of their pages, in place.

    Each language then keeps its own numbers and sentences.
    """
    blocks = chain.from_iterable(page.blocks for page in pages)
    tables = [
        block
        for block in blocks
        if isinstance(block, Table) and block.ruled and len(block.edges) == 3
    ]
    mixed = {
        id(table): table
        for table in tables
        if language_pair(_lines_in(table, 0), _lines_in(table, 1))
    }
    if len(mixed) >= max(_FEWEST_MIXED, _MIXED_SHARE * len(tables)):
        _put_into_columns(mixed, pages)


def _put_into_columns(mixed: Mapping[int, Table], pages: Iterable[Page]) -> None:
    for page in pages:
        blocks: list[Block] = []
        for block in page.blocks:
            if split := mixed.get(id(block)):
                page.columns, page.gutter = 2, split.edges[1]
                blocks += _column_lines(split)
            else:
                blocks.append(block)
        page.blocks = blocks


def _lines_in(table: Table, column: int) -> Iterator[Line]:
    for row in table.rows:
        if cell := row[column]:
            yield from cell.lines


def _column_lines(table: Table) -> Iterator[Line]:
    """The lines of the left column, then those of the right one, with their places set."""
    for column in (0, 1):
        lines = list(_lines_in(table, column))
        start = min((line.left for line in lines), default=0.0)
        for line in lines:
            line.column, line.start, line.edge = column, start, table.edges[column + 1]
            yield line


def _join_tables(blocks: Iterable[Block]) -> list[Block]:
    """The blocks, with a table and its continuation on the next page as one.

    A header that is repeated on the next page is left out there.
    """
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if isinstance(block, Table) and isinstance(last, Table) and _continues(last, block):
            pairs = zip(map(_row_words, last.rows), map(_row_words, block.rows), strict=False)
            repeated = takewhile(lambda pair: pair[0] == pair[1], pairs)
            last.rows += block.rows[len(list(repeated)) :]
        else:
            joined.append(block)
    return joined


def _row_words(row: Iterable[Cell | None]) -> list[str]:
    return list(map(line_text, row_lines(row)))


def _continues(last: Table, table: Table) -> bool:
    """True for a table of the same columns on the next page."""
    last_page = max((line.page for line in last.lines), default=last.page)
    return (
        table.page == last_page + 1
        and table.ruled == last.ruled
        and len(table.edges) == len(last.edges)
        and all(abs(a - b) < 4 for a, b in zip(table.edges, last.edges, strict=True))
    )
