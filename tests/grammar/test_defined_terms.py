"""A term is found in a question, and what defines it in a clause, by the form of their words."""

import pytest

from core.grammar import AskedTerm, find_definition, stem_term


@pytest.mark.parametrize(
    ("question", "term", "form"),
    [
        ("What does “Pit Wall” mean?", "Pit Wall", "meaning"),
        ("definition of a pit wall, please", "pit wall", "meaning"),
        ("What is meant by pit wall in the 2025 regulations?", "pit wall", "meaning"),
        ("pit wall - meaning?", "pit wall", "meaning"),
        ("Was versteht man unter einer Boxenmauer?", "Boxenmauer", "meaning"),
        ("Que signifie « voie rapide » ?", "voie rapide", "meaning"),
        ("What is a pit wall?", "pit wall", "thing"),
        ("what are DEs", "DE", "thing"),
        ("Was ist ein Rücktritt?", "Rücktritt", "thing"),
        ("What is the wheelbase?", "wheelbase", "certain"),
        ("What is allowed on the pit wall?", "allowed on the pit wall", "certain"),
    ],
)
def test_a_question_for_a_meaning_names_its_term(question, term, form):
    asked = AskedTerm.find(question)
    assert asked is not None
    assert (asked.term, asked.form) == (term, form)


@pytest.mark.parametrize(
    "question", ["How long is a race?", "May a driver reverse?", "Article 5.1", "pit wall"]
)
def test_other_questions_ask_for_no_term(question):
    assert AskedTerm.find(question) is None


@pytest.mark.parametrize(
    ("text", "term", "words", "rank"),
    [
        ("“Pit Wall” means the wall beside the track.", "pit walls", "all", 0),
        ("a) Fuel: petrol.\nb) “Pit Wall”: the wall.\nc) Oil: oil.", "pit wall", "b) “P", 0),
        ("A pit wall is defined as any wall beside the track.", "pit wall", "all", 1),
        ("The Pit Wall Board (PWB) shall mean a board held out.", "PWB", "all", 1),
        ("“Heat-treated parts” means parts that were hardened.", "heat treated part", "all", 0),
        ("“Consideration” means what is paid.", "consideration for a heat treatment", None, None),
        ("Teams stand at the wall beside the track (the “Pit Wall”).", "pit wall", "all", 2),
        ("The wall beside the track will be called the pit wall.", "pit wall", "all", 2),
        ("The lane beside it is known as pit or service lane.", "pit or service lane", "all", 2),
        ("For the purpose of this Article, a pit wall is any wall.", "pit wall", "all", 3),
        ("Der Rücktritt aus dem Amt ist das freiwillige Ausscheiden.", "Rücktritt", "all", 4),
        ("“Pit Wall” has the meaning given in Article 3.1.", "pit wall", "all", 5),
        ("Nobody may climb the pit wall during a race.", "pit wall", None, None),
        ("“Pit Wall Board” means a board held out.", "pit wall", None, None),
    ],
)
def test_a_term_is_defined_by_the_form_of_a_sentence(text, term, words, rank):
    found = find_definition(stem_term(term), "", text)
    if rank is None:
        assert found is None
    else:
        assert found is not None
        assert found.rank == rank
        assert found.words == text if words == "all" else found.words.startswith(words)


def test_a_definition_has_the_items_that_it_leads_to():
    text = "a) “Start” means either:\n(i) a standing start; or\n(ii) a rolling start.\nb) More."
    found = find_definition(stem_term("start"), "", text)
    assert found is not None
    assert found.words == text[: -len("\nb) More.")]


def test_a_title_below_definitions_is_a_term_and_another_title_is_none():
    text = "The wall beside the track."
    term = stem_term("pit wall")
    below = find_definition(term, "Pit wall (PW)", text, ("1 DEFINITIONS",))
    assert below is not None
    assert (below.words, below.rank) == (text, 0)
    assert find_definition(term, "Pit wall", text, ("1 SAFETY",)) is None


def test_a_row_of_a_table_of_terms_defines_its_first_cell():
    table = "| PW | Pit wall |\n|---|---|\n| TC | Track centre |"
    found = find_definition(stem_term("TC"), "Abbreviations", table)
    assert found is not None
    assert found.words == "| TC | Track centre |"
    assert find_definition(stem_term("TC"), "Dimensions", table) is None
