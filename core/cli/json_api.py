"""The JSON that scripts and benchmarks rely on: requests in, shapes out. How they come and go is the command line's."""

import json
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.agent.loop import QUESTION_LIMIT
from core.errors import ScrutineerError
from core.library.retrieval import search as searching
from core.library.scope import of_search, resolve
from core.library.storage.library import Library
from core.library.storage.vectors import OnProgress, embed
from core.library.types import Addition, ArticleLookup, Document, Hit, ScopeChoice, SearchMode
from core.rulebook.types import Clause

Shape = dict[str, Any]
Words = Annotated[str, Field(max_length=QUESTION_LIMIT)]
_CLAUSE = TypeAdapter(Clause)


class Request(BaseModel):
    """What every look-up takes: an operation, and the scope as a person chooses it."""

    model_config = ConfigDict(extra="forbid")

    op: str
    season: int | None = None
    issue: int | None = None
    document: str | None = None
    family: str | None = None

    @property
    def choice(self) -> ScopeChoice:
        return ScopeChoice(
            season=self.season, document=self.document, family=self.family, issue=self.issue
        )


class Search(Request):
    op: str = "search"
    query: Words
    k: int = Field(10, ge=1, le=1000)
    mode: SearchMode | None = None

    def answer(self, library: Library, on_vectors: OnProgress | None = None) -> Shape:
        """The ranked hits under `clauses`. A scope set beside the query is kept to, whatever the query names.

        Vectors that the mode needs are made first, where they are missing.
        """
        scope = of_search(library.documents(), self.choice, self.query)
        if (self.mode or library.mode) != "lexical":
            embed(library, on_vectors, scope)
        hits = searching.search(library, self.query, scope, self.k, self.mode)
        return {"clauses": [hit_json(rank, hit) for rank, hit in enumerate(hits, 1)]}


class Article(Request):
    op: str = "article"
    article: Words

    def answer(self, library: Library) -> Shape:
        """The clause, flat, or the candidates, each with the `label` of its document; where there is neither, the
        documents that have it outside the scope, of the family that was asked for if one was.
        """
        held = library.documents()
        scope = resolve(held, self.choice)
        found = searching.article(library, self.article, scope)
        told = lookup_json(found)
        labels = {document.document_id: document.label for document in held}
        for candidate in told.get("candidates", ()):
            candidate["label"] = labels[candidate["document_id"]]
        if found.clause is None and not found.candidates:
            others = searching.elsewhere(library, self.article, scope)
            told["elsewhere"] = [
                {"document_id": other.document_id, "label": other.label}
                for other in others
                if self.family in (None, other.family)
            ]
        return told


class Mentions(Request):
    op: str = "mentions"
    term: Words

    def answer(self, library: Library) -> Shape:
        """The clauses, each once, under `clauses`."""
        scope = resolve(library.documents(), self.choice)
        return {
            "clauses": [
                clause_json(clause) for clause in searching.mentions(library, self.term, scope)
            ]
        }


LOOKUPS: dict[str, type[Search] | type[Article] | type[Mentions]] = {
    "search": Search,
    "article": Article,
    "mentions": Mentions,
}


Kind = TypeVar("Kind", bound=Request)


def request(kind: type[Kind], raw: Shape) -> Kind:
    """A request of that kind. Raises ScrutineerError `bad_request`."""
    try:
        return kind.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        told = f"{'.'.join(map(str, first['loc']))}: {first['msg']}."
        raise ScrutineerError(told, code="bad_request") from error


def answer_line(library: Library, line: str) -> Shape:
    """Answer one request, a line of JSON; a bad one gets an `error`."""
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return error_json("bad_request", "The line is not JSON.")
    kind = LOOKUPS.get(str(raw.get("op"))) if isinstance(raw, dict) else None
    if kind is None:
        return error_json("bad_request", f"`op` must be one of {', '.join(LOOKUPS)}.")
    try:
        return request(kind, raw).answer(library)
    except ScrutineerError as error:
        return error_json(error.code, error.message)


def clause_json(clause: Clause) -> Shape:
    """A clause as the contract shapes it: without the boxes of its plain text."""
    shape: Shape = _CLAUSE.dump_python(clause, exclude={"places"})  # ten times as fast as asdict
    return shape


def hit_json(rank: int, hit: Hit) -> Shape:
    """A clause with its `rank` from 1, its `score` and `why` it was found."""
    return clause_json(hit.clause) | {"rank": rank, "score": hit.score, "why": hit.why}


def lookup_json(lookup: ArticleLookup) -> Shape:
    """`found`, the clause's fields, `part` and `children`; or `candidates`."""
    if lookup.clause is None:
        return {"found": False, "candidates": [clause_json(clause) for clause in lookup.candidates]}
    return (
        {"found": True}
        | clause_json(lookup.clause)
        | {"part": lookup.part, "children": list(lookup.children)}
    )


def document_json(document: Document) -> Shape:
    """A document with its warnings and its label."""
    return asdict(document) | {"label": document.label}


def addition_json(addition: Addition) -> Shape:
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


def error_json(code: str, message: str) -> Shape:
    """An error as every command says it."""
    return {"error": {"code": code, "message": message}}
