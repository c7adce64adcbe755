"""Imported sources on the disk, by owner, repository, ref and path.

A source is filled in a temporary folder beside the others and moved in whole, so that an import
that breaks off leaves nothing, and two at once do no harm. Each import has a tree of its own; the
record names the one that serves, so that one replaced file is the whole update. Imports the references and the errors
of kits; ``platformdirs`` is loaded when no folder was given.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from skillbook import disk
from skillbook.errors import MissingDependency
from skillbook.kits.github.references import Reference
from skillbook.model import Notice, Root

RECORD = "source.json"
TREE = "tree"

_ROOM = ".importing-"
_TREE_NAME = re.compile(rf"{TREE}-\w+")
_STALE = 24 * 3600
"""Seconds after which a temporary folder is one that a killed process left behind."""

_MOST = 10_000_000
_TRIES = 10
_AGAIN = "import it again, or remove it"
_GONE = f"its files are gone; {_AGAIN}"
_DAMAGED = f"its record is damaged; {_AGAIN}"


@dataclass(frozen=True, slots=True)
class Held:
    """One imported source.

    Attributes:
        reference: what was imported.
        commit: the commit, or None where the archive did not say.
        folder: the absolute path of its files.
        left_out: paths that were left out, each with the reason.
    """

    reference: Reference
    commit: str | None
    folder: str
    left_out: tuple[tuple[str, str], ...] = ()


class Cache:
    """The folder that holds what was imported."""

    def __init__(self, given: str | os.PathLike[str] | None) -> None:
        """Makes it; nothing is read or written yet.

        Args:
            given: the folder, or None for the platform's cache folder.
        """
        self.given = None if given is None else os.path.expanduser(os.fspath(given))
        self._path: Path | None = None

    @property
    def path(self) -> Path:
        """The absolute path of the folder, which may not be there yet."""
        if self._path is None:
            self._path = Path(os.path.abspath(self.given)) if self.given else _platform_folder()
        return self._path

    def entry(self, reference: Reference) -> Path:
        """Returns where a source lies, or would lie."""
        return self.path.joinpath(
            quote(reference.owner.lower(), safe=""),
            quote(reference.repo.lower(), safe=""),
            _name(reference.ref) if reference.ref else "@default",  # as no quoted name begins
            _name(reference.path) if reference.path else "@all",
        )

    def held(self, reference: Reference) -> Held | None:
        """Returns a source that was imported, or None."""
        found = _read(self.entry(reference))
        same = isinstance(found, Held) and (found.reference.ref, found.reference.path) == (
            reference.ref,
            reference.path,
        )
        return found if same and isinstance(found, Held) else None

    def is_damaged(self, reference: Reference) -> bool:
        """Returns whether something lies in a source's place that gives no source."""
        entry = self.entry(reference)
        return entry.is_dir() and not isinstance(_read(entry), Held)

    def all(self) -> tuple[list[Held], list[Notice]]:
        """Returns every source that was imported, in order, and what is none."""
        found: list[Held] = []
        notices: list[Notice] = []
        for entry in sorted(self.path.glob("[!.]*/*/*/*")):
            if not entry.is_dir():
                continue
            one = _read(entry)
            if isinstance(one, Held):
                found.append(one)
            else:
                root = Root("github-cache", str(self.path))
                notices.append(Notice(str(entry), "broken-import", one, root=root))
        return sorted(found, key=lambda one: str(one.reference)), notices

    @contextmanager
    def room(self) -> Iterator[Path]:
        """Gives a temporary folder beside the sources, which goes at the end, come what may."""
        self.path.mkdir(0o755, parents=True, exist_ok=True)
        _sweep(self.path)
        room = Path(tempfile.mkdtemp(prefix=_ROOM, dir=self.path))
        try:
            yield room
        finally:
            shutil.rmtree(room, ignore_errors=True)

    def move_in(self, room: Path, held: Held, *, replace: bool) -> None:
        """Moves what a room holds (``tree``) to its place, and lets the record name it.

        Args:
            room: the temporary folder.
            held: what is known of the source.
            replace: whether what lies there goes; where not, what another process moved in
                meanwhile stays.

        Raises:
            OSError: when the disk refuses.
        """
        tree = f"{TREE}-{room.name.removeprefix(_ROOM)}"
        new = room / "new"
        new.mkdir(0o755)
        os.rename(room / TREE, new / tree)
        record = json.dumps(_to_json(held, tree), indent=1)
        (new / RECORD).write_text(record, encoding="utf-8")
        entry = self.entry(held.reference)
        for number in range(_TRIES):
            with suppress(FileExistsError):  # no folder: a file lies there, and the rename says so
                for above in list(entry.parents)[2::-1]:
                    above.mkdir(0o755, exist_ok=True)
            with suppress(OSError):
                os.rename(new, entry)  # where nothing lies there yet
                return
            if not replace and isinstance(_read(entry), Held):
                return
            try:
                _switch(entry, new, tree, room / "old")
            except FileNotFoundError:  # another process removed the source meanwhile
                if number == _TRIES - 1 or not (new / tree).exists():
                    raise
            else:
                return

    def remove(self, reference: Reference) -> None:
        """Removes a source, and the folders above it that it leaves empty.

        Raises:
            OSError: when the disk refuses.
        """
        entry = self.entry(reference)
        with self.room() as room:
            os.rename(entry, room / "gone")  # gone at once, whole
        for above in list(entry.parents)[:3]:
            with suppress(OSError):
                above.rmdir()


def _switch(entry: Path, new: Path, tree: str, old: Path) -> None:
    """Puts a tree beside the one that serves, switches by one replaced record, removes the old.

    A tree that another process left beside them goes when it is a day old.
    """
    before = _read(entry)
    os.rename(new / tree, entry / tree)
    try:
        os.replace(new / RECORD, entry / RECORD)
    except BaseException:
        with suppress(OSError):
            os.rename(entry / tree, new / tree)
        raise
    old.mkdir()
    for other in entry.glob(f"{TREE}*"):
        with suppress(OSError):  # another process was quicker
            serves = isinstance(before, Held) and str(other) == before.folder
            stale = time.time() - other.stat().st_mtime > _STALE
            if other.name != tree and (serves or stale):
                os.rename(other, old / other.name)  # gone at once, whole


def _platform_folder() -> Path:
    try:
        import platformdirs  # noqa: PLC0415 - only where no folder was given
    except ImportError:
        raise MissingDependency(
            "the cache folder needs platformdirs: pip install platformdirs, or pass cache_dir="
        ) from None
    return Path(platformdirs.user_cache_path("skillbook", appauthor=False)) / "github"


def _name(text: str) -> str:
    """Returns a ref or path as one folder's name: short, and apart from its likes in any case."""
    plain = quote(text, safe="")
    # A name that a system would read otherwise, or that differs from another in case alone.
    if len(plain) > 80 or plain != plain.lower() or plain.endswith("."):
        return f"{plain[:80].rstrip('.').lower()}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return plain


def _sweep(cache: Path) -> None:
    """Removes the temporary folders that killed processes left behind."""
    for room in cache.glob(f"{_ROOM}*"):
        with suppress(OSError):
            if time.time() - room.stat().st_mtime > _STALE:
                shutil.rmtree(room, ignore_errors=True)


def _to_json(held: Held, tree: str) -> dict[str, Any]:
    reference = held.reference
    return {
        "owner": reference.owner,
        "repo": reference.repo,
        "ref": reference.ref,
        "path": reference.path,
        "commit": held.commit,
        "left_out": held.left_out,
        "tree": tree,
    }


def _read(entry: Path) -> Held | str:
    """Returns the source at a place, or why there is none."""
    for _ in range(_TRIES):
        found = _read_once(entry)
        if found != _GONE:  # else an update may have switched between our two looks
            break
    return found


def _read_once(entry: Path) -> Held | str:
    try:
        data = disk.read(str(entry / RECORD), _MOST)
        record = json.loads(data)
        reference = Reference(record["owner"], record["repo"], record["path"], record["ref"])
        left_out = tuple((str(path), str(why)) for path, why in record["left_out"])
        texts = (reference.owner, reference.repo, reference.path)
        named = (reference.ref, record["commit"])
        if not all(isinstance(text, str) for text in texts):
            return _DAMAGED
        if not all(isinstance(text, (str, type(None))) for text in named):
            return _DAMAGED
        if not _TREE_NAME.fullmatch(record["tree"]):
            return _DAMAGED
        tree = entry / record["tree"]
        if not tree.is_dir():
            return _GONE
        return Held(reference, record["commit"], str(tree), left_out)
    except OSError as error:
        return f"its record cannot be read: {disk.words(error)}; {_AGAIN}"
    except (ValueError, KeyError, TypeError, RecursionError):
        return _DAMAGED
