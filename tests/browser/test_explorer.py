"""The explorer in a real JupyterLab: every control, every look, and hostile skills."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import Opened, Server, notebook
from playwright.sync_api import Locator, expect

from trees import build, place, skill

pytestmark = pytest.mark.browser

OpenNotebook = Callable[..., Opened]

EXPLORE = "import skillbook as sb\nbrowser = sb.explore({!r})\nbrowser"
TABS = ("Rendered", "SKILL.md", "Fields", "Files", "What the model gets")
LOOKS = pytest.mark.parametrize("width", [1280, 700])
COLOURS = pytest.mark.parametrize("colours", ["light", "dark"])


@pytest.fixture
def examples(repository: Path, jupyterlab: Server) -> str:
    """The examples beside the notebooks, so that they are shown by a relative path."""
    shutil.copytree(repository / "examples", jupyterlab.notebooks / "examples", dirs_exist_ok=True)
    return "examples"


@pytest.fixture
def skills(jupyterlab: Server) -> str:
    """Twelve skills and a file that is skipped, in two folders beside the notebooks."""
    folder = jupyterlab.notebooks / "skills"
    shutil.rmtree(folder, ignore_errors=True)
    names = [
        "barge",
        "canal",
        "delta",
        "ebb",
        "flood",
        "groyne",
        "harbour",
        "inlet",
        "jetty",
        "lock",
    ]
    tree: dict[str, Any] = {
        f"one/{name}/SKILL.md": skill(name, f"Tells of the {name}.", f"# About {name}\n")
        for name in names
    }
    body = "# The anchor\n\nSee [the log](notes/log.md), [gone](gone.md) and `run.py`. Mind the thumbprint.\n"
    tree["one/anchor/SKILL.md"] = skill("anchor", "Drops anchor in tidal water.", body)
    tree |= {f"one/anchor/notes/{n:02}.md": f"# Note {n}\n" for n in range(12)}
    tree |= {"one/anchor/notes/log.md": "# Log\n", "one/anchor/run.py": "print('anchor')\n"}
    tree["two/buoy/SKILL.md"] = "---\nname: buoy\nlicense: MIT\n---\nFloats.\n"
    tree["two/torn/SKILL.md"] = "---\nname: [torn\n---\n"
    build(folder, tree)
    return "skills"


def explored(open_notebook: OpenNotebook, what: Any, **looks: Any) -> tuple[Opened, Locator]:
    """Opens an explorer; returns the notebook and the widget."""
    opened = open_notebook(EXPLORE.format(what), **looks)
    widget = opened.page.locator(".skillbook-browser").first
    expect(widget.locator(".skillbook-rows").first).to_be_visible(timeout=60_000)
    return opened, widget


def rows(widget: Locator) -> Locator:
    """Returns the rows of the list of skills."""
    return widget.locator(".skillbook-left .skillbook-row")


def choose(widget: Locator, title: str) -> None:
    """Clicks a skill and waits until the pane shows it."""
    rows(widget).get_by_text(title, exact=True).first.click()
    expect(widget.locator(".skillbook-name")).to_have_text(title)


def go_to(widget: Locator, tab: str) -> None:
    """Clicks a tab and waits until it is the current one."""
    widget.get_by_role("tab", name=tab, exact=True).click()
    expect(widget.get_by_role("tab", name=tab, exact=True)).to_have_attribute(
        "aria-selected", "true"
    )


def clean(opened: Opened) -> None:
    """Asserts that nothing went wrong and nothing left the machine."""
    assert opened.errors == []
    assert opened.outside == []


# --- every control --------------------------------------------------------------------------------


def test_search_sort_and_filter(open_notebook: OpenNotebook, skills: str) -> None:
    """Typing, the three boxes and the body search change the list, and say what is shown."""
    opened, widget = explored(open_notebook, [f"{skills}/one", f"{skills}/two"])
    status = widget.locator(".skillbook-status")
    expect(status).to_contain_text("12 skills")
    expect(status).to_contain_text("1 skipped")
    expect(status).to_contain_text("tokens (cl100k_base)", timeout=30_000)
    expect(rows(widget)).to_have_count(13)

    search = widget.get_by_role("textbox", name="Search")
    search.press_sequentially("water ANCH")
    expect(rows(widget)).to_have_count(1)
    expect(widget.locator(".skillbook-row mark").first).to_have_text("anch")
    expect(search).to_be_focused()
    opened.picture("search", widget)
    search.fill("thumbprint")
    why = "No name or description has all of these words."
    expect(widget.locator(".skillbook-left")).to_contain_text(why)
    widget.get_by_role("button", name="Search bodies").click()
    expect(rows(widget)).to_have_count(1)
    expect(rows(widget)).to_contain_text("In the body:")
    expect(status).to_contain_text("Searched the bodies too: 1 skill found.")
    rows(widget).first.click()
    pane = widget.locator(".skillbook-right")
    expect(pane).to_contain_text("In the body: “thumbprint” once, line 7 of SKILL.md.")
    go_to(widget, "SKILL.md")
    expect(pane.locator(".skillbook-fault")).to_contain_text("Mind the thumbprint.")
    expect(pane.locator(".skillbook-fault")).to_contain_text("← found")
    opened.picture("found", widget)
    search.fill("thumb")
    expect(status).to_contain_text("The bodies were not searched for the new words.")
    expect(pane).to_contain_text("Not in the list as it is held now.")
    search.press("Enter")
    expect(rows(widget)).to_have_count(1)
    expect(pane.locator(".skillbook-fault")).to_have_count(1)
    search.fill("")
    expect(rows(widget)).to_have_count(13)

    for sort in ("name", "largest body", "most files", "most warnings", "folder order"):
        widget.get_by_label("Sort").select_option(sort)
        opened.idle()
        assert opened.run("print(browser.sort)").strip() == sort
    widget.get_by_label("Sort").select_option("most files")
    expect(rows(widget).first).to_contain_text("14 files")
    widget.get_by_label("From").select_option("skills/two 2")
    expect(rows(widget)).to_have_count(2)
    widget.get_by_label("From").select_option("everywhere")
    widget.get_by_role("button", name="1 skipped").press("Enter")
    expect(rows(widget)).to_have_count(1)
    expect(widget.locator(".skillbook-left")).to_contain_text("1 of 13 shown")
    expect(pane).to_contain_text("malformed-frontmatter")
    for show in ("skills 12", "with warnings 1", "with scripts 1", "skipped 1", "everything 13"):
        widget.get_by_label("Show").select_option(show)
        expect(rows(widget)).to_have_count(int(show.split()[-1]))
    clean(opened)


def test_tabs_files_and_limits(open_notebook: OpenNotebook, skills: str) -> None:
    """A click chooses a skill; each tab shows its view, each file its preview, each toggle a change."""
    opened, widget = explored(open_notebook, skills)
    choose(widget, "anchor")
    pane = widget.locator(".skillbook-right")
    expect(pane.get_by_role("heading", name="The anchor")).to_be_visible()
    pane.get_by_role("button", name="run.py").click()
    expect(pane.get_by_role("option", name="run.py").first).to_have_attribute(
        "aria-selected", "true"
    )
    expect(pane).to_contain_text("print('anchor')")
    go_to(widget, "Rendered")
    opened.picture("named", widget)
    go_to(widget, "SKILL.md")
    expect(pane.locator(".skillbook-number").first).to_be_visible()
    go_to(widget, "Fields")
    expect(pane.get_by_role("rowheader", name="description")).to_be_visible()
    go_to(widget, "Files")
    files = pane.get_by_role("listbox", name="Files of the skill")
    expect(files.get_by_role("option")).to_have_count(17)
    files.get_by_role("option", name="07.md").click()
    expect(pane.get_by_role("heading", name="Note 7")).to_be_visible()
    files.get_by_role("option", name="gone.md").click()
    expect(pane).to_contain_text("The body links to it, but there is no such file.")
    files.get_by_role("option", name="run.py").first.click()
    expect(pane).to_contain_text("print('anchor')")
    opened.picture("files", widget)
    go_to(widget, "What the model gets")
    expect(pane.locator(".skillbook-envelope")).to_be_visible()
    expect(pane.locator("meter")).to_have_count(3, timeout=30_000)
    said = widget.locator(".skillbook-status-message")
    box = pane.get_by_role("textbox", name="Text to copy")
    opened.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pane.get_by_role("button", name="Copy the envelope").click()
    expect(said).to_contain_text("Copied the envelope,")
    expect(box).to_be_hidden()
    copied = opened.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == opened.run("print(browser.source.tool(name='anchor').output, end='')")
    opened.page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: null })")
    pane.get_by_role("button", name="Copy the line").click()
    expect(said).to_contain_text("Selected the line, 42 characters as the model gets it")
    expect(box).to_have_value("- **anchor**: Drops anchor in tidal water.")
    selected = "() => document.activeElement.selectionEnd - document.activeElement.selectionStart"
    assert opened.page.evaluate(selected) == 42
    opened.picture("copy", widget)
    before = "10"
    for limit in ("1", "3", "all", "leave out", "10"):
        pane.get_by_role("button", name=limit, exact=True).click()
        expect(pane.locator(".skillbook-change")).to_contain_text(f"{before} → {limit}:")
        opened.picture(f"limit-{limit.replace(' ', '-')}", widget)
        before = limit
    assert opened.run("print(browser.sample_limit)").strip() == "10"
    rows(widget).get_by_text("torn", exact=True).click()
    expect(pane).to_contain_text("malformed-frontmatter")
    expect(widget.get_by_role("tab", name="Files")).to_be_hidden()
    clean(opened)


def test_nothing_shows_above_the_tabs(open_notebook: OpenNotebook, skills: str) -> None:
    """When the pane is scrolled, its tabs stand at its very top and no text above them."""
    _, widget = explored(open_notebook, skills)
    choose(widget, "anchor")
    go_to(widget, "What the model gets")
    pane = widget.locator(".skillbook-right")
    expect(pane.locator("meter")).to_have_count(3, timeout=30_000)
    pane.evaluate("node => node.scrollTo(0, 300)")
    tops = pane.evaluate(
        """node => [node.getBoundingClientRect().top + node.clientTop,
            node.querySelector('.lm-TabBar').getBoundingClientRect().top]"""
    )
    assert tops[0] == tops[1]


def test_code_and_widget_are_one(open_notebook: OpenNotebook, skills: str) -> None:
    """What code sets is shown, what is clicked code can read, and two views agree."""
    opened = open_notebook(EXPLORE.format(skills), "browser")
    first, second = (opened.page.locator(".skillbook-browser").nth(n) for n in (0, 1))
    expect(rows(first)).to_have_count(13, timeout=60_000)
    choose(second, "canal")
    for name in ("delta", "buoy"):
        choose(first, name)
        expect(second.locator(".skillbook-name")).to_have_text(name)
        assert opened.run("print(browser.selected)").strip() == name
    opened.run("browser.search = 'harb'; browser.selected = 'harbour'")
    for view in (first, second):
        expect(view.get_by_role("textbox", name="Search")).to_have_value("harb")
        expect(rows(view)).to_have_count(1)
        expect(rows(view)).to_have_attribute("aria-selected", "true")
        expect(view.locator(".skillbook-name")).to_have_count(1)
    assert opened.page.locator(".jp-OutputArea-output").count() == 2
    opened.run("browser.close()")
    expect(opened.page.locator(".skillbook-browser")).to_have_count(0)
    clean(opened)


def test_keyboard(open_notebook: OpenNotebook, skills: str) -> None:
    """Everything is reached by keyboard, and no key that is meant for the widget reaches a cell."""
    opened, widget = explored(open_notebook, skills)
    page = opened.page
    widget.get_by_role("textbox", name="Search").click()
    reached = []
    for _ in range(7):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("() => document.activeElement.role || document.activeElement.tagName")
        )
    assert reached == ["BUTTON", "SELECT", "SELECT", "BUTTON", "option", "DIV", "tab"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(widget.locator(".skillbook-name")).to_have_text("anchor")
    for key, name in (
        ("ArrowDown", "barge"),
        ("PageDown", ""),
        ("ArrowUp", ""),
        ("Home", "anchor"),
    ):
        page.keyboard.press(key)
        if name:
            expect(widget.locator(".skillbook-name")).to_have_text(name)
    page.keyboard.press("End")
    expect(widget.locator(".skillbook-right")).to_contain_text("malformed-frontmatter")
    page.keyboard.press("Home")
    for key in ("d", "d", "a", "b", "x", "Enter"):  # each a command of JupyterLab on its cells
        page.keyboard.press(key)
    expect(page.locator(".jp-Cell")).to_have_count(1)
    expect(widget.locator(".skillbook-name")).to_have_text("anchor")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(widget.get_by_role("tab", name="Rendered")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(widget.get_by_role("tab", name="SKILL.md")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(widget.get_by_role("button", name="1", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(widget.locator(".skillbook-change")).to_contain_text("10 → 1")
    widget.get_by_role("button", name="Refresh").focus()
    page.keyboard.press("Enter")
    expect(widget.locator(".skillbook-status")).to_contain_text("Read anew: nothing changed.")
    expect(page.locator(".jp-Cell")).to_have_count(1)
    clean(opened)


def test_focus_stays(open_notebook: OpenNotebook, skills: str) -> None:
    """A press that draws its own button anew, or hides it, leaves the focus where one goes on."""
    opened, widget = explored(open_notebook, skills)
    chip = widget.get_by_role("button", name="1 skipped")
    chip.press("Enter")
    expect(widget.locator(".skillbook-left")).to_contain_text("1 of 13 shown")
    expect(chip).to_be_focused()
    widget.get_by_label("Show").select_option(index=0)
    choose(widget, "anchor")
    widget.locator(".skillbook-right").get_by_role("button", name="run.py").press("Enter")
    file = widget.get_by_role("listbox", name="Files of the skill").get_by_role("option")
    expect(file.filter(has_text="run.py").first).to_be_focused()
    clean(opened)


def test_refresh_after_an_edit(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    """The button reads the disk anew, keeps what was chosen, and says what changed."""
    root = tmp_path / "skills"
    build(
        root, {f"{n}/SKILL.md": skill(n, f"Does {n}.", f"# Body of {n}\n") for n in ("a", "b", "c")}
    )
    opened, widget = explored(open_notebook, str(root))
    choose(widget, "b")
    place(root / "b/SKILL.md", skill("b", "Does b.", "# Another body\n"))
    place(root / "new/SKILL.md", skill("new"))
    (root / "c/SKILL.md").unlink()
    refresh = widget.get_by_role("button", name="Refresh")
    refresh.click()
    status = widget.locator(".skillbook-status-message")
    expect(status).to_have_text("Read anew: 1 added (new), 1 changed (b), 1 gone (c).")
    place(root / "b/notes.txt", "Notes.")
    place(root / "d/SKILL.md", "torn")
    refresh.click()
    expect(status).to_contain_text("Read anew: 1 changed (b), 1 newly skipped (")
    (root / "d/SKILL.md").unlink()
    refresh.click()
    expect(status).to_contain_text("1 no longer skipped (")
    expect(widget.get_by_role("heading", name="Another body")).to_be_visible()
    place(root / "b/SKILL.md", "---\nname: [b\n---\n")
    refresh.click()
    expect(status).to_have_text("Read anew: 1 broken (b).")
    expect(widget.locator(".skillbook-right")).to_contain_text("Does b.")
    expect(widget.locator(".skillbook-right")).to_contain_text("← here")
    opened.picture("broken", widget)
    clean(opened)


# --- looks ----------------------------------------------------------------------------------------


def laid_out(opened: Opened, widget: Locator, width: int) -> None:
    """Asserts that no words are cut, and that list and pane stand as they should."""
    cut = widget.evaluate(
        """node => [...node.querySelectorAll(
            'button, label, .widget-label, .lm-TabBar-tabLabel, .skillbook-word, .skillbook-status *'
        )].filter(each => each.offsetParent && each.scrollWidth > each.clientWidth + 1
            && getComputedStyle(each).display !== 'inline').map(each => each.textContent)"""
    )
    assert cut == []
    left = widget.locator(".skillbook-left").bounding_box()
    right = widget.locator(".skillbook-right").bounding_box()
    assert left
    assert right
    if width > 1000:
        assert (left["y"], left["height"]) == (right["y"], right["height"])
        assert left["x"] + left["width"] < right["x"]
    else:
        assert left["y"] + left["height"] < right["y"]
    for each in (".skillbook-left .skillbook-rows", ".skillbook-right"):
        assert widget.locator(each).first.evaluate("n => getComputedStyle(n).overflowY") == "auto"
    beyond = widget.evaluate("n => n.scrollWidth - n.clientWidth")
    assert beyond <= 0


@COLOURS
@LOOKS
def test_looks(open_notebook: OpenNotebook, examples: str, colours: str, width: int) -> None:
    """In light and dark, wide and narrow, no label is cut and each view is there to be looked at."""
    opened, widget = explored(open_notebook, examples, colours=colours, width=width)
    expect(widget.locator(".skillbook-status")).to_contain_text(
        "tokens (cl100k_base)", timeout=30_000
    )
    for name in ("museum-labels", "invoice-check"):
        choose(widget, name)
        for tab in TABS:
            go_to(widget, tab)
            opened.idle()
            laid_out(opened, widget, width)
            opened.picture(f"{name}-{tab.replace(' ', '-').replace('.', '-').lower()}")
    rows(widget).get_by_text("hive-inspection", exact=True).click()
    expect(widget.locator(".skillbook-right")).to_contain_text("missing-name")
    laid_out(opened, widget, width)
    opened.picture("skipped")
    clean(opened)


@COLOURS
@LOOKS
def test_odd_looks(open_notebook: OpenNotebook, tmp_path: Path, colours: str, width: int) -> None:
    """Long names, many links and no skill at all look as cared for as the rest."""
    body = (
        "# Links\n\n[guide](references/guide.md), [gone](gone.md), [up](../up.md), `scripts/run.py`.\n\n"
        f"{'w' * 500}\n\n"
        "| a | b | c | d | e | f | g | h |\n" + "| --- " * 8 + "|\n" + "| word word " * 8 + "|\n"
    )
    build(
        tmp_path / "skills",
        {
            "long/SKILL.md": skill(
                "a-name-that-goes-on-" * 10, "Use when many words are needed. " * 40, body
            ),
            "wide/SKILL.md": skill("w" * 200, "x" * 1_000, "y" * 3_000),
            "long/references/guide.md": "# Guide\n",
            "long/scripts/run.py": "print('x')\n",
            "deep/a/b/c/d/e/f/g/h/SKILL.md": skill("deep"),
            "torn/SKILL.md": "---\nname: [torn\n" + "z" * 300 + "\n---\n",
            "lower/skill.md": "---\nname: lower\n---\n",
        },
    )
    opened, widget = explored(open_notebook, str(tmp_path / "skills"), colours=colours, width=width)
    for number in range(4):
        rows(widget).nth(number).click()
        opened.idle()
        laid_out(opened, widget, width)
    rows(widget).first.click()
    for tab in TABS:
        go_to(widget, tab)
        opened.idle()
        laid_out(opened, widget, width)
        opened.picture(tab.replace(" ", "-").replace(".", "-").lower())
    (tmp_path / "empty").mkdir()
    opened = open_notebook(EXPLORE.format(str(tmp_path / "empty")), colours=colours, width=width)
    widget = opened.page.locator(".skillbook-browser")
    expect(widget).to_contain_text("A skill is a folder with a file SKILL.md", timeout=60_000)
    for part in (".skillbook-left", ".skillbook-right", ".skillbook-search"):
        expect(widget.locator(part)).to_be_hidden()
    expect(widget.get_by_role("button", name="Refresh")).to_be_visible()
    opened.picture("empty")
    clean(opened)


# --- many -----------------------------------------------------------------------------------------

MANY = """
import time
from skillbook import SkillDef, load_skills
from skillbook.widgets import explore
words = "tide hive choir museum invoice river stone kiln chart audit".split()
source = load_skills(skills=[
    SkillDef(f"skill-{n:05}", "# Body\\n\\nDo it with care.\\n" * 20,
             f"Use when {' '.join(words[(n * 7 + k) % 10] for k in range(30))} number {n}.")
    for n in range(20_000)])
browser = explore(source)
spent = []
find, show = browser._searched, browser.pane.show
def timed(act):
    def run(*args):
        begun = time.thread_time()
        act(*args)
        spent.append(time.thread_time() - begun)
    return run
browser._searched, browser.pane.show = timed(find), timed(show)
browser
"""


@COLOURS
def test_twenty_thousand(open_notebook: OpenNotebook, colours: str) -> None:
    """With 20,000 skills each key shows its result at once, pages turn, and a choice is quick."""
    opened = open_notebook(MANY, colours=colours)
    widget = opened.page.locator(".skillbook-browser")
    expect(rows(widget)).to_have_count(200, timeout=60_000)
    expect(widget.locator(".skillbook-left")).to_contain_text("200 of 20,000 shown")
    opened.picture("first")
    search = widget.get_by_role("textbox", name="Search")
    for key in "kiln 19":
        begun = time.perf_counter()
        search.press(key)
        opened.idle()
        assert time.perf_counter() - begun < 10
    expect(widget.locator(".skillbook-left")).to_contain_text("shown, 20,000 in all")
    after = widget.get_by_role("button", name="Next 200")
    after.focus()
    for page in ("201 to 400 of", "401 to 600 of"):
        opened.page.keyboard.press("Enter")
        expect(widget.locator(".skillbook-left")).to_contain_text(page)
        expect(after).to_be_focused()
    widget.get_by_role("button", name="Previous 200").click()
    expect(widget.locator(".skillbook-left")).to_contain_text("201 to 400 of")
    rows(widget).nth(3).click()
    expect(rows(widget).nth(3)).to_have_attribute("aria-selected", "true")
    widget.get_by_role("button", name="Search bodies").click()
    expect(widget.locator(".skillbook-status")).to_contain_text(
        "Searched the bodies too", timeout=60_000
    )
    search.fill("nothing-like-this")
    expect(rows(widget)).to_have_count(0)
    opened.picture("nothing-found")
    slowest = json.loads(opened.run("import json; print(json.dumps(max(spent)))"))
    assert slowest < 0.1
    clean(opened)


@COLOURS
def test_real_skills(open_notebook: OpenNotebook, corpus: Path, colours: str) -> None:
    """Every one of the real skills can be chosen in every tab without an error."""
    opened, widget = explored(open_notebook, str(corpus), colours=colours)
    expect(widget.locator(".skillbook-status")).to_contain_text("374 skills")
    for number, tab in enumerate(TABS):
        go_to(widget, tab)
        rows(widget).nth(number * 30).click()
        opened.idle()
        opened.picture(tab.replace(" ", "-").replace(".", "-").lower())
    said = opened.run(
        "for name in list(browser.source):\n"
        "    browser.selected = name\n"
        "    for number in range(5): browser.pane.tabs.selected_index = number\n"
        "print('all', browser.selected)"
    )
    assert said.startswith("all ")
    opened.idle()
    clean(opened)


# --- hostile --------------------------------------------------------------------------------------

ATTACKS = (
    "<script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "<svg/onload='window.ran = 1'>",
    "<iframe srcdoc='<script>parent.ran = 1</script>'></iframe>",
    "<style>.skillbook-browser, .jp-Notebook { display: none !important }</style>",
    "<div style='position:fixed;inset:0;z-index:99999' class='jp-Dialog'>covered</div>",
    "<button data-commandlinker-command='notebook:run-all-cells' data-commandlinker-args='{}'>x</button>",
    "[x](javascript:window.ran=1) [y](data:text/html,<script>1</script>)",
    "![p](https://track.example/p.png) ![q](//track.example/q.png) <img src=https://track.example/r.png>",
    "<link rel=stylesheet href=https://track.example/s.css><meta http-equiv=refresh content='0;https://track.example'>",
    "$\\\\href{javascript:window.ran=1}{x}$ \\\\(y\\\\)",
    "</pre></code></div></p><h1 id=jupyter-config-data>z</h1>",
)


def test_hostile_skills(open_notebook: OpenNotebook, tmp_path: Path) -> None:
    """Nothing of a hostile skill runs, is requested, or covers anything, whatever is looked at."""
    tree: dict[str, Any] = {}
    for number, attack in enumerate(ATTACKS):
        plain = attack.replace('"', "'")
        tree[f"s{number:02}/SKILL.md"] = (
            f'---\nname: "n{number} {plain}"\ndescription: "{plain}"\nmetadata: {{"{plain}": ["{plain}"]}}\n---\n'
            f"# {attack}\n\n{attack}\n\n```html\n{attack}\n```\n\n| {attack} |\n| --- |\n| {attack} |\n"
        )
        tree[f"s{number:02}/notes.md"] = f"# {attack}\n\n{attack}\n"
        tree[f"s{number:02}/<img src=x onerror='window.ran = 1'>.html"] = attack
        tree[f"t{number:02}/SKILL.md"] = f"---\nname: [\ndescription: {attack}\n---\n{attack}\n"
    tree["u/SKILL.md"] = skill("quotes", "Nests.", ">" * 10_000 + " x\n")
    tree["v/SKILL.md"] = skill(
        "table", "Is large.", "| a | b |\n| - | - |\n" + "| x | y |\n" * 20_000
    )
    tree["w/SKILL.md"] = skill("megabytes", "Is long.", "word " * 600_000)
    build(tmp_path / "skills", tree)
    opened, widget = explored(open_notebook, str(tmp_path / "skills"))
    page = opened.page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    cells = page.locator(".jp-Cell").count()
    opened.run(
        "import time\n"
        "for key in list(browser.entries):\n"
        "    browser.selected = key\n"
        "    for number in range(5): browser.pane.tabs.selected_index = number\n"
        "browser.search = \"<script>window.ran = 1</script>\"; browser.search = ''"
    )
    for number in range(0, rows(widget).count(), 3):
        rows(widget).nth(number).click()
        opened.idle()
        if opened.run("print(browser.chosen.kind)").strip() == "skill":
            go_to(widget, TABS[number % 5])
        opened.idle()
    for name in ("quotes", "table", "megabytes"):
        choose(widget, name)
        for tab in TABS:
            go_to(widget, tab)
            opened.idle()
    choose(widget, "table")
    go_to(widget, "Rendered")
    expect(widget.locator(".skillbook-right")).to_contain_text("rows shown")
    opened.picture("table", widget)
    assert page.evaluate("() => window.ran") is None
    assert widget.locator("script, iframe, object, embed, form, svg, link, meta").count() == 0
    assert (
        widget.locator("[onerror], [onload], [onclick], [data-commandlinker-command]").count() == 0
    )
    search = widget.get_by_role("textbox", name="Search")
    assert search.evaluate(
        "n => { const b = n.getBoundingClientRect();"
        " return document.elementFromPoint(b.x + 5, b.y + 5) === n }"
    )
    assert page.locator(".jp-Cell").count() == cells
    assert dialogs == []
    clean(opened)


# --- without a kernel -----------------------------------------------------------------------------


def test_static_twin_in_an_untrusted_notebook(
    open_notebook: OpenNotebook, jupyterlab: Server, tmp_path: Path
) -> None:
    """A notebook that somebody else saved shows the static card, without a kernel and a click."""
    from skillbook.widgets import explore

    build(
        tmp_path / "skills",
        {"hive/SKILL.md": skill("hive", "Inspects a hive of bees.", "# Brood\n")},
    )
    browser = explore(tmp_path / "skills")
    saved = notebook(["browser"])
    saved["cells"][0] |= {
        "execution_count": 1,
        "outputs": [
            {
                "output_type": "execute_result",
                "execution_count": 1,
                "metadata": {},
                "data": browser._repr_mimebundle_(),
            }
        ],
    }
    browser.close()
    opened = open_notebook(saved, run=False)
    output = opened.page.locator(".jp-OutputArea-output").first
    expect(output).to_contain_text("Inspects a hive of bees.", timeout=30_000)
    expect(output).to_contain_text("1 skill, 0 skipped")
    opened.picture("untrusted")
    assert opened.outside == []
