"""A rulebook in Word on the pages: an opened citation shows its clause, as there is no page."""

from core.library import Library
from core.library.ingestion.ingest import add_bytes
from tests.cli.test_word_files import BULLETIN, ISSUES
from tests.cup import queue_in
from tests.pages.visit import all_added, ask, at_library, opened, text_of


def add_karts(data) -> Library:
    library = Library(data)
    for name, content in ISSUES.items():
        assert [result.status for result in add_bytes(library, content, name)] == ["added"]
    return library


def test_a_citation_opens_its_clause_and_names_its_paragraph(data):
    add_karts(data)
    app = ask(opened(), "What is the speed limit in the pit lane?")
    cited = next(button for button in app.main.button if str(button.key).startswith("cite-"))
    assert "Article 1.1, paragraph 1" in cited.label.replace("\\", "")
    cited.click().run()
    assert not app.exception
    assert "The speed must not exceed 50 km/h." in "\n".join(one.value for one in app.text)
    assert not app.get("image")
    assert "None" not in text_of(app)
    copied = [code.value for code in app.code]
    assert any("Art. 1.1, para. 1" in one for one in copied)


def test_its_articles_are_browsed_without_a_page(data):
    library = add_karts(data)
    newest = library.documents()[0].document_id
    app = opened().switch_page("rulebooks.py")
    app.query_params["clause"] = f"{newest}:1.1"
    app.run()
    assert not app.exception
    assert "1.1 Pit lane" in text_of(app)
    assert "Page 1 of" not in text_of(app)
    assert not app.get("image")


def test_beside_its_issues_no_pages_are_counted_when_they_are_compared(data):
    add_karts(data)
    captions = [one.value for one in opened().switch_page("compare.py").run().caption]
    assert sum(one.endswith(" · Word file") for one in captions) == 2
    assert not any("0 pages" in one for one in captions)


def test_what_an_added_bulletin_proposes_is_accepted_where_it_was_added(data):
    library = add_karts(data)
    queue_in(library.folder).enqueue("bulletin.docx", BULLETIN)
    app = all_added(at_library(), library)
    assert "Its text says so. Accept it if it is right" in text_of(app)
    accept = next(one for one in app.button if "-accept-" in str(one.key))
    accept.click().run()
    assert not app.exception
    bulletin = next(one for one in library.documents() if one.file == "bulletin.docx")
    assert [said.kind for said in bulletin.relations] == ["amends"]
