"""Find the sanctions that a text names; `sanctions.toml` has their words."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path


@lru_cache(maxsize=4_000)
def find_sanctions(text: str) -> tuple[str, ...]:
    """The kinds of sanction that a text names, in a fixed order."""
    return tuple(kind for kind, pattern in _possible_sanctions(text) if pattern.search(text))


def find_sanction_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where a text names sanctions: start and end of each, in order."""
    found = (m.span() for _, pattern in _possible_sanctions(text) for m in pattern.finditer(text))
    return tuple(sorted(set(found)))


def _possible_sanctions(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns of the kinds of sanction whose letters occur in a text."""
    lower = text.lower()
    for kind, pattern, letters in _sanctions():
        if any(part in lower for part in letters):
            yield kind, pattern


@cache
def _sanctions() -> tuple[tuple[str, re.Pattern[str], list[str]], ...]:
    data = tomllib.loads((Path(__file__).parent / "sanctions.toml").read_text(encoding="utf-8"))
    flags = re.IGNORECASE | re.MULTILINE
    return tuple(
        (kind, re.compile("|".join(wordings), flags), data["letters"][kind])
        for kind, wordings in data["sanctions"].items()
    )
