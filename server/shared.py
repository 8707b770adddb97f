"""What all visitors share: one library, worker and database of chats for all pages of a server.

Nothing personal is here. Streamlit's own cache will not do: any connected browser may clear it for
everybody.
"""

import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from threading import RLock, Thread
from typing import Any, TypeVar

from core.agent import make_model
from core.chats import ActiveRuns, Conversations, Quota, Tokens
from core.errors import ScrutineerError
from core.evaluation import BackgroundEvaluation, EvaluationStore
from core.impact import FolderWatch, Webhook
from core.library import IngestWorker, Library, UploadQueue
from core.settings import Settings
from core.sheets import complete_library

Made = TypeVar("Made")

_shared: dict[tuple[str, str], Any] = {}
_locks = {
    kind: RLock()
    for kind in "library ingest watch webhook chats tokens runs evaluation model".split()
}
"""One for each kind: a database that is slow to open keeps nobody from the library."""


def _share(kind: str, source: object, make: Callable[[], Made]) -> Made:
    """Make one object of a kind for each source, and keep it for the life of the process."""
    key = kind, repr(source)
    with _locks[kind]:
        if key not in _shared:
            _shared[key] = make()
        made: Made = _shared[key]
    return made


@cache
def freeze_loaded_objects() -> None:
    """Exclude what the first page loaded from later garbage collections, which took a second."""
    gc.collect()
    gc.freeze()


def forget_shared() -> None:
    """Make all anew when it is asked for: a test has a data folder of its own."""
    _shared.clear()


def _without_key(settings: Settings) -> Settings:
    """The settings without what belongs to one session: its API key."""
    folder = settings.data_dir.absolute()
    return settings.model_copy(update={"data_dir": folder, "anthropic_api_key": None})


def shared_library(settings: Settings) -> Library:
    settings = _without_key(settings)
    return _share("library", settings, lambda: Library.open(settings))


def ingest_worker(settings: Settings) -> IngestWorker:
    """The worker that adds the queued files, whatever page is open."""
    settings = _without_key(settings)

    def make() -> IngestWorker:
        queue, library = UploadQueue.open(settings), shared_library(settings)
        return IngestWorker(queue, library, on_change=complete_library)

    return _share("ingest", settings, make)


def start_folder_watch(settings: Settings) -> None:
    """Add new files of the watched folder by themselves, if one is set, from now on.

    Their digests name the answers of the person at this machine alone.
    """
    settings = _without_key(settings)
    folder = settings.watch_dir
    if folder is not None:

        def start() -> FolderWatch:
            chats = Conversations(settings.conversations_url)
            watch = FolderWatch(shared_library(settings), chats, folder)
            watch.start()
            return watch

        _share("watch", settings, start)


def start_webhook(settings: Settings) -> None:
    """Post new issues to the webhook, if one is set, from now on, whether a page is open or not."""
    settings = _without_key(settings)
    if settings.webhook_url is not None:
        _share("webhook", settings, lambda: _start_webhook(settings))


def _start_webhook(settings: Settings) -> Webhook:
    webhook = Webhook(shared_library(settings), settings)
    webhook.start()
    return webhook


def start_model_import(settings: Settings) -> None:
    """Import the model's SDK, which takes seconds, while the first person reads the first page."""

    def import_model() -> None:
        with suppress(ScrutineerError):  # told to who asks first
            make_model(settings)

    if not settings.is_offline:
        _share("model", "", lambda: Thread(target=import_model, daemon=True).start())


def conversations(settings: Settings, person: str, batch: bool = False) -> Conversations:
    """The chats of a person by key. A `batch` of questions has no limit per minute.

    Raises SettingsError for a bad URL and LibraryError if the database does not open.
    """
    quota, url = Quota.from_settings(settings), settings.conversations_url
    chats = _share("chats", url, lambda: Conversations(url))
    return chats.for_person(person, replace(quota, questions_a_minute=None) if batch else quota)


def tokens(settings: Settings) -> Tokens:
    """The tokens of programs and feed readers. Raises as `conversations` does."""
    url = settings.conversations_url
    return _share("tokens", url, lambda: Tokens(url))


def active_runs() -> ActiveRuns:
    """The runs that this process works on, of every person."""
    return _share("runs", "", ActiveRuns)


def evaluations(settings: Settings, person: str) -> EvaluationStore:
    """The evaluations of a person by key."""
    return EvaluationStore(settings.data_dir.absolute() / EvaluationStore.FOLDER / person)


def evaluation_worker(settings: Settings, person: str) -> BackgroundEvaluation:
    """The worker on an evaluation of a person, whatever page is open."""
    store = evaluations(settings, person)
    return _share("evaluation", store.folder, lambda: BackgroundEvaluation(store))
