"""A small library of invented rules in two seasons, for the tests of the loop."""

import pytest

from core.library.storage.library import Library
from tests.cup import add_cup_rules


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("library"))
    add_cup_rules(library)
    return library
