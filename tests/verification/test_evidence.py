"""Sources keep their markers; clauses are cut into quotable pieces."""

from core.grammar.sentences import split_sentences
from core.library.types import Hit
from core.rulebook.types import Clause
from core.verification.evidence import Evidence, cite, relevant_text
from tests.agent.stories import source


def hit(article: str, text: str = "Words.") -> Hit:
    clause = Clause(
        clause_id=f"doc:{article}",
        document_id="doc",
        source_id=f"doc:{article}",
        article=article,
        title="",
        breadcrumb=(),
        text=text,
        status="in_force",
        deleted=(),
        inserted=(),
        marks=(),
        season=2024,
        issue=1,
        family="meridian-sporting",
        future=None,
        page_first=1,
        page_last=1,
        references=(),
    )
    return Hit(clause, 1.0, "words")


def test_a_clause_found_again_keeps_its_marker():
    evidence = Evidence()
    first = evidence.add_hits([hit("1.1"), hit("1.2")], {"doc": "The Rules"})
    again = evidence.add_hits([hit("1.3"), hit("1.1")], {"doc": "The Rules"})
    assert [s.marker for s in first] == [1, 2]
    assert [s.marker for s in again] == [3, 1]
    assert evidence.find_by_marker(3).article == "1.3"
    assert evidence.find_by_marker(9) is None


def test_a_citation_says_that_its_document_was_read_in_part():
    labels = {"doc": "The Rules"}
    [whole] = Evidence().add_hits([hit("1.1")], labels)
    [partly] = Evidence().add_hits([hit("1.1")], labels, {"doc"})
    assert cite(whole, "Words.").caution == ""
    assert cite(partly, "Words.").caution == " (read in part: rules may be missing)"


def test_a_citation_tells_the_lettered_item_of_its_quote():
    clause = source(
        1,
        "38.3",
        "The Stewards may impose:\na) a time penalty of five seconds;\nb) a drive-through penalty.",
    )
    assert cite(clause, "a drive-through penalty").part == "b)"
    assert cite(clause, "The Stewards may impose:").part is None
    assert cite(clause, "a time penalty of five seconds").part == "a)"


def test_sentences_end_where_sentences_end():
    text = "See Art. 5 and e.g. Table 2. The limit is 1.5 mm. It holds.\na) first item; and\n"
    text += (
        "It costs 45 EUR incl. VAT and tips. See Fig. 3 (cf. B. 4). It weighs 5 kg. It is new.\n"
    )
    text += "It is for class B. It ends here. Ab dem 10. August gilt der 2. Satz. Er bleibt.\n"
    text += "iii. Third item.\n| Load | Limit |"
    assert split_sentences(text) == (
        "See Art. 5 and e.g. Table 2.",
        "The limit is 1.5 mm.",
        "It holds.",
        "a) first item; and",
        "It costs 45 EUR incl. VAT and tips.",
        "See Fig. 3 (cf. B. 4).",
        "It weighs 5 kg.",
        "It is new.",
        "It is for class B.",
        "It ends here.",
        "Ab dem 10. August gilt der 2. Satz.",
        "Er bleibt.",
        "iii. Third item.",
        "| Load | Limit |",
    )


def test_a_citation_tells_the_page_on_which_its_quote_begins():
    pages = (
        (42, "Cars must not be released. An unsafe car is"),
        (43, "sent back. The driver is fined."),
    )
    clause = source(
        1,
        "34.14",
        "Cars must not be released. An unsafe car is sent back. The driver is fined.",
        pages=pages,
    )
    assert [
        cite(clause, quote).page
        for quote in ("must not be released", "An unsafe car is sent back", "is fined")
    ] == [42, 42, 43]


def test_a_part_holds_the_whole_quote_and_a_closing_line_is_in_none():
    text = (
        "They may impose:\na) a fine; or\nb) a penalty:\ni) of time;\nii) of places.\n"
        "Both may be appealed."
    )
    clause = source(1, "38.3", text)
    quotes = (
        "They may",
        "a fine; or b) a penalty",
        "of time",
        "ii) of places",
        "Both may be appealed",
    )
    assert [cite(clause, quote).part for quote in quotes] == [None, None, "b)i)", "b)ii)", None]


def test_of_items_with_the_same_words_a_citation_tells_the_one_quoted_or_none():
    text = (
        "Minor:\na) one of:\n(i) reprimand;\n(ii) deduction of points;\n"
        "b) one of:\n(i) deduction of points."
    )
    clause = source(1, "9.1", text)
    quotes = (
        "(i) deduction of points",
        "(ii) deduction of points",
        "deduction of points",
        "reprimand",
    )
    assert [cite(clause, quote).part for quote in quotes] == ["b)i)", "a)ii)", None, "a)i)"]


def test_on_an_item_bear_its_words_and_what_leads_in_to_them():
    text = "Under Article 5:\na) a car, see Article 6;\nb) a tyre, see Article 7."
    clause = source(1, "3.1", text)
    assert (
        relevant_text(clause, cite(clause, "b) a tyre"))
        == "Under Article 5:\nb) a tyre, see Article 7."
    )
    assert relevant_text(clause, cite(clause, text)) == text


def test_a_chapter_without_a_number_is_named_once():
    name = "Guidelines for adjourned games"
    citation = cite(source(1, name, "A game is adjourned.", part=name), "A game is adjourned.")
    assert (citation.article, citation.part) == (name, None)
