"""Small rulebooks as PDFs, drawn line by line, for tests of one hazard each."""

import io
from dataclasses import dataclass, field

from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, NameObject
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4
LEADING = 14


@dataclass
class Paper:
    """A PDF that grows from top to bottom; `pdf()` gives its bytes."""

    size: float = 11
    top: float = HEIGHT - 72
    y: float = 0
    headers_footers: list[tuple[float, float, str]] = field(default_factory=list)

    def __post_init__(self):
        self._out = io.BytesIO()
        self.canvas = Canvas(self._out, pagesize=A4, invariant=1)
        self.y = self.top

    def line(self, *parts, left=100, number="", bold=False, gap=0):
        """Draw one line with `number` at the margin.

        Parts are text or (text, style), where the style is "struck" or a colour.
        """
        self.y -= LEADING + gap
        if number:
            self._draw(72, number, "Helvetica-Bold" if bold else "Helvetica", None)
        x = left
        for part in parts:
            text, style = part if isinstance(part, tuple) else (part, None)
            x = self._draw(x, text, "Helvetica-Bold" if bold else "Helvetica", style)
        return self

    def clause(self, number, *lines, bold=False):
        """Draw a clause of one paragraph with its number beside the first line."""
        self.line(lines[0], number=number, bold=bold, gap=8)
        for line in lines[1:]:
            self.line(line)
        return self

    def heading(self, number, title):
        return self.line(title, number=number, bold=True, gap=12)

    def at(self, x, y, text, size=None, font="Helvetica"):
        self.canvas.setFont(font, size or self.size)
        self.canvas.drawString(x, HEIGHT - y, text)
        return self

    def grid(self, rows, left=120, widths=(90, 90), height=18):
        """Draw a table with all its lines."""
        self.y -= 8
        top = self.y
        for row in rows:
            x = left
            for text, width in zip(row, widths, strict=True):
                self.canvas.rect(x, self.y - height, width, height)
                self.at(x + 4, HEIGHT - (self.y - height + 5), text)
                x += width
            self.y -= height
        return top

    def page(self):
        """Draw headers and footers, and begin a new page."""
        number = self.canvas.getPageNumber()
        for x, y, text in self.headers_footers:
            self.at(x, y, text.replace("#", str(number)), size=9)
        self.canvas.showPage()
        self.y = self.top
        return self

    def pdf(self):
        self.page()
        self.canvas.save()
        return self._out.getvalue()

    def _draw(self, x, text, font, style):
        self.canvas.setFont(font, self.size)
        named = {"struck": "#CC0000", "red": "#CC0000"}
        color = named.get(style, style or "#000000")
        self.canvas.setFillColor(HexColor(color))
        self.canvas.drawString(x, self.y, text)
        width = stringWidth(text, font, self.size)
        if style == "struck":
            self.canvas.setStrokeColor(HexColor(color))
            self.canvas.setLineWidth(0.6)
            self.canvas.line(x, self.y + 0.27 * self.size, x + width, self.y + 0.27 * self.size)
            self.canvas.setStrokeColor(HexColor("#000000"))
        self.canvas.setFillColor(HexColor("#000000"))
        return x + width


TOPICS = "Plots Water Rent Bees Trees Sheds Paths Fires Gates Dogs Tools Keys".split()


def handbook_without_numbers():
    """A handbook whose topics are headings in bold, read in part for want of numbers."""
    paper = Paper().line("Cup Rules 2024", bold=True)
    for topic in TOPICS:
        text = f"{topic} are painted in orange, and this is enough to fill one line."
        paper.line(topic, left=72, bold=True, gap=14).line(text, left=72)
    return paper


def locked(pdf, password, algorithm="AES-256"):
    """Return a PDF that only opens with a password."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    writer.encrypt(password, algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def spelled(pdf, letters):
    """Return a PDF whose fonts name other letters for the glyphs of its first page."""
    pairs = "\n".join(
        f"<{ord(glyph):02x}> <{text.encode('utf-16-be').hex()}>" for glyph, text in letters.items()
    )
    names = DecodedStreamObject()
    names.set_data(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
        "1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(letters)} beginbfchar\n{pairs}\nendbfchar endcmap end end".encode()
    )
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    for font in writer.pages[0]["/Resources"]["/Font"].values():
        font.get_object()[NameObject("/ToUnicode")] = writer._add_object(names)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
