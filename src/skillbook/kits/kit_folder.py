"""One folder that is a kit: its skills, its ``AGENT.md``, its agents.

Imports ``warm``, ``agents`` and the records of kits.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from skillbook import disk
from skillbook.discovery import Found
from skillbook.errors import SkillReadError
from skillbook.kits import agents
from skillbook.kits.records import Agent, Kit, full_name, settled, sorted_out
from skillbook.kits.warm import WarmFolder
from skillbook.model import Body, Files, Notice, Reader, Root, SkillInfo, SkillSkip


@dataclass(frozen=True, slots=True)
class Origin:
    """What a kit's folder is called and where it comes from.

    Attributes:
        kit: the kit's name.
        provider: the provider's name.
        metadata: the kit's metadata.
        repository: ``owner/repo`` of what was imported, or None.
        commit: the commit it was imported at, or None.
        imported: whether strangers wrote it: no link is followed out of the folder, and a skill
            cannot take a name of another kit by a colon in its own.
        skipped: files that were left out on import.
        notices: what else was left out on import.
    """

    kit: str
    provider: str
    metadata: dict[str, Any] = field(default_factory=dict)
    repository: str | None = None
    commit: str | None = None
    imported: bool = False
    skipped: tuple[SkillSkip, ...] = ()
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedReader:
    """Reads skills of an imported folder, which goes when its source is updated or removed.

    Attributes:
        reader: what reads them while it is there.
        folder: the folder's absolute path.
        source: what was imported.
    """

    reader: Reader
    folder: str
    source: str

    def body(self, skill: SkillInfo) -> Body:
        """Returns the body, read now. Raises SkillReadError where it cannot be read any more."""
        with self._explained(skill):
            return self.reader.body(skill)

    def files(self, skill: SkillInfo) -> Files:
        """Returns the sibling files. Raises SkillReadError where the folder is gone."""
        with self._explained(skill):
            return self.reader.files(skill)

    @contextmanager
    def _explained(self, skill: SkillInfo) -> Iterator[None]:
        try:
            yield
        except SkillReadError:
            if os.path.isdir(self.folder):
                raise
            raise SkillReadError(
                f"the files of skill {skill.name!r} are gone: {self.source} was updated or removed"
                " since this skill was listed; ask the catalogue for the skill again"
            ) from None


class KitFolder:
    """A folder that gives a kit, as it is now at each call; unchanged, the same object."""

    def __init__(self, root: Root, origin: Origin, *, skills: str = "skills") -> None:
        """Makes it; nothing is read yet.

        Args:
            root: the kit's folder.
            origin: what it is called and where it comes from.
            skills: the folder below it that holds the skills; ``""`` for all of it.
        """
        self.root = root
        self.origin = origin
        below = (f"{root.typed.rstrip('/')}/{skills}", os.path.join(root.path, skills))
        self._warm = WarmFolder(Root(*below) if skills else root, links_out=not origin.imported)
        self._last: tuple[Found, list[Agent | SkillSkip], list[Notice], Kit] | None = None

    def is_kit(self) -> bool:
        """Returns whether there is anything in it that a kit has."""
        return any(
            os.path.lexists(os.path.join(self.root.path, name))
            for name in ("skills", "agents", agents.FILE)
        )

    def kit(self) -> Kit:
        """Returns the kit as it is now."""
        found = self._warm.found()
        notices: list[Notice] = []
        met = self._agents(notices)
        last = self._last
        if last is None or last[0] is not found or last[1] != met or last[2] != notices:
            last = found, met, notices, self._made(found, met, notices)
            self._last = last
        return last[3]

    def _agents(self, notices: list[Notice]) -> list[Agent | SkillSkip]:
        """Reads the agents, the root agent first."""
        paths = [os.path.join(self.root.path, agents.FILE)]
        if not os.path.lexists(paths[0]):
            paths = []
        try:
            paths += agents.files(self.root.path)
        except OSError as error:
            detail = f"this folder cannot be read: {disk.words(error)}"
            place = os.path.join(self.root.path, "agents")
            notices.append(Notice(place, "unreadable-folder", detail, root=self.root))
        for path in agents.miscased(self.root.path):
            name = os.path.basename(path)
            wanted = agents.FILE if name.lower() == agents.FILE.lower() else f"{name[:-3]}.md"
            detail = f"the file is called {name}; only {wanted} is an agent (rename it)"
            notices.append(Notice(path, "wrong-case-agent", detail, root=self.root))
        inside = os.path.realpath(self.root.path) if self.origin.imported else None
        return [agents.read(path, self.root, inside=inside) for path in paths]

    def _made(self, found: Found, met: list[Agent | SkillSkip], notices: list[Notice]) -> Kit:
        origin = self.origin
        kept, skipped = sorted_out(found.skills)
        if origin.imported and kept:  # one root, one reader
            reader = ImportedReader(kept[0].reader, self.root.path, origin.kit)
            kept = [replace(info, reader=reader) for info in kept]
        skills = [
            settled(
                info,
                origin.kit,
                f"{origin.kit}:{info.name}"
                if origin.imported
                else full_name(origin.kit, info.name),
                provider=origin.provider,
                repository=origin.repository,
                commit=origin.commit,
            )
            for info in kept
        ]
        skipped = [*found.skipped, *skipped]
        leading = os.path.join(self.root.path, agents.FILE)
        root_agent: Agent | None = None
        others: list[Agent] = []
        taken: dict[str, str] = {}
        for item in met:
            if isinstance(item, SkillSkip):
                skipped.append(item)
            elif item.location == leading:
                root_agent = item
                taken[item.name] = item.shown_location
            elif item.name in taken:
                detail = f"the name {item.name!r} is taken by {taken[item.name]}"
                skipped.append(SkillSkip(item.location, "duplicate-name", detail, root=self.root))
            else:
                others.append(item)
                taken[item.name] = item.shown_location
        return Kit(
            origin.kit,
            skills,
            others,
            root_agent,
            origin.metadata,
            skipped=(*skipped, *origin.skipped),
            # A kit of agents alone has no folder skills: that is no fault.
            notices=(
                *(notice for notice in found.notices if notice.kind != "missing-root"),
                *notices,
                *origin.notices,
            ),
        )
