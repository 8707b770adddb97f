"""The offline model as the loop asks for it. What it does is decided in the modules beside; it only calls them."""

from collections.abc import Generator

from core.agent.models.base import (
    Assessment,
    Classification,
    ClassifyRequest,
    Delta,
    Reply,
    ScoreRequest,
    Turn,
    estimate,
)
from core.agent.models.offline.classify import classified
from core.agent.models.offline.draft_text import compared, quoted
from core.agent.models.offline.rewrite_followup import standalone
from core.agent.models.offline.score import measured, not_quoted, refined
from core.agent.types import Usage
from core.rulebook.structure.numbering import called, within

NAME = "offline (extractive)"
_USAGE = Usage(model=NAME, server="this machine", cost=0.0, stop_reason="end_turn")


class OfflineModel:
    """The extractive model. Deterministic: the same evidence gives the same draft and the same score."""

    answer_model = NAME
    decision_model = NAME
    offline = True

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]:
        return classified(standalone(request.question, request.history)), _USAGE

    def respond(self, turn: Turn) -> Generator[Delta, None, Reply]:
        thinking, draft, citations = compared(turn) if turn.pairs else quoted(turn)
        draft = "\n\n".join((*turn.struck, draft))
        yield Delta("thought", thinking)
        yield Delta("draft", draft, anew=True)
        return Reply(thinking, draft, citations, (), _USAGE)

    def measure(self, turn: Turn) -> int:
        return estimate(turn)

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        strategy, tool, query, reason = refined(request)
        suggestions = tuple(
            f"What does {called(s.article)} say on {within(s.title)}?" for s in not_quoted(request)
        )
        return Assessment(
            measured(request), strategy, tool, query, reason, suggestions=suggestions
        ), _USAGE
