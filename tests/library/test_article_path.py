"""The hierarchy of clauses, from their numbers alone."""

import pytest

from core.library.article_path import article_steps, children_of, descendants_of


@pytest.mark.parametrize(
    ("article", "path"),
    [
        ("B1.7.2", ("b1", "7", "2")),
        ("1.1.(2)", ("1", "1", "(2)")),
        ("Appendix 3, 7.1", ("appendix 3", "7", "1")),
        ("Appendix 1, Part A, 2", ("appendix 1", "part a", "2")),
    ],
)
def test_a_number_is_split_into_levels(article, path):
    assert article_steps(article) == path


def test_the_items_of_an_appendix_are_its_descendants(add, library):
    numbers = ("3.7", "Appendix 3", "Appendix 3, 7", "Appendix 3, 7.1", "Appendix 37")
    document = add("Cup", *((number, f"Rule {number}.") for number in numbers))
    clauses = library.clauses(document.document_id)
    appendix = clauses[1]
    assert [clause.article for clause in descendants_of(appendix, clauses)] == [
        "Appendix 3, 7",
        "Appendix 3, 7.1",
    ]
    assert [clause.article for clause in children_of(appendix, clauses)] == ["Appendix 3, 7"]
