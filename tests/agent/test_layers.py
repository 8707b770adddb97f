"""Rules in layers: what overrides a rule is told before it, and no rule is law against it."""

import pytest

from core.agent import Agent, Ended, Request
from core.agent.models.offline.model import OfflineModel
from core.library.storage.library import Library
from tests.benchmarks.layers import judge_answer, read_questions
from tests.layered_cup import add_harbour_cup


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("harbour"))
    add_harbour_cup(library)
    return library


@pytest.mark.parametrize("row", read_questions("cup"), ids=lambda row: row["id"])
def test_no_overridden_rule_is_told_as_law(library, row):
    judged, _ = judge_answer(library, row)
    assert judged == "right"


def ask(library: Library, question: str) -> Ended:
    *_, ended = Agent(library, OfflineModel()).ask(Request(question))
    return ended


def test_an_answer_shows_both_rules_and_the_words_that_say_who_prevails(library):
    ended = ask(library, "May radios be used during a race?")
    law, base, said = ended.citations
    assert (law.article, base.article, said.article) == ("H 2.4", "3.5", "H 1.1")
    assert "in place of Article 3.5" in law.caution
    assert "overridden by Article H 2.4, Harbour Cup Handbook 2025" in base.caution
    assert said.quote.endswith("the handbook prevails.")


def test_a_contradiction_that_nothing_settles_is_told_as_one(library):
    ended = ask(library, "How old must a crew member be?")
    assert {one.article for one in ended.citations} == {"2.3", "S 1"}
    assert any("nothing says which prevails" in one for one in ended.unsettled)
