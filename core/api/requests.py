"""What programs ask, each validated as it comes in: by the command line, `batch` and HTTP."""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.agent import MAX_QUESTION_LENGTH, Agent, Event, Request as Question, Turn, budget_of
from core.api.shared import Shared
from core.chats import Conversations
from core.choices import (
    Declaration,
    Mode,
    PairKind,
    PairPlace,
    PairWording,
    RedlineFormat,
    SearchMode,
)
from core.errors import ScrutineerError
from core.exports import write_redline
from core.library import (
    ClausePair,
    Document,
    Library,
    Scope,
    ScopeChoice,
    article as find_article,
    compare_documents,
    embed_clauses,
    find_clauses,
    find_outside_scope,
    mentions,
    resolve_scope,
    search,
)
from core.quotes import MAX_TEXT, check_text
from core.registers import LimitsRegister, list_layer_notes, register_of
from core.rulebook import OnProgress
from core.settings import Settings
from core.shapes import (
    AmbiguousArticle,
    ArticleClause,
    CompareReply,
    DocumentsReply,
    FoundArticle,
    LimitsReply,
    MentionsReply,
    MissingArticle,
    SearchReply,
    VerifyReply,
)

MAX_HISTORY = 20
"""Earlier questions of a conversation; a model sees the newest of them."""
QueryText = Annotated[str, Field(max_length=10_000)]
"""As long as the longest question that the agent takes."""
QuestionText = Annotated[
    str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_QUESTION_LENGTH})
]
"""The agent itself refuses others, in a sentence."""
DocumentId = Annotated[
    str, Field(min_length=1, max_length=200, description="Its id, or the beginning of it.")
]


class ApiRequest(BaseModel):
    """A request with its place in the service over HTTP, and the shape of its reply there."""

    model_config = ConfigDict(extra="forbid")
    path: ClassVar[str]
    method: ClassVar[Literal["GET", "POST"]] = "GET"
    """GET takes a request as parameters, POST as a JSON body."""
    reply: ClassVar[Any]
    summary: ClassVar[str]

    @classmethod
    def parse(cls, raw: object, strict: bool = False) -> Self:
        """Validate a request; if `strict` without turning one type into another.

        Raises ScrutineerError `bad_request`.
        """
        try:
            return cls.model_validate(raw, strict=strict)
        except ValidationError as error:
            first = error.errors()[0]
            message = f"{'.'.join(map(str, first['loc']))}: {first['msg']}."
            raise ScrutineerError(message, code="bad_request") from error

    def serve(self, shared: Shared, has_gone: Callable[[], bool]) -> object:  # noqa: ARG002
        """Return the reply; long work asks now and then whether who asked `has_gone`.

        Raises ScrutineerError.
        """
        return self.answer(shared.library)

    def answer(self, library: Library) -> object:
        raise NotImplementedError


class LookupRequest(ApiRequest):
    """What every look-up takes: the scope as a person chooses it (`ScopeChoice`)."""

    season: int | None = None
    issue: int | None = None
    document: str | None = None
    family: str | None = None
    competition: str | None = Field(
        None, description="The id of a document: that one and all that lies above it."
    )
    on: str | None = Field(
        None,
        description="A day, YYYY-MM-DD: the rules in force on it.",
        json_schema_extra={"format": "date"},
    )

    @property
    def scope_choice(self) -> ScopeChoice:
        return ScopeChoice(**{name: getattr(self, name) for name in LookupRequest.model_fields})

    def resolve(self, library: Library, question: str = "") -> Scope:
        """Return the chosen scope, restricted to what a question names.

        Raises LibraryError `nothing_in_scope` where a competition or a day has no documents.
        """
        scope = resolve_scope(library.documents(), self.scope_choice, question)
        return scope.require_documents() if self.competition or self.on else scope


class DocumentsRequest(ApiRequest):
    """The list of the documents."""

    path = "documents"
    reply = DocumentsReply
    summary = "List the rulebooks, with their ids."

    def answer(self, library: Library) -> DocumentsReply:
        return DocumentsReply.of(library.list_every_document())


class SearchRequest(LookupRequest):
    path = "search"
    reply = SearchReply
    summary = "Find rules by words or by an article number."

    query: QueryText
    k: int = Field(10, ge=1, le=1000)
    mode: SearchMode | None = None

    def look_up(self, library: Library, on_vectors: OnProgress | None = None) -> SearchReply:
        """Make the vectors that the mode lacks, then return the answer."""
        if (self.mode or library.mode) != "lexical":
            embed_clauses(library, on_vectors, self._scope(library))
        return self.answer(library)

    def answer(self, library: Library) -> SearchReply:
        scope = self._scope(library)
        hits = search(library, self.query, scope, self.k, self.mode)
        return SearchReply.of(hits, scope, list_layer_notes(library, scope.ids, scope.day))

    def _scope(self, library: Library) -> Scope:
        """Return the chosen scope, whatever the query names; else what that names."""
        return self.resolve(library, "" if self.scope_choice.is_set else self.query)


class ArticleRequest(LookupRequest):
    path = "article"
    reply = FoundArticle | AmbiguousArticle | MissingArticle
    summary = "Return an article word for word with its history, or those that its number may mean."

    article: QueryText

    def look_up(self, library: Library) -> ArticleClause | AmbiguousArticle | MissingArticle:
        """Return the clause, or those that its number may mean.

        If there is none, the documents outside the scope that have the article, of the family that
        the request names, and those in scope where it is deleted or not yet in force.
        """
        scope = self.resolve(library)
        found = find_article(library, self.article, scope)
        notes = list_layer_notes(library, scope.ids, scope.day)
        if found.clause is not None:
            own = scope.by_id[found.clause.document_id]
            given = {"part": found.part, "children": found.children}
            layers = notes.get(found.clause.clause_id, ())
            return ArticleClause.of(found.clause, own, layers=layers, **given)
        if found.candidates:
            return AmbiguousArticle.of(found.candidates, scope, notes)
        others = find_outside_scope(library, self.article, scope)
        named = (one for one in others if self.family in (None, one.family))
        put_away = find_clauses(library, self.article, scope, ("deleted", "future"))
        return MissingArticle.of(named, put_away, scope)

    def answer(self, library: Library) -> FoundArticle | AmbiguousArticle | MissingArticle:
        """Return what `look_up` does; of a clause that was found with its history."""
        found = self.look_up(library)
        return FoundArticle.trace(library, found) if isinstance(found, ArticleClause) else found


class MentionsRequest(LookupRequest):
    term: QueryText

    def look_up(self, library: Library) -> MentionsReply:
        """Return the clauses, each once."""
        scope = self.resolve(library)
        notes = list_layer_notes(library, scope.ids, scope.day)
        return MentionsReply.of(mentions(library, self.term, scope), scope, notes)


class CompareRequest(ApiRequest):
    """Two documents, and which of their pairs of clauses are wanted."""

    path = "compare"
    reply = CompareReply
    summary = "Compare two documents rule by rule and word by word."

    before: DocumentId
    after: DocumentId
    article: QueryText | None = None
    kind: PairKind | None = None
    place: PairPlace | None = None
    wording: PairWording | None = None
    declaration: Declaration | None = None

    @property
    def chooses(self) -> dict[str, str]:
        """The properties that a pair must have."""
        return self.model_dump(
            include={"kind", "place", "wording", "declaration"}, exclude_none=True
        )

    def find_documents(self, library: Library) -> tuple[Document, Document]:
        return library.rulebook(self.before), library.rulebook(self.after)

    def pairs(self, library: Library) -> list[ClausePair]:
        """Return the pairs of both documents, or those about the article alone."""
        before, after = (one.document_id for one in self.find_documents(library))
        return [*compare_documents(library, before, after, article=self.article, is_drawn=True)]

    def choose(self, pairs: Iterable[ClausePair]) -> Iterator[ClausePair]:
        """Yield those of the pairs that are wanted."""
        for pair in pairs:
            if all(getattr(pair, name) == value for name, value in self.chooses.items()):
                yield pair

    def answer(self, library: Library) -> CompareReply:
        return CompareReply.of(self.choose(self.pairs(library)), *self.find_documents(library))


class RedlineRequest(ApiRequest):
    """Two documents whose every rule is wanted in one file, with its changes."""

    path = "redline"
    reply = bytes
    summary = "Compare two documents as Word with tracked changes, or as PDF."

    before: DocumentId
    after: DocumentId
    format: RedlineFormat = "docx"

    def answer(self, library: Library) -> bytes:
        compared = CompareRequest(before=self.before, after=self.after)
        documents = compared.find_documents(library)
        return write_redline(library, documents, compared.pairs(library), self.format)


class LimitsRequest(LookupRequest):
    """Documents whose limits are wanted: one, those of a competition, or the newest issues."""

    path = "limits"
    reply = LimitsReply
    summary = "List every limit that documents set; those of a competition as one list."

    def look_up(self, library: Library) -> tuple[Scope, LimitsRegister]:
        """Return the documents, and their limits as one register."""
        scope = self.resolve(library)
        chosen = scope.ids, scope.day
        registers = [register_of(library, one, *chosen) for one in scope.documents]
        return scope, LimitsRegister.join(registers)

    def answer(self, library: Library) -> LimitsReply:
        return LimitsReply.of(*self.look_up(library))


class VerifyRequest(LookupRequest):
    """A text whose quotes and cited articles are to be checked."""

    path = "verify"
    method = "POST"
    reply = VerifyReply
    summary = "Check every quote and every cited article of a text."

    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]

    def serve(self, shared: Shared, has_gone: Callable[[], bool]) -> VerifyReply:
        """Raises ReadError `too_large` and `cancelled`."""
        rules = shared.rule_texts()
        return VerifyReply.of(check_text(rules, self.text, self.scope_choice, has_gone))


OPERATIONS: tuple[type[ApiRequest], ...] = (
    DocumentsRequest,
    SearchRequest,
    ArticleRequest,
    CompareRequest,
    RedlineRequest,
    LimitsRequest,
    VerifyRequest,
)
"""What is looked up over HTTP; questions are asked beside them."""


class AskRequest(LookupRequest):
    """A question, how it is to be answered, and the questions before it in its conversation."""

    question: QuestionText
    mode: Mode = "standard"
    max_iterations: int | None = Field(None, ge=1, le=10)
    quality_threshold: float | None = Field(None, ge=1, le=10)
    after: list[QueryText] = Field([], max_length=MAX_HISTORY)

    def events(
        self, agent: Agent, settings: Settings, chats: Conversations | None = None
    ) -> Generator[Event, None, None]:
        """Answer it; yield the events of the run, once saved in a conversation of its own.

        Without `chats` it is not kept. Raises ScrutineerError, before anything is done.
        """
        budget = budget_of(settings, self.mode, self.max_iterations, self.quality_threshold)
        history = tuple(Turn(earlier, "") for earlier in self.after)
        events = agent.ask(Question(self.question, self.scope_choice, budget, history))
        if chats is None:
            return (event for event in events)
        chats.check_question()
        return chats.save_events(chats.start_conversation(self.question), events)


LOOKUPS: dict[str, type[SearchRequest] | type[ArticleRequest] | type[MentionsRequest]] = {
    "search": SearchRequest,
    "article": ArticleRequest,
    "mentions": MentionsRequest,
}


def answer_line(library: Library, line: str) -> object:
    """Answer one request, a line of JSON; a bad one gets an `error`."""
    try:
        return _read_request(line).look_up(library)
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
    return kind.parse(raw)
