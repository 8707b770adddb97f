"""The tool that finds breaches and their sanctions."""

from dataclasses import replace
from itertools import chain, compress

from core.agent.tools.base import (
    ToolArguments,
    ToolContext,
    drop_title_words,
    fit_hits,
    follow_references,
    restrict_to_document,
    unique_hits,
)
from core.agent.types import ToolResult
from core.grammar import UNITS, find_cues, find_sanctions, list_words, stem_words
from core.library import Hit, Scope, content_words, coverage, parse_query_filters, search
from core.registers import UNNAMED_SANCTION, PenaltyRow, find_penalties

MAX_PENALTY_ROWS = 24
"""Rows of a penalty table."""
MIN_BREACH_COVERAGE = 0.4
"""Share of a question's words that a rule on its breach contains."""
MAX_PENALTY_WORDS = 3_000
"""Words of rule text with a penalty table."""
_ASKING = stem_words(" ".join(list_words("sanctioning")))
"""Stems of words that ask for a sanction."""


def penalty_lookup(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Find breaches and their sanctions: what happens to whom, on what conditions, who decides,
    by which article.

    Ask by breach ("speeding in the pit lane") or by sanction ("what gets a drive-through?"). "a
    penalty under Article 54.3d)" is followed to what 54.3d) says; the rule on the breach comes
    before the general list of penalties.
    """
    restricted = replace(context, scope=restrict_to_document(context.scope, arguments.document))
    kinds = set(find_sanctions(arguments.query)) - {UNNAMED_SANCTION}
    if kinds and not _breach_words(arguments.query, restricted.scope):
        return _find_by_sanction(restricted, kinds)
    return _find_by_breach(restricted, arguments.query)


def _breach_words(query: str, scope: Scope) -> dict[str, str]:
    """Return the words of a question that say what a breach is, by stem.

    Words of a rulebook's name, of a sanction and of whom it falls on are not included.
    """
    text = parse_query_filters(query, scope.documents).remaining_text
    cues = (one for one in find_cues(text, "sanction", "agent") if not one.has("decider"))
    named = stem_words(" ".join((*find_sanctions(query), *(one.text for one in cues))))
    words = drop_title_words(text, scope).items()
    return {stem: word for stem, word in words if not (stem in named | _ASKING or word in UNITS)}


def _find_by_breach(context: ToolContext, query: str) -> ToolResult:
    """Return what a search finds, and the rows of it that are on the breach, lists last.

    The query is searched as it is, and with a word for a sanction: either may be nearer.
    """
    searches = (
        search(context.library, text, context.scope, context.results)
        for text in (query, f"{query} penalty")
    )
    hits = sorted(unique_hits(chain.from_iterable(searches)), key=lambda hit: -hit.score)
    words = _breach_words(query, context.scope) or content_words(query)

    is_named = False
    rows: list[PenaltyRow] = []
    sanctioning = [hit.clause for hit in hits if find_sanctions(hit.clause.text)]
    penalties = find_penalties(context.library, context.scope, sanctioning)
    for clause, found in sorted(penalties, key=lambda pair: pair[1].is_list):
        share = coverage(words, " ".join((*clause.breadcrumb, clause.title, clause.text)))
        shares = ((2 * coverage(words, row.breach) + share) / 3 for row in found.rows)
        on_breach = list(compress(found.rows, (one >= MIN_BREACH_COVERAGE for one in shares)))
        is_named |= bool(on_breach)
        rows += found.rows if found.is_list else on_breach
    references = follow_references(context, [h for h in hits if h.clause in sanctioning][:1])
    extra = fit_hits(unique_hits(references), MAX_PENALTY_WORDS)
    note = None
    if not is_named:
        note = f"No clause in scope names a sanction for “{query}”."
        if sanctioning:
            note = f"Sanctions are named here, none of them plainly for “{query}”."
    return ToolResult(unique_hits((*hits, *extra)), rows=tuple(rows[:MAX_PENALTY_ROWS]), note=note)


def _find_by_sanction(context: ToolContext, kinds: set[str]) -> ToolResult:
    """Return the rules that name some kinds of sanction, general lists of penalties last."""
    sanctioning = [
        clause
        for document in context.scope.documents
        for clause in context.library.clauses(document.document_id)
        if clause.status == "in_force" and find_sanctions(clause.text)
    ]
    penalties = find_penalties(context.library, context.scope, sanctioning)
    found = [
        (clause, row)
        for clause, threatened in sorted(penalties, key=lambda pair: pair[1].is_list)
        for row in threatened.rows
        if kinds & set(row.kinds)
    ]
    names, note = " or ".join(sorted(kinds)), None
    if not found:
        note = f"No clause in scope names this: {names}."
    elif len(found) > MAX_PENALTY_ROWS:
        note = f"{len(found)} rules name this: {names}. The first {MAX_PENALTY_ROWS} are given."
    shown = found[:MAX_PENALTY_ROWS]
    hits = unique_hits(Hit(clause, 1 / rank, "words") for rank, (clause, _) in enumerate(shown, 1))
    clauses = fit_hits(hits, MAX_PENALTY_WORDS)
    return ToolResult(clauses, rows=tuple(row for _, row in shown), note=note)
