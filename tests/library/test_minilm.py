"""MiniLM's sentence vectors against those its authors publish."""

import numpy as np

from core.library.embedding.minilm import load_minilm, match_words


def test_sentences_are_as_alike_as_the_authors_say() -> None:
    # https://sbert.net, Quickstart, of all-MiniLM-L6-v2
    vectors = load_minilm().encode_texts(
        ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."],
    )
    published = np.array([[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]])
    assert np.abs(vectors @ vectors.T - published).max() < 0.0001


def test_a_text_is_cut_into_the_vocabularys_pieces() -> None:
    # As the tokenizer that comes with the weights cuts them.
    assert load_minilm().tokenize("Naïve MGU-K \u200e5 °C") == [
        101,
        15743,
        11460,
        2226,
        1011,
        1047,
        1019,
        6362,
        102,
    ]
    assert load_minilm().tokenize("x" * 101) == [101, 100, 102]
    assert len(load_minilm().tokenize("speed " * 1000)) == 256


def test_a_batch_changes_no_vector() -> None:
    texts = [
        "Speed limit.",
        "",
        "A car must not be released in an unsafe condition. " * 20,
        "Speed limit.",
    ]
    together = load_minilm().encode_texts(texts)
    for text, vector in zip(texts, together, strict=True):
        assert np.allclose(load_minilm().encode_texts([text])[0], vector, atol=1e-5)


def test_a_word_is_met_by_the_word_that_means_it_there():
    texts = "The speed limit in the pit lane is 50 km/h.", "The podium has three steps."
    pits, podium = (dict(one.question) for one in match_words("How fast in the pits?", texts))
    assert pits["fast"] > 0.7 > 0.5 > podium["fast"]
    assert pits["pits"] > 0.7 > 0.5 > podium["pits"]


def test_words_are_compared_as_far_as_the_model_reads():
    [(words, vectors)] = load_minilm().encode_words(["Unspeakably " * 200])
    assert len(words) == len(vectors) < 200
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    [nothing] = match_words("?", [""])
    assert nothing.text_mean == 0
    [unasked] = match_words("", ["Speed"])
    assert unasked.question == ()


def test_words_mean_the_same_whatever_is_encoded_beside_them():
    texts = ["Speed limit.", "", "A car must not be released in an unsafe condition.", "Speed."]
    for text, (words, vectors) in zip(texts, load_minilm().encode_words(texts), strict=True):
        [(alone, own)] = load_minilm().encode_words([text])
        assert words == alone
        assert np.allclose(vectors, own, atol=1e-5)
