"""An answer in the words of a language, as plain text: its first line, its end, its sources."""

from collections.abc import Iterator, Sequence
from typing import Any

from core.agent import describe_missing_definition, events as ev, latest_scope
from core.answers.answer_view import AnswerBlock, AnswerView, view_answer
from core.answers.headline import Headline
from core.answers.reasoning_parts import Part, describe_check
from core.answers.refusal import AbsentArticle, Refusal, find_unmet_words
from core.answers.run_tables import check_table, format_limit, write_table
from core.grammar import article_label
from core.language import Language
from core.library import ComparisonText
from core.markdown_escape import escape_markdown, sanitize_markdown, strip_marks
from core.registers import LayerNote
from core.verification import Citation, DraftCheck, list_doubts

MAX_NAMED = 3
"""Articles of another document that a caution names; of more it says how many."""


def describe_headline(language: Language, line: Headline) -> str:
    """Return what an answer comes to: "50 km/h · Article 21.3, 2024 Sporting Regulations"."""
    if line.rulebooks:
        by_verdict = (
            f"{language.say(f'verdict-{verdict}').capitalize()}: {'; '.join(documents)}"
            for verdict, documents in line.rulebooks.items()
        )
        return " · ".join((", ".join(line.values), *by_verdict))
    has_marks = line.is_definition and line.quote.startswith(("“", '"', "„", "«", "‘"))
    quote = line.quote if has_marks or not line.quote else language.say("quoted", words=line.quote)
    values = quote or ", ".join(line.values)
    if line.before:
        values = " → ".join(filter(None, (language.say("quoted", words=line.before), quote)))
    where = line.article and article_label(line.article, language.say("article"))
    cautions = describe_layers(language, line.cautions)
    if line.verdict is None:
        if line.relation:
            values = format_limit(language, f"{line.relation} {values}")
        change = line.change and language.say(f"change-{line.change.replace(', ', '-')}")
        if line.is_definition:
            change = language.say("definition")
        said = ": ".join(filter(None, (change, values)))
        return " · ".join(filter(None, (said, f"{where}, {line.document}{cautions}")))
    if line.limit:
        limit = format_limit(language, line.limit)
        values = language.say("headline-limit", values=values, limit=limit)
    verdict = language.say(f"verdict-{line.verdict}").capitalize()
    said = f"{verdict}: {values}" if values else verdict
    return " · ".join(filter(None, (said, f"{where}{cautions}")))


def describe_choice(language: Language, choice: ev.Choice) -> str:
    """Return what a question may mean, with the document that it is asked of, if it is one."""
    if not choice.document:
        return choice.question
    return language.say("choice-in", question=choice.question, document=choice.document)


def describe_outcome(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return how a run ended, with its outcome: "Closest rules. Please check ..."."""
    outcome = language.say(f"outcome-{ended.outcome}")
    return f"{outcome}. {describe_end(language, events, ended)}".strip()


def describe_end(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return how a run ended that has no accepted answer, or whose draft a person accepted.

    Of a run that found nothing that is empty: what is missing says it.
    """
    if ended.outcome == "limit_reached":
        return _describe_shortfall(language, events, ended)
    if ended.has_draft:
        closest = language.say("answer-closest")
        if ended.undefined:
            return f"{_describe_missing_definition(language, events, ended)} {closest}"
        if not (unmet := find_unmet_words(events, ended)):
            return closest
        return f"{closest} {language.say('answer-unmet', words=_quote_words(language, unmet))}"
    if ended.outcome == "not_found":
        return _describe_missing_definition(language, events, ended) if ended.undefined else ""
    if ended.decided_by != "person" or ended.outcome == "clarification_needed":
        return language.translate(ended.message)
    if ended.score is None:
        return language.say("answer-accepted")
    return language.say("answer-accepted-score", score=language.format_score(ended.score))


def _describe_missing_definition(
    language: Language, events: Sequence[ev.Event], ended: ev.Ended
) -> str:
    labels = latest_scope(events).documents.values()
    return language.translate(describe_missing_definition(ended.undefined, labels))


def _describe_shortfall(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return why a run waits for a person: "No draft scored 7 or more ... Missing: the front."."""
    budget = next(one.limits for one in reversed(events) if isinstance(one, ev.Asked))
    threshold = language.format_number(budget.quality_threshold)
    if ended.score is None:
        said = language.say("shortfall", threshold=threshold, count=ended.iterations)
    else:
        best, count = language.format_number(ended.score, "0.0"), ended.iterations
        said = language.say("shortfall-best", threshold=threshold, best=best, count=count)
    scores = {one.iteration: one.score for one in events if isinstance(one, ev.Scored)}
    score = scores.get(ended.best_iteration or 0)
    if not (missing := score.missing.rstrip(" .") if score else ""):
        return said
    return f"{said} {language.say('shortfall-missing', missing=language.translate(missing))}"


def describe_refusal(language: Language, refusal: Refusal) -> Iterator[str]:
    """Yield what to do where question and rules differ in language, each article that is not there,
    and the words that no rule has; else that no rule answers.
    """
    if refusal.language:
        yield language.say("refusal-language", language=language.name_language(refusal.language))
    yield from (_describe_absence(language, article) for article in refusal.articles)
    if refusal.words:
        yield language.say("refusal-words", words=_quote_words(language, refusal.words))
    if not (refusal.language or refusal.articles or refusal.words):
        yield language.say("refusal-none")


def _quote_words(language: Language, words: Sequence[str]) -> str:
    return ", ".join(language.say("quoted", words=word) for word in words)


def _describe_absence(language: Language, missing: AbsentArticle) -> str:
    article = article_label(missing.article, language.say("article"))
    values = {"document": missing.document, "article": article}
    if not missing.last:
        return language.say("refusal-article", **values)
    if not missing.below:
        return language.say("refusal-article-last", last=missing.last, **values)
    return language.say("refusal-article-below", last=missing.last, below=missing.below, **values)


def _final_events(
    events: Sequence[ev.Event], ended: ev.Ended
) -> tuple[ev.Verified | None, ev.Scored | None]:
    """Return the checks and the score of the draft that became the answer."""
    checked, scored, is_final = None, None, False
    for event in events:
        match event:
            case ev.Drafted():
                is_whole = ended.answer.startswith(event.text)
                is_final = is_whole and event.iteration == ended.best_iteration
            case ev.Verified() if is_final:
                checked = event
            case ev.Scored() if is_final:
                scored = event
    return checked, scored


def list_failures(events: Sequence[ev.Event], ended: ev.Ended) -> list[DraftCheck]:
    """Return the checks of the answer's words that failed, without doubts that were overruled."""
    verified, scored = _final_events(events, ended)
    checks = verified.checks if verified else ()
    doubts = list_doubts(checks, scored.statements if scored else ())
    failed = (check for check in checks if check.subject and not check.passed)
    return [one for one in failed if not one.is_doubt or one in doubts]


def describe_answer(
    language: Language, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> list[Part]:
    """Return the parts of an answer, then what they refer to, folded, and what is unsettled.

    They are Markdown, as the parts of a reasoning; a block has the failed checks of its words and
    its citations.
    """
    failures = list_failures(events, ended)

    def describe_block(block: AnswerBlock) -> Part:
        parts: list[Part] = []
        if block.text.strip():
            marked = _mark_changes(language, view, block)
            parts.append({"text": marked or sanitize_markdown(block.say(language))})
        for check in failures:
            if check.subject in block.text:
                said = describe_check(language, check)
                parts.append(f"{language.say('answer-unverified')} {said}")
        cited = [_describe_link(language, ended, view, block, number) for number in block.numbers]
        return {"box": block.is_quote, "parts": parts, "cited": cited}

    parts = [*map(describe_block, view.blocks)]
    if view.referred:
        many = len({number for block in view.referred for number in block.cited})
        kind = "answer-refers-penalties" if view.refers_to_penalties else "answer-refers"
        label, blocks = language.say(kind, count=many), [*map(describe_block, view.referred)]
        parts.append({"label": label, "live": False, "parts": blocks})
    for message in list_open_points(language, events, ended, view):
        parts.append(f":orange[:material/link_off:] {escape_markdown(message)}")
    return parts


def _describe_link(
    language: Language, ended: ev.Ended, view: AnswerView, block: AnswerBlock, number: int
) -> dict[str, Any]:
    """Return what names a citation and opens it."""
    citation = view.citations[number]
    article = escape_markdown(article_label(citation.full_article, language.say("article")))
    form = "cite-place-cut" if number in block.in_part else "cite-place"
    place = language.say(form, article=article, **_place_of(citation))
    return {
        "cite": f"{ended.run_id}.{number}",
        "number": number,
        "label": f"**\\[{number}\\]** {place}",
        "about": name_source(language, citation),
    }


def name_source(language: Language, citation: Citation) -> str:
    """Return the document of a quote as Markdown, with what to know of the quote."""
    return escape_markdown(f"{citation.document}{_describe_cautions(language, citation)}")


def list_open_points(
    language: Language, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> list[str]:
    """Return what an answer leaves open, without the failed checks of words that are in it."""
    answer = "\0".join(block.text for block in (*view.blocks, *view.referred))
    failures = list_failures(events, ended)
    beside_words = {check.message for check in failures if check.subject in answer}
    said = [language.translate(one) for one in ended.unsettled if one not in beside_words]
    return [*said, *_describe_edition_doubts(language, events, ended)]


def _describe_edition_doubts(
    language: Language, events: Sequence[ev.Event], ended: ev.Ended
) -> Iterator[str]:
    """Yield a sentence on each cited rulebook of which several editions may be the newest."""
    cited = {one.document_id for one in ended.citations}
    scopes = [e.scope for e in events if isinstance(e, ev.Asked | ev.Classified) and e.scope]
    for scope in scopes[-1:]:
        for editions in scope.unordered:
            if not cited.isdisjoint(editions):
                labels = "; ".join(scope.documents[one] for one in editions)
                yield language.say("answer-unordered", count=len(editions), documents=labels)


def _mark_changes(language: Language, view: AnswerView, block: AnswerBlock) -> str:
    """Return a compared clause as Markdown, with its changed words marked; "" for other quotes."""
    if len(block.cited) != 1 or not block.is_quote:
        return ""
    citation = view.citations[block.cited[0]]
    clause = citation.clause_id
    pair = view.pairs.get(clause)
    if pair is None or not pair.pieces or "|" in f"{pair.before}{pair.after}":  # a table stays one
        return ""
    is_old = clause == pair.clause_a
    if citation.quote.split() != (pair.before if is_old else pair.after).split():
        return ""  # the quote is a part of it
    format_side = ComparisonText(language).format_side
    said = format_side(pair.pieces, "deleted" if is_old else "inserted", whole=False)
    return f"{said.rstrip()} \\[{block.cited[0]}\\]"


def format_citation(language: Language, citation: Citation) -> str:
    """Return a citation: "2025 Sporting Regulations, Issue 5, Art. 34.7 d), p. 41"."""
    article = article_label(citation.full_article, "Art.")
    of = _place_of(citation)
    place = language.say("cite-source", document=citation.document, article=article, **of)
    return f"{place}{_describe_cautions(language, citation)}"


def _place_of(citation: Citation) -> dict[str, int | None]:
    """Return the page of a quote, or its paragraph in a document without pages."""
    return {"page": citation.page, "paragraph": citation.paragraph or 1}


def list_copies(language: Language, citation: Citation) -> tuple[str, str]:
    """Return a citation to copy, without its quote and with it."""
    quote, place = citation.quote, format_citation(language, citation)
    is_table = quote.startswith("|") and quote.endswith("|")
    quoted = f"{quote}\n" if is_table else f"“{quote}” "
    return place, f"{quoted}({place})"


def _describe_cautions(language: Language, citation: Citation) -> str:
    """Return what to know of a quote, to show behind its place; empty for most."""
    known = {"ocr": citation.ocr, "differs": citation.differs, "partly": citation.partly_read}
    said = [language.say(f"caution-{name}") for name, applies in known.items() if applies]
    cautions = "".join(f" ({words})" for words in said)
    return cautions + describe_layers(language, citation.layers)


def describe_layers(language: Language, notes: Sequence[LayerNote]) -> str:
    """Return what other layers mean for a rule, to show behind its place; empty for most."""
    said, article = "", language.say("article")
    for kind, document in dict.fromkeys((note.kind, note.document) for note in notes):
        alike = (one for one in notes if (one.kind, one.document) == (kind, document))
        places = [*dict.fromkeys(article_label(one.article, article) for one in alike)]
        named, more = ", ".join(places[:MAX_NAMED]), len(places) - MAX_NAMED
        named = language.say("and-more", named=named, more=more) if more > 0 else named
        said += f" ({language.say(f'caution-{kind}', place=f'{named}, {document}')})"
    return said


def write_answer(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return an answer to copy: its first line, its values, its quotes, and their sources."""
    view = view_answer(events, ended)
    headline = describe_headline(language, view.headline) if view.headline else ""
    is_draft = ended.has_draft
    outcome = describe_outcome(language, events, ended) if is_draft else ""
    texts = (block.say(language) for block in (*view.blocks, *view.referred))
    cited = sorted(view.citations.items())
    sources = "\n".join(f"[{number}] {format_citation(language, one)}" for number, one in cited)
    checks = check_table(language, ended.requirements)
    plain = [[strip_marks(cell).replace("|", r"\|") for cell in row] for row in checks]
    parts = (headline, outcome, write_table(plain), *texts, sources)
    return "\n\n".join(part.strip() for part in parts if part.strip())
