"""The words of the screen (`core/language`), in the language of who reads it."""

from collections.abc import Iterable
from typing import TypeVar

import streamlit as st

from core.errors import ScrutineerError
from core.language import Language, find_language
from core.library import LibraryText
from server.read_once import read_once

Option = TypeVar("Option")
CHOSEN = "language"
"""The key of the language that a person chose in this tab."""


def language() -> Language:
    """The language chosen in this tab, else the browser's, else English."""
    chosen = st.session_state.get(CHOSEN)
    return read_once("language", lambda: find_language(chosen, st.context.locale))


def say(message: str, /, **values: str | int | None) -> str:
    """A message in the reader's language. Foreign text among the values has to be escaped."""
    return language().say(message, **values)


def say_each(beginning: str, options: Iterable[Option]) -> dict[Option, str]:
    return language().say_each(beginning, options)


def library_text() -> LibraryText:
    """What a library holds, in the reader's language."""
    return LibraryText(language())


def say_error(error: ScrutineerError) -> str:
    return language().say_error(error)
