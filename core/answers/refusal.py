"""Why nothing was found: words and articles that the searched documents do not have."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.agent import events as ev, latest_scope, read_question, select_near
from core.answers.headline import find_question
from core.grammar import canonical_number, detect_language, find_article_numbers, split_part
from core.library import Document, Library, Scope, content_words, held_stems
from core.verification import Source

_PLAIN_NUMBER = re.compile(r"([A-Z]*)\.?\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class AbsentArticle:
    """An article that a document does not have; `last` is its highest, `below` what that is of."""

    article: str
    document: str
    last: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a question names that documents do not have."""

    words: tuple[str, ...] = ()
    """Words of the question that no clause has."""
    articles: tuple[AbsentArticle, ...] = ()
    near: tuple[Source, ...] = ()
    """Clauses that have much of what the question says."""
    language: str = ""
    """ISO 639 code of the rules, where only a question in their language finds them."""


def find_unmet_words(events: Sequence[ev.Event], ended: ev.Ended) -> tuple[str, ...]:
    """Return the words of a question that no quote of its answer has, in their order.

    Empty where the quotes are in another language than the question.
    """
    question = find_question(events)
    quoted = "\n".join(f"{one.document}\n{one.title}\n{one.quote}" for one in ended.citations)
    spoken = detect_language(question)
    if not quoted or (spoken and spoken != (detect_language(quoted) or spoken)):
        return ()
    words = {stem: word for stem, word in content_words(question).items() if word.isalpha()}
    held = held_stems(words, quoted)
    return tuple(word for stem, word in words.items() if stem not in held)


def explain_run_refusal(library: Library, events: Sequence[ev.Event]) -> Refusal | None:
    """Explain why a run found nothing; None if the library has none of what it searched.

    Raises LibraryError `unreadable`.
    """
    searched = latest_scope(events).documents
    held = [document for document in library.documents() if document.document_id in searched]
    if not held:
        return None
    question = find_question(events)
    first = next((e.sources for e in events if isinstance(e, ev.EvidenceFound)), ())
    sources = (source for source in first if source.why != "definition")
    return explain_refusal(library, held, question, sources)


def explain_refusal(
    library: Library,
    documents: Sequence[Document],
    question: str,
    found: Iterable[Source] = (),
) -> Refusal:
    """Explain why documents, of which clauses were found, do not answer a question.

    Raises LibraryError `unreadable`.
    """
    asked = read_question(library, question, Scope(tuple(documents), ""))
    found = list(found)
    languages = {document.language for document in documents if document.language}
    spoken = detect_language(question)
    written = detect_language(" ".join(source.text for source in found))
    if not written and spoken not in languages:
        written = min(languages, default=None)
    is_foreign = bool(spoken and written and spoken != written)
    named = [split_part(article)[0] for article in find_article_numbers(question)]
    missing = (
        _find_missing(library, document, number)
        for number in dict.fromkeys(named)
        for document in documents
    )
    return Refusal(
        () if is_foreign else asked.unknown,
        tuple(filter(None, missing)),
        select_near(asked, found),
        written if is_foreign and written and not asked.by_meaning else "",
    )


def _find_missing(library: Library, document: Document, number: str) -> AbsentArticle | None:
    """Return the article that a document lacks; None if it has it."""
    articles = [clause.article for clause in library.clauses(document.document_id)]
    wanted = canonical_number(number)
    if any(f"{canonical_number(article)}.".startswith(f"{wanted}.") for article in articles):
        return None
    letters = _letters_before_number(number)
    parent = wanted.rpartition(".")[0]
    alike = [article for article in articles if _letters_before_number(article) == letters]
    below = [a for a in alike if canonical_number(a).startswith(f"{parent}.")] if parent else []

    def counters_of(number: str) -> list[int]:  # by place, appendices are last: they begin with 1
        return [int(digits) for digits in re.findall(r"\d+", number)]

    last = max(below or alike, key=counters_of, default="")
    label = document.citation_label
    return AbsentArticle(number, label, last, parent if below else "")


def _letters_before_number(article: str) -> str | None:
    """Return the letters before a plain number: "B" of "B1.2"; None for other articles."""
    match = _PLAIN_NUMBER.fullmatch(article)
    return match[1] if match else None
