"""The service under requests that a program of others makes of its description."""

import os
import subprocess
from pathlib import Path

import pytest

from core.chats.tokens import Tokens
from core.library.storage.library import Library
from tests.api.api_server import served_api, use_folder
from tests.cup import add_cup_rules

SCHEMATHESIS = Path(
    os.environ.get("SCRUTINEER_VALIDATORS", Path(__file__).parents[2] / ".validators/bin/python")
).with_name("schemathesis")
EXAMPLES, SEED = 5, 19
CONFIG = """
[[operations]]
include-name = "GET /limits"
parameters = {{ "query.document" = "{after}" }}

[[operations]]
include-name = "GET /compare"
parameters = {{ "query.before" = "{before}", "query.after" = "{after}" }}
"""


@pytest.mark.slow
@pytest.mark.skipif(
    not SCHEMATHESIS.is_file(), reason="`make validators` installs the programs of others"
)
def test_no_request_breaks_the_service_or_gets_in_without_a_token(tmp_path, monkeypatch):
    """No status of 500, replies as described, and no reply but 401 where the token is left out."""
    settings = use_folder(monkeypatch, tmp_path, QUESTIONS_A_MINUTE="1000")
    add_cup_rules(Library(settings.data_dir))
    before, after = (one.document_id for one in Library(settings.data_dir).documents())
    token = Tokens(settings.conversations_url).make("fuzzer")
    (tmp_path / "schemathesis.toml").write_text(CONFIG.format(before=before, after=after))
    with served_api() as address:
        command = [SCHEMATHESIS, "run", f"{address}/openapi.json", "--checks", "all"]
        # A question without a letter is described, and refused.
        command += ["--exclude-checks", "positive_data_acceptance"]
        options = {"--max-examples": EXAMPLES, "--seed": SEED, "--phases": "coverage,fuzzing"}
        header = ["-H", f"Authorization: Bearer {token}"]
        words = [str(word) for pair in options.items() for word in pair]
        done = subprocess.run(
            [*command, *words, *header], capture_output=True, text=True, cwd=tmp_path
        )
    assert done.returncode == 0, done.stdout[-6000:]
