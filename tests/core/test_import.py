"""The front door: what ``import skillbook`` gives, and what it must not load."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import skillbook

HEAVY = (
    "IPython",
    "anywidget",
    "asyncio",
    "click",
    "httpx",
    "ipywidgets",
    "markdown_it",
    "mcp",
    "numpy",
    "pandas",
    "pygments",
    "regex",
    "tiktoken",
    "tqdm",
    "traitlets",
    "yaml",
)


def loaded(code: str, *args: str) -> list[str]:
    """Runs code in a new Python; returns the modules that are loaded at its end."""
    whole = textwrap.dedent(code) + "\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))\n"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", whole, *args],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", HEAVY)
def test_import_is_light(name: str, modules_after_import: list[str]) -> None:
    """Importing skillbook does not load what is heavy."""
    assert name not in modules_after_import


@pytest.fixture(scope="module")
def modules_after_import() -> list[str]:
    """What is loaded after ``import skillbook``."""
    return loaded("import skillbook")


def test_import_loads_nothing_that_shows(modules_after_import: list[str]) -> None:
    """Importing skillbook loads no module of ours for displays, widgets or the command line."""
    ours = [name for name in modules_after_import if name.startswith("skillbook.")]
    assert [n for n in ours if n.split(".")[1] in ("display", "widgets", "magics", "cli")] == []


def test_loading_skills_is_light(tmp_path: Path) -> None:
    """Listing, loading and reading the prompt load neither a notebook's parts nor a network's."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text("---\nname: a\ndescription: D.\n---\nBody.\n")
    names = loaded(
        """
        import sys, skillbook
        skillbook.list_skills(sys.argv[1])
        source = skillbook.load_skills(sys.argv[1])
        source.prompt()
        assert not source.tool.call({"name": "a"}).is_error
        """,
        str(tmp_path),
    )
    light = set(HEAVY) - {"yaml", "asyncio"}
    assert light & set(names) == set()


def test_all_is_what_can_be_imported() -> None:
    """Each name of ``__all__`` can be imported, stands once, and is shown by ``dir``."""
    assert sorted(set(skillbook.__all__)) == sorted(skillbook.__all__)
    for name in skillbook.__all__:
        assert not isinstance(getattr(skillbook, name), type(sys)), name
    assert set(skillbook.__all__) <= set(dir(skillbook))


def test_nothing_public_is_left_out_of_all() -> None:
    """What the package holds of ours beside ``__all__`` is private, or IPython's hook."""
    for name in skillbook.__all__:
        getattr(skillbook, name)
    public = {
        name
        for name, value in vars(skillbook).items()
        if not name.startswith("_")
        and (getattr(value, "__module__", None) or "").startswith("skillbook")
    }
    assert public - set(skillbook.__all__) <= {"load_ipython_extension"}


def test_names_of_the_core() -> None:
    """The names that the core promises are there."""
    promised = {
        "ALL",
        "Notice",
        "SkillDef",
        "SkillInfo",
        "SkillInventory",
        "SkillSkip",
        "SkillSource",
        "SkillWarning",
        "SkillbookError",
        "Tool",
        "ToolResult",
        "default_roots",
        "explore",
        "list_skills",
        "load_skills",
    }
    assert promised <= set(skillbook.__all__)


def test_star_import() -> None:
    """Importing everything by a star works, and gives what ``__all__`` says."""
    space: dict[str, object] = {}
    exec("from skillbook import *", space)
    assert set(skillbook.__all__) <= set(space)


def test_unknown_name() -> None:
    """A name that is not there is an AttributeError that names it."""
    with pytest.raises(AttributeError, match="no_such_name"):
        skillbook.no_such_name  # noqa: B018 - reading it is the test
