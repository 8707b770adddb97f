"""The words to quote from a clause: all of them, or as much around the best sentence as fits."""

import re
from collections.abc import Sequence

from core.agent.models.offline.excluded_conditions import opposes_condition
from core.agent.question import Question
from core.grammar import has_marker, list_parts, split_sentences
from core.library import OMISSION_MARK, coverage
from core.verification import Source

MAX_QUOTE_WORDS = 120
"""A clause up to this length is quoted whole, a longer one from its best sentence on."""
MAX_FIRST_QUOTE_WORDS = 300
"""The same for the first quote: what a rule says at its end may be what was asked for."""

_BULLET = re.compile(r"[•▪◦‣·–—-]\s")
NEAR_BONUS = 0.3
"""What the nearest piece is worth, in words of the question: of 362 questions that rules answer the
quotes of five more held the answer than where it came before any word, and of none fewer."""


def extract_passage(
    question: Question, source: Source, best_sentence: str = "", max_words: int = MAX_QUOTE_WORDS
) -> str:
    """Return the words to quote from a clause, lines kept: all, or as much as fits.

    A long clause is quoted from `best_sentence` on, else from the sentence with most of the words;
    to be in the piece whose meaning is nearest to the question's is worth NEAR_BONUS. One for the
    opposite of a condition that the question excludes comes after all others.
    A table is quoted whole, from its header on; so is the lettered item that the sentence is in
    with all that is below it, up to twice as long. Before an item is quoted what leads to it.
    """

    def share(text: str) -> float:
        return coverage(question.words, text, question.weights)

    entries = source.text.split(OMISSION_MARK)
    has_best = [bool(best_sentence) and best_sentence in entry for entry in entries]
    ranks = [(has, share(entry)) for has, entry in zip(has_best, entries, strict=True)]
    text = source.text if len(entries) == 1 else entries[ranks.index(max(ranks))].strip()
    if len(text.split()) <= max_words:
        return add_lead_ins(source, text)
    numbered = [
        (number, piece)
        for number, line in enumerate(text.split("\n"))
        for piece in split_sentences(line)
    ]
    pieces = [piece for _, piece in numbered]
    near = " ".join(source.near_words.split())
    opposed = opposes_condition(question.text, pieces, str)

    def rank(index: int) -> tuple[bool, bool, float, int]:
        piece = pieces[index]
        points = share(piece) + NEAR_BONUS * (" ".join(piece.split()) in near)
        return piece == best_sentence, not opposed[index], points, -index

    best = max(range(len(pieces)), key=rank)
    first = _first_piece(pieces, best)
    last = _last_piece(pieces, first, best, max_words)
    of_lines = list_parts(text)
    parts = [of_lines[line] for line, _ in numbered]
    if item := parts[best]:
        end = max(n for n, part in enumerate(parts) if part.startswith(item))
        if _count_words(pieces[first : end + 1]) <= 2 * MAX_QUOTE_WORDS:
            last = max(last, end)
    return add_lead_ins(source, text_between(text, pieces[first], pieces[last]))


def add_lead_ins(source: Source, passage: str) -> str:
    """Return an item of a list behind the lines that lead to it, the outermost first.

    It says what it is only with these: "The following is prohibited: [...] c) ...". Words from
    within an item, or of which it is in doubt what leads to them, are returned as they are.
    """
    if source.text.startswith(passage):
        return _join_lines(*source.lead_in, passage)
    before, *others = source.text.split(passage)  # of two places either may be the one quoted
    if len(others) != 1 or not before.endswith("\n"):
        return passage
    within = _find_lead_ins(source.text, before.count("\n"))
    return _join_lines(*source.lead_in, *within, passage) if within else passage


def _join_lines(*lines: str) -> str:
    return f"\n{OMISSION_MARK}".join(lines)


def _find_lead_ins(text: str, line: int) -> list[str]:
    """Return the line that leads to each list which a line of a text begins an item of."""
    lines = text.split("\n")[: line + 1]
    if _has_later_list(lines[:-1]):
        return []
    parts = list_parts(text)[: line + 1]
    found: list[str] = []
    lead = _line_before_list(lines, parts, line)
    while lead is not None and lines[lead].endswith(":"):
        found.insert(0, lines[lead])
        lead = _line_before_list(lines, parts, lead)
    return found


def _has_later_list(lines: Sequence[str]) -> bool:
    """True where a line after an item, or one with a bullet, leads to another list.

    Which of both has what follows cannot be told.
    """
    leads = [number for number, words in enumerate(lines) if words.endswith(":")]
    first = next((number for number, words in enumerate(lines) if has_marker(words)), len(lines))
    return any(_BULLET.match(lines[n]) or (n > first and not has_marker(lines[n])) for n in leads)


def _line_before_list(lines: Sequence[str], parts: Sequence[str], line: int) -> int | None:
    """Return the last line above the list that a line begins an item of; None if it begins none."""
    own: list[int] = []
    if _BULLET.match(lines[line]):
        own = [number for number in range(line) if not _BULLET.match(lines[number])]
    elif parts[line] and parts[line] not in parts[:line]:
        outer = parts[line][: parts[line].rfind(")", 0, -1) + 1]
        own = [
            number
            for number in range(line)
            if parts[number] == outer and not _BULLET.match(lines[number])
        ]
    return own[-1] if own else None


def _first_piece(pieces: Sequence[str], best: int) -> int:
    """Return where a quote starts: for a table row at the header or the sentence before it."""
    first = best
    if pieces[best].startswith("|"):
        while first and pieces[first - 1].startswith("|"):
            first -= 1
        if first and pieces[first - 1].endswith(":"):
            first -= 1
    return first


def _last_piece(pieces: Sequence[str], first: int, best: int, max_words: int) -> int:
    """Return where a quote ends: after so many words, but never within a table."""
    last = best
    while last + 1 < len(pieces):
        in_table = pieces[last].startswith("|") and pieces[last + 1].startswith("|")
        if _count_words(pieces[first : last + 2]) > max_words and not in_table:
            break
        last += 1
    return last


def _count_words(pieces: Sequence[str]) -> int:
    return sum(len(piece.split()) for piece in pieces)


def text_between(text: str, first: str, last: str) -> str:
    """Return the text from one of its pieces to another."""
    start = text.find(first)
    end = text.find(last, start)
    return text[start : end + len(last)] if start >= 0 <= end else first
