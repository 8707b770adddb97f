"""Files with a password: opened with it they read as they would without, and nothing of it is left."""

from dataclasses import asdict

import pytest

from core.errors import ReadError
from core.rulebook import decrypt_pdf, read_pdf
from core.rulebook.isolation.messages import DecryptJob
from tests.rulebook.pdf_builder import Paper, locked

PASSWORD = "sécret, with a comma"


def rulebook():
    paper = Paper()
    paper.heading("1", "KARTS").clause("1.1", "Every kart must carry a yellow bumper.")
    return paper.heading("2", "FLAGS").clause("2.1", "A blue flag must be obeyed.").pdf()


def words(data):
    return [
        (clause.article, clause.title, clause.text, clause.places)
        for clause in read_pdf(data, "r.pdf").clauses
    ]


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
def test_with_its_password_a_file_reads_as_it_would_without_one(algorithm):
    copy = decrypt_pdf(locked(rulebook(), PASSWORD, algorithm), "rules.pdf", PASSWORD)
    assert words(copy) == words(rulebook())


def test_the_same_file_gives_the_same_copy():
    file = locked(rulebook(), PASSWORD)
    assert decrypt_pdf(file, "rules.pdf", PASSWORD) == decrypt_pdf(file, "rules.pdf", PASSWORD)


def test_a_wrong_password_is_told_in_one_sentence():
    for wrong in ("secret", "", PASSWORD.upper()):
        with pytest.raises(ReadError) as refusal:
            decrypt_pdf(locked(rulebook(), PASSWORD), "rules.pdf", wrong)
        assert refusal.value.code == "wrong_password"
        assert (
            refusal.value.message
            == "rules.pdf does not open with this password: please check it and give it again."
        )


def test_a_file_that_needs_no_password_is_left_as_it_is():
    for open_to_all in (rulebook(), locked(rulebook(), ""), b"%PDF-1.7 and nothing more"):
        assert decrypt_pdf(open_to_all, "rules.pdf", PASSWORD) == open_to_all


def test_a_password_that_is_no_text_is_no_crash():
    with pytest.raises(ReadError, match=r"rules\.pdf"):
        decrypt_pdf(locked(rulebook(), PASSWORD), "rules.pdf", "\ud800\x00" * 1000)


def test_what_is_told_of_the_work_does_not_tell_the_password():
    assert PASSWORD not in repr(DecryptJob(b"", PASSWORD))
    assert asdict(DecryptJob(b"", PASSWORD))["password"] == PASSWORD  # it is there all the same
