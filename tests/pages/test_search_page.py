"""Search on the page Rulebooks, over two seasons of a small invented rulebook."""

from tests.pages.visit import opened, text_of


def searched(query, **address):
    app = opened().switch_page("rulebooks.py").run()
    app.text_input(key="q").set_value(query).run()
    assert not app.exception
    return app


def links(app):
    return [link.proto.label.replace("\\", "").replace("**", "") for link in app.get("page_link")]


def test_words_are_found_and_marked_in_any_form(library):
    app = searched("speed limits")
    assert "1 clause in 1 document" in text_of(app)
    assert links(app)[-1] == "21.3 Speed limit"
    assert "Cup Rules 2024, Issue 1, page 1" in text_of(app)
    assert ":orange-background[speed] :orange-background[limit]" in text_of(app)


def test_a_number_finds_its_clause_and_filters_choose_issues_and_seasons(library):
    app = searched("21.3")
    assert text_of(app).count("50 km/h") == 1
    app.toggle(key="all-issues").set_value(True).run()
    assert "60 km/h" in text_of(app)
    assert "50 km/h" in text_of(app)
    app.multiselect(key="seasons").set_value([2023]).run()
    assert "50 km/h" not in text_of(app)
    app.toggle(key="all-issues").set_value(False).run()
    assert "60 km/h" in text_of(app)


def test_what_is_not_found_and_what_is_no_word_are_told(library):
    assert "No rule has this number or these words" in text_of(searched("zeppelin"))
    assert "no word to search for" in text_of(searched("?!"))
