"""The catalogue preview in a real JupyterLab: each control is used, by mouse and by keyboard."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

MANY = """
import skillbook as sb
from skillbook.widgets import CatalogPreview
many = [
    sb.SkillDef(f"skill-{n:05}", "Body.", description=f"Does thing {n}. Use when {n} is asked for.")
    for n in range(20_000)
]
p = CatalogPreview(sb.load_skills(skills=many))
p
"""

HOSTILE = r'''
import skillbook as sb
from skillbook.widgets import CatalogPreview
evil = """<img src=x onerror="window.ran = 1"><script>window.ran = 2</script> $x^2$ [a](javascript:window.ran=3)
<div style="position:fixed;inset:0;background:red" data-commandlinker-command="x">cover</div>
![p](https://track.example/p.png)"""
p = CatalogPreview(sb.load_skills(skills=[
    sb.SkillDef("a" + evil, "Body.", description=evil),
    sb.SkillDef("plain", "Body.", description="Plain."),
    sb.SkillDef("bare" + evil, "Body."),
]))
p
'''


def shown(repository: Path) -> str:
    """Returns a cell that shows the gallery of examples and one more."""
    roots = [str(repository / "examples" / name) for name in ("gallery", "skills")]
    return f"from skillbook.widgets import CatalogPreview\np = CatalogPreview({roots!r})\np"


def widget(view: Any) -> Locator:
    """Returns the preview, once it is there."""
    found = view.page.locator(".skillbook-preview").first
    expect(found).to_be_visible(timeout=60_000)
    expect(found.locator(".skillbook-tick").first).to_be_visible(timeout=60_000)
    return found


def tab(found: Locator, name: str) -> None:
    """Opens a tab."""
    found.locator(".lm-TabBar-tab", has_text=name).click()


def box(found: Locator, name: str) -> Locator:
    """Returns the checkbox of a skill."""
    return found.locator(".skillbook-tick", has_text=name).locator("input")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_preview_every_control(open_notebook: Any, repository: Path, colours: str) -> None:
    """Boxes, format, sort, search, tick all, clear all, tabs and the filter's form all act."""
    view = open_notebook(shown(repository), colours=colours)
    found = widget(view)
    status = found.locator(".skillbook-status-line")
    expect(status).to_contain_text("10 of 11 skills in the catalogue")
    expect(status).to_contain_text("tokens (cl100k_base)", timeout=30_000)
    expect(found.locator(".skillbook-tick").first).to_contain_text("token", timeout=30_000)
    view.picture(f"open-{colours}", found)

    prompt = found.locator(".skillbook-code").first
    expect(prompt).to_contain_text("- **tide-tables**:")
    box(found, "tide-tables").click()
    expect(prompt).not_to_contain_text("- **tide-tables**:")
    expect(status).to_contain_text("9 of 11 skills in the catalogue")
    assert view.run("print(p.filter)") == "{'tide-tables': False}\n"
    expect(found.locator(".skillbook-status-message")).to_contain_text("The prompt went from")

    tab(found, "The filter")
    expect(found.locator(".skillbook-code:visible")).to_contain_text(
        "skill_filter = {'tide-tables': False}"
    )
    found.get_by_role("button", name="keep only").click()
    expect(found.locator(".skillbook-code:visible")).to_contain_text("'csv-first-look': True")
    view.picture(f"filter-{colours}", found)
    found.get_by_role("button", name="leave out").click()
    expect(found.locator(".skillbook-code:visible")).to_contain_text("'tide-tables': False")
    found.get_by_role("button", name="shorter").click()

    tab(found, "Not in the catalogue (2)")
    expect(found.get_by_text("left out by the filter")).to_be_visible()
    expect(found.get_by_text("no description", exact=False).last).to_be_visible()
    view.picture(f"absent-{colours}", found)

    tab(found, "The prompt")
    found.get_by_role("button", name="xml").click()
    expect(found.locator(".skillbook-code:visible")).to_contain_text("<available_skills>")
    found.get_by_role("button", name="longest first").click()
    expect(found.locator(".skillbook-tick").first).to_contain_text("recipe-scaling")
    view.picture(f"xml-{colours}", found)
    found.get_by_role("button", name="json").click()
    expect(found.locator(".skillbook-code:visible")).to_contain_text('"name": "csv-first-look"')
    found.get_by_role("button", name="as found").click()
    found.get_by_role("button", name="name", exact=True).click()
    found.get_by_role("button", name="markdown").click()

    search = found.get_by_label("Search")
    search.fill("museum")
    expect(found.locator(".skillbook-tick")).to_have_count(1)
    expect(found.locator(".skillbook-tick mark").first).to_have_text("museum")
    found.get_by_role("button", name="Clear all").click()
    expect(box(found, "museum-labels")).not_to_be_checked()
    search.fill("")
    expect(found.locator(".skillbook-tick")).to_have_count(11)
    found.get_by_role("button", name="Tick all").click()
    expect(box(found, "tide-tables")).to_be_checked()
    assert view.run("print(p.filter)") == "None\n"
    search.fill("no such word")
    expect(found.get_by_text("No name or description has all of these words.")).to_be_visible()
    assert (view.outside, view.errors) == ([], [])


def test_preview_by_keyboard(open_notebook: Any, repository: Path) -> None:
    """The arrow keys go from box to box, space presses one, and JupyterLab takes none of them."""
    view = open_notebook(shown(repository))
    found = widget(view)
    box(found, "csv-first-look").focus()
    for key in ("ArrowDown", "ArrowDown", "Space", "End", "Space", "Home", "ArrowUp"):
        view.page.keyboard.press(key)
    expect(box(found, "csv-first-look")).to_be_focused()
    expect(box(found, "hello-world")).not_to_be_checked()
    expect(found.locator(".skillbook-status-line")).to_contain_text("8 of 11 skills")
    assert view.run("print(sorted(p.filter))") == "['hello-world', 'tide-tables']\n"
    for key in ("d", "d", "x", "Escape"):
        view.page.keyboard.press(key)
    expect(view.page.locator(".jp-Cell")).to_have_count(1)


def test_preview_set_from_code(open_notebook: Any, repository: Path) -> None:
    """A filter, a format and a tick from code show at once, in each view of the widget."""
    view = open_notebook(shown(repository), "p")
    found = widget(view)
    expect(view.page.locator(".skillbook-preview")).to_have_count(2)
    view.run("p.filter = {'smørrebrød': True}; p.format = 'json'")
    for each in (found, view.page.locator(".skillbook-preview").nth(1)):
        expect(each.locator(".skillbook-status-line")).to_contain_text("1 of 11 skills")
        expect(box(each, "tide-tables")).not_to_be_checked()
        expect(box(each, "smørrebrød")).to_be_checked()
        expect(each.locator(".skillbook-code:visible")).to_contain_text('"name": "smørrebrød"')
    view.run("p.close()")
    expect(view.page.locator(".skillbook-preview")).to_have_count(0)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_preview_hostile(open_notebook: Any, colours: str) -> None:
    """Strangers' names and descriptions stay text in each tab and format."""
    view = open_notebook(HOSTILE, colours=colours)
    found = widget(view)
    for form in ("markdown", "xml", "json"):
        found.get_by_role("button", name=form).click()
        for name in ("The filter", "Not in the catalogue", "The prompt"):
            tab(found, name)
            view.idle()
    expect(found.locator(".skillbook-code:visible")).to_contain_text("onerror=")
    view.picture(f"{colours}", found)
    assert view.page.evaluate("() => window.ran") is None
    assert found.locator("img, script, a, mjx-container, [data-commandlinker-command]").count() == 0
    assert (view.outside, view.errors) == ([], [])


def test_preview_twenty_thousand(open_notebook: Any) -> None:
    """20,000 skills: a page of 200, and a box or a search shows within a second in the browser."""
    view = open_notebook(MANY)
    found = widget(view)
    expect(found.locator(".skillbook-tick")).to_have_count(200)
    expect(found.get_by_text("200 of 20,000 shown")).to_be_visible()
    expect(found.locator(".skillbook-status-line")).to_contain_text(
        "tokens (cl100k_base)", timeout=60_000
    )
    view.picture("open", found)
    begun = time.monotonic()
    box(found, "skill-00003").click()
    expect(found.locator(".skillbook-status-line")).to_contain_text("19,999 of 20,000 skills")
    assert time.monotonic() - begun < 15
    begun = time.monotonic()
    found.get_by_label("Search").fill("19999")
    expect(found.locator(".skillbook-tick")).to_have_count(1)
    assert time.monotonic() - begun < 15
    found.get_by_label("Search").fill("")
    found.get_by_role("button", name="Next 200").click()
    expect(found.locator(".skillbook-tick").first).to_contain_text("skill-00200")
    found.get_by_role("button", name="Previous 200").click()
    expect(found.locator(".skillbook-tick").first).to_contain_text("skill-00000")
    assert view.errors == []


def test_preview_narrow(open_notebook: Any, repository: Path) -> None:
    """In a narrow window list and text stand one above the other, and nothing is cut off."""
    view = open_notebook(shown(repository), width=560)
    found = widget(view)
    view.picture("560", found)
    list_, right = found.locator(".skillbook-left"), found.locator(".skillbook-right")
    above, below = list_.bounding_box(), right.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"] + 1
    assert re.search("11 of 11", found.inner_text())


def test_preview_of_real_skills(open_notebook: Any, corpus: Path) -> None:
    """374 real skills: the list is paged, the longest stand first, and no error is met."""
    view = open_notebook(
        f"from skillbook.widgets import CatalogPreview\np = CatalogPreview({str(corpus)!r})\np"
    )
    found = widget(view)
    expect(found.locator(".skillbook-tick")).to_have_count(200)
    found.get_by_role("button", name="longest first").click()
    expect(found.locator(".skillbook-tick").first).to_contain_text("tokens", timeout=30_000)
    view.picture("real", found)
    found.get_by_role("button", name="Next").click()
    expect(found.get_by_role("button", name="Previous 200")).to_be_visible()
    assert (view.outside, view.errors) == ([], [])
