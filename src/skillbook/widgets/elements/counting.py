"""Counting tokens for a widget: in a thread, so that the first picture does not wait.

Imports ``tokens`` and ``work``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from skillbook import tokens
from skillbook.display import words
from skillbook.errors import SkillbookError, told
from skillbook.tokens import CounterLike
from skillbook.widgets.elements.work import later

Key = TypeVar("Key")


class Counting(Generic[Key]):
    """The tokens of some texts, by key.

    Attributes:
        known: what was counted.
        problem: why nothing can be counted, or ``""``.
    """

    def __init__(self, counter: CounterLike = None) -> None:
        self.known: dict[Key, int] = {}
        self.problem = ""
        self._counter = counter
        self._wanted: Mapping[Key, str] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """What counts."""
        return tokens.as_counter(self._counter).name

    def now(self, texts: Mapping[Key, str]) -> None:
        """Counts what is not known yet, now.

        Raises:
            SkillbookError: when it cannot be counted.
        """
        missing = {key: text for key, text in texts.items() if key not in self.known}
        self.known |= self._count(missing)

    def said_now(self, texts: Mapping[Key, str]) -> str:
        """Returns the tokens of texts in words, counted now; where that fails, says so."""
        try:
            self.now(texts)
        except Exception as error:  # noqa: BLE001 - a repr never raises
            self.problem = _why(error)
        return self.said(*texts)

    def _count(self, texts: Mapping[Key, str]) -> dict[Key, int]:
        counter = tokens.as_counter(self._counter)
        return {key: counter(text) for key, text in texts.items()}

    def later(self, texts: Mapping[Key, str], show: Callable[[], None]) -> None:
        """Counts in a thread what is not known yet, then calls ``show``.

        What was asked for before and not counted yet is dropped.
        """
        self.stop()
        wanted = {key: text for key, text in texts.items() if key not in self.known}
        if not wanted:
            return
        self._wanted = wanted

        def counted() -> dict[Key, int] | str:
            if self._wanted is not wanted:  # something else was asked for since
                return {}
            try:
                return self._count(wanted)
            except Exception as error:  # noqa: BLE001 - a counter of the user's may raise anything
                return _why(error)

        def done(found: dict[Key, int] | str) -> None:
            if isinstance(found, str):
                self.problem = found
            else:
                self.known |= found
            show()

        self._task = later(counted, done)

    def stop(self) -> None:
        """Drops what was asked for."""
        self._wanted = {}
        if self._task is not None:
            self._task.cancel()

    def said(self, *keys: Key) -> str:
        """Returns the tokens of texts together, in words, with the counter's name."""
        if self.problem:
            return "tokens not counted"
        if any(key not in self.known for key in keys):
            return "… tokens"
        return f"{words.count(sum(self.known[key] for key in keys), 'token')} ({self.name})"


def _why(error: Exception) -> str:
    return str(error) if isinstance(error, SkillbookError) else told(error)
