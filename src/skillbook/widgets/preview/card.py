"""What the catalogue preview shows, as HTML and as text: its tabs, and its static twin.

Imports ``display``; no widget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillbook.display import tables
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, element, join, note
from skillbook.widgets.preview.catalogue import lines_of

if TYPE_CHECKING:
    from skillbook.widgets.preview.catalog_preview import CatalogPreview

MOST = 50_000
"""Characters of a text that a tab shows."""

MOST_IN_CARD = 10_000
"""Characters of a text that the static twin shows."""

MOST_NAMED = 10
"""Names that stand in the text form."""

_ROOM = 60_000


def facts(preview: CatalogPreview) -> list[str]:
    """Returns what the prompt costs, in words: skills, characters, lines."""
    text, whole = preview.text, preview.whole_size
    said = in_words.count(whole, "character")
    if len(text) != whole:
        said = f"{len(text):,} of {said}"
    skills = in_words.count(len(preview.catalogue.skills), "skill")
    return [
        f"{preview.listed:,} of {skills} in the catalogue",
        said,
        in_words.count(lines_of(text), "line"),
    ]


def size(text: str) -> tuple[str, ...]:
    """Returns the size of one skill's part of the prompt, in words."""
    if not text:
        return ("no description: not in the prompt",)
    return in_words.count(len(text), "character"), in_words.count(lines_of(text), "line")


def prompt(preview: CatalogPreview, most: int = MOST) -> Markup:
    """Returns the prompt as it is, cut where it is very long."""
    parts = [tables.block(preview.text, most)]
    if preview.format != "markdown" and preview.catalogue.moved:
        parts.append(
            note(
                "Locations are written here from the folder as you typed it, and sizes are counted"
                " so; the text that a model gets has the whole path."
            )
        )
    return join(parts)


def python(preview: CatalogPreview, most: int = MOST) -> Markup:
    """Returns the filter as Python to copy, and what it says."""
    rule = preview.filter
    if not rule:
        said = "Nothing is left out. Clear a box in the list, and the filter for it stands here."
    elif any(rule.values()):
        said = "It keeps only these; a skill that is added later stays out until you name it."
    else:
        said = "It leaves these out; a skill that is added later comes in by itself."
    return join((tables.block(preview.python, most), note(said)))


def absent(preview: CatalogPreview) -> Markup:
    """Returns the skills that are not in the catalogue and why, and the files that gave none."""
    found = preview.absent
    parts = []
    if found:
        items = (
            join((element("strong", in_words.cut(name, 120)), f": {in_words.cut(why, 300)}"))
            for name, why in found
        )
        parts.append(tables.listed(items, len(found), "skills"))
    else:
        parts.append(note("Every skill is in the catalogue."))
    if preview.skipped:
        parts += [
            element("p", element("strong", "Files that gave no skill"), cls="section"),
            tables.skips(preview.skipped),
        ]
    return join(parts)


def _held_to(preview: CatalogPreview) -> str:
    told = [
        f"format {preview.format}",
        in_words.of(len(preview.shown), len(preview.catalogue.skills)),
    ]
    if preview.search:
        told.append(f"search {preview.search!r}")
    if preview.sort != "as found":
        told.append(f"sorted by {preview.sort}" if preview.sort == "name" else preview.sort)
    return ", ".join(told)


def _all_facts(preview: CatalogPreview) -> list[str]:
    told = facts(preview)
    return [*told, preview.tokens_now()] if preview.asked_for_tokens else told


def words(preview: CatalogPreview) -> str:
    """Returns what is shown, as text."""
    lines = [
        f"<CatalogPreview of {preview.status.title}: {', '.join(_all_facts(preview))}>",
        f"  {_held_to(preview)}",
    ]
    entries = preview.catalogue.entries(preview.format)
    for name in preview.shown[:MOST_NAMED]:
        box = "x" if preview.is_kept(name) else " "
        lines.append(f"  [{box}] {in_words.cut(name, 60)}: {', '.join(size(entries[name]))}")
    if len(preview.found) > MOST_NAMED:
        lines.append(f"  … and {len(preview.found) - MOST_NAMED:,} more")
    found = preview.absent
    if found:
        some = "; ".join(
            f"{in_words.cut(n, 60)} ({in_words.cut(why, 100)})" for n, why in found[:5]
        )
        more = f" … and {len(found) - 5:,} more" if len(found) > 5 else ""
        lines.append(f"  not in the catalogue: {some}{more}")
    if preview.skipped:
        lines.append(f"  {len(preview.skipped):,} skipped")
    if preview.filter:
        lines.append(f"  filter: {in_words.cut(repr(preview.filter), 200)}")
    return "\n".join(lines)


def card(preview: CatalogPreview) -> Markup:
    """Returns what is shown, as HTML."""
    entries = preview.catalogue.entries(preview.format)
    rows = tables.within(
        (
            tables.row(
                in_words.cut(name, 120),
                "yes" if preview.is_kept(name) else "no",
                ", ".join(size(entries[name])),
            )
            for name in preview.shown
        ),
        _ROOM,
    )
    table = element(
        "table",
        tables.head("Name", "Ticked", "Its part of the prompt"),
        element("tbody", *rows),
        cls="table",
    )
    return join(
        (
            element("p", element("strong", preview.status.title), cls="title"),
            tables.chips(_all_facts(preview)),
            element("p", f"{_held_to(preview)}."),
            table,
            _section("The prompt"),
            prompt(preview, MOST_IN_CARD),
            _section("The filter"),
            python(preview, MOST_IN_CARD // 5),
            _section("Not in the catalogue"),
            absent(preview),
        )
    )


def _section(text: str) -> Markup:
    return element("p", element("strong", text), cls="section")
