"""The passages of a clause: its sentences, list items and table cells, with what leads to each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from core.grammar.article_names import any_phrase
from core.grammar.cues import find_language, scan
from core.grammar.figures import find_figures
from core.grammar.quantities import SPELLED_NUMBER, find_quantities
from core.grammar.sentences import split_sentences

PassageSource = Literal["prose", "table", "list", "figure"]
"""A figure is read by text recognition, so that its words are no quote of the text."""
_MARK = re.compile(
    r"\s*(?:(?P<bullet>[•▪◦‣·–—-])|\(?(?P<roman>[ivx]+)[.)]|\(?(?P<letter>[a-zA-Z]{1,2})[.)]|"
    r"\(?(?P<number>\d{1,2})[.)])\s+"
)
_INLINE_LEAD = re.compile(r"[^:|]{3,160}:(?=\s+\S)")
_BRINGING_IN = re.compile(
    rf"{any_phrase('bringing_in')}(?:(?!\.\s+[A-ZÀ-Ý])[^“„«\"]){{0,100}}(?P<quote>[“„«\"])\s*"
    r"(?:§?\s?[A-Z]{0,3}\s?\d+(?:\.\d+)*[a-z]?[.)]?\s+)?(?P<words>[A-ZÀ-Ý][^”“»\"]{8,}[.!?])"
    r"\s*[”“»\"]"
)
"""A change, and the sentences that it quotes: behind the number that they are to have."""
_UNITS = re.compile(r"(?i)\W*units?\W*$")
_EMPTY_CELL = re.compile(r"^(?:[•▪◦‣·–—-]|\(?\w{1,3}[.)]|)$")
_OPEN_END = re.compile(
    r"\b(?:be|is|are|by|of|to|must|shall|may|with|from|in|either|and|or|that|if|when|whenever|where"
    r"|while|whilst|unless|provided|than|least|most|not|only|have|has|exceeds?)\s*$",
    re.I,
)
_BROKEN_LINE = re.compile(
    rf"(\b(?:{SPELLED_NUMBER}|the|an?|than))\n(?!\|)|"
    r"(\b(?:of|for|from|with|to|by|least|most))\n(?=\d+\s[a-zA-Z(][^\n]*(?:\n\D|$))|"
    r"(\b(?i:articles?|sections?|clauses?|rules?))\n(?=\d)"
)
"""What no line of a text ends with: the next one goes on, be it with a number ("36 hours")."""
_LEADS = re.compile(r"(?::|\w\s?[—–])\s*$")
_CAPTION = re.compile(r"(?i)table\s*\d+\b")
_TABLE_AHEAD = ("following table", "below table", "table below")
_SENTENCE = re.compile(r"[.:;]\s*$")
_UNREAD = re.compile(r"\[(?:Figure|Object|Equation|Field), shown [^]:]+\]")
"""Stands in a sentence for what has no words."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Words that may set limits. `quote` is how they are printed: of a table's cell, its row.

    `lead` is what leads to them ("The maximum diameters are:"), `label` what a table's row is
    called, `label_heading` the heading of such labels, `column` that of the cell's column.
    """

    text: str
    quote: str
    source: PassageSource
    lead: str = ""
    label: str = ""
    label_heading: str = ""
    column: str = ""
    unit: str = ""
    """What a column of units says of a table's row."""

    is_equation: bool = False

    @property
    def holds_unread(self) -> bool:
        """True of an equation, and where one or a figure that has no words is within a sentence."""
        return self.is_equation or bool(_UNREAD.search(f"{self.lead} {self.text}"))

    @property
    def counts_things(self) -> bool:
        """True where what leads to it obliges to, or permits, a number of things."""
        return "number of" in self.lead.casefold() and _has_duty(self.lead)


def split_passages(text: str, lead_in: Sequence[str] = ()) -> Iterator[Passage]:
    """Yield the passages of a clause's text in order; `lead_in` is what its parents say first."""
    text = _BROKEN_LINE.sub(r"\1\2\3 ", text)
    lines = [line for line in text.splitlines() if line.strip()]
    lists = _OpenLists(lead_in)
    table: list[str] = []
    in_equation = False
    before = pointer = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        begins_equation = line.startswith(("[Equation", "[Figure")) and not _UNREAD.match(line)
        in_equation = (in_equation or begins_equation) and "]" not in line
        if in_equation or begins_equation:
            yield Passage(line, line, "prose", is_equation=True)
        elif not line.startswith("|"):
            yield from lists.read_line(line, following)
            before = "" if _SENTENCE.search(line) else line
            pointer = line if any(words in line.casefold() for words in _TABLE_AHEAD) else pointer
        else:
            table.append(line)
            if not following.startswith("|"):
                caption = following if _CAPTION.match(following) else ""
                lead = lists.lead if pointer in lists.lead else f"{lists.lead} {pointer}"
                yield from _read_table(table, f"{lead} {caption}".strip(), before)
                table, pointer = [], ""


class _OpenLists:
    """The lead-ins of the lists that have not ended, each with the mark of its line."""

    def __init__(self, lead_in: Sequence[str]) -> None:
        self._outer = tuple(lead_in)
        self._leads: list[tuple[str, str]] = []
        self._is_led = False  # by the line before

    @property
    def lead(self) -> str:
        return " ".join(map(str.strip, (*self._outer, *(words for _, words in self._leads))))

    def read_line(self, line: str, following: str) -> Iterator[Passage]:
        """Yield the sentences of a line that is no table; close and open lists with it."""
        kind = mark_kind(line)
        if kind:
            self._leads = list(takewhile(lambda lead: lead[0] != kind, self._leads))
        elif not self._is_led and not _continues_list(line):
            # The heading of a list's next part leaves what leads to all of its parts.
            is_heading = _LEADS.search(line) and not _has_duty(line)
            is_part = is_heading and [mark for mark, _ in self._leads].count("") > 1
            del self._leads[1 if is_part else 0 :]
        body = strip_item_mark(line)
        source: PassageSource = "list" if kind or self._leads else "prose"
        for sentence in _split_change(body):
            yield Passage(sentence, sentence, source, self.lead)
        self._open_list(line, body, kind, following)

    def _open_list(self, line: str, body: str, kind: str, following: str) -> None:
        """Keep a line that leads to items: its `body` without a mark of this kind."""
        inline, item_kind = _INLINE_LEAD.match(body), mark_kind(following)
        is_nested = item_kind not in (kind, "", *(mark for mark, _ in self._leads))
        breaks_off = is_nested and _OPEN_END.search(line)
        self._is_led = bool(_LEADS.search(line) or breaks_off)
        if self._is_led:
            self._leads.append((kind, body))
        elif inline and not item_kind and _continues_list(following):
            self._leads.append((kind, inline[0]))


def _split_change(body: str) -> Iterator[str]:
    """Yield the sentences of a line; quoted ones that a change puts into a rule are rules alone."""
    end = 0
    for change in _BRINGING_IN.finditer(body):
        yield from split_sentences(body[end : change.start("quote")])
        yield from split_sentences(change["words"])
        end = change.end()
    yield from split_sentences(body[end:])


def strip_item_mark(line: str) -> str:
    """Return a line without the mark of a list's item: a letter, a number, a bullet."""
    match = _MARK.match(line)
    return line[match.end() :] if match else line


def mark_kind(line: str) -> str:
    """Return what marks a list's item: a letter, a bullet ...; empty for a line that is no item."""
    match = _MARK.match(line)
    return (match.lastgroup or "") if match else ""


def _continues_list(line: str) -> bool:
    """True of a line without a mark that is one more entry: it has a number and no duty."""
    return bool(find_figures(line)) and not _has_duty(line)


def _read_table(lines: Sequence[str], lead: str, before: str) -> Iterator[Passage]:
    """Yield the cells of a table that may set limits, each with its row and column.

    `before` is a line above it that is no sentence: the heads of a table that has no row of them.
    """
    rows = [(line, split_cells(line)) for line in lines if not set(line) <= set("|-: ")]
    header = rows[0][1]
    if _is_heading(header, rows[1][1] if len(rows) > 1 else (), lead):
        rows = rows[1:]
    else:
        header = ("",) * len(header)
        lead = f"{before} {lead}".strip()
    for line, cells in rows:
        places = [place for place, cell in enumerate(cells) if not _EMPTY_CELL.match(cell)]
        if not places:
            continue
        label = cells[places[0]]
        unit = next(
            (cell for cell, head in zip(cells, header, strict=False) if _UNITS.match(head)), ""
        )
        for place in places[1:] or places:
            column = header[place] if place < len(header) else ""
            heading = header[places[0]] if places[0] < len(header) else ""
            yield Passage(cells[place], line, "table", lead, label, heading, column, unit)


def _is_heading(first: Sequence[str], second: Sequence[str], lead: str) -> bool:
    """True of a table's first row, unless it has amounts as the row below it has."""
    if not any(find_figures(cell) for cell in first[1:]):
        return True
    units = [
        [[one.unit for one in find_quantities(cell)] for cell in row[1:]] for row in (first, second)
    ]
    is_alike = any(units[0]) and units[0] == units[1]
    return _has_duty(lead) and not is_alike


def _has_duty(text: str) -> bool:
    duties = ("must", "may", "should", "will", "must_not", "forbidding")
    return any(one.has(*duties) for one in scan(text, find_language(text)))


def split_cells(line: str) -> tuple[str, ...]:
    """Return the cells of a table's line."""
    return tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")))
