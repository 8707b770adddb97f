"""Which chat and citation a tab of a browser shows, beside what the browser says that it shows.

Messages that a browser sent before it learned of a new address still name the old one.
"""

from dataclasses import dataclass, field

from core.chats.conversations import new_conversation_id


@dataclass(slots=True)
class TabAddress:
    """What a tab shows. `blank` is the id of the chat that begins with the next question in it."""

    chat: str | None = None
    citation: str | None = None
    """A run and the number of its citation: "4f1c.2"."""
    blank: str = field(default_factory=new_conversation_id)
    left: str | None = None
    """The chat that the browser named when another was opened by the session."""
    is_unconfirmed: bool = False
    """The browser has not named the opened chat yet."""
    just_opened: bool = False
    """The chat was opened in this very run of the script."""
    drawn: str | None = None
    """The chat that is drawn."""
    is_in_second_place: bool = False
    """It has the second of two places, which chats take in turn."""

    def follow(self, named: str | None, is_certain: bool) -> None:
        """Show the chat that the browser names, unless that name is of an old message.

        `is_certain` is true where the reader went back or forward, or followed a link.
        """
        is_new = not self.just_opened and named != self.chat
        is_stale = named is None or (self.is_unconfirmed and named == self.left)
        if is_certain or (is_new and not is_stale):
            if named != self.chat:
                self.chat, self.blank = named, new_conversation_id()
            self.is_unconfirmed = False
        elif not self.just_opened and not is_new:
            self.is_unconfirmed = False
        self.just_opened = False

    def open(self, chat: str | None, named: str | None) -> bool:
        """Show this chat, or an empty one, while the browser names another; False if it is shown.

        Its citation is closed.
        """
        if chat and chat == self.chat:
            return False
        self.left, self.chat, self.blank = named, chat, new_conversation_id()
        self.is_unconfirmed = self.just_opened = True
        self.citation = None
        return True

    def take_place(self, chat: str) -> bool:
        """Note that a chat is drawn; True in the second place: not where the one before was."""
        if chat != self.drawn:
            self.drawn, self.is_in_second_place = chat, not self.is_in_second_place
        return self.is_in_second_place

    @property
    def opened_citation(self) -> tuple[str, int] | None:
        """The id of a run and the number of its citation; None for anything else."""
        run_id, _, number = (self.citation or "").partition(".")
        return (run_id, int(number)) if number.isdigit() else None
