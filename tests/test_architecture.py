"""The rules of the house that can be checked: who may import whom, and what nobody may write."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = sorted((ROOT / "core").rglob("*.py"))
SOURCES = [*CORE, ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
STORIES = [path for path in TESTS if path != Path(__file__)]

ROOMS = {"errors": 0, "settings": 0, "atomic_files": 0, "rulebook": 1, "library": 2, "agent": 3}
FRONT = 4
"""chats, evaluation, maintenance, cli and what stands beside them: above the agent, in no order among each other."""

WITHIN = {
    "rulebook": ("pdf", "layout", "structure"),
    "library": ("embedding", "storage", "retrieval"),
    "agent": ("text", "verification", "tools", "models"),
}
"""Folders of a room from the lowest up: none imports one above it."""

FOREIGN = ("core/library/embedding/models.py", "pages/components/background_run.py")
"""Where everything is caught: what others' code may raise (the clients of the providers share no class of errors), and
what is raised in one thread and raised again in another."""

AT_HOME = {
    "streamlit": ("app.py", "pages/"),
    "lancedb": ("core/library/",),
    "anthropic": ("core/agent/models/claude.py",),
    "pypdf": ("core/rulebook/",),
    "pypdfium2": ("core/rulebook/",),
    "sqlalchemy": ("core/chats/",),
    "typer": ("core/cli/",),
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    """The dotted names of all modules that a file imports, at its top or inside."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def height(module: str) -> int:
    room = module.split(".")[1] if "." in module else ""
    return ROOMS.get(room, FRONT)


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_imports_run_one_way(path):
    here = height(name_of(path).removesuffix(".py").replace("/", "."))
    above = [name for name in imports(path) if name.startswith("core.") and height(name) > here]
    assert not above
    assert not [name for name in imports(path) if name.split(".")[0] in ("pages", "app", "tests")]


@pytest.mark.parametrize("path", CORE, ids=name_of)
def test_imports_run_one_way_within_a_room_too(path):
    _, room, folder, *_ = (*path.relative_to(ROOT).parts, "")
    folders = WITHIN.get(room, ())
    if folder in folders:
        above = tuple(f"core.{room}.{other}." for other in folders[folders.index(folder) + 1 :])
        assert not [name for name in imports(path) if name.startswith(above)]


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_libraries_stay_where_they_belong(path):
    used = {name.split(".")[0] for name in imports(path)}
    strays = [lib for lib in used & AT_HOME.keys() if not name_of(path).startswith(AT_HOME[lib])]
    assert not strays


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_errors_are_caught_by_name(path):
    handlers = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
    ]
    blind = [
        ast.unparse(h.type) if h.type else "bare"
        for h in handlers
        if h.type is None or _blind(h.type)
    ]
    assert not blind or name_of(path) in FOREIGN


def _blind(caught: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id in ("Exception", "BaseException")
        for node in ast.walk(caught)
    )


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_page_writes_html(path):
    words = [
        keyword.arg
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
    ]
    assert "unsafe_allow_html" not in words


@pytest.mark.parametrize("path", STORIES, ids=name_of)
def test_tests_patch_nothing(path):
    assert not [
        name for name in imports(path) if name.startswith(("unittest.mock", "mock", "pytest_mock"))
    ]
    calls = [
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    assert not [call for call in calls if call.startswith("monkeypatch.setattr")]


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=name_of)
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
