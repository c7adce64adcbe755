"""``new_skill``: a small skill that passes the checker, and nothing written over."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skillbook import starter
from skillbook.errors import SkillbookError
from skillbook.lint.checker import check
from skillbook.starter import new_skill


@pytest.mark.parametrize("scripts", [False, True])
@pytest.mark.parametrize("references", [False, True])
def test_passes_the_checker(tmp_path: Path, *, scripts: bool, references: bool) -> None:
    """A new skill has no finding of any severity, and the files that were asked for."""
    skill = new_skill("tide-report", tmp_path, with_scripts=scripts, with_references=references)
    assert list(map(str, check(skill.folder))) == []
    assert skill.name == "tide-report"
    wanted = ["references/details.md"] * references + ["scripts/greet.py"] * scripts
    assert list(skill.files()) == wanted
    steps = [line for line in skill.content.splitlines() if line[:1].isdigit()]
    assert [line.split(".")[0] for line in steps] == [str(n) for n in range(1, len(wanted) + 4)]


def test_comments_teach(tmp_path: Path) -> None:
    """Comments in the front matter say what each field is, and reach no model."""
    skill = new_skill("tide", tmp_path)
    text = Path(skill.location).read_text()
    assert text.count("\n# ") >= 5
    assert set(skill.meta) == {"name", "description"}


def test_own_description(tmp_path: Path) -> None:
    """A description is written so that it reads back as it was given."""
    said = 'Reads: "tides" #1.\nUse when asked —潮汐.\x7f\x85\u2028\x9b\ufffe.'
    assert new_skill("tide", tmp_path, description=said).description == said


@pytest.mark.parametrize("name", ["12306", "null", "true", "潮汐", "a" * 64])
def test_odd_names(name: str, tmp_path: Path) -> None:
    """Every name that the specification allows can be given, and reads back."""
    assert new_skill(name, tmp_path).name == name
    assert check(tmp_path).errors == ()


@pytest.mark.parametrize(
    "name",
    [
        "my-first",
        "we-sort",
        "our",
        "us",
        "i",
        "i-am",
        "i18n",
        "my-my-our-us",
        "tbd",
        "when",
        "skill",
        "lorem-ipsum-dolor",
        "add-your-text-here",
        "helps-with",
        "12306",
        "null",
        "潮汐",
        "a" * 64,
    ],
)
def test_no_name_gives_a_warning(name: str, tmp_path: Path) -> None:
    """Whatever a skill is called, a new one passes without an error or a warning."""
    skill = new_skill(name, tmp_path, with_scripts=True, with_references=True)
    assert [str(each) for each in check(skill.folder) if each.severity != "note"] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Tide", "has capitals"),
        ("tide report", "holds a space"),
        ("a/b", "solidus"),
        ("..", "full stop"),
        (".", "full stop"),
        ("", "the name is empty"),
        ("-a", "starts with a hyphen"),
        ("a" * 65, "65 characters; 64 are allowed"),
        ("a\0b", "U\\+0000"),
    ],
)
def test_names_that_cannot_be(name: str, said: str, tmp_path: Path) -> None:
    """A name that the specification forbids is refused with the rule, and nothing is written."""
    with pytest.raises(ValueError, match=said):
        new_skill(name, tmp_path / "root")
    assert os.listdir(tmp_path) == []


def test_wrong_descriptions(tmp_path: Path) -> None:
    """A description that cannot be is refused too."""
    with pytest.raises(ValueError, match="1,025 characters"):
        new_skill("tide", tmp_path, description="x" * 1025)
    with pytest.raises(ValueError, match="the description is blank"):
        new_skill("tide", tmp_path, description=" ")
    with pytest.raises(TypeError, match="description is 3; pass text"):
        new_skill("tide", tmp_path, description=3)
    with pytest.raises(TypeError, match="name is None; pass text"):
        new_skill(None, tmp_path)


def test_never_overwrites(tmp_path: Path) -> None:
    """A folder that is there, also an empty one, stays as it is."""
    (tmp_path / "tide").mkdir()
    with pytest.raises(SkillbookError, match="tide exists already; choose another name"):
        new_skill("tide", tmp_path)
    assert os.listdir(tmp_path / "tide") == []


def test_root_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A root that is missing is made; paths are shown as they were typed."""
    monkeypatch.chdir(tmp_path)
    skill = new_skill("tide", "skills/new")
    assert skill.shown_location == "skills/new/tide/SKILL.md"


def test_root_that_cannot_be(tmp_path: Path) -> None:
    """A root that is a file is said so."""
    (tmp_path / "file").write_text("")
    with pytest.raises(SkillbookError, match="cannot be made"):
        new_skill("tide", tmp_path / "file")


def test_nothing_half_made_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where writing fails, what was begun is taken away again."""
    monkeypatch.setattr(starter, "_REFERENCE", "\udcff")
    with pytest.raises(UnicodeEncodeError):
        new_skill("tide", tmp_path, with_references=True)
    assert os.listdir(tmp_path) == []


def test_script_runs(tmp_path: Path) -> None:
    """The script does what its usage line says."""
    skill = new_skill("tide", tmp_path, with_scripts=True)
    script = Path(skill.folder) / "scripts" / "greet.py"
    done = subprocess.run(
        [sys.executable, script, "Ada"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "Hello, Ada!\n"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "Usage: greet.py <name>\n")
    assert os.access(script, os.X_OK)


def test_folder_that_is_never_walked(tmp_path: Path) -> None:
    """A skill is not made where no walk would find it."""
    with pytest.raises(ValueError, match="never looked into"):
        new_skill("site-packages", tmp_path)
    assert os.listdir(tmp_path) == []
