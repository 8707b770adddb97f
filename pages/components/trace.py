"""The reasoning of a run, live and replayed alike: one component, which `browser/trace.js` draws.

Its JSON is Markdown in which foreign text is escaped. It decides nothing.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

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
from core.language import Language
from core.markdown_escape import escape_markdown, sanitize_markdown, style_text
from pages.components import services, tables
from pages.components.words import language, say, say_each

CRITERIA = ("completeness", "accuracy", "clarity", "specificity")
MAX_ROWS = 100
"""Rows of a table in the reasoning. A comparison has thousands, 1 kB each; Compare shows all."""

Part = str | dict[str, Any]
"""A short line; or a text, or the rows of a table, the first of which is its head."""
Panel = dict[str, Any]

of_run: dict[str, Any] = {
    "show_spinner": False,
    "hash_funcs": {
        ev.Ended: lambda ended: (ended.run_id, ended.seq),
        Language: lambda reader: reader.locale,
        **services.of_library["hash_funcs"],
    },
}
"""For Streamlit's caches: what each draw of a chat needs again of a run that has ended."""


def show_trace(events: Sequence[ev.Event], live: bool = False) -> None:
    """Draw a line for each panel of the reasoning, which opens. Of a live run the last is open."""
    ended = events[-1]
    if isinstance(ended, ev.Ended):
        panels = _describe_ended(events, ended, language())
    else:
        panels = describe_panels(events, live)
    if services.get_settings().plain_reasoning:
        _show_plainly(panels)
    else:
        draw_parts(f"trace-{events[0].run_id}", panels)


def draw_parts(key: str, parts: Sequence[Panel | Part], **callbacks: Any) -> None:
    """Draw panels, lines, texts and tables as one element."""
    _register(get_bidi_component_manager())(key=key, data=parts, **callbacks)


@cache
def _register(manager: BidiComponentManager) -> Any:
    """Return what draws the component. A file, since the page's policy allows no code in text."""
    manifest = ComponentManifest("scrutineer", "1", [ComponentConfig("trace", "browser")])
    manager.register_from_manifest(manifest, Path(__file__).parent)
    return st.components.v2.component("scrutineer.trace", js="trace.js", isolate_styles=False)


@st.cache_data(max_entries=300, **of_run)
def _describe_ended(
    _events: Sequence[ev.Event],
    ended: ev.Ended,  # noqa: ARG001
    reader: Language,  # noqa: ARG001
) -> list[Panel]:
    """The panels of a run that has ended, which each draw of its chat needs again."""
    return describe_panels(_events)


def describe_panels(events: Sequence[ev.Event], live: bool = False) -> list[Panel]:
    """Return label and contents of each panel. The first label of a run that ended sums it up."""
    told = _Parts(live)
    panels: list[Panel] = []
    for panel in split_panels(join_fragments(events)):
        label = label_panel(language(), panel)
        if not (panels or live):
            label = summarize_run(language(), events)
        parts = [part for event in drop_replaced_drafts(panel) for part in told.describe(event)]
        parts += told.lines.describe_cost(panel)
        panels.append({"label": escape_markdown(label), "live": False, "parts": parts})
    panels[-1]["live"] = live
    return panels


class _Parts:
    """The contents of panels, event by event, given in their order."""

    def __init__(self, live: bool) -> None:
        self.lines, self._live = EventLines(language()), live
        self._shown: set[str] = {""}

    def describe(self, event: ev.Event) -> Iterator[Part]:
        if isinstance(event, ev.Asked):
            yield {"text": style_text(event.question, "{}")}
        elif isinstance(event, ev.EvidenceFound):
            yield from self._describe_found(event)
        yield from self.lines.describe(event)
        match event:
            case ev.ThoughtGrew():
                yield from self._describe_text("thinking", event.text)
            case ev.DraftGrew():
                yield from self._describe_text("draft", event.text)
            case ev.Drafted():
                for kind, text in (("thinking", event.thinking), ("draft", event.text)):
                    if text not in self._shown:
                        yield from self._describe_text(kind, text)
            case ev.Verified() if rows := tables.list_checks(event.requirements):
                yield {"rows": tables.head_rows(rows), "title": say("table-checks"), "open": True}
            case ev.Scored(score=score):
                values = (f"**{getattr(score, criterion)}**" for criterion in CRITERIA)
                reasons = (escape_markdown(score.reasons.get(one, "")) for one in CRITERIA)
                names = say_each("criterion-", CRITERIA).values()
                yield {"rows": [[*names], [*values], [*reasons]], "kind": "scores"}
            case ev.Ended():
                yield f":gray[{escape_markdown(summarize_counters(language(), event))}]"

    def _describe_text(self, kind: str, text: str) -> Iterator[Part]:
        self._shown.add(text)
        yield say(f"trace-{kind}")
        yield {"text": sanitize_markdown(text), "kind": kind, "live": self._live}

    def _describe_found(self, event: ev.EvidenceFound) -> Iterator[Part]:
        """What a tool found; while a run is at work folded, so that its draft is in view."""
        for title, rows in list_tables(language(), event):
            cells = [
                {name: escape_markdown(str(cell)) for name, cell in row.items()}
                for row in rows[:MAX_ROWS]
            ]
            label = f"{title} · {language().format_number(len(rows))}"
            yield {"rows": tables.head_rows(cells), "title": label, "open": not self._live}
            if len(rows) > MAX_ROWS:
                yield say("table-first-rows", count=MAX_ROWS)


def _show_plainly(panels: Sequence[Panel]) -> None:
    """Draw panels with Streamlit's own elements, the contents of each as one text."""
    for panel in panels:
        with st.expander(panel["label"], expanded=panel["live"], type="step"):
            st.markdown("\n\n".join(map(_write_part, panel["parts"])))


def _write_part(part: Part) -> str:
    if isinstance(part, str):
        return f":small[{part}]"
    if "text" in part:
        return str(part["text"])
    head, *rows = (f"|{'|'.join(row)}|" for row in part["rows"])
    return "\n".join((head, f"|{'-|' * len(part['rows'][0])}", *rows))
