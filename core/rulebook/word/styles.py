"""What styles say of paragraphs and runs (ECMA-376, Part 1, 17.7): inherited, then direct."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from core.errors import ReadError
from core.rulebook.layout.blocks import Script
from core.rulebook.pdf.page_content import WHITE, color_distance
from core.rulebook.word.package import Element, attribute, child, is_on, name_of, whole_number

_TOGGLES = ("bold", "italic", "capitals", "struck", "hidden")
"""Properties that a style turns round where the style below it has them too (17.7.3)."""
_NAMES = {
    "b": "bold",
    "i": "italic",
    "caps": "capitals",
    "strike": "struck",
    "dstrike": "double_struck",
    "vanish": "hidden",
}
_SCRIPTS: dict[str, Script] = {"superscript": "sup", "subscript": "sub"}
_HIGHLIGHTS = {
    "black": 0,
    "blue": 0x0000FF,
    "cyan": 0x00FFFF,
    "green": 0x00FF00,
    "magenta": 0xFF00FF,
    "red": 0xFF0000,
    "yellow": 0xFFFF00,
    "white": WHITE,
    "darkBlue": 0x000080,
    "darkCyan": 0x008080,
    "darkGreen": 0x008000,
    "darkMagenta": 0x800080,
    "darkRed": 0x800000,
    "darkYellow": 0x808000,
    "darkGray": 0x808080,
    "lightGray": 0xC0C0C0,
}
"""Colours of 17.18.40."""
_THEME = {"background1": WHITE, "light1": WHITE, "text1": 0, "dark1": 0}
_AUTOMATIC = -1
"""The colour of text that is clear on whatever is below it; of what lets that be seen."""
MIXED = -2
"""A colour that is not known, or none alone."""
_CLOSEST = 24  # of 255: the eye does not distinguish closer colours, as on pages
_Look = TypeVar("_Look", "RunLook", "ParagraphLook")
_RAISED = 4  # half-points: text is not moved further from its line to look better
_SMALLEST = 2.0  # points of text that is read
_SIZE = 10.0  # points of text whose size is given nowhere (17.3.2.38)


@dataclass(frozen=True, slots=True)
class RunLook:
    """How a run looks; None where nothing says so."""

    bold: bool | None = None
    italic: bool | None = None
    capitals: bool | None = None
    struck: bool | None = None
    double_struck: bool | None = None
    hidden: bool | None = None
    size: float | None = None
    color: int | None = None
    """0xRRGGBB, or less than 0, as the next two."""
    shade: int | None = None
    highlight: int | None = None
    script: Script | None = None
    font: str | None = None

    @classmethod
    def read(cls, properties: Element | None) -> "RunLook":
        """Read `w:rPr`."""
        values: dict[str, Any] = {}
        for one in properties if properties is not None else ():
            match name_of(one):
                case name if name in _NAMES:
                    values[_NAMES[name]] = is_on(one)
                case "sz" if (half := whole_number(one)) is not None:
                    values["size"] = half / 2
                case "color":
                    values["color"] = _read_color(one)
                case "shd":
                    values["shade"] = read_shade(one)
                case "highlight":
                    values["highlight"] = _HIGHLIGHTS.get(attribute(one) or "", _AUTOMATIC)
                case "textFill" if child(one, "noFill") is not None:
                    values["hidden"] = True
                case "vertAlign":
                    values["script"] = _SCRIPTS.get(attribute(one) or "", "")
                case "position" if abs(raised := whole_number(one) or 0) >= _RAISED:
                    values.setdefault("script", "sup" if raised > 0 else "sub")
                case "rFonts":
                    values["font"] = attribute(one, "ascii")
        return cls(**values)

    def is_unseen(self, ground: int) -> bool:
        """True for text that is hidden, tiny, or in the colour of what is below it."""
        if self.hidden or size_of(self) < _SMALLEST:
            return True
        ground = lay_over(lay_over(ground, self.shade), self.highlight)
        color = _AUTOMATIC if self.color is None else self.color
        return min(color, ground) >= 0 and color_distance(color, ground) < _CLOSEST

    def overlay(self, other: "RunLook") -> "RunLook":
        """Return this look with all that the other one says."""
        return self if other == _NO_LOOK else _lay_values_over(self, other)

    def toggle(self, other: "RunLook") -> "RunLook":
        """Return the look of a paragraph's style with that of a character style over it."""
        if other == _NO_LOOK:
            return self
        turned: dict[str, Any] = {
            name: bool(getattr(self, name)) != bool(getattr(other, name))
            for name in _TOGGLES
            if getattr(other, name)
        }
        return replace(self.overlay(other), **turned)


_NO_LOOK = RunLook()


class NumberPlace(NamedTuple):
    """Which list numbers a paragraph, and at which level; None where nothing says so."""

    number_id: str | None = None
    level: int | None = None
    style: str = ""
    """The style that says so, "" for the paragraph itself."""

    @classmethod
    def read(cls, properties: Element | None, style: str = "") -> "NumberPlace":
        """Read `w:numPr` of `w:pPr`."""
        numbers = child(properties, "numPr")
        number_id = attribute(child(numbers, "numId"))
        return cls(number_id, whole_number(child(numbers, "ilvl")), style if number_id else "")


_NOWHERE = NumberPlace()


@dataclass(frozen=True, slots=True)
class ParagraphLook:
    """How a paragraph looks, its numbers, and its outline level (from 1, 0 for text)."""

    numbers: NumberPlace = _NOWHERE
    outline: int | None = None
    is_centred: bool | None = None
    indent: float | None = None
    """Points from the margin to its left edge."""
    breaks_page: bool | None = None
    shade: int | None = None
    """The colour below it, as that of a run."""
    names: tuple[str, ...] = ()
    """The names of its styles, in small letters, its own first."""

    @classmethod
    def read(cls, properties: Element | None, style: str = "") -> "ParagraphLook":
        """Read `w:pPr`."""
        outline = whole_number(child(properties, "outlineLvl"))
        justified = attribute(child(properties, "jc"))
        indent = child(properties, "ind")
        twips = whole_number(indent, "left")
        twips = whole_number(indent, "start") if twips is None else twips
        return cls(
            NumberPlace.read(properties, style),
            None if outline is None else outline + 1 if outline < 9 else 0,
            None if justified is None else justified == "center",
            None if twips is None else twips / 20,
            is_on(child(properties, "pageBreakBefore")),
            read_shade(child(properties, "shd")),
        )

    def overlay(self, other: "ParagraphLook") -> "ParagraphLook":
        """Return this look with all that the other one says."""
        own, above = self.numbers, other.numbers
        number_id = own.number_id if above.number_id is None else above.number_id
        level = own.level if above.level is None else above.level
        if above.number_id is not None and above.level is None and not above.style:
            level = 0
        style = own.style if above.number_id is None else above.style
        numbers, names = NumberPlace(number_id, level, style), (*other.names, *self.names)
        return replace(_lay_values_over(self, other), numbers=numbers, names=names)


@dataclass(slots=True)
class Styles:
    """The styles of a document by their ids. Raises ReadError where they lead in a circle."""

    root: Element | None
    looks: dict[str, tuple[ParagraphLook, RunLook]] = field(default_factory=dict)
    """What each style says, with all that it is based on."""
    default: RunLook = field(init=False)
    elements: dict[str, Element] = field(init=False)
    default_paragraph: str = field(init=False)
    language: str = field(init=False)
    """Of the text where nothing else is said ("fr-FR"), English if nothing is."""

    def __post_init__(self) -> None:
        found = list(self.root.iterfind("{*}style")) if self.root is not None else []
        self.elements = {attribute(one, "styleId") or "": one for one in found}
        defaults = (one for one in found if attribute(one, "default") in ("1", "true", "on"))
        usual = (one for one in defaults if attribute(one, "type") == "paragraph")
        self.default_paragraph = next((attribute(one, "styleId") or "" for one in usual), "")
        given = child(child(self.root, "docDefaults"), "rPrDefault")
        self.default = RunLook.read(child(given, "rPr"))
        usual_run = child(self.elements.get(self.default_paragraph), "rPr")
        languages = (child(one, "lang") for one in (usual_run, child(given, "rPr")))
        self.language = next(filter(None, map(attribute, languages)), "en")

    def numbers_of_list_styles(self) -> dict[str, str]:
        """The instance of a list that each list style names."""
        found = {
            key: attribute(child(child(child(one, "pPr"), "numPr"), "numId"))
            for key, one in self.elements.items()
            if attribute(one, "type") == "numbering"
        }
        return {key: number for key, number in found.items() if number}

    def look(self, style: str | None) -> tuple[ParagraphLook, RunLook]:
        """What a style says of paragraphs and of runs, with all that it is based on."""
        if not style or style not in self.elements:
            # Some programs name the styles that Word has built in, and describe none.
            name = re.sub(r"(?<=\D)(?=\d$)", " ", (style or "").casefold())
            return ParagraphLook(names=(name,) if name else ()), _NO_LOOK
        if style not in self.looks:
            paragraph, run = ParagraphLook(), _NO_LOOK
            for key in reversed(list(self._ancestry(style))):
                element = self.elements[key]
                own = ParagraphLook.read(child(element, "pPr"), key)
                name = (attribute(child(element, "name")) or key).casefold()
                paragraph = paragraph.overlay(replace(own, names=(name,)))
                run = run.overlay(RunLook.read(child(element, "rPr")))
            self.looks[style] = paragraph, run
        return self.looks[style]

    def _ancestry(self, style: str) -> Iterator[str]:
        """Yield a style and those that it is based on, innermost first."""
        seen: set[str] = set()
        while style in self.elements:
            if style in seen:
                message = "its styles are based on each other in a circle: please save it again"
                raise ReadError(message, code="damaged")
            seen.add(style)
            yield style
            style = attribute(child(self.elements[style], "basedOn")) or ""

    def has_shades(self, style: str | None) -> bool:
        """True for a style of tables that lays a colour below any of its cells."""
        ancestry = self._ancestry(style or "")
        return any(self.elements[key].find(".//{*}shd") is not None for key in ancestry)

    def is_heading(self, names: Iterable[str]) -> int:
        """The outline level of the built-in style "heading 1" (to 9), 0 for others."""
        for name in names:
            if name.startswith("heading ") and name[8:].isdigit() and 1 <= int(name[8:]) <= 9:
                return int(name[8:])
        return 0


def _lay_values_over(look: _Look, other: _Look) -> _Look:
    """The values of one look, and in their place those that another one has."""
    values: dict[str, Any] = {name: getattr(other, name) for name in type(look).__slots__}
    return replace(look, **{name: value for name, value in values.items() if value is not None})


def size_of(look: RunLook) -> float:
    return _SIZE if look.size is None else look.size


def color_of(look: RunLook) -> int:
    """The colour of text as 0xRRGGBB; black for none and for an automatic one."""
    return max(look.color or 0, 0)


def read_shade(shade: Element | None) -> int | None:
    """The colour of `w:shd`, None without one."""
    if shade is None:
        return None
    match attribute(shade):
        case "solid":
            return _read_color(shade, "color")
        case None | "clear":
            return _read_color(shade, "fill")
        case "nil":
            return _AUTOMATIC
        case _:
            return MIXED


def read_background(background: Element | None) -> int:
    """The colour of `w:background`, on which a document is shown."""
    if background is None:
        return WHITE
    return MIXED if len(background) else lay_over(WHITE, _read_color(background, "color"))


def lay_over(ground: int, shade: int | None) -> int:
    """The colour that is seen where a shade lies over another colour."""
    return ground if shade in (None, _AUTOMATIC) else shade


def _read_color(element: Element, name: str = "val") -> int:
    """A colour; of those of a theme, unless they are made lighter or darker, black and white."""
    theme = "themeFill" if name == "fill" else "theme"
    named = attribute(element, theme if name == "fill" else "themeColor") or ""
    is_changed = any(attribute(element, f"{theme}{how}") for how in ("Tint", "Shade"))
    if named in _THEME and not is_changed:
        return _THEME[named]
    try:
        value = attribute(element, name) or ""
        return int(value if len(value) == 6 else "", 16)
    except ValueError:
        return MIXED if named else _AUTOMATIC
