"""A ruling is never law: a draft that quotes or tells one as a rule fails, whatever it cites."""

import shutil
from pathlib import Path

import pytest
from drafts import verify
from made_once import SAMPLE, read_once

from core.agent.tools.not_in_force import find_ruling_words
from core.library import Hit, Library, add_file
from core.verification import DraftCheck, Evidence, cite

QUESTION = "How fast may a car be in the pit lane?"
RULE = "The pit lane speed limit is 50 km/h during the whole Event."
RULING = "A car that is pushed by its mechanics at walking pace does not have to heed the limit."
ROWS = f"""id,date,question,answer,articles
Q1,2024-03-01,Does the limit bind a car that is pushed?,{RULING},21.3
"""


@pytest.fixture
def library(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Library:
    library = Library(shutil.copytree(read_once(tmp_path_factory, SAMPLE), tmp_path / "data"))
    (tmp_path / "answers.csv").write_text(ROWS)
    [rulebook] = library.documents()
    [added] = add_file(library, tmp_path / "answers.csv", interprets=[rulebook.document_id])
    assert added.status == "added"
    return library


def check(library: Library, draft: str, cites_rule: bool = True) -> list[DraftCheck]:
    """Return the fatal checks of a draft that cites the rule on the speed limit."""
    [rulebook] = library.documents()
    rules = [
        one for one in library.clauses(rulebook.document_id) if one.article in ("21.3", "21.4")
    ]
    evidence = Evidence()
    speed, other = evidence.add_hits([Hit(one, 1.0, "exact") for one in rules], {})
    citation = cite(speed, RULE) if cites_rule else cite(other, other.text.split(". ")[0])
    words = [*find_ruling_words(library, [one.clause_id for one in rules])]
    checks = verify(draft, [citation], evidence, QUESTION, lapsed=words)
    return [one for one in checks if not one.passed and one.level == "fatal"]


AS_LAW = (
    f"“{RULE}” [1] “{RULING}” [1]",
    f"“{RULE}” [1] Moreover Article 21.3 says: “{RULING}” [1]",
    f"“{RULE}” [1]\n\n> {RULING} [1]\n",
    f"“{RULE}” [1] A car that is pushed by its mechanics at walking pace need not heed the limit.",
    f"“{RULE}” [1] The rule exempts a pushed car: “A car that is pushed by its mechanics” [1].",
    f"“{RULE}” [1] Under the rules a car pushed by mechanics at walking pace does not have to heed"
    " the limit [1].",
    f"“{RULE}” [1] It is the team's decision: “{RULING}”",
    f"“{RULE}” [1] Your question is answered by Article 21.3: “{RULING}” [1]",
    f"“{RULE}” [1] No interpretation is needed, Article 21.3 says: “{RULING}” [1]",
    f"“{RULE}” [1] No rule is stricter than Article 21.3, which goes on: “{RULING}” [1]",
    f"“{RULE}” [1] The answer is easy, no rule is clearer than Article 21.3: “{RULING}” [1]",
    f"“{RULE}” [1] No ruling says otherwise: “{RULING}” [1]",
    f"“{RULE}” [1] By the clarification of 1 March 2024, Article 21.3 says: “{RULING}” [1]",
    f"“{RULE}” [1] In answer to your question the rule says: “{RULING}” [1]",
    f"“{RULE}” [1] Answered: a car that is pushed by its mechanics at walking pace does not have to"
    " heed the limit [1].",
)


@pytest.mark.parametrize("draft", AS_LAW)
def test_a_ruling_told_as_law_fails(library: Library, draft: str) -> None:
    fatal = check(library, draft)
    assert any("is no rule" in one.message for one in fatal), fatal


@pytest.mark.parametrize(
    "draft",
    [
        f"“{RULE}” [1] A ruling of 1 March 2024 (Q1), which is not law, says: “{RULING}”",
        f"“{RULE}” [1] By a clarification, no rule, a car that is pushed by its mechanics at"
        " walking pace does not have to heed the limit.",
        f"“{RULE}” [1] The ruling on Article 21.3 says: “{RULING}”",
        f"“{RULE}” [1] On Article 21.3, the stewards decided: “{RULING}”",
        f"“{RULE}” [1] Answer Q1, which is no law, reads: “{RULING}”",
    ],
)
def test_a_ruling_told_as_one_beside_its_rule_passes(library: Library, draft: str) -> None:
    assert check(library, draft) == []


def test_a_ruling_without_its_rule_fails(library: Library) -> None:
    other = "The pit exit closes."
    draft = f"“{other}” A ruling, which is not law, says: “{RULING}”"
    assert check(library, draft, cites_rule=False)


def test_the_rule_itself_is_told_as_before(library: Library) -> None:
    assert check(library, f"“{RULE}” [1]") == []
    assert check(library, f"“{RULE}” [1] The pit lane speed limit is 50 km/h [1].") == []
