"""What the explorer shows of a catalogue: skills, and beside them agents, shadowed names, failures.

Entries stand in the order of the providers and their kits. Imports ``subject``, ``choosing`` and the
kits; no widget.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from skillbook.kits import protocol
from skillbook.kits.catalog import Catalog, CatalogView
from skillbook.kits.records import Agent, Failure, Kit, Shadowed, all_agents
from skillbook.model import printable
from skillbook.source import SkillInventory, SkillSource
from skillbook.widgets.choosing import body_of
from skillbook.widgets.subject import Changes, Entry, Kind, Subject


@dataclass(frozen=True, slots=True)
class Beside(Entry):
    """An entry that is no skill and no file: an agent, what is shadowed, a provider that failed.

    Attributes:
        record: which one it is.
    """

    record: Agent | Shadowed | Failure | None = None

    @property
    def title(self) -> str:
        """What stands in the list: its name, or the provider's."""
        if isinstance(self.record, Failure):
            return self.record.provider
        return self.record.name if self.record else self.key

    @property
    def text(self) -> str:
        """What stands below the title: what it is for, who has its name, or what went wrong."""
        if isinstance(self.record, Agent):
            return self.record.description
        if isinstance(self.record, Shadowed):
            return f"This {self.record.kind} does not count: its name is taken by {self.record.by}."
        return self.record.detail if self.record else ""


class CatalogSubject(Subject):
    """A catalogue that is shown, asked anew at every refresh.

    Attributes:
        catalog: the catalogue.
    """

    def __init__(self, catalog: Catalog, title: str = "Catalog") -> None:
        """Asks the catalogue.

        Args:
            catalog: the catalogue.
            title: what to call it.
        """
        self.catalog = catalog
        self._beside: dict[str, Any] = {}
        super().__init__(_Asked(self))
        self.title = title

    def refresh(self) -> Changes:
        """Asks the providers anew and returns what changed, agents and the like among it."""
        before = self._beside
        changes = super().refresh()
        now = self._beside
        return replace(
            changes,
            added=(*changes.added, *sorted(now.keys() - before.keys())),
            changed=(
                *changes.changed,
                *sorted(key for key in now.keys() & before.keys() if now[key] != before[key]),
            ),
            gone=(*changes.gone, *sorted(before.keys() - now.keys())),
        )

    def _settle(self) -> None:
        view = self.view
        assert view is not None  # noqa: S101 - ``_Asked`` sets it before
        self.entries = {}
        for entry in self._in_order(view):
            self._add(entry)
        for name, skill in view.skills.items():
            self._stamps[name] = self.stamp(skill) if skill.origin == "fs" else body_of(skill)
        self._beside = {
            key: entry.record for key, entry in self.entries.items() if isinstance(entry, Beside)
        }

    def _in_order(self, view: CatalogView) -> Iterator[Entry]:
        """Yields every entry: by provider, by kit, then what no kit that counts has."""
        hidden: dict[tuple[str, str], list[Shadowed]] = defaultdict(list)
        for item in view.shadowed:
            hidden[item.provider, item.kit].append(item)
        for provider in view.providers:
            of = f"provider {provider}"
            for failure in view.failures:
                if failure.provider == provider:
                    key = printable(f"failed {provider}")
                    yield Beside(key, "failed", origins=(of,), record=failure)
            for kit in view.kits.values():
                if view.provider_of[kit.name] != provider:
                    continue
                origins = of, f"kit {kit.name}"
                yield from self._of_kit(view, kit, origins)
                yield from _shadowed(hidden.pop((provider, kit.name), []), origins)
            for place in [place for place in hidden if place[0] == provider]:
                yield from _shadowed(hidden.pop(place), (of, f"kit {place[1]}"))
        known = {id(skip) for kit in view.kits.values() for skip in kit.skipped}
        yield from (self._without(skip) for skip in view.skipped if id(skip) not in known)

    def _of_kit(self, view: CatalogView, kit: Kit, origins: tuple[str, ...]) -> Iterator[Entry]:
        for skill in kit.skills:
            if view.skills.get(skill.name) is skill:
                yield Entry(printable(skill.name), "skill", skill, origins=origins)
        for agent in all_agents(kit):
            if view.agents.get(agent.name) is agent:
                kind: Kind = "root agent" if agent is kit.root_agent else "agent"
                key = printable(f"agent {agent.name}")
                yield Beside(key, kind, origins=origins, record=agent)
        for skip in kit.skipped:
            yield replace(self._without(skip), origins=origins)


def _shadowed(items: list[Shadowed], origins: tuple[str, ...]) -> Iterator[Entry]:
    for item in items:
        key = printable(f"shadowed {item.kind} {item.name} of {item.provider}")
        yield Beside(key, "shadowed", origins=origins, record=item)


class _Asked:
    """What a subject reads: its ``source()`` is one query of the catalogue, without warnings."""

    def __init__(self, subject: CatalogSubject) -> None:
        self.subject = subject

    def source(self) -> SkillSource:
        self.subject.view = view = self.subject.catalog.view()
        roots = {skill.root: None for skill in view.skills.values() if skill.root}
        notices = [*view.notices, *(notice for kit in view.kits.values() for notice in kit.notices)]
        # What is shadowed and what failed are entries of their own here, no skips or notices.
        return SkillSource(
            SkillInventory(list(view.skills.values()), list(view.skipped), notices, list(roots))
        )


def subject_of(what: Any) -> Subject:
    """Returns what an explorer shows: a catalogue, a provider as one, or anything else."""
    if isinstance(what, Catalog):
        return CatalogSubject(what)
    if not isinstance(what, type) and callable(getattr(what, "list_kits", None)):
        return CatalogSubject(Catalog([what]), printable(protocol.label(what)))
    return Subject(what)
