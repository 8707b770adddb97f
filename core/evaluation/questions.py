"""Question sets for an evaluation: read from CSV or JSON Lines, and what each expects.

It asks nothing. Expected are articles, a season, words, a verdict.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, Field, ValidationError, ValidationInfo, field_validator

from core.agent import MAX_QUESTION_LENGTH
from core.errors import LibraryError, ReadError
from core.grammar import split_part
from core.library import Document, ScopeChoice, article_steps
from core.sheets import Verdict, overall_verdict
from core.verification import Citation, ComplianceRow, contains_parts, normalize_text

MAX_QUESTIONS = 2_000
"""Questions of a set."""
NO_ARTICLE = "none"
"""In place of articles: the rulebooks do not answer the question, it should be refused."""
COLUMNS = ("question", "articles", "season", "document", "says", "answer_season")


@dataclass(frozen=True, slots=True)
class KeyedQuestion:
    """A question of a set. Any one of `articles` answers it; without any nothing is expected."""

    line: int
    """In its file, from 1."""
    text: str
    articles: tuple[str, ...]
    refusal: bool = False
    """No rule answers it: it should be refused or left to a person, and no answer accepted."""
    season: int | None = None
    document: str | None = None
    """A label, file, id or family. Season and document set the scope."""
    says: tuple[str, ...] = ()
    """Words that the quotes of these articles must hold, all of them; or the verdict of a check."""
    answer_season: int | None = None
    """Season that these articles must be of, if the question itself has to lead to it."""


class _Row(BaseModel):
    """A question as it is written; other columns are ignored."""

    question: str = Field(max_length=MAX_QUESTION_LENGTH)
    articles: tuple[str, ...]
    season: int | None = Field(None, ge=1900, le=2200)
    document: str | None = None
    says: tuple[str, ...] = ()
    answer_season: int | None = Field(None, ge=1900, le=2200)

    @field_validator("question", mode="after")
    @classmethod
    def _require_text(cls, value: str) -> str:
        if not any(map(str.isalnum, value)):
            raise ValueError("it is empty")
        return value.strip()

    @field_validator("articles", "says", mode="before")
    @classmethod
    def _split(cls, value: Any, info: ValidationInfo) -> Any:
        if value is None and info.field_name == "says":
            return ()
        if isinstance(value, str):
            value = (value.replace("|", ";") if info.field_name == "articles" else value).split(";")
        if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
            return [part.strip() for part in value if part.strip()]
        return value

    @field_validator("season", "document", "answer_season", mode="before")
    @classmethod
    def _empty_to_none(cls, value: Any) -> Any:
        return (value.strip() or None) if isinstance(value, str) else value


def read_questions(data: bytes, name: str) -> tuple[KeyedQuestion, ...]:
    """Read a file of questions: CSV with a header, or JSON Lines, an object a line.

    `question` and `articles` are required, the other columns optional. `;` separates several
    values (JSON may hold a list); `none` says that no rule answers the question. Raises ReadError
    `bad_line`, which names the line, or `empty`.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        problem = "is not UTF-8 text. Save the file as UTF-8 and try again"
        raise _line_error(name, line, problem) from error
    read_rows = _read_json if text.lstrip().startswith(("{", "[")) else _read_csv
    questions = tuple(_parse_row(name, line, row) for line, row in read_rows(text, name))
    if not questions:
        message = f"{name} holds no question. Give one a line, below the header."
        raise ReadError(message, code="empty")
    if len(questions) > MAX_QUESTIONS:
        count = f"{len(questions):,} questions, more than {MAX_QUESTIONS:,}"
        raise ReadError(f"{name} holds {count}. Split it.", code="bad_line")
    return questions


def select_held(
    questions: Iterable[KeyedQuestion], documents: Iterable[Document]
) -> tuple[KeyedQuestion, ...]:
    """Return the questions on editions that are held: of others nothing can be found."""
    seasons = {document.season for document in documents}
    return tuple(
        one
        for one in questions
        if {one.season or one.answer_season, one.answer_season or one.season} <= {None, *seasons}
    )


def question_scope(question: KeyedQuestion, documents: Iterable[Document]) -> ScopeChoice:
    """Return the scope of a question. Raises LibraryError `unknown_document` with its line."""
    if question.document is None:
        return ScopeChoice(season=question.season)
    name, documents = question.document.casefold(), tuple(documents)
    for document in documents:
        if document.family and document.family.casefold() == name:
            return ScopeChoice(season=question.season, family=document.family)
    found = [
        document
        for document in documents
        if document.matches_id(name) or name in map(str.casefold, (document.label, document.file))
    ]
    if len(found) == 1:
        return ScopeChoice(document=found[0].document_id)
    raise LibraryError(
        f"Line {question.line} asks for the document “{question.document[:80]}”, and the library"
        f" holds {'several' if found else 'none'} of that name. Name it by its label, file or id,"
        " or by its family.",
        code="unknown_document",
    )


def _read_json(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):  # strings may hold other line separators
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _line_error(name, number, "is not JSON. Write one object a line") from error
        if not isinstance(row, dict):
            example = '{"question": ..., "articles": [...]}'
            raise _line_error(name, number, f"is no JSON object. Write {example} on each line")
        yield number, row


def _read_csv(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    separator = max(",;\t", key=text.split("\n", 1)[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        header = _read_header(next(reader, []), name)
        line = reader.line_num + 1
        for row in reader:
            if any(map(str.strip, row)):
                if len(row) > len(header):
                    counts = f"has {len(row)} cells, the header {len(header)}"
                    raise _line_error(name, line, f"{counts}. Put quotation marks around commas")
                yield line, dict(zip(header, row, strict=False))
            line = reader.line_num + 1
    except csv.Error as error:
        problem = f"is not CSV: {error}. Close its quotation marks and try again"
        raise _line_error(name, line, problem) from error


def _read_header(row: Sequence[str], name: str) -> list[str]:
    header = [column.strip().casefold() for column in row]
    if missing := [column for column in COLUMNS[:2] if column not in header]:
        names, example = "” and “".join(missing), ",".join(COLUMNS)
        problem = f"names no column “{names}”. Begin with a header such as: {example}"
        raise _line_error(name, 1, problem)
    return header


def _parse_row(name: str, line: int, raw: dict[str, Any]) -> KeyedQuestion:
    try:
        row = _Row.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        column, reason = ".".join(map(str, first["loc"])), first["msg"]
        problem = f"cannot be used: {column}: {reason.removeprefix('Value error, ')}"
        raise _line_error(name, line, f"{problem}. Correct it and try again") from error
    refusal = [article.casefold() for article in row.articles] == [NO_ARTICLE]
    articles = () if refusal else row.articles
    if not articles and (row.says or row.answer_season):
        problem = (
            "says what the answer holds, and no article that holds it. Name one, or leave that out"
        )
        if refusal:
            problem = (
                "says that no rule answers, and what the answer holds. Leave out one of the two"
            )
        raise _line_error(name, line, problem)
    return KeyedQuestion(
        line, row.question, articles, refusal, row.season, row.document, row.says, row.answer_season
    )


def _line_error(name: str, line: int, problem: str) -> ReadError:
    return ReadError(f"Line {line} of {name} {problem}.", code="bad_line")


def is_expected_article(article: str, expected: Iterable[str]) -> bool:
    """True if the article is expected, is below one that is, or contains an expected part."""
    steps = article_steps(article)
    return any(
        steps[: len(wanted)] == wanted or steps == article_steps(split_part(number)[0])
        for number in expected
        if (wanted := article_steps(number))
    )


def expected_citations(
    citations: Iterable[Citation], question: KeyedQuestion
) -> tuple[Citation, ...]:
    """Return the citations of an expected article in the season expected."""
    return tuple(
        citation
        for citation in citations
        if is_expected_article(citation.article, question.articles)
        and question.answer_season in (None, citation.season)
    )


def meets_expectation(
    question: KeyedQuestion, citations: Sequence[Citation], rows: Sequence[ComplianceRow]
) -> bool | None:
    """True if the quotes hold all words expected and the check has the verdict expected.

    None if the question expects neither.
    """
    quotes = normalize_text("\n".join(citation.quote for citation in citations))
    verdict = overall_verdict(rows) if rows else None
    if not question.says:
        return None
    return all(
        part == verdict
        if part in get_args(Verdict)
        else contains_parts(normalize_text(part), quotes)
        for part in question.says
    )
