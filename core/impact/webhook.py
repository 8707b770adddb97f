"""New issues posted to a webhook: what each changed, as `{"text": ...}`, which Slack takes.

Each is posted at least once: again where nobody can know whether it arrived, with the same
`Idempotency-Key`, by which a receiver knows it.

Labels, numbers and titles of rules leave, and no other words of a document; nothing of a person.
Where it is posted is a setting, and nothing of a document or a reply leads elsewhere.
"""

import logging
import re
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from core.chats import Deliveries
from core.errors import ScrutineerError
from core.language import ENGLISH
from core.library import Document, Library, RuleAddress, find_unassigned, read_lineage
from core.logs import log_failure
from core.sanitize import strip_control_characters
from core.settings import Settings

PAUSES: Final = (60.0, 300.0, 1800.0, 7200.0, 21_600.0, 43_200.0)
"""Seconds after each failed try; after the last one none follows."""
MAX_TEXT = 1900
"""Letters: Discord takes 2,000."""
_NEWS_DAYS = 3
"""An issue that was added before that is no news, as after a time without a webhook."""
_SECONDS = 10.0  # for a connection, and between two parts of a reply
_SETTLING = timedelta(days=1)
"""After it an issue is posted although its family was never decided: who added it was killed."""
_WORD_JOINER = "\N{WORD JOINER}"
_WIDE = {ord(sign): ord(sign) + 0xFEE0 for sign in "&<>*_`~|"}
_JOINED = re.compile(r"(?<=[@#])|(?<=\.)(?=[^\W\d_])|(?<=:)(?=\S)|(?<=\])(?=\()")
_log = logging.getLogger("scrutineer.webhook")


def escape_message(text: str) -> str:
    """Return a text of others for any chat: it mentions nobody, links nothing and is one line.

    Signs of mark-up become their wide forms, which look the same. An invisible letter parts what
    is a mention, an address, a link or a picture ("@here", "a.example", "[a](b)", ":smile:").
    """
    plain = " ".join(strip_control_characters(text).split()).translate(_WIDE)
    return _JOINED.sub(_WORD_JOINER, plain)


def format_message(library: Library, document: Document, server: str | None) -> str:
    """Return what a new issue changed, as plain lines with the addresses of the rules.

    Without a `server`, "https://rules.example", no address is in it.
    """
    before, changes = read_lineage(library, document).list_changes(library, document)
    label = escape_message(document.citation_label)
    if before is None:
        return f"New in the library: {label}, {document.clauses} clauses."
    dropped = sum(change.document is before for change in changes)
    head = (
        f"New issue: {label}. Compared with {escape_message(before.citation_label)}:"
        f" {len(changes) - dropped} rules changed or new, {dropped} dropped."
    )
    return _join_lines(
        head,
        [
            " ".join(
                (
                    f"• {escape_message(f'{change.article} {change.title}'.strip())}:",
                    ENGLISH.say(change.how),
                    server + RuleAddress.of(change.document, change.article).path if server else "",
                )
            ).rstrip()
            for change in changes
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
    """A thread that posts each new issue, until the process ends.

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
        self._assigned: set[str] = set()

    def run(self) -> None:
        while True:
            try:
                self.post_new()
            except ScrutineerError as error:  # library or database may be back at the next look
                _log.error("New issues cannot be posted now: %s", error)
            except Exception as error:  # noqa: BLE001  # nobody is above this thread
                log_failure(error, "a look at new issues")
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
        """Post the issues that are due. What fails for one is noted, and no other waits for it."""
        now = datetime.now(UTC)
        since = (now - timedelta(days=_NEWS_DAYS)).isoformat(timespec="seconds")
        settling = (now - _SETTLING).isoformat(timespec="seconds")
        real = {d.document_id: d.added_at for d in self._library.documents() if not d.is_sample}
        young = {key for key, added in real.items() if added >= settling}
        open_ones = find_unassigned(self._library, young - self._assigned)
        self._assigned |= young - open_ones
        self._deliveries.queue_new({key: real[key] for key in real.keys() - open_ones}, since)
        while claimed := self._deliveries.claim():
            lease, delivery = claimed
            with lease.keep():
                trouble = self._post_issue(delivery.document_id)
            if not trouble:
                self._deliveries.end(lease, "sent" if trouble is not None else "skipped")
                continue
            tries = delivery.tries + 1
            pause = self._pauses[tries - 1] if tries <= len(self._pauses) else None
            self._deliveries.postpone(lease, trouble, tries, pause)
            _log.warning("The webhook did not take an issue: %s", trouble)

    def _post_issue(self, document_id: str) -> str | None:
        """Post an issue; return why it was not taken, else "".

        None for one that need not be: it was removed meanwhile, or read again as rulings.
        """
        try:
            with self._library.pin_state():
                documents = {one.document_id: one for one in self._library.documents()}
                if document_id not in documents:
                    return None
                text = format_message(self._library, documents[document_id], self._server)
            return self._post(text, document_id)
        except ScrutineerError as error:
            return error.message.rstrip(".")
        except Exception as error:  # noqa: BLE001  # one issue holds no other up
            log_failure(error, "an issue for the webhook")
            return f"its message could not be made and sent ({type(error).__name__}, see the log)"

    def _post(self, text: str, key: str) -> str:
        """Post a text; return why it was not taken, else "". The reply is not read."""
        import httpx2

        try:
            with (
                httpx2.Client(timeout=_SECONDS, follow_redirects=False) as client,
                client.stream(
                    "POST",
                    self._url,
                    json={"text": text},
                    headers={"Idempotency-Key": f'"{key}"'},
                ) as reply,
            ):
                status = reply.status_code
        except (httpx2.ReadError, httpx2.ReadTimeout, httpx2.RemoteProtocolError) as error:
            silent = isinstance(error, httpx2.TimeoutException)
            how = f"did not answer within {_SECONDS:.0f} seconds" if silent else "broke off"
            return f"it {how} after the issue was sent, and may have taken it all the same"
        except httpx2.TimeoutException:
            return f"it did not answer within {_SECONDS:.0f} seconds"
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            return f"it cannot be reached ({type(error).__name__})"  # its words may hold a secret
        if 200 <= status < 300:
            return ""
        if 300 <= status < 400:
            return f"it leads elsewhere (status {status}), which is not followed"
        return f"it answered with status {status}"
