"""Displays of kits, agents, catalogues and their providers.

Each function asks first (providers, the disk) and draws second. ``DRAWN`` says which function draws
which class. This module imports ``facts``, ``markdown``, ``markup``, ``tables``, ``words`` and the
kits; none of these loads a network library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from skillbook.display import markdown, words
from skillbook.display.facts import MOST_SKILLS, Row, count_files
from skillbook.display.markup import Markup, element, join, note, problem
from skillbook.display.tables import (
    MOST_DESCRIPTION,
    MOST_DETAIL,
    MOST_NAME,
    ROOM_FOR_LISTS,
    chips,
    fields,
    folded,
    head,
    listed,
    notices,
    row,
    skills_table,
    skips,
    title,
    within,
)
from skillbook.kits import protocol
from skillbook.kits.catalog import Catalog, CatalogView
from skillbook.kits.github.provider import GitHubProvider, ImportedSource
from skillbook.kits.local import LocalProvider
from skillbook.kits.memory import MemoryProvider, SourceProvider
from skillbook.kits.package import PackageKit
from skillbook.kits.records import Agent, Failure, Kit, Shadowed, all_agents
from skillbook.model import Notice, SkillInfo, SkillSkip

_FEW = 20
_CAPABILITIES = 50

# --- records -----------------------------------------------------------------------------------


def kit(given: Kit) -> Markup:
    """Returns a kit: its skills, its agents, and what gave none."""
    rows = _rows(given.skills)
    parts = [title("kit", given.name), chips(_kit_counts(given))]
    said = [  # a value may be an array, which compares with nothing
        (name, value)
        for name, value in given.metadata.items()
        if not (value is None or (isinstance(value, str) and not value))
    ]
    if said:
        parts.append(fields(said))
    parts.append(_skills(rows, len(given.skills)))
    return join((*parts, *_agents(all_agents(given), given.root_agent), *_absent(given)))


def _kit_counts(given: Kit) -> list[str]:
    told = [
        words.count(len(given.skills), "skill"),
        words.count(len(all_agents(given)), "agent"),
    ]
    running = sum(1 for skill in given.skills if skill.handler is not None)
    if running:
        told.append(f"{words.count(running, 'skill')} that run{'s' if running == 1 else ''}")
    if given.skipped:
        told.append(f"{len(given.skipped):,} skipped")
    if given.notices:
        told.append(words.count(len(given.notices), "notice"))
    return told


def _rows(skills: Iterable[SkillInfo]) -> list[Row]:
    return [
        Row(skill, count_files(skill)) for _, skill in zip(range(MOST_SKILLS), skills, strict=False)
    ]


def _skills(rows: Sequence[Row], total: int) -> Markup:
    return skills_table(rows, total) if rows else note("No skills.")


def _agents(agents: Sequence[Agent], root_agent: Agent | None) -> list[Markup]:
    """Returns agents in a ``details``: name, what each is for, its model."""
    if not agents:
        return []
    items = (
        join(
            (
                element("strong", words.cut(agent.name, MOST_NAME)),
                " (root agent)" if agent is root_agent else "",
                f" (model {words.cut(agent.model, MOST_NAME)})" if agent.model else "",
                f": {words.cut(' '.join(agent.description.split()), MOST_DESCRIPTION)}",
            )
        )
        for agent in agents
    )
    number = len(agents)
    table = listed(items, number, "agents")
    return [folded(words.count(number, "agent"), table, opened=number <= _FEW)]


def _absent(given: Kit | CatalogView | ImportedSource) -> list[Markup]:
    """Returns what was skipped and what else to know, each in a ``details``."""
    skipped: Sequence[SkillSkip] = given.skipped
    found: Sequence[Notice] = given.notices
    parts = []
    if skipped:
        number = len(skipped)
        parts.append(folded(f"{number:,} skipped", skips(skipped), opened=number <= _FEW))
    if found:
        number = len(found)
        parts.append(folded(words.count(number, "notice"), notices(found), opened=number <= _FEW))
    return parts


def agent(given: Agent) -> Markup:
    """Returns an agent: what it is for, its fields, and its system prompt."""
    size = words.count(len(given.system_prompt), "character")
    told: list[tuple[str, Any]] = []
    if given.location:
        told.append(("location", given.shown_location))
    if given.model:
        told.append(("model", given.model))
    if given.capabilities:
        told.append(("capabilities", list(given.capabilities[:_CAPABILITIES])))
    if given.metadata:
        told.append(("metadata", given.metadata))
    parts = [
        title("agent", given.name),
        element("p", words.cut(given.description, 5_000), cls="text"),
        chips(
            [
                f"system prompt {size}",
                words.count(len(given.capabilities), "capability", "capabilities"),
            ]
        ),
    ]
    if told:
        parts.append(fields(told))
    if given.system_prompt:
        parts.append(folded(f"System prompt, {size}", markdown.render(given.system_prompt)))
    else:
        parts.append(note("There is no system prompt."))
    return join(parts)


def shadowed(given: Shadowed) -> Markup:
    """Returns a kit, skill or agent whose name an earlier one has."""
    return join((title(f"shadowed {given.kind}", given.name), element("p", _why_shadowed(given))))


def _why_shadowed(given: Shadowed) -> Markup:
    place = given.shown_location
    return join(
        (
            f"{given.kind} ",
            element("strong", words.cut(given.name, MOST_NAME)),
            f" of {words.cut(given.provider, MOST_NAME)}",
            *((" in ", element("code", words.cut(place, MOST_DETAIL))) if place else ()),
            f": the name is taken by {words.cut(given.by, MOST_DETAIL)}",
        )
    )


def failure(given: Failure) -> Markup:
    """Returns a provider that failed."""
    return join((title("failed provider", given.provider), problem(words.cut(given.detail, 2_000))))


# --- catalogue ---------------------------------------------------------------------------------


def catalog(given: Catalog) -> Markup:
    """Returns a catalogue as it is now."""
    return catalog_view(given.view())


def catalog_view(given: CatalogView) -> Markup:
    """Returns one query of a catalogue: kits, skills, agents, what is shadowed, what failed."""
    rows = _rows(given.skills.values())
    told = [
        words.count(len(given.kits), "kit"),
        words.count(len(given.skills), "skill"),
        words.count(len(given.agents), "agent"),
        f"from {words.count(len(given.providers), 'provider')}",
    ]
    if given.shadowed:
        told.append(f"{len(given.shadowed):,} shadowed")
    if given.failures:
        told.append(words.count(len(given.failures), "failed provider"))
    parts = [title("Catalog"), chips(told)]
    parts += [
        problem(f"The provider {one.provider} failed: {words.cut(one.detail, 1_000)}")
        for one in given.failures[:_FEW]
    ]
    parts.append(_kits_table(given.kits.values(), given.provider_of))
    if given.skills:
        number = len(given.skills)
        opened = number <= _FEW
        parts.append(folded(words.count(number, "skill"), _skills(rows, number), opened=opened))
    parts += _agents(list(given.agents.values()), given.root_agent)
    if given.shadowed:
        number = len(given.shadowed)
        items = listed(map(_why_shadowed, given.shadowed), number, "shadowed names")
        parts.append(folded(f"{number:,} shadowed", items, opened=number <= _FEW))
    return join((*parts, *_absent(given)))


def _kits_table(kits: Iterable[Kit], provider_of: dict[str, str] | None = None) -> Markup:
    """Returns kits with their provider, where one is said, and what they hold."""
    kits = list(kits)
    if not kits:
        return note("No kits.")
    names = [
        "Kit",
        *(["Provider"] if provider_of is not None else []),
        "Skills",
        "Agents",
        "Skipped",
    ]
    drawn = within((_kit_row(one, provider_of) for one in kits[:MOST_SKILLS]), 2 * ROOM_FOR_LISTS)
    table = element("table", head(*names), element("tbody", *drawn), cls="table")
    cut = note(f"{words.of(len(drawn), len(kits), 'kits')}.") if len(drawn) < len(kits) else ""
    return join((element("div", table, cls="wide"), cut))


def _kit_row(given: Kit, provider_of: dict[str, str] | None) -> Markup:
    provider = [words.cut(provider_of[given.name], MOST_NAME)] if provider_of is not None else []
    return row(
        words.cut(given.name, MOST_NAME),
        *provider,
        f"{len(given.skills):,}",
        f"{len(all_agents(given)):,}",
        f"{len(given.skipped):,}",
    )


# --- providers ---------------------------------------------------------------------------------


def local(given: LocalProvider) -> Markup:
    """Returns a provider of folders: the folders as typed, and the kits in them now."""
    kits, absent = protocol.survey(given)
    parts = [
        title("LocalProvider"),
        chips([words.count(len(kits), "kit"), *_skipped(kits)]),
        note("From ", element("code", words.cut(given.folders, MOST_DETAIL)), "."),
        _kits_table(kits),
    ]
    skipped = [skip for one in kits for skip in one.skipped]
    if skipped:
        number = len(skipped)
        parts.append(folded(f"{number:,} skipped", skips(skipped), opened=number <= _FEW))
    if absent:
        said = f"{words.count(len(absent), 'folder')} without a kit"
        parts.append(folded(said, notices(absent), opened=True))
    return join(parts)


def _skipped(kits: Iterable[Kit]) -> list[str]:
    number = sum(len(one.skipped) for one in kits)
    return [f"{number:,} skipped"] if number else []


def memory(given: MemoryProvider | SourceProvider) -> Markup:
    """Returns a provider whose kits are in memory."""
    kits = given.list_kits() if isinstance(given, MemoryProvider) else protocol.survey(given).kits
    return join(
        (
            title(type(given).__name__),
            chips([words.count(len(kits), "kit"), *_skipped(kits)]),
            _kits_table(kits),
        )
    )


def package(given: PackageKit) -> Markup:
    """Returns a kit that a Python class brings and runs."""
    kits = list(given.list_kits())
    named = f"{type(given).__name__}, a kit in a Python class"
    if len(kits) != 1:  # an override gives none, or several
        return join((title(named, given.name), _kits_table(kits)))
    held = kits[0]
    return join(
        (
            title(named, held.name),
            chips(_kit_counts(held)),
            note("Its skills are run by ", element("code", f"{type(given).__name__}.execute"), "."),
            _skills(_rows(held.skills), len(held.skills)),
            *_agents(all_agents(held), held.root_agent),
            *_absent(held),
        )
    )


def github(given: GitHubProvider) -> Markup:
    """Returns what was imported from GitHub, and what may be; no request is made."""
    sources = given.list_sources()
    allowed = ", ".join(given.allowed_sources) or "none"
    offered = "is offered to models" if given.offers_import else "is not offered to models"
    parts = [
        title("GitHubProvider"),
        chips(
            [
                words.count(len(sources), "imported source"),
                f"allowed: {words.cut(allowed, MOST_DETAIL)}",
                f"token: {given.token}",
                f"github:import {offered}",
            ]
        ),
    ]
    if not sources:
        return join((*parts, note("Nothing is imported so far.")))
    drawn = within((_source_row(one) for one in sources[:MOST_SKILLS]), 2 * ROOM_FOR_LISTS)
    names = ("Source", "Commit", "Skills", "Skipped or left out")
    table = element("table", head(*names), element("tbody", *drawn), cls="table")
    cut = (
        note(f"{words.of(len(drawn), len(sources), 'sources')}.")
        if len(drawn) < len(sources)
        else ""
    )
    return join((*parts, element("div", table, cls="wide"), cut))


def _source_row(given: ImportedSource) -> Markup:
    return row(
        words.cut(given.reference, MOST_DETAIL),
        element("code", given.commit) if given.commit else note("unknown"),
        f"{len(given.skills):,}",
        f"{len(given.skipped) + len(given.notices):,}",
    )


def imported(given: ImportedSource) -> Markup:
    """Returns a source that was imported: its commit, its skills, what was left out."""
    told = [
        words.count(len(given.skills), "skill"),
        words.count(len(given.agents), "agent"),
        "from the cache, nothing was downloaded" if given.from_cache else "downloaded",
    ]
    parts = [
        title("imported source", given.reference),
        chips(told),
        fields(
            [
                ("repository", given.repository),
                ("ref", given.ref or "the default branch"),
                ("path", given.path or "all of it"),
                ("commit", given.commit or "unknown"),
            ]
        ),
    ]
    names = (element("code", words.cut(name, MOST_NAME)) for name in given.skills)
    if given.skills:
        number = len(given.skills)
        shown = listed(names, number, "skills")
        parts.append(folded(words.count(number, "skill"), shown, opened=number <= _FEW))
    else:
        parts.append(note("No skills."))
    return join((*parts, *_absent(given)))


DRAWN: dict[type, Callable[[Any], Markup]] = {
    Kit: kit,
    Agent: agent,
    Shadowed: shadowed,
    Failure: failure,
    Catalog: catalog,
    CatalogView: catalog_view,
    LocalProvider: local,
    MemoryProvider: memory,
    SourceProvider: memory,
    PackageKit: package,
    GitHubProvider: github,
    ImportedSource: imported,
}
"""Which function draws which class, and those derived from it."""
