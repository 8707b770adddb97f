"""Finding: by number first, then by words; never outside the scope, never what is struck out unless
asked for.
"""

from dataclasses import replace

import pytest
from cup import PIT_LANE, Add, add_rulebook

from core.errors import LibraryError
from core.library.retrieval.references import resolve_references
from core.library.retrieval.search import (
    article,
    cut_to_part,
    find_named_articles,
    mentions,
    search,
)
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import Scope, ScopeChoice
from core.rulebook.types import TextLocation


def everything(library: Library) -> Scope:
    return Scope(library.documents(), "all")


def found(library: Library, query: str) -> list[str]:
    return [hit.clause.article for hit in search(library, query, everything(library))]


@pytest.fixture(scope="module")
def pit_lane(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library for all who only search it."""
    library = Library(tmp_path_factory.mktemp("pit_lane"))
    add_rulebook(library, "Rules", *PIT_LANE)
    return library


def test_words_find_a_clause(pit_lane: Library) -> None:
    [first, *_] = search(pit_lane, "What is the speed limit in the pit lane?", everything(pit_lane))
    assert (first.clause.article, first.why) == ("34.7", "words")
    assert first.clause.text == "A speed limit of 80km/h will be imposed in the pit lane."


@pytest.mark.parametrize("query", ["80km/h", "80 km/h", "limit of 80 KM/H", "80 kph", "80kmh"])
def test_numbers_are_found_in_either_spelling(pit_lane: Library, query: str) -> None:
    assert found(pit_lane, query)[0] == "34.7"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What does Article 54.3 say?", "54.3"),
        ("article 34.14 unsafe release", "34.14"),
        ("54.3", "54.3"),
        ("Art. 54.3 d)", "54.3"),
    ],
)
def test_an_article_named_comes_first(pit_lane: Library, query: str, first: str) -> None:
    [hit, *_] = search(pit_lane, query, everything(pit_lane))
    assert (hit.clause.article, hit.why) == (first, "exact")


def test_scores_fall_from_hit_to_hit(pit_lane: Library) -> None:
    scores = [
        hit.score for hit in search(pit_lane, "Article 54.3, unsafe pit lane", everything(pit_lane))
    ]
    assert len(scores) > 2
    assert scores == sorted(scores, reverse=True)


def test_a_title_that_holds_the_whole_query_comes_first(library: Library, add: Add) -> None:
    add(
        "Rules",
        (
            "1",
            "The ready to drive sound has a minimum sound level of 80 dBA and lasts 3 seconds at"
            " the maximum.",
        ),
        (
            "3",
            "a. At idle 103 dBC\nb. At all other speeds 110 dBC",
            "Maximum Permitted Sound Level",
        ),
        *(
            (f"4.{number}", f"Rule {number} on brakes and tyres.", f"Brake {number}")
            for number in range(40)
        ),
    )
    assert found(library, "maximum sound level")[0] == "3"


def test_a_heading_without_words_is_no_answer(pit_lane: Library) -> None:
    assert "34" not in found(pit_lane, "pit lane")


def test_negations_are_words(library: Library, add: Add) -> None:
    add("Rules", ("1", "Wings shall be fixed."), ("2", "Wings shall not be fixed."))
    assert found(library, "not")[0] == "2"
    assert found(library, '"shall not"') == ["2"]
    assert found(library, '"shall be fixed"') == ["1"]


def test_quotation_marks_are_a_demand_alone_and_emphasis_in_a_question(
    library: Library, add: Add
) -> None:
    add(
        "Rules",
        ("1", "The car park is open."),
        ("2", "Park the safety car."),
        ("3", "The safety of a parked car."),
    )
    assert found(library, '"safety car"') == ["2"]
    assert set(
        found(library, 'Who decides where to park the car that is called "safety car" today?')
    ) == {
        "1",
        "2",
        "3",
    }


def test_whole_numbers_only(library: Library, add: Add) -> None:
    add(
        "Rules",
        ("1", "See 5.3.20."),
        ("2", "See 5.3.2."),
        ("3", "The width is 1,525mm."),
        ("4", "15 or 25 of them."),
    )
    assert found(library, "see 5.3.2")[0] == "2"
    assert found(library, "1525 mm")[0] == "3"


def test_lay_words_find_the_rulebooks_words(library: Library, add: Add) -> None:
    add(
        "Rules",
        ("1", "The accelerator pedal returns to its rest position."),
        ("2", "Each car has four tyres."),
        ("3", "The driver adjustable bodywork may be activated."),
        ("4", "Thermal energy is recovered."),
    )
    assert found(library, "gas pedal")[0] == "1"
    assert found(library, "tires")[0] == "2"
    assert found(library, "When may I use DRS?")[0] == "3"


def test_a_documents_own_short_forms_are_known(library: Library, add: Add) -> None:
    add(
        "Rules",
        ("1", "The Virtual Safety Car (VSC) neutralises a race."),
        ("2", "Wings are fixed."),
        ("3", "Wheels are round."),
        ("4", "VSC ENDING is shown when VSC ends."),
    )
    assert set(found(library, "virtual safety car")[:2]) == {"1", "4"}


def test_the_scope_is_a_wall(library: Library, add: Add) -> None:
    add("Old", ("1", "The speed limit is 60km/h."), season=2024, family="cup")
    add("New", ("1", "The limit is 80km/h."), season=2025, family="cup")
    for season, text in ((2024, "The speed limit is 60km/h."), (2025, "The limit is 80km/h.")):
        scope = resolve_scope(library.documents(), ScopeChoice(season=season))
        assert [hit.clause.text for hit in search(library, "speed limit", scope)] == [text]
        assert [hit.clause.season for hit in search(library, "1", scope)] == [season]
    assert search(library, "speed limit", Scope((), "nothing")) == ()


def test_a_season_in_the_query_is_no_word(library: Library, add: Add) -> None:
    add(
        "New", ("1", "Since 2025 engines differ."), ("2", "The speed limit is 80km/h."), season=2025
    )
    assert found(library, "speed limit in 2025")[0] == "2"
    assert found(library, "2025")[0] == "1"


def test_of_a_number_in_two_documents_the_words_decide(library: Library, add: Add) -> None:
    add("Sporting", ("3.2", "Drivers wear helmets."), ("3.3", "Drivers sleep."))
    add("Technical", ("3.2", "Wings are fixed."), ("3.3", "Wheels are round."))
    [first, *_] = search(library, "Does Article 3.2 let wings move?", everything(library))
    assert first.clause.text == "Wings are fixed."
    both = search(library, "Article 3.2", everything(library))
    assert {hit.clause.text for hit in both if hit.why == "exact"} == {
        "Drivers wear helmets.",
        "Wings are fixed.",
    }


@pytest.mark.parametrize(
    "query",
    [
        "日本語",
        "xyzzy",
        "' OR 1=1; --",
        'a "b" \' c',
        "ß" * 50,
        "speed " * 2000,
        "x" * 10_000,
        "\ud800 speed \x00",
        "34.7 " * 300,
        "скорость в пит-лейне",
        "الحد الأقصى للسرعة",
        '"speed" "limit" AND (title:x)* ~3 ^2 \\',
    ],
)
def test_odd_queries_find_little_and_break_nothing(pit_lane: Library, query: str) -> None:
    assert len(search(pit_lane, query, everything(pit_lane))) <= 10


@pytest.mark.parametrize(
    "query", ["", "  ", "?!... --", "\"'`", "the of and", "What is it?", "\x00", "🏎"]
)
def test_a_query_without_a_word_is_refused(pit_lane: Library, query: str) -> None:
    with pytest.raises(LibraryError) as caught:
        search(pit_lane, query, everything(pit_lane))
    assert caught.value.code == "empty_query"


def test_a_search_in_an_untouched_library_finds_nothing(library: Library) -> None:
    assert search(library, "speed limit", everything(library)) == ()
    assert article(library, "34.7", everything(library)).clause is None


def test_struck_and_future_clauses_are_out_unless_asked_for(library: Library, add: Add) -> None:
    document = add(
        "Rules", ("1", "Fuel is limited."), ("1", "Fuel is free."), ("2", "Fuel is green.")
    )
    live, old, coming = library.clauses(document.document_id)
    library.remove_document(document.document_id)
    struck = replace(old, text="", title="", status="deleted", deleted=("Fuel is free.",))
    future = replace(coming, status="future", future=2030)
    library.add_documents(b"{}", ".jsonl", [(document, (live, struck, future))])
    scope = everything(library)

    def ids(**asked: bool) -> set[str]:
        return {hit.clause.clause_id for hit in search(library, "fuel", scope, **asked)}

    assert ids() == {live.clause_id}
    assert ids(statuses=("in_force", "deleted")) == {live.clause_id, struck.clause_id}
    assert ids(statuses=("in_force", "future")) == {live.clause_id, future.clause_id}
    assert article(library, "1", scope).clause == live
    assert article(library, "2", scope).clause is None
    assert len(article(library, "1", scope, statuses=("in_force", "deleted")).candidates) == 2
    assert article(library, "2", scope, statuses=("in_force", "future")).clause == future


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A document that prints its rules in English, its main language, and in French."""
    english = (
        "A race is an event.",
        "A protest is lodged with the stewards.",
        "A licence is needed.",
    )
    french = (
        "Une course est une épreuve.",
        "Une réclamation est adressée aux commissaires.",
        "Une licence, une licence!",
    )
    library = Library(tmp_path_factory.mktemp("code"))
    document = add_rulebook(
        library, "Code", *((str(n), text) for n, text in enumerate(english + french))
    )
    clauses = library.clauses(document.document_id)
    library.remove_document(document.document_id)
    printed = [
        replace(clause, article=str(number % 3 + 1), language="fr" if number > 2 else "en")
        for number, clause in enumerate(clauses)
    ]
    library.add_documents(b"{}", ".jsonl", [(replace(document, language="en"), printed)])
    return library


@pytest.mark.parametrize(
    ("query", "language", "article"),
    [
        ("Where is a protest lodged?", "en", "2"),
        ("Où adresser une réclamation ?", "fr", "2"),
        ("licence", "en", "3"),
        ("article 2", "en", "2"),
        ("article 2, réclamation aux commissaires", "fr", "2"),
    ],
)
def test_a_rule_printed_in_two_languages_comes_once_in_that_of_the_question(
    code: Library, query: str, language: str, article: str
) -> None:
    hits = search(code, query, everything(code))
    assert hits[0].clause.article == article
    assert {hit.clause.language for hit in hits} == {language}


def test_a_clause_is_found_by_its_number_alone(library: Library, add: Add) -> None:
    add("Rules", ("3.2", "This:\na) one;\nb) two."), ("4", "This."), ("4", "That."))
    scope = everything(library)
    assert (clause := article(library, "Article 3.2 b)", scope).clause) is not None
    assert (clause.article, clause.text) == ("3.2", "b) two.")
    assert [article(library, number, scope).clause for number in ("3.2 z)", "4", "9", "")] == [
        None
    ] * 4


def test_an_article_is_looked_up_with_its_children(library: Library, add: Add) -> None:
    numbers = ["V.1", "V.1.1", "V.1.1.1", "V.1.2.1", "V.1.10", "V.10", "V.2"]
    add("Rules", *((number, f"Rule {number}") for number in numbers))
    lookup = article(library, "rule v.1", everything(library))
    assert lookup.clause is not None
    assert lookup.clause.article == "V.1"
    assert lookup.children == ("V.1.1", "V.1.2.1", "V.1.10")
    assert article(library, "V.10", everything(library)).children == ()


def test_a_part_is_cut_out_of_its_article(pit_lane: Library) -> None:
    for number in ("54.3d)", "Article 54.3 d)", "54.3(d)"):
        lookup = article(pit_lane, number, everything(pit_lane))
        assert lookup.clause is not None
        assert (lookup.clause.article, lookup.part, lookup.clause.text) == (
            "54.3",
            "d)",
            "d) a drive-through penalty.",
        )
    assert article(pit_lane, "54.3z)", everything(pit_lane)).clause is None


def test_an_item_has_the_pages_on_which_it_is_printed(pit_lane: Library) -> None:
    clause = article(pit_lane, "54.3", everything(pit_lane)).clause
    assert clause is not None
    printed = (
        "The stewards may impose: a) a fine;",
        "b) a reprimand;",
        "d) a drive-through penalty.",
    )
    places = tuple(TextLocation(page, (), words) for page, words in enumerate(printed, 8))
    whole = replace(clause, places=places, page_first=8, page_last=10)
    items = [cut_to_part(whole, item) for item in ("a) a fine;", "b) a reprimand;\nd) a drive")]
    assert [(item.page_first, item.page_last) for item in items] == [(8, 8), (9, 10)]
    unseen = cut_to_part(whole, "e) a warning.")
    assert (unseen.page_first, unseen.page_last) == (8, 10)


def test_a_number_that_two_bear_gives_candidates(library: Library, add: Add) -> None:
    add("One", ("3.2", "This."), ("3.2", "That."))
    add("Two", ("3.2", "Other."))
    lookup = article(library, "3.2", everything(library))
    assert lookup.clause is None
    assert sorted(clause.text for clause in lookup.candidates) == ["Other.", "That.", "This."]


def test_a_reference_to_a_number_that_two_bear_leads_to_both(library: Library, add: Add) -> None:
    document = add("One", ("3.1", "See Article 3.2."), ("3.2", "This."), ("3.2", "That."))
    [clause, *_] = library.clauses(document.document_id)
    found = resolve_references(library, clause, everything(library))
    assert [(one.state, one.clause and one.clause.text) for one in found] == [
        ("found", "This."),
        ("found", "That."),
    ]


@pytest.mark.parametrize(
    "number", ["", "99.9", "Article", "'; drop", "\ud800", "\x00", "9" * 10_000]
)
def test_an_unknown_article_is_not_found(pit_lane: Library, number: str) -> None:
    lookup = article(pit_lane, number, everything(pit_lane))
    assert (lookup.clause, lookup.candidates) == (None, ())


def test_mentions_bring_what_stands_below_and_what_is_referred_to(
    library: Library, add: Add
) -> None:
    add(
        "Rules",
        ("1", "", "Brake systems"),
        ("1.1", "Two circuits. See Article 3.1."),
        ("1.1.1", "Each circuit has a reservoir."),
        ("2", "Pedals are of steel."),
        ("2.1", "The BRAKE\npedal does not bend."),
        ("3", "", "Lights"),
        ("3.1", "A red light. See Article 4."),
        ("4", "Colours."),
    )
    scope = everything(library)
    assert [clause.article for clause in mentions(library, "brake", scope)] == [
        "1",
        "1.1",
        "1.1.1",
        "2.1",
        "3.1",
    ]
    assert [clause.article for clause in mentions(library, "Brake Pedal/Colour", scope)] == [
        "2.1",
        "4",
    ]
    assert mentions(library, "gearbox", scope) == ()
    with pytest.raises(LibraryError):
        mentions(library, " / ", scope)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does IC1.1.1 say?", ("IC1.1.1",)),
        ("Is it 7.4 that holds for fuel?", ("7.4",)),
        ("What does Article 99 say?", ("99",)),  # by its form, held or not
        ("What does IC9.9.9 say?", ()),  # the scope has none such
        ("May the tank hold 7.4 litres?", ()),  # an amount
        ("How many cars may start, 7 or 8?", ()),
    ],
)
def test_a_number_names_an_article_by_its_form_or_because_the_scope_has_it(
    library: Library, add: Add, question: str, named: tuple[str, ...]
) -> None:
    add("Rules", ("IC1.1.1", "The engine has four strokes."), ("7.4", "Fuel is petrol."))
    assert find_named_articles(library, question, everything(library)) == named


def test_an_article_with_letters_is_looked_up_exactly(library: Library, add: Add) -> None:
    add("Rules", ("IC1.1.1", "The engine has four strokes."), ("7.4", "Say it in IC form."))
    [first, *_] = search(library, "What does IC1.1.1 say?", everything(library))
    assert (first.clause.article, first.why) == ("IC1.1.1", "exact")
