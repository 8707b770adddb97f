"""The sources of the chat: a tick for each document, presets of ticks, and uploads."""

from collections.abc import Sequence
from datetime import date
from itertools import groupby
from typing import Any, Literal

import streamlit as st

from core.library import ID_PREFIX_LENGTH, Document, Scope, ScopeChoice, resolve_scope
from core.markdown_escape import escape_markdown
from core.rulebook import FIRST_SEASON
from pages.components import state
from pages.components.document_names import edition_label
from pages.components.widgets import select_one
from pages.components.words import say

Preset = Literal["newest", "day", "ticks"] | int
"""A rule that ticks documents; a number is a season."""
TALL_LIST = 9
"""Documents in the list before it scrolls."""
FIRST_DAY = date(FIRST_SEASON, 1, 1)
_PRESET, _TICKS, _DAY = "season", "ticks", "scope-day"


def show_presets(documents: Sequence[Document]) -> None:
    """Draw the rules that tick documents; from now on, later documents too."""
    seasons = sorted({found.season for found in documents if found.season}, reverse=True)
    presets: list[Preset] = ["newest", *seasons, "day", "ticks"]
    choice = st.session_state.get(state.SCOPE)
    if choice is not None:
        st.session_state[_PRESET] = _preset_of(choice)
    preset = select_one(
        say("sources-tick"),
        {one: str(one) if isinstance(one, int) else say(f"preset-{one}") for one in presets},
        key=_PRESET,
        in_address=True,
        on_change=_apply_preset,
        args=(_ticked(documents),),
        help=say("sources-help"),
    )
    if choice is None or preset != _preset_of(choice):  # a new tab, or another address in it
        if _TICKS in st.query_params:
            preset = "ticks"
        choice = st.session_state[state.SCOPE] = _choice_of(preset, _named_documents(documents))
    _name_documents(choice)
    if choice.on:
        day = date.fromisoformat(choice.on)

        def apply_day() -> None:
            _choose(on=st.session_state[_DAY].isoformat())

        st.date_input(say("sources-day"), day, FIRST_DAY, key=_DAY, on_change=apply_day)


def show_ticks(documents: Sequence[Document]) -> None:
    """Draw a tick for each document, by rulebook, its newest issue first."""
    ticked = set(_ticked(documents))
    height: int | Literal["content"] = 360 if len(documents) > TALL_LIST else "content"
    newest_first = sorted(documents, key=lambda one: one.edition, reverse=True)
    by_rulebook = sorted(newest_first, key=_family)
    with st.container(height=height, border=False, gap="xxsmall"):
        for _, editions in groupby(by_rulebook, _family):
            held = tuple(editions)
            st.markdown(f":small[**{escape_markdown(held[0].rulebook)}**]")
            for document in held:
                key = f"tick-{document.document_id[:16]}"
                st.session_state[key] = document.document_id in ticked
                chosen = {"documents": tuple(sorted(ticked ^ {document.document_id}))}
                label = escape_markdown(edition_label(document))
                st.checkbox(label, key=key, on_change=_choose, kwargs=chosen)


def scope_line(scope: Scope, held: int, adding: int) -> tuple[str, str]:
    """A short line on the scope, and the whole of it for its tooltip; both Markdown."""
    count = say("scope-count", count=len(scope.documents), held=held)
    soon = say("scope-adding", count=adding) if adding else ""
    labels = [escape_markdown(document.label) for document in scope.documents]
    first = labels[0] if labels else ""
    details = [f"{escape_markdown(scope.why).capitalize()}.", "", *(f"- {one}" for one in labels)]
    if scope.left_out:
        left = (escape_markdown(document.citation_label) for document in scope.left_out)
        details += ["", say("scope-left-out"), "", *(f"- {label}" for label in left)]
    if len(labels) > 1:
        first = say("scope-more", document=first, more=len(labels) - 1)
    return " · ".join(filter(None, (first, count, soon))), "\n".join(details)


def _family(document: Document) -> str:
    return (document.family or document.rulebook).casefold()


def _named_documents(documents: Sequence[Document]) -> tuple[str, ...]:
    """The documents that an address ticks; without any, those that are ticked by default."""
    named = st.query_params.get(_TICKS, "").split(",")
    found = (one.document_id for one in documents if any(map(one.matches_id, named)))
    return tuple(found) or _ticked(documents)


def _name_documents(choice: ScopeChoice) -> None:
    """Name what is ticked in the address, so that a reload keeps it."""
    if choice.documents is None:
        st.query_params.pop(_TICKS, None)
    else:
        ids = (document_id[:ID_PREFIX_LENGTH] for document_id in choice.documents)
        st.query_params[_TICKS] = ",".join(ids)


def _ticked(documents: Sequence[Document]) -> tuple[str, ...]:
    return resolve_scope(documents, state.chosen_scope()).ids


def _preset_of(choice: ScopeChoice) -> Preset:
    if choice.documents is not None:
        return "ticks"
    return "day" if choice.on else choice.season or "newest"


def _choice_of(preset: Preset, ticked: tuple[str, ...]) -> ScopeChoice:
    match preset:
        case "newest":
            return ScopeChoice()
        case "ticks":
            return ScopeChoice(documents=ticked)
        case "day":
            return ScopeChoice(on=date.today().isoformat())
    return ScopeChoice(season=preset)


def _apply_preset(ticked: tuple[str, ...]) -> None:
    st.session_state[state.SCOPE] = _choice_of(st.session_state[_PRESET], ticked)


def _choose(**choice: Any) -> None:
    st.session_state[state.SCOPE] = ScopeChoice(**choice)
