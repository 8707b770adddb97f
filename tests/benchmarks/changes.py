"""How the comparison of two issues agrees with the publisher's own marks, both ways. Prints what is
left over.

    python tests/benchmarks/changes.py EARLIER.pdf LATER.pdf [--changes]

Marks not found: words marked as inserted or deleted in the later document that no reported change
holds (marks of numbers and signs alone apart). Changes not marked: reported differences without a
mark and without a reason. `--changes` prints every reported difference, for checking by hand.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.library.comparison.compare import compare
from core.library.comparison.word_diff import diff_words
from core.library.types import ClausePair, SegmentKind
from core.rulebook import read_pdf
from core.rulebook.types import Clause

LEAST = 2
"""Letters of a mark that can be looked for; single ones ("s", "T") stand within words that are
reported whole."""


def letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def told_words(pairs: Sequence[ClausePair], kind: SegmentKind) -> dict[str | None, set[str]]:
    """The words told as deleted or inserted, by the later clause they are told of; a clause alone
    is told whole.
    """
    told: dict[str | None, set[str]] = {}
    for pair in pairs:
        alone = {"added": ("inserted", pair.after), "removed": ("deleted", pair.before)}.get(
            pair.kind
        )
        texts = [piece.text for piece in pair.pieces if piece.kind == kind]
        texts += [alone[1]] if alone and alone[0] == kind else []
        told.setdefault(pair.clause_b, set()).update(
            word for text in texts for word in diff_words(text)
        )
    return told


def marks_not_found(pairs: Sequence[ClausePair], after: Sequence[Clause]) -> Iterator[str]:
    """Marks none of whose words is told as changed in its clause (for deleted ones: or in one right
    beside it).
    """
    told = {"inserted": told_words(pairs, "inserted"), "deleted": told_words(pairs, "deleted")}
    pair_of = {pair.clause_b: pair for pair in pairs}
    for place, clause in enumerate(after):
        near = [
            clause.clause_id,
            None,
            *(other.clause_id for other in after[max(place - 3, 0) : place + 4]),
        ]
        own = pair_of.get(clause.clause_id)
        numbers = letters(f"{clause.article} {own.article_a if own else None}")
        for mark in clause.marks if clause.status != "future" else ():
            text = letters(mark.text.removeprefix(clause.article))
            if mark.kind not in told or len(text) < LEAST or text in numbers:
                continue
            was = text in letters(" ".join(pair_of[n].before for n in near if n in pair_of))
            if was == (mark.kind == "inserted"):
                continue  # marked as new and not new, or from an issue between the two
            found = set().union(
                *(
                    told[mark.kind].get(n, set())
                    for n in near[: 1 if mark.kind == "inserted" else None]
                )
            )
            if not found & set(diff_words(mark.text)) and not any(text in word for word in found):
                yield f"{clause.article}, page {mark.page}: {mark.kind} “{mark.text[:100]}”"


def changes_not_marked(pairs: Sequence[ClausePair]) -> Iterator[str]:
    for pair in pairs:
        if pair.kind in ("added", "removed") and pair.marked == "unmarked" and not pair.elsewhere:
            article, text = pair.article_a or pair.article_b, pair.before or pair.after
            yield f"{pair.kind} {article}: “{text[:100]}”"
        for piece in pair.pieces:
            if piece.marked is False and piece.reason is None:
                yield f"{pair.article_b}: {piece.kind} “{' '.join(piece.text.split())[:100]}”"


def main(files: Sequence[str], all_changes: bool) -> None:
    before, after = (read_pdf(Path(name).read_bytes(), Path(name).name).clauses for name in files)
    started = time.perf_counter()
    pairs = compare(before, after)
    seconds = time.perf_counter() - started
    lost, open_changes = list(marks_not_found(pairs, after)), list(changes_not_marked(pairs))
    marks = sum(
        mark.kind in ("deleted", "inserted")
        for c in after
        if c.status != "future"
        for mark in c.marks
    )
    pieces = [piece for pair in pairs for piece in pair.pieces if piece.kind != "same"]
    for line in (
        *(f"mark not found: {line}" for line in lost),
        *(f"not marked: {line}" for line in open_changes),
    ):
        print(line)
    for pair in pairs if all_changes else ():
        for piece in (piece for piece in pair.pieces if piece.kind != "same"):
            print(
                pair.kind,
                pair.article_a,
                pair.article_b,
                piece.kind,
                piece.marked,
                piece.reason,
                repr(piece.text),
            )
    reasons = sum(piece.reason is not None and not piece.marked for piece in pieces)
    print(
        f"{len(pairs)} pairs in {seconds:.1f} s; {marks} marks, {len(lost)} not found;"
        f" {len(pieces)} differences,"
        f" {sum(bool(piece.marked) for piece in pieces)} marked, {reasons} explained,"
        f" {len(open_changes)} neither"
    )


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if not name.startswith("--")], "--changes" in sys.argv)
