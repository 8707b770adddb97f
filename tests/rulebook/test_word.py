"""Word files are read into the clauses that Word shows, with all changes accepted.

What is expected follows from ECMA-376, Part 1; the sections are named where they decide.
"""

import io
from hashlib import sha256
from itertools import product

import docx
import pytest

from core.grammar import collect_limits, read_passages
from core.rulebook.isolation.messages import WordJob
from core.rulebook.isolation.word_process import build_from_word
from core.rulebook.word.numbering import format_number
from tests.rulebook.word_builder import (
    CHANGE,
    deleted,
    field,
    heading_styles,
    inserted,
    instance,
    level,
    level_override,
    lists,
    paragraph,
    paragraph_style,
    run,
    start_override,
    table,
    word_file,
)

LEGAL = [level(0, "%1"), level(1, "%1.%2"), level(2, "%1.%2.%3")]
GONE, NEW = f"<w:del {CHANGE}/>", f"<w:ins {CHANGE}/>"
SCOPE = paragraph("Scope", style="Heading1")


def read(data: bytes, name: str = "rules.docx"):
    return build_from_word(WordJob(data, sha256(data).hexdigest(), name))


def book_of(body: str, numbering: str = "", styles: str = "", **parts):
    """The rulebook of a Word file whose headings are numbered 1, 1.1, 1.1.1."""
    styles = heading_styles() + styles
    return read(word_file(body, styles=styles, numbering=numbering or lists(LEGAL), **parts))


def in_force(book) -> list[tuple[str, str, str]]:
    """Article, title and text of each rule in force."""
    return [(c.article, c.title, c.text) for c in book.clauses if c.status == "in_force"]


def rules(body: str, numbering: str = "", styles: str = "", **parts) -> list[tuple[str, str, str]]:
    return in_force(book_of(body, numbering, styles, **parts))


def marks_of(clause) -> list[tuple[str, str, bool]]:
    """Kind and text of each mark, and whether it moved."""
    return [(m.kind, m.text, bool(m.change and m.change.moved)) for m in clause.marks]


def test_numbers_of_headings_are_those_that_word_makes():
    body = (
        SCOPE
        + paragraph("Cars", style="Heading2")
        + paragraph("The car must have four wheels.")
        + paragraph("Engine", style="Heading1")
        + paragraph("Fuel", style="Heading2")
        + paragraph("No fuel may be added.")
    )
    assert rules(body) == [
        ("1", "Scope", ""),
        ("1.1", "Cars", "The car must have four wheels."),
        ("2", "Engine", ""),
        ("2.1", "Fuel", "No fuel may be added."),
    ]


# 17.18.59: what each format writes for 1, 2, 4, 9, 27 and 40.
FORMATS = {
    "decimal": ("1", "2", "4", "9", "27", "40"),
    "upperRoman": ("I", "II", "IV", "IX", "XXVII", "XL"),
    "lowerRoman": ("i", "ii", "iv", "ix", "xxvii", "xl"),
    "upperLetter": ("A", "B", "D", "I", "AA", "NN"),
    "lowerLetter": ("a", "b", "d", "i", "aa", "nn"),
    "decimalZero": ("01", "02", "04", "09", "27", "40"),
    "ordinal": ("1st", "2nd", "4th", "9th", "27th", "40th"),
    "cardinalText": ("One", "Two", "Four", "Nine", "Twenty-seven", "Forty"),
    "ordinalText": ("First", "Second", "Fourth", "Ninth", "Twenty-seventh", "Fortieth"),
    "hex": ("1", "2", "4", "9", "1B", "28"),
    "chicago": ("*", "†", "§", "***"[:1] * 3, "‡" * 7, "§" * 10),
    "none": ("", "", "", "", "", ""),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_writes_its_numbers(name):
    assert tuple(format_number(n, name) for n in (1, 2, 4, 9, 27, 40)) == FORMATS[name]


@pytest.mark.parametrize(
    ("language", "article"), [("en-GB", "Article 1st"), ("fr-FR", "1"), ("", "Article 1st")]
)
def test_ordinals_of_other_languages_are_digits(language, article):
    """Word writes those of the language ("1er"), never English ones in it (17.18.59)."""
    given = f'<w:rPr><w:lang w:val="{language}"/></w:rPr>' if language else ""
    defaults = f"<w:docDefaults><w:rPrDefault>{given}</w:rPrDefault></w:docDefaults>"
    numbering = lists([level(0, "Article %1", "ordinal"), level(1, "%1.%2")])
    body = SCOPE + paragraph("Les voitures roulent.", number=(1, 1))
    assert rules(body, numbering, defaults)[0] == (article, "Scope", "")


OUTER = {"decimal": ("1", "2"), "upperRoman": ("I", "II"), "upperLetter": ("A", "B")}
AROUND = {
    "%1": "{}",
    "%1.": "{}.",
    "Article %1": "Article {}",
    "(%1)": "({})",
    "Rule %1:": "Rule {}:",
}
KINDS = list(product(OUTER, AROUND, (False, True), (None, 0)))


@pytest.mark.parametrize(("outer", "text", "legal", "restart"), KINDS)
def test_numbers_of_any_kind_are_cited_as_they_are_shown(outer, text, legal, restart):
    """Outermost numbers of any kind, below them "1.1"; legal ones in digits; restarted or not."""
    numbering = lists([level(0, text, outer), level(1, "%1.%2", legal=legal, restart=restart)])
    body = "".join(
        paragraph(words, style=f"Heading{at}")
        for at, words in ((1, "Scope"), (2, "Cars"), (2, "Drivers"), (1, "Engine"), (2, "Fuel"))
    )
    first, second = ("1", "2") if legal else OUTER[outer]
    below = [f"{first}.1", f"{first}.2", f"{second}.{1 if restart is None else 3}"]
    own = list(OUTER[outer])
    found = [c.article for c in book_of(body + paragraph("It must run."), numbering).clauses]
    assert found == [own[0], *below[:2], own[1], below[2]]


def test_restarts_and_overrides_count_as_the_specification_says():
    """17.9.8 and 17.9.27: an instance may begin anew, once, and format a level otherwise."""
    numbering = lists(
        [level(0, "%1."), level(1, "%1.%2")],
        instances=[
            instance(2, 1, start_override(0, 7)),
            instance(3, 1, level_override(0, level(0, "Rule %1", "upperRoman"))),
            instance(4, 1),
        ],
    )
    numbers = [(1, 0), (1, 1), (4, 0), (2, 0), (2, 1), (2, 0), (3, 0), (1, 0)]
    body = "".join(
        paragraph(f"The car must have {at} doors.", number=number)
        for at, number in enumerate(numbers, start=1)
    )
    found = [article for article, _, _ in rules(body, numbering)]
    assert found == ["1", "1.1", "2", "7", "7.1", "8", "IX", "10"]


def test_a_style_gives_numbers_and_levels_to_the_styles_based_on_it():
    """17.7.4.3: a level is linked to a style; 17.9.19: the number 0 is none."""
    numbering = lists(
        [level(0, "%1", style="Chapter"), level(1, "%1.%2", style="Clause")],
        [level(0, "(%1)", "lowerLetter", style="Item")],
    )
    numbers = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    styles = (
        paragraph_style("Chapter", numbers + '<w:outlineLvl w:val="0"/>')
        + paragraph_style("Clause", numbers)
        + paragraph_style("Warning", "", based_on="Clause")
        + paragraph_style("Plain", '<w:numPr><w:numId w:val="0"/></w:numPr>', based_on="Clause")
        + paragraph_style("Item", '<w:numPr><w:numId w:val="2"/></w:numPr>')
    )
    off = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>'
    body = (
        paragraph("Safety", style="Chapter")
        + paragraph("The driver must wear:", style="Clause")
        + paragraph("a helmet;", style="Item")
        + paragraph("gloves.", style="Item")
        + paragraph("They must be dry.", style="Plain")
        + paragraph("Nobody may smoke.", style="Warning")
        + paragraph("It is dangerous.", style="Clause", properties=off)
    )
    assert rules(body, numbering, styles) == [
        ("1", "Safety", ""),
        ("1.1", "", "The driver must wear:\n(a) a helmet;\n(b) gloves.\nThey must be dry."),
        ("1.2", "", "Nobody may smoke.\nIt is dangerous."),
    ]


def test_a_list_takes_its_levels_from_a_list_style():
    """17.9.21 and 17.9.27: `numStyleLink` leads to the list with that `styleLink`."""
    numbering = (
        '<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="Rules"/>'
        + "".join(LEGAL)
        + '</w:abstractNum><w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="Rules"/>'
        '</w:abstractNum><w:num w:numId="8"><w:abstractNumId w:val="1"/></w:num>'
        '<w:num w:numId="9"><w:abstractNumId w:val="2"/></w:num>'
    )
    style = (
        '<w:style w:type="numbering" w:styleId="Rules"><w:name w:val="Rules"/><w:pPr><w:numPr>'
        '<w:numId w:val="8"/></w:numPr></w:pPr></w:style>'
    )
    body = paragraph("The car must be red.", number=(9, 0)) + paragraph(
        "It must be clean.", number=(9, 1)
    )
    assert [one for one, _, _ in rules(body, numbering, style)] == ["1", "1.1"]


def test_lists_within_a_rule_are_its_text_and_count_anew():
    numbering = lists(
        LEGAL,
        [level(0, "%1."), level(1, "%2)", "lowerLetter")],
        [level(0, "\uf0b7", "bullet")],
        instances=[instance(4, 2, start_override(0, 1))],
    )
    body = (
        SCOPE
        + paragraph("Cars", style="Heading2")
        + paragraph("The car must have:")
        + paragraph("wheels;", number=(2, 0))
        + paragraph("in front;", number=(2, 1))
        + paragraph("behind;", number=(2, 1))
        + paragraph("a seat.", number=(2, 0))
        + paragraph("Drivers", style="Heading2")
        + paragraph("The driver must have:")
        + paragraph("a licence;", number=(4, 0))
        + paragraph("gloves.", number=(3, 0))
    )
    assert rules(body, numbering) == [
        ("1", "Scope", ""),
        ("1.1", "Cars", "The car must have:\n1. wheels;\na) in front;\nb) behind;\n2. a seat."),
        ("1.2", "Drivers", "The driver must have:\n1. a licence;\n• gloves."),
    ]


def test_rules_of_one_list_without_headings_are_clauses():
    numbering = lists([level(0, "%1.")])
    body = "".join(
        paragraph(f"The {thing} must be safe.", number=(1, 0))
        for thing in ("car", "driver", "track", "fuel")
    )
    assert [article for article, _, _ in rules(body, numbering)] == ["1", "2", "3", "4"]


def test_deleted_rules_keep_their_old_number_and_the_next_one_has_it_now():
    body = (
        SCOPE
        + paragraph(deleted("Old"), style="Heading2", mark=GONE)
        + paragraph(deleted("Old text."), mark=GONE)
        + paragraph("New", style="Heading2")
        + paragraph(run("The width must be ") + deleted("180") + inserted("200") + run(" mm."))
        + table(["Load", "Limit"], ["Front", "2 kN"])
    )
    _, old, new = book_of(body).clauses
    assert (old.article, old.status, old.deleted) == ("1.1", "deleted", ("1.1 Old Old text.",))
    assert (new.article, new.status, new.page_first) == ("1.1", "in_force", None)
    assert new.text.startswith("The width must be 200 mm.\n| Load | Limit |")
    assert (new.deleted, new.inserted) == (("180",), ("200",))
    assert (new.marks[0].change.by, new.marks[0].change.at) == ("Jane Doe", "2025-02-03T10:00:00Z")


def test_a_changed_list_level_is_in_force_and_the_old_one_counts_for_what_was_deleted():
    """17.13.5.29: `pPrChange` holds the properties before the change."""
    was = f'<w:pPrChange {CHANGE}><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange>'
    body = (
        SCOPE
        + paragraph("Cars", style="Heading2", properties=was)  # was article 2
        + paragraph(deleted("Old engine"), style="Heading1", mark=GONE)  # was article 3
        + paragraph("Engine", style="Heading1")
        + paragraph("It must run.")
        + paragraph(inserted("Fuel"), style="Heading1", mark=NEW)
        + paragraph(inserted("It must be clean."), mark=NEW)
    )
    book = book_of(body)
    assert [(c.article, c.status) for c in book.clauses] == [
        ("1", "in_force"),
        ("1.1", "in_force"),
        ("3", "deleted"),
        ("2", "in_force"),
        ("3", "in_force"),
    ]
    assert book.clauses[-1].inserted == ("3 Fuel It must be clean.",)


def test_paragraphs_whose_mark_is_deleted_or_inserted_are_joined_or_parted():
    """17.13.5.15: the content goes on in the next paragraph."""
    body = (
        SCOPE
        + paragraph("The car must be red", style="Heading2", mark=GONE)
        + paragraph(deleted("Not this.") + run(" and clean."), style="Heading2")
        + paragraph("The driver must be calm.", style="Heading2", mark=NEW)
        + paragraph("The track must be dry.", style="Heading2")
        + paragraph("")
    )
    found = [(article, title + text) for article, title, text in rules(body)]
    assert found == [
        ("1", "Scope"),
        ("1.1", "The car must be red and clean."),
        ("1.2", "The driver must be calm."),
        ("1.3", "The track must be dry."),
    ]


def test_moved_text_is_deleted_where_it_was_and_inserted_where_it_is():
    body = (
        SCOPE
        + paragraph("Cars", style="Heading2")
        + paragraph(
            deleted("The wheels must be round.", element="moveFrom"),
            mark=f"<w:moveFrom {CHANGE}/>",
        )
        + paragraph("The car must be red.")
        + paragraph("Wheels", style="Heading2")
        + paragraph(
            inserted("The wheels must be round.", element="moveTo"), mark=f"<w:moveTo {CHANGE}/>"
        )
    )
    book = book_of(body)
    cars, wheels = book.clauses[1:]
    assert (cars.text, wheels.text) == ("The car must be red.", "The wheels must be round.")
    assert marks_of(cars) == [("deleted", "The wheels must be round.", True)]
    assert marks_of(wheels) == [("inserted", "The wheels must be round.", True)]


def test_tables_keep_their_cells_and_lose_their_deleted_rows():
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("Loads")}</w:tc>'
    begins = f'<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{paragraph("Front")}</w:tc>'
    goes_on = f"<w:tc><w:tcPr><w:vMerge/></w:tcPr>{paragraph('')}</w:tc>"
    inner = paragraph("of steel") + table(["2 kN", "3 kN"]) + paragraph("")
    body = (
        SCOPE
        + paragraph("The loads are:")
        + table(
            [wide, "Note"],
            [begins, "1 kN", "dry"],
            [goes_on, inner, "wet"],
            ["Rear", "4 kN", "old"],
            ["Rear", "5 kN", "new"],
            properties=["", "", "", GONE, NEW],
        )
    )
    [(_, _, text)] = rules(body)
    assert text == (
        "The loads are:\n| Loads |  | Note |\n|---|---|---|\n| Front | 1 kN | dry |\n"
        "|  | of steel 2 kN 3 kN | wet |\n| Rear | 5 kN | new |"
    )
    assert "Rear 4 kN old" in " ".join(book_of(body).clauses[0].deleted)


def test_footnotes_and_endnotes_hang_on_the_rule_that_bears_their_mark():
    def note(kind, key, text):
        mark = f"<w:r><w:{kind}Ref/></w:r>"
        return f'<w:{kind} w:id="{key}">{paragraph(mark + run(" " + text))}</w:{kind}>'

    def mark(kind, key):
        return f'<w:r><w:{kind}Reference w:id="{key}"/></w:r>'

    notes = note("footnote", 2, "Of 2024.") + note("footnote", 3, "Of 2025.")
    body = (
        SCOPE
        + paragraph(run("The car must be new") + mark("footnote", 3) + run(" and clean."))
        + paragraph(run("It must run") + mark("footnote", 2) + mark("endnote", 2) + run("."))
    )
    parts = {"footnotes": notes, "endnotes": note("endnote", 2, "See the annex.")}
    book = book_of(body, parts=parts)
    [rule] = book.clauses
    assert rule.text == "The car must be new¹ and clean.\nIt must run²ⁱ."
    assert rule.footnotes == ("1 Of 2025.", "2 Of 2024.", "i See the annex.")
    assert [text.kind for text in book.other_texts] == ["footnote"] * 3


def test_the_mark_of_a_note_is_no_power_of_a_unit():
    """Word shows "40 mm" and a raised 2: the file says that it is no square millimetre."""
    note = f'<w:footnote w:id="2">{paragraph("With the driver.")}</w:footnote>'
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = SCOPE + paragraph(
        run("The car")
        + mark
        + run(" must have 40 ")
        + run("mm")
        + mark
        + run(" of ground clearance, 3 m")
        + run("2", '<w:vertAlign w:val="superscript"/>')
        + mark
    )
    book = book_of(body, parts={"footnotes": note})
    assert in_force(book) == [
        ("1", "Scope", "The car¹ must have 40 mm ² of ground clearance, 3 m² ³")
    ]


def test_fields_show_their_kept_results_and_a_list_of_contents_is_no_rule():
    entry = field('TOC \\o "1-3"', run("1 Scope") + "<w:r><w:tab/></w:r>" + run("3"))
    nested = field("IF ", run("Article "), inside=field("REF a", run("not this")))
    body = (
        paragraph("Contents", style="TOCHeading")
        + paragraph(entry)
        + SCOPE
        + paragraph(
            run("See ")
            + nested
            + field("REF _Ref1 \\r \\h", run("2.1"))
            + '<w:fldSimple w:instr=" REF _Ref2 \\w ">'
            + run(" and 2.2")
            + "</w:fldSimple>"
            + run(".")
        )
    )
    styles = (
        '<w:style w:type="paragraph" w:styleId="TOCHeading"><w:name w:val="TOC Heading"/></w:style>'
    )
    book = book_of(body, styles=styles)
    assert in_force(book) == [("1", "Scope", "See Article 2.1 and 2.2.")]
    assert book.clauses[0].references == ("2.1", "2.2")
    assert [(text.kind, text.text) for text in book.other_texts] == [
        ("contents", "Contents\n1 Scope 3")
    ]


def test_a_paragraph_has_the_level_that_it_gives_itself():
    """Its own level is nearer than the one that is linked to its style (17.9.3, 17.9.23)."""
    numbering = lists(
        [*LEGAL[:2], level(2, "%1.%2.%3", style="Rule"), level(3, "%4)", "lowerLetter")]
    )
    styles = paragraph_style("Rule", '<w:numPr><w:numId w:val="1"/></w:numPr>')
    deeper = '<w:numPr><w:ilvl w:val="3"/></w:numPr>'
    body = (
        SCOPE
        + paragraph("Cars", style="Heading2")
        + paragraph("Cars must have:", style="Rule")
        + paragraph("a door.", style="Rule", properties=deeper)
    )
    assert rules(body, numbering, styles)[-1] == ("1.1.1", "", "Cars must have:\na) a door.")


def test_boxes_comments_and_headers_are_no_rules():
    box = "<w:txbxContent>" + paragraph("The box must be empty.") + "</w:txbxContent>"
    drawing = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>"
        f"{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    comment = f'<w:comment {CHANGE} w:initials="J">{paragraph("Must this stay?")}</w:comment>'
    body = SCOPE + paragraph(
        run("The car must run.") + drawing + '<w:r><w:commentReference w:id="9"/></w:r>'
    )
    parts = {
        "comments": comment,
        "header1": paragraph("2025 Cup Rules"),
        "footer1": paragraph("Issue 4"),
    }
    book = book_of(body, parts=parts)
    assert in_force(book) == [("1", "Scope", "The car must run.")]
    others = [(text.kind, text.title, text.text) for text in book.other_texts]
    assert others == [
        ("comment", "Jane Doe, 2025-02-03", "Must this stay?"),
        ("text_box", "", "The box must be empty."),
    ]
    put_away = {row.words for row in book.report.account.put_away if row.place == "furniture"}
    assert put_away == {"2025 Cup Rules", "Issue 4"}
    assert (book.identity.season, book.identity.issue) == (2025, 4)


def test_boxes_that_hold_most_of_the_text_are_the_text():
    """So converters write that keep the layout of pages: in their order, tables too."""

    def box(*inside):
        words = "".join(inside)
        content = f"<w:txbxContent>{words}</w:txbxContent>"
        return f"<w:r><w:pict><v:textbox>{content}</v:textbox></w:pict></w:r>"

    first, second = paragraph("The car must run."), paragraph("Cars", style="Heading2")
    body = (
        paragraph(box(SCOPE, first) + box(second))
        + table([paragraph(box(paragraph("Axle"))), "kg"], ["front", "300"])
        + paragraph(box(paragraph("It must be red."), paragraph(box(paragraph("And clean.")))))
    )
    book = book_of(body)
    assert in_force(book) == [
        ("1", "Scope", "The car must run."),
        (
            "1.1",
            "Cars",
            "| Axle | kg |\n|---|---|\n| front | 300 |\nIt must be red.\nAnd clean.",
        ),
    ]
    assert not book.other_texts


def test_hidden_and_struck_text_is_not_in_force():
    styles = (
        '<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/>'
        "</w:rPr></w:style>"
    )
    body = (
        SCOPE
        + paragraph(
            run("The car must ")
            + run("not ", "<w:vanish/>")
            + run("never ", '<w:rStyle w:val="Secret"/>')
            + run("ever ", "<w:strike/>")
            + run("soon ", "<w:dstrike/>")
            + run("really ", '<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>')
            + run("stop.")
        )
        + paragraph(run("Wholly hidden.", "<w:vanish/>"), mark="<w:vanish/>", style="Heading2")
        + paragraph("Cars", style="Heading2")
        + paragraph("They must run.")
    )
    book = book_of(body, styles=styles)
    assert in_force(book) == [
        ("1", "Scope", "The car must really stop."),
        ("1.1", "Cars", "They must run."),
    ]
    kinds = [(kind, text) for kind, text, _ in marks_of(book.clauses[0])]
    assert kinds == [
        ("hidden", "not never"),
        ("deleted", "ever soon"),
        ("hidden", "Wholly hidden."),
    ]


def test_colours_mean_what_a_legend_says():
    pink = '<w:color w:val="E6007E"/>'
    body = (
        paragraph("2025 Cup Sporting Regulations")
        + paragraph(run("Pink text: changes relative to Issue 1.", pink))
        + SCOPE
        + paragraph(run("The car must ") + run("always ", pink) + run("run."))
    )
    book = book_of(body)
    [rule] = [clause for clause in book.clauses if clause.article == "1"]
    assert (rule.text, rule.inserted) == ("The car must always run.", ("always",))
    assert book.identity.legend == "changes relative to Issue 1."


def test_what_is_around_and_within_runs_is_read_as_it_is_seen():
    control = (
        "<w:sdt><w:sdtPr><w:alias w:val='x'/></w:sdtPr><w:sdtContent>"
        + run("red")
        + "</w:sdtContent></w:sdt>"
    )
    signs = (
        '<w:r><w:t>2</w:t><w:noBreakHyphen/><w:t>3</w:t><w:t xml:space="preserve"> me</w:t>'
        "<w:softHyphen/><w:t>tres, 5</w:t>"
        '<w:sym w:font="Symbol" w:char="F0B0"/><w:t>C,</w:t><w:tab/><w:t>10 m</w:t></w:r>'
        + run("2", '<w:vertAlign w:val="superscript"/>')
        + run(" 3 m")
        + run("3", '<w:position w:val="6"/><w:sz w:val="14"/>')
        + "<w:r><w:br/><w:t>Then on.</w:t></w:r>"
    )
    body = (
        SCOPE
        + paragraph(
            run("The car must be ")
            + control
            + "<w:smartTag>"
            + run(" and")
            + "</w:smartTag>"
            + '<w:hyperlink w:anchor="a">'
            + run(" fast", '<w:color w:val="0563C1"/>')
            + "</w:hyperlink>"
            + run(".")
        )
        + f"<w:sdt><w:sdtContent>{paragraph('It must be clean.')}</w:sdtContent></w:sdt>"
        + paragraph(signs)
        + paragraph(run("small caps", "<w:caps/>"))
    )
    book = book_of(body)
    assert in_force(book) == [
        (
            "1",
            "Scope",
            "The car must be red and fast.\nIt must be clean.\n2-3 metres, 5°C, 10 m² 3 m³"
            "\nThen on.\nSMALL CAPS",
        )
    ]
    assert not book.clauses[0].inserted


def test_a_heading_may_run_into_its_text():
    """17.3.2.36: a hidden paragraph mark that is special parts styles within a line."""
    mark = "<w:vanish/><w:specVanish/>"
    body = (
        SCOPE
        + paragraph("Cars.", style="Heading2", mark=mark)
        + paragraph(" They must run.")
        + paragraph("Drivers.", style="Heading2", mark=mark)
        + paragraph(" They must drive.")
    )
    assert rules(body) == [
        ("1", "Scope", ""),
        ("1.1", "Cars", "They must run."),
        ("1.2", "Drivers", "They must drive."),
    ]


def test_typed_numbers_are_read_as_on_a_page():
    document = docx.Document()
    document.add_heading("2025 Cup Technical Regulations", 0)
    document.add_heading("1 Scope", 1)
    for number, words in (("1.1", "The car must run."), ("1.2", "The driver must drive.")):
        document.add_paragraph(f"{number}\t{words}")
    document.add_heading("2 Engine", 1)
    document.add_paragraph("2.1\tThe engine must be electric.")
    packed = io.BytesIO()
    document.save(packed)
    book = read(packed.getvalue())
    assert in_force(book)[-5:] == [
        ("1", "Scope", ""),
        ("1.1", "", "The car must run."),
        ("1.2", "", "The driver must drive."),
        ("2", "Engine", ""),
        ("2.1", "", "The engine must be electric."),
    ]


def test_a_heading_may_be_broken_and_an_equation_is_written_in_a_line():
    broken = run("Scope") + "<w:r><w:br/></w:r>" + run("of these rules")
    power = (
        "<m:sSup><m:e><m:r><m:t>v</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
    )
    half = (
        "<m:f><m:fPr/><m:num><m:r><m:t>1</m:t></m:r></m:num>"
        "<m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    )
    body = (
        paragraph(broken, style="Heading1")
        + paragraph("Cars must run.")
        + paragraph(
            run("The energy is") + f"<m:oMath>{half}<m:r><m:t>m</m:t></m:r>{power}</m:oMath>"
        )
    )
    assert rules(body) == [("1", "Scope of these rules", "Cars must run.\nThe energy is (1/2)mv²")]


def test_an_unnumbered_heading_ends_the_article_before_it():
    off = '<w:numPr><w:numId w:val="0"/></w:numPr>'
    body = (
        SCOPE
        + paragraph("Cars must run.")
        + paragraph("Glossary", style="Heading1", properties=off)
        + paragraph("A car is a vehicle.")
    )
    assert rules(body) == [
        ("1", "Scope", "Cars must run."),
        ("Glossary", "Glossary", "A car is a vehicle."),
    ]


TINY, WHITE = '<w:sz w:val="2"/>', '<w:color w:val="FFFFFF"/>'
BLACK_BELOW = '<w:shd w:val="clear" w:fill="000000"/>'
UNSEEN = {
    "white": WHITE,
    "nearly white": '<w:color w:val="FDFEFD"/>',
    "white of the theme": '<w:color w:val="000000" w:themeColor="background1"/>',
    "the colour of its shading": '<w:color w:val="000001"/>' + BLACK_BELOW,
    "the colour of its highlight": '<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>',
    "white on a shading that is none": WHITE + '<w:shd w:val="clear" w:fill="auto"/>',
    "tiny": TINY,
    "without a fill": '<w14:textFill xmlns:w14="urn:x"><w14:noFill/></w14:textFill>',
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_nobody_sees_is_not_in_force(name):
    book = book_of(SCOPE + paragraph(run("Cars must run.") + run(" Never stop.", UNSEEN[name])))
    assert in_force(book) == [("1", "Scope", "Cars must run.")]
    assert marks_of(book.clauses[0]) == [("hidden", "Never stop.", False)]
    assert any(one.code == "hidden_text" for one in book.report.warnings)


@pytest.mark.parametrize(
    "look",
    [
        WHITE + BLACK_BELOW,
        WHITE + '<w:highlight w:val="black"/>',
        WHITE + '<w:shd w:val="pct50" w:color="000000" w:fill="FFFFFF"/>',
        '<w:color w:val="auto"/>' + BLACK_BELOW,
        '<w:color w:val="A0A0A0"/>',
        '<w:sz w:val="5"/>',
    ],
)
def test_what_is_seen_on_its_ground_is_in_force(look):
    assert rules(SCOPE + paragraph(run("Cars must run.", look)))[0][2] == "Cars must run."


def test_white_text_is_seen_on_the_colour_of_its_paragraph_cell_or_table():
    head = f"<w:tc><w:tcPr>{BLACK_BELOW}</w:tcPr>{paragraph(run('Part', WHITE))}</w:tc>"
    gone = f"<w:tc>{paragraph(run('Secret', WHITE))}</w:tc>"
    styled = table([paragraph(run("Wheel", WHITE)), "Four"]).replace(
        "<w:tblPr/>", '<w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr>'
    )
    dark = (
        '<w:style w:type="table" w:styleId="Dark"><w:tblStylePr w:type="firstRow"><w:tcPr>'
        f"{BLACK_BELOW}</w:tcPr></w:tblStylePr></w:style>"
    )
    body = (
        SCOPE
        + paragraph(run("It must run.", WHITE), properties=BLACK_BELOW)
        + table([head, "Most"], [gone, "5 mm"])
        + paragraph("Then:")
        + styled
    )
    assert rules(body, styles=dark)[0][2] == (
        "It must run.\n| Part | Most |\n|---|---|\n|  | 5 mm |\nThen:\n| Wheel | Four |\n|---|---|"
    )


def test_a_heading_that_nobody_sees_parts_no_rules():
    white = paragraph(run("Secret", WHITE), style="Heading2", mark=WHITE)
    body = SCOPE + paragraph("Cars", style="Heading2") + paragraph("They run.") + white
    assert rules(body + paragraph("They stop.")) == [
        ("1", "Scope", ""),
        ("1.1", "Cars", "They run.\nThey stop."),
    ]


def test_placeholders_and_the_text_below_merged_cells_are_not_shown():
    control = "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
    merged = "<w:tc><w:tcPr><w:vMerge{}/></w:tcPr>{}</w:tc>"
    begins = ' w:val="restart"'
    rows = (
        f"<w:tr>{merged.format(begins, paragraph('Part'))}"
        f"<w:tc>{paragraph('Most')}</w:tc></w:tr>"
        f"<w:tr>{merged.format('', paragraph('Secret'))}"
        + control.format(f"<w:tc>{paragraph('Enter a size.')}</w:tc>")
        + "</w:tr>"
    )
    body = (
        SCOPE
        + paragraph(run("Cars must run.") + control.format(run(" Click to enter text.")))
        + control.format(paragraph("Choose an item."))
        + f"<w:tbl>{rows}</w:tbl>"
    )
    book = book_of(body)
    assert in_force(book)[0][2] == "Cars must run.\n| Part | Most |\n|---|---|"
    assert {mark.kind for mark in book.clauses[0].marks} == {"hidden"}


INLINE = '<w:r><w:drawing><wp:inline xmlns:wp="urn:x"/></w:drawing></w:r>'
PICTURE = '<w:r><w:pict><v:shape style="width:20pt"><v:imagedata/></v:shape></w:pict></w:r>'
FLOATING = (
    '<w:r><w:drawing><wp:anchor xmlns:wp="urn:x"><pic:pic xmlns:pic="urn:pic"/></wp:anchor>'
    "</w:drawing></w:r>"
)
EQUATION = '<w:r><w:object><o:OLEObject xmlns:o="urn:o" ProgID="Equation.3"/></w:object></w:r>'
SHEET = "<w:r><w:object><v:shape/></w:object></w:r>"
NO_RESULT = field("EQ \\f(1;2)", "")
OBJECTS = {
    "figure": (INLINE, PICTURE),
    "equation": (EQUATION, NO_RESULT),
    "object": (SHEET,),
    "field": ('<w:fldSimple w:instr="DOCPROPERTY Mass"/>',),
}


@pytest.mark.parametrize(("kind", "xml"), [(k, xml) for k, all_ in OBJECTS.items() for xml in all_])
def test_what_has_no_words_leaves_a_sign_and_takes_the_limit_away(kind, xml):
    body = SCOPE + paragraph(run("The mass must be at most 5 ") + xml + run(" kg."))
    book = book_of(body)
    text = in_force(book)[0][2]
    assert text == f"The mass must be at most 5 [{kind.capitalize()}, shown in the Word file] kg."
    [warning] = [one for one in book.report.warnings if one.code == "object_unread"]
    assert warning.message.startswith("1 holds a")
    assert kind in warning.message
    limits, omitted = collect_limits(read_passages(text))
    assert not limits
    assert [one.reason for one in omitted] == ["formula"]


@pytest.mark.parametrize("picture", [INLINE, FLOATING, PICTURE])
def test_a_picture_of_its_own_is_a_line_of_its_article(picture):
    body = (
        paragraph(picture)
        + paragraph("2025 Cup Rules")
        + SCOPE
        + paragraph("The mass must be at most 5 kg.")
        + paragraph(picture * 2)
        + paragraph(FLOATING + run("Cars must run."))
        + paragraph(picture, style="Heading2")
    )
    book = book_of(body)
    [(_, _, text)] = [rule for rule in in_force(book) if rule[0] == "1"]
    sign = "[Figure, shown in the Word file]"
    assert text == f"The mass must be at most 5 kg.\n{sign}\nCars must run."
    assert [one.value for one in collect_limits(read_passages(text))[0]] == [5]
    assert book.identity.title == "2025 Cup Rules"


def test_the_title_and_the_running_lines_have_no_signs():
    header = paragraph(INLINE + run("2025 Formula Student Rules ") + SHEET)
    front = paragraph(INLINE + run("Formula Student Rules 2025"))
    book = book_of(front + SCOPE + paragraph("Cars must run."), parts={"header1": header})
    assert (book.identity.family, book.identity.season) == ("formula-student", 2025)
    assert not [row for row in book.report.account.put_away if "[" in row.words]


def test_a_sentence_beside_one_with_a_sign_keeps_its_limit():
    text = "[Equation, shown in the Word file] applies. The mass must be at most 5 kg."
    limits, _ = collect_limits(read_passages(text))
    assert [(one.relation, one.value) for one in limits] == [("at most", 5)]


def equation(element: str, inside: str, properties: str = "") -> str:
    """An element of an equation in a line."""
    properties = f"<m:{element}Pr>{properties}</m:{element}Pr>"
    return f"<m:oMath><m:{element}>{properties}{inside}</m:{element}></m:oMath>"


def test_the_frame_of_a_deleted_equation_is_deleted():
    letter = "<m:r><m:t>{}</m:t></m:r>"
    gone = f"<w:del {CHANGE}>{letter}</w:del>"
    control = f"<m:ctrlPr><w:del {CHANGE}/></m:ctrlPr>"
    half = "<m:num>{}</m:num><m:den>{}</m:den>"
    power = "<m:e>{}</m:e><m:sup>{}</m:sup>"
    equations = {
        "": equation("f", half.format(gone.format("a"), gone.format("b+c")), control),
        " ": equation("f", half.format(gone.format("a"), gone.format("b")))
        + equation("rad", f"<m:e>{gone.format('b+c')}</m:e>", "<m:degHide/>"),
        " x": equation("sSup", power.format(letter.format("x"), gone.format("a+b"))),
        " (1/2)": equation("f", half.format(letter.format("1"), letter.format("2"))),
    }
    for shown, xml in equations.items():
        [rule] = book_of(SCOPE + paragraph(run("Limit") + xml)).clauses
        assert rule.text.rstrip() == f"Limit{shown}".rstrip(), xml


def test_signs_above_and_around_terms_say_what_they_do():
    speed = "<m:e><m:r><m:t>v</m:t></m:r></m:e>"
    shown = {
        equation("acc", speed, '<m:chr m:val="\u20d7"/>'): "v\u20d7",
        equation("bar", speed, '<m:pos m:val="top"/>'): "v\u0305",
        equation("groupChr", speed): "v\u23df",
        equation("borderBox", speed): "v",
        equation("borderBox", speed, "<m:strikeBLTR/>"): "",
        equation("phant", speed, '<m:show m:val="0"/>'): "",
        equation("phant", speed): "v",
    }
    for xml, text in shown.items():
        assert rules(SCOPE + paragraph(run("It is ") + xml))[0][2] == f"It is {text}".strip(), xml


@pytest.mark.parametrize(
    ("space", "text"),
    [
        ("http://schemas.microsoft.com/office/word/2010/wordprocessingShape", "It is new."),
        ("http://schemas.microsoft.com/office/word/9999/unknown", "It is old."),
        ("urn:unknown", "It is old."),
    ],
)
def test_of_alternate_content_the_first_choice_that_word_knows_is_read(space, text):
    words = (
        f'<mc:AlternateContent><mc:Choice Requires="zz" xmlns:zz="{space}">{run("new.")}'
        f"</mc:Choice><mc:Fallback>{run('old.')}</mc:Fallback></mc:AlternateContent>"
    )
    assert rules(SCOPE + paragraph(run("It is ") + words))[0][2] == text


def test_symbols_are_those_that_their_font_shows():
    """As LibreOffice prints them: the codes of the font Symbol are other signs."""
    symbol = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'
    kept = field("SYMBOL 179 \\f Symbol", run("≤"))
    body = (
        SCOPE
        + paragraph(run("\xb3 5‰ ", symbol) + run("m"))
        + paragraph(field("SYMBOL 0179 \\f Symbol \\s 11", "") + run(" 5 m"))
        + paragraph(field('SYMBOL 0xA3 \\f "Symbol"', "") + run(" 5 m"))
        + paragraph(kept + run(" 5 m"))
    )
    assert rules(body)[0][2].splitlines() == ["≥ 5‰ m", "≥ 5 m", "≤ 5 m", "≤ 5 m"]


def test_signs_of_picture_fonts_are_no_letters():
    signs = "".join(
        f'<w:r><w:sym w:font="Wingdings" w:char="{code}"/></w:r>' for code in ("F0FC", "6C")
    )
    typed = run("l", '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>')
    bullets = [
        level(0, sign, "bullet").replace(
            "</w:lvl>", f'<w:rPr><w:rFonts w:ascii="{font}"/></w:rPr></w:lvl>'
        )
        for sign, font in (("\uf076", "Wingdings"), ("l", "Wingdings"), ("\uf050", "Wingdings 2"))
    ]
    body = (
        SCOPE
        + paragraph(signs + typed)
        + "".join(paragraph("x;", number=(n, 0)) for n in (2, 3, 4))
    )
    text = rules(body, lists(LEGAL, *([one] for one in bullets)))[0][2]
    assert text == "✓●●\n❖ x;\n● x;\n• x;"


def test_a_list_to_choose_from_shows_what_is_chosen():
    entries = "".join(f'<w:listEntry w:val="{word}"/>' for word in ("red", "blue"))
    offered = f'<w:ffData><w:ddList><w:result w:val="1"/>{entries}</w:ddList></w:ffData>'
    choice = field("FORMDROPDOWN", "").replace('"begin"/>', f'"begin">{offered}</w:fldChar>')
    assert rules(SCOPE + paragraph(run("It is ") + choice + run(".")))[0][2] == "It is blue."


def test_odd_fields_and_high_numbers_are_read():
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    odd = f'<w:fldSimple w:instr="REF x">{run("red")}{end}{end}</w:fldSimple>'
    assert rules(SCOPE + paragraph(run("It is ") + odd + run(".")))[0][2] == "It is red."
    assert format_number(10_000, "chineseCounting") == "10000"
    assert format_number(2_312, "ordinalText") == "Two thousand three hundred twelfth"
    assert format_number(120, "cardinalText") == "One hundred twenty"
