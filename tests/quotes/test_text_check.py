"""Quotes and citations of texts that people paste, judged against the Cup Rules."""

import io
import json
import zipfile

import pytest

from core.errors import ReadError
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Relation
from core.quotes import RuleTexts, check_text, mark_text, read_text_file
from core.rulebook import ReadLimits
from tests.commands import run_command
from tests.layered_cup import add_harbour_cup
from tests.rulebook.word_builder import (
    heading_styles,
    level,
    lists,
    paragraph,
    run as text_run,
    word_file as word_book,
)

LIMIT = "The speed limit in the pit lane is 50 km/h throughout the Event, for every car."


@pytest.fixture(scope="module")
def rules(cup_folder):
    return RuleTexts(Library(cup_folder))


def quotes(rules, text):
    return [one for one in check_text(rules, text) if one.kind == "quote"]


def findings(rules, text):
    return [one.finding for one in check_text(rules, text)]


@pytest.mark.parametrize(
    "written",
    [
        f"Article 21.3 says: “{LIMIT}”",
        f'"{LIMIT}" (Article 21.3)',
        f"Article 21.3 : « {LIMIT} »",
        f"Artikel 21.3 sagt: „{LIMIT}“",
        f"Article 21.3 says:\n\n> {LIMIT}\n",
        f"> {LIMIT}\n>\n> — Article 21.3\n",
        "Article 21.3: “[t]he speed limit in the pit lane is 50 km/h […] for every car”.",
        "Article 21.3: “the speed limit in the\npit lane is 50 km/h through-\nout the Event”",
        "Article 40.1: “Each driver may use ﬁve sets of Prime tyres”",
        "Article 38.3: “The Stewards may impose: a) a time penalty; b) a reprimand”",
    ],
)
def test_a_quote_stands_however_it_is_written(rules, written):
    [found] = quotes(rules, written)
    assert (found.finding, found.page is not None) == ("stands", True)


def test_an_elision_says_what_it_leaves_out(rules):
    [found] = quotes(rules, "Article 40.1: “Each driver may use […] Prime tyres at an Event”")
    assert found.stands
    assert found.difference == "left out: “five sets of”"


@pytest.mark.parametrize(
    ("written", "finding"),
    [
        (LIMIT.replace("50", "55"), "altered"),
        (LIMIT.replace("every", "any"), "altered"),
        (LIMIT.replace("throughout the Event, ", ""), "altered"),
        (LIMIT.replace("50", "60"), "other_edition"),
        ("Each driver may use five sets of Prime tyres at an Event", "other_article"),
        ("Bakers carry barley bread over frozen orchards at dawn", "no_source"),
    ],
)
def test_a_quote_that_does_not_stand_is_told_from_others(rules, written, finding):
    [found] = quotes(rules, f"Article 21.3 of the 2024 Cup Rules says “{written}”.")
    assert found.finding == finding


def test_the_difference_shows_both_wordings(rules):
    [found] = quotes(rules, f"Article 21.3: “{LIMIT.replace('50', '55')}”")
    assert "[-50-]" in found.difference
    assert "{+55+}" in found.difference


def test_an_edition_that_the_text_names_first_holds_for_what_follows(rules):
    text = f"# A protest under the 2023 Cup Rules\n\nArticle 21.3: “{LIMIT}”"
    assert [one.finding for one in quotes(rules, text)] == ["other_edition"]
    assert quotes(rules, text.replace("50", "60"))[0].stands


def test_a_season_that_is_not_held_is_no_other_season(rules):
    [found] = quotes(rules, f"Article 21.3 of the 2031 Cup Rules says “{LIMIT}”.")
    assert found.finding == "not_held"


def test_terms_and_apostrophes_are_no_quotes(rules):
    text = "The drivers' and the teams' “own view” of the 'best' car of the 1990's is known."
    assert findings(rules, text) == []


def test_an_article_that_is_nowhere_has_no_source(rules):
    assert findings(rules, "See Article 21.3 and Article 77.7.") == ["stands", "no_source"]


def test_a_heading_of_the_text_itself_is_no_citation(rules):
    text = "# 7.1 Brakes\n\nWe built them well.\n\n# 8 Summary\n\nSee Section 7.1 for the brakes."
    assert findings(rules, text) == []


@pytest.mark.parametrize(
    ("sentence", "finding"),
    [
        ("The speed limit in the pit lane is at most 55 km/h under Article 21.3.", "altered"),
        ("Each driver must use five sets of Prime tyres at an Event (Article 40.1).", "altered"),
        ("Each driver may use five sets of Prime tyres at an Event (Article 40.1).", "stands"),
        ("Our car was measured at 43 km/h, as Article 21.3 has it.", "stands"),
    ],
)
def test_numbers_and_duties_of_a_sentence_that_cites(rules, sentence, finding):
    assert findings(rules, sentence) == [finding]


@pytest.mark.parametrize(
    ("name", "finding"),
    [
        ("the 2024 Harbour Regatta Rules", "not_held"),
        ("the Harbour Regatta Rules 2024", "not_held"),
        ("the 2024 Cup Rules", "stands"),
        ("the MC Rules 2024", "stands"),
    ],
)
def test_a_rulebook_that_is_not_held_is_no_rulebook_of_the_same_season(rules, name, finding):
    for written in (f"{name}, Article 21.3: “{LIMIT}”", f"“{LIMIT}” (Article 21.3, {name})"):
        assert findings(rules, written) == [finding] * 2


def test_a_sentence_behind_a_quote_that_ends_in_a_full_stop_cites_nothing(rules):
    quote = "Article 40.1: “Each driver may use five sets of Prime tyres at an Event.”"
    assert findings(rules, f"{quote} We used 6 sets.") == ["stands", "stands"]


def test_a_list_keeps_quote_and_citation_together(rules):
    text = (
        f"1. “{LIMIT}” (Article 21.3)\n2. “Each driver may use five sets of Prime tyres”"
        " (Article 40.1)\n"
    )
    assert [(one.finding, one.article) for one in quotes(rules, text)] == [
        ("stands", "21.3"),
        ("stands", "40.1"),
    ]


def test_places_are_those_of_the_text(rules):
    text = f"Once more.\n\nArticle 21.3: “{LIMIT}”"
    [citation, quote] = check_text(rules, text)
    assert text[citation.start : citation.end] == "Article 21.3"
    assert text[quote.start : quote.end] == LIMIT
    assert mark_text(text, [citation, quote]).count("⟦") == 2


def run(folder, *arguments, given=None):
    done = run_command(folder, "verify", *arguments, stdin=given)
    return done.exit_code, done.stdout


def test_the_command_tells_a_build_server(cup_folder, tmp_path):
    status, out = run(cup_folder, "-", "--json", given=f"Article 21.3: “{LIMIT}”")
    assert status == 0
    assert [json.loads(line)["kind"] for line in out.splitlines()] == ["citation", "quote"]
    file = tmp_path / "protest.md"
    file.write_text(f"Article 21.3: “{LIMIT.replace('50', '70')}”", encoding="utf-8")
    status, out = run(cup_folder, file)
    assert status == 1
    assert "⟦2 altered⟧" in out
    assert run(cup_folder, tmp_path / "none.md")[0] == 2


def test_a_word_file_is_read_with_its_block_quotes(cup_folder, tmp_path):
    import docx

    document = docx.Document()
    document.add_paragraph("Article 21.3 says:")
    document.add_paragraph(LIMIT, style="Intense Quote")
    document.save(tmp_path / "report.docx")
    status, out = run(cup_folder, tmp_path / "report.docx", "--json")
    assert status == 0
    assert [json.loads(line)["kind"] for line in out.splitlines()] == ["citation", "quote"]


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="a" Type="http://x/officeDocument" Target="word/document.xml"/>'
    "</Relationships>"
)


def word_file(body):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", LINKS)
        document = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", document)
    return packed.getvalue()


def test_a_word_file_of_empty_paragraphs_is_read_and_so_are_tables():
    assert read_text_file(word_file("<w:p/>" * 20_000), "a.docx", ReadLimits()).strip() == ""
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    table = f"<w:tbl><w:tr>{cell.format('21.3')}{cell.format('50 km/h')}</w:tr></w:tbl>"
    assert read_text_file(word_file(table), "a.docx", ReadLimits()) == "| 21.3 | 50 km/h |"


@pytest.mark.parametrize(
    "broken", [b"PK\3\4 and noise", word_file("<w:p>"), word_file("<w:p>" * 9_999)]
)
def test_a_broken_word_file_is_one_sentence_with_its_status(cup_folder, tmp_path, broken):
    (tmp_path / "report.docx").write_bytes(broken)
    done = run_command(cup_folder, "verify", tmp_path / "report.docx")
    assert done.exit_code == 2
    assert done.stderr.startswith("report.docx cannot be read: ")


@pytest.mark.slow
@pytest.mark.parametrize("text", ["word " * 100_001, "“a quoted term” " * 6_000])
def test_a_text_over_the_limit_is_refused_in_a_sentence(rules, text):
    with pytest.raises(ReadError, match="check it in parts"):
        check_text(rules, text)


def test_a_check_ends_when_nobody_waits_for_it(rules):
    asked = []

    def has_gone():
        asked.append(len(asked))
        return len(asked) > 3

    with pytest.raises(ReadError, match="stopped"):
        check_text(rules, f"Article 21.3: “{LIMIT}”\n\n" * 9, should_stop=has_gone)
    assert len(asked) == 4


def test_a_long_paragraph_keeps_its_quotes_whole(rules):
    text = f"Article 21.3: “{LIMIT}” " * 60
    assert {one.text for one in quotes(rules, text)} == {LIMIT}
    assert len(quotes(rules, text)) == 60


@pytest.mark.parametrize(
    ("written", "finding"),
    [
        ("Formula 2 cars keep the speed limit in the pit lane (Article 21.3).", "not_held"),
        ("Article 21.3 of the Harbour Code sets a speed limit of 60 km/h.", "not_held"),
        ("The speed limit in the pit lane is 60 km/h (Article 21.3).", "altered"),
    ],
)
def test_a_rulebook_that_is_not_held_is_held_against_no_other(rules, written, finding):
    assert findings(rules, written) == [finding]


@pytest.mark.slow
def test_a_pdf_is_read_as_it_is_printed(cup_folder, tmp_path):
    pdf = pytest.importorskip("reportlab.platypus", reason="reportlab is not installed")
    from reportlab.lib.styles import getSampleStyleSheet

    style = getSampleStyleSheet()["Normal"]
    words = ("A protest", f"Article 21.3 says: “{LIMIT}” We ask for a decision.", "Yours.")
    file = tmp_path / "protest.pdf"
    pdf.SimpleDocTemplate(str(file)).build([pdf.Paragraph(one, style) for one in words])
    status, out = run(cup_folder, file, "--json")
    assert status == 0
    assert [json.loads(line)["kind"] for line in out.splitlines()] == ["citation", "quote"]


@pytest.mark.parametrize(
    ("before", "finding"),
    [
        ("Article 21.3 governs the pit lane. It says", "stands"),
        ("Article 40.1 governs the pit lane. It says", "other_article"),
        ("Articles 40.1 and 21.3 apply. The latter says", "stands"),
        ("Article 40.1 applies. The car was seen at noon. The steward wrote", "stands"),
        ("Article 40.1 says “five sets of Prime tyres”. The other one says", "stands"),
    ],
)
def test_the_one_article_of_the_sentence_before_is_the_source(rules, before, finding):
    assert quotes(rules, f"{before} “{LIMIT}”")[-1].finding == finding


def test_an_article_within_an_appendix_is_one_citation_where_it_is_held(tmp_path):
    library, text = Library(tmp_path), "The kart carries two mirrors of 40 cm² each."
    lines = [
        {"document": "Kart Rules", "article": number, "title": "", "text": words, "season": 2024}
        for number, words in (
            ("Appendix 3", "Equipment."),
            ("Appendix 3, 2", text),
            ("2", "Flags."),
        )
    ]
    added = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "kart.jsonl")
    assert [one.status for one in added] == ["added"]
    rules = RuleTexts(library)
    cited, quoted = check_text(rules, f"Appendix 3, 2: “{text}”")
    assert (cited.text, cited.article, quoted.finding) == (
        "Appendix 3, 2",
        "Appendix 3, 2",
        "stands",
    )
    assert check_text(rules, f"Appendix 3, 4: “{text}”")[0].text == "Appendix 3"


def test_a_quote_leaves_out_the_marks_of_footnotes_but_no_power(tmp_path):
    rule = "The plate¹ of the car² must be 50 mm² and flat.³"
    note = '<w:r><w:footnoteReference w:id="{}"/></w:r>'.format
    body = paragraph("Cars", style="Heading1") + paragraph(
        text_run("The plate")
        + note(2)
        + text_run(" of the car")
        + note(3)
        + text_run(" must be 50 mm² and flat.")
        + note(4),
        number=(1, 1),
    )
    notes = "".join(
        f'<w:footnote w:id="{at}">{paragraph(f"Note {at}.")}</w:footnote>' for at in (2, 3, 4)
    )
    numbering = lists([level(0, "%1"), level(1, "%1.%2")])
    parts = {"footnotes": notes}
    data = word_book(body, styles=heading_styles(), numbering=numbering, parts=parts)
    library = Library(tmp_path)
    list(add_bytes(library, data, "Plate Rules 2025.docx"))
    rules = RuleTexts(library)
    assert library.clauses(library.documents()[0].document_id)[-1].text == rule
    assert findings(rules, f"“{rule}”") == ["stands"]
    assert findings(rules, "“The plate of the car must be 50 mm² and flat.”") == ["stands"]
    assert findings(rules, "“The plate of the car must be 50 mm and flat.”") == ["altered"]


def test_a_quote_of_an_overridden_rule_is_told_as_overridden(tmp_path):
    library = Library(tmp_path)
    add_harbour_cup(library)
    overridden, free = check_text(
        RuleTexts(library),
        "The speed: “The speed in the harbour must not exceed 10 km/h.” The hull: “The hull must"
        " not be longer than 6.5 m.”",
    )
    assert (overridden.finding, free.finding) == ("overridden", "stands")
    assert not overridden.stands
    assert "overridden by Article H 2.1, Harbour Cup Handbook 2025" in overridden.difference
    assert not free.difference


def test_a_cited_article_of_a_base_is_told_with_what_its_layers_leave_of_it(tmp_path):
    library = Library(tmp_path)
    add_harbour_cup(library)
    rules = RuleTexts(library)
    old = "Under Article 4.1 the speed in the harbour must not exceed 10 km/h."
    assert findings(rules, old) == ["overridden"]
    part = "Under Article 2.1 the entry fee must be paid by 1 March 2025."
    assert findings(rules, part) in (["stands"], ["unsettled"])
    added = "Under Article 4.2 the start is given by a horn."
    assert findings(rules, added) == ["stands"]


def test_a_quote_of_a_rule_as_another_layer_has_it_stands(tmp_path):
    library = Library(tmp_path)
    books = [
        ("Lake Rules", "lake", [("1", "The mass must not exceed 90 kg."), ("2", "Sails are red.")]),
        (
            "Lake Bulletin",
            "bulletin",
            [
                ("B1", "In Article 1 “90 kg” is replaced by “95 kg”."),
                ("B2", "Article 2 is replaced by: “Sails are blue.”"),
            ],
        ),
    ]
    ids = []
    for title, family, rules in books:
        named = {"document": title, "title": "", "season": 2025, "issue": 1, "family": family}
        lines = [json.dumps({"article": number, "text": text} | named) for number, text in rules]
        [added] = add_bytes(library, "\n".join(lines).encode(), f"{family}.jsonl")
        ids.append(added.document.document_id)
    library.relate(ids[1], Relation("amends", ids[0]))
    rules = RuleTexts(library)
    [quote] = [
        one for one in check_text(rules, "“The mass must not exceed 95 kg.”") if one.kind == "quote"
    ]
    assert (quote.finding, quote.article) == ("stands", "1")
    assert "as changed by Article B1" in quote.difference
    assert findings(rules, "“The mass must not exceed 90 kg.”") == ["overridden"]
    assert findings(rules, "“The mass must not exceed 99 kg.”") == ["altered"]
    assert findings(rules, "Article 2: “Sails are blue.”")[-1:] == ["stands"]
    assert findings(rules, "Article 2: “Sails are red.”")[-1:] == ["overridden"]
    assert findings(rules, "Under Article 1 the mass must not exceed 99 kg.") == ["altered"]
    assert findings(rules, "Under Article 1 the mass must not exceed 95 kg.") == ["unsettled"]
