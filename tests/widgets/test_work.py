"""Long work: at once, in slices, stopped; and what is computed in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from skillbook.widgets.elements import work
from skillbook.widgets.elements.parts import Status
from skillbook.widgets.elements.work import Work, later


@pytest.fixture
def status() -> Iterator[Status]:
    """A status line."""
    made = Status()
    yield made
    made.close()
    made.layout.close()


def steps(
    done: list[float], number: int = 4, error: BaseException | None = None
) -> Iterator[float]:
    """Does nothing in some steps, and notes each."""
    for step in range(1, number + 1):
        if error and step == number:
            raise error
        done.append(step / number)
        yield step / number


def test_without_a_loop_work_is_done_at_once(status: Status) -> None:
    """Where no event loop runs, start does the whole work before it returns."""
    done: list[float] = []
    ended: list[bool] = []
    Work(steps(done), status, "Reading", lambda: ended.append(True), lambda: None).start()
    assert (done, ended) == ([0.25, 0.5, 0.75, 1.0], [True])
    assert status.progress == -1.0


def test_in_a_loop_work_makes_room(status: Status, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a running loop other things happen between two slices."""
    monkeypatch.setattr(work, "SLICE", 0.0)
    done: list[float] = []
    seen: list[int] = []

    async def run() -> None:
        ended = asyncio.Event()
        Work(steps(done), status, "Reading", ended.set, lambda: None).start()
        while not ended.is_set():
            seen.append(len(done))
            await asyncio.sleep(0)

    asyncio.run(run())
    assert seen[0] == 0
    assert len(set(seen)) > 1
    assert len(done) == 4


def test_stopped_work_ends_nothing(status: Status, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is stopped goes no further and is not taken for done."""
    monkeypatch.setattr(work, "SLICE", 0.0)
    done: list[float] = []
    ended: list[bool] = []

    async def run() -> None:
        job = Work(steps(done), status, "Reading", lambda: ended.append(True), lambda: None)
        job.start()
        await asyncio.sleep(0)
        job.stop()
        await asyncio.sleep(0.01)

    asyncio.run(run())
    assert len(done) < 4
    assert ended == []


def test_progress_is_shown_in_words(status: Status, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work says what it does and how far it is; short work shows nothing."""
    monkeypatch.setattr(work, "SLICE", 0.0)
    monkeypatch.setattr(work, "QUIET", 0.0)
    said: list[str] = []
    status.observe(lambda change: said.append(change["new"]), "message")
    Work(steps([]), status, "Reading bodies", lambda: None, lambda: None).finish()
    assert "Reading bodies: 50%." in said
    assert status.progress == -1.0


def test_the_kernels_stop_button_does_no_harm(status: Status) -> None:
    """An interrupt ends the work, says so to its owner, and is not raised."""
    stopped: list[bool] = []
    interrupted = steps([], error=KeyboardInterrupt())
    Work(interrupted, status, "Reading", lambda: None, lambda: stopped.append(True)).finish()
    assert stopped == [True]


def test_later_computes_in_a_thread() -> None:
    """What takes long is computed beside the main thread and shown in it."""
    threads: list[int] = []
    shown: list[tuple[str, int]] = []

    def compute() -> str:
        threads.append(threading.get_ident())
        return "done"

    async def run() -> None:
        task = later(compute, lambda said: shown.append((said, threading.get_ident())))
        assert task is not None
        await task

    asyncio.run(run())
    assert shown == [("done", threading.get_ident())]
    assert threads != [threading.get_ident()]


def test_later_without_a_loop_does_nothing() -> None:
    """In a plain program nothing is counted that nobody asked for."""
    assert later(lambda: 1 / 0, lambda _: None) is None
