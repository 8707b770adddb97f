"""What other rooms may use of `core.language`."""

from .language import (
    ENGLISH as ENGLISH,
    LANGUAGES as LANGUAGES,
    Language as Language,
    find_language as find_language,
    to_zone as to_zone,
)
