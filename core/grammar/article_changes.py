"""What a text says of articles, tables and other numbered things of the rules below it.

`_FORMS` has the words before and behind a name by which it is changed, added to or only referred
to, where nothing but names stands between: "a run that breaches D 9.1 is void" changes no article.
What a sentence names in any other way may be changed ("unclear"), unless it is proved that it only
refers to it ("cited"). The words are lists of `vocabulary.toml`, from `changing` to `confirming`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby, product
from math import prod
from typing import Literal

from core.copied_fields import copy_fields
from core.grammar.cues import list_cues, load_months
from core.grammar.numbering import canonical_number, extract_part, has_marker, split_part
from core.grammar.quantities import find_quantities
from core.grammar.references import find_references, is_range_sign, split_reference
from core.grammar.sentence import find_cues, read_sentence
from core.grammar.sentences import match_whole_words, split_sentences
from core.grammar.stems import stem_words
from core.grammar.vocabulary import STOP_WORDS, any_word, list_words

ChangeKind = Literal["changed", "limited", "unclear", "supplemented", "cited"]


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """An article, table or other thing that a sentence changes, adds to or names.

    A change is "limited" where it holds for some cases only, and "unclear" where it cannot be read
    what is changed. What is "cited" is only referred to.
    """

    article: str
    """The number of an article, or a name as `ChangeReader.find_captions` returns it: "table 6"."""
    kind: ChangeKind
    sentence: str = ""
    quoted: tuple[str, ...] = ()
    """The words that it takes away."""
    replacing: tuple[str, ...] = ()
    """The words that it puts in place of the quoted ones, one for each; empty where none are."""
    part: str | None = None
    """The item of the article that is meant alone ("b)"), its sentence ("2"), or both ("b)2")."""
    last: str | None = None
    """The last article of a range that begins with this one."""
    has_following: bool = False
    """All that follow this one below the same article are meant too."""
    case: str = ""
    """The class, or the words of the case, that its new text alone is for."""

    def narrow(self, rule: str) -> "ArticleChange":
        """Return what it is for a rule, which is changed as a whole where it is on the case alone.

        `rule` are all of the words that say what the rule is on.
        """
        kinds = list_kinds(self.case)
        is_on_case = (
            kinds == list_kinds(rule) if kinds else stem_words(self.case) <= stem_words(rule)
        )
        return replace(self, kind="changed") if self.case and is_on_case else self

    def settle(
        self, texts: Sequence[str], own: Mapping[int, str]
    ) -> "tuple[ArticleChange, dict[int, tuple[str, ...]]]":
        """Return it as it is for an article, and the words that it is about by the place of a text.

        `own` are the places of the article's own texts among all below it, each with its headings.
        It is unclear where no text has the words that are meant.
        """
        change = self.narrow(" ".join(own.values()))
        held = change.find_meant(texts)
        if change.part and not own.keys().isdisjoint(held):
            held = {place: held[place] for place in own if place in held}
        if not held and change.kind != "cited":  # else all below a chapter would be unclear
            return replace(change, kind="unclear"), dict.fromkeys(own, ())
        return change, held

    def find_meant(self, texts: Sequence[str]) -> dict[int, tuple[str, ...]]:
        """Return the places of an article's texts that it is about, each with the words that are
        meant alone; empty words are all of a text.

        It is about those that have the quoted words, or the part. What is cited is meant where the
        sentence has an amount that a text has not, though it has others of its measure.
        """
        found = {place: self._find_words(text) for place, text in enumerate(texts)}
        return {
            place: words
            for place, words in found.items()
            if words or not (self.quoted or self.part)
            if self.kind != "cited" or self._has_rival_amount(texts[place])
        }

    def amend(self, text: str) -> str:
        """Return the sentence of a text that has quoted words, with those put in their place; empty
        where it is not the only one.
        """
        amended = []
        for sentence in split_sentences(text):
            read = sentence
            for old, new in zip(self.quoted, self.replacing, strict=False):
                read = match_whole_words(old).sub(new.replace("\\", r"\\"), read)
            amended += [read] if read != sentence else []
        return amended[0] if len(amended) == 1 else ""

    def _find_words(self, text: str) -> tuple[str, ...]:
        found = tuple(one for one in self.quoted if match_whole_words(one).search(text))
        if not found and self.is_caption:
            return tuple(one for one in text.split("\n") if one[:1] == "|" or self._is_named(one))
        found = found or tuple(filter(None, [_take_part(text, self.part or "")]))
        return found or ((text,) if self.kind == "limited" else ())

    def _has_rival_amount(self, text: str) -> bool:
        keys = {one.key for said in split_sentences(text) for one in read_sentence(said).amounts}
        own = {one.key for one in read_sentence(self.sentence).amounts if one.unit}
        return not {measure for measure, _ in own - keys}.isdisjoint(measure for measure, _ in keys)

    @property
    def is_caption(self) -> bool:
        """True of a table, figure or form, which is in the text of an article."""
        return self.article[:1].islower()

    def _is_named(self, text: str) -> bool:
        return any(
            one["thing"] and _name_thing(one) == self.article for one in _NAMED.finditer(text)
        )


def _take_part(text: str, part: str) -> str:
    """Return an item of a text (or a paragraph, where none is marked), or a sentence of either."""
    item, _, sentence = part.rpartition(")")
    if item:
        lines = text.split("\n")
        is_marked = any(map(has_marker, lines)) or not item.isdigit()
        text = (extract_part(text, item) or "") if is_marked else "".join(_pick(lines, item))
    return "".join(_pick(split_sentences(text), sentence)) if sentence else text * bool(part)


def _pick(parts: Sequence[str], number: str) -> Sequence[str]:
    return parts[int(number) - 1 : int(number)]


_GROUP = "Chapter "


def _phrase(*names: str) -> str:
    """Return a regular expression for any phrase of lists; "/" parts words of which one stands."""
    phrases = (
        re.sub(r"[\w'/]+/[\w'/]+", lambda one: f"(?:{one[0].replace('/', '|')})", phrase)
        for phrase in list_words(*names)
    )
    said = "|".join(phrases).replace("'", "['’]").replace(" … ", _GAP).replace(" ", r"\s+")
    return rf"\b(?i:{said})\b"


_GAP = r"\s+(?:(?!(?:not|nicht|pas|never|nie)\b)[\w’'-]+\s+){0,5}?"
_SYNONYMS = {
    name: names.partition("/")[0]
    for names in list_words("numbered_things")
    for name in names.split("/")
}
_ORDINALS = {
    name: f"{place}"
    for place, names in enumerate(list_words("ordinal_sentence"), 1)
    for name in names.split("/")
}
_QUOTE = r"[“\"„«]\s*+([^”\"“»]{1,200}?)\s*[”\"“»]"
_QUOTED = re.compile(_QUOTE)
_NUMBER = r"(?:[A-Z]{1,3}[\s.]?)?\d+(?:\.\d+)*(?:\s?[a-z]\)|\([a-z0-9]{1,3}\))?"
_WORD = _phrase("linking_names", "naming_articles", "naming_numbers", "naming_items")
_NAMES = (
    rf"(?:{_phrase('linking_names', 'naming_articles')}\.?"
    rf"|{_NUMBER}|\b[A-ZÀ-Þ][\w-]{{0,4}}\.|\b[A-ZÀ-Þ][\w-]*"
    rf"|{_QUOTE.replace('(', '(?:').replace('{1,', '{0,')}|\(?\b[a-z]\)|[\s,;:&\\/()§–®™-])*+"
)
"""All that may stand between a name and the words that say what becomes of it."""
_MARK = r"\(?(?:[a-z]|[ivx]+|\d{1,2})\)?(?!\w|\.\d)"
_ITEM = (
    rf"(?:{_phrase('naming_items')}(?:\.\s*|\s+|(?=\())(?P<marks>{_MARK}"
    rf"(?:\s*(?:,|&|and|or|und|oder|et|ou)\s*{_MARK})*)"
    rf"|(?P<nth>(?i:{'|'.join(_ORDINALS)}))\.?\s+(?:{_phrase('naming_sentences')}|(?P<nth_item>{_phrase('naming_items')}))"
    rf"|{_phrase('naming_sentences')}\s+(?P<numbers>\d(?:\s*(?:,|&|and|und|et)\s*\d)*)(?!\w|\.\d))"
)
_ITEM_READ = re.compile(_ITEM)
_PART = re.sub(r"\?P<\w+>", "?:", _ITEM)
_MARK_READ = re.compile(r"(?<![^\W\d_])(?:[a-z]|[ivx]+|\d+)(?!\w)", re.IGNORECASE)
_OF = (
    r"\s+(?:of|in|from|von|vom|des|der|im|de|du)\b\s*"
    rf"(?:{_WORD}\.?\s*|[A-ZÀ-Þ]\w+\s+|§\s*|l['’]){{0,6}}?"
)
"""What is between a part and what it is of; bounded, since its words may begin a part too."""
_THING = (
    rf"\b(?P<thing>(?i:{'|'.join(_SYNONYMS)}))\.?\s*(?P<mark>[A-Z]?\d+[A-Z]?|[A-Z])(?!\w|[.]\w)"
)
_OF_DATE = rf"/(?:19|20)\d\d|\.?\s(?:{'|'.join(load_months())})\b"
"""What is behind the number of a day or of a gazette: "6 May", "No. 19/2025"."""
_NAMED = re.compile(
    rf"(?P<outer>(?:{_PART}{_OF}){{0,3}})(?:(?P<word>{_phrase('naming_items')})\.?\s*)?(?P<name>{_THING}"
    rf"|(?<![\w.])(?<![^\W\d]-)(?P<number>{_NUMBER})(?!\w|\.\d|{_OF_DATE})"
    rf"(?P<following>\s{_phrase('and_following')})?)"
    rf"(?P<inner>(?:,?\s+(?:the\s+)?(?!(?i:(?P=word))\b){_PART}(?!{_OF}(?!20\d\d){_NUMBER}))*)"
)
_CAPTION = re.compile(rf"^[^\w\n]*{_THING}(?=\s*(?:[.:–—|-]|$))", re.MULTILINE)
_JOINED = r"(?:[,&–-]|(?i:and|or|to|und|oder|bis|et|ou|à)\b)"
_JOINER = re.compile(rf"\s*{_JOINED}\s*")
_OTHER_PART = rf"(?:\(?(?:[a-z]|[ivx]+|\d{{1,2}})\)|\(\d|(?i:{'|'.join(_ORDINALS)})\b)"
_PART_BEHIND = re.compile(rf"\s*{_JOINED}\s*(?:the\s+|d[ei][er]\s+|la\s+)?{_OTHER_PART}")
_PART_BEFORE = re.compile(
    rf"(?:{_OTHER_PART}|{_phrase('naming_sentences')})\s*{_JOINED}\s*(?:the\s+|d[ei][er]\s+|la\s+)?$"
)
_BREACHING = re.compile(_phrase("breaching"))
_OPENING = rf"\W*(?!{_phrase('citing', 'breaching')}){_NAMES}(?:{_phrase('opening_verb')}{_NAMES})?"
_OPENED = re.compile(_OPENING)
_ALONE = re.compile(rf"{_NAMES}[ .!?”\"]*")
_LETTERED = rf"{_phrase('lettered_kinds')}\s+(?i:[A-Z]|\d{{1,2}})(?![\w’']|[.,]\d)"
_KIND_SAID = re.compile(_LETTERED)
_OF_KIND = re.compile(rf"(?:^\W*|{_phrase('of_kind')}\s+){_LETTERED}")
_CASE = re.compile(rf"\W*{_phrase('opening_case')}[^,.;:]*")
_TURNING, _CONDITION = (rf"\b(?i:{list_cues(one).any})\b" for one in ("turning", "condition"))
_LIMITING_LISTS = ("limiting_change", "opening_case")
_LIMITING = _phrase(*_LIMITING_LISTS)
_OWN_CASE = re.compile(
    rf"\W*{_LIMITING}\s+(?:{_phrase('this_document')}|the)\s+{_phrase('whole_event')}\W*"
)
_OF_THING = r"(?:(?:on|about|concerning|regarding|über|zu|sur)\s+(?:[a-zà-ÿ-]+\s+){1,4}?)?"
_CHANGED = (
    rf"(?P<between>{_NAMES}{_OF_THING})(?:{_phrase('changed')}"
    rf"|(?<=[:–—-]\s){_phrase('changed_in_short')})"
    rf"(?P<case_behind>,?\s+(?!in\s+(?:its|their)\b|to\s+read\b|{_phrase('beginning_change')}){_LIMITING}[^.;:]*)?"
)

_AMENDED_BELOW = re.compile(
    rf"[^\w§]*(?:\w{{1,3}}[.)]\s+)?(?:\w['’])?"
    rf"(?P<name>(?:{_phrase('naming_articles')}\.?\s*|§\s*)?(?P<number>{_NUMBER}))\s+"
    rf"{_phrase('changed')}[^\d:]*:$"
)
_ITEM_OF_ABOVE = re.compile(
    rf"(?P<before>\W*\w{{1,3}}[.)]\s+(?:[^\W\d_]+(?:\s+|['’])){{0,3}}?){_PART}"
)


@dataclass(frozen=True, slots=True)
class _Form:
    """Words before the name of a thing, and behind it, and what they do with it."""

    kind: ChangeKind
    before: re.Pattern[str]
    behind: re.Pattern[str]

    @classmethod
    def of(cls, kind: ChangeKind, before: str, behind: str = "(?P<between>)") -> "_Form":
        return cls(kind, re.compile(before), re.compile(behind))


_FORMS: tuple[_Form, ...] = (
    _Form.of(
        "changed",
        rf"(?:{_phrase('changing')}|^\W*{_phrase('ordering_change')}|{_phrase('changed')}\s*[:–—-])(?={_NAMES}$)",
    ),
    _Form.of("supplemented", rf"{_phrase('supplementing')}(?={_NAMES}$)"),
    _Form.of("limited", rf"{_phrase('exempting')}(?={_NAMES}$)"),
    _Form.of(
        "changed",
        rf"^(?!.*{_CONDITION})(?=(?:{_OPENING}|(?P<case>\W*{_LIMITING}[^.;:]*))$)",
        _CHANGED,
    ),
    _Form.of(
        "cited",
        rf"{_phrase('citing')}{_NAMES}$",
        rf"{_NAMES}(?:{_phrase('citing_behind')})?[ .!?”\"“]*$",
    ),
    _Form.of(
        "supplemented",
        rf"{_phrase('adding_beside')}{_NAMES}$",
        rf"(?P<between>{_NAMES}){_phrase('adding')}.*{_phrase('added_beside')}",
    ),
    _Form.of(
        "cited", rf"^{_phrase('citing')}{_NAMES}$", rf"{_NAMES.replace(',', '')},(?!.*{_TURNING})"
    ),
    _Form.of("cited", "", rf"{_NAMES}{_phrase('confirming')}[ .!?”\"]*$"),
    _Form.of(
        "cited",
        "",
        rf"{_NAMES}(?:{_phrase('confirming')}\s+(?:and|und|et)\s+)?{_phrase('checked')}[^.;:]*[.!?]*$",
    ),
)
"""What a sentence does with a thing, by the words before its name and behind it."""
_SWAPPING = re.compile(
    rf"(?i:\D{{0,60}}?(?:(?P<back>{_phrase('swapping_back')})|{_phrase('swapping')}))\D{{0,60}}"
)
_SUBSTITUTE = re.compile(r"(?i)\bsubstitute\W*$")
_PART_WORD = re.compile(rf"{_phrase('part_of_article')}(?!\s*[A-Z]{{0,3}}\s?\d)")
_NOUN = re.compile(r"\b([A-ZÀ-Þ][^\W\d_]{3,})\s+((?:[A-Z]{1,3}[\s.]?)?\d+(?:\.\d+)+)(?!\w)")
_LAST_WORD = re.compile(r"([^\W\d_]+)[\s.]*$")
_NAMING = frozenset(list_words("naming_articles", "naming_numbers"))
_BESIDE_CASE = STOP_WORDS | _NAMING | {*list_words("linking_names", *_LIMITING_LISTS)}
"""Words that name no case themselves."""
_NAMED_FREELY = frozenset(
    word.split()[-1] for word in list_words("changing", "ordering_change", "supplementing")
)
_KIND_STEMS = stem_words(any_word("above_documents", "below_documents"))
_KIND = rf"(?i:{any_word('above_documents', 'below_documents')})(?:s|n|en)?\b"
_NUMBERED = r"\s*(?:(?i:no|nr)\.?\s*)?(\d{1,2})(?![\w.])"
_DOCUMENT = (
    rf"(?P<name>(?:[A-ZÀ-Þ][\w’'-]*\s+|20\d\d\s+){{0,5}}?{_KIND}"
    r"(?:\s+(?:(?i:no|nr)\.?\s*)?\d{1,2}(?![\w.]))?)"
)
_CALLED = re.compile(rf"{_phrase('this_document')}\s+((?:[A-ZÀ-Þ]\w*\s+){{0,3}}?{_KIND})")
_OF_OTHER = re.compile(rf"\b(?:to|zum|zur|au|aux|à)\s.*?{_KIND}.*")
_OF_DOCUMENT = re.compile(
    rf"(?>{_NAMES[3:-2]}{{0,24}}?\b(?:of|in|to|from|der|des|du|de)\s+(?:the\s+|la\s+)?{_DOCUMENT}"
)
_BEFORE_DOCUMENT = re.compile(
    rf"\b{_DOCUMENT}(?:\s*20\d\d)?\s*[\\/:,]?\s*(?:(?i:{any_word('naming_numbers')})s?\s+)?$"
)
_HEADED = re.compile(rf"{_phrase('changing')}\s+(?:the\s+)?{_DOCUMENT}")
_THIS = re.compile(rf"\W*(?:of|in|to|from|des|der|de|du)?\s*{_phrase('this_document')}")
_ABBREVIATION = re.compile(r"[^\W\d_][.°]\s*$")
_CHAPTER = re.compile(
    rf"{_phrase('naming_chapters')}\s+(?:(?:on|about|über|zu|sur)\s+)?(?:the\s+)?[“\"„«]?"
    r"(?P<title>(?:[^\W\d][\w’'-]*(?:\s+[&–-])?\s*){1,8})"
)
_CLAUSE_END = re.compile(r"[;:]")
_NAMING_WORD = _phrase("naming_articles", "naming_numbers")
_IN_GROUP = re.compile(
    rf"{_phrase('naming_chapters')}\s+([A-Z]{{1,3}}),?\s+(?:{_NAMING_WORD}\.?\s*)?$"
)
_BELOW_GROUP = re.compile(rf"[\s.]?\d|,?\s+{_NAMING_WORD}\.?\s*\d")
_PAUSE = re.compile(r"[,;:()–—]")
_PARTS = frozenset(list_words("part_of_article"))
_FREEING = ("negation", "denial", "denying", "doubtful", "exception", "free")
"""Cues with which a sentence that cites a rule may say that it need not be followed."""
_MIN_WITNESSES = 2
"""Different articles behind a word, from which it is taken for a word for an article."""
_MAX_PARTS = 100
"""Parts of an article that a name lists; of more, "items a, b items a, b …", it is all of it."""
_WINDOW = 240
"""Characters before and behind a name that say what it is a name of, and what becomes of it."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """A thing that a sentence names."""

    sentence: str
    start: int
    end: int
    name: str
    part: str | None = None
    last: str | None = None
    has_following: bool = False
    word: str = ""
    """The word before it."""
    is_led: bool = False
    """True behind a word for an article, and of what is cited as one."""
    named: str | None = None
    """The document that it is of, where the words beside it do not say another."""

    @property
    def before(self) -> str:
        return self.sentence[max(0, self.start - _WINDOW) : self.start]

    @property
    def behind(self) -> str:
        return self.sentence[self.end : self.end + _WINDOW]

    @property
    def has_part_beside(self) -> bool:
        return bool(_PART_BEHIND.match(self.behind) or _PART_BEFORE.search(self.before))

    @property
    def document(self) -> str | None:
        """The document that it is said to be of."""
        of = _OF_DOCUMENT.match(self.behind) or _BEFORE_DOCUMENT.search(self.before)
        return of["name"] if of else self.named

    @property
    def is_first(self) -> bool:
        """True of what a sentence begins with, or which is behind an abbreviation."""
        return not self.before.strip(" \n●•*–—-") or bool(_ABBREVIATION.search(self.before))

    @property
    def is_article(self) -> bool:
        """True of no number that another name is of: "Version 1.1" names no article."""
        is_free = self.word in ("", self.word.lower()) or self.word.casefold() in _NAMED_FREELY
        is_plain = "." in self.name and (self.is_first or is_free)
        return self.is_led or not self.name[0].isdigit() or is_plain

    @property
    def is_placed(self) -> bool:
        """True of a name that is none by chance."""
        return self.is_led or self.is_first or _is_code(self.name)

    @property
    def is_group(self) -> bool:
        """True of a chapter by its title or letter."""
        return self.name.startswith(_GROUP)

    @property
    def is_topic(self) -> bool:
        """True of an article whose sentence begins with names alone."""
        is_number = not self.name[0].islower()
        return is_number and self.start <= _WINDOW and bool(_OPENED.fullmatch(self.before))


@dataclass(frozen=True, slots=True)
class ChangeReader:
    """Reads what the texts of one document say of the things of another one.

    `is_known` tells whether that one has an article or a caption, `is_own` whether the texts' own
    document has. `below` and `above` are the names of both; `others` are further documents that the
    texts may be on, each with its names. `nouns` are stems of what both call an article.
    """

    is_known: Callable[[str], bool]
    below: str = ""
    above: str = ""
    is_own: Callable[[str], bool] = frozenset[str]().__contains__
    others: tuple[tuple[str, Callable[[str], bool]], ...] = ()
    nouns: frozenset[str] = frozenset()

    def find_changes(self, *texts: str, heading: str = "") -> Iterator[ArticleChange]:
        """Yield the things that texts change, add to or name. A heading may say of what document.

        A number alone is an article behind a word for one, or where it has a letter or two levels.
        """
        headed = _HEADED.search(heading)
        found: list[ArticleChange] = []
        for place, text in enumerate(texts):
            for sentence in self._name_parts(split_sentences(text)):
                rest = " ".join((sentence, *texts[place + 1 :]))
                swaps = (*_find_swaps(sentence),)
                named = self._find_mentions(sentence, headed and headed["name"])
                for mention in filter(self._is_below, named):
                    change = self._read_change(mention, swaps, texts[place + 1 :])
                    found += self._list_deeper(change, rest) if change else []
        read = {one.article for one in found if one.kind not in ("unclear", "cited")}
        yield from (
            one for one in found if one.article not in read or one.kind not in ("unclear", "cited")
        )

    def _name_parts(self, sentences: Iterable[str]) -> list[str]:
        """Return sentences with the article of "Rule 6 is amended as follows:" before each part
        that the items below it name, and without that sentence where they name any.
        """
        read: list[str] = []
        above: re.Match[str] | None = None
        for sentence in sentences:
            words = sentence
            if above and (part := _ITEM_OF_ABOVE.match(sentence)):
                if read[-1] == above.string:
                    read.pop()
                words = f"{part['before']}{above['name']} {sentence[part.end('before') :]}"
            elif (found := _AMENDED_BELOW.match(sentence)) and self.is_known(found["number"]):
                above = found
            read.append(words)
        return read

    @staticmethod
    def find_captions(text: str) -> Iterator[str]:
        """Yield the tables, figures and forms that have their captions in a text: "table 6"."""
        yield from map(_name_thing, _CAPTION.finditer(text))

    @staticmethod
    def find_nouns(texts: Iterable[str], is_known: Callable[[str], bool]) -> frozenset[str]:
        """Return, by stem, the words before numbers in texts that are known but for a few.

        So a book says by itself that "Instruction 4.1" is an article; a "Version 1.1" is alone.
        """
        numbered = {found for text in texts for found in _NOUN.findall(text)}
        known, others = Counter[str](), Counter[str]()
        for word, number in numbered:
            (known if is_known(number) else others).update(stem_words(word))
        return frozenset(
            stem for stem in known if known[stem] >= max(_MIN_WITNESSES, 4 * others[stem])
        )

    @staticmethod
    def name_document(label: str, texts: Sequence[str]) -> str:
        """Return a document's label with what its texts call it ("this Bulletin") and its number.

        What it calls itself counts before the rules that its label says it belongs to.
        """
        called = Counter(one[1] for text in texts for one in _CALLED.finditer(text))
        numbered = re.search(_KIND + _NUMBERED, " ".join((label, *texts[:1])))
        own = [name for name, _ in called.most_common(1)]
        return " ".join(
            (_OF_OTHER.sub("", label) if own else label, *own, numbered[0] if numbered else "")
        )

    def _list_deeper(self, change: ArticleChange, text: str) -> list[ArticleChange]:
        """Return the articles below the changed one that its text names, else the changed one."""
        is_whole = not (change.last or change.has_following or change.part)
        if not is_whole or change.kind in ("supplemented", "cited"):
            return [change]
        deeper = _list_numbers(text).get(canonical_number(change.article).replace(" ", ""), ())
        return [replace(change, article=one) for one in deeper if self.is_known(one)] or [change]

    def _find_mentions(self, sentence: str, headed: str | None) -> Iterator[_Mention]:
        """Yield the articles and other things of the document below that a sentence names."""
        yield from self._find_groups(sentence, headed)
        matches = [(one, *self._read_name(one)) for one in _NAMED.finditer(sentence)]
        if not any(self.is_known(name) for _, name, _ in matches):
            return
        cited = dict(split_reference(one) for one in find_references(sentence))
        sized = {n for one in find_quantities(sentence) for n in range(one.start, one.end)}
        nexts = [*((one.start(), name) for one, name, _ in matches[1:]), (len(sentence), None)]
        is_led, end = False, 0
        for (match, name, parts), (start, last) in zip(matches, nexts, strict=True):
            is_amount = not (_is_code(name) or sized.isdisjoint(range(*match.span("name"))))
            citing = [cited[one] for one in (match["name"], name) if one in cited]
            if self.is_known(name) and (citing or not is_amount):
                named = next(filter(None, citing), headed)
                is_joined = is_led and _JOINER.fullmatch(sentence, end, match.start())
                mention = self._read_mention(match, name, named, is_cited=bool(citing or is_joined))
                is_led, end = mention.is_led, match.end()
                if is_range_sign(sentence[match.end() : start]):
                    mention = replace(mention, last=last)
                yield from (self._narrow(mention, part or "") for part in parts)

    def _read_mention(
        self, match: re.Match[str], name: str, named: str | None, *, is_cited: bool
    ) -> _Mention:
        word = match["word"] or _find_last_word(match.string, match.start())
        return _Mention(
            match.string,
            match.start(),
            match.end() - _closes_bracket(match),
            name,
            has_following=bool(match["following"]),
            word=word,
            is_led=is_cited
            or any(map(match.group, ("thing", "outer", "inner")))
            or word.casefold() in _NAMING
            or not self.nouns.isdisjoint(stem_words(word)),
            named=named,
        )

    def _read_name(self, match: re.Match[str]) -> tuple[str, tuple[str | None, ...]]:
        """Return the article or other thing that is named, and the parts of it that are."""
        outer = map(_list_marks, _ITEM_READ.finditer(match["outer"]))
        inner = groupby(_ITEM_READ.finditer(match["inner"]), _name_level)
        levels = [
            *reversed([*outer]),
            *([*chain.from_iterable(map(_list_marks, one))] for _, one in inner),
        ]
        named = product(*levels) if prod(map(len, levels)) <= _MAX_PARTS else [()]
        parts = ["".join(sorted(one, key=str.isdigit)) for one in named]
        if match["thing"]:
            return _name_thing(match), tuple(one or None for one in parts)
        number, part = match["number"], None
        joined = re.sub(r"(?<=[A-Z])[\s.](?=\d)", "", number)
        group = _IN_GROUP.search(match.string, 0, match.start())
        lettered = [f"{group[1]}{gap}{number}" for gap in ("", " ", ".")] if group else []
        spelled = (
            *lettered,
            number,
            joined,
            re.sub(r"^([A-Z]+)", r"\1.", joined),
            number.removeprefix("A."),
        )
        name = next(filter(self.is_known, spelled), number)
        if not self.is_known(name):
            article, _, item = name.partition("(")
            name, part = (article, item) if item[:-1].isdigit() else split_part(name)
        return name, tuple(f"{part or ''}{one}" or None for one in parts)

    def _is_below(self, mention: _Mention) -> bool:
        """True of an article that may be of the document below."""
        is_below = self._may_be(mention.document, self.below)
        return mention.is_article and is_below and not _THIS.match(mention.behind)

    def _find_groups(self, sentence: str, headed: str | None) -> Iterator[_Mention]:
        """Yield the chapters that a sentence names by title or letter."""
        for match in _CHAPTER.finditer(sentence):
            begin, words = match.start("title"), match["title"].split()
            for count in range(len(words), 0, -1):
                title = " ".join(words[:count])
                names = (f"{_GROUP}{title}", f"{_GROUP}{title.casefold()}")
                name = next(filter(self.is_known, names), "")
                end = re.compile(r"\s+".join(map(re.escape, words[:count]))).match(sentence, begin)
                if name and end and not _BELOW_GROUP.match(sentence, end.end()):
                    close = end.end() + (
                        sentence[end.end() : end.end() + 1] in ("”", '"', "“", "»")
                    )
                    yield _Mention(sentence, match.start(), close, name, is_led=True, named=headed)
                    break

    def _narrow(self, mention: _Mention, part: str) -> _Mention:
        """Return the mention of a part, by its number where it has one of its own: "12(3)"."""
        item, bracket, rest = part.partition(")")
        for number in (f"{mention.name}({item})", f"{mention.name}.{item}"):
            if bracket and item.isdigit() and self.is_known(number):
                return replace(mention, name=number, part=rest or None)
        return replace(mention, part=part or None)

    def _limits(self, words: str | None) -> bool:
        """True of the words of a case, if it is not the event that the texts are for."""
        if _OWN_CASE.fullmatch(words or ""):
            return False
        content = {one.casefold() for one in re.findall(r"[^\W\d_]+", words or "")}
        own = set(re.findall(r"[^\W\d_]+", self.above.casefold()))
        return bool(content - own - _BESIDE_CASE) or (bool(content) and not content & own)

    def _settle(self, change: ArticleChange, mention: _Mention) -> ArticleChange:
        """Return a change, unclear where it may be of another document, of no article, or of more
        parts than were read.
        """
        if change.kind == "cited":
            return change
        if mention.part and not change.quoted and mention.has_part_beside:
            return replace(change, kind="unclear", part=None)
        is_shared = (mention.word.casefold() in _PARTS and "." not in mention.name) or any(
            has(mention.name) and self._may_be(mention.document, names)
            for names, has in self.others
        )
        return replace(change, kind="unclear") if is_shared else change

    def _may_be(self, document: str | None, names: str) -> bool:
        """True where the words of a name are in those of a document; abbreviations may be."""
        number = re.search(_NUMBERED + "$", document or "")
        words = re.findall(r"[^\W\d_]+", (document or "")[: number.start() if number else None])
        named = stem_words(
            " ".join(one for one in words if not one.isupper() and one.casefold() not in STOP_WORDS)
        )
        if number and (own := re.findall(_KIND + _NUMBERED, names)) and number[1] not in own:
            return False
        if not names or named <= stem_words(names):
            return True
        return not (_KIND_STEMS & stem_words(names) or named <= stem_words(self.above))

    def _find_case(self, sentence: str, later: Sequence[str]) -> str:
        """Return the class or case that alone a sentence, or the text below a title, is for."""
        said = [one for text in later for one in split_sentences(text)]
        own, *cases = (self._find_cases(one) for one in (sentence, *said))
        return " ".join(sorted(own or set().union(*cases))) if own or (cases and all(cases)) else ""

    def _find_cases(self, sentence: str) -> set[str]:
        """Return the classes that a sentence is on, else the case that it begins with."""
        opening = _CASE.match(sentence)
        kinds = list_kinds(" ".join(one[0] for one in _OF_KIND.finditer(sentence)))
        return kinds or ({opening[0]} if opening and self._limits(opening[0]) else set())

    def _read_change(
        self, mention: _Mention, swaps: Sequence[tuple[str, str]], later: Sequence[str]
    ) -> ArticleChange | None:
        """Return what a sentence says of a thing that it names; None where it is no change."""
        change = copy_fields(ArticleChange, mention, article=mention.name, kind="unclear")
        if swaps:
            quoted, replacing = zip(*swaps, strict=True)
            change = replace(change, kind="changed", quoted=quoted, replacing=replacing)
            return self._settle(change, mention)
        found, is_denied = self._apply_forms(mention, change, later)
        if found or mention.is_group:
            return found
        is_own = self.is_own(mention.name) or not mention.is_placed
        if is_own and not (mention.document or mention.is_topic):
            return None
        is_cited = _is_cited(mention.before, mention.behind, is_denied)
        return self._settle(replace(change, kind="cited" if is_cited else "unclear"), mention)

    def _apply_forms(
        self, mention: _Mention, change: ArticleChange, later: Sequence[str]
    ) -> tuple[ArticleChange | None, bool]:
        """Return a change as the first form says it; else whether one was denied."""
        begin, is_denied = max(0, mention.start - _WINDOW), False
        for form in (one for one in _FORMS if one.kind != "cited"):
            led = form.before.search(mention.sentence, begin, mention.start)
            said = form.behind.match(mention.sentence, mention.end, mention.end + _WINDOW)
            if not (led and said):
                continue
            words = re.split(_PAUSE, mention.sentence[begin : led.start()])[-1].strip()
            if denied := find_cues(words, "negation", "denying", "doubtful"):
                is_denied = denied[0].start == 0 or denied[-1].end == len(words)
                continue
            cases = {**led.groupdict(), **said.groupdict()}
            named = mention.sentence[led.end() : said.end("between")]
            quoted = _list_quoted(mention.sentence[begin : said.end("between")])
            change = replace(change, kind=form.kind, quoted=quoted * (form.kind == "changed"))
            if form is _FORMS[0] and (case := self._find_case(mention.sentence, later)):
                change = replace(change, kind="limited", case=case)
            if any(self._limits(cases.get(one)) for one in ("case", "case_behind")):
                change = replace(change, kind="limited")
            if _PART_WORD.search(named) and not (change.quoted or change.part):
                change = replace(change, kind="unclear")
            return self._settle(change, mention), False
        return None, is_denied


@lru_cache(maxsize=4)
def _list_numbers(text: str) -> dict[str, list[str]]:
    """Return the numbers in a text as they are written, by those above them in canonical form."""
    found: dict[str, list[str]] = defaultdict(list)
    for number in dict.fromkeys(one["number"] for one in _NAMED.finditer(text) if one["number"]):
        steps = canonical_number(number).replace(" ", "").split(".")
        for depth in range(1, len(steps)):
            found[".".join(steps[:depth])].append(number)
    return found


def list_kinds(text: str) -> set[str]:
    """Return the kinds that a text names by a letter or number: "class b"."""
    return {" ".join(one.casefold().split()) for one in _KIND_SAID.findall(text)}


def _name_thing(match: re.Match[str]) -> str:
    return f"{_SYNONYMS[match['thing'].casefold()]} {match['mark']}"


def _is_code(name: str) -> bool:
    """True of "T 2.1", which is no amount."""
    return "." in name and not name[0].isdigit()


def _find_last_word(text: str, end: int) -> str:
    words = _LAST_WORD.search(text, max(0, end - _WINDOW), end)
    return words[1] if words else ""


def _closes_bracket(match: re.Match[str]) -> bool:
    """True where a name has the end of the bracket that it is in: "(§ 14 Absatz 1)"."""
    before = match.string[: match.start()]
    is_open = before.rfind("(") > before.rfind(")")
    return is_open and match[0].endswith(")") and match[0].count(")") > match[0].count("(")


def _list_marks(item: re.Match[str]) -> list[str]:
    """Return the items ("b)") or sentences ("2") that words name."""
    if nth := item["nth"]:
        return [_ORDINALS[nth.casefold()] + ")" * bool(item["nth_item"])]
    if item["numbers"]:
        return re.findall(r"\d", item["numbers"])
    return [f"{one.lower()})" for one in re.findall(_MARK_READ, item["marks"])]


def _name_level(item: re.Match[str]) -> str:
    """Return the word for a part, by which "point a), point b)" are beside each other."""
    is_sentence = item["numbers"] or (item["nth"] and not item["nth_item"])
    return "" if is_sentence else item[0].split("(")[0].split()[0].casefold()


def _is_cited(before: str, behind: str, is_denied: bool) -> bool:
    """True where the words around a name prove that it is only referred to.

    Words that cite it are right before it and nothing is said of it behind, or it is said to apply;
    or a breach of it is punished. Only a change that is denied may have a negation before it.
    """
    opening = before.rfind("(")
    is_bracketed = opening > before.rfind(")")
    if is_bracketed:
        before, behind = before[opening + 1 :], behind.partition(")")[0]
    is_alone = bool(_ALONE.fullmatch(behind))
    around = _CLAUSE_END.split(before)[-1] + _CLAUSE_END.split(behind)[0]
    if not is_denied and _BREACHING.search(around) and not find_cues(around, *_FREEING):
        return bool(find_cues(around, "sanction", "averse"))
    if is_denied or find_cues(around, *_FREEING, "may", "should"):
        return is_denied and is_alone
    return (is_alone and is_bracketed and bool(_ALONE.fullmatch(before))) or any(
        one.before.search(before) and one.behind.match(behind)
        for one in _FORMS
        if one.kind == "cited"
    )


def _list_quoted(text: str) -> tuple[str, ...]:
    return tuple(one[1] for one in _QUOTED.finditer(text))


def _find_swaps(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield quoted words with the quoted words that a sentence puts in their place."""
    first: re.Match[str] | None = None
    for second in _QUOTED.finditer(sentence):
        swap = first and _SWAPPING.fullmatch(sentence, first.end(), second.start())
        begin, end = max(0, second.start() - _WINDOW), second.start()
        if first and swap and not find_cues(sentence[begin:end], "negation", "denying"):
            is_back = swap["back"] or _SUBSTITUTE.search(sentence, begin, first.start())
            yield (second[1], first[1]) if is_back else (first[1], second[1])
            first = None
        else:
            first = second
