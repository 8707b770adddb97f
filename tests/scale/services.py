"""An object store and a database on this machine: moto's S3 server and Debian's PostgreSQL."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pyarrow.fs
import sqlalchemy as sql

from core.settings import Settings

ROOT = Path(__file__).parents[2]
MOTO = ROOT / ".validators" / "bin" / "moto_server"
BUCKET = "rulebooks"
ACCOUNT = "nobody"
"""PostgreSQL refuses to be run by root."""


def missing_parts() -> str:
    """What the tests need and this machine lacks; empty if nothing."""
    return (
        missing_database() if MOTO.exists() else "moto's server is not installed: make validators"
    )


def missing_database() -> str:
    """What a PostgreSQL server needs and this machine lacks; empty if nothing."""
    if find_spec("psycopg") is None:
        return "the optional part postgresql is not installed"
    return "" if find_postgresql() else "PostgreSQL is not installed: apt-get install postgresql"


def find_postgresql() -> Path | None:
    """The folder of PostgreSQL's programs, None where there are none."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return Path(on_path).parent if on_path else found[-1].parent if found else None


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_until(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not come true"
        time.sleep(0.1)


class ObjectStore:
    """moto's S3 server, which keeps objects in memory; it can be stopped and let go on."""

    def __init__(self) -> None:
        self.port = free_port()
        self.environment = {
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        self._process = subprocess.Popen(
            [MOTO, "-H", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._answers)
        self.files = pyarrow.fs.S3FileSystem(
            access_key="key",
            secret_key="secret",
            region="us-east-1",
            endpoint_override=self.environment["AWS_ENDPOINT_URL"],
            allow_bucket_creation=True,
        )
        self.files.create_dir(BUCKET)

    def go_away(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def come_back(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False


class DatabaseServer:
    """A PostgreSQL server of its own, run by an account that is not root."""

    def __init__(self, folder: Path) -> None:
        programs = find_postgresql()
        assert programs is not None
        self.port, self._programs, self._data = free_port(), programs, folder / "data"
        if os.getuid() == 0:
            shutil.chown(folder, ACCOUNT)
        folder.chmod(0o755)
        self._run("initdb", "-D", str(self._data), "-U", "me", "-A", "trust", "--no-sync")
        options = f"-p {self.port} -k '' -c listen_addresses=127.0.0.1 -c fsync=off"
        self._run("pg_ctl", "-D", str(self._data), "-o", options, "-w", "start")

    def new_database(self) -> str:
        """Make an empty database; return its URL."""
        name = f"test_{secrets.token_hex(4)}"
        address = f"postgresql+psycopg://me@127.0.0.1:{self.port}"
        engine = sql.create_engine(f"{address}/postgres", isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        engine.dispose()
        return f"{address}/{name}"

    def stop(self) -> None:
        with suppress(subprocess.CalledProcessError):  # it is slow, but ends
            self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            user=ACCOUNT if os.getuid() == 0 else None,
            cwd="/",
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


class Machine:
    """One of several machines: its own data folder, the store and the database of all."""

    def __init__(self, folder: Path, prefix: str, database_url: str, store: ObjectStore) -> None:
        self.settings = Settings(
            _env_file=None,
            data_dir=folder,
            library_url=f"s3://{BUCKET}/{prefix}",
            database_url=database_url,
            search_mode="lexical",
        )
        self.environment = os.environ | store.environment
        self.environment |= {
            "OPENBLAS_NUM_THREADS": "1",
            "SCRUTINEER_DATA_DIR": str(folder),
            "SCRUTINEER_LIBRARY_URL": f"s3://{BUCKET}/{prefix}",
            "SCRUTINEER_DATABASE_URL": database_url,
            "SCRUTINEER_SEARCH_MODE": "lexical",
        }

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command of `python -m core`, in a group of processes of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "core", *command],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *command: str, seconds: float = 1500.0) -> str:
        """Run a command to its end; return its output."""
        process = self.start(*command)
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            kill(process)  # else it works on beside the tests that follow
            raise
        assert process.returncode in (0, 1), errors  # 1: not answered, or not all the same
        return output

    def serve(self) -> tuple[subprocess.Popen[bytes], str]:
        """Start an app server; return it and its address once it answers."""
        port = free_port()
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "streamlit",
                "run",
                "app.py",
                "--server.headless=true",
                "--server.address=127.0.0.1",
                f"--server.port={port}",
            ],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(lambda: get(f"http://127.0.0.1:{port}/healthz") is not None)
        return server, f"http://127.0.0.1:{port}"


def get(address: str) -> str | None:
    """What is at an address, None where nothing answers."""
    try:
        with urllib.request.urlopen(address, timeout=5) as reply:
            return str(reply.read().decode())
    except OSError:
        return None


def kill(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Kill a process with those that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
