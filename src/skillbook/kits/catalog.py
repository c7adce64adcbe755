"""``Catalog``: several providers as one, asked anew at every query.

Imports ``activate``, the protocol and records of kits, ``source`` and ``tool``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from skillbook.errors import SkillNotFound, told
from skillbook.kits import protocol
from skillbook.kits.activate import activate_tool
from skillbook.kits.errors import FAULTS, AgentNotFound, KitNotFound
from skillbook.kits.protocol import RubbishError, Told, warn, warn_of
from skillbook.kits.records import Agent, Failure, Kit, Shadowed, Survey, all_agents, settled, some
from skillbook.kits.words import said_notice, said_skip
from skillbook.model import Notice, Root, Shown, SkillInfo, SkillSkip, printable
from skillbook.source import SkillInventory, SkillSource, source_of
from skillbook.tool import Tool, ToolResult, not_found, skill_tool
from skillbook.words import count

_MOST_SAID = 1_000
"""Characters of an error's text that a failure keeps."""


@dataclass(frozen=True, slots=True)
class CatalogView(Shown):
    """What one query of a catalogue found; it stays as it is.

    Attributes:
        kits: the kits by name, in order; of two of one name the first.
        skills: the skills by full name, in order.
        agents: the agents by name, in order, each kit's root agent first.
        providers: the providers' names, in order.
        provider_of: each kit's provider.
        root_agent: the first root agent, or None.
        shadowed: what has the name of something before it.
        failures: what providers raised or gave that is no kit.
        skipped: the files that gave no skill or agent.
        notices: what explains the absence of a kit.
    """

    kits: dict[str, Kit]
    skills: dict[str, SkillInfo]
    agents: dict[str, Agent]
    providers: tuple[str, ...]
    provider_of: dict[str, str]
    root_agent: Agent | None
    shadowed: tuple[Shadowed, ...]
    failures: tuple[Failure, ...]
    skipped: tuple[SkillSkip, ...]
    notices: tuple[Notice, ...]

    def __repr__(self) -> str:
        parts = [
            count(len(self.kits), "kit"),
            count(len(self.skills), "skill"),
            count(len(self.agents), "agent"),
        ]
        lines = [f"<Catalog: {', '.join(parts)} from {count(len(self.providers), 'provider')}>"]
        if self.kits:
            said = [f"{kit.name} ({count(len(kit.skills), 'skill')})" for kit in self.kits.values()]
            lines.append(f"  kits: {some(said)}")
        if self.agents:
            lines.append(f"  agents: {some(list(self.agents))}")
        if self.shadowed:
            lines.append(
                f"  shadowed: {some([f'{item.kind} {item.name}' for item in self.shadowed])}"
            )
        if self.failures:
            said = [f"{item.provider} ({item.detail})" for item in self.failures]
            lines.append(f"  failed: {some(said, 5)}")
        if self.skipped:
            lines.append(f"  skipped: {some([said_skip(s) for s in self.skipped], 5)}")
        if self.notices:
            lines.append(f"  notices: {some([said_notice(n) for n in self.notices], 5)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Returns the view as a JSON-safe mapping."""
        return {
            "providers": list(self.providers),
            "kits": [
                {**kit.to_dict(), "provider": self.provider_of[name]}
                for name, kit in self.kits.items()
            ],
            "shadowed": [item.to_dict() for item in self.shadowed],
            "failures": [item.to_dict() for item in self.failures],
            "notices": [item.to_dict() for item in self.notices],
        }

    def missing_skill(self, name: str) -> str:
        """Returns the message for a skill that is not there, or whose file is broken."""
        said = not_found(name, self.skills)
        folder = name.rpartition(":")[2]
        broken = [
            skip
            for skip in self.skipped
            if skip.reason != "duplicate-name"
            and os.path.basename(os.path.dirname(skip.location)) == folder
        ]
        if broken:
            said += f"\nIt is there but broken: {some([said_skip(s) for s in broken], 3)}"
        return said


class Catalog(Shown):
    """Kits of several providers as one, always as they are now.

    Each query asks the providers, so what was added is there on the next line. A provider that
    fails is named in a warning and in ``failures()``; the others serve on. Of two kits, skills or
    agents of one name the first provider's counts, a kit as a whole; the other is shadowed.

    Attributes:
        providers: the providers, in order of precedence.
    """

    def __init__(self, providers: Iterable[object]) -> None:
        """Makes a catalogue; nothing is asked yet.

        Args:
            providers: objects with ``list_kits``, in order of precedence.

        Raises:
            TypeError: when one of them is no provider.
        """
        if not isinstance(providers, Iterable):
            raise TypeError(f"providers is {providers!r}; pass a list: Catalog([{providers!r}])")
        kept: list[object] = []
        for provider in providers:
            kept.append(protocol.checked(provider))  # noqa: PERF401 - the warning's place counts frames
        self.providers = tuple(kept)
        self._labels = _labels(self.providers)
        self._told: Told = {}
        self._placed: dict[tuple[int, str], tuple[Kit, Kit]] = {}

    def __repr__(self) -> str:
        return repr(self.view())

    # --- asking --------------------------------------------------------------------------------

    def view(self) -> CatalogView:
        """Returns what is there now, without warnings: for displays and tools."""
        gathered = _Gathered(self._labels)
        placed: dict[tuple[int, str], tuple[Kit, Kit]] = {}
        for provider, label in zip(self.providers, self._labels, strict=True):
            for kit in gathered.ask(provider, label):
                key = id(kit), label  # two providers may give the same kit
                held = self._placed.get(key)
                if held is None or held[0] is not kit:
                    held = kit, _placed(kit, label)
                placed[key] = held  # holds the kit too, so that no other gets its id
                gathered.add(held[1], label)
        self._placed = placed
        return gathered.view()

    def _query(self) -> CatalogView:
        view = self.view()
        for failure in view.failures:
            warn(f"the provider {failure.provider} failed: {failure.detail}", self._told)
        warn_of(view.kits.values(), view.notices, self._told)
        return view

    def kits(self) -> list[Kit]:
        """Returns the kits, in order; of two of one name the first."""
        return list(self._query().kits.values())

    def kit(self, name: str) -> Kit:
        """Returns a kit; each provider is asked by ``get_kit``, in order, then by its list.

        Raises:
            TypeError: when the name is no text.
            KitNotFound: when there is none; the message lists those that are there.
        """
        _check_name(name, "kit")
        for provider, label in zip(self.providers, self._labels, strict=True):
            kit = self._kit_of(provider, label, name)
            if kit is not None:
                return _placed(kit, label)
        raise KitNotFound(not_found(name, self.view().kits, "Kit"))

    def _kit_of(self, provider: object, label: str, name: str) -> Kit | None:
        """Asks one provider for a kit; where its ``get_kit`` has none, its list counts."""
        gathered = _Gathered(self._labels)
        try:
            kit = protocol.get_kit(provider, name)
            if kit.name == name:
                return kit
        except KitNotFound:
            pass
        except FAULTS as error:  # a stranger's code: the others serve on
            gathered.failures.append(Failure(label, _said(error)))
        listed = gathered.ask(provider, label)
        for failure in dict.fromkeys(gathered.failures):
            warn(f"the provider {failure.provider} failed: {failure.detail}", self._told)
        return next((kit for kit in listed if kit.name == name), None)

    def skills(self) -> list[SkillInfo]:
        """Returns the skills of all kits, in order; of two of one name the first."""
        return list(self._query().skills.values())

    def skill(self, name: str) -> SkillInfo:
        """Returns a skill by its full name, ``kit:skill``.

        Raises:
            TypeError: when the name is no text.
            SkillNotFound: when there is none; the message lists those that are there, and says
                where the file is there but broken.
        """
        _check_name(name, "skill")
        view = self._query()
        if name not in view.skills:
            raise SkillNotFound(view.missing_skill(name))
        return view.skills[name]

    def agents(self) -> list[Agent]:
        """Returns the agents of all kits, in order, each kit's root agent first."""
        return list(self._query().agents.values())

    def agent(self, name: str) -> Agent:
        """Returns an agent by its name.

        Raises:
            TypeError: when the name is no text.
            AgentNotFound: when there is none; the message lists those that are there.
        """
        _check_name(name, "agent")
        view = self._query()
        if name not in view.agents:
            raise AgentNotFound(not_found(name, view.agents, "Agent"))
        return view.agents[name]

    def root_agent(self) -> Agent | None:
        """Returns the first kit's root agent that there is, or None."""
        return self._query().root_agent

    def failures(self) -> list[Failure]:
        """Returns what providers raised, or gave that is no kit, just now."""
        return list(self._query().failures)

    def shadowed(self) -> list[Shadowed]:
        """Returns the kits, skills and agents whose name an earlier one has."""
        return list(self._query().shadowed)

    def skipped(self) -> list[SkillSkip]:
        """Returns the files that gave no skill or agent, and why."""
        return list(self._query().skipped)

    def notices(self) -> list[Notice]:
        """Returns what explains the absence of a kit."""
        return list(self._query().notices)

    def to_dict(self) -> dict[str, Any]:
        """Returns what is there now as a JSON-safe mapping."""
        return self.view().to_dict()

    # --- using ---------------------------------------------------------------------------------

    def source(
        self,
        filter: Mapping[str, bool] | None = None,  # noqa: A002 - the public name
        sample_limit: int = 0,
    ) -> SkillSource:
        """Returns a skill source over everything that is there now: one tool and one prompt.

        Args:
            filter: full names to True or False, as ``load_skills`` takes it.
            sample_limit: how many sibling files an envelope lists, as ``load_skills`` takes it.

        Raises:
            TypeError, ValueError: when an argument is of the wrong type or value.
        """
        view = self._query()
        told = [notice for kit in view.kits.values() for notice in kit.notices]
        roots: dict[Root, None] = {skill.root: None for skill in view.skills.values() if skill.root}
        failed = [
            Notice(f"provider:{item.provider}", "failing-provider", item.detail)
            for item in view.failures
        ]
        hidden = [
            SkillSkip(
                item.location,
                "duplicate-name",
                f"the name {item.name!r} is taken by {item.by}",
                root=item.root,
            )
            for item in view.shadowed
            if item.kind == "skill"
        ]
        inventory = SkillInventory(
            list(view.skills.values()),
            [*view.skipped, *hidden],
            [*view.notices, *told, *failed],
            list(roots),
        )
        return source_of(inventory, filter, sample_limit)

    def activate(self, name: str, arguments: str | Mapping[str, Any] = "") -> ToolResult:
        r"""Activates a skill: its body with placeholders filled, or its handler run.

        In a body, code included, ``$ARGUMENTS`` is filled with all arguments, ``$ARGUMENTS[n]`` and
        ``$n`` with the one at place n from 0, ``${SKILL_DIR}`` with the skill's folder; ``\$`` keeps
        a dollar before these. A ``$n`` for which there is no argument stays as it is. Arguments
        that the body takes nowhere are appended in a last line. No command is run from a body.

        Args:
            name: the skill's full name.
            arguments: text, or a mapping for a skill that runs.

        Returns:
            The result. An unknown name, a file that is gone and a handler that fails give one
            with ``is_error=True``.

        Raises:
            TypeError: when an argument is of the wrong type.
        """
        _check_name(name, "skill")
        if not isinstance(arguments, (str, Mapping)):
            raise TypeError(f"arguments is {arguments!r}; pass text, or a mapping")
        return self.tools()[1].call({"name": name, "arguments": arguments})

    def tools(self, sample_limit: int = 0) -> list[Tool]:
        """Returns what a model needs: the ``skill`` tool, and ``activate_skill``.

        Both ask the providers at every call.

        Args:
            sample_limit: how many sibling files an envelope lists.
        """
        shape = skill_tool({}, sample_limit)

        def run(args: Any, context: Any) -> ToolResult:
            view = self.view()
            name = args.get("name") if isinstance(args, Mapping) else None
            if isinstance(name, str) and name not in view.skills:
                return ToolResult(view.missing_skill(name), is_error=True)
            return skill_tool(view.skills, sample_limit).call(args, context)

        def find(name: str) -> SkillInfo | str:
            view = self.view()
            return view.skills.get(name) or view.missing_skill(name)

        return [
            Tool(shape.name, shape.description, shape.input_schema, run, source=shape.source),
            activate_tool(find),
        ]


def _check_name(name: object, what: str) -> None:
    if not isinstance(name, str):
        raise TypeError(f"name is {name!r}; pass the {what}'s name as text")


def _labels(providers: Iterable[object]) -> tuple[str, ...]:
    """Returns the providers' names; a second one of a name is numbered."""
    seen: dict[str, int] = {}
    labels = []
    for provider in providers:
        name = protocol.label(provider)
        seen[name] = seen.get(name, 0) + 1
        labels.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return tuple(labels)


def _placed(kit: Kit, label: str) -> Kit:
    """Returns a kit whose skills say which provider gave them."""
    skills = tuple(settled(skill, kit.name, skill.name, provider=label) for skill in kit.skills)
    if all(new is old for new, old in zip(skills, kit.skills, strict=True)):
        return kit
    return Kit(
        kit.name,
        skills,
        kit.agents,
        kit.root_agent,
        kit.metadata,
        skipped=kit.skipped,
        notices=kit.notices,
    )


def _said(error: BaseException) -> str:
    text = printable(str(error)) if isinstance(error, RubbishError) else told(error)
    return text if len(text) <= _MOST_SAID else text[:_MOST_SAID] + "…"


class _Gathered:
    """What is gathered while the providers are asked one after another."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        self.labels = labels
        self.kits: dict[str, Kit] = {}
        self.provider_of: dict[str, str] = {}
        self.skills: dict[str, SkillInfo] = {}
        self.agents: dict[str, Agent] = {}
        self.agent_kit: dict[str, str] = {}
        self.root_agent: Agent | None = None
        self.shadowed: list[Shadowed] = []
        self.failures: list[Failure] = []
        self.skipped: list[SkillSkip] = []
        self.notices: list[Notice] = []

    def ask(self, provider: object, label: str) -> list[Kit]:
        unnamed = protocol.name_fault(provider)
        if unnamed:
            self.failures.append(Failure(label, unnamed))
        try:
            given = protocol.survey(provider)
        except FAULTS as error:  # a stranger's code: the others serve on
            self.failures.append(Failure(label, _said(error)))
            given = Survey(error.kits if isinstance(error, RubbishError) else [], [])
        self.notices += given.notices
        return given.kits

    def add(self, kit: Kit, label: str) -> None:
        self.skipped += kit.skipped
        first = self.kits.get(kit.name)
        if first is not None:
            by = self.provider_of[kit.name]
            self.shadowed.append(Shadowed("kit", kit.name, kit.name, label, by))
            self.shadowed += [
                Shadowed("skill", skill.name, kit.name, label, by, skill.location, skill.root)
                for skill in kit.skills
            ]
            self.shadowed += [
                Shadowed("agent", agent.name, kit.name, label, by, agent.location, agent.root)
                for agent in all_agents(kit)
            ]
            return
        self.kits[kit.name] = kit
        self.provider_of[kit.name] = label
        skills = self.skills
        for skill in kit.skills:
            held = skills.setdefault(skill.name, skill)
            if held is not skill:
                by = f"the kit {held.place.kit} of {held.place.provider}" if held.place else ""
                place = skill.location
                self.shadowed.append(
                    Shadowed("skill", skill.name, kit.name, label, by, place, skill.root)
                )
        for agent in all_agents(kit):
            if agent.name in self.agents:
                of = self.agent_kit[agent.name]
                by = f"the kit {of} of {self.provider_of[of]}"
                place = agent.location
                self.shadowed.append(
                    Shadowed("agent", agent.name, kit.name, label, by, place, agent.root)
                )
            else:
                self.agents[agent.name] = agent
                self.agent_kit[agent.name] = kit.name
        self.root_agent = self.root_agent or kit.root_agent

    def view(self) -> CatalogView:
        return CatalogView(
            self.kits,
            self.skills,
            self.agents,
            self.labels,
            self.provider_of,
            self.root_agent,
            tuple(self.shadowed),
            tuple(self.failures),
            tuple(self.skipped),
            tuple(self.notices),
        )
