"""How often each word is in the clauses of a scope, and what that says of the words of a query.

Words are spelled as in the index. Nothing here ranks a clause.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import pyarrow as pa
from lancedb import col, lit
from rapidfuzz.distance import OSA

from core.grammar import STOP_WORDS, detect_language, stem_words
from core.library.retrieval.query_expansion import everyday_words, index_tokens, synonyms_of
from core.library.storage.derived import DerivedKind
from core.library.storage.library import Library
from core.library.storage.schema import decode_table, encode_table
from core.library.types import Document, Scope
from core.rulebook import load_english_dictionary

_NAME = re.compile(r"(?<=[\w,;] )[A-Z]\w+|\b\w*[a-z\d][A-Z]\w*|\b[A-Z]{2,}\w*")
"""A capital behind another word of the sentence, or within a word: "Monaco", "MotoGP", "CCPA"."""
_WORDS = pa.schema([("word", pa.string()), ("stems", pa.string()), ("clauses", pa.int32())])
_CLAUSES = b"clauses"
"""Under it a table has the number of the document's clauses in force."""
_LETTERS_A_TYPO = 5
"""A word may have one typing error from one letter less on, two from twice as many: one letter
changed makes another word of a short one."""


@dataclass(frozen=True, eq=False)
class WordCounts:
    """In how many of the `clauses` in force of a scope each word is, `by_word`."""

    clauses: int
    by_word: Mapping[str, int]
    by_language: Mapping[str | None, Mapping[str, int]]
    """The same for the documents in each language, None for those that do not show it."""
    by_stem: Mapping[str, int]
    """In how many the commonest word of each stem is."""

    def has_word(self, word: str) -> bool:
        """True for a word of the scope, one that differs only in its ending, or an everyday one
        that the scope has other words for.
        """
        word = word.lower()
        forms = {word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es")}
        synonyms = (index_tokens(other) for other in synonyms_of(word))
        return bool(forms & self.by_word.keys()) or any(
            self.by_word.keys() >= set(words) for words in synonyms
        )

    def correct_word(self, word: str, language: str | None = None) -> str:
        """Return the word of the scope that a mistyped one is nearest to, else the word itself.

        Where the language of the text is known, only words of documents in it can be meant.

        Of several equally near ones the commonest, always with the first letter unchanged: few
        errors are made there (Pollock and Zamora, 1984). A word of the English list of
        pyspellchecker is taken as it is; loading the list takes a tenth of a second, so it is
        asked last.
        """
        allowed = (len(word) + 1) // _LETTERS_A_TYPO
        if not allowed or not word.isalpha() or self.has_word(word):
            return word
        near = [
            (distance, -count, other)
            for other, count in self._words_in(language).items()
            if other[0] == word[0] and abs(len(other) - len(word)) <= allowed and other.isalpha()
            if (distance := OSA.distance(word, other, score_cutoff=allowed)) <= allowed
        ]
        return min(near)[2] if near and not load_english_dictionary()(word) else word

    def find_typing_errors(self, text: str) -> dict[str, str]:
        """Return the mistyped words of a text, each with the word of the scope that is meant.

        A capital within a sentence makes a name, which is not corrected.
        """
        language = detect_language(text)
        names = {match[0].lower() for match in _NAME.finditer(text)}
        words = (one for one in dict.fromkeys(index_tokens(text)) if one not in STOP_WORDS | names)
        corrected = {word: self.correct_word(word, language) for word in words}
        return {word: right for word, right in corrected.items() if right != word}

    def correct_text(self, text: str) -> str:
        for word, right in self.find_typing_errors(text).items():
            text = re.sub(rf"(?i)\b{re.escape(word)}\b", right, text)
        return text

    def _words_in(self, language: str | None) -> Mapping[str, int]:
        if language is None:
            return {**everyday_words(), **self.by_word}
        everyday = everyday_words() if language == "en" else {}
        return {**everyday, **self.by_language.get(None, {}), **self.by_language.get(language, {})}


def count_words(library: Library, scope: Scope) -> WordCounts:
    """Count the words of the clauses in force in a scope. Raises LibraryError `unreadable`."""
    languages = tuple(document.language for document in scope.documents)
    return _count_documents(library, library.version, scope.ids, languages)


@lru_cache(maxsize=16)
def _count_documents(
    library: Library, _version: int, ids: tuple[str, ...], languages: tuple[str | None, ...]
) -> WordCounts:
    held = {document.document_id: document for document in library.documents()}
    documents = (held.get(one) or library.document(one) for one in ids)
    kept = [DOCUMENT_WORDS.obtain(library, document) for document in documents]
    tables = [
        table.append_column("language", pa.repeat(pa.scalar(language, pa.string()), len(table)))
        for table, language in zip(kept, languages, strict=True)
    ]
    by_language: defaultdict[str | None, dict[str, int]] = defaultdict(dict)
    by_word, stems_of = Counter[str](), dict[str, str]()
    if tables:
        keys = ["language", "word", "stems"]
        sums = pa.concat_tables(tables).group_by(keys).aggregate([("clauses", "sum")])
        columns = (sums[name].to_pylist() for name in (*keys, "clauses_sum"))
        for language, word, stems, number in zip(*columns, strict=True):
            by_language[language][word] = number
            by_word[word] += number
            stems_of[word] = stems
    by_stem: dict[str, int] = {}
    for word, number in by_word.items():
        for stem in stems_of[word].split():
            by_stem[stem] = max(number, by_stem.get(stem, 0))
    clauses = sum(int(table.schema.metadata[_CLAUSES]) for table in kept)
    return WordCounts(clauses, by_word, by_language, by_stem)


def _count_document(library: Library, document: Document) -> pa.Table:
    """Return each word of a document's clauses in force with its stems and the clauses it is in."""
    is_of = col("document_id") == lit(document.document_id)
    texts = library.tables.read_words(is_of & (col("status") == lit("in_force")))
    counts = Counter(word for text in texts for word in set(index_tokens(text)))
    rows = [[*counts], [" ".join(stem_words(word)) for word in counts], [*counts.values()]]
    return pa.table(rows, _WORDS.with_metadata({_CLAUSES: str(len(texts))}))


DOCUMENT_WORDS = DerivedKind("word_counts", 1, _count_document, encode_table, decode_table)
