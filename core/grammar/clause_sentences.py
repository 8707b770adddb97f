"""The passages of a clause with the sentences that they are read as, for every list of rules."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from core.grammar.cells import find_cell_numbers
from core.grammar.comparisons import Relation
from core.grammar.cues import choose_language, scan
from core.grammar.number_groups import OwnNumbers
from core.grammar.passages import Passage, split_passages
from core.grammar.relations import find_direction
from core.grammar.sentence import Amount, Sentence, read_sentence

BAND = re.compile(r"[<>≤≥]|[<>]=")
"""What is in a cell that says for which amounts a table's row is: "> 50 V"."""
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
    lead_in: Sequence[str],
    languages: Sequence[str],
    axis_unit: str = "mm",
    own_numbers: OwnNumbers | None = None,
) -> tuple[ReadPassage, ...]:
    """Return the passages of a clause's text in order; `lead_in` is what its parents say first.

    Each is read in its own of its document's `languages`, in the first where that is not known.
    `axis_unit` and `own_numbers` are as `read_sentence` takes them.
    """

    def read(words: str, lead: str) -> Sentence:
        language = choose_language(languages, words, lead)
        return read_sentence(words, lead, language, axis_unit, own_numbers)

    def read_passage(one: Passage) -> Sentence:
        sentence = read(one.text, one.lead)
        if one.source != "table":
            return sentence
        amounts = tuple(_read_cell(one, sentence, axis_unit, own_numbers))
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


def list_printed(passages: Iterable[ReadPassage]) -> dict[str, Sentence]:
    """Return the sentences, items and table rows of a clause by their words as they are printed."""
    return {
        one.passage.quote: one.whole or one.sentence
        for one in passages
        if one.whole or one.passage.text == one.passage.quote
    }


def _read_cell(
    passage: Passage, read: Sentence, axis_unit: str, own_numbers: OwnNumbers | None
) -> Iterator[Amount]:
    """Yield the amounts of a table's cell, with the direction that its column or row says."""
    language = read.language
    label = "" if BAND.search(passage.label) else passage.label
    headed = find_direction(passage.column, language) or find_direction(label, language)
    led = find_direction(passage.lead, language)
    example = any("example" in one.names for one in scan(passage.column, language))
    for number in find_cell_numbers(passage, axis_unit, own_numbers or (lambda _: False)):
        own = next(
            (one for one in read.amounts if one.start <= number.figure.start < one.end), None
        )
        value, upper = number.bounds
        said = own.relation if own and own.is_compared else None
        agrees = headed and (headed in FROM_BELOW) == (said in FROM_BELOW)
        relation: Relation = said or headed or led or "equal"
        if upper is not None:
            relation = "between"
        is_amount = number.unit or relation != "equal" or passage.counts_things
        yield Amount(
            number.figure.text,
            number.start,
            number.end,
            value,
            upper,
            number.unit,
            "other" if example or not is_amount else "limit",
            relation,
            own.doubt if own and said and not agrees else "",
        )
