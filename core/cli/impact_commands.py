"""The commands about what a new issue changed for us."""

import getpass
import time
from pathlib import Path
from typing import Annotated

import typer

from core.cli import output
from core.cli.options import DOCUMENT_HELP, JsonOption
from core.errors import SettingsError


def impact_command(
    document_id: Annotated[str, typer.Argument(metavar="DOCUMENT", help=DOCUMENT_HELP)],
    clear: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="This answer (`run_id` of --json) or sheet (`sheet_id`) was looked at.",
        ),
    ] = None,
    by: Annotated[str, typer.Option(help="Who cleared it; else the user's name.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Show what an issue changed and which answers, checks, sheets and clauses that touches.

    As Markdown, for a mail or a chat. The exit status is 1 while any is to be looked at.
    """
    with output.command_context(as_json) as settings:
        from core.chats import Conversations
        from core.impact import assess_impact, format_digest
        from core.library import Library
        from core.shapes import ImpactReply
        from core.sheets import SheetStore

        library, chats = Library.open(settings), Conversations(settings.conversations_url)
        sheets = SheetStore(library.folder)
        document = library.document(document_id)
        if clear:
            is_sheet = any(sheet.sheet_id == clear for sheet in sheets.load_sheets())
            clear_one = sheets.clear_sheet if is_sheet else chats.clear_answer
            clear_one(clear, document.document_id, by or getpass.getuser())
        impact = assess_impact(library, chats, sheets, document.document_id)
        if as_json:
            output.print_json(ImpactReply.of(impact))
        else:  # lines of Markdown are not wrapped
            output.out.print(format_digest(impact), markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(1 if impact.suspects or impact.suspect_sheets else 0)


def watch_command(
    folder: Annotated[
        Path | None, typer.Argument(help="The folder; else SCRUTINEER_WATCH_DIR.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Look once and end.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Add new PDFs of a folder by themselves, and write beside each what it changes for us."""
    with output.command_context(as_json) as settings:
        from core.chats import Conversations
        from core.impact import FolderWatch
        from core.library import Library
        from core.shapes import IngestedFile

        watched = folder or settings.watch_dir
        if watched is None:
            message = "Name a folder, or set SCRUTINEER_WATCH_DIR to one."
            raise SettingsError(message, code="watch_dir")
        library, chats = Library.open(settings), Conversations(settings.conversations_url)
        watch = FolderWatch(library, chats, watched)
        while True:
            for result in watch.add_new_files():
                added = IngestedFile.of(result)
                output.print_result(added, as_json, output.format_ingest_result(added))
            if once:
                return
            time.sleep(watch.INTERVAL)
