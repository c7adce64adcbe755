"""``skillbook lab``: JupyterLab on a notebook that explores one folder.

Notebook, settings, workspaces, kernel history and runtime files lie in one temporary folder that
goes at the end; nothing is written anywhere else. Only the command line may import this, and it
imports JupyterLab only when it starts it, after the environment says where things belong.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
from contextlib import suppress
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from skillbook.errors import MissingDependency, SkillbookError, SkillNotFound

NOTEBOOK = "explore.ipynb"

_ABOUT = """\
# Skill explorer

The explorer below starts by itself. If it does not, choose **Run › Run All Cells**.

**To keep a copy of this notebook, save it (Ctrl-S), then choose File › Download.** It lies in a
temporary folder, and so does all that you save from here, with *Save Notebook As…* too. That folder
goes when `skillbook lab` ends (Ctrl-C in the terminal). Your own folders stay as they are: skillbook
only reads them.

Paths in your code start in the folder where you called `skillbook lab`, as they do in the terminal."""

_EXPLORE = """\
import skillbook as sb

folder = {folder!r}
browser = sb.explore(folder)
browser"""

_MORE = """\
## Go on from here

Copy a line into the empty cell below, and press Shift-Enter.

```python
sb.list_skills(folder)               # all that was found, and what was skipped and why
source = sb.load_skills(folder)      # the skills, and the one tool that loads them
print(source.prompt())               # what a model sees at first
source.tool(name="hello-world")      # what it gets when it asks for a skill
```"""

_EXTENSION = "skillbook-lab"

_SETTINGS: dict[str, dict[str, Any]] = {
    # No request leaves the machine, and nothing pops up over the notebook.
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    # In seconds: a download and a reload give what was saved last.
    "docmanager-extension/plugin": {"autosaveInterval": 10},
    # Light or dark as the browser is.
    "apputils-extension/themes": {"adaptive-theme": True},
}


def examples_here() -> Path | None:
    """Returns the relative path of the examples where the working folder is a checkout, or None."""
    examples = Path("examples")
    return examples if (examples / "skills" / "hello-world" / "SKILL.md").is_file() else None


def find_folder(typed: str | None) -> Path:
    """Returns the absolute path of the folder to explore.

    Args:
        typed: the path as typed, with ``~`` or relative; None means the examples when the working
            folder is a checkout of skillbook, otherwise the working folder.

    Raises:
        SkillNotFound: when there is no such folder.
    """
    if typed is None:
        return Path.cwd() / (examples_here() or "")
    folder = Path(os.path.abspath(Path(typed).expanduser()))  # links stay as typed
    if folder.is_dir():
        return folder
    found = "a file" if folder.exists() else "not there"
    raise SkillNotFound(f"{typed!r} is {found}; give the folder that holds the skills")


def notebook(folder: Path) -> dict[str, Any]:
    """Returns the notebook that explores ``folder``, in Jupyter's format 4.5."""
    markdown: dict[str, Any] = {"cell_type": "markdown", "metadata": {}}
    code: dict[str, Any] = {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
    }
    return {
        "cells": [
            markdown | {"id": "about", "source": _ABOUT},
            code | {"id": "explore", "source": _EXPLORE.format(folder=str(folder))},
            markdown | {"id": "more", "source": _MORE},
            code | {"id": "yours", "source": ""},
        ],
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
                "name": "python3",
            }
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def furnish(place: Path, folder: Path, working: Path) -> dict[str, str]:
    """Writes all that JupyterLab needs into ``place``.

    Args:
        place: an empty folder, which the caller removes.
        folder: the folder to explore.
        working: the folder in which the kernels work, so that relative paths start there.

    Returns:
        The environment variables that make Jupyter and its kernels keep to ``place``.
    """
    from ipykernel.kernelspec import write_kernel_spec  # noqa: PLC0415 - an extra

    _write(place / "notebooks" / NOTEBOOK, notebook(folder))
    settings = place / "config" / "lab" / "user-settings" / "@jupyterlab"
    for name, values in _SETTINGS.items():
        _write(settings / f"{name}.jupyterlab-settings", values)
    # The kernel that every notebook asks for, with the interpreter that has skillbook.
    kernels = place / "share" / "kernels"
    kernels.mkdir(parents=True)
    # Modules in the working folder are not imported: they may be a stranger's, would take the place
    # of installed ones, and would leave a __pycache__ behind.
    arguments = ["--log-level=ERROR", "--InteractiveShellApp.ignore_cwd=True"]
    write_kernel_spec(kernels / "python3", extra_arguments=arguments)
    startup = place / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    # Jupyter starts a kernel beside its notebook. The line leaves no name behind in the notebook.
    change = f"__import__('os').chdir({str(working)!a})\n"
    (startup / "working_folder.py").write_text(change, encoding="ascii")
    extension = place / "share" / "labextensions" / _EXTENSION
    build = {"load": "static/lab.js", "extension": "./extension"}
    _write(
        extension / "package.json",
        {"name": _EXTENSION, "version": "1.0.0", "jupyterlab": {"_build": build}},
    )
    (extension / "static").mkdir()
    script = files("skillbook").joinpath("lab.js").read_text(encoding="utf-8")
    (extension / "static" / "lab.js").write_text(script, encoding="utf-8")
    inherited = os.environ.get("JUPYTER_PATH")
    return {
        "IPYTHONDIR": str(place / "ipython"),
        "JUPYTER_CONFIG_DIR": str(place / "config"),
        "JUPYTER_DATA_DIR": str(place / "data"),
        "JUPYTER_RUNTIME_DIR": str(place / "runtime"),
        "JUPYTER_PATH": os.pathsep.join(filter(None, (str(place / "share"), inherited))),
        "JUPYTERLAB_SETTINGS_DIR": str(place / "config" / "lab" / "user-settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(place / "config" / "lab" / "workspaces"),
    }


def start(
    typed: str | None = None,
    *,
    browser: bool = True,
    ip: str = "127.0.0.1",
    port: int | None = None,
) -> None:
    """Starts JupyterLab on a folder's explorer and returns when it has ended.

    Args:
        typed: the folder to explore, see :func:`find_folder`.
        browser: whether to open a browser; the address is printed in any case.
        ip: the address to listen on; a token guards it.
        port: the port to listen on, 0 for any free one, None for Jupyter's own choice.

    Raises:
        SkillNotFound: when there is no such folder.
        MissingDependency: when JupyterLab is not installed.
        SkillbookError: when there is no listening on that address.
    """
    folder = find_folder(typed)
    if find_spec("jupyterlab") is None:
        raise MissingDependency(
            'skillbook lab needs JupyterLab; install it with: pip install "skillbook[lab]"'
        )
    # A closed terminal ends it as Ctrl-C does, so that the temporary folder goes then, too.
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    with (
        suppress(KeyboardInterrupt),
        tempfile.TemporaryDirectory(
            prefix="skillbook-lab-", ignore_cleanup_errors=True
        ) as temporary,
    ):
        place = Path(temporary)
        os.environ.update(furnish(place, folder, Path.cwd()))
        # A token from outside would not be printed; this run makes its own.
        for name in ("JUPYTER_TOKEN", "JUPYTER_TOKEN_FILE"):
            os.environ.pop(name, None)
        app = import_module("jupyterlab.labapp").LabApp
        # Other server extensions may write into the home folder or ask the network.
        app.load_other_extensions = False
        click.echo(f"Exploring {str(folder)!r}. Press Ctrl-C to end; nothing stays behind.")
        try:
            app.launch_instance(_arguments(place, browser=browser, ip=ip, port=port))
        except OSError as error:
            raise SkillbookError(f"cannot listen on {ip!r}: {error}") from error
    click.echo("Ended.")


def _arguments(place: Path, *, browser: bool, ip: str, port: int | None) -> list[str]:
    """Returns the command line for JupyterLab."""
    arguments = [
        f"--ServerApp.root_dir={place / 'notebooks'}",
        f"--LabApp.default_url=/lab/tree/{NOTEBOOK}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--ServerApp.answer_yes=True",
        "--ServerApp.log_level=ERROR",
        "--LabApp.log_level=ERROR",
        f"--ServerApp.ip={ip}",
        f"--ServerApp.open_browser={browser}",
    ]
    if port is not None:
        arguments.append(f"--ServerApp.port={port}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")
    return arguments


def _write(path: Path, content: dict[str, Any]) -> None:
    """Writes JSON, in a folder that is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
