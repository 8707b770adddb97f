"""What is said of the pairs of a comparison, and which of them a person looks at.

The kinds of what is said are `place` (where the rule stands in the later document), `wording`,
`mark` (how far the publisher's marks cover the differences) and `declaration` (whether the
publisher declares it)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from core.language import Language
from core.library.outline import has_words
from core.library.types import ClausePair, Declaration, MarkStatus, PairPlace, PairWording


def describe_pairs(language: Language, pairs: Sequence[ClausePair]) -> str:
    """Return the places and the wordings of all pairs, counted, each in one sentence."""
    sentences = []
    for kind, values in (("place", get_args(PairPlace)), ("wording", get_args(PairWording))):
        counts = Counter(getattr(pair, kind) for pair in pairs)
        said = (
            language.say(f"{kind}-count-{one}", count=counts[one]) for one in values if counts[one]
        )
        name = language.say(f"compare-{kind}")
        sentences.append(language.say("compare-counts", name=name, counts=", ".join(said)))
    return " ".join(sentences)


def classify_pair(pair: ClausePair) -> Mapping[str, str]:
    """Return what is worth saying of a pair by kind."""
    is_alone = pair.place in ("added", "removed")
    is_heading = pair.added_below or pair.removed_below  # whose own words are the same
    is_moved = pair.declaration == "found" and pair.marked == "unmarked"  # marked elsewhere
    values = {
        "place": None if pair.place == "same" else pair.place,
        "wording": None if is_alone or is_heading else pair.wording,
        "declaration": pair.declaration if pair.said or is_moved or not pair.marked else None,
        "mark": None if is_moved else pair.marked,
    }
    return {kind: value for kind, value in values.items() if value}


def name_pair(language: Language, pair: ClausePair) -> tuple[str, str]:
    """Return the articles and the title of a pair, and how much of it is unchanged if it is two."""
    heading = " ".join(filter(None, (" → ".join(dict.fromkeys(pair.articles)), pair.title)))
    if not (pair.article_a and pair.article_b):
        return heading, ""
    share = language.format_share(pair.similarity)
    return heading, language.say("compare-unchanged", share=share)


def list_pair_notes(language: Language, pair: ClausePair) -> Iterator[str]:
    """Yield what else there is on a pair: the publisher's word, new drawings, clauses below it."""
    if pair.said:
        yield language.say("compare-said", words="; ".join(pair.said))
    for figure in pair.redrawn:
        name = figure.caption or language.say("compare-figure", page=figure.page)
        yield language.say("compare-redrawn", figure=name)
    for key, below in (("came", pair.added_below), ("left", pair.removed_below)):
        if below:
            yield language.say(f"compare-{key}-below", articles=", ".join(below))


@dataclass(frozen=True, slots=True)
class PairFilter:
    """Which pairs of a comparison to show. An empty choice matches every pair.

    Without a place and a wording, those that do not differ at all are left out.
    """

    places: Sequence[PairPlace] = ()
    wordings: Sequence[PairWording] = ()
    marked: Sequence[MarkStatus] = ()
    declared: Sequence[Declaration] = ()
    article: str = ""
    words: str = ""

    def matches_pair(self, pair: ClausePair) -> bool:
        return (
            (bool(self.places or self.wordings) or pair.kind != "unchanged")
            and (not self.places or pair.place in self.places)
            and (not self.wordings or pair.wording in self.wordings)
            and (not self.marked or pair.marked in self.marked)
            and (not self.declared or pair.declaration in self.declared)
            and (not self.article or pair.is_about(self.article))
            and has_words(f"{pair.title} {pair.before} {pair.after}", self.words)
        )
