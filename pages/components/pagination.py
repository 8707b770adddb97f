"""A long list, one page at a time."""

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

ITEMS_PER_PAGE = 20

T = TypeVar("T")


def paginate(items: Sequence[T], key: str) -> Sequence[T]:
    """The items of the chosen page; draws the page numbers if there are several."""
    pages = -(-len(items) // ITEMS_PER_PAGE)
    page = min(st.pagination(pages, key=key, persist_state="page"), pages) if pages > 1 else 1
    return items[(page - 1) * ITEMS_PER_PAGE : page * ITEMS_PER_PAGE]
