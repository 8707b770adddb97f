"""Units, months, modal verbs, negations, conditions and exceptions stand in the data of one room.

Elsewhere in `core` a reader asks for them: `list_cues`, `find_cues`, `load_months`, `UNITS.sure`.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import core
from core.grammar import SERIES, UNITS, list_cues, load_months
from core.grammar.quantities import NUMBER_WORDS

ROOT = Path(core.__file__).parent


@cache
def kinds_of_words() -> dict[str, tuple[set[str], int]]:
    """Words that are read in one place, each kind with how many of them make a list of it."""
    conditions = set(list_cues("case", "gate", "condition")) - {
        "before",
        "after",
        "with",
        "without",
    }
    return {
        "months": ({name.casefold() for name in load_months()} - {"may", "mar"}, 2),
        "units": ({one.casefold() for one in UNITS if len(one) > 1} - {"in", "min", "set"}, 3),
        "number words": (set(NUMBER_WORDS), 3),
        "series": (set(SERIES.names), 2),
        "modal verbs": (set(list_cues("modal")), 2),
        "negations": (set(list_cues("negation", "weak_negation")) | {"not", "no"}, 2),
        "conditions": (conditions, 2),
        "exceptions": (set(list_cues("exception")), 2),
    }


def lists_in(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Lists of words of a module: alternatives of a pattern, sets and tuples, split strings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if "|" in node.value:
                for part in re.split(r"[()]", re.sub(r"\(\?[:=!<][=!]?|\\b|\)\?", "(", node.value)):
                    yield node.lineno, part.replace("?", "").split("|")
        elif isinstance(node, ast.Set | ast.Tuple | ast.List | ast.Dict):
            items = node.keys if isinstance(node, ast.Dict) else node.elts
            held = [one.value for one in items if isinstance(one, ast.Constant)]
            yield node.lineno, [word for word in held if isinstance(word, str)]
        elif isinstance(node, ast.Attribute) and node.attr == "split":
            words = node.value.value if isinstance(node.value, ast.Constant) else ""
            yield node.lineno, str(words).split()


def offenders(place: str, source: str) -> list[str]:
    kinds = kinds_of_words()
    return [
        f"{place}:{line} lists {kind}: {', '.join(sorted(held))}"
        for line, words in lists_in(ast.parse(source))
        for kind, (known, least) in kinds.items()
        if len(held := {word.strip().casefold() for word in words} & known) >= least
    ]


def test_no_module_lists_words_that_the_grammar_knows() -> None:
    found: list[str] = []
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith("grammar/"):
            found += offenders(place, path.read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


def test_a_list_is_found_in_every_shape() -> None:
    assert offenders("a.py", 're.compile(r"\\b(?:must|shall)\\b")') == [
        "a.py:1 lists modal verbs: must, shall"
    ]
    assert offenders("a.py", 'X = r"(?:mm|kg|km)(?!x)"') == ["a.py:1 lists units: kg, km, mm"]
    assert offenders("a.py", 'X = "January|February"')
    assert offenders("a.py", 'X = frozenset("if when where".split())')
    assert offenders("a.py", 'X = {"unless", "except"}')
    assert offenders("a.py", 'X = ("nicht", "kein")')
    assert not offenders("a.py", 'X = r"(?:left|right)"')


def test_the_units_of_the_pattern_are_no_other_word() -> None:
    sure = UNITS.sure.split("|")
    assert {"mm", "kPa", "hours"} <= set(sure)
    assert not {"in", "A", "Days"} & set(sure)
