"""The words of every surface: in `core/language` alone, and complete in each language."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.ast import Comment, Message

from core import errors
from core.language import LANGUAGES, find_language
from tests.pages.visit import answered, ask, labels, offered, opened, text_of

WORDS = Path("core/language")
PAGES = Path("pages")
SPEAKERS = PAGES, Path("core"), Path("server")
LITERAL = ("CSV", "Scrutineer", "XLSX")
"""Names that are the same in every language."""
WIDGETS = ("choose_many", "choose_one", "icon_button", "offer_download")
CORE_WORDS = "core.ftl"
"""What core says in English, in other languages by the class and code of its errors."""
WORDS_OF_CORE = CORE_WORDS, "sentences.toml"
"""With the sentences that core writes into runs."""
KINDS = ("place-", "wording-", "mark-", "declaration-")
"""Beginnings of messages that the page Compare puts together."""

PAGE_TITLES = {
    "chat": "Fragen Sie das Regelwerk",
    "rulebooks": "Regelwerke",
    "compare": "Vergleichen",
    "limits": "Grenzwerte",
    "check_quotes": "Zitate prüfen",
    "runs": "Läufe",
    "settings": "Einstellungen",
}


@cache
def messages(language: str) -> dict[str, set[str]]:
    """The variables of each message of a language."""
    found: dict[str, set[str]] = {}
    for file in sorted((WORDS / language).glob("*.ftl")):
        if file.name == CORE_WORDS:
            continue
        text = file.read_text(encoding="utf-8")
        for entry in FluentParser().parse(text).body:
            assert isinstance(entry, Message | Comment), f"{file.name}: {entry}"
            if isinstance(entry, Message):
                assert entry.id.name not in found, f"{entry.id.name} is there twice"
                written = text[entry.span.start : entry.span.end]
                found[entry.id.name] = set(re.findall(r"\{ ?\$(\w+)", written))
    return found


@cache
def scripts(*folders: Path) -> dict[str, ast.Module]:
    """The modules of folders by their paths: without any, those that draw."""
    paths = {
        path.as_posix(): path for folder in folders or (PAGES,) for path in folder.rglob("*.py")
    }
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items()}


def calls(*folders: Path) -> Iterator[tuple[str, ast.Call]]:
    for name, tree in scripts(*folders).items():
        yield from ((name, node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def name_of(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", "")).lstrip("_")


def named_messages() -> Iterator[tuple[str, bool, ast.Call]]:
    """What is said in the code: a message, or the beginning of several, and the call."""
    for _, call in calls(*SPEAKERS):
        if name_of(call) not in ("say", "say_each"):
            continue
        place = call.args[0]
        choices = (place.body, place.orelse) if isinstance(place, ast.IfExp) else (place,)
        for node in choices:
            if isinstance(node, ast.Constant):
                yield node.value, name_of(call) == "say_each", call
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                yield node.values[0].value, True, call


def strings(tree: ast.Module) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    said = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said:
            yield node.value


def test_every_language_has_the_same_messages_with_the_same_values():
    assert {file.parent.name for file in WORDS.glob("*/*.ftl")} == set(LANGUAGES)
    files = {file.name for file in (WORDS / "en").iterdir()}
    assert {file.name for file in (WORDS / "de").iterdir()} == {*files, *WORDS_OF_CORE}
    for language in LANGUAGES:
        assert messages(language) == messages("en")


def test_every_message_that_the_code_names_is_there():
    for name, is_prefix, _ in named_messages():
        found = [one for one in messages("en") if one.startswith(name)] if is_prefix else [name]
        assert found, f"no message begins with {name}"
        assert set(found) <= messages("en").keys(), f"{name} is not there"


def test_the_code_gives_each_message_the_values_that_it_asks_for():
    for name, is_prefix, call in named_messages():
        given = {keyword.arg for keyword in call.keywords}
        if not is_prefix and None not in given:
            assert given == messages("en")[name], name


def test_what_core_says_is_worded_for_errors_that_it_raises():
    raised = {path.read_text(encoding="utf-8") for path in Path("core").rglob("*.py")}
    text = (WORDS / "de" / CORE_WORDS).read_text(encoding="utf-8")
    for name in re.findall(r"^(\w+Error-\w+) =", text, re.M):
        kind, code = name.split("-")
        assert issubclass(getattr(errors, kind), errors.ScrutineerError)
        assert any(f'"{code}"' in module for module in raised), name


def test_an_error_is_said_in_the_language_of_its_reader(library):
    app = opened(locale="de")
    app.chat_input[0].set_value("???").run()
    assert "Die Frage ist leer." in text_of(app)


def test_no_message_is_unused():
    """The code names it in a string, or by its beginning."""
    whole = {text for tree in scripts(*SPEAKERS).values() for text in strings(tree)}
    beginnings = (*(name for name, is_prefix, _ in named_messages() if is_prefix), *KINDS)
    assert not {
        name for name in messages("en") if name not in whole and not name.startswith(beginnings)
    }


def test_no_sentence_is_in_the_code():
    """Nothing of three words or more that begins with a capital."""
    assert not [
        f"{name}: {text}"
        for name, tree in scripts().items()
        for text in strings(tree)
        if re.match(r"\W*[A-Z][a-z]* [a-z]+ [a-z]+", text)
    ]


def test_no_label_is_in_the_code():
    """What is handed first to a widget, or to anything that draws."""
    assert not [
        f"{name}:{call.lineno}: {call.args[0].value}"
        for name, call in calls()
        if call.args and isinstance(call.args[0], ast.Constant)
        if name_of(call) in WIDGETS or getattr(getattr(call.func, "value", 0), "id", "") == "st"
        if re.match(r"\W*[A-Z]", str(call.args[0].value)) and call.args[0].value not in LITERAL
    ]


def test_counts_are_in_the_form_of_the_language():
    english, german = find_language("en"), find_language("de")
    assert english.say("clauses", count=1) == "1 clause"
    assert english.say("clauses", count=1234) == "1,234 clauses"
    assert german.say("clauses", count=1) == "1 Bestimmung"
    assert german.say("clauses", count=1234) == "1.234 Bestimmungen"


@pytest.mark.slow
def test_a_reader_of_german_gets_german(sporting):
    app = opened(locale="de-DE")
    assert app.title[0].value == "Fragen Sie das Regelwerk"
    answered(offered(app)["What is the pit lane speed limit?"].click().run())
    assert "50 km/h" in text_of(app)
    assert any("1 Zitat bestätigt" in label for label in labels(app))


@pytest.mark.slow
def test_a_language_can_be_chosen(library):
    app = opened().switch_page("settings.py").run()
    assert app.title[0].value == "Settings"
    app.selectbox(key="language").select("de").run()
    assert app.title[0].value == "Einstellungen"
    assert app.switch_page("rulebooks.py").run().title[0].value == "Regelwerke"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "pick", "key", "option"),
    [
        ("chat", "segmented_control", "mode", "quick"),
        ("chat", "selectbox", "season", "day"),
        ("compare", "multiselect", "place", "renumbered"),
        ("runs", "pills", "outcome", "answered"),
        ("runs", "selectbox", "order", "oldest"),
    ],
)
def test_an_address_made_in_one_language_says_the_same_in_another(
    library, chats, page, pick, key, option
):
    ask(opened(), "What is the speed limit in the pit lane?")
    chosen = [option] if pick in ("multiselect", "pills") else option
    here = opened(locale="en").switch_page(f"{page}.py").run()
    getattr(here, pick)(key=key).set_value(chosen).run()
    assert here.query_params[key] == option
    there = opened(locale="de", **{key: option}).switch_page(f"{page}.py")
    there.query_params[key] = option
    assert getattr(there.run(), pick)(key=key).value == chosen


@pytest.mark.slow
def test_every_page_is_drawn_in_german(library):
    app = opened(locale="de")
    for page, title in PAGE_TITLES.items():
        assert not app.switch_page(f"{page}.py").run().exception, page
        assert app.title[0].value == title
