"""What a person says of a document is refused where no rulebook can have it."""

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
def test_what_cannot_be_is_refused_in_a_sentence(given):
    with pytest.raises(SettingsError) as refused:
        MetadataOverride(**given)
    assert refused.value.code == "given"
    assert next(iter(given)) in refused.value.message


def test_what_can_be_is_taken():
    assert MetadataOverride("f1-sporting", 1950, 0, "2025-04-30").date == "2025-04-30"
    assert MetadataOverride() == MetadataOverride(None, None, None, None)
