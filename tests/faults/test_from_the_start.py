"""Safe defaults: the server's own settings, and packages pinned by version and hash."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PINS = sorted((ROOT / "requirements").glob("*.txt"))


def test_the_server_is_closed_unless_somebody_opens_it():
    told = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    server = told["server"]
    assert (server["address"], server["enableXsrfProtection"], server["enableCORS"]) == (
        "127.0.0.1",
        True,
        True,
    )
    assert set(server["allowedHosts"]) == {"127.0.0.1", "localhost", "::1"}
    assert server["enableStaticServing"] is False
    assert told["browser"]["gatherUsageStats"] is False
    assert told["client"]["showErrorDetails"] == "none"


@pytest.mark.parametrize("pins", PINS, ids=lambda path: path.name)
def test_every_package_is_one_version_known_by_its_hash(pins):
    logical = pins.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    packages = [line for line in logical if line.strip() and not line.lstrip().startswith("#")]
    assert packages
    for line in packages:
        assert re.match(r"[A-Za-z0-9._-]+(\[[\w,-]+\])?==\S+ ", line), line[:80]
        assert "--hash=sha256:" in line, line[:80]


def test_packages_are_installed_by_their_hashes_and_never_built():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installing = [
        line for line in makefile.replace("\\\n", " ").splitlines() if "-m pip install" in line
    ]
    assert installing
    for line in installing:
        assert all(
            option in line for option in ("--require-hashes", "--only-binary=:all:", "--no-deps")
        )


def test_the_image_is_for_any_processor_and_says_its_version():
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="(.*?)"', dockerfile))
    assert (labels["version"], labels["licenses"]) == (project["version"], project["license"])
    built = "\n".join(line for line in dockerfile.splitlines() if not line.startswith("#"))
    assert not re.search("amd64|arm64|x86_64|aarch64", built)
    assert "HEALTHCHECK" in built
