"""The folder of a skill as an editor needs it: which one is meant, and its files.

Files are listed, added and renamed, and never one outside the folder. Imports ``disk``, ``saving``,
``lint.beside`` and ``field_edits``; no widget.
"""

from __future__ import annotations

import os

from skillbook import disk, saving
from skillbook.errors import SkillbookError, SkillNotFound
from skillbook.folder import listable
from skillbook.lint.beside import Beside, File
from skillbook.model import SkillInfo, printable
from skillbook.widgets.editor import field_edits
from skillbook.widgets.editor.drafts import writable

SKILL = "SKILL.md"

_FRESH = """\
---
name: x
description: ""
---

# {title}
"""


def begun(name: str) -> str:
    """Returns the text that a new skill begins with."""
    title = printable(name.replace("-", " ").capitalize())
    return field_edits.edited(_FRESH.format(title=title), "name", printable(name))


def folder_of(
    path: str | os.PathLike[str] | SkillInfo | None, name: str | None, root: str | os.PathLike[str]
) -> str:
    """Returns the folder of a skill, as the user typed it.

    Args:
        path: the folder, its ``SKILL.md``, or a skill.
        name: instead of a path, the name of a new skill.
        root: the folder that a new skill's folder is made in.

    Raises:
        SkillNotFound: when there is no such folder.
        TypeError: when neither or both of path and name are given, or the skill has no folder.
        ValueError: when there can be no such folder.
    """
    if (path is None) == (name is None):
        raise TypeError("pass the path of a skill, or name= for a new one (and not both)")
    if name is not None:
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}; pass text")
        if name in ("", ".", "..") or name != os.path.basename(name) or not name.isprintable():
            raise ValueError(f"name is {name!r}, which is no name for a folder")
        typed = os.fspath(root)
        return name if typed == "." else os.path.join(typed, name)
    if isinstance(path, SkillInfo):
        if path.origin != "fs":
            raise TypeError(f"skill {path.name!r} is given in code and has no file to edit")
        return path.shown_location.removesuffix("/" + SKILL)
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path is {path!r}; pass a skill's folder, its SKILL.md, or a skill")
    typed = os.fspath(path)
    if not isinstance(typed, str) or not typed or "\0" in typed:
        raise ValueError(f"{typed!r} is no path; pass a skill's folder or its SKILL.md")
    if os.path.basename(typed) == SKILL:
        typed = os.path.dirname(typed) or "."
    if not os.path.isdir(os.path.expanduser(typed)):
        raise SkillNotFound(
            f"{printable(typed)} is no folder; pass a skill's folder or its SKILL.md, or name= for"
            " a new skill"
        )
    return typed


def files(folder: str) -> tuple[File, ...]:
    """Returns the files of a folder besides its ``SKILL.md``, hidden ones too, sorted."""
    return tuple(file for file in Beside(folder).files if file.path != SKILL)


def place(folder: str, path: str) -> str:
    """Returns the absolute path of a file of a skill.

    Args:
        folder: the skill's folder, absolute.
        path: relative to it, with ``/``.

    Raises:
        SkillbookError: when it lies, or leads, outside the folder, or is no name for a file.
        TypeError: when it is no text.
    """
    if not isinstance(path, str):
        raise TypeError(f"the path is of type {type(path).__name__}; pass a str: notes/more.md")
    parts = path.split("/")
    outside = not parts[0] or ".." in parts or bool(os.path.splitdrive(path)[0])
    odd = not listable(path) or "\\" in path or path != path.strip()
    if not path or odd or (not outside and any(part in ("", ".") for part in parts)):
        raise SkillbookError(f"{printable(path)!r} is no path for a file; write notes/more.md")
    if outside:
        raise SkillbookError(f"{path!r} does not lie in the skill's folder; write notes/more.md")
    whole = os.path.join(folder, *parts)
    if not disk.inside(os.path.realpath(whole), os.path.realpath(folder)):
        raise SkillbookError(f"{path!r} leads outside the skill's folder")
    return whole


def free(folder: str, path: str) -> str:
    """Returns the absolute path of a file that is not there yet.

    Raises:
        SkillbookError: when there is something already, or the path is not allowed.
    """
    whole = place(folder, path)
    if os.path.lexists(whole):
        raise SkillbookError(f"{path} exists already; choose another name")
    if path.rpartition("/")[2] == SKILL:
        raise SkillbookError("a SKILL.md makes a skill of its own; choose another name")
    return whole


def add(folder: str, path: str, text: str = "") -> str:
    """Makes a new file, with the folders that it needs; returns its absolute path.

    Raises:
        SkillbookError: when there is one already, or it cannot be made.
        TypeError: when path or text is no text.
    """
    data = writable(text).encode("utf-8", "surrogateescape")
    whole = free(folder, path)
    _make_room(whole, path)
    saving.save(whole, data, expected=None)
    return whole


def rename(folder: str, old: str, new: str) -> str:
    """Gives a file another path in the same skill; returns the new absolute one.

    Raises:
        SkillbookError: when it is not there, the new path is taken, or the system refuses.
    """
    before = place(folder, old)
    if old == SKILL:
        raise SkillbookError("the SKILL.md keeps its name")
    if not os.path.lexists(before):
        raise SkillbookError(f"{old} is not there any more")
    if os.path.isdir(before):
        raise SkillbookError(f"{old} is a folder; rename the files in it")
    whole = free(folder, new)
    _make_room(whole, new)
    try:
        os.rename(before, whole)
    except OSError as error:
        raise SkillbookError(f"{old} cannot be renamed: {disk.words(error)}") from error
    return whole


def _make_room(whole: str, path: str) -> None:
    try:
        os.makedirs(os.path.dirname(whole), exist_ok=True)
    except OSError as error:
        raise SkillbookError(f"no folder can be made for {path}: {disk.words(error)}") from error
