"""The numbers of a table's cells, with the units that the table's heads say."""

import re

from core.grammar.number_groups import (
    NumberGroup,
    OwnNumbers,
    find_figures_once,
    merge_figures,
)
from core.grammar.passages import Passage, split_passages
from core.grammar.quantities import UNITS, find_quantities
from core.grammar.units import parse_unit

_BARE = re.compile(r"\W*\d[\d.,\s]*\W*")
_NUMBER_OF = re.compile(r"(?i)\bnumber of (\w+)")
_IN_BRACKETS = re.compile(r"[(\[]\s*([^)\]]+?)\s*[)\]]")


def find_cell_numbers(cell: Passage, axis_unit: str, own_numbers: OwnNumbers) -> list[NumberGroup]:
    """Return the numbers of a cell in order.

    The unit of a bare number is in its row's column of units, or in brackets in its column's head.
    """
    figures = find_figures_once(cell.text, axis_unit, own_numbers)
    if len(figures) == 1 and not figures[0].quantity and _BARE.fullmatch(cell.text):
        heads = (cell.unit, *_IN_BRACKETS.findall(cell.column))
        if unit := next(filter(None, map(parse_unit, heads)), None):
            figures = [figures[0].with_unit(unit)]
    return merge_figures(cell.text, figures)


def amount_kinds_in(text: str) -> frozenset[str]:
    """Return the kinds of the amounts of a text.

    A bare number in a table has the unit of its cell, or the whole head ("Laps") as its unit; else
    that of what the line before the table, its row or its head give the number of ("the number of
    sets").
    """
    kinds = {amount.kind for amount in find_quantities(text)}
    passages = split_passages(text) if "|" in text else ()  # it takes eight times as long
    for cell in (passage for passage in passages if passage.source == "table"):
        numbers = find_cell_numbers(cell, "mm", lambda _: False)
        kinds |= {UNITS[number.unit][0] for number in numbers if number.unit in UNITS}
        if _BARE.fullmatch(cell.text):
            around = f"{cell.lead} {cell.label} {cell.column}"
            units = map(parse_unit, (cell.column, *_NUMBER_OF.findall(around)))
            kinds |= {UNITS[unit][0] for unit in units if unit and unit.endswith("s")}
    return frozenset(kinds)
