"""Families and titles: what is an edition of what, and what a book is called."""

import pytest

from core.rulebook.metadata import family_from_title
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import Paper

TEXT = "The rule itself is written in these words, which are enough to fill a line."


def identity(paper, name="rules.pdf"):
    for number in ("1", "1.1", "1.2", "2", "2.1"):
        paper.heading(number, "A heading of its own").line(TEXT, gap=4)
    return read_here(paper.pdf(), name).identity


def cover(*lines, size=20):
    """A cover with a title in large print, one line below the other."""
    paper = Paper()
    for number, line in enumerate(lines):
        paper.at(100, 200 + 1.5 * size * number, line, size, "Helvetica-Bold")
    return paper.page()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2024 Karting Cup Sporting Regulations", "2025 Karting Cup Sporting Regulations, Issue 3"),
        ("Formula Student Rules 2019", "Formula Student Rules 2022 Version 1.0"),
        ("Formula 1: Sporting Regulations", "2025 Formula One Sporting Regulations"),
        ("Rules of the Rowing Club, 12 March 2021", "Rules of the Rowing Club, 1 May 2023"),
    ],
)
def test_editions_differ_in_season_issue_date_and_version_only(one, other):
    assert family_from_title(one) == family_from_title(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("International Sporting Code", "Appendix L to the International Sporting Code"),
        ("Appendix K to the International Sporting Code", "Appendix L to the same Sporting Code"),
        ("Formula 1 Financial Regulations", "Formula 1 Power Unit Financial Regulations"),
        ("Section D: Financial Regulations – F1 Teams", "Section E: Financial Regulations – F1 PU"),
        ("Harbour Code, Part 1", "Harbour Code, Part 2"),
        ("Rowing Club Rules", "Rowing Club Safety Rules"),
        ("Rowing Club Rules", "Rowing Club Handbook"),
    ],
)
def test_what_a_subtitle_or_an_appendix_parts_are_no_editions(one, other):
    assert family_from_title(one) != family_from_title(other)


@pytest.mark.parametrize(
    "title", ["Competition Handbook 2024", "Technical Regulations", "Constitution", "Sailing"]
)
def test_a_title_that_any_publisher_may_use_names_no_family(title):
    assert family_from_title(title) is None


def test_a_family_that_the_title_does_not_tell_is_read_from_the_file_name_or_asked_for():
    assert identity(cover("Competition Handbook"), "ABC-Handbook-2024.pdf").family == "abc-handbook"
    assert identity(cover("Competition Handbook")).family is None


def test_a_section_is_known_by_its_subtitle_on_the_cover():
    def section(letter, subject):
        paper = Paper(headers_footers=[(72, 30, "2026 Karting Cup: Financial Regulations")])
        title = f"SECTION {letter}: FINANCIAL REGULATIONS - {subject}"
        return identity(paper.at(72, 120, title, 14, "Helvetica-Bold").page().page().page())

    assert section("D", "TEAMS").family == "karting-teams-financial"
    assert section("E", "ENGINE MAKERS").family == "karting-engine-makers-financial"


def test_an_appendix_is_known_by_the_line_above_the_title():
    appendix = identity(cover("APPENDIX L", "TO THE HARBOUR SPORTING CODE"))
    assert appendix.family == "harbour-code-appendix-l-sporting"


def test_an_appendix_has_one_name_in_both_languages_of_a_cover():
    lines = ("ANNEXE L AU CODE SPORTIF INTERNATIONAL", "APPENDIX L")
    paper = cover("INTERNATIONAL SPORTING CODE", size=24).page()
    assert identity(paper).family == "fia-isc"
    paper = Paper().at(100, 200, "INTERNATIONAL SPORTING CODE", 24, "Helvetica-Bold")
    for number, line in enumerate(lines):
        paper.at(100, 260 + 30 * number, line, 14, "Helvetica-Bold")
    paper.at(100, 400, "Published by the federation")
    assert identity(paper.page()).family == "fia-isc-appendix-l"


def test_the_heading_of_a_list_is_no_title_and_no_part_of_one():
    paper = Paper().line("2024 Rowing Club Rules", bold=True).line("Table of Contents", bold=True)
    for number in range(1, 6):
        paper.line(f"ARTICLE {number}: SAFETY {'.' * 40} {number}")
    assert identity(paper.page()).title == "2024 Rowing Club Rules"
    changes = Paper().at(100, 120, "Changelog", 16, "Helvetica-Bold").at(100, 150, "V0.1 First")
    assert identity(changes.page(), "Rowing_Rules.pdf").title == "Rowing Rules"


def test_a_cover_without_the_word_rules_gives_the_title_by_its_large_print():
    paper = cover("ROWING CLUB", "Harbourside", size=40).line("Changelog", bold=True).page()
    assert identity(paper).title == "ROWING CLUB Harbourside"


def test_a_date_below_the_title_is_no_part_of_it():
    assert identity(cover("Rowing Club Rules", "12 March 2023")).title == "Rowing Club Rules"


@pytest.mark.parametrize(
    ("printed", "issue", "version"),
    [
        ("Version 2025.3", 3, "Version 2025.3"),
        ("v1.2", None, "v1.2"),
        ("V0.1 draft", None, "V0.1"),
        ("Rev. C", None, "Rev. C"),
        ("Revision: 1.0.1", None, "Revision 1.0.1"),
        ("Version 1.0", 1, None),
        ("Issue No. 7 of 2025", 7, None),
        ("3rd edition", 3, None),
        ("2. Auflage", 2, None),
        ("Fassung 4", 4, None),
        ("Version 12 March 2025", None, None),
        ("Version of the members", None, None),
        ("V.1 Fees of members", None, None),
        ("Version 2025-03-12", None, None),
    ],
)
def test_a_version_is_read_by_its_form(printed, issue, version):
    found = identity(cover("Rowing Club Rules", printed))
    assert (found.issue, found.version) == (issue, version)


@pytest.mark.parametrize(
    ("printed", "season", "day"),
    [
        (("2025 Rowing Club Rules", "as of 12 March"), 2025, "2025-03-12"),
        (("Rowing Club Rules 2025", "Stand 3. April"), 2025, "2025-04-03"),
        (("Rowing Club Rules", "26. Oct. 2012"), None, "2012-10-26"),
        (("Rowing Club Rules", "12th of March 2024"), None, "2024-03-12"),
        (("Rowing Club Rules", "Edition 2024"), 2024, None),
        (("Rowing Club Rules", "Version 2025.3"), 2025, None),
        (("Rowing Club Rules", "as of 12 March"), None, None),
    ],
)
def test_a_day_or_a_year_beside_a_version_dates_an_edition(printed, season, day):
    found = identity(cover(*printed))
    assert (found.season, found.date) == (season, day)


def test_a_title_goes_on_in_the_next_line_where_it_ends_open():
    paper = Paper()
    for y, line in (
        (100, "Riverside School"),
        (150, "First Statute to amend the"),
        (180, "Examination Rules of the"),
        (210, "Course of Brewing"),
    ):
        paper.at(100, y, line, 20, "Helvetica-Bold")
    whole = "First Statute to amend the Examination Rules of the Course of Brewing"
    assert identity(paper.page()).title == whole


def test_the_heading_of_the_first_article_is_no_title():
    paper = Paper()
    paper.at(100, 80, "HARBOUR OPEN 2025", 17, "Helvetica-Bold")
    paper.at(100, 110, "Programme of the Week", 17, "Helvetica-Bold")
    paper.y -= 60
    paper.heading("1", "RULES").line("1.1 " + TEXT, left=72).line("1.2 " + TEXT, left=72)
    assert identity(paper).title == "HARBOUR OPEN 2025 Programme of the Week"


@pytest.mark.parametrize(
    ("lines", "day"),
    [
        (["Avenant n° 1 au règlement du 3 mai 2021", "Adopté le 6 juin 2024"], "2024-06-06"),
        (["Avenant n° 1 du 6 juin 2024 au règlement du 3 mai 2021"], "2024-06-06"),
        (["With effect from 1 August 2026, the mass in Rule 2 is 9 kg."], None),
        (["Valid as of 1 August 2026"], "2026-08-01"),
        (["Satzung zur Änderung der Ordnung vom 3. Mai 2021", "Vom 6. Juni 2024"], "2024-06-06"),
        (["Club Rules", "They replace the rules of 3 May 2021", "6 June 2024"], "2024-06-06"),
        (["Amendment to the Club Rules dated 2021-05-03", "2024-06-06"], "2024-06-06"),
        (["Amendment No. 2 of 6 June 2024 to the Club Rules"], "2024-06-06"),
        (["Règlement intérieur du 3 mai 2021"], "2021-05-03"),
        (["Satzung vom 3. Mai 2021"], "2021-05-03"),
    ],
)
def test_a_day_of_the_document_that_this_one_changes_is_not_its_own(lines, day):
    assert identity(cover(*lines, size=16)).date == day
