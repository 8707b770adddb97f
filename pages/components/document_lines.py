"""What the reading of a document left over: its pages, and what a person says of their lines."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.library import Document, Library, correct_lines
from core.markdown_escape import escape_markdown
from core.rulebook import LineCorrection, PageLine
from pages.components import state
from pages.components.page_image import show_page
from pages.components.widgets import choose_one, icon_button, row, select_one, show_failures
from pages.components.words import library_text, say, say_each

LINES_OF = "lines-of"
"""The key of the document whose lines are looked at."""


def show_leftovers(library: Library, document: Document) -> None:
    """Draw what a reading left over, and a button that opens its pages."""
    for line in library_text().list_leftovers(document):
        st.markdown(f"- {escape_markdown(line)}")
    if document.pages and library.stored_pdf(document.document_id) is None:
        return
    first = next((line.page for line in document.leftover_lines), 1)

    def open_lines() -> None:
        st.session_state[LINES_OF] = document.document_id
        state.turn_to_page(first)

    icon_button(
        say("lines-open"), "fact_check", open_lines, key=f"lines-{document.document_id[:16]}"
    )
    if st.session_state.get(LINES_OF) == document.document_id:
        title = escape_markdown(document.label)
        close = partial(st.session_state.pop, LINES_OF, None)
        st.dialog(title, width="large", on_dismiss=close)(_show_pages)(library, document)


def _show_pages(library: Library, document: Document) -> None:
    file = library.stored_pdf(document.document_id)
    if file is None and document.pages:
        st.caption(say("no-picture"))
        return
    lines = document.leftover_lines
    counts = Counter(line.page for line in lines if line.page)
    left, right = st.columns([3, 2] if file else [1, 100], gap="medium")
    with right:
        st.caption(
            say(
                f"lines-read-{document.reading}",
                size=library_text().describe_size(document),
            )
        )
        if counts:
            key = f"page-of-{document.document_id[:16]}"

            def turn_to_chosen() -> None:
                if page := st.session_state[key]:
                    state.turn_to_page(page)

            names: dict[int | None, str] = {None: say("lines-any-page")}
            names |= {page: say("lines-page", page=page, count=counts[page]) for page in counts}
            select_one(say("lines-pages"), names, key=key, on_change=turn_to_chosen)
        _show_corrections(library, document)
        page = _shown_page(document)
        shown = [line for line in lines if line.page in (page, None)]
        _show_correction_form(library, document, shown)
    if file is None:
        return
    with left, show_failures():
        show_page(file, document, lambda page: tuple(one.box for one in lines if one.page == page))


def _shown_page(document: Document) -> int:
    """The page that is shown; a document without pages counts as one."""
    return min(max(state.current_page(), 1), max(document.pages, 1))


def _show_correction_form(library: Library, document: Document, lines: Sequence[PageLine]) -> None:
    """Draw the fields in which a person says what a line of the shown page is."""
    page, key = _shown_page(document), document.document_id[:16]
    st.markdown(say("lines-of-page", page=page if document.pages else None))
    chosen = st.selectbox(
        say("lines-marked"),
        list(dict.fromkeys(line.words for line in lines)),
        index=None,
        placeholder=say("lines-choose"),
        disabled=not lines,
        key=f"line-{key}-{page}",
    )
    typed = st.text_input(
        say("lines-other"), max_chars=LineCorrection.LONGEST, key=f"words-{key}-{page}"
    )
    words = typed.strip() or chosen
    kinds = say_each("lines-kind-", ("heading", "furniture"))
    kind = choose_one(say("lines-kind"), kinds, f"kind-{key}")
    level = 1
    if kind == "heading":
        level = st.number_input(
            say("lines-level"), 1, LineCorrection.DEEPEST, 1, 1, key=f"level-{key}"
        )
    if st.button(say("lines-apply"), key=f"read-{key}", disabled=not words) and words:
        said = LineCorrection("heading" if kind == "heading" else "furniture", page, words, level)
        kept = [other for other in document.corrections if other.line != said.line]
        _read_again(library, document, [*kept, said])


def _show_corrections(library: Library, document: Document) -> None:
    """Draw what was said of the lines of a document, each with a button to undo it."""
    for number, said in enumerate(document.corrections):
        line = escape_markdown(library_text().describe_correction(said))
        with row():
            st.markdown(f":small[{line}]", width="stretch")
            key = f"undo-{document.document_id[:16]}-{number}"
            if icon_button(say("undo"), "undo", key=key):
                kept = [other for other in document.corrections if other != said]
                _read_again(library, document, kept)
    for warning in document.warnings:
        if warning.is_on_correction:
            st.markdown(f":small[:orange[{escape_markdown(warning.message)}]]")


def _read_again(library: Library, document: Document, said: Sequence[LineCorrection]) -> None:
    with show_failures(), st.spinner(say("lines-reading")):
        correct_lines(library, document.document_id, said)
        st.rerun()
