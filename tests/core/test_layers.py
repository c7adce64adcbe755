"""The direction of imports, read from the sources: downward only, and in no circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import skillbook

SOURCES = Path(skillbook.__file__).parent
TOP = ("display", "widgets", "magics", "commands", "cli")
"""From below upward; nothing else may import these. ``commands`` is a part of the command line."""
CORE = ("frontmatter", "discovery", "tool", "source")
"""From below upward; each may import those before it."""
LONGEST = 520


def modules() -> dict[str, Path]:
    """Returns every module of ours by its name below the package (``""`` for the package)."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()


def imported(name: str, *, at_load: bool = False) -> Iterator[tuple[str, int]]:
    """Yields the modules of ours that one imports, with the line.

    Args:
        name: the module.
        at_load: only those that loading the module imports: no functions, no type checking.
    """
    path = MODULES[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    package = [part for part in package if part]
    nodes: list[ast.AST] = [ast.parse(path.read_text())]
    while nodes:
        node = nodes.pop()
        if at_load and (
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        ):
            continue
        nodes.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "skillbook":
                    yield ".".join(alias.name.split(".")[1:]), node.lineno
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
                start = [*base, *(node.module or "").split(".")]
            elif (node.module or "").split(".")[0] == "skillbook":
                start = node.module.split(".")[1:]
            else:
                continue
            start = [part for part in start if part]
            for alias in node.names:
                if alias.name == "__version__":
                    continue
                whole = ".".join([*start, alias.name])
                known = whole in MODULES or (not start and alias.name in TOP)
                yield (whole if known else ".".join(start)), node.lineno


def head(name: str) -> str:
    """Returns the part of a module's name that says its layer."""
    return name.split(".", maxsplit=1)[0]


def test_modules_are_read() -> None:
    """The walk sees the modules of the core, and what they import."""
    assert {"", "model", "errors", *CORE} <= MODULES.keys()
    assert "model" in {name for name, _ in imported("discovery")}


def test_model_and_errors_stand_alone() -> None:
    """The records import nothing of ours, but for the mixin that asks display for HTML.

    Nor do the errors, but for a message that is asked for, whose unseen characters are named.
    """
    assert list(imported("errors", at_load=True)) == []
    assert {name for name, _ in imported("errors")} == {"model"}
    assert list(imported("model", at_load=True)) == []
    tree = ast.parse(MODULES["model"].read_text())
    (mixin,) = (
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Shown"
    )
    for name, line in imported("model"):
        assert name == "display"
        assert mixin.lineno < line <= (mixin.end_lineno or 0)


@pytest.mark.parametrize(
    "name", [name for name in MODULES if head(name) not in (*TOP, "", "__main__")]
)
def test_nothing_below_imports_what_shows(name: str) -> None:
    """Nothing below display imports display, widgets, magics or the command line."""
    upward = [(other, line) for other, line in imported(name) if head(other) in TOP]
    if name == "model":  # the mixin's one import, which the test above holds to its place
        upward = [pair for pair in upward if pair[0] != "display"]
    assert upward == []


@pytest.mark.parametrize("name", [name for name in MODULES if head(name) in TOP])
def test_what_shows_imports_downward(name: str) -> None:
    """Display, widgets, magics and command line import those before them only."""
    above = TOP[TOP.index(head(name)) + 1 :]
    assert [(other, line) for other, line in imported(name) if head(other) in above] == []


@pytest.mark.parametrize("name", CORE)
def test_core_imports_downward(name: str) -> None:
    """Front matter, discovery, tool and source import those before them only."""
    above = CORE[CORE.index(name) + 1 :]
    assert [(other, line) for other, line in imported(name) if head(other) in above] == []


def test_nobody_imports_the_whole_package() -> None:
    """No module imports the flat front door, which would turn the direction round."""
    found = [
        (name, line)
        for name in MODULES
        if name not in ("", "__main__") and head(name) not in TOP
        for other, line in imported(name)
        if other == ""
    ]
    assert found == []


def test_no_circles() -> None:
    """Loading one module never comes back to it."""
    graph = {
        name: {other for other, _ in imported(name, at_load=True)} - {name} for name in MODULES
    }
    state: dict[str, int] = {}
    circles: list[list[str]] = []

    def visit(name: str, way: list[str]) -> None:
        state[name] = 1
        for other in sorted(graph.get(name, ())):
            if state.get(other) == 1:
                circles.append([*way[way.index(other) :], other] if other in way else [name, other])
            elif other not in state:
                visit(other, [*way, other])
        state[name] = 2

    for name in sorted(graph):
        if name not in state:
            visit(name, [name])
    assert circles == []


@pytest.mark.parametrize("name", MODULES)
def test_length(name: str) -> None:
    """A module stays readable: about 500 lines at most."""
    assert len(MODULES[name].read_text().splitlines()) <= LONGEST


@pytest.mark.parametrize("name", MODULES)
def test_docstring(name: str) -> None:
    """A module says what it is for, in a first line that is a sentence."""
    text = ast.get_docstring(ast.parse(MODULES[name].read_text())) or ""
    assert text.splitlines()[:1] != []
    assert text.split("\n\n")[0].rstrip().endswith((".", ":"))
