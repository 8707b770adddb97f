"""The log file: JSON Lines, private, rotated, without keys and passwords."""

import json
import logging
import stat
from threading import Barrier, Thread
from urllib.parse import quote

import pytest

from core.logs import (
    KEPT_LOG_FILES,
    LOGGER_NAME,
    MAX_HIDDEN_KEYS,
    MAX_LOG_BYTES,
    REDACTED,
    log_failure,
    start_log,
)
from core.settings import Settings

KEY = "sk-ant-marked-0123456789"


@pytest.fixture
def log(tmp_path):
    """The log of a data folder, started with a key; a function that returns its lines."""
    root = logging.getLogger()
    before, level = list(root.handlers), logging.getLogger(LOGGER_NAME).level
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
    logging.getLogger(LOGGER_NAME).setLevel(level)


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
    assert line["message"] == f"sent x-api-key: {REDACTED}"
    assert KEY not in capfd.readouterr().err


def test_a_failure_is_logged_with_its_type_and_trace_without_its_message(log):
    try:
        int("The minimum weight is 798 kg")
    except ValueError as error:
        log_failure(error)
    (line,) = log()
    assert "ValueError at test_logs.py:" in line["message"]
    assert "798" not in line["message"]


def test_files_are_private_and_rotated(log, tmp_path):
    for _ in range(KEPT_LOG_FILES + 3):
        logging.getLogger(LOGGER_NAME).info("x" * MAX_LOG_BYTES)
    files = sorted((tmp_path / "logs").iterdir())
    assert len(files) == KEPT_LOG_FILES + 1
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "logs").stat().st_mode) == 0o700


def test_a_second_start_only_adds_a_key(log, tmp_path, capfd):
    handlers = list(logging.getLogger().handlers)
    start_log(Settings(data_dir=tmp_path / "elsewhere", anthropic_api_key="sk-of-one-session"))
    assert logging.getLogger().handlers == handlers
    logging.getLogger(LOGGER_NAME).warning("sent sk-of-one-session and %s", KEY)
    (line,) = log()
    assert line["message"] == f"sent {REDACTED} and {REDACTED}"
    assert "session" not in capfd.readouterr().err


def test_a_visitor_who_enters_a_letter_as_their_key_leaves_the_log_readable(log, tmp_path):
    start_log(Settings(data_dir=tmp_path, anthropic_api_key="e"))
    logging.getLogger("scrutineer.agent").info("run abc ended: answered")
    (line,) = log()
    assert (line["logger"], line["message"]) == ("scrutineer.agent", "run abc ended: answered")


@pytest.mark.slow
def test_the_last_keys_of_visitors_and_all_of_the_settings_are_hidden(log, tmp_path):
    for number in range(MAX_HIDDEN_KEYS + 1):
        start_log(Settings(data_dir=tmp_path, anthropic_api_key="sk-in-use-all-the-time"))
        start_log(Settings(data_dir=tmp_path, anthropic_api_key=f"sk-entered-{number}-once"))
    logging.getLogger(LOGGER_NAME).info(
        f"{KEY}, sk-in-use-all-the-time, sk-entered-{MAX_HIDDEN_KEYS}-once, sk-entered-0-once"
    )
    assert log()[0]["message"] == f"{REDACTED}, {REDACTED}, {REDACTED}, sk-entered-0-once"


@pytest.mark.parametrize("key", ['with"quote', "with\\backslash", "with'both\"", "with%and/slash"])
def test_a_key_is_hidden_in_whatever_form_it_comes(log, tmp_path, capfd, key):
    start_log(Settings(data_dir=tmp_path, anthropic_api_key=key))
    forms = [
        key,
        json.dumps({"key": key}),
        repr({"key": key}),
        f"https://{quote(key, safe='')}@server",
    ]
    for form in forms:
        logging.getLogger(LOGGER_NAME).warning("said: %s", form)
    text = [line["message"] for line in log()] + capfd.readouterr().err.splitlines()
    assert len(text) == 2 * len(forms)
    for line in text:
        assert REDACTED in line
        assert "with" not in line


def test_a_password_in_an_address_is_hidden_as_it_is_typed_too(log, tmp_path):
    start_log(
        Settings(data_dir=tmp_path, database_url="postgresql://ada:p%40ss%2Fword@server/chats")
    )
    logging.getLogger(LOGGER_NAME).warning("refused p@ss/word, given as p%40ss%2Fword")
    assert log()[0]["message"] == f"refused {REDACTED}, given as {REDACTED}"


def test_a_line_that_cannot_be_written_is_not_shown(log, tmp_path, capfd):
    [file] = [
        handler
        for handler in logging.getLogger().handlers
        if isinstance(handler, logging.FileHandler)
    ]
    file.stream.close()
    logging.getLogger(LOGGER_NAME).info("sent %s", KEY)
    file.stream = None
    text = capfd.readouterr().err
    assert "could not be written" in text
    assert KEY not in text


def test_many_threads_start_one_log(log, tmp_path):
    for handler in logging.getLogger().handlers[:]:
        logging.getLogger().removeHandler(handler)
        handler.close()
    together = Barrier(8)

    def start():
        together.wait()
        start_log(Settings(data_dir=tmp_path / "together"))

    threads = [Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(logging.getLogger().handlers) == 2


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
