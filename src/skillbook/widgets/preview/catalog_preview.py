"""The catalogue preview: what sits in the system prompt, what it costs, and what to leave out.

Imports ``catalogue``, ``card``, ``subject``, ``ticks`` and the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import traitlets

from skillbook.display import words as in_words
from skillbook.display.markup import Markup, note
from skillbook.errors import SkillNotFound
from skillbook.prompt import FORMATS
from skillbook.source import SkillInventory, SkillSource, source_of
from skillbook.tokens import CounterLike
from skillbook.tool import not_found
from skillbook.widgets import choosing
from skillbook.widgets.elements.base import (
    Frame,
    Pane,
    button,
    choice,
    control,
    row_of,
    scrolling,
    side_by_side,
)
from skillbook.widgets.elements.counting import Counting
from skillbook.widgets.elements.parts import Status
from skillbook.widgets.elements.ticks import Tick, Ticks, tick
from skillbook.widgets.preview import card as catalogue_card
from skillbook.widgets.preview.catalogue import SORTS, WAYS, Catalogue
from skillbook.widgets.subject import Subject

PAGE = 200
"""Skills that the list shows at once."""

TABS = ("The prompt", "The filter", "Not in the catalogue")
PROMPT, FILTER, ABSENT = range(3)


class CatalogPreview(Frame):
    """What a model reads of the skills before it calls any: the exact text, and what it costs.

    Attributes:
        filter: names to True or False, as ``load_skills`` takes it; None keeps all. Can be set and
            observed, like all that follows; a box that is ticked or cleared writes it.
        format: the format of the prompt: ``markdown``, ``xml`` or ``json``.
        sort: the order of the list: ``name``, ``longest first`` or ``as found``.
        search: the words that a name or description in the list must hold, in any order.
        way: how a box writes the filter: ``shorter``, ``leave out`` or ``keep only``.
        catalogue: the skills, and what follows from a filter.
        absent: the skills that are not in the catalogue, each with why.
        skipped: the files that gave no skill.
        whole_size: characters of the prompt of all skills.
        asked_for_tokens: whether text and static twin say tokens, see :meth:`count`.
    """

    filter: Any = traitlets.Dict(None, allow_none=True)
    format = traitlets.Enum(FORMATS, FORMATS[0])
    sort = traitlets.Enum(SORTS, SORTS[0])
    search = traitlets.Unicode()
    way = traitlets.Enum(WAYS, WAYS[0])

    def __init__(self, what: Any = None, counter: CounterLike = None) -> None:
        """Makes a preview.

        Args:
            what: None for the folders where agents keep skills (``default_roots()``), a path,
                several paths, a source or an inventory.
            counter: what counts the tokens, see ``sb.count_tokens``.

        Raises:
            TypeError, ValueError: when an argument is none of these.
        """
        subject = Subject(what)
        self.catalogue = Catalogue(subject.source)
        self.skipped = subject.source.skipped
        self.asked_for_tokens = False
        self._counting: Counting[str] = Counting(counter)
        self._names = list(self.catalogue.skills)
        self._places = {name: str(place) for place, name in enumerate(self._names)}
        self._kept: set[str] = set(self._names)
        self._found: list[str] = []
        self._first = 0
        self._listing = False
        self._filled: set[int] = set()
        self._text, self._listed_skills, self.whole_size = "", 0, 0
        self.absent: list[tuple[str, str]] = []
        self.status = Status(title=subject.title)
        self.format_box = choice("Format", [(form, form) for form in FORMATS])
        self.sort_box = choice("Sort", [(sort, sort) for sort in SORTS])
        self.search_box = control(
            ipywidgets.Text, "Search", placeholder="words in names and descriptions"
        )
        self.search_box.add_class("skillbook-search")
        self.all = button("Tick all", "Takes all skills in the list into the prompt", self.tick_all)
        self.none = button(
            "Clear all", "Leaves all skills in the list out of the prompt", self.clear_all
        )
        self.way_box = choice("Write it as", [(way, way) for way in WAYS])
        self.list = Ticks("Skills in the prompt", self._ticked, self.turn)
        self.count_note = Pane()
        self.panes = [Pane() for _ in TABS]
        self.tabs = ipywidgets.Tab(
            children=(
                self.panes[PROMPT],
                ipywidgets.VBox((row_of(self.way_box), self.panes[FILTER])),
                self.panes[ABSENT],
            ),
            titles=TABS,
            selected_index=PROMPT,
        )
        left = ipywidgets.VBox((self.list, self.count_note))
        left.add_class("skillbook-left")
        right = scrolling(self.tabs)
        right.add_class("skillbook-right")
        self._sides = side_by_side(left, right)
        if not self._names:
            self._sides.layout.height = "auto"  # two short boxes rather than two empty ones
        super().__init__(
            [
                self.status,
                row_of(self.format_box, self.sort_box),
                row_of(self.search_box, self.all, self.none),
                self._sides,
            ]
        )
        self.add_class("skillbook-preview")
        given = self.catalogue.given
        if given:
            self.filter = given
            self._kept = self.catalogue.kept(given)
        for box, name in (
            (self.format_box, "format"),
            (self.sort_box, "sort"),
            (self.search_box, "search"),
            (self.way_box, "way"),
        ):
            box.observe(lambda change, name=name: self._pressed(name, change["new"]), "value")
        self.observe(lambda _change: self._filtered(), "filter")
        self.observe(lambda _change: self._formatted(), "format")
        self.observe(lambda _change: self._listed(), ["sort", "search"])
        self.observe(lambda _change: self._way_chosen(), "way")
        self.tabs.observe(lambda _change: self.fill(), "selected_index")
        self._find()
        self._show()

    # --- what can be asked ----------------------------------------------------------------------

    @property
    def source(self) -> SkillSource:
        """The source with the filter that is set."""
        return self.catalogue.source(self.filter)

    @property
    def text(self) -> str:
        """The prompt as it is shown: the exact text, but for places, which begin as typed."""
        return self._text

    @property
    def listed(self) -> int:
        """How many skills the prompt lists."""
        return self._listed_skills

    @property
    def python(self) -> str:
        """The filter as Python to copy."""
        return self.catalogue.python(self.filter)

    @property
    def kept(self) -> list[str]:
        """The names of the skills that are ticked, in the order they were found."""
        return [name for name in self._names if name in self._kept]

    @property
    def found(self) -> list[str]:
        """The names of the skills that the search leaves, in order."""
        return list(self._found)

    @property
    def shown(self) -> list[str]:
        """The names of the skills on the page of the list that is shown."""
        return self._found[self._first : self._first + PAGE]

    def is_kept(self, name: str) -> bool:
        """Returns whether a skill is ticked."""
        return name in self._kept

    # --- what can be done -----------------------------------------------------------------------

    def tick(self, *names: str) -> None:
        """Takes skills into the prompt.

        Raises:
            SkillNotFound: when there is no skill of that name.
        """
        self._keep(self._kept | self._known(names))

    def clear(self, *names: str) -> None:
        """Leaves skills out of the prompt.

        Raises:
            SkillNotFound: when there is no skill of that name.
        """
        self._keep(self._kept - self._known(names))

    def tick_all(self) -> None:
        """Takes all skills that the list holds into the prompt, on its other pages too."""
        self.tick(*self._found)

    def clear_all(self) -> None:
        """Leaves all skills that the list holds out of the prompt, on its other pages too."""
        self.clear(*self._found)

    def turn(self, step: int) -> None:
        """Shows another page of the list.

        Args:
            step: 1 for the next, -1 for the one before.
        """
        last = max(len(self._found) - 1, 0) // PAGE * PAGE
        self._first = min(max(self._first + step * PAGE, 0), last)
        self._show_list()
        self._count_later()

    def count(self) -> int:
        """Counts the tokens of the prompt now; from then on text and static twin say them.

        Raises:
            SkillbookError: when they cannot be counted.
        """
        self.asked_for_tokens = True
        self._counting.now(self._wanted())
        self._show_tokens()
        return self._counting.known[self.text]

    def close(self) -> None:
        """Closes the widget and all that it is made of."""
        self._counting.stop()
        super().close()

    # --- handlers -------------------------------------------------------------------------------

    @traitlets.validate("filter")
    def _is_filter(self, proposal: Any) -> dict[str, bool] | None:
        rule: Mapping[str, bool] | None = proposal["value"]
        skills, given = self.catalogue.skills, self.catalogue.given or {}
        before = set(self.catalogue.before)
        odd = {
            name: value
            for name, value in (rule or {}).items()
            if not isinstance(value, bool)
            or not (name in skills or name in given or name in before)
        }
        source_of(SkillInventory(list(skills.values()) if odd else []), odd)  # warns, or raises
        return dict(rule) if rule else None

    def _pressed(self, name: str, value: Any) -> None:
        if value is not None:
            setattr(self, name, value)

    def _ticked(self, keys: list[str]) -> None:
        """Writes the filter, when a box on this page was pressed."""
        if self._listing:
            return
        page = self.shown
        on = {name for name in page if self._places[name] in set(keys)}
        self._keep(self._kept - set(page) | on)

    def _known(self, names: tuple[str, ...]) -> set[str]:
        for name in names:
            if name not in self.catalogue.skills:
                raise SkillNotFound(not_found(str(name), self.catalogue.skills))
        return set(names)

    def _keep(self, names: set[str]) -> None:
        self.filter = self.catalogue.filter_for(names, self.way)

    def _filtered(self) -> None:
        before = len(self.text)
        self._kept = self.catalogue.kept(self.filter)
        self._show()
        now = len(self.text)
        step = f"The prompt went from {before:,} to {now:,} characters."
        self.status.message = (
            step if now != before else "The filter is written anew; the prompt is as it was."
        )

    def _formatted(self) -> None:
        self.format_box.value = self.format
        self.status.message = ""
        self._find()
        self._show()

    def _listed(self) -> None:
        self.sort_box.value, self.search_box.value = self.sort, self.search
        self._find()
        self._count_later()

    def _way_chosen(self) -> None:
        self.way_box.value = self.way
        self.filter = self.catalogue.filter_for(self._kept, self.way)

    # --- showing --------------------------------------------------------------------------------

    def _find(self) -> None:
        self._found = self.catalogue.find(self.search, self.sort, self.format)
        self._first = 0
        self._show_list()

    def _show(self) -> None:
        """Shows what follows from the filter and the format."""
        prompt = self.catalogue.prompt(self.format, self._kept)
        self._text, self._listed_skills = prompt.text, len(prompt.entries)
        self.whole_size = self.catalogue.whole_size(self.format)
        self.absent = self.catalogue.absent(self._kept)
        self._tick_page()
        self._filled.clear()
        self.fill()
        titles = list(TABS)
        titles[ABSENT] += f" ({len(self.absent):,})"
        self.tabs.titles = titles
        self._show_facts()
        self._count_later()

    def fill(self) -> None:
        """Fills the tab that is seen, once for each filter and format."""
        number = self.tabs.selected_index
        if number is None or number in self._filled:
            return
        self._filled.add(number)
        make = (catalogue_card.prompt, catalogue_card.python, catalogue_card.absent)[number]
        self.panes[number].show(make(self))

    def _show_list(self) -> None:
        shown = self.shown
        asked = choosing.split_words(self.search)
        with self.list.hold_sync():
            self._show_rows()
            self._tick_page()
        before, after = self._first, len(self._found) - self._first - len(shown)
        self.list.before = f"Previous {min(PAGE, before):,}" if before else ""
        self.list.after = f"Next {min(PAGE, after):,}" if after else ""
        self.list.empty = "No name or description has all of these words." if asked else "No skill."
        said = in_words.of(len(shown), len(self._names))
        if before:
            said = f"{before + 1:,} to {before + len(shown):,} of {len(self._found):,} shown"
        elif after and len(self._found) < len(self._names):
            said = f"{len(shown):,} of {len(self._found):,} found, of {len(self._names):,} in all"
        self.count_note.show(note(said) if self._names else Markup())

    def _show_rows(self) -> None:
        entries = self.catalogue.entries(self.format)
        longest = max(map(len, entries.values()), default=0) or 1
        asked = choosing.split_words(self.search)
        rows = [self._row(name, entries[name], longest, asked) for name in self.shown]
        self.list.set_trait("rows", rows)

    def _row(self, name: str, text: str, longest: int, asked: list[str]) -> Tick:
        words = list(catalogue_card.size(text))
        counted = self._counting.known.get(text) if text else None
        if counted is not None:
            words.append(in_words.count(counted, "token"))
        title = choosing.marked(name, asked)
        share = len(text) / longest if text else -1.0
        return tick(self._places[name], title, "", words, share)

    def _tick_page(self) -> None:
        self._listing = True
        try:
            ticked = [self._places[name] for name in self.shown if name in self._kept]
            self.list.set_trait("ticked", ticked)
        finally:
            self._listing = False

    # --- tokens ---------------------------------------------------------------------------------

    def _wanted(self) -> dict[str, str]:
        """The texts whose tokens are shown: the prompt, and the parts in the list, by themselves."""
        entries = self.catalogue.entries(self.format)
        texts = (self.text, *(entries[name] for name in self.shown if entries[name]))
        return {text: text for text in texts}

    def _count_later(self) -> None:
        self._counting.later(self._wanted(), self._show_tokens)

    def _show_tokens(self) -> None:
        """Shows the numbers of tokens that were counted since."""
        shown = self._wanted()  # twenty thousand prompts are not remembered
        known = self._counting.known
        self._counting.known = {text: n for text, n in known.items() if text in shown}
        self._show_rows()
        self._show_facts()
        if self._counting.problem:
            self.status.message = f"Tokens are not counted: {self._counting.problem}"

    def _show_facts(self) -> None:
        self.status.facts = [*catalogue_card.facts(self), self._counting.said(self.text)]

    def tokens_now(self) -> str:
        """Returns the tokens of the prompt in words, counted now where they are not known."""
        return self._counting.said_now({self.text: self.text})

    # --- the static twin ------------------------------------------------------------------------

    def words(self) -> str:
        """Returns what is shown, as text."""
        return catalogue_card.words(self)

    def card(self) -> Markup:
        """Returns what is shown, as HTML."""
        return catalogue_card.card(self)
