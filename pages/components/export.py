"""A chat as a file: Markdown with pictures of the cited pages in a zip, or all events as JSON.

Foreign text is sanitized in the Markdown as on a page, since its reader may fetch images.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence

from core.agent import events as ev, format_compliance
from core.chats import Conversation, SavedRun
from core.errors import ReadError
from core.library import Library
from pages.components.citation import citation_boxes, format_citation
from pages.components.page_image import draw_page, find_pdf
from pages.components.text import escape_markdown, sanitize_markdown


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


def export_zip(library: Library, title: str, runs: Sequence[SavedRun]) -> bytes:
    """`chat.md`, and a picture of each cited page of a readable PDF with its quote marked."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        parts = [f"# {escape_markdown(title)}"]
        for number, run in enumerate(runs, 1):
            parts += _write_run(library, archive, number, run)
        archive.writestr("chat.md", "\n\n".join(parts) + "\n")
    return out.getvalue()


def _write_run(
    library: Library, archive: zipfile.ZipFile, number: int, run: SavedRun
) -> Iterator[str]:
    """Add the cited pages of a run to the archive, and yield its paragraphs."""
    yield f"## {escape_markdown(run.question)}"
    ended = run.events[-1]
    if not isinstance(ended, ev.Ended):
        return
    answer = (format_compliance(ended.requirements), ended.answer)
    yield from filter(None, map(sanitize_markdown, answer))
    yield from filter(None, map(escape_markdown, (ended.message, *ended.unsettled)))
    for index, citation in enumerate(dict.fromkeys(ended.citations), 1):
        place, page = format_citation(citation), citation.page
        yield escape_markdown(f"[{citation.marker}] “{citation.quote}” ({place})")
        file = find_pdf(library, citation.document_id)
        if file is None:
            continue
        try:
            image = draw_page(file, page, citation_boxes(library, file, citation, page), 1.0)
        except ReadError:  # the quote above suffices
            continue
        name = f"pages/{number}-{index}.png"
        archive.writestr(name, image)
        yield f"![Page {page}, {escape_markdown(citation.document)}]({name})"
