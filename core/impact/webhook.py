"""New issues posted to a webhook: what each changed, as `{"text": ...}`, which Slack takes.

Labels, numbers and titles of rules leave, and no other words of a document; nothing of a person.
Where it is posted is a setting, and nothing of a document or a reply leads elsewhere.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

import httpx2

from core.chats import Deliveries
from core.errors import LibraryError, ScrutineerError
from core.language import ENGLISH
from core.library import Document, Library, RuleAddress, read_lineage
from core.sanitize import strip_control_characters
from core.settings import Settings

PAUSES: Final = (60.0, 300.0, 1800.0, 7200.0, 21_600.0, 43_200.0)
"""Seconds after each failed try; after the last one none follows."""
MAX_TEXT = 1900
"""Letters: Discord takes 2,000."""
_NEWS_DAYS = 3
"""An issue that was added before that is no news, as after a time without a webhook."""
_SECONDS = 10.0  # for a connection, and between two parts of a reply
_WORD_JOINER = "\N{WORD JOINER}"
_log = logging.getLogger("scrutineer.webhook")


def escape_message(text: str) -> str:
    """Return a text of others for a chat: it mentions nobody, links nothing and is one line.

    Slack's own signs are escaped as Slack says; an invisible letter parts what any chat would take
    for a mention, an address or a link ("@here", "a.example", "[a](b)").
    """
    plain = " ".join(strip_control_characters(text).split())
    for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        plain = plain.replace(sign, escaped)
    for sign in ("@", "#", "](", "://"):
        plain = plain.replace(sign, _WORD_JOINER.join((*sign, "")))
    letters = zip(plain, f"{plain[1:]} ", strict=True)
    return "".join(
        f"{one}{_WORD_JOINER}" if one == "." and after.isalpha() else one for one, after in letters
    )


def format_message(library: Library, document: Document, server: str | None) -> str:
    """Return what a new issue changed, as plain lines with the addresses of the rules.

    Without a `server`, "https://rules.example", no address is in it.
    """
    editions = library.list_editions(document)
    place = editions.index(document)
    label = escape_message(document.citation_label)
    if not place:
        return f"New in the library: {label}, {document.clauses} clauses."
    before = editions[place - 1]
    changed, dropped = read_lineage(library, document).list_changes(
        before.document_id, document.document_id
    )
    head = (
        f"New issue: {label}. Compared with {escape_message(before.citation_label)}:"
        f" {len(changed)} rules changed or new, {len(dropped)} dropped."
    )
    titles = {
        clause.clause_id: (number, clause.title)
        for one in (before, document)
        for number, clause in enumerate(library.clauses(one.document_id))
    }
    brought = ("place-added", "wording-changed")
    rows = [(document, step, brought[step.place != "added"]) for step in changed]
    rows += [(before, step, "place-removed") for step in dropped]
    rows.sort(key=lambda row: (row[0] is before, titles[row[1].clause_id]))
    return _join_lines(
        head,
        [
            " ".join(
                (
                    f"• {escape_message(f'{step.article} {titles[step.clause_id][1]}'.strip())}:",
                    ENGLISH.say(how),
                    server + RuleAddress.of(edition, step.article).path if server else "",
                )
            ).rstrip()
            for edition, step, how in rows
        ],
    )


def _join_lines(head: str, lines: Sequence[str]) -> str:
    """Return as many lines as a message takes, and how many there are more."""
    text, room = head[:MAX_TEXT], MAX_TEXT - 40
    for number, line in enumerate(lines):
        if len(text) + len(line) > room:
            return f"{text}\n… and {len(lines) - number} more."
        text += f"\n{line}"
    return text


class Webhook(threading.Thread):
    """A thread that posts each new issue once, until the process ends.

    Several servers with one database share the work: each issue is posted by one of them.
    """

    INTERVAL: Final = 15.0  # seconds

    def __init__(
        self, library: Library, settings: Settings, pauses: Sequence[float] = PAUSES
    ) -> None:
        super().__init__(name="webhook", daemon=True)
        self._library, self._pauses, self._server = library, pauses, settings.server_address
        self._url = settings.webhook_url.get_secret_value() if settings.webhook_url else ""
        self._deliveries = Deliveries(settings.conversations_url)

    def run(self) -> None:
        while True:
            with suppress(ScrutineerError):  # library or database may be back at the next look
                self.post_new()
            time.sleep(self.INTERVAL)

    @staticmethod
    def describe_failures(settings: Settings, library: Library) -> Iterator[str]:
        """Yield a sentence for each new issue that the webhook has not taken; none without one."""
        if settings.webhook_url is None:
            return
        labels = {one.document_id: one.label for one in library.documents()}
        for one in Deliveries(settings.conversations_url).list_deliveries(("waiting", "failed")):
            if one.message and one.document_id in labels:
                then = "it is tried again" if one.state == "waiting" else "it is not tried again"
                which = f"{labels[one.document_id]} ({one.at}, try {one.tries})"
                yield f"The webhook has not taken {which}: {one.message}; {then}."

    def post_new(self) -> None:
        """Post the issues that are due."""
        since = datetime.now(UTC) - timedelta(days=_NEWS_DAYS)
        real = {d.document_id: d.added_at for d in self._library.documents() if not d.is_sample}
        self._deliveries.queue_new(real, since.isoformat(timespec="seconds"))
        while claimed := self._deliveries.claim():
            lease, delivery = claimed
            with lease.keep():
                try:
                    document = self._library.document(delivery.document_id)
                except LibraryError as error:
                    if error.code != "unknown_document":
                        raise
                    self._deliveries.end(lease, "skipped")  # it was removed meanwhile
                    continue
                trouble = self._post(format_message(self._library, document, self._server))
            if not trouble:
                self._deliveries.end(lease, "sent")
                continue
            tries = delivery.tries + 1
            pause = self._pauses[tries - 1] if tries <= len(self._pauses) else None
            self._deliveries.postpone(lease, trouble, tries, pause)
            _log.warning("The webhook did not take an issue: %s", trouble)

    def _post(self, text: str) -> str:
        """Post a text; return why it was not taken, else "". The reply is not read."""
        try:
            with (
                httpx2.Client(timeout=_SECONDS, follow_redirects=False) as client,
                client.stream("POST", self._url, json={"text": text}) as reply,
            ):
                status = reply.status_code
        except httpx2.TimeoutException:
            return f"it did not answer within {_SECONDS:.0f} seconds"
        except httpx2.HTTPError as error:  # whose words may hold the address, a secret
            return f"it cannot be reached ({type(error).__name__})"
        if 200 <= status < 300:
            return ""
        if 300 <= status < 400:
            return f"it leads elsewhere (status {status}), which is not followed"
        return f"it answered with status {status}"
