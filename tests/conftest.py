"""What several test modules share: folders of real skills, ordinary users, watched reads."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
NOBODY = 65534

settings.register_profile(
    "skillbook",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "skillbook"))


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The checkout's own folder, which is the working folder during the test."""
    monkeypatch.chdir(ROOT)
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real skills: ``SKILLBOOK_CORPUS``, or ``../shared/corpus``."""
    named = os.environ.get("SKILLBOOK_CORPUS")
    folder = Path(named) if named else ROOT.parent / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip(f"the folder of real skills is not there: {folder} (set SKILLBOOK_CORPUS)")
    return folder


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A new folder that every user can reach; pytest's own is closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="skillbook-"))
    folder.chmod(0o755)
    yield folder
    for path, names, _files in os.walk(folder):
        for name in names:
            below = Path(path, name)
            if not below.is_symlink():
                below.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def ordinary_user() -> Callable[[], AbstractContextManager[None]]:
    """Gives a block in which the process has an ordinary user's rights (root reads all)."""

    @contextmanager
    def block() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return block


class Watch:
    """What the process did with the disk while it was watched."""

    def __init__(self) -> None:
        self.active = False
        self.opened: list[str] = []
        self.walked: list[str] = []

    def hear(self, event: str, args: tuple[object, ...]) -> None:
        """Notes one audit event of the interpreter."""
        if self.active and event in ("open", "os.scandir", "os.listdir"):
            what = args[0]
            if isinstance(what, (str, bytes, os.PathLike)):
                (self.opened if event == "open" else self.walked).append(os.fsdecode(what))


_WATCH = Watch()
_HEARD: list[bool] = []


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Notes each path that is opened or scanned while the test runs."""
    if not _HEARD:
        sys.addaudithook(_WATCH.hear)  # a hook cannot be taken off again, so there is one
        _HEARD.append(True)
    _WATCH.opened, _WATCH.walked, _WATCH.active = [], [], True
    yield _WATCH
    _WATCH.active = False


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The size of each read by ``os.read`` (which is how skills are read)."""
    sizes: list[int] = []
    read = os.read

    def counted(fd: int, size: int, /) -> bytes:
        data = read(fd, size)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(os, "read", counted)
    return sizes
