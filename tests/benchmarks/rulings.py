"""Count the rulings that are tied to the articles they are on, and to no others.

    .venv/bin/python tests/benchmarks/rulings.py [RULEBOOKS] [--held-back] [--list]

The forty rulings of rulings.toml beside this file are written into CSV files and PDFs, as their
`file` says, and added to a library of the rulebooks that they interpret, out of RULEBOOKS
(../shared without it). A ruling is right where the clauses that it is tied to are those of its key,
each in its edition, and the numbers told as missing are those of its key. Every third ruling was
held back: it is counted with --held-back alone. With --list the wrong ones are shown.

Each sentence of a ruling then goes into drafts that quote its rule: in quotation marks, in a block
quote and without either as if it were law, and once as what it is. Counted are those of the first
kinds that no fatal check refuses, and those of the last that one does.
"""

import argparse
import csv
import io
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from core.agent.tools.not_in_force import find_ruling_words
from core.grammar import canonical_number, split_part, split_reference, split_sentences
from core.library import Document, Hit, Library, Rulings, add_file
from core.rulebook import Clause
from core.verification import Evidence, check_draft, cite, parse_draft

SHARED = Path(__file__).parents[3] / "shared"
EDITIONS = {
    "S24-6": "rulebooks/fia_f1_2024_sporting_iss06_2024-04-30.pdf",
    "S25-4": "rulebooks/fia_f1_2025_sporting_iss04_2025-02-26.pdf",
    "S25-5": "rulebooks/fia_f1_2025_sporting_iss05_2025-04-30.pdf",
    "T24-7": "rulebooks/fia_f1_2024_technical_iss07_2024-07-31.pdf",
    "C23-16": "rulebooks/fia_f1_2023_financial_iss16_2023-08-31.pdf",
    "FS20": "rulebooks_wide/FS-Rules_2020_V1.0.pdf",
    "FS22": "rulebooks_wide/FS-Rules_2022_v1.0.pdf",
}
NEWEST = {"S": "S25-5", "T": "T24-7", "C": "C23-16", "FS": "FS22"}
COLUMNS = ("number", "day", "question", "answer", "articles")
GERMAN = ("Nr", "Datum", "Frage", "Antwort", "Artikel")
Ruling = Mapping[str, Any]
MIN_WORDS = 5
"""Of a sentence that is put into drafts: "Yes." says nothing that is a ruling's alone."""


def write_csv(rulings: Sequence[Ruling], header: Sequence[str] = COLUMNS) -> bytes:
    """Return a row for each ruling."""
    text = io.StringIO()
    rows = ([one.get(column, "") for column in COLUMNS] for one in rulings)
    csv.writer(text, delimiter=";" if header == GERMAN else ",").writerows([header, *rows])
    return text.getvalue().encode()


def write_pdf(rulings: Sequence[Ruling], title: str) -> bytes:
    """Return a paper of rulings: one decision as a form, or several with a heading each."""
    styles = getSampleStyleSheet()
    body, heading = styles["BodyText"], styles["Heading2"]
    story: list[Any] = [Paragraph(title, styles["Title"]), Spacer(1, 12)]
    for one in rulings:
        if "fact" in one:
            names = ("fact", "infringement", "decision", "reason")
            rows = [[name.capitalize(), Paragraph(one[name], body)] for name in names]
            top = [("VALIGN", (0, 0), (-1, -1), "TOP")]
            form = Table(rows, colWidths=[90, 360], style=top)
            story += [Paragraph("From the Stewards", body), Paragraph(f"Date {one['day']}", body)]
            story += [Spacer(1, 12), form]
            continue
        number = one["number"] if " " in one["number"] else f"Interpretation {one['number']}"
        story += [Paragraph(f"{number} – {one['day']}", heading)]
        if "question" in one:
            story += [Paragraph(one["question"], body), Paragraph(f"Answer: {one['answer']}", body)]
        else:
            story.append(Paragraph(one["text"], body))
    file = io.BytesIO()
    SimpleDocTemplate(file, invariant=True).build(story)
    return file.getvalue()


def write_file(name: str, rulings: Sequence[Ruling]) -> bytes:
    if name.endswith(".csv"):
        return write_csv(rulings, GERMAN if "frage" in name else COLUMNS)
    return write_pdf(rulings, name.removesuffix(".pdf").replace("_", " ").capitalize())


def add_rulings(
    library: Library, folder: Path, rulings: Sequence[Ruling], editions: Mapping[str, Document]
) -> Iterator[tuple[Document, list[Ruling]]]:
    """Add the files of rulings; yield each document with its rulings, in order."""
    by_file: dict[str, list[Ruling]] = defaultdict(list)
    for one in rulings:
        by_file[one["file"]].append(one)
    for name, own in by_file.items():
        (folder / name).write_bytes(write_file(name, own))
        interprets = [editions[NEWEST[each]].document_id for each in own[0]["on"]]
        [result] = add_file(library, folder / name, interprets=interprets)
        assert result.document is not None, result.message
        yield result.document, own


def judge(library: Library, document: Document, rulings: Sequence[Ruling]) -> Iterator[set[str]]:
    """Yield for each ruling of a document what of its links differs from its key."""
    labels = {one.document_id: one.file for one in library.documents()}
    names = {Path(file).name: name for name, file in EDITIONS.items()}
    read = [one for one in library.other_texts(document.document_id) if one.kind == "ruling"]
    links = Rulings(library).list_links(document)
    assert len(read) == len(rulings), (document.file, [one.title for one in read])
    for ruling, one in zip(read, rulings, strict=True):
        own = [link for link in links if link.ruling.clause_id == ruling.clause_id]
        found = {
            f"{names[labels[clause.document_id]]} {canonical_number(clause.whole_article)}"
            for link in own
            for clause in link.clauses
        }
        named = (split_reference(link.reference)[0] for link in own if link.state == "missing")
        found |= {f"missing {split_part(number)[0]}" for number in named}
        wanted = {f"missing {number}" for number in one.get("missing", ())}
        yield found ^ (wanted | {_spell(key) for key in one["key"]})


def count_drafts(
    library: Library, document: Document, rulings: Sequence[Ruling]
) -> Iterator[tuple[str, bool]]:
    """Yield for drafts on the rulings of a document what they are, and whether they pass."""
    read = [one for one in library.other_texts(document.document_id) if one.kind == "ruling"]
    first = {
        link.ruling.clause_id: next((one for one in link.clauses if one.text), None)
        for link in reversed(Rulings(library).list_links(document))
        if link.clauses
    }
    for ruling, one in zip(read, rulings, strict=True):
        if (rule := first.get(ruling.clause_id)) is None:
            continue
        told = " ".join(one.get(part, "") for part in ("answer", "text", "decision", "reason"))
        for sentence in split_sentences(told):
            if len(sentence.split()) >= MIN_WORDS:
                yield from _check_drafts(library, rule, sentence)


def _check_drafts(library: Library, rule: Clause, sentence: str) -> Iterator[tuple[str, bool]]:
    evidence = Evidence()
    [source] = evidence.add_hits([Hit(rule, 1.0, "exact")], {rule.document_id: "the rules"})
    quote = split_sentences(rule.text)[0]
    citation = cite(source, quote)
    words = [*find_ruling_words(library, [rule.clause_id])]
    drafts = {
        "quoted": f"“{quote}” [1] “{sentence}” [1]",
        "in a block": f"“{quote}” [1]\n\n> {sentence} [1]\n",
        "as law": f"“{quote}” [1] {sentence} [1]",
        "as a ruling": f"“{quote}” [1] A ruling, which is not law, says: “{sentence}”",
    }
    for kind, draft in drafts.items():
        parsed = parse_draft(draft, [citation], evidence)
        checks = check_draft(parsed, evidence, "What does the rule say?", lapsed=words)
        yield kind, all(one.passed or one.level != "fatal" for one in checks)


def _spell(key: str) -> str:
    edition, _, article = key.partition(" ")
    return f"{edition} {canonical_number(article)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulebooks", type=Path, nargs="?", default=SHARED)
    parser.add_argument("--held-back", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--library", type=Path, help="one that holds the rulebooks already")
    options = parser.parse_args()
    every = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["ruling"]
    held_back = every[::3]
    rulings = held_back if options.held_back else [one for one in every if one not in held_back]
    with tempfile.TemporaryDirectory() as folder:
        library = Library(options.library or Path(folder) / "library")
        for file in EDITIONS.values():
            assert all(one.document for one in add_file(library, options.rulebooks / file))
        by_file = {document.file: document for document in library.documents()}
        editions = {name: by_file[Path(file).name] for name, file in EDITIONS.items()}
        right, drafts = 0, Counter[tuple[str, bool]]()
        for document, own in add_rulings(library, Path(folder), rulings, editions):
            for one, wrong in zip(own, judge(library, document, own), strict=True):
                right += not wrong
                if wrong and options.list:
                    print(one["file"], one.get("number", ""), sorted(wrong))
            drafts.update(count_drafts(library, document, own))
            library.remove_document(document.document_id)
    for kind in dict.fromkeys(kind for kind, _ in drafts):
        print(f"{kind}: {drafts[kind, True]} pass, {drafts[kind, False]} are refused")
    print(f"{right} of {len(rulings)} rulings tied to the articles of their key, and to no others")


if __name__ == "__main__":
    main()
