"""A value that a question brings ("is 25.0 x 2.0 mm legal?"), checked against the limits of quoted
clauses: one row for each limit.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.limits.compliance_question import (
    BARE_SIZE_FACTOR,
    SIZE_FACTOR,
    ComplianceQuestion,
    find_length_words,
    is_same_measure,
    subject_words,
    values_in_question,
)
from core.limits.limits import QuantityLimit, complete_limits, find_limits, find_table_rows
from core.limits.quantities import Quantity
from core.limits.sentences import alphanumeric_only, split_sentences
from core.limits.table_checks import check_tables, row_name
from core.limits.verdicts import (
    ClauseText,
    LocatedLimit,
    QuotedClauses,
    ValueCheck,
    build_check,
    list_undecided,
    overall_verdict,
    select_highest,
)
from core.limits.vocabulary import any_word
from core.rulebook import PREAMBLE

_CONDITIONS = re.compile(
    rf"(?i)\b(?:{any_word('exception', 'saving', 'proviso')}|provided that|notwithstanding|"
    r"subject to|may be amended)\b"
)
_NO_MEASURE = "The question does not say what this value measures."
MIN_NEARNESS = 0.45
"""The cosine of clause and question from which the clause is taken to be on the value."""
MAX_NEAR_CLAUSES = 3
"""Clauses in which a limit is looked for so, the nearest first."""
MIN_ONLY_NEARNESS = 0.4
"""The cosine that is enough where no other clause as near has a limit of the measure."""


def check_values(
    question: str, quoted: QuotedClauses, found: QuotedClauses = ()
) -> tuple[ValueCheck, ...]:
    """Return what quoted clauses require of the question's values; empty where it brings none.

    A limit counts where the question's words say that it is meant. Where none does, those of the
    first clauses count that are near in meaning. None decides where a clause that was `found` says
    more of the question, and its limit another verdict. A value without a limit has a row that
    says so.
    """
    values = values_in_question(question)
    if not values:
        return ()
    quoted = [(source, words) for source, words in quoted if source.article != PREAMBLE]
    parsed = ComplianceQuestion(question, values, subject_words(question))
    rows = tuple(dict.fromkeys((*check_tables(parsed, quoted), *_check_text(parsed, quoted))))
    if overall_verdict(rows) == "cannot tell":
        rows = _check_near_clauses(parsed, quoted) or rows
    if any(row.verdict != "cannot tell" for row in rows):
        clauses = {source.clause_id: (source, words) for source, words in (*quoted, *found)}
        rows = tuple(_doubt_by_rivals(parsed, rows, clauses))
    decided = tuple(row for row in rows if row.verdict != "cannot tell")
    return (*decided, *list_undecided(values, rows, decided))


# Limits that the question may rather mean


def _doubt_by_rivals(
    question: ComplianceQuestion,
    rows: Sequence[ValueCheck],
    clauses: Mapping[str, tuple[ClauseText, str]],
) -> Iterator[ValueCheck]:
    """Yield rows without their verdict where a rule that says more of the question has another.

    `clauses` are those found, by clause id, with the words to look for limits in.
    """
    rivals = [
        (_count_said(question, source, one.words), _check_limit(question, one).verdict, source)
        for source, words in clauses.values()
        for one in _all_limits(source, words)
        if _may_be_meant(question, one, SIZE_FACTOR)
    ]
    for row in rows:
        said = max(
            (
                _count_said(question, clauses[quote.clause_id][0], quote.words)
                for quote in row.quotes
            ),
            default=0,
        )
        against = [
            source.article
            for count, verdict, source in rivals
            if count > said and verdict not in (row.verdict, "cannot tell")
        ]
        if row.verdict != "cannot tell" and against:
            note = f"Article {against[0]} says more of the question, and sets another limit."
            yield replace(row, verdict="cannot tell", note=note)
        else:
            yield row


def _count_said(question: ComplianceQuestion, source: ClauseText, words: str) -> int:
    return question.count_words(f"{_heading(source)} {words}")


def _may_be_meant(question: ComplianceQuestion, one: LocatedLimit, times: int) -> bool:
    return question.matches_limit(one.limit, times) and (
        one.limit.kind != "length" or question.may_measure(one.words)
    )


def _check_limit(question: ComplianceQuestion, one: LocatedLimit) -> ValueCheck:
    values = [value for value in question.values if value.is_comparable(one.limit.amount)]
    return build_check(values[0], one)


# The nearest clause


def _check_near_clauses(
    question: ComplianceQuestion, quoted: QuotedClauses
) -> tuple[ValueCheck, ...]:
    """Return rows for the first clause that is near in meaning, else for the only one that is
    nearly so and sets a limit of the measure; empty where neither is there.
    """
    near = [pair for pair in quoted if pair[0].nearness >= MIN_NEARNESS][:MAX_NEAR_CLAUSES]
    nearly = [pair for pair in quoted if pair[0].nearness >= MIN_ONLY_NEARNESS]
    first, *_ = [*_rows_by_clause(question, near), ()]
    only = _rows_by_clause(question, nearly)
    return first or (only[0] if len(only) == 1 else ())


def _rows_by_clause(
    question: ComplianceQuestion, quoted: QuotedClauses
) -> list[tuple[ValueCheck, ...]]:
    checked = (tuple(_check_nearest(question, source, words)) for source, words in quoted)
    return list(filter(None, checked))


def _check_nearest(
    question: ComplianceQuestion, source: ClauseText, quote: str
) -> Iterator[ValueCheck]:
    """Yield rows for the limits of a clause whose sentence or row says most of the question.

    Limits in opposite directions bound the value together; several in one are alternatives.
    """
    limits = [
        one for one in _all_limits(source, quote) if _may_be_meant(question, one, BARE_SIZE_FACTOR)
    ]
    best = select_highest(
        limits, lambda one: question.count_words(f"{one.words} {one.limit.subject}")
    )
    for one in best:
        values = [v for v in question.values if v.is_comparable(one.limit.amount)]
        same = {
            limit.amount.base
            for limit in (other.limit for other in best)
            if (limit.relation, limit.kind) == (one.limit.relation, one.limit.kind)
        }
        yield replace(build_check(values[0], one), alternative=len(same) > 1 or len(values) > 1)


def _all_limits(source: ClauseText, quote: str) -> Iterator[LocatedLimit]:
    """Yield the limits of a clause's sentences and tables; headings may give their direction."""
    words = alphanumeric_only(quote)
    for row in find_table_rows(source.text):
        if alphanumeric_only(row.line) in words:
            yield from (LocatedLimit(x, row.line, row_name(row), source) for x in row.limits)
    for sentence in split_sentences(quote):
        if not sentence.startswith("|"):
            for limit in complete_limits(_heading(source), sentence):
                yield LocatedLimit(limit, sentence, limit.subject, source)


def _heading(source: ClauseText) -> str:
    """Return what stands above a clause's words and leads to them."""
    return " ".join((*source.breadcrumb[-1:], source.title, *source.lead_in))


# Sentences


def _check_text(question: ComplianceQuestion, quoted: QuotedClauses) -> Iterator[ValueCheck]:
    """Yield rows for the limits of sentences and lettered items.

    Several limits of one kind and direction in a clause are alternatives: each is for another part,
    or under another condition.
    """
    found = [
        (row, (source.clause_id, row.yours, limit.relation), limit.amount.base)
        for source, quote in quoted
        for row, limit in _check_clause(question, source, quote)
    ]
    amounts = defaultdict(set)
    for _, key, base in found:
        amounts[key].add(base)
    for row, key, _ in found:
        yield replace(row, alternative=len(amounts[key]) > 1)


def _check_clause(
    question: ComplianceQuestion, source: ClauseText, quote: str
) -> Iterator[tuple[ValueCheck, QuantityLimit]]:
    heading = _heading(source)
    sentences = [piece for piece in split_sentences(quote) if not piece.startswith("|")]
    first = sentences[0] if sentences else ""
    meant = [one for one in sentences if question.matches_rule(heading, (first, one))]
    if not any(question.matches_rule(heading, (one,)) for one in meant):
        meant = [first, *meant] if meant else []  # only its words make them match
    for sentence, following in zip(sentences, [*sentences[1:], ""], strict=False):
        if sentence not in meant:
            continue
        described = ""
        if _CONDITIONS.search(sentence):
            described = "The rule has a condition; read it whole."
        elif re.match(r"(?:However|Except|Unless|Notwithstanding)\b", following):
            described = f"“{following}”"
        limits = [limit for limit in find_limits(sentence) if question.matches_limit(limit)]
        # Of several limits those that say more of the question ("at the front") are meant.
        for limit in select_highest(limits, lambda one: question.count_words(one.behind)):
            value, note = _find_value(question, limit)
            located = LocatedLimit(limit, sentence, limit.subject, source)
            yield build_check(value, located, note or described, decided=not note), limit


def _find_value(question: ComplianceQuestion, limit: QuantityLimit) -> tuple[Quantity, str]:
    """Return the value that a limit is for, and why that is not plain; empty where it is."""
    values = [value for value in question.values if value.is_comparable(limit.amount)]
    if limit.kind != "length":
        return values[0], "" if len(values) == 1 else _NO_MEASURE
    limited = find_length_words(limit.own) or find_length_words(limit.subject)
    if not is_same_measure(find_length_words(question.text), limited):
        return values[0], _NO_MEASURE

    def words_around(value: Quantity) -> str:
        before, after = question.text[: value.start].split(), question.text[value.end :].split()
        return " ".join((*before[-3:], *after[:3]))

    near = [v for v in values if is_same_measure(find_length_words(words_around(v)), limited)]
    near = values if len(values) == 1 else near
    return (near[0], "") if len(near) == 1 else (values[0], _NO_MEASURE)
