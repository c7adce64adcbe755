"""The static twin of the explorer: what it shows at a moment, as HTML and as text.

Imports ``display`` and ``views``; no widget.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from skillbook.display import files, markdown, tables
from skillbook.display import words as in_words
from skillbook.display.facts import skill_facts
from skillbook.display.markup import Markup, element, join, note
from skillbook.model import SkillInfo
from skillbook.source import SkillSource
from skillbook.tool import envelope
from skillbook.widgets import choosing
from skillbook.widgets.explorer import catalog_pane, views
from skillbook.widgets.explorer.catalog_subject import Beside
from skillbook.widgets.limits import limit_words
from skillbook.widgets.subject import Entry

if TYPE_CHECKING:
    from skillbook.widgets.explorer.browser import SkillBrowser

MOST_BODY = 10_000
"""Characters of a body that the twin holds; the widget shows more."""

ROOM = 60_000
"""Bytes of HTML for the rows of the list."""

_NAMES = 10


def facts(source: SkillSource, prompt: str, more: Sequence[str] = ()) -> list[str]:
    """Returns who is here, in words: skills, ``more``, skipped, the size of the prompt."""
    return [
        in_words.count(len(source.skills), "skill"),
        *more,
        f"{len(source.skipped):,} skipped",
        prompt_fact(prompt),
    ]


def prompt_fact(prompt: str, tokens: str = "") -> str:
    """Returns the size of a prompt in characters, and where it was counted in tokens."""
    return f"prompt {tokens}{', ' * bool(tokens)}{in_words.count(len(prompt), 'character')}"


def held_to(browser: SkillBrowser) -> str:
    """Returns how the list is held and sorted, in words."""
    told = [in_words.of(len(browser.shown), len(browser.entries))]
    if browser.search:
        told.append(f"search {browser.search!r}")
    if browser.show != "all":
        told.append(f"only {browser.show}")
    if browser.origin != choosing.EVERYWHERE:
        told.append(f"from {browser.origin}")
    if browser.sort != choosing.SORTS[0]:
        told.append(f"sorted by {browser.sort}")
    return ", ".join(told)


def marks(entry: Entry) -> list[str]:
    """Returns the short words that stand behind an entry's title."""
    if entry.kind != "skill":
        return [entry.kind]
    notices = entry.skill.warnings if entry.skill else ()
    marks = []
    if any(notice.kind == "no-description" for notice in notices):
        marks.append("no description")
    others = len(notices) - len(marks)
    if others:
        marks.append(in_words.count(others, "warning"))
    return marks


def words(browser: SkillBrowser) -> str:
    """Returns what is shown, as text."""
    shown = browser.shown
    names = in_words.cut(", ".join(shown[:_NAMES]), 400) or "nothing"
    more = f" and {len(shown) - _NAMES:,} more" if len(shown) > _NAMES else ""
    lines = [
        f"<SkillBrowser of {browser.title}: {', '.join(browser.facts)}>",
        f"  {held_to(browser)}: {names}{more}",
    ]
    if browser.source.skipped:
        skipped = [f"{skip.shown_location} ({skip.reason})" for skip in browser.source.skipped]
        more = f" and {len(skipped) - _NAMES:,} more" if len(skipped) > _NAMES else ""
        lines.append(f"  skipped: {', '.join(skipped[:_NAMES])}{more}")
    lines += [f"  {line}" for line in catalog_pane.lines(browser.view)]
    if not browser.entries:
        before, folders, after = browser.looked
        lines += [f"  {before}{', '.join(folders)}{after}"] if folders else []
    if browser.imports is not None:
        lines.append(f"  {browser.imports.words()}")
    chosen = browser.chosen
    if chosen is not None:
        said = in_words.cut(" ".join(chosen.text.split()), 300)
        lines.append(
            f"  chosen: {chosen.title}{f' ({chosen.kind})' * (chosen.kind != 'skill')}"
            f"{', not in the list as it is held now' * (chosen.key not in browser.found)}: {said}"
        )
    return "\n".join(lines)


def card(browser: SkillBrowser) -> Markup:
    """Returns what is shown, as HTML."""
    entries = (browser.entries[key] for key in browser.shown)
    view = browser.view
    drawn = tables.within((_row(entry, placed=view is not None) for entry in entries), ROOM)
    columns = ("Name", "Description", "State", *(("From",) if view is not None else ()))
    table = element("table", tables.head(*columns), element("tbody", *drawn), cls="table")
    source = browser.source
    parts = [
        element("p", element("strong", browser.title), cls="title"),
        tables.chips(browser.facts),
        catalog_pane.overview(view),
        notices(source),
        browser.imports.card() if browser.imports is not None else Markup(),
        note(f"{held_to(browser)}."),
        element("div", table, cls="wide") if drawn else Markup(),
    ]
    if source.skipped:
        summary = f"{len(source.skipped):,} skipped"
        parts.append(tables.folded(summary, tables.skips(source.skipped)))
    chosen = browser.chosen
    if chosen is None:
        return join((*parts, views.empty(*browser.looked) if not browser.entries else Markup()))
    if chosen.key not in browser.found:
        parts.append(note("Not in the list as it is held now:"))
    if isinstance(chosen, Beside):
        return join((*parts, catalog_pane.shown(chosen)))
    if chosen.skill is None or chosen.kind != "skill":
        return join((*parts, views.entry(chosen)))
    return join((*parts, *_skill(chosen.skill, browser)))


def _row(entry: Entry, *, placed: bool) -> Markup:
    said = " ".join(entry.text.split())
    state = ", ".join(marks(entry))
    place = (catalog_pane.origin(entry),) if placed else ()
    return tables.row(in_words.cut(entry.title, 120), in_words.cut(said, 300), state, *place)


def _skill(skill: SkillInfo, browser: SkillBrowser) -> Iterator[Markup]:
    """The views of the chosen skill, each to be opened; without pictures, which a notebook keeps."""
    read, limit = skill_facts(skill), browser.sample_limit
    yield views.head(read)
    yield views.found(read, browser.found_in_bodies)
    if read.body is not None:
        yield tables.folded("Rendered", markdown.render(read.body.text, most=MOST_BODY))
    yield tables.folded("Fields", views.fields(skill))
    yield tables.folded("Files", files.tree(read.files))
    yield tables.folded(
        f"What the model gets, sample_limit {limit_words(limit)}",
        views.levels(skill, envelope(skill, limit), len(read.files.files), None),
        views.first_level(skill),
    )


def notices(source: SkillSource) -> Markup:
    """Returns the notices of a source in a ``details``; open where they say why there is no skill."""
    if not source.notices:
        return Markup()
    number = in_words.count(len(source.notices), "notice")
    return tables.folded(number, tables.notices(source.notices), opened=not source.skills)
