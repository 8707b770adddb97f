"""Checks that no draft tells a rule that another layer overrides as if it were the law."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from core.grammar import (
    Amount,
    articles_in,
    canonical_number,
    list_cues,
    read_sentence,
    split_sentences,
)
from core.library import MIN_COVERAGE, coverage
from core.registers import LayerNote
from core.verification.evidence import Evidence, shorten_text
from core.verification.statement_checks import STRUCK_SHARE, says_not_in_force
from core.verification.statements import (
    MIN_QUOTE_LENGTH,
    WAYS,
    ParsedDraft,
    Statement,
    clause_text,
    plain_words,
    squeeze,
)
from core.verification.types import DraftCheck, Source

_NEGATION = list_cues("negation").any
_SIGNS = {
    "p": list_cues("out_of_force").any,
    "i": rf"{list_cues('in_place_of').any}|(?:{_NEGATION})(?=\s+\d)",
    "d": list_cues("overridden").any,
    "a": list_cues("overriding").any,
    "b": list_cues("doer").any,
    "w": list_cues("named_again").any,
    "n": _NEGATION,
}
_SAID = re.compile(
    "|".join(rf"(?P<{sign}>\b(?:{cues})\b)" for sign, cues in _SIGNS.items())
    + rf"|(?P<s>[,;:(|]|\b(?:{list_cues('parting_clauses').any})\b)",
    re.IGNORECASE,
)
_TELLS_OVERRIDE = re.compile(
    r"u[uUs]*w?p(?!b[uU])"  # "18 m² of the rules [1] is replaced by 20 m²"
    r"|u[uUs]*w?d(?![oOuU]|b[uU])"  # "18 m², replaced by the bulletin"
    r"|(?<!n)[oO][ad]w?[uU]*u"  # "the bulletin replaces the 18 m² of the rules"
    r"|u[uUs]*(?:w?[oO]+w?|[oO]+[aw]*)[ad](?!U*u)"  # "18 m², which the bulletin replaces"
)
"""What says which rule is overridden by which, by the signs of `_spell_signs`."""
_Key = tuple[str, Decimal]
_FORMER = re.compile(r"i[U]*u")


@dataclass(frozen=True, slots=True)
class _Override:
    """A rule of the evidence that another one overrides, or may; `words` are those it is about."""

    note: LayerNote
    under: Source
    over: Source | None
    words: str

    @classmethod
    def list_in(cls, evidence: Evidence) -> "Iterator[_Override]":
        for source in evidence.sources:
            for note in source.layers:
                is_own = note.clause_id == source.clause_id
                if note.is_against and not is_own:
                    over = evidence.find_by_clause(note.clause_id)
                    words = "\n".join(note.words) or clause_text(source)
                    yield cls(note, source, over, words)

    @property
    def over_words(self) -> str:
        """The words of the other rule, without those that it quotes to take them away."""
        if self.over is None:
            return ""
        text = clause_text(self.over)
        for note in self.over.layers:
            if note.clause_id == self.over.clause_id:
                for words in note.words:
                    text = text.replace(words, " ")
        return text


def check_layers(draft: ParsedDraft, evidence: Evidence, question: str) -> Iterator[DraftCheck]:
    """Yield a failed check for each rule that is told without the one that overrides it.

    A quote has to stand beside one of that rule. A statement has to cite that rule too, or say that
    the own one is not in force; what only the overridden rule has, an amount or a duty, is told
    by a sentence that says that it is overridden, and by what.
    """
    cited = {citation.clause_id for citation in draft.citations}
    refused: set[LayerNote] = set()
    for citation in draft.citations:
        for note in citation.layers:
            if not note.is_against:
                continue
            is_told = note.clause_id in cited and all(
                says_not_in_force(one, draft) or _cites(one, note.clause_id)
                for one in draft.statements
                if _cites(one, citation.clause_id) and _has_own_words(one)
            )
            if not is_told and note not in refused:
                refused.add(note)
                yield _refuse(citation.quote, note)
    for override in _Override.list_in(evidence):
        wrong = (
            one for one in draft.statements if _tells_overridden(one, override, draft, question)
        )
        if override.note not in refused and (first := next(wrong, None)):
            yield _refuse(first.text, override.note)


def _refuse(words: str, note: LayerNote) -> DraftCheck:
    subject = shorten_text(words)
    message = f"“{subject}” is told as the rule alone, but: {note.caution}."
    return DraftCheck("force", False, subject, message)


def _cites(statement: Statement, clause_id: str) -> bool:
    return any(one.clause_id == clause_id for one in statement.sources)


def _has_own_words(statement: Statement) -> bool:
    return statement.has_own_words and len(statement.own) >= MIN_QUOTE_LENGTH


def _tells_overridden(
    statement: Statement, override: _Override, draft: ParsedDraft, question: str
) -> bool:
    """True of a statement with what only an overridden rule has, and no word of what overrides."""
    text = _find_told_text(statement, override, draft)
    valid = _list_keys(override.over_words)
    has_valid = any(one.key in valid for one in _find_amounts(text))
    told = [
        *_find_former(text, statement, override, draft, _list_keys(question)),
        *_find_duties(text, override),
    ]
    cites_over = _cites(statement, override.note.clause_id)
    if not told or override.note.kind != "overridden":
        return bool(told) and not (cites_over and (has_valid or not valid))
    signs = _spell_signs(text, told, valid, override)
    left = _TELLS_OVERRIDE.sub("", signs)
    left = _FORMER.sub("", left) if has_valid else left
    return "u" in left or not (cites_over or has_valid or "O" in signs)


def _find_told_text(statement: Statement, override: _Override, draft: ParsedDraft) -> str:
    """Return what a statement says itself of an overridden rule; empty if it is on others.

    Words that it quotes rightly are told by the rule, unless it says there what overrides.
    """
    cites_either = any(
        _cites(statement, one) for one in (override.under.clause_id, override.note.clause_id)
    )
    quotes = [squeeze(one.quote) for one in draft.citations]
    passages = [squeeze(one).strip('“”„«»" ') for one in statement.passages]
    is_quoted = all(any(one in quote for quote in quotes) for one in passages)
    if (statement.sources and not cites_either) or (is_quoted and not statement.has_own_words):
        return ""
    cues = list_cues("overriding", "overridden", "out_of_force").pattern
    return statement.own if is_quoted and not cues.search(statement.own) else statement.text


def _find_former(
    text: str,
    statement: Statement,
    override: _Override,
    draft: ParsedDraft,
    asked: Collection[_Key],
) -> Iterator[int]:
    """Yield where a text has amounts that only the overridden rule has.

    An amount of the question may be named beside one that holds, or without a word for a limit.
    """
    under_id = override.under.clause_id
    others = statement.sources or draft.sources
    known = [clause_text(one) for one in others if one.clause_id != under_id]
    valid = _list_keys(override.over_words)
    former = _list_keys(override.words) - valid - _list_keys(*known)
    amounts = [*_find_amounts(text)]
    has_valid = any(one.key in valid for one in amounts)
    for one in amounts:
        is_limit = _cites(statement, under_id) or one.relation in WAYS
        is_meant = statement.sources or one.key[0] or _is_on(statement, override)
        if (
            one.key in former
            and is_meant
            and not (one.key in asked and (has_valid or not is_limit))
        ):
            yield one.start


def _list_keys(*texts: str) -> set[_Key]:
    sentences = (one for text in texts for one in split_sentences(text))
    return {amount.key for one in sentences for amount in _find_amounts(one)}


def _find_amounts(text: str) -> Iterator[Amount]:
    """Yield the amounts of a sentence, both of a range; numbers of articles are none."""
    named = [(one.start, one.end) for one in articles_in(text)]
    for one in read_sentence(text).amounts:
        if not any(start <= one.start < end for start, end in named):
            ends = [one.value, *filter(None, [one.upper])]
            written = text[one.start : one.end]
            if (
                len(ends) > 1
                and re.findall(r"\d+", written)[:1] == re.findall(r"\d+", f"{one.upper}")[:1]
            ):
                ends.reverse()  # "from 10 to 8 km/h"
            for value, start in zip(ends, (one.start, one.end - 1), strict=False):
                yield replace(one, value=value, upper=None, start=start)


def _is_on(statement: Statement, override: _Override) -> bool:
    return coverage(statement.words, clause_text(override.under)) >= MIN_COVERAGE


def _find_duties(text: str, override: _Override) -> Iterator[int]:
    """Yield the ends of the duties that the overridden words have and the other lacks."""
    words = plain_words(text)

    def share(of: str, modality: str) -> float:
        sentences = [read_sentence(one) for one in split_sentences(of)]
        alike = (
            coverage(words, one.text)
            for one in sentences
            if any(duty.modality == modality for duty in one.main_duties)
        )
        return max(alike, default=0.0)

    for duty in read_sentence(text).main_duties:
        near = share(override.words, duty.modality)
        if near >= STRUCK_SHARE and near > share(override.over_words, duty.modality):
            yield duty.end


def _spell_signs(text: str, told: Iterable[int], valid: set[_Key], override: _Override) -> str:
    """Return what a statement names in order, a letter each.

    u, U: what only the overridden rule has, and its document or article; o, O: an amount of the
    other rule, and that one's. The others are those of `_SAID`.
    """
    found = [(place, "u") for place in told]
    found += [(one.start, "o") for one in _find_amounts(text) if one.key in valid]
    found += [(one.start(), one.lastgroup or "") for one in _SAID.finditer(text)]
    labels = override.under.document, override.note.document
    below, above = (set(re.findall(r"\w{4,}", label.casefold())) for label in labels)
    for match in re.finditer(r"\w{4,}", text):
        word = match[0].casefold()
        if word in below ^ above and not word.isdigit():
            found.append((match.start(), "O" if word in above else "U"))
    for one in articles_in(text):
        for sign, article in (("U", override.under.article), ("O", override.note.article)):
            if canonical_number(one.number) == canonical_number(article):
                found.append((one.start, sign))
    return "".join(sign for _, sign in sorted(found))
