"""What a PDF brings beside its pages, by its own objects (ISO 32000): signatures, scripts, layers,
attached files and fields of a form. Whether a signature is genuine is not looked at.
"""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from pypdf.generic import ArrayObject, DictionaryObject

from core.rulebook.pdf.pypdf_fallback import PYPDF_ERRORS, open_reader
from core.rulebook.types import Provenance

_MOST = 20_000  # entries of one tree: a file cannot keep this busy
_SCRIPTS = ("/JavaScript", "/Launch")


def find_provenance(data: bytes) -> Provenance:
    """Return what was found; nothing of a file whose objects cannot be read."""
    try:
        reader = open_reader(data)
        root = _entry(reader.trailer, "/Root")
        fields = list(_walk(_entry(_entry(root, "/AcroForm"), "/Fields")))
        notes = [
            note for page in islice(reader.pages, _MOST) for note in _items(_entry(page, "/Annots"))
        ]
        scripted = chain([root], reader.pages, fields, notes)
        names = _entry(root, "/Names")
        return Provenance(
            signatures=sum(_signed_end(field) > 0 for field in fields),
            signed_bytes=max(map(_signed_end, fields), default=0),
            scripts=sum(map(_count_scripts, scripted))
            + sum(1 for _ in _walk(_entry(names, "/JavaScript"), "/Names")),
            layers=len(list(_items(_entry(_entry(root, "/OCProperties"), "/OCGs")))),
            attachments=sum(1 for _ in _walk(_entry(names, "/EmbeddedFiles"), "/Names"))
            + sum(_entry(note, "/Subtype") == "/FileAttachment" for note in notes),
            form_fields=sum(_entry(field, "/FT") in ("/Tx", "/Btn", "/Ch") for field in fields),
        )
    except PYPDF_ERRORS:
        return Provenance()


def _entry(owner: Any, key: str) -> Any:
    """Return the object at a key, resolved; None where the owner is no dictionary or lacks it."""
    value = owner.get(key) if isinstance(owner, DictionaryObject) else None
    return value.get_object() if value is not None else None


def _items(array: Any) -> Iterator[Any]:
    """Yield the objects of an array, resolved."""
    if isinstance(array, ArrayObject):
        yield from (item.get_object() for item in islice(array, _MOST))


def _walk(top: Any, leaves: str = "") -> Iterator[Any]:
    """Yield the fields of an array, with those below, or the values of a tree's `leaves`."""
    waiting = [top] if leaves else list(_items(top))
    seen: set[int] = set()
    while waiting and len(seen) < _MOST:
        node = waiting.pop()
        if not isinstance(node, DictionaryObject) or id(node) in seen:
            continue
        seen.add(id(node))
        waiting += _items(_entry(node, "/Kids"))
        if leaves:
            yield from islice(_items(_entry(node, leaves)), 1, None, 2)  # after each a name
        else:
            yield node


def _count_scripts(owner: Any) -> int:
    """Count the scripts and programs that an object starts: at once, or when something happens."""
    actions = [_entry(owner, "/OpenAction"), _entry(owner, "/A")]
    events = _entry(owner, "/AA")
    if isinstance(events, DictionaryObject):
        actions += [_entry(events, event) for event in events]
    return sum(_entry(action, "/S") in _SCRIPTS for action in actions)


def _signed_end(field: Any) -> int:
    """Return how many bytes of the file the signature of a field covers, 0 without one."""
    parts = list(_items(_entry(_entry(field, "/V"), "/ByteRange")))
    if _entry(field, "/FT") != "/Sig" or len(parts) != 4:
        return 0
    return int(parts[2]) + int(parts[3])
