"""Which program this is, how it was installed, and so where its data lie and how it is called.

It runs from a checkout, where all lies in that folder, or as an installed package, `scrutineer`,
whose own folder `_app` holds what a checkout does and nothing that is written.
"""

import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path

import platformdirs

FOLDER = Path(__file__).parents[1]
"""What holds `app.py`, `core`, `pages`, `server` and `data/samples`."""
_IS_INSTALLED = FOLDER.name == "_app"
COMMAND = "scrutineer" if _IS_INSTALLED else "python -m core"
"""What a person types before the name of a command."""
DATA_FOLDER, SETTINGS_FILE = (
    (
        platformdirs.user_data_path("scrutineer", appauthor=False) / "library",
        platformdirs.user_config_path("scrutineer", appauthor=False) / ".env",
    )
    if _IS_INSTALLED
    else (Path("data/library"), Path(".env"))
)
"""An installed program reads no `.env` of the folder where it is called: it may be a stranger's."""


def describe_install(part: str) -> str:
    """Return what installs an optional part, as a command."""
    return f"pip install 'scrutineer[{part}]'" if _IS_INSTALLED else f"make run EXTRAS={part}"


@cache
def read_version() -> str:
    """Return the version that this program says it has."""
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


@cache
def describe_program() -> str:
    """Return a text that changes with every file of `core`, also before a version is given."""
    paths = Path(__file__).parent.rglob("*.*")
    files = sorted(path for path in paths if path.parent.name != "__pycache__")
    states = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files]
    return sha256(repr(states).encode()).hexdigest()
