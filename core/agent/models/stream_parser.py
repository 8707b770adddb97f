"""Sorts a streaming reply into thinking, draft, citations and tool calls."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from core.agent.models.base import ReplyDelta
from core.grammar import alphanumeric_only, split_sentences
from core.library import coverage
from core.verification import CITATION_MARKER, Citation, Source, cite, plain_words

COMPLETE_MARKER = "TASK_COMPLETE:"
_TOKEN = re.compile(r"“(?P<curly>[^”]+)”|\"(?P<straight>[^\"\n]+)\"|\[(?P<marker>\d{1,3})\]")
_NEAR = 40
"""Characters between a quote and a marker that plainly belong together."""


class ReplyParser:
    """A reply so far: text before TASK_COMPLETE: is thinking, text after it is the draft.

    Each method reads a piece of the stream and yields the fragments that may be shown now.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = {source.clause_id: source for source in sources}
        self._summaries = ""
        self._spoken = ""
        self._thinking = ""
        self._pending = ""
        self._last_kind = ""
        self._cited: dict[tuple[str, str], Citation] = {}
        self.draft = ""
        self.marked = False
        """TASK_COMPLETE: has come."""

    @property
    def thinking(self) -> str:
        return self._thinking.strip()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Citations of the API and, for markers without one, those read from the draft."""
        cited = {citation.marker for citation in self._cited.values()}
        others = (source for source in self._sources.values() if source.marker not in cited)
        by_marker = {source.marker: source for source in others}
        return (*self._cited.values(), *parse_citations(self.draft, by_marker))

    def add_thinking(self, text: str) -> Iterator[ReplyDelta]:
        self._summaries += text
        yield from self._show_thought(text, "thinking")

    def add_text(self, text: str) -> Iterator[ReplyDelta]:
        text, self._pending = self._pending + text, ""
        if not self.marked and COMPLETE_MARKER in text:
            before, text = text.split(COMPLETE_MARKER, 1)
            yield from self._speak(before)
            self.marked = True
            self._cited.clear()
        if not self.marked:
            # What may be the start of the marker waits for what follows it.
            lengths = range(min(len(COMPLETE_MARKER) - 1, len(text)), 0, -1)
            starts = (COMPLETE_MARKER[:n] for n in lengths if text.endswith(COMPLETE_MARKER[:n]))
            self._pending = next(starts, "")
            yield from self._speak(text.removesuffix(self._pending))
            return
        # White space waits for what follows it: a citation marker must not follow a line's end.
        text = text if self.draft else text.lstrip()
        shown = text.rstrip()
        self._pending = text[len(shown) :]
        if shown:
            yield self._add_to_draft(shown)

    def add_citations(self, cited: Iterable[tuple[str, str]]) -> Iterator[ReplyDelta]:
        """End a text block that rests on (clause id, cited text), with a marker for each clause."""
        known = [(self._sources[key], words) for key, words in cited if key in self._sources]
        for source, words in known:
            self._cited.setdefault((source.clause_id, words), cite(source, words.strip()))
        text = self.draft if self.marked else self._spoken
        markers = dict.fromkeys(f" [{source.marker}]" for source, _ in known)
        new = "".join(marker for marker in markers if not text.rstrip(".").endswith(marker.strip()))
        if new and self.marked:
            yield self._add_to_draft(new)
        elif new:
            pending, self._pending = self._pending, ""
            yield from self._speak(pending + new)

    def end_block(self) -> None:
        """End a block other than text; what follows starts a new paragraph."""
        self._last_kind = ""

    @property
    def is_empty(self) -> bool:
        return not (self._spoken.strip() or self.draft)

    def finish(self, last: bool) -> Iterator[ReplyDelta]:
        """End the reply. Without the marker all text of a last reply is the draft."""
        pending, self._pending = self._pending, ""
        if self.marked:
            return
        yield from self._speak(pending)
        if last:
            self._thinking = self._summaries
            if said := self._spoken.strip():
                yield self._add_to_draft(said)

    def _speak(self, text: str) -> Iterator[ReplyDelta]:
        self._spoken += text
        yield from self._show_thought(text, "text")

    def _show_thought(self, text: str, kind: str) -> Iterator[ReplyDelta]:
        if not text:
            return
        text = f"\n\n{text}" if self._thinking and kind != self._last_kind else text
        self._thinking, self._last_kind = self._thinking + text, kind
        yield ReplyDelta("thought", text)

    def _add_to_draft(self, text: str) -> ReplyDelta:
        anew = not self.draft
        self.draft += text
        return ReplyDelta("draft", text, anew)


def parse_event(event: Any, parser: ReplyParser) -> Iterator[ReplyDelta]:
    """Pass an event of the stream to the parser and yield what may be shown."""
    match event.type:
        case "thinking":
            yield from parser.add_thinking(event.thinking)
        case "text":
            yield from parser.add_text(event.text)
        case "content_block_stop" if event.content_block.type == "text":
            cited = event.content_block.citations or ()
            places = (place for place in cited if place.type == "search_result_location")
            yield from parser.add_citations((place.source, place.cited_text) for place in places)
        case "content_block_stop":
            parser.end_block()


def _find_sentence_before(before: str, source: Source) -> str:
    """Return the sentence of a clause that is nearest to the words before its marker."""
    said = split_sentences(CITATION_MARKER.sub(" ", before))[-1:]
    words, figures = plain_words("".join(said)), set(re.findall(r"\d+", "".join(said)))
    pieces = [piece for piece in split_sentences(source.text or source.title) if piece]

    def score(piece: str) -> float:
        return coverage(words, piece) + 0.5 * len(figures & set(re.findall(r"\d+", piece)))

    return max(pieces, key=score, default="")


def parse_citations(draft: str, sources: dict[int, Source]) -> tuple[Citation, ...]:
    """Return the citations that markers `[n]` and quotation marks give; `sources` is by marker.

    A marker takes the nearest passage before it that is in its clause. Without one it takes the
    passage right before it, so that verification can reject it; else the sentence of its clause
    that is nearest to the words before it: a marker always cites.
    """
    passages: list[tuple[int, str]] = []
    found: dict[tuple[int, str], Citation] = {}
    for token in _TOKEN.finditer(draft):
        if token["marker"] is None:
            passages.append((token.end(), (token["curly"] or token["straight"]).strip()))
        elif source := sources.get(int(token["marker"])):
            words = alphanumeric_only(f"{source.title}\n{source.text}")
            keys = ((passage, alphanumeric_only(passage)) for _, passage in reversed(passages))
            near = passages and token.start() - passages[-1][0] <= _NEAR
            right_before = (
                passages[-1][1] if near else _find_sentence_before(draft[: token.start()], source)
            )
            if passage := next((p for p, key in keys if key and key in words), right_before):
                found.setdefault((source.marker, passage), cite(source, passage))
    return tuple(found.values())
