"""What a run found, checked and quoted as rows of tables: cells by the names of their columns.

The rows of its reasoning are plain text, those of its answer Markdown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from core.agent import events as ev
from core.answers.headline import group_by_rulebook
from core.language import Language
from core.library import ClausePair
from core.markdown_escape import escape_markdown
from core.registers import PenaltyRow
from core.sheets import Verdict
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
Table = list[list[str]]
VERDICT_COLORS: dict[Verdict, str] = {"legal": "green", "not legal": "red", "cannot tell": "orange"}
_DIRECTIONS = ("at least", "at most", "more than", "less than")
"""How limits begin in a run."""
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
        pages = dict.fromkeys(str(page or "") for page in (source.page_first, source.page_last))
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


def check_table(language: Language, found: Sequence[ComplianceRow]) -> Table:
    """Return values against limits, below heads: limit, yours, margin, verdict; notes if any.

    Empty where no row has a limit.
    """
    if not any(row.citations for row in found):
        return []
    rows = [
        {
            "limit": _bind_units(format_limit(language, row.limit))
            if row.citations
            else language.say("check-no-limit", kind=row.subject.strip("()")),
            "yours": _bind_units(row.yours),
            "margin": _bind_units(row.margin),
            "verdict": _verdict_badge(language, row.verdict),
            "requirement": escape_markdown(row.subject if row.citations else ""),
            "article": ", ".join(
                dict.fromkeys(_bind_words(citation.full_article) for citation in row.citations)
            ),
            "note": escape_markdown(row.note if row.citations else ""),
        }
        for row in found
    ]
    return head_rows(language, _drop_empty(rows, "note"))


def list_check_tables(
    language: Language, found: Sequence[ComplianceRow]
) -> Iterator[tuple[str, Table]]:
    """Yield for each rulebook its verdict as Markdown, and its table; either may be empty."""
    for document, verdict, rows in group_by_rulebook(found):
        badge = verdict and _verdict_badge(language, verdict)
        heading = f"{badge} :small[{escape_markdown(document)}]" if badge else ""
        yield heading, check_table(language, rows)


def _verdict_badge(language: Language, verdict: Verdict) -> str:
    return f":{VERDICT_COLORS[verdict]}-badge[{language.say(f'verdict-{verdict}')}]"


def head_rows(language: Language, rows: Sequence[Mapping[str, str]]) -> Table:
    """Return the cells of rows after the names of their columns in the language."""
    names = language.say_each("column-", rows[0])
    return [[*names.values()], *([*row.values()] for row in rows)]


def penalty_table(language: Language, found: Iterable[PenaltyRow]) -> Table:
    """Return the penalties of an answer below heads, each once; their conditions if any."""
    names = "breach", "sanction", "condition", "article"
    said = ((row.breach, row.sanction, row.conditions, row.article) for row in found)
    rows = [
        dict(zip(names, (*map(escape_markdown, cells), _bind_words(article)), strict=True))
        for *cells, article in dict.fromkeys(said)
    ]
    return head_rows(language, _drop_empty(rows, "condition"))


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


def format_limit(language: Language, limit: str) -> str:
    """Return a limit ("at most 5 mm") with its direction in the language."""
    direction = next((one for one in _DIRECTIONS if limit.startswith(f"{one} ")), "")
    if not direction:
        return limit
    return f"{language.say(f'relation-{direction}')}{limit.removeprefix(direction)}"


def write_table(table: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown."""
    lines = [f"|{'|'.join(row)}|" for row in table]
    return "\n".join((*lines[:1], *(f"|{'-|' * len(row)}" for row in table[:1]), *lines[1:]))
