"""Headings without a number, words that group articles, and chapters named at the top of pages."""

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, WIDTH, Paper

TEXT = "The rule itself is written in these words, which are enough to fill a line."


def centred(paper, text, size=11, font="Helvetica", gap=20):
    paper.y -= gap
    left = (WIDTH - stringWidth(text, font, size)) / 2
    paper.at(left, HEIGHT - paper.y, text, size, font)
    paper.y -= 8
    return paper


def articles(paper, numbers, label="Article {}."):
    for number in numbers:
        paper.line(label.format(number), " " + TEXT, left=72, gap=8)
        paper.line(TEXT, left=72)
    return paper


def clauses(paper):
    return {clause.article: clause for clause in read_here(paper.pdf()).clauses}


@pytest.mark.parametrize(("size", "font"), [(16, "Helvetica"), (11, "Helvetica-Bold")])
def test_a_chapter_name_is_no_part_of_the_article_before(size, font):
    paper = Paper()
    for chapter, numbers in (("Of the Club", (1, 2)), ("Of the Board", (3, 4))):
        articles(centred(paper, chapter, size, font), numbers)
    found = clauses(paper)
    assert not any("Of the" in clause.text + clause.title for clause in found.values())
    assert [found[n].breadcrumb for n in "1234"] == [("Of the Club",)] * 2 + [("Of the Board",)] * 2


def test_a_code_and_its_name_are_above_its_rules_as_printed_in_two_lines():
    paper = articles(Paper(), ("A 1", "A 1.1", "A 1.2"), "{}")
    centred(centred(paper, "T GENERAL TECHNICAL", 20, gap=40), "REQUIREMENTS", 20, gap=16)
    found = clauses(articles(paper, ("T 1", "T 1.1", "T 1.2"), "{}"))
    assert found["A 1.2"].text.endswith("fill a line.")
    assert found["T 1"].breadcrumb == ("T GENERAL TECHNICAL REQUIREMENTS",)


@pytest.mark.parametrize("word", ["Titre", "Hoofdstuk", "Bolum"])
def test_a_word_that_counts_above_articles_that_count_through_groups_them(word):
    paper = Paper()
    for chapter, (roman, numbers) in enumerate(
        (("I", (1, 2)), ("II", (3, 4)), ("III", (5, 6)), ("IV", (7, 8))), start=1
    ):
        centred(centred(paper, f"{word} {roman}"), f"OF THE THING {'ABCD'[chapter - 1]}")
        articles(paper, numbers)
    found = clauses(paper)
    assert found["4"].text.endswith("fill a line.")
    assert found["4"].breadcrumb == (f"{word} II OF THE THING B",)
    assert found[f"{word} II"].title == "OF THE THING B"


def test_the_last_words_of_a_rule_in_capitals_are_no_heading():
    paper = articles(Paper(), ("1", "1.1"), "{}")
    for number in ("1.2", "1.3", "1.4"):
        paper.clause(number, TEXT, "and what it is switched by is named:")
        paper.line("ASMS", gap=6)
    found = clauses(paper)
    assert found["1.3"].text.endswith("ASMS")
    assert not any(clause.breadcrumb[1:] for clause in found.values())


def test_the_name_of_a_chapter_at_the_top_of_its_pages_is_no_text():
    paper = Paper()
    names = "Plots", "Water", "Rent", "Bees", "Trees", "Sheds", "Paths", "Fires"
    for chapter, name in enumerate(names, start=1):
        for half, owner in enumerate(("member", "guest")):
            paper.at(72, 60, f"{chapter} {name}", font="Helvetica-Bold")
            if not half:
                paper.line(f"{chapter} {name.upper()}", left=72, bold=True, gap=30)
            for rule, verb in enumerate(("keeps", "loses", "shares", "mends"), start=1):
                rules = f"The {owner} {verb} the {name.lower()} as the board has said."
                paper.clause(f"{chapter}.{4 * half + rule}", rules)
            paper.page()
    found = clauses(paper)
    assert len(found) == 8 * 9
    assert found["3.8"].text == "The guest mends the rent as the board has said."
    assert found["4.1"].text == "The member keeps the bees as the board has said."
    assert (found["4"].title, found["4"].text) == ("BEES", "")


def test_a_chapter_in_larger_print_with_a_text_of_its_own_is_no_part_of_the_article_before():
    paper = Paper()
    for part, numbers in (("I", (1, 2)), ("II", (3, 4)), ("III", (5, 6))):
        articles(centred(paper, f"Part {part} - The club", 11, "Helvetica-Bold"), numbers)
    centred(paper.page(), "CHARTER OF THE GARDEN", 16).line(TEXT, left=72, gap=20)
    found = clauses(articles(paper, (7, 8)))
    assert found["6"].text.endswith("fill a line.")
    assert found["CHARTER OF THE GARDEN"].text == TEXT
    assert found["5"].breadcrumb == ("Part III The club",)
    assert found["7"].breadcrumb == ()


def test_a_part_is_named_by_all_lines_of_its_heading_and_goes_on_behind_an_appendix():
    paper = Paper()
    for part, codes in (("A", "AB"), ("T", "TU")):
        centred(paper, f"PART {part} - THE RULES OF THIS", font="Helvetica-Bold")
        centred(paper, "PART OF THE BOOK", font="Helvetica-Bold", gap=6)
        for code in codes:
            articles(paper, (f"{code}1", f"{code}1.1", f"{code}1.2"), "{}")
        if part == "A":
            centred(paper.page(), "APPENDIX 1 - FORMS", font="Helvetica-Bold").line(TEXT, left=72)
    found = clauses(paper)
    assert found["Part T"].title == "THE RULES OF THIS PART OF THE BOOK"
    assert found["T1"].breadcrumb == ("Part T THE RULES OF THIS PART OF THE BOOK",)


def test_a_heading_in_a_text_with_wide_lines_may_have_several():
    paper = Paper()
    for number in (1, 2, 3):
        paper.line(f"PART {number} - THE RULES THAT ARE FOR", left=72, bold=True, gap=30)
        paper.line("ALL OF THE MEMBERS AND THEIR GUESTS", left=72, bold=True, gap=14)
        for rule in (1, 2):
            paper.line(f"{number}.{rule}  {TEXT}", left=72, gap=20)
            paper.line(TEXT, left=72, gap=14).line(TEXT, left=72, gap=14)
    found = clauses(paper)
    whole = "THE RULES THAT ARE FOR ALL OF THE MEMBERS AND THEIR GUESTS"
    assert found["Part 2"].title == whole
    assert found["Part 2"].text == ""


def test_parts_of_a_text_are_no_parts_of_the_document():
    paper = articles(Paper(), ("T 1", "T 1.1", "T 1.2"), "{}")
    for part in ("Part 1: The video", "Part 2: The speech"):
        paper.line(part, left=100, bold=True, gap=10).line(TEXT, left=100)
    found = clauses(articles(paper, ("T 1.3", "T 2", "T 2.1"), "{}"))
    assert list(found) == ["T 1", "T 1.1", "T 1.2", "T 1.3", "T 2", "T 2.1"]
    assert "Part 2: The speech" in found["T 1.2"].text


def test_a_line_that_tells_a_value_is_no_heading():
    paper = Paper()
    for name in "Plots Water Rent Bees Trees Sheds Paths Fires Gates Dogs Cats Keys".split():
        if paper.y < 220:
            paper.page()
        paper.line(f"The {name} Of The Club", left=72, bold=True, gap=16)
        for _ in range(7):
            paper.line(TEXT, left=72)
        paper.line("Location: Static Bay 1", left=72, gap=12).line("Topic: To be told.", gap=4)
    found = read_here(paper.pdf()).clauses
    assert not any("Location" in clause.title for clause in found)


def law(*titles):
    """A law of several titles, each with a number, its name and its articles."""
    paper = Paper()
    for roman, name, numbers in titles:
        articles(centred(centred(paper, f"Titre {roman}"), name), numbers)
    return paper


def test_a_title_that_a_law_inserts_has_its_articles():
    titles = ("I", "OF ALL", (1, 2)), ("II", "OF PLOTS", (3, 4)), ("II BIS", "OF BEES", ("4-1",))
    found = clauses(law(*titles, ("III", "OF RENT", (5, 6)), ("IV", "OF WATER", (7, 8))))
    assert found["4"].text.endswith("fill a line.")
    assert found["Titre II BIS"].title == "OF BEES"
    assert found["4-1"].breadcrumb == ("Titre II BIS OF BEES",)
    assert found["5"].breadcrumb == ("Titre III OF RENT",)


def test_the_last_article_of_a_law_is_read_though_another_text_counts_anew_behind_it():
    titles = ("I", "OF ALL", (1, 2)), ("II", "OF PLOTS", (3, 4)), ("III", "OF RENT", (5, 6))
    paper = law(*titles, ("IV", "OF CHANGES", (7,)))
    centred(paper.page(), "CHARTER OF THE GARDEN", 16).line(TEXT, left=72, gap=20)
    found = read_here(articles(paper, (1, 2, 3)).pdf()).clauses
    assert [c.article for c in found if c.article.isdigit()] == [*"1234567", *"123"]
    assert {c.article: c.text for c in found}["Titre IV"] == ""
