"""Question sets for an evaluation, read from CSV or JSON Lines. It asks nothing."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError, ValidationInfo, field_validator

from core.agent import MAX_QUESTION_LENGTH
from core.errors import LibraryError, ReadError
from core.library import Document, ScopeChoice

MAX_QUESTIONS = 2_000
"""Questions of a set."""
NO_ARTICLE = "none"
"""What stands for the articles of a question that the rulebooks do not answer: it should be refused."""
COLUMNS = ("question", "articles", "season", "document", "says", "answer_season")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set. `articles` are those that answer it, any one of which will do; none: nothing is expected."""

    line: int
    """Where it stands in its file, from 1."""
    text: str
    articles: tuple[str, ...]
    refusal: bool = False
    """No rule answers it: it should be refused, or left to a person; no answer may be accepted."""
    season: int | None = None
    document: str | None = None
    """A document by its label, file or id, or a family. Season and document are the scope that is set."""
    says: tuple[str, ...] = ()
    """Words that the quotes of these articles must hold, all of them; or the verdict that a check must come to."""
    answer_season: int | None = None
    """The season that these articles must be of, where the question itself has to lead to it."""


class _Row(BaseModel):
    """A question as it is written; what else stands in the row is left alone."""

    question: str = Field(max_length=MAX_QUESTION_LENGTH)
    articles: tuple[str, ...]
    season: int | None = Field(None, ge=1900, le=2200)
    document: str | None = None
    says: tuple[str, ...] = ()
    answer_season: int | None = Field(None, ge=1900, le=2200)

    @property
    def refusal(self) -> bool:
        return [article.casefold() for article in self.articles] == [NO_ARTICLE]

    @field_validator("question", mode="after")
    @classmethod
    def _asks(cls, value: str) -> str:
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
        return [part.strip() for part in value if part.strip()] if _are_texts(value) else value

    @field_validator("season", "document", "answer_season", mode="before")
    @classmethod
    def _unset(cls, value: Any) -> Any:
        return (value.strip() or None) if isinstance(value, str) else value


def read_questions(data: bytes, name: str) -> tuple[Question, ...]:
    """The questions of a file: CSV with a header, or JSON Lines, an object a line.

    `question` and `articles` are needed, the other columns may be there. What there may be several of is parted by
    `;` (in JSON it may be a list); `none` says that no rule answers the question. Raises ReadError `bad_line`, which
    names the line, or `empty`.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _bad(name, line, "is not UTF-8 text. Save the file as UTF-8 and try again") from error
    rows = _json_rows(text, name) if text.lstrip().startswith(("{", "[")) else _csv_rows(text, name)
    questions = tuple(_question(name, line, row) for line, row in rows)
    if not questions:
        raise ReadError(
            f"{name} holds no question. Give one a line, below the header.", code="empty"
        )
    if len(questions) > MAX_QUESTIONS:
        raise ReadError(
            f"{name} holds {len(questions):,} questions, more than {MAX_QUESTIONS:,}. Split it.",
            code="bad_line",
        )
    return questions


def question_scope(question: Question, documents: Iterable[Document]) -> ScopeChoice:
    """The scope that a question asks for. Raises LibraryError `unknown_document` with its line."""
    if question.document is None:
        return ScopeChoice(season=question.season)
    wanted, held = question.document.casefold(), tuple(documents)
    for document in held:
        if document.family and document.family.casefold() == wanted:
            return ScopeChoice(season=question.season, family=document.family)
    named = [document for document in held if _is(document, wanted)]
    if len(named) == 1:
        return ScopeChoice(document=named[0].document_id)
    raise LibraryError(
        f"Line {question.line} asks for the document “{question.document[:80]}”, and the library holds"
        f" {'several' if named else 'none'} of that name. Name it by its label, file or id, or by its family.",
        code="unknown_document",
    )


def _is(document: Document, wanted: str) -> bool:
    return wanted in (document.label.casefold(), document.file.casefold()) or document.matches_id(
        wanted
    )


def _json_rows(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, written in enumerate(
        text.split("\n"), 1
    ):  # other separators of lines may stand within a string
        if not written.strip():
            continue
        try:
            row = json.loads(written)
        except (ValueError, RecursionError) as error:
            raise _bad(name, line, "is not JSON. Write one object a line") from error
        if not isinstance(row, dict):
            raise _bad(
                name,
                line,
                'is no JSON object. Write {"question": ..., "articles": [...]} on each line',
            )
        yield line, row


def _csv_rows(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        header = [column.strip().casefold() for column in next(reader, [])]
        _checked(header, name)
        while True:
            line = reader.line_num + 1
            row = next(reader, None)
            if row is None:
                return
            if any(map(str.strip, row)):
                yield line, _cells(header, row, name, line)
    except csv.Error as error:
        raise _bad(
            name, line, f"is not CSV: {error}. Close its quotation marks and try again"
        ) from error


def _checked(header: Sequence[str], name: str) -> None:
    missing = [column for column in COLUMNS[:2] if column not in header]
    if missing:
        names = " and ".join(f"“{column}”" for column in missing)
        raise _bad(
            name, 1, f"names no column {names}. Begin with a header such as: {','.join(COLUMNS)}"
        )


def _cells(header: Sequence[str], row: Sequence[str], name: str, line: int) -> dict[str, Any]:
    if len(row) > len(header):
        raise _bad(
            name,
            line,
            f"has {len(row)} cells, the header {len(header)}. Put quotation marks around commas",
        )
    return dict(zip(header, row, strict=False))


def _question(name: str, line: int, row: dict[str, Any]) -> Question:
    try:
        read = _Row.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        message = first["msg"].removeprefix("Value error, ")
        raise _bad(
            name, line, f"cannot be used: {place}: {message}. Correct it and try again"
        ) from error
    if read.refusal and (read.says or read.answer_season):
        raise _bad(
            name,
            line,
            "says that no rule answers, and what the answer holds. Leave out one of the two",
        )
    if not read.articles and (read.says or read.answer_season):
        raise _bad(
            name,
            line,
            "says what the answer holds, and no article that holds it. Name one, or leave that out",
        )
    return Question(
        line,
        read.question,
        () if read.refusal else read.articles,
        read.refusal,
        read.season,
        read.document,
        read.says,
        read.answer_season,
    )


def _bad(name: str, line: int, what: str) -> ReadError:
    return ReadError(f"Line {line} of {name} {what}.", code="bad_line")


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(part, str) for part in value)
