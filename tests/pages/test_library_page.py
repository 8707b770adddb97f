"""The library page, as a person uses it."""

from tests.pages.visit import KART_RULES, at_library, labels, text_of


def open_panel(app, document):
    """The page with the panel of a document open."""
    app.session_state[f"document-{document.document_id[:16]}"] = True
    app.run()
    assert not app.exception
    return app


def test_the_documents_are_listed(library):
    app = at_library()
    listed = app.dataframe[0].value
    assert list(listed["Season"]) == [2023, 2024]
    assert list(listed["Family"]) == ["cup", "cup"]
    assert set(listed["File"]) == {"cup.jsonl"}


def test_a_document_tells_what_reading_it_met(library):
    document = library.documents()[0]
    app = open_panel(at_library(), document)
    assert "8 clauses" in next(label for label in labels(app) if "Cup Rules 2023" in label)
    assert "clauses 8]" in text_of(app)


def test_files_are_added_with_a_line_each(library):
    app = at_library()
    files = [
        ("kart.pdf", KART_RULES, "application/pdf"),
        ("empty.pdf", b"", "application/pdf"),
        ("text.pdf", b"this is no PDF", "application/pdf"),
    ]
    app.file_uploader[0].set_value(files).run()
    assert not app.exception
    told = text_of(app)
    assert "Added" in told
    assert "empty.pdf was not added" in told
    assert "text.pdf was not added" in told
    assert len(library.documents()) == 3
    app.file_uploader[0].set_value([("other name.pdf", KART_RULES, "application/pdf")]).run()
    assert "Unchanged" in text_of(app)
    assert len(library.documents()) == 3


def test_what_reading_could_not_tell_is_asked_for(library):
    app = at_library()
    app.file_uploader[0].set_value([("kart.pdf", KART_RULES, "application/pdf")]).run()
    document = next(d for d in library.documents() if d.file == "kart.pdf")
    assert document.date is None
    assert any("not known" in label and "date" in label for label in labels(app))
    key = document.document_id[:16]
    open_panel(app, document)
    app.number_input(key=f"issue-{key}").set_value(4)
    app.date_input(key=f"date-{key}").set_value("2025-02-01")
    app.form_submit_button[0].click().run()
    assert not app.exception
    described = library.document(document.document_id)
    assert (described.issue, described.date) == (4, "2025-02-01")


def test_a_document_is_removed_after_a_second_thought(library):
    document = library.documents()[0]
    app = open_panel(at_library(), document)
    assert len(library.documents()) == 2
    app.button(key=f"remove-{document.document_id[:16]}").click().run()
    assert not app.exception
    assert [left.document_id for left in library.documents()] != [document.document_id]
    assert len(library.documents()) == 1


def test_an_empty_library_says_what_to_do(library):
    for document in library.documents():
        library.remove(document.document_id)
    app = at_library()
    assert "The library is empty" in text_of(app)
    assert not app.dataframe
