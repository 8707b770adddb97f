"""Foreign text without the characters that a screen obeys instead of showing. It escapes nothing of any markup."""

import unicodedata

_TURNS = frozenset(("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def strip_control_characters(text: str) -> str:
    """The text without control characters, but for new lines and tabs, and without those that change the direction of
    writing."""
    return "".join(
        character
        for character in text
        if character in "\n\t"
        or not (
            unicodedata.category(character) in ("Cc", "Cs")
            or unicodedata.bidirectional(character) in _TURNS
        )
    )
