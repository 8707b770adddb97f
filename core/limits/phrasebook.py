"""What rules of other languages say, in the English words by which limits are known.

`phrases.toml` is the data. The result is read by the grammar of limits alone and shown to nobody.
"""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

from core.limits.passages import Passage

_FILE = Path(__file__).with_name("phrases.toml")
_PHRASES = {
    language: tuple(
        (re.compile(rf"(?i)(?:(?<!\w)|(?!\w))(?:{foreign})(?:(?!\w)|(?<!\w))"), english)
        for foreign, english in entries["phrases"]
    )
    for language, entries in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
}


def translate_passage(passage: Passage, language: str) -> Passage:
    """Return a passage with the words that set limits in English."""
    return replace(
        passage,
        text=put_into_english(passage.text, language),
        lead=put_into_english(passage.lead, language),
        label=put_into_english(passage.label, language),
        label_heading=put_into_english(passage.label_heading, language),
        column=put_into_english(passage.column, language),
        printed="" if language == "en" else passage.text,
    )


def put_into_english(text: str, language: str) -> str:
    """Return a text with its phrases that set limits in English."""
    for foreign, english in _PHRASES.get(language, ()):
        text = foreign.sub(english, text)
    return text
