"""The JSON that scripts and benchmarks rely on: requests in, shapes out. How they come and go is the command line's."""

import json
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.agent import MAX_QUESTION_LENGTH
from core.errors import ScrutineerError
from core.library import (
    ArticleLookup,
    Document,
    Hit,
    IngestResult,
    Library,
    ScopeChoice,
    SearchMode,
    embed_clauses,
    find_outside_scope,
    mentions,
    resolve_scope,
    resolve_search_scope,
    search,
)
from core.library import article as find_article
from core.rulebook import Clause, OnProgress

JsonObject = dict[str, Any]
QueryText = Annotated[str, Field(max_length=MAX_QUESTION_LENGTH)]
_CLAUSE = TypeAdapter(Clause)


class LookupRequest(BaseModel):
    """What every look-up takes: an operation, and the scope as a person chooses it."""

    model_config = ConfigDict(extra="forbid")

    op: str
    season: int | None = None
    issue: int | None = None
    document: str | None = None
    family: str | None = None

    @property
    def scope_choice(self) -> ScopeChoice:
        return ScopeChoice(
            season=self.season, document=self.document, family=self.family, issue=self.issue
        )


class SearchRequest(LookupRequest):
    op: str = "search"
    query: QueryText
    k: int = Field(10, ge=1, le=1000)
    mode: SearchMode | None = None

    def answer(self, library: Library, on_vectors: OnProgress | None = None) -> JsonObject:
        """The ranked hits under `clauses`. A scope set beside the query is kept to, whatever the query names.

        Vectors that the mode needs are made first, where they are missing.
        """
        scope = resolve_search_scope(library.documents(), self.scope_choice, self.query)
        if (self.mode or library.mode) != "lexical":
            embed_clauses(library, on_vectors, scope)
        hits = search(library, self.query, scope, self.k, self.mode)
        return {"clauses": [hit_json(rank, hit) for rank, hit in enumerate(hits, 1)]}


class ArticleRequest(LookupRequest):
    op: str = "article"
    article: QueryText

    def answer(self, library: Library) -> JsonObject:
        """The clause, flat, or the candidates, each with the `label` of its document; where there is neither, the
        documents that have it outside the scope, of the family that was asked for if one was.
        """
        held = library.documents()
        scope = resolve_scope(held, self.scope_choice)
        found = find_article(library, self.article, scope)
        told = lookup_json(found)
        labels = {document.document_id: document.label for document in held}
        for candidate in told.get("candidates", ()):
            candidate["label"] = labels[candidate["document_id"]]
        if found.clause is None and not found.candidates:
            others = find_outside_scope(library, self.article, scope)
            told["elsewhere"] = [
                {"document_id": other.document_id, "label": other.label}
                for other in others
                if self.family in (None, other.family)
            ]
        return told


class MentionsRequest(LookupRequest):
    op: str = "mentions"
    term: QueryText

    def answer(self, library: Library) -> JsonObject:
        """The clauses, each once, under `clauses`."""
        scope = resolve_scope(library.documents(), self.scope_choice)
        return {"clauses": [clause_json(clause) for clause in mentions(library, self.term, scope)]}


LOOKUPS: dict[str, type[SearchRequest] | type[ArticleRequest] | type[MentionsRequest]] = {
    "search": SearchRequest,
    "article": ArticleRequest,
    "mentions": MentionsRequest,
}


Kind = TypeVar("Kind", bound=LookupRequest)


def parse_request(kind: type[Kind], raw: JsonObject) -> Kind:
    """A request of that kind. Raises ScrutineerError `bad_request`."""
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        told = f"{'.'.join(map(str, first['loc']))}: {first['msg']}."
        raise ScrutineerError(told, code="bad_request") from error


def answer_line(library: Library, line: str) -> JsonObject:
    """Answer one request, a line of JSON; a bad one gets an `error`."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return error_json("bad_request", "The line is not JSON.")
    kind = LOOKUPS.get(str(raw.get("op"))) if isinstance(raw, dict) else None
    if kind is None:
        return error_json("bad_request", f"`op` must be one of {', '.join(LOOKUPS)}.")
    try:
        return parse_request(kind, raw).answer(library)
    except ScrutineerError as error:
        return error_json(error.code, error.message)


def clause_json(clause: Clause) -> JsonObject:
    """A clause as the contract shapes it: without the boxes of its plain text."""
    shape: JsonObject = _CLAUSE.dump_python(
        clause, exclude={"places"}
    )  # ten times as fast as asdict
    return shape


def hit_json(rank: int, hit: Hit) -> JsonObject:
    """A clause with its `rank` from 1, its `score` and `why` it was found."""
    return clause_json(hit.clause) | {"rank": rank, "score": hit.score, "why": hit.why}


def lookup_json(lookup: ArticleLookup) -> JsonObject:
    """`found`, the clause's fields, `part` and `children`; or `candidates`."""
    if lookup.clause is None:
        return {"found": False, "candidates": [clause_json(clause) for clause in lookup.candidates]}
    return (
        {"found": True}
        | clause_json(lookup.clause)
        | {"part": lookup.part, "children": list(lookup.children)}
    )


def document_json(document: Document) -> JsonObject:
    """A document with its warnings and its label."""
    return asdict(document) | {"label": document.label}


def ingest_result_json(addition: IngestResult) -> JsonObject:
    """What came of adding a document."""
    names = ("document_id", "title", "family", "season", "issue", "date", "pages", "clauses")
    document = addition.document
    failed = addition.status == "failed"
    return {
        "file": addition.file,
        "status": addition.status,
        **{name: getattr(document, name) if document else None for name in names},
        "warnings": [asdict(warning) for warning in document.warnings] if document else [],
        "error": {"code": addition.code, "message": addition.message} if failed else None,
        "seconds": round(addition.seconds, 3),
    }


def error_json(code: str, message: str) -> JsonObject:
    """An error as every command says it."""
    return {"error": {"code": code, "message": message}}
