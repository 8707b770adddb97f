"""Which clauses have the words that a person searched for."""

from core.library import Hit, query_stems
from tests.registers.trike import clauses


def test_a_clause_is_found_by_its_own_words_or_its_number():
    wheelbase = next(one for one in clauses() if one.article == "1.1")
    assert Hit(wheelbase, 1.0, "words").has_own_words(query_stems("wheelbases", ()))
    others = query_stems("battery", ())
    assert not Hit(wheelbase, 1.0, "words").has_own_words(others)
    assert Hit(wheelbase, 1.0, "exact").has_own_words(others)
