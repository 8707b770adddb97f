"""Which rules of two documents are on one thing, and which of them say otherwise."""

import pytest

from core.library.storage.library import Library
from core.library.types import Relation
from core.registers import LayerNote, list_layer_notes, register_of
from core.sheets import SheetRow, check_row, limit_index
from tests.layered_cup import BOOKS
from tests.library.cup import add_rulebook


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def lay(library, base, above, prevails="this", kind="supplements"):
    """Add rules and a handbook; return what each note is, by article of both and words."""
    given = {"season": 2026, "issue": 1}
    rules = add_rulebook(library, "Lake Rules", *base, family="lake", **given)
    handbook = add_rulebook(library, "Kiel Handbook", *above, family="kiel", **given)
    library.relate(handbook.document_id, Relation(kind, rules.document_id, prevails))
    notes = list_layer_notes(library)
    return {
        (clause_id.rpartition(":")[2], note.article): note.kind
        for clause_id, found in notes.items()
        for note in found
    }


def compare(library, below, above, prevails="this"):
    """Return what a rule is by one on the same thing in a handbook; None for nothing."""
    found = lay(library, [("2.1", below, "Boats")], [("H 1", above, "Boats")], prevails)
    return found.get(("2.1", "H 1"))


LIKE_THINGS = (
    ("1", "The front hoop must be at least 25 mm thick.", "Hoops"),
    ("2", "The rear hoop must be at least 20 mm thick.", "Hoops"),
    ("3", "The first late submission costs 10 points.", "Deadlines"),
    ("4", "The second late submission costs 20 points.", "Deadlines"),
    ("5", "Engines of class A must not exceed 500 cc.", "Engines"),
    ("6", "Engines of class B must not exceed 600 cc.", "Engines"),
    ("7", "Radios may be used in practice.", "Radio"),
    ("8", "Radios must not be used in the race.", "Radio"),
    ("9", "The fee is EUR 5 and a team must pay and must not ask.", "Fee"),
    ("10", "Article 7 does not apply to boats of class B.", "Scope"),
)


@pytest.mark.parametrize(
    "rules",
    [LIKE_THINGS, *([(a, text, title) for a, title, text in book] for _, book in BOOKS.values())],
    ids=("like things", *BOOKS),
)
def test_a_rulebook_overrides_nothing_of_itself(library, rules):
    assert not lay(library, rules, rules)


def test_of_like_rules_that_stand_on_only_the_changed_one_is_overridden(library):
    changed = ("1", "The front hoop must be at least 15 mm thick.", "Hoops")
    found = lay(library, LIKE_THINGS, (changed, *LIKE_THINGS[1:]))
    assert found.keys() == {("1", "1")}


@pytest.mark.parametrize(
    ("below", "above"),
    [
        ("A crew has 3 to 5 members.", "A crew has 3 to 6 members."),
        ("The entry fee must be paid by 1 March.", "The entry fee must be paid by 15 March."),
        ("The paddock closes at 22:00.", "The paddock closes at 20:00."),
        ("A crew member must wear a helmet.", "A crew member need not wear a helmet."),
        ("A crew member must wear a helmet.", "A crew member must not wear a helmet."),
        ("The mast must be at most 1.6 m high.", "The mast must be at most 16 m high."),
        ("The keel must be at most 1.25 m.", "The keel must be at most 12.5 m."),
    ],
)
def test_what_cannot_be_followed_with_a_rule_overrides_it(library, below, above):
    assert compare(library, below, above) == "overridden"


def test_of_like_sentences_of_one_article_the_nearest_is_compared(library):
    said = (
        "A {0} second penalty: the driver must {1} stop in the pit lane for at least {0} seconds."
    )
    base, above = (
        [("1", " ".join(said.format(time, word) for time in ("five", "ten")), "Penalties")]
        for word in ("briefly", "always")
    )
    assert {*lay(library, base, above).values()} == {"unclear"}


@pytest.mark.parametrize("prevails", ["", "other"])
def test_a_stricter_rule_can_be_followed_with_the_one_below(library, prevails):
    base, above = (f"The hull must not be longer than {length} m." for length in (10, 8))
    assert compare(library, base, above, prevails) == "supplemented"


@pytest.mark.parametrize(
    ("below", "above"),
    [
        ("Boats of class A must not exceed 6 m.", "Boats of class B must not exceed 7 m."),
        ("The front sail must not exceed 6 m².", "The rear sail must not exceed 7 m²."),
        ("Crew 1 must start within 5 minutes.", "Crew 2 must start within 6 minutes."),
    ],
)
def test_what_a_word_sets_apart_is_never_called_overridden(library, below, above):
    assert compare(library, below, above) in (None, "unsettled")


def test_a_sentence_in_other_words_may_change_the_rule(library):
    said = "Each race of the {} begins with a {} start."
    base = [("2.1", said.format("Cup", "rolling"), "Start"), ("3", "Boats are blue.", "Boats")]
    above = [("H 1", said.format("Cup", "standing"), "Start"), ("H 2", "Cups are big.", "Boats")]
    assert lay(library, base, above) == {("2.1", "H 1"): "unclear"}


def test_another_name_changes_no_rule(library):
    said = "Each race of the {} begins with a rolling start."
    assert compare(library, said.format("Cup"), said.format("Regatta")) is None


@pytest.mark.parametrize(
    ("below", "above"),
    [
        ("Entries close 2 hours before the race.", "Withdrawals close 1 hour before the race."),
        ("Skippers sign within 2 days of the race.", "Owners sign within 3 days of the race."),
    ],
)
def test_rules_for_different_subjects_say_nothing_of_each_other(library, below, above):
    assert compare(library, below, above, "") is None


@pytest.mark.parametrize(
    ("below", "above"),
    [
        ("Each boat may use 4 litres of fuel per day.", "Each boat may use 10 litres per week."),
        ("A team pays EUR 5 per boat in advance.", "A team pays EUR 9 for each day in advance."),
        ("The pump may use 4 l/day of water.", "The pump may use 9 l/week of water."),
    ],
)
def test_amounts_counted_over_different_things_contradict_nothing(library, below, above):
    assert compare(library, below, above, "") in (None, "unclear")


def test_amounts_counted_over_the_same_thing_contradict_each_other(library):
    said = "Each boat may use {} litres of fuel {} day."
    assert compare(library, said.format(4, "per"), said.format(10, "each")) == "overridden"


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("The colour is chosen by the crew.", "The color is chosen by the crew."),
        (
            "An organiser asks the centre for a licence.",
            "An organizer asks the center for a license.",
        ),
        ("A hull of aluminium has a tyre.", "A hull of aluminum has a tire."),
    ],
)
def test_another_spelling_of_a_word_changes_no_rule(library, british, american):
    assert compare(library, british, american) is None


def test_quoted_words_are_taken_from_the_rules_that_have_them(library):
    base = (
        ("2", "A hull is long.", "Hull"),
        ("2.1", "The hull must be at least 3 m and at most 6 m long.", "Length"),
        ("2.2", "The keel must be at most 16 m long.", "Keel"),
        ("2.3", "The mast must be at most 1.6 m long.", "Mast"),
    )
    found = lay(library, base, [("B 1", "In Article 2 “6 m” is replaced by “5 m”.")])
    assert {article for article, other in found if other == "B 1"} == {"2.1"}


def test_a_range_of_articles_is_changed_with_all_between(library):
    base = [(f"{number}", f"Rule {number} must be heeded.") for number in (3, 4, 5, 6)]
    found = lay(library, base, [("H 1", "Articles 3 to 5 are void.")])
    assert {article for article, _ in found if article.isdigit()} == {"3", "4", "5"}


def test_an_overridden_maximum_leaves_the_minimum(library):
    base = [("2.2", "The hull length must be at least 3 m and at most 6 m.", "Hull length")]
    lay(library, base, [("B 1", "In Article 2.2 “6 m” is replaced by “5 m”.")], kind="amends")
    [rules] = [one for one in library.documents() if one.title.startswith("Lake")]
    index = limit_index(library, rules)
    verdicts = {
        value: check_row(SheetRow("1", "hull length", value, "m"), index).verdict
        for value in ("2", "4", "5.5")
    }
    assert verdicts["2"] == "not legal"
    assert verdicts["5.5"] == "cannot tell"
    assert {one.value: bool(one.overridden) for one in register_of(library, rules).limits} == {
        3: False,
        6: True,
    }


@pytest.mark.parametrize(
    ("sentence", "is_said"),
    [
        ("Hull length (change of Rules 2026\\2.2)", False),
        ("(Change of Article 2.2).", False),
        ("(Change of Article 2.2) The hull must be 5 m long.", True),
        ("(a) Article 2.2 is replaced by this.", True),
        ("The hull must not be longer than 5 m (16 ft).", True),
    ],
)
def test_what_only_names_in_brackets_what_it_changes_says_nothing_of_it(sentence, is_said):
    said = Relation("amends", "lake")
    note = LayerNote("overridden", "k:1", "H 1", "k", "Kiel Handbook", said, sentence=sentence)
    assert note.wording == sentence * is_said
