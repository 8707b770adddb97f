"""Widgets that several pages draw alike. `options` go to the widget of Streamlit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import streamlit as st

from core.agent import Outcome
from core.errors import ScrutineerError
from core.markdown_escape import escape_markdown
from pages.components import address
from pages.components.words import language, say, say_each, say_error

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

ITEMS_PER_PAGE = 20
OUTCOMES: dict[Outcome, str] = {
    "answered": "green",
    "found": "blue",
    "not_found": "orange",
    "limit_reached": "orange",
    "declined": "gray",
    "clarification_needed": "blue",
    "cancelled": "gray",
    "failed": "red",
}
"""The colour of each outcome."""

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


@contextmanager
def popover(label: str, icon: str, key: str) -> Iterator[bool]:
    """A quiet button that opens a box, and whether it is open: what is in it is drawn only then."""
    look: Any = {"type": "tertiary", "on_change": "rerun"}
    box = st.popover(label, icon=f":material/{icon}:", key=key, **look)
    with box:
        yield bool(box.open)


def row(**options: Any) -> Any:
    """A container whose parts stand beside each other."""
    return st.container(horizontal=True, vertical_alignment="center", **options)


def count_row(count: str) -> Any:
    """A row that begins with a count; filters, downloads and notes follow."""
    beside = row()
    beside.markdown(f"**{count}**", width="content")
    return beside


def show_failure(message: str) -> None:
    """Draw why something failed: a sentence of an error."""
    st.error(escape_markdown(message), icon=":material/error:")


@contextmanager
def show_failures(kind: type[ScrutineerError] = ScrutineerError) -> Iterator[None]:
    """Draw the error of this kind that ends the block."""
    try:
        yield
    except kind as error:
        show_failure(say_error(error))


def take_file(
    label: str, kinds: Sequence[str], key: str, take: Callable[[bytes, str], object], **options: Any
) -> None:
    """Draw an uploader of one file, and why it cannot be read. `take` gets its bytes and name."""
    trouble = f"{key}-trouble"

    def read_file() -> None:
        file, st.session_state[trouble] = st.session_state[key], ""
        try:
            if file:
                take(file.getvalue(), file.name)
        except ScrutineerError as error:
            st.session_state[trouble] = say_error(error)

    st.file_uploader(label, kinds, key=key, on_change=read_file, **options)
    if said := st.session_state.get(trouble):
        show_failure(said)


def page_link(page: str, label: str, icon: str, help: str | None = None, **to: str) -> None:
    """Draw a link to a page; `to` is what its address names there."""
    look: Any = {"icon": f":material/{icon}:", "help": help, "query_params": to}
    st.page_link(f"{page}.py", label=label, **look)


def clause_link(label: str, clause_id: str) -> None:
    """Draw a link to a clause in its rulebook."""
    page_link("rulebooks", label, "account_tree", **{address.CLAUSE: clause_id})


def confirm_removal(question: str, key: str) -> bool:
    """Draw a button that asks before something is removed. True once it was confirmed."""
    with st.popover(say("remove"), icon=":material/delete:"):
        st.markdown(question)
        return st.button(say("remove-yes"), key=key)


def select_one(label: str, names: Mapping[Option, str], **options: Any) -> Any:
    """A list that unfolds, of which one option can be chosen; none at first if `index` is None."""
    index = options.get("index", 0)
    first = list(names)[index] if names and index is not None else None
    return _choose(st.selectbox, label, names, first, **options)


def select_many(label: str, names: Mapping[Option, str], **options: Any) -> list[Option]:
    """A list that unfolds, of which any options can be chosen."""
    chosen: list[Option] = _choose(
        st.multiselect, label, names, [], **{"placeholder": say("all"), **options}
    )
    return chosen


def choose_one(label: str, names: Mapping[Option, str], key: str, **options: Any) -> Option:
    """A row of options, one of which is always chosen, at first the first."""
    more = {"default": next(iter(names)), "required": True, **options}
    chosen: Option = _choose(st.segmented_control, label, names, more["default"], key=key, **more)
    return chosen


def choose_view(place: str, views: Iterable[Option]) -> Option:
    """A row of the views of a place, named in the address unless it is the first."""
    names, look = say_each("view-", views), {"label_visibility": "collapsed"}
    return choose_one(say("show"), names, f"{place}-view", in_address=True, **look)


def choose_many(label: str, names: Mapping[Option, str], key: str, **options: Any) -> list[Option]:
    """A row of options, any of which can be chosen."""
    more = {"selection_mode": "multi", "wrap": True, **options}
    chosen: list[Option] = _choose(st.pills, label, names, [], key=key, **more)
    return chosen


def choose_with_counts(
    label: str, beginning: str, counts: Mapping[Option, int], key: str
) -> list[Option]:
    """A row of options, any of which can be chosen, with how many there are of each."""
    names = {
        one: f"{say(f'{beginning}{one}')} {language().format_number(count)}"
        for one, count in counts.items()
    }
    return choose_many(label, names, key)


def _choose(
    widget: Callable[..., Any],
    label: str,
    names: Mapping[Option, str],
    first: object,
    in_address: bool = False,
    **options: Any,
) -> Any:
    with _keep_in_address(options["key"], names, first) if in_address else nullcontext():
        return widget(label, list(names), format_func=names.__getitem__, **options)


@contextmanager
def _keep_in_address(key: str, options: Iterable[object], default: object) -> Iterator[None]:
    """Set a selector by the address before it is drawn, and then the address by what is chosen.

    The address is read in a new tab and when its reader goes back or forward. It does not name the
    `default`, a list where any options can be chosen. Streamlit itself would keep there what a
    selector shows, which each language says otherwise.
    """
    is_new, is_list = key not in st.session_state, isinstance(default, list)
    if is_new or address.is_history_navigation():
        known = {str(option): option for option in options}
        named = [known[name] for name in st.query_params.get_all(key) if name in known]
        if is_list:
            st.session_state[key] = named
        elif named:
            st.session_state[key] = named[0]
        elif not is_new:
            del st.session_state[key]
    yield
    chosen = st.session_state[key]
    names = list(map(str, chosen if is_list else [chosen])) if chosen != default else []
    if st.query_params.get_all(key) == names:
        return
    if names:
        st.query_params[key] = names
    else:
        del st.query_params[key]


def paginate(items: Sequence[Option], key: str) -> Sequence[Option]:
    """The items of the chosen page; draws the page numbers if there are several."""
    pages = -(-len(items) // ITEMS_PER_PAGE)
    page = min(st.pagination(pages, key=key, persist_state="page"), pages) if pages > 1 else 1
    return items[(page - 1) * ITEMS_PER_PAGE : page * ITEMS_PER_PAGE]


def outcome_badge(outcome: Outcome) -> str:
    return f":{OUTCOMES[outcome]}-badge[{say(f'outcome-{outcome}')}]"
