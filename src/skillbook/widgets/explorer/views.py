"""What the pane of the explorer shows of one entry, as HTML: each view is one function.

The parts come from ``display``; here they are put together for the pane. Facts come from
``display.facts``; the functions here read nothing more than the pictures of a body. Imports
``display``, ``sizes`` and the records; no widget.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from skillbook import sizes
from skillbook.display import code, envelope, markdown, records, sourcetext, tables, words
from skillbook.display.facts import SkillFacts, skip_facts
from skillbook.display.markup import Markup, element, join, note, problem
from skillbook.display.tables import folded
from skillbook.model import Body, Root, SkillInfo, printable
from skillbook.source import AGENT_FOLDERS
from skillbook.tool import ToolResult
from skillbook.widgets import choosing
from skillbook.widgets.limits import limit_words
from skillbook.widgets.subject import Entry

MOST_LOOKED_FOR = 500
"""Files of a skill whose names are looked for in its body."""

MOST_DESCRIPTION = 5_000
"""Characters of a description that are shown."""

MOST_NAMED = 20
"""Files of a body that get a button."""

MOST_ROOTS = 10
"""Folders that are named where there is no skill."""

MOST_ASKED = 10
"""Words of a search of which is said how often they occur."""

MOST_LINES = 10
"""Lines that are named for one of them."""

MOST_MOVED = 50
"""Files that are named when another ``sample_limit`` lists more or fewer."""


def head(facts: SkillFacts) -> Markup:
    """Returns what stands above the tabs: name, description, place and sizes, warnings."""
    skill = facts.skill
    told = [skill.shown_location]
    if facts.body is not None:
        told.append(f"body {facts.body_size}")
    told.append(words.count(len(facts.files.files), "file"))
    if skill.place is not None:
        told.append(f"kit {skill.place.kit}")
    parts = [heading(skill.name)]
    if skill.description:
        parts.append(element("p", words.cut(skill.description, MOST_DESCRIPTION), cls="text"))
    parts.append(note(" · ".join(told)))
    if facts.problem:
        parts.append(problem(facts.problem))
    if skill.warnings:
        said = element("strong", words.count(len(skill.warnings), "warning"))
        parts += [element("p", said), tables.warnings(skill.warnings)]
    return join(parts)


def heading(text: str) -> Markup:
    """Returns the name of what the pane shows."""
    return element("p", element("strong", words.cut(text, 300)), cls="title name")


def section(text: str) -> Markup:
    """Returns the heading of a part of a view."""
    return element("p", element("strong", text), cls="section")


def source(facts: SkillFacts, asked: Sequence[str] = ()) -> Markup:
    """Returns the whole ``SKILL.md`` with line numbers, its front matter coloured.

    Args:
        facts: the skill as it was read.
        asked: words; the lines of the body that hold one are marked.
    """
    if facts.body is None:
        return problem(facts.problem)
    lines = {line for places in met(facts.body, asked).values() for line in places}
    text = sourcetext.render(facts.body.source, found=lines)
    if facts.skill.origin == "logical":
        return join((note("A data skill has no file; this is its content."), text))
    return text


def fields(skill: SkillInfo) -> Markup:
    """Returns all of the front matter as a table, and what follows from it as another."""
    told: dict[str, Any] = {
        "location": skill.shown_location,
        "origin": "a folder" if skill.origin == "fs" else "given in code",
    }
    if skill.root:
        told["root"] = skill.root.typed
    if skill.resources:
        told["resources"] = list(skill.resources)
    if skill.place is not None:
        told |= {name: value for name, value in skill.place.to_dict().items() if value}
    if skill.handler is not None:
        told["runs"] = "it has a handler"
    front = tables.fields(skill.meta) if skill.meta else note("There is none.")
    return join((section("Front matter"), front, section("Besides"), tables.fields(told)))


def entry(shown: Entry) -> Markup:
    """Returns why a file gave no skill, with its text where that may be shown.

    For a skill that broke since it was read, its last good description comes first.
    """
    if shown.skip is None:
        return Markup()
    where = note(f"skipped · {shown.skip.shown_location}")
    why = records.skip_markup(skip_facts(shown.skip), titled=False)
    if shown.skill is None:
        return join((heading(shown.title), where, why))
    good = shown.skill.description
    said = (
        element("p", words.cut(good, MOST_DESCRIPTION), cls="text")
        if good
        else note("It had no description.")
    )
    broke = problem("this skill broke since it was read. Its last good description:")
    return join((heading(shown.skill.name), broke, said, where, why))


# --- what a search found --------------------------------------------------------------------------


def met(body: Body, asked: Sequence[str]) -> dict[str, list[int]]:
    """Returns the lines of the ``SKILL.md`` on which a body holds each word, once for each time.

    Args:
        body: the body.
        asked: words as ``choosing.split_words`` gives them.
    """
    first = body.source.count("\n") - body.text.count("\n") + 1
    lines = body.text.split("\n") if asked else []
    folded = [(number, choosing.fold(line)) for number, line in enumerate(lines, first)]
    return {
        word: [number for number, line in folded for _ in range(line.count(word))] for word in asked
    }


def found(facts: SkillFacts, asked: Sequence[str]) -> Markup:
    """Returns how often a body holds each word of a search, and on which lines of the file."""
    if facts.body is None or not asked:
        return Markup()
    told = [
        f"“{words.cut(word, 60)}” {_times(lines)}" for word, lines in met(facts.body, asked).items()
    ]
    more = f" and {len(told) - MOST_ASKED:,} more words" if len(told) > MOST_ASKED else ""
    return note(f"In the body: {'; '.join(told[:MOST_ASKED])}{more}.")


def _times(places: Sequence[int]) -> str:
    if not places:
        return "does not occur"
    often = "once" if len(places) == 1 else words.count(len(places), "time")
    lines = list(dict.fromkeys(places))
    shown = ", ".join(f"{line:,}" for line in lines[:MOST_LINES])
    more = f" and {len(lines) - MOST_LINES:,} more" if len(lines) > MOST_LINES else ""
    return f"{often}, line{'s' if len(lines) > 1 else ''} {shown}{more} of SKILL.md"


# --- files --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Link:
    """A file that a body names.

    Attributes:
        path: relative to the skill's folder, as it is looked for.
        found: what there is at that path.
    """

    path: str
    found: Literal["file", "folder", "missing", "outside"]


def links(facts: SkillFacts) -> list[Link]:
    """Returns the files that a body links to or names in so many words, in its order."""
    if facts.body is None:
        return []
    text = facts.body.text
    places: dict[str, int] = {}
    after = 0
    for target in markdown.linked_files(text):
        after = max(after, text.find(target, after))
        places.setdefault(posixpath.normpath(target), after)
    if len(facts.files.files) <= MOST_LOOKED_FOR:
        for path in facts.files.files:
            met = re.search(rf"(?<![\w/.-]){re.escape(path)}(?![\w/-])", text)
            if met:
                places[path] = min(met.start(), places.get(path, met.start()))
    paths = set(facts.files.files)
    folders = {path[: slash.start()] for path in paths for slash in re.finditer("/", path)}

    def found(path: str) -> Link:
        if path in paths:
            return Link(path, "file")
        if path in folders:
            return Link(path, "folder")
        return Link(path, "outside" if path.startswith("..") else "missing")

    ordered = sorted(places, key=lambda path: places[path])
    return [found(path) for path in ordered if path not in (".", "SKILL.md")]


def named_files(facts: SkillFacts) -> list[str]:
    """Returns the first files that a body names and that are there, in its order."""
    return [link.path for link in links(facts) if link.found == "file"][:MOST_NAMED]


def no_file(link: Link) -> Markup:
    """Returns what stands in place of the preview of a link that leads to no file."""
    why = {
        "missing": "The body links to it, but there is no such file.",
        "outside": "The body links to it, but it lies outside the skill and is not read.",
        "folder": "It is a folder.",
    }[link.found]
    return join((element("p", element("strong", link.path)), note(why)))


# --- what the model gets --------------------------------------------------------------------------


def levels(
    skill: SkillInfo, result: ToolResult, files: int, counted: sizes.SkillSizes | None
) -> Markup:
    """Returns the table of the three levels with their sizes.

    Args:
        skill: the skill.
        result: its envelope.
        files: how many files it has.
        counted: its sizes, or None before they were counted.
    """
    line, body = len(sizes.entry(skill)), 0 if result.is_error else len(result.rooted(sizes.ROOT))
    rows: list[tuple[str, str, str, int | None, int | None]] = [
        ("1", "its line in the prompt", "always", line, None),
        ("2", "what the skill tool gives", "when the model asks for it", body, None),
        ("3", words.count(files, "file"), "when the body says to read them", None, None),
    ]
    counter = ""
    if counted is not None:
        counter = f" ({counted.counter})"
        by_level = (counted.catalogue, counted.body, counted.files)
        chars = (line, body, counted.files.chars)
        rows = [
            (*row[:3], number, size.tokens)
            for row, number, size in zip(rows, chars, by_level, strict=True)
        ]
    most = max(1, *(tokens or 0 for *_, tokens in rows))
    drawn = [
        tables.row(
            level,
            what,
            when,
            _number(chars),
            _bar(tokens, most) if tokens is not None else _number(None),
        )
        for level, what, when, chars, tokens in rows
    ]
    named = tables.head("Level", "What", "When", "Characters", f"Tokens{counter}")
    table = element("table", named, element("tbody", *drawn), cls="table levels")
    return join((table, envelope.root_note(result)))


def _bar(value: int, most: int) -> Markup:
    number = element("span", f"{value:,}", cls="amount")
    return join((number, " ", element("meter", value=value, min=0, max=most)))


def _number(value: int | None) -> str:
    return "…" if value is None else f"{value:,}"


def first_level(skill: SkillInfo) -> Markup:
    """Returns a skill's line in the prompt."""
    line = sizes.entry(skill).strip("\n")
    shown = (
        code.highlight(words.cut(line, MOST_DESCRIPTION))
        if line
        else note("None: no description, so no model will choose it.")
    )
    return join((section("Level 1: its line in the prompt"), shown))


def second_level(result: ToolResult) -> Markup:
    """Returns the envelope, its parts told apart, or the error that a model gets."""
    return join((section("Level 2: what the skill tool gives"), envelope.render(result)))


def change(before: ToolResult, limit_before: int, now: ToolResult, limit: int) -> Markup:
    """Returns what another ``sample_limit`` changed: which files, how many characters."""
    old, new = listed(before), listed(now)
    characters = len(now.rooted(sizes.ROOT)) - len(before.rooted(sizes.ROOT))
    step = f"{limit_words(limit_before)} → {limit_words(limit)}: "
    files = words.count(len(new), "file")
    if not characters:
        return note(f"{step}nothing changes here, {files} listed as before.")
    less = "fewer" if characters < 0 else "more"
    said = f"{step}{files} listed instead of {len(old):,}, {abs(characters):,} characters {less}."
    sign, moved = ("+", new[len(old) :]) if len(new) > len(old) else ("−", old[len(new) :])
    if not moved:
        return note(said)
    items = (element("code", f"{sign} {path}") for path in moved[:MOST_MOVED])
    return folded(said, tables.listed(items, len(moved), "files"), opened=True)


def listed(result: ToolResult) -> list[str]:
    """Returns the files that an envelope lists, relative to the skill's folder."""
    block = "".join(text for kind, text in result.parts if kind == "files")
    folder = str((result.metadata or {}).get("dir", "")).rstrip("/") + "/"
    return [path.removeprefix(folder) for path in re.findall("<file>(.*)</file>", block)]


def looked(roots: Sequence[Root], *, looked_for: bool) -> tuple[str, list[str], str]:
    """Returns where skills were looked for: words, folders as they are shown, words.

    Args:
        roots: the folders that were walked.
        looked_for: whether they are those that ``default_roots()`` found.
    """
    if not roots and looked_for:
        places = (
            "the working folder, those above it up to the git repository's, and the home folder"
        )
        return f"Looked in {places} for ", list(AGENT_FOLDERS), "; none of them is there."
    names = [words.cut(printable(root.typed), 200) for root in roots[:MOST_ROOTS]]
    more = len(roots) - len(names)
    return "Looked in ", names, f" and {words.count(more, 'more folder')}." if more else "."


def empty(before: str, names: Sequence[str], after: str) -> Markup:
    """Returns what stands there where there is no skill at all: where was looked, and what to do.

    Args:
        before: words before the folders, see :func:`looked`.
        names: the folders.
        after: words after them.
    """
    parts = [heading("No skill here")]
    if names:
        shown = join((element("code", name) for name in names), ", ")
        parts.append(element("p", before, shown, after))
    what = ("A skill is a folder with a file ", element("code", "SKILL.md"))
    parts.append(element("p", *what, " that begins with its name and description."))
    parts.append(note("Add one and press Refresh, or pass another folder to explore()."))
    return join(parts)
