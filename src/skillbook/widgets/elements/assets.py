"""The JavaScript and the style sheet of the elements, read from the files beside this one."""

from __future__ import annotations

from importlib.resources import files


def script(name: str) -> str:
    """Returns a module of ours, after what every view is made with."""
    return f"{read('make.js')}\n{read(name)}"


def read(name: str) -> str:
    """Returns a file that lies beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
