"""The commands on limits and obligations, and the check of a sheet of values against them."""

import getpass
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import output
from core.cli.options import (
    DOCUMENT_HELP,
    JsonOption,
    ScopeFields,
    takes_scope,
)

if TYPE_CHECKING:
    from pydantic import BaseModel

    from core.library import Document, Library
    from core.registers import ChecklistEntry, Obligation, ObligationsList
    from core.sheets import CheckedRow, SheetRow

FiguresOption = Annotated[
    bool, typer.Option("--figures", help="List instead what is open, day by day as it changed.")
]
_FIGURE_COLUMNS = ("document", "counted", "sheet", "day", "count")
XlsxOption = Annotated[Path | None, typer.Option("--xlsx", help="Write the rows to this file.")]


@takes_scope("document")
def limits_command(
    scope: ScopeFields,
    document: Annotated[str | None, typer.Argument(metavar="DOCUMENT", help=DOCUMENT_HELP)] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List the clauses with a number and no limit.")
    ] = False,
    unproved: Annotated[
        bool, typer.Option("--unproved", help="List the limits whose direction is not proved too.")
    ] = False,
    xlsx: XlsxOption = None,
    as_json: JsonOption = False,
) -> None:
    """List every limit that a document sets: article, subject, relation, value, unit, quote.

    Without DOCUMENT: those of a --competition, of all its layers; else of the newest issues.
    What of its numbers set no limit is counted, and listed with --coverage.
    """
    with output.library_context(as_json) as library:
        from core.api import LimitsRequest
        from core.shapes import rule_row

        found, register = LimitsRequest.parse(scope | {"document": document}).look_up(library)
        of_id, place = found.by_id, ("document",) * (len(found.documents) > 1)
        if coverage:
            rows = [rule_row(of_id[one.document_id], one) for one in register.unread]
            _print_rows(rows, as_json, xlsx, (*place, "article", "page", "reason", "words"))
        else:
            limits = (one for one in register.limits if one.proved or unproved)
            rows = [rule_row(of_id[one.document_id], one) for one in limits]
            columns = ("article", "page", "subject", "relation", "value", "upper", "unit")
            marks = ("overridden",) * any(one.overridden for one in register.limits)
            _print_rows(rows, as_json, xlsx, (*place, *marks, *columns))
        output.err.print(register.summary, markup=False, highlight=False)


@takes_scope("document")
def obligations_command(
    scope: ScopeFields,
    document: Annotated[str | None, typer.Argument(metavar="DOCUMENT", help=DOCUMENT_HELP)] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="List the sentences left out, and why.")
    ] = False,
    checklist: Annotated[
        Path | None,
        typer.Option(
            "--checklist", help="Keep owner, subteam, status and evidence of this filled list."
        ),
    ] = None,
    unowned: Annotated[
        bool, typer.Option("--unowned", help="List only what has neither owner nor subteam.")
    ] = False,
    figures: FiguresOption = False,
    xlsx: XlsxOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what a document says that must, must not, may and should be.

    Without DOCUMENT: those of what `limits` takes. The workbook is a checklist: it has owner,
    subteam, status and evidence, kept from issue to issue. --figures counts those in force that
    nobody owns.
    """
    with output.library_context(as_json) as library:
        from core.api import LimitsRequest
        from core.registers import ObligationsList, obligations_of
        from core.shapes import checklist_row, rule_row

        found = LimitsRequest.parse(scope | {"document": document}).resolve(library)
        lists = {one: obligations_of(library, one, found.ids, found.day) for one in found.documents}
        of_id, listed = found.by_id, ObligationsList.join(lists.values())
        place = ("document",) * (len(lists) > 1)
        if checklist:
            _keep_checklist(library, lists, checklist)
        if coverage:
            rows = [rule_row(of_id[one.document_id], one) for one in listed.omitted]
            _print_rows(rows, as_json, xlsx, (*place, "article", "page", "reason", "quote"))
        else:
            duties = listed.obligations
            noted: dict[Obligation, ChecklistEntry] = {}
            if xlsx or unowned or figures or checklist:
                noted, open_now, counts = _list_noted(library, lists)
                if figures:
                    _print_rows(counts, as_json, xlsx, _FIGURE_COLUMNS)
                    return
                duties = tuple(open_now) if unowned else duties
            make_row = partial(checklist_row, noted=noted) if xlsx else rule_row
            rows = [make_row(of_id[one.document_id], one) for one in duties]
            marks = ("overridden",) * any(one.overridden for one in duties)
            columns = ("article", "page", *marks, "modality", "actor", "quote")
            _print_rows(rows, as_json, xlsx, (*place, *columns))
        output.err.print(listed.summary, markup=False, highlight=False)


def _list_noted(
    library: "Library", lists: "Mapping[Document, ObligationsList]"
) -> "tuple[dict[Obligation, ChecklistEntry], list[Obligation], list[BaseModel]]":
    """Return what is noted of obligations, those that nobody owns, and how many these were."""
    from core.registers import ChecklistStore, OpenCounts

    store, counter = ChecklistStore(library.folder), OpenCounts(library.folder)
    noted: dict[Obligation, ChecklistEntry] = {}
    open_now: list[Obligation] = []
    counts: list[BaseModel] = []
    for document, listed in lists.items():
        noted |= store.entries_for(library, document, listed.obligations)
        open_now += store.list_unowned(library, document, listed.obligations)
        counts += counter.record_unowned(library, document)
    message = f"Rules in force that nobody owns: {len(open_now)}."
    output.err.print(message, markup=False, highlight=False)
    return noted, open_now, counts


def _keep_checklist(
    library: "Library", lists: "Mapping[Document, ObligationsList]", file: Path
) -> None:
    """Keep what a filled checklist notes, and say of how many obligations."""
    from core.registers import ChecklistStore

    filled = output.read_file(file), file.name
    for document, listed in lists.items():
        noted, unknown = ChecklistStore(library.folder).save_file(
            library, document, listed.obligations, *filled, getpass.getuser()
        )
        message = (
            f"Notes kept for {noted} obligations; {unknown} rows match no obligation of"
            f" {document.file if len(lists) > 1 else 'this document'}."
        )
        output.err.print(message, markup=False, highlight=False)


def _print_rows(
    rows: "Sequence[BaseModel]", as_json: bool, xlsx: Path | None, columns: tuple[str, ...]
) -> None:
    """Print rows, or write them all to a workbook; as JSON they are printed beside it too."""
    if as_json or xlsx is None:
        output.print_results(rows, as_json, columns)
    if xlsx is None:
        return
    from core.table_files import make_workbook

    output.write_report(xlsx, make_workbook(row.model_dump() for row in rows))
    output.err.print(f"Wrote {xlsx}.", markup=False, highlight=False)


@takes_scope("document")
def sheet_command(
    file: Annotated[Path, typer.Argument(help="CSV or XLSX: id, parameter, value, unit, note.")],
    scope: ScopeFields,
    document: Annotated[
        list[str] | None, typer.Option("--document", help=f"Check against this. {DOCUMENT_HELP}")
    ] = None,
    xlsx: XlsxOption = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", help="Write a report for build servers.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="In the report what is undecided fails.")
    ] = False,
    template: Annotated[
        bool,
        typer.Option("--template", help="Write FILE anew, with example rows of the rulebook."),
    ] = False,
    figures: FiguresOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check a sheet of values against all limits of rulebooks.

    Without a choice: the newest issue of each. The layers of a competition answer together. Exit
    status 0: all legal; 1: at least one is not legal; 3: none is illegal, but some are undecided
    or have no rule; 2: wrong usage.
    """
    with output.library_context(as_json, refused=2) as library:
        from core.library import Layers
        from core.registers import OpenCounts
        from core.shapes import verdict_row
        from core.sheets import join_rulebooks, junit_report, read_sheet

        documents, day = _choose_rulebooks(library, document or (), scope)
        if template:
            _write_template(library, documents, day, file)
            return
        rows = read_sheet(output.read_file(file), file.name)
        checked, uncovered = _check_documents(library, rows, documents, day)
        layers = Layers(documents, day, [one.document_id for one in documents])
        if layers.in_force:  # they answer together
            checked = join_rulebooks(checked, layers)
        counts = []
        if junit or figures:
            counts = OpenCounts(library.folder).record_sheet(
                library, uncovered, str(file.resolve())
            )
        if junit:
            properties = {f"{one.document}: {one.counted}, {one.day}": one.count for one in counts}
            output.write_report(junit, junit_report(checked, strict, properties))
        columns = ("id", "document", "verdict", "limit", "margin", "articles", "missing")
        shown = [verdict_row(one.document, one.result) for one in checked]
        if figures:
            _print_rows(counts, as_json, xlsx, _FIGURE_COLUMNS)
        else:
            _print_rows(shown, as_json, xlsx, columns)
        message = f"Limits in force that no row answers: {sum(uncovered.values())}."
        output.err.print(message, markup=False, highlight=False)
        verdicts = {one.result.verdict for one in checked}
    raise typer.Exit(1 if "not legal" in verdicts else 0 if verdicts == {"legal"} else 3)


def _choose_rulebooks(
    library: "Library", document_ids: "Sequence[str]", scope: ScopeFields
) -> "tuple[Sequence[Document], str | None]":
    """Return the rulebooks to check a sheet against, and the chosen day. Raises SheetError."""
    from core.errors import SheetError
    from core.library import ScopeChoice, resolve_scope

    chosen = resolve_scope(library.documents(), ScopeChoice(**scope))
    if document_ids and scope["competition"]:
        message = "Check against --document or against a --competition: give one of them."
        raise SheetError(message, code="bad_request")
    documents = [*dict.fromkeys(map(library.rulebook, document_ids))] or chosen.documents
    if not documents:
        message = f"There is no rulebook to check it against: {chosen.why}."
        raise SheetError(message, code="empty")
    return documents, chosen.day


def _write_template(
    library: "Library", documents: "Sequence[Document]", day: str | None, file: Path
) -> None:
    """Write a sheet to fill in, CSV or XLSX. Raises SheetError, also where the file is there."""
    from core.errors import SheetError
    from core.exports import csv_file
    from core.sheets import template_records
    from core.table_files import make_workbook

    if file.exists():
        message = f"{file} is there already: give the template another name."
        raise SheetError(message, code="unwritable")
    records = template_records(library, documents, day)
    if file.suffix.casefold() == ".xlsx":
        content = make_workbook(records)
    else:
        content = csv_file(list(records[0]), (list(row.values()) for row in records))
    output.write_report(file, content)
    message = f"Wrote {file} with examples of {documents[0].file}."
    output.err.print(message, markup=False, highlight=False)


def _check_documents(
    library: "Library",
    rows: "Sequence[SheetRow]",
    documents: "Sequence[Document]",
    day: str | None,
) -> "tuple[list[CheckedRow], dict[Document, int]]":
    """Check rows; return the results, and how many limits of each document no row answers."""
    from core.registers import register_of
    from core.sheets import CheckedRow, SheetStore, check_row, limit_index, uncovered_limits

    chosen = [one.document_id for one in documents], day
    registers = {one: register_of(library, one, *chosen) for one in documents}
    store = SheetStore(library.folder)
    known = [
        (one, limit_index(library, one, *chosen), store.choices_for(library, one))
        for one in documents
    ]
    checked = [
        CheckedRow(document, row, check_row(row, index, chosen))
        for row in rows
        for document, index, chosen in known
    ]
    results = [one.result for one in checked]
    return checked, {
        document: len(uncovered_limits(register.limits, results))
        for document, register in registers.items()
    }
