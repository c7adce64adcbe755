"""``MemoryProvider`` and ``SourceProvider``: kits from what a program holds.

Imports the protocol, the records of kits, and ``source``.
"""

from __future__ import annotations

import threading

from skillbook.data_skill import data_skill
from skillbook.errors import SkillNotFound
from skillbook.kits.protocol import Provider, Told, warn_of
from skillbook.kits.records import AnySkill, Kit, Survey, member, some, sorted_out
from skillbook.kits.words import one_line
from skillbook.model import Shown, SkillInfo
from skillbook.source import SkillInventory, SkillSource
from skillbook.tool import not_found
from skillbook.words import count


class MemoryProvider(Shown, Provider):
    """Kits that a program puts together and changes; each change shows at the next query.

    All methods may be called from several threads.
    """

    def __init__(self) -> None:
        """Makes an empty provider."""
        self._kits: dict[str, Kit] = {}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        kits = self.list_kits()
        if not kits:
            return "<MemoryProvider: empty>"
        held = [f"{kit.name} ({count(len(kit.skills), 'skill')})" for kit in kits]
        return f"<MemoryProvider: {count(len(kits), 'kit')}: {some(held)}>"

    def list_kits(self) -> list[Kit]:
        """Returns the kits, in the order in which they were put."""
        with self._lock:
            return list(self._kits.values())

    def put(self, skill: AnySkill) -> SkillInfo:
        """Puts a skill, in the place of one that has its name.

        Args:
            skill: a data skill, a mapping with its keys, or the record of a skill. ``ns:name``
                goes into the kit ``ns``; a bare name stays bare, in a kit of that name.

        Returns:
            The skill as it stands in its kit.

        Raises:
            TypeError: when it is no skill.
            ValueError: when it has no name or no description.
        """
        given = skill if isinstance(skill, SkillInfo) else data_skill(skill)
        name = one_line(given.name)
        if not name:
            raise ValueError("the skill to put has no name; a kit's skills need one")
        kit = name.partition(":")[0].strip() or name
        info = member(kit, given)
        with self._lock:
            held = self._kits.get(kit) or Kit(kit)
            skills = {other.name: other for other in held.skills} | {info.name: info}
            self._kits[kit] = _with_skills(held, skills)
        return info

    def put_kit(self, kit: Kit) -> None:
        """Puts a kit, in the place of one that has its name.

        Raises:
            TypeError: when it is no Kit.
        """
        if not isinstance(kit, Kit):
            raise TypeError(f"a kit is {kit!r}; pass a Kit")
        with self._lock:
            self._kits[kit.name] = kit

    def delete(self, name: str) -> None:
        """Deletes a skill by its full name, or else a kit by its; a kit left empty goes too.

        Raises:
            TypeError: when the name is no text.
            SkillNotFound: when there is neither; the message lists the skills that are there.
        """
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}; pass the name of a skill or a kit as text")
        name = one_line(name)  # as put keeps it
        with self._lock:
            for key, kit in self._kits.items():
                skills = {skill.name: skill for skill in kit.skills}
                if skills.pop(name, None) is not None:
                    if skills or kit.agents or kit.root_agent:
                        self._kits[key] = _with_skills(kit, skills)
                    else:
                        del self._kits[key]
                    return
            if self._kits.pop(name, None) is None:
                there = {skill.name: skill for kit in self._kits.values() for skill in kit.skills}
                raise SkillNotFound(not_found(name, there))


def _with_skills(kit: Kit, skills: dict[str, SkillInfo]) -> Kit:
    return Kit(
        kit.name,
        skills.values(),
        kit.agents,
        kit.root_agent,
        kit.metadata,
        skipped=kit.skipped,
        notices=kit.notices,
    )


class SourceProvider(Shown, Provider):
    """A kit made of a skill source, which stays as it was when it was loaded.

    A skill without a description cannot be in a kit: it stands in the kit's ``skipped``.
    """

    def __init__(self, source: SkillSource | SkillInventory, name: str = "mine") -> None:
        """Makes a provider.

        Args:
            source: what ``load_skills`` or ``list_skills`` gave.
            name: the kit's name.

        Raises:
            TypeError: when ``source`` is neither.
            ValueError: when the name is blank.
        """
        if isinstance(source, SkillSource):
            infos = list(source.skills.values())
        elif isinstance(source, SkillInventory):
            infos = source.skills
        else:
            raise TypeError(f"source is {source!r}; pass what load_skills gives")
        kept, skipped = sorted_out(infos)
        self._kit = Kit(name, kept, skipped=[*source.skipped, *skipped], notices=source.notices)
        self._told: Told = {}

    def __repr__(self) -> str:
        held = f"{self._kit.name} ({count(len(self._kit.skills), 'skill')})"
        return f"<SourceProvider: 1 kit: {some([held])}>"

    def list_kits(self) -> list[Kit]:
        """Returns the one kit; warns of what gave no skill."""
        warn_of([self._kit], (), self._told)
        return [self._kit]

    def _skillbook_survey(self) -> Survey:
        """Returns the one kit."""
        return Survey([self._kit], [])
