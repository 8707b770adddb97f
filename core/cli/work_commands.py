"""The command of a worker, of which several machines may run several."""

from typing import Annotated

import typer

from core.cli import output


def work_command(
    once: Annotated[bool, typer.Option("--once", help="End when nothing waits.")] = False,
) -> None:
    """Add the files that wait to the library, those of every server with the same database.

    Without --once it waits for more of them, and for a store or a database that is away.
    """
    with output.command_context(False) as settings:
        from core.library import drain_queue, open_library, open_queue

        drain_queue(open_queue(settings), open_library(settings), forever=not once)
