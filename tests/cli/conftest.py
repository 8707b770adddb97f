"""The folder in which commands are run, and a library of sample rulebooks that they ask."""

import shutil
from pathlib import Path

import pytest

from tests.commands import SAMPLES, run_json
from tests.made_once import make_once


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """A folder without .env: a key of the person who runs the tests is never used."""
    monkeypatch.chdir(tmp_path)


def add_cup(folder: Path) -> None:
    """Add both rulebooks of one season, and the sporting one of the season before."""
    names = (
        "meridian_2023_sporting_issue2.pdf",
        "meridian_2024_sporting_issue1.pdf",
        "meridian_2024_technical_issue1.pdf",
    )
    status, lines = run_json(folder, "ingest", *(SAMPLES / name for name in names), "--json")
    assert status == 0
    assert [line["status"] for line in lines] == ["added"] * 3


@pytest.fixture(scope="session")
def cup(tmp_path_factory):
    """A library of three sample rulebooks, added by the command line itself."""
    made = make_once(tmp_path_factory, "cup", add_cup)
    return shutil.copytree(made, tmp_path_factory.mktemp("cli") / "cup")
