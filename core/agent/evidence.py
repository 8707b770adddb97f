"""The clauses a run has found, each under the marker it keeps; and the words of a clause cut into quotable pieces."""

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate, takewhile

from core.agent.types import Citation, Source, source_from_hit
from core.library import OMISSION_MARK, Hit
from core.rulebook import article_label, has_marker, part_at_line

_SENTENCE_END = re.compile(r"(?<=[.;!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|cf|No|Nos|Art|Arts|approx|min|max|vs|Mr|Mrs|Ltd|[A-Z])\.$"
)

QUOTED_PASSAGE = re.compile(r"“([^”]+)”|\"([^\"\n]+)\"")
"""A passage in quotation marks, in one of two groups."""
CITATION_MARKER = re.compile(r"\[(\d{1,3})\]")


class Evidence:
    """The sources of one run, in the order they were found."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._sources = {source.clause_id: source for source in sources}

    def add_hits(self, hits: Iterable[Hit], labels: Mapping[str, str]) -> tuple[Source, ...]:
        """Take hits in; return them as sources, in their order. `labels` names documents by id.

        A clause found again keeps its marker, its first score and its first reason.
        """
        found = []
        for hit in hits:
            clause = hit.clause
            label = labels.get(clause.document_id, clause.document_id)
            known = self._sources.get(clause.clause_id)
            source = known or source_from_hit(hit, len(self._sources) + 1, label)
            self._sources[clause.clause_id] = source
            found.append(source)
        return tuple(found)

    def restore_sources(self, sources: Iterable[Source]) -> None:
        """Take sources in as they were saved."""
        self._sources |= {source.clause_id: source for source in sources}

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources.values())

    def only_clauses(self, clause_ids: Collection[str]) -> tuple[Source, ...]:
        """The sources of these clauses."""
        return tuple(source for source in self.sources if source.clause_id in clause_ids)

    def without_clauses(self, clause_ids: Collection[str]) -> tuple[Source, ...]:
        """The sources of all other clauses."""
        return tuple(source for source in self.sources if source.clause_id not in clause_ids)

    def find_by_marker(self, marker: int) -> Source | None:
        """The source under a marker."""
        return next((source for source in self._sources.values() if source.marker == marker), None)

    def find_by_clause(self, clause_id: str) -> Source | None:
        """The source of a clause."""
        return self._sources.get(clause_id)


def cite(source: Source, quote: str) -> Citation:
    """A citation of a source; the quote is not checked here (see `verify`)."""
    return Citation(
        marker=source.marker,
        clause_id=source.clause_id,
        document_id=source.document_id,
        document=source.document,
        article=source.article,
        part=_part_holding(source.text, quote),
        title=source.title,
        quote=quote,
        page=_page_holding(source, quote),
        season=source.season,
        issue=source.issue,
        ocr=source.ocr,
    )


def list_sources(sources: Iterable[Source]) -> str:
    """Sources as a Markdown list of places, without their words."""
    lines = (
        f"- {article_label(s.article)} {s.title}".rstrip() + f", page {s.page_first}, {s.document}"
        for s in sources
    )
    return "\n".join(lines)


def split_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a clause's text, each within one line; a lettered item starts a new one."""
    return tuple(
        piece for line in text.splitlines() for piece in _split_line(line.strip()) if piece
    )


def _split_line(line: str) -> list[str]:
    if line.startswith("|"):
        return [line]
    pieces: list[str] = []
    for piece in _SENTENCE_END.split(line):
        if pieces and (_ABBREVIATION.search(pieces[-1]) or _is_mark(pieces[-1])):
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    return pieces


def _is_mark(piece: str) -> bool:
    """True for the mark of an item ("iii.") without its words."""
    return " " not in piece and has_marker(f"{piece} x")


def _part_holding(text: str, quote: str) -> str | None:
    """The lettered item ("d)", "d)ii)") in which the whole of a quote stands, wherever in the clause its words do."""
    wanted = alphanumeric_only(quote)
    text = _entries_holding(text, wanted)
    lines = text.split("\n")
    ends = list(accumulate(len(alphanumeric_only(line)) for line in lines))
    parts = {
        part_at_line(text, line) or ""
        for start in _occurrences(wanted, text)
        for line in range(bisect(ends, start), bisect(ends, start + len(wanted) - 1) + 1)
    }
    marks = [part.split(")")[:-1] for part in parts]
    shared = takewhile(lambda same: len(set(same)) == 1, zip(*marks, strict=False))
    return "".join(f"{same[0]})" for same in shared) or None


def _occurrences(wanted: str, text: str) -> list[int]:
    """Where words stand among the letters of a text, from the beginning of a word if they do so anywhere."""
    letters = alphanumeric_only(text)
    found = (
        [match.start() for match in re.finditer(f"(?={re.escape(wanted)})", letters)]
        if wanted
        else []
    )
    begins = {0, *accumulate(len(alphanumeric_only(word)) for word in re.split(r"\W+", text))}
    return [start for start in found if start in begins] or found


def relevant_text(source: Source, citation: Citation) -> str:
    """What of a clause bears on a quote from it: its lettered item with what leads in to it, or all of the clause."""
    text = _entries_holding(source.text, alphanumeric_only(citation.quote))
    if not citation.part:
        return text
    parts = [part_at_line(text, number) or "" for number in range(len(text.split("\n")))]
    return "\n".join(
        line
        for line, part in zip(text.split("\n"), parts, strict=True)
        if part.startswith(citation.part) or citation.part.startswith(part)
    )


def _entries_holding(text: str, wanted: str) -> str:
    """Of a list of definitions that was cut the entries that follow each other and hold certain words."""
    return next(
        (entries for entries in text.split(OMISSION_MARK) if wanted in alphanumeric_only(entries)),
        text,
    )


def _page_holding(source: Source, quote: str) -> int:
    """The page on which a quote begins."""
    found = _occurrences(alphanumeric_only(quote), "\n".join(words for _, words in source.pages))
    ends = list(accumulate(len(alphanumeric_only(words)) for _, words in source.pages))
    return source.pages[bisect(ends, found[0])][0] if found else source.page_first


def alphanumeric_only(text: str) -> str:
    """Letters and digits only, lower case: what two texts share when they differ in spaces and signs alone."""
    return "".join(character for character in text.casefold() if character.isalnum())


def shorten_text(text: str) -> str:
    """A text on one line, cut after 120 characters."""
    text = " ".join(text.split())
    return text if len(text) <= 120 else f"{text[:117]}..."
