"""``skillbook lab``: it works for any folder, keeps to its temporary folder and ends cleanly."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import nbformat
import pytest
from click.testing import CliRunner
from jupyter_client import BlockingKernelClient

from labs import running_lab
from skillbook import lab
from skillbook.cli import main
from skillbook.errors import SkillNotFound

ODD_NAMES = (
    "two words",
    """both ' and " quotes""",
    "grüße-☃-Ω",
    "back\\slash {folder} %s $HOME",
    "line\nbreak",
    "#%20?&amp;",
)


def files_below(folder: Path) -> dict[str, bytes]:
    """Returns every file below a folder with its bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def folder_in(notebook: dict) -> str:
    """Returns the folder that the notebook's code names."""
    tree = ast.parse(notebook["cells"][1]["source"])
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    return ast.literal_eval(assigned[0].value)


@pytest.mark.parametrize("name", [*ODD_NAMES, os.fsdecode(b"not-utf8-\xff")])
def test_notebook_names_the_folder(name: str) -> None:
    """Whatever a folder is called, the notebook's code means just that folder."""
    folder = Path("/skills") / name
    assert folder_in(lab.notebook(folder)) == str(folder)


def test_notebook_is_valid() -> None:
    """The notebook is valid, starts a Python kernel, and its first cell says how to keep a copy."""
    notebook = lab.notebook(Path("/skills"))
    nbformat.validate(notebook)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    first = notebook["cells"][0]
    assert first["cell_type"] == "markdown"
    assert (
        "To keep a copy of this notebook, save it (Ctrl-S), then choose File › Download."
        in first["source"]
    )
    assert (
        "Paths in your code start in the folder where you called `skillbook lab`" in first["source"]
    )


def test_folder_left_out_in_a_checkout(repository: Path) -> None:
    """In a checkout of skillbook, the examples are what is explored."""
    assert lab.find_folder(None) == repository / "examples"


def test_folder_left_out_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere it is the working folder, even if it has some folder called examples."""
    (tmp_path / "examples").mkdir()
    monkeypatch.chdir(tmp_path)
    assert lab.find_folder(None) == tmp_path


def test_folder_as_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths, ``~``, dots and absolute paths all give the absolute folder."""
    folder = tmp_path / "my skills"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for typed in (
        "my skills",
        "./my skills/",
        "my skills/../my skills",
        "~/my skills",
        str(folder),
    ):
        assert lab.find_folder(typed) == folder


def test_folder_that_is_none(tmp_path: Path) -> None:
    """A missing folder and a file are refused with a message that names what was found."""
    file = tmp_path / "SKILL.md"
    file.touch()
    with pytest.raises(SkillNotFound, match=r"SKILL\.md' is a file; give the folder"):
        lab.find_folder(str(file))
    with pytest.raises(SkillNotFound, match="'nowhere' is not there; give the folder"):
        lab.find_folder("nowhere")


def test_furnish_keeps_to_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every folder of Jupyter's lies in the temporary one, which also comes first in its path."""
    monkeypatch.setenv("JUPYTER_PATH", "/elsewhere")
    variables = lab.furnish(tmp_path, Path("/skills"), Path("/work"))
    assert variables.pop("JUPYTER_PATH") == os.pathsep.join([f"{tmp_path}/share", "/elsewhere"])
    assert {Path(value).is_relative_to(tmp_path) for value in variables.values()} == {True}


def test_missing_folder_on_the_command_line() -> None:
    """The command ends with 1 and the message alone."""
    result = CliRunner().invoke(main, ["lab", "nowhere"])
    assert result.exit_code == 1
    assert result.output == "Error: 'nowhere' is not there; give the folder that holds the skills\n"


def test_without_jupyterlab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where JupyterLab is not installed, the message says what to install."""
    monkeypatch.setattr(lab, "find_spec", lambda _name: None)
    result = CliRunner().invoke(main, ["lab", str(tmp_path)])
    assert result.exit_code == 1
    assert 'pip install "skillbook[lab]"' in result.output


def test_help() -> None:
    """The help names the commands, and the version is the package's."""
    assert "lab" in CliRunner().invoke(main, ["--help"]).output
    assert CliRunner().invoke(main, ["--version"]).output.startswith("skillbook, version ")


def test_a_whole_run(tmp_path: Path, repository: Path) -> None:
    """A folder of an odd name is explored by the right interpreter, and no file is left behind.

    The kernel works where the command was called, but imports nothing from there.
    """
    working = tmp_path / "grüße ' \" \\ {here}"
    folder = working / ODD_NAMES[1]
    skill = folder / "hello-world" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_bytes((repository / "examples/skills/hello-world/SKILL.md").read_bytes())
    (working / "ipywidgets.py").write_text("raise SystemExit('a module of the working folder')\n")
    before = files_below(working)
    with running_lab(folder.name, scratch=tmp_path / "run", cwd=working) as running:
        address = urlsplit(running.url)
        assert address.hostname == "127.0.0.1"
        assert address.path == "/lab/tree/explore.ipynb"
        client = httpx.Client(base_url=f"http://{address.netloc}", timeout=60)
        assert client.get("/api/contents/explore.ipynb").status_code == 403

        client.headers["Authorization"] = f"token {parse_qs(address.query)['token'][0]}"
        assert client.get("/lab/extensions/skillbook-lab/static/lab.js").status_code == 200
        assert '"skillbook-lab"' in client.get("/lab/tree/explore.ipynb").text
        specs = client.get("/api/kernelspecs").json()
        interpreter = Path(specs["kernelspecs"]["python3"]["spec"]["argv"][0])
        assert interpreter.parent == Path(sys.executable).parent
        notebook = client.get("/api/contents/explore.ipynb").json()["content"]
        asked = {
            "path": "explore.ipynb",
            "name": "",
            "type": "notebook",
            "kernel": {"name": "python3"},
        }
        assert client.post("/api/sessions", json=asked).status_code == 201
        saved = {"type": "notebook", "content": notebook}
        assert client.put("/api/contents/explore.ipynb", json=saved).status_code == 200

        (connection,) = running.temporary.glob("skillbook-lab-*/runtime/kernel-*.json")
        kernel = BlockingKernelClient(connection_file=str(connection))
        kernel.load_connection_file()
        kernel.start_channels()
        kernel.wait_for_ready(timeout=60)
        code = f"""{notebook["cells"][1]["source"]}
assert folder == {str(folder)!r}
assert list(sb.load_skills({folder.name!r})) == ["hello-world"]
assert "os" not in globals()"""
        reply = kernel.execute_interactive(code, timeout=60, output_hook=lambda _message: None)
        kernel.stop_channels()
        assert reply["content"]["status"] == "ok", reply["content"]

        assert running.end() == 0
    assert running.output[0].startswith("Exploring '")
    assert files_below(working) == before
    assert files_below(tmp_path / "run") == {}
    assert list(running.temporary.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_ends(tmp_path: Path, number: int) -> None:
    """When it is terminated, or its terminal closes, the temporary folder goes as well."""
    with running_lab(str(tmp_path), scratch=tmp_path / "run") as running:
        assert running.end(number) == 0
    assert list(running.temporary.iterdir()) == []


def test_address_of_another_machine(tmp_path: Path) -> None:
    """An address that cannot be listened on ends it with 1 and a message, and leaves nothing."""
    done = subprocess.run(
        [Path(sys.executable).with_name("skillbook"), "lab", "--no-browser", "--ip=192.0.2.1", "."],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: cannot listen on '192.0.2.1': ")
    assert list(tmp_path.iterdir()) == []
