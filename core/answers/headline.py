"""The first line of an answer: the verdict, value, sanction or words that it comes to, and where.

Nothing is guessed: a value is shown where the cited sentence nearest to the question has exactly
one of the kind asked for, else that sentence in its own words, else the article alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.agent import (
    SIDES,
    Question,
    events as ev,
    find_amount_kinds,
    find_wanted_side,
    is_opposite,
)
from core.grammar import (
    AMOUNT_NOUNS,
    Amount,
    ReadPassage,
    find_cues,
    find_language,
    find_sanctions,
    read_passages,
)
from core.library import ClausePair, content_words, coverage
from core.registers import PenaltyRow
from core.sheets import Verdict, overall_verdict
from core.verification import Citation, ComplianceRow

MIN_COVERAGE = 0.5
"""The share of a question's words that a sentence holds at least, for its value to be given."""
MAX_WORDS = 40
"""A longer sentence, or sanction, is cut."""
_OPEN = ("more than", "less than")


@dataclass(frozen=True, slots=True)
class Headline:
    """What an answer comes to: a verdict on values, or a value or words of a rule, and where.

    `values` are those of the question where there is a verdict, and `limit` what decides it.
    `rulebooks` are the documents of each verdict, where several give one.
    """

    verdict: Verdict | None = None
    values: tuple[str, ...] = ()
    limit: str = ""
    article: str = ""
    document: str = ""
    rulebooks: Mapping[Verdict, tuple[str, ...]] = field(default_factory=dict)
    quote: str = ""
    """The sentence of the rule, where it has no single value that was asked for."""
    relation: str = ""
    """Which way the value goes ("at least"), where the question does not say it."""
    is_definition: bool = False
    """The quote defines the term that is asked for."""
    change: str = ""
    """Of a comparison, what became of the rule: "changed"; `values` are the old and the new."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks for: its words by stem, and the kind and direction of an amount.

    `wanted` is "at most" of "maximum" and "widest", "at least" of their opposites, else empty.
    """

    words: Mapping[str, str]
    kinds: frozenset[str]
    counts: bool
    wanted: str

    def is_met(self, amount: Amount) -> bool:
        """True of an amount of the kind asked for, whichever way it goes."""
        if amount.kind != "amount":
            return False
        if self.kinds:
            return amount.measure in self.kinds
        return not amount.unit if self.counts else amount.relation in SIDES.get(self.wanted, ())

    def is_answered(self, amount: Amount) -> bool:
        """True where that is a proved limit, and no minimum where a maximum is asked for."""
        is_rule = amount.role in ("limit", "sanction") and amount.proved
        return is_rule and not is_opposite(self.wanted, amount)


def write_headline(
    events: Sequence[ev.Event],
    requirements: Sequence[ComplianceRow],
    cited: Sequence[Citation],
    penalties: Sequence[PenaltyRow],
) -> Headline:
    """Return the first line of an answer; `cited` are the quotes that it rests on, in order."""
    if requirements:
        return _write_verdict(requirements)
    question = find_question(events)
    pairs = [pair for one in events if isinstance(one, ev.EvidenceFound) for pair in one.pairs]
    return (
        _find_change(pairs, cited)
        or _find_sanction(events, penalties, cited)
        or _find_words(question, cited)
        or _place(cited[0])
    )


def find_question(events: Iterable[ev.Event]) -> str:
    """Return the question of a run as it was understood last; empty where none is kept."""
    asked = [e.question for e in events if isinstance(e, ev.Asked | ev.Classified)]
    return asked[-1] if asked else ""


def head_definition(first: Citation) -> Headline:
    """Return the first line of an answer whose first quote defines the term asked for."""
    return replace(_place(first), quote=_shorten(first.quote.strip("| ")), is_definition=True)


def _place(citation: Citation) -> Headline:
    return Headline(article=citation.full_article, document=citation.document)


def _find_change(pairs: Sequence[ClausePair], cited: Sequence[Citation]) -> Headline | None:
    """Return what became of the first cited clause, with the one amount of it that changed."""
    by_clause = {clause: one for one in pairs for clause in (one.clause_a, one.clause_b) if clause}
    pair = by_clause.get(cited[0].clause_id)
    if pair is None:
        return None
    line = replace(_place(cited[0]), change=pair.change)
    before, after = ({a.key: a for a in _list_amounts(t)} for t in (pair.before, pair.after))
    old = [one for key, one in before.items() if key not in after]
    new = [one for key, one in after.items() if key not in before]
    if len(old) != 1 or len(new) != 1 or old[0].measure != new[0].measure:
        return line
    [one], [other] = old, new
    first = one.text.removesuffix(one.unit).strip() if one.unit == other.unit else one.text
    return replace(line, values=(f"{first} → {other.text}",))


def _list_amounts(text: str) -> Iterator[Amount]:
    for read in read_passages(text, (), (find_language(text),)):
        yield from (one for one in read.sentence.amounts if one.kind == "amount")


def _find_sanction(
    events: Sequence[ev.Event], penalties: Sequence[PenaltyRow], cited: Sequence[Citation]
) -> Headline | None:
    """Return the sanction of the case asked for, where a penalty is: the first row has it."""
    intents = [one.intent for one in events if isinstance(one, ev.Classified)]
    if "PENALTY" not in intents or not penalties:
        return None
    question, first = find_question(events), penalties[0]
    best = _rank_penalty(question, first)
    if any(_rank_penalty(question, o) == best and o.sanction != first.sanction for o in penalties):
        return None
    where = next(one for one in cited if one.clause_id == first.clause_id)
    quote = _shorten(first.sanction.rpartition(" → ")[2])
    return Headline(article=first.article, document=where.document, quote=quote)


def _rank_penalty(question: str, row: PenaltyRow) -> tuple[bool, float]:
    """Return what sorts the penalties of the kind and the case that a question is on first."""
    is_other = not {*row.kinds} & {*find_sanctions(question)}
    return is_other, -coverage(content_words(question), f"{row.breach} {row.conditions}")


def rank_penalties(question: str, rows: Iterable[PenaltyRow]) -> list[PenaltyRow]:
    """Return penalties, those for the case that a question is on first."""
    return sorted(rows, key=lambda row: _rank_penalty(question, row))


def _find_words(question: str, cited: Sequence[Citation]) -> Headline | None:
    """Return the one value asked for, else the words of the first quote that are on the question.

    None where that quote has the opposite of what is asked for.
    """
    asked = _read_asked(question)
    for citation in cited:
        passages = read_passages(citation.quote, (), (find_language(citation.quote),))
        said = [
            (coverage(asked.words, _describe(citation, one)), amount)
            for one in passages
            for amount in one.sentence.amounts
            if asked.is_met(amount)
        ]
        fitting = [(share, amount) for share, amount in said if asked.is_answered(amount)]
        best = max((share for share, _ in fitting), default=0.0)
        values = {amount.key: amount for share, amount in fitting if share == best}
        if len(values) == 1 and (best >= MIN_COVERAGE or _is_covered(asked, citation, fitting)):
            [value] = values.values()
            is_bound = not asked.wanted and value.relation in (*SIDES, *_OPEN)
            relation = value.relation if is_bound and value.relation else ""
            return replace(_place(citation), values=(value.text,), relation=relation)
        is_opposed = asked.wanted and not fitting and any(one.proved for _, one in said)
        if is_opposed and citation == cited[0]:
            return None
    return _quote_first(asked, cited[0])


def _is_covered(asked: _Asked, citation: Citation, fitting: Sequence[tuple[float, Amount]]) -> bool:
    """True of a quote that is on the question as a whole and has one fitting value."""
    share = coverage(asked.words, f"{citation.title} {citation.quote}")
    return share >= MIN_COVERAGE and len({amount.key for _, amount in fitting}) == 1


def _quote_first(asked: _Asked, citation: Citation) -> Headline | None:
    """Return a short quote whole, of a longer one the sentence nearest to the question.

    Those with an amount of the kind asked for come first, of those that are equally near the first
    one. None where that is one of several rows of a table.
    """
    quote = citation.quote
    if "|" not in quote and len(quote.split()) <= MAX_WORDS:
        return replace(_place(citation), quote=_shorten(quote))
    read = read_passages(quote, (), (find_language(quote),))
    if not read:
        return None
    shares = [
        (any(map(asked.is_met, one.sentence.amounts)), coverage(asked.words, words))
        for one in read
        for words in (_describe(citation, one),)
    ]
    best = max(shares)
    nearest = [one.passage for share, one in zip(shares, read, strict=True) if share == best]
    first = nearest[0]
    if first.source == "table" and len({one.quote for one in nearest}) > 1:
        return None
    said = first.quote.strip("| ")
    if first.text.endswith(":"):  # the items below it belong to it
        said = quote[max(0, quote.find(first.quote)) :]
    elif first.source != "table" and len(f"{first.lead} {said}".split()) <= MAX_WORDS:
        said = f"{first.lead} {said}"
    return replace(_place(citation), quote=_shorten(said))


def _read_asked(question: str) -> _Asked:
    kinds, counts = find_amount_kinds(question), bool(Question(question).counted)
    words = {  # the amount itself is what nouns for amounts and "maximum" mean
        stem: word
        for stem, word in content_words(question).items()
        if word not in AMOUNT_NOUNS and not find_cues(word, "minimum", "maximum")
    }
    return _Asked(words, kinds, counts, find_wanted_side(question))


def _describe(citation: Citation, read: ReadPassage) -> str:
    one = read.passage
    return " ".join((citation.title, one.lead, one.label, one.column, one.text))


def _shorten(text: str) -> str:
    words = text.split()
    return " ".join(words) if len(words) <= MAX_WORDS else f"{' '.join(words[:MAX_WORDS])} …"


def _write_verdict(rows: Sequence[ComplianceRow]) -> Headline:
    verdict = overall_verdict(rows)
    if len(judged := judge_rulebooks(rows)) > 1:
        rulebooks: dict[Verdict, tuple[str, ...]] = {}
        for document, own in judged.items():
            rulebooks[own] = (*rulebooks.get(own, ()), document)
        asked = tuple(dict.fromkeys(row.yours for row in rows))
        return Headline(verdict, asked, rulebooks=rulebooks)
    deciding = [row for row in rows if row.verdict == verdict]
    values = tuple(dict.fromkeys(row.yours for row in deciding if row.yours))
    if len(deciding) != 1 or not deciding[0].citations:
        return Headline(verdict, values)
    [row] = deciding
    return Headline(verdict, values, row.limit, row.citations[0].full_article)


def group_by_rulebook(
    rows: Sequence[ComplianceRow],
) -> list[tuple[str, Verdict | None, list[ComplianceRow]]]:
    """Return rows by quoted document, with its verdict; "" and None for those without a limit."""
    grouped: dict[str, list[ComplianceRow]] = defaultdict(list)
    for row in rows:
        grouped[row.citations[0].document if row.citations else ""].append(row)
    verdicts = judge_rulebooks(rows)
    return [(document, verdicts.get(document), own) for document, own in grouped.items()]


def judge_rulebooks(rows: Sequence[ComplianceRow]) -> dict[str, Verdict]:
    """Return the verdict of each quoted document on all values of a question.

    A document without a limit for one of the values calls nothing legal.
    """
    by_document: dict[str, list[ComplianceRow]] = defaultdict(list)
    for row in rows:
        if row.citations:
            by_document[row.citations[0].document].append(row)
    values = {row.yours for row in rows}
    verdicts: dict[str, Verdict] = {}
    for document, own in by_document.items():
        verdict = overall_verdict(own)
        has_all = {row.yours for row in own} == values
        verdicts[document] = verdict if has_all or verdict != "legal" else "cannot tell"
    return verdicts
