"""Clauses made alike before two documents are compared: parts joined, shared captions left out.

How long an article is decides whether it is parted, and a picture is printed where the page has
room: neither is a change."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.rulebook import Clause


def join_parts(clauses: Iterable[Clause]) -> tuple[list[Clause], dict[str, str]]:
    """Return the clauses without parts, and the clause id of the whole by that of each part."""
    joined: list[Clause] = []
    wholes: dict[str, str] = {}
    for clause in clauses:
        article = (clause.whole_article, clause.language, clause.status)
        whole = joined[-1] if joined else None
        if whole and clause.part and article == (whole.article, whole.language, whole.status):
            wholes[clause.clause_id] = whole.clause_id
            joined[-1] = _append(whole, clause)
        else:
            joined.append(clause)
    return joined, wholes


def _append(whole: Clause, part: Clause) -> Clause:
    heading = "" if part.text.startswith(part.title) else part.title
    return replace(
        whole,
        text="\n".join(filter(None, (whole.text, heading, part.text))),
        deleted=(*whole.deleted, *part.deleted),
        inserted=(*whole.inserted, *part.inserted),
        marks=(*whole.marks, *part.marks),
        page_last=part.page_last,
    )


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
