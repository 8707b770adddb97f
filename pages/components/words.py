"""The words of the screen in the reader's language. `pages/words` has a folder for each."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

import streamlit as st
from fluent.runtime import FluentBundle, FluentResource

from core.errors import ScrutineerError

Option = TypeVar("Option")

LANGUAGES = {"en": "English", "de": "Deutsch"}
CHOSEN = "language"
"""The key of the language that a person chose in this tab."""
WORDS_FOLDER = Path(__file__).parents[1] / "words"
_LOCALES = {"en": "en_GB", "de": "de"}


def language() -> str:
    """The language chosen in this tab, else the browser's, else English."""
    wanted = (st.session_state.get(CHOSEN), (st.context.locale or "").partition("-")[0].lower())
    return next((one for one in wanted if one in LANGUAGES), "en")


def locale() -> str:
    """The locale for numbers and dates, in the form of Babel."""
    is_american = language() == "en" and (st.context.locale or "").lower() == "en-us"
    return "en_US" if is_american else _LOCALES[language()]


def say(message: str, /, **values: str | int) -> str:
    """A message in the reader's language. Foreign text among the values has to be escaped."""
    return translate(language(), message, **values)


def say_each(beginning: str, options: Iterable[Option]) -> dict[Option, str]:
    """The names of options, each a message that begins alike and ends with the option."""
    return {option: say(f"{beginning}{option}") for option in options}


def say_error(error: ScrutineerError) -> str:
    """What an error says, in the reader's language where that has a sentence for its code."""
    return say_failure(f"{type(error).__name__}-{error.code}", error.message)


def say_failure(name: str, sentence: str) -> str:
    """What core says in English, by its own name in other languages (`core.ftl`)."""
    return say(name) if is_message(name) else sentence


def is_message(name: str) -> bool:
    return read_messages(language()).has_message(name)


def translate(language: str, message: str, /, **values: str | int) -> str:
    """A message in a language, for a thread that no reader is known to.

    Spaces in the name of a message stand for hyphens.
    """
    bundle = read_messages(language)
    pattern = bundle.get_message(message.replace(" ", "-")).value
    text, _ = bundle.format_pattern(pattern, values)
    return str(text)


@cache
def read_messages(language: str) -> FluentBundle:
    """All messages of a language. Its files together are one list."""
    bundle = FluentBundle([_LOCALES[language].replace("_", "-")], use_isolating=False)
    for file in sorted((WORDS_FOLDER / language).glob("*.ftl")):
        bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))
    return bundle
