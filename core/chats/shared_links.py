"""Chats that can be read by a link: as they were when they were shared, until that is ended."""

import secrets
from dataclasses import dataclass, replace

import sqlalchemy as sql

from core.chats.database import CONVERSATIONS, RUNS, SHARES
from core.chats.queries import ConversationQueries, SavedRun
from core.errors import LibraryError


@dataclass(frozen=True, slots=True)
class SharedChat:
    """A chat as it was at a time (ISO, UTC)."""

    title: str
    at: str
    runs: tuple[SavedRun, ...]


class SharedConversations(ConversationQueries):
    """The links to one person's conversations; whoever has a link may read what it shows."""

    def share_conversation(self, conversation_id: str) -> str:
        """Share a conversation as it is now, and return the secret of the link to it.

        An earlier link ends. Raises LibraryError `chats` if this person has no such conversation.
        """
        if self.find_conversation(conversation_id) is None:
            raise LibraryError("This chat was deleted, or is not yours.", code="chats")
        secret, at = secrets.token_urlsafe(24), self._now().isoformat(timespec="microseconds")
        values = {"secret": secret, "conversation_id": conversation_id, "at": at}
        with self._database.write_transaction() as connection:
            connection.execute(SHARES.delete().where(SHARES.c.conversation_id == conversation_id))
            connection.execute(SHARES.insert().values(values))
        return secret

    def find_share(self, conversation_id: str) -> str | None:
        """Return the secret of the link to a conversation of this person, if it is shared."""
        mine = sql.select(CONVERSATIONS.c.conversation_id).where(self._mine(conversation_id))
        query = sql.select(SHARES.c.secret).where(SHARES.c.conversation_id.in_(mine))
        return next((row.secret for row in self._database.fetch(query)), None)

    def stop_sharing(self, conversation_id: str) -> None:
        """End the link to a conversation of this person."""
        mine = sql.select(CONVERSATIONS.c.conversation_id).where(self._mine(conversation_id))
        self._database.execute(SHARES.delete().where(SHARES.c.conversation_id.in_(mine)))

    def read_shared(self, secret: str) -> SharedChat | None:
        """Return the chat that a link shows, of whichever person; None once that has ended."""
        query = (
            sql.select(SHARES, CONVERSATIONS.c.title)
            .join(CONVERSATIONS, CONVERSATIONS.c.conversation_id == SHARES.c.conversation_id)
            .where(SHARES.c.secret == secret, CONVERSATIONS.c.discarded_at == "")
        )
        row = next(iter(self._database.fetch(query)), None)
        if row is None:
            return None
        runs = []  # with what had happened when they were shared, without the person's feedback
        for run in self._runs(RUNS.c.conversation_id == row.conversation_id):
            if events := tuple(event for event in run.events if event.at <= row.at):
                runs.append(replace(run, events=events, thumb=None, reason=""))
        return SharedChat(row.title, row.at, tuple(runs))
