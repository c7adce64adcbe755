"""Saving a text file whole or not at all, and never over what somebody else changed.

Imports ``disk`` and the errors.
"""

from __future__ import annotations

import os
import stat
import tempfile

from skillbook import disk
from skillbook.errors import SkillbookError


class ChangedOnDisk(SkillbookError):  # noqa: N818 - reads as what it is
    """The file on the disk is not what it was when it was read."""


def save(path: str, data: bytes, *, expected: bytes | None) -> None:
    """Writes a file by way of a new one beside it, which then takes its place.

    A link stays a link: the file it leads to is written. The mode of the file is kept.

    Args:
        path: the file.
        data: its new bytes.
        expected: the bytes that are on the disk; None where there must be no file yet.

    Raises:
        ChangedOnDisk: when something else is there.
        SkillbookError: when it cannot be written.
    """
    name = os.path.basename(path)
    target = os.path.realpath(path)
    try:
        if now(target) != expected:
            raise ChangedOnDisk(
                f"{name} exists already; nothing was written"
                if expected is None
                else f"{name} changed on disk meanwhile; nothing was written"
            )
        mode = stat.S_IMODE(os.stat(target).st_mode) if expected is not None else None
        _replace(target, data, mode)
    except OSError as error:
        raise SkillbookError(f"{name} cannot be written: {disk.words(error)}") from error


def now(path: str) -> bytes | None:
    """Returns the bytes of a file as they are on the disk, or None where there is none.

    Raises:
        OSError: when it is there and cannot be read.
    """
    try:
        return disk.read(path, 2**40)
    except FileNotFoundError:
        return None


def _replace(target: str, data: bytes, mode: int | None) -> None:
    handle, new = tempfile.mkstemp(prefix=".skillbook-", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(new, mode if mode is not None else _new_mode())
        os.replace(new, target)
    except BaseException:
        os.unlink(new)
        raise


def _new_mode() -> int:
    """Returns the mode that a new file gets in this process (a temporary one is closed to others)."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
