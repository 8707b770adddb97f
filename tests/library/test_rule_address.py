"""The address of a rule: how it is written and read, and what it leads to."""

import json

import pytest

from core.library import RuleAddress
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library

ISSUES = (
    ("club", 2024, 1, "1.1", "The flag is red."),
    ("club", 2025, 1, "1.1", "The flag is blue."),
    ("club", 2025, 2, "1.1", "The flag is green."),
    ("club", 2025, 2, "54.3", "a) One flag.\nb) Two flags.\nd) Four flags."),
    ("club", 2025, 2, "T 2.8.1", "The bumper is 40 mm high."),
    ("club", 2025, 2, "Appendix 3", "The forms."),
    ("club", 2025, 2, "7", "A table."),
    ("club", 2025, 2, "7", "Another table."),
    ("kart", 2025, None, "1", "Karts are small."),
    (None, None, None, "9.9", "Nobody knows whose rule this is."),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A club's rules in three issues, karts' rules without an issue, and a nameless document."""
    library = Library(tmp_path_factory.mktemp("addresses"))
    lines: dict[str, list[dict[str, object]]] = {}
    fields = ("family", "season", "issue", "article", "text")
    for row in ISSUES:
        values = {k: v for k, v in zip(fields, row, strict=True) if v is not None}
        title = f"{row[0]} rules {row[1]} {row[2]}"
        lines.setdefault(title, []).append({"document": title, "title": "", **values})
    for title, rows in lines.items():
        file = "\n".join(map(json.dumps, rows)).encode()
        assert all(one.document for one in add_bytes(library, file, f"{title}.jsonl"))
    return library


def text_at(library, path):
    """The text of the rule at a path that a person wrote."""
    address = RuleAddress.parse(path)
    found = address and address.find(library).clause
    return found and found.text


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("club/2025/1/1.1", "The flag is blue."),
        ("club/2025/1.1", "The flag is green."),
        ("Club/2024/1.1", "The flag is red."),
        ("club/2025/2/54.3%20d)", "Four flags."),
        ("club/2025/54.3(b)", "Two flags."),
        ("club/2025/2/T%202.8.1", "The bumper is 40 mm high."),
        ("club/2025/2/T2.8.1", "The bumper is 40 mm high."),
        ("club/2025/2/appendix 3", "The forms."),
        ("kart/2025/-/1", "Karts are small."),
        ("-/-/-/9.9", "Nobody knows whose rule this is."),
    ],
)
def test_a_person_writes_the_address_of_a_rule(library, path, text):
    assert text_at(library, path).endswith(text)


def test_the_address_of_each_rule_leads_back_to_it(library):
    for document in library.documents():
        for clause in library.clauses(document.document_id):
            address = RuleAddress.of(document, clause.article)
            assert RuleAddress.parse(address.name) == address
            found = address.find(library)
            assert clause in (found.clause, *found.candidates)
            assert found.lacks is None


def test_a_part_of_an_article_with_a_slash_is_one_part_of_the_address():
    address = RuleAddress("club", "2025", "2", "7.1/2 d)")
    assert address.path == "/rule/club/2025/2/7.1%2F2%20d%29"
    assert RuleAddress.parse(address.name) == address
    assert RuleAddress.parse("club/2025") is None


def test_one_number_of_several_rules_is_a_choice(library):
    found = RuleAddress("club", "2025", "2", "7").find(library)
    assert found.clause is None
    assert [clause.text for clause in found.candidates] == ["A table.", "Another table."]


def test_an_issue_that_is_not_held_is_a_choice_among_those_that_are(library):
    found = RuleAddress("club", "2025", "5", "1.1").find(library)
    assert (found.clause, found.lacks, sorted(found.held)) == (None, "issue", ["1", "2"])
    assert {clause.issue for clause in found.candidates} == {1, 2}


@pytest.mark.parametrize(
    ("path", "lacks", "held"),
    [
        ("rally/2025/1", "family", ("club", "kart")),
        ("club/2031/1.1", "season", ("2024", "2025")),
        ("club/2025/2/88.8", "article", ("club rules 2025 2, Issue 2",)),
    ],
)
def test_what_is_not_held_is_told_with_what_is(library, path, lacks, held):
    found = RuleAddress.parse(path).find(library)
    assert (found.clause, found.candidates, found.lacks) == (None, (), lacks)
    assert found.held == held


def test_editions_that_cannot_be_ordered_are_a_choice(tmp_path):
    library = Library(tmp_path)
    for name in ("One", "Two"):
        line = {"document": f"{name} rules", "article": "1", "title": "", "text": f"Of {name}."}
        line |= {"family": "twin", "season": 2025}
        [added] = add_bytes(library, json.dumps(line).encode(), f"{name}.jsonl")
        assert added.document
    found = RuleAddress("twin", "2025", None, "1").find(library)
    assert {clause.text for clause in found.candidates} == {"Of One.", "Of Two."}
