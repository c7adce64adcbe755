"""Running tools for the simulator: without holding up the kernel, and a script only after a yes.

Imports ``base``, ``card`` and the records.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import ipywidgets

from skillbook.errors import told
from skillbook.model import printable
from skillbook.scripts import ScriptCommand
from skillbook.tool import Tool, ToolResult
from skillbook.widgets.elements.base import Pane, button, row_of
from skillbook.widgets.elements.parts import Status
from skillbook.widgets.simulator import card as simulator_card

QUIET = 0.3
"""Seconds after which a tool is said to run, with a button that stops it."""


class Done(Protocol):
    """What is called with a call and its result."""

    def __call__(self, wish: Wish, result: ToolResult, note: str = "") -> None:
        """Takes the result."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A call that somebody wants to make.

    Attributes:
        name: the name of the tool.
        tool: the tool.
        arguments: the arguments as they travel.
        args: what the tool gets.
        note: what a reader should know besides, or ``""``.
    """

    name: str
    tool: Tool
    arguments: str
    args: Any
    note: str = ""


def call_now(tool: Tool, args: Any) -> tuple[ToolResult, str]:
    """Calls a tool and waits; what a stranger's tool raises is an error result, with a note."""
    try:
        return _checked(tool.call(args)), ""
    except Exception as error:  # noqa: BLE001 - a stranger's tool: whatever it raises is shown
        return _raised(error)


def _checked(result: Any) -> ToolResult:
    return result if isinstance(result, ToolResult) else ToolResult(str(result))


def _raised(error: Exception) -> tuple[ToolResult, str]:
    return ToolResult(
        told(error), is_error=True
    ), "The tool raised this; a host would have to catch it."


class Runner:
    """Runs one tool at a time.

    Attributes:
        view: the question before the first run of a script; hidden while there is none.
        command: the command that waits for a yes or no, or None.
    """

    def __init__(self, status: Status, done: Done) -> None:
        """Makes a runner.

        Args:
            status: where it says that a tool runs.
            done: called with each result.
        """
        self.command: ScriptCommand | None = None
        self._status = status
        self._done = done
        self._waiting: Wish | None = None
        self._agreed: set[tuple[str, str]] = set()
        self._task: asyncio.Task[None] | None = None
        self.pane = Pane()
        self.yes = button("Run it", "Runs this command now", lambda: self.answer(True))
        self.no = button("Do not", "Does not run it", lambda: self.answer(False))
        self.view = ipywidgets.VBox((self.pane, row_of(self.yes, self.no)))
        self.view.add_class("skillbook-asking")
        self.view.layout.display = "none"

    def run(self, wish: Wish) -> None:
        """Makes a call; before the first run of a script it asks."""
        self.stop()
        if wish.tool.source != "script" or not isinstance(wish.args, Mapping):
            self._start(wish, wish.args)
            return
        asked: list[ScriptCommand] = []
        # Refused, it says what it would run; what cannot be run at all is answered right here.
        refusal, note = call_now(wish.tool, {**wish.args, "confirm": asked.append})
        if not asked:
            self._done(wish, refusal, note)
        elif (wish.name, asked[0].script) in self._agreed:
            self._start_script(wish, asked[0])
        else:
            self._ask(wish, asked[0])

    def _ask(self, wish: Wish, command: ScriptCommand) -> None:
        self._waiting, self.command = wish, command
        self.pane.show(simulator_card.question(command))
        self.view.layout.display = ""
        self._status.message = "A script waits for your word."

    def answer(self, yes: bool) -> None:
        """Answers the question.

        Args:
            yes: whether the script runs.
        """
        wish, command = self._waiting, self.command
        if wish is None or command is None:
            return
        self.unask()
        if yes:
            self._agreed.add((wish.name, command.script))
            self._start_script(wish, command)
        else:
            said = f"{printable(command.script)!r} was not run: it was not confirmed"
            self._done(wish, ToolResult(said, is_error=True))

    def unask(self) -> None:
        """Takes the question back."""
        self._waiting = self.command = None
        self.view.layout.display = "none"

    def stop(self) -> None:
        """Stops a tool that runs, and takes a question back."""
        self.unask()
        if self._task is not None and not self._task.done():
            self._task.cancel()
            self._status.message = "Stopped."
        self._task = None
        self._status.progress = -1.0

    def _start_script(self, wish: Wish, command: ScriptCommand) -> None:
        """Runs a script, if it is still the command that was shown."""
        self._start(wish, {**wish.args, "confirm": lambda now: now == command})

    def _start(self, wish: Wish, args: Any) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            result, note = call_now(wish.tool, args)
            self._done(wish, result, note)
            return
        self._task = loop.create_task(self._wait(wish, args))

    async def _wait(self, wish: Wish, args: Any) -> None:
        task = asyncio.ensure_future(wish.tool.execute(args))
        note = ""
        try:
            await asyncio.wait({task}, timeout=QUIET)
            if not task.done():
                self._status.progress = 0.0
                self._status.message = simulator_card.running(wish.name)
            result = _checked(await task)
        except asyncio.CancelledError:
            task.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - a stranger's tool
            result, note = _raised(error)
        self._status.progress = -1.0
        self._done(wish, result, note)
