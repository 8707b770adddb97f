"""Which documents a run sees, chosen from documents that have no files."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from core.errors import LibraryError
from core.library.retrieval.query_filters import (
    find_missing_editions,
    find_missing_series,
    parse_query_filters,
)
from core.library.samples import sample_ids
from core.library.scope import resolve_scope
from core.library.types import Document, ScopeChoice, series_of


def document(
    title: str, family: str | None, season: int | None, issue: int | None, date: str | None = None
) -> Document:
    name = sha256(f"{title} {issue}".encode()).hexdigest()
    return Document(
        title=title,
        family=family,
        season=season,
        issue=issue,
        date=date,
        document_id=name,
        file=f"{title}.pdf",
        pages=10,
        clauses=100,
        size=1000,
        added_at="2026-01-01T00:00:00+00:00",
    )


S23 = document("2023 Cup Sporting Regulations", "cup-sporting", 2023, 6, "2023-08-31")
S24 = document("2024 Cup Sporting Regulations", "cup-sporting", 2024, 6, "2024-04-30")
S25_4 = document("2025 Cup Sporting Regulations", "cup-sporting", 2025, 4, "2025-02-26")
S25_5 = document("2025 Cup Sporting Regulations", "cup-sporting", 2025, 5, "2025-04-30")
T24 = document("2024 Cup Technical Regulations", "cup-technical", 2024, 7, "2024-07-31")
STUDENT = document("Formula SAE Rules 2024", "fsae", 2024, None, "2023-09-01")
CODE = document("International Sporting Code", "code", None, None)
LOOSE = document("Guidelines", None, 2025, None)
SHELF = (S23, S24, S25_4, S25_5, T24, STUDENT, CODE, LOOSE)


def seen(question: str, **choice: Any) -> set[str]:
    return set(resolve_scope(SHELF, ScopeChoice(**choice), question).ids)


def ids(*documents: Document) -> set[str]:
    return {document.document_id for document in documents}


def test_the_default_is_the_newest_issue_of_each_family_and_all_that_is_not_dated() -> None:
    assert set(resolve_scope(SHELF).ids) == ids(S25_5, T24, STUDENT, CODE, LOOSE)
    assert resolve_scope(SHELF).why == "the newest issue of each rulebook"


def test_a_season_means_its_newest_issues() -> None:
    assert set(resolve_scope(SHELF, ScopeChoice(season=2025)).ids) == ids(S25_5, LOOSE)
    assert set(resolve_scope(SHELF, ScopeChoice(season=2024)).ids) == ids(S24, T24, STUDENT)


def test_family_issue_and_document_narrow() -> None:
    assert resolve_scope(SHELF, ScopeChoice(family="cup-sporting")).documents == (S25_5,)
    assert resolve_scope(SHELF, ScopeChoice(season=2025, issue=4)).documents == (S25_4,)
    assert resolve_scope(SHELF, ScopeChoice(document=S23.document_id[:8])).documents == (S23,)


def test_an_unknown_document_is_an_error() -> None:
    for unknown in ("ffffffffffff", S23.document_id[:7]):
        with pytest.raises(LibraryError) as caught:
            resolve_scope(SHELF, ScopeChoice(document=unknown))
        assert caught.value.code == "unknown_document"


def test_a_missing_season_gives_an_empty_scope_with_a_reason() -> None:
    for scope in (
        resolve_scope(SHELF, ScopeChoice(season=2027)),
        resolve_scope(SHELF, ScopeChoice(), "Points in the 2027 regulations?"),
    ):
        assert scope.documents == ()
        assert (
            scope.why == "the library holds no document of season 2027; it holds 2023, 2024, 2025"
        )
    assert resolve_scope((), ScopeChoice()).why == "the library is empty; add a rulebook first"


def test_a_question_restricts_the_scope_to_what_it_names() -> None:
    assert seen("What is the pit lane speed limit in 2023?") == ids(S23)
    assert seen("How wide is the car under the 2024 technical regulations?") == ids(T24)
    assert seen("Minimum mass, technical regs") == ids(T24)
    assert seen("What does FSAE say about the brake pedal?") == ids(STUDENT)
    assert seen("Formula Student brake pedal") == ids(STUDENT)
    assert seen("Is there a protest fee in the International Sporting Code?") == ids(CODE)
    assert seen("What did issue 4 of 2025 say about points?") == ids(
        S25_4,
    )
    assert seen("What is the pit lane speed limit?") == ids(S25_5, T24, STUDENT, CODE, LOOSE)


@pytest.mark.parametrize(
    "question",
    [
        "From 2029, which fuel may be used?",
        "Which fuel must be used from 2027 on?",
        "Points in 2027?",
        "How must F2.1.2 be read?",
        "What do engines of 2031 need?",
    ],
)
def test_a_year_or_a_number_that_is_of_no_document_narrows_nothing(question: str) -> None:
    assert seen(question) == ids(S25_5, T24, STUDENT, CODE, LOOSE)


def test_a_season_that_is_not_held_is_missing_and_a_time_is_not() -> None:
    assert find_missing_editions("Points in 2027?", SHELF) == ("season 2027",)
    assert find_missing_editions("From 2027, how many points?", SHELF) == ()
    assert find_missing_editions("How must F2.1.2 be read?", SHELF) == ()


def test_a_choice_stays_where_nothing_of_it_is_of_what_is_named() -> None:
    chosen = ScopeChoice(family="cup-sporting")
    scope = resolve_scope(
        SHELF, chosen, "What do the 2027 regulations say of points?", is_firm=True
    )
    assert scope.documents == (S25_5,)
    assert "no document of cup-sporting of season 2027" in scope.why


def test_the_code_of_all_series_is_seen_with_each() -> None:
    formula = document("2025 Formula 1 Sporting Regulations", "fia-f1-sporting", 2025, 1)
    code = document("2025 International Sporting Code", "fia-isc", 2025, 1)
    shelf = (formula, code, STUDENT)
    asked = resolve_scope(shelf, ScopeChoice(), "Who needs a Formula 1 Super Licence?")
    assert set(asked.ids) == ids(formula, code)


def test_two_named_seasons_or_issues_are_both_in_scope() -> None:
    assert seen("What changed in the sporting regulations between 2023 and 2024?") == ids(S23, S24)
    assert seen("Sporting regulations 2023-2024: differences?") == ids(S23, S24)
    assert seen("Compare issue 4 and issue 5 of the 2025 sporting rules") == ids(S25_4, S25_5)
    assert seen("2025 issues 4 and 5: points") == ids(S25_4, S25_5)
    assert seen(
        "From issue 6 of 2024 to issue 5 of 2025, what is new in the sporting regs?"
    ) == ids(S24, S25_5)


def test_a_missing_one_of_two_seasons_is_reported() -> None:
    scope = resolve_scope(
        SHELF, ScopeChoice(), "Sporting regulations: what changed between 2024 and 2027?"
    )
    assert scope.documents == (S24,)
    assert "no document of cup-sporting of season 2027" in scope.why


@pytest.mark.parametrize(
    "question",
    [
        "May a part be 2025 mm long?",
        "Is 1900 kg too heavy?",
        "Can it weigh more than 2000 grams?",
        "Does FIA Standard 8856-2018 apply?",
        "What does Article 2024 say?",
        "A fine of €2000",
        "engine speed above 2000",
        "Must it be filed by 31 March 2024?",
        "car 2025-B",
        "section 20.24",
    ],
)
def test_other_numbers_are_no_season(question: str) -> None:
    assert parse_query_filters(question, SHELF).choices == ()


def test_what_is_chosen_goes_before_what_the_question_names_and_says_so() -> None:
    scope = resolve_scope(SHELF, ScopeChoice(season=2025), "What was the limit in 2023?")
    assert scope.documents == resolve_scope(SHELF, ScopeChoice(season=2025)).documents
    assert scope.why == (
        "the question names season 2023; what is chosen goes before that: season 2025"
    )
    assert seen("And in 2023?", document=S25_5.document_id) == ids(S25_5)
    own = resolve_scope(SHELF, ScopeChoice(document=S23.document_id), "And in 2023?")
    assert own.why == "the question names season 2023"
    assert seen("And in issue 4 of 2023?", season=2024, family="cup-sporting") == ids(S24)


def test_what_the_question_names_narrows_what_is_chosen() -> None:
    assert seen("And the penalties?", season=2024, family="cup-sporting") == ids(S24)
    assert seen("And in 2023?", family="cup-sporting") == ids(S23)
    assert seen("2023 against 2024?", family="cup-sporting") == ids(S23, S24)


def test_ticked_documents_are_the_scope_whatever_a_question_names() -> None:
    ticked = (S23.document_id, S25_4.document_id)
    assert set(resolve_scope(SHELF, ScopeChoice(documents=ticked)).ids) == set(ticked)
    for question in ("And in 2024?", "And in 2023?", "The technical regulations: mass?"):
        assert seen(question, documents=ticked) == set(ticked)
    one = resolve_scope(SHELF, ScopeChoice(documents=ticked), "And in 2023?")
    assert one.why == "the question names season 2023"
    none = resolve_scope(SHELF, ScopeChoice(documents=ticked), "And in 2024?")
    assert none.why == (
        "the question names season 2024; what is chosen goes before that: ticked documents"
    )
    assert resolve_scope((*SAMPLES, CODE), ScopeChoice(documents=(SAMPLES[0].document_id,))).ids
    assert resolve_scope(SHELF, ScopeChoice(documents=())).why == "no document is ticked"


def test_a_day_selects_what_was_in_force() -> None:
    assert seen("Sporting rules on 16 March 2025: is the point awarded?") == ids(S25_4)
    assert seen("sporting regulations as of 2025-05-01") == ids(S25_5)
    assert seen("Which sporting regulations applied in March 2025?") == ids(S25_4)
    assert (
        resolve_scope(
            SHELF, ScopeChoice(season=2025, family="cup-sporting", on="2025-01-01")
        ).documents
        == ()
    )


def test_scope_words_are_removed_from_the_query() -> None:
    assert (
        parse_query_filters(
            "What is the speed limit in the 2025 sporting regulations?", SHELF
        ).remaining_text
        == "What is the speed limit in the ?"
    )


def test_without_seasons_a_year_is_part_of_a_name() -> None:
    undated = tuple(replace(document, season=None) for document in SHELF)
    assert (
        parse_query_filters("What do the Companies Regulations 2020 require?", undated).choices
        == ()
    )


def test_what_the_default_leaves_out_is_told() -> None:
    assert ids(*resolve_scope(SHELF).left_out) == ids(S23, S24, S25_4)
    named = resolve_scope(SHELF, ScopeChoice(), "2025 sporting regulations: points?")
    assert (named.documents, named.left_out) == ((S25_5,), (S25_4,))
    assert resolve_scope(SHELF, ScopeChoice(document=S23.document_id)).left_out == ()


def test_every_document_is_in_the_default_scope_or_told_to_be_left_out() -> None:
    scope = resolve_scope((*SHELF, *SAMPLES))
    assert ids(*scope.documents, *scope.left_out) == ids(*SHELF, *SAMPLES)


SAMPLES = tuple(
    replace(T24, document_id=name, title=f"2024 Sample Regulations {number}", family="sample-cup")
    for number, name in enumerate(sorted(sample_ids())[:2])
)


def test_samples_leave_the_default_scope_with_the_first_other_document() -> None:
    assert resolve_scope(SAMPLES).documents == SAMPLES
    scope = resolve_scope((*SAMPLES, CODE))
    assert (scope.documents, scope.left_out) == ((CODE,), SAMPLES)
    missing = resolve_scope((*SAMPLES, STUDENT, S23), ScopeChoice(season=2025))
    assert missing.why == "the library holds no document of season 2025; it holds 2023, 2024"


def test_samples_are_seen_if_they_are_named() -> None:
    held = (*SAMPLES, CODE)
    assert resolve_scope(held, ScopeChoice(family="sample-cup")).documents == SAMPLES
    assert resolve_scope(held, ScopeChoice(), "Sample Cup: pit lane?").documents == SAMPLES
    [chosen] = resolve_scope(held, ScopeChoice(document=SAMPLES[0].document_id)).documents
    assert chosen.citation_label.endswith("(invented)")
    assert CODE.citation_label == CODE.label


def test_the_words_of_a_family_name_it_only_together() -> None:
    arts = document("Harbour Main Art Society Bylaws", "harbour-main-art-society-bylaws", 2024, 1)
    handbook = document("ABC Competition Handbook", "abc-competition-handbook", 2024, 1)
    held = (arts, handbook, T24)
    assert not parse_query_filters("What is the main aim of a competition?", held).choices
    assert resolve_scope(held, ScopeChoice(), "ABC: fees?").documents == (handbook,)
    named = resolve_scope(held, ScopeChoice(), "Harbour main art society: who may vote?")
    assert named.documents == (arts,)


def test_parts_of_a_series_are_of_one_series() -> None:
    assert series_of("cup-financial-power-unit") == series_of("cup-sporting") == {"cup"}
    assert series_of("fia-isc-appendix-l") == series_of("fia-isc")


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What is the Formula E pit lane speed limit?", ("Formula E",)),
        ("How heavy is a MotoGP bike?", ("MotoGP",)),
        ("What is the F1 pit lane speed limit?", ()),
        ("Is it the same in F1 and in MotoGP?", ()),  # one of them is held
        ("What is the pit lane speed limit?", ()),
    ],
)
def test_a_series_that_no_document_is_of_is_missing(
    question: str, missing: tuple[str, ...]
) -> None:
    held = [document("2025 Formula 1 Sporting Regulations", "fia-f1-sporting", 2025, 1)]
    assert find_missing_series(question, held) == missing


def compared(question: str) -> set[str]:
    scope = resolve_scope(SHELF, ScopeChoice(), question)
    return set(scope.with_compared_editions(SHELF).ids)


def test_one_edition_is_compared_with_the_newest_and_the_newest_with_the_one_before() -> None:
    assert compared("What changed in the sporting regulations since 2023?") == ids(S23, S25_5)
    assert compared("What changed with issue 5?") == ids(S25_5, S25_4)
    assert compared("What changed between 2023 and 2024 in the sporting regulations?") == ids(
        S23, S24
    )


def test_a_rulebook_without_another_edition_or_a_season_is_compared_with_none() -> None:
    for document in (T24, CODE, LOOSE):
        scope = resolve_scope(SHELF, ScopeChoice(document=document.document_id))
        assert scope.with_compared_editions(SHELF) == scope


def test_a_kind_of_document_names_no_sample_and_its_series_does() -> None:
    held = [replace(sample, family="sample-cup-technical") for sample in SAMPLES] + [T24, S24]
    for question in ("What do the technical regulations say on mass?", "What is the mass in 2024?"):
        scope = resolve_scope(held, ScopeChoice(), question)
        assert not any(document.is_sample for document in scope.documents)
    named = resolve_scope(held, ScopeChoice(), "What is the mass in the Sample Cup?")
    assert {document.family for document in named.documents} == {"sample-cup-technical"}
    alone = resolve_scope(held[:2], ScopeChoice(), "What do the technical rules say?")
    assert alone.documents


@pytest.mark.parametrize(
    ("question", "version"),
    [
        ("What does Rev. B say of hulls?", "Rev. B"),
        ("How long may a hull be under revision B?", "Rev. B"),
        ("What is the width in version 1.2?", "v1.2"),
        ("What is the width in Harbour Rules V1.2?", "v1.2"),
    ],
)
def test_a_printed_version_that_a_question_names_is_searched(question, version):
    shelf = [
        replace(document("Harbour Rules", "harbour", None, number), issue=None, version=printed)
        for number, printed in enumerate(("Rev. B", "Rev. C", "v1.2", "v1.3"))
    ]
    found = resolve_scope(shelf, ScopeChoice(), question)
    assert [one.version for one in found.documents] == [version]
    for other in ("What does Rev. D say of hulls?", "Must the crew release 2 belts?"):
        newest = resolve_scope(shelf, ScopeChoice(), other)
        assert version not in {one.version for one in newest.documents}
