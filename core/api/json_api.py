"""The JSON that scripts and benchmarks rely on: requests in, results out."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.errors import ScrutineerError
from core.library import (
    ClauseHistory,
    Document,
    IngestResult,
    Library,
    Scope,
    ScopeChoice,
    SearchMode,
    article as find_article,
    embed_clauses,
    find_outside_scope,
    mentions,
    resolve_scope,
    search,
)
from core.rulebook import Clause, OnProgress, TextKind

if TYPE_CHECKING:  # it loads the chats, which a look-up does not need
    from core.impact import Impact
    from core.quotes import CheckedPassage

JsonObject = dict[str, Any]
QueryText = Annotated[str, Field(max_length=10_000)]
"""As long as the longest question that the agent takes."""
_CLAUSE = TypeAdapter(Clause)
_ACCOUNT_FIELDS = (
    "reading", "letters", "placed", "not_in_force", "unplaced", "untaken_numbers", "long_clauses"
)  # fmt: skip


class LookupRequest(BaseModel):
    """What every look-up takes: the scope as a person chooses it."""

    model_config = ConfigDict(extra="forbid")

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
    query: QueryText
    k: int = Field(10, ge=1, le=1000)
    mode: SearchMode | None = None

    def answer(self, library: Library, on_vectors: OnProgress | None = None) -> JsonObject:
        """Make the vectors that the mode lacks, then return what `find` does."""
        if (self.mode or library.mode) != "lexical":
            embed_clauses(library, on_vectors, self._scope(library))
        return self.find(library)

    def find(self, library: Library) -> JsonObject:
        """Return the hits under `clauses`, each with its `rank` from 1, `score` and `why`."""
        hits = search(library, self.query, self._scope(library), self.k, self.mode)
        clauses = [
            clause_json(hit.clause) | {"rank": rank, "score": hit.score, "why": hit.why}
            for rank, hit in enumerate(hits, 1)
        ]
        return {"clauses": clauses}

    def _scope(self, library: Library) -> Scope:
        """Return the chosen scope, whatever the query names; else what that names."""
        choice = self.scope_choice
        return resolve_scope(library.documents(), choice, "" if choice.is_set else self.query)


class ArticleRequest(LookupRequest):
    article: QueryText

    def answer(self, library: Library) -> JsonObject:
        """Return the clause, flat, with its `part` and `children`; or the `candidates`.

        Each candidate has the `label` of its document. If there is none, `elsewhere` lists the
        documents outside the scope that have the article, of the family that the request names.
        """
        documents = library.documents()
        scope = resolve_scope(documents, self.scope_choice)
        found = find_article(library, self.article, scope)
        if found.clause is not None:
            more = {"part": found.part, "children": list(found.children)}
            return {"found": True} | clause_json(found.clause) | more
        labels = {document.document_id: document.label for document in documents}
        candidates = [
            clause_json(clause) | {"label": labels[clause.document_id]}
            for clause in found.candidates
        ]
        if candidates:
            return {"found": False, "candidates": candidates}
        elsewhere = [
            {"document_id": other.document_id, "label": other.label}
            for other in find_outside_scope(library, self.article, scope)
            if self.family in (None, other.family)
        ]
        return {"found": False, "candidates": [], "elsewhere": elsewhere}

    def trace(self, library: Library) -> JsonObject:
        """Return the answer; of a clause that was found with its history."""
        found = self.answer(library)
        if not found["found"]:
            return found
        return found | history_json(library, found["clause_id"], found["part"])


class MentionsRequest(LookupRequest):
    term: QueryText

    def answer(self, library: Library) -> JsonObject:
        """Return the clauses, each once, under `clauses`."""
        scope = resolve_scope(library.documents(), self.scope_choice)
        return {"clauses": [clause_json(clause) for clause in mentions(library, self.term, scope)]}


LOOKUPS: dict[str, type[SearchRequest] | type[ArticleRequest] | type[MentionsRequest]] = {
    "search": SearchRequest,
    "article": ArticleRequest,
    "mentions": MentionsRequest,
}
RequestType = TypeVar("RequestType", bound=BaseModel)


def parse_request(kind: type[RequestType], raw: JsonObject, strict: bool = False) -> RequestType:
    """Validate a request of that kind; if `strict` without turning one type into another.

    Raises ScrutineerError `bad_request`.
    """
    try:
        return kind.model_validate(raw, strict=strict)
    except ValidationError as error:
        first = error.errors()[0]
        message = f"{'.'.join(map(str, first['loc']))}: {first['msg']}."
        raise ScrutineerError(message, code="bad_request") from error


def answer_line(library: Library, line: str) -> JsonObject:
    """Answer one request, a line of JSON; a bad one gets an `error`."""
    try:
        return _read_request(line).answer(library)
    except ScrutineerError as error:
        return error.as_json


def _read_request(line: str) -> SearchRequest | ArticleRequest | MentionsRequest:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ScrutineerError("The line is not JSON.", code="bad_request") from error
    kind = LOOKUPS.get(str(raw.pop("op", None))) if isinstance(raw, dict) else None
    if kind is None:
        message = f"`op` must be one of {', '.join(LOOKUPS)}."
        raise ScrutineerError(message, code="bad_request")
    return parse_request(kind, raw)


def clause_json(clause: Clause) -> JsonObject:
    """Return a clause without the boxes of its plain text; of a part the article is the whole's."""
    # Ten times as fast as asdict.
    fields: JsonObject = _CLAUSE.dump_python(clause, exclude={"places"})
    return fields | {"article": clause.whole_article}


def impact_json(impact: "Impact") -> JsonObject:
    """Return what an issue changed and what that touches; `suspects` counts what is not cleared."""
    return {
        "document": _name_json(impact.document),
        "before": _name_json(impact.before) if impact.before else None,
        "suspects": len(impact.suspects) + len(impact.suspect_sheets),
        "changed": [
            {"stable_id": change.stable_id} | asdict(change.pair) for change in impact.changed
        ],
        "answers": [asdict(answer) | {"suspect": answer.is_suspect} for answer in impact.answers],
        "clauses": list(map(asdict, impact.clauses)),
        "sheets": [asdict(sheet) | {"suspect": sheet.is_suspect} for sheet in impact.sheets],
    }


def _name_json(document: Document) -> JsonObject:
    names = ("document_id", "label", "family", "season", "issue", "date")
    return {name: getattr(document, name) for name in names}


def history_json(library: Library, clause_id: str, part: str | None = None) -> JsonObject:
    """Return the stable id of a clause, its history, and the edition since which its words stand.

    With a `part`, that since which the words of this item stand.

    They are empty for a clause that is not in force.
    """
    clause = library.clause(clause_id)
    if clause is None:
        return {"stable_id": None, "history": [], "since": None}
    history = ClauseHistory(library, clause)
    since = history.find_wording_since(part)
    names = ("document_id", "label", "season", "issue", "date")
    return {
        "stable_id": history.stable_id,
        "history": list(map(asdict, history.entries)),
        "since": {name: getattr(since, name) for name in names} if since else None,
    }


def export_row(clause: Clause) -> JsonObject:
    """Return a clause for export: what bears no number of its own has a `kind` and no `article`.

    A part of a long article names that article under `part_of`.
    """
    fields = clause_json(clause)
    if clause.part:
        fields |= {"kind": "part", "article": "", "part_of": clause.whole_article}
    return fields


def document_json(document: Document) -> JsonObject:
    first = {"document_id": document.document_id, "file": document.file}
    fields = asdict(document) | {"label": document.label, "reading": document.reading}
    del fields["account"]  # as long as a document; `correct` lists it
    return first | fields


def passage_row(checked: "CheckedPassage") -> JsonObject:
    """Return the JSON row of a quote or a citation; what is not known is None."""
    place = checked.place
    document = place.document if place else None
    return {
        "kind": checked.kind,
        "text": checked.text,
        "start": checked.start,
        "end": checked.end,
        "finding": checked.finding,
        "article": checked.article or None,
        "page": checked.page,
        "document": document.label if document else None,
        "season": document.season if document else None,
        "issue": document.issue if document else None,
        "difference": checked.difference or None,
        "clause_id": place.clause.clause_id if place else None,
    }


def account_json(document: Document) -> JsonObject:
    account = document.account
    return {
        "unplaced": [{"page": line.page, "words": line.words} for line in account.unplaced],
        "untaken_numbers": [
            {"page": line.page, "number": line.number, "words": line.words}
            for line in account.untaken
        ],
        "long_clauses": [asdict(clause) for clause in account.long_clauses],
        "put_away": [asdict(row) for row in account.put_away],
    }


def correction_json(document: Document) -> JsonObject:
    """Return what was said of the lines of a document, and what its reading left over."""
    said = [asdict(correction) for correction in document.corrections]
    warned = [asdict(w) for w in document.warnings if w.is_on_correction]
    return {
        "document_id": document.document_id,
        "label": document.label,
        "clauses": document.clauses,
        "reading": document.reading,
        "corrections": said,
        "warnings": warned,
        **account_json(document),
    }


def ingest_result_json(result: IngestResult) -> JsonObject:
    """Return the result of an ingestion; what is read of the document is None if it failed."""
    failed = result.status == "failed"
    return {
        "file": result.file,
        "status": result.status,
        **_reading_json(result.document),
        "error": {"code": result.code, "message": result.message} if failed else None,
        "seconds": round(result.seconds, 3),
    }


def _reading_json(document: Document | None) -> JsonObject:
    names = ("document_id", "title", "family", "season", "issue", "date", "pages", "clauses")
    if document is None:
        return dict.fromkeys((*names, *_ACCOUNT_FIELDS)) | {"other_letters": {}, "warnings": []}
    letters, placed = (document.counts.get(name, 0) for name in ("letters", "letters_placed"))
    idle = sum(document.counts.get(f"{status}_clauses", 0) for status in ("deleted", "future"))
    return {
        **{name: getattr(document, name) for name in names},
        "reading": document.reading,
        "letters": letters,
        "placed": round(placed / letters, 4) if letters else None,
        "not_in_force": round(idle / document.clauses, 4) if letters else None,
        **account_json(document),
        "other_letters": {
            kind: count
            for kind in get_args(TextKind)
            if (count := document.counts.get(f"letters_{kind}"))
        },
        "warnings": list(map(asdict, document.warnings)),
    }
