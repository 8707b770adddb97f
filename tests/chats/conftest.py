"""Chats in a database of their own, and an agent that answers from the Cup Rules."""

import pytest

from core.agent.loop import Agent
from core.agent.models.offline.model import OfflineModel
from core.chats.conversations import Conversations
from core.library.storage.library import Library


@pytest.fixture
def chats(tmp_path):
    return Conversations(f"sqlite:///{tmp_path / 'conversations.db'}")


@pytest.fixture(scope="session")
def agent(cup_rules):
    return Agent(Library(cup_rules), OfflineModel())
