"""What the tools return: shapes with a schema, made of the values of the other rooms."""

import hashlib
from urllib.parse import quote

from pydantic import BaseModel, Field

from core.copied_fields import copy_fields
from core.library import ClausePair, Document
from core.quotes import CheckedPassage, Finding
from core.registers import PenaltyRow
from core.rulebook import Clause
from core.sheets import SheetResult
from core.verification import Citation


class RuleText(BaseModel):
    """A rule in the words of its document, with its place."""

    id: str = Field(description="Stable id of the clause, for `fetch`.")
    uri: str
    article: str
    title: str
    text: str
    page: int
    document: str
    document_id: str
    season: int | None
    issue: int | None
    status: str = Field(description="in_force, deleted, future or no_rule.")
    deleted: list[str] = Field(description="Words struck out of it: never law.")
    inserted: list[str] = Field(description="Words marked as new in this edition.")
    hash: str = Field(description="SHA-256 of the text.")
    ocr: bool = Field(description="True: read by text recognition, so errors are possible.")


class SearchResult(BaseModel):
    """A rule that was found."""

    id: str
    title: str
    url: str
    text: str
    page: int
    season: int | None
    issue: int | None


class SearchResults(BaseModel):
    results: list[SearchResult]


class FetchedText(BaseModel):
    """A rule as a document."""

    id: str
    title: str
    text: str
    url: str
    metadata: RuleText


class ArticleText(BaseModel):
    """An article, or the rules that its number may mean."""

    found: bool
    rules: list[RuleText]
    children: list[str] = Field(description="Numbers of the clauses below it.")


class DocumentEntry(BaseModel):
    id: str
    label: str
    family: str | None
    season: int | None
    issue: int | None
    date: str | None
    pages: int
    clauses: int
    reading: str = Field(description="whole, or partly: then rules may be missing.")


class DocumentList(BaseModel):
    documents: list[DocumentEntry]


class ChangedRule(BaseModel):
    kind: str
    article_before: str | None
    article_after: str | None
    title: str
    difference: str = Field(description="[-deleted-] and {+inserted+} words.")
    id_before: str | None
    id_after: str | None


class Comparison(BaseModel):
    before: str
    after: str
    changes: list[ChangedRule]
    left_out: int = Field(description="Changes beyond the limit of the call.")


class ValueVerdict(BaseModel):
    document: str
    verdict: str = Field(description="legal, not legal, cannot tell or no rule.")
    limit: str
    margin: str
    articles: list[str]
    quotes: list[str]
    missing: str = Field(description="What would decide it.")


class ValueVerdicts(BaseModel):
    verdicts: list[ValueVerdict]


class Penalty(BaseModel):
    breach: str
    sanction: str
    decided_by: str
    conditions: str
    article: str
    page: int
    id: str
    document: str


class Penalties(BaseModel):
    penalties: list[Penalty]
    note: str


class CheckedQuote(BaseModel):
    kind: str
    text: str
    start: int
    end: int
    finding: Finding
    article: str
    page: int | None
    document: str | None
    season: int | None
    issue: int | None
    difference: str
    id: str | None


class CheckedText(BaseModel):
    stands: bool = Field(description="True where every quote and citation stands.")
    passages: list[CheckedQuote]


class CitedRule(BaseModel):
    marker: int
    article: str
    page: int
    quote: str
    document: str
    season: int | None
    issue: int | None
    id: str


class Answer(BaseModel):
    outcome: str
    answer: str
    message: str
    citations: list[CitedRule]


def rule_uri(clause: Clause) -> str:
    """Return rule://family/season/issue/article; "-" stands for what is unknown."""
    parts = (clause.family, clause.season, clause.issue, clause.whole_article)
    return "rule://" + "/".join(
        quote(str("-" if part is None else part), safe="") for part in parts
    )


def rule_text(clause: Clause, document: Document) -> RuleText:
    return copy_fields(
        RuleText,
        clause,
        id=clause.clause_id,
        uri=rule_uri(clause),
        page=clause.page_first,
        document=document.citation_label,
        hash=hashlib.sha256(clause.text.encode()).hexdigest(),
    )


def search_result(clause: Clause, document: Document) -> SearchResult:
    title = f"{clause.article} {clause.title}".strip()
    return copy_fields(
        SearchResult,
        clause,
        id=clause.clause_id,
        title=f"{title}, {document.citation_label}",
        url=rule_uri(clause),
        page=clause.page_first,
    )


def document_entry(document: Document) -> DocumentEntry:
    return copy_fields(
        DocumentEntry, document, id=document.document_id, label=document.citation_label
    )


def changed_rule(pair: ClausePair) -> ChangedRule:
    signs = {"same": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
    pieces = [signs[piece.kind].format(piece.text.strip()) for piece in pair.pieces]
    return ChangedRule(
        kind=pair.kind,
        article_before=pair.article_a,
        article_after=pair.article_b,
        title=pair.title,
        difference=" ".join(pieces) or pair.after or pair.before,
        id_before=pair.clause_a,
        id_after=pair.clause_b,
    )


def value_verdict(document: Document, result: SheetResult) -> ValueVerdict:
    quotes = [limit.quote for limit in result.limits]
    return copy_fields(ValueVerdict, result, document=document.citation_label, quotes=quotes)


def penalty(row: PenaltyRow) -> Penalty:
    return copy_fields(Penalty, row, id=row.clause_id)


def checked_quote(checked: CheckedPassage) -> CheckedQuote:
    place = checked.place
    return copy_fields(
        CheckedQuote,
        checked,
        document=place.document.citation_label if place else None,
        season=place.document.season if place else None,
        issue=place.document.issue if place else None,
        id=place.clause.clause_id if place else None,
    )


def cited_rule(citation: Citation) -> CitedRule:
    article = f"{citation.article} {citation.part or ''}".strip()
    return copy_fields(CitedRule, citation, article=article, id=citation.clause_id)
