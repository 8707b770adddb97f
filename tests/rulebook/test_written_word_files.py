"""Word files as their programs write them: what a stranger found wrong in what was read of them."""

import io
import zipfile
from hashlib import sha256

import pytest

from core.rulebook.isolation.messages import WordJob
from core.rulebook.isolation.word_process import build_from_word
from tests.rulebook.test_word import GONE, LEGAL, NEW, SCOPE, book_of, in_force, read as read_file
from tests.rulebook.word_builder import (
    CHANGE,
    deleted,
    heading_styles,
    inserted,
    instance,
    level,
    lists,
    paragraph,
    paragraph_style,
    run,
    start_override,
    table,
    word_file,
)


def read(body: str, numbering: str, **parts):
    data = word_file(body, styles=heading_styles(), numbering=numbering, **parts)
    return build_from_word(WordJob(data, sha256(data).hexdigest(), "rules.docx"))


def rules(body: str, numbering: str, **parts) -> list[tuple[str, str]]:
    """Article and words of each rule in force."""
    clauses = read(body, numbering, **parts).clauses
    return [(c.article, f"{c.title} {c.text}".strip()) for c in clauses if c.status == "in_force"]


def test_a_number_that_names_the_one_above_it_is_cited_alone():
    numbering = lists([level(0, "§ %1"), level(1, "%1.%2"), level(2, "%1.%2.%3")])
    body = paragraph("Cars", style="Heading1") + paragraph("A car weighs 500 kg.", number=(1, 2))
    assert rules(body, numbering) == [("1", "Cars"), ("1.1.1", "A car weighs 500 kg.")]

    chapters = lists(
        [
            level(0, "Section %1", "upperLetter", suffix="space"),
            level(1, "%1.%2"),
            level(2, "%1.%2.%3"),
        ]
    )
    body = (
        paragraph("Cars", style="Heading1")
        + paragraph("Mass", style="Heading2")
        + paragraph("A car weighs 500 kg.", number=(1, 2))
        + paragraph("Tests", style="Heading1")
        + paragraph("Brakes", style="Heading2")
        + paragraph("The brakes are tested.", number=(1, 2))
    )
    assert [article for article, _ in rules(body, chapters)][1:3] == ["A.1", "A.1.1"]


def test_what_follows_a_number_without_a_gap_is_no_part_of_it():
    numbering = lists([level(0, "Article %1", suffix="nothing"), level(1, "%1.%2")])
    rule = paragraph("The cars weigh 500 kg.", number=(1, 1))
    for title in ("Cars", " – Cars", ". Cars"):
        found = rules(paragraph(title, style="Heading1") + rule, numbering)
        assert [article for article, _ in found] == ["1", "1.1"], title


def test_equations_keep_their_fractions_powers_and_brackets():
    def sign(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    def part(name: str, *inside: str) -> str:
        return f"<m:{name}>{''.join(inside)}</m:{name}>"

    half = part("f", part("num", sign("1")), part("den", sign("2")))
    square = part("sSup", part("e", sign("v")), part("sup", sign("2")))
    energy = part("sSub", part("e", sign("E")), part("sub", sign("k")))
    total = part("d", part("e", sign("a+b")))
    root = part("rad", '<m:radPr><m:degHide m:val="1"/></m:radPr>', part("deg"), part("e", total))
    series = part(
        "nary",
        '<m:naryPr><m:chr m:val="∑"/></m:naryPr>',
        part("sub", sign("i=1")),
        part("sup", sign("n")),
        part("e", sign("x")),
    )
    ratio = part("f", part("num", sign("a+b")), part("den", sign("2c")))
    for written, read_as in (
        (energy + sign("=") + half + sign("m") + square, "E_k=(1/2)mv²"),
        (root, "√((a+b))"),
        (series, "∑_(i=1)ⁿx"),
        (ratio, "((a+b)/(2c))"),
        (part("sSup", part("e", sign("x")), part("sup", sign("y"))), "x^y"),
    ):
        body = paragraph("Energy", style="Heading1") + paragraph(
            run("The energy is ") + part("oMath", written) + run("."), number=(1, 1)
        )
        numbering = lists([level(0, "%1"), level(1, "%1.%2")])
        assert rules(body, numbering)[1] == ("1.1", f"The energy is {read_as}.")


def test_what_is_deleted_in_an_equation_is_not_in_force():
    struck = f"<w:del {CHANGE}><m:r><m:t>4</m:t></m:r></w:del>"
    new = f"<w:ins {CHANGE}><m:r><m:t>5</m:t></m:r></w:ins>"
    body = paragraph("Energy", style="Heading1") + paragraph(
        run("At most ") + f"<m:oMath><m:r><m:t>E=</m:t></m:r>{struck}{new}</m:oMath>", number=(1, 1)
    )
    clause = read(body, lists([level(0, "%1"), level(1, "%1.%2")])).clauses[-1]
    assert (clause.text, clause.deleted, clause.inserted) == ("At most E=5", ("4",), ("5",))


def test_a_table_of_two_languages_gives_the_rules_of_each():
    rows = (
        ("1. Allgemeines", "1. General"),
        (
            "1.1 Die Veranstaltung wird vom Verband durchgeführt.",
            "1.1 The event is run by the association.",
        ),
        ("2. Fahrzeuge", "2. Vehicles"),
        (
            "2.1 Das Fahrzeug muss mindestens 900 kg wiegen.",
            "2.1 The vehicle must weigh at least 900 kg.",
        ),
        ("2.2 Die Reifen dürfen nicht breit sein.", "2.2 The tyres must not be wide."),
    )
    book = read(table(*rows), "")
    told = {(c.language, c.article): f"{c.title} {c.text}".strip() for c in book.clauses}
    assert told["en", "2.1"] == "The vehicle must weigh at least 900 kg."
    assert told["de", "2.1"] == "Das Fahrzeug muss mindestens 900 kg wiegen."
    assert len(told) == 2 * len(rows)


def test_the_mark_of_an_endnote_is_no_part_of_the_word_before_it():
    note = '<w:r><w:endnoteReference w:id="2"/></w:r>'
    body = paragraph("Cars", style="Heading1") + paragraph(
        run("The brakes are tested") + note + run(" daily."), number=(1, 1)
    )
    parts = {"endnotes": f'<w:endnote w:id="2">{paragraph("By the team.")}</w:endnote>'}
    clause = read(body, lists([level(0, "%1"), level(1, "%1.%2")]), parts=parts).clauses[-1]
    assert (clause.text, clause.footnotes) == ("The brakes are testedⁱ daily.", ("i By the team.",))


MOVED_AWAY, MOVED_HERE = f"<w:moveFrom {CHANGE}/>", f"<w:moveTo {CHANGE}/>"


def articles(book) -> list[str]:
    return [clause.article for clause in book.clauses if clause.status == "in_force"]


def test_sections_of_contracts_count_with_a_zero():
    """Word's own list "Article I, Section 1.01": its legal numbers keep the zero."""
    numbering = lists(
        [
            level(0, "Article %1.", "upperRoman"),
            level(1, "Section %1.%2", "decimalZero", legal=True),
        ]
    )
    body = SCOPE + "".join(
        paragraph(words, style=f"Heading{at}")
        for at, words in ((2, "Cars"), (2, "Drivers"), (1, "Engine"), (2, "Fuel"))
    )
    found = articles(book_of(body + paragraph("It must run."), numbering))
    assert found == ["I", "1.01", "1.02", "II", "2.01"]


def test_a_form_of_numbers_of_its_own_is_written_in_alternate_content():
    """17.9.17: an extended format beside the one for older programs; a letter is before it."""
    custom = (
        "<mc:AlternateContent><mc:Choice Requires='w14'"
        " xmlns:w14='http://schemas.microsoft.com/office/word/2010/wordml'>"
        '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback>'
        '<w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
    )
    numbering = lists([level(0, "R%1").replace('<w:numFmt w:val="decimal"/>', custom)])
    body = "".join(
        paragraph(f"The {thing} must be safe.", number=(1, 0)) for thing in ("car", "fuel", "track")
    )
    assert articles(book_of(body, numbering)) == ["R001", "R002", "R003"]


def test_a_level_may_count_anew_below_the_outermost_one_alone():
    """17.9.10: `lvlRestart` 1 begins anew after the first level, not after the second."""
    numbering = lists([level(0, "%1"), level(1, "%1.%2"), level(2, "%1.%2.%3", restart=1)])
    body = SCOPE + "".join(
        paragraph(f"Part {at}", style=f"Heading{at}") for at in (2, 3, 2, 3, 1, 2, 3)
    )
    found = articles(book_of(body + paragraph("It must run."), numbering))
    assert found == ["1", "1.1", "1.1.1", "1.2", "1.2.2", "2", "2.1", "2.1.1"]


@pytest.mark.parametrize("restarts", [True, False])
@pytest.mark.parametrize(
    ("label", "is_rule"), [("Step %1:", False), ("Note %1 –", False), ("Article %1", True)]
)
def test_steps_and_notes_are_text_of_the_article_that_they_are_in(label, is_rule, restarts):
    numbering = lists(LEGAL, [level(0, label)], instances=[instance(3, 2, start_override(0, 1))])
    body = (
        SCOPE
        + paragraph("Cars", style="Heading2")
        + paragraph("Proceed so:")
        + paragraph("Open the door.", number=(2, 0))
        + paragraph("The driver must leave.", number=(2, 0))
        + paragraph("Drivers", style="Heading2")
        + paragraph("They must be quick.", number=(3 if restarts else 2, 0))
    )
    text = "Proceed so:\n{0} Open the door.\n{1} The driver must leave."
    shown = text.format(label.replace("%1", "1"), label.replace("%1", "2"))
    assert (in_force(book_of(body, numbering))[1] == ("1.1", "Cars", shown)) != is_rule


@pytest.mark.parametrize("label", ["Step %1:", "Note %1", "Beispiel %1"])
def test_steps_may_follow_on_the_number_of_their_article(label):
    numbering = lists(LEGAL, [level(0, label)], instances=[instance(3, 2, start_override(0, 1))])
    body = ""
    for title, number in (("Start", 2), ("Refuelling", 3)):
        body += paragraph(title, style="Heading1")
        body += "".join(paragraph(words, number=(number, 0)) for words in ("Stop.", "Wait."))
    assert articles(book_of(body, numbering)) == ["1", "2"]


@pytest.mark.parametrize("label", ["Rule %1:", "Regel %1 –", "Artikel %1", "R%1", "Bye-law %1."])
def test_articles_count_on_or_begin_anew_in_each_chapter_and_may_have_items(label):
    numbering = lists(
        [level(0, label), level(1, "(%2)", "lowerLetter")],
        instances=[instance(2, 1, start_override(0, 1))],
    )
    for restarts in (True, False):
        body = ""
        for at, chapter in enumerate(("Cars", "Drivers")):
            number = 2 if at and restarts else 1
            title = f"Chapter {at + 1} {chapter}" if restarts else chapter
            body += paragraph(title, style="Heading1")
            body += paragraph("There must be:", number=(number, 0))
            body += paragraph("one in front", number=(number, 1)) + table(["Part", "Mass"])
            body += paragraph("They must be quick.", number=(number, 0))
        data = word_file(body, styles=heading_styles(numbers=False), numbering=numbering)
        found = [
            (clause.article.strip("Bye-law R"), clause.text.partition("\n")[0])
            for clause in read_file(data).clauses
            if clause.text and clause.status == "in_force"
        ]
        texts = ("There must be:", "They must be quick.") * 2
        assert found == [*zip("1212" if restarts else "1234", texts, strict=True)], restarts


def test_numbers_of_the_cells_of_a_table_are_those_of_its_rows():
    rows = [
        [paragraph("", number=(1, 1)), paragraph(f"The {thing} must be safe.")]
        for thing in ("car", "driver")
    ]
    gone = [
        paragraph(deleted("Old."), number=(1, 1), mark=GONE),
        paragraph(deleted("It was."), mark=GONE),
    ]
    body = SCOPE + table(rows[0], gone, rows[1], properties=["", GONE, ""])
    assert in_force(book_of(body)) == [
        ("1", "Scope", ""),
        ("1.1", "", "The car must be safe."),
        ("1.2", "", "The driver must be safe."),
    ]


def test_a_moved_article_has_its_old_number_where_it_was():
    def move(element: str, mark: str) -> str:
        wrap = deleted if element == "moveFrom" else inserted
        return paragraph(wrap("Cars", element=element), style="Heading2", mark=mark) + paragraph(
            wrap("They must be red.", element=element), mark=mark
        )

    body = (
        SCOPE
        + move("moveFrom", MOVED_AWAY)
        + paragraph("Drivers", style="Heading2")
        + paragraph("They must be calm.")
        + paragraph("Engine", style="Heading1")
        + move("moveTo", MOVED_HERE)
    )
    book = book_of(body)
    assert in_force(book) == [
        ("1", "Scope", ""),
        ("1.1", "Drivers", "They must be calm."),
        ("2", "Engine", ""),
        ("2.1", "Cars", "They must be red."),
    ]
    assert [clause.article for clause in book.clauses if clause.status == "deleted"] == ["1.1"]


def test_what_is_deleted_over_three_rules_leaves_one():
    body = (
        SCOPE
        + paragraph(run("It must be red.") + deleted(" Old."), number=(1, 1), mark=GONE)
        + paragraph(deleted("Wholly gone."), number=(1, 1), mark=GONE)
        + paragraph(deleted("This too.") + run(" It must run."), number=(1, 1))
        + paragraph(f"<w:ins {CHANGE}>{deleted('Never. ')}{run('It must stop.')}</w:ins>")
    )
    book = book_of(body)
    assert in_force(book) == [
        ("1", "Scope", ""),
        ("1.1", "", "It must be red. It must run.\nIt must stop."),
    ]
    assert book.clauses[1].deleted == ("Old. Wholly gone. This too.", "Never.")


def test_cells_and_tables_may_be_deleted_and_inserted():
    def cell(change: str, wrap, words: str, mark: str) -> str:
        inside = paragraph(wrap(words), mark=mark)
        return f"<w:tc><w:tcPr><w:{change} {CHANGE}/></w:tcPr>{inside}</w:tc>"

    def row(first: str, old: str, new: str) -> list[str]:
        gone, here = cell("cellDel", deleted, old, GONE), cell("cellIns", inserted, new, NEW)
        return [first, gone, here]

    old = [paragraph(deleted(words), mark=GONE) for words in ("Load", "1 kN")]
    body = (
        SCOPE
        + table(old, properties=[GONE])
        + table(row("Part", "Old", "New"), row("Front", "2 kN", "3 kN"))
    )
    [clause] = book_of(body).clauses
    assert clause.text == "| Part | New |\n|---|---|\n| Front | 3 kN |"
    assert "1 kN" in " ".join(clause.deleted)


def test_changes_of_looks_change_no_words():
    look = f"<w:rPrChange {CHANGE}><w:rPr>{{}}</w:rPr></w:rPrChange>"
    numbers = (
        '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/>'
        f'<w:numberingChange {CHANGE} w:original="%1:7:0:."/></w:numPr>'
    )
    body = SCOPE + paragraph(
        run("Cars ")
        + run("must ", look.format("<w:strike/><w:vanish/>"))
        + run("not ", "<w:strike/>" + look.format(""))
        + run("run."),
        properties=numbers,
    )
    clause = book_of(body).clauses[-1]
    assert (clause.article, clause.text) == ("1.1", "Cars must run.")
    assert (clause.deleted, clause.inserted) == (("not",), ())


def test_a_style_over_another_turns_strokes_and_hiding_round():
    """17.7.3: both styles strike, so nothing does; the run itself has the last word."""

    def character(key: str, look: str) -> str:
        name = f'<w:style w:type="character" w:styleId="{key}"><w:name w:val="{key}"/>'
        return f"{name}<w:rPr>{look}</w:rPr></w:style>"

    styles = paragraph_style("Gone", run="<w:strike/>") + character("S", "<w:strike/>")
    body = SCOPE + paragraph(
        run("It was ")
        + run("It runs. ", '<w:rStyle w:val="S"/>')
        + run("It stops.", '<w:strike w:val="false"/>'),
        style="Gone",
    )
    assert in_force(book_of(body, styles=styles))[0][2] == "It runs. It stops."


def test_fields_go_on_over_paragraphs_and_may_be_deleted():
    def sign(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = "<w:r><w:instrText>INCLUDETEXT a.docx</w:instrText></w:r>"
    gone = (
        f"<w:del {CHANGE}>{sign('begin')}<w:r><w:delInstrText>REF a</w:delInstrText></w:r>"
        f"{sign('separate')}<w:r><w:delText>9.9</w:delText></w:r>{sign('end')}</w:del>"
    )
    body = (
        SCOPE
        + paragraph(run("It is red.") + sign("begin") + code + sign("separate") + run(" And wet."))
        + paragraph(run("It runs.") + sign("end"))
        + paragraph(run("See ") + gone + inserted("1.2") + run("."))
    )
    [clause] = book_of(body).clauses
    assert clause.text == "It is red. And wet.\nIt runs.\nSee 1.2."
    assert clause.deleted == ("9.9",)


def test_words_are_read_through_what_is_around_them():
    frame = '<w:framePr w:dropCap="drop" w:lines="3" w:wrap="around"/>'
    ruby = (
        "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>above</w:t></w:r></w:rt>"
        "<w:rubyBase><w:r><w:t>red</w:t></w:r></w:rubyBase></w:ruby></w:r>"
    )
    body = (
        f'<w:customXml w:element="x">{SCOPE}</w:customXml>'
        + paragraph(run("T"), properties=frame)
        + paragraph(
            run("he car")
            + '<w:r><w:br w:type="page"/></w:r>'
            + f'<w:dir w:val="ltr">{run("must ")}</w:dir><w:bdo w:val="ltr">{run("be ")}</w:bdo>'
            + ruby
            + run(".")
        )
    )
    assert in_force(book_of(body)) == [("1", "Scope", "The car must be red.")]


def _in_strict_names(name: str, data: bytes) -> tuple[str, bytes]:
    for part in ("officeDocument/2006/", "wordprocessingml/2006/"):
        old = f"http://schemas.openxmlformats.org/{part}"
        new = f"http://purl.oclc.org/ooxml/{part.removesuffix('2006/')}"
        data = data.replace(old.encode(), new.encode())
    return name, data


def _in_utf_16(name: str, data: bytes) -> tuple[str, bytes]:
    head = '<?xml version="1.0" encoding="UTF-16"?>'
    return name, f"{head}{data.decode()}".encode("utf-16")


def _renamed(name: str, data: bytes) -> tuple[str, bytes]:
    """As the web version of Word names its parts, with targets from the root."""
    data = data.replace(b"word/document.xml", b"/word/Document2.xml")
    data = data.replace(b'Target="styles', b'Target="/word/Styles')
    return name.replace("word/document.xml", "word/document2.xml").replace(
        "document.xml.rels", "document2.xml.rels"
    ), data


@pytest.mark.parametrize("change", [_in_strict_names, _in_utf_16, _renamed])
def test_a_file_may_be_packed_otherwise(change):
    body = SCOPE + paragraph(
        run("Cars must ") + deleted("not ") + inserted("always ") + run("run.")
    )
    packed, repacked = (
        io.BytesIO(word_file(body, styles=heading_styles(), numbering=lists(LEGAL))),
        io.BytesIO(),
    )
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(repacked, "w") as new:
        for name in old.namelist():
            new.writestr(*change(name, old.read(name)))
    assert in_force(read_file(repacked.getvalue())) == [("1", "Scope", "Cars must always run.")]


def test_headings_are_known_by_the_names_of_styles_that_a_file_does_not_describe():
    body = (
        paragraph("1 Scope", style="Heading1")
        + paragraph("1.1 Cars", style="Heading2")
        + paragraph("They must be red.", number=(7, 0))
        + paragraph("2 Engine", style="Heading1")
        + paragraph("It must run.")
    )
    assert in_force(read_file(word_file(body))) == [
        ("1", "Scope", ""),
        ("1.1", "Cars", "They must be red."),
        ("2", "Engine", "It must run."),
    ]


def test_a_frame_in_a_struck_equation_is_struck():
    frame = "<m:oMath><m:borderBox><m:e><m:r><m:t>x</m:t></m:r></m:e></m:borderBox></m:oMath>"
    styles = paragraph_style("Gone", run="<w:strike/>")
    body = SCOPE + paragraph(run("It was ") + frame, style="Gone") + paragraph("It runs.")
    assert in_force(book_of(body, styles=styles))[0][2] == "It runs."
