"""The options that several commands share, as Typer takes them."""

from typing import Annotated

import typer

from core.choices import ID_PREFIX_LENGTH, Mode

DOCUMENT_HELP = (
    f"Its id, or at least the first {ID_PREFIX_LENGTH} characters of it; `documents` lists them."
)
JsonOption = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
SeasonOption = Annotated[int | None, typer.Option(help="Only this season (its newest issues).")]
IssueOption = Annotated[int | None, typer.Option(help="Only this issue.")]
DocumentOption = Annotated[
    str | None, typer.Option("--document", help=f"Only this document. {DOCUMENT_HELP}")
]
FamilyOption = Annotated[str | None, typer.Option(help="Only this family; `documents` lists them.")]
DocumentArgument = Annotated[str, typer.Argument(metavar="DOCUMENT", help=DOCUMENT_HELP)]
ModeOption = Annotated[Mode, typer.Option(help="quick, standard or deep.")]
