"""The library that most tests ask, and how many inputs Hypothesis tries.

Those are the same 100 in every run, or `EXAMPLES=20000 make test`.
"""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from core.library.storage.library import Library
from tests.cup import add_cup_rules
from tests.made_once import make_once

# Tests search by words, whose ranks a person can follow; those on vectors say so themselves.
os.environ.setdefault("SCRUTINEER_SEARCH_MODE", "lexical")

MANY = "EXAMPLES" in os.environ
settings.register_profile(
    "rules",
    deadline=None,
    derandomize=not MANY,
    database=None if not MANY else settings.default.database,
    max_examples=int(os.environ.get("EXAMPLES", 100)),
)
settings.load_profile("rules")


@pytest.fixture(scope="session")
def cup_rules(tmp_path_factory) -> Path:
    """A data folder with the Cup Rules; never written to."""
    return make_once(tmp_path_factory, "cup_rules", lambda folder: add_cup_rules(Library(folder)))


@pytest.fixture(scope="module")
def cup_folder(cup_rules, tmp_path_factory) -> Path:
    """A data folder with the Cup Rules, for the tests of one file."""
    return shutil.copytree(cup_rules, tmp_path_factory.mktemp("cup") / "library")
