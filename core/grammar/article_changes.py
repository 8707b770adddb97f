"""What a text says of an article of other rules: that it is changed, or that it is added to.

The words are lists of `vocabulary.toml`: `changing`, `ordering_change` and `supplementing` before
an article, `changed` and `changed_in_short` after it. They count only where nothing but names
stands between them and the article: "a run that breaches D 9.1 is void" changes no article.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.grammar.numbering import canonical_number, split_part
from core.grammar.quantities import find_quantities
from core.grammar.references import find_ranges, find_references, split_reference
from core.grammar.sentence import find_cues
from core.grammar.sentences import split_sentences
from core.grammar.stems import stem_words
from core.grammar.vocabulary import STOP_WORDS, list_words

ChangeKind = Literal["changed", "limited", "unclear", "supplemented"]


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """An article that a text changes or adds to.

    A change is "limited" where it holds for some cases only, and "unclear" where a part of the
    article is changed that nothing quotes.
    """

    article: str
    kind: ChangeKind
    quoted: tuple[str, ...] = ()
    """The words that it takes away."""
    part: str | None = None
    """The lettered item of the article that is meant alone, if one is."""
    last: str | None = None
    """The last article of a range that begins with this one."""


def _any_phrase(name: str) -> str:
    """Return a regular expression for any phrase of a list; "/" parts words of which one stands."""
    phrases = (re.sub(r"[\w'/]+/[\w'/]+", _choose_word, one) for one in list_words(name))
    return "|".join(phrases).replace(" … ", _GAP).replace(" ", r"\s+")


def _choose_word(match: re.Match[str]) -> str:
    return f"(?:{match[0].replace('/', '|')})"


_GAP = r"\s+(?:(?!(?:not|nicht|pas|never|nie)\b)[\w’'-]+\s+){0,5}?"
_NUMBER = r"(?:[A-Z]{1,3}[\s.]?)?\d+(?:\.\d+)*(?:\s?[a-z]\)|\([a-z0-9]{1,3}\))?"
_NAMES = (
    rf"(?:\b(?i:{_any_phrase('naming_articles')})\b\.?|{_NUMBER}|\b[A-ZÀ-Þ][\w-]*"
    r"|[“\"„][^”\"“]{0,200}[”\"“]|[\s,;:&\\/()§–-])"
)
_ARTICLE = re.compile(rf"(?<![\w.]){_NUMBER}(?!\w|\.\d)")
_CHANGING = re.compile(
    rf"(?:(?i:\b(?:{_any_phrase('changing')}))|^\W*(?i:{_any_phrase('ordering_change')})\b)"
    rf"(?={_NAMES}*+$)"
)
_SUPPLEMENTING = re.compile(rf"(?i:\b(?:{_any_phrase('supplementing')}))(?={_NAMES}*+$)")
_LIMITING = rf"(?i:{_any_phrase('limiting_change')})\b"
_OPENING = re.compile(rf"\W*(?!(?i:{_any_phrase('citing')})\b){_NAMES}*+")
_LIMITED_OPENING = re.compile(rf"\W*{_LIMITING}[^.;:]*")
_OF_THING = r"(?:(?:on|about|concerning|regarding|über|zu|sur)\s+(?:[a-zà-ÿ-]+\s+){1,4}?)?"
_CHANGED = re.compile(
    rf"(?P<between>{_NAMES}*+{_OF_THING})(?i:\b(?:{_any_phrase('changed')})\b"
    rf"|(?<=[:–—-]\s)(?:{_any_phrase('changed_in_short')})\b)"
    rf"(?P<limit>,?\s+(?!in\s+(?:its|their)\b){_LIMITING})?"
)
_PART = re.compile(rf"\b(?i:{_any_phrase('part_of_article')})\b(?!\s*[A-Z]{{0,3}}\s?\d)")
_QUOTED = re.compile(r"[“\"„]([^”\"“]{1,200})[”\"“]")
_LAST_WORD = re.compile(r"([^\W\d_]+)[\s.]*$")
_NAMING = frozenset(list_words("naming_articles", "below_documents"))
_NAMED_FREELY = frozenset(
    word.split()[-1] for word in list_words("changing", "ordering_change", "supplementing")
)
_THIS = re.compile(rf"\W*(?:of|in|to|from|des|der|de|du)?\s*(?i:{_any_phrase('this_document')})\b")
_MAX_NAMES = 120
"""Characters between an article and the words that change it."""


def find_article_changes(
    texts: Sequence[str], is_article: Callable[[str], bool], document: str = ""
) -> Iterator[ArticleChange]:
    """Yield the articles that texts change or add to, as far as `is_article` knows their numbers.

    A number alone is an article behind a word for one, or where it has a letter or two levels.
    `document` are the names of the rulebook that they are of: an article of another one that a
    text names is none of them.
    """
    for place, text in enumerate(texts):
        for sentence in split_sentences(text):
            found = [*_read_changes(sentence, is_article, document)]
            rest = " ".join((sentence, *texts[place + 1 :]))
            for change in found:
                yield from _narrow(change, rest, is_article)


def _narrow(
    change: ArticleChange, text: str, is_article: Callable[[str], bool]
) -> Iterator[ArticleChange]:
    """Yield the articles below the changed one that its text names, else the changed one."""
    above = canonical_number(change.article).replace(" ", "")
    deeper = dict.fromkeys(
        one[0]
        for one in _ARTICLE.finditer(text)
        if canonical_number(one[0]).replace(" ", "").startswith(f"{above}.") and is_article(one[0])
    )
    is_whole = not (change.last or change.part or change.kind == "supplemented")
    yield from ([replace(change, article=one) for one in deeper] if is_whole else []) or [change]


def _read_changes(
    sentence: str, is_article: Callable[[str], bool], document: str
) -> Iterator[ArticleChange]:
    cited = dict(split_reference(one) for one in find_references(sentence))
    ranges = dict(find_ranges(sentence))
    measured = [(one.start, one.end) for one in find_quantities(sentence)]
    for match in _ARTICLE.finditer(sentence):
        number, part = match[0], None
        if not is_article(number):
            number, part = split_part(number)
        named_document = cited.get(match[0]) or cited.get(number)
        is_measured = match[0] not in cited and any(
            start < match.end() and match.start() < end for start, end in measured
        )
        is_number = "." in number or number[0].isalpha() or number in cited
        if (
            not (is_number and is_article(number))
            or is_measured
            or not _is_named(sentence, match)
            or _THIS.match(sentence, match.end())
            or not (named_document is None or _is_same_document(named_document, document))
        ):
            continue
        if found := _find_change(sentence, match):
            kind, quoted = found
            yield ArticleChange(number, kind, quoted, part, ranges.get(canonical_number(number)))


def _is_named(sentence: str, article: re.Match[str]) -> bool:
    """True of a number that no other name is of: "Version 1.1" names no article."""
    last = _LAST_WORD.search(sentence, 0, article.start())
    if last is None or article[0][0].isalpha() or last[1].islower():
        return True
    return last[1].casefold() in _NAMING | _NAMED_FREELY


def _is_same_document(named: str, document: str) -> bool:
    """True where the words of a name are in a document's names; abbreviations may be of any."""
    words = re.findall(r"[^\W\d_]+", named)
    names = [one for one in words if not one.isupper() and one.casefold() not in STOP_WORDS]
    return not document or stem_words(" ".join(names)) <= stem_words(document)


def _find_change(
    sentence: str, article: re.Match[str]
) -> tuple[ChangeKind, tuple[str, ...]] | None:
    """Return how an article is changed in a sentence, with the words that are taken away."""
    before = sentence[max(0, article.start() - _MAX_NAMES) : article.start()]
    is_whole = len(before) == article.start()
    if (changing := _CHANGING.search(before)) or _SUPPLEMENTING.search(before):
        if find_cues(before, "negation", "denying", "doubtful"):
            return None
        quoted = tuple(one[1] for one in _QUOTED.finditer(before))
        if not changing:
            return "supplemented", ()
        return (
            "unclear" if not quoted and _PART.search(before, changing.end()) else "changed"
        ), quoted
    behind = _CHANGED.match(sentence, article.end(), article.end() + 2 * _MAX_NAMES)
    if behind is None or not is_whole or find_cues(before, "condition"):
        return None
    quoted = tuple(one[1] for one in _QUOTED.finditer(sentence, 0, behind.end("between")))
    if _OPENING.fullmatch(before):
        if not quoted and _PART.search(before + " " + behind["between"]):
            return "unclear", ()
        return ("limited" if behind["limit"] else "changed"), quoted
    return ("limited", ()) if _LIMITED_OPENING.fullmatch(before) else None
