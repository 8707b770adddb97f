"""The events of a run in words: what a page writes of them, without a page."""

import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest

import core.language
from core.agent import events as ev
from core.agent.endings import DISCARDED_MESSAGE
from core.agent.types import RunBudget, Score
from core.answers import Reasoning, describe_end, describe_panels, list_lines
from core.answers.reasoning_parts import describe_check
from core.chats import SavedRun, compose_report
from core.chats.recovery import CUT_OFF_MESSAGE, STOPPED_MESSAGE
from core.language import ENGLISH, Language
from core.verification.types import DraftCheck, StatementVerdict

GERMAN = Language("de", "de")
SCOPE = ev.ScopeView(documents={"d": "2024 Cup_Rules"}, why="newest")
ASKED = ev.Asked(
    question="How fast?",
    scope=SCOPE,
    limits=RunBudget(3, 7.0),
    answer_model="m",
    decision_model="m",
    offline=True,
)


def ended(outcome, **more):
    return ev.Ended(outcome=outcome, answer="", citations=(), **more)


def test_a_scope_is_said_again_only_when_it_is_another():
    reasoning = Reasoning(ENGLISH)
    (_, *first), (_, *second) = (reasoning.describe(ASKED) for _ in range(2))
    assert "2024 Cup\\_Rules" in " ".join(first)
    assert "Cup" not in " ".join(second)
    wider = SCOPE.model_copy(update={"left_out": {"e": "2023 Cup Rules"}})
    again = ASKED.model_copy(update={"scope": wider})
    assert any("Left out: 2023 Cup Rules" in line for line in reasoning.describe(again))


def test_foreign_words_are_escaped():
    [line] = Reasoning(ENGLISH).describe(ev.Warned(iteration=1, code="x", message="[a](b)"))
    assert line == ":orange[:material/warning:] \\[a\\]\\(b\\)"


def test_a_check_names_its_subject_once():
    named = DraftCheck("number", False, "60 km", "60 km is in no rule.")
    assert describe_check(ENGLISH, named) == "60 km is in no rule\\."
    unnamed = DraftCheck("number", False, "60 km", "It is in no rule.")
    assert describe_check(ENGLISH, unnamed) == "“60 km”: It is in no rule\\."


def test_limits_are_said_in_the_language_of_the_reader():
    asked = ASKED.model_copy(update={"limits": RunBudget(3, 7.5)})
    for language, words in ((ENGLISH, "accepted from 7.5/10"), (GERMAN, "angenommen ab 7,5/10")):
        _, _, limits, _ = Reasoning(language).describe(asked)
        assert limits.endswith(words)


@pytest.mark.parametrize("message", [STOPPED_MESSAGE, CUT_OFF_MESSAGE, DISCARDED_MESSAGE])
def test_what_runs_end_with_is_said_in_german(message):
    end = ended("cancelled", message=message)
    assert describe_end(ENGLISH, (end,), end) == message
    assert describe_end(GERMAN, (end,), end) != message


def test_another_message_is_said_as_it_is():
    end = ended("failed", message="The model is away.")
    assert describe_end(GERMAN, (end,), end) == "The model is away."
    assert describe_end(ENGLISH, (), ended("not_found", message="Nothing.")) == ""


def test_a_doubt_is_no_failed_check_and_what_overrules_it_is_told():
    doubt = DraftCheck("number", False, "60 km", "60 km is in no rule.", "doubt", 1)
    checked = ev.Verified(iteration=1, checks=(doubt,))
    *_, line = Reasoning(ENGLISH).describe(checked)
    assert "question_mark" in line
    verdicts = (
        StatementVerdict(1, "It is 60 km.", "supported", "60 km", (doubt.message,)),
        StatementVerdict(2, "It is closed.", "contradicted", "is open"),
        StatementVerdict(3, "It is blue.", "contradicted", "is red", counts=False),
    )
    scored = ev.Scored(iteration=1, score=Score(9, 1, 9, 9), mean=7.0, by="m", statements=verdicts)
    _, count, overruled, contradicted, uncounted, _ = Reasoning(ENGLISH).describe(scored)
    assert "1 of 3" in count
    assert "60 km is in no rule" in overruled
    assert "contradicted by “is open”" in contradicted
    assert "does not count" in uncounted


def test_a_failed_check_of_an_older_run_is_fatal_and_its_score_has_no_verdicts():
    old = ev.Verified(iteration=1, checks=(DraftCheck("sum", False, "a", "b"),)).model_dump_json()
    old = old.replace(',"level":"fatal","statement":0', "")
    assert "level" not in old
    assert ev.from_json(old).checks[0].level == "fatal"
    score = ev.Scored(iteration=1, score=Score(9, 9, 9, 9), mean=9.0, by="m")
    assert ev.from_json(score.model_dump_json().replace(',"statements":[]', "")) == score


def test_each_sentence_with_a_translation_is_one_that_core_writes():
    folder = Path(core.language.__file__).parent
    sentences = tomllib.loads((folder / "de/sentences.toml").read_text())
    files = [file for file in folder.parent.rglob("*") if file.suffix in (".py", ".toml")]
    source = "".join(file.read_text() for file in files if file.name != "sentences.toml")
    assert len(sentences) > 100
    for english, german in sentences.items():
        literals = [(literal, name) for literal, name, *_ in Formatter().parse(english)]
        words = [run for literal, _ in literals for run in re.findall(r"[\w' ]+", literal)]
        assert max(words, key=len).strip()[:16] in source, english
        german_names = {name for _, name, *_ in Formatter().parse(german) if name}
        assert german_names <= {name for _, name in literals}, german


def test_sentences_in_sentences_are_said_in_german_and_a_models_words_are_not():
    english = (
        "6.5 of 10 is below the threshold of 7. Missing: a clause with wing."
        " Nothing is left to try.",
        "A check failed: “50 km” is not in Article 3.",
        "The wing is not there. Nothing is left to try.",
    )
    assert list(map(GERMAN.translate, english)) == [
        "6,5 von 10 liegt unter der Schwelle 7. Es fehlt: eine Bestimmung mit wing."
        " Es bleibt nichts zu versuchen.",
        "Eine Prüfung scheiterte: „50 km“ steht nicht in Artikel 3.",
        english[2],
    ]
    assert list(map(ENGLISH.translate, english)) == list(english)


def test_a_part_is_the_same_on_a_page_in_a_terminal_and_in_a_report():
    drafted = ev.Drafted(iteration=1, text="At most *50*.", thinking="Hm.", citations=())
    scored = ev.Scored(
        iteration=1, score=Score(9, 8, 7, 6, {"clarity": "3 words."}), mean=7.5, by="m"
    )
    panels = describe_panels(GERMAN, (ASKED, drafted, scored, ended("answered")))
    lines = [line for panel in panels for part in panel["parts"] for line in list_lines(part)]
    assert lines[-7:-1] == [
        "Entwurf:",
        "Bewertungen: Mittelwert 7,5 von 10, von m",
        "Vollständigkeit 9",
        "Richtigkeit 8",
        "Klarheit 7: 3 Wörter.",
        "Genauigkeit 6",
    ]
    run = SavedRun("r", "c", "How fast?", "answered", "2026-01-01", (ASKED, drafted, scored))
    report = [part.text for part in compose_report("Chat", [run], lambda _: None, GERMAN)]
    assert set(lines[:-1]) <= set(report)
    assert "At most *50*." in report


def test_a_run_that_failed_or_is_at_work_is_not_done():
    for events, live in (
        ((ASKED,), True),
        ((ASKED,), False),
        ((ASKED, ended("failed")), False),
        ((ASKED, ended("answered")), False),
    ):
        [panel] = describe_panels(ENGLISH, events, live)
        assert panel["done"] == (getattr(events[-1], "outcome", "") == "answered")


def test_quotes_and_long_lines_stay_as_they_are():
    draft = "Deleted.\n> “Under Article 7: changed”\n**Article 6: changed**"
    assert GERMAN.translate(draft).splitlines()[1:] == [
        "> “Under Article 7: changed”",
        "**Artikel 6: geändert**",
    ]
    hostile = "“a” says “b” where it says “c” of “d” " * 200
    assert GERMAN.translate(hostile) == hostile
