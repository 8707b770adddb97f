"""Rulings: questions with their answers, decisions, clarifications. They say how rules are meant.

They are told from rulebooks by a person. What is read of them is no rule: clauses of the kind
`ruling`.
"""

import hashlib
import re
import tomllib
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise
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
_NAME = re.compile(r"[^\W\d]+(?: [^\W\d]+\.?)? \d[\w/-]*")
"""A line of its own that names a ruling: "Document 34", "Case no. 5"."""
_SECTION = re.compile(
    r"(?:(?:Articles?|Art\.|Rules?|Regeln?|Artikel) ?[A-Z]{0,3}|[A-Z]{1,3})"
    r" ?\d{1,3}(?:\.\d+)*\b.{0,80}"
)
"""A heading above several rulings: "T 3.8 Main Hoop", "Article 33 – Driving"."""
_LONGEST_CELL = 131_072  # characters of a cell, as many as `csv` reads
_LONGEST_TITLE = 120
_MOST_ROWS_BEFORE = 10  # rows of which one names the columns: a title and notes may be above it
_RULER = re.compile(r"\|?[\s:|-]+\|?$")
"""The line between the head of a table and its rows."""
_DAYS = "|".join(word for word, part in _PARTS.items() if part == "day")
_DAY = re.compile(rf"(?i)\b(?:{_DAYS})[\s:.|]+(\d.{{0,24}})")
"""A day in a row of other cells: "To The Team Manager Date 4 May 2025"."""
_BEFORE = ("day", "articles", "source", "number")
"""Parts of a line or two, which may be printed before what begins a ruling."""
COLUMNS = tuple(_DATA["parts"])
_TOLD = ("question", "facts", "answer", "reason", "articles")
"""The columns of a table that are the words of a ruling."""
_SPELLINGS = (
    (r"\b([A-Z]{1,3})[.-]?(?=\d+\.\d)", r"\1 "),
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
_FIELD_LETTERS = re.compile(
    r"(^|[,;/&–-]|\b(?:and|und|et|to|bis)\b)(\s*[a-z]{1,2})(?=[ -]?\d+\.\d)"
)
"""Small letters of a number in a field for articles: "t 6.2.2"."""


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
    printed = draft.parts.get("articles", "")
    field = _spell_articles(_FIELD_LETTERS.sub(lambda found: found[1] + found[2].upper(), printed))
    text = _spell_articles(draft.text.replace(printed, field) if printed else draft.text)
    subjects = find_references(f"Articles {field}")
    printed_day = _DAY.search(draft.text)
    days = (
        find_dates(draft.parts.get("day", ""))
        or find_dates(draft.title)
        or find_dates(printed_day[1] if printed_day else "")
    )
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
    drafts, section = [], _find_section(lines[: begins[0]]) or ""
    for first, end in pairwise([*begins, len(lines)]):
        below = _find_section(lines[first:end]) if end < len(lines) else None
        drafts.append(_gather(lines[first : end - 2 if below else end], section))
        section = section if below is None else below
    return _join_lines(lines[: begins[0]]), drafts


def _find_section(lines: Sequence[_Line]) -> str | None:
    """Return the heading that ends some lines, if it names what the rulings below it are on.

    Of another heading return "".
    """
    gap, line, end = lines[-3:] if len(lines) > 2 else [_Line("-", 0)] * 3
    if gap.text or end.text or line.part or not line.text or line.text[-1] in ".?!:;":
        return None
    return line.text if _SECTION.fullmatch(line.text) else ""


def _find_rows(printed: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the rows of a table of rulings, whose first names its columns; none without one."""
    rows = [row for row in printed if row[1].startswith("|") and any(map(str.isalnum, row[1]))]
    for at, (_, text) in enumerate(rows):
        if _is_head(_split_row(text)):
            return [row for row in rows[at:] if row[1] != text or row is rows[at]]
    return []


def _read_label(text: str, page: int) -> _Line:
    found = _LABEL.match(text)
    if found is None or _ARTICLE.match(text):
        return _Line(text, page)
    word, end = found["word"].casefold(), found["end"]
    number, rest = found["number"] or found["first"] or "", found["rest"]
    if not (number and _is_numbered(found)):  # "Date 4 May 2025", "Decision 5 second time penalty"
        number, rest = "", text[found.end("word") :].lstrip(" \t:.|–—-")
    is_filled = word in _FORMS and (rest[:1].isupper() or rest[:1].isdigit())
    is_letter = len(word) == 1 and not number and not (end or "").strip().startswith(":")
    if is_letter or not (number or end or is_filled):
        return _Line(text, page)
    return _Line(text, page, _PARTS.get(word, ""), word, number, rest)


def _is_numbered(label: re.Match[str]) -> bool:
    """True of a heading's word whose number is not what it is filled in with."""
    word, first = label["word"].casefold(), label["rest"][:1]
    is_begun = first.isupper() or first == "("
    return word in _HEADINGS and (label["end"] is not None or (is_begun and word not in _FORMS))


def _find_beginnings(lines: Sequence[_Line]) -> Iterator[int]:
    """Yield where rulings begin."""
    for at in next(filter(None, _list_beginnings(lines)), [0]):
        while at and lines[at - 1].part in _BEFORE:
            at -= 1
        yield at


def _list_beginnings(lines: Sequence[_Line]) -> Iterator[list[int]]:
    """Yield where rulings may begin: at numbered headings, else questions, else what is printed
    once before each answer, else articles, else the paragraphs before the answers.
    """
    headed = next((line.word for line in lines if line.is_heading), None)
    yield [at for at, line in enumerate(lines) if line.is_heading and line.word == headed]
    answers = [at for at, line in enumerate(lines) if line.part == "answer"]
    yield [at for at, line in enumerate(lines) if line.part == "question" and answers]
    yield _find_forms(lines, answers) if len(answers) > 1 else []
    named = [at for at, line in enumerate(lines) if _ARTICLE.match(line.text)]
    yield named if len(named) > 1 else []
    yield [_find_paragraph(lines, answer) for answer in answers if len(answers) > 1]


def _find_forms(lines: Sequence[_Line], answers: Sequence[int]) -> list[int]:
    """Return the lines that are alike but for numbers and printed once before each answer, as
    "Document 34" is; of several kinds the first printed.
    """
    kinds: defaultdict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines[: answers[-1]]):
        kinds[line.word or re.sub(r"[\d\s]+", " ", line.text.casefold())].append(at)
    once = range(len(answers))
    return next(
        (
            places
            for kind, places in kinds.items()
            if kind.strip() and [bisect(answers, at) for at in places] == [*once]
        ),
        [],
    )


def _find_paragraph(lines: Sequence[_Line], answer: int) -> int:
    """Return the first line of the paragraph that is before an answer, or that it ends."""
    at = answer - 1 if answer and not lines[answer - 1].text else answer
    while at and lines[at - 1].text and not lines[at - 1].part:
        at -= 1
    return at


def _gather(lines: Sequence[_Line], section: str) -> _Draft:
    """Return the ruling of some lines; a part ends at the next label, what is short at a gap.

    Where it has no articles of its own, it is on that of its section.
    """
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
    named = first.text if _NAME.fullmatch(first.text) and not _ARTICLE.match(first.text) else ""
    named = f"{first.word.capitalize()} {first.number}" if first.is_heading else named
    parts["day"] = parts.get("day", "") or (first.rest if first.is_heading else "")
    text = "\n".join(filter(None, (section, _join_lines(lines))))
    if section:
        parts.setdefault("articles", section)
    return _Draft(named or parts.get("number", ""), first.page, text, parts)


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


def _name_columns(heads: Sequence[str]) -> list[str]:
    """Return the part that each column holds, by what its head says: "Rule", "Article no.".

    A head of two or three words names the first part that no other column is named by alone. Two
    columns may be a form: "Decision | No breach". A part has one column: another one that would
    name it has its place behind its head.
    """
    named = [_PARTS.get(head.casefold().rstrip(".:"), "") for head in heads]
    for at, head in enumerate(heads):
        words = re.findall(r"\w{2,}", head.casefold())
        meant = [
            _PARTS[word] for word in words if word in _PARTS and len(words) <= 3 and len(heads) > 2
        ]
        named[at] = named[at] or next((part for part in meant if part not in named), head)
    folded = [part.casefold() for part in named]
    return [
        f"{heads[at]} {at + 1}" if one in folded[:at] else named[at]
        for at, one in enumerate(folded)
    ]


def _is_head(cells: Sequence[str]) -> bool:
    """True of a row that names its columns: that of the answers, and what these are on."""
    parts = set(_name_columns(cells))
    return "answer" in parts and bool(parts & {"question", "articles"})


def _read_rows(table: Iterator[Sequence[str]], name: str) -> Iterator[_Draft]:
    """Yield the rulings of a table, one of whose first rows names its columns. Raises SheetError.

    The words of a column that is no part of a ruling are told too.
    """
    first = [[cell.strip() for cell in cells] for cells in islice(table, _MOST_ROWS_BEFORE)]
    at = next((at for at, cells in enumerate(first) if _is_head(cells)), 0)
    printed = first[at] if first else []
    header = [part.casefold() for part in _name_columns(printed)]
    labels = dict(zip(header, printed, strict=True))
    others = [column for column in labels if column and column not in COLUMNS]
    columns = [*COLUMNS, *(others if "answer" in header else ())]
    rows = name_cells(
        chain([header], first[at + 1 :], table), name, columns, ("answer",), _LONGEST_CELL
    )
    for row in rows:
        parts = {part: " ".join(words.split()) for part, words in row.items() if words}
        told = (f"{labels[part].capitalize()}: {parts[part]}" for part in _TOLD if part in parts)
        more = (f"{labels[column]}: {parts[column]}" for column in others if column in parts)
        yield _Draft(parts.get("number", ""), None, "\n".join((*told, *more)), parts)
