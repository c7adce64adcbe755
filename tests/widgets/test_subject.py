"""What an explorer shows: where its skills come from, and what reading anew shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillbook.errors import SkillWarning
from skillbook.model import SkillDef
from skillbook.source import list_skills, load_skills
from skillbook.widgets.subject import Changes, Subject
from trees import build, place, skill


def test_entries_are_skills_then_what_was_skipped(folder: str) -> None:
    """Every skill and every skip is an entry, by name or by path as it is shown."""
    subject = Subject(folder)
    assert [(each.key, each.kind) for each in subject.entries.values()] == [
        ("choir", "skill"),
        ("hive", "skill"),
        ("tide", "skill"),
        ("skills/broken/SKILL.md", "skipped"),
    ]
    assert subject.title == "skills"


def test_what_may_be_shown(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths, a source, an inventory, an object with a source, or nothing can be shown."""
    from skillbook.widgets import subject as module

    class Catalog:
        def source(self) -> object:
            return load_skills(folder)

    monkeypatch.setattr(module, "default_roots", lambda: [Path(folder)])
    for what in (
        folder,
        [folder],
        Path(folder),
        load_skills(folder),
        list_skills(folder),
        Catalog(),
        None,
    ):
        assert "tide" in Subject(what).entries
    with pytest.raises(TypeError, match="of type int; pass a path, several paths, a source"):
        Subject(5)


def test_titles(folder: str, tmp_path: Path) -> None:
    """The title names the one root as typed, counts several, and says where skills come from code."""
    with pytest.warns(SkillWarning):
        assert Subject([folder, "nowhere"]).title == "2 roots"
    assert Subject(load_skills(skills=[SkillDef("a", "b")])).title == "Skills from code"
    assert Subject(load_skills()).title == "No skills"


def test_refresh_says_what_changed(folder: str, tmp_path: Path) -> None:
    """Added, changed, gone, broken and mended skills are told apart."""
    root = tmp_path / folder
    subject = Subject(folder)
    place(root / "new/SKILL.md", skill("new"))
    place(root / "hive/SKILL.md", skill("hive", body="Another body.\n"))
    (root / "choir/SKILL.md").unlink()
    place(root / "tide/SKILL.md", "---\nname: [a\n---\n")
    changes = subject.refresh()
    assert changes == Changes(("new",), ("hive",), ("choir",), ("tide",))
    assert (
        str(changes)
        == "Read anew: 1 added (new), 1 changed (hive), 1 gone (choir), 1 broken (tide)."
    )
    assert str(subject.refresh()) == "Read anew: nothing changed."
    place(root / "tide/SKILL.md", skill("tide"))
    assert subject.refresh() == Changes(mended=("tide",))


def test_refresh_notices_the_files_beside(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file beside a SKILL.md that is written, added or removed changes its skill."""
    root = tmp_path / folder / "tide"
    subject = Subject(folder)
    place(root / "data.bin", "other")
    assert str(subject.refresh()) == "Read anew: 1 changed (tide)."
    place(root / "more/notes.txt", "more")
    assert subject.refresh() == Changes(changed=("tide",))
    (root / "more/notes.txt").unlink()
    assert subject.refresh() == Changes(changed=("tide",))
    assert not subject.refresh()
    monkeypatch.setattr("skillbook.widgets.subject.MOST_STAMPED", 2)
    subject.refresh()
    place(root / "data.bin", "another")
    assert not subject.refresh()
    place(root / "SKILL.md", skill("tide", body="Another body.\n"))
    assert subject.refresh() == Changes(changed=("tide",))


def test_refresh_says_what_is_skipped_now(folder: str, tmp_path: Path) -> None:
    """A file that gives no skill is told when it comes, changes its fault, is mended, and goes."""
    root = tmp_path / folder
    subject = Subject(folder)
    place(root / "torn/SKILL.md", "torn")
    place(root / "deep" / ("x" * 70) / "SKILL.md", "torn")
    changes = subject.refresh()
    deep = f"skills/deep/{'x' * 70}/SKILL.md"
    assert changes == Changes(skipped=(deep, "skills/torn/SKILL.md"))
    assert str(changes) == (f"Read anew: 2 newly skipped (…{deep[-60:]}, skills/torn/SKILL.md).")
    place(root / "torn/SKILL.md", "---\nname: [\n---\n")
    assert subject.refresh() == Changes(changed=("skills/torn/SKILL.md",))
    place(root / "torn/SKILL.md", skill("torn"))
    (root / "deep" / ("x" * 70) / "SKILL.md").unlink()
    changes = subject.refresh()
    assert changes == Changes(("torn",), not_skipped=(deep, "skills/torn/SKILL.md"))
    assert "1 added (torn), 2 no longer skipped (" in str(changes)


def test_a_skipped_file_is_called_by_its_folder(tmp_path: Path) -> None:
    """Its title is its folder's name; below stands its path from the root on, however long that is."""
    place(tmp_path / "a/torn/SKILL.md", "torn")
    (entry,) = Subject(tmp_path).entries.values()
    assert (entry.title, entry.place) == ("torn", "a/torn/SKILL.md")
    assert entry.text.startswith("a/torn/SKILL.md: ")
    assert entry.key == f"{tmp_path}/a/torn/SKILL.md"


def test_a_broken_skill_keeps_its_last_good_description(folder: str, tmp_path: Path) -> None:
    """A skill that broke since stays under its name, with what it was, until it is mended or gone."""
    path = tmp_path / folder / "tide/SKILL.md"
    subject = Subject(folder)
    place(path, "torn")
    subject.refresh()
    entry = subject.entries["tide"]
    assert (entry.kind, entry.text) == ("broken", "Works out the height of the tide.")
    assert entry.skip
    assert entry.skip.reason == "missing-name"
    subject.refresh()
    assert subject.entries["tide"].kind == "broken"
    path.unlink()
    assert subject.refresh().gone == ("tide",)
    assert "tide" not in subject.entries


def test_filter_and_data_skills_live_through_a_refresh(folder: str, tmp_path: Path) -> None:
    """What was given in code stays; the filter and the sample limit are applied again."""
    given = SkillDef("refund", "Body.", "Refunds.")
    source = load_skills(folder, skills=[given], filter={"hive": False}, sample_limit=3)
    subject = Subject(source)
    assert subject.source is source
    assert not subject.refresh()
    assert list(subject.source.skills) == ["choir", "tide", "refund"]
    assert subject.source.sample_limit == 3
    place(tmp_path / folder / "refund/SKILL.md", skill("refund"))
    subject.refresh()
    assert subject.source["refund"].origin == "fs"
    assert [skip.reason for skip in subject.source.skipped] == [
        "malformed-frontmatter",
        "duplicate-name",
    ]


def test_refresh_warns_of_nothing_again(folder: str, tmp_path: Path) -> None:
    """What a first reading warned of stands in the notices; a button must not print it again."""
    with pytest.warns(SkillWarning, match="gave no skills"):
        subject = Subject([folder, "nowhere"])
    subject.refresh()
    assert [notice.kind for notice in subject.source.notices] == ["missing-root"]
    build(tmp_path / "nowhere", {"a/SKILL.md": skill("a")})
    assert subject.refresh().added == ("a",)


def test_two_entries_never_share_a_key() -> None:
    """Two data skills without a name lie at one place and are two entries all the same."""
    subject = Subject(load_skills(skills=[SkillDef("", "a"), SkillDef("", "b")]))
    assert list(subject.entries) == ["skill://", "skill:// (2)"]
