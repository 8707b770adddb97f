"""What a sentence says: its amounts with their roles and directions, its duties."""

import pytest

from core.grammar import read_sentence


def proved_limits(sentence):
    """The limits of a sentence that may yield a verdict, as people write them."""
    amounts = read_sentence(sentence).amounts
    return [str(one) for one in amounts if one.role == "limit" and one.proved]


@pytest.mark.parametrize(
    ("sentence", "limits"),
    [
        ("The wheelbase must be no less than 1525 mm.", ["at least 1525 mm"]),
        ("It must have a minimum wheelbase of 1525 mm", ["at least 1525 mm"]),
        ("Wheels must be 203.2 mm (8.0 inches) or more in diameter.", ["at least 203.2 mm"]),
        ("Plates must be 2.0 mm minimum thickness steel", ["at least 2.0 mm"]),
        ("Free play is limited to seven degrees (7°) in all.", ["at most 7 degrees"]),
        ("No part may exceed 10 mm.", ["at most 10 mm"]),
        ("Each must have a maximum voltage of less than 120 V.", ["less than 120 V"]),
        ("A gurney of up to 20mm may be fitted.", ["at most 20 mm"]),
        ("It must be more than 5 mm but less than 10 mm.", ["more than 5 mm", "less than 10 mm"]),
        ("The gap must lie between 10 and 15 mm.", ["10 to 15 mm"]),
        ("The section must be 25 mm thick.", ["25 mm"]),
        ("It must come to rest within 30 ft (of the line).", ["at most 30 ft"]),
        ("It must cross the 50 ft long zone within 3 seconds.", ["at most 3 seconds"]),
        ("The wheels must turn independently of one another.", []),
        ("Each one must be at least 5 mm thick.", ["at least 5 mm"]),
        ("One of the drivers must be at least 18 years old.", ["at least 18 years"]),
        ("In the paddock one must not smoke, one after another.", []),
        ("At most one of the drivers may leave.", ["at most 1"]),
        ("Die Kreise müssen unabhängig voneinander sein.", []),
        ("Les circuits doivent être indépendants l'un de l'autre.", []),
        ("4.2 A push of at most 5 m is allowed.", ["at most 5 m"]),
        ("4 A push of at most 5 m is allowed.", ["at most 5 m"]),
        ("3.4 V belts must not be longer than 2 m.", ["at most 2 m"]),
        ("4.2 À la fin, 5 m au plus sont permis.", ["at most 5 m"]),
        ("3.4 V must not be exceeded.", ["3.4 V"]),
        ("6.2 m wide doors must not be used.", ["6.2 m"]),
        ("The fuse must not exceed 4.2 A.", ["at most 4.2 A"]),
        ("Cars must not stop within 5 m of the line.", []),
        ("The driver must stay seated if a car stops within 5 m of him.", []),
        ("If the speed exceeds 60 km/h, a fine is due.", []),
        ("Parts which are 100 mm or less from the engine must be insulated.", []),
        ("A tolerance of +/- 2mm is accepted.", []),
        ("There is no minimum of 5 mm.", []),
        ("No car may be refuelled at a rate greater than 0.8 l/s.", ["at most 0.8 l/s"]),
        ("No ballast may be placed at a height lower than 50 mm.", ["at least 50 mm"]),
        ("It must be at least 750 V or the maximum voltage, whichever is higher.", []),
        ("Claims must be sent within 3 working days.", ["at most 3 working days"]),
        ("Crews sign on 30 minutes before it (by mail) at the latest.", ["at least 30 minutes"]),
        ("All prohibited items must be handed in within 2 hours.", ["at most 2 hours"]),
        ("Neither the width nor the height may exceed 2 m.", ["at most 2 m"]),
        ("The fee for FSA 2024 is 500 euros.", ["500 euros"]),
        ("The hall must be left by 18:00.", []),
        ("Each overdue 24 hours is counted.", []),
        ("Signs of two and three metres must be put up.", []),
        ("A lift is required where a house is higher than 12 m.", []),
        ("Walls within 5 feet of the line must have no window.", []),
        ("A contract can be ended with three months' notice.", ["at least 3 months"]),
        ("A pass is valid for only two seasons.", ["at most 2"]),
        ("Risers have a maximum height of 7 3/4 inches.", ["at most 7.75 inches"]),
    ],
)
def test_a_limit_is_read_with_its_direction(sentence, limits):
    assert [str(limit) for limit in proved_limits(sentence)] == limits


@pytest.mark.parametrize(
    ("sentence", "language", "limit"),
    [
        ("Das Fahrzeug darf höchstens 1.500 kg wiegen.", "de", (1500, "1.500 kg")),
        ("Das Fahrzeug darf höchstens 1'500 kg wiegen.", "de", (1500, "1'500 kg")),
        ("Das Fahrzeug darf höchstens 1.500,5 kg wiegen.", "de", (1500.5, "1.500,5 kg")),
        ("Die Breite darf höchstens 1,525 m betragen.", "de", (1.525, "1,525 m")),
        ("Die Dicke darf höchstens 0.125 mm betragen.", "de", (0.125, "0.125 mm")),
        ("Die Dicke darf höchstens 12.5 mm betragen.", "de", (12.5, "12.5 mm")),
        ("Die Strafe darf höchstens 1.234.567 Euro betragen.", "de", (1234567, "1.234.567 Euro")),
        ("Le poids ne doit pas dépasser 1 500,5 kg.", "fr", (1500.5, "1 500,5 kg")),
        ("The car must not weigh more than 1,500 kg.", "en", (1500, "1,500 kg")),
        ("The car must not weigh more than 1’500 kg.", "en", (1500, "1’500 kg")),
        ("The width must not exceed 1.525 m.", "en", (1.525, "1.525 m")),
    ],
)
def test_a_number_is_read_as_its_language_writes_it(sentence, language, limit):
    """By DIN 5008 and the French Imprimerie nationale the comma parts decimals."""
    [amount] = read_sentence(sentence, language).amounts
    assert (float(amount.value), amount.text, amount.proved) == (*limit, True)


@pytest.mark.parametrize(
    ("sentence", "limits"),
    [
        ("Sitzungen sind mindestens 14 Tage vorher einzuberufen.", ["at least 14 days"]),
        ("Der Schallpegel darf 95 dB(A) nicht überschreiten.", ["at most 95 dB(A)"]),
        ("Anträge sind binnen fünfundzwanzig Tagen zu stellen.", ["at most 25 days"]),
        ("La durée ne peut être supérieure à soixante-dix jours.", ["at most 70 days"]),
        ("Le bureau compte au moins vingt et un membres.", ["at least 21"]),
        ("La longueur doit être comprise entre six et dix mètres.", ["6 to 10 m"]),
        ("Die Breite muss zwischen sechs und zehn Metern liegen.", ["6 to 10 m"]),
        ("Einsprüche sind binnen 3 Werktagen zu erheben.", ["at most 3 Werktage"]),
        ("Le rapport est remis dans les 3 jours ouvrables.", ["at most 3 jours ouvrables"]),
        ("Die Liste ist 2 Stunden vorher (schriftlich) spätestens zu geben.", ["at least 2 hours"]),
        ("Ni la largeur ni la hauteur ne doivent dépasser 2 m.", ["at most 2 m"]),
        ("Sie dauert mindestens 60, höchstens jedoch 90 s.", ["at least 60", "at most 90 s"]),
    ],
)
def test_a_limit_is_read_in_the_language_of_its_sentence(sentence, limits):
    assert proved_limits(sentence) == limits


@pytest.mark.parametrize(
    ("sentence", "limits"),
    [
        ("Brackets of at least 30 mm must be painted.", []),
        ("Brackets of at least 30 mm must be fitted.", ["at least 30 mm"]),
        ("Brackets of more than 30 mm are non-compliant.", []),
        ("A bracket of more than 30 mm must not be refused.", []),
        ("A bracket of more than 30 mm is not prohibited.", []),
        ("This rule does not apply to brackets of less than 30 mm.", []),
        ("It may not be fitted without a bracket of more than 30 mm.", []),
        ("It is not sufficient that the bracket exceeds 30 mm.", []),
        ("The speed may exceed 60 km/h only if the track is dry.", []),
        ("The limit of 60 km/h may be exceeded.", []),
        ("The limit of 60 km/h must not be exceeded.", ["at most 60 km/h"]),
        ("No team is required to have more than 10 members.", []),
        ("No team shall have more than 10 members.", ["at most 10"]),
        ("The gap must be outside the range of 10 to 15 mm.", []),
        ("Gaps between 10 and 15 mm are prohibited.", []),
        ("The limit is raised from 10 to 15 km/h.", []),
        ("It must be at most 10 mm or at least 15 mm.", []),
        ("It must not be less than 10 mm or more than 15 mm.", ["at least 10 mm", "at most 15 mm"]),
        ("It must be either 10 mm or 15 mm.", []),
        ("It must be 10 mm plus 15 mm.", []),
        ("The width must not exceed the length by at least 10 mm.", []),
        ("The width must not exceed the length by more than 10 mm.", ["at most 10 mm"]),
        ("It must be at least the greater of 10 mm and 15 mm.", []),
        ("The minimum number of maximum scores is 10.", []),
        ("Cars at minimum weight must carry a label 10 mm wide.", []),
        ("The part must withstand a load of less than 10 kN.", []),
        ("A weight of 10 kg must be reached.", []),
        ("The lamp must lie above a line 30 mm below the top.", []),
        ("Fuel must be no colder than 10 degrees below ambient.", ["at most 10 degrees"]),
        ("Dogs under 40 cm at the shoulder do not need a lead.", []),
        ("Houses less than 3 m from the road must have no windows.", []),
        ("An employee may refuse to work more than 10 hours.", []),
        ("Candidates must have reached the age of 18 years.", []),
        ("Gaps of up to 25 mm are disregarded.", []),
        ("Entries may not be withdrawn at the latest 14 days before the race.", []),
        ("Entries must be sent at most 14 days before the race.", ["at most 14 days"]),
        ("Nobody but the riders and the pushers may be within 8 m of a cart.", []),
        ("No driver or mechanic may have more than 2 tools.", ["at most 2"]),
        ("The pressure must be 30 bar below the limit.", []),
        ("The number shall not be 10 at most.", []),
        ("Helmets that weigh more than 2 kg are not accepted.", ["at most 2 kg"]),
        (
            "It must be 4 kN or more for a tube with a diameter of 25 mm.",
            ["at least 4 kN", "25 mm"],
        ),
        ("Each team may enter two boats.", ["at most 2"]),
        ("Each crew is permitted to bring two dogs.", ["at most 2"]),
        (
            "The deck, other than the cleats, including the mast, must rise 5 mm or more.",
            ["at least 5 mm"],
        ),
        ("A keel with a depth of at least 300 mm is required.", ["at least 300 mm"]),
        ("The mast must be stepped so that it is at least 40 mm off the deck.", ["at least 40 mm"]),
        ("A crew may start up to three times.", ["at most 3"]),
        ("The rope must be at least three times the mast.", []),
        ("It is forbidden to carry more than 15 litres of fuel.", ["at most 15 litres"]),
        ("The water shall never fall under -10 °C.", ["at least -10 °C"]),
        ("The gate is shut seven minutes before the race.", ["7 minutes"]),
        ("The tank must be made to one of the following standards.", []),
    ],
)
def test_what_is_refused_permitted_or_lifted_proves_no_limit(sentence, limits):
    assert proved_limits(sentence) == limits


@pytest.mark.parametrize(
    ("sentence", "limits"),
    [
        ("Die Geschwindigkeit darf 60 km/h nicht übersteigen.", ["at most 60 km/h"]),
        ("Die Geschwindigkeit darf 60 km/h übersteigen.", []),
        ("Es ist verboten, mehr als 15 Liter Benzin mitzuführen.", ["at most 15 litres"]),
        ("Die Temperatur darf nicht unter -5 °C sinken.", ["at least -5 °C"]),
        ("Das Gewicht der Batterie ist auf 15 kg begrenzt.", ["at most 15 kg"]),
        ("Il est interdit de dépasser 30 km/h.", ["at most 30 km/h"]),
        ("La température ne doit pas descendre sous -5 °C.", ["at least -5 °C"]),
        ("Die Geschwindigkeit muss 60 km/h nicht überschreiten.", []),
        ("Niemand muss ein Seil von mehr als 30 mm haben.", []),
        ("Seile von mindestens 30 mm müssen gestrichen werden.", []),
        ("Es muss gestrichen werden, es sei denn, es ist unter 30 mm lang.", []),
        ("Das Auto darf nicht ohne ein Seil von mehr als 30 mm starten.", []),
        ("Das Gewicht darf 14 kg weder über- noch unterschreiten.", []),
        ("Les cordes d'au moins 30 mm doivent être peintes.", []),
        ("Les cordes d'au plus 30 mm seront refusées.", []),
        ("Aucun membre n'est obligé de payer plus de 30 euros.", []),
        ("La limite de 60 km/h peut être dépassée.", []),
        ("Hunde unter 40 cm benötigen keine Leine.", []),
        ("Abweichungen von bis zu 5 mm bleiben außer Betracht.", []),
        ("Le salarié n'a pas à travailler plus de 10 heures.", []),
        ("Le salarié peut refuser de travailler plus de 10 heures.", []),
        ("La pression ne doit pas nécessairement dépasser 5 bar.", []),
        ("Toutes les voitures ne peuvent pas dépasser 50 km/h.", []),
        ("Un repos d'une durée minimale de treize heures est prévu.", ["at least 13 hours"]),
        ("Es gilt eine Höchstgeschwindigkeit von 60 km/h.", ["at most 60 km/h"]),
        ("Die Kosten dürfen 25 Prozent der Einnahmen nicht übersteigen.", ["at most 25 percent"]),
    ],
)
def test_the_same_holds_in_other_languages(sentence, limits):
    assert proved_limits(sentence) == limits


@pytest.mark.parametrize(
    ("sentence", "threshold"),
    [
        ("No bracket that is more than 30 mm may be fitted.", "more than 30 mm"),
        ("No club with fewer than 10 members may send delegates.", "less than 10"),
        ("Entries sent later than 14 days before the race are not accepted.", "less than 14 days"),
    ],
)
def test_a_threshold_is_as_the_sentence_says_it(sentence, threshold):
    [amount] = read_sentence(sentence).amounts
    assert amount.role == "limit" or not amount.proved or str(amount) == threshold


@pytest.mark.parametrize(
    ("sentence", "modality", "actor"),
    [
        ("The treasurer shall keep the books.", "must", "The treasurer"),
        ("No member may vote twice.", "must not", "member"),
        ("The form can be used by any team.", "may", "any team"),
        ("Der Vorstand darf niemanden ausschließen.", "may", "Der Vorstand"),
        ("Le président peut convoquer le conseil.", "may", "Le président"),
        ("The boat must be fetched at the pier by two crew members.", "must", "two crew members"),
        ("The board, by a majority, may waive the fee.", "may", "The board"),
        ("A tenant may apply by writing to the landlord.", "may", "A tenant"),
        ("Only the head marshal may reopen the track.", "must not", "the head marshal"),
        ("One of the judges shall be present.", "must", "One of the judges"),
        ("A ruling of the judges shall be kept.", "must", ""),
        ("If a rider falls, he may start again.", "may", "he (a rider)"),
        ("Sixty seconds are allowed for the crew to change seats.", "may", "the crew"),
        ("Crews have 5 days to send the plan.", "must", "Crews"),
        ("Das Protokoll ist vom Vorstand zu unterschreiben.", "must", "Vorstand"),
        ("It is prohibited to row at night.", "must not", ""),
        ("There must be no dogs aboard.", "must not", ""),
        ("At no time during a race may a crew change boats.", "must not", "a crew"),
        ("Wide hats are not approved.", "must not", "Wide hats"),
        ("It is the responsibility of the crew captain to sign.", "must", "the crew captain"),
        ("Es ist verboten, Boote zu mieten.", "must not", ""),
        ("Es ist dem Mieter verboten, Katzen zu halten.", "must not", "dem Mieter"),
        ("Il est interdit de fumer.", "must not", ""),
        ("Der Beitrag kann durch den Vorstand erlassen werden.", "may", "den Vorstand"),
        ("Le registre est tenu par le gardien.", "must", "le gardien"),
        ("لا يجوز للحارس مغادرة البوابة.", "must not", "الحارس"),
    ],
)
def test_a_duty_has_a_modality_and_an_actor(sentence, modality, actor):
    [duty] = read_sentence(sentence).main_duties
    assert (duty.modality, duty.actor) == (modality, actor)


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("Each crew shall be permitted to train on Mondays.", "may"),
        ("The fee shall not be required to be paid twice.", "may"),
        ("There must be no crack in the hull.", "must not"),
        ("A crew may enter no more than two boats.", "must not"),
        ("The council shall no later than May report to the members.", "must"),
        ("If a tool is at hand it must be used.", "must"),
        ("The drawings (no photos) must show the boat.", "must"),
        ("No oars, seats or sails may be changed.", "must not"),
        ("The number of laps which a crew may row shall be ten.", "must"),
        ("Ensure that the lid can be closed.", "must"),
        ("No oar is required.", "may"),
        ("Socks which melt when exposed to heat are prohibited.", "must not"),
        ("No further oars except for the spare one are allowed.", "must not"),
        ("The jury will not be permitted to swim.", "must not"),
        ("The helm is the only person who may steer.", "must not"),
        ("Officers are not entitled to a fee.", "must not"),
        ("Hunde dürfen den Steg nur an der Leine betreten.", "must not"),
        ("Der Ruderer kann eine nicht bestandene Prüfung wiederholen.", "may"),
        ("Die Temperatur darf nicht unter -5 °C sinken.", "must not"),
        ("No smoking below deck.", "must not"),
        ("Die Abstimmung der Mitglieder erfolgt offen.", "must"),
        ("Fahrzeuge ohne Bügel sind nicht zugelassen.", "must not"),
    ],
)
def test_a_sentence_says_one_duty_in_whatever_words(sentence, modality):
    assert {duty.modality for duty in read_sentence(sentence).main_duties} == {modality}


@pytest.mark.parametrize(
    "sentence",
    [
        "Entries close on May 8.",
        "The aim of the race is to honour the founders.",
        "The jury decides whether a boat may start.",
        "“Skipper” means the person who must sign the log.",
        "Boats that touch the quay shall lose the race.",
        "Der Vorstand ist beschlussfähig, wenn drei Mitglieder da sind.",
        "Le jury se compose de trois personnes.",
    ],
)
def test_what_is_stated_or_follows_is_no_duty(sentence):
    assert read_sentence(sentence).main_duties == ()


@pytest.mark.parametrize(
    ("lead", "item", "modality", "actor"),
    [
        ("The chair shall not:", "vote on such a matter;", "must not", "The chair"),
        ("Le comité peut :", "Retirer une clé ;", "may", "Le comité"),
        ("Tyres may be of any size provided:", "They have a tread.", "must", ""),
    ],
)
def test_an_item_has_the_duty_that_leads_to_it(lead, item, modality, actor):
    [duty] = read_sentence(item, lead).main_duties
    assert (duty.modality, duty.actor) == (modality, actor)


def test_a_duty_has_its_condition_and_its_exception():
    [duty] = read_sentence(
        "If it rains, all boats must be covered, except those below the jetty."
    ).main_duties
    assert duty.condition == "If it rains"
    assert duty.exception == "except those below the jetty"


@pytest.mark.parametrize(
    ("sentence", "condition"),
    [
        ("It must not exceed 15 km/h, and if it is dark with lamps.", ""),
        ("If it is wet and if it is dark, it must stop.", "If it is wet and if it is dark"),
        ("If, for any reason, it is late, it must stop.", "If, for any reason, it is late"),
        ("Es darf nicht fahren, und wenn es dunkel ist, ist Licht an.", ""),
    ],
)
def test_a_condition_is_of_the_half_of_a_sentence_that_it_opens(sentence, condition):
    first, *_ = (one for one in read_sentence(sentence).duties if one.is_main)
    assert first.condition == condition


@pytest.mark.parametrize(
    ("sentence", "modality", "actor"),
    [
        ("An illegal move shall be corrected by the player.", "must", "the player"),
        ("Un coup interdit doit être corrigé par le joueur.", "must", "le joueur"),
        ("Only vehicles heavier than 750 kg must carry a chock.", "must", "vehicles"),
        ("If, for any reason, it is not possible to sail, he shall wait.", "must", "he"),
        ("No fewer than three marshals shall be posted at each bend.", "must", "three marshals"),
    ],
)
def test_an_attribute_forbids_nothing_and_a_size_names_nobody(sentence, modality, actor):
    [duty] = (one for one in read_sentence(sentence).duties if one.is_main)
    assert (duty.modality, duty.actor.removeprefix("fewer than ")) == (modality, actor)
