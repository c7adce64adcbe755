"""``preview``: what an unsaved ``SKILL.md`` would be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skillbook import list_skills
from skillbook.lint.draft import draft_skill, preview
from skillbook.sizes import token_sizes
from trees import build, skill

TEXT = skill("tide", "Reads tides. Use when asked.", "# Notes\n\nDo it.\n")


def test_same_as_when_it_is_saved(tmp_path: Path) -> None:
    """A preview has the catalogue line, sizes and envelope that the saved skill has."""
    build(tmp_path, {"tide/SKILL.md": TEXT, "tide/notes.md": "ok\n"})
    (saved,) = list_skills(tmp_path).skills
    sizes = token_sizes(saved)["tide"]
    seen = preview(TEXT, folder=tmp_path / "tide")
    assert (seen.catalogue, seen.body) == (sizes.catalogue, sizes.body)
    assert seen.entry == "- **tide**: Reads tides. Use when asked."
    assert "<file>" in seen.result.output
    assert seen.skill.files() == saved.files() == ("notes.md",)
    assert seen.skill.base == saved.base


def test_nothing_is_written(tmp_path: Path) -> None:
    """A preview makes no folder and no file."""
    seen = preview(TEXT, folder=tmp_path / "tide")
    assert list(tmp_path.iterdir()) == []
    assert seen.skill.files() == ()


def test_without_a_folder() -> None:
    """A text alone is shown as a data skill would be."""
    seen = preview(TEXT)
    assert seen.skill.base == "skill://tide/"
    assert seen.report.ok
    assert seen.skill.content == "# Notes\n\nDo it.\n"


def test_rescued() -> None:
    """Front matter that is rescued still gives a skill, and the errors say what is wrong."""
    seen = preview("---\nname: tide\ndescription: a: b\n---\nBody.\n")
    assert (seen.skill.name, seen.skill.description) == ("tide", "a: b")
    assert [each.rule for each in seen.report.errors] == ["SB107"]


def test_words() -> None:
    """The repr says what the display says: sizes with their counter, what was found, the line."""
    rows = repr(preview(TEXT, said="not saved")).splitlines()
    assert rows[0] == "<Preview of 'tide'>"
    assert rows[1] == "  level 1, the catalogue line: 40 characters, 13 tokens (cl100k_base)"
    assert rows[2].startswith("  level 2, what the skill tool gives: ")
    assert rows[3:] == [
        "  0 errors, 0 warnings, 0 notes in 1 file",
        "  not saved",
        "  - **tide**: Reads tides. Use when asked.",
    ]
    assert "no skill: see the errors" in repr(preview("x"))


def test_repr_steers_no_terminal() -> None:
    """What steers a terminal in a description is written out in the repr, and kept in the entry."""
    seen = preview('---\nname: tide\ndescription: "Use \\e[31m when asked"\n---\nBody.\n')
    assert "  - **tide**: Use [U+001B][31m when asked" in repr(seen).splitlines()
    assert seen.entry == "- **tide**: Use \x1b[31m when asked"


def test_dict() -> None:
    """A preview is JSON."""
    value = json.loads(json.dumps(preview(TEXT).to_dict()))
    assert (value["name"], value["catalogue"]["chars"]) == ("tide", 40)


def test_line_ends_and_mark() -> None:
    """Windows line ends and a byte order mark are read as they are when the file is saved."""
    made = draft_skill("\ufeff" + TEXT.replace("\n", "\r\n"))
    assert made.content == "# Notes\n\nDo it.\n"


def test_no_text() -> None:
    """What is no text is refused."""
    with pytest.raises(TypeError, match=r"preview takes the text of a SKILL\.md, not int"):
        preview(3)
