"""A streaming reply sorted into thinking, draft, citations and tool calls. It makes no call and judges nothing."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from core.agent.evidence import alphanumeric_only, cite
from core.agent.models.base import ReplyDelta
from core.agent.types import Citation, Source, ToolCall

COMPLETE_MARKER = "TASK_COMPLETE:"
_TOKEN = re.compile(r"“(?P<curly>[^”]+)”|\"(?P<straight>[^\"\n]+)\"|\[(?P<marker>\d{1,3})\]")
_NEAR = 40
"""Characters between a quote and a marker that plainly belong together."""


class ReplyParser:
    """What a reply has said so far. Text before TASK_COMPLETE: is thinking, text after it is the draft.

    Each method takes a piece of the stream in and gives the fragments that may be shown now.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        self._sources = {source.clause_id: source for source in sources}
        self._summaries = ""
        self._aloud = ""
        self._thinking = ""
        self._held = ""
        self._voice = ""
        self._cited: dict[tuple[str, str], Citation] = {}
        self.draft = ""
        self.marked = False
        """TASK_COMPLETE: has come."""

    @property
    def thinking(self) -> str:
        return self._thinking.strip()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those the API gave; and for markers it gave none for, those that markers and quotes in the draft tell."""
        told = {citation.marker for citation in self._cited.values()}
        by_marker = {
            source.marker: source for source in self._sources.values() if source.marker not in told
        }
        return (*self._cited.values(), *parse_citations(self.draft, by_marker))

    def add_thinking(self, text: str) -> Iterator[ReplyDelta]:
        """A fragment of a thinking summary."""
        self._summaries += text
        yield from self._thought(text, "thinking")

    def add_text(self, text: str) -> Iterator[ReplyDelta]:
        """A fragment of the reply's text."""
        text, self._held = self._held + text, ""
        if not self.marked and COMPLETE_MARKER in text:
            before, text = text.split(COMPLETE_MARKER, 1)
            yield from self._say_aloud(before)
            self.marked = True
            self._cited.clear()
        yield from (
            self._write(text)
            if self.marked
            else self._say_aloud(self._without_start_of_marker(text))
        )

    def add_citations(self, cited: Iterable[tuple[str, str]]) -> Iterator[ReplyDelta]:
        """The end of a text block that rests on (clause id, cited text); their markers go behind its last word."""
        known = [(self._sources[key], words) for key, words in cited if key in self._sources]
        for source, words in known:
            self._cited.setdefault((source.clause_id, words), cite(source, words.strip()))
        text = self.draft if self.marked else self._aloud
        markers = dict.fromkeys(f" [{source.marker}]" for source, _ in known)
        new = "".join(marker for marker in markers if not text.rstrip(".").endswith(marker.strip()))
        if new and self.marked:
            yield self._drafted(new)
        elif new:
            held, self._held = self._held, ""
            yield from self._say_aloud(held + new)

    def end_block(self) -> None:
        """A block other than text has ended; what follows it starts a new paragraph."""
        self._voice = ""

    @property
    def is_empty(self) -> bool:
        """Nothing was said in words."""
        return not (self._aloud.strip() or self.draft)

    def finish(self, last: bool) -> Iterator[ReplyDelta]:
        """The reply's end. Without the marker all text of a last reply was the draft."""
        held, self._held = self._held, ""
        if self.marked:
            return
        yield from self._say_aloud(held)
        if last:
            self._thinking = self._summaries
            if said := self._aloud.strip():
                yield self._drafted(said)

    def _say_aloud(self, text: str) -> Iterator[ReplyDelta]:
        self._aloud += text
        yield from self._thought(text, "text")

    def _thought(self, text: str, voice: str) -> Iterator[ReplyDelta]:
        if not text:
            return
        text = f"\n\n{text}" if self._thinking and voice != self._voice else text
        self._thinking, self._voice = self._thinking + text, voice
        yield ReplyDelta("thought", text)

    def _write(self, text: str) -> Iterator[ReplyDelta]:
        """White space waits for what follows it: a marker must not come behind a line's end."""
        text = text if self.draft else text.lstrip()
        shown = text.rstrip()
        self._held = text[len(shown) :]
        if shown:
            yield self._drafted(shown)

    def _drafted(self, text: str) -> ReplyDelta:
        anew = not self.draft
        self.draft += text
        return ReplyDelta("draft", text, anew)

    def _without_start_of_marker(self, text: str) -> str:
        for length in range(min(len(COMPLETE_MARKER) - 1, len(text)), 0, -1):
            if text.endswith(COMPLETE_MARKER[:length]):
                self._held = COMPLETE_MARKER[:length]
                return text[:-length]
        return text


def parse_event(event: Any, parser: ReplyParser) -> Iterator[ReplyDelta]:
    """What an event of the stream adds to the transcript."""
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
        case _:
            pass


def extract_tool_calls(message: Any) -> Iterator[ToolCall]:
    """The tool calls of a reply. Only one that stopped for its tools has whole arguments."""
    if message.stop_reason == "tool_use":
        for block in message.content:
            if block.type == "tool_use":
                yield ToolCall(
                    block.id, block.name, block.input if isinstance(block.input, dict) else {}
                )


def build_replay_blocks(message: Any) -> Iterator[dict[str, Any]]:
    """The reply as it goes back to the server; empty texts, which it would reject, are left out."""
    for block in message.content:
        if block.type != "text" or block.text.strip():
            yield block.to_dict()


def parse_citations(draft: str, sources: dict[int, Source]) -> tuple[Citation, ...]:
    """Citations told by markers `[n]` and passages in quotation marks; `sources` by marker.

    A marker takes the nearest passage before it that stands in its clause; where none does, the passage right before
    it, so that verification can say that it is wrong; else it is a pointer and no citation.
    """
    passages: list[tuple[int, str]] = []
    found: dict[tuple[int, str], Citation] = {}
    for token in _TOKEN.finditer(draft):
        if token["marker"] is None:
            passages.append((token.end(), (token["curly"] or token["straight"]).strip()))
        elif source := sources.get(int(token["marker"])):
            passage = _passage_of(source, passages, token.start())
            if passage:
                found.setdefault((source.marker, passage), cite(source, passage))
    return tuple(found.values())


def _passage_of(source: Source, passages: list[tuple[int, str]], start: int) -> str | None:
    words = alphanumeric_only(f"{source.title}\n{source.text}")
    for _, passage in reversed(passages):
        if alphanumeric_only(passage) and alphanumeric_only(passage) in words:
            return passage
    near = passages[-1] if passages and start - passages[-1][0] <= _NEAR else None
    return near[1] if near else None
