"""Functions of pdfium that are called for every object of a page, with addresses as numbers.

Twice as fast as with the typed pointers of the bindings, which are made and cast for each call.
"""

import ctypes
from collections.abc import Callable
from typing import Any

ADDRESS = ctypes.c_void_p


def address_of(pointer: Any) -> int:
    """Return the address of a typed pointer or of a function, 0 for none."""
    return ctypes.cast(pointer, ADDRESS).value or 0


def by_address(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return the same function with other types of its result and arguments."""
    return ctypes.CFUNCTYPE(result, *arguments)(address_of(function))


def read_utf16(function: Any, *arguments: Any) -> str:
    """Return the text that a function of pdfium writes into a buffer, whose size it tells."""
    size = function(*arguments, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    function(*arguments, buffer, size)
    return bytes(buffer)[:size].decode("utf-16-le", "replace").rstrip("\0")
