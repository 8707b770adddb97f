"""Equations of Word files in a line of text (ECMA-376, Part 1, 22.1): "E_k=(1/2)mv²", "√(a+b)"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.rulebook.word.package import Element, attribute, child, is_on, name_of
from core.rulebook.word.styles import RunLook

_ONE_TERM = re.compile(r"\w|\d+(?:[.,]\d+)?")
_BETWEEN = {
    "d": {"begChr": "(", "sepChr": "|", "endChr": ")"},
    "eqArr": {"begChr": "", "sepChr": "; ", "endChr": ""},
    "m": {"begChr": "[", "sepChr": "; ", "endChr": "]"},
    "mr": {"begChr": "", "sepChr": ", ", "endChr": ""},
}
"""What is before, between and behind the parts of an element, unless it says so itself."""
_STROKES = ("H", "V", "BLTR", "TLBR")
_HIGH = RunLook(script="sup")
_RAISED = re.compile(r"[\d+\-−=()n]+")  # what is written small wherever text is


class EquationPart(NamedTuple):
    """A sign that stands for what print draws, or content to read, small and high or low."""

    sign: str = ""
    """Where there is content, what is written before it."""
    content: Element | None = None
    look: RunLook = RunLook()
    """How print changes the look of the content."""
    closing: str = ""
    """What is written behind the content."""


def split_equation(element: Element) -> Iterator[EquationPart]:
    """The parts of one element of an equation, in the order in which they are read aloud."""
    properties = child(element, f"{name_of(element)}Pr")
    match name_of(element):
        case "f":
            is_bare = attribute(child(properties, "type")) == "noBar"
            yield EquationPart("(")
            yield _enclose(child(element, "num"))
            yield EquationPart("¦" if is_bare else "/")
            yield _enclose(child(element, "den"))
            yield EquationPart(")")
        case "sSup" | "sSub" | "sSubSup" | "limLow" | "limUpp" as name:
            yield EquationPart(content=child(element, "e"))
            yield from _write_limits(element, "lim" if name == "limLow" else "sub")
            yield from _raise(child(element, "lim") if name == "limUpp" else None)
        case "sPre":
            yield from _write_limits(element)
            yield EquationPart(content=child(element, "e"))
        case "rad":
            if not is_on(child(properties, "degHide")):
                yield EquationPart(content=child(element, "deg"), look=_HIGH)
            yield EquationPart("√")
            yield _enclose(child(element, "e"))
        case "d" | "eqArr" | "m" | "mr":
            yield from _join(element, properties)
        case "nary":
            yield EquationPart(attribute(child(properties, "chr")) or "∫")
            yield from _write_limits(element)
            yield _enclose(child(element, "e"))
        case "func":
            yield EquationPart(content=child(element, "fName"), closing=" ")
            yield EquationPart(content=child(element, "e"))
        case _:
            yield from _split_marked(element, properties)


def _split_marked(element: Element, properties: Element | None) -> Iterator[EquationPart]:
    """The content of an element that marks it: above, below, around, or as not to be seen."""
    match name_of(element):
        case "acc" | "bar" | "groupChr" as name:
            is_above = attribute(child(properties, "pos")) == "top"
            line = "\u0305" if is_above else "\u0332"
            usual = {"acc": "\u0302", "groupChr": "\u23df"}.get(name, line)
            sign = attribute(child(properties, "chr"))
            yield _enclose(child(element, "e"), behind=usual if sign is None else sign)
        case "borderBox":
            is_struck = any(is_on(child(properties, f"strike{way}")) for way in _STROKES)
            yield EquationPart(content=child(element, "e"), look=RunLook(struck=is_struck or None))
        case "phant":
            is_hidden = is_on(child(properties, "show")) is False
            yield EquationPart(content=child(element, "e"), look=RunLook(hidden=is_hidden or None))


EQUATION_ELEMENTS = frozenset(
    "f sSup sSub sSubSup sPre rad d nary func limLow limUpp eqArr m mr acc bar groupChr borderBox"
    " phant".split()
)


def _words_of(content: Element | None) -> str:
    texts = content.iterfind(".//{*}t") if content is not None else ()
    return "".join(one.text or "" for one in texts).strip()


def _join(element: Element, properties: Element | None) -> Iterator[EquationPart]:
    """Terms or rows with a sign between them, maybe in brackets."""
    sign, between, last = (
        usual if (given := attribute(child(properties, name))) is None else given
        for name, usual in _BETWEEN[name_of(element)].items()
    )
    for content in (one for one in element if name_of(one) in ("e", "mr")):
        yield EquationPart(sign)
        # A row of a matrix is an element with parts of its own.
        is_row = name_of(content) == "mr"
        yield from split_equation(content) if is_row else (EquationPart(content=content),)
        sign = between
    yield EquationPart(last)


def _enclose(content: Element | None, before: str = "", behind: str = "") -> EquationPart:
    """Content in brackets, unless it is one letter or number, between signs."""
    if _ONE_TERM.fullmatch(_words_of(content)):
        return EquationPart(before, content, closing=behind)
    return EquationPart(f"{before}(", content, closing=f"){behind}")


def _write_limits(element: Element, below: str = "sub") -> Iterator[EquationPart]:
    yield from _lower(child(element, below))
    yield from _raise(child(element, "sup"))


def _lower(content: Element | None) -> Iterator[EquationPart]:
    if words := _words_of(content):
        if words.isalnum():
            yield EquationPart(content=content, look=RunLook(script="sub"))
        else:
            yield _enclose(content, "_")


def _raise(content: Element | None) -> Iterator[EquationPart]:
    if words := _words_of(content):
        if _RAISED.fullmatch(words):
            yield EquationPart(content=content, look=_HIGH)
        else:
            yield _enclose(content, "^")
