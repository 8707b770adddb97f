"""The numbers and duty words of sentences that cite an article, checked as those of drafts are."""

from collections.abc import Sequence

from core.grammar import (
    WrittenNumber,
    find_figures,
    read_sentence,
    remove_quantities,
    split_sentences,
)
from core.library import MIN_COVERAGE, Document, Hit, content_words, coverage
from core.rulebook import Clause
from core.verification import DraftCheck, Evidence, KeptSentences, check_draft, parse_draft

_CHECKED = ("number", "duty", "force")
"""The kinds of checks of a draft that are made of a sentence."""


def find_misstatement(
    sentence: str, clauses: Sequence[tuple[Document, Clause]], kept: KeptSentences
) -> str:
    """Return what a sentence says otherwise than the articles that it cites; empty for nothing.

    `clauses` are those articles, with what is below them; `kept` are their sentences as parsed with
    their documents. A sentence that is on another matter than they are and only points to them says
    nothing of them.
    """
    words = content_words(remove_quantities(sentence))
    rules = (f"{c.title} {rule}" for _, c in clauses for rule in split_sentences(c.text))
    if max((coverage(words, rule) for rule in rules), default=0.0) < MIN_COVERAGE:
        return ""
    evidence = Evidence()
    hits = [Hit(clause, 1.0, "exact") for _, clause in clauses]
    labels = {document.document_id: document.label for document, _ in clauses}
    sources = evidence.add_hits(hits, labels)
    markers = "".join(f" [{source.marker}]" for source in sources)
    draft = f"{' '.join(sentence.split())}{markers}"
    checks = check_draft(parse_draft(draft, (), evidence, kept), evidence, "")
    figures = find_figures(draft)
    passed = {check.subject for check in checks if check.kind == "number" and check.passed}
    failed = (check for check in checks if not check.passed and check.kind in _CHECKED)
    wrong = (check.message for check in failed if not _is_own(check, draft, figures, passed))
    return next(wrong, "")


def _is_own(
    check: DraftCheck, draft: str, figures: Sequence[WrittenNumber], passed: set[str]
) -> bool:
    """True of a number that a sentence says of its own subject, not of the rule.

    It says no limit with it; and it says a number of the rule beside it, or speaks of no duty.
    """
    if check.kind != "number":
        return False
    sentence = read_sentence(draft)
    asserted = {one.start for one in sentence.amounts if one.is_compared}
    names = {str(figure.quantity or figure.text): figure.start for figure in figures}
    if names.get(check.subject) in asserted:
        return False
    return bool(passed & names.keys()) or not sentence.duties
