"""Redlines: what Word shows after all changes are accepted, or rejected, is one of both documents.

Changes are accepted and rejected here on the XML, by rules of its own (ISO 29500-1, 17.13.5).
"""

import io
import re
import zipfile
from xml.etree import ElementTree

import docx
import pytest
from pypdf import PdfReader

from core.exports import write_redline
from core.exports.pdf import write_redline_pdf
from core.exports.redline import Redline, RedlineClause, RedlineSpan, find_longest_rise
from core.exports.word import write_redline_word
from core.language import find_language
from core.library import Library, compare_documents
from core.library.ingestion.ingest import add_bytes
from tests.library.cup import lines
from tests.made_once import SAMPLES, SHELF, needs_shelf, read_once
from tests.rulebook.pdf_builder import Paper

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
ACCEPTED, REJECTED = {f"{W}del", f"{W}moveFrom"}, {f"{W}ins", f"{W}moveTo"}
"""What leaves a document: the deleted of one whose changes are accepted, and so on."""


def paragraphs(data, leaves):
    """The paragraphs of a Word file without what leaves it; a mark that leaves joins two."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        body = ElementTree.fromstring(archive.read("word/document.xml"))[0]
    done, text = [], ""
    for paragraph in body.iter(f"{W}p"):
        text += "".join(read_runs(paragraph, leaves))
        mark = paragraph.find(f"{W}pPr/{W}rPr")
        if mark is None or leaves.isdisjoint(child.tag for child in mark):
            done.append(text)
            text = ""
    assert not text
    return done


def read_runs(element, leaves):
    for child in element:
        if child.tag in (f"{W}t", f"{W}delText"):
            yield child.text or ""
        elif child.tag == f"{W}tab":
            yield "\t"
        elif child.tag not in leaves | {f"{W}pPr", f"{W}rPr"}:
            yield from read_runs(child, leaves)


def rules(library, document_id):
    """The rules in force of a document, paragraph by paragraph, each with its number."""
    found, last = [], None
    for clause in library.clauses(document_id):
        article = (clause.whole_article, clause.language, clause.status)
        title = "" if clause.part and clause.text.startswith(clause.title) else clause.title
        said = "\n".join(filter(None, (title, clause.text)))
        if clause.part and article == last:
            found[-1][1] += f"\n{said}"
        else:
            found.append([clause.status, f"{clause.article}\t{said}"])
        last = article
    return "\n".join(text for status, text in found if status == "in_force").split("\n")


def write(library, before, after, redline_format="docx", language="en"):
    documents = library.document(before), library.document(after)
    pairs = compare_documents(library, before, after)
    return write_redline(library, documents, pairs, redline_format, find_language(language))


def assert_exact(library, before, after):
    """Both documents can be read off their redline, whichever way it goes."""
    data = write(library, before, after)
    assert paragraphs(data, ACCEPTED) == [*rules(library, after), ""]
    assert paragraphs(data, REJECTED) == [*rules(library, before), ""]
    return data


def comments(data):
    return [comment.text for comment in docx.Document(io.BytesIO(data)).comments]


@pytest.fixture(scope="module")
def samples_compared(tmp_path_factory):
    """Two issues of the sporting and of the technical sample, and their ids in pairs."""
    files = [
        SAMPLES / f"meridian_2023_{name}_issue{issue}.pdf"
        for name in ("sporting", "technical")
        for issue in (1, 2)
    ]
    library = Library(read_once(tmp_path_factory, *files))
    ids = [document.document_id for document in library.documents()]
    families = {d.family for d in library.documents()}
    assert len(ids) == 4
    assert len(families) == 2
    return library, [
        tuple(
            d.document_id
            for d in sorted(library.documents(), key=lambda d: d.issue)
            if d.family == f
        )
        for f in sorted(families)
    ]


@pytest.fixture
def empty(tmp_path):
    return Library(tmp_path / "data")


def add(library, issue, *rules, **identity):
    rows = lines(f"Kart Rules {issue}", *rules, family="kart", season=2025, issue=issue, **identity)
    [added] = add_bytes(library, rows, f"{issue}.jsonl")
    return added.document.document_id


@pytest.mark.parametrize("pair", [0, 1])
def test_the_samples_can_be_read_off_their_redline_letter_by_letter(samples_compared, pair):
    library, pairs = samples_compared
    data = assert_exact(library, *pairs[pair])
    assert data == write(library, *pairs[pair])  # no time of making is in it
    assert_exact(library, *reversed(pairs[pair]))


def test_comments_say_what_the_publisher_declared_and_what_not(samples_compared):
    library, [sporting, _] = samples_compared
    data = write(library, *sporting)
    said = "\n".join(comments(data))
    assert "Accept all changes" in said
    assert "Marked as a change by the publisher: 79" in said
    written = docx.Document(io.BytesIO(data))
    assert {comment.author for comment in written.comments} == {"Scrutineer"}
    day = library.document(sporting[1]).date
    assert {str(comment.timestamp.date()) for comment in written.comments} == {day}
    german = comments(write(library, *sporting, language="de"))
    assert "Vom Herausgeber als Änderung markiert" in german


def test_changes_to_an_issue_without_a_day_bear_none(empty):
    ids = [add(empty, issue, ("1", "Bumper", f"Karts have {issue} bumpers.")) for issue in (1, 2)]
    data = assert_exact(empty, *ids)
    assert {comment.timestamp for comment in docx.Document(io.BytesIO(data)).comments} == {None}
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        assert b"w:date" not in parts.read("word/document.xml")


def kart_rules(issue, kilograms, place):
    paper = Paper().at(72, 60, f"2025 Kart Sporting Regulations, Issue {issue}")
    paper.heading("1", "KARTS").clause("1.1", "Every kart carries a bumper at the front.")
    line = ("A kart weighs at least ", *kilograms, " with its driver and is weighed at ", place)
    return paper.line(*line, " after each heat of the day.", number="1.2", gap=8).pdf()


def test_words_that_the_publisher_did_not_mark_have_a_comment_of_their_own(empty):
    struck = ("150 kg", "struck"), (" 155 kg", "#CC0000")
    ids = []
    for issue, kilograms, place in ((1, ["150 kg"], "noon"), (2, struck, "night")):
        [added] = add_bytes(empty, kart_rules(issue, kilograms, place), f"kart{issue}.pdf")
        ids.append(added.document.document_id)
    said = comments(assert_exact(empty, *ids))
    assert said[-3:] == [
        "Only partly marked by the publisher",
        *["Not marked by the publisher"] * 2,
    ]
    assert "Not marked by the publisher: “night”" in read_pdf(write(empty, *ids, "pdf"))


def test_without_marks_and_records_it_says_that_nothing_is_known(empty):
    ids = add(empty, 1, ("1", BELL)), add(empty, 2, ("1", BELL.replace("20", "30")))
    [about] = comments(write(empty, *ids))
    assert "Kart Rules 2, Issue 2 has neither marks nor a record of its changes" in about


BELL, HORN, FLAG, LAMP = (
    "Every kart has a bell of brass that is heard at 20 m.",
    "A horn is sounded by the marshal before each start.",
    "The flag is shown at the end of the straight, by day alone.",
    "Lamps are lit at dusk, and put out when all karts are back.",
)


def test_old_numbers_stand_beside_new_ones_and_moved_rules_are_named_at_both_places(empty):
    before = add(empty, 1, ("1", BELL), ("2", HORN), ("3", FLAG), ("4", LAMP))
    changed = BELL.replace("20 m", "30 m")
    after = add(empty, 2, ("1", HORN), ("2", FLAG), ("3", LAMP), ("4", changed))
    data = assert_exact(empty, before, after)
    assert "21\t" in "".join(paragraphs(data, set()))  # 2 deleted, 1 inserted
    said = comments(data)
    assert any("Moved from here to 4." in note for note in said)
    assert any("Moved here from 1.\nChanged on the way: [-20-] {+30+}" in note for note in said)


def test_spaces_capitals_and_typography_are_tracked_by_an_author_of_their_own(empty):
    before = add(empty, 1, ("1", "The “bell”\nof the Kart - rings."), ("2", HORN))
    after = add(empty, 2, ("1", 'The "bell" of the kart – rings.'), ("2", HORN))
    data = assert_exact(empty, before, after)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        authors = set(re.findall(r'w:author="([^"]*)"', archive.read("word/document.xml").decode()))
    assert "Scrutineer (spelling)" in authors


def test_what_xml_and_word_take_for_signs_of_their_own_stays_text(empty):
    nasty = "a < b & \"c\" 'd' ]]> <w:p/>  two spaces\ttab\u00a0§ ﬁ 𝑥 مادة"
    before = add(empty, 1, ("1", nasty), ("2", ""), ("3", "Old."))
    after = add(empty, 2, ("1", f"{nasty} and\nmore", "<b>Bells</b>"), ("2", ""))
    assert_exact(empty, before, after)
    assert "and" in read_pdf(write(empty, before, after, "pdf"))


def test_a_rule_put_in_after_words_that_came_has_the_line_break_before_it(empty):
    """LibreOffice loses a paragraph when it rejects such changes in the other order."""
    before = add(empty, 1, ("1", BELL), ("3", FLAG))
    after = add(empty, 2, ("1", f"{BELL} And loud."), ("2", HORN), ("3", FLAG))
    data = assert_exact(empty, before, after)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        body = ElementTree.fromstring(archive.read("word/document.xml"))[0]
    marks = [paragraph.find(f"{W}pPr/{W}rPr/{W}ins") is None for paragraph in body.iter(f"{W}p")]
    assert marks == [False, True, True, True]


def test_the_rows_of_a_table_are_struck_and_put_in_as_a_whole(empty):
    table = "Points:\n| Place | Points |\n|---|---|\n| 1 | 25 |\n| 2 | 18 |\nNo others."
    before = add(empty, 1, ("1", table))
    after = add(empty, 2, ("1", table.replace("| 1 | 25 |", "| 1 | 18 |\n| 3 | 25 |")))
    data = assert_exact(empty, before, after)
    both = paragraphs(data, set())
    assert both[3:7] == ["| 1 | 25 |", "| 1 | 18 |", "| 3 | 25 |", "| 2 | 18 |"]


@pytest.mark.parametrize("letter", ["\x0b", "\x00", "\ud800", "\r", "\ufffe"])
@pytest.mark.parametrize("write_file", [write_redline_word, write_redline_pdf])
def test_no_letter_of_a_label_or_a_rule_stops_a_redline(letter, write_file):
    text = f"A{letter}B"
    said = (RedlineSpan("deleted", text, note=text),)
    clause = RedlineClause("same", said, said, 2, True, text)
    assert write_file(Redline(text, text, "2025-01-31", (clause,)))


def test_a_redline_without_rules_is_a_file():
    assert paragraphs(write_redline_word(Redline("None", "", "2025-01-01", ())), ACCEPTED) == [""]


def test_two_books_of_nothing_in_common_leave_each_other_whole(empty):
    assert_exact(empty, add(empty, 1, ("1", BELL), ("2", "")), add(empty, 2, ("9", HORN)))


def read_pdf(data):
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)


def test_the_print_strikes_and_underlines_and_has_the_notes_below_each_clause(samples_compared):
    library, [sporting, _] = samples_compared
    data = write(library, *sporting, "pdf")
    text = " ".join(read_pdf(data).split())
    assert "The pit lane speed limit is 60 50 km/h" in text
    assert "Marked as a change by the publisher" in text
    assert data == write(library, *sporting, "pdf")


def test_rules_that_keep_their_order_are_as_many_as_can_be():
    assert [find_longest_rise(places) for places in ([], [3], [1, 2, 3], [2, 3, 1])] == [
        [], [0], [0, 1, 2], [0, 1]
    ]  # fmt: skip
    rise = find_longest_rise([5, 1, 6, 2, 7, 3, 4])
    assert rise == [1, 3, 5, 6]


ISSUES = (
    ("f1_2024_sporting_iss01", "f1_2024_sporting_iss06"),
    ("f1_2025_sporting_iss04", "f1_2025_sporting_iss05"),
    ("f1_2026_secB_sporting_iss05", "f1_2026_secB_sporting_iss07"),
    ("f1_2023_sporting_iss06", "f1_2024_sporting_iss01"),
    ("f1_2024_sporting_iss06", "f1_2025_sporting_iss04"),
)


@pytest.mark.slow
@needs_shelf
@pytest.mark.parametrize("names", ISSUES, ids=" to ".join)
def test_published_issues_can_be_read_off_their_redline(tmp_path_factory, names):
    files = [next(SHELF.glob(f"*{name}*.pdf")) for name in names]
    library = Library(read_once(tmp_path_factory, *files))
    first, second = sorted(library.documents(), key=lambda d: (d.season, d.issue))
    assert_exact(library, first.document_id, second.document_id)
