"""Machines that share an object store and a database; skipped where these cannot be started."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.scale.services import DatabaseServer, Machine, ObjectStore, missing_parts


@pytest.fixture(scope="session")
def store():
    if reason := missing_parts():
        pytest.skip(reason)
    store = ObjectStore()
    before = {name: os.environ.get(name) for name in store.environment}
    os.environ.update(store.environment)  # for what the tests read themselves
    yield store
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
    store.stop()


@pytest.fixture(scope="session")
def server(store):
    # Not below pytest's folder, which its account may not pass once another run has begun.
    with TemporaryDirectory() as folder:
        server = DatabaseServer(Path(folder))
        yield server
        server.stop()


@pytest.fixture
def machines(store, server, tmp_path):
    """Two machines."""
    url = server.new_database()
    return [
        Machine(tmp_path / name, tmp_path.name.lower().replace("_", "-"), url, store)
        for name in "ab"
    ]
