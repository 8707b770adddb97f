"""What is derived from a document: made once, made again where it is older, gone with it."""

from dataclasses import replace

import pytest

from core.errors import LibraryError
from core.library.integrity import check_library
from core.library.storage.derived import (
    DerivedKind,
    complete_derived_values,
    describe_derived_values,
)
from core.library.storage.library import Library
from core.library.storage.places import LibraryPlace
from core.rulebook import MetadataOverride
from tests.library.cup import add_rulebook

PIT = "A speed limit of 80 km/h applies in the pit lane."
FLAGS = "A driver must slow down under yellow flags."


class WordCounter:
    """Counts the words of documents, and remembers of which."""

    def __init__(self):
        self.counted = []

    def __call__(self, library, document):
        self.counted.append(document.title)
        return sum(len(one.text.split()) for one in library.clauses(document.document_id))


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "data")


@pytest.fixture
def cup(library):
    return add_rulebook(library, "Cup", ("1", PIT))


@pytest.fixture
def words():
    """Word counts as a kind; `words.make.counted` are the documents that were counted."""
    return DerivedKind("words", 1, WordCounter(), lambda count: b"%d" % count, int)


def file_of(library, document, kind):
    return library.folder / "derived" / kind.name / document.document_id


def test_a_value_is_made_once(library, cup, words):
    assert words.load(library, cup) is None
    assert [words.obtain(library, cup) for _ in range(3)] == [11, 11, 11]
    assert words.make.counted == ["Cup"]


def test_another_start_of_the_program_finds_it(library, cup, words):
    words.obtain(library, cup)
    assert words.load(Library(library.folder), cup) == 11


def test_it_is_made_again_when_the_version_of_its_kind_is_raised(library, cup, words):
    words.obtain(library, cup)
    raised = replace(words, version=2, make=lambda *_: 12)
    assert raised.load(library, cup) is None
    assert raised.load(library, cup, older=True) is None
    assert raised.obtain(library, cup) == 12
    assert words.load(library, cup) is None


def test_it_is_made_again_when_the_document_is_read_otherwise(library, cup, words):
    words.obtain(library, cup)
    read_anew = replace(cup, counts={**cup.counts, "other_texts": 1})
    assert words.load(library, read_anew) is None
    assert words.load(library, read_anew, older=True) == 11


def test_another_season_of_the_document_leaves_it_as_it_is(library, cup, words):
    words.obtain(library, cup)
    corrected = library.correct_metadata(cup.document_id, MetadataOverride(season=2030))
    assert words.load(library, corrected) == 11


def test_it_is_made_again_when_what_else_it_is_made_from_is_another(library, cup, words):
    units = ["km/h"]
    kind = replace(words, inputs=lambda *_: tuple(units))
    kind.obtain(library, cup)
    assert kind.load(library, cup) == 11
    units.append("mph")
    assert kind.load(library, cup) is None


@pytest.mark.parametrize("damage", [b"", b"1", b"\xff\xfe\n11", b"1 0 0\n11"])
def test_a_damaged_file_counts_as_missing(library, cup, words, damage):
    words.obtain(library, cup)
    file_of(library, cup, words).write_bytes(damage)
    assert words.load(library, cup) is None
    assert words.obtain(library, cup) == 11
    assert words.load(library, cup) == 11


def test_one_changed_sign_of_its_content_is_noticed(library, cup, words):
    words.obtain(library, cup)
    path = file_of(library, cup, words)
    path.write_bytes(path.read_bytes().removesuffix(b"11") + b"12")
    assert words.load(library, cup) is None


def test_a_library_is_completed_with_what_is_missing(library, cup, words):
    words.obtain(library, cup)
    add_rulebook(library, "Sled", ("1", FLAGS))
    complete_derived_values(library, [words])
    complete_derived_values(library, [words])
    assert words.make.counted == ["Cup", "Sled"]


def test_an_unfinished_value_is_used_and_tried_again(library, cup, words):
    kind = replace(words, is_unfinished=lambda count: count < 13, make=WordCounter())
    complete_derived_values(library, [kind])
    assert kind.obtain(library, cup) == 11
    complete_derived_values(library, [kind])
    assert kind.make.counted == ["Cup", "Cup"]


def test_one_document_that_cannot_be_read_does_not_keep_others_from_being_completed(
    library, cup, words
):
    sled = add_rulebook(library, "Sled", ("1", FLAGS))

    def make(_library, document):
        if document == cup:
            raise LibraryError("A checksum is wrong.", code="damaged")
        return 8

    kind = replace(words, make=make)
    complete_derived_values(library, [kind])
    assert kind.load(library, cup) is None
    assert kind.load(library, sled) == 8


def test_it_leaves_with_its_document(library, cup, words):
    sled = add_rulebook(library, "Sled", ("1", FLAGS))
    complete_derived_values(library, [words])
    library.remove_document(cup.document_id)
    assert not file_of(library, cup, words).exists()
    assert words.load(library, sled) == 8


def test_what_was_made_of_a_document_that_left_meanwhile_is_removed(library, cup, words):
    add_rulebook(library, "Sled", ("1", FLAGS))
    library.remove_document(cup.document_id)
    for tidy in (Library.clean_up_leftovers, lambda one: complete_derived_values(one, [words])):
        replace(words, make=lambda *_: 11).remake(library, cup)
        assert file_of(library, cup, words).exists()
        tidy(library)
        assert not file_of(library, cup, words).exists()


def test_check_finds_no_fault_and_a_sentence_says_what_is_missing(library, cup, words):
    add_rulebook(library, "Sled", ("1", FLAGS))
    words.obtain(library, cup)
    assert list(check_library(library)) == []
    assert list(describe_derived_values(library, [words])) == [
        "Documents with words: 1 of 2; missing or older, and made again when needed: Sled."
    ]
    complete_derived_values(library, [words])
    assert list(describe_derived_values(library, [words])) == ["Documents with words: 2 of 2."]


@pytest.mark.slow
def test_a_sentence_names_five_of_many(library, cup, words):
    for number in range(6):
        add_rulebook(library, f"Sled {number}", ("1", FLAGS))
    [sentence] = describe_derived_values(library, [words])
    assert sentence.endswith("Cup, Sled 0, Sled 1, Sled 2, Sled 3 and 2 more.")


def test_an_empty_library_has_nothing_to_say(library, words):
    complete_derived_values(library, [words])
    assert list(describe_derived_values(library, [words])) == []


def test_each_machine_keeps_its_own_of_a_shared_library(tmp_path, words):
    lease = f"sqlite:///{tmp_path / 'leases.db'}"
    here, there = (
        Library(LibraryPlace(tmp_path / machine, str(tmp_path / "shared"), lease))
        for machine in ("a", "b")
    )
    cup = add_rulebook(here, "Cup", ("1", PIT))
    complete_derived_values(here, [words])
    assert words.load(there, cup) is None
    complete_derived_values(there, [words])
    there.remove_document(cup.document_id)
    assert (file_of(here, cup, words).exists(), file_of(there, cup, words).exists()) == (1, 0)
    complete_derived_values(here, [words])
    assert not file_of(here, cup, words).exists()


def test_a_disk_that_takes_nothing_loses_only_the_copy(library, cup, words):
    (library.folder / "derived").write_text("a file where the folder would be")
    assert words.obtain(library, cup) == 11
    assert words.load(library, cup) is None
