"""Tokens by which a person's programs enter: each is shown once, and kept as its hash alone."""

import json
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

import sqlalchemy as sql

from core.chats.database import TOKENS, Database
from core.errors import LibraryError

PREFIX = "scrutineer_"
"""Begins every token, so that one which was published by mistake is known for what it is."""
ID_LENGTH = 12
TokenScope = Literal["programs", "feeds"]
"""What a token opens: all that programs may ask, or feeds, whose readers show addresses."""


@dataclass(frozen=True, slots=True)
class Token:
    """`name` says who it is for, `person` whose chats and limits are used with it."""

    token_id: str
    name: str
    person: str
    created_at: str
    scope: TokenScope


class Tokens:
    """The tokens in the database of the chats, at a SQLAlchemy URL. Raises as `Database` does."""

    def __init__(self, url: str) -> None:
        self._database = Database(url)

    def make(self, name: str, person: str | None = None, scope: TokenScope = "programs") -> str:
        """Return a new token for a name; without a `person`, for the one of that name."""
        secret = PREFIX + secrets.token_urlsafe(32)
        values = {
            "hash": _hash(secret),
            "name": name,
            "person": person_of_name(name) if person is None else person,
            "created_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "scope": scope,
        }
        self._database.execute(TOKENS.insert().values(values))
        return secret

    def find_token(self, secret: str, scope: TokenScope = "programs") -> Token | None:
        """Return what is kept of a token.

        None for one that was never made, was removed, or opens something else.
        """
        is_it = (TOKENS.c.hash == _hash(secret)) & (TOKENS.c.scope == scope)
        rows = self._database.fetch(sql.select(TOKENS).where(is_it))
        return _token(rows[0]) if rows else None

    def list_tokens(self, scope: TokenScope | None = None) -> tuple[Token, ...]:
        """Return all tokens, or those of a scope, the oldest first."""
        query = sql.select(TOKENS).order_by(TOKENS.c.created_at, TOKENS.c.hash)
        query = query.where(TOKENS.c.scope == scope) if scope else query
        return tuple(map(_token, self._database.fetch(query)))

    def remove_token(self, token_id: str) -> Token:
        """Remove a token: who brings it is a stranger. Raises LibraryError `unknown_token`."""
        for token in self.list_tokens():
            if token.token_id == token_id:
                removed = TOKENS.c.hash.startswith(token_id, autoescape=True)
                self._database.execute(TOKENS.delete().where(removed))
                return token
        raise LibraryError(f"There is no token {token_id[:80]}.", code="unknown_token")


def person_of_name(name: str) -> str:
    """Return the key of a person who is known by a name alone, and not by a login."""
    return sha256(json.dumps(["token", name.strip().casefold()]).encode()).hexdigest()


def may_enter(name: str, people: Collection[str] | None) -> bool:
    """True if an e-mail address or its domain is among the people; None is everybody."""
    known = name.strip().casefold()
    allowed = {entry.strip().casefold() for entry in people or ()}
    return people is None or not allowed.isdisjoint((known, f"@{known.rpartition('@')[2]}"))


def _hash(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def _token(row: sql.Row[Any]) -> Token:
    return Token(row.hash[:ID_LENGTH], row.name, row.person, row.created_at, row.scope)
