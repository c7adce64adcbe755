"""``%%skill``, ``%skill`` and ``%skills``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from skillbook import SkillInfo, SkillInventory
from skillbook import magics as ours
from skillbook.lint.draft import Preview
from skillbook.lint.report import Report
from trees import build, skill

GOOD = "Reads tide tables. Use when the user asks for the tide."
CELL = skill("tide", GOOD, "# Tide\n\nDo it.\n")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A shell with the magics, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    made = InteractiveShell()
    ours.load_ipython_extension(made)
    yield made
    made.history_manager.end_session()


def cell(shell: Any, line: str, text: str = CELL) -> Any:
    """Runs ``%%skill``."""
    return shell.run_cell_magic("skill", line, text)


def test_load_ext(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The package itself is the extension: %load_ext skillbook."""
    shell.run_line_magic("load_ext", "skillbook")
    assert capsys.readouterr().out == ""
    assert {"skill", "skills"} <= shell.magics_manager.magics["line"].keys()
    assert "skill" in shell.magics_manager.magics["cell"]


def test_preview(shell: Any, tmp_path: Path) -> None:
    """The cell is the SKILL.md; its output is what it would be, and nothing is written."""
    shown = cell(shell, "skills/tide")
    assert isinstance(shown, Preview)
    assert (shown.entry, shown.report.ok, shown.said) == (f"- **tide**: {GOOD}", True, "not saved")
    assert not (tmp_path / "skills").exists()


def test_findings_stand_at_the_lines_of_the_cell(shell: Any) -> None:
    """Line 1 of the SKILL.md is the line under the magic, and the path is the one typed."""
    shown = cell(shell, "skills/ebb")
    assert [(each.rule, each.path, each.line) for each in shown.report] == [
        ("SB116", "skills/ebb/SKILL.md", 2)
    ]
    assert "SB116" in shown._repr_html_()


def test_check_only(shell: Any) -> None:
    """With --check-only the output is the report alone."""
    report = cell(shell, "skills/ebb --check-only")
    assert isinstance(report, Report)
    assert [each.rule for each in report] == ["SB116"]


def test_save(shell: Any, tmp_path: Path) -> None:
    """With --save the cell is written, byte for byte, also a second time after a change."""
    path = tmp_path / "skills" / "tide" / "SKILL.md"
    assert cell(shell, "skills/tide --save").said == "saved: skills/tide/SKILL.md"
    assert path.read_text() == CELL
    assert cell(shell, "skills/tide --save").said == "saved already: skills/tide/SKILL.md"
    changed = CELL.replace("Do it", "Do it well")
    assert cell(shell, "skills/tide/SKILL.md --save", changed).said == "saved: skills/tide/SKILL.md"
    assert path.read_text() == changed


def test_save_with_faults(shell: Any, tmp_path: Path) -> None:
    """A draft with errors is saved all the same, and the errors are shown."""
    shown = cell(shell, "skills/ebb --save")
    assert (shown.report.ok, (tmp_path / "skills/ebb/SKILL.md").read_text()) == (False, CELL)


def test_save_never_over_another_text(shell: Any, tmp_path: Path) -> None:
    """What this session did not write is not written over, but with --force."""
    build(tmp_path, {"tide/SKILL.md": "somebody's\n"})
    with pytest.raises(UsageError, match="holds another text than this cell saved; look at it"):
        cell(shell, "tide --save")
    assert (tmp_path / "tide/SKILL.md").read_text() == "somebody's\n"
    cell(shell, "tide --save --force")
    assert (tmp_path / "tide/SKILL.md").read_text() == CELL
    (tmp_path / "tide/SKILL.md").write_text("changed meanwhile\n")
    with pytest.raises(UsageError, match="Nothing was written"):
        cell(shell, "tide --save", CELL + "More.\n")


def test_save_where_it_cannot(shell: Any, tmp_path: Path) -> None:
    """A place that cannot be written is said."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"file/tide/SKILL\.md was not saved"):
        cell(shell, "file/tide --save")


def test_path_of_another_file(shell: Any) -> None:
    """A Markdown file that is called otherwise is refused."""
    with pytest.raises(UsageError, match=r"tide\.md is no SKILL\.md"):
        cell(shell, "skills/tide.md")


def test_path_with_a_space(shell: Any, tmp_path: Path) -> None:
    """Quotes keep a path together."""
    cell(shell, '"my skills/tide" --save')
    assert (tmp_path / "my skills/tide/SKILL.md").read_text() == CELL


def test_skills_and_skill(shell: Any, tmp_path: Path) -> None:
    """%skills lists a root, which %skill then looks in."""
    build(tmp_path, {"skills/tide/SKILL.md": CELL, "skills/lost/SKILL.md": "x\n"})
    inventory = shell.run_line_magic("skills", "skills")
    assert isinstance(inventory, SkillInventory)
    assert (inventory.names, len(inventory.skipped)) == (["tide"], 1)
    shown = shell.run_line_magic("skill", "tide")
    assert isinstance(shown, SkillInfo)
    assert shown.shown_location == "skills/tide/SKILL.md"


def test_skill_by_path(shell: Any, tmp_path: Path) -> None:
    """%skill takes the path of a skill's folder too, before any root was listed."""
    build(tmp_path, {"skills/tide/SKILL.md": CELL})
    assert shell.run_line_magic("skill", "skills/tide").name == "tide"
    assert shell.run_line_magic("skill", "skills/tide/SKILL.md").name == "tide"


def test_roots_of_agents(shell: Any, tmp_path: Path) -> None:
    """Without a root, the folders where agents keep skills are listed."""
    build(tmp_path, {".claude/skills/tide/SKILL.md": CELL})
    assert shell.run_line_magic("skills", "").names == ["tide"]
    assert shell.run_line_magic("skill", "tide").name == "tide"


def test_last_root_is_kept(shell: Any, tmp_path: Path) -> None:
    """%skills without a root lists the one of last time again, and %skill looks there."""
    build(
        tmp_path, {"mine/tide/SKILL.md": CELL, ".claude/skills/neap/SKILL.md": skill("neap", GOOD)}
    )
    assert shell.run_line_magic("skills", "mine").names == ["tide"]
    assert shell.run_line_magic("skills", "").names == ["tide"]
    assert shell.run_line_magic("skill", "tide").shown_location == "mine/tide/SKILL.md"
    assert shell.run_line_magic("skills", ".claude/skills").names == ["neap"]
    assert shell.run_line_magic("skills", "").names == ["neap"]


def test_root_that_cannot_be_is_not_kept(shell: Any, tmp_path: Path) -> None:
    """A root that is refused does not take the place of the last one."""
    build(tmp_path, {"mine/tide/SKILL.md": CELL})
    shell.run_line_magic("skills", "mine")
    with pytest.raises(ValueError, match=r"pass '\.' for the working folder"):
        shell.run_line_magic("skills", '""')
    assert shell.run_line_magic("skills", "").names == ["tide"]


def test_unknown_skill_steers_no_output(shell: Any, tmp_path: Path) -> None:
    """The names that are there are strangers' text: what steers a terminal is written out."""
    build(tmp_path, {"mine/x/SKILL.md": CELL.replace("name: tide", 'name: "a\\e[31mb"')})
    shell.run_line_magic("skills", "mine")
    with pytest.raises(UsageError, match=r"Available skills: a\[U\+001B\]\[31mb \("):
        shell.run_line_magic("skill", "ebb")


def test_unknown_skill(shell: Any) -> None:
    """An unknown name says what is there, and where to look is said."""
    with pytest.raises(
        UsageError, match=r'Skill "ebb" not found. Available skills: none \(%skills ROOT'
    ):
        shell.run_line_magic("skill", "ebb")


def test_help() -> None:
    """The magics say what they take."""
    for magic, options in (
        (ours.SkillMagics.skill, ["--save", "--check-only", "--force"]),
        (ours.SkillMagics.skills, ["root"]),
    ):
        assert all(option in magic.__doc__ for option in options)
