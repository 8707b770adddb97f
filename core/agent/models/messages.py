"""A turn as the Messages API takes it: prompts, evidence and tool results as blocks. Nothing here touches the network.

The message list is a pure function of the turn, so within an iteration it only grows and the server's cache holds.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Any

from core.agent.evidence import split_sentences
from core.agent.models.base import ReplyRequest, ToolRound
from core.agent.types import OCR_CAUTION, Source, ToolOutcome
from core.rulebook import article_label

Block = dict[str, Any]

CACHE_CONTROL = {"type": "ephemeral"}
"""What marks the end of a prefix that the server may keep."""
_TAME = str.maketrans({'"': "”", "<": "‹", ">": "›", "\n": " "})
"""What could end an attribute or its tag, as a sign that looks alike."""
_PROMPTS = Path(__file__).parent / "prompts"


def fill_prompt(name: str, **places: object) -> str:
    """A prompt file with its `$places` filled. Raises KeyError where one is left open."""
    return (
        Template((_PROMPTS / f"{name}.md").read_text(encoding="utf-8")).substitute(places).strip()
    )


def wrap_in_tag(tag: str, text: str, **names: object) -> str:
    """A text as data between tags, which nothing inside it can close."""
    inner = re.sub(rf"<(?=\s*/?\s*{tag}\b)", "‹", text, flags=re.IGNORECASE)
    attributes = "".join(
        f' {name}="{str(value).translate(_TAME)}"' for name, value in names.items()
    )
    return f"<{tag}{attributes}>\n{inner.strip()}\n</{tag}>"


def build_system_blocks(text: str) -> list[Block]:
    """The system prompt, marked for the cache; the tools stand before it and are kept with it."""
    return [{"type": "text", "text": text, "cache_control": CACHE_CONTROL}]


def build_answer_prompt(server_citations: bool) -> str:
    """The system prompt of answers: the same for every question, or the cache would not hold."""
    return fill_prompt(
        "answer", citing=fill_prompt("cite_blocks" if server_citations else "cite_markers")
    )


def build_messages(request: ReplyRequest, server_citations: bool) -> list[Block]:
    """The whole message list of a turn; `cited`: evidence as `search_result` blocks that the API cites itself."""
    listed = [{"role": "user", "content": _first(request, server_citations)}]
    for exchange in request.exchanges:
        listed += _exchange(exchange, server_citations)
    if request.final:
        listed[-1]["content"] = [*listed[-1]["content"], _text(fill_prompt("final"))]
    return listed


def quote_source(source: Source) -> str:
    """A source as quoted text under its marker, for servers without `search_result` blocks and for the scorer."""
    return wrap_in_tag(
        "clause",
        source.text or source.title or "(heading only)",
        marker=source.marker,
        title=describe_source(source),
    )


def describe_source(source: Source) -> str:
    """How a source is named to a model: "[3] Article 34.7 Speed limits, in 34 Pit lane, 2025 ..., Issue 5, page 40"."""
    article = f"[{source.marker}] {article_label(source.article)} {source.title}".strip()
    inside = f"in {source.breadcrumb[-1]}" if source.breadcrumb else ""
    pages = f"page {source.page_first}{OCR_CAUTION if source.ocr else ''}"
    return ", ".join(part for part in (article, inside, source.document, pages) if part)


def known_sources(request: ReplyRequest) -> tuple[Source, ...]:
    """Every source whose words a turn shows to the model."""
    found = (
        source for e in request.exchanges for outcome in e.outcomes for source in outcome.sources
    )
    return tuple(
        {
            source.clause_id: source for source in (*request.standing, *request.evidence, *found)
        }.values()
    )


def _first(turn: ReplyRequest, cited: bool) -> list[Block]:
    last = (
        " This is the last iteration: an answer must come now."
        if turn.iteration >= turn.max_iterations
        else ""
    )
    notes = (
        "What earlier iterations came to:\n" + "\n".join(f"- {note}" for note in turn.notes)
        if turn.notes
        else ""
    )
    ask = fill_prompt(
        "answer_ask",
        question=wrap_in_tag("question", turn.question),
        intent=turn.intent,
        version=turn.plan.version,
        tool=turn.plan.tool,
        query=wrap_in_tag("query", turn.plan.query),
        reason=turn.plan.reason,
        iteration=turn.iteration,
        max_iterations=turn.max_iterations,
        last=last,
        notes=notes,
        documents=wrap_in_tag("documents", "\n".join(turn.documents) or "none"),
    )
    tables = [_text(wrap_in_tag("tool_table", turn.tables))] if turn.tables.strip() else []
    standing = (
        [_text(fill_prompt("standing")), *_evidence(turn.standing, cited)] if turn.standing else []
    )
    return [_text(ask), *_evidence(turn.evidence, cited), *tables, *standing]


def _exchange(exchange: ToolRound, cited: bool) -> list[Block]:
    results = [_result(outcome, cited) for outcome in exchange.outcomes] or [
        _text(fill_prompt("go_on"))
    ]
    return [
        {"role": "assistant", "content": [dict(block) for block in exchange.reply.content]},
        {"role": "user", "content": results},
    ]


def _result(outcome: ToolOutcome, cited: bool) -> Block:
    result: Block = {"type": "tool_result", "tool_use_id": outcome.call.call_id}
    if outcome.error is not None:
        return result | {"content": [_text(outcome.error)], "is_error": True}
    tables = [_text(wrap_in_tag("tool_table", outcome.tables))] if outcome.tables.strip() else []
    return result | {"content": [*_evidence(outcome.sources, cited), *tables]}


def _evidence(sources: Iterable[Source], cited: bool) -> list[Block]:
    shown = [source for source in sources if source.text.strip() or source.title.strip()]
    if not shown:
        return [_text("No clause was found.")]
    return (
        [_search_result(source) for source in shown]
        if cited
        else [_text("\n\n".join(map(quote_source, shown)))]
    )


def _search_result(source: Source) -> Block:
    return {
        "type": "search_result",
        "source": source.clause_id,
        "title": describe_source(source),
        "content": [_text(piece) for piece in _pieces(source)],
        "citations": {"enabled": True},
    }


def _pieces(source: Source) -> list[str]:
    """The citable units: a sentence or lettered item each.

    Every piece keeps a space or a line's end behind it: the API gives what it cites as pieces joined without any.
    """
    lines = [split_sentences(line) for line in (source.text or source.title).splitlines()]
    return [piece + ("\n" if piece is line[-1] else " ") for line in lines for piece in line]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
