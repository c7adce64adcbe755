"""What several displays are made of: chips, tables, and lists of skips and notices.

Pure: facts in, HTML out. This module imports ``markup``, ``words``, ``facts`` and the records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from skillbook.display import words
from skillbook.display.facts import Row
from skillbook.display.markup import Markup, element, escape, join, note, prose
from skillbook.model import Notice, SkillSkip, on_line, printable

LEFT = "text-align:left"
"""JupyterLab aligns cells to the right otherwise, also where it drops styles."""

MOST_DESCRIPTION = 300
MOST_NAME = 120
MOST_DETAIL = 500
MOST_VALUE = 5_000
MOST_LISTED = 100
MOST_DEPTH = 20

# Bytes of HTML, so that hostile text (which grows when escaped) cannot swell an output.
ROOM_FOR_ROWS = 90_000
ROOM_FOR_LISTS = 20_000
ROOM_FOR_FIELDS = 60_000


def title(kind: str, name: str = "") -> Markup:
    """Returns the first line of a display: what it is, and its name."""
    if not name:
        return element("p", element("strong", kind), cls="title")
    named = element("strong", words.cut(name, MOST_NAME))
    return element("p", named, " ", element("span", f"({kind})", cls="kind"), cls="title")


def chips(texts: Iterable[str]) -> Markup:
    """Returns short facts in a row; without a style they are a list with commas."""
    comma = element("span", ", ", cls="comma")
    return element(
        "p", join((element("span", text, cls="chip") for text in texts), comma), cls="chips"
    )


def folded(summary: str, *content: str, opened: bool = False) -> Markup:
    """Returns content under a line that opens it."""
    return element("details", element("summary", summary), *content, open="" if opened else None)


def block(text: str, most: int) -> Markup:
    """Returns text as a block, cut with its count; escaped it takes a bounded room.

    Args:
        text: the text.
        most: how many characters are shown.
    """
    shown = text[:most]
    while len(escape(shown)) > 3 * most:
        shown = shown[: len(shown) // 2]
    drawn = element("pre", element("code", shown), cls="code")
    if len(shown) == len(text):
        return drawn
    return join((drawn, note(f"Cut: {words.of(len(shown), len(text), 'characters')}.")))


def within(items: Iterable[Markup], room: int) -> list[Markup]:
    """Returns the first items that take no more than ``room`` bytes, and at least one."""
    taken: list[Markup] = []
    for item in items:
        room -= len(item.encode())
        if room < 0 and taken:
            break
        taken.append(item)
    return taken


def listed(
    items: Iterable[Markup],
    total: int,
    what: str,
    room: int = ROOM_FOR_LISTS,
    most: int = MOST_LISTED,
) -> Markup:
    """Returns items as a list, cut with its count.

    Args:
        items: the content of each entry, in order.
        total: how many there are.
        what: what they are, in the plural.
        room: bytes of HTML that it may take.
        most: entries that it may have.
    """
    entries = within((element("li", item) for item in islice(items, most)), room)
    cut = note(f"{words.of(len(entries), total, what)}.") if len(entries) < total else None
    return join(part for part in (element("ul", *entries), cut) if part is not None)


def head(*names: str) -> Markup:
    """Returns the heading row of a table."""
    cells = (element("th", name, scope="col", style=LEFT) for name in names)
    return element("thead", element("tr", *cells))


def row(name: str, *values: str) -> Markup:
    """Returns a row of a table; its first cell says what the row is about."""
    first = element("th", name, scope="row", style=LEFT)
    return element("tr", first, *(element("td", value, style=LEFT) for value in values))


def skills_table(
    rows: Sequence[Row],
    total: int,
    *,
    room: int = ROOM_FOR_ROWS,
    link: Callable[[int, str], Markup] | None = None,
) -> Markup:
    """Returns skills with name, description, number of files and warnings.

    Args:
        rows: the skills, those that may be shown.
        total: how many there are in all.
        room: bytes of HTML that it may take.
        link: makes a name of a row's number, from 0, and its text; a page links it so.
    """
    drawn = within((_skill_row(n, facts, link) for n, facts in enumerate(rows)), room)
    table = element(
        "table",
        head("Name", "Description", "Files", "Warnings"),
        element("tbody", *drawn),
        cls="table",
    )
    cut = note(f"{words.of(len(drawn), total, 'skills')}.") if len(drawn) < total else None
    return join(part for part in (element("div", table, cls="wide"), cut) if part is not None)


def _skill_row(number: int, facts: Row, link: Callable[[int, str], Markup] | None) -> Markup:
    skill = facts.skill
    name = words.cut(skill.name, MOST_NAME)
    said = " ".join((skill.description or "").split())
    description = (
        words.cut(said, MOST_DESCRIPTION) if said else note("no description: not in the prompt")
    )
    warned = element("span", "none", cls="note")
    if skill.warnings:
        few = warnings(skill.warnings[:3], len(skill.warnings))
        warned = folded(words.count(len(skill.warnings), "warning"), few)
    return row(link(number, name) if link else name, description, facts.files, warned)


def warnings(notices: Sequence[Notice], total: int | None = None) -> Markup:
    """Returns the warnings of one skill, each with its line."""
    items = (prose(_line(each) + words.cut(each.detail, MOST_DETAIL)) for each in notices)
    return listed(items, len(notices) if total is None else total, "warnings")


def _line(told: Notice) -> str:
    """The line of a warning, unless its sentence says it."""
    if told.line is None or re.search(rf"\bline {told.line}\b", told.detail):
        return ""
    return f"line {told.line}: "


def skips(
    skipped: Sequence[SkillSkip], room: int = ROOM_FOR_LISTS, most: int = MOST_LISTED
) -> Markup:
    """Returns what gave no skill: place, reason, line and detail of each."""
    entries = (_met(skip, skip.reason) for skip in skipped)
    return listed(entries, len(skipped), "skipped files", room, most)


def notices(found: Sequence[Notice]) -> Markup:
    """Returns notices: place, kind, line and detail of each."""
    return listed((_met(each, each.kind) for each in found), len(found), "notices")


def _met(told: SkillSkip | Notice, kind: str) -> Markup:
    where = on_line(told.line, told.detail)
    place = element("code", words.cut(told.shown_location, MOST_DETAIL))
    detail = f"{where}: {words.cut(told.detail, MOST_DETAIL)}"
    return join((place, " ", element("strong", kind), detail))


def fields(values: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Markup:
    """Returns named values as a table, with their structure.

    Args:
        values: what JSON has: text, numbers, lists, mappings.
    """
    pairs = list(values.items() if isinstance(values, Mapping) else values)
    drawn = within(
        (row(printable(str(name)), _value(value, 0)) for name, value in pairs), ROOM_FOR_FIELDS
    )
    table = element("table", element("tbody", *drawn), cls="table fields")
    cut = (
        note(f"{words.of(len(drawn), len(pairs), 'fields')}.") if len(drawn) < len(pairs) else None
    )
    return join(part for part in (element("div", table, cls="wide"), cut) if part is not None)


def _value(value: Any, depth: int) -> Markup:
    if isinstance(value, (Mapping, list, tuple)):
        if not value:
            return note("empty")
        if depth >= MOST_DEPTH:
            return note(f"more than {MOST_DEPTH} levels deep, see the file")
        if isinstance(value, Mapping):
            items = (
                join((element("strong", str(name)), ": ", _value(each, depth + 1)))
                for name, each in value.items()
            )
        else:
            items = (_value(each, depth + 1) for each in value)
        return listed(items, len(value), "values")
    if isinstance(value, str):
        return element("span", words.cut(value, MOST_VALUE), cls="text") if value else note("empty")
    if value is None:
        return note("empty")
    return element("code", str(value).lower() if isinstance(value, bool) else str(value))
