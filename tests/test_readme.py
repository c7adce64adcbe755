"""The README: its commands are the ones that work, its code runs, and what it links to is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Returns the fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_commands() -> None:
    """There are two commands, each of one line with its own virtual environment."""
    made = "python3.11 -m venv .venv && .venv/bin/pip install -e "
    assert blocks("sh") == [
        made + '".[lab]" && .venv/bin/skillbook lab examples\n',
        made + '".[test]" && .venv/bin/pytest\n',
    ]


def test_extras(repository: Path) -> None:
    """The extras that the commands install exist, and so does the script that they call."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = set(re.findall(r'"\.\[(\w+)\]"', README))
    assert named == {"lab", "test"}
    assert named <= project["optional-dependencies"].keys()
    assert project["scripts"]["skillbook"] == "skillbook.cli:main"


def test_ci_runs_the_test_command(repository: Path) -> None:
    """CI finds the test command in the README, and finds just that one."""
    script = (repository / ".ci" / "run").read_text(encoding="utf-8")
    (pattern,) = re.findall(r"grep -x '(.*)' README\.md", script)
    assert [line for line in README.splitlines() if re.fullmatch(pattern, line)] == [
        blocks("sh")[1].rstrip()
    ]


def test_code_runs(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The README's Python runs as it stands from the checkout's folder, and shows the prompt."""
    namespace: dict[str, object] = {}
    for code in blocks("python"):
        exec(compile(code, "README.md", "exec"), namespace)
    assert "- **hello-world**: A tiny example skill." in capsys.readouterr().out


def test_five_lines() -> None:
    """The first use from a notebook takes five lines."""
    assert len(blocks("python")[0].splitlines()) == 5


def test_links(repository: Path) -> None:
    """Every file and picture that the README names is there."""
    targets = re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", README)
    paths = [link or picture for link, picture in targets]
    assert "notebooks/images/explorer-dark.png" in paths
    assert [path for path in paths if not (repository / path).exists()] == []


def test_benchmark(repository: Path) -> None:
    """The section on speed names the command that gives its figures."""
    section = README.split("## Speed and memory\n")[1].split("\n## ")[0]
    (script,) = re.findall(r"^python (\S+\.py)\b", section, re.MULTILINE)
    assert (repository / script).is_file()
