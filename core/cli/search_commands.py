"""The commands that look things up in the library, and compare; no agent works for them."""

import io
import sys
from dataclasses import asdict
from typing import Annotated, get_args

import typer

from core.cli.compared import is_about, lines_of, summary
from core.cli.json_api import Article, Mentions, Search, answer_line, request
from core.cli.options import WHICH, DocumentId, Family, Issue, Json, Season
from core.cli.output import (
    CLAUSE_COLUMNS,
    article_text,
    out,
    print_json,
    show,
    show_all,
    telling,
    vectors_made,
)
from core.library.comparison import compare as comparing
from core.library.storage.library import library_of
from core.library.types import PairKind, SearchMode


def search(
    query: str,
    k: Annotated[int, typer.Option(min=1, max=1000, help="How many clauses.")] = 10,
    season: Season = None,
    issue: Issue = None,
    document: DocumentId = None,
    family: Family = None,
    mode: Annotated[
        SearchMode | None, typer.Option(help="lexical, dense or hybrid; else as set.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find clauses by words or article number."""
    asked = {
        "query": query,
        "k": k,
        "season": season,
        "issue": issue,
        "document": document,
        "family": family,
    }
    with telling(as_json) as settings:
        found = request(Search, asked | {"mode": mode}).answer(library_of(settings), vectors_made)[
            "clauses"
        ]
        show_all(found, as_json, ("rank", *CLAUSE_COLUMNS))
    raise typer.Exit(0 if found else 1)


def article(
    number: str,
    season: Season = None,
    issue: Issue = None,
    document: DocumentId = None,
    family: Family = None,
    as_json: Json = False,
) -> None:
    """Give an article word for word, or a lettered item of it (54.3d))."""
    asked = {
        "article": number,
        "season": season,
        "issue": issue,
        "document": document,
        "family": family,
    }
    with telling(as_json) as settings:
        found = request(Article, asked).answer(library_of(settings))
        show(found, as_json, article_text)
    raise typer.Exit(0 if found["found"] else 1)


def mentions(term: str, document: DocumentId = None, as_json: Json = False) -> None:
    """Give every clause that mentions a term, with what stands below and what it refers to."""
    with telling(as_json) as settings:
        found = request(Mentions, {"term": term, "document": document}).answer(library_of(settings))
        if as_json:
            print_json(found)
        else:
            show_all(found["clauses"], False, CLAUSE_COLUMNS)
    raise typer.Exit(0 if found["clauses"] else 1)


def compare(
    document_a: Annotated[str, typer.Argument(help=f"The earlier one. {WHICH}")],
    document_b: Annotated[str, typer.Argument(help="The later one.")],
    kind: Annotated[PairKind | None, typer.Option(help="Only this kind of pair.")] = None,
    article: Annotated[
        str | None, typer.Option(help="Only this article and what is below it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell what changed between two documents: pairs of clauses.

    Words that went are shown as [-these-], words that came as {+these+}. With --json unchanged pairs come too.
    """
    with telling(as_json) as settings:
        library = library_of(settings)
        before, after = library.document(document_a), library.document(document_b)
        compared = comparing.compare(
            library.clauses(before.document_id), library.clauses(after.document_id)
        )
        pairs = [pair for pair in compared if not article or is_about(pair, article)]
        wanted = (
            [kind]
            if kind
            else [name for name in get_args(PairKind) if as_json or name != "unchanged"]
        )
        for pair in (pair for pair in pairs if pair.kind in wanted):
            if as_json:
                print_json(asdict(pair))
            else:
                out.print(*lines_of(pair), sep="\n", end="\n\n", highlight=False)
        if not as_json:
            told = comparing.marks_told(before, after) or ""
            out.print(f"{summary(pairs)}\n{told}".rstrip(), markup=False, highlight=False)


def batch() -> None:
    """Read one JSON request a line (search, article, mentions), answer one line each, in order."""
    with telling(True) as settings:
        library = library_of(settings)
        for line in io.TextIOWrapper(
            sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n"
        ):
            if line.strip():
                print_json(answer_line(library, line))
