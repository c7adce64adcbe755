"""The budget view in a real JupyterLab: host, context, one skill shortened and a new one tried."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

MANY = """
import skillbook as sb
from skillbook.widgets import BudgetView
b = BudgetView(sb.load_skills(skills=[
    sb.SkillDef(f"skill-{n:05}", "Body.", description=f"Does thing {n}. Use when {n} is asked for.")
    for n in range(20_000)
]))
b
"""

HOSTILE = r'''
import skillbook as sb
from skillbook.widgets import BudgetView
evil = """<img src=x onerror="window.ran = 1"><script>window.ran = 2</script> $x^2$ [a](javascript:window.ran=3)
<div style="position:fixed;inset:0;background:red" data-commandlinker-command="x">cover</div>"""
b = BudgetView(sb.load_skills(skills=[
    sb.SkillDef("a" + evil, "Body.", description=evil),
    sb.SkillDef("plain", "Body.", description="Plain."),
    sb.SkillDef("bare" + evil, "Body."),
]))
b
'''


def shown(repository: Path, *more: str) -> str:
    """Returns a cell that shows the budget of the examples."""
    path = repr(str(repository / "examples" / "gallery"))
    return (
        "import skillbook as sb\nfrom skillbook.widgets import BudgetView\n"
        f"b = BudgetView({', '.join((f'sb.load_skills({path})', *more))})\nb"
    )


def widget(view: Any) -> Locator:
    """Returns the view, once it is there."""
    found = view.page.locator(".skillbook-budget").first
    expect(found).to_be_visible(timeout=60_000)
    expect(found.locator(".skillbook-row").first).to_be_visible(timeout=60_000)
    return found


def line(found: Locator) -> Locator:
    """Returns the line with the facts."""
    return found.locator(".skillbook-status-line")


def tab(found: Locator, name: str) -> None:
    """Opens a tab."""
    found.locator(".lm-TabBar-tab", has_text=name).click()


def slide(found: Locator, which: int, *keys: str) -> None:
    """Presses keys on a slider."""
    found.locator(".noUi-handle").nth(which).focus()
    for key in keys:
        found.page.keyboard.press(key)


@pytest.mark.parametrize("width", [1280, 700])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_budget_every_control(
    open_notebook: Any, repository: Path, colours: str, width: int
) -> None:
    """Host, context, filter, search, shortening, a new skill and the tabs all act."""
    view = open_notebook(
        shown(repository, "context=32_000", "usage={'tide-tables': 12}"),
        colours=colours,
        width=width,
        height=1600,
    )
    found = widget(view)
    expect(line(found)).to_contain_text("Claude Code")
    expect(line(found)).to_contain_text("of 1,280 characters")
    view.picture(f"open-{colours}-{width}", found)

    slide(found, 0, "ArrowLeft")
    expect(line(found)).to_contain_text("of 640 characters")
    expect(found.locator(".skillbook-status-message")).to_contain_text("Less is listed of")
    assert view.run("print(b.context)") == "16000\n"
    slide(found, 0, "ArrowRight")
    expect(line(found)).to_contain_text("of 1,280 characters")

    found.locator(".skillbook-row", has_text="csv-first-look").click()
    slide(found, 1, "Home")
    right = found.locator(".skillbook-right")
    expect(right).to_contain_text("More would be listed of")
    assert view.run("print(repr(b.wording), b.chosen)") == "'' csv-first-look\n"
    found.get_by_label("Its description").fill("Looks at a CSV file.")
    expect(right).to_contain_text("With a description of 20 characters")
    view.picture(f"shorter-{colours}-{width}", found)

    tab(found, "A new skill")
    found.get_by_label("Name").fill("a-new-one")
    found.get_by_label("Description", exact=True).fill("Draws bees. " * 20)
    expect(right).to_contain_text("takes 253 characters")
    expect(right).to_contain_text("It would push out")
    view.picture(f"new-{colours}-{width}", found)
    found.get_by_label("Name").fill("tide-tables")
    expect(right).to_contain_text("There is a skill of this name already")

    tab(found, "The list")
    expect(right).to_contain_text("- tide-tables: ")
    view.picture(f"list-{colours}-{width}", found)
    tab(found, "Numbers and sources")
    expect(right).to_contain_text("November 2026")
    view.picture(f"numbers-{colours}-{width}", found)

    host = found.get_by_label("Host")
    host.select_option("Codex CLI")
    expect(line(found)).to_contain_text("of 640 tokens")
    host.select_option("Copilot CLI")
    expect(line(found)).to_contain_text("of 15,000 characters")
    expect(right).to_contain_text("stops at the first skill that does not fit")
    host.select_option("A limit of one's own")
    limit = found.get_by_label("Limit", exact=True)
    limit.fill("900")
    limit.press("Enter")
    expect(line(found)).to_contain_text("of 900 characters")
    tab(found, "The list")
    expect(right).to_contain_text("## Available Skills")
    view.picture(f"own-{colours}-{width}", found)
    found.get_by_role("button", name="tokens").click()
    expect(line(found)).to_contain_text("of 900 tokens")

    found.get_by_label("Show").select_option(index=1)
    found.get_by_label("Search").fill("tide")
    expect(found.locator(".skillbook-row")).to_have_count(1)
    expect(found.locator(".skillbook-row mark")).to_have_text("tide")
    assert (view.outside, view.errors) == ([], [])


def test_budget_by_keyboard(open_notebook: Any, repository: Path) -> None:
    """Sliders, list and tabs take keys; JupyterLab takes none of them for commands."""
    view = open_notebook(shown(repository, "context=32_000"))
    found = widget(view)
    found.locator(".skillbook-row").first.focus()
    view.page.keyboard.press("End")
    assert view.run("print(b.chosen)") == "tide-tables\n"
    slide(found, 1, "ArrowLeft")
    expect(found.locator(".skillbook-right")).to_contain_text("With a description of ")
    for key in ("d", "d", "x", "Escape"):
        view.page.keyboard.press(key)
    expect(view.page.locator(".jp-Cell")).to_have_count(1)


def test_budget_two_views(open_notebook: Any, repository: Path) -> None:
    """What is set from code shows in each view of the widget; closing it drops them all."""
    view = open_notebook(shown(repository), "b")
    found = widget(view)
    expect(view.page.locator(".skillbook-budget")).to_have_count(2)
    view.run("b.host, b.context = 'codex', 123_456")
    for each in (found, view.page.locator(".skillbook-budget").nth(1)):
        expect(line(each)).to_contain_text("of 2,469 tokens")
        expect(each.locator(".widget-readout").first).to_have_text("123,456")
    view.run("b.close()")
    expect(view.page.locator(".skillbook-budget")).to_have_count(0)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_budget_hostile(open_notebook: Any, colours: str) -> None:
    """Strangers' names and descriptions stay text in each tab, with each host."""
    view = open_notebook(HOSTILE, colours=colours)
    found = widget(view)
    for host in ("Codex CLI", "Copilot CLI", "Apache Maka", "A limit of one's own"):
        found.get_by_label("Host").select_option(host)
        for name in ("A new skill", "The list", "This skill"):
            tab(found, name)
            view.idle()
    expect(found.locator(".skillbook-right")).to_contain_text("onerror=")
    view.picture(f"{colours}", found)
    assert view.page.evaluate("() => window.ran") is None
    assert found.locator("img, script, a, mjx-container, [data-commandlinker-command]").count() == 0
    assert (view.outside, view.errors) == ([], [])


def test_budget_twenty_thousand(open_notebook: Any) -> None:
    """20,000 skills: a page of 200; host and context answer within seconds."""
    view = open_notebook(MANY)
    found = widget(view)
    expect(found.locator(".skillbook-row")).to_have_count(200)
    expect(found.get_by_text("200 of 20,000 shown")).to_be_visible()
    expect(line(found)).to_contain_text("over the limit")
    found.get_by_label("Host").select_option("Copilot CLI")
    expect(line(found)).to_contain_text("gone", timeout=5_000)
    found.get_by_role("button", name="Next 200").click()
    expect(found.locator(".skillbook-row").first).to_contain_text("skill-00200")
    view.picture("many", found)
    assert view.errors == []


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_budget_twin(open_notebook: Any, repository: Path, colours: str) -> None:
    """A closed view shows its static twin, with the changes that were tried."""
    tried = "b.chosen, b.wording = 'csv-first-look', 'Looks.'\nb.new_name, b.new_description = 'z', 'Bees.'"
    cells = (shown(repository, "context=32_000"), f"{tried}\nb.close()\nb")
    view = open_notebook(*cells, colours=colours, height=1800)
    twin = view.page.locator(".jp-Cell").nth(1).locator(".skillbook")
    expect(twin).to_contain_text("With a description of 6 characters", timeout=60_000)
    expect(twin).to_contain_text("A new skill, z")
    view.picture(colours, twin)
    assert view.errors == []
