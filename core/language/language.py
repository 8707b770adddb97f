"""A language: its messages (Project Fluent, a folder each), its numbers and its days (CLDR).

What is said with foreign text in it is plain text: who draws it as Markdown escapes it.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TypeVar
from zoneinfo import ZoneInfo

from babel import Locale, dates
from babel.numbers import format_decimal, format_percent, get_decimal_symbol
from fluent.runtime import FluentBundle, FluentResource

from core.errors import ScrutineerError

Option = TypeVar("Option")

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Their names by the names of their folders."""
_LOCALES = {"en": "en_GB", "de": "de"}
LONGEST_LINE = 600
"""Letters of a line in which sentences of core are looked for: the worst so long takes 10 ms,
one of ten times as many a minute."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language, and the locale (in the form of Babel) by which it writes numbers and days."""

    code: str = "en"
    locale: str = "en_GB"

    def say(self, message: str, /, **values: str | int | None) -> str:
        """Return a message. Spaces in its name stand for hyphens; 0 stands for None (a page)."""
        bundle = _read_messages(self.code)
        pattern = bundle.get_message(message.replace(" ", "-")).value
        assert pattern, f"{message} has no words"
        known = {name: 0 if value is None else value for name, value in values.items()}
        text, _ = bundle.format_pattern(pattern, known)
        return str(text)

    def say_each(self, beginning: str, options: Iterable[Option]) -> dict[Option, str]:
        """Return the names of options, each a message that begins alike, with the option behind."""
        return {option: self.say(f"{beginning}{option}") for option in options}

    def translate(self, text: str) -> str:
        """Return English sentences of core in the language; other words stay as they are.

        A run keeps what core wrote into it in English. `sentences.toml` has the translations. Lines
        are said one by one: one that quotes ("> ...") or is longer than core writes any stays.
        """
        return "\n".join(map(self._translate_line, text.split("\n")))

    def _translate_line(self, text: str) -> str:
        if text.startswith(">") or len(text) > LONGEST_LINE:
            return text
        for pattern, sentence in _read_sentences(self.code):
            if found := pattern.match(text):
                values = {name: self._say_value(name, found[name]) for name in pattern.groupindex}
                rest = text[found.end() :]
                return sentence.format(**values) + found["space"] + self._translate_line(rest)
        return text

    def _say_value(self, name: str, value: str) -> str:
        """Return what a place of an English sentence has taken, by the beginning of its name."""
        if name.startswith("number"):
            return value.replace(".", get_decimal_symbol(self.locale))
        if name.startswith("article"):
            return re.sub(r"\bArticle\b", self.say("article"), value)
        return self.translate(value)

    def say_error(self, error: ScrutineerError) -> str:
        """Return what an error says, as the language words it if it has a sentence for its code."""
        return self.say_failure(f"{type(error).__name__}-{error.code}", error.message)

    def say_failure(self, name: str, sentence: str) -> str:
        """Return the message of this name (`core.ftl`), else the English sentence of a failure."""
        return self.say(name) if self.has_message(name) else sentence

    def has_message(self, name: str) -> bool:
        return bool(_read_messages(self.code).has_message(name))

    def name_language(self, code: str) -> str:
        """Return the name of another language by its ISO 639 code: "English"."""
        return str(Locale.parse(self.locale).languages.get(code, code))

    def format_number(self, number: float, pattern: str | None = None) -> str:
        """Return a number as the language writes it; `pattern` ("0.0") is of Unicode CLDR."""
        return str(format_decimal(number, pattern, locale=self.locale))

    def format_share(self, share: float) -> str:
        return str(format_percent(share, locale=self.locale))

    def format_score(self, score: float) -> str:
        return f"{self.format_number(score, '0.0')}/10"

    def format_seconds(self, value: float) -> str:
        if value < 0.95:
            return f"{value * 1000:.0f} ms"
        if value < 60:
            return f"{self.format_number(value, '0.0')} s"
        return f"{self.format_number(value / 60, '0.#')} min"

    def format_cost(self, dollars: float) -> str:
        return f"${self.format_number(dollars, '0.0000' if dollars < 0.1 else '0.00')}"

    def format_size(self, size: int) -> str:
        """Return a number of bytes: "1.2 MB"."""
        if size >= 100_000:
            return f"{self.format_number(size / 1_000_000, '0.0')} MB"
        return f"{size / 1000:.0f} kB"

    def format_day(self, day: date) -> str:
        """Return a day: "21 Nov 2026", or "Nov 21, 2026" in the United States."""
        return str(dates.format_date(day, "medium", locale=self.locale))

    def format_recent_day(self, day: date, today: date) -> str:
        """Return "Today", "Yesterday", or a day as `format_day` does."""
        name = {0: "today", 1: "yesterday"}.get((today - day).days)
        return self.say(name) if name else self.format_day(day)

    def format_time(self, time: datetime) -> str:
        """Return a time: "21 Nov 2026, 05:37", or "Nov 21, 2026, 5:37 AM" in the United States."""
        of_day = dates.format_time(time, "short", locale=self.locale)
        return f"{self.format_day(time.date())}, {of_day}"


ENGLISH = Language()


def to_zone(time: str, zone: str | None) -> datetime:
    """Return an ISO time (UTC if it names no zone) in a zone, "Europe/Paris"; else in UTC."""
    parsed = datetime.fromisoformat(time)
    parsed = parsed.replace(tzinfo=parsed.tzinfo or UTC)
    try:
        return parsed.astimezone(ZoneInfo(zone or "UTC"))
    except (KeyError, ValueError, OSError):  # sent by a browser: not a zone, or a folder of zones
        return parsed.astimezone(UTC)


def find_language(chosen: str | None, locale: str | None = None) -> Language:
    """Return the chosen language, else that of a browser's locale ("de-AT"), else English."""
    known = (chosen, (locale or "").partition("-")[0].lower())
    code = next((one for one in known if one in LANGUAGES), "en")
    is_american = code == "en" and (locale or "").lower() == "en-us"
    return Language(code, "en_US" if is_american else _LOCALES[code])


@cache
def _read_messages(code: str) -> FluentBundle:
    """Return all messages of a language. Its files together are one list."""
    bundle = FluentBundle([_LOCALES[code].replace("_", "-")], use_isolating=False)
    for file in sorted(Path(__file__).with_name(code).glob("*.ftl")):
        bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))
    return bundle


@cache
def _read_sentences(code: str) -> list[tuple[re.Pattern[str], str]]:
    """Return a pattern for each English sentence of core, with what a language says for it."""
    file = Path(__file__).with_name(code) / "sentences.toml"
    sentences = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return [(_compile_sentence(english), said) for english, said in sentences.items()]


def _compile_sentence(english: str) -> re.Pattern[str]:
    """Return a pattern of a sentence at the beginning of a text, a group for each of its places.

    A place at the beginning takes no end of a sentence, one at the end takes all that follows.
    """
    words = []
    for literal, name, *_ in Formatter().parse(english):
        words.append(re.escape(literal))
        if name:
            taken = r"(?:(?!\. ).)+?" if english.startswith(f"{{{name}}}") else ".*?"
            taken = ".+" if english.endswith(f"{{{name}}}") else taken
            taken = r"\d+(?:\.\d+)?" if name.startswith("number") else taken
            words.append(f"(?P<{name}>{taken})")
    return re.compile(rf"{''.join(words)}(?P<space>\s+|$)")
