"""Fixes: what they change, what they leave, and how they are written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_fixtures import copy_of

from skillbook import list_skills, saving
from skillbook.display import html
from skillbook.errors import SkillbookError, SkillNotFound
from skillbook.lint import fixer, gather
from skillbook.lint.checker import check
from skillbook.lint.fixer import Fix, fix, fix_all
from trees import build, skill

HEAD = "---\nname: tide\ndescription: Reads tide tables. Use when the user asks for the tide.\n"

FIXED = {
    "SB105": "put the first line first",
    "SB107": "quote",
    "SB113": "lower",
    "SB142": "quote",
    "SB143": "quote",
    "SB303": "letters",
    "SB501": "remove",
    "SB602": "remove",
    "SB606": "quote",
}
"""The rules whose bad fixture has a safe fix."""


@pytest.mark.parametrize("rule", FIXED)
def test_bad_fixture_is_fixed(rule: str, tmp_path: Path) -> None:
    """A fix ends the finding, makes no new one, and fixing twice changes nothing more."""
    root = copy_of(rule, "bad", tmp_path)
    (path,) = root.rglob("SKILL.md")
    before = {(each.rule, each.message) for each in check(root)}
    done = fix(path, dry_run=False)
    assert done.saved
    assert rule in {each.rule for each in done.fixed}
    after = {(each.rule, each.message) for each in check(root)}
    assert rule not in {each[0] for each in after}
    assert after <= before
    assert not fix(path).changed


def test_which_rules_fix() -> None:
    """Every rule that offers a fix for its bad fixture is in the list above."""
    offering = set()
    for rule in (path.name for path in Path(__file__).parent.joinpath("fixtures").iterdir()):
        report = check(Path(__file__).parent / "fixtures" / rule / "bad")
        offering |= {each.rule for each in report if each.fix is not None}
    assert offering == set(FIXED)


def test_dry_run_writes_nothing(tmp_path: Path) -> None:
    """Without being told to write, a fix only says what it would do."""
    build(tmp_path, {"tide/SKILL.md": "\n" + skill("tide")})
    done = fix(tmp_path / "tide")
    assert (tmp_path / "tide" / "SKILL.md").read_text() == "\n" + skill("tide")
    assert (done.text, done.saved, done.changed) == (skill("tide"), False, True)


def test_text_is_never_written() -> None:
    """A text gives a text, whatever is asked for."""
    done = fix("\n" + skill("tide"), dry_run=False)
    assert (done.text, done.saved) == (skill("tide"), False)


def test_only_what_a_fix_names_changes(tmp_path: Path) -> None:
    """Line ends, odd bytes, comments, order and quoting style stay as they were."""
    text = (
        b"---\r\n# first\r\nlicense:   'MIT'  # why\r\nname: tide\r\n"
        b"description: Reads: tides.\r\n\r\nmetadata:  # ours\r\n    b: 1.0   # one\r\n    a: x\r\n"
        b"---  \r\nBody \xff\xfe.\n\rEnd without a line end"
    )
    build(tmp_path, {"tide/SKILL.md": text})
    fix(tmp_path / "tide", dry_run=False)
    assert (tmp_path / "tide" / "SKILL.md").read_bytes() == text.replace(
        b"Reads: tides.", b'"Reads: tides."'
    ).replace(b"b: 1.0 ", b'b: "1.0" ')


def test_byte_order_mark_stays_where_its_rule_is_not_asked(tmp_path: Path) -> None:
    """Only the rules that are asked for are fixed."""
    text = ("\ufeff" + HEAD + "metadata:\n  a: 1\n---\nBody.\n").encode()
    build(tmp_path, {"tide/SKILL.md": text})
    fix(tmp_path / "tide", rules="SB142", dry_run=False)
    assert (tmp_path / "tide" / "SKILL.md").read_bytes() == text.replace(b"a: 1", b'a: "1"')


def test_fix_lays_the_next_one_bare() -> None:
    """What is seen only after a first fix is fixed in the same call."""
    done = fix("\ufeff\n---\nname: 12\ndescription: a: b\n---\nBody.\n")
    assert done.text == '---\nname: "12"\ndescription: "a: b"\n---\nBody.\n'
    assert sorted(each.rule for each in done.fixed) == ["SB105", "SB107", "SB602", "SB606"]


@pytest.mark.parametrize(
    ("block", "fixed"),
    [
        ("description: a: b", 'description: "a: b"'),
        ('description: a: "b"', r'description: "a: \"b\""'),
        ("description: a: b\n  and: more", 'description: "a: b\n  and: more"'),
        ("description: 'it's'", 'description: "it\'s"'),
        ('description: "a" and b', r'description: "\"a\" and b"'),
        ("description: **bold** text", 'description: "**bold** text"'),
        ("description: @a", 'description: "@a"'),
        ("description: `a` b", 'description: "`a` b"'),
        ("description: a\\b: c", 'description: "a\\\\b: c"'),
        ("license: x: y\ndescription: d", 'license: "x: y"\ndescription: d'),
        ("metadata:\n  a: b: c\ndescription: d", 'metadata:\n  a: "b: c"\ndescription: d'),
        ("metadata:\n\ta: b\ndescription: d", "metadata:\n  a: b\ndescription: d"),
    ],
)
def test_quoting(block: str, fixed: str) -> None:
    """A value that YAML refuses is put in double quotes and keeps its words."""
    done = fix(f"---\nname: tide\n{block}\n---\nBody.\n", rules="SB107")
    assert done.text == f"---\nname: tide\n{fixed}\n---\nBody.\n"


@pytest.mark.parametrize(
    "block",
    [
        'description: "a b',
        "description: [a",
        "description: {a: b",
        "description: > a\n  b",
        "description: &a b: c",
        "description: a: b\n  - c\n  - d",
        "description: d\nno field",
        "description: a: b\n  license: MIT",
        "description: a: b\n\tversion: x",
        "metadata: a\n  owner: b",
        "metadata: a: b",
        "description: a: b\nname: b",
        'description: "a\\q" # c',
        "description: [a] b",
    ],
)
def test_no_guess(block: str) -> None:
    """What a refused value means is not guessed: no fix is offered."""
    text = f"---\nname: tide\n{block}\n---\nBody.\n"
    assert [each.fix for each in check(text, select="SB107")] == [None]
    assert fix(text, rules="SB107").text == text


def test_field_behind_a_tab_is_not_drawn_into_the_one_above() -> None:
    """A tab before a field is a fault without a fix: quotes would hide the field in a value."""
    text = "---\nname: tide\n\tdescription: Reads tides. Use when asked.\n---\nBody.\n"
    (finding,) = check(text, select="SB107")
    assert finding.message.endswith("a tab is used to indent; YAML takes spaces only")
    assert fix(text).text == text


def test_comment_is_kept_out_of_quotes() -> None:
    """A comment that may be meant as one is not drawn into the value."""
    text = f"{HEAD}license: MIT # the text is in LICENSE\n---\nBody.\n"
    assert not fix(text).changed


def test_scheme_of_a_diff() -> None:
    """The diff shows the lines that change, and writes out what no eye can see."""
    diff = fix(f"{HEAD}---\r\nDo\u200b it.\n").diff.splitlines()
    assert diff[:2] == ["--- SKILL.md (before)", "+++ SKILL.md (after)"]
    assert [line for line in diff[2:] if line[0] in "+-"] == ["-Do[U+200B] it.", "+Do it."]
    assert " ---␍" in diff


def test_words_of_a_fix() -> None:
    """The repr and the text say how much was fixed, by which rules, and whether it was saved."""
    done = fix("\n" + skill("tide"))
    assert (
        repr(done)
        == "<Fix: SKILL.md: 1 finding fixed, not saved>\n  SB105: remove the blank lines above"
    )
    assert str(done).startswith("SKILL.md: 1 finding fixed, not saved.\n--- SKILL.md (before)")
    assert str(fix(skill("tide"))) == "SKILL.md: nothing to fix."
    assert done.to_dict()["fixed"][0]["rule"] == "SB105"


def test_repr_of_many_fixes_is_short() -> None:
    """A repr names twenty repairs and counts the rest."""
    rows = repr(fix(f"{HEAD}---\n" + "a\u200b\n" * 1000)).splitlines()
    assert rows[0] == "<Fix: SKILL.md: 1,000 findings fixed, not saved>"
    assert (len(rows), rows[-1]) == (22, "  … and 980 more")


def test_hostile_path_of_a_fix(tmp_path: Path) -> None:
    """What steers a terminal in a path is written out in every text that a fix gives."""
    folder = tmp_path / "a\x1b[31m\nb"
    build(folder, {"SKILL.md": "\ufeff" + skill("tide")})
    done = fix(folder)
    for text in (repr(done), str(done), done.diff, done.summary):
        assert "a[U+001B][31m b/SKILL.md" in text
        assert "\x1b" not in text


def test_why_it_was_not_saved_is_shown() -> None:
    """The display of a fix that could not be saved says so, and why."""
    done = fix("\n" + skill("tide"))
    shown = html(replace(done, problem="no space is left"))
    assert "1 finding to fix" in shown
    assert "It could not be saved: no space is left." in shown
    assert "could not be saved" not in html(done)


# --- writing -------------------------------------------------------------------------------------


def test_writing_keeps_link_and_mode(tmp_path: Path) -> None:
    """A link stays a link, and the file that it leads to keeps its mode."""
    build(
        tmp_path,
        {"store/tide.md": "\n" + skill("tide"), "tide/SKILL.md": {"link": "../store/tide.md"}},
    )
    (tmp_path / "store" / "tide.md").chmod(0o640)
    fix(tmp_path / "tide", dry_run=False)
    assert (tmp_path / "tide" / "SKILL.md").is_symlink()
    assert (tmp_path / "store" / "tide.md").read_text() == skill("tide")
    assert (tmp_path / "store" / "tide.md").stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path / "store") == ["tide.md"]


def test_change_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that changed between reading and writing stays as it is."""
    build(tmp_path, {"tide/SKILL.md": "\n" + skill("tide")})
    path = tmp_path / "tide" / "SKILL.md"
    repair = fixer._fixed

    def slowly(*args: object) -> object:
        done = repair(*args)
        path.write_text("somebody else's\n")
        return done

    monkeypatch.setattr(fixer, "_fixed", slowly)
    with pytest.raises(
        saving.ChangedOnDisk, match="changed on disk meanwhile; nothing was written"
    ):
        fix(path, dry_run=False)
    assert path.read_text() == "somebody else's\n"


def test_failed_write_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the new file cannot take its place, the old one is whole and nothing is left over."""
    build(tmp_path, {"tide/SKILL.md": "\n" + skill("tide")})

    def refuse(*_: object) -> None:
        raise PermissionError(1, "no")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(SkillbookError, match=r"SKILL\.md cannot be written"):
        fix(tmp_path / "tide", dry_run=False)
    assert os.listdir(tmp_path / "tide") == ["SKILL.md"]
    assert (tmp_path / "tide" / "SKILL.md").read_text() == "\n" + skill("tide")


def test_what_was_not_read_whole_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is larger than what is read is never cut by a fix."""
    text = "\n" + skill("tide", body="more work\n" * 100)
    build(tmp_path, {"tide/SKILL.md": text})
    monkeypatch.setattr(gather, "MOST_BYTES", 500)
    monkeypatch.setattr(fixer, "MOST_BYTES", 500)
    with pytest.raises(SkillbookError, match="was not read whole; nothing"):
        fix(tmp_path / "tide", dry_run=False)
    assert (tmp_path / "tide" / "SKILL.md").read_text() == text


def test_new_file_is_not_written_over(tmp_path: Path) -> None:
    """Saving a new file refuses where one is there."""
    path = tmp_path / "SKILL.md"
    saving.save(str(path), b"a", expected=None)
    with pytest.raises(saving.ChangedOnDisk, match="exists already; nothing was written"):
        saving.save(str(path), b"b", expected=None)
    assert path.read_bytes() == b"a"


def test_new_file_has_the_mode_of_new_files(tmp_path: Path) -> None:
    """A file that is saved for the first time can be read by whom the process allows."""
    before = os.umask(0o027)
    try:
        saving.save(str(tmp_path / "a"), b"a", expected=None)
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_all_of_a_root(tmp_path: Path) -> None:
    """Every skill below a root is fixed; what has no fix is left."""
    build(
        tmp_path,
        {
            "a/SKILL.md": "\n" + skill("a"),
            "b/SKILL.md": skill("b"),
            "c/SKILL.md": skill("c", "x: y"),
        },
    )
    done = fix_all(tmp_path)
    assert [(each.path.removeprefix(str(tmp_path)), each.saved) for each in done] == [
        ("/a/SKILL.md", True),
        ("/c/SKILL.md", True),
    ]
    assert [skill.name for skill in list_skills(tmp_path) if skill.warnings] == []
    assert fix_all(tmp_path) == []


def test_no_skill_there(tmp_path: Path) -> None:
    """A folder without a SKILL.md, and a path that is not there, are said by name."""
    with pytest.raises(SkillNotFound, match=r"there is no SKILL\.md in"):
        fix(tmp_path)
    with pytest.raises(SkillNotFound, match="gone does not exist"):
        fix(tmp_path / "gone")


@pytest.mark.parametrize("what", [None, ["tide"], b"tide", 3])
def test_no_path_and_no_text(what: object) -> None:
    """What is neither a path nor a text is named by its type."""
    with pytest.raises(TypeError, match=f"fix takes .* not {type(what).__name__}$"):
        fix(what)


def test_folder_goes_with_a_text(tmp_path: Path) -> None:
    """A folder beside a path is refused, as ``check`` refuses it, not passed over."""
    build(tmp_path, {"tide/SKILL.md": skill("tide")})
    with pytest.raises(TypeError, match="folder goes with a text only"):
        fix(tmp_path / "tide", folder=tmp_path)


def test_folder_of_a_file_in_other_letters(tmp_path: Path) -> None:
    """A folder that holds skill.md alone is fixed there, as its findings offer."""
    build(tmp_path, {"skill.md": "\ufeff" + skill("tide", "Reads tides. Use when asked.")})
    assert "SB602" in {each.rule for each in check(tmp_path) if each.fix}
    assert fix(tmp_path, dry_run=False).saved
    assert (tmp_path / "skill.md").read_bytes().startswith(b"---")


# --- any text ------------------------------------------------------------------------------------

LINES = st.sampled_from(
    [
        "---",
        "--- ",
        "",
        "name: tide",
        "name: 12",
        "description: a: b",
        "description: Reads #tides",
        "description: 'it's'",
        'description: "a" b',
        "metadata:",
        "  version: 1.0",
        "\tkey: v",
        "  k: x: y",
        "allowed-tools: [Read, Grep]",
        "# Notes",
        "See [a](b.md) and `scripts/a.py`.",
        "\u200bzero",
        "\ufeff",
        "| a | b |",
    ]
)


@given(
    st.lists(LINES | st.text(max_size=20), max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_any_text(lines: list[str], end: str, marked: bool) -> None:
    """Whatever a text holds: findings stand in it, fixing ends, and once more changes nothing."""
    text = "\ufeff" * marked + "---" + end + end.join(lines) + end + "\n"
    report = check(text)
    for each in report:
        assert each.line is None or 1 <= each.line <= text.count("\n") + text.count("\r") + 1
        assert each.message
    done: Fix = fix(text)
    assert not fix(done.text).changed
    left = {each.rule for each in check(done.text) if each.fix is not None}
    assert left == set()
