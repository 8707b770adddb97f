"""The offline model classifies by rules, quotes what is nearest, and accepts what is proved.

Most stories put a question to Kart Rules, which are searched by words and by meaning.
"""

import json
from dataclasses import replace

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.base import ClassifyRequest, ScoreRequest
from core.agent.models.offline.confidence import load_confidence
from core.agent.models.offline.model import OfflineModel
from core.agent.models.offline.passages import add_lead_ins, extract_passage
from core.agent.question import Question, asks_the_same, select_near
from core.agent.types import Turn
from core.library import ScopeChoice
from core.library.ingestion.ingest import add_bytes
from core.library.retrieval.query_expansion import coverage
from core.library.storage.library import Library
from core.sheets import overall_verdict
from core.verification.draft_checks import quote_matches
from core.verification.evidence import Evidence, cite
from tests.agent.kart import make_kart_library
from tests.agent.stories import PLAN, asked, checked, drafted, source

MODEL = OfflineModel()
SPEED = source(
    1,
    "21.3",
    "The speed limit in the pit lane is 50 km/h throughout the Event.",
    breadcrumb=("21 Pit lane",),
)


@pytest.fixture(scope="session")
def kart(tmp_path_factory):
    return make_kart_library(tmp_path_factory.mktemp("kart"))


def classified(question):
    found, usage = MODEL.classify(ClassifyRequest(question, (), (), ()))
    assert usage.cost == 0
    return found


def scored(question, reply, *evidence, failures=(), plan=PLAN, choices=(), intent="SEARCH"):
    parsed = replace(asked(question, *evidence), choices=choices)
    request = ScoreRequest(
        asked=parsed,
        intent=intent,
        plan=plan,
        draft=reply.draft,
        citations=reply.citations,
        evidence=evidence,
        failures=failures,
        tried=(),
        measures=reply.measures,
    )
    return MODEL.score(request)[0].score


def answered(library, question, *history):
    """The end of a run, with the reasons of its scores."""
    request = Request(question, history=tuple(Turn(earlier, "") for earlier in history))
    *events, ended = Agent(library, MODEL).ask(request)
    scores = [event.score for event in events if event.type == "Scored"]
    return ended, " ".join(reason for score in scores for reason in score.reasons.values())


def cited_articles(ended):
    return [citation.article for citation in ended.citations]


# What kind of question it is


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


@pytest.mark.parametrize(
    "question", ["And the year before?", "And in 2024?", "What about issue 2?"]
)
def test_a_follow_up_with_nothing_before_it_is_asked_back(question):
    assert classified(question).kind == "clarify"


# What is quoted


def test_the_answer_is_the_clause_word_for_word_with_its_place():
    reply = drafted("What is the pit lane speed limit?", SPEED)
    assert "“The speed limit in the pit lane is 50 km/h throughout the Event.” [1]" in reply.draft
    assert "Article 21.3, page 9, 2024 Meridian Cup Sporting Regulations, Issue 1" in reply.draft
    assert [citation.article for citation in reply.citations] == ["21.3"]


def test_the_thinking_names_the_words_that_match():
    thinking = drafted("What is the pit lane speed limit?", SPEED).thinking
    assert "21.3 (pit, lane, speed, limit)" in thinking


def test_the_entry_asked_for_is_quoted_from_a_cut_list_of_definitions():
    cut = 'a) "Competitor": who has a licence.\n[…]\ng) "Fast Lane": the lane by the wall.'
    clause = source(1, "3.1", cut, title="Definitions")
    [quote] = drafted("What is the Fast Lane?", clause).citations
    assert (quote.quote, quote.part) == ('g) "Fast Lane": the lane by the wall.', "g)")


def test_an_item_is_quoted_with_all_that_is_below_it():
    """What a race brings stands last, past the length at which a quote would be cut."""
    free = (
        "i. Any driver who exceeds the limit in free practice is fined for each km/h above it. "
        + "So it goes. " * 40
    )
    race = "ii. In a race the penalty for speeding in the pit lane is a drive-through."
    rest = "b. " + "No car may be reversed there under its own power. " * 40
    text = "\n".join(("Pit lane", "a. A limit is imposed in the pit lane.", free, race, rest))
    clause = source(1, "1.6.3", text)
    question = asked("What is the limit in the pit lane, and what does it bring?", clause)
    assert extract_passage(question, clause).endswith(race)


PERMITTED = "Permitted in the paddock, within the opening hours:"
FORBIDDEN = "The following are forbidden in the pit lane:"
TO_CARS = "c) anything done to a car:"


def test_an_item_of_a_long_list_is_quoted_behind_what_leads_to_it():
    """That the engine must not be started is said above the list; what is between is left out."""
    others = "a) smoking;\n" + "b) camping, whoever does it and wherever that is done. " * 30
    items = f"{TO_CARS}\ni) to wash it;\nii) to start its engine."
    clause = source(1, "7.2", "\n".join((PERMITTED, "• food.", FORBIDDEN, others, items)))
    [quote] = drafted("May I start the engine of a car?", clause).citations
    assert quote.quote.split("\n[…]\n") == [FORBIDDEN, TO_CARS, "ii) to start its engine."]
    assert (quote.part, quote.page) == ("c)ii)", 9)
    assert quote_matches(quote, Evidence([clause]))


def test_an_item_that_two_lists_have_is_quoted_without_what_leads_to_either():
    clause = source(1, "7.2", f"{PERMITTED}\na) music.\n{FORBIDDEN}\na) music.")
    assert add_lead_ins(clause, "a) music.") == "a) music."


TAKEN_ALONG = "Each crew takes along to the start:\na) a fire blanket;\nb) a warning triangle."
NOT_TAKEN = "These may not be taken along to the start:\na) trailers;\nb) umbrellas;\nc) parrots."


def test_an_item_of_a_later_list_is_quoted_without_what_leads_to_the_list_before():
    clause = source(1, "4.8", f"{TAKEN_ALONG}\n{NOT_TAKEN}")
    for item, part in (("a) trailers;", "a)"), ("b) umbrellas;", "b)"), ("c) parrots.", "c)")):
        quote = add_lead_ins(clause, item)
        assert (quote, cite(clause, quote).part) == (item, part)


@pytest.mark.parametrize(
    "text",
    [
        f"{TAKEN_ALONG}\nNot taken along are\na) trailers;\nb) umbrellas;\nc) parrots.",
        "Not taken along:\na) animals, unless they are of these:\nIn cages:\n• parrots.",
        "Not taken along:\n• animals, except:\n– parrots.",
        "Not taken along:\na) animals.\nb) Without a permit\ni) parrots.",
    ],
)
def test_an_item_is_quoted_alone_where_it_is_in_doubt_what_leads_to_it(text):
    item = text.split("\n")[-1]
    assert add_lead_ins(source(1, "4.8", text), item) == item


def test_an_item_with_a_bullet_is_quoted_behind_the_lettered_one_that_leads_to_it():
    text = "Not taken along:\na) tents;\nb) animals, except:\n• parrots."
    quote = add_lead_ins(source(1, "4.8", text), "• parrots.")
    assert quote.split("\n[…]\n") == ["Not taken along:", "b) animals, except:", "• parrots."]


def test_words_from_within_an_item_are_quoted_without_what_leads_to_it():
    text = "Not taken along are:\na) parrots. The judges may allow a cage.\nThey say so.\nb) tents."
    clause = source(1, "4.8", text, lead_in=("At the start:",))
    for words in ("The judges may allow a cage.", "They say so."):
        assert add_lead_ins(clause, words) == words
    assert add_lead_ins(clause, "b) tents.").split("\n[…]\n")[:2] == [
        "At the start:",
        "Not taken along are:",
    ]


def test_an_item_that_is_a_clause_of_its_own_is_quoted_behind_what_leads_to_it():
    clause = source(1, "7.2(a)", "Music at any hour.", lead_in=(FORBIDDEN,))
    [quote] = drafted("May we have music?", clause).citations
    assert quote.quote == f"{FORBIDDEN}\n[…]\nMusic at any hour."
    assert quote_matches(quote, Evidence([clause]))


def test_a_long_clause_is_quoted_from_the_sentence_that_is_nearest_in_meaning():
    """Both sentences have the words; the search says which piece of the clause was nearest."""
    longer = "Cars line up behind the line in the order of their times. " * 40
    near = "The lane is closed to every car when the red lamp is lit."
    text = f"The lane is open. {longer}{near} {longer}"
    clause = source(1, "5.1", text, near_words=near, nearness=0.8)
    [quote] = drafted("When is the lane closed?", clause).citations
    assert quote.quote.startswith(near)


def test_a_penalty_under_another_article_is_followed(kart):
    ended, _ = answered(kart, "What is the penalty for an unsafe release?")
    assert [(c.article, c.part) for c in ended.citations] == [("5.2", None), ("7.1", "c)")]
    assert "drive-through" in ended.citations[1].quote


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
        added = add_bytes(library, line.encode(), f"{season}.jsonl")
        assert [addition.message for addition in added] == [None]
    ended, _ = answered(library, "What changed in Article 38.3 between 2024 and 2025?")
    assert [citation.quote for citation in ended.citations] == [
        "To stop practice starts the abort lights are shown.",
        "To stop practice starts the orange lights are illuminated.",
    ]


def test_the_same_evidence_gives_the_same_draft():
    one, two = (drafted("What is the pit lane speed limit?", SPEED) for _ in range(2))
    assert one == two


# What is accepted, and why


@pytest.mark.parametrize(
    ("question", "article", "proof"),
    [
        ("What does Article 5.3 say?", "5.3", "the articles named are quoted"),
        ("What is the Fast Lane?", "1.1", "the quoted entry defines “Fast Lane”"),
        ("What does bodywork mean?", "1.1", "the quoted entry defines “bodywork”"),
        ("Tell me about the red flag", "6.3", "the title of the quoted rule is what was asked"),
        ("May the car weigh 780 kg?", "2.1", "the value is checked against a limit"),
    ],
)
def test_what_is_proved_is_accepted_and_says_by_what(kart, question, article, proof):
    ended, reasons = answered(kart, question)
    assert (ended.outcome, ended.citations[0].article) == ("answered", article)
    assert f"Proved: {proof}" in reasons


def test_a_definition_of_a_longer_term_proves_nothing():
    """A "Lane Marshal" is no lane."""
    clause = source(1, "1.1", "a) “Lane Marshal”: an official at the lane.", title="Definitions")
    [*reasons] = scored("What is a lane?", drafted("What is a lane?", clause), clause).reasons
    assert not [reason for reason in reasons if "defines" in reason]


def test_an_estimate_says_that_it_is_one_and_what_passes(kart):
    ended, reasons = answered(kart, "What is the pit lane speed limit?")
    assert (ended.outcome, cited_articles(ended)) == ("answered", ["5.1"])
    assert "The quotes answer: estimated" in reasons
    assert f"({load_confidence().accepted_from:.0%} passes)" in reasons


def test_right_quotes_without_a_proof_end_as_found_and_claim_no_limit(kart):
    ended, reasons = answered(kart, "How fast may one go in the pits?")
    assert (ended.outcome, ended.citations[0].article) == ("found", "5.1")
    assert "limit is reached" not in ended.message
    assert "check whether they answer" in ended.message
    assert "likely, from words and meaning" in reasons


def test_words_of_asking_and_words_that_no_clause_has_cost_nothing():
    clause = source(1, "2.1", "The minimum weight of the car is 740 kg.")
    plain = asked("minimum weight of the car", clause)
    asking = asked("Could you please tell me what the minimum weight of the car is?", clause)
    more = asked("minimum weight of the car in the paddock", clause)
    assert asking.words == plain.words
    assert more.unknown == ("paddock",)
    assert [coverage(q.words, clause.text, q.weights) for q in (plain, asking, more)] == [1, 1, 1]


def test_a_typing_error_is_corrected_and_said(kart):
    request = Request("What does bodywrok mean?")
    *events, ended = Agent(kart, MODEL).ask(request)
    assert ended.citations[0].article == "1.1"
    assert any("Read “bodywrok” as “bodywork”." in repr(event) for event in events)


def test_the_bare_numbers_of_a_table_are_amounts_of_the_unit_that_its_text_names():
    """The clause with the table came after those that give back a set of what it allots."""
    question = "How many sets of dry tyres may a driver use?"
    table = source(
        1,
        "6.1",
        "The number of sets of tyres that a driver may use is:\n"
        "| Tyres | Short race | Long race |\n|---|---|---|\n| Dry | 13 | 12* |\n| Wet | 2 | 2 |",
    )
    returned = source(
        2, "6.2", "Of the sets of dry tyres that a driver may use one set is returned on Friday."
    )
    reply = drafted(question, replace(table, score=0.9), replace(returned, score=1.0))
    assert [citation.article for citation in reply.citations] == ["6.2", "6.1"]
    reply = drafted(question, replace(table, score=1.0), replace(returned, score=0.9))
    assert [citation.article for citation in reply.citations] == ["6.1", "6.2"]


def test_a_clause_without_the_kind_of_amount_asked_for_is_not_accepted():
    """All its words stand there, and yet no weight."""
    question = "How heavy is the survival cell?"
    cell = source(
        1,
        "13.4",
        "The survival cell must be heavily loaded: the survival cell withstands 30 kN.",
        nearness=0.9,
    )
    quoted = replace(
        drafted("What must withstand 30 kN?", cell), citations=(cite(cell, cell.text),)
    )
    score = scored(question, quoted, cell)
    assert score.accuracy < 7
    assert (
        "It asks for an amount that the first quote does not have." in score.reasons["completeness"]
    )


@pytest.mark.parametrize(
    ("question", "asks_whether", "asks_for_thing"),
    [
        ("May the driver leave the car?", True, False),
        ("He missed his box, can he reverse?", True, False),
        ("Which colour is the safety car?", False, True),
        ("After how many laps may we stop?", False, True),
        ("We came late to the briefing. What now?", False, False),
    ],
)
def test_a_question_for_yes_or_no_is_told_from_one_for_a_thing(
    question, asks_whether, asks_for_thing
):
    """A rule on the subject answers the first, the second only one that names the thing."""
    asked = Question(question)
    assert (asked.asks_whether, asked.asks_for_thing) == (asks_whether, asks_for_thing)


def test_what_is_asked_for_is_named_behind_the_word_of_asking():
    assert Question("What torque do the wheel nuts need?").asked_kinds == {"torque"}
    assert not Question("The torque of our wheel nuts is noted daily. Who reads it?").asked_kinds


def test_a_question_of_which_much_is_met_by_no_word_of_the_quote_is_accepted_by_no_estimate():
    weight = source(1, "4.1", "The minimum weight of the car is 740 kg.", nearness=0.9)
    question = "What is the minimum weight of the submarine car?"
    score = scored(question, drafted(question, weight), weight)
    assert score.accuracy < 7
    assert "is met by no word of the quote" in score.reasons["completeness"]


def test_a_thing_that_no_rule_names_is_accepted_by_no_estimate():
    weight = source(
        1, "4.1", "The minimum weight of the car with driver and without fuel is 740 kg."
    )
    said = "Is there a minimum weight of the car with driver, without fuel and with the {}?"
    for word, doubt in (("trombone", True), ("year", False)):
        score = scored(said.format(word), drafted(said.format(word), weight), weight)
        assert ("a thing that no rule searched has" in score.reasons["completeness"]) is doubt


def test_a_number_of_things_that_no_quote_counts_is_accepted_by_no_estimate():
    clause = source(1, "7.2", "A protest has a cover of one page and is made within two hours.")
    question = "How many signatures may a protest have?"
    score = scored(question, drafted(question, clause), clause)
    assert score.accuracy < 7
    assert asked(question, clause).counted == {"signatur"}


def test_a_penalty_that_no_quote_sets_is_accepted_by_no_estimate():
    question = "What is the penalty for the speed limit in the pit lane?"
    score = scored(question, drafted(question, SPEED), SPEED, intent="PENALTY")
    assert score.accuracy < 7
    assert "the first quote sets none" in score.reasons["completeness"]


def test_a_comparison_is_accepted_by_no_estimate_where_an_edition_is_not_quoted():
    question = "Did the speed limit in the pits change from 2023 to 2024?"
    seasons = tuple(map(ScopeChoice, (2023, 2024)))
    score = scored(question, drafted(question, SPEED), SPEED, choices=seasons)
    assert score.accuracy < 7
    assert "It compares editions that are not all quoted." in score.reasons["completeness"]


def test_an_answer_on_two_seasons_is_as_likely_as_that_of_the_worse_season():
    question = "Did the fastest lap bring a point in 2024 and in 2025?"
    seasons = tuple(map(ScopeChoice, (2024, 2025)))
    point = "The fastest lap brings a point."
    of_2024 = source(1, "6.4", point)
    same = source(2, "6.5", point, season=2025)
    other = source(2, "9.1", "The safety car leaves the track.", season=2025)
    both = drafted(question, of_2024, same, choices=seasons).measures
    one = drafted(question, of_2024, other, choices=seasons).measures
    assert one["share_of_rare"] == 0 < both["share_of_rare"]


def test_a_refusal_lists_no_clause_that_has_little_of_the_question():
    remote = source(1, "7.1", "Every balloon on the grid must be tied to a car.")
    near = source(2, "7.2", "A hat may be worn on the podium.")
    question = "Which hat is worn on the podium at the gala dinner?"
    assert select_near(asked(question, remote, near), (remote, near)) == (near,)


@pytest.mark.parametrize("follow_up", ["And its speed limit?", "And who sets it?", "And in 2025?"])
def test_a_follow_up_is_never_accepted_on_an_estimate(kart, follow_up):
    """The year is asked of a follow-up itself, which may have been understood wrongly."""
    history = ("What happens in the pit lane?", "And its speed limit?")
    ended, reasons = answered(kart, follow_up, *history)
    assert ended.outcome == "found"
    assert "It is a follow-up" in reasons


def test_a_follow_up_on_another_season_only_is_accepted_like_its_question(kart):
    ended, _ = answered(kart, "And in 2025?", "What is the pit lane speed limit?")
    assert (ended.outcome, cited_articles(ended)[0]) == ("answered", "5.1")


@pytest.mark.parametrize(
    ("question", "earlier", "same"),
    [
        ("How wide is the grid in 2023?", "How wide is the grid?", True),
        ("How wide is the grid in issue 2?", "How wide is the grid in the season 2024?", True),
        ("How wide is the grid: for lorries in 2023?", "How wide is the grid?", False),
        ("What may a car weigh in 2023?", "What may a car weigh of 2000?", False),
        ("What changed since in 2023?", "What changed since 2022?", False),
        ("What changed between and 2025?", "What changed between 2023 and 2024?", False),
        ("Are cars from before allowed in 2024?", "Are cars from before 2022 allowed?", False),
    ],
)
def test_another_season_or_issue_at_the_end_is_the_same_question(question, earlier, same):
    assert asks_the_same(question, earlier) == same


def test_a_material_that_is_not_the_one_named_is_not_accepted(kart):
    ended, _ = answered(kart, "Are lead wheel weights allowed?")
    assert ended.outcome != "answered"


def test_a_failed_quote_costs_accuracy():
    question = "What is the pit lane speed limit?"
    failures = ("“x” is not in Article 21.3.",)
    assert scored(question, drafted(question, SPEED), SPEED, failures=failures).accuracy == 3


# What is not there


@pytest.mark.parametrize(
    "question",
    ["How heavy may a helicopter be?", "Is there a rule on drones over the paddock?"],
)
def test_what_is_not_there_is_not_answered(kart, question):
    ended, _ = answered(kart, question)
    assert (ended.outcome, ended.citations) == ("not_found", ())
    assert ended.answer.startswith("No rule was found on")


@pytest.mark.parametrize(
    "question",
    [
        "From 2029, what is the pit lane speed limit?",
        "What is the pit lane speed limit from 2027 on?",
        "By F2.1.2, what is the pit lane speed limit?",
    ],
)
def test_a_year_or_a_number_of_no_rulebook_is_no_reason_not_to_look(kart, question):
    ended, _ = answered(kart, question)
    assert ended.iterations > 0
    assert "did not look" not in ended.answer


def test_the_closest_rules_do_not_answer_on_a_season_that_is_not_held(kart):
    ended, _ = answered(kart, "How fast may one go in the pits in 2019?")
    assert (ended.outcome, ended.citations) == ("not_found", ())
    assert "2019" in ended.answer


def test_a_series_that_is_not_held_is_said_after_the_search(kart):
    ended, _ = answered(kart, "What is the Formula E pit lane speed limit?")
    assert (ended.outcome, ended.iterations > 0, ended.citations) == ("not_found", True, ())
    assert ended.answer.startswith("No rulebook in scope is of Formula E. It holds")


@pytest.fixture(scope="module")
def licences(tmp_path_factory):
    """The regulations of a series, and the code of all series, which names it."""
    lines = [
        {"document": "2026 Formula 1 Sporting Regulations", "season": 2026, "article": number}
        | {"family": "fia-f1-sporting", "title": title, "text": text}
        for number, title, text in (
            ("F2.1.2", "Entry fee", "Each Competitor must pay the entry fee by 1 December."),
            ("F2.2.1", "Fuel", "From 2029 only fuel without fossil carbon may be used."),
        )
    ]
    code = "Each driver of a Formula 1 car must hold a Super Licence."
    lines.append(
        {"document": "2026 International Sporting Code", "season": 2026, "article": "10.1"}
        | {"family": "fia-isc", "title": "Licence", "text": code}
    )
    library = Library(tmp_path_factory.mktemp("licences"), "lexical")
    list(add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), "licences.jsonl"))
    return library


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("Who needs a Formula 1 Super Licence?", "10.1"),
        ("What does F2.1.2 say?", "F2.1.2"),
        ("From 2029, which fuel may be used?", "F2.2.1"),
    ],
)
def test_what_looks_like_the_name_of_a_series_or_season_keeps_nothing_out(
    licences, question, article
):
    [of_it] = (
        d
        for d in licences.documents()
        for c in licences.clauses(d.document_id)
        if c.article == article
    )
    for choice in (ScopeChoice(), ScopeChoice(document=of_it.document_id)):
        first, *_, ended = Agent(licences, MODEL).ask(Request(question, choice))
        assert of_it.document_id in first.scope.documents
        assert ended.outcome in ("answered", "found")
        assert cited_articles(ended) == [article]


def test_a_question_in_another_language_finds_the_rule_or_a_hint(kart):
    german, _ = answered(kart, "Wie hoch ist das Tempolimit in der Boxengasse?")
    assert german.citations[0].article == "5.1"
    by_words = Library(kart.folder)
    german, _ = answered(by_words, "Wie hoch ist das Tempolimit in der Boxengasse?")
    assert german.answer.startswith("No rule was found on “Wie hoch ist das Tempolimit")
    assert "The question seems to be in German" in german.answer
    english, _ = answered(kart, "How heavy may a helicopter of the police be?")
    assert "seems to be" not in english.answer


def test_no_query_is_tried_that_finds_the_same_clauses_again(kart):
    *events, ended = Agent(kart, MODEL).ask(Request("How heavy may a helicopter be?"))
    assert [event.decision for event in events if event.type == "Decided"] == ["CONCLUDE"]
    assert ended.outcome in ("found", "not_found")


# Values


WEIGHT, WHEELBASE, SOUND, MONEY = (
    (
        "May the car weigh 780 kg?",
        "Is a car of 780 kg legal?",
        "Our car weighs 780 kg. Is that allowed?",
        "Can we race with a car that weighs 780 kg?",
        "780 kg for the car, is that okay?",
        "Would a 780 kg car pass the scales?",
        "The car is 780 kg. Legal?",
        "Is 780 kg a permitted weight for the car?",
        "The car weighs in at 780 kg, is it fine?",
        "Does a car weighing 780 kg comply?",
    ),
    (
        "Our wheelbase is 1510 mm. Is that legal?",
        "Is a wheelbase of 1510 mm allowed?",
        "May the wheelbase be 1510 mm?",
        "Can we run a 1510 mm wheelbase?",
        "We have a wheelbase of 1510 mm, is it okay?",
        "1510 mm wheelbase: legal?",
        "Does a 1510 mm wheelbase comply?",
        "Would a wheelbase of 1510 mm pass inspection?",
        "Is 1.51 m enough for the wheelbase?",
        "1510 mm wheelbase",
    ),
    (
        "105 dBC at idle",
        "Is 105 dBC at idle legal?",
        "Our car makes 105 dBC at idle. Is that okay?",
        "May the car be 105 dBC loud at idle?",
        "We measured 105 dBC when idling, is it allowed?",
        "At idle we have 105 dBC. Pass or fail?",
        "Can the sound level be 105 dBC at idle?",
        "Does 105 dBC at idle comply?",
        "Idle noise of 105 dBC: permitted?",
        "Is an idle sound level of 105 dBC within the limit?",
    ),
    (
        "May we spend 190 million dollars in a season?",
        "Is spending 190 million dollars allowed?",
        "May a team spend 190 million dollars?",
        "Our team spends 190 million dollars. Legal?",
        "Can we spend $190 million in a season?",
        "Is a spend of US$190,000,000 permitted?",
        "Does a budget of 190 million dollars comply with the cost cap?",
        "We spend 190 million dollars. Is that legal?",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("phrasings", "verdict", "article"),
    [
        pytest.param(WEIGHT, "legal", "2.1", id="weight"),
        pytest.param(WHEELBASE, "not legal", "2.2", id="wheelbase"),
        pytest.param(SOUND, "not legal", "3.1", id="sound"),
        pytest.param(MONEY, "not legal", "4.1", id="money"),
    ],
)
def test_ten_phrasings_of_a_value_question_have_one_verdict(kart, phrasings, verdict, article):
    ends = {question: answered(kart, question)[0] for question in phrasings}
    verdicts = {question: overall_verdict(end.requirements) for question, end in ends.items()}
    assert verdicts == dict.fromkeys(phrasings, verdict)
    assert {end.citations[0].article for end in ends.values()} == {article}


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("We measured 780 kg for our car: fine?", "legal"),
        ("190 million dollars spent", "not legal"),
        ("Total spending of 190 million dollars", "not legal"),
        ("We spent 190 million dollars. Is that legal?", "not legal"),
    ],
)
def test_a_phrasing_in_other_words_has_the_same_verdict(kart, question, verdict):
    ended, _ = answered(kart, question)
    assert overall_verdict(ended.requirements) == verdict


@pytest.mark.parametrize(
    ("follow_up", "verdict"),
    [
        ("What if the wheelbase is 1500 mm?", "not legal"),
        ("And with 1500 mm?", "not legal"),
        ("What about 1.6 m?", "legal"),
    ],
)
@pytest.mark.parametrize(
    "earlier", ["What is the minimum wheelbase of the car?", "Is a wheelbase of 1530 mm legal?"]
)
def test_a_follow_up_brings_another_value(kart, earlier, follow_up, verdict):
    ended, _ = answered(kart, follow_up, earlier)
    assert overall_verdict(ended.requirements) == verdict


def test_of_two_limits_of_a_clause_the_one_for_the_named_case_decides(kart):
    """The engine is named beside the limit at every other speed, idle beside the first."""
    ended, _ = answered(kart, "Our engine makes 105 dBC at idle. Is that okay?")
    [row] = ended.requirements
    assert (row.limit, row.verdict) == ("at most 103 dBC", "not legal")


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Is a mass of 700 kg fine for our vehicle?", "No rule that was found"),
        ("Would costs of 190 million dollars be within the cap?", "is on it: 4.1"),
        ("Is a mass of 780 kg fine for our coffee machine?", "No rule that was found"),
    ],
)
def test_a_rule_that_is_near_in_meaning_only_is_named_and_decides_nothing(kart, question, missing):
    """The rules say neither "mass" nor "vehicle", no "costs", and nothing of coffee machines."""
    ended, _ = answered(kart, question)
    [row] = ended.requirements
    assert (row.verdict, missing in row.note) == ("cannot tell", True)


def test_a_check_that_leaves_a_value_open_is_not_accepted(kart):
    ended, _ = answered(kart, "Is a wheelbase of 1600 mm with a diameter of 23 mm legal?")
    assert ended.outcome == "found"
    assert [row.verdict for row in ended.requirements if row.yours == "23 mm"] == ["cannot tell"]


def test_a_load_that_the_rule_names_itself_is_no_open_value(kart):
    ended, _ = answered(kart, "May the wing deflect 5 mm under 1,200 N?")
    assert ended.outcome == "answered"


def test_each_of_two_lengths_is_held_against_its_own_limit():
    clause = source(1, "3.1", "The width of the wing must not exceed 1000 mm.")
    rows = checked("Is a wing with a width of 900 mm and a height of 1000 mm legal?", clause)
    assert [(row.yours, row.verdict) for row in rows] == [
        ("900 mm", "legal"),
        ("1000 mm", "cannot tell"),
    ]
