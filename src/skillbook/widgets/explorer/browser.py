"""The explorer: who is here, in words, on top; the list at the left, one skill at the right.

``explore`` is the way in. Imports ``subject``, ``choosing``, ``skill_pane``, ``card`` and the base,
and for catalogues ``catalog_subject``, ``catalog_pane`` and ``import_box``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import chain
from typing import Any

import ipywidgets
import traitlets

from skillbook import tokens
from skillbook.display import words
from skillbook.display.markup import Markup, join, note, shown
from skillbook.errors import SkillbookError, SkillNotFound
from skillbook.kits.catalog import CatalogView
from skillbook.kits.github.provider import GitHubProvider, ImportedSource
from skillbook.model import printable
from skillbook.source import SkillSource
from skillbook.tool import check_sample_limit, not_found
from skillbook.widgets import choosing
from skillbook.widgets.elements.base import Frame, Pane, button, control, row_of, side_by_side
from skillbook.widgets.elements.parts import Rows, Status
from skillbook.widgets.elements.work import Work, later
from skillbook.widgets.explorer import card, catalog_pane, list_rows, views
from skillbook.widgets.explorer.catalog_subject import Beside, CatalogSubject, subject_of
from skillbook.widgets.explorer.import_box import ImportBox
from skillbook.widgets.explorer.skill_pane import SkillPane
from skillbook.widgets.subject import Changes, Entry

PAGE = 200
"""Entries that the list shows at once."""

MOST_SEARCH = 500
"""Characters of a search."""

EAGER = 1_000
"""Skills up to which the disk is asked for files and bodies at once."""


def explore(what: Any = None) -> SkillBrowser:
    """Shows skills in a widget: search them, and see what is in each and what a model gets.

    Args:
        what: None for the folders where agents keep skills (``default_roots()``), a path, several
            paths, a source or an inventory; a catalogue of kits, or one provider of them.

    Returns:
        The widget; as the last line of a cell it is shown.

    Raises:
        TypeError, ValueError: when ``what`` is none of these.
    """
    return SkillBrowser(what)


class SkillBrowser(Frame):
    """The explorer of a set of skills.

    Attributes:
        selected: the name of the chosen skill, or the path of the chosen skipped file as it is
            shown; None for none. In a catalogue also ``agent NAME``, ``failed PROVIDER`` and
            ``shadowed KIND NAME of PROVIDER``. Can be set and observed, like all that follows.
        search: the words that a name or description must hold, in any order.
        sample_limit: how many files an envelope lists (0 means 10, -1 leaves them out).
        sort: the order of the list, one of ``choosing.SORTS``.
        show: what the list is held to, one of ``choosing.SHOWS``.
        origin: where the entries come from: ``everywhere``, a root, a kit.
        facts: who is here, in words: skills, skipped, the size of the prompt.
        imports: the box that imports from GitHub, where a catalogue can; else None.
    """

    selected = traitlets.Unicode(None, allow_none=True)
    search = traitlets.Unicode()
    sample_limit = traitlets.Int()
    sort = traitlets.Enum(choosing.SORTS, choosing.SORTS[0])
    show = traitlets.Enum(choosing.SHOWS, choosing.SHOWS[0])
    origin = traitlets.Unicode(choosing.EVERYWHERE)

    def __init__(self, what: Any = None) -> None:
        """Makes an explorer; see :func:`explore`."""
        self._subject = subject_of(what)
        self.imports = self._import_box()
        self._choosing = choosing.Choosing(self._subject.entries)
        self._keys: list[str] = []
        self._first = 0
        self._offering = False
        self._work: Work | None = None
        self._counting: asyncio.Task[None] | None = None
        self._searches_bodies = False
        self.status = Status(stop=self.stop, act=lambda _fact: self.show_skipped())
        self.search_box = control(
            ipywidgets.Text, "Search", placeholder="words in names and descriptions"
        )
        self.search_box.add_class("skillbook-search")
        self.bodies = button(
            "Search bodies",
            "Reads every body and looks for the words",
            lambda: self._read_bodies(Work.start),
        )
        self.sort_box = control(ipywidgets.Dropdown, "Sort", options=choosing.SORTS)
        self.show_box = control(ipywidgets.Dropdown, "Show", options=[("all", "all")])
        self.origin_box = control(ipywidgets.Dropdown, "From", options=[choosing.EVERYWHERE])
        self.refresh_button = button("Refresh", "Reads the disk anew", self.refresh)
        self.list = Rows("Skills", self._choose, self.turn)
        self.count = Pane()
        self.pane = SkillPane(self._subject.source.sample_limit, self._set_limit, self._say)
        self._sides = side_by_side(ipywidgets.VBox((self.list, self.count)), self.pane.view)
        self.nothing = Pane()
        self.notices = Pane()
        super().__init__(
            [
                self.status,
                self.notices,
                *((self.imports,) if self.imports is not None else ()),
                row_of(
                    self.search_box,
                    self.bodies,
                    self.show_box,
                    self.origin_box,
                    self.sort_box,
                    self.refresh_button,
                ),
                self.nothing,
                self._sides,
            ]
        )
        self.add_class("skillbook-browser")
        self.sample_limit = self._subject.source.sample_limit
        for box, name in (
            (self.search_box, "search"),
            (self.sort_box, "sort"),
            (self.show_box, "show"),
            (self.origin_box, "origin"),
        ):
            box.observe(lambda change, name=name: self._pressed(name, change["new"]), "value")
        self.search_box.on_msg(self._entered)
        self.pane.tabs.observe(lambda _change: self._hush(), "selected_index")
        self.observe(lambda _change: self._searched(), "search")
        self.observe(lambda _change: self._sorted(), ["sort", "show", "origin"])
        self.observe(lambda change: self.pane.show_limit(change["new"]), "sample_limit")
        self.observe(lambda _change: self._show_selected(), "selected")
        self._show_all()
        self.selected = self._keys[0] if self._keys else None
        if self.selected is None:
            self._show_selected()

    # --- what can be asked --------------------------------------------------------------------

    @property
    def source(self) -> SkillSource:
        """The source that is shown, with the ``sample_limit`` that is set."""
        source = self._subject.source
        return (
            source
            if source.sample_limit == self.sample_limit
            else source.with_sample_limit(self.sample_limit)
        )

    @property
    def entries(self) -> dict[str, Entry]:
        """All entries by key: skills by name, skipped files by the path as it is shown."""
        return self._subject.entries

    @property
    def view(self) -> CatalogView | None:
        """What the last query of a catalogue found; None where no catalogue is shown."""
        return self._subject.view

    @property
    def chosen(self) -> Entry | None:
        """The chosen entry, or None."""
        return None if self.selected is None else self.entries.get(self.selected)

    @property
    def found_in_bodies(self) -> list[str]:
        """The words that were looked for in the bodies; none where only names were searched."""
        return [] if self._choosing.hits is None else choosing.split_words(self.search)

    @property
    def looked(self) -> tuple[str, list[str], str]:
        """Where skills were looked for: words, the folders, words."""
        subject = self._subject
        return views.looked(subject.source.roots, looked_for=subject.by_default)

    @property
    def title(self) -> str:
        """What the skills are called: the root as typed, or how many roots there are."""
        return self._subject.title

    @property
    def found(self) -> list[str]:
        """The keys of the entries that search and filters leave, in order."""
        return list(self._keys)

    @property
    def shown(self) -> list[str]:
        """The keys of the entries on the page of the list that is shown."""
        return self._keys[self._first : self._first + PAGE]

    # --- what can be done ---------------------------------------------------------------------

    def refresh(self) -> Changes:
        """Reads the disk anew, keeps selection and search, and says what changed.

        Returns:
            What was added, changed, gone, broken or mended; the status line says the same.
        """
        self.stop()
        changes = self._subject.refresh()
        self._show_all()
        if self.selected is not None and self.selected not in self.entries:
            self.selected = None
        else:
            self._show_selected()
        self.status.message = str(changes)
        return changes

    def search_bodies(self) -> None:
        """Looks for the words of the search in every body, too, now; the button does it in slices."""
        self._read_bodies(Work.finish)

    def show_skipped(self) -> None:
        """Holds the list to what was skipped, and chooses the first; the word on top does it."""
        self.search, self.origin, self.show = "", choosing.EVERYWHERE, "skipped"
        if self._keys:
            self.selected = self._keys[0]

    def stop(self) -> None:
        """Stops long work; what it found so far is dropped."""
        work, self._work = self._work, None
        if work is None:
            return
        work.stop()
        self.status.message = "Stopped."
        if self._asks_disk and not self._choosing.is_known:
            with self.hold_trait_notifications():
                self.sort, self.show = choosing.SORTS[0], choosing.SHOWS[0]

    def turn(self, step: int) -> None:
        """Shows another page of the list.

        Args:
            step: 1 for the next, -1 for the one before.
        """
        last = max(len(self._keys) - 1, 0) // PAGE * PAGE
        self._first = min(max(self._first + step * PAGE, 0), last)
        self._show_list()

    def close(self) -> None:
        """Closes the widget and all that it is made of."""
        self.stop()
        self.pane.close()
        if self._counting is not None:
            self._counting.cancel()
        super().close()

    # --- handlers -----------------------------------------------------------------------------

    def _pressed(self, name: str, value: Any) -> None:
        if value is not None and not self._offering:
            setattr(self, name, value)

    def _choose(self, key: str) -> None:
        if key in self.entries:
            self.selected = key

    def _import_box(self) -> ImportBox | None:
        if not isinstance(self._subject, CatalogSubject):
            return None
        providers = [
            provider
            for provider in self._subject.catalog.providers
            if isinstance(provider, GitHubProvider)
        ]
        return ImportBox(providers, self._imported) if providers else None

    def _imported(self, source: ImportedSource) -> None:
        """Shows what was imported, and chooses its first skill where the list has it."""
        changes = self.refresh()
        first = next((name for name in map(printable, source.skills) if name in self.entries), None)
        if first is not None:
            self.selected = first
        self.status.message = str(changes)

    def _set_limit(self, limit: int) -> None:
        self.sample_limit = limit

    @traitlets.validate("selected")
    def _is_there(self, proposal: Any) -> str | None:
        key: str | None = proposal["value"]
        if key is not None and key not in self.entries:
            raise SkillNotFound(not_found(key, self.entries))
        return key

    @traitlets.validate("sample_limit")
    def _is_limit(self, proposal: Any) -> int:
        return check_sample_limit(proposal["value"])

    @traitlets.validate("origin")
    def _is_origin(self, proposal: Any) -> str:
        origin: str = proposal["value"]
        known = [choosing.EVERYWHERE, *self._choosing.origins()]
        if origin not in known:
            raise ValueError(f"origin is {origin!r}; there are {', '.join(known)}")
        return origin

    @traitlets.validate("search")
    def _is_search(self, proposal: Any) -> str:
        text: str = proposal["value"]
        return text[:MOST_SEARCH]

    def _searched(self) -> None:
        if self._choosing.is_known or not self._asks_disk:
            self.stop()
        self._choosing.hits = None
        self._searches_bodies = self._searches_bodies and bool(self.search.strip())
        self.search_box.value = self.search
        self._first = 0
        self._find()
        self._hush()

    def _entered(self, _widget: Any, content: Any, _buffers: Any = None) -> None:
        """Enter in the search box looks in the bodies again, where they were searched before."""
        if content == {"event": "submit"} and self._bodies_wait:
            self._read_bodies(Work.start)

    @property
    def _bodies_wait(self) -> bool:
        """Whether the bodies were searched, but not for the words that stand there now."""
        return self._searches_bodies and self._choosing.hits is None

    def _say(self, text: str) -> None:
        self.status.message = text

    def _hush(self) -> None:
        """Takes away what was said of something else."""
        waits = "The bodies were not searched for the new words." if self._bodies_wait else ""
        self.status.message = waits

    def _sorted(self) -> None:
        if self.show not in (value for _, value in self.show_box.options):
            self._show_options()  # one that nothing is, set from code
        self.sort_box.value, self.show_box.value = self.sort, self.show
        self.origin_box.value = self.origin
        self._first = 0
        self._find()
        self._get_to_know()

    @property
    def _asks_disk(self) -> bool:
        """Whether the list needs to know what only the disk knows."""
        return self.sort in ("largest body", "most files") or self.show == "scripts"

    def _get_to_know(self) -> None:
        if self._choosing.is_known or not self._asks_disk or self._work is not None:
            return
        self._work = Work(
            self._choosing.get_to_know(),
            self.status,
            "Reading bodies and files",
            self._got_to_know,
            self.stop,
        )
        self._work.start()

    def _got_to_know(self) -> None:
        self._work = None
        self.status.message = ""
        self._show_options()
        self._find()

    def _read_bodies(self, how: Callable[[Work], None]) -> None:
        self.stop()
        if not self.search.strip():
            self.status.message = "Type the words to look for first."
            return
        steps = self._choosing.read_bodies(self.search)
        self._work = Work(steps, self.status, "Reading bodies", self._bodies_read, self.stop)
        how(self._work)

    def _bodies_read(self) -> None:
        self._work = None
        self._searches_bodies = True
        self._first = 0
        self._find()
        found = len(self._choosing.hits or ())
        self.status.message = f"Searched the bodies too: {words.count(found, 'skill')} found."

    # --- showing ------------------------------------------------------------------------------

    def _show_all(self) -> None:
        had_bodies = self._choosing.hits is not None
        self._choosing = choosing.Choosing(self.entries)
        if len(self.entries) <= EAGER:
            again = self._choosing.read_bodies(self.search) if had_bodies else ()
            for _ in chain(self._choosing.get_to_know(), again):
                pass
        self._first = 0
        self._show_status()
        self._show_options()
        self._find()
        self._get_to_know()

    def _show_status(self) -> None:
        source = self._subject.source
        prompt = source.prompt()
        self.facts = facts = card.facts(source, prompt, catalog_pane.facts(self.view))
        self.status.title = self.title
        self.status.facts = facts
        self.status.acts = [len(facts) - 2] if source.skipped else []
        about = join((catalog_pane.overview(self.view), card.notices(source)))
        self.notices.show(about)
        self.notices.layout.display = "" if about else "none"
        if self._counting is not None:
            self._counting.cancel()
        self._counting = later(
            lambda: card.prompt_fact(prompt, _counted(prompt)),
            lambda said: setattr(self.status, "facts", [*facts[:-1], said]),
        )
        none = not self.entries
        self.nothing.show(views.empty(*self.looked) if none else Markup())
        for part in (self._sides, self.search_box, self.bodies, self.show_box, self.sort_box):
            part.layout.display = "none" if none else ""
        self.nothing.layout.display = "" if none else "none"

    def _show_options(self) -> None:
        chosen = self._choosing
        labels = {"all": "everything", "warnings": "with warnings", "scripts": "with scripts"}
        options = []
        for name in choosing.SHOWS:
            if name in choosing.BESIDE and name != self.show and not chosen.count(name):
                continue
            counted = f" {chosen.count(name):,}" if name != "scripts" or chosen.is_known else ""
            options.append((f"{labels.get(name, name)}{counted}", name))
        self._offer(self.show_box, options, self.show)
        origins = chosen.origins()
        if self.origin not in (choosing.EVERYWHERE, *origins):
            self.origin = choosing.EVERYWHERE
        places = [
            (f"{shown(words.cut(name, 60))} {number:,}", name) for name, number in origins.items()
        ]
        everywhere = (choosing.EVERYWHERE, choosing.EVERYWHERE)
        self._offer(self.origin_box, [everywhere, *places], self.origin)
        self.origin_box.layout.display = "" if origins else "none"

    def _offer(self, box: Any, options: list[tuple[str, str]], value: str) -> None:
        """Sets what a box offers; new options choose their first one, which nobody pressed."""
        self._offering = True
        try:
            with box.hold_sync():
                box.options = options
                box.value = value
        finally:
            self._offering = False

    def _find(self) -> None:
        self._keys = self._choosing.find(self.search, self.show, self.origin, self.sort)
        self._show_list()
        self._tell_pane()

    def _tell_pane(self) -> None:
        listed = self.selected is None or self.selected in self._keys
        self.pane.tell(self.found_in_bodies, listed=listed)

    def _show_list(self) -> None:
        shown = self.shown
        asked = choosing.split_words(self.search)
        before, after = self._first, len(self._keys) - self._first - len(shown)
        with self.list.hold_sync():
            rows = [list_rows.entry_row(self._choosing, key, asked, self.sort) for key in shown]
            if self.sort == choosing.SORTS[0]:
                rows = catalog_pane.grouped((self.entries[key] for key in shown), rows)
            self.list.rows = rows
            self.list.chosen = self.selected if self.selected in shown else ""
            self.list.before = f"Previous {min(PAGE, before):,}" if before else ""
            self.list.after = f"Next {min(PAGE, after):,}" if after else ""
            self.list.empty = list_rows.why_empty(self._choosing, self.search)
        said = list_rows.count(shown, len(self._keys), before, len(self.entries))
        self.count.show(note(said) if self.entries else Markup())

    def _show_selected(self) -> None:
        if self.selected in self._keys and self.selected not in self.shown:
            self._first = self._keys.index(self.selected) // PAGE * PAGE
            self._show_list()
        self.list.chosen = self.selected if self.selected in self.shown else ""
        chosen = self.chosen
        if isinstance(chosen, Beside):
            self.pane.show(None, catalog_pane.shown(chosen))
        else:
            self.pane.show(chosen, note("Choose a skill in the list."))
        self._tell_pane()
        self._hush()

    # --- the static twin ----------------------------------------------------------------------

    def words(self) -> str:
        """Returns what is shown, as text."""
        return card.words(self)

    def card(self) -> Markup:
        """Returns what is shown, as HTML."""
        return card.card(self)


def _counted(prompt: str) -> str:
    """Returns how many tokens the prompt has, in words."""
    try:
        return f"{tokens.count_tokens(prompt):,} tokens ({tokens.DEFAULT})"
    except SkillbookError:
        return "tokens: not counted"
