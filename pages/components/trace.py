"""Draws the reasoning of a run event by event, live and replayed alike. It decides nothing."""

from collections.abc import Sequence
from typing import Any, Literal

from streamlit.delta_generator import DeltaGenerator

from core.agent import events as ev
from core.answers import (
    EventLines,
    drop_replaced_drafts,
    join_fragments,
    label_panel,
    list_tables,
    split_panels,
    summarize_counters,
    summarize_run,
)
from core.markdown_escape import escape_markdown, sanitize_markdown
from core.sanitize import strip_control_characters
from pages.components import tables
from pages.components.words import language, say

CRITERIA = ("completeness", "accuracy", "clarity", "specificity")


LONG_TEXT, LONG_TEXT_HEIGHT = 600, 200
"""Characters of a text that scrolls by itself while it grows, and its pixels: so it is in view."""


class Trace:
    """The reasoning of a run inside `box`: a line for each panel, which opens."""

    def __init__(self, box: DeltaGenerator) -> None:
        self.box = self._panel = box
        self._shown: set[str] = set()
        self._lines = EventLines(language())
        self._is_live = False

    def draw(self, events: Sequence[ev.Event], live: bool = False) -> None:
        """Draw the events of a run. Of one at work the newest panel is open.

        Of one that has ended the first line sums it up, and only open panels have contents.
        """
        self._is_live = live
        panels = split_panels(join_fragments(events))
        for number, panel in enumerate(panels):
            label = escape_markdown(label_panel(language(), panel))
            key = f"trace-{panel[0].run_id}-{number}"
            if live:
                at_work = number == len(panels) - 1
                look = f":shimmer[{label}]" if at_work else label
                done: Literal["running", "complete"] = "running" if at_work else "complete"
                frame = self.box.status(look, type="step", expanded=at_work, state=done)
            else:
                if number == 0:
                    label = escape_markdown(summarize_run(language(), events))
                look = {"type": "step", "icon": ":material/check:"}
                frame = self.box.expander(label, key=key, on_change="rerun", **look)
            self._panel = frame.container(gap="xsmall")
            if not live and not frame.open:
                self._lines.pass_over(panel)
                continue
            for event in drop_replaced_drafts(panel):
                self._draw(event)
            self._say(*self._lines.describe_cost(panel))

    def _draw(self, event: ev.Event) -> None:
        if isinstance(event, ev.Asked):
            self._panel.text(strip_control_characters(event.question))
        elif isinstance(event, ev.EvidenceFound):
            self._draw_found(event)
        self._say(*self._lines.describe(event))
        match event:
            case ev.ThoughtGrew():
                self._show_text("thinking", event.text)
            case ev.DraftGrew():
                self._show_text("draft", event.text)
            case ev.Drafted():
                self._show_text("thinking", event.thinking, if_new=True)
                self._show_text("draft", event.text, if_new=True)
            case ev.Verified() if event.requirements:
                tables.show_compliance_table(self._panel, event.requirements)
            case ev.Scored():
                self._draw_scores(event)
            case ev.Ended():
                self.box.caption(escape_markdown(summarize_counters(language(), event)))

    def _draw_found(self, event: ev.EvidenceFound) -> None:
        """Draw what a tool found; while a run is at work folded, so that its draft is in view."""
        place = self._panel
        if self._is_live and event.sources:
            found = say("trace-found", count=len(event.sources))
            key = f"found-{event.run_id}-{event.seq}"
            place = place.expander(found, type="compact", key=key, on_change="rerun")
            if not place.open:
                return
        for title, rows in list_tables(language(), event):
            tables.show_rows(rows, title, place)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._panel.markdown(f":small[{line}]")

    def _show_text(self, kind: str, text: str, if_new: bool = False) -> None:
        if if_new and text in {"", *self._shown}:
            return
        self._say(say(f"trace-{kind}"))
        look: dict[str, Any] = {"border": kind == "draft"}
        if self._is_live and len(text) > LONG_TEXT:
            look |= {"height": LONG_TEXT_HEIGHT, "autoscroll": True}
        place = self._panel.container(**look)
        place.markdown(sanitize_markdown(text))
        self._shown.add(text)

    def _draw_scores(self, event: ev.Scored) -> None:
        for column, criterion in zip(self._panel.columns(len(CRITERIA)), CRITERIA, strict=True):
            value: int = getattr(event.score, criterion)
            column.progress(value / 10, text=f":small[{say(f'criterion-{criterion}')} **{value}**]")
            column.caption(escape_markdown(event.score.reasons.get(criterion, "")))
