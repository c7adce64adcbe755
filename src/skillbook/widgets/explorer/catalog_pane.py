"""What the explorer says of a catalogue, as HTML and as text: kits, agents, shadowed names, failures.

Nothing is asked here; all of it is in the view. Imports ``display``, ``views``, ``catalog_subject``
and ``parts``; no widget.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from skillbook.display import markdown, tables, words
from skillbook.display.markup import Markup, element, join, note, problem
from skillbook.kits.catalog import CatalogView
from skillbook.kits.records import Agent, Failure, Kit, Shadowed, all_agents, some
from skillbook.widgets.elements.parts import Row, row
from skillbook.widgets.explorer import views
from skillbook.widgets.explorer.catalog_subject import Beside
from skillbook.widgets.subject import Entry

MOST_KITS = 200
"""Kits that the overview names."""

_CAPABILITIES = 50
_LINE = 120


def facts(view: CatalogView | None) -> list[str]:
    """Returns what a catalogue has beside skills and files, in short words."""
    if view is None:
        return []
    kits, providers = len(view.kits), len(view.providers)
    told = [f"{words.count(kits, 'kit')} from {words.count(providers, 'provider')}"]
    if view.agents:
        told.append(words.count(len(view.agents), "agent"))
    if view.shadowed:
        told.append(f"{len(view.shadowed):,} shadowed")
    if view.failures:
        told.append(f"{len(view.failures):,} failed")
    return told


def lines(view: CatalogView | None) -> list[str]:
    """Returns the same by name, a line each."""
    if view is None:
        return []
    kits = [f"{_line(kit.name)} ({_holds(kit)})" for kit in view.kits.values()]
    shadowed = [f"{item.kind} {_line(item.name)}" for item in view.shadowed]
    failed = [f"{_line(item.provider)} ({_line(item.detail)})" for item in view.failures]
    told = (
        ("kits", kits),
        ("agents", [_line(name) for name in view.agents]),
        ("shadowed", shadowed),
        ("failed", failed),
    )
    return [f"{what}: {some(names)}" for what, names in told if names]


def _line(text: str) -> str:
    return words.cut(" ".join(text.split()), _LINE)


def _holds(kit: Kit) -> str:
    told = [words.count(len(kit.skills), "skill")]
    agents = len(all_agents(kit))
    if agents:
        told.append(words.count(agents, "agent"))
    if kit.skipped:
        told.append(f"{len(kit.skipped):,} skipped")
    return ", ".join(told)


def overview(view: CatalogView | None) -> Markup:
    """Returns the providers in order with their kits, in a ``details``; empty for no catalogue."""
    if view is None:
        return Markup()
    drawn = tables.within(_overview_rows(view), tables.ROOM_FOR_LISTS)
    table = element(
        "table",
        tables.head("Provider", "Kit", "Skills", "Agents", "Skipped"),
        element("tbody", *drawn),
        cls="table",
    )
    number = len(view.kits)
    left = number - min(number, MOST_KITS, len(drawn))
    cut = note(f"{left:,} more kits are not named here.") if left > 0 else Markup()
    said = f"{words.count(number, 'kit')} from {words.count(len(view.providers), 'provider')}"
    return tables.folded(said, element("div", table, cls="wide"), cut)


def _overview_rows(view: CatalogView) -> Iterator[Markup]:
    failed = {failure.provider for failure in view.failures}
    most = MOST_KITS
    for provider in view.providers:
        name = words.cut(provider, _LINE)
        kits = [kit for kit in view.kits.values() if view.provider_of[kit.name] == provider]
        for kit in kits[:most]:
            counts = (len(kit.skills), len(all_agents(kit)), len(kit.skipped))
            yield tables.row(
                name, words.cut(kit.name, _LINE), *(f"{number:,}" for number in counts)
            )
        most = max(most - len(kits), 0)
        if not kits:
            yield tables.row(name, "failed" if provider in failed else "no kit", "", "", "")


def grouped(entries: Iterable[Entry], rows: Iterable[Row]) -> list[Row]:
    """Returns rows with a heading before those of another kit or provider."""
    drawn: list[Row] = []
    before: tuple[str, ...] = ()
    for entry, each in zip(entries, rows, strict=True):
        if entry.origins and entry.origins != before:
            drawn.append(heading(entry.origins))
        before = entry.origins
        drawn.append(each)
    return drawn


def heading(origins: tuple[str, ...]) -> Row:
    """Returns the heading of what comes from one kit: its name, and its provider below."""
    provider, *kit = origins
    return row("", kit[0], provider) if kit else row("", provider)


def origin(entry: Entry) -> str:
    """Returns where an entry comes from, on one line: ``kit files, provider PdfKit``."""
    return words.cut(", ".join(reversed(entry.origins)), 2 * _LINE)


# --- one entry ------------------------------------------------------------------------------------


def shown(entry: Beside) -> Markup:
    """Returns what the pane shows of an agent, of what is shadowed, or of a failed provider."""
    if isinstance(entry.record, Agent):
        return _agent(entry, entry.record)
    if isinstance(entry.record, Shadowed):
        return _shadowed(entry, entry.record)
    return _failure(entry, entry.record) if entry.record else Markup()


def _agent(entry: Beside, agent: Agent) -> Markup:
    size = words.count(len(agent.system_prompt), "character")
    told = [entry.kind, f"system prompt {size}", origin(entry)]
    if agent.location:
        told.insert(0, agent.shown_location)
    fields: list[tuple[str, Any]] = []
    if agent.model:
        fields.append(("model", agent.model))
    if agent.capabilities:
        fields.append(("capabilities", list(agent.capabilities[:_CAPABILITIES])))
    if agent.metadata:
        fields.append(("metadata", agent.metadata))
    prompt = (
        markdown.render(agent.system_prompt)
        if agent.system_prompt
        else note("There is no system prompt.")
    )
    return join(
        (
            views.heading(agent.name),
            element("p", words.cut(agent.description, views.MOST_DESCRIPTION), cls="text"),
            note(" · ".join(filter(None, told))),
            tables.fields(fields) if fields else Markup(),
            views.section("System prompt"),
            prompt,
        )
    )


def _shadowed(entry: Beside, item: Shadowed) -> Markup:
    parts = [
        views.heading(item.name),
        problem(
            f"this {item.kind} is shadowed. Its name is taken by"
            f" {words.cut(item.by, tables.MOST_DETAIL)}, which comes first and counts."
        ),
        note(origin(entry)),
    ]
    if item.location:
        place = element("code", words.cut(item.shown_location, tables.MOST_DETAIL))
        parts.append(element("p", "It lies in ", place, "."))
    parts.append(note("To use it, give it another name, or put its provider first."))
    return join(parts)


def _failure(entry: Beside, failure: Failure) -> Markup:
    return join(
        (
            views.heading(failure.provider),
            problem(f"this provider failed. {words.cut(failure.detail, 2_000)}"),
            note("The other providers serve on. Refresh asks this one again."),
            note(origin(entry)) if len(entry.origins) > 1 else Markup(),
        )
    )
