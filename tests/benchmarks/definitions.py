"""Whether a question for a definition gets the clause that defines the term, first and whole.

    python tests/benchmarks/definitions.py LIBRARY [--forms] [--rows]

LIBRARY is a data folder with the documents of `questions/definitions.csv`: 60 terms that they
define, with the article and the number of words of the definition, and 20 that they use or that
their readers might look for, and that none of them defines. The terms were found by reading. Each
is asked of its document in one form, with --forms in all; with vectors and without. A third of the
rows, by their place, is only counted.
"""

import argparse
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.agent import events as ev
from core.agent.loop import Agent, Request
from core.agent.models.offline.model import OfflineModel
from core.answers.answer_text import describe_outcome
from core.choices import SearchMode
from core.language import ENGLISH
from core.library import Library
from core.library.types import ScopeChoice

FORMS = {
    "en": ("What is {a} {t}?", "What does “{t}” mean?", "definition of {l}", "what is {l}",
           "What does {l} mean", "What are {p}?", "Define {t}."),
    "de": ("Was ist {t}?", "Was bedeutet {t}?", "Definition von {t}"),
    "fr": ("Que signifie « {t} » ?", "Qu’est-ce que {t} ?", "définition de {l}"),
}  # fmt: skip
MODES: tuple[SearchMode, ...] = ("hybrid", "lexical")
SHARE = 0.95
"""Of the words of a definition, in the first quote: a heading may be counted or not."""


def ask_forms(term: str, language: str) -> list[str]:
    """Return a term's questions in all forms."""
    words = {
        "t": term,
        "l": term.lower(),
        "a": "an" if term[0].lower() in "aeiou" else "a",
        "p": term if term.endswith("s") else re.sub(r"y$", "ie", term) + "s",
    }
    return [form.format(**words) for form in FORMS[language]]


def judge(row: dict[str, str], events: Sequence[ev.Event], ended: ev.Ended) -> tuple[bool, str]:
    """Return whether an answer is as it should be, and what it was."""
    if not row["article"]:
        said = describe_outcome(ENGLISH, events, ended)
        is_told = row["term"].lower() in said.lower() and "is defined nowhere" in said
        return is_told and ended.outcome != "answered", ended.outcome
    if not ended.citations:
        return False, ended.outcome
    first = ended.citations[0]
    key = re.escape(row["article"])
    is_right = re.match(rf"{key}(?![\w])", first.full_article) is not None
    is_whole = len(first.quote.split()) >= SHARE * int(row["words"])
    is_marked = bool(ended.definition) and ended.outcome == "answered"
    found = f"{first.full_article}, {len(first.quote.split())} of {row['words']} words"
    return is_right and is_whole and is_marked, f"{found}, {'' if is_marked else 'not '}marked"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--rows", action="store_true")
    given = parser.parse_args()
    path = Path(__file__).with_name("questions") / "definitions.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for mode in MODES:
        library = Library(given.library, mode)
        ids = {document.file: document.document_id for document in library.documents()}
        counts = Counter[str]()
        for place, row in enumerate(rows):
            questions = ask_forms(row["term"], row["language"])
            asked = questions if given.forms else [questions[place % len(questions)]]
            for question in asked:
                choice = ScopeChoice(document=ids[row["document"]])
                events = list(Agent(library, OfflineModel()).ask(Request(question, choice)))
                ended = events[-1]
                assert isinstance(ended, ev.Ended)
                is_met, found = judge(row, events, ended)
                kind = "defined" if row["article"] else "not defined"
                part = "held back" if place % 3 == 2 else "shown"
                counts.update([f"{kind}, {part}"] + [f"{kind}, {part}, right"] * is_met)
                if given.rows and part == "shown" and not is_met:
                    print(f"{mode} {row['document'][:24]} {row['article']}: {question} -> {found}")
        print(mode, json.dumps(dict(sorted(counts.items()))))


if __name__ == "__main__":
    main()
