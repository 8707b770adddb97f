"""What a text says of an article of other rules: that it is changed, or that it is added to.

The words are `changing`, `changed` and `supplementing` in `vocabulary.toml`. They count only where
nothing but names stands between them and the article: "a run that breaches D 9.1 is void" changes
no article.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from core.grammar.numbering import split_part
from core.grammar.references import find_references, split_reference
from core.grammar.sentence import find_cues
from core.grammar.sentences import split_sentences
from core.grammar.vocabulary import list_words


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """An article that a text changes or adds to, and the words that the text quotes."""

    article: str
    kind: Literal["changed", "supplemented"]
    quoted: tuple[str, ...] = ()
    part: str | None = None
    """The lettered item of the article that is meant alone, if one is."""


def _any_phrase(name: str) -> str:
    """Return a regular expression for any phrase of a list; "/" parts words of which one stands."""
    phrases = (re.sub(r"[\w'/]+/[\w'/]+", _choose_word, one) for one in list_words(name))
    return "|".join(phrases).replace(" ", r"\s+")


def _choose_word(match: re.Match[str]) -> str:
    return f"(?:{match[0].replace('/', '|')})"


_NUMBER = r"(?:[A-Z]{1,3}[\s.]?)?\d+(?:\.\d+)*(?:\s?[a-z]\)|\([a-z0-9]{1,3}\))?"
_NAMES = (
    rf"(?:\b(?i:{_any_phrase('naming_articles')})\b\.?|{_NUMBER}|\b[A-ZÀ-Þ][\w-]*"
    r"|[“\"„][^”\"“]{0,200}[”\"“]|[\s,;:&\\/()§–-])"
)
_ARTICLE = re.compile(rf"(?<![\w.]){_NUMBER}(?!\w|\.\d)")
_BEFORE = {
    "changed": re.compile(rf"(?i:\b(?:{_any_phrase('changing')}))(?={_NAMES}*+$)"),
    "supplemented": re.compile(rf"(?i:\b(?:{_any_phrase('supplementing')}))(?={_NAMES}*+$)"),
}
_OPENING = re.compile(rf"{_NAMES}*+")
_BEHIND = re.compile(
    rf"{_NAMES}*+(?:\b(?!(?:is|are|be|was|wird|ist|sind|est|sont)\b)[a-zà-ÿ-]+\s+){{0,4}}?"
    rf"(?i:\b(?:{_any_phrase('changed')})\b)"
)
_QUOTED = re.compile(r"[“\"„]([^”\"“]{2,200})[”\"“]")
_MAX_NAMES = 120
"""Characters between an article and the words that change it."""


def find_article_changes(
    texts: tuple[str, ...], is_article: Callable[[str], bool]
) -> Iterator[ArticleChange]:
    """Yield the articles that texts change or add to, as far as `is_article` knows their numbers.

    A number alone is an article behind a word for one, or where it has a letter or two levels.
    """
    for sentence in (one for text in texts for one in split_sentences(text)):
        named = {split_reference(one)[0] for one in find_references(sentence)}
        for match in _ARTICLE.finditer(sentence):
            number, part = match[0], None
            if not is_article(number):
                number, part = split_part(number)
            is_number = "." in number or number[0].isalpha() or number in named
            if is_number and is_article(number) and (kind := _find_change(sentence, match)):
                quoted = (one[1] for one in _QUOTED.finditer(sentence))
                yield ArticleChange(number, kind, tuple(quoted), part)


def _find_change(
    sentence: str, article: re.Match[str]
) -> Literal["changed", "supplemented"] | None:
    before = sentence[max(0, article.start() - _MAX_NAMES) : article.start()]
    if _BEFORE["changed"].search(before):
        return "changed"
    if _BEFORE["supplemented"].search(before):
        return "supplemented"
    opens = len(before) == article.start() and _OPENING.fullmatch(before)
    if not opens or find_cues(before, "condition"):
        return None
    behind = sentence[article.end() : article.end() + 2 * _MAX_NAMES]
    return "changed" if _BEHIND.match(behind) else None
