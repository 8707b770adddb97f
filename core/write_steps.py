"""The moments between two writes, by name: a test holds or ends the program at any of them."""

from collections.abc import Callable
from typing import Final, Literal, get_args

WriteStep = Literal[
    # of any file that is replaced as a whole
    "part opened",
    "part written",
    "part replaced",
    # of a document that is added, read again, corrected or removed
    "rows added",
    "column indexed",
    "clauses added",
    "entries added",
    "vectors added",
    "entry updated",
    "note removed",
    "entry removed",
    "rows removed",
    "rows replaced",
    "file removed",
    # of a library that is made again
    "index moved",
    "file moved",
    "manifest created",
    # of the chats
    "chats written",
    "chats committed",
    "column added",
    # of a backup
    "file packed",
    "chats copied",
    "file unpacked",
    "restore unpacked",
    "restore placed",
]
STEPS: Final[tuple[WriteStep, ...]] = get_args(WriteStep)
_observers: list[Callable[[WriteStep], None]] = []


def pass_step(step: WriteStep) -> None:
    """Say that a write is done and the next has not begun."""
    for observer in _observers:
        observer(step)


def observe_steps(observer: Callable[[WriteStep], None]) -> None:
    """Have a function called at each step from now on, in the thread that writes."""
    _observers.append(observer)
