"""What one runs: `streamlit run app.py`. The script with the navigation is `pages/main.py`.

It lies there and not here because Streamlit takes a folder `pages` beside its script for pages of its own making:
the first visit after a start would run a page without what belongs around it.
"""

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from pages.server import Walls, check_address, failed, health, limit_uploads

check_address()
limit_uploads()
app = st.App(
    "pages/main.py",
    routes=[Route("/healthz", health)],
    middleware=[Middleware(Walls)],
    on_script_error=failed,
)
