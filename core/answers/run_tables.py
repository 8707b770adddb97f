"""The events of a run in a line, and as rows of tables: cells by the names of their columns.

The rows of its reasoning are plain text, those of its answer Markdown.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from textwrap import shorten

from core.agent import events as ev
from core.answers.answer_text import format_limit
from core.answers.event_lines import say_plainly
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
MAX_QUERY = 90
"""Characters of a query in a label, which has one line."""
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
            else language.say("check-no-limit", kind=row.subject.strip("()")),
            "yours": _bind_units(row.yours),
            "margin": _bind_units(row.margin),
            "verdict": row.verdict,
            "requirement": escape_markdown(row.subject if row.citations else ""),
            "article": ", ".join(
                dict.fromkeys(_bind_words(citation.full_article) for citation in row.citations)
            ),
            "note": escape_markdown(row.note if row.citations else ""),
        }
        for row in found
    ]
    return _drop_empty(rows, "note")


def penalty_cells(found: Iterable[PenaltyRow]) -> list[dict[str, str]]:
    """Return the penalties of an answer, each once; their conditions if any."""
    names = "breach", "sanction", "condition", "article"
    said = ((row.breach, row.sanction, row.conditions, row.article) for row in found)
    rows = [
        dict(zip(names, (*map(escape_markdown, cells), _bind_words(article)), strict=True))
        for *cells, article in dict.fromkeys(said)
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


def label_panel(language: Language, panel: Iterable[ev.Event]) -> str:
    """Return the label of a panel: its iteration, tool, query, clauses, score and decision."""
    parts: list[str] = []
    markers: set[int] = set()
    for event in panel:
        match event:
            case ev.Asked():
                begin = "resumed" if event.resumed else "question"
                ends = event.decision if event.decision in ("conclude", "stop") else None
                parts.append(language.say(f"panel-{ends or begin}"))
            case ev.Classified():
                parts.append(language.say(f"intent-{event.intent}"))
            case ev.PlanMade():
                number = language.say("panel-iteration", number=event.iteration)
                parts += [number, say_plainly(language, event.tool)]
                if query := shorten(event.query, MAX_QUERY, placeholder=" …"):
                    parts.append(language.say("quoted", words=query))
            case ev.EvidenceFound():
                before = language.say("clauses", count=len(markers))
                markers |= {source.marker for source in event.sources}
                parts = [part for part in parts if part != before]
                parts.append(language.say("clauses", count=len(markers)))
            case ev.Scored():
                parts.append(language.format_score(event.mean))
            case ev.Decided():
                parts.append(language.say(f"decision-{event.decision}"))
    return " · ".join(parts)


def summarize_run(language: Language, events: Iterable[ev.Event]) -> str:
    """Return one line on a run: what matters for trusting it."""
    ended: ev.Ended | None = None
    articles: set[str] = set()
    verified: dict[int, ev.Verified] = {}
    for event in events:
        match event:
            case ev.EvidenceFound():
                articles |= {source.clause_id for source in event.sources}
            case ev.Verified():
                verified[event.iteration] = event
            case ev.Ended():
                ended = event
    if ended is None:
        return language.say("run-open")
    best = verified.get(ended.best_iteration or 0)
    iterations = language.say("iterations", count=ended.iterations)
    if ended.score is not None:
        iterations = language.say(
            "run-score", iterations=iterations, score=language.format_score(ended.score)
        )
    share = ended.cached_tokens / max(1, ended.sent_tokens)
    parts = (
        language.say("run-articles", count=len(articles)) if articles else "",
        *(_summarize_checks(language, best) if best else ()),
        iterations,
        language.format_seconds(ended.seconds),
        language.format_cost(ended.cost) if ended.cost else "",
        language.say("run-cached", share=language.format_share(share)) if share else "",
    )
    return " · ".join(filter(None, parts))


def _summarize_checks(language: Language, event: ev.Verified) -> Iterator[str]:
    passed = [check.kind for check in event.checks if check.passed]
    missing = {found.reference for found in event.references if found.state == "not_held"}
    if quotes := passed.count("quote"):
        yield language.say("run-quotes", count=quotes)
    if computed := len(event.requirements) + passed.count("sum"):
        yield language.say("run-computed", count=computed)
    doubts = sum(check.is_doubt for check in event.checks)
    if failed := len(event.checks) - len(passed) - doubts:
        yield language.say("run-failed-checks", count=failed)
    if doubts:
        yield language.say("run-doubts", count=doubts)
    if missing:
        yield language.say("run-not-held", count=len(missing))


def summarize_counters(language: Language, event: ev.Ended) -> str:
    """Return the outcome of a run, its four counters and its time."""
    counters = (
        language.say("iterations", count=event.iterations),
        language.say("tool-rounds", count=event.tool_rounds),
        language.say("tool-calls", count=event.tool_calls),
        language.say("model-calls", count=event.model_calls),
    )
    return " · ".join(
        (
            language.say(f"outcome-{event.outcome}"),
            *counters,
            language.format_seconds(event.seconds),
        )
    )
