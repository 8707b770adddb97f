"""THINK: the loop that answers a question, its events, tools, models and checks."""

from core.agent import events
from core.agent.budget import limits_of
from core.agent.endings import build_ended_event
from core.agent.events import Asked, DraftGrew, Ended, Event, from_json, to_json
from core.agent.loop import MAX_QUESTION_LENGTH, RESUMABLE_OUTCOMES, Agent, Request, latest_scope
from core.agent.markdown import format_compliance
from core.agent.models.base import Model
from core.agent.models.connection_test import check_connection
from core.agent.models.factory import make_model
from core.agent.run import Run
from core.agent.tools.toolbox import TOOLS
from core.agent.types import (
    OCR_CAUTION,
    Citation,
    ComplianceRow,
    Decision,
    DecisionKind,
    DraftCheck,
    Mode,
    Outcome,
    PenaltyRow,
    RunLimits,
    Score,
    Source,
    Turn,
    Verdict,
)
from core.agent.verification.compliance import overall_verdict
from core.agent.verification.draft_checks import contains_words, normalize_text

__all__ = [
    "Agent",
    "Asked",
    "Citation",
    "ComplianceRow",
    "Decision",
    "DecisionKind",
    "DraftCheck",
    "DraftGrew",
    "Ended",
    "Event",
    "MAX_QUESTION_LENGTH",
    "Mode",
    "Model",
    "OCR_CAUTION",
    "Outcome",
    "PenaltyRow",
    "RESUMABLE_OUTCOMES",
    "Request",
    "Run",
    "RunLimits",
    "Score",
    "Source",
    "TOOLS",
    "Turn",
    "Verdict",
    "build_ended_event",
    "check_connection",
    "contains_words",
    "events",
    "format_compliance",
    "from_json",
    "latest_scope",
    "limits_of",
    "make_model",
    "normalize_text",
    "overall_verdict",
    "to_json",
]
