"""The rows of a checked sheet: for files, as JSON, in tables; the rules that one may mean."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.language import Language
from core.library import Document, Layers
from core.registers import LimitsRegister
from core.sheets.sheet_check import SheetResult, SheetRow

DECIDED = 1000
"""A row that a rulebook decides says more for it than any number that it only has rules on."""


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row of a sheet, and what one rulebook says of it."""

    document: Document
    row: SheetRow
    result: SheetResult

    def cells(self, language: Language, rulebook: str) -> dict[str, object]:
        """Return its cells in a table; `rulebook` is "" where one alone is checked."""
        row, result = self.row, self.result
        return {
            "id": row.id,
            "verdict": [language.say(f"sheet-verdict-{result.verdict}")],
            **({"rulebook": rulebook} if rulebook else {}),
            "value": f"{row.value} {row.unit}".strip(),
            "article": ", ".join(result.articles),
            "parameter": row.parameter,
            "limit": result.limit,
            "margin": result.margin,
            "missing": result.missing,
        }

    def list_choices(
        self, language: Language, register: LimitsRegister, picked: str
    ) -> dict[str, str]:
        """Return the articles that the row may mean, with their limits.

        First "" (none is picked), what is picked, and what was found; then all others in force.
        """
        subjects = {
            limit.article: f"{limit.article}: {limit} ({limit.subject})"
            for limit in reversed(register.limits)
            if limit.in_force
        }
        subjects[""] = language.say("sheet-by-words")
        near = dict.fromkeys(("", *filter(None, (picked,)), *self.result.articles))
        return {key: subjects.get(key, key) for key in (*near, *reversed(subjects))}


def guess_rulebook(checked: Iterable[CheckedRow]) -> Document | None:
    """Return the document that decides most rows, else that has rules on most; None without one.

    `checked` are the same rows by several documents.
    """
    decided: Counter[str] = Counter()
    ruled: dict[str, Document] = {}
    for one in checked:
        if one.result.verdict != "no rule":
            ruled[one.document.document_id] = one.document
            weight = 1 if one.result.verdict == "cannot tell" else DECIDED
            decided[one.document.document_id] += weight
    return ruled[decided.most_common(1)[0][0]] if ruled else None


def join_rulebooks(checked: Iterable[CheckedRow], layers: Layers) -> list[CheckedRow]:
    """Return the verdicts to show: for a row one of each competition, whose layers answer together.

    Of a row on which no rulebook has a rule it is one alone: the one with a limit that another
    layer overrides, if there is one.
    """
    checked = [*_join_layers(checked, layers)]
    shown = {one.row.id: one for one in sorted(checked, key=lambda one: bool(one.result.limits))}
    shown |= {one.row.id: one for one in checked if one.result.verdict != "no rule"}
    return [one for one in checked if one.result.verdict != "no rule" or shown[one.row.id] is one]


def _join_layers(checked: Iterable[CheckedRow], layers: Layers) -> Iterator[CheckedRow]:
    """Yield the verdicts with one for each row and competition, in place of its lowest layer."""
    competitions: dict[str, dict[str, None]] = defaultdict(dict)
    for base, *above in layers.list_competitions():
        competitions[base.document_id] |= dict.fromkeys(one.document_id for one in (base, *above))
    layered = {one for ids in competitions.values() for one in ids}
    found = {(one.row, one.document.document_id): one for one in checked}
    for (row, document_id), one in found.items():
        if ids := competitions.get(document_id):
            yield _choose_decisive([found[row, other] for other in ids])
        elif document_id not in layered:
            yield one


def _choose_decisive(layers: Sequence[CheckedRow]) -> CheckedRow:
    """Return the verdict on a row by all layers: legal where none of them leaves a doubt.

    A layer whose limits are settled by others leaves none where these decide, or leave a doubt
    themselves, and one where they do not; one that only measures the same leaves none.
    """
    decided = {
        limit.clause_id
        for one in layers
        if one.result.verdict in ("legal", "not legal")
        or not (one.result.is_guess or one.result.settled_by)
        for limit in one.result.limits
    }
    there = [one for one in layers if one.result.is_left_by(decided)]
    order = ("not legal", "cannot tell", "legal", "guess", "no rule")

    def rank(one: CheckedRow) -> tuple[int, bool]:
        verdict = "guess" if one.result.is_guess else one.result.verdict
        verdict = "cannot tell" if verdict == "no rule" and one.result.limits else verdict
        return order.index(verdict), not one.result.limits

    return min(there, key=rank)
