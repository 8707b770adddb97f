"""What the reading of a document left over: its pages, and what a person says of their lines."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core.errors import ScrutineerError
from core.library import Document, Library, correct_lines
from core.rulebook import (
    DEEPEST_LEVEL,
    LONGEST_WORDS,
    UNUSED_CORRECTIONS,
    LineCorrection,
    PageLine,
)
from pages.components import state
from pages.components.labels import document_size, format_count
from pages.components.page_image import find_pdf, show_page
from pages.components.text import escape_markdown
from pages.components.widgets import choose_one, icon_button

_KINDS = {"heading": "A heading", "furniture": "Header, footer or stamp"}
_READINGS = {"whole": "whole", "partly": "in part"}
_MAX_LISTED = 20  # long clauses


def show_leftovers(library: Library, document: Document) -> None:
    """Draw what a reading left over, and a button that opens its pages."""
    account, key = document.account, document.document_id[:16]
    for count, noun, meaning in (
        (len(account.unplaced), "line", "below no number, apart from the cover"),
        (len(account.untaken), "number", "looks like a heading and begins no clause"),
    ):
        if count:
            st.markdown(f"- {format_count(count, noun)}: {meaning}")
    for clause in account.long_clauses[:_MAX_LISTED]:
        length = format_count(clause.letters, "letter")
        article = escape_markdown(clause.article)
        st.markdown(f"- {article} on page {clause.page} has {length}: rules may be lost in it")
    if find_pdf(library, document.document_id) is None:
        return
    first = next((line.page for line in _leftover_lines(document)), 1)
    opened = document.document_id, first
    icon_button("Look at its pages", "fact_check", state.open_lines, *opened, key=f"lines-{key}")
    if st.session_state.get(state.LINES_OF) == document.document_id:
        title = escape_markdown(document.label)
        dialog = st.dialog(title, width="large", on_dismiss=state.close_lines)
        dialog(_show_pages)(library, document)


def _leftover_lines(document: Document) -> Sequence[PageLine]:
    lines = (*document.account.unplaced, *document.account.untaken)
    return sorted(lines, key=lambda line: (line.page, line.box[1]))


def _show_pages(library: Library, document: Document) -> None:
    file = find_pdf(library, document.document_id)
    if file is None:
        st.caption("There is no picture of the page: the document has left the library.")
        return
    lines = _leftover_lines(document)
    counts = Counter(line.page for line in lines)
    left, right = st.columns([3, 2], gap="medium")
    with right:
        st.caption(f"{document_size(document)}, read {_READINGS[document.reading]}")
        if counts:
            st.selectbox(
                "Pages with lines left over",
                [None, *sorted(counts)],
                format_func=lambda page: (
                    f"Page {page}: {format_count(counts[page], 'line')}" if page else "Any page"
                ),
                key=f"page-of-{document.document_id[:16]}",
                on_change=state.turn_to_chosen_page,
                args=(f"page-of-{document.document_id[:16]}",),
            )
        _show_corrections(library, document)
        page = min(max(state.current_page(), 1), document.pages)
        _show_correction_form(library, document, [line for line in lines if line.page == page])
    with left:
        try:
            show_page(
                file,
                document,
                lambda number: tuple(line.box for line in lines if line.page == number),
            )
        except ScrutineerError as error:
            st.error(escape_markdown(error.message), icon=":material/error:")


def _show_correction_form(library: Library, document: Document, lines: Sequence[PageLine]) -> None:
    """Draw the fields in which a person says what a line of the shown page is."""
    page, key = min(max(state.current_page(), 1), document.pages), document.document_id[:16]
    st.markdown(f"**A line of page {page}** :small[all lines like it follow]")
    chosen = st.selectbox(
        "Lines that are marked on the page",
        list(dict.fromkeys(line.words for line in lines)),
        index=None,
        placeholder="Choose one, or give its first words",
        disabled=not lines,
        key=f"line-{key}-{page}",
    )
    label = "Or the first words of another line"
    typed = st.text_input(label, max_chars=LONGEST_WORDS, key=f"words-{key}-{page}")
    words = typed.strip() or chosen
    kind = choose_one("It is", _KINDS, f"kind-{key}")
    level = 1
    if kind == "heading":
        level = st.number_input("Level", 1, DEEPEST_LEVEL, 1, 1, key=f"level-{key}")
    if st.button("Read again with this", key=f"read-{key}", disabled=not words) and words:
        said = LineCorrection("heading" if kind == "heading" else "furniture", page, words, level)
        kept = [other for other in document.corrections if other.line != said.line]
        _read_again(library, document, [*kept, said])


def _show_corrections(library: Library, document: Document) -> None:
    """Draw what was said of the lines of a document, each with a button to undo it."""
    for number, said in enumerate(document.corrections):
        what = f"heading of level {said.level}" if said.kind == "heading" else "furniture"
        with st.container(horizontal=True, vertical_alignment="center"):
            words = escape_markdown(said.words)
            st.markdown(f":small[Page {said.page}, “{words}”: {what}]", width="stretch")
            if icon_button("Undo", "undo", key=f"undo-{document.document_id[:16]}-{number}"):
                kept = [other for other in document.corrections if other != said]
                _read_again(library, document, kept)
    for warning in document.warnings:
        if warning.code in UNUSED_CORRECTIONS:
            st.markdown(f":small[:orange[{escape_markdown(warning.message)}]]")


def _read_again(library: Library, document: Document, said: Sequence[LineCorrection]) -> None:
    try:
        with st.spinner("Reading the document again"):
            correct_lines(library, document.document_id, said)
    except ScrutineerError as error:
        st.error(escape_markdown(error.message), icon=":material/error:")
    else:
        st.rerun()
