"""The entry that defines the term that a question asks for the meaning of."""

import re
from collections.abc import Iterable

from core.agent.question import Question
from core.grammar import any_cue, stem_words, strip_marker
from core.verification import Source

_ENTRY = re.compile(
    r"^\W*(?P<term>[^:.;]{1,80}?)[”\"’']?(?:\s*\([^)]*\))?\s*"
    rf"(?::|\s[–-]\s|\b(?:{any_cue('definition')}|"
    rf"(?:{any_cue('copula')}) (?:{any_cue('determiner')}))\b)"
)
"""The beginning of an entry of a list of terms, or of a sentence that says what a term means."""
_ARTICLES = stem_words("a an the")


def find_definition(question: Question, sources: Iterable[Source]) -> tuple[Source, str] | None:
    """Return the first clause that defines the term, with the line that does; None without one.

    A term is defined by a line that begins with it, and with what comes between a term and its
    meaning. All words of the question but those of asking belong to it.
    """
    term = stem_words(question.term)
    if not term or question.kinds:
        return None
    for source in sources:
        for line in source.text.splitlines():
            entry = _ENTRY.match(strip_marker(line))
            if entry and stem_words(entry["term"]) - _ARTICLES == term:
                return source, line
    return None
