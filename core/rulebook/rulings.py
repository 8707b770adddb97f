"""Rulings: questions with their answers, decisions, clarifications. They say how rules are meant.

They are told from rulebooks by a person. What is read of them is no rule: clauses of the kind
`ruling`.
"""

import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path, PurePath

from core.errors import ReadError
from core.grammar import detect_language, find_ranges, find_references
from core.rulebook.invisible import leave_out_invisible
from core.rulebook.isolation.messages import ReadLimits
from core.rulebook.metadata import find_dates
from core.rulebook.reader import read_pdf_text, read_word_text
from core.rulebook.types import (
    Clause,
    Identity,
    ReadingReport,
    Rulebook,
    RulingDetails,
    make_clause_id,
    plain_clause,
)
from core.table_files import name_cells, open_table

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_PARTS: dict[str, str] = {
    word: part for part, words in _DATA["parts"].items() for word in words.split(", ")
}
_HEADINGS, _FORMS = (set(_DATA[name]["words"].split(", ")) for name in ("headings", "forms"))
_WORDS = "|".join(map(re.escape, sorted(_PARTS.keys() | _HEADINGS, key=len, reverse=True)))
_LABEL = re.compile(
    rf"(?i)(?:(?P<first>\d{{1,3}})[.)]\s+)?(?P<word>{_WORDS})(?![^\W\d_])"
    r"(?:\s*(?:no|nr|n°|#)?\.?\s*(?P<number>[A-Z]{0,3}-?\d[\w/-]*(?:\.\d+)*))?"
    r"(?P<end>\s*[:|]|[.)](?=\s)|\s+[–—-](?=\s)|\s*$)?\s*(?P<rest>.*)"
)
"""What may begin a part: "Question 12:", "Q12.", "Answer:", "Clarification No. 3 – ...", "Fact"."""
_ARTICLE = re.compile(
    r"(?:Article|Art\.|Rule|Regel|Artikel)?\s*[A-Z]{0,3}\s?\d+(?:\.\d+)+[a-z()]*\s*(?:[:–—]|$)"
)
"""A line that names the article which what follows is about."""
_LONGEST_CELL = 131_072  # characters of a cell, as many as `csv` reads
_LONGEST_TITLE = 120
_RULER = re.compile(r"\|?[\s:|-]+\|?$")
"""The line between the head of a table and its rows."""
_BEFORE = ("day", "articles", "source", "number")
"""Parts of a line or two, which may be printed before what begins a ruling."""
COLUMNS = tuple(_DATA["parts"])
_TOLD = ("question", "facts", "answer", "reason", "articles")
"""The columns of a table that are the words of a ruling."""
_SPELLINGS = (
    (
        r"(?i)\b(?:artikel|regeln?|ziffern?|abschnitte?|règles?|regulations?)(?=\s+[A-Z]{0,3}\s?\d)",
        "Articles",
    ),
    (r"(?<=[\d)])\s+(?:und|et|sowie)\s+(?=[A-Z]{0,3}\s?\d)", " and "),
    (r"(?<=[\d)])\s*[/;]\s*(?=[A-Z]{0,3}\s?\d)", ", "),
    (r"(?<=\d),?\s(?:lit\.?|letter|paragraph|point|item|Buchstabe)\s\(?([a-z])\b\)?", r" \1)"),
    (r"(?<=\d)\s([a-z])(?=\s+of\b)", r" \1)"),
)
"""How articles are named in rulings, as the rulebooks of the reader of references name them."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A ruling before its articles are read: its printed words, and its parts by name."""

    title: str
    page: int | None
    text: str
    parts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with what its label says: `part` is empty without one, `rest` is behind it."""

    text: str
    page: int
    part: str = ""
    word: str = ""
    number: str = ""
    rest: str = ""

    @property
    def is_heading(self) -> bool:
        return bool(self.number) and self.word in _HEADINGS


def read_rulings(data: bytes, name: str, limits: ReadLimits = ReadLimits()) -> Rulebook:  # noqa: B008
    """Read the rulings of a PDF, a Word file, or a table with a column for their words.

    They are its `other_texts`; it has no clauses. Raises ReadError `no_rulings`, those of
    `read_pdf_text` and `read_word_text`, and SheetError.
    """
    pages, head, is_pdf = 0, "", b"%PDF" in data[:1024]
    if is_pdf:
        printed_pages = read_pdf_text(data, name, limits, with_rows=True)
        pages = len(printed_pages)
        head, drafts = _split_lines(printed_pages, name)
    elif PurePath(name).suffix.lower() == ".docx":
        head, drafts = _split_lines([read_word_text(data, name)], name)
        drafts = [replace(draft, page=None) for draft in drafts]
    else:
        drafts = list(_read_rows(open_table(data, name)[0], name))
    drafts = [draft for draft in drafts if draft.text.strip()]
    if not drafts:
        message = (
            f"{name} holds no ruling: no question with an answer, no decision, no clarification."
        )
        raise ReadError(message, code="no_rulings")
    document_id, day = hashlib.sha256(data).hexdigest(), next(iter(find_dates(head)), None)
    counts: Counter[str] = Counter()
    texts: list[Clause] = []
    if head:
        texts.append(replace(_plain(document_id, counts, head), kind="cover"))
    texts += (_make_ruling(_plain(document_id, counts, one.text), one, day) for one in drafts)
    printed = (head or drafts[0].text).partition("\n")[0] if is_pdf else ""
    read_from = {"title": "title page" if printed else "file name"}
    identity = Identity(
        printed[:_LONGEST_TITLE] or PurePath(name).stem,
        date=day,
        language=detect_language(" ".join(text.text for text in texts[:20])),
        sources=read_from | ({"date": "title page"} if day else {}),
    )
    sizes = {"pages": pages, "clauses": 0, "other_texts": len(texts), "rulings": len(drafts)}
    sizes["answers"] = sum("answer" in draft.parts for draft in drafts)
    report = ReadingReport(sizes, ())
    return leave_out_invisible(Rulebook(document_id, identity, pages, (), report, tuple(texts)))


def _plain(document_id: str, counts: Counter[str], text: str) -> Clause:
    clause_id = make_clause_id(document_id, "ruling", counts)
    return plain_clause(document_id, clause_id, text=text, status="no_rule")


def _make_ruling(clause: Clause, draft: _Draft, day: str | None) -> Clause:
    """Return a ruling with the articles that it names, its subjects first."""
    field = _spell_articles(draft.parts.get("articles", ""))
    subjects, text = find_references(f"Articles {field}"), _spell_articles(draft.text)
    days = find_dates(draft.parts.get("day", "")) or find_dates(draft.title)
    details = RulingDetails(
        day=next(iter(days), day),
        source=draft.parts.get("source", ""),
        subjects=subjects,
        ranges=(*find_ranges(f"Articles {field}"), *find_ranges(text)),
    )
    return replace(
        clause,
        kind="ruling",
        title=draft.title,
        page_first=draft.page,
        page_last=draft.page,
        references=tuple(dict.fromkeys((*subjects, *find_references(text)))),
        ruling=details,
    )


def _spell_articles(text: str) -> str:
    for pattern, spelling in _SPELLINGS:
        text = re.sub(pattern, spelling, text)
    return text


def _split_lines(pages: Iterable[str], name: str) -> tuple[str, list[_Draft]]:
    """Return what is before the first ruling, and the rulings: rows of a table, or print.

    Raises SheetError.
    """
    printed = [
        (number, text.strip())
        for number, page in enumerate(pages, 1)
        for text in page.splitlines()
        if not _RULER.match(text)
    ]
    if rows := _find_rows(printed):
        before = printed[: printed.index(rows[0])]
        read = _read_rows(iter([_split_row(text) for _, text in rows]), name)
        placed = [replace(draft, page=row[0]) for draft, row in zip(read, rows[1:], strict=False)]
        return _join_lines(_Line(text, number) for number, text in before), placed
    if not printed:
        return "", []
    lines = [_read_label(text.strip("| ").replace(" | ", " "), number) for number, text in printed]
    begins = list(_find_beginnings(lines))
    drafts = [_gather(lines[first:end]) for first, end in pairwise([*begins, len(lines)])]
    return _join_lines(lines[: begins[0]]), drafts


def _find_rows(printed: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the rows of a table of rulings, whose first names its columns; none without one."""
    rows = [row for row in printed if row[1].startswith("|") and any(map(str.isalnum, row[1]))]
    for at, (_, text) in enumerate(rows):
        parts = set(map(_name_column, _split_row(text)))
        if "answer" in parts and parts & {"question", "articles"}:
            return [row for row in rows[at:] if row[1] != text or row is rows[at]]
    return []


def _read_label(text: str, page: int) -> _Line:
    found = _LABEL.match(text)
    if found is None:
        return _Line(text, page)
    word, end = found["word"].casefold(), found["end"]
    part, number, rest = (
        _PARTS.get(word, ""),
        found["number"] or found["first"] or "",
        found["rest"],
    )
    if word not in _HEADINGS:  # "Date 4 May 2025"
        number, rest = "", text[found.end("word") :].lstrip(" \t:.|–—-")
    is_filled = word in _FORMS and (rest[:1].isupper() or rest[:1].isdigit())
    is_letter = len(word) == 1 and not number and not (end or "").strip().startswith(":")
    if (end is None and not is_filled) or is_letter or _ARTICLE.match(text):
        return _Line(text, page)
    return _Line(text, page, part, word, number, rest)


def _find_beginnings(lines: Sequence[_Line]) -> Iterator[int]:
    """Yield where rulings begin: at numbered headings, else questions, else articles; else one."""
    headed = next((line.word for line in lines if line.is_heading), None)
    begins = [at for at, line in enumerate(lines) if line.is_heading and line.word == headed]
    if not begins and any(line.part == "answer" for line in lines):
        begins = [at for at, line in enumerate(lines) if line.part == "question"]
    if not begins:
        named = [at for at, line in enumerate(lines) if _ARTICLE.match(line.text)]
        begins = named if len(named) > 1 else []
    for at in begins or [0]:
        while at and lines[at - 1].part in _BEFORE:
            at -= 1
        yield at


def _gather(lines: Sequence[_Line]) -> _Draft:
    """Return the ruling of some lines; a part ends at the next label, what is short at a gap."""
    parts: dict[str, str] = {}
    part = ""
    for line in lines:
        if line.part:
            part = line.part
        elif not line.text and part in _BEFORE:
            part = ""
        words = line.rest if line.part else line.text
        parts[part] = f"{parts.get(part, '')} {words}".strip()
    first = lines[0]
    named = f"{first.word.capitalize()} {first.number}" if first.is_heading else ""
    parts["day"] = parts.get("day", "") or (first.rest if first.is_heading else "")
    return _Draft(named or parts.get("number", ""), first.page, _join_lines(lines), parts)


def _join_lines(lines: Iterable[_Line]) -> str:
    """Return paragraphs, each on a line: they end at a gap and before a label."""
    text = ""
    for line in lines:
        text += "\n" if line.part or not line.text else " "
        text += line.text
    return "\n".join(filter(None, (" ".join(one.split()) for one in text.splitlines())))


def _split_row(text: str) -> list[str]:
    inner = text.strip().removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in inner.split(" | ")]


def _name_column(cell: str) -> str:
    """Return the part that a column holds, by what its head says."""
    return _PARTS.get(cell.casefold().rstrip(".:"), cell)


def _read_rows(table: Iterator[Sequence[str]], name: str) -> Iterator[_Draft]:
    """Yield the rulings of a table, whose first row names its columns. Raises SheetError."""
    printed = [cell.strip() for cell in next(table, [])]
    header = [*map(_name_column, printed)]
    labels = dict(zip(header, printed, strict=True))
    rows = name_cells(chain([header], table), name, COLUMNS, ("answer",), _LONGEST_CELL)
    for row in rows:
        parts = {part: " ".join(words.split()) for part, words in row.items() if words}
        told = (f"{labels[part].capitalize()}: {parts[part]}" for part in _TOLD if part in parts)
        yield _Draft(parts.get("number", ""), None, "\n".join(told), parts)
