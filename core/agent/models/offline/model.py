"""The offline model behind the protocol that the loop calls; it classifies by words alone.

`intents.toml` has them; the modules beside it do the rest of the work.
"""

import re
import tomllib
from collections.abc import Generator
from pathlib import Path

from core.agent.models.base import (
    AnyRequest,
    Assessment,
    Classification,
    ClassifyRequest,
    Reply,
    ReplyDelta,
    ReplyRequest,
    ScoreRequest,
)
from core.agent.models.offline.confidence import Confidence, load_confidence
from core.agent.models.offline.extract import draft_comparison, draft_quotes
from core.agent.models.offline.rewrite_followup import is_elliptical, make_standalone
from core.agent.models.offline.score import plan_refinement, score_draft
from core.model_calls import Usage

MODEL_NAME = "offline (extractive)"
_INTENTS = tomllib.loads(Path(__file__).with_name("intents.toml").read_text(encoding="utf-8"))
_REPLIES = _INTENTS["replies"]
_USAGE = Usage(model=MODEL_NAME, server="this machine", cost=0.0, stop_reason="end_turn")


class OfflineModel:
    """The extractive model: the same evidence always gives the same draft and score."""

    answer_model = MODEL_NAME
    decision_model = MODEL_NAME
    offline = True

    def __init__(self, confidence: Confidence | None = None) -> None:
        self._confidence = confidence or load_confidence()

    def classify(self, request: ClassifyRequest) -> tuple[Classification, Usage]:
        return classify_question(make_standalone(request.question, request.history)), _USAGE

    def stream_reply(self, reply_request: ReplyRequest) -> Generator[ReplyDelta, None, Reply]:
        draft = (
            draft_comparison(reply_request)
            if reply_request.pairs
            else draft_quotes(reply_request, self._confidence)
        )
        text = "\n\n".join((*reply_request.struck, draft.text))
        yield ReplyDelta("thought", draft.thinking)
        yield ReplyDelta("draft", text, anew=True)
        return Reply(draft.thinking, text, draft.citations, (), _USAGE, measures=draft.measures)

    def count_tokens(self, _: AnyRequest) -> int:
        """Return 0: nothing is sent."""
        return 0

    def score(self, request: ScoreRequest) -> tuple[Assessment, Usage]:
        strategy, tool, query, reason = plan_refinement(request)
        score = score_draft(request, self._confidence)
        return Assessment(score, strategy, tool, query, reason), _USAGE


def classify_question(question: str) -> Classification:
    """Classify a question that stands alone: its intent with its first tool, or the reply to it."""
    if re.search(_INTENTS["about"], question, re.I):
        reason = "It is about the assistant, not about rules."
        return Classification("GENERAL", "answer", question, "", "", reason, _REPLIES["about"])
    if re.search(_INTENTS["foreign"], question, re.I):
        reason, reply = "Not a question on a rulebook.", _REPLIES["foreign"]
        return Classification("OUT_OF_SCOPE", "decline", question, "", "", reason, reply)
    if is_elliptical(question):
        reason, reply = "It does not say what it asks about.", _REPLIES["no_history"]
        return Classification("GENERAL", "clarify", question, "", "", reason, reply)
    for known in _INTENTS["intents"]:
        if match := re.search(known["pattern"], question, re.I):
            reason = f"The question says “{match.group(0)}”."
            tool = known["tool"]
            return Classification(known["intent"], "tool", question, tool, question, reason)
    reason = "A specific question: its clauses are searched by number and by words."
    return Classification("SEARCH", "tool", question, "regulation_search", question, reason)
