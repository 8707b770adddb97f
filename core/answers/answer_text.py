"""An answer in the words of a language, as plain text: its first line, its end, its sources."""

from collections.abc import Iterator, Mapping, Sequence

from core.agent import (
    DRAFT_OUTCOMES,
    describe_missing_definition,
    describe_references,
    events as ev,
    format_compliance,
    latest_scope,
)
from core.answers.answer_view import AnswerBlock, AnswerView, find_shortfall, view_answer
from core.answers.headline import Headline
from core.answers.refusal import AbsentArticle, Refusal, find_unmet_words
from core.grammar import article_label
from core.language import ENGLISH, Language
from core.library import ComparisonText
from core.verification import Citation, DraftCheck, list_doubts

_DIRECTIONS = ("at least", "at most", "more than", "less than")
"""How limits begin in a run."""
_ENDINGS = (
    "answer-stopped",
    "answer-cut-off",
    "answer-discarded",
    "answer-open",
    "answer-differ",
)
"""What is said of runs that were ended; in English the sentence that is in their last event."""


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
    if line.verdict is None:
        if line.relation:
            values = format_limit(language, f"{line.relation} {values}")
        change = line.change and language.say(f"change-{line.change.replace(', ', '-')}")
        if line.is_definition:
            change = language.say("definition")
        said = ": ".join(filter(None, (change, values)))
        return " · ".join(filter(None, (said, f"{where}, {line.document}")))
    if line.limit:
        limit = format_limit(language, line.limit)
        values = language.say("headline-limit", values=values, limit=limit)
    verdict = language.say(f"verdict-{line.verdict}").capitalize()
    return " · ".join(filter(None, (f"{verdict}: {values}" if values else verdict, where)))


def describe_choice(language: Language, choice: ev.Choice) -> str:
    """Return what a question may mean, with the document that it is asked of, if it is one."""
    if not choice.document:
        return choice.question
    return language.say("choice-in", question=choice.question, document=choice.document)


def format_limit(language: Language, limit: str) -> str:
    """Return a limit ("at most 5 mm") with its direction in the language."""
    direction = next((one for one in _DIRECTIONS if limit.startswith(f"{one} ")), "")
    if not direction:
        return limit
    return f"{language.say(f'relation-{direction}')}{limit.removeprefix(direction)}"


def describe_outcome(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return how a run ended, with its outcome: "Closest rules. Please check ..."."""
    outcome = language.say(f"outcome-{ended.outcome}")
    return f"{outcome}. {describe_end(language, events, ended)}".strip()


def describe_end(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return how a run ended that has no accepted answer, or whose draft a person accepted.

    Of a run that found nothing that is empty: what is missing says it.
    """
    if ended.outcome == "limit_reached":
        return describe_shortfall(language, events, ended)
    if ended.outcome in DRAFT_OUTCOMES:
        closest = language.say("answer-closest")
        if ended.undefined:
            return f"{_describe_missing_definition(language, events, ended)} {closest}"
        if not (unmet := find_unmet_words(events, ended)):
            return closest
        return f"{closest} {language.say('answer-unmet', words=_quote_words(language, unmet))}"
    if ended.outcome == "not_found":
        return _describe_missing_definition(language, events, ended) if ended.undefined else ""
    if name := next((one for one in _ENDINGS if ENGLISH.say(one) == ended.message), None):
        return language.say(name)
    if ended.decided_by != "person":
        return ended.message
    if ended.score is None:
        return language.say("answer-accepted")
    return language.say("answer-accepted-score", score=language.format_score(ended.score))


def _describe_missing_definition(
    language: Language, events: Sequence[ev.Event], ended: ev.Ended
) -> str:
    labels = latest_scope(events).documents.values()
    return describe_missing_definition(ended.undefined, labels, language)


def describe_shortfall(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return why a run waits for a person: "No draft scored 7 or more ... Missing: the front."."""
    found = find_shortfall(events, ended)
    threshold, count = language.format_number(found.threshold), found.attempts
    if found.best is None:
        said = language.say("shortfall", threshold=threshold, count=count)
    else:
        best = language.format_number(found.best, "0.0")
        said = language.say("shortfall-best", threshold=threshold, best=best, count=count)
    if not found.missing:
        return said
    return f"{said} {language.say('shortfall-missing', missing=found.missing)}"


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


def list_open_points(
    language: Language, events: Sequence[ev.Event], ended: ev.Ended, view: AnswerView
) -> list[str]:
    """Return what an answer leaves open, without the failed checks of words that are in it."""
    unread = _describe_unread(language, events, ended)
    answer = "\0".join(block.text for block in (*view.blocks, *view.referred))
    failures = list_failures(events, ended)
    beside_words = {check.message for check in failures if check.subject in answer}
    said = [unread.get(one, one) for one in ended.unsettled if one not in beside_words]
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


def _describe_unread(
    language: Language, events: Sequence[ev.Event], ended: ev.Ended
) -> Mapping[str, str]:
    """Return what a draft did not read, in the language by its sentence in the run."""
    verified, _ = _final_events(events, ended)
    references = verified.references if verified else ()
    return dict(
        zip(describe_references(references), describe_references(references, language), strict=True)
    )


def mark_changes(language: Language, view: AnswerView, block: AnswerBlock) -> str:
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
    place = language.say(
        "cite-source", document=citation.document, article=article, page=citation.page
    )
    return f"{place}{describe_cautions(language, citation)}"


def list_copies(language: Language, citation: Citation) -> tuple[str, str]:
    """Return a citation to copy, without its quote and with it."""
    quote, place = citation.quote, format_citation(language, citation)
    is_table = quote.startswith("|") and quote.endswith("|")
    quoted = f"{quote}\n" if is_table else f"“{quote}” "
    return place, f"{quoted}({place})"


def describe_cautions(language: Language, citation: Citation) -> str:
    """Return what to know of a quote, to show behind its place; empty for most."""
    known = {"ocr": citation.ocr, "differs": citation.differs, "partly": citation.partly_read}
    said = (language.say(f"caution-{name}") for name, applies in known.items() if applies)
    return "".join(f" ({words})" for words in said)


def write_answer(language: Language, events: Sequence[ev.Event], ended: ev.Ended) -> str:
    """Return an answer to copy: its first line, its values, its quotes, and their sources."""
    view = view_answer(events, ended)
    headline = describe_headline(language, view.headline) if view.headline else ""
    is_draft = ended.outcome in DRAFT_OUTCOMES
    outcome = describe_outcome(language, events, ended) if is_draft else ""
    texts = (block.text for block in (*view.blocks, *view.referred))
    cited = sorted(view.citations.items())
    sources = "\n".join(f"[{number}] {format_citation(language, one)}" for number, one in cited)
    parts = (headline, outcome, format_compliance(ended.requirements), *texts, sources)
    return "\n\n".join(part.strip() for part in parts if part.strip())
