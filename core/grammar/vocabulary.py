"""The words and units that the readers of texts share; `vocabulary.toml` is the data."""

import re
import tomllib
import unicodedata
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.grammar.text_language import FREQUENT_WORDS, detect_language

_FILE = Path(__file__).with_name("vocabulary.toml")
VOCABULARY: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"), parse_float=Decimal)


class StopWords(frozenset[str]):
    """Words that say nothing of the subject. Negations ("not", "no", "without") are not included.

    They are those of English; `by_language` has the most frequent words of other languages.
    """

    by_language = FREQUENT_WORDS

    def of(self, text: str) -> frozenset[str]:
        """Return them with the frequent ones of a text's own language."""
        language = detect_language(text)
        return self if language in (None, "en") else self | self.by_language[language]


STOP_WORDS = StopWords(VOCABULARY["stop_words"].split())


def fold_accents(text: str) -> str:
    """Return a text in lower case without accents: "parc ferme" for "Parc Fermé"."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))


def split_entries(entries: str) -> tuple[str, ...]:
    """Return the entries of a list, which commas part and which may go over several lines."""
    return tuple(filter(None, (" ".join(one.split()) for one in re.split(r",\s", entries))))


def list_words(*names: str) -> tuple[str, ...]:
    """Return the words of one or several lists. Raises KeyError for a list that is not there."""
    return tuple(word for name in names for word in split_entries(VOCABULARY["words"][name]))


def any_word(*names: str) -> str:
    """Return a regular expression for any word of one or several lists: "must|shall|has to"."""
    return "|".join(list_words(*names))
