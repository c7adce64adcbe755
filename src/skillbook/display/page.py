"""``to_html``: one page of a source or an inventory, for sharing.

It opens from a disk, holds no script, asks for nothing from anywhere (its content security policy
says so too), prints, and stays under 5 MB. This module imports the other parts of the display;
``tqdm`` only where a page is made.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

from skillbook import progress
from skillbook.display import facts, markdown, records, style, words
from skillbook.display.markup import NO_MATHS, PREFIX, Markup, element, escape, join, note, prose
from skillbook.display.tables import chips, notices, skills_table, skips
from skillbook.model import SkillInfo
from skillbook.source import SkillInventory, SkillSource

MOST = 4_900_000
"""Bytes of a page."""

_ROOM_FOR_INDEX = 1_000_000
_ROOM_FOR_PROMPT = 200_000
_ROOM_FOR_SKIPS = 300_000
_SHARE_AROUND = 0.7  # what names, fields and files may take of the room for skills
_GROWTH = 1.65  # bytes of coloured HTML for a character of Markdown, on 374 real bodies
_LEAST = 500

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="skillbook">
"""


@overload
def to_html(what: SkillSource | SkillInventory, path: None = None) -> str: ...
@overload
def to_html(what: SkillSource | SkillInventory, path: str | os.PathLike[str]) -> Path: ...
def to_html(
    what: SkillSource | SkillInventory, path: str | os.PathLike[str] | None = None
) -> str | Path:
    """Makes one page: an index, every skill with its rendered body, the skipped ones, the prompt.

    Bodies are read now. Long ones are cut where the page would be over 5 MB, and it says so.

    Args:
        what: a source or an inventory.
        path: the file to write (replaced where it is there), with ``~`` at home, or None.

    Returns:
        The page's text; where it was written, its path.

    Raises:
        TypeError: when ``what`` is neither a source nor an inventory, or ``path`` is no path.
        ValueError: when ``path`` is empty, or names a folder.
        OSError: when the file cannot be written, or the folder for it is not there.
    """
    if not isinstance(what, (SkillSource, SkillInventory)):
        raise TypeError(
            f"to_html takes a source or an inventory, not {type(what).__name__}; load_skills and "
            "list_skills give one, and so does the method source of a catalogue"
        )
    if path is None:
        return _page(what)
    target = _target(path)  # a wrong path is said before the work, not after it
    target.write_text(_page(what), encoding="utf-8", newline="\n")
    return target


def _target(path: str | os.PathLike[str]) -> Path:
    """Returns the file to write, where its path can be that of one."""
    typed = os.fspath(path) if isinstance(path, (str, os.PathLike)) else path
    if not isinstance(typed, str):
        raise TypeError(f"path is {path!r:.80}; pass the file to write as text or Path, or None")
    if not typed or "\0" in typed:
        raise ValueError(f"path is {typed!r:.80}; pass the file to write, such as 'skills.html'")
    target = Path(os.path.expanduser(typed))  # it leaves a ~ of nobody as it is
    if target.is_dir() or typed.endswith(("/", os.sep)):
        example = os.path.join(typed, "skills.html")
        raise ValueError(f"path is {typed!r}, a folder; add a file name, such as {example!r}")
    above = str(target.parent)
    if not os.path.exists(above):
        told = f"there is no folder {above!r}; make it first"
        raise FileNotFoundError(errno.ENOENT, told, str(target))
    if not os.path.isdir(above):
        raise NotADirectoryError(errno.ENOTDIR, f"{above!r} is no folder", str(target))
    return target


def _page(what: SkillSource | SkillInventory) -> str:
    listing = facts.listing(what, most=None)
    above = [element("h1", listing.kind), records.roots(listing), chips(records.counts(listing))]
    below = []
    if listing.prompt is not None:
        prompt = records.prompt(listing, most=_ROOM_FOR_PROMPT, room=_ROOM_FOR_PROMPT)
        below += [element("h2", "Prompt"), prompt]
    if listing.skipped:
        told = skips(listing.skipped, room=_ROOM_FOR_SKIPS, most=len(listing.skipped))
        below += [element("h2", f"{len(listing.skipped):,} skipped"), told]
    if listing.notices:
        number = words.count(len(listing.notices), "notice")
        below += [element("h2", number), notices(listing.notices)]
    start = (
        f"{_HEAD}<title>{escape(_title(listing))}</title>\n"
        f"{style.style(style.SHEET, style.PAGE_SHEET)}\n</head>\n<body>\n"
    )
    end = "</body>\n</html>\n"
    index = _index(listing, len(listing.rows))
    taken = sum(len(part.encode()) for part in (start, *above, index, *below, end)) + 1_000
    sections, cut = _sections([row.skill for row in listing.rows], MOST - taken)
    if cut:
        body = "The body of one skill is" if cut == 1 else f"The bodies of {cut:,} skills are"
        above.append(note(f"{body} cut, so that the page stays under 5 MB."))
    if len(sections) < listing.total:
        index = _index(listing, len(sections))
        above.append(note(f"Skills in full: {words.of(len(sections), listing.total)}."))
    if sections:
        below += [element("h2", "Skills"), *sections]
    parts = (*above, element("h2", "Index"), index, *below)
    return start + element("div", join(parts), cls=f"{PREFIX} {NO_MATHS}") + "\n" + end


def _index(listing: facts.Listing, linked: int) -> Markup:
    """Returns the table of skills; those up to ``linked`` lead to their section."""
    if not listing.rows:
        return note("No skills.")

    def link(number: int, name: str) -> Markup:
        if number >= linked:
            return prose(name)
        return Markup(f'<a href="#skill-{number}">{prose(name)}</a>')

    return skills_table(listing.rows, listing.total, room=_ROOM_FOR_INDEX, link=link)


def _title(listing: facts.Listing) -> str:
    roots = ", ".join(root.typed for root in listing.roots[:3])
    return words.cut(
        f"{words.count(listing.total, 'skill')} {'from ' + roots if roots else ''}".strip(), 200
    )


def _sections(skills: Sequence[SkillInfo], room: int) -> tuple[list[Markup], int]:
    """Returns each skill in a ``details``, and how many bodies are cut; no more than fit."""
    gathered, around, taken = [], [], 0
    for skill in skills:
        each = facts.skill_facts(skill)
        before, after = _around(each)
        taken += len(before.encode()) + len(after.encode()) + 100
        if taken > room * _SHARE_AROUND:
            break
        gathered.append(each)
        around.append((before, after))
    room -= taken
    # Text goes before colours: a large set is shown without them.
    length = sum(len(each.body.text) for each in gathered if each.body)
    coloured = markdown.MOST_COLOURED if length * _GROWTH < room else 0
    told = progress.bar(gathered, desc="Rendering", unit="skill")
    bodies = [records.rendered_body(each, coloured=coloured) for each in told]
    most = level((len(body.encode()) for body in bodies), room)
    sections, cut = [], 0
    for number, (each, body) in enumerate(zip(gathered, bodies, strict=True)):
        shown = body if len(body.encode()) <= most else _cut(each, body, most)
        cut += shown is not body or (each.body is not None and len(each.body.text) > markdown.MOST)
        before, after = around[number]
        opening = f'<details class="{PREFIX}-one" id="skill-{number}">'
        sections.append(Markup(f"{opening}{before}{shown}{after}</details>\n"))
    return sections, cut


def _around(each: facts.SkillFacts) -> tuple[Markup, Markup]:
    """Returns what stands before a skill's body and after it."""
    summary = element("summary", words.cut(each.skill.name, 120))
    head = records.skill_head(each, titled=False)
    return join((summary, head)), join(records.skill_files(each))


def _cut(each: facts.SkillFacts, body: Markup, room: int) -> Markup:
    """Returns the first part of a body, without colours, in at most ``room`` bytes."""
    most = min(len(each.body.text) if each.body else 0, markdown.MOST)
    while (taken := len(body.encode())) > room:
        most = most * room // taken - 50
        if most < _LEAST:
            return note("The body is left out: the page is full.")
        body = records.rendered_body(each, most=most, coloured=0)
    return body


def level(sizes: Iterable[int], room: int) -> int:
    """Returns the size to which the largest are cut, so that all together fit into the room."""
    ordered = sorted(sizes)
    for place, size in enumerate(ordered):
        if size * (len(ordered) - place) > room:
            return max(room, 0) // (len(ordered) - place)
        room -= size
    return ordered[-1] if ordered else 0
