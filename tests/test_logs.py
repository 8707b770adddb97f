"""The log as a file: structured, for its owner alone, turned over, and without what must not stand in it."""

import json
import logging
import stat

import pytest

from core.logs import HIDDEN, KEPT, LARGEST, NAME, note_failure, start_log
from core.settings import Settings

KEY = "sk-ant-marked-0123456789"


@pytest.fixture
def log(tmp_path):
    """The log of a data folder, started with a key; gives the lines it holds."""
    root = logging.getLogger()
    before, level = list(root.handlers), logging.getLogger(NAME).level
    for handler in before:
        root.removeHandler(handler)
    start_log(Settings(data_dir=tmp_path, anthropic_api_key=KEY, log_level="INFO"))

    def lines():
        text = (tmp_path / "logs" / "scrutineer.log").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    yield lines
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in before:
        root.addHandler(handler)
    logging.getLogger(NAME).setLevel(level)


def test_a_line_is_json_with_its_level_and_time(log):
    logging.getLogger("scrutineer.agent").info("run %s ended:\n%s", "abc", "answered")
    (line,) = log()
    assert line["level"] == "INFO"
    assert line["logger"] == "scrutineer.agent"
    assert line["message"] == "run abc ended:\nanswered"
    assert line["at"].endswith("+00:00")


def test_what_is_below_the_level_is_not_written(log):
    logging.getLogger("scrutineer.agent").debug("the words of a rule")
    logging.getLogger("some.library").info("chatter")
    assert log() == []


def test_a_key_is_hidden_whoever_logs_it(log, capfd):
    logging.getLogger("httpcore").warning("sent x-api-key: %s", KEY)
    (line,) = log()
    assert line["message"] == f"sent x-api-key: {HIDDEN}"
    assert KEY not in capfd.readouterr().err


def test_a_failure_is_told_by_its_kind_and_way_not_its_words(log):
    try:
        int("The minimum weight is 798 kg")
    except ValueError as error:
        note_failure(error)
    (line,) = log()
    assert "ValueError at test_logs.py:" in line["message"]
    assert "798" not in line["message"]


def test_files_are_their_owners_and_are_turned_over(log, tmp_path):
    for _ in range(KEPT + 3):
        logging.getLogger(NAME).info("x" * LARGEST)
    files = sorted((tmp_path / "logs").iterdir())
    assert len(files) == KEPT + 1
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "logs").stat().st_mode) == 0o700


def test_a_second_start_changes_nothing(log, tmp_path):
    handlers = list(logging.getLogger().handlers)
    start_log(Settings(data_dir=tmp_path / "elsewhere"))
    assert logging.getLogger().handlers == handlers


def test_without_a_folder_there_is_standard_error(tmp_path, capfd):
    root = logging.getLogger()
    before = list(root.handlers)
    for handler in before:
        root.removeHandler(handler)
    (tmp_path / "file").write_text("")
    start_log(Settings(data_dir=tmp_path / "file"))
    assert "there is no log file" in capfd.readouterr().err
    for handler in list(root.handlers):
        root.removeHandler(handler)
    for handler in before:
        root.addHandler(handler)
