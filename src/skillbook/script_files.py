"""Script files: which files of a skill are scripts, and what arguments they say they take.

Imports ``disk``, ``model`` and ``script_input``; starts nothing.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from skillbook import disk
from skillbook.errors import ScriptError
from skillbook.model import printable

FOLDER = "scripts"
"""The folder of a skill that holds its scripts. (Specification, "scripts/".)"""

PYTHON = "python"
INTERPRETERS: dict[str, tuple[str, ...]] = {
    ".bash": ("bash",),
    ".cjs": ("node",),
    ".jl": ("julia",),
    ".js": ("node",),
    ".lua": ("lua",),
    ".mjs": ("node",),
    ".php": ("php",),
    ".pl": ("perl",),
    ".ps1": ("pwsh", "powershell"),
    ".py": (PYTHON,),
    ".r": ("Rscript",),
    ".rb": ("ruby",),
    ".sh": ("bash", "sh"),
    ".zsh": ("zsh",),
}
"""Suffixes in lower case, and the programs that run them, the first that is installed."""

_MAX_USAGE = 300


@dataclass(frozen=True, slots=True)
class Script:
    """One script of a skill.

    Attributes:
        name: as it is called, relative to ``scripts/``.
        path: relative to the skill's folder.
        usage: the arguments that its ``# Usage:`` comment gives, on one line, or ``""``.
    """

    name: str
    path: str
    usage: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.usage}".rstrip()

    @property
    def required(self) -> tuple[str, ...]:
        """The required arguments (``<x>``); those in square brackets are optional."""
        text = self.usage
        while (fewer := re.sub(r"\[[^\[\]]*\]", "", text)) != text:
            text = fewer
        return tuple(re.findall(r"<[^<>]+>", text))

    def to_dict(self) -> dict[str, Any]:
        """Returns the script as a JSON-safe mapping."""
        return {"name": self.name, "path": self.path, "usage": self.usage}


def scripts_of(folder: str, paths: Iterable[str]) -> tuple[Script, ...]:
    """Returns the scripts among a skill's files, in their order.

    These are the files of ``scripts/`` that do not start with ``_`` or ``.``. Of files in folders
    below it, only those that can be run: such folders mostly hold data.

    Args:
        folder: the skill's folder.
        paths: its files, relative to it.
    """
    found = []
    for path in paths:
        top, _, name = path.partition("/")
        if top != FOLDER or any(part[:1] in ("", "_", ".") for part in name.split("/")):
            continue
        try:
            head = disk.read(locate(folder, path), disk.HEAD)
        except ScriptError:  # a link that leads out: it cannot be run, so it is no script
            continue
        except OSError:
            head = b""
        if "/" in name and suffix(name) not in INTERPRETERS and not head.startswith(b"#!"):
            continue
        found.append(Script(name, path, _usage(head, name)))
    return tuple(found)


def suffix(name: str) -> str:
    """Returns a file's suffix as the table of interpreters has it."""
    return os.path.splitext(name)[1].lower()


def locate(folder: str, path: str) -> str:
    """Returns the real path of a skill's file, which lies inside the skill after resolving.

    Args:
        folder: the skill's folder.
        path: the file, relative to it.

    Raises:
        ScriptError: when it lies outside (by ``..``, an absolute name, a link or a backslash), does
            not exist, or is no regular file.
    """
    shown = repr(printable(path))
    if not path or "\0" in path or "\\" in path or os.path.isabs(path):
        raise ScriptError(
            f"{shown} is no path inside the skill; pass one relative to the skill's folder, with /"
        )
    real = os.path.realpath(os.path.join(folder, path))
    if not disk.inside(real, os.path.realpath(folder)):
        raise ScriptError(f"{shown} lies outside the skill; only a skill's own files are run")
    try:
        mode = os.stat(real).st_mode
    except OSError as error:
        raise ScriptError(f"{shown} cannot be run: {disk.words(error)}") from error
    if not stat.S_ISREG(mode):
        raise ScriptError(f"{shown} cannot be run: it is {disk.kind_of(mode)}, not a file")
    return real


_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%)[#/*;%!-]*(.*)")
_USAGE = re.compile(r"\s*usage\s*:(.*)", re.IGNORECASE)


def _usage(head: bytes, name: str) -> str:
    """Returns the arguments in a ``# Usage:`` comment at a script's head, on one line.

    Where nothing follows on its line, the next line of the comment that says something holds it.
    """
    opened = False
    for line in head.decode("utf-8-sig", "replace").splitlines():
        comment = _COMMENT.match(line)
        if comment is None:
            if line.strip():  # the first line of code ends the head
                break
            continue
        text = comment[1].strip()
        if not opened:
            match = _USAGE.match(text)
            opened = match is not None
            text = match[1].strip() if match else ""
        if text:
            return _arguments(text, name)
    return ""


def _arguments(usage: str, name: str) -> str:
    """Returns a usage line without the command in front of the arguments."""
    text = " ".join("".join(char if char.isprintable() else " " for char in usage).split())
    last = name.rpartition("/")[2]
    named = re.search(rf"(?:^|[\s/]){re.escape(last)}(?=\s|$)", text)
    first = named or re.search(r"(?=[<\[])|(?:^|(?<=\s))(?=-)", text)
    text = text[first.end() :].strip() if first else text
    return text if len(text) <= _MAX_USAGE else text[:_MAX_USAGE] + "…"
