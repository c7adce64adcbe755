"""Unpacking an archive that GitHub made, all or nothing, and only what was asked for.

The headers are read first and everything in them is judged; only then is the first file written.
Files are written by ``tarfile`` with its ``data`` filter. Imports ``links`` and the errors of kits.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import tarfile
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from skillbook.errors import MissingDependency
from skillbook.kits.errors import (
    BrokenArchiveError,
    PathNotFoundError,
    TooLargeError,
    UnsafeArchiveError,
)
from skillbook.kits.github.links import Links
from skillbook.kits.words import clean
from skillbook.tool import not_found

_FREE = 1_000_000
"""Bytes up to which a high ratio means nothing."""

_HEADER = 1 << 20
"""Bytes that tarfile may read at once: file data comes in smaller pieces, headers are shorter."""

_MEMBERS = 25
"""Members that an archive may have for each file that may be unpacked."""

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Caps:
    """What an archive may hold at most.

    Attributes:
        bytes: in the archive as it is sent, and in the files that are unpacked.
        files: that are unpacked.
        ratio: of unpacked to packed bytes.
        depth: of folders below each other.
    """

    bytes: int = 200_000_000
    files: int = 15_000
    ratio: int = 200
    depth: int = 32


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What was unpacked.

    Attributes:
        commit: the commit that git wrote into the archive, or None.
        files: how many files were written.
        left_out: paths that were left out, each with the reason as a plain clause.
        above: the path of the nearest skill around the folder that was asked for, or None.
    """

    commit: str | None
    files: int
    left_out: tuple[tuple[str, str], ...] = ()
    above: str | None = None


@dataclass(slots=True)
class _Plan:
    """What the headers say."""

    top: str | None = None
    commit: str | None = None
    files: dict[str, tuple[int, int]] = field(default_factory=dict)  # path -> member's place, size
    folders: set[str] = field(default_factory=set)
    links: dict[str, str] = field(default_factory=dict)
    skills: set[str] = field(default_factory=set)  # in the whole archive
    left_out: list[tuple[str, str]] = field(default_factory=list)
    asked_for: str = ""  # what stands at the path itself, where it is no folder


def unpack(archive: str, target: str, path: str = "", caps: Caps | None = None) -> Unpacked:
    """Unpacks the folder at ``path`` of an archive into a new folder, whole or not at all.

    GitHub's top folder and global header are stripped. A link that stays inside is written as what
    it points to; one that leads out is left out, and so is ``.git``. Modes are kept, to at most
    0755.

    Args:
        archive: a ``.tar.gz`` file.
        target: the folder to make; it may not be there.
        path: the folder in the archive, with ``/``; ``""`` for all of it.
        caps: what the archive may hold.

    Raises:
        UnsafeArchiveError: when a member would leave the folder (by ``..``, an absolute name or a
            colon), is a device, or differs from another only in letter case, or in dots and spaces
            at the end.
        TooLargeError: when a cap is passed.
        BrokenArchiveError: when the archive is damaged or cut off.
        PathNotFoundError: when there is nothing at ``path``; the message lists the skills.
        OSError: when the disk refuses.
    """
    caps = caps or Caps()
    if not hasattr(tarfile, "data_filter"):
        raise MissingDependency("importing needs Python 3.11.4 or later, whose tarfile has filters")
    plan = _read_headers(archive, [part for part in path.split("/") if part], caps)
    if plan.asked_for or not (plan.files or plan.links):
        raise _why_nothing(path, plan)
    copies = _follow(plan, caps)
    _check_names(plan, copies)
    try:
        _write(archive, target, plan, copies, caps)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    around = [skill for skill in plan.skills if not skill or f"{path}/".startswith(f"{skill}/")]
    return Unpacked(
        plan.commit,
        len(plan.files) + len(copies),
        tuple(sorted(set(plan.left_out))),
        max(around, key=len, default=None),
    )


# --- reading -----------------------------------------------------------------------------------


class _Bounded(io.RawIOBase):
    """An unpacking stream that only goes forward, and not for ever."""

    def __init__(self, stream: gzip.GzipFile, most: int) -> None:
        super().__init__()
        self.stream = stream
        self.most = most
        self.at = 0

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _HEADER:
            raise TooLargeError(f"a header of the archive is over {_HEADER:,} bytes")
        data = self.stream.read(size)
        self.at += len(data)
        if self.at > self.most:
            raise TooLargeError(
                f"the archive unpacks to over {self.most:,} bytes, too many for its size; raise"
                " max_ratio if it is to be trusted"
            )
        return data

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET or offset < self.at:
            raise BrokenArchiveError("the archive's headers lead backwards")
        while self.at < offset and self.read(min(_HEADER, offset - self.at)):
            pass
        return self.at


@contextmanager
def _opened(archive: str, caps: Caps) -> Iterator[tuple[tarfile.TarFile, _Bounded]]:
    """Opens an archive; what breaks inside becomes a ``BrokenArchiveError``."""
    most = max(_FREE, caps.ratio * os.path.getsize(archive))
    try:
        with gzip.open(archive, "rb") as stream:
            bounded = _Bounded(stream, most)
            with tarfile.open(fileobj=bounded, mode="r:", errorlevel=1) as tar:
                yield tar, bounded
    except (EOFError, gzip.BadGzipFile, zlib.error, tarfile.TarError) as error:
        what = "is cut off" if isinstance(error, EOFError) else "is damaged, or no archive at all"
        raise BrokenArchiveError(
            f"the archive {what} ({type(error).__name__}); import it again"
        ) from error


def _members(tar: tarfile.TarFile, caps: Caps) -> Iterator[tuple[int, tarfile.TarInfo]]:
    """Yields the members with their places, and keeps none of them."""
    place = 0
    while (member := tar.next()) is not None:
        tar.members = []  # type: ignore[attr-defined]
        place += 1
        if place > caps.files * _MEMBERS:
            raise TooLargeError(f"the archive has over {caps.files * _MEMBERS:,} members")
        yield place, member


def _read_headers(archive: str, want: list[str], caps: Caps) -> _Plan:
    plan = _Plan()
    size = 0
    with _opened(archive, caps) as (tar, stream):
        for place, member in _members(tar, caps):
            parts = _parts(member.name)
            if not parts or (len(parts) == 1 and member.name == "pax_global_header"):
                continue
            if plan.top is None:
                plan.top = parts[0]
            if parts[0] != plan.top or (len(parts) == 1 and not member.isdir()):
                raise BrokenArchiveError(
                    f"the archive is none that GitHub makes: {member.name!r} does not lie in its"
                    f" top folder {plan.top!r}"
                )
            _check_kind(member)
            inner = parts[1:]
            if inner and inner[-1] == "SKILL.md" and member.isreg():
                plan.skills.add("/".join(inner[:-1]))
            if inner[: len(want)] == want and (below := inner[len(want) :]):
                if len(below) > caps.depth:
                    raise TooLargeError(
                        f"{'/'.join(inner)!r} lies more than {caps.depth} folders deep; raise max_depth"
                    )
                if _take(plan, below, place, member, want):
                    size += member.size
                _check_caps(len(plan.files), size, caps)
            elif want and inner == want and not member.isdir():
                plan.asked_for = "a file" if member.isreg() else f"a link to {member.linkname!r}"
        while rest := stream.read(_HEADER):
            if rest.strip(b"\0"):
                raise BrokenArchiveError("the archive is damaged: a header cannot be read")
        commit = str(tar.pax_headers.get("comment", "")).strip()
        plan.commit = commit if _COMMIT.fullmatch(commit) else None
    return plan


def _parts(name: str) -> list[str]:
    """Returns a member's path part by part.

    Raises:
        UnsafeArchiveError: when it would leave the folder.
    """
    if re.match(r"[/\\]|[A-Za-z]:", name):
        raise UnsafeArchiveError(
            f"the archive holds the absolute name {name!r}; nothing was unpacked"
        )
    if ".." in re.split(r"[/\\]", name):
        raise UnsafeArchiveError(
            f"the archive holds {name!r}, which leaves its folder; nothing was unpacked"
        )
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if any(":" in part for part in parts[1:]):
        raise UnsafeArchiveError(
            f"the archive holds {name!r}; a colon there is a drive or a stream on Windows; nothing"
            " was unpacked"
        )
    return parts


def _check_kind(member: tarfile.TarInfo) -> None:
    if member.issparse() or not (
        member.isreg() or member.isdir() or member.issym() or member.islnk()
    ):
        kind = "a device" if member.isdev() else "of a kind that git does not make"
        raise UnsafeArchiveError(
            f"the archive's member {member.name!r} is {kind}; nothing was unpacked"
        )
    if member.size < 0:
        raise BrokenArchiveError(f"the archive's member {member.name!r} has a size below 0")


def _take(
    plan: _Plan, below: list[str], place: int, member: tarfile.TarInfo, want: list[str]
) -> bool:
    """Puts a member into the plan; returns whether it is a file that will be written."""
    path = "/".join(below)
    if any(part.lower() == ".git" for part in below):
        plan.left_out.append((path, "it belongs to git's own folder"))
    elif any("\\" in part or "\0" in part for part in below):
        plan.left_out.append((path, "its name cannot be a file's on every system"))
    elif member.isdir():
        plan.folders.add(path)
    elif path in plan.files or path in plan.links:
        raise UnsafeArchiveError(f"the archive holds {path!r} twice; nothing was unpacked")
    elif member.issym():
        plan.links[path] = member.linkname
    elif member.islnk():
        # A hard link names its target from the top: here it becomes one from its own folder.
        target = [part for part in member.linkname.split("/") if part not in ("", ".")]
        around = [plan.top, *want]
        inside = target[: len(around)] == around and ".." not in target
        up = "../" * (len(below) - 1)
        plan.links[path] = up + "/".join(target[len(around) :]) if inside else "/"
    else:
        plan.files[path] = place, member.size
        return True
    return False


def _check_caps(files: int, size: int, caps: Caps) -> None:
    if files > caps.files:
        raise TooLargeError(f"the archive unpacks to over {caps.files:,} files; raise max_files")
    if size > caps.bytes:
        raise TooLargeError(f"the archive unpacks to over {caps.bytes:,} bytes; raise max_bytes")


def _follow(plan: _Plan, caps: Caps) -> dict[str, str]:
    """Returns the files that links stand for: path to the path of the file it is a copy of."""
    size = sum(size for _, size in plan.files.values())
    copies: dict[str, str] = {}
    links = Links(plan.files, plan.folders, plan.links, most=caps.files * 4)
    for path, source in links.copies():
        if path.count("/") >= caps.depth:
            raise TooLargeError(
                f"{path!r} lies more than {caps.depth} folders deep; raise max_depth"
            )
        copies[path] = source
        size += plan.files[source][1]
        _check_caps(len(plan.files) + len(copies), size, caps)
    plan.left_out += links.left_out
    return copies


def _check_names(plan: _Plan, copies: dict[str, str]) -> None:
    """Refuses names that would meet in one place, as they do on Windows and on a Mac.

    Raises:
        UnsafeArchiveError: when there are two.
    """
    spelled: dict[str, tuple[str, str]] = {}
    for path in (*plan.files, *copies):
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            whole = "/".join(parts[:end])
            if whole in plan.links and path in plan.files:
                raise UnsafeArchiveError(
                    f"the archive holds {path!r} below a link; nothing was unpacked"
                )
            kind = "file" if end == len(parts) else "folder"
            bare = "/".join(part.rstrip(". ") for part in parts[:end])  # as Windows reads them
            key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", bare).casefold())
            held = spelled.setdefault(key, (kind, whole))
            if held != (kind, whole):
                raise UnsafeArchiveError(
                    f"the archive holds the {held[0]} {held[1]!r} and the {kind} {whole!r}, which are one on"
                    " systems that ignore letter case, or dots and spaces at the end; nothing was"
                    " unpacked"
                )


def _why_nothing(path: str, plan: _Plan) -> PathNotFoundError:
    names = {clean(skill) or "(the repository itself)": None for skill in plan.skills}
    said = not_found(path, names, "Skill folder") if path else "The repository is empty"
    what = f' ("{path}" is {plan.asked_for}, no folder)' if plan.asked_for else ""
    return PathNotFoundError(said + what)


# --- writing -----------------------------------------------------------------------------------


def _write(archive: str, target: str, plan: _Plan, copies: dict[str, str], caps: Caps) -> None:
    os.makedirs(target)
    paths = {place: path for path, (place, _) in plan.files.items()}
    left = len(paths)
    with _opened(archive, caps) as (tar, _):
        for place, member in _members(tar, caps):
            path = paths.get(place)
            if path is not None:
                tar.extract(member.replace(name=path, deep=False), target, filter="data")
                left -= 1
            if not left:
                break
    for path, source in sorted(copies.items()):
        copy = os.path.join(target, *path.split("/"))
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy(os.path.join(target, *source.split("/")), copy)
    for folder, _, _ in os.walk(target):
        os.chmod(folder, os.stat(folder).st_mode & 0o755)  # whatever the umask
