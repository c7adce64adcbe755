"""What notebooks show: ``html(obj)`` gives every record as a fragment of HTML.

The fragment holds one ``<style>`` and one element of the class ``skillbook``. It reads well without
the style, acts in no way, and is the same on every run and machine. The parts that widgets are made
of are here too, as functions that return :class:`Markup`.

Nothing of ours below imports this package but the mixin ``model.Shown``. This package must not
import ``widgets``, ``magics`` or ``cli``.
"""

from __future__ import annotations

from functools import cache, singledispatch
from importlib import import_module

from skillbook.display import (
    code,
    envelope,
    facts,
    files,
    markdown,
    markup,
    records,
    siblings,
    sourcetext,
    style,
    tables,
    words,
)
from skillbook.display.markup import NO_MATHS, PREFIX, Markup, element
from skillbook.display.page import to_html
from skillbook.model import Notice, Shown, SkillDef, SkillInfo, SkillSkip
from skillbook.source import SkillInventory, SkillSource
from skillbook.tool import Tool, ToolResult

__all__ = [
    "Markup",
    "code",
    "draw",
    "envelope",
    "facts",
    "files",
    "fragment",
    "html",
    "markdown",
    "markup",
    "records",
    "siblings",
    "sourcetext",
    "style",
    "tables",
    "to_html",
    "words",
]


def fragment(content: Markup) -> str:
    """Returns HTML that stands alone: the style, and the content in one element.

    Raises:
        TypeError: when the content is plain text.
    """
    if not isinstance(content, Markup):
        raise TypeError(f"a fragment is made of Markup, not of {type(content).__name__}")
    return f"{style.style()}\n{element('div', content, cls=f'{PREFIX} {NO_MATHS}')}\n"


# What not every notebook uses; each of these modules says in ``DRAWN`` which function draws what.
_LATER = ("disclosure", "kits", "lint", "tools")


def html(obj: object) -> str:
    """Returns an object as HTML; the same object gives the same bytes.

    Raises:
        TypeError: when the object is none of skillbook's.
    """
    return fragment(draw(obj))


def draw(obj: object) -> Markup:
    """Returns an object as HTML without the style around it, to stand in something larger.

    Raises:
        TypeError: when the object is none of skillbook's.
    """
    if type(obj) not in _draw.registry:
        _register_later()
    return _draw(obj)


@singledispatch
def _draw(obj: object) -> Markup:
    if not isinstance(obj, Shown):
        raise TypeError(f"{obj!r:.80} has no display; pass a record of skillbook")
    return records.other(obj)


@cache
def _register_later() -> None:
    for name in _LATER:
        module = import_module(f"skillbook.display.{name}")
        for kind, drawn in module.DRAWN.items():
            _draw.register(kind, drawn)


_draw.register(SkillSource, records.skills)
_draw.register(SkillInventory, records.skills)
_draw.register(SkillInfo, records.skill)
_draw.register(SkillDef, records.definition)
_draw.register(SkillSkip, records.skip)
_draw.register(Notice, records.notice)
_draw.register(Tool, records.tool)
_draw.register(ToolResult, records.result)
