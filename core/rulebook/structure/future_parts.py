"""Parts of a document about a later season, as their headings announce them."""

import re

_FUTURE = re.compile(
    r"\b(?:chang|amend|modif|regulations?|rules)\w*\b.{0,60}?\b(?:for|in respect of|from|to)\b"
    r".{0,40}?\b(20\d\d\b|(?:subsequent|future|following)(?=\s+(?:season|year|championship)))",
    re.IGNORECASE | re.DOTALL,
)
FOR_YEAR = re.compile(
    r"^(?:approved\s+)?(?:chang|amend|modif)\w*\s+(?:for|in|from)\s+(20\d\d)\b", re.IGNORECASE
)


def announced_season(title: str, season: int | None, *, is_appendix: bool) -> int | None:
    """The season that "Approved changes for 2025" is about, if it is later than `season`."""
    found = _FUTURE.search(title)
    if not found or not (is_appendix or FOR_YEAR.match(title)):
        return None
    if not found[1].isdigit():
        return season + 1 if season else None
    return int(found[1]) if season is None or int(found[1]) > season else None
