"""What the tests of widgets share: recorded messages, widgets that are closed again, a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from explorers import TREE, Messages

from skillbook.widgets import SkillBrowser, explore
from trees import build


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> Messages:
    """What the widgets made from now on send to the front end."""
    import comm

    sent = Messages()

    class Recorder(comm.DummyComm):
        def publish_msg(self, msg_type: str, data: Any = None, *args: Any, **more: Any) -> None:
            sent.append((msg_type, data or {}))

    monkeypatch.setattr(comm, "create_comm", Recorder)
    return sent


@pytest.fixture
def browse() -> Iterator[Callable[..., SkillBrowser]]:
    """Makes explorers, and closes them at the end."""
    made: list[SkillBrowser] = []

    def one(what: Any = None) -> SkillBrowser:
        made.append(explore(what))
        return made[-1]

    yield one
    for browser in made:
        browser.close()


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Each test closes what it makes: no comm is left."""
    before = len(ipywidgets.widgets.widget._instances)
    yield
    assert len(ipywidgets.widgets.widget._instances) <= before


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder of three skills and one file that is skipped, by its relative path."""
    build(tmp_path / "skills", TREE)
    monkeypatch.chdir(tmp_path)
    return "skills"
