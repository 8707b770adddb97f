"""The commands that maintain the library: documents in and out, checks and backups."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from core.choices import ExportFormat, Prevailing, RelationKind
from core.cli import output
from core.cli.options import DocumentArgument, JsonOption
from core.errors import ReadError

if TYPE_CHECKING:
    from core.library import Document, IngestResult, Library
    from core.rulebook import MetadataOverride

_GIVEN = "Set it where it cannot be read from the document"
_INTERRUPTED = (
    "Interrupted. Each document is in the library as a whole or not at all: `documents` lists them,"
    " `check` makes the vectors that are missing."
)


def ingest_command(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="PDF or Word files, folders of them, .jsonl rulebooks; with --rulings tables too."
        ),
    ],
    family: Annotated[str | None, typer.Option(help=f"{_GIVEN}.")] = None,
    season: Annotated[int | None, typer.Option(help=f"{_GIVEN}.")] = None,
    issue: Annotated[int | None, typer.Option(help=f"{_GIVEN}.")] = None,
    date: Annotated[str | None, typer.Option(help=f"{_GIVEN}; YYYY-MM-DD.")] = None,
    valid_from: Annotated[
        str | None, typer.Option(help="The first day on which it is in force, YYYY-MM-DD.")
    ] = None,
    valid_to: Annotated[
        str | None, typer.Option(help="The last day on which it is in force, YYYY-MM-DD.")
    ] = None,
    password: Annotated[
        bool, typer.Option("--password", help="Ask for the password of protected files.")
    ] = False,
    with_ray: Annotated[
        bool,
        typer.Option(
            "--ray",
            help="Read very many files, also in s3://, gs:// and az://, on the machines of the Ray"
            " cluster at RAY_ADDRESS, else on all cores of this one, and add them in one change.",
        ),
    ] = False,
    rulings: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DOCUMENT",
            help="They are no rulebooks: they hold rulings on this one (questions and answers,"
            " decisions, clarifications; PDF, .docx, .csv or .xlsx). May be given more than once.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Add documents to the library.

    The password of a PDF is typed unseen, or is the first line of standard input: others on
    the machine could see an argument. The library keeps the PDF without it.
    """
    if with_ray and password:
        raise typer.BadParameter("--password does not go with --ray.")
    if rulings and (with_ray or family):
        raise typer.BadParameter("--rulings goes neither with --ray nor with --family.")
    with output.command_context(as_json) as settings:
        from core import library as rules
        from core.rulebook import MetadataOverride
        from core.shapes import IngestedFile

        secret = _read_password() if password else ""
        override = MetadataOverride(family, season, issue, date, valid_from, valid_to)
        library = rules.Library.open(settings)
        known, failed = {one.document_id: one for one in library.list_every_document()}, False
        results = (
            rules.add_in_bulk(library, paths, override, output.print_progress)
            if with_ray
            else _add_files(library, paths, override, secret, rulings or ())
        )
        try:
            for result in results:
                failed |= result.status == "failed"
                told = _list_effects(library, result.document, known, override)
                added = IngestedFile.of(result, **told)
                output.print_result(added, as_json, output.format_ingest_result(added))
                if result.document and not with_ray:  # which documents there will be, is still open
                    output.warn_if_older(result.document, library)
                    output.print_proposals(result.document, library)
        except KeyboardInterrupt:
            output.err.print(_INTERRUPTED, markup=False)
            raise
    raise typer.Exit(1 if failed else 0)


def _list_effects(
    library: "Library",
    document: "Document | None",
    known: "Mapping[str, Document]",
    override: "MetadataOverride",
) -> dict[str, Any]:
    """Return what is told of an added document: what was corrected, rulings that are tied to none.

    `known` are the documents before, by id.
    """
    from core.library import Rulings

    if document is None:
        return {}
    before, given = known.get(document.document_id), override.corrections
    links = Rulings(library).list_links(document)
    missed = (one.reference for one in links if one.state in ("missing", "ambiguous"))
    return {
        "corrected": {
            name: said for name, said in given.items() if before and getattr(before, name) != said
        },
        "unresolved": tuple(dict.fromkeys(missed)),
    }


def _read_password() -> str:
    """Return a password that is typed unseen, else the first line of standard input."""
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def _add_files(
    library: "Library",
    paths: Sequence[str],
    override: "MetadataOverride",
    password: str,
    rulings: Sequence[str],
) -> Iterator["IngestResult"]:
    """Add files one after the other. Raises ReadError `not_found` where there is none."""
    from core import library as rules

    files = rules.expand_paths(map(Path, paths))
    if not files:
        message = "There is no PDF and no .jsonl file in the folders named."
        raise ReadError(message, code="not_found")
    for path in files:
        output.err.print(f"Reading {path.name} ...", style="dim", markup=False)
        yield from rules.add_file(library, path, override, output.print_progress, password, rulings)


def documents_command(as_json: JsonOption = False) -> None:
    """List the documents of the library, with the beginnings of their ids; --json shows it all."""
    with output.command_context(as_json) as settings:
        from core.library import obtain_document_rows

        def make_rows() -> list[dict[str, Any]]:
            from core.library import Library
            from core.shapes import DocumentsReply

            listed = DocumentsReply.of(Library.open(settings).list_every_document())
            rows: list[dict[str, Any]] = listed.model_dump(mode="json")["documents"]
            return rows

        is_here = settings.library_url is None
        rows = obtain_document_rows(settings.data_dir, make_rows) if is_here else make_rows()
        output.warn_if_empty(rows)
        if rows or as_json:
            output.print_results(rows, as_json, output.DOCUMENT_COLUMNS)
        for line in () if as_json else output.list_relations(rows):
            output.out.print(line, markup=False, highlight=False)


def rulings_command(document_id: DocumentArgument, as_json: JsonOption = False) -> None:
    """List the rulings of a document, each with the articles that it is tied to.

    What is no article of the rulebook that it interprets is tied to nothing, and told.
    """
    with output.library_context(as_json) as library:
        from core.shapes import RulingReply

        for ruling in RulingReply.list_of(library, library.document(document_id)):
            output.print_result(ruling, as_json, output.format_ruling(ruling))


def correct_command(
    document_id: DocumentArgument,
    line: Annotated[str, typer.Option(help="The first words of a line.")] = "",
    page: Annotated[int, typer.Option(help="The page of the line.")] = 1,
    heading: Annotated[
        int | None, typer.Option(metavar="LEVEL", help="It is a heading of this level, from 1.")
    ] = None,
    furniture: Annotated[
        bool, typer.Option("--furniture", help="It is a header, a footer or a stamp.")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Forget what was said of it.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say what a line of a document is, and so all lines like it; the document is read again.

    Without a line: list what its reading left over, and what was said of its lines.
    """
    if bool(line) != ((heading is not None) + furniture + undo == 1):
        message = "Give --line with --page, and one of --heading LEVEL, --furniture and --undo."
        raise typer.BadParameter(message)
    with output.library_context(as_json) as library:
        from core.library import correct_lines
        from core.rulebook import LineCorrection
        from core.shapes import CorrectedDocument

        document = library.document(document_id)
        if line:
            kind: Literal["heading", "furniture"] = "furniture" if furniture else "heading"
            said = LineCorrection(kind, page, line, heading or 1)
            kept = [other for other in document.corrections if other.line != said.line]
            document = correct_lines(library, document_id, kept if undo else [*kept, said])
        result = CorrectedDocument.of(document)
        output.print_result(result, as_json, output.format_account(result))
    said_of = (
        warning.page == page and f"“{line}”" in warning.message for warning in result.warnings
    )
    raise typer.Exit(1 if line and not undo and any(said_of) else 0)


def relate_command(
    document_id: DocumentArgument,
    to: Annotated[str, typer.Option(help="The id of the other document, or its beginning.")] = "",
    kind: Annotated[
        RelationKind, typer.Option(help="What the document does to the other one.")
    ] = "supplements",
    prevails: Annotated[
        Prevailing, typer.Option(help="Whose rule holds in a contradiction, if that is said.")
    ] = "",
    from_day: Annotated[
        str | None, typer.Option("--from", help="The first day on which it holds, YYYY-MM-DD.")
    ] = None,
    accept: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Accept this proposal of the list.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Forget what was said of both.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say how a document stands to another one, so that its rules are told in layers.

    Without --to and --accept: list what was said, and what the document's own text proposes.
    """
    with output.library_context(as_json) as library:
        from core.library import Relation, Rulings, propose_layers
        from core.shapes import RelatedDocument

        document = library.document(document_id)
        if accept is not None:
            proposals = {one.number: one for one in propose_layers(library, document)}
            if accept not in proposals:
                still = ", ".join(map(str, proposals)) or "none"
                raise typer.BadParameter(f"No proposal {accept} is open. Open: {still}.")
            proposals[accept].accept(library)
        elif to and (kind == "interprets" or document.interprets):
            kept = [one for one in document.interprets if not one.startswith(to)]
            Rulings(library).interpret(document.document_id, kept if undo else [*kept, to])
        elif to and undo:
            library.unrelate(document.document_id, to)
        elif to:
            library.relate(document.document_id, Relation(kind, to, prevails, from_day))
        document = library.document(document.document_id)
        result = RelatedDocument.of(document, propose_layers(library, document))
        output.print_result(
            result, as_json, output.format_relations(result, library.list_every_document())
        )


def remove_command(document_id: DocumentArgument, as_json: JsonOption = False) -> None:
    """Take a document out of the library."""
    with output.library_context(as_json) as library:
        removed = library.remove_document(document_id)
        result = {"document_id": removed.document_id, "status": "removed"}
        output.print_result(result, as_json, f"Removed {removed.label}")


def export_command(
    document_id: DocumentArgument,
    export_format: Annotated[
        ExportFormat | None, typer.Option("--format", help="A format of other programs.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only what changed since this edition; with --format.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; else standard output.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Give every clause of a document, in reading order, then its texts that are no rules.

    With --format only its rules, with ids that stay from edition to edition.
    """
    if export_format is None and (since or file):
        raise typer.BadParameter("--since and --output go with --format.")
    with output.library_context(as_json) as library:
        from core.exports import export_changes, export_document, write_export
        from core.registers import list_layer_notes
        from core.settings import load_settings
        from core.shapes import export_row

        document = library.document(document_id)
        full_id = document.document_id
        if export_format:
            server = load_settings().server_address or ""
            export = (
                export_changes(library, full_id, since, server)
                if since
                else export_document(library, full_id, server)
            )
            output.write_file(write_export(export, export_format), file)
        else:
            clauses = (*library.clauses(full_id), *library.other_texts(full_id))
            notes = list_layer_notes(library)
            rows = (export_row(one, document, notes.get(one.clause_id, ())) for one in clauses)
            output.print_results(rows, as_json, output.CLAUSE_COLUMNS)


def check_command(
    deep: Annotated[
        bool, typer.Option("--deep", help="Read every stored file anew and compare.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check library, files and chats against what was put into them, and repair what can be."""
    with output.command_context(as_json) as settings:
        from core.maintenance import check, describe_kept_values
        from core.rulebook import describe_isolation

        output.err.print(describe_isolation(), markup=False, highlight=False)
        count = unrepaired = 0
        for finding in check(settings, deep):
            count += 1
            unrepaired += not finding.mended
            line = f"{'Mended' if finding.mended else 'NOT MENDED'}: {finding.message}"
            output.print_result(finding, as_json, line)
        for sentence in describe_kept_values(settings):
            output.err.print(sentence, markup=False, highlight=False)
        counts = f"{count} found, {unrepaired} not mended."
        summary = counts if count else "No problems found."
        output.err.print(summary, markup=False, highlight=False)
    raise typer.Exit(1 if unrepaired else 0)


def backup_command(
    file: Annotated[Path, typer.Argument(help="The zip file to make.")],
    signed: Annotated[
        bool, typer.Option("--sign", help="Sign it with the key of this installation.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Put library, chats, evaluations and the files that wait into one file."""
    with output.command_context(as_json) as settings:
        from core.maintenance import backup

        summary = backup(settings, file, signed)
        line = f"{file} holds {output.format_backup(summary)}."
        output.print_result(summary, as_json, line)


def restore_command(
    file: Annotated[Path, typer.Argument(help="A file that `backup` made.")],
    signed_by: Annotated[
        str | None, typer.Option(help="Only if the key with this fingerprint signed it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Restore a backup into a data folder that is empty or not there."""
    with output.command_context(as_json) as settings:
        from core.maintenance import restore

        summary = restore(settings, file, signed_by)
        line = f"Restored: {output.format_backup(summary)}."
        output.print_result(summary, as_json, line)


def embed_command(as_json: JsonOption = False) -> None:
    """Make the vectors that dense search needs, where they are missing or another model's."""
    with output.library_context(as_json) as library:
        from core.library import embed_clauses

        made = embed_clauses(library, output.print_progress)
        model = library.embedding.name
        line = f"Made the vectors of {made} clauses by {model}."
        output.print_result({"made": made, "model": model}, as_json, line)
