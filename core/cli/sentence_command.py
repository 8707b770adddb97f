"""The command that reads sentences one by one, as the registers and the checks read them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from core.cli import output
from core.cli.options import JsonOption
from core.errors import ReadError


def sentences_command(
    file: Annotated[Path, typer.Argument(help="JSON lines with `id`, `lead` and `sentence`.")],
    as_json: JsonOption = False,
) -> None:
    """Read the amounts and duties of sentences: role, relation and whether that is proved.

    A row may name its `language`; else the words of the sentence tell.
    """
    from core.grammar import read_sentence
    from core.registers import sentence_row

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
            shown = {"id": row.get("id", str(number)), **sentence_row(found)}
            if as_json:
                output.print_json(shown)
            else:
                for one in shown["amounts"]:
                    relation = one.get("relation", "")
                    proof = "" if one["proved"] or not relation else " (not proved)"
                    typer.echo(f"{shown['id']}\t{one['text']}\t{one['role']}\t{relation}{proof}")


def _read_rows(file: Path) -> list[object]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise ReadError(f"{file} cannot be read as JSON lines: {error}", code="bad_line") from error
