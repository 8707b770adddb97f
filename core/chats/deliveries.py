"""Which issues were told to the webhook, which wait, and why one could not be told yet.

They are rows beside the chats, so that they outlive a restart and several servers share them: who
tells an issue holds a lease on its row.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import sqlalchemy as sql

from core.chats.database import DELIVERIES, Database
from core.database import EpochNow
from core.leases import Lease, Leases

_BEGINNING = ""
"""The row of no document: it says that the documents of a library were looked at once."""
DeliveryState = Literal["waiting", "sent", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class Delivery:
    """An issue and the webhook; `message` says why the last try failed, `at` when, as ISO time."""

    document_id: str
    state: DeliveryState
    tries: int
    message: str
    at: str


class Deliveries:
    """The deliveries in the database of the chats, at a SQLAlchemy URL. Raises as `Database`."""

    def __init__(self, url: str) -> None:
        self._database = Database(url)
        self._leases = Leases(self._database, DELIVERIES)

    def queue_new(self, documents: Mapping[str, str], since: str) -> None:
        """Queue the documents that were not seen before, by their ids and when they were added.

        At the very first call none is, and later none that was added before an ISO time.
        """
        with self._database.write_transaction() as connection:
            known = set(connection.scalars(sql.select(DELIVERIES.c.document_id)))
            new = {} if known else {_BEGINNING: ""}
            new |= {key: added for key, added in documents.items() if key not in known}
            for key, added in new.items():
                state = "waiting" if known and added >= since else "skipped"
                row = {"document_id": key, "state": state, "at": _now()}
                connection.execute(DELIVERIES.insert().values(row))

    def claim(self) -> tuple[Lease, Delivery] | None:
        """Take an issue that is due and that nobody tells now; None where there is none."""
        is_due = (DELIVERIES.c.state == "waiting") & (DELIVERIES.c.due <= EpochNow())
        lease = self._leases.claim(is_due, DELIVERIES.c.due)
        if lease is None:
            return None
        query = sql.select(DELIVERIES).where(DELIVERIES.c.document_id == lease.key)
        [row] = self._database.fetch(query)
        return lease, _delivery(row)

    def list_deliveries(self, states: Collection[DeliveryState]) -> tuple[Delivery, ...]:
        """Return the deliveries in some states, the latest first."""
        query = sql.select(DELIVERIES).where(DELIVERIES.c.state.in_(states))
        rows = self._database.fetch(query.order_by(DELIVERIES.c.at.desc()))
        return tuple(map(_delivery, rows))

    @staticmethod
    def end(lease: Lease, state: DeliveryState) -> None:
        """Note that an issue was told or need not be; one whose end is not noted is told again."""
        lease.release(state=state, message="", at=_now())

    @staticmethod
    def postpone(lease: Lease, message: str, tries: int, pause: float | None) -> None:
        """Note why a try failed; the next is after a pause in seconds, and None without one."""
        values = {"tries": tries, "message": message, "at": _now()}
        if pause is None:
            lease.release(state="failed", **values)
        else:
            lease.release(due=EpochNow() + pause, **values)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _delivery(row: sql.Row[tuple[object, ...]]) -> Delivery:
    return Delivery(row.document_id, row.state, row.tries, row.message, row.at)
