"""How a search grows with the library, in milliseconds and megabytes, beside bm25s on the same
clauses and questions.

    python tests/benchmarks/growth.py EVAL_FOLDER [--copies 1 8 77] [--questions N] [--folder KEPT]

EVAL_FOLDER holds obliqa_clauses.jsonl and obliqa_dev.jsonl. A library of n copies has every clause
n times; each copy but the first has words of its own in place of a third of them, so that it has a
vocabulary of its own and the right answers stay those of the first. bm25s (a development
dependency) ranks the same texts with the same words and stems, in memory and without a scope; it is
compared up to 200,000 clauses.

Measured on two quiet cores:

    library                  clauses    recall  map      ms     MB  built in s
    13,012 clauses of 40 documents, 200 questions
    all documents             13,012    0.7739  0.6391    5.1   413        5.7
    one document              13,012                      3.8
    bm25s                     13,012    0.7672  0.6146    0.4   436        1.5
    104,096 clauses of 320 documents, 200 questions
    all documents            104,096    0.7527  0.6162   16.4   632       13.3
    one document             104,096                      4.5
    bm25s                    104,096    0.7377  0.5948    1.7   944       11.1
    1,001,924 clauses of 3,080 documents, 200 questions
    all documents          1,001,924    0.7343  0.6029  101.6  1517       84.2
    one document           1,001,924                      4.1

Seventy-seven times the clauses take twenty times the time over all documents, and the same time in
the scope of one. bm25s is faster, with all of its index in memory and one column; it knows no
scope, no phrases, no titles, headings and neighbours, and starts anew with each document added.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import bm25s
import pyarrow as pa
import pyarrow.compute as pc
import snowballstemmer
from lancedb import col, lit

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.library.ingestion.ingest import add_file
from core.library.retrieval.query_expansion import expand_query, index_tokens
from core.library.retrieval.ranking import build_text_query, search_full_text
from core.library.scope import resolve_scope
from core.library.storage.library import Library
from core.library.storage.schema import CLAUSE_SCHEMA
from core.library.types import Scope

K = 10
MOST_FOR_BM25S = 200_000
OWN_WORDS = r"\b([c-hC-H][A-Za-z]{3,})\b"
"""The words that each copy has as its own: about a third."""

Question = Mapping[str, Any]
Ranked = Callable[[str], Sequence[str]]
"""From a question to the `source_id` of the clauses found, the best first."""


@dataclass(frozen=True, slots=True)
class Figures:
    recall: float
    precision: float
    milliseconds: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("eval", type=Path)
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 8, 77])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--folder", type=Path, help="where the libraries are built and kept")
    arguments = parser.parse_args()
    questions = rows(arguments.eval / "obliqa_dev.jsonl")[: arguments.questions]
    print(f"{'':24s} clauses    build s  recall  map     ms      MB of process")
    with tempfile.TemporaryDirectory() as scratch:
        for copies in arguments.copies:
            measure(
                (arguments.folder or Path(scratch)) / str(copies), arguments.eval, copies, questions
            )


def measure(folder: Path, data: Path, copies: int, questions: Sequence[Question]) -> None:
    started = time.perf_counter()
    library = built(folder, data / "obliqa_clauses.jsonl", copies)
    seconds = time.perf_counter() - started
    documents = library.documents()
    clauses = sum(document.clauses for document in documents)
    first = next(document for document in documents if "-" not in document.document_id)
    everything, one = resolve_scope(documents), Scope((first,), "one document")
    line("all documents", clauses, seconds, figures(in_scope(library, everything), questions))
    line("one document", clauses, 0, figures(in_scope(library, one), questions))
    if clauses <= MOST_FOR_BM25S:
        started = time.perf_counter()
        ranked = in_memory(library)
        line("bm25s", clauses, time.perf_counter() - started, figures(ranked, questions))


def line(name: str, clauses: int, seconds: float, found: Figures) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{name:24s} {clauses:9,d}  {seconds:7.1f}  {found.recall:.4f}  {found.precision:.4f}"
        f"  {found.milliseconds:6.1f}  {memory:5d}",
        flush=True,
    )


def built(folder: Path, clauses: Path, copies: int) -> Library:
    library = Library(folder)
    if not library.untouched:
        return library
    list(add_file(library, clauses))
    first = library.documents()
    table = library.tables.clauses_table()
    assert table is not None
    original = (
        table.search()
        .where(col("position") >= lit(0))
        .to_arrow()
        .select(CLAUSE_SCHEMA.names)
        .cast(CLAUSE_SCHEMA)
    )
    with library.lock_for_writing():
        library.tables.add_clauses(copied(original, copy) for copy in range(1, copies))
        for copy in range(1, copies):
            renamed = [replace(d, document_id=f"{copy}-{d.document_id}", terms={}) for d in first]
            library.tables.add_entries([(document, "") for document in renamed])
    return library


def copied(original: pa.Table, copy: int) -> pa.Table:
    """The rows of a copy: other ids, and a third of its words other words."""
    own = {
        column: pc.replace_substring_regex(original[column], OWN_WORDS, rf"\1x{copy}")
        for column in ("text", "title", "trail", "near")
    }
    own |= {
        column: pc.binary_join_element_wise(str(copy), original[column], "-")
        for column in ("document_id", "clause_id")
    }
    own["record"] = pc.replace_substring_regex(
        original["record"], '"(source_id|document_id)": "', rf'"\1": "{copy}-'
    )
    own["digest"] = pa.array(
        sha256(record.encode()).hexdigest() for record in own["record"].to_pylist()
    )
    columns = [own.get(name, original[name]) for name in CLAUSE_SCHEMA.names]
    return pa.table(dict(zip(CLAUSE_SCHEMA.names, columns, strict=True))).cast(CLAUSE_SCHEMA)


def in_scope(library: Library, scope: Scope) -> Ranked:
    def ranked(question: str) -> list[str]:
        asked = build_text_query(expand_query(question, scope.documents))
        return [hit.clause.source_id for hit in search_full_text(library, asked, scope, K)]

    return ranked


def in_memory(library: Library) -> Ranked:
    table = library.tables.clauses_table()
    assert table is not None
    held = table.search().where(~col("heading")).select(["text", "record"]).to_arrow()
    sources = [json.loads(record)["source_id"] for record in held["record"].to_pylist()]
    stem = cache(snowballstemmer.stemmer("english").stemWord)

    def tokens(text: str) -> list[str]:
        return [stem(word) for word in index_tokens(text)]

    index = bm25s.BM25()
    index.index([tokens(text) for text in held["text"].to_pylist()], show_progress=False)

    def ranked(question: str) -> list[str]:
        words = [stem(word) for word in expand_query(question, ()).words]
        found, _ = index.retrieve([words], k=K, show_progress=False)
        return [sources[place] for place in found[0]]

    return ranked


def figures(ranked: Ranked, questions: Sequence[Question]) -> Figures:
    recall = precision = 0.0
    ranked(questions[0]["question"])
    started = time.perf_counter()
    found = [ranked(question["question"]) for question in questions]
    milliseconds = 1000 * (time.perf_counter() - started) / len(questions)
    for question, ids in zip(questions, found, strict=True):
        wanted, hits = set(question["gold"]), 0
        for place, source in enumerate(ids, 1):
            if source in wanted:
                hits += 1
                precision += hits / place / len(wanted)
        recall += hits / len(wanted)
    return Figures(recall / len(questions), precision / len(questions), milliseconds)


def rows(path: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


if __name__ == "__main__":
    main()
