"""Any line of `batch` gets one answer in its place, and so do the lines after it."""

import json

import pytest
from hypothesis import given, strategies as st

from core.library.storage.library import Library
from tests.commands import run_command
from tests.cup import add_cup_rules

PLAIN = {"op": "article", "article": "21.3", "season": 2023}

STRINGS = st.text(
    st.characters(codec=None), max_size=40
)  # lone surrogates and control characters too
TEXTS = STRINGS | st.sampled_from(
    [
        *(
            "",
            " ",
            "pit lane",
            "21.3",
            "Article 38.3 c)",
            '"pit lane',
            "pit AND (lane",
            "speed~2 +pit -lane",
            "*",
            "pit*",
        ),
        *(
            "' OR 1=1 --",
            "\\",
            "\x00",
            "\ud800",
            "\udfff\ud800",
            "%",
            "2023",
            "Issue 9 of 2031",
            "٣",
            "İ" * 50,
            "e\u0301",
        ),
        *(
            "word " * 2000,
            "x" * 10_000,
            "(" * 10_000,
            "2024 " * 2000,
            "21.3 and " * 1200,
            "§" * 500,
            "38.3c)" * 1000,
        ),
    ]
)
NUMBERS = (
    st.integers()
    | st.floats()
    | st.sampled_from([0, -1, 2023, 2**31, 2**63, 2**64, -(2**70), 10**400, 10**4000, 1e308, True])
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
SEASONS = st.sampled_from([2023, 2024, 1, None])
REQUESTS = (
    st.fixed_dictionaries(
        {"op": st.just("search"), "query": TEXTS},
        optional={"k": NUMBERS | st.just(3), "season": SEASONS},
    )
    | st.fixed_dictionaries(
        {"op": st.just("article"), "article": TEXTS},
        optional={"season": NUMBERS, "document": TEXTS},
    )
    | st.fixed_dictionaries(
        {"op": st.just("mentions"), "term": TEXTS}, optional={"family": TEXTS, "issue": NUMBERS}
    )
    | st.fixed_dictionaries(
        {"op": st.sampled_from(["search", "article", "mentions"]) | VALUES},
        optional=dict.fromkeys(
            ("query", "article", "term", "k", "season", "document", "family", "mode", "odd"), VALUES
        ),
    )
)
NESTED = st.builds(
    lambda opening, depth: opening * depth,
    st.sampled_from(["[", '{"a":', "[{"]),
    st.integers(1, 100_000),
)
LONG_NUMBERS = st.integers(4000, 6000).map(
    lambda digits: '{"op": "search", "query": "a", "k": ' + "9" * digits + "}"
)
LINES = (
    st.binary(max_size=60).map(lambda raw: raw.replace(b"\n", b""))
    | (VALUES | REQUESTS).map(json.dumps).map(str.encode)
    | REQUESTS.map(
        lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    )
    | (NESTED | LONG_NUMBERS).map(str.encode)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    add_cup_rules(Library(folder))
    return folder


def answers(folder, lines):
    """Return the answers of `batch`, line for line. They are strict JSON: no NaN."""
    done = run_command(folder, "batch", stdin=b"\n".join(lines))
    assert done.exit_code == 0
    return [json.loads(line, parse_constant=pytest.fail) for line in done.stdout.splitlines()]


@pytest.mark.slow
@given(lines=st.lists(LINES, min_size=1, max_size=4))
def test_each_line_has_one_answer_in_its_place(folder, lines):
    plain = json.dumps(PLAIN).encode()
    found = answers(folder, [part for line in lines for part in (line, plain)])
    requests = [line for line in lines if line.decode("utf-8", "replace").strip()]
    assert len(found) == len(requests) + len(lines)
    places = iter(found)
    for line in lines:
        if line in requests:
            answer = next(places)
            assert answer.keys() & {"error", "clauses", "found"}
            if "error" in answer:
                assert answer["error"]["message"].endswith((".", "?", "!"))
                assert len(answer["error"]["message"]) < 2000
        assert "60 km/h" in next(places)["text"]
