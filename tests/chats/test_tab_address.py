"""Which chat a tab shows, without a browser."""

from core.chats import TabAddress


def test_a_tab_follows_the_browser_to_another_chat():
    tab = TabAddress()
    blank = tab.blank
    tab.follow("a", is_certain=False)
    assert tab.chat == "a"
    assert tab.blank != blank
    tab.follow(None, is_certain=False)  # a message that names no chat closes none
    assert tab.chat == "a"
    tab.follow(None, is_certain=True)  # back to the empty chat
    assert tab.chat is None


def test_an_opened_chat_stays_though_late_messages_name_the_one_before():
    tab = TabAddress("a")
    assert tab.open("b", "a")
    assert not tab.open("b", "b")
    for _ in range(2):
        tab.follow("a", is_certain=False)
        assert tab.chat == "b"
        assert tab.is_unconfirmed
    tab.follow("b", is_certain=False)
    assert not tab.is_unconfirmed
    tab.follow("a", is_certain=False)
    assert tab.chat == "a"


def test_a_link_followed_at_once_is_no_late_message():
    tab = TabAddress("a")
    tab.open(None, "a")
    tab.follow("a", is_certain=True)
    assert tab.chat == "a"
    assert not tab.is_unconfirmed


def test_chats_take_two_places_in_turn():
    tab = TabAddress()
    assert [tab.take_place(chat) for chat in "aabca"] == [True, True, False, True, False]


def test_a_citation_is_a_run_and_a_number_and_closes_with_its_chat():
    tab = TabAddress("a", "run.2")
    assert tab.opened_citation == ("run", 2)
    assert TabAddress("a", "anything").opened_citation is None
    tab.open("b", "a")
    assert tab.opened_citation is None
