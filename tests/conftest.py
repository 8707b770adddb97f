"""How many inputs Hypothesis tries: the same 100 in every run, or `EXAMPLES=20000 make test`."""

import os

from hypothesis import settings

# Tests search by words, whose ranks a person can follow; those on vectors say so themselves.
os.environ.setdefault("SCRUTINEER_SEARCH_MODE", "lexical")

MANY = "EXAMPLES" in os.environ
settings.register_profile(
    "rules",
    deadline=None,
    derandomize=not MANY,
    database=None if not MANY else settings.default.database,
    max_examples=int(os.environ.get("EXAMPLES", 100)),
)
settings.load_profile("rules")
