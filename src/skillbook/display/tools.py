"""Displays of skill wrappers, their pairs of tools, script results and toolkits.

Files are read first (which scripts and references there are), drawn second. ``DRAWN`` says which
function draws which class. This module imports ``envelope``, ``markup``, ``records``, ``tables``,
``words`` and the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from skillbook.display import envelope, records, words
from skillbook.display.markup import Markup, element, join, note, problem
from skillbook.display.tables import (
    MOST_DESCRIPTION,
    MOST_NAME,
    ROOM_FOR_ROWS,
    chips,
    fields,
    folded,
    head,
    listed,
    row,
    title,
    warnings,
    within,
)
from skillbook.errors import SkillReadError
from skillbook.model import printable
from skillbook.pair import LOAD, RUN
from skillbook.scripts import ScriptResult
from skillbook.tool import Tool
from skillbook.toolkit import Toolkit
from skillbook.wrapper import SkillTools, SkillWrapper

MOST_STREAM = 50_000
"""Characters of one stream that are shown."""

_ENVIRONMENTS = {
    "caller": "the whole environment of the process that runs it",
    "clean": "only what any process needs",
}


def wrapper(given: SkillWrapper) -> Markup:
    """Returns a wrapper: the skill, the names of its tools, its scripts and reference files."""
    info = given.skill
    gone = ""
    scripts: Sequence[Any] = ()
    references: Sequence[Any] = ()
    try:
        scripts, references = given.scripts(), given.references()
    except SkillReadError as error:
        gone = str(error)
    told = [
        words.count(len(scripts), "script"),
        words.count(len(references), "reference file"),
    ]
    parts = [title("skill wrapper", info.name), _about(info.description), chips(told)]
    if gone:
        parts.append(problem(gone))
    if info.warnings:
        count = words.count(len(info.warnings), "warning")
        parts += [element("p", element("strong", count)), warnings(info.warnings)]
    options = given.options
    values: list[tuple[str, Any]] = [
        ("location", info.shown_location),
        ("load tool", LOAD + given.name),
        ("run tool", RUN + given.name if scripts else "none, since there are no scripts"),
    ]
    if scripts:
        values += [
            ("environment of scripts", _ENVIRONMENTS[options.env]),
            ("time for a script", f"{options.timeout:g} s"),
            ("kept of each stream", words.size(options.max_output)),
            ("asks before each run", "yes" if options.confirm else "no"),
        ]
    parts.append(fields(values))
    parts += _files("Scripts", [str(script) for script in scripts])
    parts += _files("Reference files", [reference.name for reference in references])
    return join(parts)


def _about(description: str | None) -> Markup:
    if not description:
        return note("no description")
    return element("p", words.cut(description, MOST_DESCRIPTION), cls="text")


def _files(what: str, names: Sequence[str]) -> list[Markup]:
    if not names:
        return []
    items = (element("code", words.cut(name, MOST_DESCRIPTION)) for name in names)
    return [element("p", element("strong", what)), listed(items, len(names), what.lower())]


def skill_tools(given: SkillTools) -> Markup:
    """Returns a pair: each tool as a model reads it."""
    told = ["load and run" if given.run is not None else "load alone: nothing can be run"]
    parts = [title("skill tools", given.skill.name), chips(told), _tools(list(given))]
    parts += [folded(tool.name, records.tool(tool)) for tool in given]
    return join(parts)


def _tools(tools: Sequence[Tool]) -> Markup:
    drawn = within(map(_tool_row, tools), ROOM_FOR_ROWS)
    table = element(
        "table", head("Tool", "From", "Description"), element("tbody", *drawn), cls="table"
    )
    cut = note(f"{words.of(len(drawn), len(tools), 'tools')}.") if len(drawn) < len(tools) else None
    return join(part for part in (element("div", table, cls="wide"), cut) if part is not None)


def _tool_row(tool: Tool) -> Markup:
    about = " ".join(tool.description.split())
    return row(
        words.cut(tool.name, MOST_NAME), tool.source or "code", words.cut(about, MOST_DESCRIPTION)
    )


def script_result(given: ScriptResult) -> Markup:
    """Returns what a script gave: how it ended, and its streams apart.

    How long it took is left out, so that a notebook that is run again shows the same.
    """
    ended = f"exit code {given.exit_code}: {given.ended}"
    told = [
        "error" if given.is_error else "success",
        f"stdout {words.count(len(given.stdout), 'character')}",
        f"stderr {words.count(len(given.stderr), 'character')}",
    ]
    line = element("p", ended, cls="problem" if given.is_error else "text")
    parts = [title("script result", printable(given.script)), chips(told), line]
    for name, text, cut in (
        ("stdout", given.stdout, given.stdout_cut),
        ("stderr", given.stderr, given.stderr_cut),
    ):
        parts += _stream(name, text, cut)
    parts += _advice(given)
    return join(parts)


def _stream(name: str, text: str, cut: int) -> Iterable[Markup]:
    if not text:
        return [note(f"{name}: nothing was printed.")]
    parts = [
        element("p", element("strong", name)),
        element("pre", text[:MOST_STREAM], cls="code"),
    ]
    if len(text) > MOST_STREAM:
        parts.append(note(f"Cut: {words.of(MOST_STREAM, len(text), 'characters')}."))
    if cut:
        parts.append(note(f"{words.count(cut, 'more byte')} of {name} were printed and not kept."))
    return parts


def _advice(given: ScriptResult) -> list[Markup]:
    """Returns what a gate added to a failure for the model."""
    after = [
        text
        for number, (kind, text) in enumerate(given.parts)
        if kind == "note" and any(other == "note" for other, _ in given.parts[:number])
    ]
    if not after:
        return []
    said = envelope.rooted("".join(after).strip(), given.root)
    return [note("Told to the model besides:"), element("p", said, cls="text")]


def toolkit(given: Toolkit) -> Markup:
    """Returns a toolkit: its tools, what failed, and the prompt."""
    told = [words.count(len(given.tools), "tool")]
    if given.failures:
        told.append(f"{len(given.failures):,} failed")
    parts = [title("Toolkit"), chips(told)]
    failed = (f"{part} failed: {words.cut(why, 500)}" for part, why in given.failures.items())
    parts += within(map(problem, failed), ROOM_FOR_ROWS)
    parts.append(_tools(given.tools) if given.tools else note("No tools."))
    prompt = given.skill_prompt
    if prompt:
        shown = element("pre", prompt[:MOST_STREAM], cls="code")
        parts.append(folded(f"Prompt, {words.count(len(prompt), 'character')}", shown))
    return join(parts)


DRAWN: dict[type, Callable[[Any], Markup]] = {
    ScriptResult: script_result,
    SkillTools: skill_tools,
    SkillWrapper: wrapper,
    Toolkit: toolkit,
}
"""Which function draws which class."""
