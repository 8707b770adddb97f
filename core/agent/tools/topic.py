"""The topic of a question: its words without those that ask or that name a rulebook."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.grammar import stem_words
from core.library import Scope, content_words, coverage, parse_query_filters
from core.rulebook import Clause

MIN_TOPIC_COVERAGE = 2 / 3
"""Share of a topic's words that a clause on it contains."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The words of a question on its topic, by stem."""

    query: str
    words: Mapping[str, str]

    def matches_clause(self, clause: Clause) -> bool:
        """True where a clause and the headings above it contain most of the words or synonyms."""
        text = " ".join((*clause.breadcrumb, clause.title, clause.text))
        return coverage(self.words, text) >= MIN_TOPIC_COVERAGE


def drop_title_words(text: str, scope: Scope) -> dict[str, str]:
    """Return the content words of a text, by stem, without words of document titles."""
    titles = stem_words(" ".join(document.title for document in scope.documents))
    return {stem: word for stem, word in content_words(text).items() if stem not in titles}


def extract_topic(query: str, scope: Scope) -> Topic:
    text = parse_query_filters(query, scope.documents).remaining_text
    own = drop_title_words(text, scope) or content_words(text)
    words = [word for word in text.split() if stem_words(word) & own.keys()]
    return Topic(" ".join(words) or query, own)
