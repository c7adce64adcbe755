"""The disclosure trace in a real JupyterLab: stepped by mouse and by keyboard, messages opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

HOSTILE = r'''
import skillbook as sb
from skillbook.widgets import DisclosureTrace
evil = """<img src=x onerror="window.ran = 1"><script>window.ran = 2</script> $x^2$ [a](javascript:window.ran=3)
<div style="position:fixed;inset:0;background:red" data-commandlinker-command="x">cover</div>"""
session = sb.Session(sb.load_skills(skills=[sb.SkillDef("a" + evil, evil, description=evil)]))
(name,) = session.source
session.user(evil)
session.load(name)
session.load(evil)
session.read(name, evil, text=evil)
session.unload(name)
t = DisclosureTrace(session)
t
'''


def shown(repository: Path, context: int = 200_000) -> str:
    """Returns a cell that plays a session over the examples and shows its trace."""
    return f"""
import skillbook as sb
from skillbook.widgets import DisclosureTrace
session = sb.Session(sb.load_skills({str(repository / "examples" / "gallery")!r}), {context}, root="/skills")
session.start()
session.user("Scale my grandmother's cake to a tin of 26 cm, please.")
session.load("recipe-scaling")
session.run("recipe-scaling", "scripts/scale.py", ["--from", "20", "--to", "26"], output="factor 1.69\\n")
session.load("recipe-scalling")
session.load("tide-tables")
session.unload("recipe-scaling")
t = DisclosureTrace(session)
t"""


def widget(view: Any) -> Locator:
    """Returns the trace, once it is there."""
    found = view.page.locator(".skillbook-trace").first
    expect(found).to_be_visible(timeout=60_000)
    expect(found.locator(".skillbook-gauge").first).to_be_visible(timeout=60_000)
    return found


def line(found: Locator) -> Locator:
    """Returns the line with the facts."""
    return found.locator(".skillbook-status-line")


@pytest.mark.parametrize("width", [1280, 700])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_trace_every_control(
    open_notebook: Any, repository: Path, colours: str, width: int
) -> None:
    """The buttons, the slider, the list and the choice of bars all act, and the bar fills."""
    view = open_notebook(shown(repository, 12_000), colours=colours, width=width, height=1600)
    found = widget(view)
    expect(line(found)).to_contain_text("step 1 of 7")
    expect(found.locator(".skillbook-gauge")).to_have_count(3)
    view.picture(f"first-{colours}-{width}", found)

    track = found.locator(".skillbook-track").first
    filled = "node => [...node.children].reduce((sum, each) => sum + each.offsetWidth, 0)"
    before = track.evaluate(filled)
    for _ in range(2):
        found.get_by_role("button", name="Forward").click()
    expect(line(found)).to_contain_text("step 3 of 7")
    view.picture(f"body-{colours}-{width}", found)
    assert track.evaluate(filled) > before
    expect(found.locator(".skillbook-right")).to_contain_text(
        '<skill_content name="recipe-scaling">'
    )
    assert view.run("print(t.step)") == "3\n"

    rows = found.locator(".skillbook-row")
    expect(rows.nth(4)).to_contain_text("to come")
    rows.nth(1).click()
    expect(found.locator(".skillbook-right")).to_contain_text('"input_schema"')
    expect(line(found)).to_contain_text("step 3 of 7")
    rows.nth(7).click()
    expect(line(found)).to_contain_text("step 7 of 7")
    expect(rows.nth(3)).to_contain_text("taken out")
    found.get_by_role("button", name="up close").click()
    assert view.run("print(t.scale)") == "close\n"
    view.picture(f"last-{colours}-{width}", found)
    found.get_by_role("button", name="Forward").click()
    expect(found.locator(".skillbook-status-message")).to_have_text("This is the last step.")

    found.get_by_role("button", name="Back").click()
    expect(line(found)).to_contain_text("step 6 of 7")
    found.get_by_role("button", name="First").click()
    expect(line(found)).to_contain_text("step 0 of 7")
    expect(found.locator(".skillbook-right")).to_contain_text("Nothing is in the context.")
    found.get_by_role("button", name="Last").click()
    expect(line(found)).to_contain_text("step 7 of 7")
    view.run("session.load('field-notes')")
    found.get_by_role("button", name="Refresh").click()
    expect(line(found)).to_contain_text("step 8 of 8")
    assert (view.outside, view.errors) == ([], [])


def test_trace_by_keyboard(open_notebook: Any, repository: Path) -> None:
    """Buttons, slider and list take keys; JupyterLab takes none of them for commands."""
    view = open_notebook(shown(repository))
    found = widget(view)
    found.get_by_role("button", name="Forward").focus()
    view.page.keyboard.press("Enter")
    expect(line(found)).to_contain_text("step 2 of 7")
    expect(found.get_by_role("button", name="Forward")).to_be_focused()
    found.locator(".noUi-handle").focus()
    view.page.keyboard.press("ArrowRight")
    expect(line(found)).to_contain_text("step 3 of 7")
    view.page.keyboard.press("ArrowLeft")
    expect(line(found)).to_contain_text("step 2 of 7")
    found.locator(".skillbook-row").nth(2).focus()
    view.page.keyboard.press("ArrowUp")
    expect(found.locator(".skillbook-right")).to_contain_text('"input_schema"')
    for key in ("d", "d", "x", "Escape"):
        view.page.keyboard.press(key)
    expect(view.page.locator(".jp-Cell")).to_have_count(1)


def test_trace_two_views(open_notebook: Any, repository: Path) -> None:
    """A step from code shows in each view of the widget; closing it drops them all."""
    view = open_notebook(shown(repository), "t")
    found = widget(view)
    expect(view.page.locator(".skillbook-trace")).to_have_count(2)
    view.run("t.step = 4")
    for each in (found, view.page.locator(".skillbook-trace").nth(1)):
        expect(line(each)).to_contain_text("step 4 of 7")
        expect(each.locator(".skillbook-right")).to_contain_text("factor 1.69")
    view.run("t.close()")
    expect(view.page.locator(".skillbook-trace")).to_have_count(0)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_trace_hostile(open_notebook: Any, colours: str) -> None:
    """Strangers' names, messages and errors stay text at each step."""
    view = open_notebook(HOSTILE, colours=colours)
    found = widget(view)
    for number in range(2, 7):
        found.get_by_role("button", name="Forward").click()
        expect(line(found)).to_contain_text(f"step {number} of 6")
        if number == 3:
            expect(found.locator(".skillbook-right")).to_contain_text("<skill_content")
            view.picture(f"{colours}", found)
    found.locator(".skillbook-row").nth(3).click()
    expect(found.locator(".skillbook-right")).to_contain_text("onerror=")
    assert view.page.evaluate("() => window.ran") is None
    assert found.locator("img, script, a, mjx-container, [data-commandlinker-command]").count() == 0
    assert (view.outside, view.errors) == ([], [])


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_trace_twin(open_notebook: Any, repository: Path, colours: str) -> None:
    """A closed trace shows its static twin, with the bar and the message as plain HTML."""
    view = open_notebook(
        shown(repository), "t.step = 3\nt.close()\nt", colours=colours, height=1800
    )
    twin = view.page.locator(".jp-Cell").nth(1).locator(".skillbook")
    expect(twin).to_contain_text("step 3 of 7", timeout=60_000)
    expect(twin.locator("meter").first).to_be_visible()
    expect(twin).to_contain_text("everything up front")
    view.picture(colours, twin)
    assert view.errors == []
