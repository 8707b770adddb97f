"""The intent of a question and the tool that it begins with, by its words."""

import re

from core.agent.models.base import Classification
from core.agent.models.offline.rewrite_followup import is_elliptical
from core.agent.types import Intent

ABOUT_REPLY = (
    "I answer questions about the rulebooks in the library, word for word, with article, page,"
    " season and issue. Ask for a rule (“What is the pit lane speed limit?”), an article"
    " (“Article 12.3”), a summary, a penalty, or what changed between two issues or seasons. I am"
    " working offline: I quote the clauses I find and write nothing of my own."
)
NO_HISTORY_REPLY = (
    "This refers to an earlier question, and there is none in this chat. What do you want to know?"
)
OUT_OF_SCOPE_REPLY = (
    "That is not something a rulebook answers. Ask about the documents in the library."
)

_ABOUT = re.compile(
    r"^\W*(hi|hello|hey|good (morning|day|evening)|thanks?( you)?|who are you)\b[\w\s,!.]{0,20}$|"
    r"\bwhat can you (do|help)|\bhow (do|does) (you|this|it|scrutineer) work|^\W*help\W*$",
    re.I,
)
_FOREIGN = re.compile(
    r"\b(weather (be|like|today|tomorrow)|forecast|joke|poem|recipe|capital (city )?of|"
    r"stock price|horoscope|lottery|bet(ting)? odds|who (won|will win|is winning)|"
    r"write (me )?(a|some) (code|program|song|story)|translate)\b",
    re.I,
)
# Rules that changed, not a driver who changes tyres.
_CHANGED = (
    r"^((?!\b(may|must|can|could|shall|should|when|if|who|event|happens|many|often|penalt\w+)\b).)*?"
    r"(?<!for )\bchang\w+(?!.*\b(allowed|permitted|mandatory|required)\b)"
)
_INTENTS: tuple[tuple[Intent, str, str], ...] = (
    (
        "COMPARISON",
        "regulation_comparison",
        r"\b(compar\w+|differences?|differs?|different (from|in|between)|versus|vs\.?|"
        rf"between (season|issue|the )?\s*\d)\b|{_CHANGED}",
    ),
    (
        "PENALTY",
        "penalty_lookup",
        r"\b(penalt\w+|sanction\w*|punish\w*|fined?|disqualif\w+|what happens (if|when|to))\b",
    ),
    (
        "SUMMARY",
        "regulation_summary",
        r"\b(summar\w+|overview|outline|everything (about|on)|"
        r"all (the )?(rules|requirements|articles))\b",
    ),
    (
        "GENERAL",
        "general_rag",
        r"\b(in general|generally|across|any rulebook|which (rulebook|document))",
    ),
)


def classify_question(question: str) -> Classification:
    """Classify a question that stands alone: its intent with its first tool, or the reply to it."""
    if _ABOUT.search(question):
        reason = "It is about the assistant, not about rules."
        return Classification("GENERAL", "answer", question, "", "", reason, ABOUT_REPLY)
    if _FOREIGN.search(question):
        reason = "Not a question on a rulebook."
        return Classification(
            "OUT_OF_SCOPE", "decline", question, "", "", reason, OUT_OF_SCOPE_REPLY
        )
    if is_elliptical(question):
        reason = "It does not say what it asks about."
        return Classification("GENERAL", "clarify", question, "", "", reason, NO_HISTORY_REPLY)
    for intent, tool, pattern in _INTENTS:
        if match := re.search(pattern, question, re.I):
            reason = f"The question says “{match.group(0)}”."
            return Classification(intent, "tool", question, tool, question, reason)
    reason = "A specific question: its clauses are searched by number and by words."
    return Classification("SEARCH", "tool", question, "regulation_search", question, reason)
