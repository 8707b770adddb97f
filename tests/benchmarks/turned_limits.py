"""How many limits that are turned round the check of a draft notices, and its false alarms.

    .venv/bin/python tests/benchmarks/turned_limits.py [PDF ...] [--library DIR] [--missed]

Of each rulebook (the samples and three of ../shared without PDF) every sentence of prose is taken
with one limit that `python -m core limits --json` lists, if the comparison at its number ("at
least", "no more than") gives the direction that is listed. It is exchanged for its opposite; the
sentence is cited as it is in its clause, and the turned one is given to
the checks of a draft. It is noticed if a check fails. False alarms are failed
checks of 200 sentences with limits that are left unchanged.

Measured at the version before the reader of rules (sentences turned, noticed):

    fia_f1_2024_technical_iss07        161   121   75 %
    FS-Rules_2022_v1.0                 129    84   65 %
    lions_bylaws                         4     3   75 %
    samples, sporting, three issues    106    63   59 %
    samples, technical, three issues   162   129   80 %
    all                                562   400   71 %   no false alarm of 200

The library is made in a temporary folder, or in DIR and kept there. With --missed all that is not
noticed and all false alarms are listed.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.library import Document, Hit, Library, add_file
from core.rulebook import Clause
from core.verification import Evidence, cite
from tests.verification.drafts import verify

SHARED = ROOT.parent / "shared"
RULEBOOKS = (
    "rulebooks_wide/FS-Rules_2022_v1.0.pdf",
    "rulebooks_wide/lions_bylaws.pdf",
    "rulebooks/fia_f1_2024_technical_iss07_2024-07-31.pdf",
)
SEED, UNCHANGED = 36, 200
LOW, HIGH = "low", "high"
"""Which end of what is allowed a limit sets."""
SIDES = {"at least": LOW, "more than": LOW, "at most": HIGH, "less than": HIGH}

_COMPARED = {
    "more": "less",
    "fewer": "more",
    "greater": "less",
    "larger": "smaller",
    "bigger": "smaller",
    "higher": "lower",
    "longer": "shorter",
    "wider": "narrower",
    "thicker": "thinner",
    "heavier": "lighter",
    "later": "earlier",
    "older": "younger",
    "taller": "shorter",
    "deeper": "shallower",
    "faster": "slower",
}
_OPPOSITES = {opposite: word for word, opposite in _COMPARED.items()} | _COMPARED
_DOWNWARDS = {"fewer", *_COMPARED.values()} - {"more"}
"""Comparatives of less: what is allowed ends at the amount."""

COMPARISONS: tuple[tuple[str, str, str], ...] = (
    (r"not (?:to )?exceed(?:ing)?", "not be less than", HIGH),
    (r"at least", "at most", LOW),
    (r"at most", "at least", HIGH),
    (r"up to", "at least", HIGH),
    (r"minimum", "maximum", LOW),
    (r"maximum", "minimum", HIGH),
    (r"(?<!\d)(?<!\d\s)min(?=[\s.])", "max", LOW),
    (r"max(?=[\s.])", "min", HIGH),
    (r"(?:limited|restricted) to", "no less than", HIGH),
    (
        r"within(?= (?:the (?:first|next|last) )?(?:\d|one|two|three|four|five|ten))",
        "in not less than",
        HIGH,
    ),
    (r"or (?:more|greater|higher|larger|above|longer)", "or less", LOW),
    (r"or (?:less|fewer|lower|smaller|below|shorter)", "or more", HIGH),
    (r"≥|>=", "≤", LOW),
    (r"≤|<=", "≥", HIGH),
)
"""Words that compare, what turns them round, and which end they set; the first that fits counts."""
DENIABLE: tuple[tuple[str, str, str], ...] = (
    (r"above|over|in excess of", "below", LOW),
    (r"below|under", "above", HIGH),
    (r"exceeds", "is less than", LOW),
    (r"exceed", "be less than", LOW),
)
"""Words that set the other end after a denial."""
_DENIED_BEFORE = re.compile(r"(?i)\b(?:no|not|never|nor|cannot)\b[^,;:.]*$")
_NOUN = re.compile(r"(?i)m(?:in|ax)(?:imum)?$")
NEAR_BEFORE, NEAR_AFTER, NEAR_NOUN = 45, 20, 250
"""Characters from a comparison to its number, from a number to it, and from "minimum" to it."""
_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class AmountComparison:
    """Words of a sentence that compare: what turns them round, and which end they set."""

    start: int
    end: int
    opposite: str
    side: str


@dataclass(frozen=True)
class LimitSentence:
    """A sentence of a clause with the limits that the register lists of it."""

    document: Document
    clause: Clause
    words: str
    limits: tuple[Mapping[str, Any], ...]


def find_comparisons(sentence: str) -> list[AmountComparison]:
    """Return the comparisons of a sentence, none inside another."""
    found: list[AmountComparison] = []

    def add(match: re.Match[str], opposite: str, side: str) -> None:
        if all(match.end() <= one.start or one.end <= match.start() for one in found):
            found.append(AmountComparison(*match.span(), opposite, side))

    for pattern, opposite, side in COMPARISONS:
        whole = pattern if pattern[0] in "≥≤" else rf"\b(?:{pattern})\b"
        for match in re.finditer(f"(?i){whole}", sentence):
            add(match, opposite, side)
    compared = ((rf"(?:{word})(?=(?: \w+)? than\b)", *_sides(word)) for word in _OPPOSITES)
    for pattern, opposite, side in (*compared, *DENIABLE):
        for match in re.finditer(rf"(?i)\b(?:{pattern})\b", sentence):
            is_denied = bool(_DENIED_BEFORE.search(sentence[: match.start()]))
            add(match, opposite, (LOW if side == HIGH else HIGH) if is_denied else side)
    return found


def _sides(word: str) -> tuple[str, str]:
    """Return the opposite of a comparative, and which end it sets where nothing is denied."""
    return _OPPOSITES[word], HIGH if word in _DOWNWARDS else LOW


def turn_round(sentence: str, value: float, side: str) -> str:
    """Return a sentence with the comparison of its number turned; empty if it has none.

    The comparison is the nearest to the number; it must set the `side`. A "minimum" or "maximum"
    before it that sets the same is turned too.
    """
    comparisons = find_comparisons(sentence)
    nouns = [one for one in comparisons if _NOUN.match(sentence[one.start : one.end])]
    near = [
        (distance, one)
        for start, end in _find_numbers(sentence, value)
        for one in comparisons
        if (distance := _find_distance(one, start, end, is_noun=one in nouns)) is not None
    ]
    if not near:
        return ""
    _, nearest = min(near, key=lambda pair: pair[0])
    if nearest.side != side:
        return ""
    turned = {one for one in nouns if one.start < nearest.start and one.side == side} | {nearest}
    for one in sorted(turned, key=lambda one: -one.start):
        opposite = one.opposite
        if sentence[one.start].isupper():
            opposite = opposite[0].upper() + opposite[1:]
        sentence = sentence[: one.start] + opposite + sentence[one.end :]
    return sentence


def _find_distance(one: AmountComparison, start: int, end: int, *, is_noun: bool) -> int | None:
    """Return how far a comparison is from a number; None where it is too far."""
    if one.end <= start <= one.end + (NEAR_NOUN if is_noun else NEAR_BEFORE):
        return start - one.end
    return one.start - end if end <= one.start <= end + NEAR_AFTER else None


def _find_numbers(sentence: str, value: float) -> list[tuple[int, int]]:
    """Return where a number is in a sentence, in figures or words."""
    found = []
    for match in re.finditer(r"\d+(?:[ ,]\d{3})*(?:\.\d+)?", sentence):
        if float(re.sub(r"[ ,]", "", match[0])) == abs(value):
            found.append(match.span())
    if value in range(len(_WORDS)):
        words = re.finditer(rf"(?i)\b{_WORDS[int(value)]}\b", sentence)
        found += [match.span() for match in words]
    return found


def list_limits(library: Library, document: Document) -> list[Mapping[str, Any]]:
    """Return the rows that the command line lists of a document's register."""
    command = [sys.executable, "-m", "core", "limits", document.document_id, "--json"]
    env = {**os.environ, "SCRUTINEER_DATA_DIR": str(library.folder.resolve())}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def list_sentences(library: Library, document: Document) -> Iterator[LimitSentence]:
    """Yield the sentences of prose with limits that are in one line of a clause in force."""
    clauses = library.clauses(document.document_id)
    rows = defaultdict(list)
    for row in list_limits(library, document):
        if row["source"] == "prose" and row["in_force"]:
            rows[row["article"], row["quote"]].append(row)
    for (article, quote), limits in rows.items():
        words = " ".join(quote.split())
        near = (one for one in clauses if article.startswith(one.article))
        clause = next((one for one in near if words in " ".join(one.text.split())), None)
        if clause and "…" not in words:
            yield LimitSentence(document, clause, quote, tuple(limits))


def fail_checks(sentence: LimitSentence, draft: str) -> tuple[str, ...]:
    """Return what is wrong with a draft that cites a sentence."""
    evidence, document = Evidence(), sentence.document
    labels = {document.document_id: document.label}
    [source] = evidence.add_hits([Hit(sentence.clause, 1.0, "exact")], labels)
    draft = f"{' '.join(draft.split())} [{source.marker}]"
    checks = verify(draft, [cite(source, sentence.words)], evidence, "")
    return tuple(check.message for check in checks if not check.passed)


def make_library(folder: Path, files: Sequence[Path]) -> tuple[Library, list[Document]]:
    """Return a library with the files, and their documents; only missing ones are added."""
    library = Library(folder)
    held = {document.file for document in library.documents()}
    for file in files:
        if file.name not in held:
            print(*(f"{one.file}: {one.status}" for one in add_file(library, file)), flush=True)
    names = {file.name for file in files}
    return library, [one for one in library.documents() if one.file in names]


def measure(library: Library, documents: Sequence[Document], *, is_listed: bool) -> None:
    """Print the figures for each document, and of all."""
    sums: Counter[str] = Counter()
    everything: list[LimitSentence] = []
    for document in documents:
        counts: Counter[str] = Counter()
        for sentence in list_sentences(library, document):
            everything.append(sentence)
            words, limit = sentence.words, sentence.limits[0]
            if len(sentence.limits) > 1 or limit["relation"] not in SIDES:
                continue
            counts["directed"] += 1
            if not (turned := turn_round(words, limit["value"], SIDES[limit["relation"]])):
                continue
            counts["turned"] += 1
            if fail_checks(sentence, turned):
                counts["noticed"] += 1
            elif is_listed:
                print(f"missed {sentence.clause.article}: {' '.join(turned.split())}")
        print(f"{document.file:42} {_describe(counts)}", flush=True)
        sums += counts
    print(f"{'all':42} {_describe(sums)}")
    drawn = random.Random(SEED).sample(everything, min(UNCHANGED, len(everything)))
    alarms = [(one, messages) for one in drawn if (messages := fail_checks(one, one.words))]
    print(f"{len(alarms)} false alarms of {len(drawn)} unchanged sentences")
    for sentence, messages in alarms if is_listed else ():
        print(f"alarm {sentence.clause.article}: {' '.join(sentence.words.split())} | {messages}")


def _describe(counts: Counter[str]) -> str:
    share = 100 * counts["noticed"] / max(counts["turned"], 1)
    return (
        f"{counts['directed']:4} sentences with one directed limit, {counts['turned']:4} turned,"
        f" {counts['noticed']:4} noticed ({share:.1f} %)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--missed", action="store_true")
    options = parser.parse_args()
    files = options.files
    if not files:
        files = sorted((ROOT / "data/samples").glob("*.pdf"))
        for name in RULEBOOKS:
            if (SHARED / name).exists():
                files.append(SHARED / name)
            else:
                print(f"Skipped: {SHARED / name} is not there.")
    with tempfile.TemporaryDirectory() as folder:
        made = make_library(options.library or Path(folder, "library"), files)
        measure(*made, is_listed=options.missed)


if __name__ == "__main__":
    main()
