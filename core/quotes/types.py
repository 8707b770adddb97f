"""The values of a text that is checked: its passages, and what was found of them."""

from dataclasses import dataclass
from typing import Literal, get_args

from core.grammar import ArticleCitation
from core.library import Document
from core.rulebook import Clause

Finding = Literal[
    "stands",
    "overridden",
    "unsettled",
    "altered",
    "other_article",
    "other_edition",
    "deleted",
    "ruling",
    "not_held",
    "no_source",
]
FINDINGS: tuple[Finding, ...] = get_args(Finding)
"""`stands`: word for word where it is said to be. `overridden`: so it is, and a rule of another
layer takes its place. `unsettled`: another layer contradicts it, changes a part of the article, or
may change it. `altered`: other words or numbers.
`other_article`, `other_edition`: word for word elsewhere. `deleted`: struck out, or not in force
yet. `ruling`: word for word in a ruling, which is no rule. `not_held`: of a rulebook that the
library does not hold. `no_source`: in no rulebook."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage in quotation marks or a block quote: `text` without its marks, and its place.

    `context` is what is said around it, without other quotes: the sentence that names its source.
    """

    start: int
    end: int
    text: str
    citations: tuple[ArticleCitation, ...] = ()
    context: str = ""
    paragraph: str = ""


@dataclass(frozen=True, slots=True)
class CitedArticle:
    """An article that a text names outside its quotes, with its sentence and its paragraph."""

    start: int
    end: int
    text: str
    citation: ArticleCitation
    sentence: str
    paragraph: str
    is_led: bool
    """True where a word such as "Article" leads it, or letters begin its number."""


@dataclass(frozen=True, slots=True)
class RulePlace:
    """Words of a rule: where they stand."""

    document: Document
    clause: Clause
    words: str


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """A quote or a citation of a text, what was found of it, and the rule that it was held against.

    `start` and `end` are its place in the text. `difference` says what differs: of an altered quote
    the words of the rule with [-what is left out-] and {+what is put in+}.
    Of one that is word for word it says what its elisions leave out, and what rules of other layers
    mean for it.
    """

    kind: Literal["quote", "citation"]
    text: str
    start: int
    end: int
    finding: Finding
    place: RulePlace | None = None
    article: str = ""
    page: int | None = None
    difference: str = ""

    @property
    def stands(self) -> bool:
        return self.finding == "stands"
