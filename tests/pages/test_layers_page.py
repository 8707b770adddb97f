"""Rules in layers, as a person says them on the Rulebooks page and asks them in a chat."""

import pytest

from core.library.storage.library import Library
from core.library.types import Relation
from tests.layered_cup import add_harbour_cup
from tests.pages.visit import at_library, opened, text_of


@pytest.fixture
def cup(library):
    """The Harbour Cup, of whose documents nothing is said, beside the library of all pages."""
    books = add_harbour_cup(library)
    for name in ("handbook", "bulletin", "safety"):
        library.unrelate(books[name].document_id, books["rules"].document_id)
    return books


def open_panel(document):
    app = at_library()
    app.session_state[f"document-{document.document_id[:16]}"] = True
    app.run()
    assert not app.exception
    return app


def test_a_person_accepts_what_a_handbook_says_of_itself(library, cup):
    handbook = cup["handbook"]
    app = open_panel(handbook)
    assert "the handbook prevails" in text_of(app)
    app.button(key=f"accept-{handbook.document_id[:16]}-0").click().run()
    assert not app.exception
    [said] = library.document(handbook.document_id).relations
    assert (said.kind, said.prevails, said.document_id) == (
        "supplements",
        "this",
        cup["rules"].document_id,
    )
    assert said.by
    assert "this document prevails" in text_of(app)
    key = f"unrelate-{handbook.document_id[:16]}-{said.document_id[:16]}"
    app.button(key=key).click().run()
    assert not library.document(handbook.document_id).relations


def test_a_person_says_how_a_document_stands_to_another_one(library, cup):
    safety, rules = cup["safety"], cup["rules"]
    app, key = open_panel(safety), safety.document_id[:16]
    app.selectbox(key=f"relation-kind-{key}").select("amends")
    app.selectbox(key=f"relation-other-{key}").select(rules.document_id)
    save = next(one for one in app.button if one.label == "Save" and "relation" in str(one.proto))
    save.click().run()
    assert not app.exception
    [said] = library.document(safety.document_id).relations
    assert (said.kind, said.document_id) == ("amends", rules.document_id)


def test_a_competition_is_chosen_at_the_side(library, cup):
    rules = cup["rules"].document_id
    library.relate(cup["bulletin"].document_id, Relation("amends", rules))
    app = opened()
    app.selectbox(key="season").select(rules[:12]).run()
    assert not app.exception
    assert app.query_params["season"] == rules[:12]
    ticks = [box for box in app.checkbox if box.key.startswith("tick-")]
    assert sum(box.value for box in ticks) == 2, "the rules and the bulletin"


@pytest.fixture
def harbour(data):
    """The app's library, with the Harbour Cup alone in it."""
    library = Library(data)
    return add_harbour_cup(library)


def test_the_limits_of_a_competition_are_one_table(harbour):
    app = opened(season=harbour["rules"].document_id[:12]).switch_page("limits.py").run()
    assert not app.exception
    table = app.dataframe[0].value
    limits = dict(zip(table["Article"], table["Limit"], strict=True))
    assert limits["H 2.1"] == "at most 8 km/h"
    assert "4.1" not in limits, "what is overridden is not in force"
    assert len(set(table["Rulebook"])) == len(harbour)
    app.toggle(key="in-force").set_value(False).run()
    table = app.dataframe[0].value
    assert list(table.columns[:3]) == ["Rulebook", "Article", "Other layers"]
    marks = dict(zip(table["Article"], table["Other layers"], strict=True))
    assert marks["4.1"].startswith("overridden by Article H 2.1")


def test_the_obligations_of_a_competition_are_one_table(harbour):
    app = opened(season=harbour["rules"].document_id[:12]).switch_page("limits.py").run()
    app.segmented_control(key="limits-view").set_value("obligations").run()
    assert not app.exception
    table = app.dataframe[0].value
    assert "H 2.5" in set(table["Article"])
    assert "4.1" not in set(table["Article"])
    app.toggle(key="in-force").set_value(False).run()
    table = app.dataframe[0].value
    marks = dict(zip(table["Article"], table["Other layers"], strict=True))
    assert marks["4.1"].startswith("overridden by Article H 2.1")


@pytest.mark.parametrize("is_chosen", [True, False], ids=["chosen", "the newest"])
def test_a_sheet_of_a_competition_has_one_verdict_a_row(harbour, is_chosen):
    season = {"season": harbour["rules"].document_id[:12]} if is_chosen else {}
    app = opened(**season).switch_page("limits.py").run()
    assert "Rulebook" in app.dataframe[0].value
    app.segmented_control(key="limits-view").set_value("sheet").run()
    sheet = "id,parameter,value,unit\nspeed,speed in the harbour,9,km/h\nsail,sail area,19,m²\n"
    app.file_uploader[0].set_value(("cup.csv", sheet.encode(), "text/csv")).run()
    assert not app.exception
    table = app.dataframe[0].value
    assert list(table["Article"]) == ["H 2.1", "B 2"]
