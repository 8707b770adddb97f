"""What programs ask the agent: a question, its scope and budget, and the questions before it."""

from collections.abc import Generator
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from core.agent import MAX_QUESTION_LENGTH, Agent, Event, Mode, Request, RunBudget, Turn, budget_of
from core.api.json_api import LookupRequest, QueryText
from core.chats import Conversations, conversation_title
from core.settings import Settings

MAX_HISTORY = 20
"""Earlier questions of a conversation; a model sees the newest of them."""
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
        budget = adjust_budget(settings, self.mode, self.max_iterations, self.quality_threshold)
        history = tuple(Turn(earlier, "") for earlier in self.after)
        events = agent.ask(Request(self.question, self.scope_choice, budget, history))
        if chats is None:
            return (event for event in events)
        chats.check_question()
        chat = chats.start_conversation(conversation_title(self.question))
        return chats.save_events(chat, events)


def adjust_budget(
    settings: Settings, mode: Mode, max_iterations: int | None, threshold: float | None
) -> RunBudget:
    """Return the budget of a mode with what somebody set for one question."""
    budget = budget_of(settings, mode)
    return replace(
        budget,
        max_iterations=max_iterations or budget.max_iterations,
        quality_threshold=threshold or budget.quality_threshold,
    )
