"""The sentences of a document: parsed once, kept with it, and asked by every list and check."""

from dataclasses import replace
from functools import partial
from itertools import chain

import pytest

from core.grammar import find_languages, list_printed_sentences, read_passages, read_sentence
from core.library import Hit, Library
from core.registers import find_kept_sentences, obligations_of, register_of
from core.registers.document_sentences import SENTENCES, DocumentSentences, read_sentences
from core.registers.obligations import read_obligations
from core.registers.register import read_register
from core.sheets import complete_library
from core.verification import Evidence, cite
from tests.library.cup import add_rulebook
from tests.registers.trike import add_trike_rules
from tests.verification.drafts import verify

WIDTHS = "The maximum widths are:\na. Of a wing: 900 mm\nb. Of a tyre: 300 mm"
TABLE = "Vehicles must keep:\n| Part | Maximum mass |\n|---|---|\n| Frame | 20 ± 2 kg |"
BRACKET = "The lane must be open (the maximum speed is 30 km/h) from 8:00 to 20:00."


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "data")


@pytest.fixture
def trike(library):
    return library.document(add_trike_rules(library))


@pytest.fixture
def cup(library):
    rules = ("1", WIDTHS), ("2", TABLE), ("3", BRACKET)
    return add_rulebook(library, "Cup", *rules)


def file_of(library, document):
    return library.folder / "derived" / "sentences" / document.document_id


def test_they_are_kept_as_they_were_parsed(library, trike, cup):
    complete_library(library)
    for document in (trike, cup):
        kept = SENTENCES.load(library, document)
        assert kept == read_sentences(library.clauses(document.document_id))
        assert any(chain.from_iterable(kept.passages.values()))


def test_what_is_kept_is_not_parsed_again(library, trike):
    complete_library(library)
    written = file_of(library, trike).stat().st_mtime_ns
    complete_library(library)
    register_of(library, trike)
    obligations_of(library, trike)
    assert file_of(library, trike).stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", [b"", b"1 2 3\nx", b"\xff"])
def test_damaged_ones_are_parsed_again(library, trike, damage):
    complete_library(library)
    file_of(library, trike).write_bytes(damage)
    assert SENTENCES.load(library, trike) is None
    obligations_of(library, trike)
    assert SENTENCES.load(library, trike) is not None


def test_bytes_of_something_else_are_no_sentences(library, trike):
    for content in (b"", b"{}", SENTENCES.encode(DocumentSentences(("en",), {}))[:-1]):
        with pytest.raises(ValueError, match="no sentences"):
            SENTENCES.decode(content)


def test_limits_and_obligations_are_those_of_the_kept_sentences(library, trike):
    clauses = library.clauses(trike.document_id)
    assert register_of(library, trike) == read_register(clauses)
    assert obligations_of(library, trike) == read_obligations(clauses)


def test_neither_list_parses_a_clause_whose_sentences_are_kept(library, trike):
    none = replace(SENTENCES, make=lambda *_: DocumentSentences(("en",), {}))
    none.remake(library, trike)
    assert register_of(library, trike).limits == ()
    assert obligations_of(library, trike).obligations == ()


def test_a_document_is_read_in_one_language(library):
    rules = (
        ("1", "Die Breite eines Wagens darf nicht mehr als 900 mm sein, und die Höhe auch nicht."),
        ("2", "Minimum 300 mm."),
    )
    kept = read_sentences(library.clauses(add_rulebook(library, "Wagen", *rules).document_id))
    languages = {one.sentence.language for one in chain.from_iterable(kept.passages.values())}
    assert (kept.languages, languages) == (("de",), {"de"})


def test_of_a_document_in_two_languages_each_sentence_is_read_in_its_own(library):
    rules = (
        ("1", "Les voitures doivent avoir une largeur de 900 mm.\nThe cars must be 900 mm wide."),
        ("2", "La hauteur est de 400 mm au plus.\nThe height of a car must be 400 mm at most."),
    )
    document = add_rulebook(library, "Coupe", *rules)
    kept = read_sentences(library.clauses(document.document_id))
    assert set(kept.languages) == {"en", "fr"}
    languages = [one.sentence.language for one in chain.from_iterable(kept.passages.values())]
    assert languages == ["fr", "en", "fr", "en"]
    duties = obligations_of(library, document).obligations
    assert [duty.modality for duty in duties if duty.quote.startswith("The")] == ["must", "must"]


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        ((), "en"),
        (("800 mm",), "en"),
        (
            ("The car must be of this kind and have a bell on it, and so must a trike.", "قواعد"),
            "en",
        ),
        (("800 mm, 20 kg, 90 km/h, 20 s, 5 V", "Der Wagen ist mit einer Hupe zu fahren."), "de"),
    ],
)
def test_a_name_or_a_table_makes_no_further_language(texts, language):
    assert find_languages(texts) == (language,)


def test_a_table_row_is_one_sentence_with_the_amounts_of_its_cells():
    [row] = [
        s
        for words, s in list_printed_sentences(read_passages(TABLE, (), ("en",))).items()
        if "|" in words
    ]
    assert row.text == "| Frame | 20 ± 2 kg |"
    assert [(one.relation, one.value, one.upper) for one in row.amounts] == [("between", 18, 22)]


def test_what_stands_in_brackets_belongs_to_the_sentence_that_it_is_printed_in():
    [(words, sentence)] = list_printed_sentences(read_passages(BRACKET, (), ("en",))).items()
    assert words == sentence.text == BRACKET
    assert "at most 30 km/h" in map(str, sentence.amounts)


def test_sentences_of_cited_clauses_are_found_where_they_are_kept(library, trike, cup):
    [first, *_], [other, *_] = (library.clauses(d.document_id) for d in (trike, cup))
    assert find_kept_sentences(library, other.clause_id) == {}
    SENTENCES.remake(library, cup)
    assert find_kept_sentences(library, first.clause_id) == {}
    assert find_kept_sentences(library, "unknown:1") == {}
    wing = find_kept_sentences(library, other.clause_id)["Of a wing: 900 mm"]
    assert [str(one) for one in wing.amounts] == ["at most 900 mm"]


def test_a_draft_is_held_against_an_item_with_what_leads_to_it(library, cup):
    clause = library.clauses(cup.document_id)[0]
    [source] = (evidence := Evidence()).add_hits([Hit(clause, 1.0, "exact")], {})
    SENTENCES.remake(library, cup)
    kept = partial(find_kept_sentences, library)
    alone = read_sentence("Of a wing: 900 mm").amounts
    assert not any(one.relation == "at most" for one in alone)

    def check(draft):
        said = [cite(source, "Of a wing: 900 mm")]
        checks = verify(f"{draft} [1]", said, evidence, "", kept=kept)
        return [one.message for one in checks if not one.passed and not one.is_doubt]

    assert not check("The width of a wing is at most 900 mm.")
    [message] = check("The width of a wing is at least 900 mm.")
    assert "says “at least 900 mm” where it is “at most 900 mm”" in message
