"""The address of a rule (`core/library/rule_address.py`), which leads to the page Rulebooks."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from core.library import RuleAddress


async def lead_to_rule(request: Request) -> Response:
    """Redirect to the page Rulebooks, with the rule named in its address.

    Streamlit's page loads its parts from the folder of its address, and knows no deeper ones.
    """
    below, name = split_path(request)
    query = urlencode({**request.query_params, "rule": name})
    return RedirectResponse(f"{below}/rulebooks?{query}", 303)


def split_path(request: Request) -> tuple[str, str]:
    """Return what a path has before `/rule/` and after it, encoded: an article may have a "/"."""
    below, _, name = request.scope["raw_path"].decode("latin-1").partition(RuleAddress.PREFIX)
    return below, name
