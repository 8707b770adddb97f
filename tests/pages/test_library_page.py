"""The library page, as a person uses it."""

import json
import tomllib
from datetime import date
from pathlib import Path

import pytest

from core.language import ENGLISH
from core.library import LibraryText
from core.library.ingestion.ingest import add_bytes
from core.settings import Settings
from tests.cup import contents, queue_in
from tests.pages.visit import KART_RULES, all_added, at_library, labels, opened, pdf, text_of
from tests.rulebook.pdf_builder import handbook_without_numbers, locked

ROOT = Path(__file__).parents[2]
NEXT_ISSUE = pdf(
    "2025 Karting Club Sporting Regulations",
    "Issue 4",
    "1 KARTS",
    "1.1 Every kart must carry a bumper.",
)


def open_panel(app, document):
    """The page with the panel of a document open."""
    app.session_state[f"document-{document.document_id[:16]}"] = True
    app.run()
    assert not app.exception
    return app


def give(app, *files):
    """Drop files on the page, as (name, bytes)."""
    app.file_uploader[0].set_value([(name, data, "application/pdf") for name, data in files]).run()
    assert not app.exception
    return app


def kart(library):
    """The document that was added."""
    return next(held for held in library.documents() if held.file == "kart.pdf")


def test_the_issues_that_a_question_is_put_to_are_marked(library):
    marked = {
        label.partition(" :")[0]: "In default scope" in label for label in labels(at_library())
    }
    del marked["Add rulebooks (PDF, Word)"]
    assert list(marked.items()) == [
        ("Cup Rules 2024, Issue 1", True),
        ("Cup Rules 2023, Issue 1", False),
    ]


def test_a_document_tells_what_reading_it_met(library):
    document = library.documents()[0]
    app = open_panel(at_library(), document)
    assert "8 clauses" in next(label for label in labels(app) if "Cup Rules 2023" in label)
    assert "- 8 clauses on 1 page" in text_of(app)


def test_a_report_says_what_a_file_brings_beside_its_pages():
    assert LibraryText(ENGLISH).list_reading_counts({"signatures": 1, "scripts": 2}) == [
        "1 signature: who signed is not checked",
        "2 scripts or programs that the file would start: never run",
    ]


def test_a_report_is_in_plain_words():
    counts = {"deleted_spans": 1, "tables": 1200, "figures": 0, "clauses": 8}
    assert LibraryText(ENGLISH).list_reading_counts(counts) == [
        "1 passage struck out: kept out of the rules, shown as deleted",
        "1,200 tables: read row by row",
    ]


@pytest.mark.slow
def test_files_are_added_with_a_line_each(library):
    app = give(
        at_library(), ("kart.pdf", KART_RULES), ("empty.pdf", b""), ("text.pdf", b"this is no PDF")
    )
    told = text_of(all_added(app, library))
    assert "Added 2025 Karting Club Sporting Regulations, Issue 3: 6 clauses on 1 page" in told
    assert "Not added: empty.pdf is empty" in told
    assert "Not added: text.pdf is neither a PDF nor a Word file" in told
    assert len(library.documents()) == 3


@pytest.mark.slow
def test_a_file_with_a_password_is_added_once_the_password_is_given(library):
    other = locked(NEXT_ISSUE, "another")
    app = give(
        at_library(), ("kart.pdf", locked(KART_RULES, "marked-password")), ("other.pdf", other)
    )
    all_added(app, library)
    assert "Not added: kart.pdf needs a password" in text_of(app)
    for password, said in (
        ("wrong", "does not open with this password"),
        ("marked-password", "Added 2025 Karting"),
    ):
        fields = [one for one in app.text_input if one.label == "Password for this file"]
        fields[-1].set_value(password)  # the first file is the last in the list
        [button for button in app.button if button.label == "Unlock"][-1].click()
        app.run()
        assert said in text_of(all_added(app, library) if password == "marked-password" else app)
    assert kart(library).pages == 1
    assert "Not added: other.pdf needs a password" in text_of(app)
    kept = contents(library.folder).values()
    assert not [content for content in kept if b"marked-password" in content]


@pytest.mark.slow
def test_a_file_that_waits_tells_so_and_can_be_cancelled(library):
    app = at_library()
    queue = queue_in(library.folder)
    entry = queue.enqueue("kart.pdf", KART_RULES)
    lease = queue.claim_job()  # as another process would that works on it
    app.run()
    assert not app.exception
    [told] = [bar.proto.text for bar in app.get("progress")]
    assert told.replace("\\", "").startswith("kart.pdf: waiting")
    app.button(key=f"cancel-{entry.entry_id}").click().run()
    assert app.button(key=f"cancel-{entry.entry_id}").disabled
    lease.release()
    told = text_of(all_added(app, library))
    assert "kart.pdf was cancelled and not added" in told
    app.button(key=f"retry-{entry.entry_id}").click().run()
    assert "Added" in text_of(all_added(app, library))


@pytest.mark.slow
def test_what_a_process_before_left_is_gone_on_with(library):
    queue_in(library.folder).enqueue("kart.pdf", KART_RULES)
    app = opened()
    assert "Added 2025 Karting" in text_of(all_added(app, library))


@pytest.mark.slow
def test_the_same_bytes_under_another_name_are_recognised(library):
    app = all_added(give(at_library(), ("kart.pdf", KART_RULES)), library)
    told = text_of(all_added(give(app, ("other name.pdf", KART_RULES)), library))
    assert "Nothing to add: other name.pdf is the same file as kart.pdf" in told
    assert "in the library already as 2025 Karting" in told
    assert len(library.documents()) == 3


@pytest.mark.slow
def test_the_news_of_many_files_are_one_line_beside_a_chat(library):
    app = all_added(
        give(opened(), ("kart.pdf", KART_RULES), ("empty.pdf", b""), ("next.pdf", NEXT_ISSUE)),
        library,
    )
    told = [panel.label for panel in app.sidebar.expander]
    assert "2 files added · 1 file not added" in told
    assert "Not added: empty.pdf is empty" in text_of(app)


@pytest.mark.slow
def test_a_file_that_is_there_already_is_not_called_added(library):
    app = all_added(give(opened(), ("kart.pdf", KART_RULES)), library)
    app = all_added(give(app, ("again.pdf", KART_RULES)), library)
    told = [panel.label for panel in app.sidebar.expander]
    assert "1 file added · 1 already there" in told
    results = [line.value for line in app.sidebar.markdown if "2025 Karting" in line.value]
    assert ["again" in line for line in results] == [True, False]  # the newest is on top


@pytest.mark.slow
def test_the_samples_beside_other_rulebooks_can_be_removed_for_good(sporting):
    def remove(app):
        return [button for button in app.button if button.label == "Remove the samples"]

    app = at_library()
    assert not remove(app)  # alone they are what one tries the app with
    all_added(give(app, ("kart.pdf", KART_RULES)), sporting)
    assert "sample rulebooks of an invented series" in text_of(app)
    remove(app)[0].click().run()
    assert not app.exception
    assert [held.file for held in sporting.documents()] == ["kart.pdf"]
    assert not remove(at_library())
    assert [held.file for held in sporting.documents()] == ["kart.pdf"]


@pytest.mark.slow
def test_a_newer_issue_says_that_it_is_one(library):
    app = all_added(give(at_library(), ("kart.pdf", KART_RULES)), library)
    assert "newer" not in text_of(app)
    told = text_of(all_added(give(app, ("kart4.pdf", NEXT_ISSUE)), library))
    karting = "2025 Karting Club Sporting Regulations, Issue"
    assert f"It is newer than {karting} 3, which stays in the library." in told
    assert f"{karting} 4 is newer and stays the default." in told


def test_the_list_can_be_cleared(library):
    app = all_added(give(at_library(), ("a.pdf", b""), ("b.pdf", b"")), library)
    next(button for button in app.button if button.label == "Clear this list").click().run()
    assert "Not added" not in text_of(app)
    assert not queue_in(library.folder).list_jobs()


def test_a_line_can_be_dismissed(library):
    app = all_added(give(at_library(), ("a.pdf", b"")), library)
    [entry] = queue_in(library.folder).list_jobs()
    app.button(key=f"dismiss-{entry.entry_id}").click().run()
    assert "Not added" not in text_of(app)


def test_a_name_is_shown_as_it_is_written(library):
    nasty = "![x](http://evil.example/x.png).pdf"
    app = all_added(give(at_library(), (nasty, b"")), library)
    assert f"Not added: {nasty} is empty" in text_of(app)
    assert not any("![" in str(line.value) for line in app.markdown)


@pytest.mark.slow
def test_more_files_than_allowed_are_refused(library, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_UPLOADS_AN_HOUR", "1")
    app = give(at_library(), ("a.pdf", KART_RULES), ("b.pdf", NEXT_ISSUE))
    assert "Within an hour 1 file can be added, and you have added 0" in text_of(app)
    assert not queue_in(library.folder).list_jobs()
    assert "At most" not in text_of(all_added(give(app, ("kart.pdf", KART_RULES)), library))


@pytest.mark.slow
def test_files_that_a_slow_browser_reports_again_are_taken_once(library):
    app = at_library()
    uploader = app.file_uploader[0].upload("kart.pdf", KART_RULES, "application/pdf")
    uploader.run()
    app._tree = uploader.root  # what the browser still shows
    uploader.run()
    queue = queue_in(library.folder)
    assert [job.name for job in queue.list_jobs()] == ["kart.pdf"]
    app._tree = uploader.root
    uploader.upload("next.pdf", NEXT_ISSUE, "application/pdf").run()
    assert [job.name for job in queue.list_jobs()] == ["kart.pdf", "next.pdf"]
    all_added(app, library)


@pytest.mark.slow
def test_a_whole_folder_can_be_given(library):
    app = at_library()
    app.toggle[0].set_value(True).run()
    assert "folder" in app.file_uploader[0].label
    app.file_uploader[0].set_value([("rules/kart.pdf", KART_RULES, "application/pdf")]).run()
    assert "Added" in text_of(all_added(app, library))


@pytest.mark.slow
def test_what_reading_could_not_tell_is_asked_for(library):
    app = all_added(give(at_library(), ("kart.pdf", KART_RULES)), library)
    document = kart(library)
    assert document.date is None
    assert any("not known" in label and "Date" in label for label in labels(app))
    key = document.document_id[:16]
    open_panel(app, document)
    app.number_input(key=f"issue-{key}").set_value(4)
    app.date_input(key=f"date-{key}").set_value(date(2025, 2, 1))
    app.form_submit_button[0].click().run()
    assert not app.exception
    described = library.document(document.document_id)
    assert (described.issue, described.date) == (4, "2025-02-01")
    assert described.sources["issue"] == described.sources["date"] == "given"
    assert described.sources["season"] != "given"


def test_what_is_known_wrongly_can_be_cleared(library):
    held = library.documents()[0]
    key = held.document_id[:16]
    app = open_panel(at_library(), held)
    app.number_input(key=f"season-{key}").set_value(None)
    app.number_input(key=f"issue-{key}").set_value(7)
    app.form_submit_button[0].click().run()
    assert not app.exception
    described = library.document(held.document_id)
    assert (described.season, described.issue, described.family) == (None, 7, "cup")
    assert any("not known: Season" in label for label in labels(app))


def test_a_season_that_no_field_can_show_is_no_obstacle(library):
    line = {"document": "Old", "article": "1", "text": "Be brave.", "season": 1894}
    [addition] = add_bytes(library, json.dumps(line).encode(), "old.jsonl")
    open_panel(at_library(), addition.document)


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
        library.remove_document(document.document_id)
    app = at_library()
    assert "The library is empty" in text_of(app)
    assert not app.dataframe


def test_the_largest_upload_is_what_the_server_takes():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] == Settings.model_fields["max_upload_mb"].default


INTRODUCED = pdf(
    "2025 Rowing Club Rules",
    "Issue 1",
    "PURPOSE OF THE RULES",
    "They keep the races fair for every crew that takes part in them.",
    "1 BOATS",
    "1.1 Every boat must carry a number.",
    "2 CREWS",
    "2.1 Every crew must wear life jackets.",
)


@pytest.mark.slow
def test_a_person_says_which_line_is_a_heading_and_takes_it_back(library):
    [added] = add_bytes(library, INTRODUCED, "rowing.pdf")
    name = added.document.document_id[:16]
    app = open_panel(at_library(), added.document)
    app.button(key=f"lines-{name}").click().run()
    assert not app.exception
    app.text_input(key=f"words-{name}-1").set_value("PURPOSE OF").run()
    app.button(key=f"read-{name}").click().run()
    assert not app.exception
    document = library.document(added.document.document_id)
    articles = [clause.article for clause in library.clauses(document.document_id)]
    assert "PURPOSE OF THE RULES" in articles
    assert "“PURPOSE OF”: heading of level 1" in text_of(app)
    app.button(key=f"undo-{name}-0").click().run()
    assert not app.exception
    assert library.document(document.document_id).corrections == ()


@pytest.mark.slow
def test_a_line_that_leaves_no_rule_is_refused_and_nothing_changes(library):
    [added] = add_bytes(library, KART_RULES, "kart.pdf")
    name = added.document.document_id[:16]
    app = open_panel(at_library(), added.document)
    app.button(key=f"lines-{name}").click().run()
    app.text_input(key=f"words-{name}-1").set_value("no such line").run()
    app.button(key=f"read-{name}").click().run()
    assert "No line begins with “no such line”" in text_of(app)
    assert library.document(added.document.document_id).clauses == added.document.clauses


@pytest.mark.slow
def test_a_document_that_was_read_in_part_says_so_beside_its_result_and_in_the_list(library):
    handbook = handbook_without_numbers().pdf()
    app = all_added(give(at_library(), ("kart.pdf", handbook)), library)
    assert kart(library).reading == "partly"
    assert "This document was read in part" in text_of(app)
    assert "read in part" in next(label for label in labels(app) if "13 clauses" in label)


@pytest.mark.slow
def test_what_a_document_does_not_tell_is_asked_for_when_it_is_added(library):
    handbook = pdf("Competition Handbook", "1 BOATS", "1.1 Every boat must carry a number.")
    app = all_added(give(at_library(), ("kart.pdf", handbook)), library)
    [job] = queue_in(library.folder).list_jobs()
    name = f"asked-{job.entry_id}-{kart(library).document_id[:16]}"
    assert kart(library).family is None
    app.selectbox(key=f"family-{name}").set_value("cup")
    app.number_input(key=f"season-{name}").set_value(2024)
    next(button for button in app.button if button.form_id == f"description-{name}").click().run()
    assert not app.exception
    assert (kart(library).family, kart(library).season) == ("cup", 2024)
    assert not [field for field in app.number_input if str(field.key) == f"season-{name}"]
