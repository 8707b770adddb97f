"""Equations of Word files in a line of text (ECMA-376, Part 1, 22.1): "E_k=(1/2)mv²", "√(a+b)"."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.rulebook.layout.blocks import Script
from core.rulebook.word.package import Element, attribute, child, is_on, name_of

_ONE_TERM = re.compile(r"\w|\d+(?:[.,]\d+)?")
_STROKES = ("H", "V", "BLTR", "TLBR")
_RAISED = re.compile(r"[\d+\-−=()n]+")  # what is written small wherever text is


class EquationPart(NamedTuple):
    """A sign that stands for what print draws, or content to read, small and high or low."""

    sign: str = ""
    """Where there is content, what is written before it."""
    content: Element | None = None
    script: Script = ""
    closing: str = ""
    """What is written behind the content."""
    is_struck: bool = False
    is_hidden: bool = False


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
        case "sSup" | "sSub" | "sSubSup" | "sPre" as name:
            if name != "sPre":
                yield from _write_content(child(element, "e"))
            yield from _lower(child(element, "sub"))
            yield from _raise(child(element, "sup"))
            if name == "sPre":
                yield from _write_content(child(element, "e"))
        case "rad":
            if not is_on(child(properties, "degHide")):
                yield EquationPart(content=child(element, "deg"), script="sup")
            yield EquationPart("√")
            yield _enclose(child(element, "e"))
        case "d":
            first, between, last = (
                sign if (sign := attribute(child(properties, name))) is not None else usual
                for name, usual in (("begChr", "("), ("sepChr", "|"), ("endChr", ")"))
            )
            yield EquationPart(first)
            yield from _join(element.findall("{*}e"), between)
            yield EquationPart(last)
        case "nary":
            yield EquationPart(attribute(child(properties, "chr")) or "∫")
            yield from _lower(child(element, "sub"))
            yield from _raise(child(element, "sup"))
            yield _enclose(child(element, "e"))
        case "func":
            yield from _write_content(child(element, "fName"))
            yield EquationPart(" ")
            yield from _write_content(child(element, "e"))
        case "limLow" | "limUpp" as name:
            yield from _write_content(child(element, "e"))
            yield from (_lower if name == "limLow" else _raise)(child(element, "lim"))
        case "eqArr":
            yield from _join(element.findall("{*}e"), "; ")
        case "m":
            yield EquationPart("[")
            yield from _join(element.findall("{*}mr"), "; ")
            yield EquationPart("]")
        case "mr":
            yield from _join(element.findall("{*}e"), ", ")
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
            yield EquationPart(content=child(element, "e"), is_struck=is_struck)
        case "phant":
            is_hidden = is_on(child(properties, "show")) is False
            yield EquationPart(content=child(element, "e"), is_hidden=is_hidden)


EQUATION_ELEMENTS = frozenset(
    "f sSup sSub sSubSup sPre rad d nary func limLow limUpp eqArr m mr acc bar groupChr borderBox"
    " phant".split()
)


def _words_of(content: Element | None) -> str:
    texts = content.iterfind(".//{*}t") if content is not None else ()
    return "".join(one.text or "" for one in texts).strip()


def _write_content(content: Element | None) -> Iterator[EquationPart]:
    if content is not None:
        yield EquationPart(content=content)


def _join(contents: Sequence[Element], between: str) -> Iterator[EquationPart]:
    for at, content in enumerate(contents):
        if at:
            yield EquationPart(between)
        # A row of a matrix is an element with parts of its own.
        yield from (
            split_equation(content)
            if name_of(content) == "mr"
            else (EquationPart(content=content),)
        )


def _enclose(content: Element | None, before: str = "", behind: str = "") -> EquationPart:
    """Content in brackets, unless it is one letter or number, between signs."""
    if _ONE_TERM.fullmatch(_words_of(content)):
        return EquationPart(before, content, closing=behind)
    return EquationPart(f"{before}(", content, closing=f"){behind}")


def _lower(content: Element | None) -> Iterator[EquationPart]:
    if words := _words_of(content):
        if words.isalnum():
            yield EquationPart(content=content, script="sub")
        else:
            yield _enclose(content, "_")


def _raise(content: Element | None) -> Iterator[EquationPart]:
    if words := _words_of(content):
        if _RAISED.fullmatch(words):
            yield EquationPart(content=content, script="sup")
        else:
            yield _enclose(content, "^")
