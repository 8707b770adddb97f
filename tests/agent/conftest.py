"""A small library of invented rules in two seasons, for the tests of the loop."""

import pytest

from core.library.storage.library import Library


@pytest.fixture(scope="session")
def library(cup_rules):
    return Library(cup_rules)
