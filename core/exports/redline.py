"""Two documents as one text of all words of both: equal, deleted or inserted.

Equal and inserted words are the rules in force of the later document, letter by letter and in its
order; equal and deleted words are those of the earlier one. Numbers and titles are among them.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import takewhile
from operator import eq, is_not
from typing import Literal

from rapidfuzz.distance import Indel

from core.language import ENGLISH, Language
from core.library import ClausePair, ComparisonText, Document, Library, article_steps, diff_texts
from core.markdown_escape import strip_marks
from core.rulebook import Clause

SpanKind = Literal["same", "deleted", "inserted"]
_LETTERS = re.compile(r"\w+|\s|[^\w\s]")
"""What is compared where words are equal and their letters are not."""


_TABLE_ROW = re.compile(r"^\|", re.M)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class RedlineSpan:
    """A text of both documents, or of one. Each line break in it ends a paragraph."""

    kind: SpanKind
    text: str
    is_spelling: bool = False
    """True of a difference in spaces, capitals or typography alone, which is no other wording."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RedlineClause:
    """A clause at one place of the text: its number, a tab, its title and text, a line break."""

    kind: SpanKind
    """Which document has a clause at this place; the tab and the line break are of this kind."""
    number: tuple[RedlineSpan, ...]
    text: tuple[RedlineSpan, ...]
    level: int
    """How deep it is in the document, from 1."""
    is_titled: bool
    note: str = ""
    """What is said of it in the reader's language, line by line."""


@dataclass(frozen=True, slots=True)
class Redline:
    """A comparison as one text. `about` says in a sentence or two how to read it."""

    title: str
    about: str
    day: str
    """The day of the later document, as ISO date: that of its changes; "" if it bears none."""
    clauses: tuple[RedlineClause, ...]


def compose_redline(
    library: Library,
    before: Document,
    after: Document,
    pairs: Sequence[ClausePair],
    language: Language = ENGLISH,
) -> Redline:
    """Return the redline of two documents; `pairs` are all that `compare_documents` found.

    A clause that has another place in the order of the later document is deleted and inserted, and
    a note at both places names the other: only so every order can be accepted and rejected.
    """
    say = language.say
    composer = _Composer(
        ComparisonText(language),
        _join_clauses(library.clauses(before.document_id), {p.clause_a for p in pairs}),
        _join_clauses(library.clauses(after.document_id), {p.clause_b for p in pairs}),
    )
    names = {"before": before.citation_label, "after": after.citation_label}
    told = Counter(
        f"{kind}-{value}"
        for pair in pairs
        for kind, value in pair.remarks.items()
        if kind in ("mark", "declaration")
    )
    counts = (f"{say(name)}: {language.format_number(number)}" for name, number in told.items())
    is_silent = not told and any(pair.has_difference for pair in pairs)
    about = (
        say("redline-about", **names),
        strip_marks(composer.said.describe_pairs(pairs)),
        say("redline-silent", **names) if is_silent else " · ".join(counts),
    )
    return Redline(
        say("redline-title", **names),
        "\n".join(filter(None, about)),
        after.date or "",
        tuple(composer.compose(pairs)),
    )


@dataclass(frozen=True, slots=True)
class _Wording:
    """A clause as a document has it, with all its parts, and its place in the reading order."""

    place: int
    number: str
    title: str
    text: str

    def build(
        self, kind: SpanKind, number: Iterable[RedlineSpan], text: Iterable[RedlineSpan], note: str
    ) -> RedlineClause:
        level, is_titled = len(article_steps(self.number)), bool(self.title)
        return RedlineClause(kind, tuple(number), tuple(text), level, is_titled, note)

    def build_single(self, kind: SpanKind, note: str) -> RedlineClause:
        """Build the clause where one document alone has one."""
        return self.build(
            kind, [RedlineSpan(kind, self.number)], [RedlineSpan(kind, self.text)], note
        )


def _join_clauses(clauses: Iterable[Clause], wholes: set[str | None]) -> dict[str, _Wording]:
    """Return clauses in force by id; one that is no whole of a comparison is a part of the last."""
    joined: dict[str, _Wording] = {}
    for clause in clauses:
        if clause.status != "in_force":
            continue
        if clause.clause_id in wholes:
            text = f"{clause.title}\n{clause.text}".strip()
            joined[clause.clause_id] = _Wording(len(joined), clause.article, clause.title, text)
        else:
            whole_id, whole = joined.popitem()
            heading = "" if clause.text.startswith(clause.title) else clause.title
            text = "\n".join(filter(None, (whole.text, heading, clause.text)))
            joined[whole_id] = replace(whole, text=text)
    return joined


@dataclass(frozen=True, slots=True)
class _Composer:
    said: ComparisonText
    old: Mapping[str, _Wording]
    new: Mapping[str, _Wording]

    def compose(self, pairs: Iterable[ClausePair]) -> Iterator[RedlineClause]:
        """Yield the clauses in the order of the later document.

        Those of the earlier one that are left stand before the next one that kept its place.
        """
        by_id = {id_: pair for pair in pairs for id_ in (pair.clause_a, pair.clause_b) if id_}
        old_pairs = iter([by_id[clause_id] for clause_id in self.old])
        new_pairs = [by_id[clause_id] for clause_id in self.new]
        both = [pair for pair in new_pairs if pair.clause_a]
        places = [self.old[pair.clause_a or ""].place for pair in both]
        kept = {both[n].clause_b for n in find_longest_rise(places)}
        for pair in new_pairs:
            if pair.clause_b not in kept:
                yield self.insert(pair)
                continue
            yield from map(self.delete, takewhile(partial(is_not, pair), old_pairs))
            yield self.merge(pair)
        yield from map(self.delete, old_pairs)

    def delete(self, pair: ClausePair) -> RedlineClause:
        clause = self.old[pair.clause_a or ""]
        note = self.describe(pair)
        if pair.article_b:
            note = self.said.language.say("redline-moved-to", article=pair.article_b)
        return clause.build_single("deleted", note)

    def insert(self, pair: ClausePair) -> RedlineClause:
        clause, say = self.new[pair.clause_b or ""], self.said.language.say
        lines = [self.describe(pair)]
        if pair.article_a:
            lines = [say("redline-moved-from", article=pair.article_a), *lines]
            if changes := _list_changes(pair):
                lines.append(say("redline-moved-changed", changes=changes))
        return clause.build_single("inserted", "\n".join(filter(None, lines)))

    def merge(self, pair: ClausePair) -> RedlineClause:
        """Return a clause of both documents that kept its place, with its differences."""
        old, new = self.old[pair.clause_a or ""], self.new[pair.clause_b or ""]
        number = [RedlineSpan("same", new.number)]
        if old.number != new.number:
            number = [RedlineSpan("deleted", old.number), RedlineSpan("inserted", new.number)]
        text = self.diff(pair, old.text, new.text)
        return new.build("same", number, text, self.describe(pair))

    def diff(self, pair: ClausePair, old: str, new: str) -> tuple[RedlineSpan, ...]:
        """Return the differences of two wordings, those of the comparison where it saw all of both.

        It leaves out the captions of pictures that both documents have.
        """
        marked = pair.marked
        if (old, new) != (pair.before, pair.after):
            pair = _pair_texts(old, new)
        if pair.pieces and _TABLE_ROW.search(f"{old}\n{new}"):
            return tuple(_diff_lines(old, new))
        unmarked = self.said.language.say("mark-unmarked") if marked == "partly" else ""
        return _merge_wordings(pair, unmarked)

    def describe(self, pair: ClausePair) -> str:
        """Return what the publisher says of a difference, and what is drawn differently."""
        say, remarks = self.said.language.say, pair.remarks
        told = [f"{kind}-{remarks[kind]}" for kind in ("declaration", "mark") if kind in remarks]
        if pair.place == "moved":
            told.insert(0, "place-moved")
        if not (told or pair.said or pair.redrawn):
            return ""
        lines = (" · ".join(map(say, told)), *self.said.list_notes(pair))
        return "\n".join(filter(None, lines))


def _merge_wordings(pair: ClausePair, unmarked: str = "") -> tuple[RedlineSpan, ...]:
    """Return the two wordings of a pair as one; `unmarked` is noted on what bears no mark."""
    spans: list[RedlineSpan] = []
    for piece in pair.pieces:
        if piece.kind == "same":
            earlier = piece.text if piece.before is None else piece.before
            spans += _diff_letters(earlier, piece.text)
        else:
            note = unmarked if piece.marked is False and piece.reason is None else ""
            spans.append(RedlineSpan(piece.kind, piece.text, note=note))
    if not pair.pieces:
        return tuple(_diff_letters(pair.before, pair.after))
    if (_join(spans, "deleted"), _join(spans, "inserted")) != (pair.before, pair.after):
        return (RedlineSpan("deleted", pair.before), RedlineSpan("inserted", pair.after))
    return tuple(_join_spaces(spans))


def _pair_texts(old: str, new: str) -> ClausePair:
    pieces = diff_texts(old, new, None, eq)
    return ClausePair("changed", before=old, after=new, pieces=pieces)


def _diff_lines(old: str, new: str) -> Iterator[RedlineSpan]:
    """Yield the differences of two wordings with tables: words of lines, but rows as a whole.

    Words of other rows that happen to be equal would tear a table to pieces.
    """
    olds, news = _LINE.findall(old), _LINE.findall(new)
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        gone, come = "".join(olds[a:b]), "".join(news[c:d])
        if tag == "equal":
            yield RedlineSpan("same", come)
        elif gone and come and not _TABLE_ROW.search(gone + come):
            yield from _merge_wordings(_pair_texts(gone, come))
        else:
            yield from (RedlineSpan("deleted", gone),) if gone else ()
            yield from (RedlineSpan("inserted", come),) if come else ()


def _list_changes(pair: ClausePair) -> str:
    forms: dict[str, Callable[[str], str]] = {
        "deleted": "[-{}-]".format,
        "inserted": "{{+{}+}}".format,
    }
    return " ".join(forms[p.kind](p.text.strip()) for p in pair.pieces if p.kind in forms)


def _join(spans: Iterable[RedlineSpan], own: str) -> str:
    return "".join(span.text for span in spans if span.kind in ("same", own))


def _join_spaces(spans: Sequence[RedlineSpan]) -> Iterator[RedlineSpan]:
    """Yield spans; spaces and line breaks beside other words came or went with these.

    LibreOffice 7.4 loses the end of a paragraph where one author's changes part another's.
    """
    worded = [span.kind != "same" and not span.is_spelling for span in spans]
    for at, span in enumerate(spans):
        beside = any(worded[max(at - 1, 0) : at + 2])
        is_word = span.is_spelling and span.text.isspace() and beside
        yield replace(span, is_spelling=False) if is_word else span


def _diff_letters(old: str, new: str) -> Iterator[RedlineSpan]:
    """Yield the differences of two wordings whose words are the same."""
    if old == new:
        yield RedlineSpan("same", new)
        return
    olds, news = _LETTERS.findall(old), _LETTERS.findall(new)
    for step in Indel.opcodes(olds, news):
        gone, come = olds[step.src_start : step.src_end], news[step.dest_start : step.dest_end]
        if step.tag == "equal":
            yield RedlineSpan("same", "".join(come))
            continue
        if gone:
            yield RedlineSpan("deleted", "".join(gone), is_spelling=True)
        if come:
            yield RedlineSpan("inserted", "".join(come), is_spelling=True)


def find_longest_rise(places: Sequence[int]) -> list[int]:
    """Return the positions of a longest subsequence of rising places (patience sorting)."""
    ends: list[int] = []
    before: list[int | None] = []
    last: list[int] = []
    for position, place in enumerate(places):
        length = bisect_left(ends, place)
        ends[length : length + 1], last[length : length + 1] = [place], [position]
        before.append(last[length - 1] if length else None)
    rise: list[int] = []
    at = last[-1] if last else None
    while at is not None:
        rise.append(at)
        at = before[at]
    return rise[::-1]
