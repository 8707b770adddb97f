"""The options that several commands share, as typer takes them."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="JSON Lines on standard output.")]
Season = Annotated[int | None, typer.Option(help="Only this season (its newest issues).")]
Issue = Annotated[int | None, typer.Option(help="Only this issue.")]
DocumentId = Annotated[str | None, typer.Option("--document", help="Only this document, by its id.")]
Family = Annotated[str | None, typer.Option(help="Only this family, for example f1-sporting.")]
