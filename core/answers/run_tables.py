"""The rows of the tables in a run's reasoning: cells by the names of their columns, plain text."""

from collections.abc import Iterable, Iterator
from itertools import chain

from core.agent import events as ev
from core.language import Language
from core.library import ClausePair
from core.penalties import PenaltyRow
from core.verification import Source

_PENALTY_COLUMNS = (
    "article",
    "page",
    "breach",
    "sanction",
    "conditions",
    "decided_by",
    "document",
)


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
