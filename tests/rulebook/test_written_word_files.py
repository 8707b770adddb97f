"""Word files as their programs write them: what a stranger found wrong in what was read of them."""

from hashlib import sha256

from core.rulebook.isolation.messages import WordJob
from core.rulebook.isolation.word_process import build_from_word
from tests.rulebook.word_builder import (
    CHANGE,
    heading_styles,
    level,
    lists,
    paragraph,
    run,
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
