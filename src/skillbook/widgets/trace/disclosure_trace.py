"""The disclosure trace: a session stepped forward and back, and the context window filling.

Imports ``steps``, ``card``, ``bars`` and the base.
"""

from __future__ import annotations

import asyncio
from typing import Any

import ipywidgets
import traitlets

from skillbook.comparison import Comparison
from skillbook.disclosure import Entry, Session
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, note
from skillbook.errors import SkillbookError, told
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
from skillbook.widgets.elements.work import later
from skillbook.widgets.trace import card as trace_card
from skillbook.widgets.trace.steps import Moment, Steps

PAGE = 200
"""Messages that the list shows at once."""

EAGER = 200
"""Skills up to which the other ways are counted at once; beyond, when it is asked for."""

SCALES = ("window", "close")


class DisclosureTrace(Frame):
    """A session, stepped forward and back: each message, and how full the context window gets.

    The session is shown as it was when the trace was made; :meth:`refresh` shows what was played
    since. Of a step to come, its name is shown and not what it costs.

    Attributes:
        session: the session.
        step: the step that is shown; 0 is the empty context. Can be set and observed, like what
            follows.
        opened: the place of the message that is opened, from 0, or None.
        scale: what the bars are drawn against: ``window``, the whole context window, or ``close``,
            the largest of what is compared.
    """

    step = traitlets.Int()
    opened = traitlets.Int(None, allow_none=True)
    scale = traitlets.Enum(SCALES, SCALES[0])
    _task: asyncio.Task[None] | None = None

    def __init__(self, session: Session, step: int | None = None) -> None:
        """Makes a trace.

        Args:
            session: the session; it is not changed.
            step: the step to show first; None is the first one that was played.

        Raises:
            TypeError: when ``session`` is no session.
            traitlets.TraitError: when ``step`` is no whole number.
            ValueError: when there is no such step.
        """
        if not isinstance(session, Session):
            raise TypeError(f"session is {type(session).__name__}; pass sb.Session(source)")
        self.session = session
        self._steps = Steps(session)
        self._moment = self._steps.at(0)
        self._first = 0
        self.status = Status(title="Disclosure trace")
        self.first_button = button("First", "Goes to the empty context", lambda: self.go(0))
        self.back_button = button("Back", "Goes one step back", self.back)
        self.forward_button = button("Forward", "Goes one step forward", self.forward)
        self.last_button = button("Last", "Goes to the last step", lambda: self.go(self.last))
        self.slider = control(ipywidgets.IntSlider, "Step", min=0, max=self.last)
        self.slider.add_class("skillbook-slider")
        self.scale_box = choice("Bars", [("whole window", "window"), ("up close", "close")])
        self.compare_button = button(
            "Compare", "Counts every body and every file for the other ways", self._compare_later
        )
        self.refresh_button = button("Refresh", "Shows what was played since", self.refresh)
        self.bars = Bars()
        self.problems = Pane()
        self.list = Rows("Messages", self._choose, self.turn, empty="No message yet.")
        self.count = Pane()
        self.pane = Pane()
        super().__init__(
            [
                self.status,
                row_of(
                    self.first_button,
                    self.back_button,
                    self.forward_button,
                    self.last_button,
                    self.slider,
                    self.scale_box,
                    self.compare_button,
                    self.refresh_button,
                ),
                self.bars,
                self.problems,
                side_by_side(ipywidgets.VBox((self.list, self.count)), scrolling(self.pane)),
            ]
        )
        self.add_class("skillbook-trace")
        try:
            self._compare_few()
            self.step = min(1, self.last) if step is None else step
        except Exception:
            self.close()
            raise
        self.slider.observe(lambda change: self.go(change["new"]), "value")
        self.scale_box.observe(lambda change: self._scaled(change["new"]), "value")
        self.observe(lambda _change: self._stepped(), "step")
        self.observe(lambda _change: self._opened(), "opened")
        self.observe(lambda _change: self._show_bars(), "scale")
        self._stepped()

    # --- what can be asked ------------------------------------------------------------------------

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All messages, those to come too."""
        return self._steps.entries

    @property
    def last(self) -> int:
        """The number of the last step; 0 where nothing was played."""
        return self._steps.last

    @property
    def moment(self) -> Moment:
        """What stands in the context at the step that is shown."""
        return self._moment

    @property
    def total(self) -> int:
        """Tokens in the context at the step that is shown."""
        return self._moment.total

    @property
    def comparison(self) -> Comparison | None:
        """The session beside the other ways at this step.

        None where they are not counted, and before the first step.
        """
        return self.others if self.step else None

    @property
    def others(self) -> Comparison | None:
        """As :attr:`comparison`; before the first step, nothing is in the context of any way."""
        return self._steps.comparison(self.step)

    @property
    def shown(self) -> range:
        """The places of the messages on the page of the list that is shown."""
        return range(self._first, min(self._first + PAGE, len(self.entries)))

    def taken_out(self, place: int) -> tuple[Entry, ...]:
        """Returns the messages that the unloading at a place takes out of the context."""
        return self._steps.taken_out(place)

    # --- what can be done -------------------------------------------------------------------------

    def go(self, step: int) -> None:
        """Goes to a step.

        Raises:
            ValueError: when there is no such step.
        """
        self.step = step

    def forward(self) -> None:
        """Goes one step forward."""
        if self.step >= self.last:
            self.status.message = "This is the last step."
        else:
            self.step += 1

    def back(self) -> None:
        """Goes one step back."""
        if self.step <= 0:
            self.status.message = "The context is empty: there is nothing before."
        else:
            self.step -= 1

    def turn(self, by: int) -> None:
        """Shows another page of the list.

        Args:
            by: 1 for the next, -1 for the one before.
        """
        last = max(len(self.entries) - 1, 0) // PAGE * PAGE
        self._first = min(max(self._first + by * PAGE, 0), last)
        self._show_list()

    def compare(self) -> Comparison | None:
        """Counts the other ways now, and shows them.

        Raises:
            SkillbookError: when they cannot be counted.
        """
        self._steps.count_others()
        self._show_bars()
        return self.comparison

    def refresh(self) -> None:
        """Shows what was played since; a trace at its last step goes on to the new one."""
        before, was_last = self.last, self.step == self.last
        if self._steps.entries == self.session.entries:
            self.status.message = "Nothing new."
            return
        self._stop()
        self._steps = self._steps.renewed()
        self._compare_few()
        self.slider.max = self.last
        if was_last and self.last != self.step:
            self.step = self.last
        else:
            self._stepped()
        self.status.message = f"{in_words.count(self.last - before, 'new step')}."

    def close(self) -> None:
        """Closes the widget and all that it is made of."""
        self._stop()
        super().close()

    # --- handlers ---------------------------------------------------------------------------------

    @traitlets.validate("step")
    def _is_step(self, proposal: Any) -> int:
        step: int = proposal["value"]
        if not 0 <= step <= self.last:
            raise ValueError(f"step is {step}; there are the steps 0 to {self.last}")
        return step

    @traitlets.validate("opened")
    def _is_message(self, proposal: Any) -> int | None:
        place: int | None = proposal["value"]
        if place is not None and not 0 <= place < len(self.entries):
            raise ValueError(f"opened is {place}; the messages are 0 to {len(self.entries) - 1}")
        return place

    def _choose(self, key: str) -> None:
        """Opens a message; one to come is gone to."""
        if key.isdecimal() and int(key) < len(self.entries):
            self.opened = int(key)

    def _scaled(self, scale: str | None) -> None:
        if scale is not None:
            self.scale = scale

    def _stepped(self) -> None:
        self._moment = self._steps.at(self.step)
        self.slider.value = self.step
        self.status.facts = trace_card.facts(self)
        self.status.message = trace_card.said(self)
        self._show_bars()
        place = self._steps.first_of(self.step)
        opened = self.opened
        if opened is None or place is None or self.entries[opened].step != self.step:
            self.opened = place
        self._show_opened()

    def _opened(self) -> None:
        if self.opened is not None and self.entries[self.opened].step > self.step:
            self.step = self.entries[self.opened].step
        else:
            self._show_opened()

    # --- the other ways ---------------------------------------------------------------------------

    def _compare_few(self) -> None:
        if self.entries and len(self.session.source) <= EAGER:
            self._steps.count_others()

    def _compare_later(self) -> None:
        self._stop()
        steps = self._steps
        self.status.message = "Counting every body and every file."

        def count() -> str:
            try:
                steps.count_others()
            except SkillbookError as error:
                return str(error)
            except Exception as error:  # noqa: BLE001 - a user's own counter: it is told
                return told(error)
            return trace_card.said(self)

        self._task = later(count, self._compared)
        if self._task is None:
            self._compared(count())

    def _compared(self, told: str) -> None:
        self.status.message = told
        self._show_bars()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    # --- showing ----------------------------------------------------------------------------------

    def _show_bars(self) -> None:
        self.scale_box.value = self.scale
        self.bars.bars = trace_card.bars(self)
        missed = self.comparison.problems if self.comparison else ()
        self.problems.show(trace_card.problems(missed) if missed else Markup())
        self.problems.layout.display = "" if missed else "none"
        wanted = bool(self.entries) and not self._steps.is_compared
        self.compare_button.layout.display = "" if wanted else "none"

    def _show_opened(self) -> None:
        place = self.opened if self.opened is not None else 0
        if place not in self.shown:
            self._first = place // PAGE * PAGE
        self._show_list()
        if self.opened is not None:
            self.pane.show(trace_card.message(self, self.opened))
        else:
            self.pane.show(note(trace_card.NOTHING if self.entries else trace_card.said(self)))

    def _show_list(self) -> None:
        shown = self.shown
        with self.list.hold_sync():
            self.list.rows = [self._row(place) for place in shown]
            self.list.chosen = str(self.opened) if self.opened in shown else ""
            before, after = shown.start, len(self.entries) - shown.stop
            self.list.before = f"Previous {min(PAGE, before):,}" if before else ""
            self.list.after = f"Next {min(PAGE, after):,}" if after > 0 else ""
        said = f"{in_words.count(len(self.entries), 'message')}"
        if len(shown) < len(self.entries):
            said = f"{shown.start + 1:,} to {shown.stop:,} of {said}"
        self.count.show(note(said) if self.entries else Markup())

    def _row(self, place: int) -> Row:
        told = trace_card.states(self, place)
        return row(
            str(place),
            trace_card.label(self.entries[place]),
            trace_card.cost(self, place),
            told,
        )

    # --- the static twin --------------------------------------------------------------------------

    def words(self) -> str:
        """Returns what is shown, as text."""
        return trace_card.words(self)

    def card(self) -> Markup:
        """Returns what is shown, as HTML."""
        return trace_card.card(self)
