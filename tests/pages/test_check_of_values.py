"""The compliance table of a question's values: above the answer, and in the reasoning."""

from pandas import DataFrame
from streamlit.testing.v1 import AppTest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.library.storage.library import Library
from tests.pages.visit import page_of, reasoning, tables_of


def drawing(folder, lines):
    """A page that draws an answer and its reasoning, and nothing else."""
    from pathlib import Path

    from core.agent.events import from_json
    from core.library.storage.library import Library
    from pages.components.answer import show_answer
    from pages.components.trace import show_trace

    events = [from_json(line) for line in lines]
    show_answer(Library(Path(folder)), events, events[-1])
    show_trace(events)


def drawn(rules, question) -> AppTest:
    events = tuple(Agent(Library(rules), OfflineModel()).ask(Request(question)))
    lines = [event.model_dump_json() for event in events]
    app = page_of(drawing, str(rules), lines).run()
    assert not app.exception
    return app


def checks(app):
    """The table above the answer, and that of the reasoning."""
    above = [table.value for table in app.table if "Verdict" in table.value.columns]
    found = [table for panel in reasoning(app) for table in tables_of(panel)]
    return [*above, *(DataFrame(rows, columns=head) for head, *rows in found if "Verdict" in head)]


def test_a_value_is_answered_with_a_table_and_the_verdict_first(rules):
    app = drawn(rules, "Is 55 km/h in the pit lane legal?")
    above, within = checks(app)
    assert above.equals(within)
    [row] = above.to_dict("records")
    names = ("Limit", "Yours", "Margin", "Verdict", "Article")
    assert [row[name].replace("\\", "") for name in names] == [
        "at most 50\u00a0km/h",
        "55\u00a0km/h",
        "−5\u00a0km/h",
        ":red-badge[not legal]",
        "21.3",
    ]
    headline = app.markdown[0].value.replace("\\", "")
    assert headline == "**Not legal: 55 km/h, limit at most 50 km/h · Article 21.3**"


def test_limit_value_margin_and_verdict_come_first_and_a_note_only_where_there_is_one(rules):
    above, _ = checks(drawn(rules, "Is 55 km/h in the pit lane legal?"))
    assert list(above.columns)[:4] == ["Limit", "Yours", "Margin", "Verdict"]
    assert "Note" not in above.columns or any(above["Note"])


def test_a_question_without_a_value_has_no_such_table(rules):
    assert checks(drawn(rules, "What is the pit lane speed limit?")) == []
