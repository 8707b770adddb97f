"""Chats in real SQLite files: what was yielded is saved, whatever closes, fails or is killed."""

import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.agent.events import (
    Asked,
    Drafted,
    DraftGrew,
    Ended,
    Event,
    ModelCalled,
    PlanMade,
    ScopeView,
    Scored,
    ToolCalled,
)
from core.agent.types import Outcome, RunBudget, Score
from core.chats.conversations import Conversations
from core.chats.queries import conversation_title
from core.chats.quota import Quota
from core.errors import LibraryError, ModelError, SettingsError
from core.model_calls.types import Usage
from core.verification.types import Citation

ROOT = Path(__file__).parents[2]
SCOPE = ScopeView(
    documents={"d1": "2024 Sporting Regulations, Issue 1"}, why="the newest of each family"
)
QUOTE = Citation(1, "d1:12.3", "d1", "Sporting", "12.3", None, "Pit lane", "60 km/h", 9, 2024, 1)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'chats' / 'conversations.db'}"


@pytest.fixture
def chats(url: str) -> Conversations:
    return Conversations(url)


def asked(question: str = "How fast in the pit lane?", *, resumed: bool = False) -> Asked:
    return Asked(
        question=question,
        scope=SCOPE,
        limits=RunBudget(),
        answer_model="a",
        decision_model="d",
        offline=True,
        resumed=resumed,
    )


def plan(iteration: int = 1) -> PlanMade:
    return PlanMade(
        iteration=iteration,
        version=iteration,
        tool="regulation_search",
        query="pit lane speed",
        scope=SCOPE,
        strategy=None,
        reason="the question names it",
    )


def tool_called(iteration: int, round_: int) -> ToolCalled:
    return ToolCalled(
        iteration=iteration, round=round_, tool="penalty_lookup", arguments={}, seconds=0.1
    )


def model_called(cost: float) -> ModelCalled:
    return ModelCalled(iteration=1, purpose="answer", usage=Usage("m", "s", cost=cost))


def grew(text: str, iteration: int = 1) -> DraftGrew:
    return DraftGrew(iteration=iteration, text=text)


def drafted(text: str, iteration: int = 1) -> Drafted:
    return Drafted(iteration=iteration, text=text, thinking="", citations=(QUOTE,))


def scored(points: int, iteration: int = 1) -> Scored:
    score = Score(points, points, points, points)
    return Scored(iteration=iteration, score=score, mean=score.mean, by="measures")


def ended(outcome: Outcome = "answered", answer: str = "60 km/h [1]") -> Ended:
    return Ended(outcome=outcome, answer=answer, citations=(QUOTE,), iterations=1)


def numbered(run_id: str, *events: Event, after: int = 0) -> Iterator[Event]:
    """The events as an agent yields them: numbered, and a second apart."""
    start = datetime(2024, 5, 1, tzinfo=UTC)
    for seq, event in enumerate(events, after + 1):
        at = (start + timedelta(seconds=seq)).isoformat()
        yield event.model_copy(update={"run_id": run_id, "seq": seq, "at": at})


def start_process(script: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python process that has this module's helpers and runs `script`."""
    setting = f"import os, sys; sys.path[:0] = [{str(ROOT)!r}, {str(Path(__file__).parent)!r}]\n"
    return subprocess.Popen(
        [sys.executable, "-c", f"{setting}from test_conversations import *\n{script}", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )


HALF_A_RUN = """
chats = Conversations(sys.argv[1])
half = numbered("half", asked(), plan(), drafted("As far as it got [1]"), plan(2), grew("never"))
for event in chats.save_events(sys.argv[2], half):
    if event.grows:
        print("half way", flush=True)
        time.sleep(60)
"""


def test_a_run_comes_back_as_it_was_yielded(chats: Conversations, url: str) -> None:
    chat = chats.start_conversation("Pit lane")
    events = (
        asked(),
        plan(),
        grew("60 "),
        grew("km/h"),
        drafted("60 km/h [1]"),
        scored(8),
        ended(),
    )

    yielded = tuple(chats.save_events(chat, numbered("r1", *events)))

    assert yielded == tuple(numbered("r1", *events))
    (saved,) = Conversations(url).list_runs(chat)
    assert saved.events == yielded
    assert (saved.run_id, saved.conversation_id, saved.outcome) == ("r1", chat, "answered")
    assert saved.question == "How fast in the pit lane?"
    assert saved.started_at == yielded[0].at
    assert chats.find_run("r1") == saved


def test_an_event_is_saved_before_it_is_yielded(chats: Conversations, url: str) -> None:
    onlooker = Conversations(url)
    for event in chats.save_events(
        chats.start_conversation("Pit lane"),
        numbered("r1", asked(), plan(), drafted("60"), ended()),
    ):
        run = onlooker.find_run("r1")
        assert run is not None
        assert run.events[-1] == event


@pytest.mark.slow
def test_growing_text_is_saved_with_the_next_whole_event_or_after_a_second(
    chats: Conversations, url: str
) -> None:
    onlooker = Conversations(url)
    fragments = (grew("60"), grew(" km"), grew("/h"))
    run = chats.save_events(
        chats.start_conversation("Pit lane"),
        numbered("r1", asked(), *fragments, drafted("60 km/h"), ended()),
    )

    def saved_after_next() -> int:
        next(run)
        saved = onlooker.find_run("r1")
        return len(saved.events) if saved else 0

    assert [saved_after_next(), saved_after_next()] == [1, 1]
    time.sleep(1.05)
    assert saved_after_next() == 3
    assert [saved_after_next(), saved_after_next()] == [3, 5]


def test_a_closed_run_is_cancelled_with_what_it_had(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    agent = numbered(
        "r1",
        asked(),
        plan(),
        tool_called(1, 0),
        tool_called(1, 1),
        tool_called(1, 1),
        model_called(0.02),
        drafted("60 km/h [1]"),
        scored(6),
        plan(2),
        grew("never finished", 2),
        ended(),
    )
    run = chats.save_events(chat, agent)
    while not next(run).grows:
        pass
    run.close()

    (saved,) = chats.list_runs(chat)
    last = saved.events[-1]
    assert isinstance(last, Ended)
    assert (saved.outcome, last.outcome, last.seq) == ("cancelled", "cancelled", 11)
    assert saved.events[-2].grows
    assert (last.answer, last.citations) == ("60 km/h [1]", (QUOTE,))
    assert (last.score, last.best_iteration) == (6.0, 1)
    counters = (last.iterations, last.tool_rounds, last.tool_calls, last.model_calls, last.cost)
    assert counters == (2, 1, 3, 1, 0.02)
    assert last.seconds > 8
    with pytest.raises(StopIteration):
        next(agent)


def test_without_a_whole_draft_the_growing_one_is_the_answer(chats: Conversations) -> None:
    run = chats.save_events(
        chats.start_conversation("Pit lane"),
        numbered("r1", asked(), plan(), grew("60 "), grew("km/h"), ended()),
    )
    for _ in range(4):
        next(run)
    run.close()

    saved = chats.find_run("r1")
    assert saved is not None
    last = saved.events[-1]
    assert isinstance(last, Ended)
    assert (last.answer, last.citations, last.best_iteration) == ("60 km/h", (), None)


def test_the_best_draft_is_kept_not_the_last(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    agent = numbered(
        "r1",
        asked(),
        plan(),
        drafted("good"),
        scored(6),
        plan(2),
        drafted("worse", 2),
        scored(3, 2),
    )

    list(chats.save_events(chat, agent))

    last = chats.list_runs(chat)[0].events[-1]
    assert isinstance(last, Ended)
    assert (last.answer, last.best_iteration, last.score) == ("good", 1, 6.0)


def test_a_consumer_that_dies_ends_the_run(chats: Conversations) -> None:
    """Streamlit ends a script with a BaseException: no handler runs, only `finally`."""
    chat = chats.start_conversation("Pit lane")

    def page() -> None:
        for _ in chats.save_events(chat, numbered("r1", asked(), plan(), ended())):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        page()
    assert chats.list_runs(chat)[0].outcome == "cancelled"


def failing(error: Exception, *events: Event) -> Iterator[Event]:
    yield from numbered("r1", *events)
    raise error


def test_an_agent_that_fails_ends_its_run_with_the_sentence(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    error = ModelError("The model cannot be reached. Check the network.", code="unreachable")

    *_, last = chats.save_events(chat, failing(error, asked(), plan(), drafted("60 km/h")))

    assert isinstance(last, Ended)
    assert (last.outcome, last.message, last.answer) == ("failed", error.message, "60 km/h")
    (saved,) = chats.list_runs(chat)
    assert (saved.outcome, saved.events[-1]) == ("failed", last)


def test_a_failure_before_the_first_event_is_raised(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    with pytest.raises(ModelError):
        list(chats.save_events(chat, failing(ModelError("No model."))))
    assert chats.list_runs(chat) == ()


def test_a_bug_in_the_agent_is_raised_and_leaves_a_cancelled_run(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    with pytest.raises(ZeroDivisionError):
        list(chats.save_events(chat, failing(ZeroDivisionError(), asked(), drafted("60 km/h"))))
    assert chats.list_runs(chat)[0].outcome == "cancelled"


def test_a_resumed_run_keeps_its_first_end_and_takes_the_new_outcome(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    first = (asked(), plan(), drafted("60"), ended("limit_reached", "60"))
    more = (asked(resumed=True), plan(2), drafted("60 km/h", 2), ended("answered", "60 km/h"))
    list(chats.save_events(chat, numbered("r1", *first)))
    resumed = chats.save_events(chat, numbered("r1", *more, after=4))

    next(resumed)
    assert chats.list_runs(chat)[0].outcome is None
    list(resumed)

    (saved,) = chats.list_runs(chat)
    assert saved.outcome == "answered"
    assert saved.events == (*numbered("r1", *first), *numbered("r1", *more, after=4))
    assert [(e.question, e.answer) for e in chats.list_turns(chat)] == [
        ("How fast in the pit lane?", "60 km/h")
    ]


def test_a_cancelled_run_can_be_resumed(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    list(chats.save_events(chat, numbered("r1", asked(), plan())))
    assert chats.list_runs(chat)[0].outcome == "cancelled"

    list(chats.save_events(chat, numbered("r1", asked(resumed=True), ended(), after=3)))

    assert chats.list_runs(chat)[0].outcome == "answered"


def test_a_run_cannot_be_resumed_twice_at_once(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    list(chats.save_events(chat, numbered("r1", asked(), ended("limit_reached"))))
    going_on = chats.save_events(
        chat, numbered("r1", asked(resumed=True), plan(), ended(), after=2)
    )
    next(going_on)

    with pytest.raises(LibraryError, match="another window"):
        list(chats.save_events(chat, numbered("r1", asked(resumed=True), ended(), after=3)))

    assert [event.type for event in going_on] == ["PlanMade", "Ended"]
    assert chats.list_runs(chat)[0].outcome == "answered"


def test_turns_are_questions_and_answers_in_order(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")
    outcomes: tuple[Outcome, ...] = (
        "answered",
        "cancelled",
        "declined",
        "failed",
        "clarification_needed",
    )
    for number, outcome in enumerate(outcomes):
        run = numbered(
            f"r{number}", asked(f"Question {number}?"), ended(outcome, f"Answer {number}.")
        )
        list(chats.save_events(chat, run))

    said = chats.list_turns(chat)
    assert [(e.question, e.answer) for e in said] == [
        (f"Question {n}?", f"Answer {n}.") for n in (0, 2, 4)
    ]
    assert said[0].citations == chats.list_runs(chat)[0].events[-1].citations != ()
    assert chats.list_turns(chats.start_conversation("Another")) == ()


def test_conversations_are_listed_by_their_newest_activity(url: str) -> None:
    seconds = iter(range(1000))
    start = datetime(2024, 5, 1, tzinfo=UTC)
    chats = Conversations(url, now=lambda: start + timedelta(seconds=next(seconds)))
    first, second = chats.start_conversation("First"), chats.start_conversation("Second")
    assert [chat.title for chat in chats.list_conversations()] == ["Second", "First"]

    list(chats.save_events(first, numbered("r1", asked(), ended())))
    chats.rename_conversation(second, "  Kept\nback ")

    listed = chats.list_conversations()
    assert [(chat.conversation_id, chat.title, chat.runs) for chat in listed] == [
        (first, "First", 1),
        (second, "Kept back", 0),
    ]
    assert (
        listed[0].created_at < listed[1].created_at == listed[1].updated_at < listed[0].updated_at
    )
    assert chats.find_conversation(second) == listed[1]


def test_ids_are_unguessable_and_fit_an_address(chats: Conversations) -> None:
    ids = {chats.start_conversation("Same title") for _ in range(50)}
    assert len(ids) == 50
    assert all(len(chat) >= 16 and chat.replace("-", "").replace("_", "").isalnum() for chat in ids)


def test_unknown_ids_are_none(chats: Conversations) -> None:
    for unknown in ("nobody", "", "a\ud800\0"):
        assert chats.find_conversation(unknown) is None
        assert chats.find_run(unknown) is None
        assert chats.list_runs(unknown) == chats.list_turns(unknown) == ()
        chats.rename_conversation(unknown, "Title")
        chats.discard_conversation(unknown)
        chats.restore_conversation(unknown)
        with pytest.raises(LibraryError, match="deleted"):
            list(chats.save_events(unknown, numbered("r1", asked(), ended())))


def test_what_was_discarded_is_removed_after_a_day_and_a_run_going_on_in_it_stops(url: str) -> None:
    """In a server that is never restarted: people open their chats."""
    clock = [datetime(2024, 5, 1, tzinfo=UTC)]
    chats = Conversations(url, now=lambda: clock[0])
    chat, other = chats.start_conversation("Pit lane"), chats.start_conversation("Other")
    list(chats.save_events(chat, numbered("r1", asked(), ended())))
    list(chats.save_events(other, numbered("r2", asked(), ended())))
    going_on = chats.save_events(chat, numbered("r3", asked(), plan(), ended()))
    next(going_on)

    chats.discard_conversation(chat)
    clock[0] += timedelta(hours=23)
    chats.for_person("", Quota()).restore_conversation(chat)
    assert chats.find_run("r1") is not None
    chats.discard_conversation(chat)
    clock[0] += timedelta(hours=25)
    chats.for_person("", Quota()).restore_conversation(chat)

    assert chats.find_conversation(chat) is None
    assert chats.find_run("r1") is None
    assert chats.find_run("r2") is not None
    with pytest.raises(LibraryError, match="deleted"):
        next(going_on)
    assert chats.find_run("r3") is None


def test_surrogates_are_replaced_not_refused(chats: Conversations) -> None:
    chat = chats.start_conversation("Torn \ud800 title \0")
    dirty = drafted("60 \udc00km\0/h \ud83d\ude00").model_copy(update={"citations": (QUOTE,)})

    yielded = tuple(chats.save_events(chat, numbered("r1", asked("Torn \udfff?"), dirty, ended())))

    assert yielded == chats.list_runs(chat)[0].events
    assert yielded[1] == next(
        numbered("r1", drafted("60 \ufffdkm\0/h \U0001f600"), after=1)
    ).model_copy(update={"at": yielded[1].at})
    assert chats.list_runs(chat)[0].question == "Torn \ufffd?"
    assert chats.list_conversations()[0].title == "Torn \ufffd title \ufffd"


@pytest.mark.slow
def test_a_run_cut_off_by_a_kill_is_cancelled_at_the_next_start(
    chats: Conversations, url: str
) -> None:
    chat = chats.start_conversation("Pit lane")
    child = start_process(HALF_A_RUN, url, chat)
    assert child.stdout is not None
    assert child.stdout.readline() == "half way\n"
    assert chats.clean_up() == ()
    assert Conversations(url).list_runs(chat)[0].outcome is None, "a live process keeps its run"

    child.kill()
    child.communicate()
    (saved,) = Conversations(url).list_runs(chat)

    last = saved.events[-1]
    assert isinstance(last, Ended)
    assert (saved.outcome, last.answer, last.seq) == ("cancelled", "As far as it got [1]", 5)
    assert last.seconds == 3.0, "the time it was dead does not count"
    assert [event.type for event in saved.events[:-1]] == [
        "Asked",
        "PlanMade",
        "Drafted",
        "PlanMade",
    ]
    assert chats.clean_up() == ()


@pytest.mark.slow
def test_a_run_cut_off_by_a_kill_is_cancelled_by_a_server_that_goes_on(url: str) -> None:
    clock = [datetime.now(UTC)]
    chats = Conversations(url, now=lambda: clock[0])
    chat = chats.start_conversation("Pit lane")
    child = start_process(HALF_A_RUN, url, chat)
    assert child.stdout is not None
    child.stdout.readline()
    child.kill()
    child.communicate()

    assert [run.outcome for run in chats.for_person("", Quota()).list_runs(chat)] == [None]
    clock[0] += timedelta(minutes=61)
    assert [run.outcome for run in chats.for_person("", Quota()).list_runs(chat)] == ["cancelled"]


def test_a_run_of_this_process_is_left_alone(chats: Conversations, url: str) -> None:
    chat = chats.start_conversation("Pit lane")
    run = chats.save_events(chat, numbered("r1", asked(), ended()))
    next(run)
    assert Conversations(url).list_runs(chat)[0].outcome is None
    assert [event.type for event in run] == ["Ended"]


@pytest.mark.slow
def test_a_live_run_is_given_up_after_a_day_of_silence(chats: Conversations, url: str) -> None:
    """Its number may have gone to another program, and another host cannot be asked."""
    chat = chats.start_conversation("Pit lane")
    child = start_process(HALF_A_RUN, url, chat)
    assert child.stdout is not None
    child.stdout.readline()

    tomorrow = Conversations(url, now=lambda: datetime.now(UTC) + timedelta(days=1, minutes=1))

    assert tomorrow.list_runs(chat)[0].outcome == "cancelled"
    child.kill()
    child.communicate()


@pytest.mark.slow
def test_a_restart_under_the_same_process_number_is_noticed(chats: Conversations, url: str) -> None:
    """In a container the next start has the number of the last one: exec keeps it, too."""
    chat = chats.start_conversation("Pit lane")
    again = (
        "import sys; from core.chats.conversations import Conversations; Conversations(sys.argv[1])"
    )
    child = start_process(
        """
chats = Conversations(sys.argv[1])
run = chats.save_events(sys.argv[2], numbered("half", asked(), ended()))
next(run)
print(os.getpid(), flush=True)
os.chdir(ROOT)
os.execv(sys.executable, [sys.executable, "-c", sys.argv[3], sys.argv[1]])
""",
        url,
        chat,
        again,
    )
    child.communicate(timeout=120)
    assert child.returncode == 0
    assert chats.list_runs(chat)[0].outcome == "cancelled"


MANY_RUNS = """
chats = Conversations(sys.argv[1])
chat = chats.start_conversation("Pit lane")
for number in range(20):
    events = asked(), plan(), drafted("60"), scored(8), ended()
    list(chats.save_events(chat, numbered(f"{chat} {number}", *events)))
"""


@pytest.mark.slow
def test_many_processes_writing_at_once_lose_nothing(url: str) -> None:
    """More than 400 transactions, by four processes that all find no database at first."""
    children = [start_process(MANY_RUNS, url) for _ in range(4)]
    for child in children:
        child.communicate(timeout=300)

    assert [child.returncode for child in children] == [0] * 4
    chats = Conversations(url)
    assert [chat.runs for chat in chats.list_conversations()] == [20] * 4
    runs = [
        run for chat in chats.list_conversations() for run in chats.list_runs(chat.conversation_id)
    ]
    assert {(len(run.events), run.outcome) for run in runs} == {(5, "answered")}


def test_threads_share_one_store(chats: Conversations) -> None:
    chat = chats.start_conversation("Pit lane")

    def ask(number: int) -> int:
        return len(
            list(chats.save_events(chat, numbered(f"r{number}", asked(), drafted("60"), ended())))
        )

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(40))) == [3] * 40
    assert sorted(len(run.events) for run in chats.list_runs(chat)) == [3] * 40


def test_only_the_owner_may_look_into_the_folder(chats: Conversations, tmp_path: Path) -> None:
    folder = tmp_path / "chats"
    chats.start_conversation("Pit lane")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "conversations.db"
    file.write_bytes(b"%PDF-1.7 not a database at all" * 100)
    with pytest.raises(LibraryError, match="file is not a database") as failure:
        Conversations(f"sqlite:///{file}")
    assert failure.value.code == "chats"


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LibraryError, match="cannot hold the conversations"):
        Conversations(f"sqlite:///{tmp_path / 'file' / 'conversations.db'}")


@pytest.mark.parametrize("url", ["not a url", "nosuchbase://x/y", "sqlite+nosuchdriver:///x"])
def test_a_url_that_cannot_be_used_names_its_setting(url: str) -> None:
    with pytest.raises(SettingsError, match="SCRUTINEER_DATABASE_URL"):
        Conversations(url)


@pytest.mark.slow
def test_a_run_of_another_version_is_refused_in_a_sentence_and_does_not_stop_the_start(
    chats: Conversations, url: str, tmp_path: Path
) -> None:
    chat = chats.start_conversation("Pit lane")
    child = start_process(HALF_A_RUN, url, chat)
    assert child.stdout is not None
    child.stdout.readline()
    child.kill()
    child.communicate()
    with sqlite3.connect(tmp_path / "chats" / "conversations.db") as file:
        file.execute("""UPDATE events SET event = '{"type": "Prophesied"}' WHERE seq = 2""")
    file.close()

    again = Conversations(url)

    assert [found.conversation_id for found in again.list_conversations()] == [chat]
    with pytest.raises(LibraryError, match="cannot be read by this version"):
        again.list_runs(chat)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is the pit lane speed limit?", "What is the pit lane speed limit?"),
        ("  What\nis  it? ", "What is it?"),
        ("", ""),
        ("word " * 30, "word " * 11 + "word…"),
        ("x" * 80, "x" * 59 + "…"),
    ],
)
def test_a_title_is_one_short_line(question: str, title: str) -> None:
    assert conversation_title(question) == title
    assert len(conversation_title(question)) <= 60
