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
