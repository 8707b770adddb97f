"""The page Limits: what a rulebook limits and obliges."""

import pytest

from core.library.storage.library import Library
from tests.pages.visit import opened, text_of
from tests.registers.trike import add_trike_rules


@pytest.fixture
def trike(data) -> Library:
    library = Library(data)
    add_trike_rules(library)
    return library


def at_limits():
    app = opened().switch_page("limits.py").run()
    assert not app.exception
    return app


def column(app, name):
    return list(app.dataframe[0].value[name])


def choose_row(app, number):
    """Click a row of the page's first table."""
    app.session_state[app.dataframe[0].key] = {"selection": {"rows": [number]}}
    app.run()
    assert not app.exception
    return app


def owner_field(app):
    return next(one for one in app.main.text_input if one.label == "Owner")


def test_limits_are_filtered_by_words_relation_and_unit(trike):
    app = at_limits()
    assert "at least 1200 mm" in column(app, "Limit")
    everything = len(column(app, "Limit"))
    app.text_input(key="limit-words").set_value("tread depth").run()
    assert column(app, "Article") == ["1.3"]
    app.text_input(key="limit-words").set_value("").run()
    app.pills(key="relations").set_value(["less than"]).run()
    assert column(app, "Limit") == ["less than 60 V DC"]
    app.pills(key="relations").set_value([]).run()
    app.multiselect(key="units").set_value(["MJ"]).run()
    assert len(column(app, "Limit")) == 1 < everything


def test_a_click_on_a_part_of_the_picture_leaves_its_limits(trike):
    app = at_limits()
    assert "3 Battery" in app.multiselect(key="limits-picture-bars").options
    part = {"bar": "3 Battery", "kind": "energy"}
    app.session_state["limits-picture"] = {"selection": {"picked": [part]}}
    app.run()
    assert not app.exception
    assert column(app, "Limit") == ["at most 2 MJ"]


def test_a_limit_opens_its_clause(trike):
    app = choose_row(at_limits(), 0)
    assert any("minimum wheelbase of 1200 mm" in text.value for text in app.text)
    next(one for one in app.main.button if "Open Article" in one.label).click().run()
    assert not app.exception
    assert app.title[0].value == "Rulebooks"
    assert "1.1 Wheelbase" in text_of(app)


def test_the_page_says_which_numbers_set_no_limit(library):
    app = at_limits()
    assert "Other numbers" in text_of(app)
    app.segmented_control(key="limits-view").set_value("unread").run()
    assert not app.exception
    assert all(column(app, "Why"))
    app = choose_row(app, 0)
    assert any("Open Article" in button.label for button in app.main.button)


def test_obligations_are_filtered_by_duty(trike):
    app = at_limits()
    app.segmented_control(key="limits-view").set_value("obligations").run()
    assert "A team" in column(app, "Who")
    app.pills(key="duties").set_value(["should"]).run()
    assert column(app, "Article") == ["3.4"]
    assert {button.label for button in app.get("download_button")} == {"CSV", "XLSX"}


@pytest.mark.slow
def test_what_is_noted_of_an_obligation_stands_in_the_table(trike):
    app = at_limits()
    app.segmented_control(key="limits-view").set_value("obligations").run()
    app = choose_row(app, 0)
    for label, value in (("Owner", "Ada"), ("Status", "done")):
        next(one for one in app.main.text_input if one.label == label).set_value(value)
    next(one for one in app.main.button if one.label == "Save").click().run()
    assert not app.exception
    assert (column(app, "Owner")[0], column(app, "Status")[0]) == ("Ada", "done")
    assert not any(column(app, "Owner")[1:])
    app = choose_row(app, 0)
    assert any(": “” → “done”" in caption.value for caption in app.caption)


def test_the_page_counts_and_lists_what_nobody_owns(trike):
    app = at_limits()
    app.segmented_control(key="limits-view").set_value("obligations").run()
    [figure] = app.metric
    assert figure.label == "Rules that nobody owns"
    app = choose_row(app, 0)
    field = next(one for one in app.main.text_input if one.label == "Subteam")
    field.set_value("Chassis")
    next(one for one in app.main.button if one.label == "Save").click().run()
    assert int(app.metric[0].value) == int(figure.value) - 1
    app.multiselect(key="subteams").set_value(["Chassis"]).run()
    assert column(app, "Subteam") == ["Chassis"]
    app.multiselect(key="subteams").set_value([""]).run()
    assert len(column(app, "Article")) == int(app.metric[0].value)


@pytest.mark.slow
def test_a_duty_does_not_show_the_note_of_another_of_its_clause(data):
    library = Library(data)
    add_trike_rules(library, 1, {"4": "A team must name two riders. A rider must wear a helmet."})
    app = at_limits()
    app.segmented_control(key="limits-view").set_value("obligations").run()
    first, second = (row for row, article in enumerate(column(app, "Article")) if article == "4")
    app = choose_row(app, first)
    owner_field(app).set_value("Ada")
    next(one for one in app.main.button if one.label == "Save").click().run()
    assert [column(app, "Owner")[row] for row in (first, second)] == ["Ada", ""]
    app = choose_row(app, second)
    assert (owner_field(app).value, len(app.warning)) == ("", 0)


def test_an_empty_library_says_what_to_do(trike):
    [document] = trike.documents()
    trike.remove_document(document.document_id)
    assert "The library is empty" in text_of(at_limits())
