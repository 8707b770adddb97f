"""Tells a script that a person stopped from a script whose connection was lost."""

import time
from collections.abc import Callable
from functools import partial

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

NOTICE_SECONDS = 0.3
"""Streamlit notes a lost connection within this time after it stopped the script."""
POLL_SECONDS = 0.05


def current_tab() -> dict[str, Callable[[], bool]]:
    """The id of the session that this script draws, and a test in any thread if it is connected."""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return {"": lambda: True}
    session_id = context.session_id
    return {session_id: partial(runtime.get_instance().is_active_session, session_id)}


def stopped_by_person() -> bool:
    """True if the tab of a stopped script stays connected, so that a person wanted the stop.

    Streamlit keeps the session of a lost connection for two minutes, and reruns its page when the
    tab returns.
    """
    [is_connected] = current_tab().values()
    end = time.monotonic() + NOTICE_SECONDS
    while is_connected():
        if time.monotonic() > end:
            return True
        time.sleep(POLL_SECONDS)
    return False
