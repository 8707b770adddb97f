"""What a text says of articles, tables and other numbered things of the rules below it.

A thing is changed, or added to, where nothing but names stands between it and the words that say
so, before it or behind it: "a run that breaches D 9.1 is void" changes no article. What a sentence
names in any other way may be changed ("unclear"), unless it is proved that it only refers to it
("cited"). The words are lists of `vocabulary.toml`, from `changing` to `confirming`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

from core.grammar.numbering import canonical_number, extract_part, split_part
from core.grammar.quantities import find_quantities
from core.grammar.references import find_references, is_range_sign, split_reference
from core.grammar.sentence import find_cues, read_sentence
from core.grammar.sentences import split_sentences
from core.grammar.stems import stem_words
from core.grammar.vocabulary import STOP_WORDS, list_words

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
    """The lettered item of the article that is meant alone ("b)"), or its sentence ("2")."""
    last: str | None = None
    """The last article of a range that begins with this one."""
    has_following: bool = False
    """All that follow this one below the same article are meant too."""

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
                read = _match_whole(old).sub(new.replace("\\", r"\\"), read)
            amended += [read] if read != sentence else []
        return amended[0] if len(amended) == 1 else ""

    def _find_words(self, text: str) -> tuple[str, ...]:
        found = tuple(one for one in self.quoted if _match_whole(one).search(text))
        if not found and self.is_caption:
            return tuple(one for one in text.split("\n") if one[:1] == "|" or self._is_named(one))
        if not found and self.part and self.part.isdigit():
            found = tuple(split_sentences(text)[int(self.part) - 1 : int(self.part)])
        elif not found and self.part:
            found = tuple(filter(None, [extract_part(text, self.part)]))
        return found or ((text,) if self.kind == "limited" else ())

    def _has_rival_amount(self, text: str) -> bool:
        keys = {one.key for said in split_sentences(text) for one in read_sentence(said).amounts}
        own = {one.key for one in read_sentence(self.sentence).amounts if one.unit}
        return not {measure for measure, _ in own - keys}.isdisjoint(measure for measure, _ in keys)

    @property
    def is_caption(self) -> bool:
        """True of a table, figure or form, which is in the text of an article."""
        return self.article[0].islower()

    def _is_named(self, text: str) -> bool:
        return any(
            one["thing"] and _name_thing(one) == self.article for one in _NAMED.finditer(text)
        )


def _match_whole(words: str) -> re.Pattern[str]:
    """Return an expression for words that are whole, and no part of a number."""
    written = r"\s+".join(map(re.escape, words.split()))
    pattern = rf"(?<![\w.,])(?<!\d\s){written}(?![\w]|[.,]\d)"
    return re.compile(pattern, re.IGNORECASE)


def _any_phrase(*names: str) -> str:
    """Return a regular expression for any phrase of lists; "/" parts words of which one stands."""
    phrases = (re.sub(r"[\w'/]+/[\w'/]+", _choose_word, one) for one in list_words(*names))
    return "|".join(phrases).replace(" … ", _GAP).replace(" ", r"\s+")


def _choose_word(match: re.Match[str]) -> str:
    return f"(?:{match[0].replace('/', '|')})"


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
_THING = (
    rf"\b(?P<thing>(?i:{'|'.join(_SYNONYMS)}))\.?\s*(?P<mark>[A-Z]?\d+[A-Z]?|[A-Z])(?!\w|[.]\w)"
)
_NUMBER = r"(?:[A-Z]{1,3}[\s.]?)?\d+(?:\.\d+)*(?:\s?[a-z]\)|\([a-z0-9]{1,3}\))?"
_QUOTE = r"[“\"„«]\s*([^”\"“»]{1,200}?)\s*[”\"“»]"
_NAMES = (
    rf"(?:\b(?i:{_any_phrase('naming_articles')})\b\.?|{_NUMBER}|\b[A-ZÀ-Þ][\w-]*"
    rf"|{_QUOTE.replace('(', '(?:').replace('{1,', '{0,')}|\(?\b[a-z]\)|[\s,;:&\\/()§–-])"
)
_NAMED = re.compile(
    rf"{_THING}|(?<![\w.])(?<![^\W\d]-)(?P<number>{_NUMBER})(?!\w|\.\d)"
    rf"(?P<following>\s(?:{_any_phrase('and_following')})\b)?"
)
_CAPTION = re.compile(rf"^\W*{_THING}(?=\s*(?:[.:–—|-]|$))", re.MULTILINE)
_CHANGING = re.compile(
    rf"(?:(?i:\b(?:{_any_phrase('changing')}))|^\W*(?i:{_any_phrase('ordering_change')})\b"
    rf"|(?i:\b(?:{_any_phrase('changed')}))\s*[:–—-])(?={_NAMES}*+$)"
)
_SUPPLEMENTING = re.compile(rf"(?i:\b(?:{_any_phrase('supplementing')}))(?={_NAMES}*+$)")
_EXEMPTING = re.compile(rf"(?i:\b(?:{_any_phrase('exempting')}))(?={_NAMES}*+$)")
_CITING = re.compile(rf"(?i:\b(?:{_any_phrase('citing')}))\b{_NAMES}*+$")
_BREACHING = re.compile(rf"(?i:\b(?:{_any_phrase('breaching')}))\b")
_CONFIRMING = re.compile(rf"(?i:\b(?:{_any_phrase('confirming')}))\W*$")
_NAMED_BEHIND = re.compile(rf"{_NAMES}*+")
_LIMITING = rf"(?i:{_any_phrase('limiting_change')})\b"
_OPENING = re.compile(
    rf"\W*(?!(?i:{_any_phrase('citing', 'breaching')})\b){_NAMES}*+"
    rf"(?:(?i:{_any_phrase('opening_verb')})\b{_NAMES}*+)?"
)
_LIMITED_OPENING = re.compile(rf"\W*{_LIMITING}[^.;:]*")
_OF_THING = r"(?:(?:on|about|concerning|regarding|über|zu|sur)\s+(?:[a-zà-ÿ-]+\s+){1,4}?)?"
_CHANGED = re.compile(
    rf"(?P<between>{_NAMES}*+{_OF_THING})(?i:\b(?:{_any_phrase('changed')})\b"
    rf"|(?<=[:–—-]\s)(?:{_any_phrase('changed_in_short')})\b)"
    rf"(?P<limit>,?\s+(?!in\s+(?:its|their)\b|to\s+read\b){_LIMITING}[^.;:]*)?"
)
_SWAPPING = re.compile(
    rf"(?i:\D{{0,60}}?\b(?:(?P<back>{_any_phrase('swapping_back')})|{_any_phrase('swapping')})\b)\D{{0,60}}"
)
_SUBSTITUTE = re.compile(r"(?i)\bsubstitute\W*$")
_PART = re.compile(rf"\b(?i:{_any_phrase('part_of_article')})\b(?!\s*[A-Z]{{0,3}}\s?\d)")
_ITEMS, _SENTENCES = _any_phrase("naming_items"), _any_phrase("naming_sentences")
_ITEM = rf"(?:{_ITEMS})(?:(?:\.\s*|\s+)\(?|\()(?P<item>[a-z]|[ivx]+)\)?(?!\w)"
_NTH = "|".join(_ORDINALS)
_ITEM_BEFORE = re.compile(
    rf"(?i)\b(?:{_ITEM}|(?P<nth>{_NTH})\s+(?:{_SENTENCES})"
    rf"|(?:{_SENTENCES})\s+(?P<number>\d))(?={_NAMES}*+$)"
)
_ITEM_BEHIND = re.compile(
    rf"(?i),?\s*(?:{_ITEM}"
    rf"|(?:the\s+)?(?P<nth>{_NTH})\s+(?:{_SENTENCES})|(?:{_SENTENCES})\s+(?P<number>\d))\b"
)
_QUOTED = re.compile(_QUOTE)
_LAST_WORD = re.compile(r"([^\W\d_]+)[\s.]*$")
_NAMING = frozenset(list_words("naming_articles", "naming_numbers"))
_NAMED_FREELY = frozenset(
    word.split()[-1] for word in list_words("changing", "ordering_change", "supplementing")
)
_DOCUMENT = (
    r"(?P<name>(?:[A-ZÀ-Þ][\w’'-]*\s+|20\d\d\s+){0,5}?"
    rf"(?i:{'|'.join(list_words('above_documents', 'below_documents'))})(?:s|n|en)?)\b"
)
_OF_DOCUMENT = re.compile(
    rf"(?:{_NAMES}){{0,24}}?\b(?:of|in|to|from|der|des|du|de)\s+(?:the\s+|la\s+)?{_DOCUMENT}"
)
_BEFORE_DOCUMENT = re.compile(
    rf"\b{_DOCUMENT}(?:\s*20\d\d)?\s*[\\/:,]?\s*(?:(?i:{_any_phrase('naming_numbers')})s?\s+)?$"
)
_HEADED = re.compile(rf"(?i:\b(?:{_any_phrase('changing')}))\s+(?:the\s+)?{_DOCUMENT}")
_THIS = re.compile(rf"\W*(?:of|in|to|from|des|der|de|du)?\s*(?i:{_any_phrase('this_document')})\b")
_ABBREVIATION = re.compile(r"[^\W\d_][.°]\s*$")
_PAUSE = re.compile(r"[,;:()–—]")
_PARTS = frozenset(list_words("part_of_article"))
_LOOSENING = ("negation", "denial", "denying", "doubtful", "exception", "free", "may", "should")
"""Cues with which a sentence that cites a rule may say that it need not be followed."""
_WINDOW = 240
"""Characters before and behind a name that say what it is a name of."""
_MAX_NAMES = 120
"""Characters between an article and the words that change it."""


@dataclass(frozen=True, slots=True)
class ChangeReader:
    """Reads what the texts of one document say of the things of another one.

    `is_known` tells whether that one has an article or a caption, `is_own` whether the texts' own
    document has. `below` and `above` are the names of both; `others` are further documents that the
    texts may be on, each with its names.
    """

    is_known: Callable[[str], bool]
    below: str = ""
    above: str = ""
    is_own: Callable[[str], bool] = frozenset[str]().__contains__
    others: tuple[tuple[str, Callable[[str], bool]], ...] = ()

    def find_changes(self, *texts: str, heading: str = "") -> Iterator[ArticleChange]:
        """Yield the things that texts change, add to or name. A heading may say of what document.

        A number alone is an article behind a word for one, or where it has a letter or two levels.
        """
        headed = _HEADED.search(heading)
        found: list[ArticleChange] = []
        for place, text in enumerate(texts):
            for sentence in split_sentences(text):
                rest = " ".join((sentence, *texts[place + 1 :]))
                swaps = (*_find_swaps(sentence),)
                for mention in self._find_mentions(sentence, headed and headed["name"]):
                    change = self._read_change(sentence, mention, swaps)
                    if change and mention.is_shared and change.kind != "cited":
                        change = replace(change, kind="unclear")
                    found += self._list_deeper(change, rest) if change else []
        read = {one.article for one in found if one.kind not in ("unclear", "cited")}
        yield from (
            one for one in found if one.article not in read or one.kind not in ("unclear", "cited")
        )

    @staticmethod
    def find_captions(text: str) -> Iterator[str]:
        """Yield the tables, figures and forms that have their captions in a text: "table 6"."""
        yield from map(_name_thing, _CAPTION.finditer(text))

    def _list_deeper(self, change: ArticleChange, text: str) -> list[ArticleChange]:
        """Return the articles below the changed one that its text names, else the changed one."""
        if (
            change.last
            or change.has_following
            or change.part
            or change.kind in ("supplemented", "cited")
        ):
            return [change]
        above = f"{canonical_number(change.article).replace(' ', '')}."
        numbers = _list_numbers(text)
        deeper = [
            one
            for one, number in numbers.items()
            if number.startswith(above) and self.is_known(one)
        ]
        return [replace(change, article=one) for one in deeper] or [change]

    def _find_mentions(self, sentence: str, headed: str | None) -> Iterator["_Mention"]:
        cited = dict(split_reference(one) for one in find_references(sentence))
        measured = [(one.start, one.end) for one in find_quantities(sentence)]
        matches = [*_NAMED.finditer(sentence)]
        for match, following in zip_longest(matches, matches[1:]):
            name, part = self._read_name(match)
            is_cited = match[0] in cited or name in cited
            is_measured = (name[0].isdigit() or "." not in name) and any(
                one < match.end() and match.start() < end for one, end in measured
            )
            if not self.is_known(name) or (is_measured and not is_cited):
                continue
            named = cited.get(match[0]) or cited.get(name) or headed
            is_range = following and is_range_sign(sentence[match.end() : following.start()])
            last = self._read_name(following)[0] if following and is_range else None
            mention = self._read_mention(sentence, match, name, named, is_cited)
            if mention is not None:
                yield replace(mention, part=part or mention.part, last=last)

    def _read_mention(
        self, sentence: str, match: re.Match[str], name: str, named: str | None, is_cited: bool
    ) -> "_Mention | None":
        """Return what a sentence names, if it is of the document below; `named` may be that."""
        start, end = match.span()
        before, behind = sentence[max(0, start - _WINDOW) : start], sentence[end : end + _WINDOW]
        word = _LAST_WORD.search(before)
        is_led = is_cited or bool(match["thing"] or (word and word[1].casefold() in _NAMING))
        is_lettered = not name[0].isdigit()
        is_first = not before.strip(" \n●•*–—-") or bool(_ABBREVIATION.search(before))
        of = _OF_DOCUMENT.match(behind) or _BEFORE_DOCUMENT.search(before)
        document = of["name"] if of else named
        is_plain_number = not (is_led or is_lettered)
        if is_plain_number and ("." not in name or not (is_first or _is_named_freely(word))):
            return None
        if _THIS.match(behind) or not self._may_be(document, self.below):
            return None
        is_own = self.is_own(name) or not (is_led or is_first or (is_lettered and "." in name))
        return _Mention(
            name,
            *match.span(),
            part=_find_part(before, behind),
            has_following=bool(match["following"]),
            is_sure=bool(document)
            or not is_own
            or (len(before) == start and bool(match["number"] and _OPENING.fullmatch(before))),
            is_shared=self._is_shared(name, document)
            or bool(word and "." not in name and word[1].casefold() in _PARTS),
        )

    def _read_name(self, match: re.Match[str]) -> tuple[str, str | None]:
        """Return the article or other thing that is named, and its item."""
        if match["thing"]:
            return _name_thing(match), None
        number = match["number"]
        if self.is_known(number):
            return number, None
        article, _, part = number.partition("(")
        return (article, part[:-1]) if part[:-1].isdigit() else split_part(number)

    def _is_shared(self, name: str, document: str | None) -> bool:
        return any(has(name) and self._may_be(document, other) for other, has in self.others)

    def _may_be(self, document: str | None, names: str) -> bool:
        """True where the words of a name are in those of a document; abbreviations may be."""
        words = [one for one in re.findall(r"[^\W\d_]+", document or "") if not one.isupper()]
        named = stem_words(" ".join(one for one in words if one.casefold() not in STOP_WORDS))
        kinds = stem_words(" ".join(list_words("above_documents", "below_documents")))
        if not names or named <= stem_words(names):
            return True
        return not (kinds & stem_words(names) or named <= stem_words(self.above))

    def _read_change(
        self, sentence: str, mention: "_Mention", swaps: tuple[tuple[str, str], ...]
    ) -> ArticleChange | None:
        """Return what a sentence says of a thing that it names; None where it is no change."""
        change = ArticleChange(
            mention.name,
            "changed",
            sentence,
            part=mention.part,
            last=mention.last,
            has_following=mention.has_following,
        )
        if swaps:
            old, new = zip(*swaps, strict=True)
            return replace(change, quoted=old, replacing=new)
        before = sentence[max(0, mention.start - _MAX_NAMES) : mention.start]
        is_denied = False
        for pattern, kind in _LEADING.items():
            if led := pattern.search(before):
                said = re.split(_PAUSE, before[: led.start()])[-1].strip()
                if denied := find_cues(said, "negation", "denying", "doubtful"):
                    is_denied = denied[0].start == 0 or denied[-1].end == len(said)
                    break
                quoted = _list_quoted(before) if kind == "changed" else ()
                at = mention.start - len(before) + led.end()
                return _find_part_of(replace(change, kind=kind, quoted=quoted), at, mention.end)
        changed = _CHANGED.match(sentence, mention.end, mention.end + _WINDOW)
        if changed and len(before) == mention.start and not find_cues(before, "condition"):
            opening, end = _OPENING.fullmatch(before), changed.end("between")
            if opening or _LIMITED_OPENING.fullmatch(before):
                is_limited = self._limits(changed["limit"] if opening else before)
                kind = "limited" if is_limited else "changed"
                quoted = _list_quoted(sentence[:end])
                return _find_part_of(replace(change, kind=kind, quoted=quoted), 0, end)
        if not mention.is_sure:
            return None
        behind = sentence[mention.end : mention.end + _WINDOW]
        is_cited = _is_cited(before, behind, is_denied)
        return replace(change, kind="cited" if is_cited else "unclear")

    def _limits(self, words: str | None) -> bool:
        """True of the words of a case, if it is not the event that the texts are for."""
        content = {one.casefold() for one in re.findall(r"[^\W\d_]+", words or "")}
        own = set(re.findall(r"[^\W\d_]+", self.above.casefold()))
        case = content - STOP_WORDS - own - _NAMING - {*list_words("limiting_change")}
        return bool(case) or (bool(content) and not content & own)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A thing that a sentence names.

    It is sure where the sentence says of what document it is, is on it, or where the texts' own
    document has none of this name. It is shared where it may be of another document.
    """

    name: str
    start: int
    end: int
    part: str | None
    has_following: bool
    is_sure: bool
    is_shared: bool
    last: str | None = None


_LEADING: dict[re.Pattern[str], ChangeKind] = {
    _CHANGING: "changed",
    _SUPPLEMENTING: "supplemented",
    _EXEMPTING: "limited",
}


@lru_cache(maxsize=4)
def _list_numbers(text: str) -> dict[str, str]:
    """Return the numbers in a text as they are written, each in its canonical form."""
    numbers = dict.fromkeys(one["number"] for one in _NAMED.finditer(text) if one["number"])
    return {one: canonical_number(one).replace(" ", "") for one in numbers}


def _name_thing(match: re.Match[str]) -> str:
    return f"{_SYNONYMS[match['thing'].casefold()]} {match['mark']}"


def _is_named_freely(word: re.Match[str] | None) -> bool:
    """True of a number that no other name is of: "Version 1.1" names no article."""
    return word is None or word[1].islower() or word[1].casefold() in _NAMED_FREELY


def _find_part(before: str, behind: str) -> str | None:
    """Return the item ("b)") or the sentence ("2") that is named before or behind an article."""
    match = _ITEM_BEFORE.search(before) or _ITEM_BEHIND.match(behind)
    if match is None:
        return None
    item, nth, number = match["item"], match["nth"], match["number"]
    return f"{item.lower()})" if item else number or _ORDINALS[nth.casefold()]


def _find_part_of(change: ArticleChange, start: int, end: int) -> ArticleChange:
    """Return a change, unclear where its sentence names a part of the thing that is not found."""
    is_part = not (change.quoted or change.part) and _PART.search(change.sentence, start, end)
    return replace(change, kind="unclear") if is_part else change


def _is_cited(before: str, behind: str, is_denied: bool) -> bool:
    """True where the words around a name prove that it is only referred to.

    Words that cite it are right before it and nothing is said of it behind, or it is said to apply;
    or a breach of it is punished. Only a change that is denied may have a negation before it.
    """
    opening = before.rfind("(")
    is_bracketed = opening > before.rfind(")")
    if is_bracketed:
        before, behind = before[opening + 1 :], behind.partition(")")[0]
    names = _NAMED_BEHIND.match(behind)
    rest = behind[names.end() :].strip(' .!?”"') if names else ""
    if is_denied or find_cues(before + behind, *_LOOSENING):
        return is_denied and not rest
    if _BREACHING.search(before + behind):
        return bool(find_cues(before + behind, "sanction", "averse"))
    if _OPENING.fullmatch(before) and _CONFIRMING.match(rest):
        return True
    cited = _CITING.search(before)
    if names and cited and cited.start() == 0 and "," in names[0]:
        return not find_cues(rest, "turning")
    return not rest and bool(cited or (is_bracketed and not before))


def _list_quoted(text: str) -> tuple[str, ...]:
    return tuple(one[1] for one in _QUOTED.finditer(text))


def _find_swaps(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield quoted words with the quoted words that a sentence puts in their place."""
    first: re.Match[str] | None = None
    for second in _QUOTED.finditer(sentence):
        swap = first and _SWAPPING.fullmatch(sentence, first.end(), second.start())
        if first and swap and not find_cues(sentence[: second.start()], "negation", "denying"):
            is_back = swap["back"] or _SUBSTITUTE.search(sentence, 0, first.start())
            yield (second[1], first[1]) if is_back else (first[1], second[1])
            first = None
        else:
            first = second
