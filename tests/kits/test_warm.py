"""A folder that is asked again: what did not change is not read, and every change is seen."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from skillbook.kits import warm
from skillbook.kits.warm import WarmFolder
from skillbook.model import Root
from trees import build, skill


def make(tmp_path: Path, files: dict | None = None) -> Path:
    """Returns a root with two skills."""
    files = files or {"a/SKILL.md": skill("a"), "b/c/SKILL.md": skill("c")}
    return build(tmp_path / "root", files)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if all changes were long ago: what was just written is trusted."""
    monkeypatch.setattr(warm, "YOUNG", -3_600_000_000_000)


def names(folder: WarmFolder) -> list[str]:
    """The names that are found now; then the clock of the file system goes on."""
    found = [found.name for found in folder.found().skills]
    time.sleep(0.02)  # with the two seconds set aside, a test may not be quicker than the clock
    return found


def folder_of(root: Path, **more: bool) -> WarmFolder:
    """Returns a folder to ask."""
    return WarmFolder(Root("root", str(root)), **more)


def documents(watch, root: Path) -> list[str]:
    """The documents that were opened, below the root."""
    return [os.path.relpath(path, root) for path in watch.opened if path.endswith("SKILL.md")]


def test_unchanged(tmp_path: Path, settled: None, watch) -> None:
    """Unchanged, a second query opens and walks nothing, and gives the same object."""
    root = make(tmp_path)
    folder = folder_of(root)
    first = folder.found()
    watch.opened.clear()
    watch.walked.clear()
    assert folder.found() is first
    assert (watch.opened, watch.walked) == ([], [])


def test_one_change(tmp_path: Path, settled: None, watch) -> None:
    """Of many files only the one that changed is read again."""
    root = make(tmp_path)
    folder = folder_of(root)
    names(folder)
    (root / "a" / "SKILL.md").write_text(skill("A"))
    watch.opened.clear()
    assert names(folder) == ["A", "c"]
    assert documents(watch, root) == ["a/SKILL.md"]


def test_young_files_are_read_again(tmp_path: Path, watch) -> None:
    """A file that changed within the last two seconds is read again, and an old one is not."""
    root = make(tmp_path)
    past = time.time() - 60
    old = root / "b" / "c" / "SKILL.md"
    os.utime(old, (past, past))  # its change time is new all the same
    folder = folder_of(root)
    folder.found()
    watch.opened.clear()
    folder.found()
    assert documents(watch, root) == ["a/SKILL.md", "b/c/SKILL.md"]
    time.sleep(2.1)
    folder.found()
    watch.opened.clear()
    folder.found()
    assert documents(watch, root) == []


def test_same_size_same_moment(tmp_path: Path) -> None:
    """Edits of one size right after each other are all seen."""
    root = make(tmp_path)
    folder = folder_of(root)
    for number in range(200):
        (root / "a" / "SKILL.md").write_text(skill(f"a{number:03}"))
        assert folder.found().skills[0].name == f"a{number:03}"


def test_times_that_were_put_back(tmp_path: Path, settled: None) -> None:
    """An edit of one size whose modification time is put back is seen by its change time."""
    root = make(tmp_path)
    folder = folder_of(root)
    path = root / "a" / "SKILL.md"
    os.utime(path, ns=(10**18, 10**18))
    assert names(folder) == ["a", "c"]
    path.write_text(skill("z"))
    os.utime(path, ns=(10**18, 10**18))
    assert names(folder) == ["z", "c"]


def replaced(root: Path) -> None:
    """Puts another file in the place of one, as editors do."""
    (root / "new").write_text(skill("z"))
    os.replace(root / "new", root / "a" / "SKILL.md")


CHANGES = {
    "added": (lambda root: build(root, {"n/SKILL.md": skill("n")}), ["a", "n", "c"]),
    "added deep": (lambda root: build(root, {"b/d/e/SKILL.md": skill("e")}), ["a", "c", "e"]),
    "removed": (lambda root: shutil.rmtree(root / "a"), ["c"]),
    "emptied": (lambda root: (root / "a" / "SKILL.md").unlink(), ["c"]),
    "renamed": (lambda root: (root / "a").rename(root / "z"), ["a", "c"]),
    "replaced": (replaced, ["z", "c"]),
    "broken": (lambda root: (root / "a" / "SKILL.md").write_text("no"), ["c"]),
    "wrong case": (lambda root: (root / "a" / "SKILL.md").rename(root / "a" / "skill.md"), ["c"]),
    "nested": (lambda root: build(root, {"a/x/SKILL.md": skill("x")}), ["a", "x", "c"]),
    "environment": (lambda root: (root / "b" / "pyvenv.cfg").write_text(""), ["a"]),
    "all gone": (shutil.rmtree, []),
    "a file": (lambda root: (shutil.rmtree(root), root.write_text("x")), []),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changes(tmp_path: Path, settled: None, change: str) -> None:
    """Each kind of change is seen at the next query, and so is its undoing."""
    root = make(tmp_path)
    folder = folder_of(root)
    before = names(folder)
    alter, expected = CHANGES[change]
    alter(root)
    assert sorted(names(folder)) == sorted(expected)
    assert sorted(found.name for found in folder_of(root).found().skills) == sorted(expected)
    if root.is_dir():
        shutil.rmtree(root)
    root.unlink(missing_ok=True)
    make(tmp_path)
    assert names(folder) == before


def test_skips_are_warm_and_fresh(tmp_path: Path, settled: None, watch) -> None:
    """A broken file is not read again while it stays as it is, and is once it is mended."""
    root = make(tmp_path, {"a/SKILL.md": "no front matter\n", "b/SKILL.md": skill("b")})
    folder = folder_of(root)
    first = folder.found()
    watch.opened.clear()
    assert folder.found() is first
    assert documents(watch, root) == []
    (root / "b" / "SKILL.md").write_text(skill("B "))
    watch.opened.clear()
    assert [skip.reason for skip in folder.found().skipped] == ["missing-name"]
    assert documents(watch, root) == ["b/SKILL.md"]
    (root / "a" / "SKILL.md").write_text(skill("a"))
    assert (names(folder), folder.found().skipped) == (["a", "B"], [])


def test_links_are_watched(tmp_path: Path, settled: None) -> None:
    """Where links lead is compared: links to links, links to nowhere, and a root that is a link."""
    build(tmp_path / "one", {"SKILL.md": skill("one")})
    build(tmp_path / "two", {"SKILL.md": skill("two")})
    root = make(tmp_path)
    (tmp_path / "hop").symlink_to(tmp_path / "one")
    (root / "linked").symlink_to(tmp_path / "hop")
    (root / "later").symlink_to(tmp_path / "late")
    (tmp_path / "door").symlink_to(root)
    folder = folder_of(tmp_path / "door")
    assert names(folder) == ["a", "one", "c"]
    (tmp_path / "hop").unlink()
    (tmp_path / "hop").symlink_to(tmp_path / "two")
    assert names(folder) == ["a", "two", "c"]
    (tmp_path / "two" / "SKILL.md").write_text(skill("2"))
    assert names(folder) == ["a", "2", "c"]
    build(tmp_path / "late", {"SKILL.md": skill("late")})
    assert names(folder) == ["a", "late", "2", "c"]
    (tmp_path / "door").unlink()
    (tmp_path / "door").symlink_to(tmp_path / "one")
    assert names(folder) == ["one"]


def test_document_that_is_a_link(tmp_path: Path, settled: None) -> None:
    """A SKILL.md that is a link is compared by the file it leads to, or by leading nowhere."""
    root = make(tmp_path)
    (root / "a" / "SKILL.md").unlink()
    (root / "a" / "SKILL.md").symlink_to(tmp_path / "elsewhere.md")
    folder = folder_of(root)
    assert names(folder) == ["c"]
    (tmp_path / "elsewhere.md").write_text(skill("e"))
    assert names(folder) == ["e", "c"]
    (tmp_path / "elsewhere.md").write_text(skill("f"))
    assert names(folder) == ["f", "c"]
    assert names(folder_of(root, links_out=False)) == ["c"]


def test_permissions(open_folder: Path, settled: None, ordinary_user) -> None:
    """A file or folder that turns unreadable, and readable again, is seen."""
    root = make(open_folder)
    folder = folder_of(root)
    with ordinary_user():
        assert names(folder) == ["a", "c"]
    for path, expected in ((root / "a" / "SKILL.md", ["c"]), (root / "b", ["a"])):
        mode = path.stat().st_mode
        path.chmod(0)
        with ordinary_user():
            assert names(folder) == expected
        path.chmod(mode)
        with ordinary_user():
            assert names(folder) == ["a", "c"]


def test_missing_root(tmp_path: Path, settled: None) -> None:
    """A root that is not there gives its notice, and its skills once it is there."""
    folder = folder_of(tmp_path / "root")
    assert [notice.kind for notice in folder.found().notices] == ["missing-root"]
    make(tmp_path)
    assert names(folder) == ["a", "c"]
