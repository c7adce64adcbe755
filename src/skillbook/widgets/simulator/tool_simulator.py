"""The tool simulator: play the model, call a tool, and read what comes back.

Imports ``calls``, ``card``, ``forms``, ``subject`` and the base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import ipywidgets
import traitlets

from skillbook.display import words as in_words
from skillbook.display.markup import Markup, shown
from skillbook.model import ALL, SkillInfo, printable
from skillbook.source import SkillInventory
from skillbook.tokens import CounterLike
from skillbook.tool import (
    DEFAULT_SAMPLE,
    Tool,
    ToolResult,
    check_sample_limit,
    not_found,
    skill_tool,
)
from skillbook.widgets.difference import Difference, compare
from skillbook.widgets.elements.base import (
    Frame,
    Pane,
    button,
    choice,
    control,
    row_of,
    side_by_side,
)
from skillbook.widgets.elements.counting import Counting
from skillbook.widgets.elements.forms import Form
from skillbook.widgets.elements.parts import Row, Rows, Status, row
from skillbook.widgets.limits import LIMITS, limit_words
from skillbook.widgets.simulator import call_forms, calls
from skillbook.widgets.simulator import card as simulator_card
from skillbook.widgets.simulator.call_pane import COMPARE, CallPane
from skillbook.widgets.simulator.calling import Runner, Wish, call_now
from skillbook.widgets.simulator.calls import Call
from skillbook.widgets.subject import Subject

PAGE = 200
"""Calls that the history shows at once."""


class ToolSimulator(Frame):
    """Calls tools as a model does, and shows what the model would read.

    Attributes:
        tool: the name of the tool that Run calls. Can be set and observed, like all that follows.
        arguments: the raw arguments that Run passes: JSON, or text that should have been.
        sample_limit: how many files an envelope lists (0 means 10, -1 leaves them out).
        shown: the number of the call that is shown, or 0.
        left: the number of the call at the left of the comparison, or 0.
        right: the number of the call at its right, or 0.
        form: how the call is written out: ``OpenAI``, ``Anthropic`` or ``MCP``.
        tools: the tools by name.
        skills: the skills of the ``skill`` tool; None where other tools were given.
        history: the calls, in order.
        asked_for_tokens: whether text and static twin say tokens, see :meth:`count`.
    """

    tool = traitlets.Unicode()
    arguments = traitlets.Unicode("{}")
    sample_limit = traitlets.Int()
    shown = traitlets.Int()
    left = traitlets.Int()
    right = traitlets.Int()
    form = traitlets.Enum(call_forms.FORMS, call_forms.FORMS[0])

    def __init__(self, what: Any = None, counter: CounterLike = None) -> None:
        """Makes a simulator.

        Args:
            what: a tool or several (also the pair of a skill wrapper); or what ``sb.explore``
                takes, for its ``skill`` tool: None, a path, several paths, a source, an inventory.
            counter: what counts the tokens, see ``sb.count_tokens``.

        Raises:
            TypeError, ValueError: when an argument is none of these.
        """
        self.history: list[Call] = []
        self.asked_for_tokens = False
        self._counting: Counting[int] = Counting(counter)
        self._first = 0
        self._form: Form | None = None
        self.skills: Mapping[str, SkillInfo] | None = None
        given = _tools(what)
        limit, title = 0, in_words.cut(", ".join(tool.name for tool in given), 80)
        if given:
            self.tools = _by_name(given)
        else:
            subject = Subject(what)
            self.skills, limit = subject.source.skills, subject.source.sample_limit
            self.tools = {"skill": skill_tool(self.skills, limit)}
            title = subject.title
        self.status = Status(stop=self.stop, title=title)
        self.tool_box = control(ipywidgets.Dropdown, "Tool", options=self._tool_options())
        self.about = Pane()
        self.fields = ipywidgets.VBox()
        self.fields.add_class("skillbook-fields-box")
        self.raw_box = control(
            ipywidgets.Textarea, "Arguments (raw JSON)", rows=3, value=self.arguments
        )
        self.raw_box.add_class("skillbook-raw")
        self.limits = choice("sample_limit", self._limit_options(limit), value=limit or 10)
        self.number_box = control(
            ipywidgets.BoundedIntText,
            "or a number",
            min=1,
            max=ALL,
            value=limit if limit > 0 else 10,
        )
        self.run_button = button("Run", "Calls the tool with these arguments", self.run)
        self.run_button.button_style = "primary"
        self.forget_button = button("Forget all", "Empties the history of calls", self.forget)
        self.runner = Runner(self.status, self._done)
        self.list = Rows("Calls", self._choose, self.turn, empty="Nothing was called yet.")
        self.pane = CallPane(self._counting, self._pressed)
        left = ipywidgets.VBox((self.list, row_of(self.forget_button)))
        left.add_class("skillbook-left")
        self._limit_row = row_of(self.limits, self.number_box)
        super().__init__(
            [
                self.status,
                row_of(self.tool_box),
                self.about,
                self.fields,
                self._limit_row,
                self.raw_box,
                row_of(self.run_button),
                self.runner.view,
                side_by_side(left, self.pane.view),
            ]
        )
        self.add_class("skillbook-simulator")
        self.sample_limit = limit
        self.tool = next(iter(self.tools))
        self._limit_row.layout.display = "" if self.skills is not None else "none"
        self.tool_box.layout.display = "" if len(self.tools) > 1 else "none"
        for box, name in (
            (self.tool_box, "tool"),
            (self.raw_box, "arguments"),
            (self.limits, "sample_limit"),
            (self.number_box, "sample_limit"),
        ):
            box.observe(lambda change, name=name: self._pressed(name, change["new"]), "value")
        self.observe(lambda _change: self._tool_chosen(), "tool")
        self.observe(lambda _change: self._arguments_set(), "arguments")
        self.observe(lambda _change: self._limit_set(), "sample_limit")
        self.observe(lambda _change: self._show_call(), "shown")
        self.observe(lambda _change: self._show_compared(), ["left", "right"])
        self.observe(lambda change: self.pane.show_form(change["new"]), "form")
        self._tool_chosen()
        self._show_history()
        self._show_call()

    # --- what can be asked ----------------------------------------------------------------------

    @property
    def shown_call(self) -> Call | None:
        """The call that is shown, or None."""
        return self._call(self.shown)

    @property
    def compared(self) -> tuple[Call, Call] | None:
        """The two calls that are compared, or None."""
        left, right = self._call(self.left), self._call(self.right)
        return (left, right) if left and right else None

    def _call(self, number: int) -> Call | None:
        return self.history[number - 1] if 0 < number <= len(self.history) else None

    def messages(self, form: str | None = None, number: int | None = None) -> list[dict[str, Any]]:
        """Returns a call as the messages in which it would travel, with the exact output.

        Args:
            form: ``OpenAI``, ``Anthropic`` or ``MCP``; None for the one that is chosen.
            number: the number of a call; None for the one that is shown.

        Returns:
            The message with the call and the one with the result; empty where such a call cannot
            be made in that form.

        Raises:
            ValueError: when there is no such form or call.
        """
        number = self.shown if number is None else number
        call = self._call(number)
        if call is None:
            what = f"there is no call {number}" if number else "no call is shown"
            raise ValueError(f"{what}; {self._how_many()}")
        return call_forms.written(form or self.form, call).messages

    def _how_many(self) -> str:
        return f"{in_words.count(len(self.history), 'call')} made so far"

    # --- what can be done -----------------------------------------------------------------------

    def call(self, tool: str, args: Any = None) -> ToolResult:
        """Calls a tool as Run does, waits for it, and adds it to the history.

        A call from code is not asked about: a script runs.

        Args:
            tool: the name of a tool; one that is not there gives an error result.
            args: its arguments, None for none; a text is taken for the JSON that a model wrote.

        Returns:
            The result.

        Raises:
            TypeError: when ``tool`` is no name.
        """
        if not isinstance(tool, str):
            raise TypeError(f"tool is of type {type(tool).__name__}; pass the name of a tool")
        args = {} if args is None else args
        arguments, note = args, ""
        if isinstance(args, str):
            args, note = calls.parse(args)
        else:
            arguments = calls.as_json(args)
        found = self._tool_named(tool)
        result, raised = call_now(found, args) if found else (self._no_tool(tool), "")
        self._add(tool, arguments, args, result, raised or note)
        return result

    def run(self) -> None:
        """Calls the chosen tool with the arguments as they stand; asks before a script's first run.

        In a notebook the result comes once the cell is done; ``call`` waits for it.
        """
        args, note = calls.parse(self.arguments)
        found = self._tool_named(self.tool)
        if found is None:
            self._add(self.tool, self.arguments, args, self._no_tool(self.tool), note)
        else:
            self.runner.run(Wish(self.tool, found, self.arguments, args, note))

    def answer(self, yes: bool) -> None:
        """Answers the question before the first run of a script.

        Args:
            yes: whether it runs.
        """
        self.runner.answer(yes)

    def stop(self) -> None:
        """Stops a tool that runs, and takes a question back."""
        self.runner.stop()

    def compare(self, left: int, right: int) -> Difference:
        """Sets two calls side by side.

        Args:
            left: the number of a call.
            right: the number of another.

        Raises:
            ValueError: when there is no such call.
        """
        self.left, self.right = left, right
        both = self.compared
        if both is None:
            raise ValueError(f"calls {left} and {right} are not both there; {self._how_many()}")
        self.pane.tabs.selected_index = COMPARE
        return compare(both[0].text, both[1].text)

    def forget(self) -> None:
        """Empties the history."""
        self.stop()
        self.shown = self.left = self.right = 0
        self.history.clear()
        self._counting.stop()
        self._counting.known.clear()
        self._first = 0
        self._show_history()
        self._show_call()
        self.status.message = ""

    def turn(self, step: int) -> None:
        """Shows another page of the history.

        Args:
            step: 1 for older calls, -1 for newer ones.
        """
        last = max(len(self.history) - 1, 0) // PAGE * PAGE
        self._first = min(max(self._first + step * PAGE, 0), last)
        self._show_list()

    def count(self) -> int:
        """Counts the tokens of all calls now; from then on text and static twin say them.

        Raises:
            SkillbookError: when they cannot be counted.
        """
        self.asked_for_tokens = True
        self._counting.now({call.number: call.text for call in self.history})
        self._show_tokens()
        return sum(self._counting.known.values())

    def close(self) -> None:
        """Closes the widget and all that it is made of; a tool that runs is stopped."""
        self.stop()
        self._counting.stop()
        super().close()

    # --- calling --------------------------------------------------------------------------------

    def _tool_named(self, name: str) -> Tool | None:
        if self.skills is not None and name == "skill":
            return skill_tool(self.skills, self.sample_limit)
        return self.tools.get(name)

    def _no_tool(self, name: str) -> ToolResult:
        return ToolResult(not_found(name, self.tools, "Tool"), is_error=True)

    def _done(self, wish: Wish, result: ToolResult, note: str = "") -> None:
        self._add(wish.name, wish.arguments, wish.args, result, note or wish.note)

    def _add(self, tool: str, arguments: str, args: Any, result: ToolResult, note: str) -> None:
        """Adds a call to the history and shows it."""
        limit = None
        if self.skills is not None and tool == "skill":
            limit = self.sample_limit or DEFAULT_SAMPLE
        call = calls.made(
            self.history,
            tool,
            printable(arguments),
            args=args,
            result=result,
            sample_limit=limit,
            note=note,
        )
        before = self.shown
        self.history.append(call)
        self._first = 0
        self._show_history()
        self.left, self.right = before, call.number
        self.shown = call.number
        state = "an error" if result.is_error else in_words.count(call.size, "character")
        self.status.message = f"Call {call.number} gave {state}."

    # --- handlers -------------------------------------------------------------------------------

    @traitlets.validate("sample_limit")
    def _is_limit(self, proposal: Any) -> int:
        return check_sample_limit(proposal["value"])

    @traitlets.validate("arguments", "tool")
    def _is_text(self, proposal: Any) -> str:
        return printable(proposal["value"])

    @traitlets.validate("shown", "left", "right")
    def _is_there(self, proposal: Any) -> int:
        number: int = proposal["value"]
        if not 0 <= number <= len(self.history):
            raise ValueError(f"there is no call {number}; {self._how_many()}")
        return number

    def _pressed(self, name: str, value: Any) -> None:
        if value is not None:
            setattr(self, name, value)

    def _choose(self, key: str) -> None:
        """Opens a call again: its result, and its tool, arguments and limit to change and run."""
        call = self._call(int(key)) if key.isdecimal() else None
        if call is None or call.number == self.shown:
            return
        self.shown = call.number
        self.runner.unask()
        if call.tool in self.tools:
            self.tool = call.tool
        self.arguments = call.arguments
        if call.sample_limit is not None:
            self.sample_limit = call.sample_limit

    def _tool_options(self) -> list[tuple[str, str]]:
        return [(shown(in_words.cut(name, 80)), name) for name in self.tools]

    def _tool_chosen(self) -> None:
        self.runner.unask()
        found = self.tools.get(self.tool)
        self.tool_box.value = self.tool if found else None
        names = {"name": sorted(self.skills)} if self.skills is not None and found else {}
        old, self._form = self._form, Form(found.input_schema if found else {}, self._typed, names)
        self.fields.children = tuple(each.control for each in self._form.fields)
        if old is not None:
            old.close()
        self.about.show(simulator_card.about(found, self._form.more))
        args, _ = calls.parse(self.arguments)
        self._form.show(args)

    def _typed(self) -> None:
        """Writes the raw arguments from the form."""
        if self._form is not None:
            self.arguments = calls.as_json(self._form.values())

    def _arguments_set(self) -> None:
        self.runner.unask()
        self.raw_box.value = self.arguments
        args, problem = calls.parse(self.arguments)
        if self._form is not None and args != self._form.values():
            self._form.show(args)
        self.status.message = problem

    def _limit_options(self, limit: int) -> list[tuple[str, int]]:
        limits = sorted({*LIMITS, limit or DEFAULT_SAMPLE})
        return [(limit_words(each), each) for each in limits]

    def _limit_set(self) -> None:
        limit = self.sample_limit or DEFAULT_SAMPLE
        if limit not in (value for _, value in self.limits.options):
            self.limits.options = self._limit_options(limit)
        self.limits.value = limit
        if 0 < limit < ALL:
            self.number_box.value = limit

    # --- showing --------------------------------------------------------------------------------

    def _show_history(self) -> None:
        self._show_facts()
        self.pane.offer(self.history[-PAGE:][::-1])
        self._show_list()
        self._counting.later({call.number: call.text for call in self.history}, self._show_tokens)

    def _show_facts(self) -> None:
        facts = simulator_card.facts(self)
        if self.history:
            facts.append(self._counting.said(*(call.number for call in self.history)))
        self.status.facts = facts

    def _show_tokens(self) -> None:
        self._show_facts()
        self._show_list()
        self.pane.show_tokens()
        if self._counting.problem:
            self.status.message = f"Tokens are not counted: {self._counting.problem}"

    def _show_list(self) -> None:
        newest = self.history[::-1]
        page = newest[self._first : self._first + PAGE]
        self.list.set_trait("rows", [self._row(call) for call in page])
        older = len(newest) - self._first - len(page)
        self.list.before = f"Newer {min(PAGE, self._first):,}" if self._first else ""
        self.list.after = f"Older {min(PAGE, older):,}" if older else ""

    def _row(self, call: Call) -> Row:
        told = ["error"] if call.result.is_error else []
        told.append(in_words.count(call.size, "character"))
        counted = self._counting.known.get(call.number)
        if counted is not None:
            told.append(in_words.count(counted, "token"))
        limit = call.sample_limit
        detail = [] if limit is None else [f"sample_limit {limit_words(limit)}"]
        detail.append(f"{in_words.count(call.so_far, 'character')} so far")
        title = f"{call.number}. {in_words.cut(call.said, 120)}"
        return row(str(call.number), title, " · ".join(detail), told)

    def _show_call(self) -> None:
        first = (len(self.history) - self.shown) // PAGE * PAGE if self.shown else 0
        if first != self._first:
            self._first = first
            self._show_list()
        self.list.chosen = str(self.shown) if self.shown else ""
        call = self.shown_call
        self.pane.show(call, self.tools.get(call.tool) if call else None)

    def _show_compared(self) -> None:
        self.pane.show_both(self.compared)

    def tokens_now(self, *counted: Call) -> str:
        """Returns the tokens of calls in words, counted now where they are not known."""
        return self._counting.said_now({call.number: call.text for call in counted})

    def saved_now(self) -> str:
        """Returns how the sizes of the compared calls differ, in words."""
        both = self.compared
        if both is None:
            return ""
        if not self.asked_for_tokens:
            return simulator_card.saved(*both, None, "")
        self.tokens_now(*both)
        return self.pane.saved(both)

    # --- the static twin ------------------------------------------------------------------------

    def words(self) -> str:
        """Returns what is shown, as text."""
        return simulator_card.words(self)

    def card(self) -> Markup:
        """Returns what is shown, as HTML."""
        return simulator_card.card(self)


def _by_name(tools: list[Tool]) -> dict[str, Tool]:
    found = {tool.name: tool for tool in tools}
    if len(found) < len(tools):
        names = [tool.name for tool in tools]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"several tools are called {', '.join(twice)}; no model could choose")
    return found


def _tools(what: Any) -> list[Tool]:
    """Returns the tools that were given; none where it is something else."""
    if isinstance(what, Tool):
        return [what]
    if isinstance(what, (str, SkillInventory, Mapping)) or not isinstance(what, Iterable):
        return []
    given = list(what)
    return given if given and all(isinstance(each, Tool) for each in given) else []
