"""The chat page, offline, as a person uses it."""

import json
from contextlib import closing
from datetime import date
from itertools import chain
from pathlib import Path

import pytest

from core.agent.events import Asked, Decided, EvidenceFound, PlanMade
from core.agent.loop import Agent, Request
from core.agent.models.base import Assessment, Classification, Reply
from core.agent.models.offline.model import OfflineModel
from core.agent.types import RunBudget, Score
from core.library.ingestion.ingest import add_bytes
from core.library.types import Hit, ScopeChoice
from core.model_calls.types import Usage
from core.verification.evidence import Evidence, cite
from pages.components import state
from tests.messages_server import MessagesServer, failed
from tests.pages.visit import (
    KART_RULES,
    all_added,
    answered,
    ask,
    labels,
    lines_of,
    offered,
    opened,
    reasoning,
    tables_of,
    text_of,
)
from tests.scripted_model import ScriptedModel

SPEED = "What is the speed limit in the pit lane?"
NEVER = "What colour is the moon buggy parade?"


def begun(library, chats, question=SPEED, until=EvidenceFound):
    """A run that was stopped after an event of a kind."""
    chat = chats.start_conversation(question)
    with closing(
        chats.save_events(chat, Agent(library, OfflineModel()).ask(Request(question)))
    ) as events:
        for event in events:
            if isinstance(event, until):
                break
    return chat, chats.list_runs(chat)[0]


@pytest.mark.slow
def test_the_first_start_brings_sample_rulebooks_and_examples_that_have_answers(data):
    app = opened()
    assert "Scope: 2024 Meridian Cup" in text_of(app)
    assert "Offline mode" in text_of(app)
    assert "Add an API key in Settings" in text_of(app)
    answered(offered(app)["What is the pit lane speed limit?"].click().run())
    assert "50 km/h" in text_of(app)
    assert any("Article 21\\.3" in button.label for button in app.main.button)
    assert not any(button.key.startswith("example-") for button in offered(app).values())


def test_an_empty_chat_offers_questions_made_from_the_clauses(library):
    app = opened()
    assert "What are the rules on speed limit?" in offered(app)
    answered(offered(app)["What are the rules on number of sets?"].click().run())
    assert "five sets of Prime tyres" in text_of(app)


@pytest.mark.slow
def test_a_topic_of_several_rulebooks_is_offered_once(library):
    lines = [
        {
            "document": f"{name} Sporting Regulations",
            "article": article,
            "title": title,
            "text": text,
            "season": 2025,
        }
        for name in ("Alpine Trophy", "Coastal Trophy")
        for article, title, text in (
            (
                "1.0",
                "Changes in sections: gr.2, gr.3, f.3.5.2, f.4.3.2",
                f"The {name} lists its changes here. " * 3,
            ),
            (
                "2.1",
                "Yellow flags",
                f"In the {name} no driver may overtake where a yellow flag is shown to them.",
            ),
        )
    ]
    assert all(
        addition.document
        for addition in add_bytes(
            library, "\n".join(map(json.dumps, lines)).encode(), "trophies.jsonl"
        )
    )
    app = opened()
    examples = offered(app)
    assert not any("gr.2" in example for example in examples)
    [flags] = [example for example in examples if "flags" in example]
    assert flags == "What are the rules on yellow flags?"
    assert "In the Coastal Trophy no driver" in text_of(ask(app, flags))


def test_the_scope_of_many_documents_stays_a_short_line(library):
    lines = [{"document": f"Book {name}", "article": "1", "text": "A rule."} for name in "ABC"]
    assert all(
        addition.document
        for addition in add_bytes(
            library, "\n".join(map(json.dumps, lines)).encode(), "books.jsonl"
        )
    )
    [scope] = [caption for caption in opened().caption if caption.value.startswith("**Scope:**")]
    assert " + 3 more · 4 of 5 documents · Standard: up to 3 iterations" in scope.value
    assert "Left out:\n\n- Cup Rules 2023" in scope.help
    assert all(f"- Book {name}" in scope.help for name in "ABC")


def test_settings_that_change_are_seen_at_the_next_look(library, monkeypatch):
    app = opened()
    assert "Offline mode" in text_of(app)
    Path(".env").write_text("ANTHROPIC_BASE_URL=http://127.0.0.1:9\n")
    assert "Offline mode" not in text_of(app.run())
    Path(".env").unlink()
    assert "Offline mode" in text_of(app.run())
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert "Offline mode" not in text_of(app.run())


def test_an_answer_quotes_with_article_page_season_and_issue(library):
    app = ask(opened(), SPEED)
    assert (
        "“The speed limit in the pit lane is 50 km/h throughout the Event, for every car.” [1]"
        in text_of(app)
    )
    [citation] = [button for button in app.main.button if button.key.startswith("cite-")]
    assert citation.label.replace("\\", "") == "**[1]** Article 21.3, page 1"
    assert "\nCup Rules 2024, Issue 1\n" in text_of(app)
    assert any("1 quote verified" in label for label in labels(app))


def test_the_reasoning_has_a_panel_for_each_iteration(library):
    app = ask(opened(), "What does Article 21.3 say?")
    assert any(label.startswith("Iteration 1 · Search · “") for label in labels(app))
    panels = reasoning(app)
    told = "\n".join(chain.from_iterable(map(lines_of, panels))).replace("**", "")
    for part in (
        "Kind of question",
        "Plan",
        "Query",
        "First Search",
        "Thinking",
        "Draft",
        "Checks",
        "Scores",
        "Decision",
    ):
        assert part in told
    assert "1 iteration · 0 tool rounds · 1 tool call · 3 model calls" in told
    found, *_, (names, values, _) = tables_of(panels[1])
    assert found[1][found[0].index("Article")].replace("\\", "") == "21.3"
    assert (names[0], values[0]) == ("Completeness", "**9**")


def test_a_chat_has_an_address_and_survives_a_refresh(library):
    first = ask(opened(), SPEED)
    again = opened(chat=first.query_params["chat"])
    assert text_of(again) == text_of(first)
    assert labels(again) == labels(first)


@pytest.mark.slow
def test_a_chat_goes_on_and_is_listed(library, chats):
    app = ask(ask(opened(), SPEED), "How many sets of Prime tyres?")
    assert len(chats.list_runs(app.query_params["chat"])) == 2
    assert [link.label.replace("\\", "") for link in app.sidebar.page_link] == [SPEED]


def test_a_new_chat_begins_empty_and_leaves_the_old_one_listed(library):
    app = ask(opened(), SPEED)
    app.sidebar.button[0].click().run()
    assert offered(app)
    assert "chat" not in app.query_params
    assert len(app.sidebar.page_link) == 1


def test_a_chat_is_found_again_after_a_look_at_the_library(library):
    app = ask(opened(), SPEED)
    app.switch_page("rulebooks.py").run()
    app.query_params.clear()
    app.switch_page("chat.py").run()
    assert "50 km/h" in text_of(app)


@pytest.mark.slow
def test_a_long_chat_begins_with_its_latest_runs_and_what_is_drawn_stays(library, chats):
    """A page that is drawn anew draws them all: of 200 messages that took a second."""
    chat, agent = chats.start_conversation("Hello 0"), Agent(library, OfflineModel())
    for number in range(21):
        list(chats.save_events(chat, agent.ask(Request(f"Hello {number}"))))
    first, *_, last = chats.list_runs(chat)

    def questions(app):
        return [element.value for element in app.markdown if element.value.startswith("Hello")]

    app = opened(chat=chat)
    assert questions(app) == [f"Hello {number}" for number in range(11, 21)]
    [earlier] = [button for button in app.button if button.label == "Earlier questions (11)"]
    earlier.click().run()
    assert questions(app) == [f"Hello {number}" for number in range(1, 21)]
    ask(app, "Hello again")
    assert len(questions(app)) == 21, "none goes as another comes"
    assert len(questions(opened(chat=chat, cite=f"{last.run_id}.1"))) == 10
    cited = opened(chat=chat, cite=f"{first.run_id}.1")
    assert len(questions(cited)) == 22, "the run of the citation that an address opens is there"


def test_an_address_without_a_chat_is_told(library):
    assert "This chat was deleted" in text_of(opened(chat="gone"))


def test_a_season_chosen_at_the_side_is_the_scope(library):
    app = opened()
    app.selectbox(key="season").select(2023).run()
    assert "Scope: Cup Rules 2023" in text_of(app)
    assert "60 km/h" in text_of(ask(app, SPEED))


def test_what_is_ticked_at_the_side_is_the_scope(library, chats):
    ticked, other = sorted(library.documents(), key=lambda one: one.season)
    app = opened()
    app.session_state["sources"] = True
    app.run()
    for document in (ticked, other):  # at first the newest is ticked
        key = f"tick-{document.document_id[:16]}"
        box = next(one for one in app.checkbox if one.key.startswith(key))
        box.set_value(document is ticked).run()
    assert app.selectbox(key="season").value == "ticks"
    assert "60 km/h" in text_of(ask(app, "What was the speed limit in the pit lane in 2024?"))
    [run] = chats.list_runs(app.query_params["chat"])
    assert list(run.events[0].scope.documents) == [ticked.document_id]
    again = opened(season="ticks", ticks=app.query_params["ticks"])
    assert "Scope: Cup Rules 2023, Issue 1 · 1 of 2 documents" in text_of(again)


def test_a_page_that_has_not_seen_an_upload_ticks_nothing(library):
    app = opened()
    app.session_state["sources"] = True
    seen = [box.set_value(box.value) for box in app.run().checkbox]
    list(add_bytes(library, KART_RULES, "kart.pdf"))
    app.run()
    seen[0].run()  # sends all as it was drawn before the upload
    app.run()
    assert app.selectbox(key="season").value != "ticks"


def test_two_ticks_before_the_page_is_drawn_again_both_count(library):
    app = opened()
    app.session_state["sources"] = True
    for box in app.run().checkbox:
        box.set_value(not box.value)
    app.run()
    assert "Scope: Cup Rules 2023" in text_of(app)
    assert "1 of 2 documents" in text_of(app)


def test_nothing_ticked_is_told(library):
    app = opened()
    app.session_state["sources"] = True
    app.run()
    [newest] = [box for box in app.checkbox if box.value]
    newest.uncheck().run()
    assert "Scope: 0 of 2 documents" in text_of(app)


def test_a_day_ticks_what_was_in_force_then(library):
    app = opened()
    app.selectbox(key="season").select("day").run()
    app.date_input(key="scope-day").set_value(date(2023, 12, 31)).run()
    assert "0 of 2 documents" in text_of(app)  # these rules have no date


@pytest.mark.slow
def test_the_models_are_named_and_chosen_from_those_that_are_offered(library, chats, monkeypatch):
    with MessagesServer(iter(lambda: failed(401), None)) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("SCRUTINEER_ANSWER_MODEL", "own_model")
        assert "Answers: own\\_model" in [line.value for line in opened().sidebar.caption]
        monkeypatch.setenv("SCRUTINEER_OFFERED_MODELS", '["other-model"]')
        app = opened()
        assert app.selectbox(key="answer-model").options == ["own_model", "other-model"]
        app.selectbox(key="answer-model").select("other-model").run()
        ask(app, SPEED)
    [run] = chats.list_runs(app.query_params["chat"])
    models = run.events[0].answer_model, run.events[0].decision_model
    assert models == ("other-model", "claude-haiku-5-5")
    assert [body["model"] for body in server.bodies] == ["claude-haiku-5-5"]


def test_the_sliders_set_the_limits_and_the_rest_can_be_gone_on_with(library, chats):
    app = opened()
    app.slider(key="quality_threshold").set_value(10.0)
    app.slider(key="max_iterations-standard").set_value(1).run()
    ask(app, "What is the speed limit in the pit lane for buses?")
    assert "Closest rules" in text_of(app)
    [run] = chats.list_runs(app.query_params["chat"])
    answered(app.button(key=f"go-on-{run.run_id}").click().run())
    assert not app.exception
    [run] = chats.list_runs(app.query_params["chat"])
    assert max(event.iteration for event in run.events if isinstance(event, PlanMade)) > 1


def budget_of_the_only_run(app, chats):
    [run] = chats.list_runs(app.query_params["chat"])
    return run.events[0].limits


def test_quick_is_one_plain_answer_without_a_score(library, chats):
    app = opened()
    app.segmented_control(key="mode").set_value("quick").run()
    assert not app.slider
    ask(app, SPEED)
    assert "50 km/h" in text_of(app)
    budget = budget_of_the_only_run(app, chats)
    assert (budget.max_iterations, budget.max_tool_rounds, budget.scoring) == (1, 0, False)


def test_deep_lets_the_model_call_tools_until_it_answers_and_sliders_refine_it(library, chats):
    app = opened()
    app.segmented_control(key="mode").set_value("deep").run()
    assert app.slider(key="max_iterations-deep").value == 5
    app.slider(key="max_iterations-deep").set_value(4).run()
    ask(app, SPEED)
    budget = budget_of_the_only_run(app, chats)
    assert (budget.max_iterations, budget.max_tool_rounds) == (4, None)


def test_the_other_limits_of_the_settings_hold_in_every_set(library, chats, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_HISTORY_MODE", "minimal")
    monkeypatch.setenv("SCRUTINEER_BUDGET", "0.5")
    app = opened()
    app.segmented_control(key="mode").set_value("deep").run()
    budget = budget_of_the_only_run(ask(app, SPEED), chats)
    assert (budget.history_mode, budget.budget) == ("minimal", 0.5)


def at_the_limit(chats):
    """A page with a run that has come to its limit, and the run."""
    app = opened()
    app.slider(key="quality_threshold").set_value(10.0).run()
    ask(app, "What is the speed limit in the pit lane for buses?")
    return app, chats.list_runs(app.query_params["chat"])[0]


def test_the_closest_rules_begin_with_what_they_are_and_end_with_a_question(library, chats):
    app, run = at_the_limit(chats)
    told = text_of(app)
    assert told.index("check whether they answer") < told.index("Is your answer among")
    assert "Limit reached" not in told
    buttons = [button.label for button in app.main.button if button.key.endswith(run.run_id)]
    assert [label for label in buttons if "[" not in label and label != "Ask"] == [
        "Try again",
        "Accept this draft",
        "Discard",
    ]


@pytest.mark.slow
def test_a_run_at_its_limit_can_be_decided_in_a_new_tab(library, chats):
    _, run = at_the_limit(chats)
    app = opened(chat=run.conversation_id)
    answered(app.button(key=f"conclude-{run.run_id}").click().run())
    assert chats.list_runs(run.conversation_id)[0].outcome == "answered"


@pytest.mark.slow
def test_at_the_limit_the_scope_can_be_changed(library, chats):
    app, run = at_the_limit(chats)
    app.selectbox(key=f"scope-{run.run_id}").select(ScopeChoice(season=2023))
    answered(app.button(key=f"go-on-{run.run_id}").click().run())
    assert not app.exception
    asked = [
        event
        for event in chats.list_runs(run.conversation_id)[0].events
        if isinstance(event, Asked)
    ]
    assert list(asked[-1].scope.documents.values()) == ["Cup Rules 2023, Issue 1"]


@pytest.mark.slow
def test_at_the_limit_another_tool_can_be_chosen(library, chats):
    app, run = at_the_limit(chats)
    app.selectbox(key=f"tool-{run.run_id}").select("penalty_lookup")
    answered(app.button(key=f"go-on-{run.run_id}").click().run())
    assert not app.exception
    plans = [
        event
        for event in chats.list_runs(run.conversation_id)[0].events
        if isinstance(event, PlanMade)
    ]
    assert any(plan.tool == "penalty_lookup" for plan in plans[1:])


@pytest.mark.slow
def test_at_the_limit_the_run_can_be_stopped(library, chats):
    app, run = at_the_limit(chats)
    answered(app.button(key=f"stop-{run.run_id}").click().run())
    assert chats.list_runs(run.conversation_id)[0].outcome == "cancelled"
    assert "A person stopped the run." in text_of(app)


@pytest.mark.slow
def test_a_run_that_was_stopped_shows_what_it_has_and_goes_on(library, chats):
    chat, run = begun(library, chats)
    app = opened(chat=chat)
    assert "Stopped" in text_of(app)
    answered(app.button(key=f"go-on-{run.run_id}").click().run())
    assert not app.exception
    assert "50 km/h" in text_of(app)
    assert chats.list_runs(chat)[0].outcome == "answered"


def test_a_stopped_run_keeps_its_best_draft(library, chats):
    chat = chats.start_conversation(SPEED)
    asked = Agent(library, OfflineModel()).ask(
        Request(SPEED, budget=RunBudget(quality_threshold=10))
    )
    with closing(chats.save_events(chat, asked)) as events:
        next(event for event in events if isinstance(event, Decided))
    told = text_of(opened(chat=chat))
    assert "Stopped" in told
    assert "50 km/h" in told


@pytest.mark.slow
def test_the_best_draft_can_be_taken_as_the_answer(library, chats):
    app = opened()
    app.slider(key="quality_threshold").set_value(10.0).run()
    ask(app, "What is the speed limit in the pit lane for buses?")
    [run] = chats.list_runs(app.query_params["chat"])
    answered(app.button(key=f"conclude-{run.run_id}").click().run())
    assert not app.exception
    assert chats.list_runs(run.conversation_id)[0].outcome == "answered"
    assert "50 km/h" in text_of(app)


@pytest.mark.slow
def test_guidance_is_kept_with_the_run(library, chats):
    chat, run = begun(library, chats)
    app = opened(chat=chat)
    app.text_input(key=f"guidance-{run.run_id}").set_value("Look at Article 21.3.")
    answered(app.button(key=f"go-on-{run.run_id}").click().run())
    assert not app.exception
    assert "Look at Article 21.3." in [
        event.guidance for event in chats.list_runs(chat)[0].events if isinstance(event, Asked)
    ]


@pytest.mark.slow
def test_what_can_be_asked_next_is_offered_below_the_latest_answer(library, chats):
    chat = chats.start_conversation(SPEED)
    clause = next(
        c
        for d in library.documents()
        for c in library.clauses(d.document_id)
        if c.article == "21.3"
    )
    labels = {clause.document_id: "Cup Rules 2023"}
    [source] = Evidence().add_hits([Hit(clause, 1.0, "words")], labels)
    script = [
        Classification("SEARCH", "tool", SPEED, "regulation_search", SPEED, "A specific rule."),
        Reply(
            "",
            f"“{clause.text}” [1]",
            (cite(source, clause.text),),
            (),
            Usage("scripted", "script"),
        ),
        Assessment(
            Score(9, 9, 9, 9),
            "CONCLUDE",
            "",
            "",
            "Good.",
            suggestions=("How many sets of Prime tyres?",),
        ),
    ]
    season = ScopeChoice(season=2023)
    list(chats.save_events(chat, Agent(library, ScriptedModel(script)).ask(Request(SPEED, season))))
    app = opened(chat=chat)
    answered(offered(app)["How many sets of Prime tyres?"].click().run())
    assert not app.exception
    assert "five sets of Prime tyres" in text_of(app)
    assert "How many sets of Prime tyres?" not in offered(app)


def test_a_run_in_another_window_is_told_of(library, chats):
    chat = chats.start_conversation(SPEED)
    with closing(
        chats.save_events(chat, Agent(library, OfflineModel()).ask(Request(SPEED)))
    ) as events:
        next(event for event in events if isinstance(event, EvidenceFound))
        app = opened(chat=chat)
        assert "going on elsewhere" in text_of(app)
        assert "Still going on" in labels(app)


def test_what_is_not_found_is_said(library):
    app = ask(opened(), NEVER)
    assert "Not found" in text_of(app)
    assert not app.code


def test_what_is_no_question_for_a_rulebook_is_declined(library):
    assert "Declined" in text_of(ask(opened(), "Write me a poem about the weather"))


def test_an_empty_question_is_refused_in_a_sentence(library, chats):
    app = ask(opened(), "???")
    assert [error.value for error in app.error] == [
        "The question is empty\\. Type what you want to know\\."
    ]
    assert not chats.list_conversations()


def test_an_empty_library_says_what_to_do(library):
    for document in library.documents():
        library.remove_document(document.document_id)
    app = opened()
    assert "Add a rulebook" in text_of(app)
    assert "I did not look: the library is empty" in text_of(ask(app, SPEED))


@pytest.mark.slow
def test_a_pdf_given_at_the_side_is_added_and_answers(library):
    app = opened()
    app.sidebar.file_uploader[0].set_value(("kart.pdf", KART_RULES, "application/pdf")).run()
    all_added(app, library)
    assert "Added" in text_of(app)
    assert "yellow bumper" in text_of(ask(app, "What colour is the bumper of a kart?"))


@pytest.mark.slow
def test_a_broken_pdf_is_told_and_the_next_one_is_added(library):
    app = opened()
    broken = ("broken.pdf", b"%PDF-1.7 and then nothing", "application/pdf")
    app.sidebar.file_uploader[0].set_value(
        [broken, ("kart.pdf", KART_RULES, "application/pdf")]
    ).run()
    all_added(app, library)
    assert "Not added: broken.pdf" in text_of(app)
    assert "Added" in text_of(app)


def test_a_bad_setting_ends_the_start_with_a_sentence(data, monkeypatch):
    monkeypatch.setenv("SCRUTINEER_MAX_ITERATIONS", "many")
    told = text_of(opened())
    assert "SCRUTINEER_MAX_ITERATIONS" in told


def test_foreign_text_stays_text(library, chats):
    nasty = "![x](http://evil.example/x.png) :red[hot] <b>b</b> $x^2$ pit lane speed limit?"
    app = ask(opened(), nasty)
    assert app.markdown[0].value.startswith("\\!\\[x\\]\\(http\\:\u2060")


@pytest.mark.parametrize("page", ["chat.py", "rulebooks.py"])
def test_a_library_of_another_version_is_told(library, page):
    import lancedb
    import pyarrow as pa

    database = lancedb.connect(str(library.folder / "index"))
    database.drop_table("documents")
    database.create_table("documents", pa.table({"other": ["x"]}))
    (library.folder / "index/checksums.json").unlink()  # that version has its own
    app = opened().switch_page(page).run()
    assert "made by another version" in text_of(app)


def test_scope_and_limits_stand_in_the_address_and_survive_a_reload(library):
    app = opened(season="2023", mode="deep")
    assert "Scope: Cup Rules 2023" in text_of(app)
    assert app.segmented_control(key=state.MODE).value == "deep"
    ask(app, SPEED)
    assert "60 km/h" in text_of(app)
    again = opened(chat=app.query_params["chat"], season="2023", mode="deep")
    assert "Scope: Cup Rules 2023" in text_of(again)
    assert again.segmented_control(key=state.MODE).value == "deep"


def test_an_address_with_a_season_that_is_not_held_is_as_one_without(library):
    assert "Scope: Cup Rules 2024" in text_of(opened(season="1950", mode="Endless"))


@pytest.mark.slow
def test_a_chat_that_was_left_stays_left_though_the_browser_is_slow_to_learn_of_it(library):
    app = ask(opened(), "What is the pit lane speed limit?")
    left = app.query_params["chat"]
    next(button for button in app.button if "New chat" in button.label).click().run()
    app.query_params["chat"] = (
        left  # as a page names it that has asked for something before it was told
    )
    app.run()
    assert "chat" not in app.query_params
    assert not app.chat_message
