"""Reading one file of a skill: which it is and what kind it is."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest
from contract import made

from skillbook.display import siblings
from skillbook.errors import SkillReadError
from skillbook.model import Root, SkillInfo
from trees import build

PNG = b"\x89PNG\r\n\x1a\n...."


def in_folder(folder: Path) -> SkillInfo:
    """Returns a skill whose folder is really there."""
    return made(location=str(folder / "SKILL.md"), root=Root("skills", str(folder.parent)))


def test_picture_type() -> None:
    """A picture is known by its first bytes; a drawing that can hold scripts is none."""
    assert siblings.picture_type(PNG) == "png"
    assert siblings.picture_type(b"\xff\xd8\xff\xe0") == "jpeg"
    assert siblings.picture_type(b"GIF89a..") == "gif"
    assert siblings.picture_type(b"RIFF\0\0\0\0WEBPVP8 ") == "webp"
    assert siblings.picture_type(b"RIFF\0\0\0\0WAVE") == ""
    assert siblings.picture_type(b"<svg xmlns='x'/>") == ""


def test_links_within_the_root(tmp_path: Path) -> None:
    """A preview may follow a link elsewhere in the root; a body's picture may not."""
    build(tmp_path / "root", {"shared.md": "x", "one/link.md": {"link": "../shared.md"}})
    skill = in_folder(tmp_path / "root" / "one")
    assert siblings.locate(skill, "link.md", within_root=True) == os.path.realpath(
        tmp_path / "root/shared.md"
    )
    with pytest.raises(SkillReadError, match="it leads outside the skill's folder and is not read"):
        siblings.locate(skill, "link.md")


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../x", "a/../x", "\\\\host\\share", "..\\x", "a\0b"]
)
def test_paths_that_lie_outside(tmp_path: Path, path: str) -> None:
    """Absolute paths, parents and impossible names are refused before the disk is asked."""
    with pytest.raises(SkillReadError, match="it lies outside the skill's folder and is not read"):
        siblings.locate(in_folder(tmp_path), path)


def test_text(tmp_path: Path) -> None:
    """A text file is its text, line ends as line feeds, without a byte order mark."""
    build(tmp_path / "one", {"a.txt": b"\xef\xbb\xbfa\r\nb\rc"})
    facts = siblings.read_file(in_folder(tmp_path / "one"), "a.txt")
    assert facts == siblings.FileFacts("a.txt", "text", 9, "a\nb\nc")


def test_long_text_is_cut_at_a_line(tmp_path: Path) -> None:
    """A text over 200 kB is cut after a line end, and says so; a character cut in two is no fault."""
    build(tmp_path / "one", {"a.txt": ("é" * 49 + "\n") * 3_000, "b.txt": "a" + "é" * 150_000})
    skill = in_folder(tmp_path / "one")
    facts = siblings.read_file(skill, "a.txt")
    assert facts.text.endswith("\n")
    assert facts.notes == ("Cut: the first 200.0 kB of 297.0 kB are shown.",)
    assert siblings.read_file(skill, "b.txt").notes == (
        "Cut: the first 200.0 kB of 300.0 kB are shown.",
    )


def test_other_encodings() -> None:
    """A few bytes that are not UTF-8 are told; a file full of them is no text."""
    few = siblings.file_facts("a", b"caf\xe9 " + b"x" * 100, 105)
    assert (few.kind, few.notes) == (
        "text",
        ("It is not UTF-8: what could not be read stands as U+FFFD.",),
    )
    assert siblings.file_facts("a", bytes(range(128, 256)), 128).kind == "binary"
    assert siblings.file_facts("a", b"a\0b", 3) == siblings.FileFacts("a", "binary", 3)


def test_pictures(tmp_path: Path) -> None:
    """A picture is a data URI; one over 200 kB is only named."""
    build(tmp_path / "one", {"a": PNG, "b": PNG + b"\0" * 200_000})
    skill = in_folder(tmp_path / "one")
    assert (
        siblings.read_file(skill, "a").picture
        == f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    )
    large = siblings.read_file(skill, "b")
    assert (large.kind, large.picture) == ("picture", "")
    assert large.notes == ("A picture of 200.0 kB; up to 200.0 kB are shown.",)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    """A preview never raises: it says why there is nothing."""
    build(tmp_path / "one", {"x": ""})
    os.mkfifo(tmp_path / "one" / "pipe")
    skill = in_folder(tmp_path / "one")
    assert siblings.read_file(skill, "gone").notes == ("Cannot be read: it does not exist.",)
    assert siblings.read_file(skill, "pipe").notes == (
        "Cannot be read: it is a named pipe, not a file.",
    )
    assert siblings.read_file(skill, "../y").notes == (
        "Not shown: it lies outside the skill's folder and is not read.",
    )
    data = made(origin="logical", location="skill://x/", root=None)
    assert siblings.read_file(data, "x").notes == ("Not shown: a data skill only names its files.",)
