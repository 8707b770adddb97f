"""Every knob of Scrutineer, read from the environment and `.env`; nothing else in the project reads either."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings import SettingsError as SourceError

from core.errors import SettingsError

PREFIX = "SCRUTINEER_"


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _key(value: Any) -> Any:
    value = _stripped(value)
    if isinstance(value, str) and not (value.isascii() and value.isprintable() and " " not in value):
        raise ValueError("a key is one line of printable ASCII without spaces")
    return value or None


def _rounds(value: Any) -> Any:
    return None if _stripped(value) == "unlimited" else value


def _address(value: Any) -> Any:
    value = _stripped(value)
    if isinstance(value, str) and not value.startswith(("http://", "https://")):
        raise ValueError("an address starts with http:// or https://")
    return value


class Settings(BaseSettings):
    """All settings. A field `x` is the variable `SCRUTINEER_X`; the two of Anthropic keep their usual names."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    data_dir: Path = Path("data/library")
    """Where documents, index and chats are kept."""
    database_url: str | None = None
    """Chats in another SQL database (any SQLAlchemy URL); unset: `conversations.db` in `data_dir`."""

    anthropic_api_key: Annotated[SecretStr | None, BeforeValidator(_key)] = Field(
        None, validation_alias=AliasChoices("anthropic_api_key", "ANTHROPIC_API_KEY")
    )
    """Without a key (and without a base URL) Scrutineer works offline."""
    anthropic_base_url: Annotated[str | None, BeforeValidator(_address)] = Field(
        None, validation_alias=AliasChoices("anthropic_base_url", "ANTHROPIC_BASE_URL")
    )
    """Any server that speaks the Messages API: a gateway, Ollama, vLLM, llama.cpp. Unset: Anthropic's own."""
    answer_model: str = "claude-sonnet-5-5"
    """Drafts answers and calls tools."""
    decision_model: str = "claude-haiku-5-5"
    """Classifies questions and scores drafts."""
    server_structured_outputs: bool = True
    """The server honours `output_config.format`; off: the schema goes into the prompt and the reply is parsed."""
    server_citations: bool = True
    """The server takes `search_result` blocks with citations; off: evidence is text and answers cite with markers."""
    server_thinking: bool = True
    """The server takes the `thinking` parameter; off: it is not sent."""
    server_token_counting: bool = True
    """The server has `/v1/messages/count_tokens`; off: tokens are estimated."""
    max_output_tokens: int = Field(16_000, ge=256, le=64_000)
    """The most a model may write in one reply, thinking included."""
    request_timeout: float = Field(120.0, gt=0, le=3600)
    """Seconds a model may be silent before a call counts as failed."""

    max_iterations: int = Field(3, ge=1, le=10)
    """Passes of the loop before a person is asked. Not a limit on tool calls."""
    quality_threshold: float = Field(7.0, ge=1, le=10)
    """Mean of the four scores from which a draft is accepted."""
    max_tool_rounds: Annotated[int | None, BeforeValidator(_rounds)] = Field(2, ge=0, le=50)
    """Replies with tool calls within one iteration before the model must answer; `unlimited` for as many as it asks."""
    rounds_by_intent: dict[
        Literal["SEARCH", "SUMMARY", "COMPARISON", "PENALTY", "GENERAL", "OUT_OF_SCOPE"],
        Annotated[int, Field(ge=0, le=50)],
    ] = {}
    """Other tool rounds for some intents, as JSON: {"COMPARISON": 4}."""
    history_mode: Literal["minimal", "progressive", "kitchen_sink"] = "progressive"
    """What a model sees of earlier iterations: the latest results; all results and reasoning; drafts and scores too."""
    max_context_tokens: int = Field(100_000, ge=2_000)
    """Tokens a model is sent at the most in one call."""
    tool_retries: int = Field(3, ge=0, le=10)
    """Further tries of a tool that failed for a passing cause."""
    budget: float | None = Field(None, gt=0)
    """US dollars a run may cost; reaching it acts like the iteration limit."""
    run_seconds: float | None = Field(600.0, gt=0)
    """Seconds a run may take; reaching it acts like the iteration limit."""
    search_results: int = Field(8, ge=1, le=50)
    """Clauses a search brings."""

    max_upload_mb: int = Field(50, ge=1, le=1000)
    """Largest file taken from the browser."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much the log on standard error tells."""

    @property
    def conversations_url(self) -> str:
        """The SQLAlchemy URL of the chats."""
        return self.database_url or f"sqlite:///{self.data_dir / 'conversations.db'}"

    @property
    def offline(self) -> bool:
        """True when no language model is configured."""
        return self.anthropic_api_key is None and self.anthropic_base_url is None


def load_settings() -> Settings:
    """Read the settings in force.

    Raises SettingsError with one sentence that names the variable and what is wrong with it.
    """
    try:
        return Settings()
    except UnicodeDecodeError as error:
        raise SettingsError("The file .env is not UTF-8 text. Save it as UTF-8 and start again.") from error
    except SourceError as error:
        # Of what is given as JSON; the message names the field.
        named = re.search(r'field "(\w+)"', str(error))
        raise SettingsError(
            f"The setting {_variable((named[1],)) if named else '?'} is not usable: it is not JSON."
            " Correct it in the environment or in .env and start again."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SettingsError(
            f"The setting {_variable(first['loc'])} is not usable: {first['msg'].removeprefix('Value error, ')}."
            " Correct it in the environment or in .env and start again."
        ) from error


def _variable(place: tuple[int | str, ...]) -> str:
    name = str(place[0]).upper() if place else "?"
    return name if name.startswith("ANTHROPIC_") else PREFIX + name
