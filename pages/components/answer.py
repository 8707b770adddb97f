"""The answer of a run: its outcome in words, its text, its citations, each with the place it stands in."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import streamlit as st

from core.agent import events as ev
from core.agent.types import Citation
from pages.components.text import disarmed, plain
from pages.components.words import badge


def show_answer(ended: ev.Ended, scope: ev.ScopeView) -> None:
    """Draw how a run ended and what it found."""
    if ended.outcome != "answered" or ended.message:
        _outcome(ended)
    for is_quote, text in _blocks(ended.answer):
        # Markdown's own quotes are drawn faint, and the words of a rule are what one came for.
        box = st.container(border=is_quote)
        box.markdown(disarmed(text))
    for told in ended.unsettled:
        st.markdown(f":small[:orange[:material/link_off:] {plain(told)}]")
    with st.container(gap="xxsmall"):
        for citation in dict.fromkeys(ended.citations):
            _citation(citation)
    documents = " · ".join(scope.documents.values()) or "no document"
    st.caption(f"Scope: {plain(documents)}")


def _outcome(ended: ev.Ended) -> None:
    told = [plain(ended.message)]
    if ended.outcome in ("limit_reached", "cancelled") and ended.best_iteration and ended.score is not None:
        told.append(f"The best draft so far is shown: iteration {ended.best_iteration}, {ended.score:.1f}/10.")
    st.markdown(f"{badge(ended.outcome)} :small[{' '.join(told)}]")


def _blocks(answer: str) -> Iterator[tuple[bool, str]]:
    """The answer in pieces: quotes (True, without their marks) and what stands between them."""
    for is_quote, lines in groupby(answer.splitlines(), key=lambda line: line.startswith(">")):
        text = "\n".join(line.removeprefix(">").removeprefix(" ") if is_quote else line for line in lines)
        if text.strip():
            yield is_quote, text


def _citation(citation: Citation) -> None:
    """The place in a line; opened, the quote with its place, ready to be copied."""
    article = f"Article {citation.article}{f' {citation.part}' if citation.part else ''}"
    label = f"**\\[{citation.marker}\\]** {plain(article)}, page {citation.page}, {plain(citation.document)}"
    with st.expander(label, type="compact"):
        st.code(f"“{citation.quote}”\n\n{' · '.join(_place(citation, article))}", language=None, wrap_lines=True)


def _place(citation: Citation, article: str) -> Sequence[str]:
    season = [f"season {citation.season}"] if citation.season else []
    issue = [f"issue {citation.issue}"] if citation.issue is not None else []
    return [citation.document, article, f"page {citation.page}", *season, *issue]
