"""Numberings that no list holds: found in a document's own numbers, and what is no number there."""

import string
import unicodedata

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.errors import ReadError
from core.grammar import canonical_number, find_citations
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from tests.rulebook.in_process import read_here
from tests.rulebook.pdf_builder import HEIGHT, TOPICS, Paper, handbook_without_numbers, spelled

TEXT = "The rule itself is written in these words, which are enough to fill a line."


def read(paper):
    return read_here(paper.pdf())


def articles(paper):
    return [clause.article for clause in read(paper).clauses]


def rules(*numbers, paper=None):
    """Each number with a heading of its own and some text."""
    paper = paper or Paper()
    for number in numbers:
        paper.line(f"{number}  A heading of its own", left=72, bold=True, gap=10)
        paper.line(TEXT, left=72, gap=4)
    return paper


@pytest.mark.parametrize(
    "numbers",
    [
        ("T 1", "T 1.1", "T 1.1.1", "T 1.1.2", "T 1.2", "EV 1", "EV 1.1", "EV 1.2"),
        ("AT 1", "AT 1.1", "AT 1.2", "AT 2", "AT 2.1", "AT 3"),
        ("CAT.GEN.100", "CAT.GEN.101", "CAT.GEN.102", "CAT.OPS.100", "CAT.OPS.101"),
        ("34-1", "34-2", "35-1", "35-2", "36-1"),
        ("I.", "A.", "B.", "II.", "A.", "B."),
        ("ES G.1", "ES G.1.1", "ES G.1.2", "ES G.2", "ES G.2.1"),
        ("§ 11", "§ 12", "§ 12a", "§ 13", "§ 14"),
        ("LS-010", "LS-020", "LS-030", "LS-035", "LS-040"),
        ("Q.I", "Q.I.a", "Q.I.a.1", "Q.I.a.2", "Q.I.b", "Q.II", "Q.II.a", "Q.II.b", "Q.II.b.1"),
        ("E.A", "E.A.1", "E.A.2", "E.B", "E.B.1", "E.C", "E.C.1", "E.D", "E.D.1", "E.D.2"),
        ("Q.II.b.1", "Q.II.b.2", "Q.II.b.3", "Q.II.b.4", "R.I.a.1", "R.I.a.2"),
        ("C.R. 9", "C.R. 10", "C.R. 11", "C.R. 12", "C.R. 13"),
        ("P.V.a", "P.V.b", "P.VI.a", "P.VI.b", "P.VI.b.ii", "P.VI.b.iii"),
    ],
)
def test_codes_with_a_blank_hyphens_and_outlines_are_numbers(numbers):
    expected = [number.rstrip(".").removeprefix("§ ") for number in numbers]
    assert articles(rules(*numbers)) == expected


def test_a_word_that_is_cut_short_is_no_code():
    """Else nothing is above 1.1."""
    book = read(rules("ART. 1", "1.1", "1.2", "ART. 2", "2.1", "2.2"))
    assert [clause.article for clause in book.clauses] == ["1", "1.1", "1.2", "2", "2.1", "2.2"]
    assert "partly_read" not in {warning.code for warning in book.report.warnings}


def test_a_dash_behind_a_number_is_no_part_of_it():
    numbers = ("FR 1 -", "FR 1.1 -", "FR 1.2 -", "FR 2 -", "FR 2.1 -")
    assert articles(rules(*numbers)) == ["FR 1", "FR 1.1", "FR 1.2", "FR 2", "FR 2.1"]


@pytest.mark.parametrize("word", ["Artikel", "Regla", "Law", "Paragraaf", "Bestimmung"])
def test_any_word_may_stand_before_the_number(word):
    paper = rules(*(f"{word} {number}" for number in range(1, 6)))
    assert articles(paper) == ["1", "2", "3", "4", "5"]


def in_script(*numbers, words):
    """Rules below these numbers; the letters of both are not Latin."""
    letters = dict.fromkeys(letter for letter in "".join(numbers) + words if not letter.isascii())
    glyphs = dict(zip(string.ascii_letters, letters, strict=False))
    keys = {letter: glyph for glyph, letter in glyphs.items()}

    def draw(text):
        coded = [keys.get(letter, letter) for letter in text]
        is_backwards = unicodedata.bidirectional(text[0]) == "AL"
        return "".join(reversed(coded) if is_backwards else coded)

    paper = Paper()
    for number in numbers:
        paper.line(draw(f"{number} {words}"), left=72, bold=True, gap=10)
        paper.line(draw(" ".join([words] * 9)), left=72, gap=4)
    return read_here(spelled(paper.pdf(), glyphs)).clauses


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("Άρθρο {}", "τα μέλη"),
        ("Статья {}", "все члены"),
        ("المادة {}", "كل عضو"),
        ("조 {}", "모든 회원"),
    ],
)
def test_the_word_before_the_number_may_be_in_any_script(number, words):
    found = in_script(*(number.format(at) for at in range(1, 6)), words=words)
    assert [clause.article for clause in found] == ["1", "2", "3", "4", "5"]


def test_a_number_may_be_between_the_halves_of_its_word():
    numbers = [f"第{at}条" for at in "一二三四五六七八九十"] + ["第十一条", "第十二条"]
    found = in_script(*numbers, words="车辆")
    assert [clause.article for clause in found] == numbers
    assert found[4].title == "车辆"
    assert [c.article for c in in_script("제1조", "제2조", "제3조", words="회원")] == [
        "제1조",
        "제2조",
        "제3조",
    ]


@pytest.mark.parametrize("first", ["ARTICLE PREMIER", "ARTICLE 1er"])
def test_the_first_article_may_be_numbered_in_a_word_or_as_the_first(first):
    number = "PREMIER" if first.endswith("PREMIER") else "1"
    assert articles(rules(first, "ARTICLE 2", "ARTICLE 3")) == [number, "2", "3"]


def test_a_record_of_changes_names_rules_and_holds_none():
    paper = Paper().line("CHANGES", bold=True)
    for number in ("T 1.1.2", "T 2.1.1", "T 2.2.1", "T 3.1.2"):
        paper.line(f"{number}  1.1  Reworded for clarity.", left=72, gap=4)
    numbers = [f"T {a}.{b}.{c}" for a in (1, 2, 3) for b in (1, 2) for c in (1, 2)]
    book = read(rules("T 1", "T 1.1", *numbers, paper=paper.page()))
    found = book.clauses
    texts = {clause.article: clause.text for clause in found}
    assert len(texts) == len(found)
    assert texts["T 1.1.2"] == TEXT
    [record] = book.other_texts
    assert (record.kind, record.article, record.status) == ("changelog", "", "no_rule")
    assert record.text.count("Reworded for clarity.") == 4


def test_a_name_with_a_number_in_running_text_is_none():
    paper = Paper()
    for number in range(1, 7):
        paper.heading(str(number), "CARS").clause(f"{number}.1", "At all times the drivers of all")
        paper.line("F1 Cars must keep to the track and may not leave it.")
    expected = [name for number in range(1, 7) for name in (f"{number}", f"{number}.1")]
    assert articles(paper) == expected


def test_a_list_within_a_clause_is_part_of_its_text():
    paper = Paper()
    for number in range(1, 5):
        paper.heading(str(number), "INSPECTION").clause(f"{number}.1", TEXT)
        paper.clause(f"{number}.2", TEXT)
    paper.line("The order of inspection is:", gap=4)
    for step in range(1, 6):
        paper.line(f"{step}. Step of inspection", left=110, bold=True)
    found = read(paper).clauses
    assert "5. Step of inspection" in found[-1].text
    assert found[-1].article == "4.2"


def test_captions_of_figures_and_tables_are_no_rules():
    paper = Paper()
    for number in range(1, 6):
        paper.heading(str(number), "DRAWINGS").clause(f"{number}.1", TEXT)
        paper.line(f"Figure {number}: the car from above", left=100, gap=6)
    assert articles(paper) == [n for number in range(1, 6) for n in (f"{number}", f"{number}.1")]


def test_a_number_with_a_blank_is_cited_and_found_without_it():
    assert canonical_number("Rule T 1.2.2") == canonical_number("t1.2.2")
    [citation] = find_citations("As rule EV 4.4 says, the switch is red.")
    assert citation.number == canonical_number("EV 4.4")
    assert not find_citations("A gap of 1.5 mm, and A 2.5 mm one.")


def test_a_document_that_is_understood_is_read_whole():
    report = read(rules("1", "1.1", "1.2", "2", "2.1")).report
    assert "partly_read" not in {warning.code for warning in report.warnings}
    assert report.counts["letters_placed"] > 0.9 * report.counts["letters"] > 0


def test_the_words_of_a_series_count_only_beside_each_other():
    paper = Paper().line("Formula Student Rules 2022 Version: 1.0", bold=True)
    assert read(rules("T 1", "T 1.1", "T 1.2", paper=paper)).identity.family == "formula-student"


def pages_of_text(paper, pages):
    for _ in range(pages):
        paper.page()
        for _ in range(40):
            paper.line(TEXT, left=72)
    return paper


def test_numbers_that_are_gone_are_noticed():
    paper = pages_of_text(rules("1", "1.1", "1.2"), 6)
    [warning] = [w for w in read(paper).report.warnings if w.code == "partly_read"]
    assert "read in part" in warning.message


def test_numbers_without_those_above_them_are_noticed():
    numbers = [f"{article}.{rule}" for article in range(2, 9) for rule in range(1, 4)]
    [warning] = [w for w in read(rules(*numbers)).report.warnings if w.code == "partly_read"]
    assert "the number above was not found" in warning.message


def test_a_long_document_of_hardly_any_numbers_is_refused():
    paper = pages_of_text(rules("1", "1.1"), 30)
    with pytest.raises(ReadError, match="its numbering is not understood") as refused:
        read(paper)
    assert refused.value.code == "no_clauses"


def test_answers_from_a_document_read_in_part_say_so(tmp_path):
    library = Library(tmp_path / "data")
    paper = rules("1", "1.1", "1.2").clause("1.3", "The car must be painted in signal orange.")
    [added] = add_bytes(library, pages_of_text(paper, 6).pdf(), "2024 Cup Rules.pdf")
    assert added.document.reading == "partly"
    *_, ended = Agent(library, OfflineModel()).ask(Request("How must the car be painted?"))
    assert ended.citations
    assert ended.partial_reading.startswith("Read in part, so rules may be missing")
    assert all("read in part" in citation.caution for citation in ended.citations)


def test_a_second_volume_counts_on_by_itself_in_plainer_print():
    paper = Paper().line("VOLUME ONE", bold=True)
    rules(*(f"{article}.{rule}" for article in (1, 2, 3, 4) for rule in (1, 2, 3)), paper=paper)
    paper.page().line("VOLUME TWO", bold=True)
    for article in (1, 2, 3, 4):
        for rule in (1, 2, 3):
            paper.line(f"{article}.{rule}  {TEXT}", left=72, gap=6)
    found = articles(paper)
    assert found.count("2.2") == 2
    assert found.count("4.3") == 2


@pytest.mark.parametrize("word", ["ARTICLE", "Artículo"])
def test_running_text_behind_a_led_number_is_no_title(word):
    paper = Paper()
    for number in range(1, 6):
        first = f"{word} {number}. The sovereignty of the club belongs to all of its members, who"
        paper.line(first, left=72, gap=10)
        paper.line(
            "exercise it in the general meeting and by the votes that are held there,", left=72
        )
        paper.line("and no section of it may take it to itself.", left=72)
    found = read(paper).clauses
    assert [clause.title for clause in found] == [""] * 5
    assert found[0].text.startswith("The sovereignty of the club")


def test_a_title_of_some_words_behind_a_led_number_is_one():
    paper = Paper()
    for number in range(1, 6):
        paper.line(f"Article {number}. Duties of the members of the board", left=72, gap=10)
        paper.line(TEXT, left=72)
    assert {clause.title for clause in read(paper).clauses} == {
        "Duties of the members of the board"
    }


def test_a_rule_of_one_bold_line_is_text_that_can_be_found():
    paper = Paper()
    for number, rule in enumerate(("No swimming.", "No dogs in the water.", "No boats."), 1):
        paper.line(f"{number}. {rule}", left=72, bold=True, gap=10)
    assert [clause.text for clause in read(paper).clauses] == [
        "No swimming.",
        "No dogs in the water.",
        "No boats.",
    ]


@pytest.mark.parametrize("ordinal", ["{}º", "{}.º", "{}ª"])
def test_ordinals_are_numbers(ordinal):
    paper = rules(*(f"Artículo {ordinal.format(number)}" for number in range(1, 6)))
    assert articles(paper) == ["1", "2", "3", "4", "5"]


def test_a_short_document_that_goes_into_the_preamble_is_read_in_part():
    paper = Paper()
    for chapter in ("PLOTS", "WATER", "RENT", "BEES"):
        paper.line(f"CHAPTER ON {chapter}", bold=True, gap=14)
        for item in ("a plot is kept tidy", "water is shared by all", "rent is paid in March"):
            paper.line(f"It is said that {item}, and this is enough to fill a line.", left=72)
    paper.line("1. The committee decides.", left=72, gap=14)
    paper.line("2. It meets in March.", left=72, gap=4)
    book = read(paper)
    assert "partly_read" in {warning.code for warning in book.report.warnings}


SENTENCE = "The thing is kept in the way that the committee has said, and not otherwise."


def test_numbers_that_count_anew_in_chapters_without_a_number_are_rules_of_these():
    paper = Paper()
    for chapter, last in (("PLOTS", 4), ("WATER", 3), ("RENT", 3), ("BEES", 4)):
        paper.line(chapter, left=72, bold=True, gap=14)
        for number in range(1, last + 1):
            paper.line(f"{number}. {SENTENCE}", left=72, gap=6)
    found = read(paper).clauses
    assert [(clause.breadcrumb, clause.article) for clause in found][3:6] == [
        (("PLOTS",), "4"),
        (("WATER",), "1"),
        (("WATER",), "2"),
    ]


@pytest.mark.parametrize("inserted", ["2a", "2 bis"])
def test_what_a_law_inserts_is_a_number(inserted):
    paper = Paper()
    for article in range(1, 5):
        paper.line(f"§ {article}  The title of it", left=72, bold=True, gap=12)
        for number in ("1", "2", inserted, "3"):
            paper.line(f"({number}) {SENTENCE}", left=72, gap=4)
    found = {clause.article: clause for clause in read(paper).clauses}
    assert found["3(2)"].text == found[f"3({inserted})"].text == SENTENCE
    assert found[f"3({inserted})"].breadcrumb == ("3 The title of it",)


def test_an_article_that_a_law_inserts_is_a_number():
    numbers = ("1", "2", "2 bis", "3", "4", "4 ter", "5")
    paper = Paper()
    for number in numbers:
        paper.line(f"Article {number}. {SENTENCE}", left=72, gap=12)
    assert articles(paper) == list(numbers)


def test_letters_are_the_numbers_of_a_document_that_has_no_others():
    paper = Paper()
    for letter in "abcdefgh":
        paper.line(f"{letter}) {SENTENCE}", left=72, gap=6)
    assert articles(paper) == list("abcdefgh")


def test_a_table_of_dated_editions_before_the_rules_is_a_record_of_changes():
    paper = Paper().line("RULES OF THE GARDEN", bold=True)
    paper.line("Record of changes", bold=True, gap=12)
    rows = [("Edition", "Date"), ("First", "2019-03-01"), ("Second", "2021-04-01")]
    paper.grid(rows, left=72, widths=(120, 120))
    book = read(rules("1", "1.1", "1.2", "2", "2.1", paper=paper))
    [record] = book.other_texts
    assert (record.kind, record.title) == ("changelog", "Record of changes")
    assert "Second" in record.text


def test_a_list_below_the_own_numbers_of_a_chapter_is_no_rule():
    paper = Paper()
    for chapter in range(1, 5):
        paper.line(f"Chapter {chapter}. The name of it", left=72, bold=True, gap=14)
        for rule in (1, 2, 3):
            paper.line(f"{chapter}.{rule}  {SENTENCE}", left=72, gap=8)
        if chapter == 3:
            for step in (1, 2, 3):
                paper.line(f"{step}. {SENTENCE}", left=90, gap=4)
    assert not {"1", "2", "3"} & set(articles(paper))


def test_a_name_in_larger_print_is_a_title_without_text_below_it():
    paper = Paper()
    for article in range(1, 4):
        paper.heading(str(article), "BOATS")
        paper.at(72, HEIGHT - paper.y + 24, f"{article}.1  Safety of the boats", size=15)
        paper.y -= 30
        paper.clause(f"{article}.1.1", SENTENCE).clause(f"{article}.1.2", SENTENCE)
    found = {clause.article: clause for clause in read(paper).clauses}
    assert (found["2.1"].title, found["2.1"].text) == ("Safety of the boats", "")


def test_words_in_bold_that_lead_to_items_are_text():
    paper = Paper().heading("1", "OFFICIALS")
    for rule in (1, 2, 3):
        paper.line(
            f"1.{rule}  The following officials may be appointed:", left=72, bold=True, gap=10
        )
        paper.line(f"a) the first of them, {SENTENCE.lower()}", left=90, gap=4)
    clause = {clause.article: clause for clause in read(paper).clauses}["1.2"]
    assert clause.title == ""
    assert clause.text.startswith("The following officials may be appointed:")


def test_cells_of_a_table_that_hold_numbers_are_no_rules():
    paper = rules("1", "1.1", "1.2", "2")
    paper.grid([("Width", "Load"), ("1.1", "2.3"), ("1.2", "2.4"), ("1.3", "2.5"), ("2", "3")])
    found = read(rules("2.1", "2.2", paper=paper)).clauses
    assert [clause.article for clause in found] == ["1", "1.1", "1.2", "2", "2.1", "2.2"]
    assert "| 1.3 | 2.5 |" in found[3].text


def test_versions_in_a_table_of_changes_are_no_rules():
    paper = Paper().line("Changes", bold=True)
    versions = [("1.0", "First issue"), ("1.1", "Typing errors"), ("1.2", "Tyres"), ("2.0", "New")]
    paper.grid([("Version", "What"), *versions], left=72, widths=(80, 200))
    numbers = ["1", "1.1", "1.2", "2", "2.1", "2.2"]
    found = [
        c for c in read(rules(*numbers, paper=paper.page())).clauses if c.article != "Preamble"
    ]
    assert [clause.article for clause in found] == numbers


def test_a_word_that_begins_like_appendix_is_none():
    paper = rules("1", "1.1", "1.2", "2", "2.1")
    paper.line("APPENDICES", left=72, bold=True, gap=16)
    paper.line("APPENDIX 1 FORMS", left=72, bold=True, gap=16).line(TEXT, left=72)
    assert articles(paper) == ["1", "1.1", "1.2", "2", "2.1", "Appendix 1"]


def test_a_short_handbook_without_numbers_is_read_below_its_headings_in_part():
    book = read(handbook_without_numbers())
    assert [clause.article for clause in book.clauses][-len(TOPICS) :] == TOPICS
    assert "partly_read" in {warning.code for warning in book.report.warnings}


def test_a_line_that_begins_with_a_word_and_a_number_ends_no_paragraphs_of_an_article():
    paper = Paper()
    for number in range(1, 6):
        paper.heading(f"§ {number}", "Prüfungen")
        for part in range(1, 4):
            paper.line(f"({part}) Eine Prüfung im Fach dauert je Prüfling", left=72, gap=4)
            paper.line("höchstens 180 Minuten. Sie ist nicht öffentlich.", left=72)
    parts = [f"{number}({part})" for number in range(1, 6) for part in range(1, 4)]
    assert [one for one in articles(paper) if "(" in one] == parts


@pytest.mark.parametrize("title", ["Document History", "Änderungshistorie", "Versions"])
def test_a_numbered_article_of_dated_versions_is_a_record_of_changes(title):
    paper = rules("1", "1.1", "1.2", "2", "2.1").heading("3", title)
    rows = [("Version", "Date", "Change"), ("A", "2023-03-12", "First"), ("B", "2024-04-03", "6 m")]
    paper.grid(rows, left=72, widths=(60, 100, 220))
    book = read(paper)
    assert [text.kind for text in book.other_texts] == ["changelog"]
    assert not any("6 m" in clause.text for clause in book.clauses)


GERMAN = "Die Prüfung findet im Sommer statt und wird vom Ausschuss der Fakultät geleitet."
FRIST = "Die Frist für die Anmeldung zu allen Prüfungen des Studiums richtet sich nach"


@pytest.mark.parametrize(
    "wrapped", ["§ 5 Absatz 2 und", "(1) dieses Absatzes und", "Artikel 1 und"]
)
@pytest.mark.parametrize("indent", [0, 24])
def test_a_wrapped_line_that_begins_with_a_number_restarts_no_count(wrapped, indent):
    paper = Paper()
    for section in range(1, 6):
        paper.line(f"§ {section} Abschnitt", left=72, bold=True, gap=14)
        for number in range(1, 5):
            is_long = number == 2 and section % 2
            first = FRIST if is_long else GERMAN
            parts = (f"({number})", first) if indent else ("", f"({number}) {first}")
            paper.line(parts[1], number=parts[0], left=72 + indent, gap=6)
            if is_long:
                paper.line(f"{wrapped} kann vom Ausschuss verlängert werden.", left=72 + indent)
    counted = [f"{section}({number})" for section in range(1, 6) for number in range(1, 5)]
    assert [article for article in articles(paper) if "(" in article] == counted


@pytest.mark.parametrize("words", ["2.5 mm between the plates must be kept.", "2.5 kg are added."])
def test_an_amount_at_the_start_of_a_line_is_no_next_rule(words):
    paper = Paper().heading("2", "CLEARANCES")
    for number in range(1, 4):
        paper.clause(f"2.{number}", TEXT)
    paper.clause("2.4", "The gap is at least:", words)
    assert articles(paper) == ["2", "2.1", "2.2", "2.3", "2.4"]


def test_a_bulletin_counts_its_sentences_without_a_dot_and_a_list_of_names_is_none():
    bulletin, names = Paper(), Paper()
    for number, topic in enumerate(TOPICS[:4], 1):
        bulletin.line(f"{number} The {topic} of the boat is measured ashore.", left=72, gap=10)
        names.line(f"{number} {topic.capitalize()} Team", left=72, gap=10)
    assert articles(bulletin)[-4:] == ["1", "2", "3", "4"]
    with pytest.raises(ReadError, match="No numbered rules were found"):
        read(names)
