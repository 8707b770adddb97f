"""What the choices of the search bring, side by side, on ObliQA (dev) and on questions to sporting
regulations.

    python tests/benchmarks/search.py EVAL_FOLDER RULEBOOK_FOLDER [--every N]

EVAL_FOLDER holds obliqa_clauses.jsonl, obliqa_dev.jsonl and f1_questions_open.jsonl,
RULEBOOK_FOLDER the PDFs. Each line changes one choice against "as it is"; ms is a query in this
process, building the index apart.

Measured with every second ObliQA question (1,394 of 2,788, recall and MAP at 10) and the 15 open
questions:

    variant                            recall   map     p@1    hit@5  mrr
    as it is                           0.7780  0.6243   0.800  0.933  0.856
    every word of the query            0.7675  0.6145   0.733  0.933  0.806    three times as slow
    no synonyms and short forms        0.7773  0.6248   0.400  0.667  0.528
    no neighbours                      0.7687  0.6232   0.800  0.933  0.856
    neighbours as much as headings     0.7744  0.6078   0.867  0.933  0.889
    titles as much as text             0.7780  0.6243   0.867  0.933  0.889    but see below
    all columns alike                  0.6951  0.4473   0.533  0.867  0.681
    text only                          0.7687  0.6232   0.733  0.933  0.822
    best column instead of the sum     0.7687  0.6235   0.400  0.667  0.548    without synonyms
    pairs of words                     0.7683  0.6235   0.600  0.867  0.700    without weights

Titles at half the weight of text: on 68 further questions to the 2025 rules, with all rulebooks of
that season in scope, p@1 is 0.49 against 0.44 and MRR 0.59 against 0.56 (the short title
"International Limited-Speed Competition" else answers for the speed limit in the pit lane); on 23
questions to the FSAE rules hit@5 is 0.57 against 0.44.

A title that holds all words of a query changes nothing above; on 35 questions of first users to
four rulebooks its weight of 1.0 gives MRR 0.61 for 0.56 and hit@5 0.83 for 0.77.

Words and meaning (vectors of MiniLM, the model before e5, words with their full share), all 2,788
ObliQA questions, recall and MAP at 10. In a scope
of many documents, as here, core joins by scores with a share of 0.7 for the meaning: learned from
every fourth question (MAP at 0.5, 0.6, 0.65, 0.7, 0.75, 0.8: 0.649, 0.658, 0.661, 0.660, 0.652,
0.644), it is the same on another quarter (0.658, 0.660, 0.661, 0.660, 0.654, 0.645):

    words alone                        0.7848  0.6307
    vectors alone                      0.6958  0.5008
    joined by scores, share 0.3        0.7932  0.6431
    joined by scores, share 0.4        0.7965  0.6499
    joined by scores, share 0.5        0.7971  0.6524
    joined by scores, share 0.7        0.8018  0.6586
    scores brought to 0 to 1, 0.4      0.7991  0.6500    misranks a clause of one kind
    ranks (RRF, k 60), share 0.5       0.7792  0.6128    LanceDB's default
    ranks (RRF, k 5), share 0.3        0.8000  0.6416

A share of the best clauses' documents and sections beside that (the more of the first twenty are of
one, the more each of them counts) brings at most 0.002, and on the other quarter nothing.

Growth of time and memory with the library: growth.py.

Tried on the same questions, and left out: passages of 40 words beside the clauses, the better of
both counting (recall +0.007, MAP +0.007, an index 2.5 times as large and two searches a query); a
clause required to have one of the words itself, not only beside it (the same figures, four times as
slow); short forms of one rulebook in a scope of forty (MAP -0.005 to -0.03: "VA" and "CO" mean
much); clauses named by number first in such a scope (MAP -0.03).
"""

import argparse
import json
import re
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from lancedb.query import BooleanQuery, FullTextQuery, MultiMatchQuery, Occur, PhraseQuery

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.grammar import STOP_WORDS
from core.library.ingestion.ingest import add_file
from core.library.retrieval import query_expansion
from core.library.retrieval.query_expansion import ExpandedQuery, expand_query
from core.library.retrieval.ranking import build_text_query, search_full_text
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.types import Scope, ScopeChoice
from core.rulebook.types import Clause

K = 10
Build = Callable[[str, Scope], FullTextQuery]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A library with the questions to it: text, scope, and whether a clause is what the question is
    after.
    """

    library: Library
    questions: tuple[tuple[str, Scope, Mapping[str, Any]], ...]


def as_it_is(question: str, scope: Scope) -> FullTextQuery:
    return build_text_query(expand_query(question, scope.documents))


def with_words(change: Callable[[ExpandedQuery], ExpandedQuery]) -> Build:
    return lambda question, scope: build_text_query(change(expand_query(question, scope.documents)))


def every_word(question: str, scope: Scope) -> FullTextQuery:
    found = expand_query(question, scope.documents)
    return build_text_query(replace(found, words=tuple(query_expansion.index_tokens(question))))


def columns(**weights: float) -> Build:
    return lambda question, scope: build_text_query(
        expand_query(question, scope.documents), weights
    )


def no_whole_titles(question: str, scope: Scope) -> FullTextQuery:
    return build_text_query(expand_query(question, scope.documents), whole_title_weight=0.0)


def best_column(question: str, scope: Scope) -> FullTextQuery:
    words = " ".join(expand_query(question, scope.documents).words)
    return MultiMatchQuery(words, ["text", "title", "trail"])


def with_pairs(question: str, scope: Scope) -> FullTextQuery:
    """As it is, and more where two words that follow each other in the question do so in the
    clause.
    """
    words = query_expansion.index_tokens(question)
    pairs = [f"{a} {b}" for a, b in pairwise(words) if not {a, b} & STOP_WORDS and not a.isdigit()]
    return any_of([as_it_is(question, scope), *(PhraseQuery(pair, "text") for pair in pairs[:12])])


def any_of(queries: Iterable[FullTextQuery]) -> FullTextQuery:
    return BooleanQuery([(Occur.SHOULD, one) for one in queries])


VARIANTS: dict[str, Build] = {
    "as it is": as_it_is,
    "every word of the query": every_word,
    "no synonyms and short forms": with_words(lambda words: replace(words, alternatives=())),
    "no whole titles": no_whole_titles,
    "no neighbours": columns(text=1, title=0.5, trail=0.35),
    "neighbours as much as headings": columns(text=1, title=0.5, trail=0.35, near=0.35),
    "titles as much as text": columns(text=1, title=1, trail=0.35, near=0.15),
    "all columns alike": columns(text=1, title=1, trail=1, near=1),
    "text only": columns(text=1),
    "best column instead of the sum": best_column,
    "pairs of words": with_pairs,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("eval", type=Path)
    parser.add_argument("rulebooks", type=Path)
    parser.add_argument("--every", type=int, default=2, help="take every n-th question of ObliQA")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        obliqa = obliqa_shelf(Path(folder) / "obliqa", arguments.eval, arguments.every)
        season = season_shelf(Path(folder) / "season", arguments.eval, arguments.rulebooks)
        print(f"{'variant':34s} recall   map     p@1    hit@5  mrr     ms")
        for name, build in VARIANTS.items():
            started = time.perf_counter()
            recall, mean_precision = obliqa_figures(obliqa, build)
            milliseconds = 1000 * (time.perf_counter() - started) / len(obliqa.questions)
            first, five, reciprocal = season_figures(season, build)
            print(
                f"{name:34s} {recall:.4f}  {mean_precision:.4f}   {first:.3f}  {five:.3f} "
                f" {reciprocal:.3f}"
                f"  {milliseconds:4.1f}",
                flush=True,
            )


def rows(path: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


def obliqa_shelf(folder: Path, data: Path, every: int) -> Shelf:
    library = Library(folder)
    list(add_file(library, data / "obliqa_clauses.jsonl"))
    scope = resolve_scope(library.documents())
    return Shelf(
        library,
        tuple((row["question"], scope, row) for row in rows(data / "obliqa_dev.jsonl")[::every]),
    )


def season_shelf(folder: Path, data: Path, rulebooks: Path) -> Shelf:
    library = Library(folder)
    for pdf in sorted(rulebooks.glob("fia_f1_20*sporting*.pdf")):
        list(add_file(library, pdf))
    documents = library.documents()
    return Shelf(
        library,
        tuple(
            (row["question"], resolve_scope(documents, ScopeChoice(season=row["season"])), row)
            for row in rows(data / "f1_questions_open.jsonl")
        ),
    )


def ranked(shelf: Shelf, build: Build, question: str, scope: Scope) -> list[Clause]:
    return [hit.clause for hit in search_full_text(shelf.library, build(question, scope), scope, K)]


def obliqa_figures(shelf: Shelf, build: Build) -> tuple[float, float]:
    recall = mean_precision = 0.0
    for question, scope, row in shelf.questions:
        wanted, hits = set(row["gold"]), 0
        for place, clause in enumerate(ranked(shelf, build, question, scope), 1):
            if clause.source_id in wanted:
                hits += 1
                mean_precision += hits / place / len(wanted)
        recall += hits / len(wanted)
    return recall / len(shelf.questions), mean_precision / len(shelf.questions)


def season_figures(shelf: Shelf, build: Build) -> tuple[float, float, float]:
    ranks = [
        next(
            (
                place
                for place, clause in enumerate(ranked(shelf, build, question, scope), 1)
                if right(clause, row)
            ),
            0,
        )
        for question, scope, row in shelf.questions
    ]
    return (
        sum(rank == 1 for rank in ranks) / len(ranks),
        sum(0 < rank <= 5 for rank in ranks) / len(ranks),
        sum(1 / rank for rank in ranks if rank) / len(ranks),
    )


def right(clause: Clause, row: Mapping[str, Any]) -> bool:
    of_article = any(
        re.match(rf"{re.escape(article)}(?![0-9])", clause.article) for article in row["articles"]
    )
    return of_article and any(squeezed(word) in squeezed(clause.text) for word in row["keywords"])


def squeezed(text: str) -> str:
    return "".join(
        letter for letter in unicodedata.normalize("NFKC", text).lower() if letter.isalnum()
    )


if __name__ == "__main__":
    main()
