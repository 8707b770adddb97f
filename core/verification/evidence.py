"""The clauses that a run has found, under their markers, and the sentences that can be quoted."""

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate, takewhile
from types import MappingProxyType

from core.copied_fields import copy_fields
from core.grammar import alphanumeric_only, article_label, list_parts
from core.library import OMISSION_MARK, Hit, article_steps
from core.registers import LayerNotes
from core.verification.types import Citation, Source

QUOTED_PASSAGE = re.compile(r"[“„]([^“”]+)[”“]|\"([^\"\n]+)\"")
"""A passage in quotation marks, in one of two groups."""
CITATION_MARKER = re.compile(r"\[(\d{1,3})\]")

_NO_NOTES: LayerNotes = MappingProxyType({})


class Evidence:
    """The sources of one run by clause id, in the order they were found."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._sources = {source.clause_id: source for source in sources}

    def __contains__(self, clause_id: str) -> bool:
        return clause_id in self._sources

    def add_hits(
        self,
        hits: Iterable[Hit],
        labels: Mapping[str, str],
        partly_read: Collection[str] = (),
        addresses: Mapping[str, str] = MappingProxyType({}),
        layers: LayerNotes = _NO_NOTES,
    ) -> tuple[Source, ...]:
        """Add hits and return them as sources, in their order.

        `labels` are of documents, by id; `partly_read` are ids of documents; `addresses` and
        `layers` are of clauses, by id. A clause that is found again keeps its marker, its first
        score and its first reason.
        """
        found = []
        for hit in hits:
            clause = hit.clause
            if clause.clause_id not in self._sources:
                self._sources[clause.clause_id] = copy_fields(
                    Source,
                    clause,
                    hit,
                    marker=len(self._sources) + 1,
                    document=labels.get(clause.document_id, clause.document_id),
                    differs=any(mark.kind in ("hidden", "differs") for mark in clause.marks),
                    pages=tuple((one.page, one.words) for one in clause.places if one.words),
                    partly_read=clause.document_id in partly_read,
                    address=addresses.get(clause.clause_id, ""),
                    layers=layers.get(clause.clause_id, ()),
                )
            found.append(self._sources[clause.clause_id])
        return tuple(found)

    def restore_sources(self, sources: Iterable[Source]) -> None:
        """Add sources as they were saved."""
        self._sources |= {source.clause_id: source for source in sources}

    def is_of_other_layer(self, clause_id: str, reference: str) -> bool:
        """True where a clause refers to an article of the rules that it changes or adds to."""
        source, steps = self.find_by_clause(clause_id), article_steps(reference)
        notes = source.layers if source else ()
        return any(article_steps(note.article) == steps for note in notes)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources.values())

    def only_clauses(self, clause_ids: Collection[str]) -> tuple[Source, ...]:
        return tuple(source for source in self.sources if source.clause_id in clause_ids)

    def without_clauses(self, clause_ids: Collection[str]) -> tuple[Source, ...]:
        return tuple(source for source in self.sources if source.clause_id not in clause_ids)

    def find_by_marker(self, marker: int) -> Source | None:
        return next((source for source in self.sources if source.marker == marker), None)

    def find_by_clause(self, clause_id: str) -> Source | None:
        return self._sources.get(clause_id)


def cite(source: Source, quote: str) -> Citation:
    """Build a citation of a source, with the item and the page of a quote; `verify` checks it.

    Of a quote that begins with what leads to an item, they are those of the item.
    """
    own_words = quote if quote in source.text else quote.rpartition(OMISSION_MARK)[2]
    letters = alphanumeric_only(own_words)
    starts = _word_starts(letters, "\n".join(words for _, words in source.pages))
    page_ends = list(accumulate(len(alphanumeric_only(words)) for _, words in source.pages))
    page = source.pages[bisect(page_ends, starts[0])][0] if starts else source.page_first
    item = _find_part(_definitions_with(letters, source.text), letters)
    is_all = source.part == source.whole_article  # a chapter without a number
    named = f"“{source.part}”" if source.part and not is_all else ""
    part = " ".join(filter(None, (named, item))) or None
    layers = tuple(note for note in source.layers if note.is_about(quote))
    own = {"article": source.whole_article, "part": part, "quote": quote, "page": page}
    paragraph = None if page else find_paragraph(source.text, letters)
    return copy_fields(Citation, source, paragraph=paragraph, layers=layers, **own)


def find_paragraph(text: str, letters: str) -> int:
    """Return which paragraph of a text, from 1, a quote begins in; `letters` are those of it."""
    ends = list(accumulate(len(alphanumeric_only(line)) for line in text.split("\n")))
    starts = _word_starts(letters, text)
    return bisect(ends, starts[0]) + 1 if starts else 1


def list_sources(sources: Iterable[Source]) -> str:
    """Return a Markdown list of the places of sources, without their text."""
    return "\n".join(
        ", ".join(
            filter(None, (f"- {article_label(s.article)} {s.title}".rstrip(), s.place, s.document))
        )
        for s in sources
    )


def _find_part(text: str, letters: str) -> str | None:
    """Return the lettered item ("d)", "d)ii)") with all of a quote, wherever the quote occurs."""
    lines = text.split("\n")
    ends = list(accumulate(len(alphanumeric_only(line)) for line in lines))
    of_lines = list_parts(text)
    parts = {
        of_lines[line]
        for start in _word_starts(letters, text)
        for line in range(bisect(ends, start), bisect(ends, start + len(letters) - 1) + 1)
    }
    levels = zip(*(part.split(")")[:-1] for part in parts), strict=False)
    shared = takewhile(lambda marks: len(set(marks)) == 1, levels)
    return "".join(f"{marks[0]})" for marks in shared) or None


def _word_starts(letters: str, text: str) -> list[int]:
    """Return where a quote occurs among the letters of a text, at the start of a word if it can."""
    if not letters:
        return []
    occurrences = re.finditer(f"(?={re.escape(letters)})", alphanumeric_only(text))
    found = [match.start() for match in occurrences]
    words = {0, *accumulate(len(alphanumeric_only(word)) for word in re.split(r"\W+", text))}
    return [start for start in found if start in words] or found


def relevant_text(source: Source, citation: Citation) -> str:
    """Return the lettered item that a citation is from with its lead-ins, else the whole clause."""
    text = _definitions_with(alphanumeric_only(citation.quote), source.text)
    if not (part := citation.lettered_part):
        return text
    lines = zip(text.split("\n"), list_parts(text), strict=True)
    related = (line for line, at in lines if at.startswith(part) or part.startswith(at))
    return "\n".join(related)


def _definitions_with(letters: str, text: str) -> str:
    """Return the entries with a quote, of a list of definitions that was cut; else all of it."""
    entries = text.split(OMISSION_MARK)
    return next((entry for entry in entries if letters in alphanumeric_only(entry)), text)


def shorten_text(text: str) -> str:
    """Return a text on one line, cut to 120 characters."""
    text = " ".join(text.split())
    return text if len(text) <= 120 else f"{text[:117]}..."
