"""Build the six sample rulebooks from the plain text in `sources/`, the same bytes every time.

One source holds one rulebook in all its issues, numbered in order of publication (see `ISSUES`).
A line is a paragraph; an empty line and a line starting with `%` are skipped:

    # 12) PIT LANE        article or appendix, listed in the contents
    ## 3.1 Mass           sub-heading with its number
    12.1 Text             clause, its number hanging at the left margin
    - a) Text             item; `-- i) Text` is an item inside an item
    |= 40 30 30           a table follows, with columns in these proportions
    | Load | Limit        table row; the first is the header
    Text                  a further paragraph of the clause above
    ~2{text} +2{text}     deleted by issue 2, inserted by issue 2; marks may nest
    ~3 12.1 Text          a whole line deleted (or `+3`, inserted) by issue 3

An issue strikes its own deletions through and colours its own insertions. Those of earlier issues
are applied, those of later ones have not happened yet: each issue starts from the one before.
"""

import html
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, TypeAlias

from reportlab.lib.colors import HexColor, black
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)
from reportlab.platypus.paraparser import ParaFrag

HERE = Path(__file__).parent
OWNER = "Meridian Motorsport Council"
INSERTED, DELETED = HexColor("#E6007E"), HexColor("#FF0000")
MARGIN, FOOT, HANG = 57, 74, 45
FONT = ("FONT", (0, 0), (-1, -1), "Vera")
WIDTH, HEIGHT = A4[0] - 2 * MARGIN, A4[1] - MARGIN - FOOT

Mark = Literal["same", "deleted", "inserted"]
Run: TypeAlias = tuple[str, Mark]
Edit: TypeAlias = tuple[str, int]
Kind = Literal["article", "heading", "clause", "item", "subitem", "widths", "row", "text"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One published issue of one rulebook; `step` is its place in the history the source tells."""

    subject: str
    step: int
    season: int
    number: int
    date: str

    @property
    def title(self) -> str:
        return f"{self.season} Meridian Cup {self.subject} Regulations"

    @property
    def file_name(self) -> str:
        return f"meridian_{self.season}_{self.subject.lower()}_issue{self.number}.pdf"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source: what it is, the marks on the whole of it, its number and its text."""

    kind: Kind
    edits: tuple[Edit, ...]
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents page."""

    label: str
    title: str
    page: int = 0


ISSUES = (
    Issue("Sporting", 1, 2023, 1, "14 March 2023"),
    Issue("Sporting", 2, 2023, 2, "21 July 2023"),
    Issue("Sporting", 3, 2024, 1, "12 December 2023"),
    Issue("Technical", 1, 2023, 1, "14 March 2023"),
    Issue("Technical", 2, 2023, 2, "28 July 2023"),
    Issue("Technical", 3, 2024, 1, "12 December 2023"),
)

LABEL = r"(?P<label>(?:[~+]\d\{[^{}]+\} ?)+|(?:ARTICLE|APPENDIX) \d+:|\S+)"
GRAMMAR: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("article", re.compile(rf"# {LABEL} (?P<text>.+)")),
    ("heading", re.compile(rf"## {LABEL} (?P<text>.+)")),
    ("subitem", re.compile(rf"-- {LABEL} (?P<text>.+)")),
    ("item", re.compile(rf"- {LABEL} (?P<text>.+)")),
    ("widths", re.compile(r"\|=(?P<label>) (?P<text>.+)")),
    ("row", re.compile(r"\|(?P<label>) (?P<text>.+)")),
    ("clause", re.compile(r"(?P<label>(?:[~+]\d\{\d[\d.]*\} ?)+|\d+(?:\.\d+)+) (?P<text>.+)")),
    ("text", re.compile(r"(?P<label>)(?P<text>.+)")),
)


def read_lines(source: str) -> Iterator[Line]:
    """The lines of a source file, each with the marks that stand before it."""
    for raw in filter(None, map(str.strip, source.splitlines())):
        if raw.startswith("%"):
            continue
        edits: list[Edit] = []
        while found := re.match(r"([~+])(\d) ", raw):
            edits.append((found[1], int(found[2])))
            raw = raw[found.end() :]
        kind, match = next((k, m) for k, grammar in GRAMMAR if (m := grammar.fullmatch(raw)))
        yield Line(kind, tuple(edits), match["label"].strip(), match["text"])


def mark_of(edits: list[Edit], step: int) -> Mark | None:
    """How a text under these edits looks in an issue; None where that issue does not show it."""
    if any(step < n if sign == "+" else step > n for sign, n in edits):
        return None
    if ("~", step) in edits:
        return "deleted"
    return "inserted" if ("+", step) in edits else "same"


def runs_of(text: str, edits: tuple[Edit, ...], step: int) -> list[Run]:
    """The text of one issue as runs, without the spaces that removed marks leave behind."""
    stack, shown = list(edits), list[Run]()
    for token in re.split(r"([~+]\d\{|\})", text):
        if token == "}":
            stack.pop()
        elif re.fullmatch(r"[~+]\d\{", token):
            stack.append((token[0], int(token[1])))
        elif token and (mark := mark_of(stack, step)):
            shown.append((token, mark))
    return tidy(shown)


def tidy(runs: list[Run]) -> list[Run]:
    """Runs of the same mark joined, with single spaces, none at the start or before punctuation."""
    tidied = list[Run]()
    for mark, group in groupby(runs, key=itemgetter(1)):
        text = re.sub(r" +(?=[ .,;:)])", "", "".join(text for text, _ in group))
        if not tidied or tidied[-1][0].endswith(" "):
            text = text.lstrip(" ")
        if text:
            tidied.append((text, mark))
    return tidied


def plain(runs: list[Run]) -> str:
    """The text in force: what is not struck through."""
    return "".join(text for text, mark in runs if mark != "deleted").strip()


def markup(runs: list[Run]) -> str:
    """Runs in the small markup of reportlab paragraphs."""
    return "".join(marked(html.escape(text), mark) for text, mark in runs)


def marked(text: str, mark: Mark) -> str:
    """One run. A deletion is in two pieces: reportlab misplaces the line through a single one."""
    if mark == "same":
        return text
    if mark == "inserted":
        return f'<font color="#{INSERTED.hexval()[2:]}">{text}</font>'
    pieces = re.split(r"(?= )", text, maxsplit=1)
    return "".join(
        f'<strike><font color="#{DELETED.hexval()[2:]}">{piece}</font></strike>' for piece in pieces
    )


def style(name: str, **changes: Any) -> ParagraphStyle:
    """A paragraph style that differs from the body text in `changes`."""
    body = {
        "fontName": "Vera",
        "fontSize": 10,
        "leading": 14,
        "spaceAfter": 7,
        "alignment": TA_JUSTIFY,
    }
    return ParagraphStyle(
        name, **{**body, "bulletFontName": "Vera", "bulletFontSize": 10, **changes}
    )


BOLD = {"fontName": "VeraBd", "bulletFontName": "VeraBd", "alignment": 0}
STYLES = {
    "article": style("article", leftIndent=HANG, spaceBefore=14, keepWithNext=1, **BOLD),
    "heading": style("heading", leftIndent=HANG, spaceBefore=7, keepWithNext=1, **BOLD),
    "clause": style("clause", leftIndent=HANG),
    "item": style("item", leftIndent=HANG + 24, bulletIndent=HANG),
    "subitem": style("subitem", leftIndent=HANG + 48, bulletIndent=HANG + 24),
    "text": style("text", leftIndent=HANG),
    "cell": style("cell", fontSize=8.5, leading=11, spaceAfter=0, alignment=0),
    "head": style("head", fontName="VeraBd", fontSize=8.5, leading=11, spaceAfter=0, alignment=0),
    "title": style(
        "title", fontName="VeraBd", fontSize=14, leading=18, spaceAfter=0, alignment=TA_CENTER
    ),
    "date": style("date", fontName="VeraBd", leading=15, spaceAfter=0, alignment=TA_CENTER),
    "legend": style("legend", fontSize=9, leading=12, spaceAfter=2, alignment=0),
}


class Numbered(Paragraph):  # type: ignore[misc]
    """A paragraph whose hanging number may be struck; reportlab strikes only the text."""

    def draw(self) -> None:
        super().draw()
        x, y = (
            self.style.bulletIndent,
            self.height - self.style.fontSize + 0.28 * self.style.fontSize,
        )
        for part in self.bulletText or []:
            end = x + pdfmetrics.stringWidth(part.text, part.fontName, part.fontSize)
            if part.textColor == DELETED:
                self.canv.setStrokeColor(DELETED)
                self.canv.setLineWidth(0.8)
                self.canv.line(x, y, end, y)
            x = end


def numbered(line: Line, step: int) -> Paragraph:
    """An article heading, sub-heading, clause or item of one issue."""
    look, colours = STYLES[line.kind], {"same": black, "inserted": INSERTED, "deleted": DELETED}
    label = [
        ParaFrag(text=text, fontName=look.fontName, fontSize=look.fontSize, textColor=colours[mark])
        for text, mark in runs_of(line.label, line.edits, step)
    ]
    return Numbered(markup(runs_of(line.text, line.edits, step)), look, bulletText=label or None)


def table(rows: list[list[str]], widths: list[float]) -> Table:
    """A ruled table as wide as the clause text; the first row repeats on every page."""
    looks = [STYLES["head"]] + [STYLES["cell"]] * (len(rows) - 1)
    cells = [[Paragraph(cell, look) for cell in row] for row, look in zip(rows, looks, strict=True)]
    grid = [FONT, ("GRID", (0, 0), (-1, -1), 0.5, black), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
    room = (WIDTH - HANG - 12) / sum(widths)
    return Table(
        cells, [w * room for w in widths], repeatRows=1, hAlign="RIGHT", style=grid, spaceAfter=10
    )


def table_row(line: Line, step: int) -> list[str]:
    """The cells of a row as paragraph markup, or nothing where this issue has no such row."""
    cells = [markup(runs_of(cell.strip(), line.edits, step)) for cell in line.text.split("|")]
    return cells if any(cells) else []


def body(lines: list[Line], step: int) -> Iterator[Any]:
    """The flowables of an issue after its contents page."""
    rows, widths = list[list[str]](), list[float]()
    for line in [*lines, Line("text", (), "", "")]:
        if line.kind == "row":
            rows += filter(None, [table_row(line, step)])
            continue
        if len(rows) > 1:
            yield table(rows, widths)
        rows = []
        if line.kind == "widths":
            widths = [float(width) for width in line.text.split()]
        elif runs_of(line.text, line.edits, step):
            paragraph = numbered(line, step)
            paragraph.entry = contents_entry(line, step)
            yield paragraph


def contents_entry(line: Line, step: int) -> Entry | None:
    """What the contents page lists of an article in force; its page is not known yet."""
    title = plain(runs_of(line.text, line.edits, step))
    if line.kind != "article" or not title:
        return None
    return Entry(plain(runs_of(line.label, line.edits, step)).rstrip("):"), title)


def legend(issue: Issue) -> list[Any]:
    """The paragraph that tells what the colours mean; the first issue has none."""
    if issue.step == 1:
        return []
    before = next(i for i in ISSUES if (i.subject, i.step) == (issue.subject, issue.step - 1))
    unchanged = f"{before.title}, Issue {before.number}, published on {before.date}"
    since = f"relative to Issue {before.number} of {before.season}."
    texts = [
        "<b>Convention:</b>",
        f"Black text: unchanged text of the {unchanged}.",
        markup([(f"Pink text: insertions {since}", "inserted")]),
        markup([(f"Red struck-through text: deletions {since}", "deleted")]),
    ]
    return [Spacer(0, 14), *(Paragraph(text, STYLES["legend"]) for text in texts)]


def title_block(issue: Issue) -> list[Any]:
    """The boxed title with the date of publication and the number of the issue."""
    look = [
        FONT,
        ("BOX", (0, 0), (-1, -1), 1, black),
        ("BACKGROUND", (0, 0), (-1, -1), HexColor("#C9D9EC")),
        ("PADDING", (0, 0), (-1, -1), 8),
    ]
    boxed = Table([[Paragraph(issue.title.upper(), STYLES["title"])]], [WIDTH], style=look)
    dates = (f"PUBLISHED ON {issue.date.upper()}", f"Issue {issue.number}")
    return [boxed, Spacer(0, 10), *(Paragraph(text, STYLES["date"]) for text in dates)]


def contents_table(contents: list[Entry]) -> Table:
    """The contents: number, title and page of every article and appendix."""
    rows = [[Paragraph(text, STYLES["head"]) for text in ("ART", "CONTENTS", "PAGE")]]
    for entry in contents:
        texts = (entry.label, html.escape(entry.title), str(entry.page))
        rows.append([Paragraph(text, STYLES["cell"]) for text in texts])
    tight = [FONT, ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0.5)]
    return Table(rows, [80, WIDTH - 125, 45], style=tight, repeatRows=1)


def front(issue: Issue, contents: list[Entry]) -> list[Any]:
    """Title block, convention and contents page."""
    return [
        *title_block(issue),
        *legend(issue),
        Spacer(0, 14),
        contents_table(contents),
        PageBreak(),
    ]


def draw_footer(issue: Issue, total: int, canvas: Any, doc: Any) -> None:
    """Title, page, date, owner and issue at the foot of a page."""
    canvas.setFont("Vera", 8)
    canvas.setLineWidth(0.5)
    canvas.line(MARGIN, FOOT - 22, A4[0] - MARGIN, FOOT - 22)
    canvas.drawString(MARGIN, FOOT - 33, issue.title)
    canvas.drawCentredString(A4[0] / 2, FOOT - 33, f"{doc.page}/{total}")
    canvas.drawRightString(A4[0] - MARGIN, FOOT - 33, issue.date)
    canvas.drawString(MARGIN, FOOT - 44, f"© {issue.date[-4:]} {OWNER}")
    canvas.drawRightString(A4[0] - MARGIN, FOOT - 44, f"Issue {issue.number}")


def lay_out(issue: Issue, story: list[Any], total: int) -> tuple[bytes, list[Entry], int]:
    """The PDF of a story that prints `total` as its page count; its contents and real count."""
    found, pdf = list[Entry](), io.BytesIO()
    frame = Frame(
        MARGIN, FOOT, WIDTH, HEIGHT, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0
    )
    page = PageTemplate("page", [frame], onPageEnd=partial(draw_footer, issue, total))
    doc = BaseDocTemplate(pdf, pagesize=A4, pageTemplates=[page], invariant=1, lang="en-GB")
    doc.initialFontName = "Vera"
    doc.title, doc.author, doc.subject = issue.title, OWNER, f"Issue {issue.number}"

    def note(flowable: Any) -> None:
        if entry := getattr(flowable, "entry", None):
            found.append(replace(entry, page=doc.page))

    doc.afterFlowable = note
    doc.build(story)
    return pdf.getvalue(), found, doc.page


def build(issue: Issue) -> bytes:
    """Lays an issue out until the page numbers it prints are the ones it has."""
    lines = list(read_lines((HERE / "sources" / f"{issue.subject.lower()}.txt").read_text("utf-8")))
    contents, total = list[Entry](), 0
    while True:
        story = [*front(issue, contents), *body(lines, issue.step)]
        pdf, found, pages = lay_out(issue, story, total)
        if (found, pages) == (contents, total):
            return pdf
        contents, total = found, pages


def main() -> None:
    for name, file in (("Vera", "Vera.ttf"), ("VeraBd", "VeraBd.ttf")):
        pdfmetrics.registerFont(TTFont(name, file))
    pdfmetrics.registerFontFamily(
        "Vera", normal="Vera", bold="VeraBd", italic="Vera", boldItalic="VeraBd"
    )
    for issue in ISSUES:
        (HERE / issue.file_name).write_bytes(build(issue))
        print(issue.file_name)


if __name__ == "__main__":
    main()
