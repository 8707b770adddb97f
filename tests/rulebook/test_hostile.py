"""Files made to block or crash their reader end soon, with one clear error."""

import zlib

import pytest

from core.errors import ReadError
from core.rulebook import ReadLimits, read_pdf

STRICT = ReadLimits(page_seconds=2, seconds=8, memory=700 << 20, max_pages=500, read_scans=False)


def pdf(*objects):
    """Return a PDF of these objects, numbered from 1; the first is its catalog."""
    data, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF"
    return bytes(data) + trailer % (len(objects) + 1, start)


def stream(data, extra=b""):
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), extra, data)


CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << %s >> >>"
)
FONT = b"/Font << /F 5 0 R >>"
HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def pdf_of_page(contents):
    return pdf(CATALOG, PAGES, PAGE % FONT, contents, HELVETICA)


def bomb():
    """100 KB that unpack to 100 MB of drawing."""
    packed = zlib.compress(b"0 0 m 1 1 l S\n" * (100_000_000 // 14), 9)
    return pdf_of_page(stream(packed, b"/Filter /FlateDecode"))


def layered_bomb():
    """A kilobyte that unpacks, layer after layer, to a gigabyte."""
    packed = bytes(1_000_000_000 // 1000)
    for _ in range(2):
        packed = zlib.compress(packed * (30 if len(packed) < 100_000 else 1), 9)
    return pdf_of_page(stream(packed, b"/Filter [/FlateDecode /FlateDecode]"))


def form_in_itself():
    """Drawing a form draws that form."""
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << %s >> >>"
    form = stream(b"/X Do /X Do", entries % b"/X 5 0 R")
    return pdf(CATALOG, PAGES, PAGE % b"/XObject << /X 5 0 R >>", stream(b"/X Do"), form)


def doubling_forms():
    """Each of thirty forms draws the next twice: a thousand million drawings in four kilobytes."""
    last, box = 34, b"/Type /XObject /Subtype /Form /BBox [0 0 600 800]"
    forms = [
        stream(b"/X Do /X Do", box + b"/Resources << /XObject << /X %d 0 R >> >>" % (n + 1))
        for n in range(5, last)
    ]
    forms.append(stream(b"0 0 9 9 re f", box))
    return pdf(CATALOG, PAGES, PAGE % b"/XObject << /X 5 0 R >>", stream(b"/X Do"), *forms)


def page_tree_in_itself():
    return pdf(CATALOG, b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>")


def page_tree_of_a_million():
    """It claims a million pages and has one."""
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>"
    return pdf(CATALOG, pages, PAGE % FONT, stream(b""), HELVETICA)


def many_pages():
    kids = b" ".join(b"%d 0 R" % n for n in range(3, 603))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    return pdf(CATALOG, b"<< /Type /Pages /Kids [%s] /Count 600 >>" % kids, *[page] * 600)


def deep_brackets():
    return pdf_of_page(stream(b"[" * 2_000_000))


def too_many_letters():
    words = b"BT /F 1 Tf " + b"(abcdefghijklmnopqrstuvwxyz) Tj 1 0 0 1 9 9 Tm " * 20_000 + b"ET"
    return pdf_of_page(stream(zlib.compress(words), b"/Filter /FlateDecode"))


HOSTILE = [
    bomb,
    layered_bomb,
    form_in_itself,
    doubling_forms,
    page_tree_in_itself,
    page_tree_of_a_million,
    many_pages,
    deep_brackets,
    too_many_letters,
]


@pytest.mark.slow
@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_hostile_file_ends_in_one_reason_within_its_limits(make):
    polls = []

    def should_stop():
        polls.append("five times a second, less often on a busy machine")
        return False

    with pytest.raises(ReadError) as caught:
        read_pdf(make(), "rules.pdf", limits=STRICT, should_stop=should_stop)
    assert len(polls) < 10 * STRICT.seconds
    assert "rules.pdf" in caught.value.message


def test_the_error_for_too_many_pages_names_their_number():
    with pytest.raises(ReadError, match="600 pages, and 500 are the most") as caught:
        read_pdf(many_pages(), "rules.pdf", limits=STRICT)
    assert caught.value.code == "too_large"
