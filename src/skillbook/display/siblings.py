"""Reading one file of a skill for a display: which it is, what kind it is, and its text.

A skill is a stranger's; the names in its body and the links in its folder are too. Nothing is
opened whose real path lies elsewhere. This module imports ``disk`` and the records.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass, field
from typing import Literal

from skillbook import disk
from skillbook.display import words
from skillbook.errors import SkillReadError
from skillbook.model import SkillInfo

MOST_PICTURE = 200_000
"""Bytes of a picture that a display holds."""

MOST_TEXT = 200_000
"""Bytes of a text file that a display reads."""

Kind = Literal["text", "picture", "binary", "none"]

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)


@dataclass(frozen=True, slots=True)
class FileFacts:
    r"""One file as a display needs it.

    Attributes:
        path: relative to the skill, as it was asked for.
        kind: what it is; ``none`` where it cannot be shown at all.
        size: in bytes.
        text: the text, or its first part, line ends as ``\n``.
        picture: a data URI, or ``""``.
        notes: what a reader should know, in plain sentences (it is cut, or cannot be read).
    """

    path: str
    kind: Kind
    size: int = 0
    text: str = field(default="", repr=False)
    picture: str = field(default="", repr=False)
    notes: tuple[str, ...] = ()


def locate(skill: SkillInfo, path: str, *, within_root: bool = False) -> str:
    """Returns the real path of a skill's file.

    Args:
        skill: the skill.
        path: relative to its folder.
        within_root: whether a link may lead elsewhere in the skill's root.

    Raises:
        SkillReadError: when it lies outside, or the skill has no folder; the message is a plain
            clause without a path.
    """
    folder = skill.folder
    if folder is None:
        raise SkillReadError("a data skill only names its files")
    parts = path.replace("\\", "/").split("/")
    if not path or "\0" in path or parts[0] == "" or ".." in parts or os.path.splitdrive(path)[0]:
        raise SkillReadError("it lies outside the skill's folder and is not read")
    homes = [folder, skill.root.path] if within_root and skill.root else [folder]
    try:
        real = os.path.realpath(os.path.join(folder, path))
        inside = any(disk.inside(real, os.path.realpath(home)) for home in homes)
    except (OSError, ValueError) as error:
        raise SkillReadError(why(error)) from error
    if not inside:
        raise SkillReadError("it leads outside the skill's folder and is not read")
    return real


def picture_type(data: bytes) -> str:
    """Returns ``png``, ``jpeg``, ``gif`` or ``webp`` by the first bytes, else ``""``."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return next((name for magic, name in _MAGIC if data.startswith(magic)), "")


def data_uri(data: bytes) -> str:
    """Returns a picture as a ``data:`` URI."""
    return f"data:image/{picture_type(data)};base64,{base64.b64encode(data).decode()}"


def read_picture(skill: SkillInfo, path: str) -> str:
    """Returns the data URI of a picture whose real path lies inside the skill's folder.

    Raises:
        SkillReadError: when it cannot be shown, with the reason as a plain clause.
    """
    real = locate(skill, path)
    try:
        data = disk.read(real, MOST_PICTURE)
    except (OSError, ValueError) as error:
        raise SkillReadError(why(error)) from error
    if len(data) > MOST_PICTURE:
        raise SkillReadError(f"it is larger than {words.size(MOST_PICTURE)}")
    if not picture_type(data):
        raise SkillReadError("it is no PNG, JPEG, GIF or WebP picture")
    return data_uri(data)


def read_file(skill: SkillInfo, path: str) -> FileFacts:
    """Reads one of a skill's files for a preview; what cannot be read is said, never raised.

    Args:
        skill: the skill.
        path: relative to its folder, as :meth:`SkillInfo.files` gives it.
    """
    try:
        real = locate(skill, path, within_root=True)
        data = disk.read(real, MOST_TEXT)
        size = os.path.getsize(real)
    except SkillReadError as error:
        return FileFacts(path, "none", notes=(f"Not shown: {error}.",))
    except (OSError, ValueError) as error:
        return FileFacts(path, "none", notes=(f"Cannot be read: {why(error)}.",))
    return file_facts(path, data, max(size, len(data)))


def file_facts(path: str, data: bytes, size: int) -> FileFacts:
    """Says what a file's bytes are.

    Args:
        path: its name.
        data: its bytes, at least the first ``MOST_TEXT`` of them.
        size: of the whole file, in bytes.
    """
    if picture_type(data):
        if size > MOST_PICTURE:
            note = f"A picture of {words.size(size)}; up to {words.size(MOST_PICTURE)} are shown."
            return FileFacts(path, "picture", size, notes=(note,))
        return FileFacts(path, "picture", size, picture=data_uri(data))
    text = data[:MOST_TEXT].decode(errors="replace")
    if size > MOST_TEXT:
        text = text.rstrip("\ufffd")  # the cut may have gone through a character
    lost = text.count("\ufffd")
    if b"\0" in data or lost * 10 > len(text):
        return FileFacts(path, "binary", size)
    notes = []
    if size > MOST_TEXT:
        text = text[: text.rfind("\n") + 1] or text
        notes.append(
            f"Cut: the first {words.size(len(text.encode()))} of {words.size(size)} are shown."
        )
    try:
        data[:MOST_TEXT].decode()
    except UnicodeDecodeError as error:
        if error.start < MOST_TEXT - 4:
            notes.append("It is not UTF-8: what could not be read stands as U+FFFD.")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return FileFacts(path, "text", size, text, notes=tuple(notes))


def why(error: OSError | ValueError) -> str:
    """Returns why a file cannot be read, as a plain clause without a path."""
    return disk.words(error) if isinstance(error, OSError) else "its name is no file name"
