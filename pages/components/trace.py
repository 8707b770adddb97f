"""Draws the reasoning of a run event by event, live and replayed alike. It decides nothing."""

from collections.abc import Iterable
from typing import Literal

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
)
from core.markdown_escape import escape_markdown, sanitize_markdown
from core.sanitize import strip_control_characters
from pages.components import tables
from pages.components.words import language, say

CRITERIA = ("completeness", "accuracy", "clarity", "specificity")


class Trace:
    """The panels of a run inside `box`."""

    def __init__(self, box: DeltaGenerator) -> None:
        self.box = self._panel = box
        self._shown: set[str] = set()
        self._lines = EventLines(language())

    def draw(self, events: Iterable[ev.Event], live: bool = False) -> None:
        """Draw the events of a run. Of one at work the newest panel is open."""
        panels = split_panels(join_fragments(events))
        for number, panel in enumerate(panels, 1):
            label = escape_markdown(label_panel(language(), panel))
            at_work = live and number == len(panels)
            if live:
                look = f":shimmer[{label}]" if at_work else label
                done: Literal["running", "complete"] = "running" if at_work else "complete"
                frame: DeltaGenerator = self.box.status(
                    look, type="step", expanded=at_work, state=done
                )
            else:
                frame = self.box.expander(label, type="step", icon=":material/check:")
            self._panel = frame.container(gap="xsmall")
            for event in drop_replaced_drafts(panel):
                self._draw(event)
            self._say(*self._lines.describe_cost(panel))

    def _draw(self, event: ev.Event) -> None:
        if isinstance(event, ev.Asked):
            self._panel.text(strip_control_characters(event.question))
        elif isinstance(event, ev.EvidenceFound):
            for title, rows in list_tables(language(), event):
                tables.show_rows(rows, title, self._panel)
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

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._panel.markdown(f":small[{line}]")

    def _show_text(self, kind: str, text: str, if_new: bool = False) -> None:
        if if_new and text in {"", *self._shown}:
            return
        self._say(say(f"trace-{kind}"))
        place = self._panel.container(border=True) if kind == "draft" else self._panel
        place.markdown(sanitize_markdown(text))
        self._shown.add(text)

    def _draw_scores(self, event: ev.Scored) -> None:
        for column, criterion in zip(self._panel.columns(len(CRITERIA)), CRITERIA, strict=True):
            value: int = getattr(event.score, criterion)
            column.progress(value / 10, text=f":small[{say(f'criterion-{criterion}')} **{value}**]")
            column.caption(escape_markdown(event.score.reasons.get(criterion, "")))
        if event.score.missing:
            self._say(say("trace-missing", missing=escape_markdown(event.score.missing)))
