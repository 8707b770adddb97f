"""Bulk ingestion with a Ray that is started on this machine; skipped where Ray is not installed."""

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.library.integrity import check_library
from core.library.storage.library import Library
from tests.library.cup import lines
from tests.scale.copies import write_copies
from tests.scale.services import ROOT, wait_until

COPIES = 8

HAS_RAY = find_spec("ray") is not None

pytestmark = pytest.mark.slow
needs_ray = pytest.mark.skipif(not HAS_RAY, reason="the optional part ray is not installed")


@pytest.fixture
def ingest():
    """Start `python -m core ingest` for a data folder."""
    # Ray's sockets need a short path; those of a driver that was killed are left.
    temporary = tempfile.mkdtemp(prefix="r")

    def start(folder, *arguments):
        own = {"TMPDIR": temporary, "SCRUTINEER_DATA_DIR": str(folder)}
        return subprocess.Popen(
            [sys.executable, "-m", "core", "ingest", "--json", *map(str, arguments)],
            cwd=ROOT,
            env=os.environ | own | {"SCRUTINEER_SEARCH_MODE": "lexical"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    yield start
    shutil.rmtree(temporary, ignore_errors=True)


def results(process):
    """What a command printed as it ended, and its exit status."""
    output, errors = process.communicate(timeout=600)
    assert process.returncode in (0, 1), errors
    return [json.loads(line) for line in output.splitlines()], process.returncode


def content(folder):
    """All that a library holds, but for the moment at which it was added."""
    library = Library(folder)
    order = [("document_id", "ascending"), ("position", "ascending")]
    return (
        [replace(document, added_at="") for document in library.documents()],
        {name: file for name, (_, file) in library.tables.read_manifest().items()},
        sorted(library.files.files.names()),
        library.tables.clauses_table().to_arrow().sort_by(order).to_pylist(),
    )


@needs_ray
def test_a_bulk_that_was_killed_goes_on_and_adds_what_ingest_adds(ingest, tmp_path):
    files, bulk, alone = (tmp_path / name for name in ("files", "bulk", "alone"))
    write_copies(files, COPIES)
    shutil.copy(files / "copy0000.pdf", files / "twice.pdf")
    (files / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    books = lines("Karts", ("1", "A kart.")), lines("Boats", ("1", "A boat."))
    (files / "two.jsonl").write_bytes(b"\n".join(books))
    killed = ingest(bulk, "--ray", files)
    wait_until(lambda: len(list((bulk / "bulk").glob("*"))) > COPIES // 3, 600)
    killed.kill()
    killed.communicate()
    assert not list((bulk / "files").glob("*")), "nothing is there before all is"
    kept = {path.stem for path in (bulk / "bulk").glob("[!.]*")}  # but for half a file
    by_ray, status = results(ingest(bulk, "--ray", files))
    by_ingest, _ = results(ingest(alone, files))
    assert status == 1, "one was refused"
    told = [(each["file"], each["status"], each["error"]) for each in by_ingest]
    assert sorted(map(repr, told)) == sorted(
        repr((each["file"], each["status"], each["error"])) for each in by_ray
    )
    seconds = {each["document_id"]: each["seconds"] for each in by_ray if each["document_id"]}
    read = [seconds[each] for each in seconds.keys() - kept if each[:1] != "k"]
    assert max(seconds[each] for each in kept) < min(read)
    assert content(bulk) == content(alone)
    assert list(check_library(Library(bulk))) == []
    assert not list((bulk / "bulk").glob("[!.]*")), "nothing waits"
    again, _ = results(ingest(bulk, "--ray", files / "copy0000.pdf", files / "two.jsonl"))
    assert [each["status"] for each in again] == ["unchanged"] * 3


@needs_ray
def test_a_bulk_adds_what_a_library_lacks_of_files_that_it_knows(ingest, tmp_path):
    files, folder = tmp_path / "files", tmp_path / "data"
    write_copies(files, 1)
    books = lines("Karts", ("1", "A kart.")), lines("Boats", ("1", "A boat."))
    (files / "two.jsonl").write_bytes(b"\n".join(books))
    before, _ = results(ingest(folder, "--ray", files))
    one = next(each["document_id"] for each in before if each["file"] == "two.jsonl")
    Library(folder).remove_document(one)
    [pdf] = (folder / "files").glob("*.pdf")
    pdf.unlink()
    (folder / "bulk" / f"{pdf.stem}.of-another-version").write_bytes(b"read")
    again, _ = results(ingest(folder, "--ray", files))
    assert sorted(each["status"] for each in again) == ["added", "unchanged", "unchanged"]
    assert list(check_library(Library(folder))) == []
    assert not list((folder / "bulk").iterdir()), "what another version kept is of no use"


@needs_ray
@pytest.mark.parametrize("source", ["nowhere", "http://127.0.0.1/rules"])
def test_a_bulk_of_nothing_is_one_sentence(ingest, tmp_path, source):
    [result], _ = results(ingest(tmp_path, "--ray", source))
    assert result["error"]["code"] == "not_found"


@pytest.mark.skipif(HAS_RAY, reason="the optional part ray is installed")
def test_a_bulk_without_ray_is_one_sentence(ingest, tmp_path):
    write_copies(tmp_path / "files", 1)
    output, errors = ingest(tmp_path, "--ray", tmp_path / "files").communicate(timeout=60)
    assert json.loads(output)["error"]["code"] == "missing_part", errors


STAY = """
import sys
from core.library.ingestion.bulk import use_cluster
with use_cluster(1):
    import ray
    print(ray.get_runtime_context().gcs_address, flush=True)
    sys.stdin.read()
"""


def listening(token):
    """The local addresses, as /proc writes them, at which processes with a token listen."""
    sockets = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # of another account, or ended
            if token in (process / "environ").read_bytes():
                sockets |= {os.readlink(file) for file in (process / "fd").iterdir()}
    rows = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path("/proc/net", table).read_text().splitlines()
    ]
    return {row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets}


@needs_ray
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="no socket of a process is told")
def test_a_ray_of_its_own_listens_to_this_machine_alone():
    token = secrets.token_hex(32)
    with subprocess.Popen(
        [sys.executable, "-c", STAY],
        cwd=ROOT,
        env=os.environ | {"RAY_AUTH_TOKEN": token},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as own:
        address = own.stdout.readline().strip()
        places = listening(token.encode())
        assert any(place.endswith(f":{int(address.rpartition(':')[2]):04X}") for place in places)
        assert {place.rpartition(":")[0][-8:] for place in places} <= {"0100007F", "01000000"}
        own.stdin.close()
