"""Pairs of clauses as a person reads them in a terminal: words that went and came, marked; and what there is in all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from core.library import ClausePair, DiffSegment, MarkStatus, SegmentKind, article_steps

CONTEXT_WORDS = 12
"""Words that are shown before and after a difference."""
MAX_WORDS = 60
"""Words that are shown of a clause that only one document has."""
_STYLE: dict[SegmentKind, tuple[str, str]] = {
    "same": ("{}", ""),
    "deleted": ("[-{}-]", "red"),
    "inserted": ("{{+{}+}}", "green"),
}
_MARKED: dict[MarkStatus, str] = {
    "marked": "marked by the publisher",
    "partly": "marked by the publisher in part",
    "unmarked": "not marked by the publisher",
}


def is_about(pair: ClausePair, article: str) -> bool:
    """True where either side is the article, or stands below it."""
    wanted = article_steps(article)
    return any(
        article_steps(number)[: len(wanted)] == wanted
        for number in (pair.article_a, pair.article_b)
        if number
    )


def format_pair(pair: ClausePair) -> Iterator[Text]:
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
        kind: SegmentKind = "inserted" if pair.kind == "added" else "deleted"
        yield _differences([DiffSegment(kind, _begun(pair.after or pair.before))])


def summarize_pairs(pairs: Sequence[ClausePair]) -> str:
    """How many pairs there are of each kind, and what the publisher has marked of them."""
    kinds = Counter(pair.kind for pair in pairs)
    marks = Counter(pair.marked for pair in pairs if pair.marked)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "no pairs"
    told = ", ".join(
        f"{marks[marked]} {words}" for marked, words in _MARKED.items() if marks[marked]
    )
    return f"{counted}. Of the differences: {told}." if told else f"{counted}."


def _differences(pieces: Sequence[DiffSegment]) -> Text:
    shown = Text()
    for place, piece in enumerate(pieces):
        form, style = _STYLE[piece.kind]
        ends = (place == 0, place == len(pieces) - 1)
        words = _around(piece.text.split(), *ends) if piece.kind == "same" else piece.text.split()
        shown.append(form.format(" ".join(words)) + " ", style=style)
    return shown


def _around(words: list[str], first: bool, last: bool) -> Iterable[str]:
    """The words that stand next to a difference; what is further off is left out."""
    before, after = (0 if first else CONTEXT_WORDS), (0 if last else CONTEXT_WORDS)
    if len(words) <= before + after + 1:
        return words
    return [*words[:before], "…", *words[len(words) - after :]]


def _begun(text: str) -> str:
    words = text.split()
    return " ".join(words if len(words) <= MAX_WORDS else [*words[:MAX_WORDS], "…"])
