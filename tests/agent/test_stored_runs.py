"""The runs of earlier versions, replayed: who accepted a draft then accepts it now."""

import sqlite3
import zipfile
from itertools import groupby
from pathlib import Path

import pytest

from core.agent import events as ev
from core.agent.run import Run
from core.library.types import Scope
from tests.agent.test_loop import events_of

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(params=["version_0.1", "version_0.2"])
def runs(request, tmp_path):
    """The events of each run of a data folder."""
    with zipfile.ZipFile(DATA / request.param / "data_folder.zip") as archive:
        archive.extract("conversations.db", tmp_path)
    rows = sqlite3.connect(tmp_path / "conversations.db").execute(
        "SELECT run_id, event FROM events ORDER BY run_id, seq"
    )
    return [
        [ev.from_json(event) for _, event in group]
        for _, group in groupby(rows, lambda row: row[0])
    ]


def test_drafts_that_passed_before_statements_were_ruled_on_pass_now(runs):
    scored = 0
    for events in runs:
        run = Run.from_events(events, Scope((), "replayed"))
        accepted = {e.iteration for e in events_of(events, ev.Decided) if e.decision == "accept"}
        threshold = events_of(events, ev.Asked)[-1].limits.quality_threshold
        for draft in (one for one in run.drafts if one.score):
            scored += 1
            assert draft.statements == ()
            assert draft.reaches(threshold) == (draft.draft.iteration in accepted)
    assert scored
