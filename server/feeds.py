"""Feeds for feed readers, which bring a token of their own scope in the address."""

import logging
from collections.abc import Callable
from email.utils import format_datetime, parsedate_to_datetime
from functools import lru_cache

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from core.chats import may_enter
from core.errors import ScrutineerError
from core.exports import Feed
from core.language import Language, find_language
from core.library import Library, RuleAddress
from core.program import COMMAND
from core.registers import list_layer_notes
from core.settings import Settings, refresh_settings
from server import door, shared
from server.rules import split_path

_THREADS = CapacityLimiter(2)
"""Feeds that are made at once: readers wait, and pages do not wait for them."""
_log = logging.getLogger("scrutineer.feeds")
_HEADERS = {"Cache-Control": "private, max-age=300", "Vary": "Accept-Language"}


async def send_changes(request: Request) -> Response:
    """Reply with what the last issues changed."""
    return await to_thread.run_sync(_reply, request, _write_changes, limiter=_THREADS)


async def send_rule(request: Request) -> Response:
    """Reply with the changes of the rule at an address."""
    return await to_thread.run_sync(_reply, request, _write_rule, limiter=_THREADS)


Write = Callable[[Request, Library, str, Language], Feed | str]


def _reply(request: Request, write: Write) -> Response:
    wanted = request.headers.get("accept-language", "").partition(",")[0].partition(";")[0]
    language = find_language(None, wanted)
    try:
        settings = refresh_settings()
        is_let_in = _has_token(request, settings)
    except ScrutineerError as error:  # which may name places of this machine: not for strangers
        _log.error("A feed could not be sent: %s", error)
        return PlainTextResponse(language.say("feed-broken"), 503)
    if not is_let_in:
        return PlainTextResponse(language.say("feed-token", command=COMMAND), 403)
    try:
        server = settings.server_address or _name_server(request)
        library = shared.shared_library(settings)
        with library.pin_state():
            feed = write(request, library, server, language)
    except ScrutineerError as error:
        return PlainTextResponse(language.say_error(error), 503)
    if isinstance(feed, str):
        return PlainTextResponse(feed, 404)
    modified = format_datetime(feed.updated, usegmt=True)
    headers = {**_HEADERS, "ETag": feed.etag, "Last-Modified": modified}
    if _is_known(request, feed):
        return Response(status_code=304, headers=headers)
    return Response(feed.data, headers=headers, media_type="application/atom+xml")


def _has_token(request: Request, settings: Settings) -> bool:
    secret = request.query_params.get("token", "")
    token = shared.tokens(settings).find_token(secret, "feeds") if secret else None
    return token is not None and may_enter(token.name, settings.people)


def _name_server(request: Request) -> str:
    """Return where the reader reaches this server, with the base of its paths."""
    below = request.scope["path"].partition(RuleAddress.PREFIX)[0].removesuffix(door.CHANGES_FEED)
    return f"{request.url.scheme}://{request.url.netloc}{below}"


def _is_known(request: Request, feed: Feed) -> bool:
    """True if the reader has the feed as it is; its tag counts before its time (RFC 9110)."""
    if tags := request.headers.get("if-none-match"):
        known = {tag.strip().removeprefix("W/") for tag in tags.split(",")}
        return not known.isdisjoint((feed.etag, "*"))
    try:
        since = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
    except ValueError:
        return False
    return since.tzinfo is not None and feed.updated <= since


def _write_changes(_request: Request, library: Library, server: str, language: Language) -> Feed:
    return _keep_changes(_State(library), server, language)


class _State:
    """A library for a cache, which knows it by its state."""

    def __init__(self, library: Library) -> None:
        self.library, self._state = library, library.state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _State) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)


@lru_cache(maxsize=8)
def _keep_changes(state: _State, server: str, language: Language) -> Feed:
    return Feed.of_changes(state.library, server, language)


def _write_rule(request: Request, library: Library, server: str, language: Language) -> Feed | str:
    """Return the feed of a rule, or the sentence why there is none."""
    address = RuleAddress.parse(split_path(request)[1].removesuffix(door.FEED_ENDING))
    if address is None:
        return language.say("address-short")
    found = address.find(library)
    if found.candidates:
        return language.say("feed-choose")
    if found.clause is None:
        named = {"family": address.family, "season": address.season, "article": address.article}
        held, issue = ", ".join(found.held), address.issue or ""
        return language.say(f"address-lacks-{found.lacks}", held=held, issue=issue, **named)
    clause, layers = found.clause, {}
    for note in list_layer_notes(library).get(clause.clause_id, ()):
        other = library.clause(note.clause_id)
        if other and other.document_id != clause.document_id and note.kind != "overrides":
            layers[other] = language.translate(note.caution), note.said
    return Feed.of_rule(library, clause, server, language, layers)
