"""Checks of a draft without a model: its quotes, numbers, markers and sums, not its quality."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby
from operator import attrgetter

from core.grammar import amount_keys, article_label, find_cues, find_verdict, split_sentences
from core.sheets import overall_verdict
from core.verification.arithmetic import WrittenSum, find_sums
from core.verification.comparison import compare_statement
from core.verification.evidence import (
    CITATION_MARKER,
    QUOTED_PASSAGE,
    Evidence,
    list_sources,
    shorten_text,
)
from core.verification.layer_checks import check_layers
from core.verification.numbers import NumberCheck
from core.verification.statement_checks import (
    NotInForce,
    check_force,
    check_places,
    check_support,
    repeats_ruling,
    says_not_in_force,
    select_told,
)
from core.verification.statements import MIN_QUOTE_LENGTH, ParsedDraft, Statement, clause_text
from core.verification.types import Citation, ComplianceRow, DraftCheck


def check_draft(
    parsed: ParsedDraft,
    evidence: Evidence,
    question: str,
    rows: Sequence[ComplianceRow] = (),
    notes: Sequence[str] = (),
    lapsed: Sequence[NotInForce] = (),
) -> tuple[DraftCheck, ...]:
    """Check a draft, and each of its statements, against the evidence of its run.

    `rows` are the question's values as checked, `notes` what tools said beside their clauses,
    `lapsed` words that are no law: rulings, and what of the cited articles is not in force. A quote
    must be in the clause that its citation names, word for word once normalized, and a passage in
    quotation marks in some clause of the evidence; a marker must name a clause, a sum must be
    right. A doubt names its statement.
    """
    checks = [
        *(_check_citation(citation, evidence) for citation in parsed.citations),
        *check_layers(parsed, evidence, question),
        *_check_passages(parsed, evidence, (question, *notes), lapsed),
        *_check_markers(parsed.text, evidence),
        *_check_sums(chain.from_iterable(find_sums(one.text) for one in parsed.statements)),
        *_check_verdict(parsed, question, rows),
        *_check_statements(parsed, evidence, question, rows, notes, lapsed),
    ]
    return tuple(dict.fromkeys(checks))


def _check_statements(
    draft: ParsedDraft,
    evidence: Evidence,
    question: str,
    rows: Sequence[ComplianceRow],
    notes: Sequence[str],
    lapsed: Sequence[NotInForce],
) -> Iterator[DraftCheck]:
    """Check what statements say of their own, and whether all that they tell is in force."""
    told = _list_told(draft, evidence, notes)
    if not lapsed and not any(map(attrgetter("has_own_words"), told.values())):
        return
    spoken = "\n".join((question, *notes, *(one.note for one in lapsed)))
    numbers = NumberCheck(draft, question, rows)
    for number, statement in told.items():
        admitted = select_told(statement, draft, lapsed)
        is_ruling = repeats_ruling(statement, admitted)
        is_past = is_ruling or says_not_in_force(statement, draft)
        words = chain.from_iterable((one.words, one.note) for one in admitted)
        noted = (*words, *notes) if is_past or admitted else ()
        checks = list(numbers.check(statement, noted))
        if statement.has_own_words:
            places_named = check_places(statement, draft, spoken, evidence.sources)
            support = () if is_ruling else check_support(statement, draft, question)
            checks = [*support, *places_named, *checks]
            if not is_past:
                checks += compare_statement(statement, draft, spoken, evidence.sources)
        checks += check_force(statement, draft, [one for one in lapsed if one not in admitted])
        yield from (replace(one, statement=number) if one.is_doubt else one for one in checks)


def _list_told(
    draft: ParsedDraft, evidence: Evidence, notes: Sequence[str]
) -> dict[int, Statement]:
    """Return the statements that say something of their own, by number.

    A note of a tool and the place of a clause, as it stands, are nothing of their own.
    """
    places = (one.describe_place(cut) for one in draft.citations for cut in (False, True))
    listed = "\n".join((list_sources(evidence.sources), *places))
    known = normalize_text(f"{QUOTED_PASSAGE.sub(' ', ' '.join(notes))}\n{listed}")
    return {
        number: one
        for number, one in enumerate(draft.statements, start=1)
        if len(one.own) < MIN_QUOTE_LENGTH or normalize_text(one.own) not in known
    }


def check_whole(text: str, citations: Sequence[Citation], is_cut: bool) -> Iterator[DraftCheck]:
    """Yield a failed check for a draft that is empty, cut off, or cites nothing for what it says.

    A draft may cite nothing where its opening says that nothing was found.
    """
    opening = " ".join(split_sentences(text)[:2])
    if not text.strip():
        yield DraftCheck("whole", False, "draft", "The draft is empty.")
    elif is_cut:
        yield DraftCheck("whole", False, "draft", "The draft was cut off before its end.")
    elif not citations and not find_cues(opening, "negation", "forbidding"):
        message = "The draft cites no clause for what it says."
        yield DraftCheck("uncited", False, "draft", message)


def has_grounding(reply: str, known_texts: Sequence[str]) -> bool:
    """True where all passages in quotation marks and all amounts of a reply are in known texts."""
    texts = [normalize_text(text) for text in known_texts]
    passages = (normalize_text(m[1] or m[2]) for m in QUOTED_PASSAGE.finditer(reply))
    quotes_are_known = all(
        len(passage) < MIN_QUOTE_LENGTH or any(passage in text for text in texts)
        for passage in passages
    )
    return quotes_are_known and amount_keys(reply) <= amount_keys(*known_texts)


def normalize_text(text: str) -> str:
    """Return a text with its case, quotation marks, dashes and white space made alike."""
    text = text.casefold().translate(str.maketrans("‘’“”–—−\u00a0", "''\"\"--- "))
    return " ".join(text.split()).rstrip(".,;:").strip()


def quote_matches(citation: Citation, evidence: Evidence) -> bool:
    """True where the quote of a citation is word for word in its clause."""
    source = evidence.find_by_clause(citation.clause_id)
    return source is not None and contains_parts(
        normalize_text(citation.quote), normalize_text(clause_text(source))
    )


def contains_parts(quote: str, text: str) -> bool:
    """True where a text has the words of a quote, those between its "..." in order."""
    parts = list(filter(None, re.split(r"\s*\[?(?:\.\.\.|…)\]?\s*", quote)))
    for part in parts:
        if not (found := re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text)):
            return False
        text = text[found.end() :]
    return bool(parts)


def _check_citation(citation: Citation, evidence: Evidence) -> DraftCheck:
    source = evidence.find_by_clause(citation.clause_id)
    subject = shorten_text(citation.quote)
    if source is None:
        message = f"The clause cited for “{subject}” is not among the evidence."
        return DraftCheck("quote", False, subject, message)
    article, passed = article_label(source.article), quote_matches(citation, evidence)
    message = f"Word for word in {article}." if passed else f"“{subject}” is not in {article}."
    return DraftCheck("quote", passed, subject, message)


def _check_passages(
    draft: ParsedDraft,
    evidence: Evidence,
    others: Sequence[str],
    lapsed: Sequence[NotInForce],
) -> Iterator[DraftCheck]:
    cited = [normalize_text(citation.quote) for citation in draft.citations]
    uncited = [
        (statement, written, passage)
        for statement in draft.statements
        for written in statement.passages
        for passage in [normalize_text(written.strip('“”„«»"'))]
        if len(passage) >= MIN_QUOTE_LENGTH and not any(passage in quote for quote in cited)
    ]
    if not uncited:
        return
    labels = (f"{source.document} {' '.join(source.breadcrumb)}" for source in evidence.sources)
    texts = [*map(clause_text, evidence.sources), *labels, *others]
    known = [normalize_text(text) for text in texts]
    for statement, written, passage in uncited:
        told = [text for _, text in _join_rulings(select_told(statement, draft, lapsed))]
        subject = shorten_text(written[1:-1])
        passed = any(contains_parts(passage, text) for text in known + told)
        ruled = (
            f"“{subject}” is quoted as a rule. {one.note}"
            for one, text in _join_rulings(lapsed)
            if one.ruled_clause_id and contains_parts(passage, text)
        )
        unknown = next(ruled, f"“{subject}” is in no clause that was found.")
        yield DraftCheck("quote", passed, subject, "In the evidence." if passed else unknown)


def _join_rulings(lapsed: Iterable[NotInForce]) -> Iterator[tuple[NotInForce, str]]:
    """Yield what is not law with its normalized words, the sentences of a ruling as one text."""
    for (_, clause_id), group in groupby(lapsed, key=lambda one: (one.note, one.ruled_clause_id)):
        ones = list(group)
        for same in [ones] if clause_id else [[one] for one in ones]:
            yield same[0], normalize_text(" ".join(one.words for one in same))


def _check_markers(draft: str, evidence: Evidence) -> list[DraftCheck]:
    markers = sorted(set(map(int, CITATION_MARKER.findall(draft))))
    return [
        DraftCheck("marker", False, f"[{n}]", f"The marker [{n}] names no clause.")
        for n in markers
        if evidence.find_by_marker(n) is None
    ]


def _check_verdict(
    draft: ParsedDraft, question: str, rows: Sequence[ComplianceRow]
) -> Iterator[DraftCheck]:
    """Check each verdict on the question's values: in the opening, and where they are named."""
    verdict = overall_verdict(rows) if rows else "cannot tell"
    if verdict == "cannot tell":
        return
    yours = amount_keys(question)
    opening = " ".join(statement.own for statement in draft.statements[:2])
    named = (s.own for s in draft.statements[2:] if amount_keys(s.own) & yours)
    for place, text in enumerate((opening, *named)):
        says_illegal, says_legal = (find_verdict(text, legal) for legal in (False, True))
        passed = says_illegal == (verdict == "not legal")
        if says_illegal == says_legal or (place and passed):
            continue
        message = (
            f"The verdict agrees with the check: {verdict}."
            if passed
            else f"The draft contradicts the check of the values: {verdict}."
        )
        yield DraftCheck("verdict", passed, verdict, message)


def _check_sums(sums: Iterable[WrittenSum]) -> Iterator[DraftCheck]:
    for one in (one for one in sums if one.is_equation):
        message = "Correct." if one.is_right else f"{one.text} is not correct."
        yield DraftCheck("sum", one.is_right, one.text, message)
