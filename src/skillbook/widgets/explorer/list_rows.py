"""The rows of the explorer's list, and the words below it and in place of it.

Imports ``card``, ``choosing`` and ``parts``; no widget.
"""

from __future__ import annotations

from collections.abc import Sequence

from skillbook.display import words
from skillbook.widgets import choosing
from skillbook.widgets.elements.parts import Row, row
from skillbook.widgets.explorer import card


def entry_row(chosen: choosing.Choosing, key: str, asked: list[str], sort: str) -> Row:
    """Returns the row of an entry, with what matched, and what it is sorted by.

    Args:
        chosen: the entries and what is known of them.
        key: the key of the entry.
        asked: the words of the search.
        sort: the order of the list.
    """
    entry = chosen.entries[key]
    text = choosing.around(entry.text, asked)
    below = chosen.not_above(key, asked) if chosen.hits else []
    if below and entry.skill:
        text = f"In the body: {choosing.around(choosing.body_of(entry.skill), below)}"
    known = chosen.known.get(key)
    said = card.marks(entry)
    if known and sort == "largest body" and known.body >= 0:
        said.append(words.count(known.body, "character"))
    if known and sort == "most files":
        said.append(words.count(known.files, "file"))
    return row(key, choosing.marked(entry.title, asked), choosing.marked(text, asked), said)


def count(shown: Sequence[str], found: int, before: int, total: int) -> str:
    """Returns how much of the list is shown: ``2 of 32 shown``.

    Args:
        shown: the keys on the page that is shown.
        found: how many entries search and filters leave.
        before: how many of these stand on the pages before.
        total: how many entries there are.
    """
    if len(shown) == found:
        return words.of(found, total)
    said = words.of(len(shown), found)
    if before:
        said = f"{before + 1:,} to {before + len(shown):,} of {found:,} shown"
    return said if found == total else f"{said}, {total:,} in all"


def why_empty(chosen: choosing.Choosing, search: str) -> str:
    """Returns what stands in the list where it has no row."""
    if not chosen.entries:
        return "No skill here."
    if not search:
        return "Nothing of that kind here."
    if chosen.hits is not None:
        return "No name, description or body has all of these words."
    return "No name or description has all of these words. “Search bodies” looks further."
