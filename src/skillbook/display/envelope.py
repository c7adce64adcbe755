"""The result of a tool call: the envelope with its parts told apart, and an error as an error.

The parts come from ``ToolResult.parts``, never from searching the text, since a body can hold any
tag. Pure. This module imports ``markup``, ``tables``, ``words`` and ``tool``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from skillbook.display import words
from skillbook.display.markup import Markup, element, join, note
from skillbook.display.tables import LEFT, fields
from skillbook.model import Root, printable
from skillbook.tool import ToolResult

MOST = 50_000
"""Characters of one part that are shown."""

_ROOT = "{root}"
_NAMES = {"base": "base directory", "tag": "tag", "title": "title", "body": "body"}


def render(result: ToolResult) -> Markup:
    """Returns what the model gets, then what the host gets besides.

    The path of the skill's root stands as ``{root}``, which is said first; ``result.output``
    itself is exact.
    """
    metadata = dict(result.metadata or {})
    warnings = metadata.pop("warnings", ())
    parts = [root_note(result), _text(result)]
    if isinstance(warnings, (list, tuple)):
        parts += [
            element("p", element("strong", "Warning:"), " ", str(text), cls="problem")
            for text in warnings
        ]
    if metadata:
        parts += [
            note("Metadata, for the host alone:"),
            fields(_rooted_values(metadata, result.root)),
        ]
    return join(parts)


def root_note(result: ToolResult) -> Markup:
    """Returns what ``{root}`` stands for in a result; empty where nothing names its root."""
    named = (result.output, *((result.metadata or {}).values()))
    root = result.root
    if root is None or all(_rooted_values(value, root) == value for value in named):
        return Markup()
    return note(
        f"{_ROOT} stands for the absolute path of ",
        element("code", printable(root.typed)),
        " here, also in the counts, so that this reads the same on every machine.",
    )


def _text(result: ToolResult) -> Markup:
    if result.is_error:
        said = words.cut(rooted(result.output, result.root), MOST)
        return element("p", element("strong", "Error:"), " ", said, cls="problem")
    if not result.parts:
        return _pre(rooted(result.output, result.root))
    return element(
        "table",
        element("tbody", *(_part(kind, text, result.root) for kind, text in result.parts)),
        cls="table envelope",
    )


def _part(kind: str, text: str, root: Root | None) -> Markup:
    if kind != "body":  # a body is the author's, and stands as it is
        text = rooted(text, root)
    name = [_NAMES.get(kind, kind)]
    if kind == "body":
        name.append(element("span", f" {words.count(len(text.rstrip()), 'character')}", cls="note"))
    label = element("th", *name, scope="row", style=LEFT)
    return element(
        "tr", label, element("td", _pre(text.rstrip("\n")), style=LEFT), cls=f"part part-{kind}"
    )


def _pre(text: str) -> Markup:
    shown = element("pre", text[:MOST], cls="code")
    if len(text) <= MOST:
        return shown
    return join((shown, note(f"Cut: {words.of(MOST, len(text), 'characters')}.")))


def rooted(text: str, root: Root | None) -> str:
    """Returns text with ``{root}`` for a root's absolute path, as a path and as a URI."""
    path = root.path.rstrip("/") if root else ""
    if not path:
        return text
    for absolute in {path, quote(os.fsencode(path))}:
        text = re.sub(
            rf"{re.escape(absolute)}(?=/|$|[\s<\"'])", lambda _: _ROOT, text, flags=re.MULTILINE
        )
    return text


def _rooted_values(value: Any, root: Root | None) -> Any:
    if isinstance(value, str):
        return rooted(value, root)
    if isinstance(value, Mapping):
        return {name: _rooted_values(each, root) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rooted_values(each, root) for each in value]
    return value
