"""The rows of the tables of a run: cells by the names of their columns.

Those of its reasoning are plain text, those of its answer Markdown.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from core.agent import events as ev
from core.answers.answer_text import format_limit
from core.language import Language
from core.library import ClausePair
from core.markdown_escape import escape_markdown
from core.registers import PenaltyRow
from core.verification import ComplianceRow, Source

_PENALTY_COLUMNS = (
    "article",
    "page",
    "breach",
    "sanction",
    "conditions",
    "decided_by",
    "document",
)
_NBSP = "\u00a0"


def list_tables(
    language: Language, event: ev.EvidenceFound
) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Yield the tables of what a tool found: a title and its rows. Empty ones are left out."""
    tables = {
        "table-found": source_rows(language, event.sources),
        "table-compared": pair_rows(language, event.pairs),
        "table-penalties": penalty_rows(event.rows),
    }
    for title, rows in tables.items():
        if cells := list(rows):
            yield language.say(title), cells


def source_rows(language: Language, found: Iterable[Source]) -> Iterator[dict[str, object]]:
    """Yield a row for each clause that a tool found, in its order."""
    for rank, source in enumerate(found, 1):
        headings = (one for one in reversed(source.breadcrumb) if any(map(str.isalpha, one)))
        pages = dict.fromkeys((str(source.page_first), str(source.page_last)))
        yield {
            "rank": rank,
            "marker": f"[{source.marker}]",
            "article": source.article,
            "title": next(chain(filter(None, (source.title,)), headings), ""),
            "page": "–".join(pages),
            "document": source.document,
            "why": language.say(f"why-{source.why}"),
            "search_score": f"{source.score:.2f}",
            "text": source.text,
        }


def pair_rows(language: Language, found: Iterable[ClausePair]) -> Iterator[dict[str, object]]:
    """Yield a row for each pair of clauses that a comparison aligned."""
    for pair in found:
        yield {
            "change": language.say(f"change-{pair.change.replace(', ', '-')}"),
            "before": pair.article_a or "",
            "after": pair.article_b or "",
            "title": pair.title,
            "wording_before": pair.before,
            "wording_after": pair.after,
            "publisher": language.say(f"mark-{pair.marked}") if pair.marked else "",
        }


def penalty_rows(found: Iterable[PenaltyRow]) -> Iterator[dict[str, object]]:
    for row in found:
        yield {name: getattr(row, name) for name in _PENALTY_COLUMNS}


def compliance_cells(language: Language, found: Iterable[ComplianceRow]) -> list[dict[str, str]]:
    """Return values against limits: limit, yours, margin, verdict come first; notes if any.

    A verdict is as it is stored.
    """
    rows = [
        {
            "limit": _bind_units(format_limit(language, row.limit))
            if row.citations
            else language.say("check-no-limit"),
            "yours": _bind_units(row.yours),
            "margin": _bind_units(row.margin),
            "verdict": row.verdict,
            "requirement": escape_markdown(row.subject),
            "article": ", ".join(
                dict.fromkeys(_bind_words(citation.full_article) for citation in row.citations)
            ),
            "note": escape_markdown(row.note if row.citations else ""),
        }
        for row in found
    ]
    return _drop_empty(rows, "note")


def penalty_cells(found: Iterable[PenaltyRow]) -> list[dict[str, str]]:
    """Return the penalties of an answer; their conditions if any."""
    rows = [
        {
            "breach": escape_markdown(row.breach),
            "sanction": escape_markdown(row.sanction),
            "condition": escape_markdown(row.conditions),
            "article": _bind_words(row.article),
        }
        for row in found
    ]
    return _drop_empty(rows, "condition")


def _drop_empty(rows: Sequence[dict[str, str]], optional: str) -> list[dict[str, str]]:
    """Return rows without a column if all of its cells are empty."""
    if any(row[optional] for row in rows):
        return list(rows)
    return [{name: cell for name, cell in row.items() if name != optional} for row in rows]


def _bind_units(amount: str) -> str:
    """Escape an amount, with no line break between a number and its unit."""
    return re.sub(r"(?<=\d) ", _NBSP, escape_markdown(amount))


def _bind_words(article: str) -> str:
    return escape_markdown(article).replace(" ", _NBSP)
