"""Work that takes long: in slices between which the kernel answers, or in a thread.

Where no event loop runs (a plain Python program, a test), work in slices is done at once, and
work in a thread is left until somebody asks for it. Imports nothing of ours but ``parts``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from skillbook.widgets.elements.parts import Status

T = TypeVar("T")

SLICE = 0.04
"""Seconds after which work makes room for what else the kernel was asked."""

QUIET = 0.3
"""Seconds after which progress is shown, so that short work shows none."""


class Work:
    """Long work, given as an iterator that yields how far it is, from 0 to 1."""

    def __init__(
        self,
        steps: Iterator[float],
        status: Status,
        doing: str,
        done: Callable[[], None],
        stopped: Callable[[], None],
    ) -> None:
        """Makes the work ready; nothing is done yet.

        Args:
            steps: a generator that does the work.
            status: where progress is shown.
            doing: what is done, in words, such as ``Reading bodies``.
            done: called at the end.
            stopped: called when the kernel's stop button ended it.
        """
        self._steps = steps
        self._status = status
        self._doing = doing
        self._done = done
        self._stopped = stopped
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Does the work in slices between other things; at once where no event loop runs."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.finish()
            return
        self._task = loop.create_task(self._slices())

    def finish(self) -> None:
        """Does the work now; the stop button of the kernel ends it."""
        try:
            for _ in self._parts():
                pass
        except KeyboardInterrupt:
            self._stopped()
        else:
            self._end()

    def stop(self) -> None:
        """Stops the work; what it found so far is dropped."""
        if self._task is not None:
            self._task.cancel()
        self._status.progress = -1.0

    async def _slices(self) -> None:
        for _ in self._parts():
            await asyncio.sleep(0.001)
        self._end()

    def _parts(self) -> Iterator[None]:
        """Yields at the end of each slice."""
        begun = time.monotonic()
        last = begun
        for share in self._steps:
            now = time.monotonic()
            if now - last < SLICE:
                continue
            if now - begun > QUIET:
                self._status.progress = share
                self._status.message = f"{self._doing}: {share:.0%}."
            last = now
            yield

    def _end(self) -> None:
        self._status.progress = -1.0
        self._done()


def later(compute: Callable[[], T], show: Callable[[T], Any]) -> asyncio.Task[None] | None:
    """Computes in a thread once the kernel is free, then shows the result in the main thread.

    Returns:
        The task, which may be cancelled; None where no event loop runs and nothing is done.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return None

    async def wait() -> None:
        show(await loop.run_in_executor(None, compute))

    return loop.create_task(wait())
