"""The signs of fonts whose letters are pictures: Symbol, Wingdings, Webdings."""

from typing import Final

_PRIVATE: Final = 0xF000  # where Word writes the codes of such fonts
_AS_ANYWHERE = frozenset(" !#%&()+,./0123456789:;<=>?[]_{|}")
"""What the font Symbol shows as other fonts do."""
_PICTURES = ("wingdings", "webdings")
_WINGDINGS = {
    **dict(zip(range(0x6C, 0x79), "●❍■□◻❑❒⬧⧫◆❖⬥⌧", strict=True)),
    **dict(zip(range(0x81, 0x8B), "①②③④⑤⑥⑦⑧⑨⑩", strict=True)),
    **dict(zip(range(0x8C, 0x96), "❶❷❸❹❺❻❼❽❾❿", strict=True)),
    **dict(zip((0x9E, 0x9F, 0xA1, 0xA7, 0xA8, 0xAB, 0xD8, 0xE8), "·•○▪◻★➢➔", strict=True)),
    **dict(zip(range(0xDF, 0xE7), "←→↑↓↖↗↙↘", strict=True)),
    **dict(zip(range(0xFB, 0xFF), "✗✓☒☑", strict=True)),
}
UNKNOWN_SIGN = "\ufffd"


def write_symbols(text: str, font: str | None) -> str:
    """Return a text as its font shows it."""
    name = (font or "").casefold()
    if name == "symbol" or name.startswith(_PICTURES):
        return "".join(write_symbol(ord(letter), name) for letter in text)
    return text


def write_symbol(code: int, font: str) -> str:
    """The sign of a font with this code, `UNKNOWN_SIGN` for a picture that is no character.

    Those of Symbol stay in the private use area, as in a PDF.
    """
    name, own = font.casefold(), code - _PRIVATE if code >= _PRIVATE else code
    if name.startswith(_PICTURES) and 0x20 < own < 0x100:
        return _WINGDINGS.get(own, UNKNOWN_SIGN) if name == _PICTURES[0] else UNKNOWN_SIGN
    if name == "symbol" and 0x20 <= own < 0x100:
        return chr(own if chr(own) in _AS_ANYWHERE else own + _PRIVATE)
    return chr(code) if 0 < code < 0x110000 else ""
