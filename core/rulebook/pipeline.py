"""From the pages of a document to its rulebook: furniture off, words mended, clauses built, the report drawn up.

A function of the pages alone; no PDF is opened here and nothing else is known of the library.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

from core.errors import ReadError
from core.rulebook.layout.blocks import Block, Line, Page, Table, index_after_gutter
from core.rulebook.layout.ligatures import load_english_dictionary, repair_ligatures
from core.rulebook.layout.text import line_text
from core.rulebook.metadata import MetadataSources, detect_language, read_identity, title_page_lines
from core.rulebook.pdf import ocr
from core.rulebook.report import OCR_HINT, build_report
from core.rulebook.structure.clause_builder import ClauseBuilder
from core.rulebook.structure.headers_footers import (
    remove_contents_tables,
    remove_headers_footers,
    remove_repeated_pictures,
)
from core.rulebook.structure.numbered_tables import split_numbered_tables
from core.rulebook.structure.paragraphs import iter_lines
from core.rulebook.structure.revision_colors import (
    build_palette,
    describe_changes,
    find_legend_lines,
)
from core.rulebook.structure.section_tree import Section, build_sections
from core.rulebook.types import Clause, ReadingWarning, Rulebook

_ALONGSIDE = 0.4  # of the pages in columns that must hold two languages side by side


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """Where pages come from: the document's id (SHA-256 of the file), the file's name, its metadata."""

    document_id: str
    name: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[ReadingWarning, ...] = ()


def build_rulebook(pages: Sequence[Page], source: DocumentSource) -> Rulebook:
    """The rulebook that `pages` hold. Raises ReadError with code `no_text` or `no_clauses`."""
    if not any(page.letter_count for page in pages):
        how = "None could be recognised in them." if ocr.is_available() else OCR_HINT
        raise ReadError(f"{source.name} holds no text, only images of pages. {how}", code="no_text")
    running = remove_headers_footers(pages)
    remove_repeated_pictures(pages)
    opening = title_page_lines(pages)
    language, streams = _by_language(pages)
    clues = MetadataSources(opening, running, source.metadata, source.name)
    identity, unread = read_identity(clues, language)
    legend = find_legend_lines(line for page in pages for line in iter_lines(page.blocks))
    identity = replace(identity, legend=describe_changes(legend))
    contents = remove_contents_tables(pages)
    kept = {id(block) for page in pages for block in page.blocks} - {id(line) for line in legend}
    streams = {code: [b for b in blocks if id(b) in kept] for code, blocks in streams.items()}
    lines = [line for blocks in streams.values() for line in iter_lines(blocks)]
    repairs = repair_ligatures(lines)
    composer = ClauseBuilder(
        source.document_id,
        identity,
        build_palette([*legend, *lines], {page.number: page.links for page in pages}),
        {p.number: p for p in pages},
        _Words(lines).is_known_word,
    )
    sections: list[Section] = []
    clauses: list[Clause] = []
    numbers: Counter[str] = Counter()
    for code, blocks in streams.items():
        found, skipped = build_sections(split_numbered_tables(_continued(blocks)), identity.season)
        contents += skipped
        sections += found
        clauses += replace(composer, language=code or identity.language).build_clauses(
            found, numbers
        )
    if not any(section.head for section in sections):
        raise ReadError(
            f"No numbered rules were found in {source.name}: it is not a rulebook that can be added.",
            code="no_clauses",
        )
    clauses = _recognised(clauses, {page.number for page in pages if page.from_ocr})
    report = build_report(
        pages, clauses, sections, repairs, sorted(set(contents)), (*source.warnings, *unread)
    )
    return Rulebook(source.document_id, identity, len(pages), tuple(clauses), report)


def _recognised(clauses: Sequence[Clause], scanned: set[int]) -> list[Clause]:
    """The clauses, those with words that were recognised in an image marked as such."""
    return [
        replace(clause, ocr=True)
        if scanned.intersection(range(clause.page_first, clause.page_last + 1))
        else clause
        for clause in clauses
    ]


class _Words:
    """The words that the document itself uses, to tell split words from hyphenated ones."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines

    def is_known_word(self, word: str) -> bool:
        return word.lower() in self._own or (
            "-" not in word and word.isascii() and load_english_dictionary()(word)
        )

    @cached_property
    def _own(self) -> frozenset[str]:
        # The last word of a line may be the first half of one: it is left out.
        text = "\n".join(line_text(line) for line in self._lines).lower()
        return frozenset(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*(?=[^\w\n\u00ad-])", text))


def _by_language(pages: Sequence[Page]) -> tuple[str | None, dict[str, list[Block]]]:
    """The main language, and the blocks of each language in reading order, the main one first.

    Two languages are told apart where they stand in columns side by side; else all is one stream with code "".
    """
    sample = " ".join(line_text(line) for page in pages[:60] for line in iter_lines(page.blocks))
    sides = _languages_of_columns(pages)
    if not sides:
        return detect_language(sample), {"": [block for page in pages for block in page.blocks]}
    main = "en" if "en" in sides.values() else sides[min(sides)]
    streams: dict[str, list[Block]] = {code: [] for code in (main, *sides.values())}
    gutter = median(page.gutter for page in pages if page.gutter)
    for page in pages:
        if page.columns == 1:
            page.blocks = [part for block in page.blocks for part in _at_gutter(block, gutter)]
        for block in page.blocks:
            across = block.left < gutter - 10 and block.right > gutter + 10
            streams[main if across else sides.get(block.column, main)].append(block)
    return main, streams


def _at_gutter(block: Block, gutter: float) -> tuple[Block, ...]:
    """A block of a page whose columns went unseen, told its column; a line over both is cut in two."""
    block.column = int(block.left > gutter - 10)
    if not isinstance(block, Line) or not block.left < gutter < block.right:
        return (block,)
    index = index_after_gutter(block.spans, gutter)
    if index is None:
        return (block,)
    one, other = block.split_at(index)
    other.column = 1
    return one, other


def _languages_of_columns(pages: Sequence[Page]) -> dict[int, str]:
    """Column -> language, where most pages in columns hold another language in each."""
    found: dict[int, Counter[str]] = {}
    columned = [page for page in pages if page.columns == 2]
    differing = 0
    for page in columned:
        told = {}
        for column in (0, 1):
            text = " ".join(
                line_text(line)
                for block in page.blocks
                if block.column == column
                for line in iter_lines([block])
            )
            told[column] = detect_language(text)
        if None not in told.values() and told[0] != told[1]:
            differing += 1
            for column, code in told.items():
                found.setdefault(column, Counter())[str(code)] += 1
    if len(columned) < 2 or differing < _ALONGSIDE * len(columned):
        return {}
    return {column: counts.most_common(1)[0][0] for column, counts in found.items()}


def _continued(blocks: Sequence[Block]) -> list[Block]:
    """Blocks with tables that go on over a page end put together; a header that is repeated is left out once."""
    whole: list[Block] = []
    for block in blocks:
        last = whole[-1] if whole else None
        if (
            isinstance(block, Table)
            and isinstance(last, Table)
            and block.page == _last_page(last) + 1
            and block.ruled == last.ruled
            and len(block.edges) == len(last.edges)
            and all(abs(a - b) < 4 for a, b in zip(block.edges, last.edges, strict=True))
        ):
            last.rows.extend(block.rows[_repeated(last, block) :])
        else:
            whole.append(block)
    return whole


def _last_page(table: Table) -> int:
    return max((line.page for line in table.lines), default=table.page)


def _repeated(table: Table, more: Table) -> int:
    """How many rows at the top of `more` are the header of `table` again."""
    rows = range(min(len(table.rows), len(more.rows)))
    return next((row for row in rows if _row_words(table, row) != _row_words(more, row)), len(rows))


def _row_words(table: Table, row: int) -> list[str]:
    return [line_text(line) for cell in table.rows[row] if cell for line in cell.lines]
