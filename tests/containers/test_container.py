"""The container, built from the checkout and run as its users do: not root, one folder to write.

It needs podman or docker, and a base image, which CONTAINER_BASE names. CONTAINER_ENGINE
may name the program with its options; CONTAINER_BUILD and CONTAINER_RUN are further options.
"""

import json
import os
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
IMAGE, VOLUME = "scrutineer-test", "scrutineer-test-data"
CLOSED = "--network=none --read-only --tmpfs=/tmp --cap-drop=all --security-opt=no-new-privileges"
SAMPLE = "data/samples/meridian_2024_sporting_issue1.pdf"
QUESTION = "What is the penalty for an unsafe release in a race?"
OPEN = "SCRUTINEER_OPEN_TO_NETWORK=without login"


class Engine:
    """podman or docker, with what this machine's own needs."""

    def __init__(self, program: str) -> None:
        self._program = shlex.split(program)
        self._environment = {**os.environ, "BUILDAH_FORMAT": "docker"}  # podman's has no health

    def call(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        command, environment = [*self._program, *arguments], self._environment
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert not check or done.returncode == 0, done.stderr[-3000:]
        return done

    def run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run the image closed as it may be, with the volume."""
        own = shlex.split(os.environ.get("CONTAINER_RUN", ""))
        options = [*own, *CLOSED.split(), f"--volume={VOLUME}:/data"]
        return self.call("run", *options, *arguments, check=check)


@pytest.fixture(scope="module")
def engine():
    names = os.environ.get("CONTAINER_ENGINE"), shutil.which("podman"), shutil.which("docker")
    for program in filter(None, names):
        engine = Engine(program)
        if engine.call("info", check=False).returncode == 0:
            return engine
    pytest.skip("neither podman nor docker works here")


@pytest.fixture(scope="module")
def base():
    """The name of an image with Python."""
    if name := os.environ.get("CONTAINER_BASE"):
        return name
    pytest.skip("CONTAINER_BASE names no base image; docs/deployment.md says how to make one")


@pytest.fixture(scope="module")
def image(engine, base):
    """The image, and an empty volume for its library."""
    build = shlex.split(os.environ.get("CONTAINER_BUILD", ""))
    engine.call("build", *build, f"--build-arg=BASE={base}", f"--tag={IMAGE}", str(ROOT))
    engine.call("volume", "rm", "--force", VOLUME, check=False)
    yield engine
    engine.call("volume", "rm", "--force", VOLUME, check=False)


def test_it_runs_as_a_person_who_can_write_their_volume_alone(image):
    assert image.run("--rm", IMAGE, "id", "-u").stdout.strip() == "10001"
    for folder in ("/", "/app", "/app/data"):
        assert image.run("--rm", IMAGE, "touch", f"{folder}/x", check=False).returncode != 0
    held = image.run("--rm", IMAGE, "ls", "-A", "/app").stdout.split()
    kept = {".streamlit", ".venv", "__pycache__"} | set(
        "core data pages requirements server".split()
    )
    assert set(held) <= kept | {"LICENSE", "app.py", "pyproject.toml"}


def test_a_rulebook_is_added_and_a_question_answered(image):
    command = [".venv/bin/python", "-m", "core"]
    [added] = image.run("--rm", IMAGE, *command, "ingest", SAMPLE, "--json").stdout.splitlines()
    assert json.loads(added)["status"] == "added"
    *_, ended = image.run("--rm", IMAGE, *command, "ask", QUESTION, "--json").stdout.splitlines()
    assert json.loads(ended)["outcome"] == "answered"


def test_the_server_says_that_it_is_healthy(image, record_property):
    name = f"{IMAGE}-server"
    image.call("rm", "--force", name, check=False)
    image.run("--detach", f"--name={name}", f"--env={OPEN}", IMAGE)
    health = image.call("inspect", "--format={{json .Config.Healthcheck.Test}}", name).stdout
    _, *command = json.loads(health)
    try:
        for _ in range(60):
            if image.call("exec", name, *command, check=False).returncode == 0:
                break
            time.sleep(1)
        else:
            pytest.fail(image.call("logs", name).stdout)
    finally:
        image.call("rm", "--force", name)
    size = int(image.call("image", "inspect", "--format={{.Size}}", IMAGE).stdout)
    record_property("megabytes", size // 1_000_000)


def test_without_a_login_it_asks_for_the_word(image):
    refused = image.run("--rm", IMAGE, check=False)
    assert refused.returncode == 1
    assert "Scrutineer does not start" in refused.stderr
