"""The right side of the simulator: a call's result, the call as it travels, and two calls compared.

Only the tab that is seen is filled. Imports ``card``, ``counting`` and the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets

from skillbook.display.markup import Markup, shown
from skillbook.tool import Tool
from skillbook.widgets.elements.base import Pane, choice, control, row_of, scrolling
from skillbook.widgets.elements.counting import Counting
from skillbook.widgets.simulator import call_forms
from skillbook.widgets.simulator import card as simulator_card
from skillbook.widgets.simulator.calls import Call

TABS = ("Result", "As it travels", "Compare")
RESULT, TRAVELS, COMPARE = range(3)


class CallPane:
    """What is shown of a call.

    Attributes:
        view: the widget.
        call: the call that is shown, or None.
        tool: the tool that it called, or None.
        both: the two calls that are compared, or None.
        form: how the call is written out.
    """

    def __init__(self, counting: Counting[int], pressed: Callable[[str, Any], None]) -> None:
        """Makes an empty pane.

        Args:
            counting: the tokens of the calls, by number.
            pressed: called with ``form``, ``left`` or ``right`` and the value chosen for it.
        """
        self.call: Call | None = None
        self.tool: Tool | None = None
        self.both: tuple[Call, Call] | None = None
        self.form = call_forms.FORMS[0]
        self._counting = counting
        self._pressed = pressed
        self._filling = False
        self._offered: list[Call] = []
        self._filled: set[int] = set()
        self.head, self.result, self.written, self.compared = Pane(), Pane(), Pane(), Pane()
        self.form_box = choice("Form", [(name, name) for name in call_forms.FORMS])
        self.left_box = control(ipywidgets.Dropdown, "Left", options=[("none", 0)])
        self.right_box = control(ipywidgets.Dropdown, "Right", options=[("none", 0)])
        for box, name in (
            (self.form_box, "form"),
            (self.left_box, "left"),
            (self.right_box, "right"),
        ):
            box.observe(lambda change, name=name: self._chosen(name, change["new"]), "value")
        self.tabs = ipywidgets.Tab(
            children=(
                ipywidgets.VBox((self.head, self.result)),
                ipywidgets.VBox((row_of(self.form_box), self.written)),
                ipywidgets.VBox((row_of(self.left_box, self.right_box), self.compared)),
            ),
            titles=TABS,
            selected_index=RESULT,
        )
        self.tabs.observe(lambda _change: self.fill(), "selected_index")
        self.view = scrolling(self.tabs)
        self.view.add_class("skillbook-right")

    def show(self, call: Call | None, tool: Tool | None) -> None:
        """Shows a call."""
        self.call, self.tool = call, tool
        self._filled -= {RESULT, TRAVELS}
        self.fill()

    def show_form(self, form: str) -> None:
        """Writes the call out in another form."""
        self.form = form
        self.form_box.value = form
        self._filled.discard(TRAVELS)
        self.fill()

    def show_both(self, both: tuple[Call, Call] | None) -> None:
        """Sets two calls side by side."""
        self.both = both
        self._fill_boxes()
        self._filled.discard(COMPARE)
        self.fill()

    def offer(self, calls: Sequence[Call]) -> None:
        """Offers calls to compare."""
        self._offered = list(calls)
        self._fill_boxes()

    def _fill_boxes(self) -> None:
        """Fills the boxes with what is offered, and with the two that are compared."""
        chosen = self.both or (None, None)
        for box, call in zip((self.left_box, self.right_box), chosen, strict=True):
            calls = (
                self._offered if call is None or call in self._offered else [*self._offered, call]
            )
            options = [(shown(simulator_card.label(each)), each.number) for each in calls]
            self._filling = True
            try:
                with box.hold_sync():
                    box.options = options or [("none", 0)]
                    box.value = call.number if call else None
            finally:
                self._filling = False

    def _chosen(self, name: str, value: Any) -> None:
        if not self._filling:
            self._pressed(name, value)

    def show_tokens(self) -> None:
        """Shows the numbers of tokens that were counted since."""
        if RESULT in self._filled:
            self._show_head()
        self._filled.discard(COMPARE)
        self.fill()

    def fill(self) -> None:
        """Fills the tab that is seen, once for each call."""
        number = self.tabs.selected_index
        if number is None or number in self._filled:
            return
        self._filled.add(number)
        if number == COMPARE:
            self.compared.show(
                simulator_card.side_by_side(*self.both, self.saved(self.both))
                if self.both
                else simulator_card.too_few()
            )
        elif self.call is None:
            self.head.show(Markup())
            place = self.result if number == RESULT else self.written
            place.show(simulator_card.nothing())
        elif number == TRAVELS:
            self.written.show(simulator_card.travels(self.call, self.tool, self.form))
        else:
            self._show_head()
            self.result.show(simulator_card.result(self.call))

    def _show_head(self) -> None:
        if self.call is not None:
            said = self._counting.said(self.call.number)
            self.head.show(simulator_card.head(self.call, said))

    def saved(self, both: tuple[Call, Call]) -> str:
        """Returns how the sizes of two calls differ, in words; in tokens where they are known."""
        known = [self._counting.known.get(call.number) for call in both]
        if known[0] is None or known[1] is None:
            return simulator_card.saved(*both, None, "")
        return simulator_card.saved(*both, (known[0], known[1]), self._counting.name)
