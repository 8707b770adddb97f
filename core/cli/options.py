"""The options that several commands share, as typer takes them."""

from typing import Annotated

import typer

from core.library.types import PREFIX_LENGTH

WHICH = f"Its id, or at least the first {PREFIX_LENGTH} characters of it; `documents` lists them."

Json = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
Season = Annotated[int | None, typer.Option(help="Only this season (its newest issues).")]
Issue = Annotated[int | None, typer.Option(help="Only this issue.")]
DocumentId = Annotated[str | None, typer.Option("--document", help=f"Only this document. {WHICH}")]
Family = Annotated[str | None, typer.Option(help="Only this family; `documents` lists them.")]
DocumentAsked = Annotated[str, typer.Argument(metavar="DOCUMENT", help=WHICH)]
