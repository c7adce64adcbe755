"""``new_skill``: a small skill that passes the checker, with comments that teach.

Imports ``lint``, ``discovery`` and the records.
"""

from __future__ import annotations

import os
import shutil

from skillbook import disk
from skillbook.discovery import discover, root_of
from skillbook.errors import SkillbookError
from skillbook.lint.checker import check
from skillbook.lint.fields import plain_kind
from skillbook.lint.yaml_words import in_json
from skillbook.model import Root, SkillInfo, printable

SCRIPT = "scripts/greet.py"
REFERENCE = "references/details.md"

_SKILL = """\
---
# The name is the folder's: lower case, digits and hyphens, at most 64 characters.
name: {name}
# A model sees only name and description until it loads the skill, and chooses by them. Say what
# the skill does and when to use it, in at most 1,024 characters. The quotes keep colons and hashes
# from being read as YAML.
description: {description}
# There is also: license, compatibility, metadata (your own keys, each value in quotes) and
# allowed-tools. Leave out what you do not need.
---

# {title}

A model reads from here on once it has loaded the skill. Say what the result should look like.

## Steps

1. Read what the user gave, and ask for what is missing.
2. Do the work in small steps, each of which can be checked.
{steps}{last}. Check the result, and say what was done.

## Example

Show one request and the answer to it: an example says more than three rules.
"""

_SCRIPT = '''\
#!/usr/bin/env python3
# Usage: greet.py <name>
"""Greets a person. A script does what should come out the same every time."""

import sys

if len(sys.argv) != 2:
    sys.exit("Usage: greet.py <name>")
print(f"Hello, {sys.argv[1]}!")
'''

_REFERENCE = """\
# Details

What is needed only now and then stands here: a model reads this file when the skill names it, and
until then it costs nothing.
"""


def new_skill(
    name: str,
    root: str | os.PathLike[str] = ".",
    *,
    description: str | None = None,
    with_scripts: bool = False,
    with_references: bool = False,
) -> SkillInfo:
    """Makes a small skill that passes the checker, with comments that teach.

    Args:
        name: its name, which is that of its folder too.
        root: the folder to make it in; made where it is missing.
        description: what it does and when to use it; None writes one to start from.
        with_scripts: whether it gets a script.
        with_references: whether it gets a reference file.

    Returns:
        The skill.

    Raises:
        TypeError: when the name or the description is no text.
        ValueError: when the specification does not allow one of them.
        SkillbookError: when the folder is there already, or cannot be made.
    """
    for what, value in (("name", name), ("description", description)):
        if not isinstance(value, str) and not (what == "description" and value is None):
            raise TypeError(f"{what} is {value!r}; pass text")
    if name in disk.SKIPPED_FOLDERS:
        raise ValueError(f"folders called {name} are never looked into; choose another name")
    above = root_of(root)
    folder = Root(os.path.join(above.typed, name), os.path.join(above.path, name))
    files = _files(name, description, with_scripts=with_scripts, with_references=with_references)
    wrong = check(
        files["SKILL.md"], select="SB1", folder=folder.path if _plain(name) else None
    ).errors
    if wrong or not _plain(name):
        told = "; ".join(finding.message for finding in wrong) or "a name is no path"
        raise ValueError(f"there can be no such skill: {told}")
    _write(folder, files)
    return discover([folder]).skills[0]


def _plain(name: str) -> bool:
    """Returns whether a name names a folder right below the root, and no other."""
    return name == os.path.basename(name) and name not in ("", ".", "..") and "\0" not in name


def _files(
    name: str, description: str | None, *, with_scripts: bool, with_references: bool
) -> dict[str, str]:
    said = name.replace("-", " ")
    steps = [f"Run `{SCRIPT}` with the user's name, and use what it prints."] * with_scripts
    steps += [f"Read [the details]({REFERENCE}) when a case is unusual."] * with_references
    files = {
        "SKILL.md": _SKILL.format(
            name=in_json(name) if plain_kind(name) else name,
            description=in_json(
                f"Helps with {said}. Use when the user asks for {said}, or works on it."
                if description is None
                else description
            ),
            title=said[:1].upper() + said[1:],
            steps="".join(f"{number}. {step}\n" for number, step in enumerate(steps, 3)),
            last=3 + len(steps),
        )
    }
    if with_scripts:
        files[SCRIPT] = _SCRIPT
    if with_references:
        files[REFERENCE] = _REFERENCE
    return files


def _write(folder: Root, files: dict[str, str]) -> None:
    """Writes the files into a new folder; what was begun is taken away again where that fails."""
    if os.path.lexists(folder.path):
        raise SkillbookError(
            f"{printable(folder.typed)} exists already; choose another name, or remove it first"
        )
    try:
        os.makedirs(folder.path)
    except OSError as error:
        raise SkillbookError(
            f"{printable(folder.typed)} cannot be made: {disk.words(error)}"
        ) from error
    try:
        for path, text in files.items():
            file = os.path.join(folder.path, path)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            if path == SCRIPT:
                os.chmod(file, 0o755)  # noqa: S103 - a script may be run by all
    except BaseException:
        shutil.rmtree(folder.path, ignore_errors=True)
        raise
