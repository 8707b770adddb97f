"""Captions that both documents have: left out, as a picture is printed where the page has room."""

from collections.abc import Sequence
from dataclasses import replace

from core.rulebook import Clause


def drop_shared_captions(*documents: Sequence[Clause]) -> list[list[Clause]]:
    """Return the clauses of each document without the captions that all documents have."""
    keys = [
        {_caption_letters(caption) for clause in d for caption in _captions(clause)}
        for d in documents
    ]
    shared = set.intersection(*keys)
    return [[_drop_captions(clause, shared) for clause in clauses] for clauses in documents]


def _captions(clause: Clause) -> list[str]:
    return [figure.caption for figure in clause.figures if _caption_letters(figure.caption)]


def _drop_captions(clause: Clause, dropped: set[str]) -> Clause:
    text = clause.text
    for caption in _captions(clause):
        if _caption_letters(caption) in dropped:
            text = text.replace(caption, "", 1).strip()
    return clause if text == clause.text else replace(clause, text=text)


def _caption_letters(caption: str) -> str:
    """Return the letters of a caption, without its number, which other pictures change."""
    return "".join(character for character in caption.casefold() if character.isalpha())
