"""The table of faults beside this file: each promise names tests, and all of them exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
TABLE = (TESTS / "faults" / "README.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
PROMISES = [
    line
    for line in TABLE.splitlines()
    if line.startswith("| ") and not line.startswith("| promise |")
]


@cache
def stories_in(file):
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("promise", PROMISES, ids=lambda line: line.split("|")[1].strip()[:60])
def test_a_promise_has_tests_that_are_there(promise):
    named = NAMED.findall(promise)
    assert named
    assert promise.count("::") == len(named), "each is written as path::name"
    for file, test in named:
        assert test in stories_in(file), f"{file} has no {test}"


def test_the_table_is_all_of_it():
    assert len(PROMISES) > 40
    assert TABLE.count("\n## ") == 3
