"""The budget of a run that a person chooses."""

import pytest

from core.agent import budget_of
from core.chats import MAX_CHOSEN_ITERATIONS, choose_budget
from core.settings import Settings


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path)


def test_what_no_slider_allows_is_clamped(settings):
    chosen = choose_budget(settings, "standard", 99, 0.0)
    assert (chosen.max_iterations, chosen.quality_threshold) == (MAX_CHOSEN_ITERATIONS, 1.0)
    chosen = choose_budget(settings, "deep", -1, 99.0)
    assert (chosen.max_iterations, chosen.quality_threshold) == (1, 10.0)


def test_what_is_not_chosen_is_that_of_the_mode_and_quick_has_nothing_to_choose(settings):
    assert choose_budget(settings, "standard") == budget_of(settings, "standard")
    assert choose_budget(settings, "quick", 5, 9.0) == budget_of(settings, "quick")


@pytest.mark.parametrize("mode", ["quick", "standard", "deep"])
def test_limits_tell_their_mode(settings, mode):
    assert budget_of(settings, mode).mode == mode
