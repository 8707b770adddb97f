"""The rules of the house: who may import whom, and what nobody may write. Each lists offenders."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ("core/**/*.py", "pages/**/*.py", "server/*.py", "scrutineer/*.py", "app.py")
TESTS = ("tests/**/*.py",)

FLOORS = {
    "errors": 0,
    "settings": 0,
    "atomic_files": 0,
    "database": 0,
    "leases": 0,
    "processes": 0,
    "program": 0,
    "write_steps": 0,
    "sanitize": 0,
    "markdown_escape": 0,
    "copied_fields": 0,
    "choices": 0,
    "table_files": 0,
    "language": 0,
    "grammar": 0,
    "model_calls": 1,
    "rulebook": 1,
    "library": 2,
    "registers": 3,
    "sheets": 4,
    "verification": 5,
    "quotes": 6,
    "agent": 6,
    "answers": 7,
}
"""Rooms and modules of `core` from the ground up. What is not named is above them all."""
TOP = 8

LAYERS = {
    "rulebook": ("pdf", "layout", "structure", "word"),
    "library": ("embedding", "storage", "retrieval"),
    "agent": ("tools", "models"),
}
"""Folders of a room from the ground up: none imports one above it."""

LIBRARIES = {
    "streamlit": ("app.py", "pages/", "server/"),
    "lancedb": ("core/library/",),
    "starlette": ("app.py", "server/", "core/api/"),
    "opentelemetry": ("core/telemetry.py",),
    "mcp": ("core/mcp/", "core/cli/server_commands.py"),
    "docx": ("core/exports/word.py",),
    "reportlab": ("core/exports/pdf.py",),
    "ray": ("core/library/ingestion/bulk.py",),
    "anthropic": ("core/model_calls/",),
    "pypdf": ("core/rulebook/",),
    "pypdfium2": ("core/rulebook/",),
    "sqlalchemy": (
        "core/database.py",
        "core/leases.py",
        "core/chats/",
        "core/library/storage/writer_lease.py",
        "core/library/ingestion/upload_queue.py",
        "core/library/ingestion/upload_queue.py",
    ),
    "openpyxl": ("core/table_files.py", "core/exports/tables.py"),
    "pint": ("core/sheets/",),
    "typer": ("core/cli/",),
    "fluent": ("core/language/",),
    "babel": ("core/language/",),
}
"""Where a library may be imported."""

LARGEST_FACE, ALL_FACES = 80, 450
"""How many names a room may export, and all rooms together: the counts of today, to be lowered."""

BROAD_HANDLERS = (
    "core/library/embedding/models.py",
    "core/chats/active_runs.py",
    "core/impact/webhook.py",
)
"""Where everything is caught: errors of embedding providers, which share no base class, and errors
of threads that nobody is above, which log them."""


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """The nodes of a file's syntax tree; the first is the module."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def modules(*patterns: str) -> dict[str, tuple[ast.AST, ...]]:
    """The nodes of files by path relative to the project."""
    paths = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
    return {path.relative_to(ROOT).as_posix(): nodes_of(path) for path in paths}


def imports_of(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The dotted names of all modules that a file imports, at its top or inside."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str:
    """The second part of a dotted name: `library` of `core.library.scope`."""
    return module.split(".")[1] if "." in module else ""


def imports_upwards(path: str, imported: str) -> bool:
    """True where a module of `core` imports a higher floor, or a higher layer of its own room."""
    if imported.split(".")[0] in ("server", "pages", "app", "tests"):
        return True
    if not imported.startswith("core."):
        return False
    _, room, layer, *_ = (*path.removesuffix(".py").split("/"), "")
    if FLOORS.get(room_of(imported), TOP) > FLOORS.get(room, TOP):
        return True
    layers = LAYERS.get(room, ())
    above = layers[layers.index(layer) + 1 :] if layer in layers else ()
    return imported.startswith(tuple(f"core.{room}.{other}" for other in above))


def test_imports_run_one_way():
    core = modules("core/**/*.py").items()
    assert not [
        f"{path} imports {name}"
        for path, nodes in core
        for name in imports_of(nodes)
        if imports_upwards(path, name)
    ]


def test_no_imports_go_in_a_circle():
    """Neither at the top of a module nor within a function, and not by way of a room's face."""
    files = {path.removesuffix(".py").replace("/", "."): path for path in modules(*SOURCES)}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    graph = {
        name: {find_module(imported, files) for imported in imports_of(nodes_of(ROOT / path))}
        - {name, ""}
        for name, path in files.items()
    }
    TopologicalSorter(graph).prepare()  # raises CycleError with the modules of a circle


def find_module(imported: str, files: Mapping[str, str]) -> str:
    """The module that a dotted name is from; empty for one of others."""
    while imported and imported not in files:
        room = imported.rpartition(".")[0]
        imported = faces().get(imported, room)
    return imported


@cache
def faces() -> dict[str, str]:
    """Where each name of a room's face stands: `core.library.Library` in a module of it."""
    found = {}
    for path in (ROOT / "core").glob("*/__init__.pyi"):
        room = f"core.{path.parent.name}"
        for node in nodes_of(path):
            if isinstance(node, ast.ImportFrom):
                place = f"{room}.{node.module}" if node.level else node.module or ""
                found |= {f"{room}.{one.name}": f"{place}.{one.name}" for one in node.names}
    return found


def test_faces_stay_small():
    """What a room exports is what others have to know of it."""
    counts = Counter(room_of(name) for name in faces())
    assert not {room: count for room, count in counts.items() if count > LARGEST_FACE}
    assert counts.total() <= ALL_FACES


def test_the_server_knows_no_page():
    assert not [
        f"{path} imports {name}"
        for path, nodes in modules("server/*.py").items()
        for name in imports_of(nodes)
        if name.split(".")[0] in ("pages", "app", "tests")
    ]


def test_a_room_is_entered_by_its_face():
    """Outsiders import from `core.library`, never from `core.library.scope`."""
    rooms = {path.parent.name for path in (ROOT / "core").glob("*/__init__.py")}
    assert not [
        f"{path} imports from {node.module}"
        for path, nodes in modules(*SOURCES).items()
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        and node.module is not None
        and node.module.startswith("core.")
        and node.module.count(".") > 1
        and room_of(node.module) in rooms
        and not path.startswith(f"core/{room_of(node.module)}/")
    ]


def test_a_library_is_imported_in_its_place_only():
    assert not [
        f"{path} imports {library}"
        for path, nodes in modules(*SOURCES).items()
        for library in {name.split(".")[0] for name in imports_of(nodes)} & LIBRARIES.keys()
        if not path.startswith(LIBRARIES[library])
    ]


def test_errors_are_caught_by_name():
    assert not [
        f"{path}:{node.lineno}"
        for path, nodes in modules(*SOURCES).items()
        for node in nodes
        if isinstance(node, ast.ExceptHandler) and path not in BROAD_HANDLERS
        if node.type is None or is_broad(node.type)
    ]


def is_broad(caught: ast.expr) -> bool:
    """True for `Exception` and `BaseException`, alone or among others."""
    names = {node.id for node in ast.walk(caught) if isinstance(node, ast.Name)}
    return bool(names & {"Exception", "BaseException"})


def test_no_page_writes_html():
    assert not [
        f"{path}:{node.value.lineno}"
        for path, nodes in modules(*SOURCES).items()
        for node in nodes
        if isinstance(node, ast.keyword) and node.arg == "unsafe_allow_html"
    ]


def test_tests_patch_nothing():
    mocks = ("unittest.mock", "mock", "pytest_mock")
    assert not [
        path
        for path, nodes in modules(*TESTS).items()
        if any(name.startswith(mocks) for name in imports_of(nodes))
        or any(
            isinstance(node, ast.Attribute)
            and node.attr == "setattr"
            and ast.unparse(node) == "monkeypatch.setattr"
            for node in nodes
        )
    ]


def test_every_module_says_what_it_is_for():
    assert not [
        path
        for path, nodes in modules(*SOURCES, *TESTS).items()
        for module in nodes[:1]
        if isinstance(module, ast.Module) and module.body and not ast.get_docstring(module)
    ]
