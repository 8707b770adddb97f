"""The moments between two writes, by name: a test holds or ends the program at any of them."""

from collections.abc import Callable
from typing import Final, Literal, get_args

WriteStep = Literal[
    "part opened",
    "part written",
    "part replaced",
    "clauses added",
    "entries added",
    "entry updated",
    "note removed",
    "entry removed",
    "clauses removed",
    "index moved",
    "chats written",
    "chats committed",
    "column added",
    "chats copied",
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
