"""The passages of a clause with the sentences that they are read as, for every list of rules."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from core.grammar.comparisons import Relation
from core.grammar.cues import choose_language, find_language, scan
from core.grammar.number_groups import OwnNumbers
from core.grammar.numerals import parse_unit
from core.grammar.passages import Passage, split_passages
from core.grammar.quantities import UNITS, find_quantities
from core.grammar.relations import find_direction
from core.grammar.roles import Role
from core.grammar.sentence import Amount, Sentence, read_sentence

BAND = re.compile(r"[<>≤≥]|[<>]=")
"""What is in a cell that says for which amounts a table's row is: "> 50 V"."""
_BARE = re.compile(r"\W*\d[\d.,\s]*\W*")
_NUMBER_OF = re.compile(r"(?i)\bnumber of (\w+)")
_IN_BRACKETS = re.compile(r"[(\[]\s*([^)\]]+?)\s*[)\]]")
FROM_BELOW = ("at least", "more than")


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage as a sentence; of a table's cell, the sentence has its amounts alone.

    `whole` is the line or sentence that it is printed in, where that is more than the passage. It
    is with the first passage of it alone, and its amounts are those of all of them, each with the
    place in its own passage.
    """

    passage: Passage
    sentence: Sentence
    whole: Sentence | None = None


def read_passages(
    text: str,
    lead_in: Sequence[str] = (),
    languages: Sequence[str] = (),
    axis_unit: str = "mm",
    own_numbers: OwnNumbers | None = None,
) -> tuple[ReadPassage, ...]:
    """Return the passages of a clause's text in order; `lead_in` is what its parents say first.

    Each is read in its own of its document's `languages`, in the first where that is not known;
    without any, in that of the text. `axis_unit` and `own_numbers` are as `read_sentence` takes
    them.
    """
    languages = languages or (find_language(" ".join((*lead_in, text))),)

    def read(words: str, lead: str) -> Sentence:
        language = choose_language(languages, words, lead)
        return read_sentence(words, lead, language, axis_unit, own_numbers)

    def read_passage(one: Passage) -> Sentence:
        sentence = read(one.text, one.lead)
        if one.source != "table":
            return sentence
        amounts = tuple(_read_cell(one, sentence))
        return Sentence(one.text, one.lead, sentence.language, amounts, ())

    found: list[ReadPassage] = []
    for quote, passages in groupby(split_passages(text, lead_in), lambda one: one.quote):
        first, *others = (ReadPassage(one, read_passage(one)) for one in passages)
        if first.passage.text != quote:
            amounts = chain.from_iterable(one.sentence.amounts for one in (first, *others))
            whole = replace(read(quote, first.passage.lead), amounts=tuple(amounts))
            first = replace(first, whole=whole)
        found += (first, *others)
    return tuple(found)


def list_printed_sentences(passages: Iterable[ReadPassage]) -> dict[str, Sentence]:
    """Return the sentences, items and table rows of a clause by their words as they are printed."""
    return {
        one.passage.quote: one.whole or one.sentence
        for one in passages
        if one.whole or one.passage.text == one.passage.quote
    }


def _read_cell(passage: Passage, read: Sentence) -> Iterator[Amount]:
    """Yield the amounts of a table's cell, with the direction that its column or row says."""
    label = "" if BAND.search(passage.label) else passage.label
    headed = find_direction(passage.column, read.language) or find_direction(label, read.language)
    led = headed or find_direction(passage.lead, read.language) or "equal"
    example = any(one.has("example") for one in scan(passage.column, read.language))
    for one in (one for one in read.amounts if one.kind == "amount"):
        value, upper = one.ends
        relation, doubt = _relate_cell(one, headed, led)
        unit = one.unit or _find_head_unit(passage)
        is_amount = unit or relation != "equal" or passage.counts_things
        role: Role = "limit" if is_amount and not example else "other"
        span = one.text, one.start, one.end
        yield Amount(*span, value, upper, unit, role=role, relation=relation, doubt=doubt)


def _relate_cell(one: Amount, headed: Relation | None, led: Relation) -> tuple[Relation, str]:
    """Return the relation of a cell's amount, its own or the one it is led by, and its doubt."""
    said, doubt = (one.relation, one.doubt) if one.is_compared else (None, "")
    if said and headed and (headed in FROM_BELOW) == (said in FROM_BELOW):
        doubt = ""
    return (said or led) if one.ends[1] is None else "between", doubt


def _find_head_unit(cell: Passage) -> str:
    """Return the unit of a cell's bare number: in its row's column of units, or in brackets in its
    column's head.
    """
    heads = (cell.unit, *_IN_BRACKETS.findall(cell.column)) if _BARE.fullmatch(cell.text) else ()
    return next(filter(None, map(parse_unit, heads)), None) or ""


def amount_kinds_in(text: str) -> frozenset[str]:
    """Return the kinds of the amounts of a text.

    A bare number in a table has the unit of its cell, or the whole head ("Laps") as its unit; else
    that of what the line before the table, its row or its head give the number of ("the number of
    sets").
    """
    kinds = {amount.kind for amount in find_quantities(text)}
    passages = split_passages(text) if "|" in text else ()  # it takes eight times as long
    for cell in (passage for passage in passages if passage.source == "table"):
        kinds |= {UNITS[unit][0] for unit in (_find_head_unit(cell),) if unit}
        if _BARE.fullmatch(cell.text):
            around = f"{cell.lead} {cell.label} {cell.column}"
            units = map(parse_unit, (cell.column, *_NUMBER_OF.findall(around)))
            kinds |= {UNITS[unit][0] for unit in units if unit and unit.endswith("s")}
    return frozenset(kinds)
