"""What a text says of articles of other rules: that it changes them, or adds to them."""

import pytest

from core.grammar import ChangeReader, match_whole_words

HELD = ("5.3", "4.1", "4.2", "A4.6", "EV5.8.5", "IN3.1.2", "D7.3.1", "D9.1")


def read_changes(*texts, held=HELD, below="", above=""):
    found = ChangeReader(held.__contains__, below, above).find_changes(*texts)
    return [one for one in found if one.kind != "cited"]


def find_changes(text, **names):
    return {one.article: one.kind for one in read_changes(text, **names)}


@pytest.mark.parametrize(
    "text",
    [
        "Article 5.3 is replaced by the following:",
        "Article 5.3 of the Sporting Regulations is deleted.",
        "Rule 5.3 does not apply.",
        "The limit in Article 5.3 is replaced by 8.5 m.",
        "In deviation from Article 5.3 a boat may be longer.",
        "Abweichend von Artikel 5.3 gilt 40 km/h.",
        "Artikel 5.3 wird gestrichen.",
        "L'article 5.3 est remplacé par ce qui suit.",
        "Length (change of Rules 2020\\5.3)",
        "Article 5.3 is hereby replaced by the following.",
        "Article 5.3 is withdrawn.",
        "Article 5.3 is struck out.",
        "Article 5.3 no longer applies.",
        "Delete Article 5.3.",
        "Amend Article 5.3 to read: 20 m².",
        "Contrary to Article 5.3, a boat may be longer.",
        "Artikel 5.3 wird wie folgt geändert: 8 m.",
        "Artikel 5.3 wird durch folgende Fassung ersetzt: 8 m.",
        "L'article 5.3 est remplacée par ce qui suit.",
        "● 5.3: void",
    ],
)
def test_a_change_is_known_by_its_words_beside_the_article(text):
    assert find_changes(text) == {"5.3": "changed"}


def test_a_list_of_articles_is_changed_as_one():
    assert find_changes("articles 4.1 and 4.2 are deleted") == dict.fromkeys(
        ("4.1", "4.2"), "changed"
    )
    found = find_changes("Monitoring (change of Rules 2020\\EV5.8.5, IN3.1.2)")
    assert found == dict.fromkeys(("EV5.8.5", "IN3.1.2"), "changed")


def test_an_addition_is_no_change():
    assert find_changes("Running order goal - Supplement to D7.3.1") == {"D7.3.1": "supplemented"}
    assert find_changes("The following is added after Rule 5.3:") == {"5.3": "supplemented"}


@pytest.mark.parametrize(
    "text",
    [
        "A run that breaches D9.1 is void.",
        "If Article 5.3 is breached the run is void.",
        "Penalties apply as per D9.1.",
        "The boat must be 5.3 m long and is replaced by another one.",
        "Article 9.9 is deleted.",
        "The Rules " * 30 + "are void.",
        "The battery may deliver 5.5 kW instead of 5.3 kW.",
        "Nothing in this handbook amends Article 5.3.",
        "According to Article 5.3, worn parts shall be replaced.",
        "Notwithstanding Article 5.3 of this handbook, a flag is shown.",
        "This bulletin replaces Bulletin 5.3.",
        "This handbook replaces Version 4.1.",
    ],
)
def test_other_sentences_change_nothing(text):
    assert not find_changes(text)


def test_an_item_alone_can_be_changed():
    [change] = read_changes("Article 5.3 b) is deleted.")
    assert (change.article, change.part, change.kind) == ("5.3", "b)", "changed")


def test_a_word_in_the_plural_names_no_item():
    for word in ("Points", "Items", "Letters"):
        [change] = read_changes(f"{word} (change of Article 5.3)")
        assert change.part is None


def test_a_change_for_some_cases_is_limited_and_one_of_a_part_unclear():
    for rest in ("to boats of class B", "on Saturday", "if it rains"):
        assert find_changes(f"Article 5.3 does not apply {rest}.") == {"5.3": "limited"}
    assert find_changes("For boats of class B Article 5.3 is void.") == {"5.3": "limited"}
    assert find_changes("In Article 5.3 the sentence on masts is deleted.") == {"5.3": "unclear"}


def test_the_article_of_another_rulebook_is_not_meant():
    text = "Notwithstanding Article 5.3 of the FIA International Sporting Code, a flag is shown."
    assert not read_changes(text, below="2026 Sporting Regulations")
    own = "Article 5.3 of the Sporting Regulations is deleted."
    assert read_changes(own, below="2026 Sporting Regulations")


def test_of_an_article_only_those_below_it_that_are_named_are_changed():
    held = ("D7", "D7.3.1", "4", "4.2")
    texts = ("Scoring (change of Rules 2023/D7)", "In D7.3.1 the time is 60 s.")
    found = read_changes(*texts, held=held)
    assert [one.article for one in found] == ["D7.3.1"]
    [change] = read_changes(
        "Article 4 is amended as follows: in 4.2 the horn is a bell.", held=held
    )
    assert change.article == "4.2"


def test_words_are_taken_away_before_the_verb_and_given_after_it():
    [change] = read_changes("In Article 5.3 “6 m” is replaced by “5 m”.")
    assert change.quoted == ("6 m",)
    [change] = read_changes("Article 5.3 is replaced by: “5 m”.")
    assert not change.quoted


@pytest.mark.parametrize(
    "text",
    ["Articles 4.1 to 5.3 are deleted.", "4.1–5.3 lapse.", "Les articles 4.1 à 5.3 : caducs"],
)
def test_a_range_is_all_articles_of_it(text):
    first, *_ = read_changes(text)
    assert (first.article, first.last) == ("4.1", "5.3")


def test_what_a_sentence_is_on_may_be_of_either_document_that_has_it():
    reader = ChangeReader(HELD.__contains__, is_own=HELD.__contains__)
    assert [one.kind for one in reader.find_changes("Article 5.3 is lifted.")] == ["unclear"]
    assert not [*reader.find_changes("Boats are measured by Article 5.3.")]


def test_a_denial_apart_from_a_change_denies_nothing():
    assert find_changes("No sails (change of Rules 2020\\5.3)") == {"5.3": "changed"}


def test_an_item_that_is_not_found_is_not_the_whole_article():
    for text in ("Article 5.3(9) is deleted.", "Article 5.3 b) is deleted."):
        [change] = read_changes(text)
        assert not change.find_meant(["A boat floats."])


def test_every_article_of_a_long_list_is_read():
    assert len(read_changes("articles " + "4.1, 4.2, " * 100)) == 200


@pytest.mark.parametrize(
    "text",
    [
        "In Article 5.3 the second sentence is deleted.",
        "The second sentence of Article 5.3 does not apply.",
        "Article 5.3, second sentence, of the Boat Rules shall not be applied.",
        "Satz 2 von Artikel 5.3 entfällt.",
    ],
)
def test_a_sentence_alone_can_be_changed(text):
    [change] = read_changes(text)
    assert (change.kind, change.part) == ("changed", "2")
    texts = ["A boat floats. It is 6 m long. It is red."]
    assert change.find_meant(texts) == {0: ("It is 6 m long.",)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Rules 2020\\Table6 is void.", "table 6"),
        ("Table 6 of the Boat Rules is replaced by the following table:", "table 6"),
        ("Tabelle 6 des Reglements wird durch folgende Tabelle ersetzt:", "table 6"),
        ("Appendix B of the Boat Rules is void.", "appendix B"),
        ("Chapter 8 of the Boat Rules is suspended.", "8"),
        ("Kapitel 8 des Reglements findet keine Anwendung.", "8"),
        ("The following rule does not apply: A5.7.", "A5.7"),
    ],
)
def test_any_numbered_thing_can_be_changed(text, name):
    held = ("table 6", "appendix B", "8", "A5.7")
    assert [(one.article, one.kind) for one in read_changes(text, held=held)] == [(name, "changed")]


@pytest.mark.parametrize(
    ("text", "swaps"),
    [
        ("Article 5.3: for “6 m” read “5 m”.", [("6 m", "5 m")]),
        ("Article 5.3: replace “6 m” by “5 m”.", [("6 m", "5 m")]),
        ("In Article 5.3 substitute “5 m” for “6 m”.", [("6 m", "5 m")]),
        ("Article 5.3 shall have “5 m” in place of “6 m”.", [("6 m", "5 m")]),
        ("In Ziffer 5.3 wird die Angabe „6 m“ durch die Angabe „5 m“ ersetzt.", [("6 m", "5 m")]),
        ("The formula of Article 5.3 holds, but “6 m” is substituted by “5 m”.", [("6 m", "5 m")]),
        (
            "Article 5.3: for “6 m” read “5 m” and for “EUR 1” read “EUR 2”.",
            [("6 m", "5 m"), ("EUR 1", "EUR 2")],
        ),
    ],
)
def test_words_are_put_in_place_of_others(text, swaps):
    [change] = read_changes(text)
    assert [*zip(change.quoted, change.replacing, strict=True)] == swaps


@pytest.mark.parametrize(
    ("words", "text", "is_there"),
    [
        ("5 m", "At most 5\nM long.", True),
        ("members", "A crew of 6 members.", True),
        ("5 m", "At most 15 m.", False),
        ("5 m", "At most 5 mm.", False),
        ("5", "At most 1.5 or 5.1 m, or 5 000 g.", False),
        ("000 g", "At most 5 000 g.", False),
    ],
)
def test_words_are_meant_where_they_are_whole(words, text, is_there):
    assert bool(match_whole_words(words).search(text)) == is_there


@pytest.mark.parametrize(
    "text",
    [
        "Owing to the waves the length required in Article 5.3 is waived in part.",
        "A5.7: no team takes part in the night race.",
        "Article 5.3 of the Boat Rules is relaxed by the harbour master.",
        "The harbour master decides how Article 5.3 of the Boat Rules is used.",
        "Under Article 5.3 damaged tyres must be replaced.",
        "The length defined in Article 5.3 gives way to a longer one.",
        "The race office sets aside the length set out in Article 5.3.",
        "Article 5.3 is henceforth but a wish.",
        "Boats need not meet Article 5.3.",
        "A breach of Article 5.3 is tolerated.",
        "If Article 5.3 asks for a sail, an engine is enough.",
        "Article 5.3 applies with a longer hull.",
        "Article 5.3 remains in force except its last sentence.",
        "The hull is measured with the rod (Article 5.3 lapses).",
        "This bulletin does not amend Article 5.3 but disapplies it.",
        "Gemäß Article 5.3 dürfen Boote länger sein.",
        "Artikel 5.3 gilt mit der Maßgabe, dass ein Boot länger sein darf.",
        "Von Artikel 5.3 darf abgewichen werden.",
        "Nr. 5.3 ist hinfällig.",
        "L'article 5.3 est caduc.",
        "Article 5.3 is not checked.",
        "Breaches of Article 5.3 are not penalised.",
        "Respecter l'article 5.3 est facultatif.",
    ],
)
def test_what_cannot_be_read_may_be_a_change(text):
    assert [one.kind for one in read_changes(text, held=("5.3", "A5.7"))] == ["unclear"]


@pytest.mark.parametrize(
    "text",
    [
        "Penalties are given as per A5.7.",
        "The hull (see A5.7) is measured.",
        "The hull is measured with the rod (A5.7).",
        "A boat must comply with Article 5.3 of the Boat Rules.",
        "Article 5.3 of the Boat Rules remains in force.",
        "Fristen nach Artikel 5.3 bleiben unberührt.",
        "Bei Verstößen findet Artikel 5.3 Anwendung.",
        "Für Proteste gilt § 5.3.",
        "Zum Kolloquium (§ 5.3) werden alle zugelassen.",
        "Les sanctions restent celles de l'article 5.3.",
        "Penalties for breaking Article 5.3 may be less than disqualification.",
        "Boats may be weighed; the penalties of Article 5.3 apply.",
        "Article 5.3 still applies.",
        "Article 5.3 applies and will be enforced at the start.",
        "Article 5.3 is checked at registration.",
        "Vom 12. Mai 2025 (Amtliche Mitteilungen Nr. 19/2025)",
        "Adopté le 6 février 2025.",
        "La vitesse est de 19 nœuds, de 6 heures à 19 heures.",
    ],
)
def test_what_is_only_referred_to_is_no_change(text):
    assert not read_changes(text, held=("5.3", "A5.7", "6", "19"))


def test_a_change_for_the_event_itself_holds_for_all_of_it():
    names = {"below": "Boat Rules 2026", "above": "Kiel Round 2026 Supplementary Regulations"}
    text = "Article 5.3 of the Boat Rules is suspended for the Kiel Round."
    assert find_changes(text, **names) == {"5.3": "changed"}
    other = "Article 5.3 of the Boat Rules is suspended for the night race."
    assert find_changes(other, **names) == {"5.3": "limited"}
    exempt = "Boats of class E are exempt from Article 5.3 of the Boat Rules."
    assert find_changes(exempt, **names) == {"5.3": "limited"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("§ 8 Abs. 2 entfällt.", ["2)"]),
        ("Absatz 2 des § 8 wird gestrichen.", ["2)"]),
        ("Der zweite Absatz von Artikel 8 entfällt.", ["2)"]),
        ("L'article 8, alinéa 2, est supprimé.", ["2)"]),
        ("Deletion of paragraph 2 of Article 8.", ["2)"]),
        ("Article 8, paragraphs 1 and 2, does not apply.", ["1)", "2)"]),
        ("Items a) and c) of Article 8 are waived.", ["a)", "c)"]),
        ("§ 8 Abs. 2 Satz 1 entfällt.", ["2)1"]),
        ("Satz 1 von Absatz 2 des § 8 entfällt.", ["2)1"]),
    ],
)
def test_of_an_article_the_named_paragraphs_alone_are_changed(text, parts):
    found = read_changes(text, held=("8", "2", "1"))
    assert [(one.article, one.part) for one in found] == [("8", one) for one in parts]
    marked = "(1) Boats float. They are red.\n(2) Masts are high. They bend."
    meant = [*map(str.strip, found[-1].find_meant([marked]).get(0, ()))]
    expected = {"2)": ["(2) Masts are high. They bend."], "2)1": ["(2) Masts are high."]}
    assert meant == expected.get(parts[-1], [])
    if parts == ["2)"]:
        assert found[0].find_meant(["Boats float.\nMasts bend."]) == {0: ("Masts bend.",)}


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        (
            "§ 8 wird wie folgt geändert:\na) In Absatz 2 wird „rot“ durch „blau“ ersetzt.\n"
            "b) Absatz 3 Satz 1 wird aufgehoben.",
            ["2)", "3)1"],
        ),
        ("Article 8 is amended as follows:\n(a) paragraph 2 is deleted;", ["2)"]),
        ("L'article 8 est modifié comme suit :\na) l'alinéa 3 est supprimé.", ["3)"]),
        ('Article 8 is amended as follows:\n"Boats are blue."', [None]),
    ],
)
def test_what_items_below_an_article_name_is_changed_of_it_alone(lines, parts):
    found = read_changes(lines, held=("8",))
    assert [(one.article, one.part, one.kind) for one in found] == [
        ("8", part, "changed") for part in parts
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Section 8 (Ballast) is void with immediate effect.", "changed"),
        ("Class rule 8 does not apply for this event.", "changed"),
        ("Class rule 8 does not apply for the final.", "limited"),
        ("Par exception à l'article 8, une régate de la classe Optimist est validée.", "limited"),
        ("Scoring (Specific change of Formula SAE® 2014 Rule 8)", "changed"),
        ("This changes class rule 8.", "changed"),
        ("Crew changes: the wind turns and rule 8 is a riddle.", "unclear"),
        ("Rule 8 does not apply while racing.", "unclear"),
        ("Artikel 8 gilt nicht im Hafen.", "unclear"),
        ("Rule 8 is no longer void.", "unclear"),
        ("Rule 8 is void, however boats are still measured.", "changed"),
        ("Rule 8 is checked only on boats of class B.", "unclear"),
        ("Notwithstanding Rule 8, this event allows any mast.", "changed"),
        ("1. Rule 8 is deleted in full.", "changed"),
        ("For this event, Rule 8 is deleted.", "changed"),
        ('In Rule 8 "5.3 m" is replaced by "6 m".', "changed"),
        ("Artikel 8 wird mit Wirkung vom 1. Mai 2026 aufgehoben.", "changed"),
        ("Nach § 8 wird folgender § 8a eingefügt:", "supplemented"),
    ],
)
def test_what_is_said_beside_a_change_tells_for_what_it_holds(text, kind):
    assert find_changes(text, held=("8", "5.3")) == {"8": kind}


def test_what_a_title_changes_and_the_text_still_asks_for_is_open():
    title = "Egress (change of Rule 5.3)"
    assert {one.kind for one in read_changes(title, "A hull is 8 m long.")} == {"changed"}
    open_text = "The egress that Rule 5.3 asks for is on both sides."
    assert {one.kind for one in read_changes(title, open_text)} == {"unclear"}
    assert {one.kind for one in read_changes(title, "Rule 5.3 is void.")} == {"changed"}


def test_an_article_behind_a_part_is_one_of_it():
    held = ("Chapter D", "D1", "1", "Chapter T")
    assert find_changes("Scoring (change of Part D Article 1)", held=held) == {"D1": "changed"}


def test_long_chains_and_lists_of_parts_are_read_in_little_time():
    reader = ChangeReader(frozenset(("3.9",)).__contains__)
    assert not [*reader.find_changes("first sentence of " * 40)]
    chain = "".join(f"item a, b, c {word} a, b, c, " for word in ("point", "letter", "para") * 9)
    assert [one.part for one in reader.find_changes(f"Article 3.9 {chain} is deleted.")] == [None]


def test_a_paragraph_with_a_number_of_its_own_is_meant_by_that():
    for held in ("8(2)", "8.2"):
        [change] = read_changes("§ 8 Abs. 2 entfällt.", held=("8", held))
        assert (change.article, change.part) == (held, None)


def test_a_bracket_around_an_article_ends_behind_its_part():
    said = "Für die, die zugelassen sind (§ 8 Absatz 1), gilt § 9 wie bisher."
    assert not read_changes(said, held=("8", "8(1)"))


def test_an_abbreviated_word_for_an_article_leads_to_it():
    for text in ("Nr. 4.2 wird gestrichen.", "A.4.2 is deleted.", "No. 4.2 is void."):
        reader = ChangeReader(HELD.__contains__, is_own=HELD.__contains__)
        assert [(one.article, one.kind) for one in reader.find_changes(text)] == [
            ("4.2", "changed")
        ]


@pytest.mark.parametrize(
    "texts",
    [
        ("Mast (change of Article 5.3)", "In class D the mast must not exceed 9 m."),
        ("Mast of class D (change of Article 5.3)", "It must not exceed 9 m."),
        ("Mast (change of Article 5.3): In class D the mast must not exceed 9 m.",),
        ("In deviation from Article 5.3 boats of class D may have a mast of 9 m.",),
        ("Mast (Änderung von Artikel 5.3)", "In class D darf er 9 m nicht überschreiten."),
    ],
)
def test_a_change_whose_new_words_are_for_a_class_is_limited_to_it(texts):
    [change] = read_changes(*texts)
    assert change.kind == "limited"
    assert change.narrow("Mast. In class D it is 8 m.").kind == "changed"
    for rule in ("The mast is 8 m.", "In class C 7 m, in class D 8 m."):
        assert change.narrow(rule).kind == "limited"


def test_a_class_that_a_sentence_only_refers_to_limits_no_change():
    for text in ("A breach costs points as per A4.6 group B.", "For juniors 8 m, all others 9 m."):
        [change, *_] = read_changes("Mast (change of Article 5.3)", f"It is 9 m. {text}")
        assert (change.article, change.kind) == ("5.3", "changed")


def test_a_document_is_known_by_what_it_calls_itself():
    texts = ("Segelwoche 2026\nBulletin Nr. 2", "Dieses Bulletin ändert die Ausschreibung.")
    bulletin = ChangeReader.name_document("2026 Änderungen zur Ausschreibung", texts)
    notice = ChangeReader.name_document(
        "zum Reglement 2026 der Bootsklasse", ("Diese Ausschreibung ergänzt das Reglement.",)
    )
    for of, below, kinds in (
        ("Ziffer 5.3 der Ausschreibung", notice, ["changed"]),
        ("Ziffer 5.3 des Reglements", notice, []),
        ("Ziffer 5.3 der Ausschreibung", bulletin, []),
        ("Ziffer 5.3 des Bulletins", bulletin, ["changed"]),
        ("Article 5.3 of Bulletin 2", bulletin, ["changed"]),
        ("Article 5.3 of Bulletin 1", bulletin, []),
    ):
        found = ChangeReader(HELD.__contains__, below).find_changes(f"{of}: gestrichen")
        assert [one.kind for one in found] == kinds, of


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chapter D is deleted.", "Chapter D"),
        ("The chapter on “Night Races” does not apply.", "Chapter night races"),
        ("Das Kapitel Nachtrennen entfällt.", "Chapter nachtrennen"),
        ("The rules on night races of the Boat Rules are void.", "Chapter night races"),
    ],
)
def test_a_chapter_can_be_changed_by_its_letter_or_title(text, name):
    held = ("Chapter D", "Chapter night races", "Chapter nachtrennen")
    assert [(one.article, one.kind) for one in read_changes(text, held=held)] == [(name, "changed")]
    for other in ("See chapter D.", "Section D 7 is void.", "Night races are long."):
        assert not read_changes(other, held=held)


def test_a_book_says_by_itself_what_it_calls_an_article():
    texts = ("Instruction 3.3 applies.", "See Instruction 4.1 and Version 2.2.", "Version 1.1")
    known = frozenset(("3.3", "4.1", "4.4", "2.2")).__contains__
    nouns = ChangeReader.find_nouns(texts, known)
    said = "The third sentence of Instruction 4.1 is struck out. See Version 2.2 of the form."
    found = ChangeReader(known, nouns=nouns).find_changes(said)
    assert [(one.article, one.kind, one.part) for one in found] == [("4.1", "changed", "3")]


@pytest.mark.parametrize("mark", ["'", "’"])
def test_an_elided_article_is_written_with_either_apostrophe(mark):
    said = f"La deuxième phrase de l{mark}article 3.9 est supprimée."
    [found] = ChangeReader(frozenset(("3.9",)).__contains__).find_changes(said)
    assert (found.article, found.kind, found.part) == ("3.9", "changed", "2")


@pytest.mark.parametrize(
    "said",
    [
        "Article 1.2 items a) to d) are deleted.",
        "Article 1.2 a) and b) are deleted.",
        "Article 1.2(3) and (4) are deleted.",
        "The first and second sentences of Article 1.2 are deleted.",
        "Satz 1 und Satz 2 von Artikel 1.2 entfallen.",
    ],
)
def test_parts_of_which_one_alone_is_read_leave_the_article_open(said):
    """A part of them would be changed, and the rest told as law."""
    [found] = ChangeReader(frozenset(("1.2",)).__contains__).find_changes(said)
    assert (found.article, found.kind, found.part) == ("1.2", "unclear", None)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("Rule 5.3: the fee is raised from 48 pounds to 56 pounds.", "48 pounds", "56 pounds"),
        ("The fee of Rule 5.3 is raised from 48 to 56 pounds.", "48", "56"),
        ("Die Gebühr nach Artikel 5.3 wird von 24 Euro auf 28 Euro erhöht.", "24 Euro", "28 Euro"),
        ("Le droit de l'article 5.3 est porté de 4 euros à 5 euros.", "4 euros", "5 euros"),
    ],
)
def test_an_amount_that_moves_is_put_in_place_of_the_one_before(text, old, new):
    [change] = read_changes(text)
    assert (change.kind, change.quoted, change.replacing) == ("changed", (old,), (new,))


@pytest.mark.parametrize(
    "text",
    [
        "For juniors the fee of Rule 5.3 is raised from 48 to 56 pounds.",
        "The fee of Rule 5.3 is not raised from 48 to 56 pounds.",
        "Rule 5.3 applies from 8 to 10 May.",
    ],
)
def test_an_amount_that_moves_for_some_or_not_at_all_changes_no_rule(text):
    assert find_changes(text) == {"5.3": "unclear"}


def test_a_clarification_that_says_that_nothing_changes_overrides_nothing():
    said = "Rule 5.3 (clarification): the finish is judged by the bow ball."
    assert find_changes(said) == {"5.3": "unclear"}
    assert find_changes(f"{said} Nothing changes.") == {"5.3": "supplemented"}


@pytest.mark.parametrize(
    "text",
    [
        "Apart from Rule 5.3, Rule 4.1 is deleted.",
        "Except for Rule 5.3, Rule 4.1 does not apply.",
        "Mit Ausnahme von Artikel 5.3 wird Artikel 4.1 gestrichen.",
    ],
)
def test_what_is_excepted_from_a_change_is_not_told_as_changed(text):
    assert find_changes(text)["5.3"] == "unclear"
