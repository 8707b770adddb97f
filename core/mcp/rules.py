"""The tools as methods over a library; their docstrings are what an assistant reads."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import wraps
from typing import Annotated, ParamSpec, TypeVar

from mcp.server.mcpserver import Context, Image
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from core.agent import Ended, Toolbox
from core.api import AskRequest, Shared, caller_of
from core.chats import Conversations
from core.errors import LibraryError, ScrutineerError
from core.library import (
    Layers,
    RuleAddress,
    Scope,
    ScopeChoice,
    article,
    compare_documents,
    find_clauses,
    resolve_scope,
    search,
)
from core.mcp.shapes import (
    Answer,
    ArticleText,
    CheckedText,
    Comparison,
    DocumentList,
    FetchedText,
    Penalties,
    RuleText,
    SearchResults,
    ValueVerdicts,
)
from core.quotes import check_text
from core.registers import list_layer_notes
from core.rulebook import Clause, page_image
from core.shapes import RulingOnClause
from core.sheets import CheckedRow, SheetRow, check_row, join_rulebooks, limit_index

P = ParamSpec("P")
R = TypeVar("R")
DocumentId = Annotated[
    str | None, Field(description="Only this document: its id, or the beginning of it.")
]
Season = Annotated[int | None, Field(description="Only this season; else the newest.")]
Competition = Annotated[
    str | None, Field(description="The id of a document: that one and all that lies above it.")
]
Day = Annotated[str | None, Field(description="YYYY-MM-DD: the rules in force on that day.")]
LongText = Annotated[str, Field(min_length=1, max_length=500_000)]
ShortText = Annotated[str, Field(min_length=1, max_length=10_000)]
_IMAGE_SCALE = 2.0  # pixels a point: legible, and below a megabyte


def errors_for_client(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose errors reach the client as their sentence."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except ScrutineerError as error:
            raise ToolError(error.message) from error

    return run


class RuleTools:
    """Read-only tools over what of a library a choice allows. No argument widens it."""

    def __init__(self, shared: Shared, allowed: ScopeChoice) -> None:
        self._shared, self._allowed = shared.restrict(allowed), allowed
        self._library, self._hits = self._shared.library, shared.settings.search_results

    def search(self, query: ShortText) -> SearchResults:
        """Find rules by words or by article number; pass an id of the results to `fetch`."""
        scope = self._scope(question=query)
        hits = search(self._library, query, scope, self._hits, "lexical")
        notes, labels = list_layer_notes(self._library, scope.ids, scope.day), scope.by_id
        return SearchResults.of(
            RuleText.of(one, labels[one.document_id], notes=notes.get(one.clause_id, ()))
            for one in (hit.clause for hit in hits)
        )

    def fetch(self, id: ShortText) -> FetchedText:
        """Return a rule word for word, by an id that `search` or another tool gave."""
        return FetchedText.of(self._rule(self._clause(id)))

    def article(
        self,
        number: ShortText,
        season: Season = None,
        document: DocumentId = None,
        competition: Competition = None,
        on: Day = None,
    ) -> ArticleText:
        """Return an article word for word by its number, or a lettered item of it ("54.3 d)")."""
        scope = self._scope(season, document, competition, on)
        found = article(self._library, number, scope)
        clauses = (found.clause,) if found.clause else found.candidates
        others = (
            () if clauses else find_clauses(self._library, number, scope, ("deleted", "future"))
        )
        return ArticleText(
            found=found.clause is not None,
            rules=[self._rule(clause, scope) for clause in clauses],
            children=list(found.children),
            not_in_force=[self._rule(clause, scope) for clause in others],
        )

    def compare(
        self,
        before: ShortText,
        after: ShortText,
        limit: Annotated[int, Field(ge=1, le=1000)] = 100,
    ) -> Comparison:
        """Show what changed between two documents, by their ids: rule by rule, word by word."""
        documents = self._library.rulebook(before), self._library.rulebook(after)
        pairs = compare_documents(self._library, documents[0].document_id, documents[1].document_id)
        changes = [pair for pair in pairs if pair.has_difference]
        return Comparison.of(*documents, changes, limit)

    def check_value(
        self,
        parameter: ShortText,
        value: Annotated[str, Field(description='A number, such as "1525".', max_length=100)],
        unit: Annotated[str, Field(max_length=40)] = "",
        note: Annotated[str, Field(max_length=1000)] = "",
        document: DocumentId = None,
        competition: Competition = None,
        on: Day = None,
    ) -> ValueVerdicts:
        """Compare a value with the limits of the rules: legal, not legal, or what is missing.

        The layers of a competition have one verdict.
        """
        row = SheetRow("value", parameter, value, unit, note)
        scope = self._scope(None, document, competition, on)
        checked = [
            CheckedRow(
                one, row, check_row(row, limit_index(self._library, one, scope.ids, scope.day))
            )
            for one in scope.documents
        ]
        layers = Layers(scope.documents, scope.day, scope.ids)
        return ValueVerdicts.of(join_rulebooks(checked, layers) if layers.in_force else checked)

    def penalties(
        self,
        breach: ShortText,
        season: Season = None,
        document: DocumentId = None,
        competition: Competition = None,
        on: Day = None,
    ) -> Penalties:
        """Find the penalties for a breach, with who decides on them and their conditions."""
        toolbox = Toolbox(self._library, self._hits)
        scope = self._scope(season, document, competition, on)
        found = toolbox.call("penalty_lookup", {"query": breach}, scope)
        return Penalties.of(found.rows, found.note or "")

    def documents(self) -> DocumentList:
        """List the rulebooks that can be asked, with their ids."""
        return DocumentList.of(self._library.documents())

    def verify(self, text: LongText) -> CheckedText:
        """Check every quote and every cited article of a text against the rules.

        Use it on your own answer before you give it.
        """
        return CheckedText.of(check_text(self._shared.rule_texts(), text))

    def ask(
        self,
        question: ShortText,
        context: Context,
        competition: Competition = None,
        on: Day = None,
    ) -> Answer:
        """Answer a question from the rules alone, with quotes that code has checked."""
        chosen = asdict(self._allowed) | {
            name: value for name, value in (("competition", competition), ("on", on)) if value
        }
        given = {name: value for name, value in chosen.items() if value is not None}
        asked = AskRequest(question=question, **given)
        events = asked.events(self._shared.agent, self._shared.settings, self._chats_of(context))
        ended = [event for event in events if isinstance(event, Ended)]
        if not ended:
            raise ToolError("The run ended without an answer: ask again.")
        return Answer.of(ended[-1])

    def page(self, id: ShortText) -> Image:
        """Return the page on which a rule begins, as an image."""
        clause = self._clause(id)
        file = self._library.stored_file(clause.document_id)
        page = clause.page_first
        if file is None or file.suffix != ".pdf" or page is None:
            raise ToolError("Of this rule no page is held: its document is no PDF.")
        return Image(data=page_image(file.read_bytes(), page, _IMAGE_SCALE), format="png")

    def read_rule(self, family: str, season: str, issue: str, number: str) -> RuleText:
        """Return the rule at rule://family/season/issue/article; "-" is for what is unknown."""
        address = RuleAddress(family, season, issue, number)
        documents = address.select_editions(self._library.documents())
        found = article(self._library, number, Scope(documents, "named"))
        if found.clause is None:
            edition = f"{family}, {season}, issue {issue}"
            several = f"{len(found.candidates)} rules of {edition} bear the number {number}:"
            none = f"There is no rule {number} in {edition}."
            raise ToolError(f"{several} `article` gives them." if found.candidates else none)
        return self._rule(found.clause)

    def _chats_of(self, context: Context) -> Conversations | None:
        """Return the chats and limits of who calls over HTTP; else those of this machine.

        None where they cannot be opened, as in a folder that may only be read.
        """
        if request := context.request_context.request:
            return caller_of(request).chats
        with suppress(LibraryError):
            return self._shared.chats
        return None

    def _scope(
        self,
        season: int | None = None,
        document: str | None = None,
        competition: str | None = None,
        on: str | None = None,
        question: str = "",
    ) -> Scope:
        """Return what a call chooses of what is allowed."""
        day = on or self._allowed.on
        choice = ScopeChoice(season=season, document=document, competition=competition, on=day)
        scope = resolve_scope(self._library.documents(), choice, question)
        return scope.require_documents() if competition or on else scope

    def _clause(self, clause_id: str) -> Clause:
        clause = self._library.clause(clause_id)
        if clause is None:
            raise ToolError("There is no rule with this id: `search` gives ids.")
        if clause.kind == "ruling":
            raise ToolError("That is a ruling, and no rule: it comes with the rule that it is on.")
        return clause

    def _rule(self, clause: Clause, scope: Scope | None = None) -> RuleText:
        rulings = RulingOnClause.list_of(self._library, clause)
        ids, day = (scope.ids, scope.day) if scope else ((), None)
        notes = list_layer_notes(self._library, ids, day).get(clause.clause_id, ())
        document = self._library.document(clause.document_id)
        return RuleText.of(clause, document, rulings, notes)
