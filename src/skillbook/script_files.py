"""Script files: which files of a skill are scripts, what they say they take, and what runs them.

Imports ``disk``, ``errors``, ``model`` and ``usage_lines``; starts nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from skillbook import disk, usage_lines
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

_MAX_SOURCE = 10_000_000
_SHELLS = frozenset(("ash", "bash", "dash", "fish", "ksh", "sh", "zsh"))


@dataclass(frozen=True, slots=True)
class Script:
    """One script of a skill.

    Attributes:
        name: as it is called, relative to ``scripts/``.
        path: relative to the skill's folder.
        usage: the arguments that its ``# Usage:`` comment gives, or ``""``; each form of a call on
            a line of its own.
    """

    name: str
    path: str
    usage: str = ""

    def __str__(self) -> str:
        forms = self.usage.split("\n")
        return ", or ".join(f"{self.name} {form}".rstrip() for form in forms)

    @property
    def required(self) -> tuple[str, ...]:
        """The required arguments (``<x>``) of the first form; those in brackets are optional."""
        return usage_lines.required(self.usage.partition("\n")[0])

    def missing(self, args: Sequence[str]) -> tuple[str, ...]:
        """Returns the required arguments that a call leaves out; none where one form is met.

        Args:
            args: the call's arguments.
        """
        forms = [usage_lines.missing(form, args) for form in self.usage.split("\n")]
        return min(forms, key=len)

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
        found.append(Script(name, path, usage_lines.usage(head, name)))
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


# --- what runs one -----------------------------------------------------------------------------


def command_line(
    real: str, args: Sequence[str], search: str | None, name: str | None = None
) -> tuple[str, ...]:
    """Returns the argument list that runs a script.

    The suffix says which interpreter, else the ``#!`` line; a ``.py`` file is run by the Python
    that runs this. The executable bit is not needed.

    Args:
        real: the script's real path.
        args: its arguments.
        search: the ``PATH`` in whose absolute folders interpreters are looked for, or None for the
            system's own.
        name: the script's name, whose suffix counts; by default the real path's. A link's own name
            may have another suffix than what it leads to.

    Raises:
        ScriptError: for an unknown suffix, a missing interpreter, or Windows line ends in a script
            for a shell.
    """
    name = os.path.basename(name or real)
    try:
        data = disk.read(real, _MAX_SOURCE)
    except OSError as error:
        raise ScriptError(f"{name!r} cannot be read: {disk.words(error)}") from error
    programs = INTERPRETERS.get(suffix(name), ())
    program, *options = _shebang(data) or ("",)
    if not programs or (suffix(name) == ".sh" and _base(program) in _SHELLS):
        programs = (program,) if program else ()
    else:
        options = []
    if not programs:
        known = " ".join(sorted(INTERPRETERS))
        raise ScriptError(
            f"{name!r} cannot be run: its suffix is not known and it has no #! line; known suffixes"
            f" are {known}"
        )
    found = next(filter(None, (_program(program, search) for program in programs)), None)
    if found is None:
        raise ScriptError(
            f"{name!r} needs {' or '.join(map(_base, programs))}, which is not installed (looked for"
            " in PATH); install it, or run the script elsewhere"
        )
    if _base(found) in _SHELLS and b"\r\n" in data:
        raise ScriptError(
            f"{name!r} has Windows line ends (CRLF), which {_base(found)} does not take; save it with"
            " Unix line ends (LF)"
        )
    return (found, *options, real, *args)


def _base(program: str) -> str:
    return os.path.basename(program).removesuffix(".exe")


def _shebang(data: bytes) -> tuple[str, ...]:
    """Returns the program and options of a ``#!`` line, ``env`` left out; empty where none is."""
    line = data[:1000].partition(b"\n")[0]
    if not line.startswith(b"#!"):
        return ()
    words = line[2:].decode("utf-8", "replace").split()
    if words and _base(words[0]) == "env":
        words = words[1:]
        while words and (words[0] == "-S" or "=" in words[0]):
            words = words[1:]
    return tuple(words)


def _program(name: str, search: str | None) -> str | None:
    if re.fullmatch(r"python[\d.]*w?", _base(name)):
        return sys.executable or None
    if os.path.isabs(name) and os.path.isfile(name) and os.access(name, os.X_OK):
        return name
    # A relative folder would be looked for anew in the working folder, which is the skill's.
    folders = (os.defpath if search is None else search).split(os.pathsep)
    return shutil.which(_base(name), path=os.pathsep.join(filter(os.path.isabs, folders)))
