"""Pairs of clauses as a person reads them in a terminal: words that went and came, marked; and what there is in all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from core.library.article_path import steps
from core.library.types import Marked, Pair, Piece, PieceKind

AROUND = 12
"""Words that are shown before and after a difference."""
LONGEST = 60
"""Words that are shown of a clause that only one document has."""
_STYLE: dict[PieceKind, tuple[str, str]] = {
    "same": ("{}", ""),
    "deleted": ("[-{}-]", "red"),
    "inserted": ("{{+{}+}}", "green"),
}
_MARKED: dict[Marked, str] = {
    "marked": "marked by the publisher",
    "partly": "marked by the publisher in part",
    "unmarked": "not marked by the publisher",
}


def is_about(pair: Pair, article: str) -> bool:
    """True where either side is the article, or stands below it."""
    wanted = steps(article)
    return any(
        steps(number)[: len(wanted)] == wanted
        for number in (pair.article_a, pair.article_b)
        if number
    )


def lines_of(pair: Pair) -> Iterator[Text]:
    """A pair: its heading, then its words, deleted ones as [-these-] and inserted ones as {+these+}."""
    numbers = " → ".join(
        dict.fromkeys(number for number in (pair.article_a, pair.article_b) if number)
    )
    told = [_MARKED[pair.marked]] if pair.marked else []
    told += [f"words also in {pair.elsewhere} of the other document"] if pair.elsewhere else []
    yield Text(" · ".join((f"{pair.kind} {numbers} {pair.title}".strip(), *told)), style="bold")
    if pair.pieces:
        yield _differences(pair.pieces)
    elif pair.kind in ("added", "removed"):
        kind: PieceKind = "inserted" if pair.kind == "added" else "deleted"
        yield _differences([Piece(kind, _begun(pair.after or pair.before))])


def summary(pairs: Sequence[Pair]) -> str:
    """How many pairs there are of each kind, and what the publisher has marked of them."""
    kinds = Counter(pair.kind for pair in pairs)
    marks = Counter(pair.marked for pair in pairs if pair.marked)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "no pairs"
    told = ", ".join(
        f"{marks[marked]} {words}" for marked, words in _MARKED.items() if marks[marked]
    )
    return f"{counted}. Of the differences: {told}." if told else f"{counted}."


def _differences(pieces: Sequence[Piece]) -> Text:
    shown = Text()
    for place, piece in enumerate(pieces):
        form, style = _STYLE[piece.kind]
        ends = (place == 0, place == len(pieces) - 1)
        words = _around(piece.text.split(), *ends) if piece.kind == "same" else piece.text.split()
        shown.append(form.format(" ".join(words)) + " ", style=style)
    return shown


def _around(words: list[str], first: bool, last: bool) -> Iterable[str]:
    """The words that stand next to a difference; what is further off is left out."""
    before, after = (0 if first else AROUND), (0 if last else AROUND)
    if len(words) <= before + after + 1:
        return words
    return [*words[:before], "…", *words[len(words) - after :]]


def _begun(text: str) -> str:
    words = text.split()
    return " ".join(words if len(words) <= LONGEST else [*words[:LONGEST], "…"])
