"""A chat as a file: Markdown with pictures in a zip, Word, PDF, or all events as JSON.

Foreign text is sanitized in the Markdown as on a page, since its reader may fetch images.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from core.agent import Citation, events as ev
from core.chats import Conversation, ReportPart, SavedRun, compose_report
from core.errors import ReadError
from core.library import Library
from pages.components.citation import citation_boxes
from pages.components.page_image import draw_page, find_pdf
from pages.components.text import escape_markdown, sanitize_markdown

_MARKS = {"title": "# ", "heading": "## ", "subheading": "### "}


def export_json(chat: Conversation, runs: Iterable[SavedRun]) -> bytes:
    """The chat with every event of its runs and the feedback on their answers."""
    fields = ("run_id", "question", "outcome", "started_at", "thumb", "reason")
    value = {
        "title": chat.title,
        "created_at": chat.created_at,
        "runs": [
            {name: getattr(run, name) for name in fields}
            | {"events": [json.loads(ev.to_json(event)) for event in run.events]}
            for run in runs
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def report_parts(library: Library, title: str, runs: Sequence[SavedRun]) -> Iterator[ReportPart]:
    """The parts of a report on a chat, with a picture of each cited page."""
    return compose_report(title, runs, partial(_draw_cited_page, library))


def export_zip(library: Library, title: str, runs: Sequence[SavedRun]) -> bytes:
    """`chat.md`, and a picture of each cited page of a readable PDF with its quote marked."""
    out, lines, pictures = io.BytesIO(), [], 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in report_parts(library, title, runs):
            if part.kind == "picture":
                pictures += 1
                name = f"pages/{pictures}.png"
                archive.writestr(name, part.image)
                lines.append(f"![{escape_markdown(part.text)}]({name})")
            else:
                lines.append(_write_part(part))
        archive.writestr("chat.md", "\n\n".join(lines) + "\n")
    return out.getvalue()


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


def _draw_cited_page(library: Library, citation: Citation) -> bytes | None:
    file, page = find_pdf(library, citation.document_id), citation.page
    if file is None:
        return None
    try:
        return draw_page(file, page, citation_boxes(library, file, citation, page), 1.0)
    except ReadError:  # the quote suffices
        return None
