"""The sample rulebooks of the project, known by their bytes."""

from functools import cache
from hashlib import sha256
from pathlib import Path

SAMPLES_FOLDER = Path(__file__).parents[2] / "data" / "samples"


@cache
def sample_ids() -> frozenset[str]:
    """Return the document ids of the sample rulebooks."""
    return frozenset(sha256(file.read_bytes()).hexdigest() for file in SAMPLES_FOLDER.glob("*.pdf"))
