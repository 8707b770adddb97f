"""What is exported, whatever the format: the rules of a document, or its changes since another.

Each item has the stable id of its clause, so that an importer knows it again in the next issue.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.copied_fields import copy_fields
from core.library import (
    ClausePair,
    Document,
    Library,
    Lineage,
    RuleAddress,
    article_steps,
    compare_documents,
    read_lineage,
)
from core.rulebook import Clause

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://scrutineer/export")


@dataclass(frozen=True, slots=True)
class ExportItem:
    """A rule, or a change of one. What is about a change is empty in a whole document."""

    id: str
    """A UUID, once in each export: the stable id of the clause where it has one."""
    clause_id: str
    number: str
    title: str
    text: str
    """What is in force; of a removed rule what it said."""
    status: str
    page_first: int | None = None
    page_last: int | None = None
    part: str = ""
    """The name of a part of a long article."""
    change: str = ""
    number_before: str = ""
    title_before: str = ""
    text_before: str = ""
    similarity: float | None = None
    declared: str = ""
    address: str = ""
    """Of the rule; of a removed one in the edition before."""
    children: tuple["ExportItem", ...] = ()

    @property
    def name(self) -> str:
        """Number and title, for formats that ask for a name."""
        return " ".join(f"{self.number} {self.title}".split())


@dataclass(frozen=True, slots=True)
class Export:
    """The items of a document in reading order, below each other; with `since`, its changes."""

    document: Document
    since: Document | None
    items: tuple[ExportItem, ...]

    @property
    def id(self) -> str:
        documents = (self.document, self.since)
        return str(uuid.uuid5(NAMESPACE, " ".join(d.document_id for d in documents if d)))

    @property
    def title(self) -> str:
        since = f", changes since {self.since.label}" if self.since else ""
        return f"{self.document.label}{since}"

    @property
    def day(self) -> str:
        """The day of publication, else the day on which the document was added, as ISO date."""
        return self.document.date or self.document.added_at[:10]

    def walk(self) -> Iterator[ExportItem]:
        """Yield every item, each before those below it."""
        return _walk(self.items)


def export_document(library: Library, document_id: str, server: str = "") -> Export:
    """Return every rule of a document, whatever its status.

    `server` is where the addresses of rules begin, "https://rules.example"; without it they hold
    the path alone.
    """
    document = library.rulebook(document_id)
    lineage = read_lineage(library, document)
    clauses = library.clauses(document.document_id)
    items = [
        _clause_item(clause, lineage, _address(document, clause.article, server))
        for clause in clauses
    ]
    return Export(document, None, _nest(_with_single_ids(items)))


def export_changes(library: Library, document_id: str, since_id: str, server: str = "") -> Export:
    """Return every rule that came, left, was changed, renumbered or moved since another edition.

    `server` is as in `export_document`.
    """
    document, since = library.rulebook(document_id), library.rulebook(since_id)
    lineages = (read_lineage(library, document), read_lineage(library, since))
    pairs = compare_documents(library, since.document_id, document.document_id)
    changed = (pair for pair in pairs if pair.has_difference)
    items = (
        _pair_item(
            pair,
            lineages,
            _address(document, pair.article_b, server)
            if pair.article_b
            else _address(since, pair.article_a or "", server),
        )
        for pair in changed
    )
    return Export(document, since, tuple(items))


def _address(document: Document, article: str, server: str) -> str:
    path = RuleAddress.of(document, article).path
    return path and server + path


def _with_single_ids(items: Sequence[ExportItem]) -> list[ExportItem]:
    """Give parts of one name in one article ids of their own, all but the first."""
    single: dict[str, ExportItem] = {}
    for item in items:
        own = str(uuid.uuid5(NAMESPACE, item.clause_id)) if item.id in single else item.id
        single[own] = replace(item, id=own)
    return list(single.values())


def _clause_item(clause: Clause, lineage: Lineage, address: str) -> ExportItem:
    own = lineage.stable_ids.get(clause.clause_id)
    whole = lineage.stable_id(clause.clause_id)
    named = f"{whole} {clause.part}" if clause.part and whole else clause.clause_id
    stable_id = own or str(uuid.uuid5(NAMESPACE, named))
    number = clause.whole_article
    return copy_fields(ExportItem, clause, id=stable_id, number=number, address=address)


def _pair_item(pair: ClausePair, lineages: Iterable[Lineage], address: str) -> ExportItem:
    clause_id = pair.clause_b or pair.clause_a or ""
    stable_ids = (lineage.stable_id(clause_id) for lineage in lineages)
    title_before, text_before = _split_title(pair.before, pair.title)
    title, text = _split_title(pair.after, pair.title) if pair.clause_b else ("", "")
    return ExportItem(
        id=next(filter(None, stable_ids), None) or str(uuid.uuid5(NAMESPACE, clause_id)),
        clause_id=clause_id,
        number=pair.article_b or pair.article_a or "",
        title=title or title_before,
        text=text or ("" if pair.clause_b else text_before),
        status="in_force" if pair.clause_b else "removed",
        change=pair.change,
        number_before=pair.article_a or "",
        title_before=title_before,
        text_before=text_before,
        similarity=round(pair.similarity, 4),
        declared=pair.declaration or "",
        address=address,
    )


def _split_title(wording: str, title: str) -> tuple[str, str]:
    """Return title and text of a wording, which begins with the title if it is unchanged."""
    if title and wording.startswith(title):
        return title, wording.removeprefix(title).lstrip("\n")
    return "", wording


def _nest(items: Sequence[ExportItem]) -> tuple[ExportItem, ...]:
    """Put each item below the nearest one before it whose number its own goes on from."""
    paths = [(*article_steps(item.number), *filter(None, [item.part])) for item in items]
    below: dict[int | None, list[int]] = {}
    open_items: list[int] = []
    for index in range(len(items)):
        while open_items:
            parent = paths[open_items[-1]]
            if 0 < len(parent) < len(paths[index]) and paths[index][: len(parent)] == parent:
                break
            open_items.pop()
        below.setdefault(open_items[-1] if open_items else None, []).append(index)
        open_items.append(index)

    def build(index: int) -> ExportItem:
        return replace(items[index], children=tuple(map(build, below.get(index, ()))))

    return tuple(map(build, below.get(None, ())))


def _walk(items: Iterable[ExportItem]) -> Iterator[ExportItem]:
    for item in items:
        yield item
        yield from _walk(item.children)
