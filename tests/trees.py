"""Makes folders of skills for tests, from the words that the case files use.

Nothing here imports skillbook: a builder that shared code with what it tests could hide a fault.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SKILL = "---\nname: {name}\ndescription: {description}\n---\n{body}"


def skill(name: str, description: str = "Does a thing.", body: str = "Body.\n") -> str:
    """Returns the text of a plain ``SKILL.md``."""
    return SKILL.format(name=name, description=description, body=body)


def build(
    root: Path,
    files: Mapping[str, Any],
    files_b64: Mapping[str, str] | None = None,
    setup: Sequence[Mapping[str, Any]] = (),
) -> Path:
    """Makes a tree below ``root`` and returns ``root``.

    Args:
        root: the folder to build in; made where it is missing.
        files: path to text, to bytes, to ``{"b64": bytes}`` or to ``{"link": target}``.
        files_b64: path to bytes in base64.
        setup: operations done afterwards, in order; those that happen later in a test
            (``edit``, ``delete``, ``race``) are left to the test.
    """
    root.mkdir(parents=True, exist_ok=True)
    for path, value in files.items():
        place(root / path, value)
    for path, value in (files_b64 or {}).items():
        place(root / path, {"b64": value})
    for step in setup:
        if step["op"] not in ("edit", "delete", "race"):
            OPERATIONS[step["op"]](root, step)
    return root


def place(path: Path, value: Any) -> None:
    """Puts one file or link at ``path``, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, str):
        path.write_bytes(value.encode())
    elif isinstance(value, bytes):
        path.write_bytes(value)
    elif "link" in value:
        path.symlink_to(value["link"])
    else:
        path.write_bytes(base64.b64decode(value["b64"]))


def _symlink(root: Path, step: Mapping[str, Any]) -> None:
    place(root / step["path"], {"link": step["target"]})


def _mkdir(root: Path, step: Mapping[str, Any]) -> None:
    (root / step["path"]).mkdir(parents=True, exist_ok=True)


def _fifo(root: Path, step: Mapping[str, Any]) -> None:
    os.mkfifo(root / step["path"])


def _chmod(root: Path, step: Mapping[str, Any]) -> None:
    (root / step["path"]).chmod(int(step["mode"], 8))


def _fill(root: Path, step: Mapping[str, Any]) -> None:
    text = step["prefix"] + step["text"] * step["times"] + step.get("suffix", "")
    place(root / step["path"], text)


def _many(root: Path, step: Mapping[str, Any]) -> None:
    for a in range(step["a"]):
        for b in range(step.get("b", 1)):
            path = _counted(step["pattern"], a, b)
            place(root / path, _counted(step["text"], a, b))


def _counted(text: str, a: int, b: int) -> str:
    """Returns ``text`` with ``{a:04d}``, ``{b}`` and ``{pad:900}`` filled in."""
    text = re.sub(r"\{pad:(\d+)\}", lambda match: "p" * int(match[1]), text)
    values = {"a": a, "b": b}
    return re.sub(
        r"\{([ab])(?::([^}]*))?\}", lambda match: format(values[match[1]], match[2] or ""), text
    )


OPERATIONS = {
    "symlink": _symlink,
    "mkdir": _mkdir,
    "fifo": _fifo,
    "chmod": _chmod,
    "fill": _fill,
    "many": _many,
}
