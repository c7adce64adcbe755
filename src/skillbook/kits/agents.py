"""``AGENT.md``: bytes to an ``Agent``, and the agents of a folder.

Imports ``disk``, ``frontmatter`` and the records of kits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

from skillbook import disk, frontmatter
from skillbook.errors import FrontMatterError
from skillbook.frontmatter import FrontMatter
from skillbook.kits.records import MISSING_DESCRIPTION, Agent
from skillbook.model import Root, SkillSkip

FILE = "AGENT.md"

MAX_PROMPT = 10_000_000
"""Bytes that an agent's file may have."""


def parse(data: bytes, location: str = "", root: Root | None = None) -> Agent:
    """Returns the agent that a file makes.

    ``name`` and ``description`` are required; ``model``, ``capabilities`` (a list, or text with
    commas or spaces) and ``metadata`` (a map) are optional; the body is the system prompt.

    Args:
        data: the file's bytes.
        location: its absolute path.
        root: the folder of its kit.

    Raises:
        FrontMatterError: when the front matter makes no agent.
    """
    place = frontmatter.split(data)
    if place is None:
        raise frontmatter.why_none(data)
    front = whole(frontmatter.parse(frontmatter.block_text(data, place)))
    if front.name is None:
        raise FrontMatterError("missing-name", *frontmatter.no_name(front))
    if front.description is None:
        raise FrontMatterError(
            MISSING_DESCRIPTION, f"the agent {front.name!r} has no description; it needs one", 1
        )
    prompt, bad = frontmatter.body_text(data[place.body :])
    if bad is not None:
        raise FrontMatterError(
            "unreadable",
            f"the system prompt is not UTF-8 (first at byte {place.body + bad}; save it as UTF-8)",
        )
    model = front.meta.get("model")
    metadata = front.meta.get("metadata")
    if not isinstance(metadata, (dict, type(None))):
        raise _malformed("metadata", metadata, "a map")
    if isinstance(model, (dict, list)):
        raise _malformed("model", model, "text")
    return Agent(
        front.name,
        front.description,
        prompt.strip(),
        _capabilities(front.meta.get("capabilities")),
        None if model is None else str(model),
        location,
        metadata or {},
        root,
    )


def whole(front: FrontMatter) -> FrontMatter:
    """Returns front matter that YAML takes; where two fields were rescued, the others are lost.

    Raises:
        FrontMatterError: when YAML refused it.
    """
    for problem in front.problems:
        if problem.kind == "rescued-frontmatter":
            detail = problem.detail.partition("; only name")[0]
            raise FrontMatterError("malformed-frontmatter", detail, problem.line)
    return front


def _capabilities(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(word for word in re.split(r"[\s,]+", value) if word)
    if isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value):
        return tuple(str(item) for item in value)
    raise _malformed("capabilities", value, "a list, or text with commas or spaces")


def _malformed(field: str, value: Any, wanted: str) -> FrontMatterError:
    kind = {"dict": "a map", "list": "a list"}.get(type(value).__name__, f"{value!r}")
    return FrontMatterError("malformed-frontmatter", f"{field} is {kind}; write {wanted}", 1)


def read(path: str, root: Root | None = None, *, inside: str | None = None) -> Agent | SkillSkip:
    """Reads an agent's file; one that is empty or unclosed is read once more.

    Args:
        path: the file's absolute path.
        root: the folder of its kit.
        inside: a real folder that the file's real path must lie in, or None.

    Returns:
        The agent, or a skip with the reason.
    """
    try:
        if inside is not None and not disk.inside(os.path.realpath(path), inside):
            return SkillSkip(
                path, "unreadable", "it is a link that leads out of an imported folder", root=root
            )
        data = disk.read(path, MAX_PROMPT)
        if not data or _unclosed(data):
            data = disk.read(path, MAX_PROMPT)
        if len(data) > MAX_PROMPT:
            return SkillSkip(path, "unreadable", "the file is over 10 MB", root=root)
        return parse(data, path, root)
    except FrontMatterError as error:
        return SkillSkip(path, error.reason, error.detail, error.line, root)  # type: ignore[arg-type]
    except OSError as error:
        detail = f"the file cannot be read: {disk.words(error)}"
        return SkillSkip(path, "unreadable", detail, root=root)


def _unclosed(data: bytes) -> bool:
    try:
        frontmatter.split(data)
    except frontmatter.UnclosedError:
        return True
    return False


def files(folder: str) -> list[str]:
    """Returns the agents' files of a kit: ``agents/*.md`` and ``agents/*/AGENT.md``, sorted.

    Raises:
        OSError: when the folder ``agents`` is there and cannot be read.
    """
    agents = os.path.join(folder, "agents")
    if not os.path.isdir(agents):
        return []
    with os.scandir(agents) as entries:
        return listed(
            ((entry.path, entry.is_dir()) for entry in entries if entry.name[0] != "."),
            lambda path: os.path.lexists(os.path.join(path, FILE)),
        )


def miscased(folder: str) -> list[str]:
    """Returns the files of a kit that are no agents' for the case of their letters alone, sorted."""
    here = _paths(folder)
    paths = _miscased(folder, here)
    agents = os.path.join(folder, "agents")
    for path in _paths(agents) if agents in here else ():
        if os.path.isdir(path):
            paths += _miscased(path, _paths(path))
        elif path.lower().endswith(".md") and not path.endswith(".md"):
            paths.append(path)
    return sorted(paths)


def _miscased(folder: str, paths: list[str]) -> list[str]:
    right = os.path.join(folder, FILE)
    alike = [path for path in paths if path.lower() == right.lower() and not os.path.isdir(path)]
    return [] if right in alike else alike


def _paths(folder: str) -> list[str]:
    """Returns what lies in a folder, but for what is hidden; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.name[0] != "."]
    except OSError:  # told where its files are read
        return []


def listed(entries: Any, has_file: Callable[[str], bool]) -> list[str]:
    """Returns which entries of a folder ``agents`` are agents' files, sorted.

    Args:
        entries: pairs of a path and whether it is a folder.
        has_file: says whether a folder holds an ``AGENT.md``.
    """
    paths: list[str] = []
    for path, is_folder in entries:
        if is_folder:
            if has_file(path):
                paths.append(os.path.join(path, FILE))
        elif path.endswith(".md"):
            paths.append(path)
    return sorted(paths)
