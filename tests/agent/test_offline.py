"""The offline model classifies by rules, quotes whole sentences and scores by measures."""

import json

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.base import ClassifyRequest, ReplyRequest, ScoreRequest
from core.agent.models.offline.model import OfflineModel
from core.agent.types import Plan
from core.agent.verification.compliance import check_compliance
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from tests.agent.stories import source

MODEL = OfflineModel()
PLAN = Plan(1, "regulation_search", "q", ("doc",), None, "")
SPEED = source(
    1,
    "21.3",
    "The speed limit in the pit lane is 50 km/h throughout the Event.",
    breadcrumb=("21 Pit lane",),
)
UNSAFE = source(2, "21.6", "An unsafe release is punished with a penalty under Article 38.3c).")
PENALTIES = source(
    3,
    "38.3",
    "The Stewards may impose:\na) a time penalty;\nb) a reprimand;\nc) a drive-through penalty.",
)


@pytest.fixture(scope="module")
def library_of_tubes(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("tubes"))
    rules = {
        "5.1": "A sleeve must have a wall thickness of at least 2.0 mm.",
        "3.9": "Under a load of 1,200 N the wing may deflect no more than 6 mm.",
    }
    lines = [
        {"document": "Tubes", "article": n, "title": "", "text": text} for n, text in rules.items()
    ]
    assert [
        a.status for a in add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "t.jsonl")
    ] == ["added"]
    return library


def classified(question):
    found, usage = MODEL.classify(ClassifyRequest(question, (), (), ()))
    assert usage.cost == 0
    return found


def drafted(question, *evidence, intent="SEARCH"):
    turn = ReplyRequest(question, intent, PLAN, 1, 3, (), evidence, "", ())
    reply = MODEL.stream_reply(turn)
    while True:
        try:
            next(reply)
        except StopIteration as stop:
            return stop.value


def scored(question, reply, *evidence, failures=()):
    request = ScoreRequest(
        question, "SEARCH", PLAN, reply.draft, reply.citations, evidence, failures, (), ()
    )
    return MODEL.score(request)[0]


@pytest.mark.parametrize(
    ("question", "intent", "kind"),
    [
        ("What is the pit lane speed limit?", "SEARCH", "tool"),
        ("Summarise the parc ferme rules", "SUMMARY", "tool"),
        ("What changed between 2023 and 2024 in the pit lane?", "COMPARISON", "tool"),
        ("How has the minimum weight changed since Issue 4?", "COMPARISON", "tool"),
        ("Can a driver change tyres during a red flag?", "SEARCH", "tool"),
        ("How many different sets of tyres are there?", "SEARCH", "tool"),
        ("Time limit for changing the driver", "SEARCH", "tool"),
        ("What is the penalty for an unsafe release?", "PENALTY", "tool"),
        ("Hello!", "GENERAL", "answer"),
        ("What can you do?", "GENERAL", "answer"),
        ("Who will win the race on Sunday?", "OUT_OF_SCOPE", "decline"),
        ("What will the weather be?", "OUT_OF_SCOPE", "decline"),
        ("May we use 14 sets of dry-weather tyres?", "SEARCH", "tool"),
    ],
)
def test_a_question_is_classified_by_its_words(question, intent, kind):
    found = classified(question)
    assert (found.intent, found.kind) == (intent, kind)
    assert found.reason
    assert bool(found.reply) == (kind != "tool")


def test_the_answer_is_the_clause_word_for_word_with_its_place():
    reply = drafted("What is the pit lane speed limit?", UNSAFE, SPEED)
    assert "“The speed limit in the pit lane is 50 km/h throughout the Event.” [1]" in reply.draft
    assert "Article 21.3, page 9, 2024 Meridian Cup Sporting Regulations, Issue 1" in reply.draft
    assert [c.article for c in reply.citations] == ["21.3"]


def test_the_entry_asked_for_is_quoted_from_a_cut_list_of_definitions():
    cut = 'a) "Competitor": who has a licence.\n[…]\ng) "Fast Lane": the lane by the wall.'
    (quote, *_) = drafted(
        "What is the Fast Lane?", source(1, "3.1", cut, title="Definitions")
    ).citations
    assert (quote.quote, quote.part) == ('g) "Fast Lane": the lane by the wall.', "g)")


def test_a_penalty_under_another_article_is_followed():
    reply = drafted(
        "What is the penalty for an unsafe release?", UNSAFE, PENALTIES, intent="PENALTY"
    )
    assert [(c.article, c.part) for c in reply.citations] == [("21.6", None), ("38.3", "c)")]
    assert "drive-through" in reply.citations[1].quote


def test_an_item_is_quoted_with_all_that_is_below_it():
    """What a race brings stands last, past the length at which a quote would be cut."""
    free = (
        "i. Any driver who exceeds the limit in free practice is fined for each km/h above it. "
        + "So it goes. " * 40
    )
    race = "ii. In a race the penalty for speeding in the pit lane is a drive-through."
    rest = "b. " + "No car may be reversed there under its own power. " * 40
    clause = source(
        1,
        "1.6.3",
        "\n".join(("Pit lane", "a. A limit is imposed in the pit lane.", free, race, rest)),
    )
    [citation] = drafted(
        "What is the limit in the pit lane, and what does it bring?", clause
    ).citations
    assert citation.quote.endswith(race)


def test_a_comparison_quotes_the_sentence_that_changed(tmp_path):
    """It stands last, past the length at which a quote would be cut."""
    library = Library(tmp_path)
    same = "Practice starts are made on the grid after the end of each session. " * 12
    for season, lights in (
        (2024, "the abort lights are shown"),
        (2025, "the orange lights are illuminated"),
    ):
        given = {
            "document": f"Cup Rules {season}",
            "season": season,
            "issue": 1,
            "family": "cup",
            "article": "38.3",
        }
        line = json.dumps(given | {"text": f"{same}\nTo stop practice starts {lights}."})
        assert [
            addition.message for addition in add_bytes(library, line.encode(), f"{season}.jsonl")
        ] == [None]
    request = Request("What changed in Article 38.3 between 2024 and 2025?")
    *_, ended = Agent(library, MODEL).ask(request)
    assert [citation.quote for citation in ended.citations] == [
        "To stop practice starts the abort lights are shown.",
        "To stop practice starts the orange lights are illuminated.",
    ]


def test_what_is_not_there_is_not_answered():
    reply = drafted("How heavy may a helicopter be?", SPEED, UNSAFE)
    assert not reply.citations
    assert reply.draft.startswith("I did not find")


def test_a_quote_that_does_not_say_what_was_asked_for_is_no_answer():
    """All its words stand there, and yet no weight."""
    question = "How heavy is the survival cell?"
    cell = source(
        1, "13.4", "The survival cell must be heavily loaded: the survival cell withstands 30 kN."
    )
    found = scored(question, drafted(question, cell), cell)
    assert found.score.mean < 7
    assert "a weight" in found.score.missing


def test_words_scattered_over_several_quotes_are_no_answer():
    """Points and laps in one quote, the fastest in another: no point for the fastest lap."""
    question = "Who gets the point for the fastest lap?"
    points = source(
        1,
        "6.5",
        "Points are awarded where the leader has completed more than two laps of the race.",
    )
    order = source(
        2,
        "39.4",
        "Drivers are ordered by their times in qualifying, and the fastest of them is first.",
    )
    found = scored(question, drafted(question, points, order), points, order)
    assert found.score.mean < 7


def test_a_rulebook_that_is_named_and_not_in_the_library_is_missing():
    question = "What is the Formula 1 pit lane speed limit?"
    found = scored(question, drafted(question, SPEED), SPEED)
    assert found.score.mean < 7
    assert "a rulebook of F1" in found.score.missing


def test_a_phrase_is_found_in_the_words_of_rulebooks():
    question = "How many penalty points lead to a race ban?"
    points = source(
        1,
        "4.2",
        "A driver who has twelve penalty points has their licence suspended for the next race.",
    )
    assert scored(question, drafted(question, points), points).score.mean >= 7


def test_a_check_that_leaves_a_value_open_is_not_accepted(library_of_tubes):
    tube = list(
        Agent(library_of_tubes, MODEL).ask(
            Request("Is a sleeve of 23 mm diameter and 2.0 mm wall legal?")
        )
    )[-1]
    assert tube.outcome == "limit_reached"


def test_a_value_that_only_equals_the_limit_of_another_stays_open():
    clause = source(1, "3.1", "The width of the wing must not exceed 1000 mm.")
    rows = check_compliance(
        "Is a wing with a width of 900 mm and a height of 1000 mm legal?", [(clause, clause.text)]
    )
    assert [(row.yours, row.verdict) for row in rows] == [
        ("900 mm", "legal"),
        ("1000 mm", "cannot tell"),
    ]


def test_a_material_called_lead_has_to_be_named():
    question = "Are lead wheel weights allowed?"
    steel = source(1, "3.2", "Wheel weights made of steel are allowed.")
    assert scored(question, drafted(question, steel), steel).score.mean < 7


def test_a_load_that_the_rule_names_itself_is_no_open_value(library_of_tubes):
    wing = list(
        Agent(library_of_tubes, MODEL).ask(Request("May the wing deflect 5 mm under 1,200 N?"))
    )[-1]
    assert wing.outcome == "answered"


@pytest.mark.parametrize(
    "question", ["And the year before?", "And in 2024?", "What about issue 2?"]
)
def test_a_follow_up_with_nothing_before_it_is_asked_back(question):
    assert classified(question).kind == "clarify"


def test_the_clause_that_says_what_was_asked_for_is_quoted_first():
    beside = source(1, "12.1", "The survival cell is tested before the survival cell is used.")
    mass = source(2, "12.2", "The survival cell must weigh at least 60 kg.")
    question = "How heavy is the survival cell?"
    reply = drafted(question, beside, mass)
    assert reply.citations[0].article == "12.2"
    assert scored(question, reply, beside, mass).score.mean >= 7


def test_a_title_that_says_the_whole_question_is_about_it():
    ready = source(
        1, "9.5.2", "a. Sounded for 3 seconds at the maximum\nb. A minimum sound level of 80 dBA"
    )
    level = source(
        2, "10.5", "a. At idle 103 dBC\nb. Else 110 dBC", title="Maximum Permitted Sound Level"
    )
    assert drafted("What is the maximum sound level?", ready, level).citations[0].article == "10.5"


def test_a_question_in_another_language_is_answered_with_a_hint():
    rules = source(
        1, "1", "The car must not be lighter than 798 kg, and that is for all of the season."
    )
    reply = drafted("Wie hoch ist das Tempolimit in der Boxengasse?", rules)
    assert "The question seems to be in German" in reply.draft
    assert "ask in English" in reply.draft
    assert "seems to be" not in drafted("How heavy may a helicopter of the police be?", rules).draft


def test_a_good_answer_scores_above_the_threshold():
    question = "What is the pit lane speed limit?"
    assert scored(question, drafted(question, SPEED), SPEED).score.mean >= 7


def test_a_missing_answer_scores_low_and_asks_for_another_query():
    question = "How heavy may a helicopter be?"
    found = scored(question, drafted(question, SPEED), SPEED)
    assert found.score.mean < 4
    assert "helicopter" in found.score.missing
    assert found.strategy == "REFINE_QUERY"


def test_a_failed_quote_costs_accuracy():
    question = "What is the pit lane speed limit?"
    found = scored(
        question, drafted(question, SPEED), SPEED, failures=("“x” is not in Article 21.3.",)
    )
    assert found.score.accuracy == 3


def test_the_same_evidence_gives_the_same_draft():
    first, second = (
        drafted("What is the pit lane speed limit?", SPEED, UNSAFE, PENALTIES) for _ in range(2)
    )
    assert first == second
