"""Files made to block or crash their reader end soon, with one clear error."""

import os
import re
import signal
import struct
import sys
import zlib
from dataclasses import replace

import pytest

from core.errors import ReadError
from core.rulebook import ReadLimits, read_pdf
from core.rulebook.isolation.messages import PageJob
from core.rulebook.isolation.sandbox import ProcessLimits, Worker
from tests.processes import children, used_seconds

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


DRAWING = b"BT /F 9 Tf 72 700 Td (1.1 A car is red.) Tj ET\n" + b"0 0 m 300 300 l S 10 w\n" * 17_000
"""400 KB of drawing, which pack to a kilobyte."""


def packed_pages(contents, repeated):
    """Pages of each of these contents, the last one on `repeated` pages, in a few kilobytes."""
    packed = {
        number: stream(zlib.compress(data, 9), b"/Filter /FlateDecode")
        for number, data in enumerate(contents, start=10)
    }
    last = 9 + len(contents)
    shown = [*packed, *[last] * (repeated - 1)]
    first = last + 1
    kids = b" ".join(b"%d 0 R" % number for number in range(first, first + len(shown)))
    font, box = b"/Resources << /Font << /F 3 0 R >> >>", b"/MediaBox [0 0 600 800]"
    objects = {
        1: CATALOG,
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(shown)),
        3: HELVETICA,
    }
    for number, content in enumerate(shown, start=first):
        entries = b"/Type /Page /Parent 2 0 R /Contents %d 0 R %s %s" % (content, box, font)
        objects[number] = b"<< %s >>" % entries
    # All but the contents are packed into one object, and the table of objects too.
    places, body = [], b""
    for number, each in objects.items():
        places.append(b"%d %d" % (number, len(body)))
        body += each + b" "
    head = b" ".join(places) + b" "
    entries = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (len(objects), len(head))
    packed[4] = stream(zlib.compress(head + body, 9), entries)
    data, offsets = bytearray(b"%PDF-1.7\n"), {}
    for number, each in packed.items():
        offsets[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    size = first + len(shown)
    order = {number: index for index, number in enumerate(objects)}
    rows = b"".join(
        struct.pack(">BIH", 1, offsets[n], 0)
        if n in offsets
        else struct.pack(">BIH", 2 * (n in order), 4 * (n in order), order.get(n, 0))
        for n in range(size)
    )
    entries = b"/Type /XRef /W [1 4 2] /Size %d /Root 1 0 R /Filter /FlateDecode" % size
    table = b"5 0 obj\n%s\nendobj\n" % stream(zlib.compress(rows, 9), entries)
    return bytes(data) + table + b"startxref\n%d\n%%%%EOF" % len(data)


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


@pytest.mark.slow
def test_pages_that_unpack_to_more_than_their_file_can_hold_are_not_read_to_the_end():
    data = packed_pages([DRAWING], 200)
    assert len(data) < 10_000
    with pytest.raises(ReadError) as caught:
        read_pdf(
            data, "rules.pdf", limits=replace(STRICT, seconds=60, page_seconds=30, work_seconds=0.2)
        )
    assert caught.value.code == "too_large"
    reason = r"to 200 not reached, those before unpack to more than a file of \d KB can reasonably"
    assert re.search(reason, caught.value.message)


@pytest.mark.slow
def test_a_document_that_was_cut_short_says_so_and_names_its_pages():
    rules = [
        b"BT /F 12 Tf 72 %d Td (%d.1 A car has %d wheels.) Tj ET" % (650 - number, number, number)
        for number in range(1, 21)
    ]
    limits = replace(STRICT, seconds=60, page_seconds=30, work_seconds=0.4)
    rulebook = read_pdf(packed_pages([*rules, DRAWING], 9), "rules.pdf", limits=limits)
    assert [clause.article for clause in rulebook.clauses][:2] == ["1.1", "2.1"]
    warnings = [w.message for w in rulebook.report.warnings if w.code == "partly_read"]
    assert re.search(r"read in part: pages \d+ to 29 not reached", "\n".join(warnings))


@pytest.mark.slow
def test_a_document_that_takes_longer_than_is_set_keeps_the_pages_that_were_read():
    seconds = 0.6
    rules = [
        b"BT /F 12 Tf 72 %d Td (%d.1 A car has %d wheels.) Tj ET" % (650 - number, number, number)
        for number in range(1, 21)
    ]
    limits = replace(STRICT, seconds=seconds, page_seconds=30, work_seconds=60)
    rulebook = read_pdf(packed_pages([*rules, DRAWING], 60), "rules.pdf", limits=limits)
    assert [clause.article for clause in rulebook.clauses][:2] == ["1.1", "2.1"]
    warnings = [w.message for w in rulebook.report.warnings if w.code == "partly_read"]
    assert re.search(r"pages \d+ to 80 not reached", "\n".join(warnings))
    assert f"SCRUTINEER_READING_SECONDS ({seconds})" in "\n".join(warnings)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells a process's time")
def test_a_process_that_waits_for_the_processor_is_not_too_slow():
    silence = 1.0
    page = b"BT /F 12 Tf 72 650 Td (1.1 A car has wheels.) Tj ET"
    limits = ProcessLimits(silence, silence, 1 << 30, 1 << 20)
    before = children()
    with Worker(PageJob, limits) as worker:
        [process] = map(int, children() - before)
        polls = []

        def should_stop():
            """Stop the process for many times as long as it may take, then let it go on."""
            polls.append(process)
            os.kill(process, signal.SIGSTOP if len(polls) < 30 * silence else signal.SIGCONT)
            return False

        job = PageJob(packed_pages([page], 1), 1, 1, frozenset(), 9)
        answers = list(worker.run(job, should_stop))
    assert len(polls) >= 30 * silence
    assert len(answers) == 2


@pytest.mark.slow
def test_thousands_of_heavy_pages_in_a_small_file_do_not_keep_a_reader_busy():
    data = packed_pages([DRAWING], 5_000)
    assert len(data) < 60_000
    before, limits = used_seconds(), ReadLimits(work_seconds=5)
    with pytest.raises(ReadError) as caught:
        read_pdf(data, "rules.pdf", limits=limits)
    assert caught.value.code == "too_large"
    assert used_seconds() - before < 6 * limits.work_seconds, "seconds of processor time"
