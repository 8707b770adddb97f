"""Whether anybody is still there: a script that ends cannot tell being stopped from a connection that was lost."""

import time
from collections.abc import Callable
from functools import partial

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

_NOTICED = 0.3
"""Seconds within which a lost connection is known as such: Streamlit stops the script first and then notes why."""
_LOOK = 0.05


def current_tab() -> dict[str, Callable[[], bool]]:
    """The tab that this script draws, by its session, with what tells in any thread whether it is connected."""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return {"": lambda: True}
    return {
        context.session_id: partial(runtime.get_instance().is_active_session, context.session_id)
    }


def stopped_by_person() -> bool:
    """Said where a script has been stopped: True where its tab is still connected, so that a person wanted it.

    A tab that has lost its connection may come back within two minutes (Streamlit keeps its session for so long), and
    draws its page anew then.
    """
    [connected] = current_tab().values()
    until = time.monotonic() + _NOTICED
    while connected():
        if time.monotonic() > until:
            return True
        time.sleep(_LOOK)
    return False
