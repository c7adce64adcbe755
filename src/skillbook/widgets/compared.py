"""Two texts side by side, as a table in which the lines that differ are marked and named.

Imports ``difference`` and ``display``.
"""

from __future__ import annotations

from skillbook.display import tables
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, element, join, note
from skillbook.widgets.difference import Difference, Pair

MOST_ROWS = 400
MOST_LINE = 1_000
_ROOM = 200_000


def table(left: str, right: str, found: Difference, only: tuple[str, str], most: int) -> Markup:
    """Returns the table, cut with its count.

    Args:
        left: the head of the left text.
        right: the head of the right one.
        found: the lines of both.
        only: the words beside a line that stands only at the left, and only at the right.
        most: how many rows are shown.
    """
    signs = {"same": "", "changed": "differs", "left": only[0], "right": only[1]}
    rows = (_row(pair, signs) for pair in found.pairs[:most])
    drawn = tables.within(rows, _ROOM)
    head = tables.head(left, "", right)
    shown = element("table", head, element("tbody", *drawn), cls="table compared")
    if len(drawn) == len(found.pairs):
        return shown
    return join((shown, note(f"Cut: {in_words.of(len(drawn), len(found.pairs), 'rows')}.")))


def _row(pair: Pair, signs: dict[str, str]) -> Markup:
    style = tables.LEFT
    if pair.kind == "gap":
        said = note(f"… {in_words.count(pair.skipped, 'equal line')} …")
        blank = element("td", style=style)
        return element("tr", element("td", said, style=style), blank, blank, cls="gap")
    cells = (
        element("td", _cell(pair.left), style=style),
        element("td", signs[pair.kind], style=style),
        element("td", _cell(pair.right), style=style),
    )
    return element("tr", *cells, cls="alike" if pair.kind == "same" else "differs")


def _cell(line: str | None) -> Markup | None:
    return None if line is None else element("code", in_words.cut(line, MOST_LINE) or " ")
