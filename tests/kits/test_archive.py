"""Unpacking archives: what is refused whole, what is left out, what is kept.

Inputs of the field cases im-01, im-03, im-08, im-09, im-12 and te-11 stand here as they are.
"""

from __future__ import annotations

import gzip
import os
import re
import stat
import tarfile
import time
from pathlib import Path

import pytest
from archives import COMMIT, TOP, archive, repository, tar, zeros

from skillbook.kits.errors import (
    BrokenArchiveError,
    PathNotFoundError,
    TooLargeError,
    UnsafeArchiveError,
)
from skillbook.kits.github.archive import Caps, unpack

OK = "---\nname: ok\ndescription: Fine.\n---\n# Notes\n\nDo the work.\n"


def unpacked(tmp_path: Path, data: bytes, path: str = "", **caps: int):
    """Unpacks an archive into ``dest``."""
    (tmp_path / "pack.tar.gz").write_bytes(data)
    return unpack(str(tmp_path / "pack.tar.gz"), str(tmp_path / "dest"), path, Caps(**caps))


def tree(folder: Path) -> dict[str, str]:
    """Returns the files below a folder with their texts; a link would stand as ``-> target``."""
    return {
        str(path.relative_to(folder)): f"-> {os.readlink(path)}"
        if path.is_symlink()
        else path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or not path.is_dir()
    }


def refused(
    tmp_path: Path, data: bytes, error: type[Exception], path: str = "", **caps: int
) -> str:
    """Unpacks an archive that is refused, and holds that nothing at all is left of it."""
    before = {tmp_path / "pack.tar.gz", *tmp_path.parent.rglob("*")}
    with pytest.raises(error) as caught:
        unpacked(tmp_path, data, path, **caps)
    assert [path for path in tmp_path.parent.rglob("*") if path not in before] == []
    return str(caught.value)


# --- refused whole -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "../escape.txt",
        "/tmp/abs-escape.txt",
        "../dest-evil/p.txt",
        "repo-abc/a/../../../up.txt",
        "C:\\x.txt",
        "C:x.txt",
        "\\\\host\\share\\x.txt",
        "repo-abc\\..\\..\\x.txt",
        "repo-abc/..",
    ],
)
def test_names_that_leave(tmp_path: Path, name: str) -> None:
    """im-01: a name with ``..``, an absolute one or one with a drive letter refuses the whole."""
    inner = tmp_path / "inner"
    inner.mkdir()
    members = [{"name": "repo-abc/skills/ok/SKILL.md", "text": OK}, {"name": name, "text": "x"}]
    said = refused(inner, archive(members), UnsafeArchiveError)
    assert repr(name) in said
    assert "nothing was unpacked" in said
    assert not Path("/tmp/abs-escape.txt").exists()


def test_all_of_the_field_case(tmp_path: Path) -> None:
    """im-01: the case's own archive is refused, and none of its files exists."""
    inner = tmp_path / "inner"
    inner.mkdir()
    members = [
        {"name": "repo-abc/skills/ok/SKILL.md", "text": OK},
        {"name": "../escape.txt", "text": "x"},
        {"name": "/tmp/abs-escape.txt", "text": "x"},
        {"name": "../dest-evil/p.txt", "text": "x"},
        {"name": "repo-abc/a/../../../up.txt", "text": "x"},
        {"name": "C:\\x.txt", "text": "x"},
    ]
    refused(inner, archive(members), UnsafeArchiveError)


@pytest.mark.parametrize("kind", ["fifo", "char", "block"])
def test_devices(tmp_path: Path, kind: str) -> None:
    """A device or a named pipe refuses the whole."""
    data = repository({"ok/SKILL.md": OK, "ok/thing": {"type": kind}})
    assert "is a device" in refused(tmp_path, data, UnsafeArchiveError)


def test_unknown_kinds(tmp_path: Path) -> None:
    """A member of a kind that git does not make refuses the whole."""
    raw = bytearray(tar([{"name": "r-1/ok/SKILL.md", "text": OK}, {"name": "r-1/x", "text": ""}]))
    at = raw.index(b"r-1/x\0")
    raw[at + 156 : at + 157] = b"V"
    raw[at + 148 : at + 156] = b" " * 8
    raw[at + 148 : at + 156] = b"%06o\0 " % sum(raw[at : at + 512])
    data = gzip.compress(bytes(raw))
    assert "git does not make" in refused(tmp_path, data, UnsafeArchiveError)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ok/Read.md", "ok/read.md"),
        ("ok/a/x.md", "ok/A/y.md"),
        ("ok/straße.md", "ok/STRASSE.md"),
        ("ok/caf\u00e9.md", "ok/cafe\u0301.md"),
        ("ok/a", "ok/a/b"),
        ("ok/A/b", "ok/a"),
    ],
)
def test_names_that_clash(tmp_path: Path, first: str, second: str) -> None:
    """Names that are one where letter case is ignored refuse the whole."""
    data = repository({"ok/SKILL.md": OK, first: "1", second: "2"})
    said = refused(tmp_path, data, UnsafeArchiveError)
    assert "which are one" in said
    assert re.match(r"the archive holds the (file|folder) '[^']+' and the (file|folder) '", said)


def test_clash_elsewhere(tmp_path: Path) -> None:
    """Names that clash outside the requested path hinder nobody."""
    data = repository({"ok/SKILL.md": OK, "src/A.h": "1", "src/a.h": "2"})
    unpacked(tmp_path, data, "ok")
    assert tree(tmp_path / "dest") == {"SKILL.md": OK}


def test_clash_with_what_a_link_stands_for(tmp_path: Path) -> None:
    """A copy that a link stands for clashes like any other file."""
    link = {"type": "symlink", "target": "a.md"}
    data = repository({"ok/SKILL.md": OK, "ok/a.md": "1", "ok/B.md": "2", "ok/b.md": link})
    refused(tmp_path, data, UnsafeArchiveError)


def test_one_name_twice(tmp_path: Path) -> None:
    """A file that stands twice in the archive refuses the whole."""
    members = [{"name": "r-1/SKILL.md", "text": OK}, {"name": "r-1/SKILL.md", "text": "evil"}]
    assert "twice" in refused(tmp_path, archive(members), UnsafeArchiveError)


def test_files_below_a_link(tmp_path: Path) -> None:
    """A file below a link, the old way to write elsewhere, refuses the whole."""
    inner = tmp_path / "inner"
    inner.mkdir()
    members = [
        {"name": "r-1/SKILL.md", "text": OK},
        {"name": "r-1/d", "type": "symlink", "target": ".."},
        {"name": "r-1/d/x.txt", "text": "x"},
    ]
    assert "below a link" in refused(inner, archive(members), UnsafeArchiveError)


def test_link_and_file_of_one_name(tmp_path: Path) -> None:
    """A link and then a file of its name refuses the whole."""
    members = [
        {"name": "r-1/SKILL.md", "text": OK},
        {"name": "r-1/x", "type": "symlink", "target": "/tmp/abs-escape.txt"},
        {"name": "r-1/x", "text": "x"},
    ]
    assert "twice" in refused(tmp_path, archive(members), UnsafeArchiveError)


# --- caps --------------------------------------------------------------------------------------


def test_five_gigabytes_of_zeros(tmp_path: Path) -> None:
    """im-12: an archive of a few MB that unpacks to 5 GB stops before anything is on the disk."""
    info = tarfile.TarInfo("r-1/skills/ok/zeros.bin")
    info.size = 5_000_000_000
    head = tar([{"name": "r-1/skills/ok/SKILL.md", "text": OK}])[:1024] + info.tobuf()
    data = zeros(head, 5_000_000_000)
    assert len(data) < 10_000_000
    started = time.monotonic()
    said = refused(tmp_path, data, TooLargeError)
    assert time.monotonic() - started < 10
    assert "over 200,000,000 bytes; raise max_bytes" in said


def test_zeros_outside_the_path(tmp_path: Path) -> None:
    """A bomb beside the requested path is not unpacked in memory either: the ratio stops it."""
    info = tarfile.TarInfo("r-1/zeros.bin")
    info.size = 1_000_000_000
    head = info.tobuf()
    end = gzip.compress(tar([{"name": "r-1/ok/SKILL.md", "text": OK}]))
    said = refused(tmp_path, zeros(head, 1_000_000_000) + end, TooLargeError, "ok")
    assert "raise max_ratio" in said


def test_two_hundred_thousand_members(tmp_path: Path) -> None:
    """im-12: an archive of 200,000 empty files stops before 20,000 are on the disk."""
    info = tarfile.TarInfo()
    pieces = []
    for number in range(200_000):
        info.name = f"r-1/skills/ok/{number}"
        pieces.append(info.tobuf(tarfile.USTAR_FORMAT))
    data = gzip.compress(b"".join(pieces) + bytes(1024), compresslevel=1)
    assert "over 15,000 files; raise max_files" in refused(tmp_path, data, TooLargeError)


@pytest.mark.parametrize(
    ("files", "caps", "said"),
    [
        ({"a": "x" * 600, "b": "y" * 600}, {"bytes": 1000}, "over 1,000 bytes; raise max_bytes"),
        ({"a": "", "b": "", "c": ""}, {"files": 3}, "over 3 files; raise max_files"),
        ({"a/b/c/d": "x"}, {"depth": 3}, "more than 3 folders deep; raise max_depth"),
        ({"a": "x" * 2_000_000}, {"ratio": 20}, "raise max_ratio"),
        (
            {"a": {"text": "x" * 600}, "l": {"type": "symlink", "target": "a"}},
            {"bytes": 1000},
            "max_bytes",
        ),
        ({"a": "", "l": {"type": "symlink", "target": "a"}}, {"files": 2}, "max_files"),
        (
            {"d/e": "", "x/y/z": {"type": "symlink", "target": "../../d"}},
            {"depth": 3},
            "max_depth",
        ),
    ],
)
def test_caps_are_arguments(tmp_path: Path, files: dict, caps: dict, said: str) -> None:
    """Each cap can be set, counts what links stand for, and is named where it is passed."""
    data = repository({"SKILL.md": OK, **files})
    assert said in refused(tmp_path, data, TooLargeError, **caps)


def test_just_within_the_caps(tmp_path: Path) -> None:
    """What meets the caps exactly is unpacked."""
    data = repository({"SKILL.md": "x" * 500, "a/b/c": "y" * 500})
    assert unpacked(tmp_path, data, bytes=1000, files=2, depth=3).files == 2


def test_headers_that_swell(tmp_path: Path) -> None:
    """A header that asks for gigabytes of memory is refused before it is read."""
    info = tarfile.TarInfo("././@PaxHeader")
    info.type = tarfile.XHDTYPE
    info.size = 100_000_000
    data = zeros(info.tobuf(), 100_000_000)
    assert "header" in refused(tmp_path, data, TooLargeError)


def test_links_without_measure(tmp_path: Path) -> None:
    """Folders of links to folders of links, 2 to the power of 40 files, are refused quickly."""
    files: dict = {"SKILL.md": OK, "d00/f": "x"}
    for number in range(1, 40):
        target = {"type": "symlink", "target": f"../d{number - 1:02}"}
        files |= {f"d{number:02}/a": target, f"d{number:02}/b": target}
    started = time.monotonic()
    refused(tmp_path, repository(files), TooLargeError)
    assert time.monotonic() - started < 10


# --- what GitHub makes -------------------------------------------------------------------------


def test_global_header(tmp_path: Path) -> None:
    """im-03: the global header makes no file and gives the commit; the top folder is stripped."""
    members = [
        {"name": "pax_global_header", "type": "pax_global", "pax": {"comment": COMMIT}},
        {"name": "repo-abc123/", "type": "dir"},
        {"name": "repo-abc123/skills/ok/SKILL.md", "text": OK},
    ]
    found = unpacked(tmp_path, archive(members))
    assert found.commit == COMMIT
    assert tree(tmp_path / "dest") == {"skills/ok/SKILL.md": OK}


def test_global_header_as_a_file(tmp_path: Path) -> None:
    """A global header that some tool wrote as a file is neither a file nor the top folder."""
    members = [{"name": "pax_global_header", "text": "x"}, {"name": "r-1/SKILL.md", "text": OK}]
    assert unpacked(tmp_path, archive(members)).commit is None
    assert tree(tmp_path / "dest") == {"SKILL.md": OK}


def test_odd_comment(tmp_path: Path) -> None:
    """A comment that is no commit is not taken for one."""
    data = repository({"SKILL.md": OK}, commit="see https://evil.example")
    assert unpacked(tmp_path, data).commit is None


def test_two_top_folders(tmp_path: Path) -> None:
    """An archive with two top folders, or a file beside it, is none that GitHub makes."""
    for other in ({"name": "s-1/x", "text": "x"}, {"name": "x", "text": "x"}):
        data = archive([{"name": "r-1/SKILL.md", "text": OK}, other])
        assert "none that GitHub makes" in refused(tmp_path, data, BrokenArchiveError)


def test_modes(tmp_path: Path) -> None:
    """im-08: a script stays executable, data is not, and set-uid and world-write bits go."""
    data = archive(
        [
            {"name": "r-1/skills/ok/SKILL.md", "text": OK},
            {"name": "r-1/skills/ok/scripts/go", "text": "#!/bin/sh\necho\n", "mode": "755"},
            {"name": "r-1/skills/ok/data.txt", "text": "x", "mode": "644"},
            {"name": "r-1/skills/ok/suid", "text": "x", "mode": "4777"},
            {"name": "r-1/skills/ok/run", "type": "symlink", "target": "scripts/go"},
        ]
    )
    unpacked(tmp_path, data)
    folder = tmp_path / "dest" / "skills" / "ok"
    modes = {
        name: stat.S_IMODE((folder / name).stat().st_mode)
        for name in ("scripts/go", "data.txt", "suid", "run")
    }
    assert modes == {"scripts/go": 0o755, "data.txt": 0o644, "suid": 0o755, "run": 0o755}


def test_hidden_files(tmp_path: Path) -> None:
    """im-09: files and folders with a dot come byte for byte; ``.git`` does not, and it is said."""
    data = archive(
        [
            {"name": "r-1/skills/ok/SKILL.md", "text": OK},
            {"name": "r-1/skills/ok/templates/form/_rels/.rels", "text": "<r/>"},
            {"name": "r-1/skills/ok/assets/.gitkeep", "text": ""},
            {"name": "r-1/.git/config", "text": "[core]"},
        ]
    )
    found = unpacked(tmp_path, data)
    assert tree(tmp_path / "dest") == {
        "skills/ok/SKILL.md": OK,
        "skills/ok/assets/.gitkeep": "",
        "skills/ok/templates/form/_rels/.rels": "<r/>",
    }
    assert found.left_out == ((".git/config", "it belongs to git's own folder"),)


def test_backslashes(tmp_path: Path) -> None:
    """A name with a backslash, a folder on one system and a letter on others, is left out."""
    found = unpacked(tmp_path, repository({"SKILL.md": OK, "a\\b.md": "x"}))
    assert found.left_out == (("a\\b.md", "its name cannot be a file's on every system"),)
    assert tree(tmp_path / "dest") == {"SKILL.md": OK}


def test_bytes_are_kept(tmp_path: Path) -> None:
    """Files come byte for byte, whatever is in them, and however they are called."""
    files = {"SKILL.md": OK, "ä/\U0001f600.bin": bytes(range(256)), "long/" + "n" * 200: "x"}
    unpacked(tmp_path, repository(files))
    assert (tmp_path / "dest" / "ä" / "\U0001f600.bin").read_bytes() == bytes(range(256))
    assert (tmp_path / "dest" / "long" / ("n" * 200)).read_text() == "x"


# --- the requested path ------------------------------------------------------------------------


def test_only_the_path(tmp_path: Path) -> None:
    """Only what lies under the requested path is unpacked, also beside one of its prefix."""
    data = repository({"s/ok/SKILL.md": OK, "s/ok/a.md": "a", "s/ok-2/SKILL.md": OK, "x.md": "x"})
    assert unpacked(tmp_path, data, "s/ok").files == 2
    assert tree(tmp_path / "dest") == {"SKILL.md": OK, "a.md": "a"}


def test_path_that_is_not_there(tmp_path: Path) -> None:
    """A path that is not there is refused with the skills that are."""
    data = repository({"s/kiln/SKILL.md": OK, "s/loom/SKILL.md": OK, "docs/x.md": "x"})
    said = refused(tmp_path, data, PathNotFoundError, "s/klin")
    assert said == 'Skill folder "s/klin" not found. Available skill folders: s/kiln, s/loom'


def test_path_that_is_a_file(tmp_path: Path) -> None:
    """A path to a file or a link says what it is."""
    link = {"type": "symlink", "target": "kiln"}
    data = repository({"s/kiln/SKILL.md": OK, "x.md": "x", "s/l": link})
    assert '("x.md" is a file, no folder)' in refused(tmp_path, data, PathNotFoundError, "x.md")
    said = refused(tmp_path, data, PathNotFoundError, "s/l")
    assert """("s/l" is a link to 'kiln', no folder)""" in said


def test_empty_archive(tmp_path: Path) -> None:
    """An archive of an empty repository is refused in words."""
    assert refused(tmp_path, repository({}), PathNotFoundError) == "The repository is empty"


# --- links -------------------------------------------------------------------------------------


def test_links_inside(tmp_path: Path) -> None:
    """A link that stays inside is unpacked as what it points to: a file, a folder, through others."""
    data = repository(
        {
            "ok/SKILL.md": OK,
            "shared/style.md": "style",
            "shared/deep/x.md": "x",
            "ok/style.md": {"type": "symlink", "target": "../shared/style.md"},
            "ok/shared": {"type": "symlink", "target": "../shared/./"},
            "ok/again.md": {"type": "symlink", "target": "shared/deep/../style.md"},
            "ok/hard.md": {"type": "hardlink", "target": f"{TOP}/shared/style.md"},
        }
    )
    found = unpacked(tmp_path, data)
    assert tree(tmp_path / "dest" / "ok") == {
        "SKILL.md": OK,
        "again.md": "style",
        "hard.md": "style",
        "shared/deep/x.md": "x",
        "shared/style.md": "style",
        "style.md": "style",
    }
    assert found.left_out == ()


def test_links_out(tmp_path: Path) -> None:
    """A link that leads out is left out and reported; the rest is unpacked."""
    data = repository(
        {
            "ok/SKILL.md": OK,
            "ok/passwd": {"type": "symlink", "target": "/etc/passwd"},
            "ok/up": {"type": "symlink", "target": "../../../secret"},
            "ok/drive": {"type": "symlink", "target": "C:\\secret"},
            "ok/hard": {"type": "hardlink", "target": "../secret"},
            "ok/other": {"type": "hardlink", "target": "/etc/passwd"},
            "ok/nowhere": {"type": "symlink", "target": "gone.md"},
            "ok/me": {"type": "symlink", "target": "me"},
            "ok/around": {"type": "symlink", "target": ".."},
        }
    )
    found = unpacked(tmp_path, data)
    assert tree(tmp_path / "dest") == {"ok/SKILL.md": OK}
    out, nowhere = (
        "it is a link that leads out of what was imported",
        "it is a link that leads nowhere",
    )
    assert dict(found.left_out) == {
        "ok/around": "it is a link to a folder around it",
        "ok/drive": out,
        "ok/hard": out,
        "ok/me": nowhere,
        "ok/nowhere": nowhere,
        "ok/other": out,
        "ok/passwd": out,
        "ok/up": out,
    }


def test_link_out_of_the_path(tmp_path: Path) -> None:
    """A link to another folder of the repository leads out of the path that was asked for."""
    files = {
        "s/ok/SKILL.md": OK,
        "doc.md": "d",
        "s/ok/d": {"type": "symlink", "target": "../../doc.md"},
    }
    found = unpacked(tmp_path, repository(files), "s/ok")
    assert found.left_out == (("d", "it is a link that leads out of what was imported"),)
    assert tree(tmp_path / "dest") == {"SKILL.md": OK}


def test_links_in_a_circle(tmp_path: Path) -> None:
    """Folders that link to each other end after one round, and it is said."""
    data = repository(
        {
            "a/SKILL.md": OK,
            "b/x.md": "x",
            "a/b": {"type": "symlink", "target": "../b"},
            "b/a": {"type": "symlink", "target": "../a"},
        }
    )
    found = unpacked(tmp_path, data)
    assert tree(tmp_path / "dest") == {
        "a/SKILL.md": OK,
        "a/b/x.md": "x",
        "b/a/SKILL.md": OK,
        "b/x.md": "x",
    }
    assert [path for path, _ in found.left_out] == ["a/b/a", "b/a/b"]


def test_document_that_is_a_link_out(tmp_path: Path) -> None:
    """te-11: a SKILL.md that links to a private file gives no file, and no text of it."""
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "id.txt").write_text("private key\n")
    data = repository(
        {"ok/SKILL.md": OK, "leaky/SKILL.md": {"type": "symlink", "target": "../../keys/id.txt"}}
    )
    found = unpacked(tmp_path, data)
    assert [path for path, _ in found.left_out] == ["leaky/SKILL.md"]
    assert tree(tmp_path / "dest") == {"ok/SKILL.md": OK}


# --- damage ------------------------------------------------------------------------------------


def test_cut_anywhere(tmp_path: Path) -> None:
    """An archive that is cut off anywhere is refused and leaves nothing."""
    data = repository({"SKILL.md": OK, "x.bin": os.urandom(3000), "y.bin": os.urandom(3000)})
    for end in (0, 1, 9, 10, 50, len(data) // 2, len(data) - 9, len(data) - 1):
        refused(tmp_path, data[:end], BrokenArchiveError)


def test_damaged_anywhere(tmp_path: Path) -> None:
    """An archive with damage in any header, the first or a later one, is refused."""
    raw = tar([{"name": "r-1/SKILL.md", "text": OK}, {"name": "r-1/x.md", "text": "x" * 2000}])
    for at in (0, 100, 148, 1024, 1124, 1172):  # places in the two headers
        broken = bytearray(raw)
        broken[at : at + 8] = b"\xff" * 8
        refused(tmp_path, gzip.compress(bytes(broken)), BrokenArchiveError)


@pytest.mark.parametrize(
    "data", [b"", b"<html>Not an archive</html>", gzip.compress(b"x" * 2000, mtime=0)]
)
def test_no_archive_at_all(tmp_path: Path, data: bytes) -> None:
    """Something that is no archive is refused in words."""
    assert "import it again" in refused(tmp_path, data, BrokenArchiveError)


def test_disk_that_refuses(tmp_path: Path) -> None:
    """A name that the disk refuses ends the import and leaves nothing."""
    data = repository({"SKILL.md": OK, "n" * 300: "x"})
    refused(tmp_path, data, OSError)


@pytest.mark.parametrize(
    "files",
    [
        {"a/C:x": "x"},
        {"a/b.txt:hidden": "x"},
        {"a:/b": "x"},
        {"a": "x", "a.": "y"},
        {"b/a": "x", "b/a ": "y"},
        {"b/x": "x", "b./y": "y"},
    ],
)
def test_names_that_windows_reads_otherwise(tmp_path: Path, files: dict[str, str]) -> None:
    """A colon, or a dot or space at the end that makes two names one, refuses the whole."""
    packed = tmp_path / "a.tar.gz"
    packed.write_bytes(repository(files))
    with pytest.raises(UnsafeArchiveError, match="nothing was unpacked"):
        unpack(str(packed), str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_names_are_told_on_one_line(tmp_path: Path) -> None:
    """Control characters in an archive's names reach no message."""
    packed = tmp_path / "a.tar.gz"
    packed.write_bytes(repository({"a\x1b[31m\nb/SKILL.md": "x"}))
    with pytest.raises(PathNotFoundError) as caught:
        unpack(str(packed), str(tmp_path / "out"), "none")
    assert str(caught.value).isprintable()
