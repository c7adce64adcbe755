"""The explorer: what it shows, finds, says and keeps, with its handlers called directly."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import traitlets
from explorers import Messages, many

from skillbook.errors import SkillNotFound, SkillWarning
from skillbook.model import ALL, SkillDef
from skillbook.source import AGENT_FOLDERS, list_skills, load_skills
from skillbook.widgets import SkillBrowser
from skillbook.widgets.explorer import browser as module
from trees import place, skill

Browse = Callable[..., SkillBrowser]


def titles(browser: SkillBrowser) -> list[str]:
    """Returns the titles of the rows in the list."""
    return ["".join(title) for _, title, *_ in browser.list.rows]


def test_first_picture(browse: Browse, folder: str) -> None:
    """At first everything is listed, the first skill is open, and the top line says who is here."""
    browser = browse(folder)
    assert browser.status.title == "skills"
    assert browser.status.facts == ["3 skills", "1 skipped", "prompt 249 characters"]
    assert titles(browser) == ["choir", "hive", "tide", "broken"]
    assert browser.selected == browser.list.chosen == "choir"
    assert "4 of 4 shown" in browser.count.value
    assert "Sing." in browser.pane.panes[0].value


def test_rows_say_more_than_a_name(browse: Browse, folder: str) -> None:
    """A row has the description, and a word for what is wrong with it."""
    rows = {key: (detail, words) for key, _, detail, words, _ in browse(folder).list.rows}
    assert rows["hive"] == (["Inspects a hive of bees."], [])
    assert rows["choir"] == ([""], ["no description"])
    detail, words = rows["skills/broken/SKILL.md"]
    assert words == ["skipped"]
    assert detail[0].startswith("broken/SKILL.md: line 2 is not valid YAML")


def test_search(browse: Browse, folder: str) -> None:
    """Typing filters at once, marks what matched, and leaves the choice as it was."""
    browser = browse(folder)
    browser.search_box.value = "TIDE hei"
    assert browser.search == "TIDE hei"
    assert browser.found == ["tide"]
    assert browser.list.rows[0][1] == ["", "tide", ""]
    assert browser.list.rows[0][2] == ["Works out the ", "hei", "ght of the ", "tide", "."]
    assert ">1 of 4 shown<" in browser.count.value
    assert browser.selected == "choir"
    browser.search = ""
    assert browser.search_box.value == ""
    assert len(browser.found) == 4


def test_search_without_a_match_says_what_to_do(browse: Browse, folder: str) -> None:
    """An empty list says why it is empty."""
    browser = browse(folder)
    browser.search = "kiln"
    assert browser.list.rows == []
    assert browser.list.empty.startswith("No name or description has all of these words")


def test_bodies_are_searched_when_asked(browse: Browse, folder: str) -> None:
    """The button reads the bodies too, shows where the words are, and the next key ends that."""
    browser = browse(folder)
    browser.bodies.click()
    assert browser.status.message == "Type the words to look for first."
    browser.search = "tide honey"
    assert browser.found == []
    browser.bodies.click()
    assert browser.found == ["hive"]
    assert browser.status.message == "Searched the bodies too: 1 skill found."
    assert browser.list.rows[0][2] == [
        "In the body: Look at the brood. Mind the ", "tide", " of ", "honey", ".",
    ]  # fmt: skip
    browser.search = "tide hone"
    assert browser.found == []
    assert browser.status.message == "The bodies were not searched for the new words."
    browser.search_bodies()
    assert browser.found == ["hive"]


def test_what_was_said_of_something_else_goes_away(browse: Browse, folder: str) -> None:
    """A message is gone at the next selection, tab or search."""
    browser = browse(folder)

    def choose() -> None:
        browser.selected = "hive"

    def turn() -> None:
        browser.pane.tabs.selected_index = 2

    def search() -> None:
        browser.search = "tide"

    for act in (choose, turn, search):
        browser.search_bodies() if act is not search else browser.refresh()
        assert browser.status.message
        act()
        assert browser.status.message == ""


def test_enter_searches_bodies_where_they_were_searched_before(browse: Browse, folder: str) -> None:
    """Enter in the search box reads the bodies only after the button did; an empty search ends it."""
    browser = browse(folder)

    def enter() -> None:
        browser.search_box._handle_custom_msg({"event": "submit"}, [])

    browser.search = "brood"
    enter()
    assert browser.found == []
    browser.bodies.click()
    assert browser.found == ["hive"]
    browser.search = "honey"
    assert browser.found == []
    enter()
    assert browser.found == ["hive"]
    browser.refresh()
    assert browser.found == ["hive"]
    browser.search = ""
    assert browser.status.message == ""
    browser.search = "honey"
    enter()
    assert (browser.found, browser.status.message) == ([], "")


def test_where_the_words_stand_in_a_body(browse: Browse, folder: str) -> None:
    """After a search of bodies the pane says how often and where, and the file marks the lines."""
    browser = browse(folder)
    browser.pane.tabs.selected_index = 1
    browser.search, browser.selected = "tide of", "hive"
    assert browser.pane.about.layout.display == ""
    browser.search_bodies()
    assert (
        "In the body: “tide” once, line 5 of SKILL.md; “of” once, line 5 of SKILL.md."
        in browser.pane.about.value
    )
    assert browser.pane.panes[1].value.count("← found") == 1
    assert "“tide” once, line 5" in browser._repr_html_()
    browser.search = "hive"
    assert (browser.pane.about.value, browser.pane.about.layout.display) == ("", "none")
    assert "← found" not in browser.pane.panes[1].value


def test_a_choice_that_is_not_in_the_list(browse: Browse, folder: str) -> None:
    """When search or filter leave the chosen skill out, the pane and the twin say so."""
    browser = browse(folder)
    said = "Not in the list as it is held now."
    browser.search = "tide"
    assert browser.selected == "choir"
    assert said in browser.pane.about.value
    assert "Not in the list as it is held now:" in browser._repr_html_()
    assert "chosen: choir, not in the list as it is held now:" in repr(browser)
    browser.selected = "tide"
    assert said not in browser.pane.about.value
    browser.search, browser.show = "", "skipped"
    assert said in browser.pane.about.value
    browser.show = "all"
    assert said not in browser.pane.about.value


def test_skipped_is_a_word_that_acts(browse: Browse, folder: str) -> None:
    """A press of "1 skipped" on top holds the list to what was skipped; no other word acts."""
    browser = browse(folder)
    browser.search = "tide"
    assert browser.status.acts == [1]
    browser.status.heard(None, {"fact": 0})
    assert browser.show == "all"
    browser.status.heard(None, {"fact": 1})
    assert (browser.search, browser.show) == ("", "skipped")
    assert browser.selected == "skills/broken/SKILL.md"
    assert browse(many(2)).status.acts == []


def test_sort_show_and_from(browse: Browse, folder: str, tmp_path: Path) -> None:
    """The three boxes change the list, and follow when code sets them."""
    place(tmp_path / "more/kiln/SKILL.md", skill("kiln"))
    browser = browse([folder, "more"])
    browser.sort_box.value = "most files"
    assert titles(browser)[0] == "tide"
    assert browser.list.rows[0][3] == ["3 files"]
    browser.show_box.value = "scripts"
    assert browser.found == ["tide"]
    browser.show = "skipped"
    assert browser.show_box.value == "skipped"
    assert browser.found == ["skills/broken/SKILL.md"]
    browser.show, browser.sort = "all", "name"
    browser.origin_box.value = "more"
    assert browser.found == ["kiln"]
    assert [label for label, _ in browser.show_box.options] == [
        "everything 5", "skills 4", "with warnings 1", "with scripts 1", "skipped 1",
    ]  # fmt: skip
    assert [label for label, _ in browser.origin_box.options] == [
        "everywhere",
        "skills 4",
        "more 1",
    ]
    with pytest.raises(ValueError, match="origin is 'nowhere'; there are everywhere, skills, more"):
        browser.origin = "nowhere"


def test_one_origin_needs_no_box(browse: Browse, folder: str) -> None:
    """Where all comes from one root, the box for it is not shown."""
    assert browse(folder).origin_box.layout.display == "none"


def test_selected_can_be_set_and_observed(browse: Browse, folder: str) -> None:
    """Code chooses by name, hears what was chosen, and is told what is there for a wrong name."""
    browser = browse(folder)
    heard: list[str] = []
    browser.observe(lambda change: heard.append(change["new"]), "selected")
    browser.list.chosen = "hive"
    browser.selected = "tide"
    assert heard == ["hive", "tide"]
    assert browser.list.chosen == "tide"
    with pytest.raises(SkillNotFound, match=r'"nope" not found\. Available skills: choir, hive'):
        browser.selected = "nope"
    assert browser.selected == "tide"
    browser.selected = None
    assert "Choose a skill" in browser.pane.head.value


def test_a_skipped_file_is_shown_with_its_reason(browse: Browse, folder: str) -> None:
    """A skipped file has no tabs, but reason, line, detail and its text with the line marked."""
    browser = browse(folder)
    browser.selected = "skills/broken/SKILL.md"
    assert browser.pane.tabs.layout.display == "none"
    shown = browser.pane.head.value
    assert "malformed-frontmatter" in shown
    assert "line 2" in shown
    assert "Body of the broken one." in shown
    assert "← here" in shown
    browser.selected = "tide"
    assert browser.pane.tabs.layout.display == ""


def test_text_of_a_skipped_file_outside_is_not_shown(
    browse: Browse, folder: str, tmp_path: Path
) -> None:
    """A skipped file that is a link out of its root is named, and its text is not shown."""
    place(tmp_path / "secret.md", "the secret text")
    place(tmp_path / folder / "link/SKILL.md", {"link": "../../secret.md"})
    browser = browse(folder)
    browser.selected = "skills/link/SKILL.md"
    assert "secret text" not in browser.pane.head.value
    assert "secret text" not in browser._repr_html_()
    assert "outside" in browser.pane.head.value


def test_sample_limit(browse: Browse, folder: str) -> None:
    """The toggle and the trait are one; a number of one's own gets a button; a wrong one is refused."""
    browser = browse(folder)
    pane = browser.pane
    assert (browser.sample_limit, pane.limits.value) == (0, 10)
    browser.selected, pane.tabs.selected_index = "tide", 4
    pane.limits.value = 1
    assert browser.sample_limit == 1
    assert "10 → 1: 1 file listed instead of 3" in pane.change.value
    assert browser.source.sample_limit == 1
    assert browser.source.tool(name="tide").output.count("<file>") == 1
    browser.sample_limit = 2
    assert [label for label, _ in pane.limits.options] == ["leave out", "1", "2", "3", "10", "all"]
    assert pane.limits.value == 2
    browser.sample_limit = ALL
    assert pane.limits.value == ALL
    with pytest.raises(ValueError, match="sample_limit is -2"):
        browser.sample_limit = -2
    with pytest.raises(traitlets.TraitError):
        browser.sample_limit = "3"


def test_refresh_keeps_choice_and_search(browse: Browse, folder: str, tmp_path: Path) -> None:
    """Reading anew keeps what was chosen and searched, shows the new text, and says what changed."""
    browser = browse(folder)
    browser.selected, browser.search = "hive", "hive"
    place(tmp_path / folder / "hive/SKILL.md", skill("hive", "Inspects a hive.", "New body.\n"))
    place(tmp_path / folder / "hive-two/SKILL.md", skill("hive-two", "Another hive."))
    browser.refresh_button.click()
    assert browser.status.message == "Read anew: 1 added (hive-two), 1 changed (hive)."
    assert (browser.selected, browser.search) == ("hive", "hive")
    assert titles(browser) == ["hive-two", "hive"]
    assert "New body." in browser.pane.panes[0].value
    assert browser.status.facts[0] == "4 skills"


def test_refresh_of_a_skill_that_broke(browse: Browse, folder: str, tmp_path: Path) -> None:
    """A chosen skill that broke since stays chosen, as broken, with its last good description."""
    browser = browse(folder)
    browser.selected = "tide"
    place(tmp_path / folder / "tide/SKILL.md", "---\nname: tide\n")
    assert browser.refresh().broken == ("tide",)
    assert browser.selected == "tide"
    assert browser.list.rows[-1][3] == ["broken"]
    shown = browser.pane.head.value
    assert "broke since it was read" in shown
    assert "Works out the height of the tide." in shown
    assert "malformed-frontmatter" in shown


def test_refresh_of_a_skill_that_is_gone(browse: Browse, folder: str, tmp_path: Path) -> None:
    """Where the chosen skill is gone nothing is chosen, and the status says which went."""
    browser = browse(folder)
    browser.selected = "tide"
    (tmp_path / folder / "tide/SKILL.md").unlink()
    browser.refresh()
    assert browser.selected is None
    assert browser.status.message == "Read anew: 1 gone (tide)."


def test_a_skill_that_goes_while_it_is_listed(browse: Browse, folder: str, tmp_path: Path) -> None:
    """A skill whose file went since is said to be unreadable when it is chosen; nothing is raised."""
    browser = browse(folder)
    (tmp_path / folder / "tide/SKILL.md").unlink()
    browser.selected = "tide"
    for number in range(5):
        browser.pane.tabs.selected_index = number
    assert "cannot be read" in browser.pane.head.value
    assert "cannot be read" in browser.pane.panes[0].value
    assert "cannot be read" in browser.pane.panes[4].value


def test_no_skill_at_all(browse: Browse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder gives an explorer that says what a skill is and what to do."""
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path)
    browser = browse("bare")
    assert browser.selected is None
    assert browser._sides.layout.display == "none"
    for shown in (browser.nothing.value, browser._repr_html_()):
        assert "No skill here" in shown
        assert "Looked in <code>bare</code>." in shown
        assert "Add one and press Refresh" in shown
    assert "\n  Looked in bare." in repr(browser)
    place(tmp_path / "bare/first/SKILL.md", skill("first"))
    assert str(browser.refresh()) == "Read anew: 1 added (first)."
    assert titles(browser) == ["first"]
    assert (browser._sides.layout.display, browser.nothing.layout.display) == ("", "none")


def test_no_folder_where_agents_keep_skills(
    browse: Browse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a folder named and none found, it says which were looked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    browser = browse()
    assert browser.title == "No folder of skills"
    for shown in (browser.nothing.value, repr(browser)):
        for name in AGENT_FOLDERS:
            assert name in shown
        assert "none of them is there" in shown
        assert str(tmp_path) not in shown
    place(tmp_path / ".claude/skills/here/SKILL.md", skill("here"))
    browser.refresh()
    assert browser.found == ["here"]


def test_a_missing_root_is_a_notice(browse: Browse, folder: str) -> None:
    """What explains an absence stands above the list."""
    with pytest.warns(SkillWarning):
        browser = browse([folder, "nowhere"])
    assert "nowhere" in browser.notices.value
    assert "does not exist" in browser.notices.value
    assert browse(folder).notices.layout.display == "none"


def test_shows_a_source_or_an_inventory(browse: Browse, folder: str) -> None:
    """A source is shown as it is, with its filter and limit; an inventory as one."""
    source = load_skills(folder, filter={"tide": True}, sample_limit=-1)
    browser = browse(source)
    assert browser.source is source
    assert (browser.found, browser.sample_limit) == (["tide", "skills/broken/SKILL.md"], -1)
    assert browse(list_skills(folder)).found[:3] == ["choir", "hive", "tide"]


def test_names_with_a_bracket_are_text(browse: Browse) -> None:
    """A name that no encoder takes and one like HTML are shown and can be chosen."""
    browser = browse(load_skills(skills=[SkillDef("<b>", "x", "d"), SkillDef("\ud800", "y", "d")]))
    browser.list.chosen = "\ufffd"
    assert browser.selected == "\ufffd"
    browser.list.chosen = "<b>"
    assert "&lt;b&gt;" in browser.pane.head.value


# --- the static twin ------------------------------------------------------------------------------


def test_twin_has_the_facts_of_the_moment(browse: Browse, folder: str) -> None:
    """HTML and text say who is here, how the list is held, what was skipped, and what is chosen."""
    browser = browse(folder)
    browser.selected, browser.search = "tide", "tide"
    assert repr(browser) == (
        "<SkillBrowser of skills: 3 skills, 1 skipped, prompt 249 characters>\n"
        "  1 of 4 shown, search 'tide': tide\n"
        "  skipped: skills/broken/SKILL.md (malformed-frontmatter)\n"
        "  chosen: tide: Works out the height of the tide."
    )
    html = browser._repr_html_()
    for fact in (
        "3 skills", "1 skipped", "prompt 249 characters", "search 'tide'",
        "skills/broken/SKILL.md", "malformed-frontmatter", "Works out the height of the tide.",
        "references/datums.md", "its line in the prompt",
    ):  # fmt: skip
        assert fact in html
    assert "hive" not in html.split("</style>")[1]


def test_twin_is_the_same_on_every_run(folder: str) -> None:
    """Two fresh interpreters give the same bytes, without an address or an absolute path."""
    code = (
        "from skillbook.widgets import explore; b = explore('skills'); b.selected = 'tide';"
        "print(repr(b), b._repr_html_())"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stdout == runs[1].stdout
    assert " at 0x" not in runs[0].stdout
    assert str(Path.cwd()) not in runs[0].stdout


def test_twin_stands_in_a_saved_notebook(browse: Browse, folder: str) -> None:
    """A saved notebook without the widgets' state, turned into a page, shows the static twin."""
    import nbformat
    from nbconvert import HTMLExporter

    output = nbformat.v4.new_output("execute_result", browse(folder)._repr_mimebundle_())
    output.execution_count = 1
    cell = nbformat.v4.new_code_cell("explore('skills')", outputs=[output])
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert "Inspects a hive of bees." in page
    assert "malformed-frontmatter" in page


def test_twin_of_a_long_body_is_cut(browse: Browse) -> None:
    """A body of 3 MB and 200 hostile descriptions stay within a twin of 200 KB."""
    hostile = [
        SkillDef(f"s{n}", "<" * 3_000_000 if not n else "x", "<&'" * 500) for n in range(300)
    ]
    browser = browse(load_skills(skills=hostile))
    assert len(browser._repr_html_().encode()) < 200_000


# --- many skills ----------------------------------------------------------------------------------


def test_twenty_thousand_skills(browse: Browse, messages: Messages) -> None:
    """A key shows its result within 100 ms of work and a choice too; the messages stay small."""
    browser = browse(many(20_000))
    opened = messages.size
    assert len(browser.list.rows) == module.PAGE == 200
    assert "200 of 20,000 shown" in browser.count.value
    assert (browser.list.before, browser.list.after) == ("", "Next 200")
    for search in ("t", "ti", "tid", "tide", "tide k", "tide kiln 7"):
        messages.clear()
        begun = time.thread_time()
        browser.search_box.value = search
        assert time.thread_time() - begun < 0.1, search
        assert messages.size < 150_000
    messages.clear()
    begun = time.thread_time()
    browser.list.chosen = browser.shown[-1]
    assert time.thread_time() - begun < 0.1
    assert messages.size < 20_000
    assert opened < 250_000
    begun = time.thread_time()
    assert len(browser._repr_html_()) < 200_000
    assert time.thread_time() - begun < 0.1


def test_pages(browse: Browse) -> None:
    """The list is turned by pages; a skill on another page is turned to when it is chosen."""
    browser = browse(many(450))
    browser.list.heard(None, {"page": 1})
    assert browser.shown[0] == "skill-00200"
    assert "201 to 400 of 450 shown" in browser.count.value
    assert (browser.list.before, browser.list.after) == ("Previous 200", "Next 50")
    browser.turn(1)
    browser.turn(1)
    assert browser.shown == [f"skill-{n:05}" for n in range(400, 450)]
    browser.selected = "skill-00003"
    assert browser.shown[0] == "skill-00000"
    assert browser.list.chosen == "skill-00003"


def test_what_only_the_disk_knows_is_asked_on_demand(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among very many skills files are counted when the list asks for it, not before."""
    monkeypatch.setattr(module, "EAGER", 2)
    browser = browse(many(3))
    assert ("with scripts", "scripts") in browser.show_box.options
    assert not browser._choosing.is_known
    browser.sort = "most files"
    assert browser._choosing.is_known
    assert ("with scripts 0", "scripts") in browser.show_box.options


def test_work_that_is_stopped_leaves_a_true_list(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When counting is interrupted, the order goes back to one that can be shown."""
    monkeypatch.setattr(module, "EAGER", 2)
    browser = browse(many(3))

    def interrupted(_skill: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("skillbook.widgets.choosing.look", interrupted)
    browser.show, browser.sort = "scripts", "most files"
    assert (browser.sort, browser.show) == ("folder order", "all")
    assert browser.sort_box.value == "folder order"
    assert browser.status.message == "Stopped."
    assert len(browser.found) == 3


# --- counting, and the end ------------------------------------------------------------------------


def test_tokens_are_counted_after_the_first_picture(browse: Browse, folder: str) -> None:
    """In a running kernel tokens are counted beside it, and stand there once counted."""
    import asyncio

    async def run() -> list[str]:
        browser = browse(folder)
        assert browser.status.facts[-1] == "prompt 249 characters"
        browser.pane.tabs.selected_index = 4
        assert "…" in browser.pane.panes[4].value
        for _ in range(500):
            if (
                "(cl100k_base)" in browser.pane.panes[4].value
                and "tokens" in browser.status.facts[-1]
            ):
                break
            await asyncio.sleep(0.02)
        assert "<meter" in browser.pane.panes[4].value
        return list(browser.status.facts)

    assert re.fullmatch(
        r"prompt \d+ tokens \(cl100k_base\), 249 characters", asyncio.run(run())[-1]
    )


def test_close_frees_everything(folder: str) -> None:
    """A closed explorer leaves no comm behind, shows its twin, and can be closed again."""
    import ipywidgets

    before = set(ipywidgets.widgets.widget._instances)
    browser = SkillBrowser(folder)
    browser.pane.tabs.selected_index = 3
    browser.close()
    browser.close()
    assert set(ipywidgets.widgets.widget._instances) == before
    assert list(browser._repr_mimebundle_()) == ["text/plain", "text/html"]


def test_an_explorer_is_not_shown_twice(
    browse: Browse, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Making, using and refreshing an explorer prints nothing: it is shown by its cell alone."""
    browser = browse(folder)
    for name in ("hive", "tide", "choir"):
        browser.selected = name
    browser.refresh()
    assert capsys.readouterr() == ("", "")


def test_missing_libraries_are_named() -> None:
    """Without ipywidgets, asking for the widgets says what to install."""
    code = (
        "import sys; sys.modules['ipywidgets'] = None\n"
        "from importlib import util; find = util.find_spec\n"
        "util.find_spec = lambda name, *a: None if name == 'ipywidgets' else find(name, *a)\n"
        "import skillbook\n"
        "try:\n    import skillbook.widgets\n"
        "except skillbook.MissingDependency as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        "the widgets need ipywidgets; install it with: pip install ipywidgets"
    )


def test_held_to_what_nothing_is(browse: Browse, folder: str) -> None:
    """The list can be held to a kind of which there is none; box, list and trait agree."""
    browser = browse(folder)
    for show in ("failed", "agents", "skills"):
        browser.show = show
        assert browser.show_box.value == browser.show == show
        assert browser.found == (["choir", "hive", "tide"] if show == "skills" else [])


def test_a_missing_root_is_said_at_once(browse: Browse, tmp_path: Path) -> None:
    """Where there is no skill, the notices that say why stand open."""
    with pytest.warns(SkillWarning, match="does not exist"):
        browser = browse(tmp_path / "nowhere")
    assert "<details open><summary>1 notice</summary>" in browser.notices.value
    assert "does not exist" in browser.notices.value
