"""An impact as Markdown, for a mail or a chat."""

from collections.abc import Iterable, Iterator, Sequence

from core.impact.impact import ChangedClause, Impact
from core.library import ClausePair

MAX_CHANGES = 200
MAX_WORDS = 60
"""Most words of a wording that are shown."""


def format_digest(impact: Impact) -> str:
    """Return what an issue changed and what that touches: suspects first, then the changes."""
    if impact.before is None:
        return f"# {impact.document.label}\n\nIt is the first edition of its rulebook here.\n"
    suspects = (
        f"{_escape(one.question)} (asked {one.asked_at[:10]}): cites {one.cited}"
        for one in impact.suspects
    )
    sheets = (
        f"{_escape(sheet.name)}, {_escape(row.id)} {_escape(row.parameter)} ({_escape(row.value)}):"
        f" {row.verdict_before} ({row.limit_before or 'no limit'})"
        f" → {row.verdict} ({row.limit or 'no limit'})"
        for sheet in impact.suspect_sheets
        for row in sheet.rows
    )
    referring = (
        f"{f'{one.article} {_escape(one.title)}'.rstrip()}: refers to {', '.join(one.refers_to)}"
        for one in impact.clauses
    )
    blocks = [
        f"# What changed for us: {impact.document.label}",
        f"Compared with {impact.before.label}. Changed clauses: {len(impact.changed)}. Answers"
        f" and checks that cite them: {len(impact.answers)}, to look at: {len(impact.suspects)}."
        f" Clauses that refer to them: {len(impact.clauses)}. Sheets that rest on them:"
        f" {len(impact.sheets)}, to look at: {len(impact.suspect_sheets)}.",
        *_list_section("Answers and checks to look at", suspects),
        *_list_section("Rows of sheets to look at", sheets),
        *_list_section("Changed clauses", _format_changes(impact.changed)),
        *_list_section("Clauses that refer to them", referring),
    ]
    return "\n\n".join(blocks) + "\n"


def _list_section(title: str, lines: Iterable[str]) -> Iterator[str]:
    if items := "\n".join(f"- {line}" for line in lines):
        yield f"## {title}"
        yield items


def _format_changes(changed: Sequence[ChangedClause]) -> Iterator[str]:
    for change in changed[:MAX_CHANGES]:
        pair = change.pair
        numbers = " → ".join(dict.fromkeys(filter(None, (pair.article_a, pair.article_b))))
        declared = ", not declared" if pair.declaration == "undeclared" else ""
        name = f"**{numbers}** {_escape(pair.title)}".rstrip()
        yield f"{name} ({pair.change}{declared}): {_format_words(pair)}"
    if len(changed) > MAX_CHANGES:
        yield f"and {len(changed) - MAX_CHANGES} more"


def _format_words(pair: ClausePair) -> str:
    """Return the words that differ: ~~left~~ and **came**."""
    if not pair.pieces:
        return _shorten(pair.before or pair.after)
    signs = {"deleted": "~~", "inserted": "**"}
    pieces = ((signs[p.kind], _shorten(p.text)) for p in pair.pieces if p.kind in signs)
    return " ".join(f"{sign}{text}{sign}" for sign, text in pieces if text)


def _shorten(text: str) -> str:
    words = text.split()
    return _escape(" ".join(words[:MAX_WORDS]) + (" …" if len(words) > MAX_WORDS else ""))


def _escape(text: str) -> str:
    """Return a text of others so that it stays one line and no mark-up."""
    return "".join(f"\\{c}" if c in "\\`*_~[]<>#|" else c for c in " ".join(text.split()))
