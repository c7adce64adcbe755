r"""Texts that are being edited: steps, the disk, and the form in which a front end shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook.errors import SkillReadError
from skillbook.saving import ChangedOnDisk
from skillbook.widgets.editor import drafts
from skillbook.widgets.editor.drafts import Draft, opened, rebased, seen, splice_between, unseen


def draft(text: str = "one\n") -> Draft:
    """Returns a draft that nobody else knows."""
    return Draft("/nowhere/SKILL.md", text.encode(), text)


def test_steps() -> None:
    """Each change is a step, back and forth; a new one forgets those that were taken back."""
    one = draft("a")
    for text in ("b", "c"):
        one.change(text)
    assert (one.undo(), one.text, one.undo(), one.text, one.undo()) == (True, "b", True, "a", False)
    assert (one.redo(), one.text) == (True, "b")
    one.change("d")
    assert (one.redo(), one.text, one.can_redo, one.can_undo) == (False, "d", False, True)


def test_a_run_is_one_step() -> None:
    """Changes of one run are one step, and start from the text before it."""
    one = draft("a")
    one.change("b", "field name")
    assert (one.before("field name"), one.before("field license")) == ("a", "b")
    one.change("c", "field name")
    one.change("d", "field license")
    assert (one.undo(), one.text, one.undo(), one.text) == (True, "c", True, "a")


def test_typing() -> None:
    """Letters in a row are one step; a new line, and a jump begin the next."""
    one = draft("x\n")
    for text in ("xa\n", "xab\n", "xab\n\n", "xab\nc\n", "1xab\nc\n", "xab\nc\n"):
        one.typed(text)
    texts = []
    while one.undo():
        texts.append(one.text)
    assert texts == ["xab\n\n", "xab\n", "x\n"]


def test_steps_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest steps are forgotten first."""
    monkeypatch.setattr(drafts, "MOST_STEPS", 3)
    one = draft("0")
    for number in range(1, 9):
        one.change(str(number))
    one.undo()
    one.undo()
    assert (one.undo(), one.text) == (False, "6")


def test_saving(tmp_path: Path) -> None:
    """What is saved is on the disk byte for byte; a folder that is not there is made."""
    path = tmp_path / "new" / "SKILL.md"
    one = opened(str(path), "text\r\n")
    assert (one.base, one.unsaved, path.exists()) == (None, True, False)
    one.save()
    assert (path.read_bytes(), one.unsaved) == (b"text\r\n", False)
    one.change("text\r\nmore\udcff")
    one.save()
    assert path.read_bytes() == b"text\r\nmore\xff"
    drafts.let_go(one)


def test_never_over_somebody_elses(tmp_path: Path) -> None:
    """A file that changed, came or went meanwhile is not touched; the text stays."""
    path = tmp_path / "SKILL.md"
    path.write_text("a")
    one = opened(str(path))
    one.change("mine")
    path.write_text("theirs")
    with pytest.raises(ChangedOnDisk):
        one.save()
    assert (path.read_text(), one.text, one.unsaved) == ("theirs", "mine", True)
    one.take(one.on_disk())
    assert (one.text, one.unsaved, one.undo(), one.text) == ("theirs", False, True, "mine")
    path.unlink()
    with pytest.raises(ChangedOnDisk):
        one.save()
    one.write(None)
    assert path.read_text() == "mine"
    drafts.let_go(one)


def test_kept_by_path(tmp_path: Path) -> None:
    """What was not saved is there when the file is opened again; what was saved is read anew."""
    path = tmp_path / "SKILL.md"
    path.write_text("a")
    one = opened(str(path))
    one.change("mine")
    (tmp_path / "link.md").symlink_to(path)
    again = opened(str(tmp_path / "link.md"))
    assert (again is one, again.kept, again.text) == (True, True, "mine")
    assert drafts.left(str(tmp_path)) == ["SKILL.md"]
    one.save()
    path.write_text("theirs")
    assert (opened(str(path)).text, one.kept) == ("theirs", False)
    assert drafts.left(str(tmp_path)) == []
    drafts.let_go(one)


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"a\0b", "it holds a NUL, as no text does"), (b"x" * 1_000_001, "it is over 1 MB")],
)
def test_what_cannot_be_edited(tmp_path: Path, data: bytes, why: str) -> None:
    """Binary and large files are refused in words."""
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(SkillReadError, match=f"f cannot be edited: {why}"):
        opened(str(tmp_path / "f"))
    with pytest.raises(SkillReadError, match="it is a folder"):
        opened(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "shown", "expected"),
    [
        ("a\r\nb\r\n", "a\nb!\n", "a\r\nb!\r\n"),
        ("a\r\nb\nc\r\n", "a\nb\nc\nd\n", "a\r\nb\nc\r\nd\r\n"),
        ("a\rb", "a\nbc\n", "a\rbc\r"),
        ("\udcff\nb", "\ufffd\nc", "\udcff\nc"),
        ("", "x\n", "x\n"),
        ("a", "a\ud800", "a\ufffd"),
    ],
)
def test_line_ends_that_were_not_edited_stay(text: str, shown: str, expected: str) -> None:
    """An edit of what is shown changes the lines that it is about, and no other."""
    assert unseen(text, shown) == expected


lines = st.lists(st.sampled_from(["a", "b", "é", "\r\n", "\n", "\r", "\udc80"]), max_size=12)


@given(lines.map("".join), lines.map("".join))
def test_seen_and_unseen_agree(text: str, other: str) -> None:
    """What is shown after an edit is what was typed."""
    assert unseen(text, seen(text)) == text
    assert seen(unseen(text, seen(other))) == seen(other)


@given(lines.map("".join), lines.map("".join))
def test_a_splice_makes_one_of_the_other(old: str, new: str) -> None:
    """The one splice between two texts gives the second."""
    start, end, between = splice_between(old, new)
    assert old[:start] + between + old[end:] == new


@pytest.mark.parametrize(
    ("mine", "now", "expected"),
    [
        ("abcX", "abc", "abcX"),
        ("abcX", "Yabc", "YabcX"),
        ("Xabc", "abcY", "XabcY"),
        ("aXc", "aYc", "aXc"),
        ("ac", "ac", "ac"),
        ("abc", "abcY", "abcY"),
    ],
)
def test_edits_that_meet(mine: str, now: str, expected: str) -> None:
    """Two edits of one text are both made where they lie apart; otherwise what was typed stays."""
    assert rebased("abc", mine, now) == expected
