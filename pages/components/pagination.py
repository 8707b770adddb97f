"""A long list a page at a time: how it is turned. What is drawn of it is not decided here."""

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

ITEMS_PER_PAGE = 20
"""Things on the page at once."""

T = TypeVar("T")


def paginate(items: Sequence[T], key: str) -> Sequence[T]:
    """The things that the person has turned to; draws the pages to turn where there are more than one."""
    pages = -(-len(items) // ITEMS_PER_PAGE)
    page = min(st.pagination(pages, key=key, persist_state="page"), pages) if pages > 1 else 1
    return items[(page - 1) * ITEMS_PER_PAGE : page * ITEMS_PER_PAGE]
