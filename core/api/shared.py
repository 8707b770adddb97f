"""What all requests of a server share: settings, library, model, chats, tokens."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

from core.agent import Agent, Model, make_model
from core.chats import Conversations, Tokens
from core.library import Library, RestrictedLibrary, ScopeChoice
from core.logs import start_log
from core.quotes import RuleTexts
from core.settings import Settings, refresh_settings


@dataclass(frozen=True)
class Shared:
    """What belongs to some settings, for any number of threads. Nothing personal is here."""

    settings: Settings
    library: Library
    model: Model
    _rules: list[tuple[int, RuleTexts]] = field(default_factory=list, init=False)
    _reading: Lock = field(default_factory=Lock, init=False)

    @classmethod
    def open(cls, settings: Settings) -> "Shared":
        """Open what some settings name. Raises ScrutineerError."""
        settings = settings.model_copy(update={"data_dir": settings.data_dir.absolute()})
        return cls(settings, Library.open(settings), make_model(settings))

    @cached_property
    def chats(self) -> Conversations:
        """The chats, opened when they are first used. Raises LibraryError `chats`."""
        return Conversations(self.settings.conversations_url)

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens in the database of the chats. Raises LibraryError `chats`."""
        return Tokens(self.settings.conversations_url)

    @property
    def agent(self) -> Agent:
        return Agent(self.library, self.model, self.settings.search_results)

    def restrict(self, allowed: ScopeChoice) -> "Shared":
        """Return the same with what of the library a choice allows."""
        return replace(self, library=RestrictedLibrary(self.library, allowed))

    def rule_texts(self) -> RuleTexts:
        """Return the texts of the library, read again when it has changed."""
        version = self.library.version
        with self._reading:
            if not self._rules or self._rules[0][0] != version:
                self._rules[:] = [(version, RuleTexts(self.library))]
            return self._rules[0][1]


class SharedLoader:
    """Loads the settings at each call, and opens what they name when they have changed."""

    def __init__(self) -> None:
        self._latest: tuple[Settings, Shared] | None = None
        self._lock = Lock()

    def __call__(self) -> Shared:
        settings = refresh_settings()
        with self._lock:
            if self._latest is None or self._latest[0] != settings:
                start_log(settings)
                self._latest = settings, Shared.open(settings)
            return self._latest[1]
