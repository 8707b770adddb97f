"""The commands that check the quotes of a text, and that read sentences one by one."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import output
from core.cli.options import JsonOption, ScopeFields, takes_scope
from core.errors import ReadError

if TYPE_CHECKING:
    from core.rulebook import ReadLimits

_COLUMNS = ("number", "finding", "text", "article", "page", "document", "difference")


@takes_scope()
def verify_command(
    file: Annotated[
        str, typer.Argument(help="Markdown, text, Word or PDF; - for text on standard input.")
    ],
    scope: ScopeFields,
    as_json: JsonOption = False,
) -> None:
    """Check every quote and every cited article of a text against the rulebooks.

    What a sentence or the text names goes before the newest issues. Exit status 0: all stand; 1: at
    least one does not; 2: wrong usage, or a file that cannot be read.
    """
    with output.library_context(as_json, refused=2) as library:
        from core.library import ScopeChoice
        from core.quotes import RuleTexts, check_text, mark_text, summarize_findings
        from core.shapes import PassageRow

        text = _read_text(file, library.read_limits)
        checked = check_text(RuleTexts(library), text, ScopeChoice(**scope))
        rows = [PassageRow.of(one) for one in checked]
        if as_json:
            output.print_results(rows, True, _COLUMNS)
        else:
            output.out.print(mark_text(text, checked), markup=False, highlight=False)
            cells = (  # a table can wrap findings of several words
                row.model_dump() | {"number": n, "finding": row.finding.replace("_", " ")}
                for n, row in enumerate(rows, 1)
            )
            output.print_results(cells, False, _COLUMNS)
        output.err.print(summarize_findings(checked), markup=False, highlight=False)
    raise typer.Exit(0 if all(one.stands for one in checked) else 1)


def _read_text(file: str, limits: "ReadLimits") -> str:
    from core.quotes import read_text_file

    data = sys.stdin.buffer.read() if file == "-" else output.read_file(Path(file))
    return read_text_file(data, "standard input" if file == "-" else Path(file).name, limits)


def sentences_command(
    file: Annotated[Path, typer.Argument(help="JSON lines with `id`, `lead` and `sentence`.")],
    as_json: JsonOption = False,
) -> None:
    """Read the amounts and duties of sentences: role, relation and whether that is proved.

    A row may name its `language`; else the words of the sentence tell.
    """
    from core.grammar import read_sentence
    from core.shapes import sentence_row

    with output.command_context(as_json):
        for number, row in enumerate(_read_rows(file), start=1):
            if not isinstance(row, dict) or not isinstance(row.get("sentence"), str):
                raise ReadError(
                    f"Line {number} of {file.name} has no sentence: please give each line as JSON"
                    " with `id`, `lead` and `sentence`.",
                    code="bad_line",
                )
            found = read_sentence(
                row["sentence"], str(row.get("lead") or ""), str(row.get("language") or "")
            )
            shown = sentence_row(row.get("id", str(number)), found)
            if as_json:
                output.print_json(shown)
                continue
            for one in shown.amounts:
                relation = one.relation or ""
                proof = "" if one.proved or not relation else " (not proved)"
                typer.echo(f"{shown.id}\t{one.text}\t{one.role}\t{relation}{proof}")


def _read_rows(file: Path) -> list[object]:
    try:
        lines = output.read_file(file).decode("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except ValueError as error:
        raise ReadError(f"{file} cannot be read as JSON lines: {error}", code="bad_line") from error
