"""Which pairs of a comparison a person looks at."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.library.outline import has_words
from core.library.types import ClausePair, Declaration, MarkStatus, PairPlace, PairWording


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
