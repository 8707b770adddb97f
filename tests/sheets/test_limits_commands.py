"""The commands `limits`, `obligations` and `sheet`, as a build server uses them."""

from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from core.library.storage.library import Library
from tests.commands import run_command, run_json
from tests.registers.trike import add_trike_rules


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    add_trike_rules(Library(folder))
    return folder


def document(folder):
    return Library(folder).documents()[0].document_id


def sheet(folder, tmp_path, *rows):
    file = tmp_path / "team.csv"
    file.write_text("\n".join(("id,parameter,value,unit,note", *rows)))
    return run_json(folder, "sheet", file, "--json", "--junit", tmp_path / "report.xml")


@pytest.mark.slow
def test_limits_are_listed_and_kept(folder):
    status, rows = run_json(folder, "limits", document(folder), "--json")
    assert status == 0
    assert rows[0] == {
        "document": "trike.jsonl",
        "article": "1.1",
        "page": 1,
        "subject": "The trike must have a minimum wheelbase of",
        "relation": "at least",
        "value": 1200,
        "upper": None,
        "unit": "mm",
        "proved": True,
        "condition": None,
        "modality": "must",
        "source": "prose",
        "quote": "The trike must have a minimum wheelbase of 1200 mm.",
        "in_force": True,
        "overridden": None,
        "address": "/rule/trike/2024/1/1.1",
    }
    assert len(list((folder / "derived" / "limits").iterdir())) == 1
    assert run_json(folder, "limits", document(folder), "--json")[1] == rows
    _, unread = run_json(folder, "limits", document(folder), "--coverage", "--json")
    assert all(row["reason"] for row in unread)


@pytest.mark.slow
def test_obligations_are_listed(folder):
    _, rows = run_json(folder, "obligations", document(folder), "--json")
    assert {"article": "4", "modality": "must", "actor": "A team"}.items() <= rows[-1].items()


@pytest.mark.slow
def test_a_filled_checklist_is_kept_in_the_workbook(folder, tmp_path):
    filled, out = tmp_path / "filled.csv", tmp_path / "out.xlsx"
    quote = "The trike must have a minimum wheelbase of 1200 mm."
    filled.write_text(f"article,quote,owner,status,evidence\n1.1,{quote},Ada,done,photo 12\n")
    arguments = "obligations", document(folder), "--checklist", filled, "--xlsx", out
    assert run_command(folder, *arguments).exit_code == 0
    with ZipFile(out) as book:
        assert b"photo 12" in book.read("xl/worksheets/sheet1.xml")
    missing = tmp_path / "no"
    done = run_command(folder, "obligations", document(folder), "--checklist", missing)
    assert done.exit_code == 1


@pytest.mark.slow
def test_a_sheet_is_checked_into_lines_and_a_workbook_at_once(folder, tmp_path):
    (tmp_path / "car.csv").write_text("id,parameter,value,unit\n1,wheelbase,1300,mm\n")
    out = tmp_path / "out.xlsx"
    status, [row] = run_json(folder, "sheet", tmp_path / "car.csv", "--xlsx", out, "--json")
    assert (status, row["verdict"]) == (0, "legal")
    assert out.is_file()


@pytest.mark.slow
def test_what_is_open_is_counted_day_by_day_in_json_and_junit(folder, tmp_path):
    _, [counted] = run_json(folder, "obligations", document(folder), "--figures", "--json")
    _, unowned = run_json(folder, "obligations", document(folder), "--unowned", "--json")
    assert counted["counted"] == "rules without an owner"
    assert counted["count"] == len(unowned) > 0
    sheet(folder, tmp_path, "1,wheelbase,1300,mm,")
    _, rows = run_json(folder, "sheet", tmp_path / "team.csv", "--figures", "--json")
    assert [(row["counted"], row["sheet"]) for row in rows] == [
        ("rules without an owner", None),
        ("limits without a row", str((tmp_path / "team.csv").resolve())),
    ]
    report = ElementTree.parse(tmp_path / "report.xml")
    properties = {one.get("name"): one.get("value") for one in report.iter("property")}
    day = rows[1]["day"]
    assert properties[f"trike.jsonl: limits without a row, {day}"] == str(rows[1]["count"])
    assert properties[f"trike.jsonl: rules without an owner, {day}"] == str(len(unowned))


@pytest.mark.slow
def test_the_exit_status_holds_a_release(folder, tmp_path):
    legal, illegal, unclear = "1,wheelbase,1300,mm,", "2,wheelbase,1100,mm,", "3,tread depth,2,mm,"
    assert sheet(folder, tmp_path, legal)[0] == 0
    assert sheet(folder, tmp_path, legal, unclear)[0] == 3
    status, rows = sheet(folder, tmp_path, legal, illegal, unclear)
    assert status == 1
    assert list(rows[0]) == "id document verdict articles limit margin missing addresses".split()
    assert [row["verdict"] for row in rows] == ["legal", "not legal", "cannot tell"]
    assert 'failures="1"' in (tmp_path / "report.xml").read_text()


@pytest.mark.slow
def test_a_sheet_that_cannot_be_read_is_wrong_usage(folder, tmp_path):
    status, [error] = run_json(folder, "sheet", tmp_path / "none.csv", "--json")
    assert (status, error["error"]["code"]) == (2, "not_found")
    assert run_json(folder, "sheet", tmp_path / "none.csv", "--document", "unknown0")[0] == 2


@pytest.mark.slow
def test_a_template_is_written_once_and_is_legal_as_it_is(folder, tmp_path):
    for name in ("new.csv", "new.xlsx"):
        file = tmp_path / name
        assert run_command(folder, "sheet", file, "--template").exit_code == 0
        status, rows = run_json(folder, "sheet", file, "--json")
        assert status == 0
        assert {row["verdict"] for row in rows} == {"legal"}
        assert run_command(folder, "sheet", file, "--template").exit_code == 2
