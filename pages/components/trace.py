"""The reasoning of a run, live and replayed alike: one component, which `browser/trace.js` draws.

Its JSON is that of `core/answers/reasoning_parts.py`. It decides nothing.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from core.agent import events as ev
from core.answers import Part, describe_panels, write_table
from core.language import Language
from pages.components import services
from pages.components.words import language

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
        panels = _describe_ended_run(events, ended, language())
    else:
        panels = describe_panels(language(), events, live)
    if not services.get_settings().plain_reasoning:
        draw_parts(f"trace-{events[0].run_id}", panels)
        return
    for panel in panels:
        with st.expander(panel["label"], expanded=panel["live"], type="step"):
            st.markdown("\n\n".join(map(write_part, panel["parts"])))


def draw_parts(key: str, parts: Sequence[Part], **callbacks: Any) -> None:
    """Draw panels, lines, texts and tables as one element."""
    _register_component(get_bidi_component_manager())(key=key, data=parts, **callbacks)


@cache
def _register_component(manager: BidiComponentManager) -> Any:
    """Return what draws the component. A file, since the page's policy allows no code in text."""
    manifest = ComponentManifest("scrutineer", "1", [ComponentConfig("trace", "browser")])
    manager.register_from_manifest(manifest, Path(__file__).parent)
    return st.components.v2.component("scrutineer.trace", js="trace.js", isolate_styles=False)


@st.cache_data(max_entries=300, **of_run)
def _describe_ended_run(
    _events: Sequence[ev.Event],
    ended: ev.Ended,  # noqa: ARG001
    reader: Language,
) -> list[dict[str, Any]]:
    """The panels of a run that has ended, which each draw of its chat needs again."""
    return describe_panels(reader, _events)


def write_part(part: Part) -> str:
    """Return a part as Markdown."""
    if isinstance(part, str):
        return f":small[{part}]"
    if "text" in part:
        title = f":small[{part['title']}]\n\n" if "title" in part else ""
        return f"{title}{part['text']}"
    return write_table(part["rows"])
