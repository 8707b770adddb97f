"""The sources of the chat: a tick for each document, presets of ticks, and uploads."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

import streamlit as st

from core.library import (
    Document,
    Editions,
    Layers,
    ScopeChoice,
    resolve_scope,
)
from core.markdown_escape import escape_markdown
from core.rulebook import MetadataOverride
from pages.components import services, state
from pages.components.widgets import select_one
from pages.components.words import library_text, say

TALL_LIST, LIST_HEIGHT = 3, 150
"""Documents in the list before it scrolls, and its pixels then."""
FIRST_DAY = date(MetadataOverride.SEASONS[0], 1, 1)
_PRESET, _TICKS, _DAY = "season", "ticks", "scope-day"


def show_presets(documents: Sequence[Document]) -> None:
    """Draw the rules that tick documents; from now on, later documents too."""
    names = _name_presets(documents)
    choice = st.session_state.get(state.SCOPE)
    if choice is not None and choice.preset not in names:  # its layers are gone
        choice = st.session_state[state.SCOPE] = ScopeChoice()
    if choice is not None:
        st.session_state[_PRESET] = choice.preset
    preset = select_one(
        say("sources-tick"),
        names,
        key=_PRESET,
        in_address=True,
        on_change=_apply_preset,
        args=(_list_ticked_documents(documents),),
        label_visibility="collapsed",
    )
    if choice is None or preset != choice.preset:  # a new tab, or another address in it
        if _TICKS in st.query_params:
            preset = "ticks"
        ids = st.query_params.get(_TICKS, "").split(",")
        named = tuple(one.document_id for one in documents if any(map(one.matches_id, ids)))
        choice = st.session_state[state.SCOPE] = ScopeChoice.by_preset(
            preset, named or _list_ticked_documents(documents)
        )
    if choice.documents is None:  # a reload keeps what is named in the address
        st.query_params.pop(_TICKS, None)
    else:
        st.query_params[_TICKS] = choice.ticks


def _name_presets(documents: Sequence[Document]) -> dict[str | int, str]:
    """The rules that tick documents, with their names: the competitions behind the newest."""
    names: dict[str | int, str] = {"newest": say("preset-newest")}
    competitions = Layers(documents).competition_names
    names |= {one[:12]: name for one, name in competitions.items()}
    names |= {season: str(season) for season in Editions(documents).seasons}
    return names | {one: say(f"preset-{one}") for one in ("day", "ticks")}


def show_day() -> None:
    """Draw the day whose rules are used, where a day chooses them."""
    choice = state.chosen_scope()
    if choice.on:
        day = date.fromisoformat(choice.on)

        def apply_day() -> None:
            _choose(on=st.session_state[_DAY].isoformat())

        st.date_input(say("sources-day"), day, FIRST_DAY, key=_DAY, on_change=apply_day)


def show_ticks(documents: Sequence[Document]) -> None:
    """Draw a tick for each document. Other ticks of a preset are other fields, not clicked ones."""
    ticked = set(_list_ticked_documents(documents))
    era = "" if state.chosen_scope().documents else hash(frozenset(ticked))
    height: int | Literal["content"] = LIST_HEIGHT if len(documents) > TALL_LIST else "content"
    with st.container(height=height, border=False, gap="xxsmall"):
        for editions in Editions(documents).group_by_rulebook():
            note = f" :gray[{say('document-invented')}]" if editions[0].is_sample else ""
            st.markdown(f":small[**{escape_markdown(editions[0].rulebook)}**{note}]")
            for document in editions:
                key = f"tick-{document.document_id[:16]}-{era}"
                st.session_state[key] = is_ticked = document.document_id in ticked
                label = escape_markdown(library_text().describe_edition(document))
                clicked = key, document.document_id, is_ticked
                st.checkbox(label, key=key, on_change=_tick, args=clicked)


def _tick(key: str, document_id: str, was_ticked: bool) -> None:
    """Take a click, beside those of which the page does not know yet.

    Streamlit calls this too for a field that a page sends after it was replaced, whose value is as
    it was drawn.
    """
    is_ticked = st.session_state.get(key, was_ticked)
    if is_ticked != was_ticked:
        others = set(_list_ticked_documents(services.get_library().documents())) - {document_id}
        _choose(documents=tuple(sorted(others | {document_id} if is_ticked else others)))


def _list_ticked_documents(documents: Sequence[Document]) -> tuple[str, ...]:
    return resolve_scope(documents, state.chosen_scope()).ids


def _apply_preset(ticked: tuple[str, ...]) -> None:
    st.session_state[state.SCOPE] = ScopeChoice.by_preset(st.session_state[_PRESET], ticked)


def _choose(**choice: Any) -> None:
    st.session_state[state.SCOPE] = ScopeChoice(**choice)
