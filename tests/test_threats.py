"""THREATS.md is right about its tests: each one it names exists, and each threat names one."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
ROWS = [
    line
    for line in (TESTS.parent / "THREATS.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("| who ", "|---"))
]
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def test_a_threat_names_tests_that_are_there():
    assert len(ROWS) > 12
    for row in ROWS:
        named = NAMED.findall(row.split("|")[-2])
        assert named, f"no test shows it: {row}"
        assert row.count("::") == len(named), f"each is written as it can be found: {row}"
        for file, test in named:
            text = (TESTS / file).read_text(encoding="utf-8")
            assert f"\ndef {test}(" in text, f"{file} has no {test}"
