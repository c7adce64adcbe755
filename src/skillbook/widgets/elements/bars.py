"""Bars that fill, each with its parts and with every number in words: a small anywidget module.

Plain JavaScript in a file of its own that sets all text with ``textContent``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import anywidget
import traitlets

from skillbook.display.markup import shown
from skillbook.widgets.elements.assets import script

KINDS = ("one", "two", "three", "four")
"""How a part looks; what it means stands beside the bar in words."""

Part = tuple[str, int, str]
"""A part of a bar: one of :data:`KINDS`, how much, and words for it or ``""``."""

Bar = tuple[str, str, list[tuple[str, float, str]], float]
"""One bar as it travels: label, words, parts (kind, share, words), mark; see :func:`bar`."""


def bar(
    label: str,
    words: str,
    parts: Iterable[Part],
    *,
    whole: int,
    mark: int | None = None,
) -> Bar:
    """Returns one bar.

    Args:
        label: what it shows.
        words: its number, in words.
        parts: what it is made of, in order.
        whole: what the full width stands for.
        mark: where a line stands on it, such as a limit; None for nowhere.
    """
    most = max(whole, 1)
    drawn = [
        (kind, round(min(max(amount, 0) / most, 1), 5), shown(said)) for kind, amount, said in parts
    ]
    place = -1.0 if mark is None else round(min(max(mark, 0) / most, 1), 5)
    return (shown(label), shown(words), drawn, place)


class Bars(anywidget.AnyWidget):
    """Bars of one scale, one below the other.

    Attributes:
        bars: the bars, see :func:`bar`.
    """

    _esm = script("bars.js")
    bars: Any = traitlets.List().tag(sync=True)
