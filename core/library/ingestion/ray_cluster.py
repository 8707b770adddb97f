"""The machines of a Ray cluster, or the cores of this machine, over which work is spread."""

import logging
import os
import secrets
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.errors import LibraryError, SettingsError

_PACKAGE = Path(__file__).parents[2]
"""What the machines of a cluster get of this program."""

Row = dict[str, Any]


@contextmanager
def use_cluster(workers: int | None = None) -> Iterator[None]:
    """Connect to the Ray cluster at `RAY_ADDRESS`, or have one on this machine during the block.

    That one has as many `workers` as there are cores, or fewer, and listens to this machine alone.
    Begin the block before tables are opened, as it starts processes. Raises SettingsError
    `missing_part`, and LibraryError `cluster` where Ray does not start or cannot be reached.
    """
    address = os.environ.get("RAY_ADDRESS", "local")
    if address == "local":
        os.environ.update(
            RAY_USAGE_STATS_ENABLED="0",
            RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",  # else it listens on all addresses
            RAY_AUTH_MODE="token",
        )
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    else:
        os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "1")  # else it tries for a quarter hour
    try:
        import ray
        import ray.data
    except ImportError as error:
        message = "This needs the optional part ray: install it with EXTRAS=ray."
        raise SettingsError(message, code="missing_part") from error
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        own: Row = {"num_cpus": workers, "include_dashboard": False, "_temp_dir": folder}
        try:
            with _explain_failures(), warnings.catch_warnings():
                # The processes that it starts run other programs, and no table is open yet.
                warnings.filterwarnings("ignore", "lancedb fork", RuntimeWarning)
                ray.init(
                    address,
                    runtime_env={"py_modules": [str(_PACKAGE)]},
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    **own if address == "local" else {},
                )
            yield
        finally:
            ray.shutdown()


@contextmanager
def _explain_failures() -> Iterator[None]:
    import ray

    try:
        yield
    except (ray.exceptions.RayError, ConnectionError, RuntimeError) as error:
        raise LibraryError(
            f"Ray stopped or cannot be reached ({' '.join(str(error).split())[:200]})."
            " What was read is kept: give the same command again.",
            code="cluster",
        ) from error


def map_on_cluster(work: Callable[[Row], Row], rows: Sequence[Row]) -> Iterator[Row]:
    """Yield what `work` makes of each row, in their order, in a `use_cluster` block.

    Raises LibraryError `cluster` where Ray stops.
    """
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    with _explain_failures():
        blocks = ray.data.from_items(list(rows), override_num_blocks=len(rows))
        yield from blocks.map(work, num_cpus=1).iter_rows()
