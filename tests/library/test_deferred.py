"""What LanceDB imports and a library never uses is imported at its first use."""

import subprocess
import sys

import pytest

CODE = """
import sys, core.library.storage.library
client = sys.modules["lance_namespace_urllib3_client"]
print("lance_namespace_urllib3_client.api" in sys.modules)
print(client.ApiClient.__name__, "lance_namespace_urllib3_client.api" in sys.modules)
"""


@pytest.mark.slow
def test_the_remote_client_is_loaded_at_its_first_use():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "ApiClient True"]
