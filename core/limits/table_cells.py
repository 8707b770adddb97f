"""Limits, obligations and verdicts as rows of tables: plain text by the names of the columns."""

from core.language import Language
from core.limits.checklist import ChecklistEntry
from core.limits.json_rows import CheckedRow
from core.limits.obligations import Obligation
from core.limits.register import Limit, LimitsRegister, UnreadNumbers
from core.limits.sheet_check import SheetResult

Cells = dict[str, object]
FOUND_BY_WORDS = ""
"""The article that stands for "no rule is picked"."""


def limit_cells(language: Language, limit: Limit) -> Cells:
    return {
        "article": limit.article,
        "limit": str(limit),
        "subject": limit.subject,
        "condition": limit.condition,
        "page": limit.page,
        "duty": language.say(f"duty-{limit.modality}"),
        "quote": limit.quote,
    }


def obligation_cells(language: Language, duty: Obligation, noted: ChecklistEntry) -> Cells:
    return {
        "article": duty.article,
        "page": duty.page,
        "duty": language.say(f"duty-{duty.modality}"),
        "who": duty.actor,
        "quote": duty.quote,
        "owner": noted.owner,
        "status": noted.status,
    }


def unread_cells(unread: UnreadNumbers) -> Cells:
    return {
        "article": unread.article,
        "page": unread.page,
        "why": unread.reason,
        "words": unread.words,
    }


def verdict_cells(language: Language, checked: CheckedRow, rulebook: str) -> Cells:
    """Return a verdict on a row of a sheet; `rulebook` is "" where one alone is checked."""
    row, result = checked.row, checked.result
    return {
        "id": row.id,
        "verdict": [language.say(f"sheet-verdict-{result.verdict}")],
        **({"rulebook": rulebook} if rulebook else {}),
        "value": f"{row.value} {row.unit}".strip(),
        "article": ", ".join(result.articles),
        "parameter": row.parameter,
        "limit": result.limit,
        "margin": result.margin,
        "page": result.limits[0].page if result.limits else None,
        "missing": result.missing,
    }


def list_rule_choices(
    language: Language, register: LimitsRegister, result: SheetResult, picked: str
) -> dict[str, str]:
    """Return the articles that a row of a sheet may mean, with their limits.

    First FOUND_BY_WORDS, what is picked, and what was found; then all others in force.
    """
    subjects = {
        limit.article: f"{limit.article}: {limit} ({limit.subject})"
        for limit in reversed(register.limits)
        if limit.in_force
    }
    subjects[FOUND_BY_WORDS] = language.say("sheet-by-words")
    near = dict.fromkeys((FOUND_BY_WORDS, *filter(None, (picked,)), *result.articles))
    return {key: subjects.get(key, key) for key in (*near, *reversed(subjects))}
