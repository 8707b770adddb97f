"""Exports: what other people's programs read of them is what the library holds, word for word."""

import csv
import io
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.choices import ExportFormat
from core.exports import export_changes, export_document, write_export
from core.exports.formats import FORMATS
from core.exports.items import Export
from core.library import Library
from core.library.ingestion.ingest import add_bytes
from tests.library.cup import lines
from tests.made_once import SAMPLES, read_once

ROOT = Path(__file__).parents[2]
VALIDATORS = Path(os.environ.get("SCRUTINEER_VALIDATORS", ROOT / ".validators/bin/python"))
SUFFIXES: dict[ExportFormat, str] = {"oscal": ".json", "akn": ".xml"}
VALIDATED: tuple[ExportFormat, ...] = ("xlsx", "reqif", "oscal", "akn")
NASTY = "=1+1 <b> & \"quotes\" 'single'\n\n  two spaces\ttab | pipe\u00a0§ ﬁ 𝑥 ]]> \u200f مادة"

needs_validators = pytest.mark.skipif(
    not VALIDATORS.is_file(), reason="`make validators` installs the programs of others"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Two issues of a sample rulebook, and rules that are hard to write down."""
    samples = (SAMPLES / f"meridian_2023_sporting_issue{issue}.pdf" for issue in (1, 2))
    both = read_once(tmp_path_factory, *samples)
    library = Library(shutil.copytree(both, tmp_path_factory.mktemp("exports") / "data"))
    for name, text in (("Odd", NASTY), ("Odd again", f"{NASTY} and more")):
        issue = len(name)
        rows = lines(
            name, ("1", "", NASTY.split("\n")[0]), ("1.1", text), family="odd", issue=issue
        )
        [_] = add_bytes(library, rows, f"{name}.jsonl")
    return library


def issues(library: Library, family: str) -> tuple[str, str]:
    first, second = (d.document_id for d in library.documents() if d.family == family)
    return first, second


def all_exports(library: Library) -> Iterator[Export]:
    for family in ("meridian-sporting", "odd"):
        first, second = issues(library, family)
        yield export_document(library, second)
        yield export_changes(library, second, first)


@needs_validators
@pytest.mark.slow
@pytest.mark.parametrize("export_format", VALIDATED)
def test_programs_of_others_accept_an_export_and_read_the_same_letters(
    export_format: ExportFormat, library: Library, tmp_path: Path
) -> None:
    for number, export in enumerate(all_exports(library)):
        file = tmp_path / f"{number}{SUFFIXES.get(export_format, f'.{export_format}')}"
        file.write_bytes(write_export(export, export_format))
        done = subprocess.run(
            [VALIDATORS, Path(__file__).with_name("validate.py"), export_format, file],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        read = json.loads(done.stdout)
        assert {item.id: item.text for item in export.walk()} == {
            item_id: text for item_id, (_, text) in read.items()
        }


@pytest.mark.slow
def test_rows_hold_the_same_letters(library: Library) -> None:
    for export in all_exports(library):
        texts = [item.text for item in export.walk()]
        rows = list(csv.DictReader(io.StringIO(write_export(export, "csv").decode("utf-8-sig"))))
        assert [row["text"].removeprefix("'") for row in rows] == texts
        parsed = map(json.loads, write_export(export, "jsonl").decode().splitlines())
        assert [row.get("text", "") for row in parsed] == texts


@pytest.mark.slow
def test_ids_stay_from_one_issue_to_the_next(library: Library) -> None:
    first, second = issues(library, "meridian-sporting")
    before = {item.number: item.id for item in export_document(library, first).walk()}
    after = {item.number: item.id for item in export_document(library, second).walk()}
    assert before["21.3"] == after["21.3"]  # whose speed changed
    changes = {item.number: item for item in export_changes(library, second, first).walk()}
    assert changes["21.3"].id == before["21.3"]
    assert (changes["21.3"].change, changes["21.3"].number_before) == ("changed", "21.3")
    assert changes["43.1"].change == "removed"
    assert changes["43.1"].id == before["43.1"]


@pytest.mark.slow
def test_rules_are_below_the_rules_they_belong_to_and_each_is_there_once(library: Library) -> None:
    _, second = issues(library, "meridian-sporting")
    export = export_document(library, second)
    [speed] = [item for item in export.items if item.number == "21"]
    assert "21.3" in [child.number for child in speed.children]
    walked = [item.clause_id for item in export.walk()]
    assert walked == [clause.clause_id for clause in library.clauses(second)]
    assert len({item.id for item in export.walk()}) == len(walked)


@pytest.mark.slow
def test_the_same_library_writes_the_same_bytes(library: Library) -> None:
    _, second = issues(library, "meridian-sporting")
    export = export_document(library, second)
    for export_format in set(FORMATS) - {"xlsx"}:  # which holds the time
        assert write_export(export, export_format) == write_export(export, export_format)
