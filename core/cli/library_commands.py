"""The commands that keep the library: what goes in and out of it, and its checks and backups."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.cli.json_api import clause_json, document_json, ingest_result_json
from core.cli.options import DocumentArgument, JsonOption
from core.cli.output import (
    CLAUSE_COLUMNS,
    DOCUMENT_COLUMNS,
    command_context,
    err,
    format_backup,
    format_ingest_result,
    print_result,
    print_results,
    print_vector_progress,
)
from core.errors import ReadError
from core.library import (
    add_file,
    edition_status,
    embed_clauses,
    expand_paths,
    open_library,
)
from core.maintenance import backup, check, restore
from core.rulebook import MetadataOverride


def ingest_command(
    paths: Annotated[
        list[Path], typer.Argument(help="PDF files, folders of them, or .jsonl rulebooks.")
    ],
    family: Annotated[str | None, typer.Option(help="Given, where it cannot be read.")] = None,
    season: Annotated[int | None, typer.Option(help="Given, where it cannot be read.")] = None,
    issue: Annotated[int | None, typer.Option(help="Given, where it cannot be read.")] = None,
    date: Annotated[
        str | None, typer.Option(help="Given, where it cannot be read; YYYY-MM-DD.")
    ] = None,
    password: Annotated[
        bool, typer.Option("--password", help="Ask for the one that files need.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Add documents to the library.

    The password of a PDF is typed unseen, or is the first line of standard input: an argument would be seen by others
    on the machine. The library keeps the PDF without it.
    """
    with command_context(as_json) as settings:
        key = _asked_password() if password else ""
        given = MetadataOverride(family=family, season=season, issue=issue, date=date)
        library = open_library(settings)
        failed = False
        files = expand_paths(paths)
        if not files:
            raise ReadError(
                "There is no PDF and no .jsonl file in the folders named.", code="not_found"
            )
        for path in files:
            err.print(f"Reading {path.name} ...", style="dim", markup=False)
            for addition in add_file(library, path, given, print_vector_progress, key):
                failed |= addition.status == "failed"
                print_result(ingest_result_json(addition), as_json, format_ingest_result)
                if addition.document and (
                    later := edition_status(addition.document, library.documents()).later
                ):
                    told = f"{addition.document.label} is older than {later.label}, which is the one that is asked."
                    err.print(told, markup=False)
    raise typer.Exit(1 if failed else 0)


def documents_command(as_json: JsonOption = False) -> None:
    """List the documents of the library, with the beginnings of their ids; --json tells all that is known of each."""
    with command_context(as_json) as settings:
        held = open_library(settings).documents()
        if held or as_json:
            print_results(map(document_json, held), as_json, DOCUMENT_COLUMNS)
        else:
            err.print("The library is empty: `ingest FILE` adds a rulebook.", markup=False)


def remove_command(document_id: DocumentArgument, as_json: JsonOption = False) -> None:
    """Take a document out of the library."""
    with command_context(as_json) as settings:
        removed = open_library(settings).remove_document(document_id)
        print_result(
            {"document_id": removed.document_id, "status": "removed"},
            as_json,
            lambda _: f"Removed {removed.label}",
        )


def export_command(document_id: DocumentArgument, as_json: JsonOption = False) -> None:
    """Give every clause of a document, in reading order."""
    with command_context(as_json) as settings:
        library = open_library(settings)
        clauses = library.clauses(library.document(document_id).document_id)
        print_results((clause_json(clause) for clause in clauses), as_json, CLAUSE_COLUMNS)


def check_command(as_json: JsonOption = False) -> None:
    """Compare library, files and chats with what was put into them, and mend what can be mended."""
    with command_context(as_json) as settings:
        findings = []
        for finding in check(settings):
            findings.append(finding)
            print_result(
                asdict(finding),
                as_json,
                lambda value: (
                    f"{'Mended' if value['mended'] else 'NOT MENDED'}: {value['message']}"
                ),
            )
        unmended = sum(not finding.mended for finding in findings)
        told = (
            "All is as it was put in."
            if not findings
            else f"{len(findings)} found, {unmended} not mended."
        )
        err.print(told, markup=False, highlight=False)
    raise typer.Exit(1 if unmended else 0)


def backup_command(
    file: Annotated[Path, typer.Argument(help="The zip file to make.")],
    as_json: JsonOption = False,
) -> None:
    """Put library, chats, evaluations and the files that wait into one file."""
    with command_context(as_json) as settings:
        print_result(
            asdict(backup(settings, file)),
            as_json,
            lambda value: f"{file} holds {format_backup(value)}.",
        )


def restore_command(
    file: Annotated[Path, typer.Argument(help="A file that `backup` made.")],
    as_json: JsonOption = False,
) -> None:
    """Take all that a backup holds into a data folder that is empty or not there."""
    with command_context(as_json) as settings:
        print_result(
            asdict(restore(settings, file)),
            as_json,
            lambda value: f"Taken back: {format_backup(value)}.",
        )


def embed_command(as_json: JsonOption = False) -> None:
    """Make the vectors that searching by meaning needs, where they are missing or another model's."""
    with command_context(as_json) as settings:
        library = open_library(settings)
        made = embed_clauses(library, print_vector_progress)
        result = {"made": made, "model": library.embedding.name}
        print_result(
            result,
            as_json,
            lambda _: f"Made the vectors of {made} clauses by {library.embedding.name}.",
        )


def _asked_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")
