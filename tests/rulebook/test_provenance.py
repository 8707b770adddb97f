"""What a file brings beside its pages is in its report: signatures, scripts, layers, files."""

import io
import re

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    ByteStringObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from core.rulebook import read_pdf
from tests.rulebook.pdf_builder import Paper

PLACE = re.compile(rb"/ByteRange \[ 0 1111111111 2222222222 3333333333 \]")


def rules(mass="900", season="2025"):
    paper = Paper().line(f"{season} Karting Club Sporting Regulations").heading("1", "KARTS")
    paper.clause("1.1", "Every kart must carry a yellow bumper of at least 40 mm.")
    return paper.clause("1.2", f"A kart may not weigh less than {mass} kg with its driver.").pdf()


def name(value):
    return NameObject(f"/{value}")


def dictionary(**entries):
    return DictionaryObject({name(key): value for key, value in entries.items()})


def written(writer):
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def with_fields(pdf, *fields):
    """The PDF with fields of a form, outside its pages."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    added = ArrayObject(writer._add_object(field) for field in fields)
    writer._root_object[name("AcroForm")] = dictionary(Fields=added)
    return written(writer)


def signed(pdf):
    """The PDF with a signature of nothing over all of its bytes but its own."""
    numbers = ArrayObject(map(NumberObject, (0, 1111111111, 2222222222, 3333333333)))
    signature = dictionary(
        Type=name("Sig"), ByteRange=numbers, Contents=ByteStringObject(bytes(64))
    )
    data = with_fields(pdf, dictionary(FT=name("Sig"), V=signature, T=TextStringObject("by")))
    begin, end = re.search(rb"/Contents <\w+>", data).span()
    begin += len(b"/Contents ")
    given = b"/ByteRange [ 0 %010d %010d %010d ]" % (begin, end, len(data) - end)
    changed, places = PLACE.subn(given, data)
    assert places == 1
    return changed


def changed_later(data, pdf):
    """The file with the contents of another one's first page appended, as editors do it."""
    writer = PdfWriter(io.BytesIO(data), incremental=True)
    other = PdfReader(io.BytesIO(pdf)).pages[0]
    contents = other["/Contents"].get_object().clone(writer)
    writer.pages[0][name("Contents")] = contents.indirect_reference
    return written(writer)


def report(data):
    return read_pdf(data, "rules.pdf").report


def told(data):
    return [w.message for w in report(data).warnings if w.code == "changed_after_signing"]


def test_a_file_that_brings_nothing_says_nothing():
    assert not {"signatures", "scripts", "layers", "attachments", "form_fields"} & set(
        report(rules()).counts
    )


@pytest.mark.slow
def test_a_signature_is_counted_and_a_file_that_is_as_it_was_signed_is_no_warning():
    data = signed(rules())
    assert report(data).counts["signatures"] == 1
    assert told(data) == []
    assert told(data + b"\n\n") == []


@pytest.mark.slow
def test_what_was_changed_after_signing_is_told_by_its_rules():
    data = changed_later(signed(rules("600")), rules("900"))
    [message] = told(data)
    assert message == "This file was changed after it was signed: the rules that differ are 1.2."
    texts = [clause.text for clause in read_pdf(data, "rules.pdf").clauses]
    assert any("900 kg" in text for text in texts)


@pytest.mark.slow
def test_a_change_that_touches_no_rule_says_so():
    data = changed_later(signed(rules()), rules())
    assert told(data) == ["This file was changed after it was signed: no rule differs."]


@pytest.mark.slow
def test_a_signature_of_more_than_the_file_or_of_no_pdf_breaks_nothing():
    data = signed(rules())
    begin = data.index(b"/ByteRange [ 0 ") + len(b"/ByteRange [ 0 ")
    other = data[:begin] + b"9999999999 9999999999 9999999999" + data[begin + 32 :]
    assert told(other) == []
    other = data[:begin] + b"0000000010 0000000010 0000000010" + data[begin + 32 :]
    assert told(other) == [
        "This file was changed after it was signed: what the signed part says cannot be read."
    ]


def script(kind="JavaScript"):
    return dictionary(S=name(kind), JS=TextStringObject("app.alert(1)"))


@pytest.mark.slow
@pytest.mark.parametrize("place", ["names", "opening", "page", "annotation", "field", "program"])
def test_a_script_is_counted_wherever_it_is(place):
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(rules())))
    root, page = writer._root_object, writer.pages[0]
    field = dictionary(FT=name("Tx"), AA=dictionary(K=script()))
    link = dictionary(Type=name("Annot"), Subtype=name("Link"), A=script())
    link[name("Rect")] = ArrayObject(map(NumberObject, (0, 0, 9, 9)))
    match place:
        case "names":
            listed = dictionary(Names=ArrayObject([TextStringObject("start"), script()]))
            root[name("Names")] = dictionary(JavaScript=listed)
        case "opening":
            root[name("OpenAction")] = script()
        case "page":
            page[name("AA")] = dictionary(O=script())
        case "annotation":
            page[name("Annots")] = ArrayObject([writer._add_object(link)])
        case "field":
            root[name("AcroForm")] = dictionary(Fields=ArrayObject([writer._add_object(field)]))
        case "program":
            root[name("OpenAction")] = script("Launch")
    assert report(written(writer)).counts["scripts"] == 1


def test_layers_attachments_and_fields_are_counted():
    pdf = with_fields(
        rules(),
        dictionary(FT=name("Tx"), T=TextStringObject("team")),
        dictionary(FT=name("Btn"), T=TextStringObject("agreed")),
    )
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    writer.add_attachment("sheet.csv", b"mass,900")
    layer = writer._add_object(dictionary(Type=name("OCG"), Name=TextStringObject("Old")))
    writer._root_object[name("OCProperties")] = dictionary(OCGs=ArrayObject([layer]))
    counts = report(written(writer)).counts
    assert (counts["layers"], counts["attachments"], counts["form_fields"]) == (1, 1, 2)


def test_a_form_that_leads_back_to_itself_ends():
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(rules())))
    field = dictionary(FT=name("Tx"))
    place = writer._add_object(field)
    field[name("Kids")] = ArrayObject([place])
    writer._root_object[name("AcroForm")] = dictionary(Fields=ArrayObject([place]))
    assert report(written(writer)).counts["form_fields"] == 1
