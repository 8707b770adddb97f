"""A chat as a report: questions, answers, the cited pages, the reasoning; and that as a file."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.agent import events as ev
from core.answers import (
    describe_headline,
    describe_outcome,
    describe_panels,
    list_check_tables,
    list_copies,
    list_lines,
    list_open_points,
    view_answer,
)
from core.chats.queries import Conversation, SavedRun
from core.exports import ReportPart, write_report_file
from core.language import ENGLISH, Language
from core.markdown_escape import (
    ESCAPED,
    escape_markdown,
    sanitize_markdown,
    split_blocks,
    strip_marks,
)
from core.verification import Citation

_ESCAPED_OR_CODE = re.compile(rf"{ESCAPED.pattern}|`[^`]+`")
_HARMLESS = frozenset(".,;:?!()'\"%/@+=-")
"""Signs that say something to Markdown at the beginning of a line alone."""
_MARKS: dict[str, str] = {"title": "# ", "heading": "## ", "subheading": "### "}


def compose_report(
    title: str,
    runs: Sequence[SavedRun],
    picture: Callable[[Sequence[Citation]], bytes | None],
    language: Language = ENGLISH,
    server: str = "",
) -> Iterator[ReportPart]:
    """Yield the parts of a report on a chat; `picture` draws a page with what is cited there.

    `server` is where the addresses of cited rules begin; without it they are paths alone.
    """
    yield ReportPart("title", title)
    for run in runs:
        yield ReportPart("heading", run.question)
        ended = run.events[-1]
        if isinstance(ended, ev.Ended):
            yield from _compose_answer(run, ended, picture, language, server)
        yield ReportPart("subheading", language.say("export-reasoning"))
        for panel in describe_panels(language, run.events):
            yield ReportPart("lead", strip_marks(panel["label"]))
            for part in panel["parts"]:
                yield from (ReportPart("text", line) for line in list_lines(part))
                if not isinstance(part, str) and "text" in part:
                    yield from _split_markdown(ESCAPED.sub(r"\1", part["text"]), "quote")


def _compose_answer(
    run: SavedRun,
    ended: ev.Ended,
    picture: Callable[[Sequence[Citation]], bytes | None],
    language: Language,
    server: str,
) -> Iterator[ReportPart]:
    view = view_answer(run.events, ended)
    if view.headline:
        yield ReportPart("lead", describe_headline(language, view.headline))
    if not view.headline or ended.outcome != "answered":
        yield ReportPart("lead", describe_outcome(language, run.events, ended))
    for heading, checks in list_check_tables(language, ended.requirements):
        if heading:
            yield ReportPart("lead", strip_marks(heading))
        if checks:
            yield ReportPart("table", rows=tuple(tuple(map(strip_marks, row)) for row in checks))
    for block in (*view.blocks, *view.referred):
        kind: Literal["quote", "text"] = "quote" if block.is_quote else "text"
        yield from _split_markdown(block.say(language), kind)
    for sentence in list_open_points(language, run.events, ended, view):
        yield ReportPart("text", sentence)
    if view.citations:
        yield ReportPart("subheading", language.say("export-cited"))
    pages: dict[tuple[str, int | None], dict[int, Citation]] = {}
    for number, citation in sorted(view.citations.items()):
        place = f"[{number}] {list_copies(language, citation)[0]}"
        address = citation.address and server + citation.address
        yield ReportPart("text", f"{place}\n{address}".rstrip())
        pages.setdefault((citation.document_id, citation.page), {})[number] = citation
    for (_, page), cited in pages.items():
        if image := picture(list(cited.values())):
            numbers = "] [".join(map(str, cited))
            caption = language.say("export-page", number=numbers, page=page)
            yield ReportPart("picture", caption, image=image)


def _split_markdown(markdown: str, kind: Literal["quote", "text"]) -> Iterator[ReportPart]:
    """Yield the paragraphs and tables of Markdown without its signs."""
    for is_table, text in split_blocks(markdown, "|"):
        if is_table:
            lines = [line.strip().strip("|") for line in text.splitlines()]
            cells = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
            rows = tuple(row for row in cells if any(cell.strip(":- ") for cell in row))
            yield ReportPart("table", rows=rows)
        else:
            plain = "\n".join(line.rstrip() for line in text.replace("**", "").splitlines())
            if plain.strip():
                yield ReportPart(kind, plain.strip())


@dataclass(frozen=True, slots=True)
class ChatFile:
    """A chat as a file in one format, made when it is asked for."""

    format: str
    name: str
    make: Callable[[], bytes]


def list_chat_files(
    chat: Conversation,
    load_runs: Callable[[], Sequence[SavedRun]],
    parts: Callable[[], Iterable[ReportPart]],
) -> list[ChatFile]:
    """Return a chat in all formats; `parts` returns those of its report."""
    return [
        ChatFile("Markdown", "chat.zip", lambda: write_markdown(parts())),
        ChatFile("Word", "chat.docx", lambda: write_report_file(parts(), "docx")),
        ChatFile("PDF", "chat.pdf", lambda: write_report_file(parts(), "pdf")),
        ChatFile("JSON", "chat.json", lambda: write_json(chat, load_runs())),
    ]


def write_markdown(parts: Iterable[ReportPart]) -> bytes:
    """A zip with `chat.md` and the pictures of the report.

    Foreign text is sanitized as on a page, since the file's reader may fetch images.
    """
    out, lines, pictures = io.BytesIO(), [], 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in parts:
            if part.kind == "picture":
                pictures += 1
                name = f"pages/{pictures}.png"
                archive.writestr(name, part.image)
                lines.append(f"![{escape_markdown(part.text)}]({name})")
            else:
                lines.append(_write_part(part))
        text = "\n".join(map(_unescape_harmless, "\n\n".join(lines).splitlines()))
        archive.writestr("chat.md", f"{text}\n")
    return out.getvalue()


def _unescape_harmless(line: str) -> str:
    """Return a line of Markdown without the escapes of signs that mean nothing where they are.

    In code they are no escapes.
    """

    def unescape(escape: re.Match[str]) -> str:
        if escape[1] is None:
            return escape[0]
        before, after = line[: escape.start()].strip(" >|*#+-"), line[escape.end() :]
        begins_list = before.isdigit() and (not after or after[0].isspace())
        is_harmless = escape[1] in _HARMLESS and before and not begins_list
        return escape[1] if is_harmless else escape[0]

    return _ESCAPED_OR_CODE.sub(unescape, line)


def _write_part(part: ReportPart) -> str:
    match part.kind:
        case "table":
            rows = ["| " + " | ".join(map(escape_markdown, row)) + " |" for row in part.rows]
            return "\n".join((rows[0], "|" + " --- |" * len(part.rows[0]), *rows[1:]))
        case "quote":
            return "\n".join(f"> {sanitize_markdown(line)}  " for line in part.text.splitlines())
        case "lead":
            return f"**{escape_markdown(part.text)}**"
        case "text":
            return sanitize_markdown(part.text)
    return _MARKS[part.kind] + escape_markdown(part.text)


def write_json(chat: Conversation, runs: Iterable[SavedRun]) -> bytes:
    """The chat with every event of its runs and the feedback on their answers."""
    fields = ("run_id", "question", "outcome", "started_at", "thumb", "reason")
    value = {
        "title": chat.title,
        "created_at": chat.created_at,
        "runs": [
            {name: getattr(run, name) for name in fields}
            | {"events": [json.loads(event.model_dump_json()) for event in run.events]}
            for run in runs
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode()
