"""The table of faults beside this file: each promise names tests, and all of them exist."""

import ast
import re
from functools import cache
from pathlib import Path

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


def test_a_promise_has_tests_that_are_there():
    for promise in PROMISES:
        named = NAMED.findall(promise)
        assert named, promise
        assert promise.count("::") == len(named), f"each is written as path::name: {promise}"
        for file, test in named:
            assert test in stories_in(file), f"{file} has no {test}"


def test_the_table_is_all_of_it():
    assert len(PROMISES) > 40
    assert TABLE.count("\n## ") == 3
