"""A comparison in a terminal: differences within their sentence, filtered, counted."""

import pytest
from typer.testing import CliRunner

from core.cli.app import app
from core.library.ingestion.ingest import add_file
from core.library.storage.library import Library
from tests.cli.test_cli import SAMPLES, SETTINGS


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """A folder without .env: a setting of the person who runs the tests is never used."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def compare(tmp_path_factory):
    """A function that prints the comparison of two issues of the sample rulebook."""
    folder = tmp_path_factory.mktemp("library")
    library = Library(folder)
    names = ("meridian_2023_sporting_issue1.pdf", "meridian_2023_sporting_issue2.pdf")
    before, after = (
        a.document.document_id for name in names for a in add_file(library, SAMPLES / name)
    )

    def run(*options):
        environment = SETTINGS | {"SCRUTINEER_DATA_DIR": str(folder), "COLUMNS": "500"}
        done = CliRunner().invoke(app, ["compare", before, after, *options], env=environment)
        assert done.exit_code == 0
        return done.stdout

    return run


def test_deleted_and_inserted_words_are_shown_in_their_sentence(compare):
    shown = compare("--article", "21.3")
    assert "changed 21.3 · marked by the publisher" in shown
    assert "[-60-] {+50+} km/h" in shown


def test_pairs_can_be_filtered_by_kind_and_all_are_counted(compare):
    shown = compare("--kind", "removed")
    assert "removed 43.1" in shown
    assert "changed 21.3" not in shown
    assert "71 changed" in shown


def test_the_edition_that_the_marks_compare_with_is_shown(compare):
    assert "The later document marks: “insertions relative to Issue 1 of 2023.”" in compare(
        "--article", "21"
    )


def test_an_article_includes_what_is_below_it(compare):
    assert "changed 21.5" in compare("--article", "21")
    assert "changed 31.4" not in compare("--article", "21")
