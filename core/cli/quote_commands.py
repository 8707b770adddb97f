"""The command that checks the quotes and citations of a text."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import output
from core.cli.options import (
    DocumentOption,
    FamilyOption,
    IssueOption,
    JsonOption,
    SeasonOption,
)

if TYPE_CHECKING:
    from core.rulebook import ReadLimits

_COLUMNS = ("number", "finding", "text", "article", "page", "document", "difference")


def verify_command(
    file: Annotated[
        str, typer.Argument(help="Markdown, text, Word or PDF; - for text on standard input.")
    ],
    season: SeasonOption = None,
    issue: IssueOption = None,
    document: DocumentOption = None,
    family: FamilyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check every quote and every cited article of a text against the rulebooks.

    What a sentence or the text names goes before the newest issues. Exit status 0: all stand; 1: at
    least one does not; 2: wrong usage, or a file that cannot be read.
    """
    with output.library_context(as_json, refused=2) as library:
        from core.api import passage_row
        from core.library import ScopeChoice
        from core.quotes import RuleTexts, check_text, mark_text, summarize_findings

        text = _read_text(file, library.read_limits)
        choice = ScopeChoice(season=season, document=document, family=family, issue=issue)
        checked = check_text(RuleTexts(library), text, choice)
        rows = [passage_row(one) for one in checked]
        if not as_json:
            output.out.print(mark_text(text, checked), markup=False, highlight=False)
            names = (one.finding.replace("_", " ") for one in checked)  # which a table can wrap
            rows = [
                {"number": n} | row | {"finding": name}
                for n, (row, name) in enumerate(zip(rows, names, strict=True), 1)
            ]
        output.print_results(rows, as_json, _COLUMNS)
        output.err.print(summarize_findings(checked), markup=False, highlight=False)
    raise typer.Exit(0 if all(one.stands for one in checked) else 1)


def _read_text(file: str, limits: "ReadLimits") -> str:
    from core.errors import ReadError
    from core.quotes import read_text_file

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}."
        raise ReadError(message, code="not_found") from error
    return read_text_file(data, "standard input" if file == "-" else Path(file).name, limits)
