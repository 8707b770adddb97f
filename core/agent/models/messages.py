"""A request as the Messages API takes it: prompts, evidence and tool results as blocks.

The message list is a pure function of the request: within an iteration it only grows, and the
server's cache holds. No call is made here.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from string import Template

from core.agent.markdown import format_compliance
from core.agent.models.base import ReplyRequest, ToolRound
from core.agent.types import Plan
from core.grammar import article_label, has_duty, split_sentences
from core.model_calls import Block
from core.sanitize import replace_invisible
from core.verification import Source

_LOOKALIKES = str.maketrans({'"': "”", "<": "‹", ">": "›", "\n": " "})
"""Replaces what could end an attribute or its tag by a sign that looks like it."""
_PROMPTS = Path(__file__).parent / "prompts"


def fill_prompt(name: str, **places: object) -> str:
    """Return a prompt file with its `$places` filled. Raises KeyError where one is left open."""
    text = (_PROMPTS / f"{name}.md").read_text(encoding="utf-8")
    return Template(text).substitute(places).strip()


def wrap_in_tag(tag: str, text: str, **names: object) -> str:
    """Return a text as data between tags, which nothing inside it can close."""
    visible = replace_invisible(text)  # what a person cannot see is no order to a model
    inner = re.sub(rf"<(?=\s*/?\s*{tag}\b)", "‹", visible, flags=re.IGNORECASE)
    attributes = (f' {name}="{str(value).translate(_LOOKALIKES)}"' for name, value in names.items())
    return f"<{tag}{''.join(attributes)}>\n{inner.strip()}\n</{tag}>"


def build_answer_prompt(server_citations: bool) -> str:
    """Return the system prompt of answers, the same for every question so that the cache holds."""
    citing = fill_prompt("cite_blocks" if server_citations else "cite_markers")
    return fill_prompt("answer", citing=citing)


def build_messages(request: ReplyRequest, server_citations: bool) -> list[Block]:
    """Return the whole message list of a request.

    With `server_citations` evidence goes as `search_result` blocks, which the API cites itself.
    """
    listed: list[Block] = [{"role": "user", "content": _first_blocks(request, server_citations)}]
    for exchange in request.exchanges:
        if exchange.final:
            listed[-1]["content"].append(_text_block(fill_prompt("final")))
        listed += _replay_round(exchange, server_citations)
    if request.final and not (request.exchanges and request.exchanges[-1].failures):
        listed[-1]["content"].append(_text_block(fill_prompt("final")))
    return listed


def _replay_round(exchange: ToolRound, cited: bool) -> list[Block]:
    """Return a reply and what its calls found; without calls, what is asked of it.

    That is to go on, or to mend its draft.
    """
    known = {outcome.call.call_id for outcome in exchange.outcomes}
    reply = [
        dict(block)
        for block in exchange.reply.content
        if block["type"] != "tool_use" or block["id"] in known
    ]
    results: list[Block] = []
    for outcome in exchange.outcomes:
        evidence = _evidence_blocks(outcome.sources, cited)
        found: Block = {"content": [*evidence, *_table_blocks(outcome.tables)]}
        if outcome.error is not None:
            found = {"content": [_text_block(outcome.error)], "is_error": True}
        results.append({"type": "tool_result", "tool_use_id": outcome.call.call_id, **found})
    if not results:
        failed = "\n".join(f"- {message}" for message in exchange.failures)
        repair = fill_prompt("repair", failures=wrap_in_tag("failed_checks", failed))
        results = [_text_block(repair if failed else fill_prompt("go_on"))]
    return [
        {"role": "assistant", "content": reply or [_text_block("(no words)")]},
        {"role": "user", "content": results},
    ]


def quote_source(source: Source) -> str:
    """Return a source as quoted text under its marker, where `search_result` blocks will not do.

    What leads to it and its footnotes are quoted too: a condition may stand there.
    """
    text = "\n".join((*source.lead_in, source.text, *source.footnotes)).strip()
    shown = text or source.title or "(heading only)"
    return wrap_in_tag("clause", shown, marker=source.marker, title=describe_source(source))


def describe_source(source: Source) -> str:
    """Return the name of a source for a model: "[3] Article 34.7 Speed limits, in ..., page 40"."""
    article = f"[{source.marker}] {article_label(source.article)} {source.title}".strip()
    inside = f"in {source.breadcrumb[-1]}" if source.breadcrumb else ""
    pages = f"{source.place}{source.reading_caution}"
    return ", ".join(filter(None, (article, inside, source.document, pages)))


def _first_blocks(request: ReplyRequest, cited: bool) -> list[Block]:
    plan, is_last = request.plan, request.iteration >= request.max_iterations
    notes = "\n\n".join(request.notes)
    said = wrap_in_tag("person", "\n".join(request.guidance)) if request.guidance else ""
    checked = format_compliance(request.requirements)
    ask = fill_prompt(
        "answer_ask",
        question=wrap_in_tag("question", request.question),
        intent=request.intent,
        version=plan.version,
        tool=plan.tool,
        query=wrap_in_tag("query", plan.query),
        reason=plan.reason,
        further=_describe_further(plan),
        iteration=request.iteration,
        max_iterations=request.max_iterations,
        last=fill_prompt("last") if is_last else "",
        rounds=_describe_rounds(request.rounds),
        checked=f"The question's values, checked without a model:\n{checked}" if checked else "",
        guidance=f"The person added:\n{said}" if said else "",
        notes=f"Earlier drafts and why they were rejected:\n\n{notes}" if notes else "",
        found="Found by this plan, then what was found before"
        if notes
        else "What the planned tool found",
        documents=wrap_in_tag("documents", "\n".join(request.documents) or "none"),
    )
    blocks = [
        _text_block(ask),
        *_evidence_blocks(request.evidence, cited),
        *_table_blocks(request.tables),
    ]
    if any(source.layers for source in request.evidence):
        blocks.append(_text_block(fill_prompt("layers")))
    if request.standing:
        blocks += [_text_block(fill_prompt("standing")), *_evidence_blocks(request.standing, cited)]
    return blocks


def _describe_further(plan: Plan) -> str:
    """Return the steps that follow, so that a draft leaves their part to them."""
    if plan.steps == 1:
        return ""
    steps = "; ".join(f'{step.tool} "{step.query}"' for step in plan.further)
    later = f"Later steps, run after it: {steps}." if steps else "Answer the whole question now."
    return f"\nStep {plan.step} of {plan.steps}. {later}"


def _describe_rounds(rounds: int | None) -> str:
    match rounds:
        case None:
            return "You may call tools as often as you need."
        case 0:
            return "You have no rounds of tool calls: answer from what is below."
        case _:
            return (
                f"You have {rounds} rounds of tool calls in this iteration; put calls that do not"
                " depend on each other into one."
            )


def _table_blocks(tables: str) -> list[Block]:
    return [_text_block(wrap_in_tag("tool_table", tables))] if tables.strip() else []


def _evidence_blocks(sources: Iterable[Source], cited: bool) -> list[Block]:
    shown = [source for source in sources if source.text.strip() or source.title.strip()]
    if not shown:
        return [_text_block("No clause was found.")]
    if not cited:
        return [_text_block("\n\n".join(map(quote_source, shown)))]
    return [
        {
            "type": "search_result",
            "source": source.clause_id,
            "title": describe_source(source),
            "content": [_text_block(piece) for piece in _split_citable(source)],
            "citations": {"enabled": True},
        }
        for source in shown
    ]


def _split_citable(source: Source) -> list[str]:
    """Return the citable units of a source: a sentence or lettered item each.

    A title that says what must or may be done is one too. Every unit ends with a space or line
    break: the API joins what it cites without any.
    """
    title = source.title if not source.text or has_duty(source.title) else ""
    lines = [split_sentences(line) for line in f"{title}\n{source.text}".splitlines()]
    return [piece + ("\n" if piece is line[-1] else " ") for line in lines for piece in line]


def _text_block(text: str) -> Block:
    return {"type": "text", "text": text}
