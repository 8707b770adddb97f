"""The answer of a run: what it comes to, the quotes it rests on, and what those refer to."""

from collections.abc import Sequence
from itertools import chain

import streamlit as st

from core.agent import (
    DISCARDED_MESSAGE,
    DRAFT_OUTCOMES,
    describe_references,
    events as ev,
    format_compliance,
    group_unread,
    latest_scope,
)
from core.answers import (
    AbsentArticle,
    AnswerBlock,
    AnswerView,
    Headline,
    explain_refusal,
    find_shortfall,
    view_answer,
)
from core.chats import CUT_OFF_MESSAGE, STOPPED_MESSAGE
from core.library import Library
from core.markdown_escape import escape_markdown, sanitize_markdown
from core.rulebook import article_label
from core.sanitize import strip_control_characters
from core.verification import DraftCheck
from pages.components import address, tables
from pages.components.citation import format_citation, show_citations, show_cited_page
from pages.components.labels import format_limit, format_number, format_score, outcome_badge
from pages.components.page_image import show_figures
from pages.components.services import find_clause
from pages.components.widgets import clause_link
from pages.components.words import say

_ENDINGS = {
    STOPPED_MESSAGE: "answer-stopped",
    CUT_OFF_MESSAGE: "answer-cut-off",
    DISCARDED_MESSAGE: "answer-discarded",
}
"""What is said, in the reader's language, of runs that ended so."""


def show_answer(library: Library, events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw an answer from its first line on, and the cited page beside it if one is open."""
    view = view_answer(events, ended)
    _show_head(library, events, ended, view)
    _show_blocks(library, events, ended, view)
    scope = latest_scope(events)
    left_out = [f"- {escape_markdown(label)}" for label in scope.left_out.values()]
    kind = "answer-scope-left-out" if left_out else "answer-scope"
    searched = say(kind, documents=_join_labels(scope), count=len(left_out))
    st.caption(searched, help="\n".join(left_out) or None)
    opened, number = address.opened_citation() or ("", 0)
    if opened == ended.run_id and number in view.citations:
        show_cited_page(library, events, view, number)


def _show_head(
    library: Library, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> None:
    """Draw what an answer comes to: its first line, how it ended, values and penalties."""
    if view.headline:
        st.markdown(f"**{escape_markdown(_headline(view.headline))}**")
    if ended.outcome != "answered" or ended.decided_by == "person":
        _show_outcome(events, ended)
    if partly_read := dict.fromkeys(c.document for c in ended.citations if c.partly_read):
        said = say("answer-partly-read", documents=escape_markdown(" · ".join(partly_read)))
        st.markdown(f":small[:orange[:material/warning: {said}]]")
    tables.show_checks(ended.requirements)
    if view.penalties:
        tables.show_penalties(view.penalties)
    if ended.outcome == "not_found":
        _show_refusal(library, events)


def _show_blocks(
    library: Library, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> None:
    """Draw the parts of an answer, what they refer to, and the failed checks of no part."""
    was_searched = any(isinstance(event, ev.PlanMade) for event in events)
    if was_searched and ended.outcome == "not_found" and ended.best_iteration is None:
        return  # the refusal says where was searched, the reasoning what for
    failures = _list_failures(events, ended)
    for block in view.blocks:
        _show_block(library, ended, view, block, failures)
    if view.referred:
        many = len({number for block in view.referred for number in block.cited})
        kind = "answer-refers-penalties" if view.refers_to_penalties else "answer-refers"
        key = f"referred-{ended.run_id}"
        with st.expander(say(kind, count=many), type="compact", key=key):
            for block in view.referred:
                _show_block(library, ended, view, block, failures)
    unread = _unread_references(events, ended)
    answer = "\0".join(block.text for block in (*view.blocks, *view.referred))
    shown = {check.message for check in failures if check.subject in answer}
    for message in ended.unsettled:
        if message not in shown:
            said = escape_markdown(unread.get(message, message))
            st.markdown(f":small[:orange[:material/link_off:] {said}]")


def _join_labels(scope: ev.ScopeView) -> str:
    return escape_markdown(" · ".join(scope.documents.values())) or say("answer-scope-none")


def _show_block(
    library: Library,
    ended: ev.Ended,
    view: AnswerView,
    block: AnswerBlock,
    failures: Sequence[DraftCheck],
) -> None:
    """Draw a part of the answer with the failed checks on it and its citations."""
    # A box, because Markdown's own quotes are drawn faint and a rule's words matter most.
    with st.container(border=block.is_quote):
        if block.text.strip():
            st.markdown(sanitize_markdown(block.text))
        for check in failures:
            if check.subject in block.text:
                told = escape_markdown(check.message)
                if check.subject not in check.message:
                    told = f"{say('quoted', words=escape_markdown(check.subject))}: {told}"
                said = f"{say('answer-unverified')} {told}"
                st.markdown(f":small[{said}]")
        for number in block.numbers if block.is_quote else ():
            clause_id = view.citations[number].clause_id
            if clause := find_clause(library, clause_id):
                show_figures(library, clause)
        show_citations(library, ended.run_id, view, block)


def _final_checks(events: Sequence[ev.Event], ended: ev.Ended) -> ev.Verified | None:
    """The checks of the draft that became the answer."""
    found = [e for e in events if isinstance(e, ev.Verified)]
    return next((e for e in reversed(found) if e.iteration == ended.best_iteration), None)


def _list_failures(events: Sequence[ev.Event], ended: ev.Ended) -> list[DraftCheck]:
    verified = _final_checks(events, ended)
    checks = verified.checks if verified else ()
    return [check for check in checks if check.subject and not check.passed]


def _unread_references(events: Sequence[ev.Event], ended: ev.Ended) -> dict[str, str]:
    """What a draft did not read, in the reader's language by its sentence in the run."""
    verified = _final_checks(events, ended)
    references = verified.references if verified else ()
    label = say("article")
    said = [
        say(f"referred-{state}", article=article_label(article, label), others=", ".join(others))
        for (article, state), others in group_unread(references).items()
    ]
    return dict(zip(describe_references(references), said, strict=True))


def _show_outcome(events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw how a run ended that has no accepted answer, or whose draft a person accepted."""
    badge, message = outcome_badge(ended.outcome), escape_markdown(ended.message)
    if ended.outcome in DRAFT_OUTCOMES:  # the first line, so that no quote passes for an answer
        limit_reached = ended.outcome == "limit_reached"
        said = _shortfall(events, ended) if limit_reached else say("answer-closest")
        st.markdown(f"{badge} **{said}**")
        return
    if ended.outcome == "not_found":
        message = ""  # said by what is missing
    elif name := _ENDINGS.get(ended.message):
        message = say(name)
    elif ended.decided_by == "person" and ended.score is not None:
        message = say("answer-accepted-score", score=format_score(ended.score))
    elif ended.decided_by == "person":
        message = say("answer-accepted")
    if ended.outcome in ("cancelled", "failed") and ended.answer:
        badge += f" {say('answer-unchecked')}"
    st.markdown(f"{badge} :small[{message}]")


def _shortfall(events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Why a run waits for a person: "No draft scored 7 or more ... Missing: the front."."""
    found = find_shortfall(events, ended)
    threshold, count = format_number(found.threshold), found.attempts
    if found.best is None:
        said = say("shortfall", threshold=threshold, count=count)
    else:
        best = format_number(found.best, "0.0")
        said = say("shortfall-best", threshold=threshold, best=best, count=count)
    if not found.missing:
        return said
    return f"{said} {say('shortfall-missing', missing=escape_markdown(found.missing))}"


def _headline(line: Headline) -> str:
    """What an answer comes to: "50 km/h · Article 21.3, 2024 Sporting Regulations"."""
    if line.rulebooks:
        by_verdict = (
            f"{say(f'verdict-{verdict}').capitalize()}: {'; '.join(documents)}"
            for verdict, documents in line.rulebooks.items()
        )
        return " · ".join((", ".join(line.values), *by_verdict))
    names, values = line.articles, ", ".join(line.values)
    if len(names) > 3:
        first = ", ".join(names[:2])
        where = say("articles-more", articles=first, count=len(names) - 2)
    elif len(names) > 1:
        where = say("articles", articles=", ".join(names[:-1]), last=names[-1])
    else:
        where = "".join(article_label(name, say("article")) for name in names)
    if line.verdict is None:
        return " · ".join(filter(None, (values, f"{where}, {line.document}")))
    if line.limit:
        values = say("headline-limit", values=values, limit=format_limit(line.limit))
    verdict = say(f"verdict-{line.verdict}").capitalize()
    return " · ".join(filter(None, (f"{verdict}: {values}" if values else verdict, where)))


def _missing_article(missing: AbsentArticle) -> str:
    """That a document does not have an article, and which is its last."""
    values = {"article": article_label(missing.article, say("article"))}
    values = {"document": missing.document, **values}
    if not missing.last:
        return say("refusal-article", **values)
    if not missing.below:
        return say("refusal-article-last", last=missing.last, **values)
    return say("refusal-article-below", last=missing.last, below=missing.below, **values)


def _show_refusal(library: Library, events: Sequence[ev.Event]) -> None:
    """Draw where was searched, which words and articles are not there, and the nearest clauses."""
    scope = latest_scope(events)
    held = [found for found in library.documents() if found.document_id in scope.documents]
    if not held:
        return  # the answer says why nothing was searched
    question = [e.question for e in events if isinstance(e, ev.Asked | ev.Classified)][-1]
    found = [e.sources for e in events if isinstance(e, ev.EvidenceFound)]
    sources = (s for s in chain.from_iterable(found[:1]) if s.why != "definition")
    refusal = explain_refusal(library, held, question, sources)
    lines = [escape_markdown(_missing_article(article)) for article in refusal.articles]
    if refusal.words:
        words = ", ".join(say("quoted", words=escape_markdown(word)) for word in refusal.words)
        lines.append(say("refusal-words", words=words))
    lines.append(say("refusal-searched", documents=_join_labels(scope)))
    st.markdown("  \n".join(lines))
    if refusal.near:
        st.markdown(f":small[{say('refusal-nearest')}]")
        with st.container(gap=None):
            for source in refusal.near:
                label = say(
                    "refusal-place",
                    clause=escape_markdown(f"{source.article} {source.title}"),
                    page=source.page_first,
                    document=escape_markdown(source.document),
                )
                clause_link(label, source.clause_id)


def show_copy_menu(events: Sequence[ev.Event], ended: ev.Ended) -> None:
    """Draw a menu with the answer's text and the sources of its quotes, ready to copy."""
    if not ended.citations:
        return
    view = view_answer(events, ended)
    sources = (f"[{n}] {format_citation(c)}" for n, c in sorted(view.citations.items()))
    texts = (block.text for block in (*view.blocks, *view.referred))
    with st.popover(say("answer-copy"), icon=":material/content_copy:", type="tertiary"):
        headline = _headline(view.headline) if view.headline else ""
        parts = (headline, format_compliance(ended.requirements), *texts, "\n".join(sources))
        text = "\n\n".join(part.strip() for part in parts if part.strip())
        st.code(strip_control_characters(text), language=None, wrap_lines=True)
