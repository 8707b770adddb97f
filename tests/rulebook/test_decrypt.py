"""Files with a password: their copy reads like the original, and the password is not stored."""

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


def content(data):
    return [(c.article, c.title, c.text, c.places) for c in read_pdf(data, "r.pdf").clauses]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
def test_a_decrypted_copy_reads_like_the_original(algorithm):
    copy = decrypt_pdf(locked(rulebook(), PASSWORD, algorithm), "rules.pdf", PASSWORD)
    assert content(copy) == content(rulebook())


def test_the_same_file_gives_the_same_copy():
    file = locked(rulebook(), PASSWORD)
    assert decrypt_pdf(file, "rules.pdf", PASSWORD) == decrypt_pdf(file, "rules.pdf", PASSWORD)


@pytest.mark.slow
def test_a_wrong_password_has_its_own_error_code():
    for wrong in ("secret", "", PASSWORD.upper()):
        with pytest.raises(ReadError) as refusal:
            decrypt_pdf(locked(rulebook(), PASSWORD), "rules.pdf", wrong)
        assert refusal.value.code == "wrong_password"
        assert refusal.value.message == (
            "rules.pdf does not open with this password: please check it and give it again."
        )


@pytest.mark.slow
def test_a_file_that_needs_no_password_stays_as_it_is():
    for open_to_all in (rulebook(), locked(rulebook(), ""), b"%PDF-1.7 and nothing more"):
        assert decrypt_pdf(open_to_all, "rules.pdf", PASSWORD) == open_to_all


def test_a_password_that_is_not_text_does_not_crash():
    with pytest.raises(ReadError, match=r"rules\.pdf"):
        decrypt_pdf(locked(rulebook(), PASSWORD), "rules.pdf", "\ud800\x00" * 1000)


def test_the_repr_of_a_job_hides_the_password():
    assert PASSWORD not in repr(DecryptJob(b"", PASSWORD))
    assert asdict(DecryptJob(b"", PASSWORD))["password"] == PASSWORD
