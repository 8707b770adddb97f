"""Published rulebooks, if they are beside the project: their difficult passages are read well."""

import re

import pytest

from core.errors import ReadError
from core.grammar.text_language import detect_language
from core.rulebook import ReadLimits, read_pdf
from core.rulebook.types import ReadingWarning
from tests.made_once import SHELF, needs_shelf

pytestmark = [pytest.mark.slow, needs_shelf]


@pytest.fixture
def clauses(published):
    """Return the clauses of a published rulebook that have a number."""
    return lambda part, article: [c for c in published(part)[1] if c.article == article]


def test_the_deleted_point_for_the_fastest_lap_is_not_in_force(clauses):
    [clause] = clauses("2025_sporting_iss04", "6.4")
    assert "fastest" not in clause.text
    assert "one (1) point will be awarded" in clause.deleted[0]
    assert "| 1st | 25 |\n| 2nd | 18 |" in clause.text


def test_a_deleted_article_and_the_one_that_took_its_number(clauses):
    gone, live = clauses("2026_secB_sporting_iss05", "B1.4")
    assert (gone.status, gone.title, gone.deleted) == ("deleted", "", ("B1.4 Insurance",))
    assert (live.status, live.title) == ("in_force", "Official Meetings")


def test_the_mass_of_this_year_and_of_the_next(clauses):
    now, later = clauses("2024_technical", "4.1")
    assert (now.status, "798kg" in now.text, now.page_first) == ("in_force", True, 46)
    assert (later.status, later.future, "800kg" in later.text) == ("future", 2025, True)


def test_future_wording_in_plain_black_is_future_too(clauses):
    now, next_year, after = clauses("2026_secB_sporting_iss05", "B9.2.1")
    assert (
        "sixty (60)" in now.text,
        "fifty-nine (59)" in next_year.text,
        "fifty-eight (58)" in after.text,
    ) == (True,) * 3
    assert [clause.future for clause in (now, next_year, after)] == [None, 2027, 2028]


def test_a_half_deleted_number_and_lost_letters_are_repaired(clauses, published):
    [clause] = clauses("2026_secA", "A2.3.4")
    assert "at least 100mm." in clause.text
    words = " ".join(c.text for c in published("2026_secA")[1])
    assert re.search(r"\bofficial", words, re.IGNORECASE)
    assert not re.search(r"\begect|\bogicial|\bdigerent", words)


def test_notes_that_do_not_bind_are_separate(clauses):
    [clause] = clauses("2026_secA", "A9.4.8")
    assert "[abcde]" in clause.notes
    assert "c. Any text displayed in green" in clause.text


def test_a_table_over_two_pages_is_one(clauses):
    [clause] = clauses("2026_secA", "A2.2.2")
    assert clause.text.count("|---|") == 1
    assert clause.text.endswith("| 5th | 4 |\n| 6th | 3 |\n| 7th | 2 |\n| 8th | 1 |")


def test_a_table_whose_header_has_its_own_colour_is_one(clauses):
    for article, row in (
        ("B6.2.4", "Intermediate Tyres | 5 | 6 | 5"),
        ("B6.3.4", "Wet-Weather Tyres | 2 | 2 | 2"),
    ):
        [clause] = clauses("2026_secB_sporting_iss07", article)
        header = (
            "|  | Format of the Competition: |  |  |\n|---|---|---|---|\n"
            "|  | Standard Format Competition |"
        )
        assert header in clause.text
        assert clause.text.count("\n|---|") == 1
        assert f"| {row} |" in clause.text


def test_a_table_over_many_pages_is_one_though_words_in_it_are_underlined(clauses):
    [clause] = clauses("2024_technical", "Appendix 3")
    assert clause.text.count("| List of PU functions/systems/components |") == 1
    assert clause.text.count("\n|---|") == 2


def test_english_and_french_of_the_code_do_not_mix(published):
    by_language = {"en": [], "fr": []}
    for clause in published("isc_2025")[1]:
        by_language[clause.language].append(clause)
    english, french = (
        {clause.article for clause in found if not clause.part} for found in by_language.values()
    )
    assert english - {"Preamble"} == french - {"Preamble"}
    for language, found in by_language.items():
        for clause in found:
            for sentence in re.split(r"(?<=[.;:])\s|\n", clause.text):
                other = {"en": "fr", "fr": "en"}[language]
                wrong = len(sentence) >= 60 and detect_language(sentence) == other
                assert not wrong, (clause.article, sentence)


def test_text_on_the_right_below_a_short_line_comes_after_it(clauses):
    [terms] = clauses("fsae", "D.13.4.3")
    assert terms.text.endswith("completed by the teams which set Tmin and CO₂min, respectively")
    [factor] = clauses("fsae", "D.13.4.4")
    assert [figure.kind for figure in factor.figures] == ["equation", "equation"]
    [volume] = clauses("fsae", "F.1.14")
    assert volume.text.endswith("the outside edge of each of the four tires.")


def test_borderless_tables_and_equations_of_the_student_rules(clauses):
    [spacing] = clauses("fsae", "EV.6.5.7")
    assert (
        "| Voltage | Over Surface | Thru Air (cut in board) | Under Conformal Coating |\n|---|"
        in spacing.text
    )
    [tubes] = clauses("fsae", "F.3.4.1")
    assert "| a. | Size A | 11320 mm⁴ | 173 mm² | 25.0 mm | 2.0 mm |" in tubes.text
    [score] = clauses("fsae", "D.10.4.2")
    assert [figure.kind for figure in score.figures] == ["equation"]
    assert "[Equation, shown on page 132:" in score.text


@pytest.mark.parametrize(
    "part",
    "2023_financial 2024_sporting_iss06 2024_technical 2025_sporting_iss05 2026_secA fsae".split(),
)
def test_nearly_all_references_within_a_document_are_found_in_it(published, part):
    _, clauses = published(part)
    total = sum(len(clause.references) for clause in clauses)
    assert ReadingWarning.list_unresolved(clauses)[0] <= 0.05 * total


@pytest.mark.parametrize(
    ("file", "outcome"),
    [
        ("bc_ministerial-order_BA-2024-01.pdf", "Schedule, Division 1"),
        ("encrypted_rc4_empty-user-pw.pdf", "6.6"),
        ("encrypted_rc4_user-pw-secret.pdf", "encrypted"),
        ("misc_corrupted.pdf", "damaged"),
        ("mixed_text-and-scan.pdf", "6.6"),
        ("not_a_pdf.pdf", "not_pdf"),
        ("rotated90.pdf", "7.1"),
        ("scan_fsae_2024_p21-26_150dpi.pdf", "no_text"),
        ("truncated.pdf", "damaged"),
        ("us_federal-register_2020-17221_proposed-rule.pdf", "DATES"),
        ("zero_bytes.pdf", "empty"),
    ],
)
def test_an_awkward_file_gives_clauses_or_an_error_code(file, outcome):
    data = (SHELF / "awkward" / file).read_bytes()
    limits = ReadLimits(read_scans=False)
    if not outcome.islower():
        read = read_pdf(data, file, limits=limits)
        assert outcome in {clause.article for clause in read.clauses}
    else:
        with pytest.raises(ReadError) as error:
            read_pdf(data, file, limits=limits)
        assert error.value.code == outcome
