"""Links to chats: what they show, for whom, and when they end."""

import pytest

from core.agent.loop import Request
from core.chats.quota import Quota
from core.errors import LibraryError


def ask(agent, chats, chat, question):
    return list(chats.save_events(chat, agent.ask(Request(question))))


def test_a_link_shows_the_chat_as_it_was_until_it_ends(agent, chats):
    chat = chats.start_conversation("Pit lane")
    ask(agent, chats, chat, "What is the speed limit in the pit lane?")
    secret = chats.share_conversation(chat)
    ask(agent, chats, chat, "How many sets of Prime tyres?")
    shared = chats.read_shared_chat(secret)
    assert (shared.title, len(shared.runs)) == ("Pit lane", 1)
    assert shared.runs[0].events == chats.list_runs(chat)[0].events
    assert chats.find_share(chat) == secret
    chats.stop_sharing(chat)
    assert chats.read_shared_chat(secret) is None
    assert chats.find_share(chat) is None


def test_a_new_link_ends_the_one_before(agent, chats):
    chat = chats.start_conversation("Pit lane")
    first, second = chats.share_conversation(chat), chats.share_conversation(chat)
    assert chats.read_shared_chat(first) is None
    assert chats.read_shared_chat(second) is not None


def test_others_read_by_the_link_and_cannot_share_or_stop(chats):
    theirs = chats.for_person("somebody", Quota())
    chat = chats.start_conversation("Pit lane")
    with pytest.raises(LibraryError, match="not yours"):
        theirs.share_conversation(chat)
    secret = chats.share_conversation(chat)
    theirs.stop_sharing(chat)
    assert theirs.find_share(chat) is None
    assert theirs.read_shared_chat(secret).title == "Pit lane"


def test_a_deleted_chat_is_shared_no_longer(chats):
    chat = chats.start_conversation("Pit lane")
    secret = chats.share_conversation(chat)
    chats.discard_conversation(chat)
    assert chats.read_shared_chat(secret) is None
    assert chats.read_shared_chat("guessed") is None
