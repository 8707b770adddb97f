"""A sheet and a register of a competition are those of all its layers."""

import pytest

from core.library import Layers
from core.library.storage.library import Library
from core.registers import register_of
from core.sheets import CheckedRow, SheetRow, check_row, join_rulebooks, limit_index
from tests.layered_cup import add_harbour_cup

ROWS = (
    SheetRow("speed", "speed in the harbour", "9", "km/h"),
    SheetRow("sail", "sail area", "19", "m²"),
    SheetRow("length", "hull length", "6", "m"),
    SheetRow("crew", "crew members", "6"),
    SheetRow("age", "age of a crew member", "17", "years"),
)


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("cup"))
    return library, add_harbour_cup(library)


def check_sheet(library, documents):
    """Return verdict, article and what is missing of each row, by its id and the file."""
    ids = [one.document_id for one in documents]
    checked = [
        CheckedRow(one, row, check_row(row, limit_index(library, one, ids)))
        for row in ROWS
        for one in documents
    ]
    return {
        (one.row.id, one.document.file): (one.result.verdict, one.result.articles)
        for one in join_rulebooks(checked, Layers(documents))
    }


def test_a_verdict_names_the_layer_of_its_limit(cup):
    library, books = cup
    verdicts = check_sheet(library, list(books.values()))
    assert verdicts["speed", "handbook.jsonl"] == ("not legal", ("H 2.1",))
    assert verdicts["sail", "bulletin.jsonl"] == ("legal", ("B 2",))
    assert verdicts["length", "rules.jsonl"] == ("legal", ("3.1",))
    assert ("speed", "rules.jsonl") not in verdicts
    assert verdicts["crew", "bulletin.jsonl"] == ("not legal", ("B 4",)), "amended to five"
    assert len(verdicts) == len(ROWS), "one verdict a row"


def test_what_two_layers_contradict_is_not_decided(cup):
    library, books = cup
    verdicts = check_sheet(library, list(books.values()))
    assert verdicts["age", "rules.jsonl"] == ("cannot tell", ("2.3",))
    rules = limit_index(library, books["rules"])
    missing = check_row(ROWS[-1], rules).missing
    assert "Article S 1" in missing
    assert "nothing says which prevails" in missing


def test_an_amendment_counts_beside_any_choice_and_other_handbooks_do_not(cup):
    library, books = cup
    verdicts = check_sheet(library, [books["rules"], books["safety"]])
    assert verdicts["speed", "rules.jsonl"] == ("legal", ("4.1",))
    assert verdicts["sail", "rules.jsonl"][0] == "no rule"


def test_a_register_says_what_is_overridden(cup):
    library, books = cup
    marked = {one.article: one.overridden for one in register_of(library, books["rules"]).limits}
    assert marked["4.1"] == "overridden by Article H 2.1, Harbour Cup Handbook 2025, Issue 1"
    assert not marked["3.1"]
    bulletin = register_of(library, books["bulletin"]).limits
    in_force = [str(one) for one in bulletin if one.article == "B 4" and not one.overridden]
    assert in_force == ["at most 5"], "the words that it takes away are no limit"
