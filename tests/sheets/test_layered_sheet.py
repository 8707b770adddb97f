"""A sheet and a register of a competition are those of all its layers."""

import json

import pytest

from core.library import Layers
from core.library.ingestion.ingest import add_bytes
from core.library.storage.library import Library
from core.library.types import Relation
from core.registers import register_of
from core.sheets import CheckedRow, SheetRow, check_row, join_rulebooks, limit_index
from tests.layered_cup import add_harbour_cup
from tests.library.cup import add_rulebook

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


BASE = (
    ("2.1", "Kite area", "The kite area must not exceed 12 m²."),
    ("3.1", "Speed in the channel", "The speed in the channel must not exceed 10 km/h."),
)
NEWER = "This handbook is of May."
FOR_CLASS = "In class B the kite area must not exceed 15 m²."
NEW_AREA = ("H 2", "Kite area", "The kite area must not exceed 20 m².")


@pytest.mark.parametrize(
    ("above", "row", "verdict"),
    [
        ("With regard to Article 2.1 the kite area must not exceed 15 m².", "13 m²", "cannot tell"),
        ("With regard to Article 2.1 the kite area must not exceed 15 m².", "16 m²", "not legal"),
        (
            "For class B, Article 2.1 is replaced by: The kite area must not exceed 15 m².",
            "13 m²",
            "cannot tell",
        ),
        (
            "For class B, Article 2.1 is replaced by: The kite area must not exceed 15 m².",
            "11 m²",
            "legal",
        ),
        ("Article 2.1 is deleted.", "11 m²", "no rule"),
        ((NEWER, ("H 2", "Sail (change of Article 2.1)", FOR_CLASS)), "13 m²", "cannot tell"),
        (("Article 2.1 is deleted.", NEW_AREA), "13 m²", "legal"),
        (
            (
                "Article 3.1 is replaced by: The harbour master sets the speed.",
                ("H 2", "Tow boats", "The speed in the channel of tow boats must be at most 9 kn."),
            ),
            "15 km/h",
            "no rule",
        ),
    ],
)
def test_a_layer_that_leaves_a_doubt_leaves_it_to_all(tmp_path, above, row, verdict):
    library = Library(tmp_path)
    words, *more = (above,) if isinstance(above, str) else above
    handbook = ("H 0", "", "This handbook is for Kiel."), ("H 1", "", words), *more
    documents = []
    for name, clauses in (("Rules", BASE), ("Handbook", handbook)):
        lines = [
            {"document": f"Kite {name} 2026", "article": one, "title": title, "text": text}
            | {"season": 2026, "issue": 1, "family": f"kite-{name.lower()}"}
            for one, title, text in clauses
        ]
        [added] = add_bytes(library, "\n".join(map(json.dumps, lines)).encode(), f"{name}.jsonl")
        documents.append(added.document)
    rules, over = (one.document_id for one in documents)
    documents[1] = library.relate(over, Relation("supplements", rules, "this"))
    value, unit = row.split()
    subject = "kite area" if unit == "m²" else "speed in the channel"
    asked = SheetRow("row", subject, value, unit)
    checked = [
        CheckedRow(one, asked, check_row(asked, limit_index(library, one, [rules, over])))
        for one in documents
    ]
    [shown] = join_rulebooks(checked, Layers(documents))
    assert shown.result.verdict == verdict


@pytest.mark.parametrize(
    ("fee", "verdict"),
    [("The entry fee must not exceed €45.", "legal"), ("The entry fee is €45.", "cannot tell")],
)
def test_a_value_put_in_place_of_another_judges_or_leaves_the_doubt(tmp_path, fee, verdict):
    library = Library(tmp_path)
    rules = add_rulebook(library, "Soapbox Rules", ("6.2", fee, "Entry fee"), family="rules")
    said = ("B 2", "In Rule 6.2 “€45” is replaced by “€60”.")
    above = add_rulebook(library, "Bulletin", ("B 1", "Valid now."), said, family="bulletin")
    above = library.relate(above.document_id, Relation("amends", rules.document_id, "this"))
    asked, ids = SheetRow("fee", "entry fee", "50", "€"), [rules.document_id, above.document_id]
    checked = [
        CheckedRow(one, asked, check_row(asked, limit_index(library, one, ids)))
        for one in (rules, above)
    ]
    [shown] = join_rulebooks(checked, Layers([rules, above]))
    assert (shown.result.verdict, shown.result.articles) == (verdict, ("B 2",))
    assert "60 €" in shown.result.limit
