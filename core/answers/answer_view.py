"""An answer as a reader needs it: what it comes to, the quotes that say so, what those refer to.

It is read from the events of a run alone, so a saved run always reads the same.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from core.agent import events as ev
from core.answers.headline import (
    Headline,
    find_question,
    head_definition,
    rank_penalties,
    write_headline,
)
from core.grammar import canonical_number, find_article_numbers, find_sanctions, split_part
from core.language import Language
from core.library import ClausePair
from core.markdown_escape import split_blocks
from core.registers import PenaltyRow
from core.verification import Citation, list_sources

_MARKER = re.compile(r"\[([0-9]{1,4})\]")
_ITEM_NUMBER = re.compile(r"(?m)^((?:> ?)?\s*[“\"]?\d{1,9})([.)])(?=\s)")
_TABLE_QUOTE = re.compile(r"^“\s*$|^”(?=\s*(?:\[[0-9]+\])+\s*$)")
"""A quotation mark alone on its line, before or after a table. A table shows its own edges."""


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """A part of an answer as Markdown; `numbers` are the citations that it is the first to show."""

    text: str
    is_quote: bool
    cited: tuple[int, ...] = ()
    """The numbers of all citations in it."""
    numbers: tuple[int, ...] = ()
    in_part: frozenset[int] = frozenset()
    """Those of `numbers` that quote a part of their clause."""

    is_foreign: bool = False
    """True of words that are not the program's own: a quote's, a model's."""

    def say(self, language: Language) -> str:
        """Return its text, in the language if the words are the program's own."""
        return self.text if self.is_foreign else language.translate(self.text)


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer in the order of reading. Citations are numbered 1, 2, 3 as they appear."""

    headline: Headline | None = None
    """None where nothing is quoted, and where the answer's own first sentence says it."""
    blocks: tuple[AnswerBlock, ...] = ()
    referred: tuple[AnswerBlock, ...] = ()
    """Quotes that are there because other quotes refer to them."""
    citations: Mapping[int, Citation] = field(default_factory=dict)
    penalties: tuple[PenaltyRow, ...] = ()
    """The penalties that the quotes in `blocks` set."""
    pairs: Mapping[str, ClausePair] = field(default_factory=dict)
    """The aligned clauses that the run compared, by the ids of both."""

    @property
    def refers_to_penalties(self) -> bool:
        """True where all that is referred to are penalties."""
        quotes = (self.citations[n].quote for block in self.referred for n in block.cited)
        return all(map(find_sanctions, quotes))


def view_answer(events: Sequence[ev.Event], ended: ev.Ended) -> AnswerView:
    """Return the view of the answer, or of the draft, that a run ended with."""
    blocks, citations = _number_blocks(events, ended)
    is_offline = any(isinstance(event, ev.Asked) and event.offline for event in events)
    blocks = [replace(one, is_foreign=one.is_quote or not is_offline) for one in blocks]
    main = _count_main(blocks, citations)
    view = AnswerView(
        blocks=tuple(blocks[:main]),
        referred=tuple(blocks[main:]),
        citations=citations,
        pairs=_map_pairs(events),
    )
    view = replace(view, penalties=tuple(_find_penalties(events, view)))
    if not citations or not (ended.outcome == "answered" or ended.has_draft):
        return view
    if ended.definition and not ended.requirements:
        return replace(view, headline=head_definition(ended.citations))
    first = view.blocks[0]
    if not (is_offline or first.is_quote or ended.requirements) and first.text.strip():
        return view  # its own first sentence says it
    cited = [citations[n] for block in view.blocks for n in block.cited]
    headline = write_headline(events, ended.requirements, cited, view.penalties, view.pairs)
    return _lead_with(headline, replace(view, headline=headline))


def _lead_with(headline: Headline, view: AnswerView) -> AnswerView:
    """Return the view with the quote of its first line before others, where all are quotes.

    What overrides words of that quote stays before it.
    """
    if headline.change or headline.verdict or not all(block.is_quote for block in view.blocks):
        return view
    place = headline.article, headline.document
    if _is_overridden(view, place):
        return view

    def is_later(block: AnswerBlock) -> bool:
        found = (view.citations[number] for number in block.cited)
        return not any((one.full_article, one.document) == place for one in found)

    blocks = sorted(view.blocks, key=is_later)
    order = dict.fromkeys(number for block in (*blocks, *view.referred) for number in block.numbers)
    numbers = {old: new for new, old in enumerate((*order, *(view.citations.keys() - order)), 1)}

    def renumber(block: AnswerBlock) -> AnswerBlock:
        return replace(
            block,
            text=_MARKER.sub(lambda m: f"[{numbers.get(int(m[1]), m[1])}]", block.text),
            cited=tuple(sorted(numbers[n] for n in block.cited)),
            numbers=tuple(numbers[n] for n in block.numbers),
            in_part=frozenset(numbers[n] for n in block.in_part),
        )

    return replace(
        view,
        blocks=tuple(map(renumber, blocks)),
        referred=tuple(map(renumber, view.referred)),
        citations={new: view.citations[old] for old, new in numbers.items()},
    )


def _is_overridden(view: AnswerView, place: tuple[str, str]) -> bool:
    """True of the quote of an article and document that another quote overrides."""
    quoted = {one.clause_id for one in view.citations.values()}
    return any(
        note.kind == "overridden" and note.clause_id in quoted
        for one in view.citations.values()
        if (one.full_article, one.document) == place
        for note in one.layers
    )


def _number_blocks(
    events: Sequence[ev.Event], ended: ev.Ended
) -> tuple[list[AnswerBlock], dict[int, Citation]]:
    """Return the blocks of an answer, and its citations by the numbers that they have there."""
    unique = list(dict.fromkeys(ended.citations))
    listed: set[str] = set()
    if not unique:  # nearest clauses are shown as links
        sources = (s for e in events if isinstance(e, ev.EvidenceFound) for s in e.sources)
        listed = {"Nearest clauses:", *(list_sources([source]) for source in sources)}
    numbers: dict[Citation, int] = {}
    blocks = []
    for is_quote, text in split_blocks(ended.answer, ">"):
        plain = re.sub(r"^> ?", "", text, flags=re.M) if is_quote else text
        kept = "\n".join(line for line in plain.splitlines() if line.strip() not in listed)
        if kept.strip():
            blocks.append(_number_block(kept, is_quote, unique, numbers))
    for citation in unique:
        numbers.setdefault(citation, len(numbers) + 1)
    citations = {number: citation for citation, number in numbers.items()}
    shown = {number for block in blocks for number in block.numbers}
    if rest := tuple(number for number in citations if number not in shown):
        blocks.append(AnswerBlock("", False, rest, rest))
    return blocks, citations


def _number_block(
    text: str, is_quote: bool, unique: Sequence[Citation], numbers: dict[Citation, int]
) -> AnswerBlock:
    """Return a block with its markers numbered by appearance; adds to `numbers`."""
    meant = _find_meant(text, unique)
    appearing = [c for marker in _MARKER.findall(text) for c in meant.get(int(marker), ())]
    new = [citation for citation in dict.fromkeys(appearing) if citation not in numbers]
    numbers.update(zip(new, count(len(numbers) + 1)))
    cited = {numbers[citation]: citation for citation in appearing}

    def number(marker: re.Match[str]) -> str:
        found = meant.get(int(marker[1]), ())
        return "".join(f"[{numbers[citation]}]" for citation in found) or marker[0]

    sources = {citation.describe_place(cut) for citation in cited.values() for cut in (False, True)}
    lines = [line for line in _MARKER.sub(number, text).splitlines() if line.strip() not in sources]
    shown = "\n".join(_TABLE_QUOTE.sub("", line) for line in lines)
    in_part = {n for n, citation in cited.items() if citation.describe_place(True) in text}
    return AnswerBlock(
        keep_item_numbers(shown) if is_quote else shown,
        is_quote,
        cited=tuple(sorted(cited)),
        numbers=tuple(numbers[citation] for citation in new),
        in_part=frozenset(in_part),
    )


def _find_meant(text: str, unique: Sequence[Citation]) -> dict[int, list[Citation]]:
    """Return the citations that each marker means: of several those that the text quotes."""
    words = " ".join(text.split())
    found: dict[int, list[Citation]] = defaultdict(list)
    for citation in unique:
        found[citation.marker].append(citation)
    quoted = {
        marker: [citation for citation in same if " ".join(citation.quote.split()) in words]
        for marker, same in found.items()
    }
    return {marker: quoted[marker] or same for marker, same in found.items()}


def _map_pairs(events: Sequence[ev.Event]) -> Mapping[str, ClausePair]:
    """Return the pairs that a run compared, by the ids of their clauses."""
    pairs = (pair for one in events if isinstance(one, ev.EvidenceFound) for pair in one.pairs)
    return {clause: one for one in pairs for clause in (one.clause_a, one.clause_b) if clause}


def _count_main(blocks: Sequence[AnswerBlock], citations: Mapping[int, Citation]) -> int:
    """Return how many blocks the answer rests on; each after them is named by one of those."""
    main = len(blocks)
    while main > 1 and _is_item_of(blocks[main - 1], blocks[: main - 1], citations):
        main -= 1
    return main


def _is_item_of(
    block: AnswerBlock, before: Sequence[AnswerBlock], citations: Mapping[int, Citation]
) -> bool:
    """True where earlier quotes refer to every item that a block quotes by its letter."""
    quotes = [citations[n] for other in before if other.is_quote for n in other.cited]
    named = {
        (quote.document_id, canonical_number(number), part)
        for quote in quotes
        for number, part in map(split_part, find_article_numbers(quote.quote))
    }

    def is_item(citation: Citation) -> bool:
        where = citation.document_id, canonical_number(citation.article)
        return bool(citation.part) and (*where, citation.part) in named

    return block.is_quote and bool(block.cited) and all(is_item(citations[n]) for n in block.cited)


def _find_penalties(events: Sequence[ev.Event], view: AnswerView) -> list[PenaltyRow]:
    cited = [view.citations[n] for block in view.blocks for n in block.cited]
    rows = (row for event in events if isinstance(event, ev.EvidenceFound) for row in event.rows)

    def has_citation(row: PenaltyRow) -> bool:
        return any(
            row.clause_id == citation.clause_id and row.article.endswith(citation.part or "")
            for citation in cited
        )

    cited_rows = [row for row in dict.fromkeys(rows) if has_citation(row)]
    return rank_penalties(find_question(events), cited_rows)


def keep_item_numbers(rule: str) -> str:
    """Return the Markdown of a rule whose items show their own numbers.

    Markdown counts the items of a list itself: "1. … 3. …" would be shown as 1 and 2.
    """
    return _ITEM_NUMBER.sub(r"\1\\\2", rule)
