"""The tool that finds sanctions, by breach or by kind. How a clause becomes rows is the register's."""

import re
from collections.abc import Iterable, Mapping
from itertools import chain

from core.agent.text.stems import content_words, coverage
from core.agent.tools.base import (
    EXPANDED_HITS,
    ToolArguments,
    ToolContext,
    fit_hits,
    follow_references,
    restrict_to_document,
    unique_hits,
)
from core.agent.tools.register import UNNAMED_SANCTION, PenaltyExtractor, is_penalty_list
from core.agent.tools.topic import drop_title_words
from core.agent.types import PenaltyRow, ToolResult
from core.library import Hit, Scope, expand_query, parse_query_filters, search
from core.rulebook import find_sanctions

MAX_PENALTY_ROWS = 24
"""Rows that a table of penalties may have."""
CANDIDATE_FACTOR = 4
"""Times the clauses of a search that are looked at for sanctions."""
MIN_BREACH_COVERAGE = 0.4
"""Share of a question's words from which a rule is on the breach that is asked for."""
MAX_PENALTY_WORDS = 3_000
"""Words of rule text that come with a table of penalties."""
_SANCTION_WORDS = re.compile(
    r"\b(?:penalt\w+|sanction\w*|punish\w*|consequences?|breach\w*|offen[cs]es?|infring\w+|gets?|getting|"
    r"carr(?:y|ies)|leads?|results?|cause[sd]?|incurs?|receives?|imposed?|time|seconds?|reprimand\w*|fine[ds]?|"
    r"drive[- ]through|stop[- ]and[- ]go|grid|drops?|place|positions?|back|points?|deduct\w+|disqualif\w+|dq|dnf|"
    r"suspen\w+|licen[cs]e|exclu\w+|expel\w*|expulsion|pit[- ]lane start|lap times?|delet\w+|warnings?|financial|"
    r"things?|drivers?|competitors?|teams?)\b",
    re.IGNORECASE,
)
"""Words of a question that name a sanction or ask for one, and no breach."""


def penalty_lookup(context: ToolContext, arguments: ToolArguments) -> ToolResult:
    """Find breaches and their sanctions: what happens to whom, on what conditions, who decides, by which article.

    Ask by breach ("speeding in the pit lane") or by sanction ("what gets a drive-through?"). "a penalty under
    Article 54.3d)" is followed to what 54.3d) says; the rule on the breach comes before the general list of penalties.
    """
    scope = restrict_to_document(context.scope, arguments.document)
    register = PenaltyExtractor(context.library, scope)
    kinds = set(find_sanctions(arguments.query)) - {UNNAMED_SANCTION}
    if kinds and not _breach_words(arguments.query, scope):
        rows, told = _by_sanction(context, register, kinds)
    else:
        rows, told = _by_breach(context, register, arguments.query)
    found = dict.fromkeys(row.clause_id for row in rows)
    clauses = [
        Hit(clause, 1 / rank, "words")
        for rank, name in enumerate(found, 1)
        if (clause := context.library.clause(name))
    ]
    evidence = fit_hits(
        unique_hits(chain(clauses, follow_references(context, clauses[:EXPANDED_HITS]))),
        MAX_PENALTY_WORDS,
    )
    return ToolResult(clauses=evidence, rows=rows, note=told)


def _breach_words(query: str, scope: Scope) -> dict[str, str]:
    """What a question says of a breach: its words without those that name rulebooks and sanctions."""
    return drop_title_words(
        _SANCTION_WORDS.sub(" ", parse_query_filters(query, scope.documents).remaining_text), scope
    )


def _by_breach(
    reach: ToolContext, register: PenaltyExtractor, query: str
) -> tuple[tuple[PenaltyRow, ...], str | None]:
    """The rows on a breach, those that say most of it first, general lists of penalties last."""
    words = _breach_words(query, register.scope) or content_words(query)
    others = [
        content_words(other.words)
        for other in expand_query(query, register.scope.documents).alternatives
    ]
    hits = search(
        reach.library, f"{query} penalty", register.scope, CANDIDATE_FACTOR * reach.results
    )
    ranked: list[tuple[bool, float, float, list[PenaltyRow]]] = []
    for hit in (hit for hit in hits if find_sanctions(hit.clause.text)):
        rows = register.extract_rows(hit.clause)
        around = " ".join((*hit.clause.breadcrumb, hit.clause.title, hit.clause.text))
        share = max((_share((words, *others), row.breach, around) for row in rows), default=0.0)
        ranked.append((is_penalty_list(hit.clause), share, share + hit.score / hits[0].score, rows))
    ranked.sort(key=lambda found: (found[0], -found[2]))
    best = max((worth for _, _, worth, _ in ranked), default=0.0)
    kept = [
        row for general, _, worth, rows in ranked if general or worth >= best / 2 for row in rows
    ][:MAX_PENALTY_ROWS]
    if not kept:
        return (), f"No clause in scope names a sanction for “{query}”."
    if max(share for general, share, _, _ in ranked) < MIN_BREACH_COVERAGE:
        return tuple(
            kept
        ), f"No clause in scope names a sanction for quite this: “{query}”. The nearest are given."
    return tuple(kept), None


def _share(asked: Iterable[Mapping[str, str]], breach: str, around: str) -> float:
    """How much of what is asked for, in one wording or another, a breach says, and the clause around it."""
    return max((2 * coverage(words, breach) + coverage(words, around)) / 3 for words in asked)


def _by_sanction(
    reach: ToolContext, register: PenaltyExtractor, kinds: set[str]
) -> tuple[tuple[PenaltyRow, ...], str | None]:
    """All rows of a kind of sanction, rules before general lists; what there are more than can be shown is told."""
    rows = [
        (is_penalty_list(clause), row)
        for document in register.scope.documents
        for clause in reach.library.clauses(document.document_id)
        if clause.status == "in_force" and find_sanctions(clause.text)
        for row in register.extract_rows(clause)
        if kinds & set(row.kinds)
    ]
    rows.sort(key=lambda item: item[0])
    named = " or ".join(sorted(kinds))
    if not rows:
        return (), f"No clause in scope names this: {named}."
    more = (
        f"{len(rows)} rules name this: {named}. The first {MAX_PENALTY_ROWS} are given."
        if len(rows) > MAX_PENALTY_ROWS
        else None
    )
    return tuple(row for _, row in rows[:MAX_PENALTY_ROWS]), more
