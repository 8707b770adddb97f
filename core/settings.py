"""All settings of Scrutineer, from the environment and `.env`.

The variables of object stores and of Ray are their own, and read where those are reached.
"""

import ast
import inspect
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from ipaddress import ip_address
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    SettingsConfigDict,
    SettingsError as SourceError,
)

from core.errors import SettingsError
from core.program import DATA_FOLDER, SETTINGS_FILE

ENV_PREFIX = "SCRUTINEER_"
MIN_KEY_LENGTH = 8
"""Characters of the shortest key that a visitor may enter: every log line is searched for it."""
_PASSWORDS = (
    re.compile(r"://[^:/]*:([^?]+|[^@]+)@"),
    re.compile(r"://[^:/]*:(.+?)@[^@/?]*(?:[/?]|$)"),
    re.compile(r"[?&]\w*(?:password|passwd|pwd|token|key|secret)=([^&#]+)", re.I),
)
"""Where a URL may hold a password. An "@" after the host leaves two possible ends: hide both."""
_KUBERNETES_VARIABLE = re.compile(
    rf"{ENV_PREFIX}(?:\w+_)?(?:SERVICE_(?:HOST|PORT)(?:_\w+)?="
    r"|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?=|PORT=(?:tcp|udp|sctp)://)"
)
"""`name=value` that Kubernetes puts into each pod for a service named "scrutineer..."."""


def _strip(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _parse_key(value: Any) -> Any:
    key = _strip(value)
    if isinstance(key, str) and not (key.isascii() and key.isprintable() and " " not in key):
        raise ValueError("a key is one line of printable ASCII without spaces")
    return key or None


def _parse_receiver(value: Any) -> Any:
    address = _strip(value)
    if not isinstance(address, str) or not address:
        return address or None
    from httpx2 import URL, InvalidURL  # 60 ms, and most set no receiver

    host, is_local = "", False
    with suppress(ValueError, InvalidURL):  # of a name that is no number, of what is no address
        url = URL(address)
        host = url.raw_host.decode().encode("idna").decode() if (url.port or 0) < 2**16 else ""
        is_local = host == "localhost" or ip_address(host).is_loopback
    if not host or not address.startswith(("http://", "https://") if is_local else "https://"):
        raise ValueError("what is sent to goes by an address that starts with https://")
    return address


def _parse_server(value: Any) -> Any:
    address = _parse_address(value)
    return address.rstrip("/") if isinstance(address, str) else address


def _parse_address(value: Any) -> Any:
    address = _strip(value)
    if isinstance(address, str) and not address.startswith(("http://", "https://")):
        raise ValueError("an address starts with http:// or https://")
    return address


class Settings(BaseSettings):
    """All settings. `x` is the variable `SCRUTINEER_X`; `anthropic_...` have no prefix."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_file=SETTINGS_FILE,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    data_dir: Path = DATA_FOLDER
    """Where documents, index and chats are kept."""
    library_url: str | None = None
    """Tables and documents for several machines: s3://bucket/prefix, gs:// or az://, with keys and
    endpoint in that store's own variables, or a shared folder's path; unset: in `data_dir`."""
    database_url: str | None = None
    """Chats, waiting documents and the writer's lease in PostgreSQL (postgresql://..., with the
    optional part `postgresql`) or in another SQLite file, as a SQLAlchemy URL; unset:
    `conversations.db` in `data_dir`."""

    anthropic_api_key: Annotated[SecretStr | None, BeforeValidator(_parse_key)] = Field(
        None, validation_alias=AliasChoices("anthropic_api_key", "ANTHROPIC_API_KEY")
    )
    """Without a key (and without a base URL) Scrutineer works offline."""
    anthropic_base_url: Annotated[str | None, BeforeValidator(_parse_address)] = Field(
        None, validation_alias=AliasChoices("anthropic_base_url", "ANTHROPIC_BASE_URL")
    )
    """Any server that speaks the Messages API: a gateway, Ollama, vLLM, llama.cpp. Unset:
    Anthropic's own."""
    answer_model: str = "claude-sonnet-5-5"
    """Drafts answers and calls tools."""
    decision_model: str = "claude-haiku-5-5"
    """Classifies questions, rules on the statements of drafts, and scores them."""
    offered_models: tuple[str, ...] = ()
    """Other models that may be chosen in the chat to answer or to decide, as JSON:
    ["claude-opus-5-5"]."""
    server_structured_outputs: bool = True
    """The server honours `output_config.format`; off: the schema goes into the prompt and the reply
    is parsed."""
    server_citations: bool = True
    """The server takes `search_result` blocks with citations; off: evidence is text and answers
    cite with markers."""
    server_thinking: bool = True
    """The server takes the `thinking` parameter; off: it is not sent."""
    server_token_counting: bool = True
    """The server has `/v1/messages/count_tokens`; off: tokens are estimated."""
    max_output_tokens: int = Field(16_000, ge=256, le=64_000)
    """Tokens a model may write in one reply, thinking included."""
    request_timeout: float = Field(120.0, gt=0, le=3600)
    """Seconds a model may be silent before a call counts as failed."""
    call_seconds: float = Field(300.0, gt=0, le=3600)
    """Seconds one reply may take from its first byte to its last."""

    max_iterations: int = Field(3, ge=1, le=10)
    """Passes of the loop before a person is asked. Not a limit on tool calls."""
    quality_threshold: float = Field(7.0, ge=1, le=10)
    """Mean of the four scores from which a draft is accepted."""
    max_tool_rounds: Annotated[
        int | None, BeforeValidator(lambda value: None if _strip(value) == "unlimited" else value)
    ] = Field(2, ge=0, le=50)
    """Replies with tool calls within one iteration before the model must answer; `unlimited` for
    as many as it asks."""
    rounds_by_intent: dict[
        Literal["SEARCH", "SUMMARY", "COMPARISON", "PENALTY", "GENERAL", "OUT_OF_SCOPE"],
        Annotated[int, Field(ge=0, le=50)],
    ] = {}
    """Other tool rounds for some intents, as JSON: {"COMPARISON": 4}."""
    history_mode: Literal["minimal", "progressive", "kitchen_sink"] = "progressive"
    """What a model sees of earlier iterations: the latest results; all results and reasoning;
    drafts and scores too."""
    max_context_tokens: int = Field(100_000, ge=4_000)
    """Tokens a model may be sent in one call, with prompts and tools, which take 2,500."""
    tool_retries: int = Field(3, ge=0, le=10)
    """Further tries of a tool that failed for a passing cause."""
    budget: float | None = Field(None, gt=0)
    """US dollars a run may cost; reaching it acts like the iteration limit."""
    run_seconds: float | None = Field(600.0, gt=0)
    """Seconds a run may take; reaching it acts like the iteration limit."""
    plain_reasoning: bool = False
    """Whether the pages draw the reasoning with Streamlit's own elements alone."""
    search_results: int = Field(8, ge=1, le=50)
    """Clauses that a search returns."""
    search_mode: Literal["lexical", "dense", "hybrid"] = "hybrid"
    """How a search ranks: by words; by meaning (`dense`); by both. The last two need vectors, made
    after a document is added; until then `hybrid` ranks by words."""
    embedding: str = "e5"
    """Who makes vectors: `e5`, or a provider of LanceDB's
    embedding registry (`openai`, `ollama`, `cohere`, `sentence-transformers` ...) with what it
    needs installed and set."""
    embedding_model: str | None = None
    """The provider's model; unset: its default. Another model makes all vectors anew."""

    reading_page_seconds: float = Field(10.0, gt=0, le=600)
    """Processor seconds for one page of a PDF; reading stops at the second slower page."""
    reading_seconds: float = Field(900.0, gt=0)
    """Processor seconds that reading one document may take; pages read until then are kept."""
    reading_memory_mb: int = Field(1024, ge=256)
    """Megabytes for each process that reads the pages of a PDF. Showing a page has 1,024 and text
    recognition 6,144, whatever is set."""
    reading_max_pages: int = Field(5_000, ge=1)
    """Pages of the largest document that is read."""
    reading_scans: bool = True
    """Read pages that are images too, if the optional part `ocr` is installed: seconds a page."""

    watch_dir: Path | None = None
    """A folder whose new PDFs are added by themselves, each with a digest beside it of what it
    changes."""

    max_upload_mb: int = Field(50, ge=1, le=1000)
    """Megabytes of the largest file that is taken from the browser."""
    uploads_an_hour: int = Field(60, ge=1)
    """Files that one person may add from the browser within an hour."""
    runs_at_a_time: int = Field(4, ge=1)
    """Questions of one person that may be worked on at once."""
    questions_a_minute: int = Field(20, ge=1)
    """Questions that one person may ask within a minute."""
    dollars_a_day: float | None = Field(None, gt=0)
    """US dollars that the questions of one person may cost within 24 hours."""
    open_to_network: Literal["without login"] | None = None
    """Set, Scrutineer may listen on addresses other than this machine's own although nobody logs
    in."""
    webhook_url: Annotated[SecretStr | None, BeforeValidator(_parse_receiver)] = None
    """Where each new issue is posted as {"text": ...}, which Slack takes: what it changed, by
    number and title of its rules. https, or http on this machine; unset: nowhere."""
    server_address: Annotated[str | None, BeforeValidator(_parse_server)] = None
    """Where browsers reach this server (https://rules.club.example), for the addresses of rules in
    exports, feeds and the webhook; unset: exports hold their paths alone."""
    people: tuple[str, ...] | None = None
    """Who may enter after logging in, by confirmed e-mail address or by domain, as JSON:
    ["a@b.example", "@c.example"]; [] for nobody. Unset: everybody whom the provider lets in."""
    telemetry_url: Annotated[str | None, BeforeValidator(_parse_receiver)] = None
    """Where spans of runs go, as OpenTelemetry's OTLP over HTTP: https://host:4318/v1/traces, with
    the optional part `telemetry`; http:// on this machine alone. Its own variables apply, as
    OTEL_EXPORTER_OTLP_HEADERS. Unset: none are made."""
    telemetry_texts: bool = False
    """Spans hold questions, answers and the arguments of tools too."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much is logged, on standard error and in `logs` in `data_dir`. Text of documents is on
    DEBUG alone."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The key and passwords, longest first: they may be in no log, trace or message."""
        found = {self.anthropic_api_key.get_secret_value()} if self.anthropic_api_key else set()
        for url in filter(None, (self.anthropic_base_url, self.database_url, self.telemetry_url)):
            found.update(match for pattern in _PASSWORDS for match in pattern.findall(url))
        if self.webhook_url:
            address = self.webhook_url.get_secret_value()
            found |= {address, urlsplit(address).path.strip("/") or address}
        return tuple(sorted(found, key=len, reverse=True))  # one may contain another

    @property
    def conversations_url(self) -> str:
        """The SQLAlchemy URL of the chats."""
        return self.database_url or f"sqlite:///{self.data_dir / 'conversations.db'}"

    @property
    def is_offline(self) -> bool:
        """True when no language model is configured."""
        return self.anthropic_api_key is None and self.anthropic_base_url is None


def load_settings() -> Settings:
    """Read the settings in force.

    Raises SettingsError with one sentence that names the variable and what is wrong with it.
    """
    try:
        _check_names()
        return Settings()
    except UnicodeDecodeError as error:
        message = "The file .env is not UTF-8 text. Save it as UTF-8 and start again."
        raise SettingsError(message) from error
    except SourceError as error:  # a value that should be JSON; the message names the field
        field = re.search(r'field "(\w+)"', str(error))
        variable = _variable_name(field[1]) if field else "?"
        raise _unusable(variable, "it is not JSON") from error
    except ValidationError as error:
        first = error.errors()[0]
        variable = _variable_name(str(first["loc"][0])) if first["loc"] else "?"
        raise _unusable(variable, first["msg"].removeprefix("Value error, ")) from error


def refresh_settings() -> Settings:
    """Return the settings in force, read again only if the environment or .env has changed.

    Raises SettingsError as `load_settings` does.
    """
    file = SETTINGS_FILE.absolute()
    try:
        found = file.stat()
    except OSError:
        version: tuple[int, ...] = ()
    else:
        version = (found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_size)
    return _load_settings(frozenset(os.environ.items()), file, version)


@lru_cache(maxsize=1)
def _load_settings(environment: object, file: Path, version: tuple[int, ...]) -> Settings:  # noqa: ARG001
    return load_settings()


def _unusable(variable: str, reason: str) -> SettingsError:
    return SettingsError(
        f"The setting {variable} is not usable: {reason}."
        " Correct it in the environment or in .env and start again."
    )


SettingOrigin = Literal["default", ".env", "environment"]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting to show: `value` is no secret, `meaning` is the text below the field."""

    name: str
    variable: str
    value: str
    origin: SettingOrigin
    meaning: str


def list_settings(settings: Settings) -> tuple[Setting, ...]:
    """Return all settings in force, in order, with the origin of each."""
    environment, file = EnvSettingsSource(Settings)(), DotEnvSettingsSource(Settings)()
    meanings = _read_meanings()
    return tuple(
        Setting(
            name,
            _variable_name(name),
            _format_value(settings, name),
            "environment" if name in environment else ".env" if name in file else "default",
            meanings.get(name, ""),
        )
        for name in Settings.model_fields
    )


@cache  # the page asks at each draw; and in Python 3.11.7 no two threads can parse at once
def _read_meanings() -> dict[str, str]:
    """Return the text below each field. Pydantic would read it with each import: 50 ms."""
    [settings] = ast.parse(inspect.getsource(Settings)).body
    return {
        field.target.id: " ".join(str(ast.literal_eval(text.value)).split())
        for field, text in pairwise(ast.iter_child_nodes(settings))
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr)
    }


def replace_api_key(settings: Settings, key: str) -> Settings:
    """Return the settings with another key. Raises SettingsError if it cannot be one."""
    try:
        checked = _parse_key(key)
    except ValueError as error:
        message = f"The key is not usable: {error}. Copy it again, whole and alone."
        raise SettingsError(message) from error
    if checked is None:
        raise SettingsError("There is no key: paste one into the field.")
    if len(checked) < MIN_KEY_LENGTH:
        reason = "it is shorter than any provider's. Copy it again, whole and alone."
        raise SettingsError(f"The key is not usable: {reason}")
    return settings.model_copy(update={"anthropic_api_key": SecretStr(checked)})


def replace_models(settings: Settings, answer: str | None, decision: str | None) -> Settings:
    """Return the settings with the models that somebody chose, as far as they are offered."""
    chosen = {"answer_model": answer, "decision_model": decision}
    offered = {name: model for name, model in chosen.items() if model in settings.offered_models}
    return settings.model_copy(update=offered)


def _format_value(settings: Settings, name: str) -> str:
    match getattr(settings, name):
        case empty if empty in (None, {}) or (empty == () and name == "offered_models"):
            return "not set"
        case SecretStr():
            return "set, not shown"
        case bool(value):
            return "on" if value else "off"
        case tuple(entries) if name == "people":  # who may enter is private
            return f"{len(entries)} set, not shown"
        case value:
            text = ", ".join(value) if isinstance(value, tuple) else str(value)
            for secret in settings.secrets:
                text = text.replace(secret, "(hidden)")
            return text


def _check_names() -> None:
    """Raise SettingsError for an unknown name: a mistyped one would leave its setting unset."""
    known = {_variable_name(name) for name in Settings.model_fields}
    for source in (EnvSettingsSource(Settings), DotEnvSettingsSource(Settings)):
        for name, value in source.env_vars.items():
            variable = name.upper()
            is_unknown = variable.startswith(ENV_PREFIX) and variable not in known
            if not is_unknown or _KUBERNETES_VARIABLE.match(f"{variable}={value}"):
                continue
            field = variable.removeprefix(ENV_PREFIX).lower()
            hint = "core/settings.py names them all."
            for near in get_close_matches(field, list(Settings.model_fields), n=1):
                hint = f"did you mean {_variable_name(near)}?"
            raise SettingsError(
                f"There is no setting {variable}: {hint} Correct it in the environment or in .env."
            )


def _variable_name(field: str) -> str:
    name = field.upper()
    return name if name.startswith("ANTHROPIC_") else ENV_PREFIX + name
