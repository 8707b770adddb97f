"""What programs ask beside look-ups: questions, comparisons, registers of limits, checks of texts.

Each is validated as it comes in, and answered in the shapes of the command line's `--json`.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.agent import MAX_QUESTION_LENGTH, Agent, Event, Mode, Request, RunLimits, Turn, limits_of
from core.api.json_api import (
    JsonObject,
    LookupRequest,
    QueryText,
    document_json,
    passage_row,
)
from core.chats import Conversations, conversation_title
from core.library import (
    ClausePair,
    Declaration,
    Library,
    PairKind,
    PairPlace,
    PairWording,
    compare_documents,
)
from core.limits import limit_row, register_of
from core.quotes import RuleTexts, check_text
from core.settings import Settings

MAX_TEXT = 500_000
"""Characters of a text that is checked over a network: a long report."""
MAX_HISTORY = 20
"""Earlier questions of a conversation; a model sees the newest of them."""
DocumentId = Annotated[
    str, Field(min_length=1, max_length=200, description="Its id, or the beginning of it.")
]
QuestionText = Annotated[
    str, Field(json_schema_extra={"minLength": 1, "maxLength": MAX_QUESTION_LENGTH})
]
"""The agent itself refuses others, in a sentence."""


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
        limits = adjust_limits(settings, self.mode, self.max_iterations, self.quality_threshold)
        history = tuple(Turn(earlier, "") for earlier in self.after)
        events = agent.ask(Request(self.question, self.scope_choice, limits, history))
        if chats is None:
            return (event for event in events)
        chats.check_question()
        chat = chats.start_conversation(conversation_title(self.question))
        return chats.save_events(chat, events)


class CompareRequest(BaseModel):
    """Two documents, and which of their pairs of clauses are wanted."""

    model_config = ConfigDict(extra="forbid")

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

    def pairs(self, library: Library) -> list[ClausePair]:
        """Return the pairs of both documents, or those about the article alone."""
        documents = (library.document(name).document_id for name in (self.before, self.after))
        pairs = compare_documents(library, *documents)
        return [pair for pair in pairs if not self.article or pair.is_about(self.article)]

    def choose(self, pairs: Iterable[ClausePair]) -> Iterator[ClausePair]:
        """Yield those of the pairs that are wanted."""
        for pair in pairs:
            if all(getattr(pair, name) == value for name, value in self.chooses.items()):
                yield pair

    def answer(self, library: Library) -> JsonObject:
        """Return the wanted pairs under `pairs`."""
        return {"pairs": [asdict(pair) for pair in self.choose(self.pairs(library))]}


class LimitsRequest(BaseModel):
    """A document whose limits are wanted."""

    model_config = ConfigDict(extra="forbid")

    document: DocumentId

    def answer(self, library: Library) -> JsonObject:
        """Return its limits in reading order, and what of its numbers sets none as a sentence."""
        document = library.document(self.document)
        register = register_of(library, document)
        rows = [limit_row(document, limit) for limit in register.limits]
        return {"limits": rows, "summary": register.summary}


class VerifyRequest(LookupRequest):
    """A text whose quotes and cited articles are to be checked."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]

    def answer(self, rules: RuleTexts) -> JsonObject:
        """Return whether all of it stands, and each of its passages with its finding."""
        checked = check_text(rules, self.text, self.scope_choice)
        rows = [passage_row(one) for one in checked]
        return {"stands": all(one.stands for one in checked), "passages": rows}


class DocumentsRequest(BaseModel):
    """The list of the documents."""

    model_config = ConfigDict(extra="forbid")

    def answer(self, library: Library) -> JsonObject:
        return {"documents": [document_json(one) for one in library.documents()]}


def adjust_limits(
    settings: Settings, mode: Mode, max_iterations: int | None, threshold: float | None
) -> RunLimits:
    """Return the limits of a mode with those that somebody set for one question."""
    limits = limits_of(settings, mode)
    return replace(
        limits,
        max_iterations=max_iterations or limits.max_iterations,
        quality_threshold=threshold or limits.quality_threshold,
    )
