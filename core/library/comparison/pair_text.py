"""What is said of the pairs of a comparison: of each by kind, of all in the words of a language.

The kinds are `place` (where the rule stands in the later document), `wording`, `mark` (how far the
publisher's marks cover the differences) and `declaration` (whether the publisher declares it).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from core.language import Language
from core.library.types import ClausePair, PairPlace, PairWording


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
