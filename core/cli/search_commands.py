"""The commands that look up clauses and compare documents. They need no agent."""

import io
import sys
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from core.choices import (
    Declaration,
    PairKind,
    PairPlace,
    PairWording,
    RedlineFormat,
    SearchMode,
)
from core.cli import output
from core.cli.options import DOCUMENT_HELP, JsonOption, ScopeFields, takes_scope


@takes_scope()
def search_command(
    query: str,
    scope: ScopeFields,
    k: Annotated[int, typer.Option(min=1, max=1000, help="How many clauses.")] = 10,
    mode: Annotated[
        SearchMode | None, typer.Option(help="lexical, dense or hybrid; else as set.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find clauses by words or article number."""
    with output.library_context(as_json) as library:
        from core.api import SearchRequest

        request = SearchRequest.parse(scope | {"query": query, "k": k, "mode": mode})
        found = request.look_up(library, output.print_progress).clauses
        output.print_results(found, as_json, ("rank", *output.CLAUSE_COLUMNS))
    raise typer.Exit(0 if found else 1)


@takes_scope()
def article_command(
    number: str,
    scope: ScopeFields,
    as_json: JsonOption = False,
) -> None:
    """Give an article word for word, or a lettered item of it (54.3d))."""
    with output.library_context(as_json) as library:
        from core.api import ArticleRequest

        found = ArticleRequest.parse(scope | {"article": number}).answer(library)
        output.print_result(found, as_json, output.format_article(found))
    raise typer.Exit(0 if found.found else 1)


@takes_scope()
def mentions_command(term: str, scope: ScopeFields, as_json: JsonOption = False) -> None:
    """Give every clause that mentions a term, with its sub-clauses and what it refers to."""
    with output.library_context(as_json) as library:
        from core.api import MentionsRequest

        request = MentionsRequest.parse(scope | {"term": term})
        found = request.look_up(library)
        if as_json:
            output.print_json(found)
        else:
            output.print_results(found.clauses, False, output.CLAUSE_COLUMNS)
    raise typer.Exit(0 if found.clauses else 1)


def compare_command(
    document_a: Annotated[str, typer.Argument(help=f"The earlier one. {DOCUMENT_HELP}")],
    document_b: Annotated[str, typer.Argument(help="The later one.")],
    kind: Annotated[PairKind | None, typer.Option(help="Only this kind of pair.")] = None,
    place: Annotated[PairPlace | None, typer.Option(help="Only rules in such a place.")] = None,
    wording: Annotated[PairWording | None, typer.Option(help="Only such a wording.")] = None,
    declaration: Annotated[
        Declaration | None,
        typer.Option(help="By the publisher's word: found, undeclared or not_found."),
    ] = None,
    article: Annotated[
        str | None, typer.Option(help="Only this article and what is below it.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write a redline instead: .docx with tracked changes, or .pdf.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what changed between two documents: pairs of clauses.

    Deleted words are shown as [-these-], inserted words as {+these+}.
    With --json unchanged pairs come too. A redline holds every rule of both documents.
    """
    redline_format = file.suffix.lower().removeprefix(".") if file else ""
    if file and redline_format not in get_args(RedlineFormat):
        raise typer.BadParameter("--output takes a name that ends with .docx or .pdf.")
    if file and any((article, kind, place, wording, declaration, as_json)):
        raise typer.BadParameter("--output goes without --json and without a choice of pairs.")
    with output.library_context(as_json) as library:
        from core.api import CompareRequest
        from core.language import ENGLISH
        from core.library import ComparisonText
        from core.markdown_escape import strip_marks
        from core.shapes import CompareReply

        before, after = library.rulebook(document_a), library.rulebook(document_b)
        request = CompareRequest(
            before=document_a,
            after=document_b,
            article=article,
            kind=kind,
            place=place,
            wording=wording,
            declaration=declaration,
        )
        if file:
            output.err.print("Comparing ...", style="dim")
        pairs = request.pairs(library)
        if file:
            from core.exports import write_redline

            output.err.print(f"Writing {file.name} ...", style="dim", markup=False)
            redline = write_redline(
                library, (before, after), pairs, cast(RedlineFormat, redline_format)
            )
            output.write_file(redline, file)
            return
        chosen = tuple(request.choose(pairs))
        if as_json:
            for row in CompareReply.of(chosen, before, after).model_dump(mode="json")["pairs"]:
                output.print_json(row)
            return
        for pair in chosen:
            if request.chooses or pair.kind != "unchanged":
                output.out.print(*output.format_pair(pair), sep="\n", end="\n\n", highlight=False)
        counted = strip_marks(ComparisonText(ENGLISH).describe_pairs(pairs))
        for line in filter(None, (counted, after.describe_marks(before))):
            output.out.print(line, markup=False, highlight=False)


def batch_command() -> None:
    """Read one JSON request a line (search, article, mentions), answer one line each, in order."""
    with output.library_context(True) as library:
        from core.api import answer_line

        stdin = sys.stdin.buffer
        for line in io.TextIOWrapper(stdin, encoding="utf-8", errors="replace", newline="\n"):
            if line.strip():
                output.print_json(answer_line(library, line))
