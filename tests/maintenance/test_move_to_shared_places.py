"""From one machine to shared places and back, by a backup and a restore each way."""

import json
import zipfile

import pytest

from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import Conversations
from core.errors import LibraryError
from core.library import UploadQueue
from core.library.storage.library import Library
from core.maintenance.backups import backup, restore
from core.maintenance.checks import check
from core.settings import Settings
from tests.cup import add_cup_rules


@pytest.fixture
def alone(tmp_path):
    """A machine with a library, a chat and a file that waits."""
    settings = Settings(_env_file=None, data_dir=tmp_path / "alone")
    library, chats = Library.open(settings), Conversations(settings.conversations_url)
    add_cup_rules(library)
    question = Request("What is the speed limit in the pit lane?")
    chat = chats.start_conversation("Pit lane")
    list(chats.save_events(chat, Agent(library, OfflineModel()).ask(question)))
    UploadQueue.open(settings).enqueue("kart.pdf", b"%PDF-1.7 and more", "ada")
    return settings


@pytest.fixture
def shared(tmp_path):
    """A machine whose library and database others share."""
    return Settings(
        _env_file=None,
        data_dir=tmp_path / "one of several",
        library_url=str(tmp_path / "shared"),
        database_url=f"sqlite:///{tmp_path / 'shared.db'}",
    )


def hashes(archive):
    """The hashes of tables and files in a backup."""
    files = json.loads(zipfile.ZipFile(archive).read("contents.json"))["files"]
    return {name: digest for name, digest in files.items() if name != "conversations.db"}


def chats_of(settings):
    chats, jobs = Conversations(settings.conversations_url), UploadQueue.open(settings).list_jobs()
    return [chats.list_runs(chat.conversation_id) for chat in chats.list_conversations()], jobs


def test_nothing_changes_on_the_way_to_shared_places_and_back(alone, shared, tmp_path):
    there, back = tmp_path / "there.zip", tmp_path / "back.zip"
    backup(alone, there)
    restore(shared, there)
    assert chats_of(shared) == chats_of(alone)
    assert Library.open(shared).documents() == Library.open(alone).documents()
    backup(shared, back)
    again = Settings(_env_file=None, data_dir=tmp_path / "again")
    restore(again, back)
    assert hashes(there) == hashes(back)
    assert chats_of(again) == chats_of(alone)
    assert list(check(again)) == list(check(shared)) == []


def test_a_restore_goes_into_empty_places_only(alone, shared, tmp_path):
    backup(alone, tmp_path / "all.zip")
    Conversations(shared.conversations_url).start_conversation("Another")
    with pytest.raises(LibraryError, match="in the database already"):
        restore(shared, tmp_path / "all.zip")
    add_cup_rules(Library.open(shared))
    elsewhere = {"data_dir": tmp_path / "other", "database_url": f"sqlite:///{tmp_path}/new.db"}
    other = shared.model_copy(update=elsewhere)
    with pytest.raises(LibraryError, match="There is a library in"):
        restore(other, tmp_path / "all.zip")
    assert len(Library.open(shared).documents()) == 2


def test_a_restore_that_was_killed_is_begun_again(alone, shared, tmp_path):
    backup(alone, tmp_path / "all.zip")
    library = Library.open(shared)
    library.place.files_in("restore").write("unfinished", b"")
    library.place.files_in("index").write("clauses.lance/half", b"half")
    restore(shared, tmp_path / "all.zip")
    assert chats_of(shared) == chats_of(alone)
    assert list(check(shared)) == []
