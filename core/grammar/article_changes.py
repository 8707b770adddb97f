"""What a sentence does with the articles, tables and chapters that it names (`article_names.py`).

`_FORMS` has the words before and behind a name by which it is changed or added to, where nothing
but names stands between: "a run that breaches D 9.1 is void" changes no article. What a sentence
names in any other way may be changed ("unclear"), unless it is proved that it only refers to it
("cited"). The words are lists of `vocabulary.toml`, from `changing` to `confirming`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from core.copied_fields import copy_fields
from core.grammar.article_names import NAMES, WINDOW, Mention, NameReader, any_phrase
from core.grammar.cues import list_cues
from core.grammar.numbering import extract_part, has_marker
from core.grammar.sentence import find_cues, read_sentence
from core.grammar.sentences import match_whole_words, split_sentences
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
    """The item of the article that is meant alone ("b)"), its sentence ("2"), or both ("b)2")."""
    last: str | None = None
    """The last article of a range that begins with this one."""
    has_following: bool = False
    """All that follow this one below the same article are meant too."""
    case: str = ""
    """The class, or the words of the case, that its new text alone is for."""

    @property
    def is_weak(self) -> bool:
        """True of what is named, and not known to be changed or added to."""
        return self.kind in ("unclear", "cited")

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
        if not found and self.article[:1].islower():  # a table, in the text of an article
            lines, named = text.split("\n"), NameReader.find_things
            return tuple(one for one in lines if one[:1] == "|" or self.article in named(one))
        found = found or tuple(filter(None, [_take_part(text, self.part or "")]))
        return found or ((text,) if self.kind == "limited" else ())

    def _has_rival_amount(self, text: str) -> bool:
        keys = {one.key for said in split_sentences(text) for one in read_sentence(said).amounts}
        own = {one.key for one in read_sentence(self.sentence).amounts if one.unit}
        return not {measure for measure, _ in own - keys}.isdisjoint(measure for measure, _ in keys)


def _take_part(text: str, part: str) -> str:
    """Return an item of a text (or a paragraph, where none is marked), or a sentence of either."""
    item, _, sentence = part.rpartition(")")
    if item:
        lines = text.split("\n")
        is_marked = any(map(has_marker, lines)) or not item.isdigit()
        text = (extract_part(text, item) or "") if is_marked else _pick(lines, item)
    return _pick(split_sentences(text), sentence) if sentence else text * bool(part)


def _pick(parts: Sequence[str], number: str) -> str:
    return "".join(parts[int(number) - 1 : int(number)])


_QUOTED = re.compile(r"[“\"„«]\s*+([^”\"“»]{1,200}?)\s*[”\"“»]")
_AMOUNT = r"[€£$]?\d[\d.,]*(?<![.,])(?:\s?(?:[a-zà-ÿ]+|[A-Z][a-z]+|[€£$%°]))?"
_MOVED = re.compile(rf"\b(?:from|von|de)\s+(?P<old>{_AMOUNT})\s+(?:to|auf|à)\s+(?P<new>{_AMOUNT})")
"""An amount and the one that comes in its place: "raised from 48 to 56 pounds"."""
_MOVING = re.compile(any_phrase("moving_amount"))
_CHANGING_NOTHING = re.compile(rf"\W*{any_phrase('changing_nothing')}\W*")
_EXCEPTED = re.compile(rf"\b(?i:{list_cues('exception').any})\b[^,;]{{0,40}}$")
"""What is said of the others may be what is not said of this one."""
_BREACHING = re.compile(any_phrase("breaching"))
_OPENING = (
    rf"\W*(?:\w{{1,3}}[.)]\s+)?(?!{any_phrase('citing', 'breaching')}){NAMES}"
    rf"(?:{any_phrase('opening_verb')}{NAMES})?"
)
_OPENED = re.compile(_OPENING)
"""Names alone, with which a sentence on an article begins."""
_ALONE = re.compile(rf"{NAMES}[ .!?”\"]*")
_LETTERED = rf"{any_phrase('lettered_kinds')}\s+(?i:[A-Z]|\d{{1,2}})(?![\w’']|[.,]\d)"
_KIND_SAID = re.compile(_LETTERED)
_OF_KIND = re.compile(rf"(?:^\W*|{any_phrase('of_kind')}\s+){_LETTERED}")
_CASE = re.compile(rf"\W*{any_phrase('opening_case')}[^,.;:]*")
_TURNING, _CONDITION = (rf"\b(?i:{list_cues(one).any})\b" for one in ("turning", "condition"))
_LIMITING_LISTS = ("limiting_change", "opening_case")
_LIMITING = any_phrase(*_LIMITING_LISTS)
_BEGINNING = any_phrase("beginning_change")
_OWN_CASE = re.compile(
    rf"\W*(?:{_LIMITING}\s+(?:{any_phrase('this_document')}|the)\s+{any_phrase('whole_event')}"
    rf"|{_BEGINNING})\W*{NAMES}"
)
_NEUTRAL = rf"{_BEGINNING}|{any_phrase('neutral_behind_change')}"
_NOT_ONLY = rf"(?:(?!{any_phrase('restricting')}|{_LETTERED})[^.;:\d])*"
_OF_THING = r"(?:(?:on|about|concerning|regarding|über|zu|sur)\s+(?:[a-zà-ÿ-]+\s+){1,4}?)?"
_CHANGED, _CITING, _CONFIRMING = map(any_phrase, ("changed", "citing", "confirming"))
_SAID: tuple[tuple[ChangeKind, str, str], ...] = (
    (
        "changed",
        rf"(?:{any_phrase('changing')}|^\W*{any_phrase('ordering_change')}"
        rf"|{_CHANGED}\s*[:–—-])(?={NAMES}$)",
        "(?P<between>)",
    ),
    ("supplemented", rf"{any_phrase('supplementing')}(?={NAMES}$)", "(?P<between>)"),
    (
        "supplemented",
        rf"{any_phrase('added_beside')}\s+{any_phrase('adding_beside')}(?={NAMES}$)",
        "(?P<between>)",
    ),
    ("limited", rf"{any_phrase('exempting')}(?={NAMES}$)", "(?P<between>)"),
    (
        "changed",
        rf"^(?!.*{_CONDITION})(?=(?:{_OPENING}|(?P<case>\W*{_LIMITING}[^.;:]*))$)",
        rf"(?P<between>{NAMES}{_OF_THING})(?:{_CHANGED}"
        rf"|(?<=[:–—-]\s){any_phrase('changed_in_short')})"
        rf"(?:,?\s+(?!{_NEUTRAL})(?P<case_behind>{_LIMITING}[^.;:]*)"
        rf"|\s+(?!{_NEUTRAL})(?P<unread>[a-zà-ÿ]+\b[^.;:]*))?",
    ),
    (
        "supplemented",
        rf"{any_phrase('adding_beside')}{NAMES}$",
        rf"(?P<between>{NAMES}){any_phrase('adding')}.*{any_phrase('added_beside')}",
    ),
)
_FORMS = [(kind, re.compile(before), re.compile(behind)) for kind, before, behind in _SAID]
"""What a sentence does with a thing, by the words before its name and behind it."""
_CITED = [
    (re.compile(before), re.compile(behind))
    for before, behind in (
        (rf"{_CITING}{NAMES}$", rf"{NAMES}(?:{any_phrase('citing_behind')})?[ .!?”\"“]*$"),
        (rf"^{_CITING}{NAMES}$", rf"{NAMES.replace('s,;', 's;')},(?!.*{_TURNING})"),
        (
            "",
            rf"{NAMES}(?:{_CONFIRMING}[ .!?”\"]*"
            rf"|(?:{_CONFIRMING}\s+(?:and|und|et)\s+)?{any_phrase('checked')}{_NOT_ONLY}[.!?]*)$",
        ),
    )
]
"""Words before and behind a name that a sentence only refers to."""
_SWAPPING = re.compile(
    rf"(?i:\D{{0,60}}?(?:(?P<back>{any_phrase('swapping_back')})"
    rf"|{any_phrase('swapping')}))\D{{0,60}}"
)
_SUBSTITUTE = re.compile(r"(?i)\bsubstitute\W*$")
_PART_WORD = re.compile(rf"{any_phrase('part_of_article')}(?!\s*[A-Z]{{0,3}}\s?\d)")
_PARTS = frozenset(list_words("part_of_article"))
_BESIDE_CASE = STOP_WORDS | {
    *list_words("naming_articles", "naming_numbers", "linking_names", *_LIMITING_LISTS)
}
"""Words that name no case themselves."""
_FREEING = ("negation", "denial", "denying", "doubtful", "exception", "free")
"""Cues with which a sentence that cites a rule may say that it need not be followed."""


@dataclass(frozen=True, slots=True)
class ChangeReader(NameReader):
    """Reads what the texts of one document say of the things of another one.

    `is_own` tells whether the texts' own document has an article. `others` are further documents
    that the texts may be on, each with its names.
    """

    is_own: Callable[[str], bool] = frozenset[str]().__contains__
    others: tuple[tuple[str, Callable[[str], bool]], ...] = ()

    def find_changes(self, *texts: str, heading: str = "") -> Iterator[ArticleChange]:
        """Yield the things that texts change, add to or name; `find_mentions` reads the heading.

        What the first text, a title, changes and another one only names may be changed: "Egress
        (change of T4.8)" with "as required by T4.8" adds to it.
        """
        found = [*self._list_named(texts, heading)]
        read = {one.article: is_below for is_below, one in found if not one.is_weak}
        named = {one.article for is_below, one in found if is_below and one.is_weak}
        for _, one in found:
            if one.article in named and not read.get(one.article, True):
                yield replace(one, kind="unclear") if not one.is_weak else one
            elif one.article not in read or not one.is_weak:
                yield one

    def _list_named(
        self, texts: Sequence[str], heading: str
    ) -> Iterator[tuple[bool, ArticleChange]]:
        """Yield what each sentence of texts says of a thing, and whether it stands below it."""
        said = chain.from_iterable(map(split_sentences, texts))
        is_kept = any(map(_CHANGING_NOTHING.fullmatch, said))
        for place, text in enumerate(texts, 1):
            for sentence in self.list_sentences(text):
                rest = " ".join((sentence, *texts[place:]))
                for change in self._read_changes(sentence, texts[place:], heading):
                    for one in self._list_deeper(change, rest):
                        is_added = is_kept and one.kind == "unclear"
                        named = replace(one, kind="supplemented") if is_added else one
                        yield place > 1 or one is not change, named

    def _read_changes(
        self, sentence: str, later: Sequence[str], heading: str
    ) -> Iterator[ArticleChange]:
        """Yield what a sentence says of each thing that it names outside the words it swaps."""
        swaps = (*_find_swaps(sentence),) or (*self._find_moved(sentence),)
        quotes = [one.span() for one in _QUOTED.finditer(sentence)] if swaps else []
        for mention in self.find_mentions(sentence, heading):
            is_amount = any(begin <= mention.start < end for begin, end in quotes)
            if not is_amount and (change := self._read_change(mention, swaps, later)):
                yield change

    def _list_deeper(self, change: ArticleChange, text: str) -> list[ArticleChange]:
        """Return the articles below the changed one that its text names, else the changed one."""
        is_part = change.last or change.has_following or change.part
        if is_part or change.kind in ("supplemented", "cited"):
            return [change]
        deeper = self.list_below(change.article, text)
        return [replace(change, article=one) for one in deeper] or [change]

    def _limits(self, words: str | None) -> bool:
        """True of the words of a case, if it is not the event that the texts are for."""
        if _OWN_CASE.fullmatch(words or ""):
            return False
        content = {one.casefold() for one in re.findall(r"[^\W\d_]+", words or "")}
        own = set(re.findall(r"[^\W\d_]+", self.above.casefold()))
        return bool(content - own - _BESIDE_CASE) or (bool(content) and not content & own)

    def _settle(self, change: ArticleChange, mention: Mention) -> ArticleChange:
        """Return a change, unclear where it may be of another document, of no article, or of more
        parts than were read.
        """
        if change.kind == "cited":
            return change
        if mention.part and not change.quoted and mention.has_part_beside:
            return replace(change, kind="unclear", part=None)
        is_shared = (mention.word.casefold() in _PARTS and "." not in mention.name) or any(
            has(mention.name) and self.may_be(mention.document, names) for names, has in self.others
        )
        return replace(change, kind="unclear") if is_shared else change

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

    def _find_moved(self, sentence: str) -> Iterator[tuple[str, str]]:
        """Yield an amount with the one that a sentence puts in its place, for every case."""
        moved = _MOVED.search(sentence) if _MOVING.search(sentence) else None
        if moved and not (self._find_cases(sentence) or find_cues(sentence, "negation", "denying")):
            old, new = moved["old"], moved["new"]
            yield old, new if " " in old else new.split()[0]

    def _read_change(
        self, mention: Mention, swaps: Sequence[tuple[str, str]], later: Sequence[str]
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
        begins = mention.start <= WINDOW and _OPENED.fullmatch(mention.before)
        if is_own and not (mention.document or (begins and not mention.name[0].islower())):
            return None
        is_cited = _is_cited(mention.before, mention.behind, is_denied)
        return self._settle(replace(change, kind="cited" if is_cited else "unclear"), mention)

    def _apply_forms(
        self, mention: Mention, change: ArticleChange, later: Sequence[str]
    ) -> tuple[ArticleChange | None, bool]:
        """Return a change as the first form says it; else whether one was denied."""
        sentence, begin, is_denied = mention.sentence, max(0, mention.start - WINDOW), False
        for place, (kind, before, behind) in enumerate(_FORMS):
            led = before.search(sentence, begin, mention.start)
            said = led and behind.match(sentence, mention.end, mention.end + WINDOW)
            if not (led and said):
                continue
            words = re.split(r"[,;:()–—]", sentence[begin : led.start()])[-1].strip()
            if denied := find_cues(words, "negation", "denying", "doubtful"):
                is_denied = denied[0].start == 0 or denied[-1].end == len(words)
                continue
            quoted = _QUOTED.findall(sentence[begin : said.end("between")])
            change = replace(change, kind=kind, quoted=(*quoted,) if kind == "changed" else ())
            case = "" if place else self._find_case(sentence, later)
            cases = {**led.groupdict(), **said.groupdict()}
            if case or any(self._limits(cases.get(one)) for one in ("case", "case_behind")):
                change = replace(change, kind="limited", case=case)
            named = sentence[led.end() : said.end("between")]
            is_vague = _PART_WORD.search(named) and not (change.quoted or change.part)
            is_excepted = _EXCEPTED.search(sentence, begin, mention.start)
            if any((is_vague, cases.get("unread"), is_excepted)):
                change = replace(change, kind="unclear")
            return self._settle(change, mention), False
        return None, is_denied


def list_kinds(text: str) -> set[str]:
    """Return the kinds that a text names by a letter or number: "class b"."""
    return {" ".join(one.casefold().split()) for one in _KIND_SAID.findall(text)}


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
    around = re.split("[;:]", before)[-1] + re.split("[;:]", behind)[0]
    if not is_denied and _BREACHING.search(around) and not find_cues(around, *_FREEING):
        return bool(find_cues(around, "sanction", "averse"))
    if is_denied or find_cues(around, *_FREEING, "may", "should"):
        return is_denied and is_alone
    return (is_alone and is_bracketed and bool(_ALONE.fullmatch(before))) or any(
        leading.search(before) and following.match(behind) for leading, following in _CITED
    )


def _find_swaps(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield quoted words with the quoted words that a sentence puts in their place."""
    first: re.Match[str] | None = None
    for second in _QUOTED.finditer(sentence):
        swap = first and _SWAPPING.fullmatch(sentence, first.end(), second.start())
        begin, end = max(0, second.start() - WINDOW), second.start()
        if first and swap and not find_cues(sentence[begin:end], "negation", "denying"):
            is_back = swap["back"] or _SUBSTITUTE.search(sentence, begin, first.start())
            yield (second[1], first[1]) if is_back else (first[1], second[1])
            first = None
        else:
            first = second
