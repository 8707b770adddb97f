"""THREATS.md is right about its tests: each one it names exists, and each threat names one."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROWS = [
    line
    for line in (TESTS.parent / "THREATS.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("| who ", "|---"))
]
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(row.split("|")[2].split()[:6]))
def test_a_threat_names_tests_that_are_there(row):
    named = NAMED.findall(row.split("|")[-2])
    assert named, "no test shows it"
    assert row.count("::") == len(named), "each is written as it can be found"
    for file, test in named:
        assert f"\ndef {test}(" in (TESTS / file).read_text(encoding="utf-8"), (
            f"{file} has no {test}"
        )


def test_the_table_is_read():
    assert len(ROWS) > 12
