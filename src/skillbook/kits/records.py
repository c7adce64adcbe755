"""The records of kits: ``Kit``, ``Agent``, ``ToolExecution``, and what a query met on its way.

Imports ``data_skill``, ``words`` and the records of the core.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from skillbook.data_skill import data_info, data_skill
from skillbook.errors import SkillNotFound
from skillbook.kits.errors import AgentNotFound
from skillbook.kits.words import json_only, one_line, said_notice, said_skip
from skillbook.model import (
    KitPlace,
    Notice,
    Placed,
    Reason,
    Root,
    Shown,
    SkillDef,
    SkillInfo,
    SkillSkip,
    cut,
    printable,
    visible,
)
from skillbook.tool import not_found
from skillbook.words import count

_MOST_ITEM = 1_500
"""Characters of an item in a list of some: no one name fills a screen."""

AnySkill = SkillDef | SkillInfo | Mapping[str, Any]

MISSING_DESCRIPTION: Reason = "missing-description"
"""Why a file gives no skill of a kit, or no agent, though it has a name."""


@dataclass(frozen=True, slots=True)
class ToolExecution:
    """One call of a skill that runs.

    Attributes:
        skill: the skill that was called.
        arguments: its arguments as the caller wrote them, text.
        input: the same as a mapping: the caller's own, or what ``arguments`` holds where it is a
            JSON object, else empty.
        context: what the host handed through, or None.
    """

    skill: SkillInfo
    arguments: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    context: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Agent(Placed):
    """An agent that a kit brings: a name, what it is for, and its system prompt.

    Attributes:
        name: the agent's name, on one line.
        description: what it is for.
        system_prompt: the body of its file, trimmed.
        capabilities: what it may use, in the file's words.
        model: the model it asks for, or None.
        location: the absolute path of its file, or ``""``.
        metadata: the front matter's ``metadata``.
        root: the folder of its kit, so that a display shows the path as typed; or None.
    """

    name: str
    description: str
    system_prompt: str = ""
    capabilities: tuple[str, ...] = ()
    model: str | None = None
    location: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    root: Root | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for what in ("name", "description"):
            value = getattr(self, what)
            if not isinstance(value, str):
                raise TypeError(f"{what} of an agent is {value!r}; pass text")
            if not value.strip():
                raise ValueError(f"{what} of the agent {self.name!r} is blank; an agent needs one")
        if isinstance(self.capabilities, str):
            raise TypeError(
                f"capabilities of the agent {self.name!r} is the text {self.capabilities!r};"
                " pass a list of texts"
            )
        object.__setattr__(self, "name", one_line(self.name))
        if isinstance(self.capabilities, Iterable):
            object.__setattr__(self, "capabilities", tuple(self.capabilities))
        for what, right, wanted in (
            ("system_prompt", isinstance(self.system_prompt, str), "text"),
            (
                "capabilities",
                isinstance(self.capabilities, tuple)
                and all(isinstance(each, str) for each in self.capabilities),
                "a list of texts",
            ),
            ("model", isinstance(self.model, (str, type(None))), "text or None"),
            ("location", isinstance(self.location, str), "text"),
            ("metadata", isinstance(self.metadata, Mapping), "a mapping"),
        ):
            if not right:
                value = getattr(self, what)
                raise TypeError(f"{what} of the agent {self.name!r} is {value!r}; pass {wanted}")

    def __hash__(self) -> int:
        return hash((self.name, self.location))

    def __repr__(self) -> str:
        model = None if self.model is None else cut(self.model)
        return printable(
            f"Agent(name={cut(self.name)!r}, description={cut(self.description, 300)!r},"
            f" capabilities={cut(repr(self.capabilities), 300)}, model={model!r},"
            f" location={self.shown_location!r})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the agent as a JSON-safe mapping."""
        return {
            "name": self.name,
            "description": self.description,
            "system_prompt": self.system_prompt,
            "capabilities": list(self.capabilities),
            "model": self.model,
            "location": printable(self.location),
            "metadata": json_only(self.metadata),
        }


class Kit(Shown):
    """Skills and agents under one name; frozen.

    Attributes:
        name: the kit's name, on one line.
        skills: its skills, named ``kit:skill``; a name that holds a colon, or is the kit's, stays.
        agents: its sub-agents.
        root_agent: the agent that leads, or None.
        metadata: what the provider says of it.
        skipped: the files that gave no skill or agent, and why.
        notices: what else a person should know of it.
    """

    __slots__ = ("agents", "metadata", "name", "notices", "root_agent", "skills", "skipped")

    name: str
    skills: tuple[SkillInfo, ...]
    agents: tuple[Agent, ...]
    root_agent: Agent | None
    metadata: dict[str, Any]
    skipped: tuple[SkillSkip, ...]
    notices: tuple[Notice, ...]

    def __init__(
        self,
        name: str,
        skills: Iterable[AnySkill] = (),
        agents: Iterable[Agent] = (),
        root_agent: Agent | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        skipped: Iterable[SkillSkip] = (),
        notices: Iterable[Notice] = (),
    ) -> None:
        """Makes a kit.

        Args:
            name: the kit's name.
            skills: data skills, mappings with their keys, and records of skills alike; each needs
                a name and a description.
            agents: its sub-agents.
            root_agent: the agent that leads, or None.
            metadata: what there is to say of it.
            skipped: the files that gave no skill or agent.
            notices: what else a person should know of it.

        Raises:
            TypeError: when an argument is of the wrong type.
            ValueError: when a name or a description is missing.
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of a kit is {name!r}; pass text")
        name = one_line(name)
        if not name:
            raise ValueError("the name of a kit is blank; a kit needs one")
        if isinstance(skills, (str, SkillDef, SkillInfo, Mapping)):
            raise TypeError(
                f"skills of the kit {name!r} is one {type(skills).__name__}; pass a list"
            )
        for what, value, each in (
            ("skills", skills, "skills"),
            ("agents", agents, "Agents"),
            ("skipped", skipped, "SkillSkips"),
            ("notices", notices, "Notices"),
        ):
            if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping)):
                raise TypeError(f"{what} of the kit {name!r} is {value!r}; pass a list of {each}")
        if metadata is not None and not isinstance(metadata, Mapping):
            raise TypeError(f"metadata of the kit {name!r} is {metadata!r}; pass a mapping")
        skipped, notices = tuple(skipped), tuple(notices)
        for skip in skipped:
            if not isinstance(skip, SkillSkip):
                raise TypeError(f"skipped of the kit {name!r} holds {skip!r}; pass SkillSkips")
        for notice in notices:
            if not isinstance(notice, Notice):
                raise TypeError(f"notices of the kit {name!r} holds {notice!r}; pass Notices")
        agents = tuple(agents)
        for agent in (*agents, *(() if root_agent is None else (root_agent,))):
            if not isinstance(agent, Agent):
                raise TypeError(f"an agent of the kit {name!r} is {agent!r}; pass an Agent")
        put = object.__setattr__
        put(self, "name", name)
        put(self, "skills", tuple(member(name, skill) for skill in skills))
        put(self, "agents", agents)
        put(self, "root_agent", root_agent)
        put(self, "metadata", dict(metadata or {}))
        put(self, "skipped", skipped)
        put(self, "notices", notices)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a kit is frozen; make a new one to change its {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a kit is frozen; make a new one without {name}")

    def __reduce__(self) -> Any:
        # Made empty, then filled: a skill's handler may lead back to its kit.
        return object.__new__, (type(self),), self._facts()

    def __setstate__(self, facts: tuple[Any, ...]) -> None:
        for name, value in zip(self.__slots__, facts, strict=True):
            object.__setattr__(self, name, value)

    def _facts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Kit) and self._facts() == other._facts())

    def __hash__(self) -> int:
        return hash((self.name, self.skills))

    def __repr__(self) -> str:
        lines = [f"<Kit {cut(self.name)!r}: {parts_of(self)}>"]
        if self.skills:
            lines.append(f"  skills: {some([skill.name for skill in self.skills])}")
        if self.root_agent:
            lines.append(f"  root agent: {some([self.root_agent.name])}")
        if self.agents:
            lines.append(f"  agents: {some([agent.name for agent in self.agents])}")
        if self.skipped:
            lines.append(f"  skipped: {some([said_skip(skip) for skip in self.skipped])}")
        if self.notices:
            lines.append(f"  notices: {some([said_notice(notice) for notice in self.notices])}")
        return "\n".join(lines)

    def skill(self, name: str) -> SkillInfo:
        """Returns one of its skills, by its full name or by what stands after the colon.

        Raises:
            SkillNotFound: when there is none; the message lists those that are there.
        """
        by_name = {skill.name: skill for skill in reversed(self.skills)}
        found = by_name.get(name) or by_name.get(full_name(self.name, name))
        if found is None:
            raise SkillNotFound(not_found(name, by_name))
        return found

    def agent(self, name: str) -> Agent:
        """Returns one of its agents, the root agent among them.

        Raises:
            AgentNotFound: when there is none; the message lists those that are there.
        """
        by_name = {agent.name: agent for agent in reversed(all_agents(self))}
        if name not in by_name:
            raise AgentNotFound(not_found(name, by_name, "Agent"))
        return by_name[name]

    def to_dict(self) -> dict[str, Any]:
        """Returns the kit as a JSON-safe mapping."""
        return {
            "name": self.name,
            "skills": [skill.to_dict() for skill in self.skills],
            "agents": [agent.to_dict() for agent in self.agents],
            "root_agent": self.root_agent.to_dict() if self.root_agent else None,
            "metadata": json_only(self.metadata),
            "skipped": [skip.to_dict() for skip in self.skipped],
            "notices": [notice.to_dict() for notice in self.notices],
        }


class Survey(NamedTuple):
    """What a provider gives that has more to say than its kits.

    Our own providers have a method ``_skillbook_survey()`` beside ``list_kits()``, which gives it
    without warnings; a catalogue asks that.

    Attributes:
        kits: the kits, in order.
        notices: what explains the absence of a kit.
    """

    kits: list[Kit]
    notices: list[Notice]


@dataclass(frozen=True, slots=True)
class Failure(Shown):
    """A provider that raised, or gave something that is no kit, at one query.

    Attributes:
        provider: the provider's name.
        detail: what went wrong, in one sentence.
    """

    provider: str
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """Returns the failure as a JSON-safe mapping."""
        return {"provider": self.provider, "detail": printable(self.detail)}


@dataclass(frozen=True, slots=True)
class Shadowed(Placed):
    """A kit, skill or agent whose name an earlier one has.

    Attributes:
        kind: ``kit``, ``skill`` or ``agent``.
        name: its name.
        kit: the kit it lies in.
        provider: the provider that gave it.
        by: the provider, and for a skill or agent the kit, of the one that counts.
        location: the absolute path or the base of a skill or agent, or ``""``.
        root: the root it was found in, or None.
    """

    kind: Literal["kit", "skill", "agent"]
    name: str
    kit: str
    provider: str
    by: str
    location: str = ""
    root: Root | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Returns the record as a JSON-safe mapping."""
        return {
            "kind": self.kind,
            "name": self.name,
            "kit": self.kit,
            "provider": self.provider,
            "by": self.by,
            "location": printable(self.location),
        }


# --- building ----------------------------------------------------------------------------------


def full_name(kit: str, name: str) -> str:
    """Returns ``kit:skill``; a name with a colon, or equal to the kit's, stays as it is."""
    return name if ":" in name or name == kit else f"{kit}:{name}"


def member(kit: str, given: AnySkill) -> SkillInfo:
    """Returns a skill as one of a kit: with its full name and its place.

    Raises:
        TypeError: when it is no skill, or a value of it is of the wrong type.
        ValueError: when it has no name or no description.
    """
    if isinstance(given, SkillInfo):
        info = given
    else:
        given = data_skill(given)
        named = full_name(kit, one_line(given.name)) if given.name.strip() else ""
        made = data_info(replace(given, name=named))
        if isinstance(made, SkillSkip):  # what it is: one without a name
            raise ValueError(  # noqa: TRY004
                f"a skill of the kit {kit!r} has no name; a kit's skills need one"
            )
        info = made
    if not (info.description or "").strip():
        raise ValueError(
            f"the skill {info.name!r} of the kit {kit!r} has no description; a kit's skills need"
            " one: say what it is for and when to use it"
        )
    return settled(info, kit, full_name(kit, one_line(info.name)))


def settled(
    info: SkillInfo,
    kit: str,
    name: str,
    *,
    provider: str = "",
    repository: str | None = None,
    commit: str | None = None,
) -> SkillInfo:
    """Returns a skill with its full name and the place that a kit gives it.

    What it already says of provider and repository stays where nothing else is said.
    """
    was = info.place
    if was is not None:
        provider = provider or (was.provider if was.kit == kit else "")
        repository = repository or was.repository
        commit = commit or was.commit
    place = KitPlace(kit, provider, repository, commit)
    if info.name == name and was == place:
        return info
    return replace(info, name=name, place=place)


def sorted_out(found: Iterable[SkillInfo]) -> tuple[list[SkillInfo], list[SkillSkip]]:
    """Returns the skills that a kit can have, and a skip for each that has no description."""
    skills: list[SkillInfo] = []
    skipped: list[SkillSkip] = []
    for info in found:
        if not (info.description or "").strip():
            skipped.append(_without_description(info))
        else:
            skills.append(info)
    return skills, skipped


def _without_description(info: SkillInfo) -> SkillSkip:
    rescued = [notice for notice in info.warnings if notice.kind == "rescued-frontmatter"]
    if rescued:  # the description is there, but nobody can read it
        said = f"{rescued[0].detail}; no description could be read, and a kit's skills need one"
        line = rescued[0].line
        return SkillSkip(info.location, "malformed-frontmatter", said, line, info.root)
    said = f"the skill {info.name!r} has no description; a kit's skills need one"
    return SkillSkip(info.location, MISSING_DESCRIPTION, said, root=info.root)


# --- words -------------------------------------------------------------------------------------


def all_agents(kit: Kit) -> list[Agent]:
    """Returns a kit's agents, the root agent first."""
    return [*((kit.root_agent,) if kit.root_agent else ()), *kit.agents]


def parts_of(kit: Kit) -> str:
    """Returns what a kit holds, in words."""
    parts = [count(len(kit.skills), "skill"), count(len(all_agents(kit)), "agent")]
    if kit.skipped:
        parts.append(f"{len(kit.skipped):,} skipped")
    if kit.notices:
        parts.append(count(len(kit.notices), "notice"))
    return ", ".join(parts)


def some(items: list[str], most: int = 10) -> str:
    """Returns items on one line, each cut, and all with their count; a screen can show them."""
    shown = ", ".join(visible(cut(item, _MOST_ITEM)) for item in items[:most])
    more = f" … and {len(items) - most:,} more" if len(items) > most else ""
    return shown + more
