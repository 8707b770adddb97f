"""What a sentence names: articles and their parts, tables, chapters, and the document of each.

Of what the sentence does with them only this is read here: that the items below it name parts. The
words are lists of `vocabulary.toml`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, groupby, product, zip_longest
from math import prod

from core.grammar.cues import load_months
from core.grammar.numbering import canonical_number, split_part
from core.grammar.quantities import find_quantities
from core.grammar.references import find_references, is_range_sign, split_reference
from core.grammar.sentences import split_sentences
from core.grammar.stems import stem_words
from core.grammar.vocabulary import STOP_WORDS, any_word, list_words

WINDOW = 240
"""Characters before and behind a name that say what it is a name of, and what becomes of it."""
_MIN_WITNESSES = 2
"""Different articles behind a word, from which it is taken for a word for an article."""
_MAX_PARTS = 100
"""Parts of an article that a name lists; of more, "items a, b items a, b …", it is all of it."""
_GROUP = "Chapter "
_DENIAL = r"(?:not|nicht|pas|never|nie|no|neither|hardly|weder|kaum|keineswegs|jamais)\b"
_GAP = rf"\s+(?:(?!{_DENIAL})[\w’'.-]+\s+){{0,6}}?"


def any_phrase(*names: str) -> str:
    """Return a regular expression for any phrase of lists; "a/b" is either word."""
    phrases = (
        re.sub(r"[\w'/]+/[\w'/]+", lambda one: f"(?:{one[0].replace('/', '|')})", phrase)
        for phrase in list_words(*names)
    )
    said = "|".join(phrases).replace("'", "['’]").replace(" … ", _GAP).replace(" ", r"\s+")
    return rf"\b(?i:{said})\b"


_SYNONYMS = {
    name: names.partition("/")[0]
    for names in list_words("numbered_things")
    for name in names.split("/")
}
_ORDINALS = {
    name: names.rpartition("/")[2]
    for names in list_words("ordinal_sentence")
    for name in names.split("/")
}
_ORDINAL = rf"(?i:{'|'.join(_ORDINALS)})"
_ITEMS, _SENTENCES, _CHAPTERS, _THIS = map(
    any_phrase, ("naming_items", "naming_sentences", "naming_chapters", "this_document")
)
_NUMBER = r"(?:[A-Z]{1,3}[\s.]?)?\d+(?:\.\d+)*(?:\s?[a-z]\)|\([a-z0-9]{1,3}\))?"
_LETTERS = re.compile(r"^([A-Z]+)[\s.]?(?=\d)")
_BESIDE = (
    rf"{any_phrase('linking_names', 'naming_articles')}\.?"
    rf"|{_NUMBER}|\b[A-ZÀ-Þ][\w-]{{0,4}}\.|\b[A-ZÀ-Þ][\w-]*"
    r"|[“\"„«][^”\"“»]{0,200}[”\"“»]|\(?\b[a-z]\)|[\s,;:&\\/()§–®™-]"
)
NAMES = rf"(?:{_BESIDE})*+"
"""All that may stand between a name and the words that say what becomes of it."""
_MARK = r"\(?(?:[a-z]|[ivx]+|\d{1,2})\)?(?!\w|\.\d)"
_ITEM = (
    rf"(?:{_ITEMS}(?:\.\s*|\s+|(?=\())(?P<marks>{_MARK}"
    rf"(?:\s*(?:,|&|and|or|und|oder|et|ou)\s*{_MARK})*)"
    rf"|(?P<nth>{_ORDINAL})\.?\s+(?:{_SENTENCES}|(?P<nth_item>{_ITEMS}))"
    rf"|{_SENTENCES}\s+(?P<numbers>\d(?:\s*(?:,|&|and|und|et)\s*\d)*)(?!\w|\.\d))"
)
_ITEM_READ = re.compile(_ITEM)
_PART = re.sub(r"\?P<\w+>", "?:", _ITEM)
_MARK_READ = re.compile(r"(?<![^\W\d_])(?:[a-z]|[ivx]+|\d+)(?!\w)", re.IGNORECASE)
_WORD = any_phrase("linking_names", "naming_articles", "naming_numbers", "naming_items")
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
    rf"(?P<outer>(?:{_PART}{_OF}){{0,3}})(?:(?P<word>{_ITEMS})\.?\s*)?(?P<name>{_THING}"
    rf"|(?<![\w.])(?<![^\W\d]-)(?P<number>{_NUMBER})(?!\w|\.\d|{_OF_DATE})"
    rf"(?P<following>\s{any_phrase('and_following')})?)"
    rf"(?P<inner>(?:,?\s+(?:the\s+)?(?!(?i:(?P=word))\b){_PART}(?!{_OF}(?!20\d\d){_NUMBER}))*)"
)
_CAPTION = re.compile(rf"^[^\w\n]*{_THING}(?=\s*(?:[.:–—|-]|$))", re.MULTILINE)
_JOINED = r"\s*(?:[,&–-]|(?i:and|or|to|und|oder|bis|et|ou|à)\b)\s*"
_JOINER = re.compile(_JOINED)
_THE = r"(?:the\s+|d[ei][er]\s+|la\s+)?"
_OTHER_PART = rf"(?:\(?(?:[a-z]|[ivx]+|\d{{1,2}})\)|\(\d|{_ORDINAL}\b)"
_PART_BEHIND = re.compile(rf"{_JOINED}{_THE}{_OTHER_PART}")
_PART_BEFORE = re.compile(rf"(?:{_OTHER_PART}|{_SENTENCES}){_JOINED}{_THE}$")
_AMENDED_BELOW = re.compile(
    rf"[^\w§]*(?:\w{{1,3}}[.)]\s+)?(?:\w['’])?"
    rf"(?P<name>(?:{any_phrase('naming_articles')}\.?\s*|§\s*)?(?P<number>{_NUMBER}))\s+"
    rf"{any_phrase('changed')}[^\d:]*:$"
)
_ITEM_MARK = re.compile(r"\W*\w{1,3}[.)]\s")
_ITEM_OF_ABOVE = re.compile(
    rf"(?P<before>\W*\w{{1,3}}[.)]\s+(?:[^\W\d_]+(?:\s+|['’])){{0,3}}?){_PART}"
)
_NOUN = re.compile(r"\b([A-ZÀ-Þ][^\W\d_]{3,})\s+((?:[A-Z]{1,3}[\s.]?)?\d+(?:\.\d+)+)(?!\w)")
_LAST_WORD = re.compile(r"([^\W\d_]*)[\s.]*$")
_NAMING = frozenset(list_words("naming_articles", "naming_numbers"))
_NAMED_FREELY = frozenset(
    word.split()[-1] for word in list_words("changing", "ordering_change", "supplementing")
)
_KINDS = any_word("above_documents", "below_documents")
_KIND_STEMS = stem_words(_KINDS)
_KIND = rf"(?i:{_KINDS})(?:s|n|en)?\b"
_NUMBERED = r"\s*(?:(?i:no|nr)\.?\s*)?(\d{1,2})(?![\w.])"
_NUMBER_BEHIND = re.compile(rf"{_NUMBERED}$")
_NUMBERED_KIND = re.compile(_KIND + _NUMBERED)
_DOCUMENT = rf"(?P<name>(?:[A-ZÀ-Þ][\w’'-]*\s+|20\d\d\s+){{0,5}}?{_KIND}(?:{_NUMBERED})?)"
_CALLED = re.compile(rf"{_THIS}\s+((?:[A-ZÀ-Þ]\w*\s+){{0,3}}?{_KIND})")
_OF_OTHER = re.compile(rf"\b(?:to|zum|zur|au|aux|à)\s.*?{_KIND}.*")
_OF_DOCUMENT = re.compile(
    rf"(?>{_BESIDE}){{0,24}}?\b(?:of|in|to|from|der|des|du|de)\s+(?:the\s+|la\s+)?{_DOCUMENT}"
)
_BEFORE_DOCUMENT = re.compile(
    rf"\b{_DOCUMENT}(?:\s*20\d\d)?\s*[\\/:,]?\s*(?:(?i:{any_word('naming_numbers')})s?\s+)?$"
)
_HEADED = re.compile(rf"{any_phrase('changing')}\s+(?:the\s+)?{_DOCUMENT}")
_OF_THIS = re.compile(rf"\s+(?:(?:of|in|to|from|des|der|de|du)\s+)?{_THIS}")
_ABBREVIATION = re.compile(r"[^\W\d_][.°]\s*$")
_CHAPTER = re.compile(
    rf"{_CHAPTERS}\s+(?:(?:on|about|über|zu|sur)\s+)?(?:the\s+)?[“\"„«]?"
    r"(?P<title>(?:[^\W\d][\w’'-]*(?:\s+[&–-])?\s*){1,8})"
)
_NAMING_WORD = any_phrase("naming_articles", "naming_numbers")
_IN_GROUP = re.compile(rf"{_CHAPTERS}\s+([A-Z]{{1,3}}),?\s+(?:{_NAMING_WORD}\.?\s*)?$")
_BELOW_GROUP = re.compile(rf"[\s.]?\d|,?\s+{_NAMING_WORD}\.?\s*\d")


@dataclass(frozen=True, slots=True)
class Mention:
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
    named: str = ""
    """The document that it is of, where the words beside it do not say another."""

    @property
    def before(self) -> str:
        """The words before it in its sentence."""
        return self.sentence[max(0, self.start - WINDOW) : self.start]

    @property
    def behind(self) -> str:
        """The words behind it in its sentence."""
        return self.sentence[self.end : self.end + WINDOW]

    @property
    def has_part_beside(self) -> bool:
        """True where a part is named right beside it that was not read as its own."""
        return bool(_PART_BEHIND.match(self.behind) or _PART_BEFORE.search(self.before))

    @property
    def document(self) -> str:
        """The document that it is said to be of."""
        of = _OF_DOCUMENT.match(self.behind) or _BEFORE_DOCUMENT.search(self.before)
        return of["name"] if of else self.named

    @property
    def is_article(self) -> bool:
        """True of no number that another name is of: "Version 1.1" names no article."""
        is_free = self.word in ("", self.word.lower()) or self.word.casefold() in _NAMED_FREELY
        is_plain = "." in self.name and (self._is_first or is_free)
        return self.is_led or not self.name[0].isdigit() or is_plain

    @property
    def is_placed(self) -> bool:
        """True where its place or its letters show that it is a name, and no number by chance."""
        return self.is_led or self._is_first or _is_code(self.name)

    @property
    def is_group(self) -> bool:
        """True of a chapter by its title or letter."""
        return self.name.startswith(_GROUP)

    @property
    def _is_first(self) -> bool:
        """True of what a sentence begins with, or which is behind an abbreviation."""
        return not self.before.strip(" \n●•*–—-") or bool(_ABBREVIATION.search(self.before))


@dataclass(frozen=True, slots=True)
class NameReader:
    """Reads which things of one document the texts of another one name.

    `is_known` tells whether that one has an article or a caption. `below` and `above` are the names
    of both. `nouns` are stems of what both call an article.
    """

    is_known: Callable[[str], bool]
    below: str = ""
    above: str = ""
    nouns: frozenset[str] = field(default=frozenset(), kw_only=True)

    def list_sentences(self, text: str) -> list[str]:
        """Return sentences with the article of "Rule 6 is amended as follows:" before each part
        that the items below it name, and without that sentence where they name any.
        """
        read: list[str] = []
        above: re.Match[str] | None = None
        for sentence in split_sentences(text):
            words = sentence
            if above and (part := _ITEM_OF_ABOVE.match(sentence)):
                if read[-1] == above.string:
                    read.pop()
                words = f"{part['before']}{above['name']} {sentence[part.end('before') :]}"
            elif (found := _AMENDED_BELOW.match(sentence)) and self.is_known(found["number"]):
                above = found
            elif not _ITEM_MARK.match(sentence):
                above = None
            read.append(words)
        return read

    def find_mentions(self, sentence: str, heading: str) -> Iterator[Mention]:
        """Yield what a sentence names of the document below. A heading may say of what document.

        A number alone is an article behind a word for one, or where it has a letter or two levels.
        """
        headed = _HEADED.search(heading)
        for one in chain(self._find_groups(sentence), self._find_numbers(sentence)):
            mention = replace(one, named=one.named or (headed["name"] if headed else ""))
            is_below = mention.is_article and self.may_be(mention.document, self.below)
            if is_below and not _OF_THIS.match(mention.behind):
                yield mention

    def may_be(self, document: str, names: str) -> bool:
        """True where the words of a name are in those of a document; abbreviations may be."""
        number = _NUMBER_BEHIND.search(document)
        words = re.findall(r"[^\W\d_]+", _NUMBER_BEHIND.sub("", document))
        plain = (one for one in words if not one.isupper() and one.casefold() not in STOP_WORDS)
        named = stem_words(" ".join(plain))
        if number and (own := _NUMBERED_KIND.findall(names)) and number[1] not in own:
            return False
        if not names or named <= stem_words(names):
            return True
        return not (_KIND_STEMS & stem_words(names) or named <= stem_words(self.above))

    def list_below(self, number: str, text: str) -> list[str]:
        """Return the known articles below one that a text names, as they are written there."""
        start = f"{canonical_number(number).replace(' ', '')}."
        found = _list_numbers(text).items()
        return [one for one, form in found if form.startswith(start) and self.is_known(one)]

    @staticmethod
    def find_things(text: str) -> Iterator[str]:
        """Yield the tables, figures and forms that a text names: "table 6"."""
        yield from (_name_thing(one) for one in _NAMED.finditer(text) if one["thing"])

    @staticmethod
    def find_captions(text: str) -> Iterator[str]:
        """Yield the tables, figures and forms that have their captions in a text: "table 6"."""
        yield from map(_name_thing, _CAPTION.finditer(text))

    @staticmethod
    def find_nouns(texts: Iterable[str], is_known: Callable[[str], bool]) -> frozenset[str]:
        """Return the stems of words that texts have for articles: of "Instruction 4.1".

        At least two numbers behind such a word are known articles, and at most a fifth are not.
        """
        known, others = Counter[str](), Counter[str]()
        for word, number in {found for text in texts for found in _NOUN.findall(text)}:
            (known if is_known(number) else others).update(stem_words(word))
        return frozenset(
            stem for stem in known if known[stem] >= max(_MIN_WITNESSES, 4 * others[stem])
        )

    @staticmethod
    def name_document(label: str, texts: Sequence[str]) -> str:
        """Return a document's label with what its texts call it ("this Bulletin") and its number.

        What it calls itself counts before the rules that its label says it belongs to.
        """
        called = Counter(one for text in texts for one in _CALLED.findall(text)).most_common(1)
        own = [name for name, _ in called]
        numbered = _NUMBERED_KIND.search(" ".join((label, *texts[:1])))
        return " ".join(
            (_OF_OTHER.sub("", label) if own else label, *own, numbered[0] if numbered else "")
        )

    def _find_groups(self, sentence: str) -> Iterator[Mention]:
        """Yield the chapters that a sentence names by title or letter."""
        for match in _CHAPTER.finditer(sentence):
            for word in reversed([*re.finditer(r"\S+", match["title"])]):
                title = " ".join(match["title"][: word.end()].split())
                end = match.start("title") + word.end()
                names = (f"{_GROUP}{title}", f"{_GROUP}{title.casefold()}")
                name = next(filter(self.is_known, names), "")
                if name and not _BELOW_GROUP.match(sentence, end):
                    end += sentence[end : end + 1] in ("”", '"', "“", "»")
                    yield Mention(sentence, match.start(), end, name, is_led=True)
                    break

    def _is_led(self, match: re.Match[str], word: str) -> bool:
        """True of a number behind a word for an article, and of one that parts are named of."""
        return (
            any(map(match.group, ("thing", "outer", "inner")))
            or word.casefold() in _NAMING
            or not self.nouns.isdisjoint(stem_words(word))
        )

    def _find_numbers(self, sentence: str) -> Iterator[Mention]:
        """Yield the articles, tables and other things that a sentence names by number."""
        matches = [(one, *self._read_name(one)) for one in _NAMED.finditer(sentence)]
        if not any(self.is_known(name) for _, name, _ in matches):
            return
        cited = dict(split_reference(one) for one in find_references(sentence))
        sizes = [range(one.start, one.end) for one in find_quantities(sentence)]
        is_led, end = False, 0
        for (match, name, parts), following in zip_longest(matches, matches[1:]):
            printed = match["name"] if match["name"] in cited else name
            is_cited = printed in cited
            if not self.is_known(name) or (not is_cited and _is_amount(match, name, sizes)):
                continue
            is_joined = is_led and _JOINER.fullmatch(sentence, end, match.start())
            start, end = match.span()
            word = match["word"] or _LAST_WORD.findall(sentence, max(0, start - WINDOW), start)[0]
            is_led = any((is_cited, is_joined, self._is_led(match, word)))
            mention = Mention(
                sentence,
                start,
                end - _closes_bracket(match),
                name,
                last=_find_range_end(sentence, end, following),
                has_following=bool(match["following"]),
                word=word,
                is_led=is_led,
                named=cited.get(printed) or "",
            )
            yield from (self._narrow(mention, part) for part in parts)

    def _read_name(self, match: re.Match[str]) -> tuple[str, list[str]]:
        """Return the article or other thing that is named, and the parts of it that are."""
        outer = [_list_marks(one) for one in _ITEM_READ.finditer(match["outer"])]
        inner = groupby(_ITEM_READ.finditer(match["inner"]), _name_level)
        levels = [*outer[::-1], *([*chain(*map(_list_marks, one))] for _, one in inner)]
        named = product(*levels) if prod(map(len, levels)) <= _MAX_PARTS else [()]
        parts = ["".join(sorted(one, key=str.isdigit)) for one in named]
        if match["thing"]:
            return _name_thing(match), parts
        number, part = match["number"], None
        group = _IN_GROUP.search(match.string, 0, match.start())
        written = (f"{group[1] if group else ''}{number}", number, number.removeprefix("A."))
        gaps = (r"\g<0>", r"\1", r"\1 ", r"\1.")
        spelled = (_LETTERS.sub(gap, one) for one in written for gap in gaps)
        name = next(filter(self.is_known, spelled), number)
        if not self.is_known(name):
            article, _, item = name.partition("(")
            name, part = (article, item) if item[:-1].isdigit() else split_part(name)
        return name, [f"{part or ''}{one}" for one in parts]

    def _narrow(self, mention: Mention, part: str) -> Mention:
        """Return the mention of a part, by its number where it has one of its own: "12(3)"."""
        item, bracket, rest = part.partition(")")
        for number in (f"{mention.name}({item})", f"{mention.name}.{item}"):
            if bracket and item.isdigit() and self.is_known(number):
                return replace(mention, name=number, part=rest or None)
        return replace(mention, part=part or None)


@lru_cache(maxsize=4)
def _list_numbers(text: str) -> Mapping[str, str]:
    """Return the numbers in a text as they are written, each with its canonical form."""
    numbers = filter(None, (one["number"] for one in _NAMED.finditer(text)))
    return {one: canonical_number(one).replace(" ", "") for one in numbers}


def _name_thing(match: re.Match[str]) -> str:
    return f"{_SYNONYMS[match['thing'].casefold()]} {match['mark']}"


def _is_code(name: str) -> bool:
    """True of "T 2.1", which is no amount."""
    return "." in name and not name[0].isdigit()


def _find_range_end(
    sentence: str, end: int, following: tuple[re.Match[str], str, object] | None
) -> str | None:
    """Return the next name, if only the sign of a range is before it."""
    if following and is_range_sign(sentence[end : following[0].start()]):
        return following[1]
    return None


def _is_amount(match: re.Match[str], name: str, sizes: Iterable[range]) -> bool:
    """True of a name without letters that is in an amount."""
    start, end = match.span("name")
    return not _is_code(name) and any(start < one.stop and one.start < end for one in sizes)


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
