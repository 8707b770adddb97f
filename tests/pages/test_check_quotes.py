"""The page Check quotes: a text with a true quote, an altered one, and one that plays tricks."""

import pytest

from core.language import ENGLISH
from core.quotes import format_marked_text
from tests.pages.visit import opened, text_of

LIMIT = "The speed limit in the pit lane is 50 km/h throughout the Event, for every car."
TEXT = (
    f"Article 21.3 says “{LIMIT}”\n\nThey wrote “{LIMIT.replace('50', '70')}” and then"
    " “Nobody ever wrote these invented words anywhere.”"
)


def at_quotes():
    app = opened().switch_page("check_quotes.py").run()
    assert not app.exception
    return app


def check(app, text):
    app.text_area[0].set_value(text).run()
    next(button for button in app.main.button if button.label == "Check").click().run()
    assert not app.exception
    return app


def findings(app):
    return list(app.dataframe[0].value["Finding"])


def test_a_pasted_text_is_judged_and_marked(library):
    app = check(at_quotes(), TEXT)
    assert findings(app) == ["✓ correct", "✓ correct", "✗ altered", "✗ not found"]
    assert "[-50-] {+70+}" in app.dataframe[0].value["Difference"][2]
    assert ":green-background[" in app.markdown[-1].value
    assert ":red-badge[3 ✗ altered]" in app.markdown[-1].value
    labels = [button.label for button in app.get("download_button")]
    assert labels == ["Text with marks", "CSV", "XLSX"]


def test_findings_are_filtered_and_a_row_opens_its_rule(library):
    app = check(at_quotes(), TEXT)
    app.pills(key="quotes-findings").set_value(["altered"]).run()
    assert findings(app) == ["✗ altered"]
    app.session_state[app.dataframe[0].key] = {"selection": {"rows": [0]}}
    app.run()
    next(button for button in app.main.button if button.label.startswith("Open")).click().run()
    assert app.title[0].value == "Rulebooks"
    assert "21.3" in text_of(app)


def test_a_file_is_put_into_the_field_or_refused_with_the_reason(library):
    app = at_quotes()
    app.file_uploader[0].set_value(("report.md", TEXT.encode(), "text/markdown")).run()
    assert app.text_area[0].value == TEXT
    app.file_uploader[0].set_value(("report.txt", b"\xff\x00\xd8", "text/plain")).run()
    assert any("not in UTF" in error.value for error in app.error)


@pytest.mark.parametrize("words", ["![x](https://evil.example)", "<b>x</b>", ":red[x]", "$x$"])
def test_foreign_words_are_text_between_the_marks(words):
    marked = format_marked_text(ENGLISH, f"{words}\n{words}", (), {})
    assert "\\" in marked
    assert words not in marked
