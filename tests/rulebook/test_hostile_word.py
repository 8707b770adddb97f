"""Word files that are broken, locked or made to harm end in one sentence; nothing is fetched."""

import io
import zipfile

import pytest

from core.errors import ReadError
from core.rulebook import read_word
from tests.rulebook.word_builder import (
    external_link,
    field,
    heading_styles,
    level,
    lists,
    paragraph,
    paragraph_style,
    run,
    table,
    word_file,
)

RULE = paragraph("Scope", style="Heading1") + paragraph("The car must run.")
PARTS = {"styles": heading_styles(), "numbering": lists([level(0, "%1")])}
GOOD = word_file(RULE, **PARTS)
MACRO_TYPE = "application/vnd.ms-word.document.macroEnabled.main+xml"


def with_parts(data: bytes, **others: bytes) -> bytes:
    """A package with other parts in place of its own."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", 8) as new:
        names = {name.replace("/", "_").replace(".", "_"): name for name in old.namelist()}
        for key, name in names.items():
            new.writestr(name, others.get(key, old.read(name)))
    return packed.getvalue()


def circle_of_lists() -> str:
    style = '<w:numStyleLink w:val="S{}"/>'
    return "".join(
        f'<w:abstractNum w:abstractNumId="{at}">{style.format(at)}</w:abstractNum>' for at in (1, 2)
    ) + "".join(f'<w:num w:numId="{at}"><w:abstractNumId w:val="{at}"/></w:num>' for at in (1, 2))


def list_style(key: str, number: int) -> str:
    return (
        f'<w:style w:type="numbering" w:styleId="{key}"><w:pPr><w:numPr><w:numId w:val="{number}"/>'
        "</w:numPr></w:pPr></w:style>"
    )


def bomb() -> bytes:
    blanks = b"<w:p/>" * 20_000_000
    return with_parts(GOOD, word_document_xml=b"<w:document>" + blanks + b"</w:document>")


def entities() -> bytes:
    levels = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
    text = f'<!DOCTYPE x [<!ENTITY a0 "ha">{levels}]><document>&a9;</document>'
    return with_parts(GOOD, word_document_xml=text.encode())


def outside_entity() -> bytes:
    text = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><document>&a;</document>'
    return with_parts(GOOD, word_document_xml=text.encode())


def locked() -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le") * 9


CIRCLE = paragraph_style("Heading1", based_on="Two") + paragraph_style("Two", based_on="Heading1")
CIRCLED_LISTS = {
    "styles": heading_styles() + list_style("S1", 2) + list_style("S2", 1),
    "numbering": circle_of_lists(),
}
DEEP = "<w:sdt><w:sdtContent>" * 5_000 + "</w:sdtContent></w:sdt>" * 5_000
HOSTILE = {
    "bomb": (bomb, "too_large"),
    "entities": (entities, "damaged"),
    "outside entity": (outside_entity, "damaged"),
    "cut off": (lambda: GOOD[:900], "damaged"),
    "noise": (lambda: b"PK\3\4" + bytes(range(256)) * 9, "damaged"),
    "no text part": (lambda: with_parts(GOOD, _rels__rels=b"<Relationships/>"), "damaged"),
    "broken XML": (lambda: with_parts(GOOD, word_styles_xml=b"<w:styles"), "damaged"),
    "circle of styles": (lambda: word_file(RULE, styles=CIRCLE), "damaged"),
    "circle of lists": (lambda: word_file(RULE, **CIRCLED_LISTS), "damaged"),
    "deep": (lambda: word_file(DEEP + RULE, **PARTS), "too_large"),
    "macros": (lambda: word_file(RULE, **PARTS, main_type=MACRO_TYPE), "macros"),
    "macro part": (lambda: word_file(RULE, **PARTS, files={"word/vbaProject.bin": b"x"}), "macros"),
    "template": (
        lambda: word_file(RULE, links=[external_link("attachedTemplate", "https://x.test/a")]),
        "external",
    ),
    "text elsewhere": (
        lambda: word_file(RULE, links=[external_link("subDocument", "part2.docx")]),
        "external",
    ),
    "password": (locked, "encrypted"),
    "old Word": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "not_word"),
    "PDF": (lambda: b"%PDF-1.7\n%%EOF", "not_word"),
    "text of another kind": (
        lambda: word_file(RULE + '<w:altChunk r:id="a"/>', **PARTS),
        "external",
    ),
    "empty": (lambda: b"\n", "empty"),
    "no text": (lambda: word_file("<w:p/>" * 20_000), "no_text"),
    "no rules": (lambda: word_file(paragraph("Dear Sir or Madam")), "no_clauses"),
    "two texts": (lambda: word_file(RULE, files={"Word/document.xml": b"<a/>"}), "damaged"),
    "network folder": (
        lambda: word_file(RULE, links=[external_link("frame", "file://///server/share/a.htm")]),
        "external",
    ),
    "paragraphs without end": (lambda: word_file(RULE + "<w:p/>" * 210_000, **PARTS), "too_large"),
    "OpenDocument": (lambda: zip_of({"content.xml": "<a/>", "mimetype": "a"}), "damaged"),
    "spreadsheet": (lambda: zip_of({"xl/workbook.xml": "<a/>"}), "damaged"),
}


def zip_of(parts: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return packed.getvalue()


@pytest.mark.parametrize("name", HOSTILE)
def test_it_ends_in_one_sentence(name):
    make, code = HOSTILE[name]
    with pytest.raises(ReadError) as refused:
        read_word(make(), "rules.docx")
    assert refused.value.code == code
    message = refused.value.message
    assert message.startswith("rules.docx ") or "rules.docx" in message
    assert message.endswith((".", "?"))
    assert "\n" not in message


def test_odd_but_harmless_files_are_read():
    """A loop of relations, links to pages, fields without an end, numbers out of range."""
    loop = (
        '<Relationship Id="a" Type="http://x/header" Target="document.xml"/>'
        '<Relationship Id="b" Type="http://x/styles2" Target="nowhere.xml"/>'
        + external_link("hyperlink", "https://x.test/page")
        + external_link("attachedTemplate", "file:///C:/Templates/Normal.dotm")
    )
    endless = field("TOC", run("The car must run."))[
        : -len('<w:r><w:fldChar w:fldCharType="end"/></w:r>')
    ]
    odd = '<w:numPr><w:ilvl w:val="99"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="-3"/>'
    wide = '<w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p/></w:tc>'
    body = (
        paragraph("Scope", style="Heading1")
        + paragraph(endless)
        + paragraph("It must stop.", properties=odd)
        + table([wide, "2 kN"])
    )
    book = read_word(word_file(body, **PARTS, links=[loop]), "rules.docx")
    assert book.clauses[0].text.startswith("The car must run.\nIt must stop.")


def test_a_number_longer_than_word_allows_costs_no_time():
    numbering = lists([level(0, "%1" * 100_000), level(1, "%1.%2")])
    body = RULE + paragraph("Scope", style="Heading1") * 300
    assert read_word(word_file(body, styles=heading_styles(), numbering=numbering), "rules.docx")


@pytest.mark.slow
def test_a_huge_table_is_read():
    data = word_file(RULE + table(*(["1.5", "kN", "front"] for _ in range(20_000))), **PARTS)
    assert read_word(data, "rules.docx").clauses[0].article == "1"
