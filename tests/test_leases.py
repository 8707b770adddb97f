"""Leases on rows: one holder at a time, and none for ever."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Timer

import pytest
import sqlalchemy as sql

from core.database import EpochNow, SqlDatabase
from core.leases import LEASE_SECONDS, Leases, lease_columns

METADATA = sql.MetaData()
SEATS = sql.Table("seats", METADATA, sql.Column("number", sql.Integer, primary_key=True))
for column in lease_columns():
    SEATS.append_column(column)


class Seats(SqlDatabase):
    metadata = METADATA
    content = "seats"


@pytest.fixture
def leases(tmp_path):
    database = Seats(f"sqlite:///{tmp_path / 'seats.db'}")
    database.execute(SEATS.insert().values([{"number": number} for number in range(1, 4)]))
    return Leases(database, SEATS)


def test_a_new_database_waits_for_another_that_writes_it_first(tmp_path):
    path = tmp_path / "seats.db"
    first = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    first.execute("BEGIN IMMEDIATE")
    end = Timer(0.1, first.execute, ["COMMIT"])
    end.start()
    assert Seats(f"sqlite:///{path}").is_empty()
    end.join()
    first.close()


def claim(leases, number=None):
    return leases.claim(sql.true() if number is None else SEATS.c.number == number)


def test_each_claim_gets_a_row_of_its_own(leases):
    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda _: claim(leases), range(4)))
    assert sorted(lease.key for lease in taken if lease) == [1, 2, 3]
    assert taken.count(None) == 1


def test_what_is_given_back_is_free_again(leases):
    first = claim(leases, 2)
    assert claim(leases, 2) is None
    assert first.release()
    assert claim(leases, 2).key == 2


def test_a_lease_that_was_not_renewed_is_taken_over_and_its_holder_learns_it(leases):
    late = claim(leases, 1)
    assert late.update()
    leases.database.execute(SEATS.update().values(held_until=EpochNow() - 1))
    taker = claim(leases, 1)
    assert taker is not None
    assert not late.update()
    assert not late.release()
    assert taker.update()


@pytest.mark.slow
def test_the_lease_of_a_killed_process_is_free_at_once(leases, tmp_path):
    code = (
        "from tests.test_leases import *; import os, signal\n"
        f"claim(Leases(Seats('sqlite:///{tmp_path / 'seats.db'}'), SEATS), 1)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": "."}, check=False)
    assert claim(leases, 1) is not None


def test_the_clock_is_the_databases_own(leases):
    lease = claim(leases, 1)
    with leases.database.read_transaction() as connection:
        left = connection.scalar(sql.select(SEATS.c.held_until - EpochNow()).where(lease.is_held()))
    assert 0 < left <= LEASE_SECONDS
