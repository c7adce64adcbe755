"""The provider over a database in ``examples/``: ten lines that serve a catalogue."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "sqlite_provider.py"


@pytest.fixture
def example():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("sqlite_provider", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_catalogue_over_a_database(example) -> None:
    """Rows are kits and skills; a row that is added, changed or deleted shows on the next line."""
    from skillbook.kits.catalog import Catalog
    from skillbook.kits.errors import KitNotFound

    database = example.example_database()
    provider = example.SqliteProvider(database)
    catalog = Catalog([provider])
    assert [skill.name for skill in catalog.skills()] == ["kiln:log", "kiln:plan", "loom:warp"]
    assert catalog.skill("loom:warp").place.provider == "SqliteProvider"
    assert catalog.activate("kiln:plan", "two bowls").output == "Plan the firing of two bowls."
    database.execute("UPDATE skills SET description = 'Logs.' WHERE name = 'log'")
    assert catalog.skill("kiln:log").description == "Logs."
    database.execute("DELETE FROM skills WHERE kit = 'loom'")
    assert [kit.name for kit in catalog.kits()] == ["kiln"]
    assert provider.get_kit("kiln").name == "kiln"
    with pytest.raises(KitNotFound, match="Available kits: kiln"):
        provider.get_kit("loom")


def test_database_that_fails(example) -> None:
    """A database that is closed is a failing provider, and the others serve."""
    from skillbook.errors import SkillWarning
    from skillbook.kits.catalog import Catalog

    database = example.example_database()
    catalog = Catalog([example.SqliteProvider(database)])
    database.close()
    with pytest.warns(SkillWarning, match="SqliteProvider failed: ProgrammingError"):
        assert catalog.skills() == []


def test_ten_lines() -> None:
    """The class is ten lines of code, besides its docstring."""
    text = EXAMPLE.read_text()
    (made,) = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    body = text.splitlines()[made.lineno - 1 : made.end_lineno]
    assert len([line for line in body if line.strip() and '"""' not in line]) <= 10


def test_example_runs() -> None:
    """Run as a script, the example shows the catalogue before and after a row is added."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLE)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[3:] == [
        "## Available Skills",
        "- **kiln:log**: Keeps a log of kiln firings.",
        "- **kiln:plan**: Plans a firing.",
        "- **loom:warp**: Counts warp threads.",
        "",
        "Mends a broken thread.",
        "Plan the firing of twelve bowls.",
    ]
