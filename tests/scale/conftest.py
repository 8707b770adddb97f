"""Machines that share an object store and a database; skipped where these cannot be started."""

import os
from pathlib import Path
from tempfile import gettempdir

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
def server(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("postgresql")
    temporary = Path(gettempdir())
    for parent in (folder, *folder.parents):
        if temporary not in parent.parents:
            break
        parent.chmod(0o755)  # its account has to pass
    server = DatabaseServer(folder)
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
