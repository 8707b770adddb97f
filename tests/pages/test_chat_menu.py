"""What a person does with a chat: rename, pin, delete, rate, export; files with a question."""

import io
import json
import zipfile

import docx
import pytest
from pypdf import PdfReader

from core.chats.conversations import Conversations
from core.chats.report_files import write_json, write_markdown
from core.exports.pdf import write_pdf
from core.exports.word import write_word
from pages.components.chat_menu import report_parts
from pages.components.sidebar import MAX_CHATS
from tests.pages.visit import KART_RULES, ask, opened, text_of, unfolded

SPEED = "What is the pit lane speed limit?"


def links(app):
    return [link.label.replace("\\", "") for link in app.sidebar.page_link]


def test_a_chat_is_renamed_pinned_and_found_by_words(library, chats):
    app = ask(opened(), SPEED)
    chat = app.query_params["chat"]
    unfolded(app, f"menu-{chat}")
    app.text_input(key=f"chat-title-{chat}").set_value("Slow lanes").run()
    assert links(app) == ["Slow lanes"]
    assert "Today" in text_of(app)
    app.button(key="pin-chat").click().run()
    assert "Pinned" in text_of(app)
    app.text_input(key="chat-words").set_value("50 km/h").run()
    assert links(app) == ["Slow lanes"]
    app.text_input(key="chat-words").set_value("moonbuggy").run()
    assert not links(app)
    assert "No chat has all of these words" in text_of(app)


def test_of_many_chats_the_newest_are_listed_and_the_others_told_of(library, chats):
    for number in range(MAX_CHATS):
        chats.start_conversation(f"Chat {number}")
    assert "There are older ones" not in text_of(opened())
    chats.start_conversation("One more")
    app = opened()
    assert (len(links(app)), links(app)[0]) == (MAX_CHATS, "One more")
    assert "There are older ones" in text_of(app)


def test_a_deleted_chat_can_be_brought_back(library, chats):
    app = ask(opened(), SPEED)
    before = text_of(app)
    unfolded(app, f"menu-{app.query_params['chat']}")
    app.button(key="delete-chat").click().run()
    assert not links(app)
    assert f"Deleted: {SPEED}" in text_of(app)
    next(button for button in app.main.button if button.label == "Undo").click().run()
    assert not app.exception
    assert text_of(app) == before


def test_a_thumb_and_a_reason_are_kept_and_shown_again(library, chats):
    app = ask(opened(), SPEED)
    chat = app.query_params["chat"]
    [run] = chats.list_runs(chat)
    app.feedback[0].set_value(0).run()
    app.text_input(key=f"reason-{run.run_id}").set_value("Which season?").run()
    [run] = chats.list_runs(chat)
    assert (run.thumb, run.reason) == (False, "Which season?")
    again = opened(chat=chat)
    assert again.feedback[0].value == 0
    assert again.text_input(key=f"reason-{run.run_id}").value == "Which season?"


@pytest.mark.slow
def test_the_sliders_are_as_they_were_when_a_chat_is_opened_anew(library):
    app = opened()
    app.segmented_control(key="mode").set_value("deep").run()
    app.slider(key="quality_threshold").set_value(9.5)
    app.slider(key="max_iterations-deep").set_value(2).run()
    ask(app, SPEED)
    again = opened(chat=app.query_params["chat"])
    assert again.segmented_control(key="mode").value == "deep"
    assert again.slider(key="quality_threshold").value == 9.5
    assert again.slider(key="max_iterations-deep").value == 2


@pytest.mark.slow
def test_a_pdf_that_comes_with_a_question_is_read_and_asked(library):
    app = opened()
    app.chat_input[0].upload("kart.pdf", KART_RULES, "application/pdf")
    ask(app, "Which bumper must every kart have?")
    assert "yellow bumper" in text_of(app)
    assert "Scope: 2025 Karting Club Sporting Regulations, Issue 3" in text_of(app)


@pytest.mark.slow
def test_an_export_holds_the_answers_and_the_pictures_of_their_pages(sporting):
    app = ask(opened(), SPEED)
    chats = Conversations(f"sqlite:///{sporting.folder / 'conversations.db'}")
    chat = chats.find_conversation(app.query_params["chat"])
    runs = chats.list_runs(chat.conversation_id)
    with zipfile.ZipFile(
        io.BytesIO(write_markdown(report_parts(sporting, chat.title, runs)))
    ) as archive:
        assert sorted(archive.namelist()) == ["chat.md", "pages/1.png"]
        text = archive.read("chat.md").decode()
        assert archive.read("pages/1.png").startswith(b"\x89PNG")
    assert f"## {SPEED}" in text.replace("\\", "")
    plain = text.replace("\\", "")
    assert "Art. 21.3, p. 9" in plain
    assert "**50 km/h · Article 21.3, 2024 Meridian Cup" in plain
    assert "### Reasoning" in plain
    assert "Kind of question: " in plain
    assert "(pages/1.png)" in text
    told = json.loads(write_json(chat, runs))
    assert told["runs"][0]["events"][0]["type"] == "Asked"
    assert len(told["runs"][0]["events"]) == len(runs[0].events)


def test_a_question_too_many_keeps_its_words(library, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_QUESTIONS_A_MINUTE", "1")
    app = ask(ask(opened(), SPEED), "And in 2023?")
    assert "You have asked 1 question in the last minute" in text_of(app)
    assert "Your question was not asked: And in 2023?" in text_of(app)
    assert "was not asked" in text_of(app.run()), "its words are not lost"
    app.sidebar.button[0].click().run()
    assert "was not asked" not in text_of(app)


@pytest.mark.slow
def test_a_question_with_files_too_many_is_not_put(library, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_UPLOADS_AN_HOUR", "1")
    app = opened()
    for question in ("Which bumper must every kart have?", "And the seat?"):
        app.chat_input[0].upload("kart.pdf", KART_RULES, "application/pdf")
        ask(app, question)
    assert "Within an hour 1 file can be added, and you have added 1" in text_of(app)
    assert "Your question was not asked: And the seat?" in text_of(app)


@pytest.mark.slow
def test_a_shared_chat_shows_how_it_was_until_sharing_stops_and_can_only_be_read(sporting):
    app = ask(opened(), SPEED)
    unfolded(app, f"menu-{app.query_params['chat']}")
    assert "open on this machine alone" in text_of(app)
    app.context["url"] = "https://rules.example.org/"
    app.run()
    app.button(key="share-chat").click().run()
    [link] = [code.value for code in app.code if "share=" in code.value]
    ask(app, "How many reprimands bring a grid drop?")
    secret = link.partition("share=")[2]
    there = opened().switch_page("shared.py")
    there.query_params["share"] = secret
    there.run()
    assert "50 km/h" in text_of(there)
    assert "reprimands" not in text_of(there)
    assert not there.chat_input
    assert not there.feedback
    citation = next(b for b in there.main.button if str(b.key).startswith("cite-"))
    assert "Page 9 of 19" in text_of(citation.click().run())
    app.button(key="stop-sharing").click().run()
    assert "This link has ended" in text_of(there.run())


@pytest.mark.slow
def test_a_report_holds_question_answer_sources_pages_and_reasoning(sporting):
    app = ask(opened(), "Is a car mass of 700 kg legal?")
    chats = Conversations(f"sqlite:///{sporting.folder / 'conversations.db'}")
    runs = chats.list_runs(app.query_params["chat"])
    ask(app, SPEED)
    runs = chats.list_runs(app.query_params["chat"])
    parts = list(report_parts(sporting, "Pit lane – speed", runs))
    word = docx.Document(io.BytesIO(write_word(parts)))
    text = "\n".join(paragraph.text for paragraph in word.paragraphs)
    for words in (
        SPEED,
        "50 km/h · Article 21.3",
        "[1] 2024 Meridian Cup",
        "Scores: mean 8.0 of 10",
    ):
        assert words in text
    cells = [cell.text for table in word.tables for row in table.rows for cell in row.cells]
    assert "700 kg" in cells  # the values that were checked
    pictures = sum(part.kind == "picture" for part in parts)
    assert len(word.inline_shapes) == pictures > 0
    pdf = PdfReader(io.BytesIO(write_pdf(parts)))
    printed = " ".join(" ".join(page.extract_text() for page in pdf.pages).split())
    for words in ("Pit lane – speed", SPEED, "50 km/h · Article 21.3", "mean 8.0 of 10"):
        assert words in printed
    assert sum(len(page.images) for page in pdf.pages) == pictures
