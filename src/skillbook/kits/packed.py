"""A kit's files read once from a folder, a wheel or a zip, and served from memory.

Imports ``agents``, ``folder`` for what may be listed, and the records of kits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from skillbook import disk, frontmatter
from skillbook.errors import FrontMatterError, SkillReadError
from skillbook.folder import MAX_BODY, FolderReader, listable
from skillbook.kits import agents
from skillbook.kits.errors import KitFileError
from skillbook.kits.records import Agent, Kit, full_name, settled
from skillbook.model import Body, Files, Notice, Root, SkillInfo

DEEPEST = 32
"""Folders below each other that are looked into."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that is read: on the disk, or in a zip.

    Attributes:
        folder: the folder.
        typed: how displays show it.
    """

    folder: Traversable
    typed: str

    @property
    def path(self) -> str | None:
        """Its absolute path, or None where it is not on the disk."""
        return str(self.folder) if isinstance(self.folder, Path) else None


def place(given: Any) -> Place:
    """Returns the place that ``path=`` names: text, a ``Path``, or a package's resources.

    Raises:
        TypeError: when it is none of these.
        ValueError: when it is empty text.
    """
    if given == "":  # it would be the working folder, whichever that is
        raise ValueError(
            "path is ''; pass the folder that holds skills/, or path=\".\" for the working folder"
        )
    if isinstance(given, (str, os.PathLike)) and not isinstance(os.fspath(given), bytes):
        typed = os.fspath(given)
        folder: Traversable = Path(os.path.abspath(os.path.expanduser(typed)))
    elif isinstance(given, Traversable):
        folder, typed = given, given.name
    else:
        raise TypeError(
            f"path is {given!r}; pass a path as text or Path, or what importlib.resources.files gives"
        )
    return Place(folder, typed)


@dataclass(frozen=True, slots=True)
class PackedReader:
    """The reader of a skill that is in memory.

    Attributes:
        held: the body.
        siblings: what lay beside it when it was read.
    """

    held: Body = field(repr=False)
    siblings: Files

    def body(self, skill: SkillInfo) -> Body:  # noqa: ARG002 - the reader's protocol
        """Returns the body as it was read."""
        return self.held

    def files(self, skill: SkillInfo) -> Files:  # noqa: ARG002 - the reader's protocol
        """Returns the siblings as they were listed."""
        return self.siblings


def running(kit: Kit, handler: Callable[..., Any], leader: Agent | None) -> Kit:
    """Returns a kit whose skills are run by a callable, and which an agent leads."""
    skills = [replace(skill, handler=handler) for skill in kit.skills]
    return Kit(kit.name, skills, kit.agents, leader, kit.metadata, notices=kit.notices)


def holds(where: Place) -> bool:
    """Returns whether a folder has a skill's or an agent's file; none is opened."""
    return (
        any(True for _ in _documents(where.folder, []))
        or (where.folder / agents.FILE).is_file()
        or bool(_agents_files(where.folder / "agents"))
    )


def read(where: Place, name: str) -> Kit:
    """Reads a kit: each ``SKILL.md`` and ``AGENT.md`` once, and what lies beside a ``SKILL.md``.

    Args:
        where: the kit's folder.
        name: the kit's name.

    Raises:
        KitFileError: when the folder is none, or a file is wrong, with path and line.
    """
    path = where.path
    if not where.folder.is_dir():
        is_file = where.folder.is_file()
        raise KitFileError(
            where.typed if path is not None else str(where.folder),
            "this is a file; pass a folder" if is_file else "this folder does not exist",
        )
    root = Root(where.typed, path) if path is not None else None
    reader = FolderReader(os.path.realpath(path)) if path is not None else None
    skills: dict[str, SkillInfo] = {}
    miscased: list[Traversable] = []
    for folder, below, file in _documents(where.folder, miscased):
        info = _skill(folder, below, file, kit=name, root=root, reader=reader)
        if info.name in skills:
            taken = skills[info.name].location
            raise KitFileError(str(file), f"the name {info.name!r} is taken by {taken}")
        skills[info.name] = info
    leading = where.folder / agents.FILE
    root_agent = _agent(leading, root) if leading.is_file() else None
    others: dict[str, Agent] = {}
    for file in _agents_files(where.folder / "agents"):
        agent = _agent(file, root)
        held = (
            root_agent if root_agent and root_agent.name == agent.name else others.get(agent.name)
        )
        if held is not None:
            taken = held.location
            raise KitFileError(str(file), f"the name {agent.name!r} is taken by {taken}")
        others[agent.name] = agent
    notices = [
        Notice(
            str(file),
            "wrong-case" if root else "wrong-case-packed",  # the checker opens the first
            f"the file is called {file.name}; only SKILL.md is a skill (rename it)",
            root=root,
        )
        for file in miscased
    ]
    if not (skills or others or root_agent):
        detail = "there is no skills/<name>/SKILL.md and no agent in this folder"
        notices.append(Notice(str(where.folder), "no-kit", detail, root=root))
    metadata = {"folder": where.typed}
    return Kit(name, skills.values(), others.values(), root_agent, metadata, notices=notices)


def _documents(
    root: Traversable, miscased: list[Traversable]
) -> Iterator[tuple[Traversable, str, Traversable]]:
    """Yields each ``SKILL.md`` below ``skills``: its folder, that folder's path, the file.

    Args:
        root: the kit's folder.
        miscased: takes the files that are none for the case of their letters alone.
    """
    level = [("skills", root / "skills")]
    seen: set[str] = set()
    for _ in range(DEEPEST):
        below: list[tuple[str, Traversable]] = []
        for path, folder in level:
            real = os.path.realpath(folder) if isinstance(folder, Path) else str(folder)
            if real in seen or not folder.is_dir():
                continue
            seen.add(real)
            for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if entry.name == "SKILL.md":
                    yield folder, path, entry
                elif entry.is_dir() and entry.name not in disk.SKIPPED_FOLDERS:
                    below.append((f"{path}/{entry.name}", entry))
                elif entry.name.lower() == "skill.md" and not (folder / "SKILL.md").is_file():
                    miscased.append(entry)
        level = below


def _agents_files(folder: Traversable) -> list[Traversable]:
    if not folder.is_dir():
        return []
    entries = {entry.name: entry for entry in folder.iterdir() if entry.name[0] != "."}
    paths = agents.listed(
        ((name, entry.is_dir()) for name, entry in entries.items()),
        lambda name: (entries[name] / agents.FILE).is_file(),
    )
    return [folder.joinpath(*Path(path).parts) for path in paths]


def _bytes(file: Traversable, most: int) -> bytes:
    """Reads a regular file.

    Raises:
        KitFileError: when it cannot be read.
    """
    try:
        if isinstance(file, Path):
            data = disk.read(str(file), most)
        elif file.is_file():
            data = file.read_bytes()
        else:
            raise KitFileError(str(file), "it is not a file")
    except OSError as error:
        raise KitFileError(str(file), f"it cannot be read: {disk.words(error)}") from error
    if len(data) > most:
        raise KitFileError(str(file), f"it is over {most // 1_000_000} MB")
    return data


def _agent(file: Traversable, root: Root | None) -> Agent:
    try:
        return agents.parse(_bytes(file, agents.MAX_PROMPT), str(file), root)
    except FrontMatterError as error:
        raise KitFileError(str(file), error.detail, error.line) from None


def _skill(
    folder: Traversable,
    below: str,
    file: Traversable,
    *,
    kit: str,
    root: Root | None,
    reader: FolderReader | None,
) -> SkillInfo:
    data = _bytes(file, MAX_BODY)
    try:
        at = frontmatter.split(data)
        if at is None:
            raise frontmatter.why_none(data)
        front = agents.whole(frontmatter.parse(frontmatter.block_text(data, at)))
    except FrontMatterError as error:
        raise KitFileError(str(file), error.detail, error.line) from None
    if front.name is None:
        raise KitFileError(str(file), *frontmatter.no_name(front))
    if front.description is None:
        raise KitFileError(
            str(file), f"the skill {front.name!r} has no description; it needs one", 1
        )
    text, bad = frontmatter.body_text(data[at.body :])
    if bad is not None:
        raise KitFileError(str(file), f"the body is not UTF-8 (first at byte {at.body + bad})")
    source, _ = frontmatter.body_text(data.removeprefix(b"\xef\xbb\xbf"))
    on_disk = root is not None
    base = None if on_disk else f"package://{kit}/{below}/"
    location = base or str(file)
    held = Body(text, (), source)
    resources = () if on_disk else tuple(sorted(_siblings(folder)))
    listed = tuple(path for path in resources if listable(path))
    info = SkillInfo(
        front.name,
        front.description,
        location,
        "fs" if on_disk else "logical",
        PackedReader(held, Files(listed, unlisted=len(resources) - len(listed))),
        declared_base=base,
        resources=resources,
        meta=front.meta,
        root=root,
        warnings=tuple(
            Notice(location, problem.kind, problem.detail, problem.line, root)
            for problem in front.problems
        ),
    )
    if reader is not None:
        try:
            info = replace(info, reader=PackedReader(held, reader.files(info)))
        except SkillReadError as error:  # removed while it is read
            raise KitFileError(str(folder), str(error)) from error
    return settled(info, kit, full_name(kit, info.name))


def _siblings(folder: Traversable, below: str = "", depth: int = 0) -> Iterator[str]:
    """Yields the files that go with a skill in a zip, as the envelope may list them."""
    for entry in folder.iterdir() if depth < DEEPEST else ():
        name = entry.name
        if name[0] == "." or name == "SKILL.md" or name in disk.SKIPPED_FOLDERS:
            continue
        if entry.is_dir():
            yield from _siblings(entry, f"{below}{name}/", depth + 1)
        elif entry.is_file():
            yield below + name
