"""With vectors a sheet's own words find the rule that says the same in others."""

import json

import pytest

from core.library import Library, add_file, embed_clauses
from core.sheets import SheetRow, check_row, limit_index

RULES = {
    "3.1": "The sound level of the exhaust must not exceed 110 dBC at any engine speed.",
    "3.2": "The illuminated area of the brake light must be at least 15 cm².",
    "4.1": "The wheelbase must be at least 1525 mm.",
    "4.2": "The video of the vehicle must be recorded in a file of 20 MB.",
    "5.1": "The driver must be able to exit the vehicle in less than 5 s.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meaning")
    lines = [
        {"document": "Car Rules", "article": article, "text": text, "season": 2026, "issue": 1}
        for article, text in RULES.items()
    ]
    (folder / "rules.jsonl").write_text("\n".join(map(json.dumps, lines)))
    library = Library(folder / "library", "hybrid")
    list(add_file(library, folder / "rules.jsonl"))
    return library


@pytest.fixture(scope="module")
def index(library):
    embed_clauses(library)
    return limit_index(library, library.documents()[0])


@pytest.mark.parametrize(
    ("parameter", "value", "unit", "verdict", "article"),
    [
        ("time for the driver to get out", "5.4", "s", "not legal", "5.1"),
        ("brake lamp lit surface", "16", "cm2", "legal", "3.2"),
        ("exhaust loudness", "112", "dBC", "not legal", "3.1"),
    ],
)
def test_other_words_for_the_same_are_decided(index, parameter, value, unit, verdict, article):
    result = check_row(SheetRow("1", parameter, value, unit), index)
    assert (result.verdict, result.articles) == (verdict, (article,))


@pytest.mark.parametrize(
    ("parameter", "value", "unit"),
    [("steering wheel diameter", "250", "mm"), ("clutch weight", "4", "kg"), ("age", "19", "s")],
)
def test_what_no_rule_is_on_has_no_verdict(index, parameter, value, unit):
    assert check_row(SheetRow("1", parameter, value, unit), index).verdict in (
        "cannot tell",
        "no rule",
    )


def test_a_plain_amount_makes_no_other_value_illegal(index):
    result = check_row(SheetRow("1", "file size of the vehicle video", "19.5", "MB"), index)
    assert (result.verdict, result.articles) == ("cannot tell", ("4.2",))
    assert "whether more or less is allowed" in result.missing


def test_before_vectors_are_made_words_decide(library, index):
    by_words = limit_index(Library(library.folder), library.documents()[0])
    assert by_words.meanings is None
    assert index.meanings is not None
    assert check_row(SheetRow("1", "wheelbase", "1530", "mm"), by_words).verdict == "legal"
