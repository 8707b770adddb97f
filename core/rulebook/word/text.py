"""The text of a Word file: paragraphs with their marks, tables, and what is apart from the text.

A tracked change keeps its author and day. Fields show their kept results, alternate content the
first choice that Word knows; what is no text has a sign in its place. What is read is as Word shows
it with all changes accepted; what these leave out is there as deleted.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from core.errors import ReadError
from core.rulebook.layout.blocks import State
from core.rulebook.pdf.page_content import WHITE
from core.rulebook.types import TrackedChange
from core.rulebook.word.equations import EQUATION_ELEMENTS, EquationPart, split_equation
from core.rulebook.word.numbering import NumberCounter, Numbering, format_number
from core.rulebook.word.package import (
    Element,
    WordPackage,
    attribute,
    child,
    children,
    is_on,
    name_of,
    whole_number,
)
from core.rulebook.word.styles import (
    MIXED,
    NumberPlace,
    ParagraphLook,
    RunLook,
    Styles,
    lay_over,
    read_background,
    read_shade,
)
from core.rulebook.word.symbols import write_symbol, write_symbols

_BREAK = "\n"
_SIGNS = {"tab": "\t", "ptab": "\t", "br": _BREAK, "cr": _BREAK, "noBreakHyphen": "-"}
_DELETING = {"del": False, "moveFrom": True, "cellDel": False}
_INSERTING = {"ins": False, "moveTo": True, "cellIns": False}
"""The elements around or beside changed content, each with whether it moved."""
_UNSEEN = frozenset(
    "pPr rPr sdtPr sdtEndPr tblPr trPr tcPr tblGrid sectPr instrText delInstrText rt rubyPr fldData"
    " annotationRef separator continuationSeparator".split()
)
_LINKING = ("REF", "PAGEREF", "NOTEREF", "HYPERLINK")
"""Fields that lead elsewhere: their colour marks no change."""
_WITHOUT_RESULT = frozenset(
    "TOC INDEX TOA XE TC TA RD SET ASK PRIVATE ADDIN ADVANCE NEXT NEXTIF SKIPIF DATA HYPERLINK"
    " MACROBUTTON GOTOBUTTON PRINT FORMTEXT FORMCHECKBOX BIBLIOGRAPHY".split()
)
"""Fields that show no words of rules where no result of them is kept."""
_FIGURE_SIGN, _OBJECT_SIGN, _EQUATION_SIGN, _FIELD_SIGN = (
    f"[{kind}, shown in the Word file]" for kind in ("Figure", "Object", "Equation", "Field")
)
"""Written where something is that has no words; `core.grammar` takes no limit from around it."""
_FLOATING_SIGN = "[Figure]"  # of a picture that is beside the text, until its paragraph is read
_DRAWN = frozenset(("pic", "chart", "relIds"))
"""What drawings hold that show more than lines: pictures, charts and diagrams."""
_SYMBOL_FIELD = re.compile(
    r"""(?i)\s*SYMBOL\s+(?P<code>0x[\da-f]{1,6}|[0-9]{1,7})\b(?:.*\\f\s*(?:"(?P<quoted>[^"]*)|(?P<font>\S+)))?"""
)
_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
"""Small letters of marks of notes: not part of the word before them."""
_AMOUNT_END = re.compile(r"\d\s?[^\s\d.,;:!?)\]]+\d?\Z")
"""A number and its unit: with the mark of note 2 right after it, "40 mm" would be an area."""


class Piece(NamedTuple):
    """A stretch of text in one look; a line feed alone is a line break."""

    text: str
    look: RunLook
    state: State = "live"
    change: TrackedChange | None = None
    is_link: bool = False
    note: str = ""
    """The footnote or endnote whose mark it is, "" for other text."""
    is_sign: bool = False
    """It stands for what has no words."""


@dataclass(slots=True)
class Paragraph:
    """A paragraph as it is written; its mark says where it ends, unless that is deleted."""

    pieces: list[Piece]
    look: ParagraphLook
    old_look: ParagraphLook
    """Before the tracked change of its properties."""
    mark_look: RunLook
    mark_deleted: TrackedChange | None = None
    mark_inserted: TrackedChange | None = None
    is_contents: bool = False
    is_index: bool = False
    ends_section: str = ""
    """How the next section begins, if one ends here: "nextPage"."""
    breaks_page: bool = False
    ground: int = WHITE
    """The colour below it."""
    boxes: list["Content"] = field(default_factory=list)
    """The text boxes that are anchored in it."""

    @property
    def is_gone(self) -> bool:
        """True if all of it is deleted."""
        return self.mark_deleted is not None and not self.has_live_text

    @property
    def goes_on(self) -> bool:
        """True if it is one with the next paragraph: its mark is deleted or hidden."""
        return self.has_live_text and bool(self.mark_deleted or self.mark_look.hidden)

    @property
    def has_live_text(self) -> bool:
        return any(piece.state == "live" and piece.text.strip() for piece in self.pieces)

    @property
    def has_text(self) -> bool:
        return any(piece.text.strip() for piece in self.pieces)


@dataclass(slots=True)
class TableText:
    """Rows of cells: what each holds, how many columns and rows it spans; None where one spans."""

    rows: list[list["CellText | None"]] = field(default_factory=list)


@dataclass(slots=True)
class CellText:
    """The content of a cell."""

    content: "list[Paragraph | TableText]"
    row_span: int = 1


Content = list[Paragraph | TableText]


@dataclass(slots=True)
class NoteText:
    """A footnote, an endnote or a comment: its content below its number, or its author and day."""

    title: str
    content: Content


@dataclass(slots=True)
class WordText:
    """All texts of a Word file."""

    body: Content
    notes: dict[str, NoteText]
    """Those whose mark is in force in the text, by "footnote 2" or "endnote 2", in their order."""
    comments: list[NoteText]
    boxes: list[Content]
    headers: list[Content]
    metadata: dict[str, str]
    counter: NumberCounter


@dataclass(slots=True)
class _Field:
    """A field whose end is to come."""

    code: str = ""
    choice: str = ""
    """Of a list to choose from, which keeps no result."""
    shows: bool = False
    """Its result has begun."""
    paragraphs: list[Paragraph] = field(default_factory=list)
    """Those that its result is in: known to be contents once it ends."""

    @property
    def kind(self) -> str:
        return (self.code.split() or [""])[0].upper()


class _Around(NamedTuple):
    """What is said by the elements around a run."""

    deleted: TrackedChange | None = None
    inserted: TrackedChange | None = None
    is_link: bool = False
    is_contents: bool = False
    is_hidden: bool = False
    ground: int = WHITE
    """The colour below the text."""


_PLAIN = _Around()


@dataclass(slots=True)
class _Notes:
    """The footnotes or endnotes of a document: how they count, and the number of the last one."""

    format: str
    start: int
    restarts: bool
    last: int = 0


def list_objects(text: str) -> list[str]:
    """The kinds of what a text has signs for, as it has no words: "equation"."""
    signs = (_FIGURE_SIGN, _OBJECT_SIGN, _EQUATION_SIGN, _FIELD_SIGN)
    return [sign[1 : sign.index(",")].casefold() for sign in signs if sign in text]


def read_word_text(package: WordPackage) -> WordText:
    """Read all texts of a file. Raises ReadError."""
    root = package.parse(package.main)
    styles = Styles(package.parse_related("styles"))
    numbers = package.parse_related("numbering")
    numbering = Numbering.read(numbers, styles.numbers_of_list_styles(), styles.language)
    reader = _TextReader(styles, numbering)
    settings = package.parse_related("settings")
    reader.set_up_notes(settings)
    paper = _Around()
    if is_on(child(settings, "displayBackgroundShape")):
        paper = _Around(ground=read_background(child(root, "background")))
    body = reader.read_content(child(root, "body"), paper)
    if _count_letters(chain.from_iterable(reader.boxes)) > _count_letters(body):
        # A converter that keeps the layout of pages writes all text in boxes.
        body, reader.boxes = list(_unfold(body)), []
    notes = reader.read_notes(package)
    comments = list(_read_comments(reader, package.parse_related("comments")))
    reader.leaves_signs = False  # a mark of who made it, or the number of a page
    headers = [
        reader.read_content(package.parse(link.target))
        for link in package.links(package.main).values()
        if link.kind in ("header", "footer") and package.has(link.target)
    ]
    metadata = _read_metadata(package)
    counter = NumberCounter(numbering)
    return WordText(body, notes, comments, reader.boxes, headers, metadata, counter)


def _read_metadata(package: WordPackage) -> dict[str, str]:
    name = "docProps/core.xml"
    root = package.parse(name) if package.has(name) else None
    title = child(root, "title")
    return {"Title": title.text} if title is not None and title.text else {}


def _read_comments(reader: "_TextReader", root: Element | None) -> Iterator[NoteText]:
    for one in root.iterfind("{*}comment") if root is not None else ():
        day = (attribute(one, "date") or "")[:10]
        author = attribute(one, "author") or ""
        yield NoteText(", ".join(filter(None, (author, day))), reader.read_content(one))


@dataclass(slots=True)
class _TextReader:
    """Reads content in the order of the document: fields go on from paragraph to paragraph."""

    styles: Styles
    numbering: Numbering
    boxes: list[Content] = field(default_factory=list)
    fields: list[_Field] = field(default_factory=list)
    counts: dict[str, _Notes] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    """The mark of each footnote and endnote, "" for one that marks itself."""
    leaves_signs: bool = True
    """Of what has no words."""

    def set_up_notes(self, settings: Element | None) -> None:
        """Take from the settings how footnotes and endnotes count."""
        for kind, usual in (("footnote", "decimal"), ("endnote", "lowerRoman")):
            given = child(settings, f"{kind}Pr")
            start = whole_number(child(given, "numStart"))
            restarts = attribute(child(given, "numRestart")) == "eachSect"
            format_ = attribute(child(given, "numFmt")) or usual
            self.counts[kind] = _Notes(format_, 1 if start is None else start, restarts)

    def read_content(self, parent: Element | None, around: _Around = _PLAIN) -> Content:
        """Read paragraphs and tables."""
        return list(self._list_content(parent, around)) if parent is not None else []

    def read_notes(self, package: WordPackage) -> dict[str, NoteText]:
        """Read the footnotes and endnotes whose marks were met, in the order of these."""
        parts = {kind: package.parse_related(f"{kind}s") for kind in self.counts}
        found = {
            f"{kind} {attribute(one, 'id')}": one
            for kind, root in parts.items()
            for one in (root if root is not None else ())
        }
        return {
            key: NoteText(mark, self.read_content(found[key]))
            for key, mark in list(self.marks.items())
            if key in found
        }

    def _list_content(self, parent: Element, around: _Around) -> Iterator[Paragraph | TableText]:
        for element in children(parent):
            name = name_of(element)
            if name == "p":
                yield self._read_paragraph(element, around)
            elif name == "tbl":
                yield self._read_table(element, around)
            elif name in ("altChunk", "subDoc"):
                message = (
                    "it holds a part of its text as another file: please open it in Word, save it"
                    " as .docx and add that"
                )
                raise ReadError(message, code="external")
            elif name not in _UNSEEN:
                yield from self._list_content(element, _enter(element, name, around))

    def _read_table(self, table: Element, around: _Around) -> TableText:
        read = TableText()
        above: dict[int, CellText] = {}
        properties = child(table, "tblPr")
        has_shades = self.styles.has_shades(attribute(child(properties, "tblStyle")))
        around = _lay_over(around._replace(ground=MIXED) if has_shades else around, properties)
        for row, outside in _find_inside(table, "tr", around):
            inside = _enter_changes(child(row, "trPr"), _lay_over(outside, child(row, "tblPrEx")))
            cells: list[CellText | None] = []
            skipped = whole_number(child(child(row, "trPr"), "gridBefore")) or 0
            cells += [None] * min(max(skipped, 0), 63)
            for cell, within in _find_inside(row, "tc", inside):
                properties = child(cell, "tcPr")
                merge = child(properties, "vMerge")
                width = min(max(whole_number(child(properties, "gridSpan")) or 1, 1), 63)
                at = len(cells)
                own = _lay_over(_enter_changes(properties, within), properties)
                goes_on = merge is not None and attribute(merge) != "restart" and at in above
                own = own._replace(is_hidden=True) if goes_on else own  # it is not shown
                content = self.read_content(cell, own)
                if goes_on:
                    above[at].row_span += 1
                    above[at].content += [one for one in content if _has_text(one)]
                    cells.append(None)
                else:
                    read_cell = CellText(content)
                    above.pop(at, None)
                    if merge is not None:
                        above[at] = read_cell
                    cells.append(read_cell)
                cells += [None] * (width - 1)
            read.rows.append(cells)
        width = max(map(len, read.rows), default=0)
        for cells in read.rows:
            cells += [None] * (width - len(cells))
        return read

    def _read_paragraph(self, element: Element, around: _Around) -> Paragraph:
        properties = child(element, "pPr")
        mark = child(properties, "rPr")
        changes = _enter_changes(mark, around)
        look, run_look = self._look_of(properties)
        old = look
        if (change := child(properties, "pPrChange")) is not None:
            old, _ = self._look_of(child(change, "pPr"))
        elif child(child(properties, "numPr"), "ins") is not None:
            old, _ = self._look_of(properties, direct=False)
        around = around._replace(ground=lay_over(around.ground, look.shade))
        base = self.styles.default.overlay(run_look)
        mark_look = base.overlay(RunLook.read(mark))
        if attribute(child(properties, "framePr"), "dropCap") in ("drop", "margin"):
            mark_look = replace(mark_look, hidden=True)  # its word goes on in the next paragraph
        paragraph = Paragraph([], look, old, mark_look, ground=around.ground)
        paragraph.mark_deleted, paragraph.mark_inserted = changes.deleted, changes.inserted
        if (section := child(properties, "sectPr")) is not None:
            paragraph.ends_section = self._end_section(section)
        paragraph.is_contents = around.is_contents or any(
            name.startswith(("toc ", "table of ")) for name in look.names
        )
        paragraph.is_index = any(name.startswith("index ") for name in look.names)
        self._read_runs(element, paragraph, base, around)
        while self.fields and not self.fields[-1].shows:  # no end will come: its text is seen
            self.fields.pop()
        paragraph.pieces = _settle_pictures(paragraph)
        return paragraph

    def _end_section(self, section: Element) -> str:
        """How the next section begins; its notes may count anew."""
        for notes in self.counts.values():
            notes.last = 0 if notes.restarts else notes.last
        return attribute(child(section, "type")) or "nextPage"

    def _look_of(
        self, properties: Element | None, *, direct: bool = True
    ) -> tuple[ParagraphLook, RunLook]:
        """The look of a paragraph, by its style and what is said `direct`, and that of its runs.

        The level of numbers that a style gives is that which is linked to the style.
        """
        style = attribute(child(properties, "pStyle")) or self.styles.default_paragraph
        look, run_look = self.styles.look(style)
        look = look.overlay(ParagraphLook.read(properties)) if direct else look
        numbers, outline = look.numbers, look.outline
        is_level_given = direct and NumberPlace.read(properties).level is not None
        if numbers.style and numbers.number_id and not is_level_given:
            for key in (style, numbers.style):
                level = self.numbering.level_of_style(numbers.number_id, key)
                if level is not None:
                    numbers = numbers._replace(level=level)
                    break
        if outline is None:
            outline = self.styles.is_heading(look.names)
        return replace(look, numbers=numbers, outline=outline), run_look

    def _read_runs(
        self, parent: Element, paragraph: Paragraph, base: RunLook, around: _Around
    ) -> None:
        for element in children(parent):
            name = name_of(element)
            if name == "r":
                self._read_run(element, paragraph, base, around)
            elif name == "fldSimple":
                own = _Field(attribute(element, "instr") or "", shows=True)
                fields, self.fields = self.fields, [*self.fields, own]
                self._read_runs(element, paragraph, base, around)
                self.fields = fields
                own.shows = len(element) > 0
                self._add_result(own, paragraph, base, around)
            elif name == "t":  # of an equation
                self._add(paragraph, element.text or "", base, around)
            elif name in EQUATION_ELEMENTS:
                self._read_equation(element, paragraph, base, around)
            elif name in ("oMath", "oMathPara"):  # a word of its own, or a line
                if paragraph.pieces and paragraph.pieces[-1].text[-1:].isalnum():
                    self._add(paragraph, " ", base, around)
                self._read_runs(element, paragraph, base, around)
                if name == "oMathPara":
                    self._add(paragraph, " ", base, around)
            elif name == "txbxContent":
                self._add_boxes(paragraph, [element], around)
            elif name not in _UNSEEN:
                self._read_runs(element, paragraph, base, _enter(element, name, around))

    def _read_equation(
        self, element: Element, paragraph: Paragraph, base: RunLook, around: _Around
    ) -> None:
        """Read an element of an equation: its signs are in force where their content is."""
        control = child(child(element, f"{name_of(element)}Pr"), "ctrlPr")
        look, inside = base.overlay(RunLook.read(child(control, "rPr"))), around
        for properties in (control, child(control, "rPr")):
            inside = _enter_changes(properties, inside)
        before = paragraph.pieces
        parts: list[tuple[EquationPart, list[Piece]]] = []
        for part in split_equation(element):
            paragraph.pieces = []
            if part.content is not None:
                self._read_runs(part.content, paragraph, base.overlay(part.look), around)
            parts.append((part, paragraph.pieces))
        frame = _follow([piece for _, pieces in parts for piece in pieces], look, inside)
        paragraph.pieces = before
        for part, pieces in parts:
            signs = _follow(pieces, *frame)
            self._add(paragraph, part.sign, *signs)
            paragraph.pieces += pieces
            self._add(paragraph, part.closing, *signs)

    def _read_run(self, run: Element, paragraph: Paragraph, base: RunLook, around: _Around) -> None:
        properties = child(run, "rPr")
        if properties is not None:
            around = _enter_changes(properties, around)
            _, named = self.styles.look(attribute(child(properties, "rStyle")))
            base = base.toggle(named).overlay(RunLook.read(properties))
        for element in children(run):
            match name_of(element):
                case "fldChar":
                    self._take_field_sign(element, paragraph, base, around)
                case "instrText" | "delInstrText":
                    if self.fields and not self.fields[-1].shows:
                        self.fields[-1].code += element.text or ""
                case "footnoteReference" | "endnoteReference" as kind:
                    self._add_note(paragraph, element, kind, base, around)
                case "ruby":
                    self._read_runs(element, paragraph, base, around)
                case "drawing" | "pict" | "object":
                    boxes = list(_find_boxes(element))
                    self._add_boxes(paragraph, boxes, around)
                    self._add_sign(paragraph, "" if boxes else _read_object(element), base, around)
                case "br" if (break_ := attribute(element, "type")) in ("page", "column"):
                    paragraph.breaks_page |= break_ == "page"
                    self._add(paragraph, " " if paragraph.pieces else "", base, around)
                case _:
                    self._add(paragraph, _read_sign(element, base), base, around)

    def _add_boxes(self, paragraph: Paragraph, boxes: Sequence[Element], around: _Around) -> None:
        """Read text boxes: the fields around their anchor are no fields of them."""
        fields, self.fields = self.fields, []
        inside = around._replace(is_link=False, ground=MIXED)
        read = [self.read_content(box, inside) for box in boxes]
        paragraph.boxes += read
        self.boxes += read
        self.fields = fields

    def _take_field_sign(
        self, element: Element, paragraph: Paragraph, look: RunLook, around: _Around
    ) -> None:
        match attribute(element, "fldCharType"):
            case "begin":
                self.fields.append(_Field(choice=_read_choice(element)))
            case "separate" if self.fields:
                self.fields[-1].shows = True
            case "end" if self.fields:
                ended = self.fields.pop()
                for paragraph in ended.paragraphs:
                    paragraph.is_contents |= ended.kind == "TOC"
                    paragraph.is_index |= ended.kind == "INDEX"
                self._add_result(ended, paragraph, look, around)

    def _add_result(
        self, ended: _Field, paragraph: Paragraph, look: RunLook, around: _Around
    ) -> None:
        """Add what a field shows of which no result is kept."""
        is_drawn = ended.kind in ("SYMBOL", "EQ")
        self._add(paragraph, "" if ended.paragraphs else ended.choice, look, around)
        if ended.paragraphs or (ended.shows and not is_drawn) or ended.kind in _WITHOUT_RESULT:
            return
        symbol = _SYMBOL_FIELD.match(ended.code)
        if symbol:
            font = symbol["quoted"] or symbol["font"] or look.font or ""
            self._add(paragraph, write_symbol(_read_code(symbol["code"]), font), look, around)
        elif ended.kind:
            self._add_sign(paragraph, _EQUATION_SIGN if is_drawn else _FIELD_SIGN, look, around)

    def _add_note(
        self, paragraph: Paragraph, element: Element, kind: str, look: RunLook, around: _Around
    ) -> None:
        """Add the mark of a note; what is deleted marks nothing."""
        note = kind.removesuffix("Reference")
        key = f"{note} {attribute(element, 'id')}"
        notes = self.counts[note]
        if around.deleted or _state_of(look, around) == "hidden":
            return
        mark = ""
        if not is_on(element, "customMarkFollows", usual="false"):
            notes.last += 1
            mark = format_number(notes.start + notes.last - 1, notes.format)
        self.marks[key] = mark
        before = (piece.text for piece in paragraph.pieces[-4:] if piece.state == "live")
        if _AMOUNT_END.search("".join(before)[-20:]):
            mark = f" {mark}"
        self._add(paragraph, mark.translate(_RAISED), replace(look, script="sup"), around, key)

    def _add_sign(self, paragraph: Paragraph, sign: str, look: RunLook, around: _Around) -> None:
        """Add the sign of what has no words."""
        if sign and self.leaves_signs:
            self._add(paragraph, sign, replace(look, capitals=False), around, is_sign=True)

    def _add(
        self,
        paragraph: Paragraph,
        text: str,
        look: RunLook,
        around: _Around,
        note: str = "",
        *,
        is_sign: bool = False,
    ) -> None:
        if not (text or note) or not all(one.shows for one in self.fields):
            return
        for one in self.fields:
            one.paragraphs.append(paragraph)
        is_link = around.is_link or any(one.kind in _LINKING for one in self.fields)
        text = text.upper() if look.capitals else text
        change = around.deleted or around.inserted
        piece = Piece(text, look, _state_of(look, around), change, is_link, note, is_sign)
        last = paragraph.pieces[-1] if paragraph.pieces else None
        if last and text != _BREAK != last.text and last[1:] == piece[1:] and not (note or is_sign):
            paragraph.pieces[-1] = last._replace(text=last.text + text)
        else:
            paragraph.pieces.append(piece)


def _settle_pictures(paragraph: Paragraph) -> list[Piece]:
    """The pieces of a paragraph: pictures that are all of it have one sign, but no heading has.

    A picture that floats beside words has none, as it stands nowhere among them.
    """
    pieces = paragraph.pieces
    pictures = [p for p in pieces if p.is_sign and p.text in (_FIGURE_SIGN, _FLOATING_SIGN)]
    if any(piece.text.strip() and not piece.is_sign for piece in pieces):
        return [p for p in pieces if p not in pictures or p.text == _FIGURE_SIGN]
    others = [piece for piece in pieces if piece not in pictures]
    is_text = not paragraph.look.outline and paragraph.look.numbers.number_id in (None, "0")
    return [*(one._replace(text=_FIGURE_SIGN) for one in pictures[:1] if is_text), *others]


def _state_of(look: RunLook, around: _Around) -> State:
    if around.is_hidden or look.is_unseen(around.ground):
        return "hidden"
    is_gone = around.deleted or look.struck or look.double_struck
    return "deleted" if is_gone else "live"


def _follow(content: Sequence[Piece], look: RunLook, around: _Around) -> tuple[RunLook, _Around]:
    """The look and the changes of signs around content: those of what is gone, if all of it is."""
    written = [piece for piece in content if piece.text.strip()]
    if not written or any(piece.state == "live" for piece in written):
        return look, around
    gone = written[0]
    return replace(gone.look, script=look.script), around._replace(deleted=gone.change)


def _enter(element: Element, name: str, around: _Around) -> _Around:
    """What is around the content of an element."""
    if name in _DELETING:
        return around._replace(deleted=_read_change(element, is_moved=_DELETING[name]))
    if name in _INSERTING:
        return around._replace(inserted=_read_change(element, is_moved=_INSERTING[name]))
    if name == "hyperlink":
        return around._replace(is_link=True)
    if name == "sdt":
        properties = child(element, "sdtPr")
        gallery = child(child(properties, "docPartObj"), "docPartGallery")
        if is_on(child(properties, "showingPlcHdr")):
            return around._replace(is_hidden=True)
        if (attribute(gallery) or "").casefold().startswith("table of"):
            return around._replace(is_contents=True)
    return around


def _enter_changes(properties: Element | None, around: _Around) -> _Around:
    """What the properties of a run, a paragraph mark, a row or a cell say of its changes."""
    for one in properties if properties is not None else ():
        around = _enter(one, name_of(one), around)
    return around


def _read_change(element: Element, *, is_moved: bool) -> TrackedChange:
    author, day = attribute(element, "author"), attribute(element, "date")
    return TrackedChange(author or "", day or "", is_moved)


def _lay_over(around: _Around, properties: Element | None) -> _Around:
    """What is around the text of a table, a row or a cell with its colour."""
    ground = lay_over(around.ground, read_shade(child(properties, "shd")))
    return around._replace(ground=ground)


def _find_inside(parent: Element, name: str, around: _Around) -> Iterator[tuple[Element, _Around]]:
    """Yield rows or cells, those within content controls and custom XML too, and their changes."""
    for element in parent:
        own = name_of(element)
        if own == name:
            yield element, around
        elif own not in ("tbl", "tr", "tc", "p") and own not in _UNSEEN:
            yield from _find_inside(element, name, _enter(element, own, around))


def _read_object(element: Element) -> str:
    """The sign for a picture, a drawing or an object that stands in a line of text."""
    if name_of(element) == "object":
        kinds = [attribute(one, "ProgID") or "" for one in element.iterfind(".//{*}OLEObject")]
        is_equation = any(kind.startswith("Equation") for kind in kinds)
        return _EQUATION_SIGN if is_equation else _OBJECT_SIGN
    if name_of(element) == "drawing":
        is_drawn = any(name_of(one) in _DRAWN for one in element.iter())
        is_inline = child(element, "inline") is not None
        return _FIGURE_SIGN if is_inline else _FLOATING_SIGN if is_drawn else ""
    shapes = (one for one in element.iter() if child(one, "imagedata") is not None)
    styles = [(attribute(one, "style") or "").replace(" ", "") for one in shapes]
    is_inline = any("position:absolute" not in style for style in styles)
    return _FIGURE_SIGN if is_inline else _FLOATING_SIGN if styles else ""


def _read_choice(field_sign: Element) -> str:
    """What is chosen from the list of an old form field, "" for any other field."""
    offered = child(child(field_sign, "ffData"), "ddList")
    entries = offered.findall("{*}listEntry") if offered is not None else []
    chosen = whole_number(child(offered, "result"))
    chosen = whole_number(child(offered, "default")) if chosen is None else chosen
    return attribute(entries[chosen or 0]) or "" if 0 <= (chosen or 0) < len(entries) else ""


def _find_boxes(element: Element) -> Iterator[Element]:
    """Yield the outermost text boxes of a drawing; of alternate content one choice."""
    for one in children(element):
        if name_of(one) == "txbxContent":
            yield one
        else:
            yield from _find_boxes(one)


def _read_sign(element: Element, look: RunLook) -> str:
    """The text that an element of a run stands for, "" for none."""
    name = name_of(element)
    if name in ("t", "delText"):
        text = element.text or ""
        text = text.replace("\n", " ").replace("\r", " ").replace("\xad", "")
        return write_symbols(text, look.font)
    return _read_symbol(element) if name == "sym" else _SIGNS.get(name, "")


def _read_symbol(element: Element) -> str:
    """The sign of `w:sym`: those of symbol fonts are in the private use area."""
    try:
        code = int(attribute(element, "char") or "", 16)
    except ValueError:
        return ""
    return write_symbol(code, attribute(element, "font") or "")


def _read_code(written: str) -> int:
    return int(written, 16 if written[:2] in ("0x", "0X") else 10)


def _unfold(content: Content) -> Iterator[Paragraph | TableText]:
    """Yield content with that of its text boxes, each after the paragraph of its anchor."""
    for one in content:
        yield one
        if isinstance(one, Paragraph):
            yield from chain.from_iterable(map(_unfold, one.boxes))
        else:
            for cell in chain.from_iterable(one.rows):
                if cell:
                    cell.content = list(_unfold(cell.content))


def _count_letters(content: Iterable[Paragraph | TableText]) -> int:
    """Count the letters in force, those in tables too."""
    letters = 0
    for one in content:
        if isinstance(one, Paragraph):
            letters += sum(len(piece.text) for piece in one.pieces if piece.state == "live")
        else:
            cells = filter(None, chain.from_iterable(one.rows))
            letters += sum(_count_letters(cell.content) for cell in cells)
    return letters


def _has_text(one: Paragraph | TableText) -> bool:
    return not isinstance(one, Paragraph) or one.has_text
