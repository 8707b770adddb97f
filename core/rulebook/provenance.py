"""What the report says of a file beside its pages: who signed it, and what else it brings."""

from collections import defaultdict
from dataclasses import replace

from core.rulebook.types import Provenance, ReadingWarning, Rulebook

_MAX_LISTED = 12  # articles in a sentence


def signed_part(data: bytes, provenance: Provenance) -> bytes:
    """Return the file as it was signed where something follows the signature, else nothing."""
    end = provenance.signed_bytes
    changed = 0 < end < len(data) and data[end:].strip(b"\x00\t\n\f\r ")
    return data[:end] if changed else b""


def add_provenance(rulebook: Rulebook, provenance: Provenance) -> Rulebook:
    """Return the rulebook with counts of what its file brings beside its pages."""
    names = ("signatures", "scripts", "layers", "attachments", "form_fields")
    counts = {name: getattr(provenance, name) for name in names}
    found = {name: count for name, count in counts.items() if count}
    report = rulebook.report
    return replace(rulebook, report=replace(report, counts={**report.counts, **found}))


def warn_of_changes(rulebook: Rulebook, signed: Rulebook | None) -> Rulebook:
    """Return the rulebook with a warning of what was changed in it after it was signed."""
    finding = "what the signed part says cannot be read"
    if signed is not None:
        old, new = _words_by_article(signed), _words_by_article(rulebook)
        articles = [name for name in {**new, **old} if old.get(name) != new.get(name)]
        more = f" and {len(articles) - _MAX_LISTED} more" if len(articles) > _MAX_LISTED else ""
        listed = ", ".join(articles[:_MAX_LISTED]) + more
        finding = f"the rules that differ are {listed}" if articles else "no rule differs"
    message = f"This file was changed after it was signed: {finding}."
    warning = ReadingWarning("changed_after_signing", None, message)
    report = rulebook.report
    return replace(rulebook, report=replace(report, warnings=(*report.warnings, warning)))


def _words_by_article(rulebook: Rulebook) -> dict[str, list[tuple[str, str, str]]]:
    """Return the words of each article and whether they are in force, clause by clause."""
    words: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for clause in rulebook.clauses:
        words[clause.article].append((clause.title, clause.text, clause.status))
    return words
