"""What a question is and which tool it begins with, by its words."""

import re

from core.agent.models.base import Classification
from core.agent.models.offline.rewrite_followup import is_elliptical
from core.agent.types import Intent

ABOUT_REPLY = (
    "I answer questions about the rulebooks in the library, word for word, with article, page, season and issue."
    " Ask for a rule (“What is the pit lane speed limit?”), an article (“Article 12.3”), a summary, a penalty,"
    " or what changed between two issues or seasons. I am working offline: I quote the clauses I find and write"
    " nothing of my own."
)
NO_HISTORY_REPLY = (
    "This leans on an earlier question, and there is none in this chat. What do you want to know?"
)
OUT_OF_SCOPE_REPLY = (
    "That is not something a rulebook answers. Ask about the documents in the library."
)

_GREETING = re.compile(
    r"^\W*(hi|hello|hey|good (morning|day|evening)|thanks?( you)?|who are you)\b[\w\s,!.]{0,20}$",
    re.I,
)
_ABOUT = re.compile(
    r"\bwhat can you (do|help)|\bhow (do|does) (you|this|it|scrutineer) work|^\W*help\W*$", re.I
)
_FOREIGN = re.compile(
    r"\b(weather (be|like|today|tomorrow)|forecast|joke|poem|recipe|capital (city )?of|stock price|horoscope|lottery|"
    r"bet(ting)? odds|"
    r"who (won|will win|is winning)|write (me )?(a|some) (code|program|song|story)|translate)\b",
    re.I,
)
_INTENTS: tuple[tuple[Intent, str, re.Pattern[str]], ...] = (
    (
        "COMPARISON",
        "regulation_comparison",
        re.compile(
            r"\b(compar\w+|differences?|differs?|different (from|in|between)|versus|vs\.?|"
            r"between (season|issue|the )?\s*\d)\b|"
            # rules that changed, not a driver who changes tyres
            r"^((?!\b(may|must|can|could|shall|should|when|if|who|event|happens|many|often|penalt\w+)\b).)*?"
            r"(?<!for )\bchang\w+(?!.*\b(allowed|permitted|mandatory|required)\b)",
            re.I,
        ),
    ),
    (
        "PENALTY",
        "penalty_lookup",
        re.compile(
            r"\b(penalt\w+|sanction\w*|punish\w*|fined?|disqualif\w+|what happens (if|when|to))\b",
            re.I,
        ),
    ),
    (
        "SUMMARY",
        "regulation_summary",
        re.compile(
            r"\b(summar\w+|overview|outline|everything (about|on)|all (the )?(rules|requirements|articles))\b",
            re.I,
        ),
    ),
    (
        "GENERAL",
        "general_rag",
        re.compile(r"\b(in general|generally|across|any rulebook|which (rulebook|document))", re.I),
    ),
)


def classify_question(question: str) -> Classification:
    """The intent of a question that stands alone, with the tool that it begins with, or the reply to it."""
    if _GREETING.search(question) or _ABOUT.search(question):
        reason = "A word to the assistant, not a question on rules."
        return Classification("GENERAL", "answer", question, "", "", reason, ABOUT_REPLY)
    if _FOREIGN.search(question):
        reason = "Not a question on a rulebook."
        return Classification(
            "OUT_OF_SCOPE", "decline", question, "", "", reason, OUT_OF_SCOPE_REPLY
        )
    if is_elliptical(question):
        reason = "It says nothing of what it asks about."
        return Classification("GENERAL", "clarify", question, "", "", reason, NO_HISTORY_REPLY)
    for intent, tool, pattern in _INTENTS:
        if match := pattern.search(question):
            reason = f"The question says “{match.group(0)}”."
            return Classification(intent, "tool", question, tool, question, reason)
    reason = "A specific question: its clauses are searched by number and by words."
    return Classification("SEARCH", "tool", question, "regulation_search", question, reason)
