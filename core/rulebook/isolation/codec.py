"""Values as bytes between processes: MessagePack, read back by the types that are expected.

msgspec checks each value while it reads, so nothing but what a type allows is ever built. It knows
dataclasses by their field names alone and tells no two of them apart, so each is sent as an array
that begins with its name. A field that `__init__` does not take is a cache and stays behind.
"""

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias, cast

import msgspec

from core.sanitize import map_texts, replace_surrogates

_Convert: TypeAlias = Callable[[Any], Any] | None
"""From a value to what is sent, or back; None if they are the same."""
DecodeError = msgspec.MsgspecError

# The bytes behind the first one of a value, by that one (MessagePack specification).
_LENGTH_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}  # bytes and texts
_NUMBER_BYTES = dict(enumerate((4, 8, 1, 2, 4, 8, 1, 2, 4, 8), start=0xCA))
_COUNT_BYTES = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}  # arrays; maps


class Codec:
    """Turns values of one type, which may be a union, into bytes and back."""

    def __init__(self, hint: Any) -> None:
        self._pack, self._unpack = _converter(hint, True), _converter(hint, False)
        self._decoder = msgspec.msgpack.Decoder(_wire_type(hint))

    def encode(self, value: Any) -> bytes:
        """Return the bytes of a value. Lone surrogates, which UTF-8 cannot hold, are replaced."""
        plain = self._pack(value) if self._pack else value
        try:
            return msgspec.msgpack.encode(plain)
        except UnicodeEncodeError:
            return msgspec.msgpack.encode(map_texts(plain, replace_surrogates))

    def decode(self, data: bytes) -> Any:
        """Return the value. Raises DecodeError if the bytes are none of its type."""
        value = self._decoder.decode(data)
        return self._unpack(value) if self._unpack else value


def count_elements(data: bytes, most: int) -> int:
    """Return how many values the arrays and maps of MessagePack promise; more than `most` if more.

    Nothing is built: a value of one byte may take a hundred of memory.
    """
    place = count = 0
    while place < len(data) and count <= most:
        head = data[place]
        place += 1
        if head in _LENGTH_BYTES:
            size = _LENGTH_BYTES[head]
            place += size + int.from_bytes(data[place : place + size])
        elif 0xA0 <= head < 0xC0:  # a short text
            place += head & 0x1F
        elif 0x80 <= head < 0xA0:  # a small map or array
            count += (head & 0x0F) << (head < 0x90)
        elif head in _COUNT_BYTES:
            size, parts = _COUNT_BYTES[head]
            count += parts * int.from_bytes(data[place : place + size])
            place += size
        else:
            place += _NUMBER_BYTES.get(head, 0)
    return count


codec_for = cast("Callable[[Any], Codec]", cache(Codec))
"""Return the codec of a type, made once."""


def _wire_type(hint: Any) -> Any:
    """The type that msgspec checks: dataclasses become structs."""
    if isinstance(hint, type) and is_dataclass(hint):
        return _struct_for(hint)
    arguments = tuple(map(_wire_type, typing.get_args(hint)))
    match typing.get_origin(hint):
        case None | typing.Literal:
            return hint
        case types.UnionType | typing.Union:
            return typing.Union[arguments]  # noqa: UP007  (made at run time)
        case origin if origin is Mapping:
            return dict.__class_getitem__(arguments)
        case origin:
            return origin[arguments]


@cache
def _struct_for(cls: Any) -> type[msgspec.Struct]:
    members = [(name, _wire_type(hint)) for name, hint in _sent_fields(cls).items()]
    return msgspec.defstruct(
        cls.__name__, members, array_like=True, tag=cls.__name__, forbid_unknown_fields=True
    )


def _sent_fields(cls: Any) -> dict[str, Any]:
    """The types of a dataclass's fields by name, without caches."""
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls) if field.init}


@cache
def _converter(hint: Any, to_wire: bool) -> _Convert:
    """What turns each value of a type into what is sent, or back."""
    if is_dataclass(hint):
        return _dataclass_converter(hint, to_wire)
    arguments = typing.get_args(hint)
    each = [_converter(argument, to_wire) for argument in arguments]
    if not any(each):
        return None
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        kinds = arguments if to_wire else map(_wire_type, arguments)
        by_kind = {kind: convert for kind, convert in zip(kinds, each, strict=True) if convert}
        return lambda value: by_kind.get(type(value), lambda same: same)(value)
    (convert,) = filter(None, each)  # of a list, or a tuple of any length
    return lambda values: cast("Any", origin)(map(convert, values))


def _dataclass_converter(cls: Any, to_wire: bool) -> _Convert:
    sent = _sent_fields(cls)
    changes = [
        (index, change)
        for index, hint in enumerate(sent.values())
        if (change := _converter(hint, to_wire))
    ]
    get = attrgetter("__class__", *sent)  # a tuple, even of one field

    def convert(value: Any) -> Any:
        _, *values = get(value)
        for index, change in changes:
            values[index] = change(values[index])
        return (cls.__name__, *values) if to_wire else cls(*values)

    return convert
