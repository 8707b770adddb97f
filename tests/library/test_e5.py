"""The vectors of e5: what means the same is near, in any language, and foreign text is safe."""

import numpy as np

from core.library.embedding.e5 import load_e5, match_words

RULES = (
    "Smoking is prohibited in all areas of the event.",
    "The car must weigh at least 740 kg.",
    "The speed limit in the pit lane is 50 km/h.",
)


def test_a_question_is_nearest_to_its_rule_in_any_language():
    rules = load_e5().encode_texts(RULES)
    for questions in (
        ("May I smoke there?", "How heavy must a car be?", "How fast in the pits?"),
        (
            "Darf man dort rauchen?",
            "Wie schwer muss ein Auto sein?",
            "Wie schnell in der Boxengasse?",
        ),
        ("Peut-on y fumer ?", "Quel est le poids d'une voiture ?", "À quelle vitesse aux stands ?"),
        (
            "Επιτρέπεται το κάπνισμα;",
            "Πόσο ζυγίζει το αυτοκίνητο;",
            "Ποιο είναι το όριο ταχύτητας;",
        ),
    ):
        asked = np.vstack([load_e5().encode_query(question) for question in questions])
        assert (asked @ rules.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_a_text_is_cut_into_the_vocabularys_pieces():
    # As the tokenizer of XLM-RoBERTa, whose vocabulary this is, cuts them.
    assert load_e5().tokenize("Hello world") == [0, 35378, 8999, 2]
    assert load_e5().tokenize("query: ") == [0, 41, 1294, 12, 2]
    assert load_e5().tokenize(" \u200e \x00") == [0, 2]
    assert len(load_e5().tokenize("speed " * 1000)) == 256


def test_a_sign_without_a_piece_and_a_long_word_are_read():
    # Eighteen letters when normalized: the package's own engine has no room for many of them.
    vectors = load_e5().encode_texts(["\ufdfa" * 5_000, "x" * 100_000, "\U000e0001 \U0001f3ce", ""])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_batch_changes_no_vector():
    texts = ["Speed limit.", "", "A car must not be released unsafely. " * 20, "Speed limit."]
    together = load_e5().encode_texts(texts)
    for text, vector in zip(texts, together, strict=True):
        assert np.allclose(load_e5().encode_texts([text])[0], vector, atol=1e-5)


def test_a_word_is_met_by_the_word_that_means_it_there():
    texts = "The speed limit in the pit lane is 50 km/h.", "The podium has three steps."
    pits, podium = (dict(one.question) for one in match_words("How fast in the pits?", texts))
    assert pits["fast"] > 0.6 > 0.5 > podium["fast"]
    assert pits["pits?"] > 0.6 > 0.5 > podium["pits?"]
    [foreign] = match_words("Darf man rauchen?", ["Smoking is prohibited."])
    assert dict(foreign.question)["rauchen?"] > 0.6


def test_words_are_compared_as_far_as_the_model_reads():
    [(words, vectors)] = load_e5().encode_words(["Unspeakably " * 200])
    assert len(words) == len(vectors) < 200
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    [nothing] = match_words("?", [""])
    assert nothing.text_mean == 0
    [unasked] = match_words("", ["Speed"])
    assert unasked.question == ()


def test_words_mean_the_same_whatever_is_encoded_beside_them():
    texts = ["Speed limit.", "", "A car must not be released in an unsafe condition.", "Speed."]
    for text, (words, vectors) in zip(texts, load_e5().encode_words(texts), strict=True):
        [(alone, own)] = load_e5().encode_words([text])
        assert words == alone
        assert np.allclose(vectors, own, atol=1e-5)
