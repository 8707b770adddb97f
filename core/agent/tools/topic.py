"""What a question is about, without the words that ask and those that name rulebooks. It searches nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.agent.text.stems import content_words, coverage, stem_words
from core.library import Scope, expand_query, parse_query_filters
from core.rulebook import Clause

MIN_TOPIC_COVERAGE = 2 / 3
"""Share of a topic's words from which a clause is on it."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a question is about: its own words, and other wordings of them."""

    query: str
    wordings: tuple[Mapping[str, str], ...]

    def matches_clause(self, clause: Clause) -> bool:
        """True where a clause, with the headings above it, holds most of the words in one wording."""
        text = " ".join((*clause.breadcrumb, clause.title, clause.text))
        return any(coverage(words, text) >= MIN_TOPIC_COVERAGE for words in self.wordings)


def drop_title_words(text: str, scope: Scope) -> dict[str, str]:
    """The content words of a text, by stem, that stand in no title of the documents."""
    titles = stem_words(" ".join(document.title for document in scope.documents))
    return {stem: word for stem, word in content_words(text).items() if stem not in titles}


def extract_topic(query: str, scope: Scope) -> Topic:
    """The topic of a question, without the words that ask and those that name rulebooks."""
    rest = parse_query_filters(query, scope.documents).remaining_text
    telling = drop_title_words(rest, scope) or content_words(rest)
    others = (
        content_words(other.words) for other in expand_query(query, scope.documents).alternatives
    )
    asked = " ".join(word for word in rest.split() if stem_words(word) & telling.keys())
    return Topic(asked or query, tuple(filter(None, (telling, *others))))
