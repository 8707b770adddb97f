"""What the commands print: JSON Lines or tables, sentences for people, errors and exit statuses."""

import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict
from io import TextIOBase
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from core.atomic_files import write_atomically
from core.errors import ReadError, ScrutineerError, SettingsError, SheetError
from core.program import COMMAND
from core.sanitize import strip_control_characters

if TYPE_CHECKING:
    from core.agent import Ended, Event
    from core.evaluation import Evaluation
    from core.library import ClausePair, Document, Library
    from core.maintenance import BackupSummary
    from core.registers import LayerNote
    from core.rulebook import Clause, Progress
    from core.settings import Settings
    from core.shapes import (
        AmbiguousArticle,
        CorrectedDocument,
        FoundArticle,
        IngestedFile,
        MissingArticle,
        RelatedDocument,
        RulingOnClause,
        RulingReply,
    )


class _Terminal(Console):
    """A console that prints no control characters of documents, models or file names."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(strip_control_characters(segment.text), segment.style)


FAILED = 3
"""The exit status of a run that failed over an error, as of its model or of the library."""
_OWN_TERMINALS: Sequence[Console] = _Terminal(), _Terminal(stderr=True)
_terminals = ContextVar("terminals", default=_OWN_TERMINALS)
"""Standard output and standard error: of this process, or of who asks this server."""


class _CurrentTerminal:
    """The terminal of this process, or in a thread of a server that of the shell it works for."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __getattr__(self, name: str) -> Any:
        return getattr(_terminals.get()[self._place], name)


out, err = (cast(Console, _CurrentTerminal(place)) for place in (0, 1))

CLAUSE_COLUMNS = ("article", "title", "text", "page_first", "season", "issue")
DOCUMENT_COLUMNS = ("document_id", "label", "family", "date", "clauses")
_UNCUT_COLUMNS = ("document_id", "family")
"""Never cut, however narrow the terminal: other commands take these values."""
_OCR_NOTE = "read by text recognition"
_READINGS = {"whole": "whole", "partly": "in part"}
_OPTION_OF_WARNING = {"family_unread": "family", "season_unread": "season", "issue_unread": "issue"}
"""Warnings that an option of `ingest` settles."""
_CONTEXT_WORDS = 12
"""Words that are shown before and after a difference."""
_MAX_WORDS = 60
"""Words that are shown of a clause that only one document has."""
_DIFF_STYLE = {"same": ("{}", ""), "deleted": ("[-{}-]", "red"), "inserted": ("{{+{}+}}", "green")}


class _ClientStream(TextIOBase):
    """What is written for who asks a server: `write` takes it with the name of the stream."""

    def __init__(self, name: str, encoding: str, write: Callable[[str, str], None]) -> None:
        self._name, self._encoding, self._write = name, encoding, write

    @property  # of the client's own stream: it decides what can be drawn
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def write(self, text: str) -> int:
        self._write(self._name, text)
        return len(text)


def describe_terminals() -> list[dict[str, Any]]:
    """Return what output depends on, of standard output and of standard error."""
    names = "encoding width height is_terminal color_system no_color legacy_windows".split()
    return [{name: getattr(one, name) for name in names} for one in (out, err)]


@contextmanager
def print_to_client(terminals: Iterable[Any], write: Callable[[str, str], None]) -> Iterator[None]:
    """Print what this thread prints to terminals that `describe_terminals` described."""
    consoles = []
    for name, found in zip(("out", "err"), terminals, strict=True):
        stream = cast(IO[str], _ClientStream(name, found.pop("encoding"), write))
        is_terminal = found.pop("is_terminal")
        consoles.append(_Terminal(file=stream, force_terminal=is_terminal, **found))
    before = _terminals.set(consoles)
    try:
        yield
    finally:
        _terminals.reset(before)


@contextmanager
def command_context(as_json: bool, refused: int = 1) -> Iterator["Settings"]:
    """Load the settings and start logging; print a ScrutineerError and exit with its status.

    `refused` is that of every error but one of settings, which is 2.
    """
    from core.logs import log_to_stderr
    from core.settings import load_settings

    try:
        settings = load_settings()
        # Without --json the events themselves report what happens.
        if _terminals.get() is _OWN_TERMINALS:  # a server has a log of its own
            log_to_stderr(settings, settings.log_level if as_json else "WARNING")
        yield settings
    except ScrutineerError as error:
        if as_json:
            print_json(error.as_json)
        else:
            err.print(error.message, style="red", markup=False)
        raise typer.Exit(2 if isinstance(error, SettingsError) else refused) from error


@contextmanager
def library_context(as_json: bool, refused: int = 1) -> Iterator["Library"]:
    """Open the library of the settings in a `command_context`, and say so if it is empty."""
    with command_context(as_json, refused) as settings:
        from core.library import Library

        library = Library.open(settings)
        warn_if_empty(library.documents())
        yield library


def warn_if_empty(documents: Sequence[object]) -> None:
    """Print what to do where a library has no documents."""
    if not documents:
        err.print("The library is empty: `ingest FILE` adds a rulebook.", markup=False)


def print_json(value: Any) -> None:
    """Print one line of ASCII JSON and flush it."""
    from pydantic_core import to_jsonable_python

    print(json.dumps(to_jsonable_python(value), ensure_ascii=True), file=out.file, flush=True)


def print_result(value: object, as_json: bool, line: str) -> None:
    if as_json:
        print_json(value)
    else:
        out.print(line, markup=False, highlight=False)


def read_file(path: Path) -> bytes:
    """Return the bytes of a file. Raises ReadError `not_found`, or `unreadable`."""
    try:
        return path.read_bytes()
    except OSError as error:
        code = "not_found" if isinstance(error, FileNotFoundError) else "unreadable"
        message = f"{path} cannot be read: {error.strerror}. Check the path."
        raise ReadError(message, code=code) from error


def write_file(data: bytes, file: Path | None) -> None:
    """Write bytes to a file, or to standard output. Raises ReadError `not_writable`."""
    try:
        if file is None:
            sys.stdout.buffer.write(data)
            sys.stdout.flush()
        else:
            file.write_bytes(data)
    except OSError as error:
        message = f"{file or 'The output'} cannot be written: {error.strerror}."
        raise ReadError(message, code="not_writable") from error


def write_report(path: Path, content: bytes) -> None:
    """Write a file as a whole. Raises SheetError `unwritable`."""
    try:
        write_atomically(path, content)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise SheetError(message, code="unwritable") from error


def print_results(values: Iterable[Any], as_json: bool, columns: tuple[str, ...]) -> None:
    """Print results as a line of JSON each, or as a table of these columns."""
    if as_json:
        for value in values:
            print_json(value)
    else:
        _print_table(values, columns)


def _print_table(values: Iterable[Any], columns: tuple[str, ...]) -> None:
    from pydantic_core import to_jsonable_python

    table = Table(*(Column(name, no_wrap=name in _UNCUT_COLUMNS) for name in columns), box=None)
    for row in values:
        value = to_jsonable_python(row)
        cells = {name: _format_cell(name, value[name]) for name in columns}
        if "text" in cells:
            notes = [one.caution for one in getattr(row, "layers", ())]
            notes += [_OCR_NOTE] if value.get("ocr") else []
            cells["text"] += "".join(f" ({note})" for note in notes)
        table.add_row(*cells.values())
    if table.row_count:
        out.print(table, markup=False)
    else:
        err.print("Nothing was found.", markup=False)


def _format_cell(column: str, value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    if column == "document_id":
        return text[:12]
    return text if len(text) <= 200 else f"{text[:197]}..."


def warn_if_older(document: "Document", library: "Library") -> None:
    """Say so where a later edition of a document is searched instead of it."""
    from core.library import Editions

    if later := Editions(library.documents()).find_later(document):
        err.print(f"{document.label} is older than {later.label}, which is searched.", markup=False)


def print_proposals(document: "Document", library: "Library") -> None:
    """Say what a document's text proposes of others, and how to accept it."""
    from core.library import propose_layers
    from core.shapes import RelatedDocument

    if proposals := propose_layers(library, document):
        value = RelatedDocument.of(document, proposals)
        said = format_relations(value, library.list_every_document())
        command = f"`python -m core relate {document.document_id[:12]} --accept NUMBER`"
        err.print(f"{said}\n  {command} accepts one.", markup=False)


def print_progress(progress: "Progress") -> None:
    """How far the making of vectors, or the reading of many files, has come."""
    names = {"embedding": ("Vectors", "clauses"), "files": ("Read", "files")}
    if found := names.get(progress.stage):
        text = f"{found[0]}: {progress.done} of {progress.total} {found[1]}"
        err.print(text, style="dim", markup=False)


def format_ingest_result(value: "IngestedFile") -> str:
    """Describe the ingestion of one document, with its warnings."""
    if value.error:
        return f"{value.file}: {value.error.message}"
    held = f"{value.rulings} rulings" if value.rulings else f"{value.clauses} clauses"
    held += f" on {value.pages} pages" if value.pages else ""
    status = "corrected" if value.corrected else value.status
    lines = [f"{value.file}: {status}, {value.title}, {held}"]
    if given := ", ".join(f"{name} {said}" for name, said in value.corrected.items()):
        lines.append(f"Now: {given}.")
    if value.rulings:
        command = f"{COMMAND} rulings {(value.document_id or '')[:12]}"
        if value.unresolved:
            lines.append(f"Tied to no article: {', '.join(value.unresolved)}.")
        lines.append(f"`{command}` lists them with the articles that they are tied to.")
    left = {
        "lines below no number": value.unplaced,
        "numbers that began no clause": value.untaken_numbers,
        "clauses longer than a rule": value.long_clauses,
    }
    if counts := ", ".join(f"{len(found)} {what}" for what, found in left.items() if found):
        command = f"{COMMAND} correct {(value.document_id or '')[:12]}"
        lines.append(f"Left over: {counts}. `{command}` lists them.")
    for warning in value.warnings:
        option = _OPTION_OF_WARNING.get(warning.code)
        if option is None:
            lines.append(str(warning.message))
        elif getattr(value, option) is None:  # else it has been given since the document was read
            lines.append(
                f"The {option} could not be read from the document: ingest it again with "
                f"--{option} to say it."
            )
    return "\n  ".join(lines)


def format_relations(value: "RelatedDocument", documents: "Iterable[Document]") -> str:
    """List how a document stands to others, and what its text proposes, numbered."""
    labels = {one.document_id: one.label for one in documents}
    lines = [value.label]
    lines += [_describe_relation(asdict(said), labels) for said in value.relations]
    for one in value.proposals:
        named = labels.get(one.document_id, one.document_id)
        said_of = f"{one.kind} {labels.get(one.other_id or '', '')}" if one.kind else "in force"
        days = "".join(f", {name} {day}" for name, day in one.days.items() if day)
        terms = _describe_terms(one.prevails, None)
        lines.append(
            f"proposed {one.number}: {named} {said_of}{terms}{days}: {one.article} “{one.quote}”"
        )
    return "\n  ".join(lines)


def list_relations(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield how documents, listed as JSON, stand to others: a sentence each."""
    labels = {row["document_id"]: row["label"] for row in rows}
    for row in rows:
        for said in row["relations"]:
            yield f"{row['label']} {_describe_relation(said, labels)}."


def _describe_relation(said: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    other = labels.get(said["document_id"], "a document that is no longer in the library")
    return f"{said['kind']} {other}{_describe_terms(said['prevails'], said['from_day'])}"


def _describe_terms(prevails: str, from_day: str | None) -> str:
    side = {"this": ", and prevails", "other": ", and the other prevails"}.get(prevails, "")
    return side + (f", from {from_day} on" if from_day else "")


def format_account(value: "CorrectedDocument") -> str:
    """List what was said of the lines of a document, and what its reading left over."""
    lines = [f"{value.label}: {value.clauses} clauses, read {_READINGS[value.reading]}"]
    for said in value.corrections:
        what = f"heading of level {said.level}" if said.kind == "heading" else "furniture"
        lines.append(f"said: page {said.page}, {said.words}: {what}")
    lines += [warning.message for warning in value.warnings]
    lines += [f"below no number: page {one.page}, {one.words}" for one in value.unplaced or ()]
    numbers = value.untaken_numbers or ()
    lines += [f"number not taken: page {one.page}, {one.words}" for one in numbers]
    lines += [
        f"long clause: {found.article}, page {found.page}, {found.letters} letters"
        for found in value.long_clauses or ()
    ]
    return "\n  ".join(lines)


def format_backup(summary: "BackupSummary") -> str:
    chats = "the chats" if summary.chats else "no chats, which are in a database of their own"
    signed = f"signed by the key {summary.signed_by}" if summary.signed_by else "not signed"
    return f"{summary.documents} documents and {chats} ({summary.size / 1e6:.1f} MB, {signed})"


def format_article(value: "FoundArticle | AmbiguousArticle | MissingArticle") -> str:
    """Format an article word for word; else the clauses or the documents to choose from.

    Clauses of one document that bear one number are all shown: nothing else tells them apart.
    """
    from core.shapes import FoundArticle, MissingArticle

    if isinstance(value, FoundArticle):
        below = f"\nSub-clauses: {', '.join(value.children)}" if value.children else ""
        since = value.since if len(value.history) > 1 else None
        day = f", {since.date}" if since and since.date else ""
        said = f", this wording since {since.label}{day}" if since else ""
        rulings = map(_format_clause_ruling, value.rulings)
        return "\n\n".join((_format_clause(value, value.layers, below, said), *rulings))
    if isinstance(value, MissingArticle):
        return "\n".join(_list_elsewhere(value))
    if len({clause.document_id for clause in value.candidates}) == 1:
        count, label = len(value.candidates), value.candidates[0].label
        parts = [f"{count} clauses of {label} bear this number:"]
        clauses = (_format_clause(one, one.layers) for one in value.candidates)
        return "\n\n".join([*parts, *clauses])
    return "\n".join(_list_candidates(value))


def _format_clause(
    value: "Clause", layers: Iterable["LayerNote"], below: str = "", since: str = ""
) -> str:
    """Format a clause; what other layers mean for it stands before its words."""
    notes = "".join(f"Other layer: {note.caution}\n" for note in layers)
    known = {"page": value.page_first, "season": value.season, "issue": value.issue}
    place = ", ".join(f"{name} {number}" for name, number in known.items() if number)
    place += (f", {_OCR_NOTE}" if value.ocr else "") + since
    return f"{value.article} {value.title}\n{notes}{value.text}{below}\n({place})"


def _format_clause_ruling(value: "RulingOnClause") -> str:
    """Format a ruling below its rule, so that nobody takes it for one."""
    about = (value.title, value.source, value.day)
    lines = [f"Ruling, not law: {', '.join(filter(None, about))}"]
    if value.has_changed:
        lines.append(f"The rule has changed since: the ruling is on {value.edition}.")
    elif value.has_changed is None:
        lines.append("Whether the rule has changed since is unknown.")
    return "\n".join((*lines, textwrap.indent(value.text, "  ")))


def format_ruling(value: "RulingReply") -> str:
    """Format a ruling with the articles that it is tied to, and those that it is not."""
    states = {
        "found": "tied to {0.reference}, {0.edition}",
        "missing": "unresolved: {0.reference} is no article of what is interpreted",
        "ambiguous": "unresolved: {0.reference} is an article of several rulebooks",
        "elsewhere": "of another text: {0.reference}",
    }
    about = ", ".join(filter(None, (value.title, value.source, value.day)))
    named = [states[one.state].format(one) for one in value.articles]
    text = textwrap.indent(value.text, "  ")
    return "\n".join((about or value.clause_id, text, *(named or ["names no article"]), ""))


def _list_candidates(value: "AmbiguousArticle") -> Iterator[str]:
    yield "More than one clause bears this number. Say which with --document or --family:"
    for clause in value.candidates:
        family = f" or --family {clause.family}" if clause.family else ""
        yield f"  {_name_clause(clause, clause.label)}"
        yield from (f"    {note.caution}" for note in clause.layers)
        yield f"    --document {clause.document_id[:12]}{family}"


def _name_clause(clause: "Clause", label: str) -> str:
    """Name a clause with its page; of a document without pages with its section."""
    place = f"page {clause.page_first}" if clause.page_first else " / ".join(clause.breadcrumb)
    name = f"{clause.article} {clause.title}".strip()
    return ", ".join(filter(None, (name, place, label)))


def _list_elsewhere(value: "MissingArticle") -> Iterator[str]:
    for clause in value.not_in_force:
        what = "deleted" if clause.status == "deleted" else "not yet in force"
        yield f"No law, since it is {what}: {_name_clause(clause, clause.label)}"
    if not value.elsewhere:
        yield from () if value.not_in_force else ("Not found.",)
        return
    yield "Not found in the documents that were looked at. It is in these:"
    for other in value.elsewhere:
        yield f"  {other.label}: --document {other.document_id[:12]}"


def print_events(events: Iterable["Event"], as_json: bool, library: "Library") -> int:
    """Print events as they come, and below the answer the rulings on what it cites.

    Return the exit status. Raises ScrutineerError `cut_off`.
    """
    from core.agent import Ended
    from core.answers import Reasoning, list_lines
    from core.language import ENGLISH

    ended: Ended | None = None
    kept, reasoning = [], Reasoning(ENGLISH)
    for event in events:
        kept.append(event)
        if as_json:
            print(event.model_dump_json(ensure_ascii=True), file=out.file, flush=True)
        elif not event.grows:
            for line in chain.from_iterable(map(list_lines, reasoning.describe(event))):
                err.print(line, style="dim", markup=False, highlight=False)
        ended = event if isinstance(event, Ended) else ended
    if ended is None:
        raise ScrutineerError("The run ended without an answer. Ask again.", code="cut_off")
    if not as_json:
        _print_end(kept, ended)
        _print_rulings(ended, library)
    if ended.outcome == "failed":
        return FAILED
    return 0 if ended.outcome in ("answered", "declined") else 1


def _print_end(events: "Sequence[Event]", ended: "Ended") -> None:
    from rich.markdown import Markdown

    from core.answers import describe_choice, list_open_points, view_answer, write_answer
    from core.language import ENGLISH

    if ended.outcome in ("found", "limit_reached", "clarification_needed"):
        command = f'{COMMAND} resume {ended.run_id} --conclude | --guidance "..."'
        err.print(f"Decide on it: {command}", markup=False)
    unsettled = list_open_points(ENGLISH, events, ended, view_answer(events, ended))
    meant = "\n".join(f"- {describe_choice(ENGLISH, one)}" for one in ended.choices)
    parts = (ended.partial_reading, write_answer(ENGLISH, events, ended), *unsettled, meant)
    out.print(Markdown("\n\n".join(filter(None, parts)), hyperlinks=False))


def _print_rulings(ended: "Ended", library: "Library") -> None:
    from core.shapes import RulingOnClause

    cited = dict.fromkeys(citation.clause_id for citation in ended.citations)
    for clause in library.select_clauses(cited):
        for ruling in RulingOnClause.list_of(library, clause):
            out.print(_format_clause_ruling(ruling), markup=False, highlight=False)


def format_progress(evaluation: "Evaluation") -> str:
    """Describe the progress of an evaluation and the result of its last question."""
    from core.evaluation import EvaluationText
    from core.language import ENGLISH

    result = evaluation.results[-1]
    description = result.error or " · ".join(EvaluationText(ENGLISH).list_facts(result))
    return f"{len(evaluation.results)}/{evaluation.questions} {result.question}: {description}"


def metrics_table(report: dict[str, Any]) -> Table:
    """Return a table of the metrics, beside those of the questions that an earlier one shares."""
    columns = {"now": report["figures"]}
    if earlier := report.get("earlier"):
        columns["in common, now"] = earlier["figures_now"]
        columns["in common, earlier"] = earlier["figures_then"]
    table = Table("figure", *columns, box=None)
    for name in report["figures"]:
        values = (figures[name] for figures in columns.values())
        cells = ("-" if value is None else f"{value:.4g}" for value in values)
        table.add_row(name.replace("_", " "), *cells)
    return table


def format_pair(pair: "ClausePair") -> Iterator[Text]:
    """Yield the heading of a pair, then its words: [-deleted-] and {+inserted+}."""
    from core.language import ENGLISH
    from core.library import ComparisonText
    from core.markdown_escape import strip_marks

    words = ComparisonText(ENGLISH)
    said = (ENGLISH.say(f"{kind}-{value}") for kind, value in pair.remarks.items())
    parts = *words.name_pair(pair), *said, *words.list_notes(pair)
    yield Text(" · ".join(map(strip_marks, filter(None, parts))), style="bold")
    if pair.pieces:
        yield _format_diff(pair)
    elif pair.kind in ("added", "removed"):
        form, style = _DIFF_STYLE["inserted" if pair.kind == "added" else "deleted"]
        whole = (pair.after or pair.before).split()
        shown = whole if len(whole) <= _MAX_WORDS else [*whole[:_MAX_WORDS], "…"]
        yield Text(form.format(" ".join(shown)) + " ", style=style)


def _format_diff(pair: "ClausePair") -> Text:
    from core.library import ComparisonText

    text = Text()
    spans = [(piece.kind, piece.text) for piece in pair.pieces]
    for shown in ComparisonText.fold_spans(spans, _CONTEXT_WORDS):
        kind, words = ("same", "…") if isinstance(shown, int) else (shown[0], shown[1].split())
        form, style = _DIFF_STYLE[kind]
        text.append(form.format(" ".join(words)) + " ", style=style)
    return text
