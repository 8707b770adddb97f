"""The program: `streamlit run app.py`. The script with the navigation is `pages/main.py`.

It is not here, because Streamlit treats a folder `pages` beside its script as pages of its own: the
first visit after a start would run a page without the frame around it.
"""

from contextlib import suppress

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

from core.api import API_PATH, make_api
from core.errors import ScrutineerError
from core.library import RuleAddress
from core.rulebook import forbid_inspection
from core.settings import load_settings
from pages.components.scroll import NEWS_SCRIPT, SCROLL_SCRIPT
from server import commands, door, feeds, health, news, rules, security, shared
from server.delivery import MessageDelivery

forbid_inspection()
security.check_address()
security.allow_own_machine()
security.limit_uploads()
with suppress(ScrutineerError):  # the pages show it
    shared.start_webhook(load_settings())
base = st.get_option("server.baseUrlPath").strip("/")
below = f"/{base}" if base else ""
health_paths = {"/healthz", f"{below}/healthz"}  # for the server's host, and through its proxy
app = st.App(
    "pages/main.py",
    routes=[
        *(Route(path, health.report_health) for path in health_paths),
        Route(f"{below}{door.NEWS_PATH}", news.report_news),
        Route(f"{below}{commands.COMMAND_PATH}", commands.run_command, methods=["POST"]),
        Route(f"{below}{door.CHANGES_FEED}", feeds.send_changes),
        Route(f"{below}{RuleAddress.PREFIX}{{name:path}}{door.FEED_ENDING}", feeds.send_rule),
        Route(f"{below}{RuleAddress.PREFIX}{{name:path}}", rules.lead_to_rule),
        make_api(f"{below}{API_PATH}"),
    ],
    middleware=[
        Middleware(security.SecurityMiddleware, scripts=[SCROLL_SCRIPT, NEWS_SCRIPT]),
        Middleware(MessageDelivery),
    ],
    on_script_error=security.report_script_error,
)
