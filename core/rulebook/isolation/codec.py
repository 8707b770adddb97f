"""Values as bytes between processes: MessagePack, read back by the types that are expected.

msgspec checks each value while it reads, so nothing but what a type allows is ever built. It knows
dataclasses by their field names alone and tells no two of them apart, so each is sent as an array
that begins with its name. A field that `__init__` does not take is a cache and stays behind.
"""

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

import msgspec

from core.sanitize import map_texts, replace_surrogates

_Convert: TypeAlias = Callable[[Any], Any] | None
"""From a value to what is sent, or back; None if they are the same."""
DecodeError = msgspec.MsgspecError


_LENGTH_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}  # bytes and texts
_SKIPPED_BYTES = {
    0xCA: 4,
    0xCB: 8,
    0xCC: 1,
    0xCD: 2,
    0xCE: 4,
    0xCF: 8,  # numbers
    0xD0: 1,
    0xD1: 2,
    0xD2: 4,
    0xD3: 8,
}
_COUNT_BYTES = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}  # arrays; maps


class Codec:
    """Turns values of one type, which may be a union, into bytes and back."""

    def __init__(self, hint: Any) -> None:
        self._pack, self._unpack = _pack(hint), _unpack(hint)
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
            place += _SKIPPED_BYTES.get(head, 0)
    return count


def codec_for(hint: Any) -> Codec:
    """The codec of a type, made once."""
    return _make_codec(hint)


_make_codec = cache(Codec)


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
    hints = typing.get_type_hints(cls)
    members = [(field.name, _wire_type(hints[field.name])) for field in _list_sent_fields(cls)]
    return msgspec.defstruct(
        cls.__name__, members, array_like=True, tag=cls.__name__, forbid_unknown_fields=True
    )


def _pack(hint: Any) -> _Convert:
    return _convert(hint, _pack_dataclass, lambda cls: cls)


def _unpack(hint: Any) -> _Convert:
    return _convert(hint, _unpack_dataclass, _struct_for)


def _convert(hint: Any, of_dataclass: Callable[[Any], _Convert], kind: Any) -> _Convert:
    """What to do with each value of a type; `kind` is the class that one of a dataclass has."""
    if is_dataclass(hint):
        return of_dataclass(hint)
    arguments = typing.get_args(hint)
    each = [_convert(argument, of_dataclass, kind) for argument in arguments]
    if not any(each):
        return None
    match typing.get_origin(hint):
        case types.UnionType | typing.Union:
            by_kind = {
                kind(a): convert for a, convert in zip(arguments, each, strict=True) if convert
            }
            return lambda value: by_kind.get(type(value), lambda same: same)(value)
        case origin:  # a list, or a tuple of any length
            (convert,) = filter(None, each)
            return lambda values: origin(map(convert, values))


@cache
def _pack_dataclass(cls: Any) -> _Convert:
    parts, name = _parts(cls, _pack), cls.__name__
    return lambda value: (name, *_convert_values(value, *parts))


@cache
def _unpack_dataclass(cls: Any) -> _Convert:
    parts = _parts(cls, _unpack)
    return lambda value: cls(*_convert_values(value, *parts))


def _parts(cls: Any, convert: Callable[[Any], _Convert]) -> tuple[Any, list[tuple[int, Any]]]:
    """How to get the fields of a dataclass, and what to do with some of them."""
    hints = typing.get_type_hints(cls)
    names = [field.name for field in _list_sent_fields(cls)]
    changes = [
        (index, change) for index, name in enumerate(names) if (change := convert(hints[name]))
    ]
    get = attrgetter(*names)
    return (get if len(names) > 1 else lambda value: (get(value),)), changes


def _convert_values(value: Any, get: Any, changes: list[tuple[int, Any]]) -> Any:
    values = get(value)
    if changes:
        values = list(values)
        for index, change in changes:
            values[index] = change(values[index])
    return values


def _list_sent_fields(cls: Any) -> list[Field[Any]]:
    return [field for field in fields(cls) if field.init]
