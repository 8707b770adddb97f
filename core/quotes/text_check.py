"""Judge the quotes and the citations of a text against the rulebooks of a library."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from operator import eq

from core.errors import ReadError
from core.grammar import (
    ArticleCitation,
    article_label,
    articles_in,
    candidate_numbers,
    canonical_number,
    extract_part,
    find_references,
    split_reference,
)
from core.library import (
    Document,
    Hit,
    Scope,
    ScopeChoice,
    diff_texts,
    find_missing_editions,
    find_missing_series,
    parse_query_filters,
    resolve_scope,
)
from core.quotes.passages import find_passages, own_numbers
from core.quotes.rule_texts import NearPlace, Occurrence, RuleTexts, find_nearest
from core.quotes.sentence_check import find_misstatement
from core.quotes.types import CheckedPassage, CitedArticle, Finding, Quote, RulePlace
from core.quotes.wordings import fold_words, normalize_typography
from core.registers import LayerNote, list_layer_notes
from core.rulebook import Clause
from core.verification import Evidence, cite

MAX_TEXT = 500_000
"""Characters of a text that is checked: a long report. To look through 400 KB of prose takes 0.6 s
(`tests/benchmarks/quotes.py --growth`)."""
MIN_WORDS, MIN_LETTERS = 3, 12
"""From here on a passage in quotation marks is a quote, below it a term."""
_MAX_COMPARED = 300
"""Words of a quote that are compared with rules one by one: half a page."""
_ELISION = re.compile(r"\s*[\[(]\s*(?:\.\s?\.\s?\.|…)\s*[\])]\s*|\s*(?:\.\s?\.\s?\.|…)\s*")
_INSERTION = re.compile(r"\[[^\]\n]*\]")
_DIFFERENCE = {"same": "{}", "deleted": "[-{}-]", "inserted": "{{+{}+}}"}
_CONTEXT_WORDS = 6


def check_text(
    rules: RuleTexts,
    text: str,
    choice: ScopeChoice = ScopeChoice(),  # noqa: B008  # a value
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[CheckedPassage, ...]:
    """Return every quote and every cited article of a text with its finding, in order.

    An edition that a sentence names is the one it is held against, then that of its paragraph, then
    that which the text names first; without any, what `choice` selects. Raises LibraryError,
    ReadError `too_large`, and `cancelled` once `should_stop`, which is asked for each passage.
    """
    if len(text) > MAX_TEXT:
        message = f"The text has {len(text):,} characters, and {MAX_TEXT:,} are the most"
        raise ReadError(f"{message}: check it in parts.", code="too_large")
    with rules.library.pin_state():
        return _TextCheck(rules, choice, text, should_stop).run()


@dataclass(frozen=True, slots=True)
class _Claim:
    """Where words are said to stand: the documents, and what is named and not held."""

    documents: tuple[Document, ...]
    missing: str = ""


class _TextCheck:
    """The check of one text."""

    def __init__(
        self, texts: RuleTexts, choice: ScopeChoice, text: str, should_stop: Callable[[], bool]
    ) -> None:
        self._texts, self._choice, self._text = texts, choice, text
        self._should_stop = should_stop
        self._named_scope, self._claim = cache(self._read_scope), cache(self._read_claim)
        self._own_numbers = own_numbers(text)
        self._default = self._governing_documents()
        chosen = resolve_scope(texts.documents, choice) if choice != ScopeChoice() else None
        of_scope = (chosen.ids, chosen.day) if chosen else ()
        self._notes = list_layer_notes(texts.library, *of_scope)
        self._amended = [
            ("".join(letters_of_parts(note.amended)), clause_id, note)
            for clause_id, notes in self._notes.items()
            for note in notes
            if note.kind == "overridden" and note.amended
        ]

    def run(self) -> tuple[CheckedPassage, ...]:
        quotes, citations = find_passages(self._text, self._stands, self._texts.holds_article)
        checked = [result for quote in quotes if (result := self._check_quote(quote)) is not None]
        by_sentence = groupby(citations, lambda one: (one.sentence, one.paragraph))
        for sentence in sorted((list(cited) for _, cited in by_sentence), key=self._documents_of):
            checked += self._check_sentence(sentence)
        return tuple(sorted(map(self._judge_layers, checked), key=lambda one: (one.start, one.end)))

    def _judge_layers(self, checked: CheckedPassage) -> CheckedPassage:
        """Return a passage that stands as rules of other layers leave it."""
        if not checked.stands or checked.place is None:
            return checked
        notes = self._list_notes(checked)
        words, is_quote = checked.place.words, checked.kind == "quote"
        said = "; ".join(filter(None, (checked.difference, *(note.caution for note in notes))))
        if any(note.kind == "overridden" and (is_quote or note.covers(words)) for note in notes):
            return replace(checked, finding="overridden", difference=said)
        is_open = any(note.is_against for note in notes)
        return replace(checked, finding="unsettled" if is_open else "stands", difference=said)

    def _list_notes(self, checked: CheckedPassage) -> list[LayerNote]:
        """Return what rules of other layers mean for the rule that a passage was held against."""
        if checked.place is None:
            return []
        words = checked.text if checked.kind == "quote" else checked.place.words
        clause_id = checked.place.clause.clause_id
        notes = self._notes.get(clause_id, ())
        return [note for note in notes if note.clause_id != clause_id and note.is_about(words)]

    def _list_changed(self, checked: CheckedPassage) -> Iterator[tuple[Document, Clause]]:
        """Yield the rules of other layers beside the one of a passage, as they have it read."""
        for note in self._list_notes(checked):
            clause = self._texts.library.clause(note.clause_id)
            if note.is_against and clause:
                text = note.amended or clause.text
                yield self._texts.library.document(note.document_id), replace(clause, text=text)

    def _governing_documents(self) -> tuple[Document, ...]:
        """Return the documents that a sentence is about which names none."""
        documents = self._texts.documents
        default = resolve_scope(documents, self._choice).documents
        if self._choice != ScopeChoice():
            return default
        for paragraph in re.split(r"\n\s*\n", self._text):
            scope = self._named_scope(paragraph)
            if scope is not None and scope.documents:
                families = {document.family for document in scope.documents}
                rest = (document for document in default if document.family not in families)
                return (*scope.documents, *rest)
        return default

    def _read_scope(self, words: str) -> Scope | None:
        """Return the documents that some words name; None where they name none."""
        documents = self._texts.documents
        is_named = parse_query_filters(words, documents).choices
        return resolve_scope(documents, self._choice, words) if is_named else None

    def _documents_of(self, cited: Sequence[CitedArticle]) -> list[str]:
        """Return the documents of a sentence: those of one document are read one after another."""
        claim = self._claim(cited[0].sentence, cited[0].paragraph)
        return [document.document_id for document in claim.documents]

    def _read_claim(self, sentence: str, paragraph: str) -> _Claim:
        if name := self._texts.find_unheld_name(sentence):
            return _Claim((), f"the library holds no {name}")
        if missing := self._missing_rulebook(sentence):
            return _Claim((), missing)
        for words in (sentence, paragraph):
            scope = self._named_scope(words)
            if scope is not None:
                return _Claim(scope.documents, "" if scope.documents else scope.why)
        if missing := ", ".join(find_missing_editions(sentence, self._texts.documents)):
            return _Claim((), f"the library holds no document of {missing}")
        return _Claim(self._default)

    def _missing_rulebook(self, sentence: str) -> str:
        """Return the rulebook that a sentence names and the library lacks; "" for none."""
        if series := find_missing_series(sentence, self._texts.documents):
            return f"the library holds no rulebook of {', '.join(series)}"
        names = (split_reference(one)[1] for one in find_references(sentence))
        for name in filter(None, names):
            if articles_in(name):
                continue  # an appendix, not a rulebook
            bare = re.sub(r"^(?:the|these|this)\s+", "", name)
            is_held = self._texts.is_title(word for word in bare.split() if not word.isupper())
            is_named = len(bare.split()) > 1 and not is_held
            if is_named and not parse_query_filters(name, self._texts.documents).choices:
                return f"the library holds no {name}"
        return ""

    def _stands(self, words: str) -> bool:
        self._heed_stop()
        parts = letters_of_parts(words)
        return sum(map(len, parts)) >= MIN_LETTERS and self._texts.stands_anywhere(parts)

    def _heed_stop(self) -> None:
        if self._should_stop():
            raise ReadError("The check was stopped.", code="cancelled")

    def _check_quote(self, quote: Quote) -> CheckedPassage | None:
        self._heed_stop()
        parts = letters_of_parts(quote.text)
        size = sum(map(len, parts))
        words = fold_words(normalize_typography(quote.text))
        is_quote = len(words) >= MIN_WORDS and size >= MIN_LETTERS
        has_number = any(word.word[0].isdigit() for word in words)
        if not parts or not (is_quote or (quote.citations and has_number)):
            return None
        claim = self._claim(quote.context, quote.paragraph)
        found = self._find_quote(quote, parts, claim)
        if found is None and self._texts.is_title(word.word for word in words):
            return None
        result = found or CheckedPassage("quote", "", 0, 0, "no_source")
        if claim.missing and not result.stands:
            where = f"; {result.difference}" if result.place else ""
            result = replace(result, finding="not_held", difference=f"{claim.missing}{where}")
        return replace(result, text=quote.text, start=quote.start, end=quote.end)

    def _find_quote(
        self, quote: Quote, parts: Sequence[str], claim: _Claim
    ) -> CheckedPassage | None:
        """Find a quote in the rules, else in their amendments and rulings, else in other words."""
        return (
            self._find_exact(quote, parts, claim)
            or self._find_amended(quote, parts)
            or self._find_ruling(parts)
            or self._find_altered_quote(quote, claim)
        )

    def _find_exact(
        self, quote: Quote, parts: Sequence[str], claim: _Claim
    ) -> CheckedPassage | None:
        live, there = self._occurrences(quote, parts, claim.documents)
        if there or (live and not quote.citations):
            return _judge("stands", (there or live)[0])
        lapsed, there = self._occurrences(quote, parts, claim.documents, in_force=False)
        if there or (lapsed and not live):
            return _judge("deleted", (there or lapsed)[0], "not in force")
        return self._find_elsewhere(quote, parts, claim, live)

    def _find_elsewhere(
        self, quote: Quote, parts: Sequence[str], claim: _Claim, live: Sequence[Occurrence]
    ) -> CheckedPassage | None:
        """Find a quote in documents that it is not claimed of; `live` is where it is in those."""
        others = [d for d in self._texts.documents if d not in claim.documents]
        elsewhere, there = self._occurrences(quote, parts, others)
        families = {document.family for document in claim.documents}
        editions = [one for one in there or elsewhere if one.place.document.family in families]
        if changing := self._find_change(quote, (*live, *elsewhere), claim):
            return changing
        if live and not (there and editions):
            return _judge("other_article", live[0], f"stands in {_describe_place(live[0].place)}")
        if elsewhere:
            one = max(editions or elsewhere, key=lambda one: one.place.document.edition)
            finding: Finding = "other_edition" if editions else "other_article"
            return _judge(finding, one, f"stands in {_describe_place(one.place)}")
        past, _ = self._occurrences(quote, parts, others, in_force=False)
        return _judge("deleted", past[0], "not in force") if past else None

    def _find_change(
        self, quote: Quote, found: Sequence[Occurrence], claim: _Claim
    ) -> CheckedPassage | None:
        """Return the rule among those found that takes the place of an article that is cited."""
        cited = [
            note
            for document in claim.documents
            for citation in quote.citations
            for clause in self._texts.of(document).find_article(citation.number)
            for note in self._notes.get(clause.clause_id, ())
        ]
        changing = {note.clause_id: note for note in cited if note.kind == "overridden"}
        one = next((one for one in found if one.place.clause.clause_id in changing), None)
        note = one and changing[one.place.clause.clause_id]
        return _judge("stands", one, f"as changed by {note.place}") if one and note else None

    def _find_ruling(self, parts: Sequence[str]) -> CheckedPassage | None:
        """Find a quote in a ruling, which says how a rule is meant and is none."""
        found = (
            one for texts in self._texts.rulings for one in texts.occurrences(parts, texts.in_force)
        )
        if (one := next(found, None)) is None:
            return None
        ruling, document = one.place.clause, one.place.document
        day = ruling.ruling.day if ruling.ruling else None
        about = ", ".join(filter(None, (ruling.title, document.label, day)))
        judged = _judge("ruling", one, f"stands in a ruling, which is no rule: {about}")
        return replace(judged, article=ruling.title)

    def _find_amended(self, quote: Quote, parts: Sequence[str]) -> CheckedPassage | None:
        """Find a quote in what a rule of another layer makes of a sentence."""
        for letters, clause_id, note in self._amended:
            clause = self._texts.library.clause(clause_id) if _has_parts(letters, parts) else None
            if clause and (not quote.citations or _is_in_articles(clause, quote.citations)):
                document = self._texts.library.document(clause.document_id)
                found = Occurrence(RulePlace(document, clause, clause.text))
                return _judge("stands", found, f"as changed by {note.place}")
        return None

    def _occurrences(
        self,
        quote: Quote,
        parts: Sequence[str],
        documents: Iterable[Document],
        in_force: bool = True,
    ) -> tuple[list[Occurrence], list[Occurrence]]:
        """Return where a quote is in documents, and where of that in the articles it cites."""
        found = [
            one
            for texts in map(self._texts.of, documents)
            for one in texts.occurrences(parts, texts.in_force if in_force else texts.lapsed)
        ]
        return found, [one for one in found if _is_in_articles(one.place.clause, quote.citations)]

    def _find_altered_quote(self, quote: Quote, claim: _Claim) -> CheckedPassage | None:
        text = _ELISION.sub(" ", normalize_typography(quote.text))
        bare = _INSERTION.sub(lambda match: match[0][1:-1] if len(match[0]) <= 3 else " ", text)
        folded = fold_words(normalize_typography(bare))
        words = [word.word for word in folded[:_MAX_COMPARED]]
        nearest = (find_nearest(words, each) for each in self._list_near(words, quote, claim))
        best = next(filter(None, nearest), None)
        if best is None:
            return None
        is_whole = len(folded) <= _MAX_COMPARED
        compared = quote.text if is_whole else bare[: folded[_MAX_COMPARED - 1].end]
        difference = describe_difference(best.words, compared)
        finding: Finding = "stands" if is_whole and not difference else "altered"
        return _judge(finding, Occurrence(best), difference)

    def _list_near(
        self, words: Sequence[str], quote: Quote, claim: _Claim
    ) -> Iterator[Iterator[NearPlace]]:
        """Yield the places that may hold a quote: in what it cites, in its documents, in others."""
        claimed = [self._texts.of(document) for document in claim.documents]
        others = (self._texts.of(d) for d in self._texts.documents if d not in claim.documents)
        yield (
            near
            for texts in claimed
            for citation in quote.citations
            if (clauses := texts.find_article(citation.number))
            for near in texts.list_near(words, texts.in_force, clauses)
        )
        for among in (claimed, others):
            yield (near for texts in among for near in texts.list_near(words, texts.all_wordings))

    def _check_sentence(self, cited: Sequence[CitedArticle]) -> list[CheckedPassage]:
        """Return the findings for the citations of a sentence; its own words are the first's."""
        self._heed_stop()
        checked = [result for one in cited if (result := self._check_citation(one)) is not None]
        held = [one for one in checked if one.stands]
        clauses = [
            (document, clause)
            for one in cited
            for document in self._claim(one.sentence, one.paragraph).documents
            for clause in self._texts.of(document).find_with_descendants(one.citation.number)
        ]
        sentence = cited[0].sentence
        if not held or self._stands(sentence):
            return checked
        wrong = find_misstatement(sentence, clauses, self._texts.find_sentences)
        changed = [said for one in held for said in self._list_changed(one)] if wrong else ()
        if wrong and not (changed and not find_misstatement(sentence, changed, lambda _: {})):
            altered = replace(held[0], finding="altered", difference=wrong)
            checked[checked.index(held[0])] = altered
        return checked

    def _check_citation(self, cited: CitedArticle) -> CheckedPassage | None:
        claim = self._claim(cited.sentence, cited.paragraph)
        number = cited.citation.number
        held = [(d, c) for d in claim.documents for c in self._texts.of(d).find_article(number)]
        live = [(document, clause) for document, clause in held if clause.status == "in_force"]
        whole = CheckedPassage("citation", cited.text, cited.start, cited.end, "stands")
        if live:
            document, clause = live[0]
            part = cited.citation.part
            item = extract_part(clause.text, part) if part else None
            return _locate(whole, RulePlace(document, clause, item or clause.text))
        if held:
            document, clause = held[0]
            result = replace(whole, finding="deleted", difference="not in force")
            return _locate(result, RulePlace(document, clause, clause.text))
        if claim.missing:
            return replace(whole, finding="not_held", difference=claim.missing)
        if number in self._own_numbers:
            return None  # the text's own
        others = (d for d in reversed(self._texts.documents) if d not in claim.documents)
        found = ((d, c) for d in others for c in self._texts.of(d).find_article(number))
        for document, clause in found:
            if clause.status == "in_force":
                place = RulePlace(document, clause, clause.text)
                there = f"stands in {_describe_place(place)}"
                return _locate(replace(whole, finding="other_edition", difference=there), place)
        return replace(whole, finding="no_source") if cited.is_led else None


def letters_of_parts(text: str) -> list[str]:
    """Return the letters of a quote's parts, which elisions and insertions in brackets divide."""
    parts = _ELISION.split(normalize_typography(text))
    divided = (
        piece
        for part in parts
        # Brackets around one letter say that its case was changed: "[T]he".
        for piece in (
            _INSERTION.split(part)
            if any(len(match[0]) > 3 for match in _INSERTION.finditer(part))
            else [part]
        )
    )
    letters = ("".join(word.word for word in fold_words(piece)) for piece in divided)
    return [one for one in letters if one]


def _has_parts(letters: str, parts: Sequence[str]) -> bool:
    """True of the letters of a sentence with those of a quote's parts, in order."""
    for part in parts:
        _, found, letters = letters.partition(part)
        if not found:
            return False
    return True


def _is_in_articles(clause: Clause, citations: Iterable[ArticleCitation]) -> bool:
    """True of a clause that is one of the cited articles, or below one."""
    number = canonical_number(clause.whole_article)
    return any(
        number == wanted or (number.startswith(wanted) and not number[len(wanted)].isalnum())
        for citation in citations
        for wanted in candidate_numbers(citation.number)
    )


def _judge(finding: Finding, found: Occurrence, difference: str = "") -> CheckedPassage:
    """Return the result for a quote, with the words of the rule that its elisions leave out."""
    if finding == "stands" and any(found.left_out):
        difference = "left out: " + " … ".join(f"“{words}”" for words in found.left_out if words)
    return _locate(CheckedPassage("quote", "", 0, 0, finding, difference=difference), found.place)


def _locate(result: CheckedPassage, place: RulePlace) -> CheckedPassage:
    """Return a result with the article, the item and the page of the rule's words."""
    labels = {place.clause.document_id: place.document.citation_label}
    [source] = Evidence().add_hits([Hit(place.clause, 1.0, "exact")], labels)
    citation = cite(source, place.words)
    article = f"{citation.article} {citation.part or ''}".strip()
    return replace(result, place=place, article=article, page=citation.page)


def _describe_place(place: RulePlace) -> str:
    label = article_label(place.clause.article) if place.clause.article else "the text"
    return f"{label}, {place.document.label}"


def describe_difference(rule: str, quote: str) -> str:
    """Return how a quote differs from the words of a rule; empty where no word differs."""
    pieces = diff_texts(rule, normalize_typography(quote), None, eq)
    shown = []
    for piece in pieces:
        words = piece.text.split()
        if piece.kind == "same" and len(words) > 2 * _CONTEXT_WORDS:
            words = [*words[:_CONTEXT_WORDS], "…", *words[-_CONTEXT_WORDS:]]
        if words:
            shown.append(_DIFFERENCE[piece.kind].format(" ".join(words)))
    return " ".join(shown)
