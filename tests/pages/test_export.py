"""An exported chat does nothing when another program opens it."""

import io
import re
import zipfile

from markdown_it import MarkdownIt

from core.agent.events import Ended
from core.chats.queries import SavedRun
from core.chats.report_files import compose_report, write_markdown
from core.library.storage.library import Library
from core.verification.types import ComplianceRow
from pages.components.chat_menu import report_parts
from tests.agent.stories import cited, source
from tests.browser.planted_text import blocks, one_liners

EVIL = "http://evil.example"
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def exported(tmp_path):
    """The Markdown of a chat whose every text contains planted Markdown and HTML."""
    everything, text = "\n\n".join([*one_liners(EVIL), *blocks(EVIL)]), one_liners(EVIL)[0]
    quote = cited(source(1, "21.3", text, document=f"Rules {text}"), everything)
    row = ComplianceRow(text, text, text, text, "legal", note=text, citations=(quote,))
    ended = Ended(
        run_id="r",
        seq=1,
        outcome="answered",
        answer=everything,
        citations=(quote,),
        message=everything,
        requirements=(row,),
        unsettled=(everything,),
    )
    run = SavedRun("r", "c", everything, "answered", "2026-01-01T00:00:00+00:00", (ended,))
    with zipfile.ZipFile(
        io.BytesIO(write_markdown(report_parts(Library(tmp_path), text, [run])))
    ) as archive:
        return archive.read("chat.md").decode()


def test_an_exported_chat_fetches_runs_and_links_nothing_that_was_planted(tmp_path):
    markdown = exported(tmp_path)
    tokens = [
        inner for token in READER.parse(markdown) for inner in (token, *(token.children or ()))
    ]
    live = {"image", "link_open", "html_inline", "html_block", "fence"}
    assert [token.content for token in tokens if token.type in live] == []
    shown = [token.content.replace("\u2060", "") for token in tokens if token.type == "text"]
    for place in (
        f"![image]({EVIL}/image.png)",
        f"<iframe src='{EVIL}/frame'>",
        "javascript:document.title",
    ):
        assert sum(text.count(place) for text in shown) >= 3, "it can be read at each place"


def test_a_report_reads_like_text_and_shows_each_page_once():
    said = "It is 50.5 mm wide.", "Is it? Yes."
    quotes = [cited(source(marker, f"6.{marker}", one), one) for marker, one in enumerate(said, 1)]
    answer = " ".join(f"“{one}” [{marker}]" for marker, one in enumerate(said, 1))
    ended = Ended(run_id="r", seq=1, outcome="answered", answer=answer, citations=tuple(quotes))
    run = SavedRun("r", "c", "How wide (in mm)?", "answered", "2026-01-01T00:00:00+00:00", (ended,))
    drawn = []
    parts = compose_report("Width", [run], lambda cited: drawn.append(cited) or b"PNG")
    with zipfile.ZipFile(io.BytesIO(write_markdown(parts))) as archive:
        text = archive.read("chat.md").decode()
    assert "## How wide (in mm)?" in text
    assert not re.search(r"[^\d]\\[.,?:()]", text)
    assert drawn == [quotes]
    assert text.count("(pages/1.png)") == 1


def test_code_in_a_report_keeps_its_backslashes():
    said = "Match `a\\.b` to (a.b)."
    ended = Ended(run_id="r", seq=1, outcome="answered", answer=said, citations=())
    run = SavedRun("r", "c", "How?", "answered", "2026-01-01T00:00:00+00:00", (ended,))
    parts = compose_report("Patterns", [run], lambda cited: b"")
    with zipfile.ZipFile(io.BytesIO(write_markdown(parts))) as archive:
        assert said in archive.read("chat.md").decode()
