"""Builds Word files for tests, by hand-written XML: the least that the specification asks for."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SPACES = (
    f'xmlns:w="{W}"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_ROOTS = {"comments": "comments", "footnotes": "footnotes", "endnotes": "endnotes"}
CHANGE = 'w:id="9" w:author="Jane Doe" w:date="2025-02-03T10:00:00Z"'


def word_file(
    body: str,
    *,
    styles: str = "",
    numbering: str = "",
    parts: Mapping[str, str] = {},
    files: Mapping[str, bytes] = {},
    links: Sequence[str] = (),
    main_type: str = _MAIN,
) -> bytes:
    """Return a Word file. `parts` are the contents of further parts by their kind: "comments" ...

    `files` are written as they are; `links` are further relations of the text, as XML.
    """
    own = {"styles": styles, "numbering": numbering, **parts}
    own = {kind: xml for kind, xml in own.items() if xml}
    relations = [
        f'<Relationship Id="{kind}" Type="{_RELATIONS}/{kind.rstrip("0123456789")}"'
        f' Target="{kind}.xml"/>'
        for kind in own
    ]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        types = f'<Override PartName="/word/document.xml" ContentType="{main_type}"/>'
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels"'
            ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{types}'
            + "".join(
                f'<Override PartName="/word/{kind}.xml" ContentType="application/'
                "vnd.openxmlformats-officedocument.wordprocessingml."
                f'{kind.rstrip("0123456789")}+xml"/>'
                for kind in own
            )
            + "</Types>",
        )
        archive.writestr(
            "_rels/.rels", _relationships([_relation("officeDocument", "word/document.xml")])
        )
        archive.writestr("word/_rels/document.xml.rels", _relationships([*relations, *links]))
        archive.writestr(
            "word/document.xml", f"<w:document {_SPACES}><w:body>{body}</w:body></w:document>"
        )
        for kind, xml in own.items():
            root = kind.rstrip("0123456789")
            root = {"header": "hdr", "footer": "ftr"}.get(root, root)
            archive.writestr(f"word/{kind}.xml", f"<w:{root} {_SPACES}>{xml}</w:{root}>")
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def _relation(kind: str, target: str) -> str:
    return f'<Relationship Id="{kind}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'


def _relationships(relations: Sequence[str]) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(relations)}</Relationships>'


def external_link(kind: str, target: str) -> str:
    """Return a relation that leads out of the file."""
    return (
        f'<Relationship Id="out" Type="{_RELATIONS}/{kind}" Target="{escape(target)}"'
        ' TargetMode="External"/>'
    )


def run(text: str, properties: str = "") -> str:
    """Return a run of text."""
    inside = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inside}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def deleted(text: str, properties: str = "", element: str = "del") -> str:
    """Return a deleted run; with `element` "moveFrom" one that was moved away."""
    name = "delText" if element == "del" else "t"
    inside = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    words = f'<w:{name} xml:space="preserve">{escape(text)}</w:{name}>'
    return f"<w:{element} {CHANGE}><w:r>{inside}{words}</w:r></w:{element}>"


def inserted(text: str, properties: str = "", element: str = "ins") -> str:
    """Return an inserted run; with `element` "moveTo" one that was moved here."""
    return f"<w:{element} {CHANGE}>{run(text, properties)}</w:{element}>"


def paragraph(
    content: str,
    *,
    style: str = "",
    number: tuple[int, int] | None = None,
    mark: str = "",
    properties: str = "",
) -> str:
    """Return a paragraph of runs (plain text becomes one); `number` is list instance and level."""
    inside = f'<w:pStyle w:val="{style}"/>' if style else ""
    if number is not None:
        inside += f'<w:numPr><w:ilvl w:val="{number[1]}"/><w:numId w:val="{number[0]}"/></w:numPr>'
    inside += properties + (f"<w:rPr>{mark}</w:rPr>" if mark else "")
    content = content if content.startswith("<") or not content else run(content)
    return f"<w:p><w:pPr>{inside}</w:pPr>{content}</w:p>"


def level(
    at: int,
    text: str,
    format: str = "decimal",
    *,
    start: int = 1,
    legal: bool = False,
    restart: int | None = None,
    suffix: str = "",
    style: str = "",
) -> str:
    """Return a level of a list."""
    inside = f'<w:start w:val="{start}"/><w:numFmt w:val="{format}"/>'
    inside += f'<w:lvlRestart w:val="{restart}"/>' if restart is not None else ""
    inside += f'<w:pStyle w:val="{style}"/>' if style else ""
    inside += "<w:isLgl/>" if legal else ""
    inside += f'<w:suff w:val="{suffix}"/>' if suffix else ""
    inside += f'<w:lvlText w:val="{escape(text)}"/><w:lvlJc w:val="left"/>'
    return f'<w:lvl w:ilvl="{at}">{inside}</w:lvl>'


def lists(*kinds: Sequence[str], instances: Sequence[str] = ()) -> str:
    """Return `numbering.xml`: list 1 has the levels of the first kind, and so on; then others."""
    written = "".join(
        f'<w:abstractNum w:abstractNumId="{at}"><w:multiLevelType w:val="multilevel"/>'
        f"{''.join(levels)}</w:abstractNum>"
        for at, levels in enumerate(kinds, start=1)
    )
    written += "".join(
        f'<w:num w:numId="{at}"><w:abstractNumId w:val="{at}"/></w:num>'
        for at in range(1, len(kinds) + 1)
    )
    return written + "".join(instances)


def instance(number: int, kind: int, overrides: str = "") -> str:
    """Return a further instance of a list."""
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{kind}"/>{overrides}</w:num>'


def start_override(at: int, start: int) -> str:
    """Return an override by which an instance counts a level anew."""
    return f'<w:lvlOverride w:ilvl="{at}"><w:startOverride w:val="{start}"/></w:lvlOverride>'


def paragraph_style(key: str, properties: str = "", based_on: str = "", run: str = "") -> str:
    """Return a paragraph style."""
    based = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{key}"/>{based}'
        f"<w:pPr>{properties}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def heading_styles(numbers: bool = True) -> str:
    """Return the styles "Heading1" to "Heading3", which list 1 numbers."""
    return "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{at}"><w:name w:val="heading {at}"/><w:pPr>'
        + (f'<w:numPr><w:ilvl w:val="{at - 1}"/><w:numId w:val="1"/></w:numPr>' if numbers else "")
        + f'<w:outlineLvl w:val="{at - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="{34 - 4 * at}"/>'
        "</w:rPr></w:style>"
        for at in (1, 2, 3)
    )


def table(*rows: Sequence[str], properties: Sequence[str] = ()) -> str:
    """Return a table; a cell is text, or paragraphs as XML. `properties` are those of each row."""
    inside = ""
    for at, row in enumerate(rows):
        own = f"<w:trPr>{properties[at]}</w:trPr>" if properties and properties[at] else ""
        cells = "".join(
            cell
            if cell.startswith("<w:tc>")
            else f"<w:tc>{cell if cell[:1] == '<' else paragraph(cell)}</w:tc>"
            for cell in row
        )
        inside += f"<w:tr>{own}{cells}</w:tr>"
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{inside}</w:tbl>"


def level_override(at: int, level: str) -> str:
    """Return an override by which an instance formats a level otherwise."""
    return f'<w:lvlOverride w:ilvl="{at}">{level}</w:lvlOverride>'


def field(code: str, result: str, inside: str = "") -> str:
    """Return a field in its long form; `inside` is a field within its code."""

    def sign(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    written = f'<w:r><w:instrText xml:space="preserve"> {escape(code)} </w:instrText></w:r>'
    return sign("begin") + written + inside + sign("separate") + result + sign("end")
