"""Atom feeds (RFC 4287): the changes of a rule through its editions, and what each issue changed.

All is made from the lineage, which is kept, and from relations. An entry has the time at which its
documents were added, or related: it moves only with them. What the texts of others say is escaped.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from operator import eq
from types import MappingProxyType
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from core.exports.items import NAMESPACE
from core.exports.xml import XHTML, add_child, clean_xml, serialize_xml
from core.language import Language
from core.library import (
    ClauseHistory,
    Document,
    Library,
    Relation,
    RuleAddress,
    diff_texts,
    read_lineage,
)
from core.rulebook import Clause
from core.sanitize import strip_control_characters

ATOM = "http://www.w3.org/2005/Atom"
MAX_ISSUES = 50
"""Entries of the feed of a library: the documents that were added last."""
MAX_CHANGES = 200
"""Changed rules that an entry lists, as the digest does."""
_TAGS = {"deleted": "del", "inserted": "ins", "same": "span"}


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed as it is sent, and when the newest of its entries changed."""

    data: bytes
    updated: datetime

    @classmethod
    def of_rule(
        cls,
        library: Library,
        clause: Clause,
        server: str,
        language: Language,
        layers: Mapping[Clause, tuple[str, Relation]] = MappingProxyType({}),
    ) -> "Feed":
        """Return the changes of a rule through the editions of its rulebook, the newest first.

        `server` is where addresses begin. `layers` are rules of other documents, each with what it
        means for this one and what was said of both documents. A clause that is not in force has
        no history: no entry.
        """
        document = library.document(clause.document_id)
        history = ClauseHistory(library, clause)
        stable_id = history.stable_id or str(uuid.uuid5(NAMESPACE, clause.clause_id))
        address = RuleAddress.of(document, clause.article)
        name = " ".join(f"{clause.article} {clause.title}".split())
        title = language.say("feed-rule", rule=name, document=document.rulebook)
        entries = list(_list_rule_entries(library, history, server, stable_id, language))
        entries += (
            _make_layer_entry(library, other, *said, server, stable_id)
            for other, said in layers.items()
        )
        path = f"{address.path}/feed"
        return _write_feed(title, stable_id, server, path, address.path, entries[::-1], document)

    @classmethod
    def of_changes(cls, library: Library, server: str, language: Language) -> "Feed":
        """Return what each of the last issues changed, the newest first; `server` as above."""
        held = library.documents()
        real = [document for document in held if not document.is_sample] or list(held)
        newest = sorted(real, key=lambda one: (one.added_at, one.document_id), reverse=True)
        entries = [
            _make_issue_entry(library, document, server, language)
            for document in newest[:MAX_ISSUES]
        ]
        entries.sort(key=lambda entry: entry.updated, reverse=True)
        feed_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{server}/changes/feed"))
        title = language.say("feed-changes")
        return _write_feed(title, feed_id, server, "/changes/feed", "/rulebooks", entries)

    @property
    def etag(self) -> str:
        """Its entity tag (RFC 9110), quoted."""
        return f'"{sha256(self.data).hexdigest()[:32]}"'


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry: `content` is an XHTML `div`; `day` an ISO date of publication."""

    id: str
    title: str
    link: str
    updated: str
    day: str | None
    content: Element


def _list_rule_entries(
    library: Library, history: ClauseHistory, server: str, stable_id: str, language: Language
) -> Iterator[_Entry]:
    """Yield an entry for each edition that changed, moved or dropped a rule, the earliest first."""
    documents = {document.document_id: document for document in library.documents()}
    entries = {entry.document_id: entry for entry in history.entries}
    before, path, words = False, "", ""
    for document_id in history.lineage.documents:
        document, entry = documents[document_id], entries.get(document_id)
        content = Element(f"{{{XHTML}}}div")
        if entry is None:
            if not before:
                continue
            before, how = False, [language.say("place-removed")]
            _add_words(content, words, "")
        else:
            changes = (f"place-{entry.place}", f"wording-{entry.wording}")
            how = [language.say(one) for one in changes if not one.endswith("-same")]
            path, before = RuleAddress.of(document, entry.article).path, True
            if entry.place == "added":
                how = how[:1]
            if not how:
                continue
            if entry.text is not None:
                _add_words(content, words, entry.text)
                words = entry.text
        article = entry.article if entry else ""
        yield _Entry(
            id=str(uuid.uuid5(NAMESPACE, f"{stable_id} {document_id}")),
            title=" ".join(f"{article} {', '.join(how)}: {document.label}".split()),
            link=server + path,
            updated=document.added_at,
            day=document.date,
            content=content,
        )


def _make_layer_entry(
    library: Library, other: Clause, title: str, said: Relation, server: str, stable_id: str
) -> _Entry:
    """Return the entry of a rule of another document, as `Feed.of_rule` gets it.

    Its day is the first on which that lies there, and it moves when the relation is said.
    """
    document = library.document(other.document_id)
    content = Element(f"{{{XHTML}}}div")
    _add_words(content, other.text, other.text)
    link = server + RuleAddress.of(document, other.article).path
    entry_id = str(uuid.uuid5(NAMESPACE, f"{stable_id} {other.clause_id}"))
    day = said.from_day or document.valid_from or document.date
    return _Entry(entry_id, title, link, max(document.added_at, said.at), day, content)


def _make_issue_entry(
    library: Library, document: Document, server: str, language: Language
) -> _Entry:
    """Return the entry of a document: the rules that it changed since the edition before it."""
    before, changes = read_lineage(library, document).list_changes(library, document)
    content = Element(f"{{{XHTML}}}div")
    link = f"{server}/rulebooks?rulebook={document.document_id}"
    entry_id = str(uuid.uuid5(NAMESPACE, f"issue {document.document_id}"))
    if before is None:
        SubElement(content, f"{{{XHTML}}}p").text = language.say("feed-first")
        title, updated = document.label, document.added_at
        return _Entry(entry_id, title, link, updated, document.date, content)
    dropped = sum(change.document is before for change in changes)
    changed = len(changes) - dropped
    title = language.say("feed-issue", document=document.label, changed=changed, dropped=dropped)
    since = language.say("feed-since", document=before.label)
    SubElement(content, f"{{{XHTML}}}p").text = _clean(since)
    lines = SubElement(content, f"{{{XHTML}}}ul")
    for change in changes[:MAX_CHANGES]:
        item = SubElement(lines, f"{{{XHTML}}}li")
        path = RuleAddress.of(change.document, change.article).path
        link_to = SubElement(item, f"{{{XHTML}}}a", href=server + path)
        link_to.text = _clean(f"{change.article} {change.title}".strip())
        link_to.tail = f": {language.say(change.how)}"
    if len(changes) > MAX_CHANGES:
        more = language.say("feed-more", count=len(changes) - MAX_CHANGES)
        SubElement(content, f"{{{XHTML}}}p").text = more
    updated = max(document.added_at, before.added_at)
    return _Entry(entry_id, title, link, updated, document.date, content)


def _add_words(content: Element, before: str, after: str) -> None:
    """Add a wording as a paragraph, with what left it and what came marked."""
    paragraph = SubElement(content, f"{{{XHTML}}}p")
    pieces = [(piece.kind, piece.text) for piece in diff_texts(before, after, None, eq)]
    for kind, text in pieces or [("same", after)]:
        first, *lines = _clean(text).split("\n")
        marked = SubElement(paragraph, f"{{{XHTML}}}{_TAGS[kind]}")
        marked.text = first
        for line in lines:
            SubElement(marked, f"{{{XHTML}}}br").tail = line


def _write_feed(
    title: str,
    feed_id: str,
    server: str,
    path: str,
    page: str,
    entries: Iterable[_Entry],
    document: Document | None = None,
) -> Feed:
    entries = list(entries)
    times = [entry.updated for entry in entries] or [document.added_at if document else ""]
    updated = _parse_time(max(times))
    ElementTree.register_namespace("", ATOM)
    root = Element(f"{{{ATOM}}}feed")
    add_child(root, "id").text = f"urn:uuid:{feed_id}"
    add_child(root, "title").text = _clean(title)
    add_child(root, "updated").text = updated.isoformat()
    add_child(root, "link", rel="self", href=server + path)
    add_child(root, "link", rel="alternate", href=server + page)
    add_child(add_child(root, "author"), "name").text = "Scrutineer"
    for entry in entries:
        element = add_child(root, "entry")
        add_child(element, "id").text = f"urn:uuid:{entry.id}"
        add_child(element, "title").text = _clean(entry.title)
        add_child(element, "updated").text = _parse_time(entry.updated).isoformat()
        if entry.day:
            add_child(element, "published").text = f"{entry.day}T00:00:00Z"
        add_child(element, "link", rel="alternate", href=entry.link)
        add_child(element, "content", type="xhtml").append(entry.content)
    return Feed(serialize_xml(root), updated)


def _clean(text: str) -> str:
    """Return a text of others without what XML cannot hold, or what turns its direction."""
    return clean_xml(strip_control_characters(text))


def _parse_time(time: str) -> datetime:
    """Return an ISO time in UTC; without one that of the epoch: an empty library's."""
    parsed = datetime.fromisoformat(time or "1970-01-01T00:00:00+00:00")
    return parsed.replace(tzinfo=parsed.tzinfo or UTC)
