"""The commands on a competition: rules, a handbook and an amendment that lie above one another."""

import json

import pytest

from core.library.storage.library import Library
from core.settings import Settings
from tests.commands import run_command, run_json
from tests.layered_cup import add_harbour_cup

SHEET = """id,parameter,value,unit,note
speed,speed in the harbour,9,km/h,
sail,sail area,19,m²,
age,age of a crew member,17,years,
"""


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """The folder of the Harbour Cup, and the ids of its documents by name."""
    folder = tmp_path_factory.mktemp("cup")
    library = Library.open(Settings(data_dir=folder, search_mode="lexical"))
    books = add_harbour_cup(library)
    return folder, {name: one.document_id[:12] for name, one in books.items()}


def as_json(folder, *arguments):
    return run_json(folder, *arguments, "--json")


@pytest.mark.parametrize("named", ["rules", "handbook"])
def test_the_limits_of_a_competition_are_one_list(cup, named):
    folder, ids = cup
    _, rows = as_json(folder, "limits", "--competition", ids[named])
    by_article = {row["article"]: row for row in rows}
    assert [*dict.fromkeys(row["document"] for row in rows)] == [
        f"{name}.jsonl" for name in ("rules", "bulletin", "handbook", "safety")
    ]
    assert "Article H 2.1" in by_article["4.1"]["overridden"]
    assert not by_article["4.1"]["in_force"]
    assert by_article["H 2.1"]["overridden"] is None
    assert "nothing says which prevails" in by_article["2.3"]["overridden"]


def test_what_a_layer_overrides_obliges_nobody(cup):
    folder, ids = cup
    _, rows = as_json(folder, "obligations", "--competition", ids["rules"])
    told = {(row["article"], row["in_force"]): row["overridden"] for row in rows}
    assert "Article H 2.1" in told["4.1", False]
    assert told["H 2.1", True] is None
    assert "nothing says which prevails" in told["2.3", True]
    assert told["B 4", True] is None, "the sentence as it amends the crew of Article 2.2"


def test_a_day_chooses_the_layers_of_limits_and_sheets(cup, tmp_path):
    folder, ids = cup
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(SHEET, encoding="utf-8")
    chosen = "--competition", ids["rules"]
    _, rows = as_json(folder, "limits", *chosen, "--on", "2025-02-02")
    assert "bulletin.jsonl" not in {row["document"] for row in rows}
    verdicts = {}
    for day in ("2025-02-02", "2025-05-02"):
        _, rows = as_json(folder, "sheet", sheet, *chosen, "--on", day)
        verdicts[day] = {row["id"]: (row["verdict"], *row["articles"]) for row in rows}
        assert [row["id"] for row in rows] == ["speed", "sail", "age"], "one verdict an id"
    assert verdicts["2025-02-02"]["sail"] == ("not legal", "3.3")
    assert verdicts["2025-05-02"]["sail"] == ("legal", "B 2")
    assert verdicts["2025-05-02"]["speed"] == ("not legal", "H 2.1")
    assert verdicts["2025-05-02"]["age"][0] == "cannot tell"


def test_search_and_article_look_at_the_competition_on_its_day(cup):
    folder, ids = cup
    chosen = "--competition", ids["handbook"]
    _, [found] = as_json(folder, "article", "3.3", *chosen, "--on", "2025-02-02")
    assert not found["layers"]
    _, [found] = as_json(folder, "article", "3.3", *chosen)
    assert [note["article"] for note in found["layers"]] == ["B 2"]
    status, rows = as_json(folder, "search", "speed in the harbour", *chosen)
    assert (status, {row["article"] for row in rows[:2]}) == (0, {"4.1", "H 2.1"})


def test_texts_say_what_other_layers_mean(cup):
    folder, ids = cup
    shown = " ".join(run_command(folder, "article", "4.1").stdout.split())
    before, _, after = shown.partition("must not exceed 10 km/h")
    assert "overridden by Article H 2.1, Harbour Cup Handbook 2025" in before
    assert after
    found = " ".join(run_command(folder, "search", "radio").stdout.split())
    assert "overridden by Article H 2.4" in found
    listed = " ".join(run_command(folder, "documents").stdout.split())
    amends = "Harbour Cup Bulletin 2025, Issue 1 amends Harbour Cup Rules 2025, Issue 1"
    assert f"{amends}, and prevails, from 2025-05-01 on." in listed
    _, rows = as_json(folder, "export", ids["rules"])
    layers = {row["article"]: [note["kind"] for note in row["layers"]] for row in rows}
    assert layers["4.1"] == ["overridden"]
    assert layers["3.1"] == []


def test_ask_answers_of_the_day(cup):
    folder, ids = cup
    asked = "ask", "How large may the sail area be?", "--competition", ids["rules"]
    then = run_command(folder, *asked, "--on", "2025-02-02").stdout
    now = run_command(folder, *asked, "--on", "2025-05-02").stdout
    assert "18 m²" in then
    assert "20 m²" not in then
    assert "20 m²" in now


def test_what_is_no_day_or_no_competition_is_said(cup):
    folder, ids = cup
    status, [said] = as_json(folder, "search", "speed", "--on", "2 May")
    assert (status, said["error"]["code"]) == (1, "bad_request")
    status, [said] = as_json(folder, "search", "speed", "--competition", "00000000")
    assert (status, said["error"]["code"]) == (1, "nothing_in_scope")
    assert said["error"]["message"] == "Nothing to search: the library does not hold 00000000."
    both = "--document", ids["rules"], "--competition", ids["rules"]
    assert "give one of them" in run_command(folder, "sheet", "none.csv", *both).stderr
    line = json.dumps({"op": "search", "query": "speed", "competition": ids["rules"]})
    _, [found] = run_json(folder, "batch", stdin=line)
    assert found["clauses"]
