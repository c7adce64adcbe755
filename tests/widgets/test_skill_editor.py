"""The editor of a skill: each handler, each sign, and what is written where."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from explorers import Messages
from hypothesis import given, settings
from hypothesis import strategies as st
from test_hostile import ATTACKS, panes, wrong
from test_modules import test_no_text_can_become_an_element as plain

from skillbook.display import html
from skillbook.errors import SkillbookError, SkillNotFound, SkillReadError
from skillbook.model import SkillDef
from skillbook.source import load_skills
from skillbook.widgets import SkillEditor
from skillbook.widgets.editor.field_edits import FieldError
from skillbook.widgets.elements.text_editor import FindingList, TextEditor
from trees import build, skill

TIDE = skill("tide", "Works out tides: use it when asked.", "# Tide\n\nSee [d](references/d.md).\n")

Edit = Callable[..., SkillEditor]


@pytest.fixture
def edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Edit]:
    """Makes editors in a folder with one faulty skill, saves nothing, and closes them."""
    build(tmp_path, {"tide/SKILL.md": TIDE, "tide/references/e.md": "# E\n"})
    monkeypatch.chdir(tmp_path)
    made: list[SkillEditor] = []

    def one(*what: Any, **named: Any) -> SkillEditor:
        made.append(SkillEditor(*what, **named))
        return made[-1]

    yield one
    for editor in made:
        for draft in editor._drafts.values():  # nothing is kept for the next test
            draft.base = draft.data
        editor.close()


def rules(editor: SkillEditor) -> list[str]:
    """Returns the rules that speak."""
    return [finding.rule for finding in editor.report.findings]


def typed(editor: SkillEditor, text: str) -> None:
    """Sends what the front end sends when a text was typed."""
    editor.editor.heard(None, {"base": editor.editor.text, "text": text, "view": "v", "number": 1})


def test_two_views_of_one_document(edit: Edit) -> None:
    """What is typed in one view shows in the other, and neither loses the other's edits."""
    editor = edit("tide")
    typed(editor, TIDE.replace("---\nname", "---\n# mine\nname").replace("tides:", "tides,"))
    editor.form.boxes["license"].value = "MIT"
    editor.form.boxes["description"].value = "Tides. Use when asked."
    expected = (
        "---\n# mine\nname: tide\ndescription: Tides. Use when asked.\nlicense: MIT\n---\n"
        "# Tide\n\nSee [d](references/d.md).\n"
    )
    assert (editor.text, editor.editor.text) == (expected, expected)
    typed(editor, expected.replace("MIT", "BSD"))
    assert editor.form.boxes["license"].value == "BSD"
    assert editor.fields["license"] == "BSD"


def test_findings_move_with_the_text(edit: Edit) -> None:
    """A line above moves the finding and its mark; its fix still finds its place."""
    editor = edit("tide")
    place = next(f for f in editor.report.findings if f.rule == "SB107")
    assert place.line == 3
    typed(editor, editor.text.replace("name:", "# remark\nname:"))
    now = next(f for f in editor.report.findings if f.rule == "SB107")
    assert now.line == 4
    assert [mark[0] for mark in editor.editor.marks if "SB107" in mark[4]] == [4]
    assert [(i[1], i[3], i[6]) for i in editor.outcome.findings.items if i[2] == "SB107"] == [
        ("error", "line 4", "put the value in double quotes")
    ]
    editor.fix_one(place)
    assert 'description: "Works out tides: use it when asked."\n' in editor.text
    assert "SB107" not in rules(editor)
    assert editor.status.message == "Fixed SB107: put the value in double quotes."
    editor.fix_one(place)
    assert editor.status.message == "There is nothing to fix there any more."


def test_fix_all_is_one_step(edit: Edit) -> None:
    """Every safe repair is made at once and taken back at once."""
    editor = edit("tide")
    assert editor.fix_button.description == "Fix all 1"
    editor.fix_button.click()
    assert (editor.fix_button.disabled, editor.text == TIDE) == (True, False)
    editor.undo_button.click()
    assert editor.text == TIDE
    editor.redo()
    assert "SB107" not in rules(editor)


def test_a_click_on_a_finding_leads_to_its_file(edit: Edit, messages: Messages) -> None:
    """The place of a finding is shown in the text that it is about."""
    editor = edit("tide")
    numbers = {finding.rule: number for number, finding in enumerate(editor.report.findings)}
    editor.tabs.selected_index = 0
    editor.outcome.findings.heard(None, {"go": numbers["SB301"]})
    assert editor.tabs.selected_index == 1
    assert [m[1] for m in messages if m[1].get("method") == "custom"][-1]["content"] == {
        "go": [7, 8, 15]
    }
    editor.go(numbers["SB306"])
    assert (editor.file, editor.text) == ("references/e.md", "# E\n")
    editor.outcome.findings.heard(None, {"go": 99})
    assert editor.file == "references/e.md"


def test_save_and_revert(edit: Edit) -> None:
    """Saving writes the bytes; reverting shows the disk again and can be undone."""
    editor = edit("tide")
    assert (editor.save_button.disabled, editor.unsaved) == (True, [])
    editor.text = TIDE + "More.\n"
    assert (editor.save_button.disabled, editor.unsaved) == (False, ["SKILL.md"])
    editor.save_button.click()
    assert Path("tide/SKILL.md").read_text() == TIDE + "More.\n"
    assert editor.status.message == "Saved 1 file."
    assert editor.status.facts[0] == "saved"
    editor.text = "other\n"
    editor.revert()
    assert editor.text == TIDE + "More.\n"
    editor.undo()
    assert editor.text == "other\n"


def test_a_file_that_changed_on_disk(edit: Edit) -> None:
    """Nothing is overwritten; both texts are shown, and the user chooses."""
    editor = edit("tide")
    editor.text = TIDE + "Mine.\n"
    Path("tide/SKILL.md").write_text(TIDE + "Theirs.\n")
    editor.save()
    assert Path("tide/SKILL.md").read_text() == TIDE + "Theirs.\n"
    assert (editor.conflict.path, editor.conflict.data.decode()) == (
        "SKILL.md",
        TIDE + "Theirs.\n",
    )
    assert editor.asking.view.layout.display == ""
    assert "Mine." in editor.asking.pane.value
    assert "Theirs." in editor.asking.pane.value
    assert "Theirs." in editor._repr_html_()
    assert repr(editor).startswith("<SkillEditor of tide/SKILL.md: changed on disk, ")
    editor.decide_later()
    assert (editor.conflict, editor.asking.view.layout.display) == (None, "none")
    editor.save()
    editor.take_theirs()
    assert (editor.text, editor.unsaved) == (TIDE + "Theirs.\n", [])
    editor.undo()
    editor.save()
    assert Path("tide/SKILL.md").read_text() == TIDE + "Mine.\n"
    Path("tide/SKILL.md").write_text("x")
    editor.text += "More.\n"
    editor.save()
    Path("tide/SKILL.md").write_text("y")
    editor.keep_mine()  # it changed again since it was shown
    assert (Path("tide/SKILL.md").read_text(), editor.conflict.data) == ("y", b"y")
    editor.keep_mine()
    assert Path("tide/SKILL.md").read_text() == TIDE + "Mine.\nMore.\n"


def test_a_file_that_is_gone(edit: Edit) -> None:
    """A file that somebody removed is not written again without a word."""
    editor = edit("tide")
    editor.text += "Mine.\n"
    Path("tide/SKILL.md").unlink()
    editor.save()
    assert not Path("tide/SKILL.md").exists()
    assert "is gone from the disk" in editor.asking.pane.value
    assert editor.asking.theirs.disabled
    editor.keep_mine()
    assert Path("tide/SKILL.md").read_text() == TIDE + "Mine.\n"


def test_unsaved_text_survives(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed save and a cell that is run again lose nothing, in no file of the skill."""
    editor = edit("tide")
    editor.text = TIDE + "Mine.\n"
    editor.open_file("references/e.md")
    editor.text = "# E, mine\n"

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(os, "replace", full)
        editor.save()
    assert editor.status.message == (
        "Not saved: SKILL.md cannot be written: no space left on device (your text is kept here)."
        " Not saved: e.md cannot be written: no space left on device (your text is kept here)."
    )
    assert Path("tide/SKILL.md").read_text() == TIDE
    assert [path.name for path in Path("tide").rglob(".skillbook*")] == []
    editor.close()
    again = edit("tide/SKILL.md")
    assert again.status.message == "This text was not saved before; it is as you left it."
    assert again.text == TIDE + "Mine.\n"
    assert again.unsaved == ["SKILL.md", "references/e.md"]
    again.save()
    assert Path("tide/references/e.md").read_text() == "# E, mine\n"


def test_two_editors_of_one_skill_agree(edit: Edit) -> None:
    """Editors of one file share its text, and one that is closed leaves it to the other."""
    one, other = edit("tide"), edit("tide")
    one.text = TIDE + "Mine.\n"
    assert other.text == TIDE + "Mine.\n"
    one.close()
    other.text = TIDE
    assert other.editor.text == TIDE


def test_a_new_skill(edit: Edit) -> None:
    """A name begins a skill; nothing is on the disk until it is saved."""
    editor = edit(name="high-water", root="skills")
    assert editor.fields["name"] == "high-water"
    assert not Path("skills").exists()
    assert rules(editor) == ["SB121"]
    with pytest.raises(SkillbookError, match=r"save the SKILL\.md first"):
        editor.add_file("a.md")
    editor.set_field("description", "Says when the water is high. Use when asked.")
    editor.save()
    assert Path("skills/high-water/SKILL.md").read_text() == (
        '---\nname: high-water\ndescription: "Says when the water is high. Use when asked."\n'
        "---\n\n# High water\n"
    )
    assert editor.report.ok


def test_files(edit: Edit) -> None:
    """Files are added, edited and renamed inside the folder; their unsaved text goes with them."""
    editor = edit("tide")
    editor.tabs.selected_index = 2
    panel = editor.file_panel
    assert [row[0] for row in panel.list.rows] == ["SKILL.md", "references/e.md"]
    panel.path.value = "notes/n.md"
    panel.add.click()
    assert (editor.file, editor.tabs.selected_index) == ("notes/n.md", 1)
    typed(editor, "# N\n")
    assert editor.unsaved == ["notes/n.md"]
    panel.list.chosen = "notes/n.md"
    panel.path.value = "notes/m.md"
    panel.rename.click()
    assert (editor.file, editor.unsaved) == ("notes/m.md", ["notes/m.md"])
    editor.save()
    assert Path("tide/notes/m.md").read_text() == "# N\n"
    assert not Path("tide/notes/n.md").exists()
    editor.tabs.selected_index = 0
    assert editor.file == "SKILL.md"


@pytest.mark.parametrize(
    "path",
    [
        "../x.md",
        "/x.md",
        "a/../../x",
        "",
        " ",
        "a//b",
        "a\\b",
        "a\nb",
        "out/x.md",
        "x/SKILL.md",
        ".",
    ],
)
def test_no_file_outside(edit: Edit, path: str, tmp_path: Path) -> None:
    """A path that lies or leads outside is refused, and nothing is made or moved."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "tide" / "out").symlink_to(tmp_path / "elsewhere")
    editor = edit("tide")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(SkillbookError):
        editor.add_file(path)
    with pytest.raises(SkillbookError):
        editor.rename_file("references/e.md", path)
    assert sorted(tmp_path.rglob("*")) == before


def test_no_file_is_replaced(edit: Edit) -> None:
    """Adding and renaming never replace a file, and the SKILL.md keeps its name."""
    editor = edit("tide")
    for act in (
        lambda: editor.add_file("references/e.md"),
        lambda: editor.rename_file("references/e.md", "references/e.md"),
        lambda: editor.rename_file("SKILL.md", "other.md"),
        lambda: editor.rename_file("gone.md", "other.md"),
        lambda: editor.open_file("gone.md"),
    ):
        with pytest.raises(SkillbookError):
            act()
    assert Path("tide/references/e.md").read_text() == "# E\n"
    editor.file_panel.path.value = "../x"
    editor.file_panel.add.click()
    assert editor.status.message == (
        "'../x' does not lie in the skill's folder; write notes/more.md."
    )


def test_fields_that_the_text_alone_can_edit(edit: Edit) -> None:
    """Such a control is switched off, and the form says why."""
    editor = edit("tide")
    assert editor.form.boxes["license"].disabled
    assert "YAML refuses the front matter" in editor.form.notes.value
    with pytest.raises(FieldError):
        editor.set_field("license", "MIT")
    editor.fix()
    assert not editor.form.boxes["license"].disabled
    editor.form.boxes["metadata"].value = "half a li"
    assert "without a colon" in editor.status.message
    assert editor.form.boxes["metadata"].value == "half a li"
    editor.form.boxes["metadata"].value = "half a line: yes"
    assert '  half a line: "yes"\n' in editor.text


def test_typing_in_a_field_is_one_step_and_keeps_its_place(edit: Edit) -> None:
    """A field that is emptied and typed anew stays where it was, with its comment."""
    build(Path.cwd(), {"own/SKILL.md": "---\nlicense: MIT # ask\nname: own\n---\nB\n"})
    editor = edit("own")
    for value in ("", "B", "BS", "BSD"):
        editor.form.boxes["license"].value = value
    assert editor.text == "---\nlicense: BSD # ask\nname: own\n---\nB\n"
    editor.undo()
    assert editor.fields["license"] == "MIT"


def test_lengths_are_said(edit: Edit) -> None:
    """The description's length stands against what is allowed."""
    editor = edit(name="x")
    editor.set_field("description", "é" * 1030)
    assert "description: 1,030 of 1,024 characters, 6 too many" in editor.form.length.value


def test_what_is_opened(edit: Edit, tmp_path: Path) -> None:
    """A folder, its SKILL.md and a skill mean the same; what cannot be edited says why."""
    found = load_skills(".")["tide"]
    for what in ("tide", Path("tide"), "tide/SKILL.md", found):
        assert edit(what).text == TIDE
    with pytest.raises(SkillNotFound, match=r"gone is no folder; pass .* or name= for a new skill"):
        edit("gone")
    with pytest.raises(TypeError, match="and not both"):
        edit()
    with pytest.raises(TypeError, match="and not both"):
        edit("tide", name="x")
    with pytest.raises(
        TypeError, match=r"path is 3; pass a skill's folder, its SKILL.md, or a skill"
    ):
        edit(3)
    with pytest.raises(TypeError, match="is given in code"):
        edit(load_skills(skills=[SkillDef("d", "b", "x")])["d"])
    for name in ("", "a/b", "..", "a\nb"):
        with pytest.raises(ValueError, match="which is no name for a folder"):
            edit(name=name)
    (tmp_path / "tide" / "SKILL.md").write_bytes(b"\0")
    with pytest.raises(SkillReadError, match="it holds a NUL"):
        edit("tide")


def test_line_ends_and_bytes_stay(edit: Edit) -> None:
    """A file with Windows line ends and odd bytes keeps them where nothing was edited."""
    data = TIDE.replace("\n", "\r\n").encode() + b"caf\xe9\r\n"
    Path("tide/SKILL.md").write_bytes(data)
    editor = edit("tide")
    assert "\r" not in editor.editor.text
    typed(editor, editor.editor.text.replace("# Tide\n", "# Tides\nNew.\n"))
    editor.save()
    assert Path("tide/SKILL.md").read_bytes() == data.replace(b"# Tide\r\n", b"# Tides\r\nNew.\r\n")


def test_answers_the_front_end(edit: Edit) -> None:
    """Each text that was sent is answered, also one that changes nothing; other messages do no harm."""
    editor = edit("tide")
    text = editor.editor
    number = text.state[0]
    typed(editor, TIDE)
    assert text.state == [number + 1, TIDE, "v", 1]
    for content in (None, [], {"text": 1}, {"base": "", "text": None}, {"step": "x"}, {"go": "x"}):
        text.heard(None, content)
        editor.outcome.findings.heard(None, content)
    assert text.state[0] == number + 1
    text.heard(None, {"step": "undo"})
    assert editor.status.message == "There is no such step."


def test_what_was_changed_meanwhile_is_kept(edit: Edit) -> None:
    """A text that was typed before a fix arrived is joined with it."""
    editor = edit("tide")
    editor.fix()
    editor.editor.heard(None, {"base": TIDE, "text": TIDE + "Typed.\n", "view": "v", "number": 1})
    assert 'description: "Works' in editor.text
    assert editor.text.endswith("Typed.\n")


def test_the_twin_says_the_same(edit: Edit) -> None:
    """The HTML and the text hold the facts, are the same each time, and name no absolute path."""
    editor = edit("tide")
    said, drawn = repr(editor), editor._repr_html_()
    for fact in ("tide/SKILL.md", "saved", "1 error", "SB107", "SB301", "references/e.md"):
        assert fact in said
        assert fact in drawn
    assert (repr(editor), editor._repr_html_()) == (said, drawn)
    assert str(Path.cwd()) not in said + drawn
    assert wrong(drawn.split("</style>", 1)[1]) == []
    editor.outcome.tabs.selected_index = 1
    assert str(Path.cwd()) not in editor.outcome.panes[1].value
    assert html(editor.preview)


def test_every_control_has_a_label(edit: Edit) -> None:
    """A screen reader has a name for each control."""

    def walk(widget: Any) -> Iterator[Any]:
        yield widget
        for child in getattr(widget, "children", ()):
            yield from walk(child)

    for widget in walk(edit("tide")):
        if isinstance(widget, (ipywidgets.Text, ipywidgets.Textarea, ipywidgets.Button)):
            assert widget.description
    assert edit("tide").editor.label == "Text of SKILL.md"


@pytest.mark.parametrize("module", [TextEditor, FindingList])
def test_modules_are_plain(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No module knows a way to turn text into an element, and each leaves what it listened to."""
    text = str(module._esm)
    import test_modules

    monkeypatch.setitem(test_modules.MODULES, "one", text)
    plain("one")
    assert text.count("model.on(") == text.count("model.off(") == 1
    assert text.count("window.addEventListener") == text.count("window.removeEventListener")


texts = st.one_of(
    st.text(st.characters(exclude_characters="\0"), max_size=60), st.sampled_from(ATTACKS)
)


@settings(max_examples=25, deadline=None)
@given(text=texts, name=texts, field=texts)
def test_any_text(text: str, name: str, field: str) -> None:
    """Whatever is typed, only listed tags come out, and nothing fails."""
    editor = SkillEditor(name="hostile", root="/nowhere")
    try:
        for value in (text, f"---\nname: {name}\ndescription: {field}\n---\n{text}"):
            typed(editor, value)
            for box in editor.form.boxes.values():
                if not box.disabled:
                    box.value = field
            for number in (0, 1):
                editor.outcome.tabs.selected_index = number
            editor.fix()
            found = [each for pane in panes(editor) for each in wrong(pane.value)]
            assert found + wrong(editor._repr_html_().split("</style>", 1)[1]) == []
            repr(editor).encode()
    finally:
        editor._drafts["SKILL.md"].base = editor._drafts["SKILL.md"].data
        editor.close()


def test_names_are_as_they_are_typed(edit: Edit) -> None:
    """A name with letters of any script begins a skill whose folder has the same name."""
    name = unicodedata.normalize("NFC", "smørrebrød")
    editor = edit(name=name)
    assert (editor.fields["name"], re.findall(f"{name}/", editor.shown)) == (name, [f"{name}/"])


def test_half_a_character(edit: Edit) -> None:
    """Half a character from a front end or code becomes U+FFFD; bytes that are no UTF-8 stay."""
    editor = edit("tide")
    editor.text = "\ud83d a \udcff"
    assert editor.text == "\ufffd a \udcff"
    editor.save()
    assert Path("tide/SKILL.md").read_bytes() == b"\xef\xbf\xbd a \xff"
    assert "tide/SKILL.md: saved" in repr(editor)
    editor.add_file("notes.md", "\ud83d")
    assert Path("tide/notes.md").read_text(encoding="utf-8") == "\ufffd"


def test_what_is_no_text_is_refused(edit: Edit) -> None:
    """A text or a field that is no text is refused by its type, and nothing changes."""
    editor = edit("tide")
    before = editor.text
    with pytest.raises(TypeError, match="the text is of type int; pass a str"):
        editor.text = 5  # type: ignore[assignment]
    with pytest.raises(TypeError, match="the value of license is of type NoneType; pass a str"):
        editor.set_field("license", None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the path is of type int; pass a str"):
        editor.add_file(5)  # type: ignore[arg-type]
    assert editor.text == before


def test_a_folder_is_not_renamed(edit: Edit) -> None:
    """A folder keeps its name: what is edited below it would be saved to the old place."""
    editor = edit("tide")
    editor.add_file("deep/notes.md", "x")
    with pytest.raises(SkillbookError, match="deep is a folder; rename the files in it"):
        editor.rename_file("deep", "other")


@pytest.mark.parametrize("path", ["", ".", "x/", "a//b", "./x", " x"])
def test_what_is_no_path(edit: Edit, path: str) -> None:
    """What names no file is said to be no path; that it lies elsewhere would be wrong."""
    with pytest.raises(SkillbookError, match="is no path for a file"):
        edit("tide").add_file(path)


def test_no_description_costs_nothing(edit: Edit) -> None:
    """Without a description there is no line in the catalogue, and the fact says so."""
    assert "level 1: none, level 2:" in repr(edit(name="new"))
