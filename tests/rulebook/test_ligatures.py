"""Lost ligatures are restored from the words themselves; names and codes stay."""

import pytest

from core.rulebook.layout.blocks import Line, Span
from core.rulebook.layout.ligatures import repair_ligatures
from core.rulebook.layout.text import line_text, normalize_characters
from core.rulebook.pdf.page_content import Style

PLAIN = Style("Aptos", 11, False, False, 0, True)


def line(text: str, font: str = "Aptos") -> Line:
    return Line(0, 0, 100, 12, (Span(text, 0, 100, PLAIN._replace(font=font)),), 10, 11)


def repair(*texts: str) -> list[str]:
    lines = [line(text) for text in texts]
    repair_ligatures(lines)
    return [line_text(each) for each in lines]


@pytest.mark.parametrize("sign", ["`", "=", "W", "X", "\ufffd"])
def test_one_sign_replaces_all_lost_ligatures(sign):
    broken = [
        f"The o{sign}icial sta{sign} made a di{sign}erent e{sign}ort.",
        f"A su{sign}icient o{sign}ence.",
    ]
    assert repair(*broken) == [
        "The official staff made a different effort.",
        "A sufficient offence.",
    ]


def test_a_letter_in_place_of_a_ligature_is_distinguished_from_the_true_letter():
    texts = [
        "The egect of digerent rules on the ogicial.",
        "Ogicers agect a large gearbox by a great egort.",
    ] * 30
    assert repair(*texts)[:2] == [
        "The effect of different rules on the official.",
        "Officers affect a large gearbox by a great effort.",
    ]


def test_intact_words_names_and_codes_stay():
    texts = ["The effect of McLaren's FIA-F1-DOC-098 and Magnussen's kW, ge`n."] * 3
    assert repair(*texts) == texts


OTHER_LANGUAGES = {
    "Estonian": """Võistleja peab kandma kiivrit ning kindaid kogu võistluse ajal ning järgima
        kohtunike korraldusi. Selle raja ees on punane lipp, sellest ei tohi mööda sõita. Auto
        peab olema varustatud vööga ning kustutiga, mida kohtunik kontrollib enne starti.""",
    "Portuguese": """O piloto deve usar capacete durante toda a prova e seguir as ordens da corrida.
        A massa do carro da equipa deve respeitar o regulamento da prova, dito na entrada.""",
    "Czech": """Jezdec musí mít přilbu po celou dobu závodu a řídit se pokyny komisařů. Vůz musí
        být vybaven hasicím přístrojem, ten se kontroluje na startu.""",
    "Turkish": """Sürücü yarış boyunca kask takmak zorundadır ve hakemlerin kararına uyar. Araçta
        bir tane söndürücü bulunur, bu da yarıştan önce kontrol edilir.""",
}


@pytest.mark.parametrize("text", OTHER_LANGUAGES.values(), ids=OTHER_LANGUAGES)
def test_words_of_other_languages_stay(text):
    sentences = [" ".join(sentence.split()) + "." for sentence in text.rstrip(".").split(".")]
    assert repair(*sentences * 25) == sentences * 25


def test_repairs_are_reported_and_keep_the_extracted_text():
    lines = [line("The o`icial and the o`icial di`er.")]
    repairs = repair_ligatures(lines)
    assert [(each.before, each.after, each.count) for each in repairs] == [
        ("o`icial", "official", 2),
        ("di`er", "differ", 1),
    ]
    assert lines[0].spans[0].raw == "The o`icial and the o`icial di`er."


def test_compatibility_characters_are_normalized():
    assert (
        normalize_characters("\ufb01nal e\ufb00ort, \xb5 = 0.5\xa0m\u200b, \uf0b3 3")
        == "final effort, μ = 0.5 m, ≥ 3"
    )
