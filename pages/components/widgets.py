"""Widgets that several pages draw alike. `options` go to the widget of Streamlit."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st

MIME_TYPES = {
    "csv": "text/csv",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xml": "application/xml",
    "zip": "application/zip",
}

Option = TypeVar("Option")


def icon_button(
    label: str,
    icon: str,
    on_click: Callable[..., Any] | None = None,
    *args: object,
    quiet: bool = True,
    **options: Any,
) -> bool:
    """A button with a Material icon, without a frame if `quiet`. True in the run after a click."""
    look: Any = "tertiary" if quiet else "secondary"
    icon = f":material/{icon}:"
    return st.button(label, icon=icon, type=look, on_click=on_click, args=args, **options)


def offer_download(
    label: str, file: str, make: Callable[[], str | bytes], icon: str = "download", **options: Any
) -> None:
    """A download button. The data is made when it is clicked, and the page is not drawn again."""
    mime = MIME_TYPES[file.rpartition(".")[2]]
    icon = f":material/{icon}:"
    st.download_button(label, make, file, mime, icon=icon, on_click="ignore", **options)


def select_one(label: str, names: Mapping[Option, str], **options: Any) -> Any:
    """A list that unfolds, of which one option can be chosen."""
    return st.selectbox(label, list(names), format_func=names.__getitem__, **options)


def select_many(label: str, names: Mapping[Option, str], **options: Any) -> list[Option]:
    """A list that unfolds, of which any options can be chosen."""
    return st.multiselect(label, list(names), format_func=names.__getitem__, **options)


def choose_one(label: str, names: Mapping[Option, str], key: str, **options: Any) -> Option:
    """A row of options, one of which is always chosen, at first the first."""
    more: dict[str, Any] = {"default": next(iter(names)), "required": True, **options}
    chosen: Option = st.segmented_control(
        label, list(names), format_func=names.__getitem__, key=key, **more
    )
    return chosen


def choose_many(label: str, names: Mapping[Option, str], key: str, **options: Any) -> list[Option]:
    """A row of options, any of which can be chosen."""
    more: dict[str, Any] = {"selection_mode": "multi", "wrap": True, **options}
    chosen: list[Option] = st.pills(
        label, list(names), format_func=names.__getitem__, key=key, **more
    )
    return chosen
