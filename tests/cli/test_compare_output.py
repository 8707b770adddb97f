"""A comparison in a terminal: differences within their sentence, filtered, counted."""

import re
import shutil

import pytest

from core.library.storage.library import Library
from tests.commands import run_command
from tests.made_once import SAMPLES, read_once


@pytest.fixture(scope="module")
def compare(tmp_path_factory):
    """A function that prints the comparison of both issues."""
    samples = (SAMPLES / f"meridian_2023_sporting_issue{issue}.pdf" for issue in (1, 2))
    made = read_once(tmp_path_factory, *samples)
    folder = shutil.copytree(made, tmp_path_factory.mktemp("compare") / "data")
    older, newer = (document.document_id for document in Library(folder).documents())

    def run(*options, exit_code=0):
        done = run_command(folder, "compare", older, newer, *options, COLUMNS="500")
        assert done.exit_code == exit_code
        return done.stdout

    return run


def test_deleted_and_inserted_words_are_shown_in_their_sentence(compare):
    shown = compare("--article", "21.3")
    assert "Changed words · Marked as a change by the publisher" in shown
    assert "[-60-] {+50+} km/h" in shown


def test_pairs_can_be_filtered_by_kind_and_all_are_counted(compare):
    shown = compare("--kind", "removed")
    assert re.search(r"^43\.1 .*Removed", shown, re.M)
    assert "21.3 " not in shown
    assert "82 changed" in shown


def test_the_edition_that_the_marks_compare_with_is_shown(compare):
    assert "The later document marks: “insertions relative to Issue 1 of 2023.”" in compare(
        "--article", "21"
    )


def test_an_article_includes_what_is_below_it(compare):
    assert re.findall(r"^21\.5 ", compare("--article", "21"), re.M)
    assert not re.findall(r"^31\.4 ", compare("--article", "21"), re.M)


def test_a_redline_is_written_by_the_name_of_its_file(compare, tmp_path):
    for name, beginning in (("redline.docx", b"PK"), ("Redline.PDF", b"%PDF")):
        assert compare("--output", str(tmp_path / name)) == ""
        assert (tmp_path / name).read_bytes().startswith(beginning)


def test_a_redline_is_of_whole_documents_and_in_a_known_format(compare, tmp_path):
    for options in (("-o", "redline.txt"), ("-o", "redline.docx", "--article", "21")):
        said = compare(*options, exit_code=2)
        assert said == ""
    assert not list(tmp_path.iterdir())
