"""What one runs: `streamlit run app.py`. The script with the navigation is `pages/main.py`.

It lies there and not here because Streamlit takes a folder `pages` beside its script for pages of its own making:
the first visit after a start would run a page without what belongs around it.
"""

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from pages.server import (
    SecurityMiddleware,
    check_address,
    limit_uploads,
    report_health,
    report_script_error,
)

check_address()
limit_uploads()
app = st.App(
    "pages/main.py",
    routes=[Route("/healthz", report_health)],
    middleware=[Middleware(SecurityMiddleware)],
    on_script_error=report_script_error,
)
