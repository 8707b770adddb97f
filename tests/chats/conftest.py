"""Chats in a database of their own, and an agent that answers from the Cup Rules."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.agent.loop import Agent
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import Conversations
from core.library.storage.library import Library
from tests.scale.services import DatabaseServer, missing_database


@pytest.fixture
def chats(tmp_path):
    return Conversations(f"sqlite:///{tmp_path / 'conversations.db'}")


@pytest.fixture(scope="session")
def agent(cup_rules):
    return Agent(Library(cup_rules), OfflineModel())


@pytest.fixture(scope="session")
def postgresql():
    """A PostgreSQL server of these tests, which makes databases."""
    if reason := missing_database():
        pytest.skip(reason)
    with TemporaryDirectory() as folder:  # not pytest's, which the server's account cannot enter
        server = DatabaseServer(Path(folder))
        yield server
        server.stop()
