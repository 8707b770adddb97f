"""The library that most tests ask, and how many inputs Hypothesis tries.

Those are the same 100 in every run, or other ones: `EXAMPLES=20000 make test`.
"""

import gc
import os
import shutil
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from tests.made_once import SHELF, make_once, read_once

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
if not MANY:
    # Hypothesis also tries the numbers and words in the code of whatever modules are imported by
    # then: others in each order of tests, in each process of them, and after each change of code.
    _NONE = Constants()
    providers._get_local_constants = lambda: _NONE


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage in what is imported: all of it lives as long as the tests."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


@pytest.fixture(scope="session")
def cup_rules(tmp_path_factory) -> Path:
    """A data folder with the Cup Rules; never written to."""
    # Imported here: the process that hands tests to the others reads this file and needs none.
    from core.library.storage.library import Library
    from tests.cup import add_cup_rules

    return make_once(tmp_path_factory, "cup_rules", lambda folder: add_cup_rules(Library(folder)))


@pytest.fixture(scope="session")
def samples(tmp_path_factory) -> Path:
    """A data folder with the sample rulebooks and all that is made from them; never written to."""
    from core.library.ingestion.ingest import add_sample_rulebooks
    from core.library.storage.library import Library
    from core.library.storage.vectors import embed_clauses
    from core.sheets import complete_library

    def make(folder: Path) -> None:
        library = Library(folder, "hybrid")
        list(add_sample_rulebooks(library))
        embed_clauses(library)
        complete_library(library)

    return make_once(tmp_path_factory, "samples", make)


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """Return a published rulebook, by a part of its file's name: its document and its clauses."""

    @cache
    def open_rulebook(part):
        from core.library.storage.library import Library

        [file] = SHELF.glob(f"*{part}*.pdf")
        library = Library(read_once(tmp_path_factory, file))
        [document] = library.documents()
        return document, library.clauses(document.document_id)

    return open_rulebook


@pytest.fixture(scope="module")
def cup_folder(cup_rules, tmp_path_factory) -> Path:
    """A data folder with the Cup Rules, for the tests of one file."""
    return shutil.copytree(cup_rules, tmp_path_factory.mktemp("cup") / "library")
