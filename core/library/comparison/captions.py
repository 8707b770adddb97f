"""The print of pictures that both documents have: left out, as a picture is where there is room."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile

from rapidfuzz.distance import Indel

from core.rulebook import Clause

MAX_RULE_SIMILARITY = 0.5
"""Of the words before the same last lines, up to which two clauses with pictures are two rules."""
_CAPTION = re.compile(r"[^\W\d]+\.?\s*\d+(?:[.-]\d+)*\s*[:.–—-]\s*\w")
"""A line that names a picture, in any language: "Figure 13: Percy placement", "Abb. 2 - Rahmen"."""


def drop_shared_captions(*documents: Sequence[Clause]) -> list[list[Clause]]:
    """Return the clauses of each document without the captions that all documents have."""
    keys = [
        {_caption_letters(caption) for clause in d for caption in _captions(clause)}
        for d in documents
    ]
    shared = set.intersection(*keys)
    return [[_drop_captions(clause, shared) for clause in clauses] for clauses in documents]


def drop_shared_labels(
    old: Sequence[Clause], new: Sequence[Clause]
) -> tuple[list[Clause], list[Clause]]:
    """Return the clauses without the last lines that two rules with a picture share.

    They are words in a picture, and its caption, that were not told from the rule.
    """
    cut: dict[str, str] = {}
    for one, other in product(_pictures_without_caption(old), _pictures_without_caption(new)):
        if rests := _split_shared_end(one.text, other.text):
            cut |= dict(zip((one.clause_id, other.clause_id), rests, strict=True))
    before, after = (
        [replace(c, text=cut[c.clause_id]) if c.clause_id in cut else c for c in clauses]
        for clauses in (old, new)
    )
    return before, after


def _pictures_without_caption(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the clauses with a picture that has no caption."""
    bare = (c for c in clauses if any(f.kind == "figure" and not f.caption for f in c.figures))
    return (clause for clause in bare if all(f.kind == "figure" for f in clause.figures))


def _split_shared_end(one: str, other: str) -> tuple[str, str] | None:
    """Return two texts without the last lines that they share; None unless they differ before."""
    lines, others = one.splitlines(), other.splitlines()
    ends = zip(*(map(_caption_letters, reversed(side)) for side in (lines, others)), strict=False)
    shared = [letters for letters, _ in takewhile(lambda pair: pair[0] == pair[1], ends)]
    if not shared or not _CAPTION.match(lines[-1]):
        return None
    rests = "\n".join(lines[: -len(shared)]), "\n".join(others[: -len(shared)])
    is_other = Indel.normalized_similarity(*map(str.split, rests)) <= MAX_RULE_SIMILARITY
    return rests if all(rests) and is_other else None


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
