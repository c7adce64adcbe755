"""One display a record: each function gathers first, then draws.

This module imports the other parts of the display and the records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skillbook.display import code, envelope, files, markdown, sourcetext, words
from skillbook.display.facts import (
    Listing,
    SkillFacts,
    SkipFacts,
    listing,
    skill_facts,
    skip_facts,
)
from skillbook.display.markup import Markup, element, join, note, problem
from skillbook.display.tables import (
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
    warnings,
)
from skillbook.model import Notice, SkillDef, SkillInfo, SkillSkip, on_line
from skillbook.source import SkillInventory, SkillSource
from skillbook.tool import Tool, ToolResult

MOST_PROMPT = 16_000
"""Characters of a prompt that are shown."""

ROOM_FOR_PROMPT = 40_000
_MOST_DESCRIPTION = 5_000
_FEW = 20
_FEW_ROOTS = 5


def skills(what: SkillSource | SkillInventory) -> Markup:
    """Returns a source or an inventory."""
    return listing_markup(listing(what))


def listing_markup(facts: Listing) -> Markup:
    """Returns a set of skills: who is here, the prompt, what was skipped, what else to know."""
    parts = [title(facts.kind), roots(facts), chips(counts(facts))]
    if facts.rows:
        parts.append(skills_table(facts.rows, facts.total))
    else:
        parts.append(note("No skills."))
    if facts.prompt is not None:
        parts.append(prompt(facts))
    if facts.skipped:
        number = len(facts.skipped)
        parts.append(folded(f"{number:,} skipped", skips(facts.skipped), opened=number <= _FEW))
    if facts.notices:
        number = len(facts.notices)
        parts.append(
            folded(words.count(number, "notice"), notices(facts.notices), opened=number <= _FEW)
        )
    return join(parts)


def roots(facts: Listing) -> Markup:
    """Returns the folders that skills came from, as typed."""
    if not facts.roots:
        return (
            note("From no folder: all skills are given in code.")
            if facts.total
            else note("From no folder.")
        )
    shown = [element("code", words.cut(root.typed, 200)) for root in facts.roots[:_FEW_ROOTS]]
    more = len(facts.roots) - len(shown)
    return note(
        "From ", join(shown, ", "), f" and {words.count(more, 'more root')}" if more else ""
    )


def counts(facts: Listing) -> list[str]:
    """Returns how many there are of what, in words."""
    told = [words.count(facts.total, "skill"), f"{len(facts.skipped):,} skipped"]
    if facts.warned:
        told.append(f"{facts.warned:,} with warnings")
    if facts.notices:
        told.append(words.count(len(facts.notices), "notice"))
    if facts.filtered:
        told.append("filtered")
    if facts.sample:
        told.append(facts.sample)
    return told


def prompt(facts: Listing, most: int = MOST_PROMPT, room: int = ROOM_FOR_PROMPT) -> Markup:
    """Returns the prompt in a ``details``, cut with its length.

    Args:
        facts: what was gathered of a source.
        most: characters that are shown.
        room: bytes of HTML that it may take.
    """
    text = facts.prompt or ""
    size = words.count(len(text), "character") if facts.whole else words.count(facts.total, "skill")
    block = element("pre", text[:most], cls="code")
    while len(block.encode()) > room:
        most //= 2
        block = element("pre", text[:most], cls="code")
    if not facts.whole:
        cut = f"Cut: the first {min(most, len(text)):,} characters are shown"
    elif len(text) > most:
        cut = f"Cut: {words.of(most, len(text), 'characters')}"
    else:
        return folded(f"Prompt, {size}", block)
    return folded(f"Prompt, {size}", block, note(f"{cut}; source.prompt() gives it all."))


def skill(info: SkillInfo) -> Markup:
    """Returns one skill: its fields, its body and its files."""
    return skill_markup(skill_facts(info))


def skill_markup(facts: SkillFacts) -> Markup:
    """Returns a skill whose facts are gathered."""
    return join(
        (skill_head(facts), folded(_body_summary(facts), rendered_body(facts)), *skill_files(facts))
    )


def _body_summary(facts: SkillFacts) -> str:
    if facts.body is None:
        return "Body, which cannot be read"
    return f"Body, {facts.body_size}"


def skill_files(facts: SkillFacts) -> list[Markup]:
    """Returns a skill's files in a ``details``, or that there are none."""
    number = len(facts.files.files)
    if not number and not facts.files.left_out and not facts.files.problem:
        return [
            note("No files besides the SKILL.md." if facts.skill.origin == "fs" else "No files.")
        ]
    return [folded(words.count(number, "file"), files.tree(facts.files))]


def skill_head(facts: SkillFacts, *, titled: bool = True) -> Markup:
    """Returns what stands above a skill's body: name, description, warnings and all its fields.

    Args:
        facts: the skill as it was read.
        titled: whether to begin with its name.
    """
    info = facts.skill
    parts = [title("skill", info.name)] if titled else []
    if info.description:
        parts.append(element("p", words.cut(info.description, _MOST_DESCRIPTION), cls="text"))
    else:
        parts.append(note("No description, so it is not in the prompt."))
    parts.append(chips(_skill_counts(facts)))
    if facts.problem:
        parts.append(problem(facts.problem))
    if info.warnings:
        parts += [
            element("p", element("strong", words.count(len(info.warnings), "warning"))),
            warnings(info.warnings),
        ]
    parts.append(fields(skill_fields(info)))
    return join(parts)


def _skill_counts(facts: SkillFacts) -> list[str]:
    told = ["given in code" if facts.skill.origin == "logical" else "in a folder"]
    if facts.body is not None:
        told.append(f"body {facts.body_size}")
    told.append(words.count(len(facts.files.files), "file"))
    if facts.skill.handler is not None:
        told.append("has a handler")
    return told


def skill_fields(info: SkillInfo) -> list[tuple[str, Any]]:
    """Returns where a skill is, then the front matter that is not shown above it already."""
    told: list[tuple[str, Any]] = [("location", info.shown_location)]
    if info.place is not None:
        told += [(name, value) for name, value in info.place.to_dict().items() if value is not None]
    shown = {"name": info.name, "description": info.description}
    told += [
        (name, value)
        for name, value in info.meta.items()
        if shown.get(name) != value or name not in shown
    ]
    return told


def rendered_body(
    facts: SkillFacts, *, most: int = markdown.MOST, coloured: int = markdown.MOST_COLOURED
) -> Markup:
    """Returns a skill's body, rendered; reads the pictures that it shows.

    Args:
        facts: the skill with its body.
        most: characters to render.
        coloured: characters of code to colour.
    """
    if facts.body is None:
        return problem(facts.problem)
    told = [note(f"Note: {text}.") for text in facts.body.notes]
    if not facts.body.text.strip():
        return join((*told, note("The body is empty.")))
    rendered = markdown.render(facts.body.text, facts.skill, most=most, coloured=coloured)
    return join((*told, rendered))


def definition(given: SkillDef) -> Markup:
    """Returns a data skill as it was given."""
    size = words.count(len(given.content.strip()), "character")
    told = ["given in code", f"body {size}"]
    if given.handler is not None:
        told.append("has a handler")
    parts = [
        title("data skill", given.name),
        element("p", words.cut(given.description, _MOST_DESCRIPTION), cls="text")
        if given.description
        else note("No description, so it is not in the prompt."),
        chips(told),
        fields([("base", given.base or f"skill://{given.name}/")]),
        folded(f"Body, {size}", markdown.render(given.content)),
    ]
    if given.resources:
        number = len(given.resources)
        names = (element("code", words.cut(path, 500)) for path in given.resources)
        parts.append(folded(words.count(number, "resource"), listed(names, number, "resources")))
    return join(parts)


def skip(given: SkillSkip) -> Markup:
    """Returns a skip, with its file's text where that lies inside the root."""
    return skip_markup(skip_facts(given))


def skip_markup(facts: SkipFacts, *, titled: bool = True) -> Markup:
    """Returns a skip whose facts are gathered.

    Args:
        facts: the skip as its file was read.
        titled: whether to begin with its place.
    """
    given = facts.skip
    where = on_line(given.line, given.detail)
    parts = [title("skipped", given.shown_location)] if titled else []
    parts.append(
        element(
            "p",
            element("strong", given.reason),
            f"{where}: {words.cut(given.detail, 2_000)}",
            cls="problem",
        )
    )
    if facts.why:
        parts.append(note(facts.why))
    if facts.file is not None:
        parts += map(note, facts.file.notes)
        if facts.file.kind == "text" and facts.file.text:
            parts.append(sourcetext.render(facts.file.text, fault=given.line))
        elif facts.file.kind == "text":
            parts.append(note("The file is empty."))
        else:
            parts.append(note(f"Binary, {words.count(facts.file.size, 'byte')}."))
    return join(parts)


def notice(given: Notice) -> Markup:
    """Returns a notice."""
    where = on_line(given.line, given.detail)
    return join(
        (
            title("notice", given.shown_location),
            element(
                "p", element("strong", given.kind), f"{where}: {words.cut(given.detail, 2_000)}"
            ),
        )
    )


def tool(given: Tool) -> Markup:
    """Returns a tool: what a model reads of it."""
    properties = given.input_schema.get("properties")
    required = given.input_schema.get("required")
    arguments = properties if isinstance(properties, Mapping) else {}
    needed = required if isinstance(required, (list, tuple)) else ()
    told = [words.count(len(arguments), "argument")]
    if given.source:
        told.insert(0, f"from {given.source}")
    parts = [
        title("tool", given.name),
        element("p", words.cut(given.description, _MOST_DESCRIPTION), cls="text"),
        chips(told),
    ]
    if arguments:
        drawn = [
            row(
                str(name),
                _type(schema),
                "required" if name in needed else "optional",
                _about(schema),
            )
            for name, schema in list(arguments.items())[:100]
        ]
        parts.append(
            element(
                "div",
                element(
                    "table",
                    head("Argument", "Type", "Needed", "Description"),
                    element("tbody", *drawn),
                    cls="table",
                ),
                cls="wide",
            )
        )
    parts.append(folded("Schema", code.highlight(_json(given.input_schema), language="json")))
    return join(parts)


def _type(schema: Any) -> str:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return kind if isinstance(kind, str) else "any" if kind is None else words.cut(_json(kind), 200)


def _about(schema: Any) -> str:
    about = schema.get("description") if isinstance(schema, Mapping) else None
    return words.cut(about, 500) if isinstance(about, str) else ""


def _json(value: Any) -> str:
    try:
        return words.cut(json.dumps(value, indent=2, ensure_ascii=False, default=str), 20_000)
    except (RecursionError, ValueError):
        return "It is nested too deeply to be shown."


def result(given: ToolResult) -> Markup:
    """Returns the result of a tool call."""
    name = (given.metadata or {}).get("name")
    size = words.count(len(given.rooted()), "character")
    parts = [
        title(
            "Tool result" if not isinstance(name, str) else "tool result",
            name if isinstance(name, str) else "",
        ),
        chips(["error", size] if given.is_error else [size]),
    ]
    return join((*parts, envelope.render(given)))


def other(given: object) -> Markup:
    """Returns the text of an object that has no display of its own."""
    return element("pre", element("code", repr(given)), cls="code")
