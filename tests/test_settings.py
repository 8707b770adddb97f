"""Settings come from the environment and .env; the error of a bad one names it."""

import os
import re
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings import Settings, list_settings, load_settings, replace_models

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """A folder without .env, and an environment without settings."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "SCRUTINEER_"))]:
        monkeypatch.delenv(name)


def test_without_anything_set_scrutineer_is_offline():
    settings = load_settings()
    assert settings.is_offline
    assert (settings.max_iterations, settings.quality_threshold, settings.max_tool_rounds) == (
        3,
        7.0,
        2,
    )


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"])
def test_a_key_or_a_server_turns_the_model_on(monkeypatch, name):
    monkeypatch.setenv(name, "http://127.0.0.1:9" if name.endswith("URL") else " sk-test-1 ")
    assert not load_settings().is_offline


def test_an_empty_key_counts_as_none(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    assert load_settings().is_offline


def test_the_file_is_read_and_the_environment_goes_before_it(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text(
        "SCRUTINEER_MAX_ITERATIONS=5\nSCRUTINEER_SEARCH_RESULTS=9\nANTHROPIC_API_KEY=sk-file\n"
    )
    monkeypatch.setenv("SCRUTINEER_SEARCH_RESULTS", "4")
    settings = load_settings()
    assert (settings.max_iterations, settings.search_results) == (5, 4)
    assert settings.anthropic_api_key.get_secret_value() == "sk-file"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
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
def test_a_bad_value_is_named_in_the_error(monkeypatch, name, value, expected):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert name in caught.value.message
    assert expected in caught.value.message
    assert "sk-secret" not in caught.value.message


def test_rounds_by_intent_are_shown(monkeypatch):
    monkeypatch.setenv("SCRUTINEER_ROUNDS_BY_INTENT", '{"SEARCH": 2}')
    shown = {setting.variable: setting.value for setting in list_settings(load_settings())}
    assert shown["SCRUTINEER_ROUNDS_BY_INTENT"] == "{'SEARCH': 2}"


def test_a_key_is_never_shown(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    assert "sk-secret" not in repr(load_settings())


@pytest.mark.parametrize(
    ("address", "password"),
    [
        ("postgresql://ada:pa/ss@host/db", "pa/ss"),
        ("postgresql://ada:pa ss@host/db", "pa ss"),
        ("postgresql://ada:p@ss@host/db", "p@ss"),
        ("postgresql://ada@company:pa?ss@host/db", "pa?ss"),
        ("postgresql://ada:pa%2Fss@host/db", "pa%2Fss"),
        ("postgresql://host/db?user=ada&password=p@ss&sslmode=require", "p@ss"),
    ],
)
def test_the_password_of_the_database_is_never_shown(monkeypatch, address, password):
    monkeypatch.setenv("SCRUTINEER_DATABASE_URL", address)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:11434")
    settings = load_settings()
    assert password in settings.secrets
    [shown] = [
        setting.value for setting in list_settings(settings) if setting.name == "database_url"
    ]
    assert shown == address.replace(password, "(hidden)")


@pytest.mark.parametrize(
    ("name", "address", "passwords"),
    [
        (
            "SCRUTINEER_DATABASE_URL",
            "postgresql://u:topsecret@host/db@x",
            {"topsecret", "topsecret@host/db"},
        ),
        ("SCRUTINEER_DATABASE_URL", "postgresql://u:top/se@cret@host/db", {"top/se@cret"}),
        (
            "ANTHROPIC_BASE_URL",
            "https://user:topsecret@host/v1@beta",
            {"topsecret", "topsecret@host/v1"},
        ),
        ("ANTHROPIC_BASE_URL", "https://user:topsecret@host", {"topsecret"}),
    ],
)
def test_a_password_is_hidden_wherever_it_may_end(monkeypatch, name, address, passwords):
    """As SQLAlchemy and httpx read it, or as its author meant it."""
    monkeypatch.setenv(name, address)
    settings = load_settings()
    assert set(settings.secrets) == passwords
    assert not any("topsecret" in str(setting.value) for setting in list_settings(settings))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SCRUTINEER_MAX_ITERATION", "did you mean SCRUTINEER_MAX_ITERATIONS?"),
        ("SCRUTINEER_PEOPEL", "did you mean SCRUTINEER_PEOPLE?"),
        ("scrutineer_search_result", "did you mean SCRUTINEER_SEARCH_RESULTS?"),
        ("SCRUTINEER_ANTHROPIC_API_KEY", "did you mean ANTHROPIC_API_KEY?"),
        ("SCRUTINEER_BANANA", "core/settings.py names them all."),
    ],
)
@pytest.mark.parametrize("place", ["environment", ".env"])
def test_a_mistyped_name_is_refused_with_the_nearest(monkeypatch, tmp_path, name, expected, place):
    if place == ".env":
        (tmp_path / ".env").write_text(f"{name}=4\n")
    else:
        monkeypatch.setenv(name, "4")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert caught.value.message.startswith(f"There is no setting {name.upper()}: {expected}")


def test_names_of_other_programs_are_ignored(monkeypatch, tmp_path):
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "theirs")
    (tmp_path / ".env").write_text("SCRUTINY=1\nHOME_OF_SCRUTINEER_=1\n")
    assert load_settings().is_offline


@pytest.mark.parametrize("service", ["SCRUTINEER", "SCRUTINEER_WEB"])
def test_variables_of_kubernetes_are_ignored(monkeypatch, service):
    for name, value in (
        ("SERVICE_HOST", "10.0.0.7"),
        ("SERVICE_PORT", "8501"),
        ("SERVICE_PORT_HTTP", "8501"),
        ("PORT", "tcp://10.0.0.7:8501"),
        ("PORT_8501_TCP", "tcp://10.0.0.7:8501"),
        ("PORT_8501_TCP_ADDR", "10.0.0.7"),
    ):
        monkeypatch.setenv(f"{service}_{name}", value)
    assert load_settings().is_offline
    monkeypatch.setenv(f"{service}_PORT", "8501")
    with pytest.raises(SettingsError, match=f"There is no setting {service}_PORT:"):
        load_settings()


def test_every_setting_named_in_the_documents_exists():
    """Lines copied from README, .env.example, Makefile and THREATS work."""
    expected = [
        (ROOT / name).read_text()
        for name in ("README.md", ".env.example", "Makefile", "THREATS.md")
    ]
    names = set(re.findall(r"SCRUTINEER_[A-Z_]+[A-Z]", "\n".join(expected)))
    assert {"SCRUTINEER_DATA_DIR", "SCRUTINEER_PEOPLE"} <= names
    assert names <= {setting.variable for setting in list_settings(load_settings())}


def test_every_setting_has_a_description():
    assert [
        setting.name
        for setting in list_settings(load_settings())
        if not setting.meaning.endswith(".")
    ] == []


def test_only_models_that_are_offered_are_chosen():
    settings = Settings(_env_file=None, offered_models=("other",))
    chosen = replace_models(settings, "other", "made up")
    assert (chosen.answer_model, chosen.decision_model) == ("other", settings.decision_model)
    assert replace_models(settings, None, None) == settings
    [shown] = [one.value for one in list_settings(settings) if one.name == "offered_models"]
    assert shown == "other"


def test_spans_leave_this_machine_by_https_alone(monkeypatch):
    for address in ("http://127.0.0.1:4318/v1/traces", "https://me:secret-1@collector.example/"):
        monkeypatch.setenv("SCRUTINEER_TELEMETRY_URL", address)
        assert load_settings().telemetry_url == address
    assert "secret-1" in load_settings().secrets
    for address in ("http://collector.example:4318", "collector.example", "https://", "http://["):
        monkeypatch.setenv("SCRUTINEER_TELEMETRY_URL", address)
        with pytest.raises(SettingsError, match="SCRUTINEER_TELEMETRY_URL"):
            load_settings()
