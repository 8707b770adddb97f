"""The processes that read files are copies of one, the fork server: what ends it, and what follows.

What they can do is in `faults/test_hostile_child.py`.
"""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.rulebook import page_image
from core.rulebook.isolation.messages import PageJob
from core.rulebook.isolation.sandbox import ProcessLimits, Worker, WorkerFailed, run_job
from tests.patience import until
from tests.processes import children, fork_servers, status

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data" / "samples" / "meridian_2023_technical_issue1.pdf"
JOB = PageJob(SAMPLE.read_bytes(), 1, 1)
LIMITS = ProcessLimits(60, 60, 1 << 30, 1 << 28)
READER = """
from core.rulebook.isolation.messages import PageJob
from core.rulebook.isolation.sandbox import ProcessLimits, Worker
from tests.processes import children, fork_servers

with Worker(PageJob, ProcessLimits(60, 60, 1 << 30, 1 << 28)):
"""
STAYS = "    print(*children(), *fork_servers(), flush=True); input()"
FORKS = """
    [own] = fork_servers()
    if os.fork():
        os.wait()
        assert fork_servers() == {own}, "it goes on"
        print(len(children()))
    else:
        with Worker(PageJob, ProcessLimits(60, 60, 1 << 30, 1 << 28)):
            print(len(children()), end=" ", flush=True)
            os._exit(0)
"""


@pytest.fixture(autouse=True)
def fork_server():
    """The id of the process that the next reader is a copy of."""
    with Worker(PageJob, LIMITS):
        if not fork_servers():
            pytest.skip("nothing is forked on this system")


def newest_fork_server():
    """The id of the one whose copy a reader is that starts now."""
    before = children()
    with Worker(PageJob, LIMITS):
        [reader] = children() - before
        return status(reader)["PPid"]


def test_readers_and_what_they_are_copies_of_have_one_thread():
    before = children()
    with Worker(PageJob, LIMITS):
        [reader] = children() - before
        server = status(reader)["PPid"]
        assert server in fork_servers()
        assert [status(process)["Threads"] for process in (server, reader)] == ["1", "1"]
        assert server == newest_fork_server(), "one for all"


@pytest.mark.slow
def test_once_the_fork_server_was_killed_another_one_starts():
    killed = newest_fork_server()
    with Worker(PageJob, LIMITS) as worker:
        os.kill(int(killed), signal.SIGKILL)
        with pytest.raises(WorkerFailed, match="crash"):
            list(worker.run(JOB))
    assert page_image(SAMPLE.read_bytes(), 1, 0.1)
    assert newest_fork_server() != killed


@pytest.mark.slow
def test_after_a_crash_readers_have_other_addresses_and_those_that_read_go_on():
    server, before = newest_fork_server(), children()
    with Worker(PageJob, LIMITS) as going_on:
        others = children()

        def crash():
            for reader in children() - others:
                os.kill(int(reader), signal.SIGSEGV)
            return False

        with pytest.raises(WorkerFailed, match="crash"):
            list(run_job(JOB, LIMITS, crash))
        assert newest_fork_server() != server
        assert len(list(going_on.run(JOB))) == 17
    assert children() <= before
    assert server not in fork_servers()


def test_many_threads_start_readers_at_once():
    with ThreadPoolExecutor(8) as threads:
        pages = range(1, 9)
        pictures = list(threads.map(lambda page: page_image(SAMPLE.read_bytes(), page, 0.1), pages))
    assert len(set(pictures)) == 8


@pytest.mark.slow
def test_all_end_with_an_application_that_is_killed():
    with subprocess.Popen(
        [sys.executable, "-c", READER + STAYS],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as application:
        assert application.stdout
        processes = application.stdout.readline().split()
        assert len(processes) == 2
        os.kill(int(processes[0]), signal.SIGSTOP)
        application.kill()
        until(lambda: not any(status(process) for process in processes))


@pytest.mark.slow
def test_a_copy_of_the_application_has_a_fork_server_of_its_own():
    done = subprocess.run(
        [sys.executable, "-c", "import os" + READER + FORKS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout.split(), done.stderr) == (["1", "1"], "")
