"""How many inputs Hypothesis tries: the same 100 in every run, or `EXAMPLES=20000 make test`."""

import os

from hypothesis import settings

MANY = "EXAMPLES" in os.environ
settings.register_profile(
    "rules",
    deadline=None,
    derandomize=not MANY,
    database=None if not MANY else settings.default.database,
    max_examples=int(os.environ.get("EXAMPLES", 100)),
)
settings.load_profile("rules")
