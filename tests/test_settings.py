"""Settings come from the environment and .env; a bad one is told in a sentence that names it."""

import os

import pytest

from core.errors import SettingsError
from core.settings import load_settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """A folder without .env, and an environment without settings."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "SCRUTINEER_"))]:
        monkeypatch.delenv(name)


def test_without_anything_set_scrutineer_is_offline():
    settings = load_settings()
    assert settings.offline
    assert (settings.max_iterations, settings.quality_threshold, settings.max_tool_rounds) == (3, 7.0, 2)


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"])
def test_a_key_or_a_server_turns_the_model_on(monkeypatch, name):
    monkeypatch.setenv(name, "http://127.0.0.1:9" if name.endswith("URL") else " sk-test-1 ")
    assert not load_settings().offline


def test_an_empty_key_counts_as_none(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    assert load_settings().offline


def test_the_file_is_read_and_the_environment_goes_before_it(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text(
        "SCRUTINEER_MAX_ITERATIONS=5\nSCRUTINEER_SEARCH_RESULTS=9\nANTHROPIC_API_KEY=sk-file\n"
    )
    monkeypatch.setenv("SCRUTINEER_SEARCH_RESULTS", "4")
    settings = load_settings()
    assert (settings.max_iterations, settings.search_results) == (5, 4)
    assert settings.anthropic_api_key.get_secret_value() == "sk-file"


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("SCRUTINEER_MAX_ITERATIONS", "0", "greater than or equal to 1"),
        ("SCRUTINEER_QUALITY_THRESHOLD", "high", "valid number"),
        ("SCRUTINEER_LOG_LEVEL", "LOUD", "DEBUG"),
        ("ANTHROPIC_BASE_URL", "localhost:8080", "http://"),
        ("SCRUTINEER_ROUNDS_BY_INTENT", "{", "not JSON"),
        ("SCRUTINEER_ROUNDS_BY_INTENT", '{"SEARCH": -1}', "greater than or equal to 0"),
        ("ANTHROPIC_API_KEY", "sk-secret\nsecond", "one line"),
    ],
)
def test_a_bad_value_is_told_in_one_sentence_that_names_it(monkeypatch, name, value, told):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert name in caught.value.message
    assert told in caught.value.message
    assert "sk-secret" not in caught.value.message


def test_a_key_is_never_shown(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    assert "sk-secret" not in repr(load_settings())
