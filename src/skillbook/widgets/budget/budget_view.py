"""The budget view: what a host's limit leaves of a list of skills, and what a change would do.

Imports ``card``, ``subject``, ``choosing``, ``bars`` and the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ipywidgets
import traitlets

from skillbook.budgets import STATES, Budget, BudgetEntry, Change, budget
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, note
from skillbook.errors import SkillNotFound
from skillbook.host_numbers import context_window
from skillbook.hosts import HOSTS
from skillbook.model import printable
from skillbook.tokens import CounterLike
from skillbook.tool import not_found
from skillbook.widgets import choosing
from skillbook.widgets.budget import card as budget_card
from skillbook.widgets.elements.bars import Bars
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
from skillbook.widgets.elements.parts import Row, Rows, Status, row
from skillbook.widgets.subject import Subject

PAGE = 200
"""Skills that the list shows at once."""

EAGER = 1000
"""Skills up to which every step of a slider and every key is reckoned; beyond, when it rests."""

CONTEXTS = (
    *(4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 128_000, 200_000),
    *(256_000, 400_000, 500_000, 1_000_000, 2_000_000),
)
"""Where the slider of the context stops, in tokens."""

UNKNOWN = 0
"""What the slider has for a window that the host does not know."""

SHOWS = ("all", *STATES)
UNITS = ("characters", "tokens")
OWN_CHARS = 8_000
MOST_LIMIT = 10**12
MOST_TEXT = 20_000
TABS = ("This skill", "A new skill", "The list", "Numbers and sources")
SKILL, NEW, LIST, NUMBERS = range(4)


class BudgetView(Frame):
    """What a host's limit on the list of skills leaves of each, and what a change would do.

    Attributes:
        host: the host, a name of ``skillbook.hosts.HOSTS``. Can be set and observed, like what
            follows up to ``new_description``.
        context: the size of the context window, in tokens; None where the host knows none.
        limit: the limit under the host ``own``, in ``unit``.
        unit: ``characters`` or ``tokens``.
        show: the state that the list is held to, or ``all``.
        search: the words that a name in the list must hold, in any order.
        chosen: the name of the chosen skill, or None.
        wording: the description to try in place of its own; its own changes nothing.
        new_name: the name of a skill to try.
        new_description: its description.
        budget: what the limit leaves.
        reworded: what the wording would do, or None.
        added: what the new skill would do, or None.
        why_not: why the new skill cannot be tried, or ``""``.
    """

    host = traitlets.Enum(tuple(HOSTS))
    context = traitlets.Int(None, allow_none=True)
    limit = traitlets.Int(OWN_CHARS)
    unit = traitlets.Enum(UNITS, UNITS[0])
    show = traitlets.Enum(SHOWS, SHOWS[0])
    search = traitlets.Unicode()
    chosen = traitlets.Unicode(None, allow_none=True)
    wording = traitlets.Unicode()
    new_name = traitlets.Unicode()
    new_description = traitlets.Unicode()

    def __init__(
        self,
        source: Any = None,
        host: str | None = None,
        context: int | None = 200_000,
        *,
        chars: int | None = None,
        tokens: int | None = None,
        usage: Mapping[str, float] | None = None,
        counter: CounterLike = None,
        **numbers: float,
    ) -> None:
        """Makes a budget view; the arguments are those of :func:`skillbook.budgets.budget`.

        ``chars``, ``tokens`` and a host's other numbers hold for the host that is given; another
        that is chosen later has its own. ``usage`` holds for every host that ranks by use.

        Args:
            source: a source, an inventory, a path, several paths, or None for the folders where
                agents keep skills.
            host: the host that is shown first; None is ``claude-code``, or ``own`` with a limit.
            context: the size of the context window, in tokens; None where the host knows none.
            chars: a limit in characters, in place of the host's.
            tokens: a limit in tokens, in place of the host's.
            usage: how often each skill was used, by name.
            counter: what counts tokens, see :func:`skillbook.tokens.as_counter`.
            numbers: a host's other numbers, each by its name.

        Raises:
            TypeError, ValueError: when an argument is of the wrong type or out of range.
        """
        subject = Subject(source)
        self._source = subject.source
        self._counter = counter
        self._usage = usage
        limits = {"chars": chars, "tokens": tokens}
        limits = {name: number for name, number in limits.items() if number is not None}
        self._given: dict[str, Any] = numbers | limits
        first = host
        if first is None:
            first = "own" if limits else "claude-code"
        self._first_host = first
        # Tried before anything is made: it raises, and says what is wrong.
        ranks = isinstance(first, str) and first in HOSTS and HOSTS[first].ranks
        if usage is not None and not ranks:
            budget(self._source, usage=usage)
        self.budget: Budget = budget(
            self._source,
            first,
            context,
            usage=usage if ranks else None,
            counter=counter,
            **self._given,
        )
        if self.budget.limit > MOST_LIMIT:
            raise ValueError(f"the limit is {self.budget.limit:,}; the view goes to {MOST_LIMIT:,}")
        self._descriptions = {
            printable(skill.name): printable(" ".join((skill.description or "").split()))
            for skill in self._source.values()
        }
        self.reworded: Change | None = None
        self.added: Change | None = None
        self.why_not = ""
        self._found: list[BudgetEntry] = []
        self._page = 0
        self._filled: set[int] = set()
        self._ready = False
        self._make(f"Budget of {subject.title}")
        self.host, self.context = first, self.budget.context
        if first == "own":
            self.limit, self.unit = self.budget.limit, self.budget.unit
        self._listen()
        self._ready = True
        self._show_budget()
        self.status.message = f"The limit is {self.budget.limit:,} {self.budget.unit}."
        if self.budget.entries:
            self.chosen = self._worst()

    def _make(self, title: str) -> None:
        """Makes the controls and puts them together."""
        few = len(self._source) <= EAGER
        self.status = Status(title=title)
        self.host_box = control(
            ipywidgets.Dropdown,
            "Host",
            options=[(each.title, each.name) for each in HOSTS.values()],
        )
        self.context_box = control(
            ipywidgets.SelectionSlider,
            "Context, in tokens",
            options=_stops(None),
            continuous_update=few,
        )
        self.context_box.add_class("skillbook-slider")
        self.limit_box = control(ipywidgets.BoundedIntText, "Limit", min=0, max=MOST_LIMIT)
        self.unit_box = choice("of", [(unit, unit) for unit in UNITS])
        self.own = row_of(self.limit_box, self.unit_box)
        self.show_box = control(ipywidgets.Dropdown, "Show", options=SHOWS)
        self.search_box = control(ipywidgets.Text, "Search", placeholder="words in names")
        self.search_box.add_class("skillbook-search")
        self.bars = Bars()
        self.reckoned = Pane()
        self.list = Rows("Skills", self._choose, self.turn)
        self.count = Pane()
        self.keep_box = control(
            ipywidgets.IntSlider, "Characters to keep", max=0, continuous_update=few
        )
        self.keep_box.add_class("skillbook-slider")
        self.wording_box = control(
            ipywidgets.Textarea, "Its description", rows=4, continuous_update=few
        )
        self.own_button = button("Put back", "Puts its own description back", self.unword)
        self.tried = ipywidgets.VBox((row_of(self.keep_box, self.own_button), self.wording_box))
        self.name_box = control(
            ipywidgets.Text, "Name", placeholder="new-skill", continuous_update=few
        )
        self.description_box = control(
            ipywidgets.Textarea,
            "Description",
            placeholder="what it does, and when to use it",
            rows=4,
            continuous_update=few,
        )
        for box in (self.wording_box, self.name_box, self.description_box):
            box.add_class("skillbook-field")
        self.panes = [Pane() for _ in TABS]
        self.effect = Pane()
        self.tabs = ipywidgets.Tab(
            children=(
                ipywidgets.VBox((self.panes[SKILL], self.tried, self.effect)),
                ipywidgets.VBox((self.name_box, self.description_box, self.panes[NEW])),
                self.panes[LIST],
                self.panes[NUMBERS],
            ),
            titles=TABS,
            selected_index=SKILL,
        )
        super().__init__(
            [
                self.status,
                row_of(self.host_box, self.context_box, self.own),
                self.bars,
                self.reckoned,
                row_of(self.show_box, self.search_box),
                side_by_side(ipywidgets.VBox((self.list, self.count)), scrolling(self.tabs)),
            ]
        )
        self.add_class("skillbook-budget")

    def _listen(self) -> None:
        for box, name in (
            (self.host_box, "host"),
            (self.limit_box, "limit"),
            (self.unit_box, "unit"),
            (self.show_box, "show"),
            (self.search_box, "search"),
            (self.wording_box, "wording"),
            (self.name_box, "new_name"),
            (self.description_box, "new_description"),
        ):
            box.observe(lambda change, name=name: self._pressed(name, change["new"]), "value")
        self.keep_box.observe(lambda change: self._cut(change["new"]), "value")
        self.context_box.observe(lambda change: self._slid(change["new"]), "value")
        self.observe(lambda _change: self._reckon(), ["host", "context", "limit", "unit"])
        self.observe(lambda _change: self._listed(), ["show", "search"])
        self.observe(lambda _change: self._chosen_anew(), "chosen")
        self.observe(lambda _change: self._reword(), "wording")
        self.observe(lambda _change: self._try(), ["new_name", "new_description"])
        self.tabs.observe(lambda _change: self.fill(), "selected_index")

    # --- what can be asked ------------------------------------------------------------------------

    @property
    def entry(self) -> BudgetEntry | None:
        """What became of the chosen skill, or None."""
        return None if self.chosen is None else self.budget[self.chosen]

    @property
    def found(self) -> list[BudgetEntry]:
        """What became of the skills that ``show`` and ``search`` leave, in order."""
        return list(self._found)

    @property
    def shown(self) -> list[BudgetEntry]:
        """Those on the page of the list that is shown."""
        return self._found[self._page : self._page + PAGE]

    # --- what can be done -------------------------------------------------------------------------

    def turn(self, by: int) -> None:
        """Shows another page of the list.

        Args:
            by: 1 for the next, -1 for the one before.
        """
        last = max(len(self._found) - 1, 0) // PAGE * PAGE
        self._page = min(max(self._page + by * PAGE, 0), last)
        self._show_list()

    def unword(self) -> None:
        """Takes the chosen skill's own description as the wording again."""
        self.wording = self._own_words()

    def fill(self) -> None:
        """Fills the tab that is seen, once for each budget."""
        number = self.tabs.selected_index
        if number not in (LIST, NUMBERS) or number in self._filled:
            return
        self._filled.add(number)
        make = budget_card.listing if number == LIST else budget_card.numbers
        self.panes[number].show(make(self.budget))

    # --- handlers ---------------------------------------------------------------------------------

    @traitlets.validate("context")
    def _is_context(self, proposal: Any) -> int | None:
        context: int | None = proposal["value"]
        return None if context is None else context_window(context)

    @traitlets.validate("limit")
    def _is_limit(self, proposal: Any) -> int:
        limit: int = proposal["value"]
        if not 0 <= limit <= MOST_LIMIT:
            raise ValueError(f"limit is {limit}; pass a number from 0 to {MOST_LIMIT:,}")
        return limit

    @traitlets.validate("chosen")
    def _is_there(self, proposal: Any) -> str | None:
        name: str | None = proposal["value"]
        if name is not None and not any(entry.name == name for entry in self.budget):
            raise SkillNotFound(not_found(name, {entry.name: None for entry in self.budget}))
        return name

    @traitlets.validate("wording", "new_name", "new_description", "search")
    def _is_short(self, proposal: Any) -> str:
        text: str = proposal["value"]
        return text[: max(MOST_TEXT, len(self._own_words()))]

    def _pressed(self, name: str, value: Any) -> None:
        if value is not None and self._ready:
            setattr(self, name, value)

    def _slid(self, context: int) -> None:
        if self._ready:
            self.context = None if context == UNKNOWN else context

    def _choose(self, key: str) -> None:
        if key.isdecimal() and int(key) < len(self.budget):
            self.chosen = self.budget.entries[int(key)].name

    def _reckon(self) -> None:
        before = self.budget
        given: Mapping[str, Any] = self._given if self.host == self._first_host else {}
        if self.host == "own":
            given = {"chars" if self.unit == "characters" else "tokens": self.limit}
        usage = self._usage if HOSTS[self.host].ranks else None
        self.budget = budget(
            self._source, self.host, self.context, usage=usage, counter=self._counter, **given
        )
        self._show_budget()
        self.status.message = budget_card.moved(before, self.budget)

    def _listed(self) -> None:
        self._page = 0
        self._find()
        self._show_list()

    def _cut(self, kept: int) -> None:
        if self._ready:
            self.wording = self._own_words()[:kept]

    def _own_words(self) -> str:
        return self._descriptions.get(self.chosen or "", "")

    def _chosen_anew(self) -> None:
        if self.wording == self._own_words():
            self._reword()
        else:
            self.unword()
        self._show_list()

    def _reword(self) -> None:
        entry = self.entry
        self.reworded = None
        if entry is not None and self.wording.split() != self._own_words().split():
            self.reworded = self.budget.shorten(entry.name, self.wording)
        self._show_skill()

    def _try(self) -> None:
        self.added, self.why_not = None, ""
        # As the budget writes them: so it finds the new skill again.
        name = printable(" ".join(self.new_name.split()))
        description = printable(self.new_description)
        if name and description.strip():
            try:
                self.added = self.budget.add(name, description)
            except ValueError:
                self.why_not = "There is a skill of this name already: “This skill” shortens it."
        self.name_box.value, self.description_box.value = self.new_name, self.new_description
        self.panes[NEW].show(budget_card.new(self))

    # --- showing ----------------------------------------------------------------------------------

    def _worst(self) -> str:
        """Returns the name of the skill that a limit hits hardest, the first of them."""
        return max(self.budget, key=lambda entry: STATES.index(entry.state)).name

    def _show_budget(self) -> None:
        given = self.budget
        self.status.facts = budget_card.facts(given)
        self.bars.bars = budget_card.bars(given)
        self.reckoned.show(budget_card.reckoned(given))
        self._show_controls()
        self._filled.clear()
        self.fill()
        self._find()
        self._show_list()
        self._reword()
        self._try()

    def _show_controls(self) -> None:
        self._ready = False
        self.host_box.value = self.host
        self.limit_box.value, self.unit_box.value = self.limit, self.unit
        self.own.layout.display = "" if self.host == "own" else "none"
        stops = _stops(self.context)
        if self.context_box.options != tuple(stops):
            self.context_box.options = stops
        self.context_box.value = UNKNOWN if self.context is None else self.context
        self.context_box.disabled = budget_card.is_fixed(self.budget)
        counts = self.budget.by_state
        with self.show_box.hold_trait_notifications():
            self.show_box.options = [
                ("everything", "all"),
                *((f"{state} {number:,}", state) for state, number in counts.items()),
            ]
            self.show_box.value = self.show
        self._ready = True

    def _find(self) -> None:
        asked = choosing.split_words(self.search)
        self._found = [
            entry
            for entry in self.budget
            if self.show in ("all", entry.state)
            and all(word in choosing.fold(entry.name) for word in asked)
        ]
        self._page = min(self._page, max(len(self._found) - 1, 0) // PAGE * PAGE)
        self.show_box.value, self.search_box.value = self.show, self.search

    def _show_list(self) -> None:
        shown = self.shown
        places = {entry.name: place for place, entry in enumerate(self.budget)}
        asked = choosing.split_words(self.search)
        keys = {entry.name for entry in shown}
        before, after = self._page, len(self._found) - self._page - len(shown)
        with self.list.hold_sync():
            self.list.rows = [self._row(entry, places[entry.name], asked) for entry in shown]
            self.list.chosen = str(places[self.chosen]) if self.chosen in keys else ""
            self.list.before = f"Previous {min(PAGE, before):,}" if before else ""
            self.list.after = f"Next {min(PAGE, after):,}" if after else ""
            self.list.empty = "No skill of that kind." if self.budget.entries else "No skill here."
        said = in_words.of(len(shown), len(self.budget))
        if before:
            said = f"{before + 1:,} to {before + len(shown):,} of {len(self._found):,} shown"
        if self.budget.undescribed:
            said += f"; {len(self.budget.undescribed):,} without a description, in no list"
        anything = self.budget.entries or self.budget.undescribed
        self.count.show(note(said) if anything else Markup())

    def _row(self, entry: BudgetEntry, place: int, asked: list[str]) -> Row:
        told: list[str] = [entry.state]
        used = (self._usage or {}).get(entry.name)
        if used is not None and self.budget.host.ranks:
            told.append(f"used {float(used):,.10g}")
        title = choosing.marked(in_words.cut(entry.name, 200), asked)
        return row(str(place), title, budget_card.cost(entry, self.budget), told)

    def _show_skill(self) -> None:
        entry, own = self.entry, self._own_words()
        self.panes[SKILL].show(budget_card.one(entry, self.budget))
        self.tried.layout.display = "" if entry else "none"
        self._ready = False
        self.keep_box.max = len(own)
        self.keep_box.value = min(len(self.wording), len(own))
        self.wording_box.value = self.wording
        self._ready = True
        self.own_button.disabled = self.reworded is None
        self.effect.show(
            budget_card.rewording(entry, self.budget, self.reworded, self.wording)
            if entry
            else Markup()
        )

    # --- the static twin --------------------------------------------------------------------------

    def words(self) -> str:
        """Returns what is shown, as text."""
        return budget_card.words(self)

    def card(self) -> Markup:
        """Returns what is shown, as HTML."""
        return budget_card.card(self)


def _stops(context: int | None) -> list[tuple[str, int]]:
    """Returns the stops of the slider, with one for a context that is none of them."""
    sizes = sorted({*CONTEXTS, *([context] if context else [])})
    return [("unknown", UNKNOWN), *((f"{size:,}", size) for size in sizes)]
