"""Files given by a person: taken from the uploader, added with progress, each told of in a line."""

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st
from streamlit.typing import UploadedFile

from core.library.ingest import add_bytes, add_file
from core.library.store import Library
from core.library.types import Addition
from pages.components import state
from pages.components.text import plain
from pages.components.words import amount, seconds

SAMPLES = Path(__file__).parents[2] / "data" / "samples"


def upload(library: Library, place: str, largest: int) -> None:
    """An uploader for PDFs up to `largest` MB; what is given is added at once, then the page is drawn anew."""
    files = st.file_uploader(
        "Add rulebooks (PDF)",
        type="pdf",
        accept_multiple_files=True,
        max_upload_size=largest,
        key=state.uploader_key(place),
    )
    if files:
        state.keep_additions(_add(library, files))
        state.empty_uploader(place)
        st.rerun()
    for addition in state.additions():
        _tell(addition)


def add_samples(library: Library) -> None:
    """Put the rulebooks that ship with the project into a library never used, with a line of progress.

    Goes on to the end when the visitor leaves in the middle: a library with some of them would no longer be
    one never used.
    """
    files = sorted(SAMPLES.glob("*.pdf"))
    added = (list(add_file(library, file)) for file in files)
    line = st.empty()
    try:
        for number, file in enumerate(files, 1):
            text = f"First start: reading the sample rulebooks, {number} of {len(files)} ({plain(file.name)})"
            line.progress((number - 1) / len(files), text=text)
            next(added)
        line.empty()
    finally:
        for _ in added:
            pass


def _add(library: Library, files: Sequence[UploadedFile]) -> list[Addition]:
    found: list[Addition] = []
    line = st.empty()
    for number, file in enumerate(files, 1):
        name = f"{plain(file.name)} ({number} of {len(files)})" if len(files) > 1 else plain(file.name)
        line.progress(0.0, text=f"Reading {name}")
        found += add_bytes(library, file.getvalue(), file.name, on_page=_progress(line, name))
    line.empty()
    return found


def _progress(line: st.delta_generator.DeltaGenerator, name: str) -> Callable[[int, int], None]:
    def on_page(page: int, pages: int) -> None:
        line.progress(min(page / max(pages, 1), 1.0), text=f"Reading {name}: page {page} of {pages}")

    return on_page


def _tell(addition: Addition) -> None:
    document = addition.document
    match addition.status:
        case "added" if document:
            told = (
                f"{amount(document.clauses, 'clause')} on {amount(document.pages, 'page')}, {seconds(addition.seconds)}"
            )
            st.markdown(f":small[:green[:material/check:] Added {plain(document.label)}: {told}]")
        case "unchanged" if document:
            st.markdown(f":small[:material/check: Unchanged: {plain(document.label)} is in the library already]")
        case _:
            message = plain(addition.message or "")
            st.markdown(f":small[:red[:material/error:] {plain(addition.file)} was not added. {message}]")
