"""What is an edition of which rulebook, by titles, words and what is printed of their age."""

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.answers.answer_text import list_open_points
from core.answers.answer_view import view_answer
from core.language import ENGLISH, Language
from core.library import Editions
from core.library.ingestion.ingest import reread_document
from core.library.scope import resolve_scope
from core.library.types import ScopeChoice
from core.rulebook import MetadataOverride

MONEY = (
    "The cost cap of each team is 90,000 crowns in the period from January to December.",
    "A team reports its costs to the clerk of the harbour within ninety days of the period.",
    "Wages of rowers under twenty years of age are not counted towards the cost cap.",
    "The clerk may ask for receipts, which a team must hand over within five working days.",
    "A team that exceeds the cost cap by less than five percent pays a fine of 500 crowns.",
    "A team that hides costs is excluded from the regatta of the year that follows.",
    "Gifts of timber and paint count at the price that a stranger would have paid for them.",
    "Costs in other currencies are converted at the rate of the first day of the month.",
)
BOATS = (
    "A hull must be no longer than eight metres when measured along the waterline.",
    "Each oar is painted in the colours that the club has registered with the umpire.",
    "The bow carries a white ball of rubber with a diameter of at least four centimetres.",
    "Lifejackets hang under every seat and may be worn by anybody on board at all times.",
    "A boat that takes in water during a heat may be bailed out without any penalty.",
    "The weight of the empty boat, without oars and seats, is not below 96 kilograms.",
    "Rudders of metal are forbidden, and those of wood must have rounded edges.",
    "A bell is fixed near the stern, so that it can be heard in fog over 200 metres.",
)


@pytest.fixture
def publish(add):
    """Add a rulebook with rules numbered behind a letter, which is of no family by itself."""

    def publish(title, rules=MONEY, letter="", **identity):
        clauses = ((f"{letter}{number}", text) for number, text in enumerate(rules, 1))
        return add(title, *clauses, **identity)

    return publish


def change(rules, *places):
    """The rules of the next edition, with other words at some places."""
    other = "This rule was written anew by the assembly of all clubs in the boat house."
    return tuple(other if place in places else rule for place, rule in enumerate(rules))


def families(library):
    return {document.title: document.family for document in library.documents()}


def newest(library):
    return {document.title for document in resolve_scope(library.documents()).documents}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Harbour Cup Financial Regulations", "Financial Regulations (Harbour Cup Teams)"),
        ("Harbour Financial Rules for Rowing Teams", "Harbour Financial Handbook"),
    ],
)
@pytest.mark.parametrize("is_newer_first", [False, True])
def test_a_title_that_grew_or_shrank_hides_no_edition(
    library, publish, before, after, is_newer_first
):
    editions = [(before, MONEY, "", 2023), (after, change(MONEY, 2, 5), "D", 2026)]
    for title, rules, letter, season in reversed(editions) if is_newer_first else editions:
        publish(title, rules, letter, season=season)
    one, other = library.documents()
    assert one.family == other.family is not None
    assert newest(library) == {after}
    older = resolve_scope(library.documents(), ScopeChoice(), "What was it in season 2023")
    assert [document.title for document in older.documents] == [before]


@pytest.mark.parametrize("title", ["{} Rules", "Competition Handbook {}"])
def test_a_title_that_names_no_book_is_known_by_its_words(library, publish, title):
    publish(title.format(2025), season=2025)
    publish(title.format(2026), change(MONEY, 0), season=2026)
    publish("Rules of the Road", BOATS)
    assert newest(library) == {title.format(2026), "Rules of the Road"}
    first, *_ = library.documents()
    assert "of the words of" in first.sources["family"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rowing Rules: Seniors", "Rowing Rules: Juniors"),
        ("Rowing Rules", "Rowing Rules: Juniors"),
        ("Technical Regulations", "Sporting Regulations"),
    ],
)
def test_two_books_of_one_year_that_share_words_are_no_editions(library, publish, one, other):
    publish(one, season=2025)
    document = publish(other, change(MONEY, 1), season=2025)
    assert newest(library) == {one, other}
    [proposal] = [each for each in document.warnings if each.code == "family_proposed"]
    assert one in proposal.message


@pytest.mark.parametrize("title", ["Competition Handbook", "Rowing Rules"])
def test_a_title_that_two_publishers_use_joins_no_books(library, publish, title):
    publish(f"{title} 2024", MONEY, season=2024)
    publish(f"{title} 2025", BOATS, season=2025)
    assert newest(library) == {f"{title} 2024", f"{title} 2025"}


@pytest.mark.parametrize(
    ("title", "rules"),
    [
        ("Regatta Money Rules", change(MONEY, 1, 4)),
        ("Harbour Costs Rules for Teams", (*MONEY[:2], *BOATS[2:])),
    ],
)
def test_a_weak_proof_is_proposed_and_kept_until_a_person_decides(library, publish, title, rules):
    publish("Harbour Costs Rules", season=2024)
    after = publish(title, rules, season=2025)
    [proposal] = [one for one in after.warnings if one.code == "family_proposed"]
    file = library.stored_file(after.document_id)
    again, _ = reread_document(library, after, file.read_bytes())
    assert proposal in again.warnings
    for document in library.documents():
        shown = document.list_details(())
        decided = library.correct_details(document.document_id, shown, shown | {"family": "costs"})
        assert proposal not in decided.warnings
    assert newest(library) == {title}


def test_nearly_the_same_words_are_one_rulebook_under_any_title(library, publish):
    publish("Harbour Costs Rules", season=2024)
    publish("Regatta Money Rules", (*MONEY, "The clerk keeps all receipts."), season=2025)
    assert newest(library) == {"Regatta Money Rules"}


def test_a_family_that_a_person_gave_stays(library, publish):
    publish("2025 Rules", season=2025, family="mine")
    publish("2026 Rules", season=2026, family="yours")
    assert families(library) == {"2025 Rules": "mine", "2026 Rules": "yours"}
    publish("2027 Rules", season=2027)
    assert families(library)["2027 Rules"] in ("mine", "yours")


def test_a_document_that_a_person_gave_no_family_has_none(library, publish):
    before = publish("2025 Rules", season=2025)
    publish("2026 Rules", season=2026)
    library.correct_metadata(before.document_id, MetadataOverride(), ["family"])
    publish("2027 Rules", season=2027)
    assert families(library)["2025 Rules"] is None
    assert families(library)["2026 Rules"] == families(library)["2027 Rules"] is not None


def test_a_decided_family_is_kept_when_the_document_is_read_again(library, publish):
    publish("2025 Rules", season=2025)
    after = publish("2026 Rules", season=2026)
    again, _ = reread_document(library, after, library.stored_file(after.document_id).read_bytes())
    assert (again.family, again.sources) == (after.family, after.sources)


def test_an_edition_between_two_rulebooks_joins_them(library, publish):
    publish("Harbour Cup Rules", MONEY, season=2020)
    publish("Harbour Cup Boats Rules", BOATS, season=2024)
    assert len(newest(library)) == 2
    publish("Harbour Cup Boats Handbook", (*MONEY[4:], *BOATS[:4]), season=2022)
    assert newest(library) == {"Harbour Cup Boats Rules"}


@pytest.mark.slow
def test_editions_that_nothing_orders_are_both_searched_and_the_answer_says_so(library, publish):
    for place in (3, 4):
        publish("Harbour Rules", change(MONEY, place), letter="AB"[place - 3])
    scope = resolve_scope(library.documents())
    assert len(scope.documents) == 2
    *events, ended = Agent(library, OfflineModel()).ask(
        Request("How many percent over the cost cap is a fine paid?")
    )
    view = view_answer(events, ended)
    for language, words in (
        (ENGLISH, "2 editions of this rulebook"),
        (Language("de"), "2 Ausgaben"),
    ):
        said = list_open_points(language, events, ended, view)
        assert any(one.startswith(words) for one in said)


def test_a_date_orders_what_else_nothing_orders_and_the_citation_carries_it(library, publish):
    for place in (3, 4):
        document = publish("Harbour Rules", change(MONEY, place), letter="AB"[place - 3])
        day = MetadataOverride(date=f"2025-0{place}-12")
        library.correct_metadata(document.document_id, day)
    scope = resolve_scope(library.documents())
    assert [one.citation_label for one in scope.documents] == ["Harbour Rules (2025-04-12)"]
    assert Editions(library.documents()).list_ambiguous() == []
