"""The SQL tables of conversations, in SQLite or PostgreSQL, for many writers at once."""

import sqlalchemy as sql

from core.database import CleanText, SqlDatabase
from core.leases import lease_columns


def _key_of(owner: sql.Column[str], is_primary: bool = False) -> sql.Column[str]:
    """Return a column for the key of the row that a row belongs to, and is removed with."""
    key = sql.ForeignKey(owner, ondelete="CASCADE")
    return sql.Column(
        owner.name, CleanText, key, primary_key=is_primary, nullable=False, index=not is_primary
    )


METADATA = sql.MetaData()
CONVERSATIONS = sql.Table(
    "conversations",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("conversation_id", CleanText, nullable=False, unique=True),
    sql.Column("title", CleanText, nullable=False),
    sql.Column("created_at", CleanText, nullable=False),
    sql.Column("person", CleanText, nullable=False, server_default="", index=True),
    sql.Column("pinned", sql.Integer, nullable=False, server_default="0"),
    # When it was discarded, to be restored or removed for good; empty if it is listed.
    sql.Column("discarded_at", CleanText, nullable=False, server_default=""),
)
RUNS = sql.Table(
    "runs",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("run_id", CleanText, nullable=False, unique=True),
    _key_of(CONVERSATIONS.c.conversation_id),
    sql.Column("question", CleanText, nullable=False),
    sql.Column("outcome", CleanText),
    sql.Column("started_at", CleanText, nullable=False),
    sql.Column("updated_at", CleanText, nullable=False),
    sql.Column("owner", CleanText, nullable=False),
    sql.Column("pid", sql.Integer, nullable=False),
    sql.Column("host", CleanText, nullable=False),
    # 0 for an evaluation's: they do not count as a person's questions a minute.
    sql.Column("counted", sql.Integer, nullable=False, server_default="1"),
    # The person's feedback on the answer: 1, 0 or none, and why.
    sql.Column("thumb", sql.Integer),
    sql.Column("reason", CleanText, nullable=False, server_default=""),
)
EVENTS = sql.Table(
    "events",
    METADATA,
    _key_of(RUNS.c.run_id, is_primary=True),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("event", sql.Text, nullable=False),
)
CLEARANCES = sql.Table(
    "clearances",
    METADATA,
    # A person looked at an answer whose rules an issue (a document of the library) changed.
    _key_of(RUNS.c.run_id, is_primary=True),
    sql.Column("document_id", CleanText, primary_key=True),
    sql.Column("person", CleanText, nullable=False),
    sql.Column("at", CleanText, nullable=False),
)
SHARES = sql.Table(
    "shares",
    METADATA,
    # Whoever knows the secret may read the conversation as it was at this time.
    sql.Column("secret", CleanText, primary_key=True),
    _key_of(CONVERSATIONS.c.conversation_id),
    sql.Column("at", CleanText, nullable=False),
)
UPLOADS = sql.Table(
    "uploads",
    METADATA,
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("person", CleanText, nullable=False, index=True),
    sql.Column("at", CleanText, nullable=False),
)
TOKENS = sql.Table(
    "tokens",
    METADATA,
    # The SHA-256 of a token: who reads the database cannot enter by it.
    sql.Column("hash", CleanText, primary_key=True),
    sql.Column("name", CleanText, nullable=False),
    sql.Column("person", CleanText, nullable=False),
    sql.Column("created_at", CleanText, nullable=False),
    # What it opens: all that programs may ask, or feeds alone.
    sql.Column("scope", CleanText, nullable=False, server_default="programs"),
)


DELIVERIES = sql.Table(
    "deliveries",
    METADATA,
    # A new issue (a document of the library) that the webhook is told, or need not be.
    sql.Column("document_id", CleanText, primary_key=True),
    sql.Column("state", CleanText, nullable=False, index=True),
    sql.Column("tries", sql.Integer, nullable=False, server_default="0"),
    # When it is tried next, in seconds since the epoch.
    sql.Column("due", sql.Float, nullable=False, server_default="0"),
    # Why the last try failed, and when it was.
    sql.Column("message", CleanText, nullable=False, server_default=""),
    sql.Column("at", CleanText, nullable=False),
    *lease_columns(),
)


def is_last_event() -> sql.ColumnElement[bool]:
    """Return the condition for the last event of each run, in a query that joins both tables."""
    last = sql.select(sql.func.max(EVENTS.c.seq)).where(EVENTS.c.run_id == RUNS.c.run_id)
    return EVENTS.c.seq == last.correlate(RUNS).scalar_subquery()


class Database(SqlDatabase):
    """The tables of the conversations. Missing ones are created."""

    metadata = METADATA
    content = "conversations"
    conflict = (
        "This conversation was deleted or is being written from another window. Open it again."
    )

    def repair_orphans(self) -> tuple[int, int]:
        """Give runs without conversation one of their own; remove stray events and empty runs.

        Returns the number of runs moved and of rows removed.
        """
        homeless = RUNS.c.conversation_id.not_in(sql.select(CONVERSATIONS.c.conversation_id))
        stray = EVENTS.c.run_id.not_in(sql.select(RUNS.c.run_id))
        empty = RUNS.c.run_id.not_in(sql.select(EVENTS.c.run_id))
        columns = RUNS.c.conversation_id, RUNS.c.question, RUNS.c.started_at
        with self.write_transaction() as connection:
            removed = connection.execute(EVENTS.delete().where(stray)).rowcount
            removed += connection.execute(RUNS.delete().where(empty)).rowcount
            lost = connection.execute(sql.select(*columns).where(homeless)).all()
            for row in {row.conversation_id: row for row in lost}.values():
                values = {
                    "conversation_id": row.conversation_id,
                    "title": row.question,
                    "created_at": row.started_at,
                }
                connection.execute(CONVERSATIONS.insert().values(values))
        return len(lost), removed

    def find_missing_events(self) -> list[tuple[str, int, int]]:
        """Find runs that lack events, numbered from 1: run id, count, and number of the last."""
        first, last = sql.func.min(EVENTS.c.seq), sql.func.max(EVENTS.c.seq)
        count = sql.func.count()
        query = sql.select(EVENTS.c.run_id, count, last).group_by(EVENTS.c.run_id)
        rows = self.fetch(query.having((first != 1) | (last != count)))
        return [(run_id, found, number) for run_id, found, number in rows]
