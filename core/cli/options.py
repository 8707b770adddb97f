"""The options that several commands share, as Typer takes them."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any

import typer

from core.choices import ID_PREFIX_LENGTH, Mode

DOCUMENT_HELP = (
    f"Its id, or at least the first {ID_PREFIX_LENGTH} characters of it; `documents` lists them."
)
JsonOption = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
DocumentOption = Annotated[
    str | None, typer.Option("--document", help=f"Only this document. {DOCUMENT_HELP}")
]
DocumentArgument = Annotated[str, typer.Argument(metavar="DOCUMENT", help=DOCUMENT_HELP)]
ModeOption = Annotated[Mode, typer.Option(help="quick, standard or deep.")]
SCOPE_OPTIONS: dict[str, Any] = {
    "season": Annotated[int | None, typer.Option(help="Only this season (its newest issues).")],
    "issue": Annotated[int | None, typer.Option(help="Only this issue.")],
    "document": DocumentOption,
    "family": Annotated[str | None, typer.Option(help="Only this family; `documents` lists them.")],
    "competition": Annotated[
        str | None,
        typer.Option(metavar="DOCUMENT", help="Only this document and all that lies above it."),
    ],
    "on": Annotated[
        str | None, typer.Option(metavar="DAY", help="The rules in force on this day, YYYY-MM-DD.")
    ],
}
"""The options that choose documents, by the fields of a request."""
ScopeFields = dict[str, Any]
Command = Callable[..., None]


def takes_scope(*left_out: str) -> Callable[[Command], Command]:
    """Return a decorator of commands whose `scope` is what the options of a scope choose.

    Options of these names are left out.
    """
    offered = {name: kind for name, kind in SCOPE_OPTIONS.items() if name not in left_out}

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**given: Any) -> None:
            command(scope={name: given.pop(name) for name in offered}, **given)

        own = [one for name, one in signature(command).parameters.items() if name != "scope"]
        added = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for name, kind in offered.items()
        ]
        plain = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own]
        run.__dict__["__signature__"] = signature(command).replace(parameters=[*plain, *added])
        run.__annotations__ = command.__annotations__ | offered
        return run

    return decorate
