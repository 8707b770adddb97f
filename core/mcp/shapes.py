"""What the tools for assistants return."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from core.agent import Ended
from core.copied_fields import copy_fields
from core.library import ClausePair, Document, Relation, RuleAddress
from core.quotes import CheckedPassage
from core.registers import LayerNote, PenaltyRow
from core.rulebook import Clause
from core.shapes import PassageRow, RulingOnClause
from core.sheets import CheckedRow


def _to_uri(address: str) -> str:
    """Return the URI of a rule by its address; "" without one."""
    return address.replace(RuleAddress.PREFIX, "rule://", 1)


class AssistantShape(BaseModel):
    """A shape whose own id goes by the name `id`."""

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)


class PlacedWords(AssistantShape):
    """Words of a rule, and where they are."""

    clause_id: str = Field(alias="id", description="Stable id of the clause, for `fetch`.")
    page: int | None
    season: int | None
    issue: int | None


class RuleText(PlacedWords):
    """A rule in the words of its document, with its place."""

    uri: str
    article: str
    title: str
    text: str
    document: str
    document_id: str
    status: str = Field(description="in_force, deleted, future or no_rule.")
    deleted: list[str] = Field(description="Words struck out of it: never law.")
    inserted: list[str] = Field(description="Words marked as new in this edition.")
    hash: str = Field(description="SHA-256 of the text.")
    ocr: bool = Field(description="True: read by text recognition, so errors are possible.")
    rulings: list["RulingText"] = Field(
        default=[], description="How it was interpreted: rulings are no law."
    )
    layers: list[str] = Field(
        default=[],
        description="What rules of other documents mean for it: an overridden one is no law alone.",
    )

    @classmethod
    def of(
        cls,
        clause: Clause,
        document: Document,
        rulings: Iterable[RulingOnClause] = (),
        notes: Iterable[LayerNote] = (),
    ) -> Self:
        return copy_fields(
            cls,
            clause,
            uri=_to_uri(RuleAddress.of(document, clause.article).path),
            page=clause.page_first,
            document=document.citation_label,
            layers=[note.caution for note in notes],
            hash=hashlib.sha256(clause.text.encode()).hexdigest(),
            rulings=[copy_fields(RulingText, one) for one in rulings],
        )

    @property
    def name(self) -> str:
        """Its number and title, and its document."""
        return f"{f'{self.article} {self.title}'.strip()}, {self.document}"


class RulingText(BaseModel):
    """A ruling: it says how a rule is meant, and is no law. Never quote it as a rule."""

    title: str
    day: str | None
    source: str
    text: str
    has_changed: bool | None = Field(
        description="True: the rule has other words now. Null: that is not known."
    )


class SearchResult(PlacedWords):
    """A rule that was found."""

    title: str
    url: str
    text: str
    layers: list[str]


class SearchResults(BaseModel):
    results: list[SearchResult]

    @classmethod
    def of(cls, rules: Iterable[RuleText]) -> Self:
        found = [copy_fields(SearchResult, r, title=r.name, url=r.uri) for r in rules]
        return cls(results=found)


class FetchedText(BaseModel):
    """A rule as a document."""

    id: str
    title: str
    text: str
    url: str
    metadata: RuleText

    @classmethod
    def of(cls, rule: RuleText) -> Self:
        return cls(id=rule.clause_id, title=rule.name, text=rule.text, url=rule.uri, metadata=rule)


class ArticleText(BaseModel):
    """An article, or the rules that its number may mean."""

    found: bool
    rules: list[RuleText]
    children: list[str] = Field(description="Numbers of the clauses below it.")
    not_in_force: list[RuleText] = Field(
        description="Where none is found: those of its number that are deleted or of the future."
    )


class DocumentEntry(AssistantShape):
    document_id: str = Field(alias="id")
    label: str
    family: str | None
    season: int | None
    issue: int | None
    date: str | None
    pages: int
    clauses: int
    reading: str = Field(description="whole, or partly: then rules may be missing.")
    valid_from: str | None
    valid_to: str | None
    relations: tuple[Relation, ...] = Field(
        description="What it does to other documents, above which it lies: supplements ..."
    )


class DocumentList(BaseModel):
    documents: list[DocumentEntry]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Self:
        entries = [copy_fields(DocumentEntry, d, label=d.citation_label) for d in documents]
        return cls(documents=entries)


class ChangedRule(BaseModel):
    kind: str
    article_before: str | None
    article_after: str | None
    title: str
    difference: str = Field(description="[-deleted-] and {+inserted+} words.")
    id_before: str | None
    id_after: str | None

    @classmethod
    def of(cls, pair: ClausePair) -> Self:
        signs = {"same": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
        pieces = [signs[piece.kind].format(piece.text.strip()) for piece in pair.pieces]
        return cls(
            kind=pair.kind,
            article_before=pair.article_a,
            article_after=pair.article_b,
            title=pair.title,
            difference=" ".join(pieces) or pair.after or pair.before,
            id_before=pair.clause_a,
            id_after=pair.clause_b,
        )


class Comparison(BaseModel):
    before: str
    after: str
    changes: list[ChangedRule]
    left_out: int = Field(description="Changes beyond the limit of the call.")

    @classmethod
    def of(
        cls, before: Document, after: Document, changes: Sequence[ClausePair], limit: int
    ) -> Self:
        """Return at most `limit` of the changes."""
        return cls(
            before=before.citation_label,
            after=after.citation_label,
            changes=list(map(ChangedRule.of, changes[:limit])),
            left_out=max(len(changes) - limit, 0),
        )


class ValueVerdict(BaseModel):
    document: str
    verdict: str = Field(description="legal, not legal, cannot tell or no rule.")
    limit: str
    margin: str
    articles: list[str]
    quotes: list[str]
    missing: str = Field(description="What would decide it.")

    @classmethod
    def of(cls, checked: CheckedRow) -> Self:
        quotes = [limit.quote for limit in checked.result.limits]
        label = checked.document.citation_label
        return copy_fields(cls, checked.result, document=label, quotes=quotes)


class ValueVerdicts(BaseModel):
    verdicts: list[ValueVerdict]

    @classmethod
    def of(cls, checked: Iterable[CheckedRow]) -> Self:
        return cls(verdicts=list(map(ValueVerdict.of, checked)))


class Penalty(AssistantShape):
    breach: str
    sanction: str
    decided_by: str
    conditions: str
    article: str
    page: int | None
    clause_id: str = Field(alias="id")
    document: str


class Penalties(BaseModel):
    penalties: list[Penalty]
    note: str

    @classmethod
    def of(cls, rows: Iterable[PenaltyRow], note: str) -> Self:
        return cls(penalties=[copy_fields(Penalty, row) for row in rows], note=note)


class CheckedQuote(PassageRow, AssistantShape):
    article: str
    difference: str
    clause_id: str | None = Field(alias="id")


class CheckedText(BaseModel):
    stands: bool = Field(description="True where every quote and citation stands.")
    passages: list[CheckedQuote]

    @classmethod
    def of(cls, checked: Sequence[CheckedPassage]) -> Self:
        return cls(
            stands=all(one.stands for one in checked),
            passages=[CheckedQuote.of(one, "citation_label") for one in checked],
        )


class CitedRule(PlacedWords):
    marker: int
    article: str
    quote: str
    document: str
    uri: str
    layers: list[str]


class Answer(BaseModel):
    outcome: str
    answer: str
    message: str
    citations: list[CitedRule]

    @classmethod
    def of(cls, ended: Ended) -> Self:
        cited = [
            copy_fields(
                CitedRule,
                one,
                article=one.full_article,
                uri=_to_uri(one.address),
                layers=[note.caution for note in one.layers],
            )
            for one in ended.citations
        ]
        return copy_fields(cls, ended, citations=cited)
