"""An open tab does not keep the runs that it showed in memory."""

import gc

import pytest

from core.chats.queries import SavedRun
from tests.pages.visit import ask, opened

QUESTION = "What is the speed limit in the pit lane?"


def runs_held() -> int:
    """Runs that are still in memory, whoever holds them."""
    gc.collect()
    return sum(isinstance(held, SavedRun) for held in gc.get_objects())


@pytest.mark.slow
def test_a_tab_does_not_keep_the_runs_of_chats_it_has_left(library):
    app = ask(opened(), QUESTION)
    before = runs_held()
    for _ in range(3):
        app.sidebar.button[0].click().run()
        ask(app, QUESTION)
    assert app.feedback
    assert runs_held() <= before
