"""Remove the characters that a screen obeys instead of showing. It escapes no markup."""

import unicodedata

_DIRECTION_MARKS = frozenset("LRE RLE LRO RLO PDF LRI RLI FSI PDI".split())


def strip_control_characters(text: str) -> str:
    """Remove control characters, except new line and tab, and changes of writing direction."""
    return "".join(
        character
        for character in text
        if character in "\n\t"
        or (
            unicodedata.category(character) not in ("Cc", "Cs")
            and unicodedata.bidirectional(character) not in _DIRECTION_MARKS
        )
    )
