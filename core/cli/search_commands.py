"""The commands that look things up in the library, and compare; no agent works for them."""

import io
import sys
from dataclasses import asdict
from typing import Annotated, get_args

import typer

from core.cli.compared import format_pair, is_about, summarize_pairs
from core.cli.json_api import (
    ArticleRequest,
    MentionsRequest,
    SearchRequest,
    answer_line,
    parse_request,
)
from core.cli.options import (
    DOCUMENT_HELP,
    DocumentOption,
    FamilyOption,
    IssueOption,
    JsonOption,
    SeasonOption,
)
from core.cli.output import (
    CLAUSE_COLUMNS,
    command_context,
    format_article,
    out,
    print_json,
    print_result,
    print_results,
    print_vector_progress,
)
from core.library import PairKind, SearchMode, compare, describe_marks, open_library


def search_command(
    query: str,
    k: Annotated[int, typer.Option(min=1, max=1000, help="How many clauses.")] = 10,
    season: SeasonOption = None,
    issue: IssueOption = None,
    document: DocumentOption = None,
    family: FamilyOption = None,
    mode: Annotated[
        SearchMode | None, typer.Option(help="lexical, dense or hybrid; else as set.")
    ] = None,
    as_json: JsonOption = False,
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
    with command_context(as_json) as settings:
        found = parse_request(SearchRequest, asked | {"mode": mode}).answer(
            open_library(settings), print_vector_progress
        )["clauses"]
        print_results(found, as_json, ("rank", *CLAUSE_COLUMNS))
    raise typer.Exit(0 if found else 1)


def article_command(
    number: str,
    season: SeasonOption = None,
    issue: IssueOption = None,
    document: DocumentOption = None,
    family: FamilyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give an article word for word, or a lettered item of it (54.3d))."""
    asked = {
        "article": number,
        "season": season,
        "issue": issue,
        "document": document,
        "family": family,
    }
    with command_context(as_json) as settings:
        found = parse_request(ArticleRequest, asked).answer(open_library(settings))
        print_result(found, as_json, format_article)
    raise typer.Exit(0 if found["found"] else 1)


def mentions_command(
    term: str, document: DocumentOption = None, as_json: JsonOption = False
) -> None:
    """Give every clause that mentions a term, with what stands below and what it refers to."""
    with command_context(as_json) as settings:
        found = parse_request(MentionsRequest, {"term": term, "document": document}).answer(
            open_library(settings)
        )
        if as_json:
            print_json(found)
        else:
            print_results(found["clauses"], False, CLAUSE_COLUMNS)
    raise typer.Exit(0 if found["clauses"] else 1)


def compare_command(
    document_a: Annotated[str, typer.Argument(help=f"The earlier one. {DOCUMENT_HELP}")],
    document_b: Annotated[str, typer.Argument(help="The later one.")],
    kind: Annotated[PairKind | None, typer.Option(help="Only this kind of pair.")] = None,
    article: Annotated[
        str | None, typer.Option(help="Only this article and what is below it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what changed between two documents: pairs of clauses.

    Words that went are shown as [-these-], words that came as {+these+}. With --json unchanged pairs come too.
    """
    with command_context(as_json) as settings:
        library = open_library(settings)
        before, after = library.document(document_a), library.document(document_b)
        compared = compare(library.clauses(before.document_id), library.clauses(after.document_id))
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
                out.print(*format_pair(pair), sep="\n", end="\n\n", highlight=False)
        if not as_json:
            told = describe_marks(before, after) or ""
            out.print(f"{summarize_pairs(pairs)}\n{told}".rstrip(), markup=False, highlight=False)


def batch_command() -> None:
    """Read one JSON request a line (search, article, mentions), answer one line each, in order."""
    with command_context(True) as settings:
        library = open_library(settings)
        for line in io.TextIOWrapper(
            sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n"
        ):
            if line.strip():
                print_json(answer_line(library, line))
