"""A chat to take along: Markdown with the cited pages as pictures in a zip, or everything as JSON. Draws nothing.

What strangers wrote is disarmed in the Markdown as it is on a page: whatever opens the file may fetch its pictures.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence

from core.agent import Citation, events as ev, format_compliance
from core.chats import Conversation, SavedRun
from core.errors import ReadError
from core.library import Library
from pages.components.citation import citation_boxes, format_citation, unique_citations
from pages.components.page_image import draw_page, find_pdf
from pages.components.text import escape_markdown, sanitize_markdown


def export_json(chat: Conversation, runs: Iterable[SavedRun]) -> bytes:
    """The chat with every event of its runs, and what was said of their answers."""
    told = {
        "title": chat.title,
        "created_at": chat.created_at,
        "runs": [
            {
                "run_id": run.run_id,
                "question": run.question,
                "outcome": run.outcome,
                "started_at": run.started_at,
                "thumb": run.thumb,
                "reason": run.reason,
                "events": [json.loads(ev.to_json(event)) for event in run.events],
            }
            for run in runs
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def export_zip(library: Library, title: str, runs: Sequence[SavedRun]) -> bytes:
    """`chat.md` and a picture of each cited page, its quote marked, as far as its PDF is held and can be shown."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        parts = [f"# {escape_markdown(title)}"]
        for number, run in enumerate(runs, 1):
            parts += _written(library, archive, number, run)
        archive.writestr("chat.md", "\n\n".join(parts) + "\n")
    return out.getvalue()


def _written(
    library: Library, archive: zipfile.ZipFile, number: int, run: SavedRun
) -> Iterator[str]:
    yield f"## {escape_markdown(run.question)}"
    ended = run.events[-1]
    if not isinstance(ended, ev.Ended):
        return
    yield from filter(
        None, map(sanitize_markdown, (format_compliance(ended.requirements), ended.answer))
    )
    yield from filter(None, map(escape_markdown, (ended.message, *ended.unsettled)))
    for index, citation in enumerate(unique_citations(ended), 1):
        yield escape_markdown(
            f"[{citation.marker}] “{citation.quote}” ({format_citation(citation)})"
        )
        if page := _page(library, citation):
            name = f"pages/{number}-{index}.png"
            archive.writestr(name, page)
            yield f"![Page {citation.page}, {escape_markdown(citation.document)}]({name})"


def _page(library: Library, citation: Citation) -> bytes | None:
    file = find_pdf(library, citation.document_id)
    if file is None:
        return None
    try:
        return draw_page(
            file, citation.page, citation_boxes(library, file, citation, citation.page), 1.0
        )
    except ReadError:  # the words are there without it
        return None
