"""Article numbers are read as people and rulebooks write them."""

import pytest

from core.grammar.numbering import (
    article_label,
    canonical_number,
    extract_part,
    find_article_numbers,
    list_parts,
    split_part,
)
from core.sheets.starter_questions import title_within_sentence


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("Article 54.3", "54.3"),
        ("54.3.", "54.3"),
        (" b1.7.2", "B1.7.2"),
        ("34)", "34"),
        ("3:", "3"),
        ("Art. 6.4", "6.4"),
        ("§ 25.571(a)", "25.571(A)"),
        ("Sentence 3.2.1.(1)", "3.2.1.(1)"),
        ("5 (1)", "5(1)"),
        ("Appendix 9", "APPENDIX 9"),
        ("ev.5.9.4", "EV.5.9.4"),
        ("Rule V.1", "V.1"),
    ],
)
def test_numbers_have_one_canonical_form(written: str, canonical: str) -> None:
    assert canonical_number(written) == canonical
    assert canonical_number(canonical) == canonical


@pytest.mark.parametrize(
    ("citation", "article", "part"),
    [
        ("54.3 d)", "54.3", "d)"),
        ("54.3d)", "54.3", "d)"),
        ("Article 54.3(d)", "54.3", "d)"),
        ("54.3d)ii)", "54.3", "d)ii)"),
        ("A2.3.4a", "A2.3.4", "a)"),
        ("6.4", "6.4", None),
        ("B1.7.2", "B1.7.2", None),
        ("34)", "34", None),
        ("EV.5.9.4", "EV.5.9.4", None),
        ("5(1)", "5(1)", None),
        ("25.571(a)(2)", "25.571(A)(2)", None),
    ],
)
def test_a_citation_is_split_into_article_and_lettered_part(
    citation: str, article: str, part: str | None
) -> None:
    assert split_part(citation) == (article, part)


PENALTIES = """The stewards may impose any of these:
a) A five (5) second time penalty.
b) A ten (10) second time penalty. In both cases:
i) the driver must stop;
ii) no work may be done.
c) A drive-through penalty.
This counts for the race only.
d) A stop-and-go penalty.
If any of these are imposed, the stewards say so."""


def test_an_item_is_extracted_with_its_sub_items() -> None:
    assert extract_part(PENALTIES, "a)") == "a) A five (5) second time penalty."
    assert extract_part(PENALTIES, "b)") == "\n".join(PENALTIES.split("\n")[2:5])
    assert extract_part(PENALTIES, "b)ii)") == "ii) no work may be done."


def test_lines_between_items_belong_to_the_item_before_and_the_last_ones_to_the_clause() -> None:
    assert (
        extract_part(PENALTIES, "c)")
        == "c) A drive-through penalty.\nThis counts for the race only."
    )
    assert extract_part(PENALTIES, "d)") == "d) A stop-and-go penalty."


def test_a_missing_item_is_none() -> None:
    assert extract_part(PENALTIES, "e)") is None
    assert extract_part(PENALTIES, "a)i)") is None
    assert extract_part("No items here.", "a)") is None


def test_a_list_that_begins_with_i_is_not_the_ninth_item():
    text = "(e) tools\n(f) stocks:\n(i) of parts:\n(A) used\n(B) unused\n(ii) of tyres\n"
    text += "(g) engines\n(h) fuel\n(i) oil"
    assert extract_part(text, "f)ii)") == "(ii) of tyres"
    assert extract_part(text, "g)") == "(g) engines"
    assert extract_part(text, "i)") == "(i) oil"


def test_an_amount_at_the_beginning_of_a_line_is_no_item() -> None:
    text = "d) One test, no less than\n(36) hours after the race.\ni) One car.\nii) One day."
    assert list_parts(text)[2] == "d)i)"
    assert extract_part(text, "d)ii)") == "ii) One day."


def test_items_within_definitions_are_not_items_of_the_clause() -> None:
    text = "For cars:\na) of now:\n“Car” means:\na) with wheels;\n"
    text += "“Limit” means:\na) a fine; or\nb) a ban."
    assert list_parts(text) == ("", "a)", *[""] * 5)
    assert extract_part(text, "b)") is None


@pytest.mark.parametrize("style", ["({})", "{}.", "{})"])
def test_items_may_be_written_in_three_ways(style: str) -> None:
    text = "\n".join(f"{style.format(letter)} item {letter}" for letter in "abcdefghijk")
    assert extract_part(text, "i)") == f"{style.format('i')} item i"
    assert extract_part(text, "d)") == f"{style.format('d')} item d"


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does Article 54.3 d) say?", ("54.3d)",)),
        ("Explain B1.7.2 and rule V.1.1", ("B1.7.2", "V.1.1")),
        ("art 6.4 of the 2025 sporting regs", ("6.4",)),
        ("see EV.5.9.4, 12.3.4", ("EV.5.9.4", "12.3.4")),
        ("Articles 57 and 58, or Article 8.3", ("57", "58", "8.3")),
        ("Is 1.5 bar allowed at 80 km/h in 2025?", ()),
        ("the rules 2025", ()),
        ("what is § 25.571(a)?", ("25.571a)",)),
        ("on 12.3.2024", ()),
        ("look at Appendix 3 and Article 5(1)", ("Appendix 3", "5(1)")),
        ("Does A2.3.4a say so?", ("A2.3.4a)",)),
        ("under Article 54.3d)ii).", ("54.3d)ii)",)),
        ("Article 34.7 a) or b)", ("34.7a)",)),
        ("compare article 34 in 2024 and 2025", ("34",)),
        ("part 5 of the car", ()),
        ("Rule 30.5 within 5 laps", ("30.5",)),
    ],
)
def test_articles_in_a_question(question: str, named: tuple[str, ...]) -> None:
    assert find_article_numbers(question) == named


@pytest.mark.parametrize(
    ("title", "within_sentence"),
    [
        ("Speed limit", "speed limit"),
        ("PIT LANE", "pit lane"),
        ("CHASSIS", "chassis"),
        ("DRS", "DRS"),
        ("ERS-K", "ERS-K"),
        ("TTCS", "TTCS"),
        ("Pit Lane", "Pit Lane"),
        ("Use of DRS", "Use of DRS"),
        ("", ""),
    ],
)
def test_a_title_within_a_sentence_keeps_its_short_forms(title: str, within_sentence: str) -> None:
    assert title_within_sentence(title) == within_sentence


def test_an_article_has_the_label_article_and_an_appendix_its_name() -> None:
    for article in ("34.7", "B1.7.2", "GR.1.1"):
        assert article_label(article) == f"Article {article}"
    for name in ("Appendix B2, 5.2", "Preamble"):
        assert article_label(name) == name


@pytest.mark.parametrize(
    ("text", "articles"),
    [
        ("Articles 3.1 and 60 V", ("3.1",)),
        ("Articles 3.1 and 60V", ("3.1",)),
        ("Articles 3.1 and 45 Nm of torque", ("3.1",)),
        ("Rules 4.2, 8 bar and 60 °C", ("4.2",)),
        ("Sections 4 and 5 m beside the track", ("4",)),
        ("Rules 3 and 14 working days later", ("3",)),
        ("Articles 3.1 and 8.5 in.", ("3.1",)),
        ("Article 3.1 and 4.2 kN", ("3.1",)),
        ("Article 12 hours before", ()),
    ],
)
def test_an_amount_that_follows_an_article_is_none(text: str, articles: tuple[str, ...]) -> None:
    assert find_article_numbers(text) == articles


@pytest.mark.parametrize(
    ("text", "articles"),
    [
        ("Rule 5 A driver must stop", ("5",)),
        ("Articles 3 and 5 in the Technical Regulations", ("3", "5")),
        ("Articles 12 and 12A", ("12", "12A")),
        ("Sections 12 and 12V", ("12", "12V")),
        ("Articles 3 and 7A", ("3", "7A")),
        ("Article 5 Days of rest", ("5",)),
        ("Articles 3 and 5 Points are deducted", ("3", "5")),
    ],
)
def test_a_word_or_a_title_that_looks_like_a_unit_makes_no_amount(
    text: str, articles: tuple[str, ...]
) -> None:
    assert find_article_numbers(text) == articles
