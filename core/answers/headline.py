"""The first line of an answer: the verdict, value, sanction or words that it comes to, and where.

Nothing is guessed: a value is shown where the cited sentence nearest to the question has exactly
one of the kind asked for, else that sentence in its own words, else the article alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from itertools import takewhile

from rapidfuzz.fuzz import ratio

from core.agent import events as ev
from core.answers.asked_answer import (
    LIMIT_ROLES,
    AskedAnswer,
    Nearness,
    describe_passage,
    read_asked_answer,
)
from core.grammar import (
    UNITS,
    Amount,
    ReadPassage,
    find_cues,
    find_sanction_spans,
    find_sanctions,
    match_whole_words,
    read_passages,
    read_sentence,
)
from core.library import MIN_COVERAGE, ClausePair, content_words, coverage, held_stems
from core.registers import LayerNote, PenaltyRow
from core.sheets import Verdict, overall_verdict
from core.verification import Citation, ComplianceRow

MAX_WORDS = 40
"""A longer sentence, or sanction, is cut."""
_AFTER = 6
"""Words after a value that is quoted, at least."""
_CLAUSE_END = tuple(",;:.)—–")
_NEARER = 0.3
"""By how much more of a question's words a later quote holds, to be shown in place of the first;
as much less does a penalty of a special case count."""
_RIVAL = 0.15
"""By how much less near a passage may be, whose value is not ruled out.
tests/benchmarks/first_line.py counts the first lines that hold what was asked for."""
_OPEN = ("more than", "less than")
_SIDES_OF_TIME = ("before", "after", "until")


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
    before: str = ""
    """Of a comparison without such values, the words of the rule before; `quote` are the new."""
    layers: tuple[LayerNote, ...] = ()
    """What other layers mean for the rule."""

    @property
    def cautions(self) -> list[LayerNote]:
        """The layers by which its words are not the law, or not for sure."""
        is_cut = not self.quote or "…" in self.quote
        return [
            one for one in self.layers if one.is_against and (is_cut or one.is_about(self.quote))
        ]


@dataclass(frozen=True, slots=True)
class _NearWords:
    """The passages of a quote that are equally near to a question, and nearer than its others."""

    citation: Citation
    nearness: Nearness
    passages: tuple[ReadPassage, ...]

    @property
    def amounts(self) -> list[Amount]:
        return [amount for one in self.passages for amount in one.sentence.amounts]


def write_headline(
    events: Sequence[ev.Event],
    requirements: Sequence[ComplianceRow],
    cited: Sequence[Citation],
    penalties: Sequence[PenaltyRow],
    pairs: Mapping[str, ClausePair],
) -> Headline:
    """Return the first line of an answer; `cited` are the quotes that it rests on, in order.

    `pairs` are the clauses that the run compared, by the ids of both.
    """
    if requirements:
        return _write_verdict(requirements)
    is_penalty = any(isinstance(e, ev.Classified) and e.intent == "PENALTY" for e in events)
    asked = read_asked_answer(find_question(events), is_penalty)
    return (
        _find_change(asked, pairs, cited)
        or (asked.is_sanction and _find_sanction(asked, find_question(events), penalties, cited))
        or _find_words(asked, cited)
        or _place(cited[0])
    )


def find_question(events: Iterable[ev.Event]) -> str:
    """Return the question of a run as it was understood last; empty where none is kept."""
    asked = [e.question for e in events if isinstance(e, ev.Asked | ev.Classified)]
    return asked[-1] if asked else ""


def head_definition(cited: Sequence[Citation]) -> Headline:
    """Return the first line of an answer whose first quote defines the term asked for.

    Of a long one its beginning, and the clause with the first amount behind that.
    """
    first, _ = _find_over(cited[0], cited, "") or (cited[0], "")
    quote = " ".join(first.quote.strip("| ").split())
    said, half = _cut_words(quote, MAX_WORDS), MAX_WORDS // 2
    late = (one.start for one in read_sentence(quote).amounts if one.unit)
    if said.endswith("…") and (start := next((one for one in late if one >= len(said)), 0)):
        before = quote[:start].split()
        ends = [n for n, word in enumerate(before, 1) if word.endswith(_CLAUSE_END)]
        leading = " ".join(before[max(ends, default=0) :][-half // 2 :])
        said = f"{_cut_words(quote, half)} {leading} {_cut_words(quote[start:], half // 2)}"
    return replace(_place(first), quote=said, is_definition=True)


@lru_cache(maxsize=1_000)
def _read_quote(quote: str) -> tuple[ReadPassage, ...]:
    """Return the passages of a quote, with the units that the columns of its tables name."""
    return tuple(map(_add_unit, read_passages(quote)))


def _add_unit(read: ReadPassage) -> ReadPassage:
    """Return the cell "4" of a column "Points" as "4 points"; other passages as they are."""
    *words, last = ["", *read.passage.column.casefold().split()]
    is_unit = not any(words) or words[-1] in ("in", "en") or (last[-1:] == "s" and last[4:])
    unit = last if is_unit and last in UNITS and last != "min" else ""  # "Min" is mostly minimum

    def add_unit(one: Amount) -> Amount:
        if one.unit or one.kind != "amount":
            return one
        return replace(one, unit=unit, text=f"{one.text} {unit}", relation="equal")

    amounts = tuple(map(add_unit, read.sentence.amounts)) if unit else read.sentence.amounts
    return replace(read, sentence=replace(read.sentence, amounts=amounts))


def _place(citation: Citation, nearest: Sequence[ReadPassage] = ()) -> Headline:
    said = [one.passage.quote for one in nearest] or [citation.quote]
    layers = tuple(one for one in citation.layers if any(map(one.is_about, said)))
    return Headline(article=citation.full_article, document=citation.document, layers=layers)


def _find_change(
    asked: AskedAnswer, pairs: Mapping[str, ClausePair], cited: Sequence[Citation]
) -> Headline | None:
    """Return what became of the nearest compared clause: its amounts, else its words, old and new.

    None where the first cited clause was not compared.
    """
    if cited[0].clause_id not in pairs:
        return None
    compared = [one for one in cited if one.clause_id in pairs]
    near = _choose_quote(asked, compared)
    pair = pairs[near.citation.clause_id]
    line = replace(_place(near.citation), change=pair.change)
    if pair.wording != "changed" and pair.kind != "changed":
        own = [one for one in cited if pairs.get(one.clause_id) == pair]
        return replace(_find_words(asked, own) or line, change=pair.change)
    wordings = read_passages(pair.before), read_passages(pair.after)
    old, new = _leave_out_kept(*wordings), _leave_out_kept(*reversed(wordings))
    nearest = _find_nearest(asked, near.citation, new or old).passages
    sides = [_find_alike(nearest, old), nearest] if new else [nearest, ()]
    if values := _list_changed_amounts(asked, sides):
        return replace(line, values=(values,))
    before, after = (side[0].passage.quote.strip("| ") if side else "" for side in sides)
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))
    start = len([*alike])
    return replace(line, before=_shorten(before, asked, start), quote=_shorten(after, asked, start))


def _leave_out_kept(
    passages: Sequence[ReadPassage], others: Sequence[ReadPassage]
) -> list[ReadPassage]:
    """Return the passages of a wording that are not in the other one."""
    kept = {one.passage.quote for one in others}
    return [one for one in passages if one.passage.quote not in kept]


def _find_alike(
    passages: Sequence[ReadPassage], among: Sequence[ReadPassage]
) -> tuple[ReadPassage, ...]:
    """Return for each passage the one among others with the most of its words."""
    alike = (
        max(among, key=lambda one: ratio(own.passage.quote, one.passage.quote)) for own in passages
    )
    return tuple({one.passage.quote: one for one in alike}.values()) if among else ()


def _list_changed_amounts(asked: AskedAnswer, sides: Sequence[Sequence[ReadPassage]]) -> str:
    """Return the amounts asked for, else the one that changed: "60 → 80 km/h"; "" for neither."""
    first, second = (_key_amounts(asked, side) for side in sides)
    old, new = ([*filter(asked.is_met, side.values())] for side in (first, second))
    if not old or not new:
        old = [first[key] for key in first.keys() - second.keys()]
        new = [second[key] for key in second.keys() - first.keys()]
        if not len(old) == len(new) == 1:
            return ""
    if {one.key for one in old} == {one.key for one in new} or old[0].measure != new[0].measure:
        return ""
    before, after = (", ".join(one.text for one in own) for own in (old, new))
    if len(old) == len(new) == 1 and old[0].unit == new[0].unit:
        before = before.removesuffix(old[0].unit).strip()
    return f"{before} → {after}"


def _key_amounts(
    asked: AskedAnswer, passages: Iterable[ReadPassage]
) -> dict[tuple[str, Decimal], Amount]:
    """Return the amounts of passages by what they are, without those of the opposite kind."""
    return {
        amount.key: amount
        for one in passages
        for amount in one.sentence.amounts
        if amount.kind == "amount" and not asked.question.is_opposite(amount)
    }


def _find_sanction(
    asked: AskedAnswer, question: str, penalties: Sequence[PenaltyRow], cited: Sequence[Citation]
) -> Headline | None:
    """Return the sanction of the case asked for, where the first penalty names one."""
    if not penalties or not find_sanctions(penalties[0].sanction):
        return None
    first, named = penalties[0], find_sanctions(question)
    best = _rank_penalty(question, first)
    if named and best[0]:
        return None
    if any(_rank_penalty(question, o) == best and o.sanction != first.sanction for o in penalties):
        return None
    where = next(one for one in cited if one.clause_id == first.clause_id)
    if _find_over(where, cited, asked.question.text):
        return None
    quote = _shorten(first.sanction.rpartition(" → ")[2], asked)
    return replace(_place(where), article=first.article, quote=quote)


def _rank_penalty(question: str, row: PenaltyRow) -> tuple[bool, float]:
    """Return what sorts the penalties of the kind and the case that a question is on first.

    One with a condition that the question hardly names is of a special case.
    """
    is_other = not {*row.kinds} & {*find_sanctions(question)}
    share = coverage(content_words(question), f"{row.breach} {row.conditions}")
    is_special = row.conditions and coverage(content_words(row.conditions), question) < MIN_COVERAGE
    return is_other, (_NEARER if is_special else 0.0) - share


def rank_penalties(question: str, rows: Iterable[PenaltyRow]) -> list[PenaltyRow]:
    """Return penalties, those for the case that a question is on first."""
    return sorted(rows, key=lambda row: _rank_penalty(question, row))


def _find_words(asked: AskedAnswer, cited: Sequence[Citation]) -> Headline | None:
    """Tell the passages of the nearest quote, or the words that change it."""
    near = _choose_quote(asked, cited)
    if over := _find_over(near.citation, cited, asked.question.text, near.passages):
        citation, change = over
        if change and change in citation.quote:
            return replace(_place(citation), quote=_shorten(change, asked))
    else:
        citation = _leave_out_overridden(near.citation)
    if citation != near.citation:
        near = _find_nearest(asked, citation)
    return _tell_passages(asked, near)


def _tell_passages(asked: AskedAnswer, near: _NearWords) -> Headline | None:
    """Return the one value asked for, else the words of the passages.

    None where they have the opposite of what is asked for, and nothing else of its kind.
    """
    limits = _find_limits(asked, near)
    nearest = [a for read in near.passages for a in asked.select(read.sentence.amounts)]
    value = next(filter(asked.accepts, nearest), None)
    is_one = len(limits) == 1 and not (asked.counts or asked.several)
    is_plain = is_one and not _has_exception(asked, near)
    if value and is_plain and _is_on_question(asked, near):
        is_bound = not asked.question.wanted and value.relation in ("at least", "at most", *_OPEN)
        relation = value.relation if is_bound and value.relation else ""
        line = _place(near.citation, near.passages)
        return replace(line, values=(value.text,), relation=relation)
    has_opposite = any(one.proved for one in near.amounts if asked.is_met(one))
    if asked.question.wanted and not limits and has_opposite:
        return None
    return _quote_nearest(asked, near)


def _find_over(
    rule: Citation,
    cited: Sequence[Citation],
    question: str,
    nearest: Sequence[ReadPassage] = (),
) -> tuple[Citation, str] | None:
    """Return the quote that answers before a rule, with the sentence that says so, if one does.

    Of a rule whose `nearest` passages are known one that is on these counts. Of quotes that
    override each other it is the last; the sentence is its `LayerNote.wording`.
    """
    over: tuple[Citation, str] | None = None
    left = [one for one in cited if one.clause_id != rule.clause_id]
    near = [one.passage.quote for one in nearest] or [rule.quote]
    while note := next(
        (
            (one, other)
            for one in rule.layers
            for other in left
            if one.clause_id == other.clause_id and one.leads(question, rule.quote)
            if any(map(one.is_about, near))
        ),
        None,
    ):
        rule = note[1]
        over = rule, note[0].wording
        near = [rule.quote]
        left = [one for one in left if one.clause_id != rule.clause_id]
    return over


def _leave_out_overridden(rule: Citation) -> Citation:
    """Return a quote without the words that another layer overrides."""
    quote = rule.quote
    for words in (words for one in rule.layers if one.kind == "overridden" for words in one.words):
        quote = match_whole_words(words).sub("…", quote)
    return replace(rule, quote=quote)


def _find_limits(asked: AskedAnswer, near: _NearWords) -> dict[tuple[str, Decimal], Amount]:
    """Return the limits asked for in passages of a quote that are as near, or hardly less.

    A day, or any amount of a list, may be one without proof too; what is not proved and holds on a
    condition is a special case.
    """
    level, share = near.nearness
    found: dict[tuple[str, Decimal], Amount] = {}
    for read in _read_quote(near.citation.quote):
        fitting, one = asked.select(read.sentence.amounts), read.passage
        cues = (cue for cue in find_cues(one.text, "condition") if not cue.has(*_SIDES_OF_TIME))
        is_special = one.source == "prose" and any(cues)
        if asked.measure(near.citation.title, read) < (level, share - _RIVAL):
            continue
        if any(map(asked.accepts, fitting)) or not is_special:
            roles = (a for a in fitting if a.role in LIMIT_ROLES or a.kind != "amount")
            found |= {a.key: a for a in (fitting if one.source == "list" else roles)}
    return found


def _has_exception(asked: AskedAnswer, near: _NearWords) -> bool:
    """True where an exception is told before an amount asked for."""
    return any(
        cue.start < one.start
        for read in near.passages
        for cue in find_cues(read.passage.text, "exception")
        for one in asked.select(read.sentence.amounts)
    )


def _choose_quote(asked: AskedAnswer, cited: Sequence[Citation]) -> _NearWords:
    """Return the first quote, or the one of the others that is surely nearer."""

    def rank(near: _NearWords) -> tuple[int, bool, float]:
        level, share = near.nearness
        return level, any(map(asked.accepts, asked.select(near.amounts))), share

    near = {one.clause_id: _find_nearest(asked, one) for one in cited}

    def measure(one: Citation) -> _NearWords:
        """Return what changes quoted rules as near as these: its title only names them."""
        ids = [note.clause_id for note in one.layers if note.kind == "overrides"]
        changed = [near[key] for key in ids if key in near]
        own = _find_nearest(asked, replace(one, title="")) if changed else near[one.clause_id]
        return max((own, *changed), key=rank)

    texts = {one.clause_id: one.quote for one in cited}
    lifted = LayerNote.find_lifted(texts, {one.clause_id: one.layers for one in cited})
    if cited[0].clause_id not in lifted:
        cited = [one for one in cited if one.clause_id not in lifted]
    [first, *others] = map(measure, cited)
    best = max(others, key=rank, default=first)
    (*level, share), (*highest, most) = rank(first), rank(best)
    is_better = most >= share if highest > level else highest == level and most >= share + _NEARER
    return best if is_better else first


def _find_nearest(
    asked: AskedAnswer, citation: Citation, read: Sequence[ReadPassage] = ()
) -> _NearWords:
    """Return the nearest of the passages that were read, else of all of a quote."""
    read = read or _read_quote(citation.quote)
    weighed = asked.weigh_words([one.passage.text for one in read])
    measured = [(weighed.measure(citation.title, one), one) for one in read]
    best = max((nearness for nearness, _ in measured), default=(0, 0.0))
    nearest = tuple(one for nearness, one in measured if nearness == best)
    shares = [asked.measure(citation.title, one) for one in nearest]
    return _NearWords(citation, max(shares, default=best), nearest)


def _is_on_question(asked: AskedAnswer, near: _NearWords) -> bool:
    """True of a passage with enough of the words, or the one with a value in a quote with them."""
    citation = near.citation
    if coverage(asked.words, describe_passage(citation.title, near.passages[0])) >= MIN_COVERAGE:
        return True
    met = {
        one.key
        for each in _read_quote(citation.quote)
        for one in each.sentence.amounts
        if asked.is_met(one)
    }
    share = coverage(asked.words, f"{citation.title} {citation.quote}")
    return share >= MIN_COVERAGE and len(met) == 1


def _quote_nearest(asked: AskedAnswer, near: _NearWords) -> Headline | None:
    """Return a short quote whole, of a longer one the nearest passages, with what leads to them.

    None where these are many rows of a table.
    """
    citation, quote = near.citation, near.citation.quote
    if "|" not in quote and len(quote.split()) <= MAX_WORDS:
        return replace(_place(citation), quote=quote)
    if not near.passages:
        return None
    first = near.passages[0].passage
    alike = [one.passage for one in near.passages if one.passage.lead == first.lead]
    rows = list(dict.fromkeys(one.quote.strip("| ") for one in alike))
    said = " … ".join(rows) if near.nearness[0] and first.lead else rows[0]
    if first.source == "table":
        said = " · ".join(rows)
        if len(rows) > 1 and len(said.split()) > MAX_WORDS:
            return None
    elif first.text.endswith(":"):  # the items below it belong to it, of a table none
        said = quote[max(0, quote.find(first.quote)) :].partition("\n|")[0]
    elif len(f"{first.lead} {said}".split()) <= MAX_WORDS:
        said = _add_others(asked, near, said)
        said = f"{first.lead} {said}".strip()
    met = asked.select(near.passages[0].sentence.amounts)
    surest = sorted(met, key=asked.accepts, reverse=True)[:1]
    spans = find_sanction_spans(said) if asked.is_sanction else ()
    start = said.find(surest[0].text) if surest else spans[0][0] if spans else -1
    return replace(_place(citation), quote=_shorten(said, asked, start))


def _add_others(asked: AskedAnswer, near: _NearWords, said: str) -> str:
    """Return a sentence of a quote with its others that have what is asked for, if they fit.

    Where nothing of a kind is asked for they are those behind it.
    """
    first, citation = near.passages[0].passage, near.citation
    read = [one for one in _read_quote(citation.quote) if one.passage.source == first.source]
    quotes = [one.passage.quote for one in read]
    if first.source != "prose" or said not in quotes:
        return said
    ranked = sorted(read, key=lambda one: asked.measure(citation.title, one), reverse=True)
    others = [o.passage.quote for o in ranked if asked.measure(citation.title, o)[0] > 1]
    behind = quotes[quotes.index(said) + 1 :]
    kept = [said]
    for quote in (one for one in (others if near.nearness[0] else behind) if one != said):
        if len(" ".join((first.lead, *kept, quote)).split()) > MAX_WORDS:
            break
        kept.append(quote)
    quotes = [one.passage.quote for one in _read_quote(citation.quote)]
    places = sorted({*map(quotes.index, kept)})
    gaps = ("" if n - 1 in places else "… " for n in places)
    joined = " ".join(f"{gap}{quotes[n]}" for gap, n in zip(gaps, places, strict=True))
    return joined.removeprefix("… ")


def _shorten(text: str, asked: AskedAnswer, needed: int = -1) -> str:
    """Return a text, or so many words of it that it may be a line, with that at a place in it.

    Of a long one they begin where a clause of it does, and end so if they can: those with most of
    the question's words, then with an amount.
    """
    words = text.split()
    if len(words) <= MAX_WORDS:
        return " ".join(words)
    before = len(text[:needed].split()) if needed >= 0 else -1

    amounts = [len(text[: one.start].split()) for one in read_sentence(text).amounts]

    def rank(start: int) -> tuple[bool, int, bool, bool, int]:
        shown = " ".join(words[start : start + MAX_WORDS])
        is_whole = start + MAX_WORDS >= len(words) or shown.endswith(_CLAUSE_END)
        is_in = start <= before <= start + MAX_WORDS - _AFTER
        has_amount = any(start <= one <= start + MAX_WORDS - _AFTER for one in amounts)
        return is_in, len(held_stems(asked.words, shown)), has_amount, is_whole, -start

    starts = [n for n, word in enumerate(words) if not n or words[n - 1].endswith(_CLAUSE_END)]
    start = max((*starts, max(0, before - MAX_WORDS // 2)), key=rank)
    return f"{'… ' if start else ''}{_cut_words(' '.join(words[start:]), MAX_WORDS)}"


def _cut_words(text: str, most: int) -> str:
    words = text.split()
    return " ".join(words[:most]) + " …" * (len(words) > most)


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
    said = row.citations[0]
    return Headline(verdict, values, row.limit, said.full_article, layers=said.layers)


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
