"""Without ipywidgets and anywidget, and without IPython: all but the widgets works (nb-04).

The libraries are hidden from a new interpreter: each finder of modules answers for them as where
they are not installed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import skillbook
from trees import build

WIDGETS = ("ipywidgets", "anywidget")
NOTEBOOK = ("IPython", "ipykernel", "comm", "traitlets", "matplotlib_inline")
NAMES = sorted(name for name, home in skillbook._HOMES.items() if home == "widgets")
ENVIRONMENTS = {"no-widgets": WIDGETS, "no-ipython": WIDGETS + NOTEBOOK}

HIDE = """
import sys

class Hidden:
    def __init__(self, finder, names):
        self.finder, self.names = finder, names

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            return None
        return self.finder.find_spec(name, path, target)

def hide(*names):
    sys.meta_path[:] = [Hidden(finder, names) for finder in sys.meta_path]
"""

KILN = (
    "---\nname: kiln-log\ndescription: Keeps a log of kiln firings.\n---\n# Notes\n\nDo the work.\n"
)
SCRIBE = (
    "---\nname: scribe\ndescription: Writes letters. Use when a letter is due.\n---\n# Letters\n"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two skills and a file that is skipped, below ``skills`` in the working folder."""
    build(
        tmp_path,
        {
            "skills/kiln-log/SKILL.md": KILN,
            "skills/scribe/SKILL.md": SCRIBE,
            "skills/torn/SKILL.md": "---\nname: [a\n---\n",
        },
    )
    monkeypatch.chdir(tmp_path)


def told(hidden: tuple[str, ...], code: str) -> Any:
    """Runs code in a new interpreter that lacks some libraries; returns what ``say`` was given.

    Every warning is an error there, and nothing may be written to stderr.
    """
    whole = "\n".join(
        [
            HIDE,
            f"hide(*{hidden!r})",
            "import json",
            "def say(value): print(json.dumps(value))",
            textwrap.dedent(code),
            f"assert not set({hidden!r}) & set(sys.modules)",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", whole],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def here(code: str) -> Any:
    """Returns what the same code says in this interpreter, which has every library."""
    said: list[Any] = []
    exec(textwrap.dedent(code), {"say": said.append})
    return said[0]


environments = pytest.mark.parametrize("hidden", ENVIRONMENTS.values(), ids=ENVIRONMENTS)


@environments
def test_import_is_silent(hidden: tuple[str, ...]) -> None:
    """Importing works, warns of nothing, prints nothing, and still names everything (nb-04)."""
    names = told(hidden, "import skillbook; say(dir(skillbook))")
    assert set(skillbook.__all__) <= set(names)


@environments
@pytest.mark.parametrize(
    "what",
    [
        "source.prompt()",
        "repr(source) + source._repr_html_()",
        "repr(inventory) + inventory._repr_html_()",
        "repr(source['scribe']) + source['scribe']._repr_html_()",
        "source.tool(name='scribe').output.replace(os.getcwd(), '')",
        "repr(source.tool(name='nope')) + source.tool(name='nope')._repr_html_()",
        "repr(sb.token_sizes(source)) + sb.token_sizes(source)._repr_html_()",
        "sb.count_tokens(source.prompt())",
        "repr(sb.check('skills')) + sb.check('skills')._repr_html_()",
        "sb.preview('---\\nname: a\\n---\\n# A\\n')._repr_html_()",
        "sb.to_html(source)",
        "repr(sb.budget(source))",
        "[sb.Session(source, root='/skills').load('scribe').is_error]",
        "[skip.to_dict()['reason'] for skip in inventory.skipped]",
    ],
)
def test_all_else_works_the_same(hidden: tuple[str, ...], what: str) -> None:
    """What is no widget gives what it gives with every library installed (nb-04)."""
    code = f"""
        import os
        import skillbook as sb
        source, inventory = sb.load_skills("skills"), sb.list_skills("skills")
        say({what})
    """
    expected = here(code)
    assert expected
    assert expected == told(hidden, code)


@environments
@pytest.mark.parametrize("name", NAMES)
def test_a_widget_says_what_to_install(hidden: tuple[str, ...], name: str) -> None:
    """Each widget's name gives the one message, every time, by both ways to ask for it (nb-04)."""
    code = f"""
        import skillbook as sb
        said = []
        for ask in ("sb.{name}", "sb.{name}('skills')"):
            try:
                eval(ask)
            except sb.MissingDependency as error:
                said.append(str(error))
        try:
            from skillbook import {name}
        except ImportError as error:
            said.append(str(error))
        say(said)
    """
    message = (
        "the widgets need ipywidgets; install it with: pip install ipywidgets anywidget"
        " (everything else works without, for example sb.list_skills)"
    )
    assert told(hidden, code) == [message] * 3


def test_one_library_of_two() -> None:
    """Where only anywidget is missing, the message names that one."""
    code = """
        import skillbook as sb
        try:
            sb.explore
        except sb.MissingDependency as error:
            say(str(error))
    """
    assert told(("anywidget",), code).startswith("the widgets need anywidget; install it with: pip")


def test_the_command_line_without_ipython() -> None:
    """The commands work without any of a notebook's libraries (nb-04)."""
    code = """
        import contextlib, io
        from skillbook.cli import main
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            main(["list", "skills"], standalone_mode=False)
        say(printed.getvalue())
    """
    assert "2 skills, 1 skipped, in skills" in told(ENVIRONMENTS["no-ipython"], code)


def test_a_kernel_without_ipywidgets_says_nothing(tmp_path: Path) -> None:
    """In a notebook that lacks ipywidgets, work with a progress bar prints nothing but its result."""
    import nbformat
    from nbclient import NotebookClient

    cells = [
        f"{HIDE}\nhide(*{WIDGETS!r})\nimport skillbook as sb\nsource = sb.load_skills('skills')",
        "sb.token_sizes(source)",
        "sb.check('skills')",
        "len(sb.to_html(source))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name="python3", timeout=60, resources=resources).execute()
    outputs = [[output.output_type for output in cell.outputs] for cell in notebook.cells]
    assert outputs == [[], *[["execute_result"]] * 3]
