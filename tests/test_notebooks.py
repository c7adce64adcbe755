"""The notebooks: committed as they were run, compared strictly, and clean enough for every reader."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

import skillbook as sb
from run_notebooks import FOLDER, NOTEBOOKS, VIEW, run, tidy

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> dict[str, Any]:
    """Returns the notebook as it lies on the disk."""
    return json.loads(path.read_text(encoding="utf-8"))


def code_cells(path: Path) -> list[dict[str, Any]]:
    """Returns the cells that hold code."""
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]


def outputs(path: Path) -> Iterator[dict[str, Any]]:
    """Yields every output of a notebook."""
    for cell in code_cells(path):
        yield from cell["outputs"]


def text_of(output: dict[str, Any]) -> str:
    """Returns all that an output holds as one text."""
    return json.dumps(output, ensure_ascii=False)


def test_notebooks_are_there() -> None:
    """The notebooks are found, numbered from the index on."""
    assert NOTEBOOKS[0].name == "00_index.ipynb"
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{n:02}" for n in range(len(NOTEBOOKS))]


@every_notebook
def test_outputs_agree(path: Path, tmp_path: Path) -> None:
    """Run again, in a fresh kernel of this environment, every output is the one committed."""
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q"]
    # Neither the project's options nor its conftest: nbval alone judges.
    options = ["-c", os.devnull, "--rootdir", str(FOLDER), "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, *options, str(path)],
        cwd=tmp_path,
        env=os.environ | {"IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(code_cells(path))} passed" in done.stdout


@every_notebook
def test_the_same_file_again(path: Path) -> None:
    """Run again and saved, it is the same file: cell ids, too, stay as they are (nb-10)."""
    assert run(path) == nbformat.read(path, as_version=4)


def test_quiet(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Listing, loading and showing write nothing to stdout or stderr, and show no bar (nb-08)."""
    for shown in (sb.list_skills("examples"), source := sb.load_skills("examples")):
        assert shown._repr_html_()
    assert source.tool(name="hello-world")._repr_html_()
    assert capfd.readouterr() == ("", "")


@every_notebook
def test_format(path: Path) -> None:
    """The notebook is valid format 4.5, with warnings as errors, and its cells' ids are unique (nb-10)."""
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(notebook)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)


@every_notebook
def test_committed_as_run(path: Path) -> None:
    """Every cell was run, once, from the first to the last, without an error or an empty cell."""
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert [o["output_type"] for o in outputs(path) if o["output_type"] == "error"] == []


@every_notebook
def test_nothing_of_one_run_stays(path: Path) -> None:
    """No widget state, view, or run's metadata is committed (nb-09): tidying changes nothing."""
    notebook = nbformat.read(path, as_version=4)
    tidied = nbformat.read(path, as_version=4)
    tidy(tidied)
    assert tidied == notebook
    assert VIEW not in path.read_text(encoding="utf-8")
    assert set(notebook.metadata) == {"kernelspec", "language_info"}


@every_notebook
def test_no_trace_of_a_machine(path: Path) -> None:
    """No output holds an absolute path, an address in memory or a clock's time."""
    trace = re.compile(
        r"file://(?!\{root\}|/skills/)|/(?:home|root|tmp|Users|usr|var|opt|mnt)/| at 0x|\b\d\d:\d\d:\d\d\b"
    )
    assert [trace.findall(text_of(output)) for output in outputs(path)] == [
        [] for _ in outputs(path)
    ]


@every_notebook
def test_streams(path: Path) -> None:
    """Nothing is written to stderr, and what a cell prints is one message (nb-08)."""
    for cell in code_cells(path):
        names = [o["name"] for o in cell["outputs"] if o["output_type"] == "stream"]
        assert names in ([], ["stdout"])


@every_notebook
def test_cells_do_not_hide(path: Path) -> None:
    """No cell ends in a semicolon (nb-11) or speaks to nbval in a comment; tags do that."""
    for cell in code_cells(path):
        source = "".join(cell["source"])
        assert not source.rstrip().endswith(";")
        assert "NBVAL" not in source


@every_notebook
def test_marks(path: Path) -> None:
    """Only cells that show a widget are left out of the comparison, and each has a cell after it (nb-09)."""
    cells = read(path)["cells"]
    for place, cell in enumerate(cells):
        tags = cell["metadata"].get("tags", [])
        if tags:
            assert tags == ["nbval-ignore-output"]
            assert {"text/html", "text/plain"} == set(cell["outputs"][0]["data"])
            later = next(c for c in cells[place + 1 :] if c["cell_type"] == "code")
            assert later["outputs"]


@every_notebook
def test_story(path: Path) -> None:
    """A notebook opens with what one learns and ends with three questions whose answers are folded."""
    cells = read(path)["cells"]
    first, last = ("".join(cells[place]["source"]) for place in (0, -1))
    assert first.startswith("# ")
    assert "you learn" in first
    assert len(re.findall(r"<details>\s*<summary>", last)) == last.count("</details>") == 3
