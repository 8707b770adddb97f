"""The first page comes fast: a fresh process imports nothing that only a later click needs."""

import os
import subprocess
import sys

import pytest

from tests.pages.visit import APP
from tests.patience import PATIENCE

NOT_NEEDED = frozenset("anthropic httpx2 scipy".split())

FIRST_PAGE = """
import os, sys
from streamlit.testing.v1 import AppTest

app = AppTest.from_file(sys.argv[1], default_timeout=180).run()
assert not app.exception and app.chat_input
print(*{name.partition(".")[0] for name in sys.modules}, flush=True)
os._exit(0)  # as a server: a thread that is in LanceDB just then would abort Python's own end
"""


@pytest.mark.slow
def test_the_empty_chat_loads_no_model_client_and_no_solver(library):
    process = subprocess.run(
        [sys.executable, "-c", FIRST_PAGE, APP],
        env=os.environ | {"PYTHONPATH": str(APP.parents[1])},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert NOT_NEEDED.isdisjoint(process.stdout.split())
