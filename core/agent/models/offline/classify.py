"""The intent of a question and the tool that it begins with, by its words (`intents.toml`)."""

import re
import tomllib
from pathlib import Path

from core.agent.models.base import Classification
from core.agent.models.offline.rewrite_followup import is_elliptical

_INTENTS = tomllib.loads(Path(__file__).with_name("intents.toml").read_text(encoding="utf-8"))
_REPLIES = _INTENTS["replies"]


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
