"""Which way a limit goes: the words around an amount, in a heading or in a lead-in, that say it."""

import re
from typing import Literal

from core.grammar.quantities import AMOUNT_NOUNS, SPELLED_NUMBER
from core.grammar.sentences import last_clause
from core.grammar.vocabulary import any_word, list_words

Relation = Literal["at least", "at most", "more than", "less than", "between", "equal", "unclear"]
Patterns = tuple[tuple[Relation, re.Pattern[str]], ...]


def _compile_patterns(*patterns: tuple[Relation, str]) -> Patterns:
    return tuple((relation, re.compile(pattern, re.I)) for relation, pattern in patterns)


_LESS = rf"(?:{any_word('smaller', 'smaller_than')})(?:\s+[a-z]+)?\s+th[ae]n"
_MORE = rf"(?:{any_word('larger', 'larger_than')})(?:\s+[a-z]+)?\s+th[ae]n"
_BELOW = any_word("below")
_ABOVE = "".join(rf"(?<!{word}\s)" for word in list_words("spread")) + rf"(?:{any_word('above')})"
_FILL = (
    rf"(?:\s*(?:\b(?:a|an|the|of|to|be|is|are|total|exactly|equal|(?:{'|'.join(AMOUNT_NOUNS)})\sof)\b"
    r"|[:=]))*\s*[-–−+]?$"
)
"""What is between a comparison and its amount: "below the age of", "at most -"."""
_GRADE = rf"(?:\s(?:{any_word('graded')}))?"
_NAMED = r"(?:\s+[\w-]+){0,5}?"
_OR_MORE = rf"(?:\b{_MORE} or equal to|\bequal to or {_MORE}|≥|>=){_FILL}"
_OR_LESS = rf"(?:\b{_LESS} or equal to|\bequal to or {_LESS}|≤|<=){_FILL}"
_SAME_CLAUSE = r"(?!(?:if|when|where|which|that|unless|with|having|and|or|but)\b)"
_NOT = rf"\b(?:not|never|cannot|nor|no)\b(?:\s+{_SAME_CLAUSE}[\w-]+){{0,7}}?\s+"
_NO_THING = rf"\bno\s+(?:{_SAME_CLAUSE}[\w-]+\s+){{1,6}}"
"""What there is none of: "no single cell stack contains more than 5 MJ"."""
_NEGATION = re.compile(r"(?i)\b(?:not|never|cannot|nor|no)\b")
_NONE_MAY = r"(?:^\W*(?:\w{1,3}[.)]\s+)?no\b|\bat no time\b|\bin no case\b).*\bmay\b.*"
_NEGATED = _compile_patterns(
    ("at least", rf"{_NOT}(?:{_LESS}|{_BELOW}){_FILL}"),
    ("at most", rf"{_NOT}(?:{_MORE}|{_ABOVE}|beyond|exceed(?:s|ing)?){_FILL}"),
    ("at most", rf"\bno\s+(?:[\w-]+\s+){{1,8}}exceeds?{_FILL}"),
    ("at least", rf"{_NO_THING}{_LESS}{_FILL}"),
    ("at most", rf"{_NO_THING}{_MORE}{_FILL}"),
    ("at least", rf"{_NONE_MAY}{_LESS}{_FILL}"),
    ("at most", rf"{_NONE_MAY}(?:{_MORE}|exceed){_FILL}"),
    (
        "at least",
        rf"(?:\bat least{_GRADE}|{_MORE} or equal to|\bequal to or {_MORE}|"
        rf"\b(?:of|at) or (?:{_ABOVE})|\b(?:meets?|equals?) or exceeds?|≥|>=){_FILL}",
    ),
    (
        "at most",
        rf"(?:\bat most{_GRADE}|{_LESS} or equal to|\bequal to or {_LESS}|"
        rf"\b(?:of|at) or (?:{_BELOW})|\bup to|\b(?:limited|restricted) to|\bonly|≤|<=){_FILL}",
    ),
)
_DENIED_COMPARISON = re.compile(
    rf"(?i)\bno\s+(?:[\w-]+\s+){{1,8}}exceeds?\b|(?:{_NOT}|{_NO_THING})(?:{_LESS}|{_MORE}|{_BELOW}|{_ABOVE}|beyond|exceed(?:s|ing)?|"
    r"(?:later|earlier|sooner) than)\b"
)
_INCLUSIVE = re.compile(rf"(?i)\b(?:at least{_GRADE}|at most{_GRADE}|up to){_FILL}")
_TWO_PARTS = re.compile(f"{_OR_MORE}|{_OR_LESS}", re.I)
_DENIED = _compile_patterns(
    ("less than", rf"(?:{_NOT}|{_NO_THING}){_OR_MORE}"),
    ("more than", rf"(?:{_NOT}|{_NO_THING}){_OR_LESS}"),
)
_DENIES = re.compile(rf"(?i){_NOT}$")
_DENIED_BEHIND = _compile_patterns(
    ("less than", rf"^\s*or (?:{any_word('larger', 'above')})\b(?!\s+than\b)"),
    ("more than", rf"^\s*or (?:{any_word('smaller', 'below')})\b(?!\s+than\b)"),
)
_NOUNS = _compile_patterns(
    ("at least", rf"(?<!\bno )\bmin(?:imum\b|\b\.?){_NAMED}{_FILL}"),
    ("at most", rf"(?<!\bno )\b(?:max(?:imum\b|\b\.?)|limit\b){_NAMED}{_FILL}"),
)
"""What an amount is called. In "a maximum voltage of less than 120 V" the nearer words decide."""
_SUBJECT = r"(?:^\W*|,\s)(?:(?:the|a|an|its)\s+)?"
_IS = r"\b[^.;:\d]*\b(?:is|are|be)\s*$"
_SUBJECTS = _compile_patterns(
    ("at least", rf"{_SUBJECT}min(?:imum)?{_IS}"),
    ("at most", rf"{_SUBJECT}max(?:imum)?{_IS}"),
)
"""A sentence's subject: "The maximum voltage that may occur between any two points is"."""
_STRICT = _compile_patterns(
    ("less than", rf"(?:\b(?:{_LESS}|{_BELOW})|<){_FILL}"),
    ("more than", rf"(?:\b(?:{_MORE}|{_ABOVE}|exceed(?:s|ed|ing)?)|>){_FILL}"),
)
_OR = r"^\s*(?:\([^)]*\)\s*)?(?:(?:or|and)\s+"
_ENDS = rf"(?=\W*$|\s*[,.;)]|\s+\w{{1,4}}\b|\s+(?:{'|'.join(AMOUNT_NOUNS)})\b)"
"""Behind "25 mm minimum" and "2 mm minimum thickness", but not in "four minimum requirements"."""
_IS_THE = r"^[^.,;:]{0,40}?\b(?:is|are)\s+the\s+"
"""Behind "600 V is the maximum permitted voltage"."""
_BEHIND = _compile_patterns(
    (
        "at least",
        rf"{_OR}(?:{any_word('larger', 'above')})\b|\(?min(?:imum)?\b{_ENDS}|at least\b(?!\s\d))|"
        rf"{_IS_THE}min(?:imum)?\b",
    ),
    (
        "at most",
        rf"{_OR}(?:{any_word('smaller', 'below')})\b|\(?max(?:imum)?\b{_ENDS}|at most\b(?!\s\d))|"
        rf"{_IS_THE}max(?:imum)?\b",
    ),
)
_DESIGNATION = (
    r"(?:\s*\([^()]*\)|(?:\s+[a-z]+){1,2}\s(?:\d[\d.]*|[IVX]+\b)(?:\s[a-z]+s(?=\sor\b))?)*,?\s*\(?"
)
_ENDINGS = _compile_patterns(
    ("at least", rf"^{_DESIGNATION}(?:min(?:imum)?|or (?:{any_word('larger', 'above')}))\b"),
    ("at most", rf"^{_DESIGNATION}(?:max(?:imum)?|or (?:{any_word('smaller', 'below')}))\b"),
)
"""Behind an amount with a unit, and how its thing is called: "10 mm Grade 9.8 minimum"."""
_DIRECTIONS = _compile_patterns(
    ("at least", rf"\bmin(?:imum)?\b|\bat least\b|{_NOT}{_LESS}|^\W*(?:\w\W\s+)?no\b.*{_LESS}"),
    (
        "at most",
        rf"\b(?:max(?:imum)?|limit)\b|\bnumber of\b.*(?<!not )\blimited\b|\bat most\b|"
        rf"{_NOT}(?:{_MORE}|exceed)|"
        rf"^\W*(?:\w\W\s+)?no\b.*{_MORE}",
    ),
)
"""What a column's heading or the sentence before a table says of all its amounts."""
_MUST = re.compile(rf"\b(?:{any_word('must', 'obliged')})\b", re.I)
_DUTY = re.compile(rf"\b(?:{any_word('must', 'obliged', 'may')}|will be)\b", re.I)
_CONDITION = re.compile(rf"\b(?:{any_word('condition', 'limiting_condition')})\b", re.I)
_WHICH = re.compile(r"\b(?:which|that|who|whose)\b", re.I)
_INSIDE = re.compile(
    r"(?i)\b(?:within|inside|inboard of|in (?=a total))\s*"
    r"(?:(?:a|an|the|of|first|last|next|period|time|distance|radius|total)\s+)*$"
)
_BEARS = re.compile(
    rf"(?i)\b(?:{any_word('must', 'obliged')}|capable of|able to)\b[^,;:.]*"
    rf"\b(?:{any_word('bearing')})\s+(?:(?:an?|the|any|all)\s+)?(?:[a-z-]+\s+){{0,6}}?"
    r"(?:(?:of|to)\s+)?(?:an?\s+)?$"
)
"""A thing that must bear an amount: "must withstand a tensile load of"."""
_IN_WORDS = re.compile(rf"(?i)\b{SPELLED_NUMBER}[\s-]*(?:degrees?\s*)?\(\s*$")
"""The number in words before the same number in figures, "five (5)"."""


def find_relation(left: str, right: str) -> Relation | None:
    """Return the direction that the words around an amount give; None where it is no limit."""
    left = _IN_WORDS.sub("", left)
    clause = last_clause(left)
    if inside := _INSIDE.search(clause):  # "must stop within 30 ft"
        before = clause[: inside.start()]
        obliges = _MUST.search(before) and not _lacks_duty(_CONDITION, before)
        return "at most" if obliges and not _NEGATION.search(before) else None
    if _lacks_duty(_CONDITION, clause):
        return None
    if relation := _first_match(_NEGATED, left):
        return relation
    if relation := _first_match(_NOUNS, left):
        return _first_match(_STRICT, left) or relation
    if _lacks_duty(_WHICH, clause):
        return None
    if relation := _first_match(_BEHIND, right):
        return relation
    return (_first_match(_STRICT, left) or "unclear") if _MUST.search(left) else None


def _lacks_duty(opening: re.Pattern[str], clause: str) -> bool:
    """True where a clause opens a condition or description and no word of duty follows it."""
    opened = opening.search(clause)
    return opened is not None and not _DUTY.search(clause, opened.end())


def _first_match(patterns: Patterns, words: str) -> Relation | None:
    return next((relation for relation, pattern in patterns if pattern.search(words)), None)


def find_direction(words: str) -> Relation | None:
    """Return the one direction that words give; None where they give none or both."""
    found = [relation for relation, pattern in _DIRECTIONS if pattern.search(words)]
    return found[0] if len(found) == 1 else None


_DEADLINE = re.compile(r"(?i)\b(?:no|not|never)\s+(later|earlier|sooner)\s+than\s+$")
_BEFORE_OR_AFTER = re.compile(
    rf"(?i)^[^,;.]*?\b(?:(?P<before>{any_word('earlier')})|{any_word('later')})\b"
)
_TURNED: dict[Relation, Relation] = {"less than": "at least", "more than": "at most"}
_OPPOSITES: dict[Relation, Relation] = {"at least": "less than", "at most": "more than"}
_DOWNWARDS = re.compile(r"(?i)^\s*(?:below|beneath|under|from the (?:highest|top|upper))\b")
"""Behind "no lower than 150 mm": the amount is how far down something may be."""


def find_bound(left: str, right: str) -> Relation | None:
    """Return the direction that the words at an amount give, whether or not they oblige."""
    left = _IN_WORDS.sub("", left)
    if relation := find_negated_bound(left, right):
        return relation
    if relation := _first_match(_BEHIND, right):
        return relation
    if relation := _first_match(_NOUNS, left):
        return _first_match(_STRICT, left) or relation
    return _first_match(_STRICT, left) or ("at most" if _INSIDE.search(left) else None)


def find_ending_bound(rest: str) -> Relation | None:
    """Return the direction that ends an amount's own words, right behind it and its grade."""
    return _first_match(_ENDINGS, rest)


def find_load_bound(left: str) -> Relation | None:
    """Return the direction of a load that must be borne, right behind the verb: a minimum."""
    is_borne = _BEARS.search(left) and not _NEGATION.search(last_clause(left))
    return "at least" if is_borne else None


def find_subject_bound(left: str) -> Relation | None:
    """Return the direction that the subject of a sentence gives, right before an amount."""
    return _first_match(_SUBJECTS, left)


def find_denied_bound(left: str, right: str) -> Relation | None:
    """Return the direction that is left by "not greater than or equal to" and "not 5 or more"."""
    if relation := _first_match(_DENIED, left):
        return relation
    is_denied = _DUTY.search(left) and _DENIES.search(left) and not find_bound(left, "")
    return _first_match(_DENIED_BEHIND, right) if is_denied else None


def turn_round(relation: Relation | None, left: str, right: str) -> Relation | None:
    """Return what is left where a direction is forbidden: "it must not be less than 5 mm"."""
    is_described = not _DUTY.search(left) and _first_match(_DENIED_BEHIND, right)
    turned = _OPPOSITES if _TWO_PARTS.search(left) or is_described else _TURNED
    return turned.get(relation or "unclear", relation)


def denied_comparisons(words: str) -> list[tuple[int, int]]:
    """Return where words deny a comparison: "not more than"."""
    return [match.span() for match in _DENIED_COMPARISON.finditer(words)]


def follows_inclusive_bound(left: str) -> bool:
    """True right behind "at least", "at most", "up to" and "within"."""
    return bool(_INCLUSIVE.search(left) or _INSIDE.search(left))


def is_strict(left: str) -> bool:
    """True right behind "less than" and "more than"."""
    return _first_match(_STRICT, left) is not None


def is_compared_behind(right: str) -> bool:
    """True right before "or more" and "or less"."""
    return _first_match(_DENIED_BEHIND, right) is not None


def find_negated_bound(left: str, right: str) -> Relation | None:
    """Return the direction that a negation or "at least" and the like give before an amount."""
    relation = _first_match(_NEGATED, left)
    if relation is None and (match := _DEADLINE.search(left)):  # "no later than 14 days before"
        event = _BEFORE_OR_AFTER.match(right)
        is_late, is_before = match[1].casefold() == "later", bool(event and event["before"])
        relation = "at least" if is_late == is_before else "at most"
    if relation and _DOWNWARDS.match(right):
        return "at most" if relation == "at least" else "at least"
    return relation
