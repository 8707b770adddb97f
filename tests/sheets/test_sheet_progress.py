"""A sheet that is checked again: only what is new, with its progress."""

import pytest

from core.registers.register import read_register
from core.sheets import LimitIndex, SheetRow, SheetStore, check_new_rows
from tests.library.test_scope import S24, S25_4
from tests.registers.trike import clauses


class Shelf:
    """As much of a library as a check asks for."""

    state = "1"

    def documents(self):
        return [S24, S25_4]

    def list_editions(self, document):
        return [document]


def test_what_is_known_is_not_checked_again(tmp_path):
    index = LimitIndex(read_register(clauses()))
    rows = [SheetRow(str(one), "wheelbase", "1100", "mm") for one in range(30)]
    library, known, done = Shelf(), {}, []

    def check(rows):
        store = SheetStore(tmp_path)
        documents = (S24, S25_4)
        return check_new_rows(library, rows, documents, lambda *_: index, store, known, done.append)

    checked = check(rows)
    assert [one.document for one in checked] == [S24] * 30 + [S25_4] * 30
    assert {one.result.verdict for one in checked} == {"not legal"}
    assert done == pytest.approx([0, 25 / 60, 0.5, 55 / 60])
    assert check(rows) == checked
    assert len(done) == 4
    library.state = "2"
    check(rows[:1])
    assert len(done) == 6
