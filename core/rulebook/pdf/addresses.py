"""Functions of pdfium that are called for every object of a page, with addresses as numbers.

Twice as fast as with the typed pointers of the bindings, which are made and cast for each call.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import pypdfium2.raw as pdfium


class _Functions:
    """pdfium's functions by name; where the bindings have pointers, these have numbers."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return a function that takes addresses, arrays and bytes, and returns addresses."""
        function = getattr(pdfium, name)
        kinds = (
            ctypes.c_void_p if hasattr(kind, "contents") else kind
            for kind in (function.restype, *function.argtypes)
        )
        by_address = ctypes.CFUNCTYPE(*kinds)(address_of(function))
        setattr(self, name, by_address)
        return by_address


quick = _Functions()


def address_of(pointer: Any) -> int:
    """Return the address of a typed pointer or of a function, 0 for none."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def read_utf16(function: Any, *arguments: Any) -> str:
    """Return the text that a function of pdfium writes into a buffer, whose size it tells."""
    size = function(*arguments, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    function(*arguments, buffer, size)
    return bytes(buffer)[:size].decode("utf-16-le", "replace").rstrip("\0")
