"""Metadata given by a person are refused if no rulebook can have them."""

import pytest

from core.errors import SettingsError
from core.rulebook.types import MetadataOverride


@pytest.mark.parametrize(
    "given",
    [
        {"season": 1500},
        {"season": 2101},
        {"issue": -1},
        {"date": "yesterday"},
        {"date": "2025-02-30"},
        {"date": "20250430"},
        {"family": "  "},
        {"family": "two\nlines"},
        {"family": "x" * 81},
    ],
)
def test_an_impossible_value_is_refused_with_its_field(given):
    with pytest.raises(SettingsError) as refused:
        MetadataOverride(**given)
    assert refused.value.code == "given"
    assert next(iter(given)) in refused.value.message


def test_possible_values_are_accepted():
    assert MetadataOverride("f1-sporting", 1950, 0, "2025-04-30").date == "2025-04-30"
    assert MetadataOverride() == MetadataOverride(None, None, None, None)
