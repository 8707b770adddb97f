"""A clause is cut into pieces that a sentence model can tell apart."""

from core.library.storage.vectors import PIECE_WORDS, split_into_pieces


def test_a_short_clause_is_one_piece_with_its_title() -> None:
    assert split_into_pieces("Speed", "Nobody drives fast.") == ("Speed\nNobody drives fast.",)


def test_a_long_clause_is_cut_between_sentences_and_no_word_is_lost() -> None:
    sentences = [f"Rule {number} holds for every car on the track." for number in range(30)]
    pieces = split_into_pieces("", " ".join(sentences))
    assert len(pieces) > 1
    assert " ".join(pieces) == " ".join(sentences)
    assert all(piece.endswith(".") and len(piece.split()) <= PIECE_WORDS for piece in pieces)


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    words = [f"word{number}" for number in range(150)]
    pieces = split_into_pieces("", " ".join(words))
    assert [len(piece.split()) for piece in pieces] == [60, 60, 30]
    assert " ".join(pieces).split() == words


def test_every_piece_has_the_title() -> None:
    pieces = split_into_pieces("Fuel", "Petrol is used here. " * 40)
    assert len(pieces) > 1
    assert all(piece.startswith("Fuel\n") for piece in pieces)


def test_nothing_has_no_piece() -> None:
    assert split_into_pieces("", "") == ()
