"""What programs ask beside look-ups and questions: comparisons, limits, checks of texts.

Each is validated as it comes in, and answered in the shapes of the command line's `--json`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.api.json_api import (
    JsonObject,
    LookupRequest,
    QueryText,
    document_json,
    passage_row,
)
from core.library import (
    ClausePair,
    Declaration,
    Library,
    PairKind,
    PairPlace,
    PairWording,
    compare_documents,
    compare_drawings,
)
from core.quotes import MAX_TEXT, RuleTexts, check_text
from core.registers import limit_row, register_of

DocumentId = Annotated[
    str, Field(min_length=1, max_length=200, description="Its id, or the beginning of it.")
]


class CompareRequest(BaseModel):
    """Two documents, and which of their pairs of clauses are wanted."""

    model_config = ConfigDict(extra="forbid")

    before: DocumentId
    after: DocumentId
    article: QueryText | None = None
    kind: PairKind | None = None
    place: PairPlace | None = None
    wording: PairWording | None = None
    declaration: Declaration | None = None

    @property
    def chooses(self) -> dict[str, str]:
        """The properties that a pair must have."""
        return self.model_dump(
            include={"kind", "place", "wording", "declaration"}, exclude_none=True
        )

    def pairs(self, library: Library) -> list[ClausePair]:
        """Return the pairs of both documents, or those about the article alone."""
        before, after = (library.document(name).document_id for name in (self.before, self.after))
        pairs = compare_documents(library, before, after)
        wanted = [pair for pair in pairs if not self.article or pair.is_about(self.article)]
        return list(compare_drawings(library, before, after, wanted))

    def choose(self, pairs: Iterable[ClausePair]) -> Iterator[ClausePair]:
        """Yield those of the pairs that are wanted."""
        for pair in pairs:
            if all(getattr(pair, name) == value for name, value in self.chooses.items()):
                yield pair

    def answer(self, library: Library) -> JsonObject:
        """Return the wanted pairs under `pairs`."""
        return {"pairs": [asdict(pair) for pair in self.choose(self.pairs(library))]}


class LimitsRequest(BaseModel):
    """A document whose limits are wanted."""

    model_config = ConfigDict(extra="forbid")

    document: DocumentId

    def answer(self, library: Library) -> JsonObject:
        """Return its limits in reading order, and what of its numbers sets none as a sentence."""
        document = library.document(self.document)
        register = register_of(library, document)
        rows = [limit_row(document, limit) for limit in register.limits]
        return {"limits": rows, "summary": register.summary}


class VerifyRequest(LookupRequest):
    """A text whose quotes and cited articles are to be checked."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]

    def answer(self, rules: RuleTexts, should_stop: Callable[[], bool]) -> JsonObject:
        """Return whether all of it stands, and each of its passages with its finding.

        Raises ReadError `too_large` and `cancelled`.
        """
        checked = check_text(rules, self.text, self.scope_choice, should_stop)
        rows = [passage_row(one) for one in checked]
        return {"stands": all(one.stands for one in checked), "passages": rows}


class DocumentsRequest(BaseModel):
    """The list of the documents."""

    model_config = ConfigDict(extra="forbid")

    def answer(self, library: Library) -> JsonObject:
        return {"documents": [document_json(one) for one in library.documents()]}
