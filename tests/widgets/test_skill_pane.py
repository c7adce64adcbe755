"""The right side of the explorer: five tabs, each filled when it is seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from skillbook.display.facts import skill_facts
from skillbook.model import SkillDef
from skillbook.source import load_skills
from skillbook.widgets import SkillBrowser
from skillbook.widgets.explorer import views
from skillbook.widgets.explorer.skill_pane import FIELDS, FILES, MODEL, RENDERED, TABS, TEXT
from skillbook.widgets.explorer.views import Link
from trees import build, place, skill

Browse = Callable[..., SkillBrowser]


@pytest.fixture
def opened(browse: Browse, folder: str) -> SkillBrowser:
    """An explorer with the skill "tide" chosen."""
    browser = browse(folder)
    browser.selected = "tide"
    return browser


def test_head(opened: SkillBrowser) -> None:
    """Above the tabs stand name, description, place and sizes."""
    shown = opened.pane.head.value
    for fact in (
        "tide",
        "Works out the height",
        "skills/tide/SKILL.md · body 92 characters · 3 files",
    ):
        assert fact in shown


def test_only_the_tab_that_is_seen_is_filled(opened: SkillBrowser) -> None:
    """A choice costs one view; the others come when they are looked at."""
    pane = opened.pane
    assert pane.tabs.titles == TABS
    assert "<h1" in pane.panes[RENDERED].value
    assert pane.panes[TEXT].value == pane.panes[FIELDS].value == pane.panes[MODEL].value == ""
    pane.tabs.selected_index = TEXT
    assert "name" in pane.panes[TEXT].value


def test_the_tab_stays_when_another_skill_is_chosen(opened: SkillBrowser) -> None:
    """Two skills can be compared in one view: the tab stays and shows the other."""
    opened.pane.tabs.selected_index = TEXT
    opened.selected = "hive"
    assert opened.pane.tabs.selected_index == TEXT
    assert "Inspects a hive" in opened.pane.panes[TEXT].value


def test_text_has_line_numbers(opened: SkillBrowser) -> None:
    """The raw file stands with its line numbers, front matter included."""
    opened.pane.tabs.selected_index = TEXT
    shown = opened.pane.panes[TEXT].value
    assert "skillbook-number" in shown
    assert "description" in shown
    assert "# Tide" in shown


def test_fields_show_all_of_meta(browse: Browse, tmp_path: Path) -> None:
    """Every field of the front matter is there with its structure, and what follows from it."""
    text = "---\nname: a\ndescription: A.\nmetadata: {version: 3, tags: [x, y]}\nallowed-tools: Bash(git *), Read\n---\n"
    place(tmp_path / "a/SKILL.md", text)
    browser = browse(tmp_path)
    browser.pane.tabs.selected_index = FIELDS
    shown = browser.pane.panes[FIELDS].value
    for fact in (
        "version",
        "3",
        "tags",
        "x",
        "y",
        "allowed-tools",
        "Bash(git *)",
        "a folder",
        "a/SKILL.md",
    ):
        assert fact in shown


def test_allowed_tools_stand_once(browse: Browse, tmp_path: Path) -> None:
    """What the front matter holds is not told a second time."""
    place(tmp_path / "a/SKILL.md", "---\nname: a\ndescription: A.\nallowed-tools: Read\n---\n")
    browser = browse(tmp_path)
    browser.pane.tabs.selected_index = FIELDS
    shown = browser.pane.panes[FIELDS].value
    assert (shown.count(">allowed"), shown.count(">Read<")) == (1, 1)


def test_files_named_in_the_body_can_be_opened(opened: SkillBrowser) -> None:
    """Each file that the body names and that is there has a button; it opens the files with it."""
    pane = opened.pane
    assert pane.named.texts == ["references/datums.md", "scripts/run.py"]
    assert pane.named.layout.display == ""
    pane.named.heard(None, {"press": 1})
    assert (pane.tabs.selected_index, pane.path) == (FILES, "scripts/run.py")
    assert pane.tree.chosen == "link:scripts/run.py"
    for odd in ({"press": 2}, {"press": -1}, {"press": True}, {"press": "0"}, {}, "press"):
        pane.named.heard(None, odd)
    assert pane.path == "scripts/run.py"
    pane.tabs.selected_index = RENDERED
    opened.selected = "hive"
    assert pane.named.layout.display == "none"


def test_copy(opened: SkillBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line and the envelope are copied exactly as a model gets them, and the status says so."""
    pane = opened.pane
    pane.tabs.selected_index = MODEL
    assert pane.copies.texts == ["Copy the line", "Copy the envelope"]
    sent: list[object] = []
    monkeypatch.setattr(pane.copies, "send", sent.append)
    pane.copies.heard(None, {"press": 0})
    assert sent == [{"copy": "- **tide**: Works out the height of the tide."}]
    pane.copies.heard(None, {"copied": True})
    assert opened.status.message == "Copied the line, 45 characters as the model gets it."
    pane.copies.heard(None, {"press": 1})
    assert sent[1] == {"copy": opened.source.tool(name="tide").output}
    pane.copies.heard(None, {"copied": False})
    assert opened.status.message.startswith("The browser lets no page copy here. Selected the env")
    opened.selected = "choir"
    assert pane.copies.texts == ["Copy the envelope"]


def test_the_root_is_explained_beside_the_sizes(opened: SkillBrowser) -> None:
    """What {root} stands for is said below the sizes and on top of the envelope, never at the end."""
    opened.pane.tabs.selected_index = MODEL
    shown = opened.pane.panes[MODEL].value
    said = "stands for the absolute path of <code>skills</code> here, also in the counts"
    sizes, line, envelope = (shown.index(text) for text in ("</table>", "Level 1:", "Level 2:"))
    first, second = shown.index(said), shown.rindex(said)
    assert sizes < first < line < envelope < second < shown.index("&lt;skill_content")
    assert "what the skill tool gives" in shown[:sizes]


def test_one_size_for_one_body(browse: Browse, tmp_path: Path) -> None:
    """Head, sort and envelope count the body as a model gets it, without the white space around."""
    place(tmp_path / "a/SKILL.md", skill("a", body="\n\nBody.\n\n\n"))
    browser = browse(tmp_path)
    browser.pane.tabs.selected_index = MODEL
    browser.sort = "largest body"
    assert "body 5 characters" in browser.pane.head.value
    assert " 5 characters" in browser.pane.panes[MODEL].value
    assert browser.list.rows[0][3] == ["5 characters"]


def test_files_are_a_tree_with_sizes(opened: SkillBrowser) -> None:
    """What the body names comes first, in its order; then the tree, files before folders."""
    opened.pane.tabs.selected_index = FILES
    assert [
        (key, "".join(title), words, depth) for key, title, _, words, depth in opened.pane.tree.rows
    ] == [
        ("", "Named in the body, in its order", [], 0),
        ("link:references/datums.md", "references/datums.md", ["23 bytes"], 0),
        ("link:references/gone.md", "references/gone.md", ["not there"], 0),
        ("link:scripts/run.py", "scripts/run.py", ["20 bytes"], 0),
        ("", "In the folder", ["3 files"], 0),
        ("file:data.bin", "data.bin", ["300 bytes"], 1),
        ("", "references/", [], 1),
        ("file:references/datums.md", "datums.md", ["23 bytes"], 2),
        ("", "scripts/", [], 1),
        ("file:scripts/run.py", "run.py", ["20 bytes"], 2),
    ]


def test_each_file_has_a_preview(opened: SkillBrowser) -> None:
    """Markdown is rendered, code is code, the rest is counted; a link in vain says so."""
    pane = opened.pane
    pane.tabs.selected_index = FILES
    assert (pane.path, pane.tree.chosen) == ("references/datums.md", "link:references/datums.md")
    assert "<h1" in pane.preview.value
    pane.tree.chosen = "file:scripts/run.py"
    assert "<pre" in pane.preview.value
    pane.tree.chosen = "file:data.bin"
    assert "Binary, 300 bytes." in pane.preview.value
    pane.tree.chosen = "link:references/gone.md"
    assert "there is no such file" in pane.preview.value


def test_no_file_outside_is_read(opened: SkillBrowser, tmp_path: Path) -> None:
    """A key that no row has shows nothing, whatever it names."""
    place(tmp_path / "secret.md", "the secret text")
    pane = opened.pane
    pane.tabs.selected_index = FILES
    before = pane.preview.value
    for key in (
        "file:../../secret.md",
        "link:../../secret.md",
        "file:/etc/passwd",
        "",
        "odd",
        "file:",
    ):
        pane.choose_file(key)
    assert pane.preview.value == before


def test_another_skill_with_a_file_of_the_same_path(browse: Browse, tmp_path: Path) -> None:
    """The preview is that of the skill that is chosen, also where paths are the same."""
    for name in ("a", "b"):
        build(tmp_path / name, {"SKILL.md": skill(name), "notes.txt": f"notes of {name}"})
    browser = browse(tmp_path)
    browser.pane.tabs.selected_index = FILES
    assert "notes of a" in browser.pane.preview.value
    browser.selected = "b"
    assert "notes of b" in browser.pane.preview.value


def test_links(tmp_path: Path) -> None:
    """Links come in the body's order, each once, with what there is at their path."""
    body = "`b.md`, [x](./a.md), [again](a.md#part), ![p](img/p.png), [up](../x.md), [f](img/), [web](https://e.example), data/b.md.\n"
    files = {"a.md": "A", "b.md": "B", "img/p.png": "P", "unnamed.md": "U"}
    build(tmp_path / "s", {"SKILL.md": skill("s", body=body), **files})
    facts = skill_facts(load_skills(tmp_path)["s"])
    assert views.links(facts) == [
        Link("b.md", "file"),
        Link("a.md", "file"),
        Link("img/p.png", "file"),
        Link("../x.md", "outside"),
        Link("img", "folder"),
    ]


def test_what_the_model_gets(opened: SkillBrowser) -> None:
    """Each level with its size, the catalogue's line, and the envelope in its parts."""
    opened.pane.tabs.selected_index = MODEL
    shown = opened.pane.panes[MODEL].value
    for fact in (
        "- **tide**: Works out the height of the tide.",
        "its line in the prompt",
        "3 files",
        '&lt;skill_content name="tide"&gt;',
        "{root}/tide/data.bin",
    ):
        assert fact in shown
    assert str(Path.cwd()) not in shown


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ((1,), "10 → 1: 1 file listed instead of 3"),
        ((-1,), "10 → leave out: 0 files listed instead of 3"),
        ((1, 3), "1 → 3: 3 files listed instead of 1"),
        ((3,), "10 → 3: nothing changes here, 3 files listed as before."),
    ],
)
def test_toggling_shows_what_changed(
    opened: SkillBrowser, limits: tuple[int, ...], said: str
) -> None:
    """Each toggle says how many files and characters it changed, and names the files."""
    opened.pane.tabs.selected_index = MODEL
    for limit in limits:
        opened.pane.limits.value = limit
    assert said in opened.pane.change.value
    if limits == (1,):
        assert "− references/datums.md" in opened.pane.change.value
    if limits == (1, 3):
        assert "+ references/datums.md" in opened.pane.change.value
    opened.selected = "hive"
    assert opened.pane.change.value == ""


def test_counted_sizes(opened: SkillBrowser) -> None:
    """Sizes are counted with the limit that is set, and shown beside a bar."""
    pane = opened.pane
    pane.tabs.selected_index = MODEL
    facts = skill_facts(opened.source["tide"])
    counted = pane.count(facts)
    assert not isinstance(counted, str)
    assert counted.files.chars == 43
    table = views.levels(facts.skill, opened.source.tool(name="tide"), 3, counted)
    assert "Tokens (cl100k_base)" in table
    assert "<meter" in table


def test_data_skill(browse: Browse) -> None:
    """A data skill shows its content and resources; its files are named, not read."""
    given = SkillDef("refund", "See [mail](templates/mail.md).", "Refunds.", ("templates/mail.md",))
    browser = browse(load_skills(skills=[given]))
    pane = browser.pane
    for number in range(5):
        pane.tabs.selected_index = number
    assert "A data skill has no file" in pane.panes[TEXT].value
    assert "given in code" in pane.panes[FIELDS].value
    assert "a data skill only names its files" in pane.preview.value


def test_very_many_files_are_cut_with_their_count(browse: Browse, tmp_path: Path) -> None:
    """The tree shows the first files of very many, and says of how many."""
    build(tmp_path / "s", {"SKILL.md": skill("s"), **{f"f{n:04}.txt": "x" for n in range(1_500)}})
    browser = browse(tmp_path)
    browser.pane.tabs.selected_index = FILES
    rows = browser.pane.tree.rows
    assert rows[0][3] == ["200 of 1,500 files shown"]
    assert len(rows) == 201
    browser.pane.tabs.selected_index = MODEL
    assert "1,500 files" in browser.pane.panes[MODEL].value


def test_a_named_file_with_an_unseen_mark(browse: Browse, tmp_path: Path) -> None:
    """A file whose name holds such a mark is opened by its button, which names the mark."""
    name = "a\u202eb.md"
    build(tmp_path / "s", {"SKILL.md": skill("s", body=f"See [it](<{name}>)."), name: "# Found\n"})
    pane = browse(tmp_path).pane
    assert pane.named.texts == ["a[U+202E]b.md"]
    pane.open_named(0)
    assert pane.tree.chosen == f"link:{name}"
    assert "Found" in pane.preview.value
