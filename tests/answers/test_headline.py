"""The first line of an answer: the value, sanction or change asked for, else the rule's words."""

from dataclasses import replace

from core.agent import events as ev
from core.agent.types import RunBudget
from core.answers import describe_headline, view_answer
from core.language import ENGLISH
from core.library import ClausePair, Relation
from core.registers import LayerNote, PenaltyRow
from core.verification import Citation

AMENDS = Relation("amends", "d")
SCOPE = ev.ScopeView(documents={"d": "Rules"}, why="newest")
BASKET = "The basket must be at least 90 cm wide. Its rim must not be higher than 120 cm."
PITCH = "The pitch is on the flat part of the field behind the tents and the organiser marks it. "


def first_line(question, *rules, **others):
    """What an accepted answer with these quotes begins with, or None."""
    line = view_rules(question, *rules, **others).headline
    return line and describe_headline(ENGLISH, line)


def view_rules(
    question, *rules, intent="SEARCH", rows=(), pairs=(), prose="", over=None, struck=()
):
    """The view of an accepted answer with these quotes; `over` says which one overrides which, of
    it the `struck` words alone.
    """
    places = [("Rules", str(n), None, "", rule, 1, None, None) for n, rule in enumerate(rules, 1)]
    cited = tuple(Citation(n, f"d:{n}", "d", *place) for n, place in enumerate(places, 1))
    said = {n: (f"d:{by}", str(by), "d", "Rules", AMENDS, struck) for n, by in (over or {}).items()}
    notes = {n: (LayerNote("overridden", *place),) for n, place in said.items()}
    cited = tuple(replace(one, layers=notes.get(one.marker, ())) for one in cited)
    quotes = "\n\n".join(f"> “{one.quote}” [{one.marker}]".replace("\n", "\n> ") for one in cited)
    models = {"answer_model": "m", "decision_model": "m", "offline": not prose}
    asked = ev.Asked(question=question, scope=SCOPE, limits=RunBudget(3, 7.0), **models)
    classified = ev.Classified(intent=intent, reason="", question=question)
    found = ev.EvidenceFound(iteration=1, tool="t", sources=(), rows=rows, pairs=pairs)
    answer = prose or quotes
    ended = ev.Ended(outcome="answered", answer=answer, citations=cited)
    return view_answer([asked, classified, found, ended], ended)


def test_the_one_value_of_the_kind_asked_for_comes_with_its_article():
    rule = "A balloon must have a mass of at least 300 kg. Its crew are at most four."
    assert first_line("What is the minimum mass of a balloon?", rule) == (
        "300 kg · Article 1, Rules"
    )


def test_a_minimum_is_never_given_for_a_maximum():
    rule = "The basket must be at least 90 cm wide."
    assert first_line("What is the maximum width of the basket?", rule) == "Article 1, Rules"
    assert first_line("What is the widest basket?", rule) == "“" + rule + "” · Article 1, Rules"
    assert first_line("How wide must the basket be?", rule).startswith("at least 90 cm ·")


def test_of_two_values_the_direction_asked_for_decides():
    assert first_line("What is the maximum height of the rim?", BASKET).startswith("120 cm ·")
    assert first_line("What is the minimum width of the basket?", BASKET).startswith("90 cm ·")


def test_an_amount_that_the_question_brings_asks_for_no_extreme_and_finds_its_sentence():
    rule = PITCH * 2 + "A log that is more than two weeks late is not read. Any log is kept."
    line = first_line("What happens if the log comes more than two weeks late?", rule)
    assert line.startswith("“A log that is more than two weeks late is not read.")


def test_a_value_is_not_given_beside_another_that_is_as_near():
    rule = "A pilot pays 40 crowns until noon. After noon the pilot pays 80 crowns. " + PITCH * 2
    line = first_line("How much must a pilot pay?", rule.replace("crowns", "EUR"))
    assert line.startswith("“A pilot pays 40 EUR until noon. After noon the pilot pays 80 EUR.")


def test_a_length_is_found_by_its_name_and_long_means_time_without_a_copula():
    rule = (
        PITCH + "The crown must:\n• be at least 5 mm from the crown ring;\n• have a width of 90 mm."
    )
    assert first_line("How wide must the crown be?", rule).startswith("90 mm ·")
    pause = PITCH * 2 + "A mast of at most 3 m is carried. Crews may rest for at most 20 minutes."
    assert first_line("How long may crews rest?", pause).startswith("at most 20 minutes ·")


def test_a_cut_begins_where_a_clause_does_and_keeps_the_words_that_were_asked_for():
    rule = "The umpire meets the crews, " + "hears each of them in turn, " * 8
    rule += "provided that a crew which is absent shall be sent home."
    line = first_line("What becomes of an absent crew?", rule)
    assert "provided that a crew which is absent shall be sent home.”" in line
    assert line.startswith("“… hears each of")


def test_two_values_in_the_nearest_sentence_are_not_chosen_between():
    rule = "A rope must be at least 20 m and at most 30 m long."
    assert first_line("How long must a rope be?", rule).startswith("“A rope must be at least 20 m")


def test_a_value_from_an_exception_is_not_the_rule():
    rule = "The basket is of free width, except by night, where it must be at most 90 cm wide."
    assert first_line("How wide may the basket be?", rule).startswith("“The basket is of free")


def test_a_clause_beside_the_question_asks_for_no_time():
    rule = "When wet, the basket must be at most 90 cm wide and must dry within 5 minutes."
    assert first_line("When wet, how wide may the basket be?", rule).startswith("at most 90 cm ·")


def test_a_cell_is_found_by_its_row_and_its_column():
    table = "The minimum pressures are:\n\n| Burner | Day | Night |\n|---|---|---|\n"
    table += "| Single | 2.0 bar | 3.0 bar |\n| Double | 4.0 bar | 5.0 bar |"
    line = first_line("What is the minimum pressure of a double burner at night?", table)
    assert line.startswith("5.0 bar ·")


def test_a_later_quote_gives_the_value_that_the_first_has_not():
    first = "No launches are allowed at night."
    later = "Each team may make no more than six launches in a season of at most 90 days."
    line = first_line("How many days has a season of launches?", first, later)
    assert line.startswith("at most 90 days · Article 2")


def test_a_long_quote_is_cut_to_the_sentence_nearest_to_the_question():
    rule = PITCH * 2 + "Tents must be tied to two stakes."
    line = first_line("How are tents tied?", rule)
    assert line == "“Tents must be tied to two stakes.” · Article 1, Rules"


def test_of_sentences_with_as_many_words_that_with_the_rarer_ones_is_nearest():
    common = "A pilot must wear gloves when it is flown. Gloves that are worn must be dry. "
    rest = "Heated gloves of a pilot may only be used above 2,000 m. Gloves are kept in the basket."
    line = first_line("May a pilot wear heated gloves?", PITCH * 2 + common + rest)
    assert line.startswith("“Heated gloves of a pilot")


def test_the_rule_that_overrides_the_nearest_one_is_the_first_line_through_all_layers():
    base, handbook, bulletin = BASKET, "Article 1 reads: at least 95 cm.", "Article 2 is void."
    line = first_line("How wide must the basket be?", base, handbook, bulletin, over={1: 2, 2: 3})
    assert line == "“Article 2 is void.” · Article 3, Rules"
    assert "2 is void" in first_line("How wide must the basket be?", base, bulletin, over={1: 2})
    assert first_line("How wide must the basket be?", base, bulletin).startswith("at least 90 cm")


def test_words_of_a_rule_that_nothing_overrides_are_told_without_those_that_are_struck():
    crew = "At most four people may fly."
    said = {"over": {1: 2}, "struck": (crew,)}
    rule, bulletin = f"{BASKET} {crew}", "The second sentence of Article 1 is struck out."
    view = view_rules("How wide must the basket be?", rule, bulletin, **said)
    assert describe_headline(ENGLISH, view.headline) == "at least 90 cm · Article 1, Rules"
    line = first_line("How many people may fly?", rule, bulletin, **said)
    assert line == f"“{bulletin}” · Article 2, Rules"
    assert crew not in first_line("Must the basket be wide?", rule, bulletin, **said)


def test_a_number_of_a_table_has_the_unit_of_its_column():
    table = "| Category | Points |\n|---|---|\n| Accuracy of the log | 4 |\n| Landing | 20 |"
    question = "How many points are given for the accuracy of the log?"
    line = first_line(question, "A flight is worth 100 points.", table)
    assert line == "“Accuracy of the log | 4” · Article 2, Rules"


def test_a_word_of_a_column_that_is_no_unit_is_not_taken_for_one():
    for column in ("Min mass", "Mass in kg"):
        table = f"| Part | {column} |\n|---|---|\n| Basket | 4 |\n| Floor | 20 |"
        line = first_line("How long must the basket be?", "A basket is light.", table)
        assert not line.startswith(("4 min", "4 in"))


def test_a_sentence_that_opens_a_list_brings_its_items():
    rule = PITCH * 2 + "\nA flight is late when:\na) it lands after noon; or\nb) it lands at night."
    line = first_line("When is a flight late?", rule)
    assert "A flight is late when: a) it lands after noon; or b) it lands at night." in line


def test_a_fine_that_is_asked_for_comes_before_other_penalties():
    rows = (
        penalty("a balloon that lands late in training", "a reprimand", ("reprimand",)),
        penalty("any balloon that lands late", "a fine of €90", ("fine",)),
    )
    question = "What is the fine for a balloon that lands late in training?"
    line = first_line(question, "Late landings are punished.", intent="PENALTY", rows=rows)
    assert line.startswith("“a fine of €90”")


def penalty(breach, sanction, kinds=()):
    return PenaltyRow(breach, sanction, "jury", "1", 1, "d:1", kinds=kinds)


def test_the_penalty_of_the_case_asked_for_is_first():
    rows = (
        penalty("a late landing in a race", "a fine of €90"),
        penalty("a late landing in training", "a penalty under Article 7 → Article 7: a warning"),
    )
    rule = "Late landings are punished."
    line = first_line("Penalty for a late landing in training?", rule, intent="PENALTY", rows=rows)
    assert line == "“Article 7: a warning” · Article 1, Rules"
    line = first_line("Penalty for a late landing?", rule, intent="PENALTY", rows=rows)
    assert line == "“Late landings are punished.” · Article 1, Rules", "either could be meant"


def test_a_change_is_told_by_the_value_before_and_after():
    before, after = "The speed limit is 60 km/h at night.", "The speed limit is 80 km/h at night."
    pair = ClausePair("changed", "1", "1", "", before, after, 0.9, "c:1", "d:1")
    line = first_line("What changed in the speed limit?", after, pairs=(pair,))
    assert line == "changed: 60 → 80 km/h · Article 1, Rules"


def test_a_change_is_told_of_one_rule_and_of_the_bound_that_is_asked_for():
    before = "The width of the basket is 100 cm. The width of the rear basket is 200 cm."
    after = "The width of the rear basket is 210 cm. The width of the basket is 120 cm."
    pair = ClausePair("changed", "1", "1", "", before, after, 0.9, "c:1", "d:1")
    line = first_line("How did the width of the basket change?", after, pairs=(pair,))
    assert "100 → 210" not in line
    assert "200 → 120" not in line
    before, after = "It must be at least 100 mm wide.", "It must be at least 120 mm wide."
    pair = ClausePair("changed", "1", "1", "", before, after, 0.9, "c:1", "d:1")
    line = first_line("How did the maximum width change?", after, pairs=(pair,))
    assert "100 → 120" not in line


def test_a_change_without_one_amount_is_told_in_the_words_before_and_after():
    before, after = (
        "A pilot checks the burner at dawn.",
        "A pilot checks the burner before take-off.",
    )
    pair = ClausePair("changed", "1", "1", "", before, after, 0.9, "c:1", "d:1")
    line = first_line("What changed about the burner?", after, pairs=(pair,))
    assert line == f"changed: “{before}” → “{after}” · Article 1, Rules"


def test_any_item_of_a_list_may_be_the_one_asked_for():
    rule = PITCH * 2 + "\nThe gates are open, which allows for:\n"
    rule += "a) 10 minutes before the balloon is drawn in;\nb) 45 minutes for the balloon."
    line = first_line("How much time is there for the balloon?", rule)
    assert "10 minutes before the balloon" in line
    assert "45 minutes for the balloon" in line


def test_a_count_is_shown_with_what_it_counts():
    rule = "Each balloon must have two or more fire extinguishers. Its crew are at most four."
    line = first_line("How many fire extinguishers does a balloon have?", rule)
    assert line.startswith("“Each balloon must have two or more fire extinguishers.")


def test_a_day_that_is_asked_for_comes_before_an_amount_of_days():
    late = "A team whose roster is late is fined €5 for each day. After 30 days it may not fly."
    due = "Each team sends its roster of pilots no later than 28 February."
    line = first_line("Until which day do we hand in the roster?", late, due)
    assert "28 February" in line
    assert "30 days" in first_line("What happens when the roster is 30 days late?", late, due)


def test_the_penalty_of_a_special_case_comes_after_that_of_the_case():
    special = "if the pilot gives up the race a warning may be given"
    rows = (
        replace(penalty("a late landing in a race", special), conditions="if the pilot gives up"),
        penalty("a late landing in a race", "a ten second time penalty"),
    )
    rule = "Late landings in a race are punished."
    question = "What is the penalty for a late landing in a race?"
    line = first_line(question, rule, intent="PENALTY", rows=rows)
    assert line.startswith("“a ten second time penalty”")


def test_the_quote_of_the_first_line_is_the_first_one():
    first, second = (
        "The rim of the basket is of wood.",
        "The rim of a basket is at most 120 cm high.",
    )
    view = view_rules("How high may the rim of the basket be?", first, second)
    assert [view.citations[n].quote for n in (1, 2)] == [second, first]
    assert [block.text[-3:] for block in view.blocks] == ["[1]", "[2]"]


def test_a_models_answer_begins_with_its_own_first_sentence():
    rule = "The basket must be at least 90 cm wide."
    assert first_line("How wide?", rule, prose="It is at least 90 cm wide [1].") is None


def test_a_sentence_that_leads_to_a_table_comes_without_its_rows():
    rule = (
        "During a flight each pilot may use no more burners than the following:\n"
        "| Use | Small | Large | Spare |\n|---|---|---|---|\n"
        "| Training | 2 | 1 | 2 |\n| Competition | 1 | 1 | 1 |\n| Whole flight | 3 | 2 | 3 |"
    )
    line = first_line("How many burners may a pilot use in one flight?", rule)
    assert line.startswith("“During a flight each pilot may use")
    assert "|" not in line
