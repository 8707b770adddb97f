"""The program: `streamlit run app.py`. The script with the navigation is `pages/main.py`.

It is not here, because Streamlit treats a folder `pages` beside its script as pages of its own: the
first visit after a start would run a page without the frame around it.
"""

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from core.rulebook import forbid_inspection
from pages import server
from pages.departure import DepartureGrace

forbid_inspection()
server.check_address()
server.limit_uploads()
app = st.App(
    "pages/main.py",
    routes=[Route("/healthz", server.report_health)],
    middleware=[Middleware(server.SecurityMiddleware), Middleware(DepartureGrace)],
    on_script_error=server.report_script_error,
)
