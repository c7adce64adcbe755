"""The explorer of a catalogue in a real JupyterLab: kits, agents, failures, and the import box."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pages import Opened, Server
from playwright.sync_api import Locator, expect

from trees import build, skill

sys.path.append(str(Path(__file__).resolve().parent.parent / "kits"))
from archives import COMMIT, repository
from github_server import FakeGitHub, serving

pytestmark = pytest.mark.browser

OpenNotebook = Callable[..., Opened]

COLOURS = pytest.mark.parametrize("colours", ["light", "dark"])
EXPLORE = """
import skillbook as sb

class Torn:
    provider_name = "wiki"
    def list_kits(self):
        raise RuntimeError("the wiki did not answer")

memory = sb.MemoryProvider()
memory.put(sb.SkillDef("tea:brew", "Boil water first.", "Brews tea."))
memory.put(sb.SkillDef("files:read", "Otherwise.", "Reads files otherwise."))
catalog = sb.Catalog([
    sb.LocalProvider(parent="kits"),
    memory,
    Torn(),
    sb.GitHubProvider(cache_dir={cache!r}, base_url={url!r}),
])
browser = sb.explore(catalog)
browser
"""


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    """A server on loopback with two repositories."""
    with serving() as server:
        pots = {
            f"skills/{name}/SKILL.md": skill(name, f"Makes a {name}.") for name in ("cup", "jug")
        }
        server.has("acme/pots", repository(pots))
        server.has("acme/kilns", repository({"kiln/SKILL.md": skill("kiln", "Fires pots.")}))
        yield server


@pytest.fixture
def explored(
    open_notebook: OpenNotebook, jupyterlab: Server, github: FakeGitHub, tmp_path: Path
) -> Callable[..., tuple[Opened, Locator]]:
    """Opens the explorer of a catalogue of four providers."""
    agent = "---\nname: {}\ndescription: {}\nmodel: large\ncapabilities: [read, write]\n---\n{}"
    shutil.rmtree(jupyterlab.notebooks / "kits", ignore_errors=True)
    build(
        jupyterlab.notebooks / "kits",
        {
            "files/skills/read/SKILL.md": skill("read", "Reads files.", "# Reading\n"),
            "files/skills/torn/SKILL.md": "---\nname: [torn\n---\n",
            "files/AGENT.md": agent.format("clerk", "Keeps files.", "# You are a clerk\n"),
            "files/agents/scribe.md": agent.format("scribe", "Writes.", "<b>Write</b>.\n"),
        },
    )

    def one(**looks: object) -> tuple[Opened, Locator]:
        code = EXPLORE.format(cache=str(tmp_path / "cache"), url=github.url)
        opened = open_notebook(code, **looks)
        widget = opened.page.locator(".skillbook-browser").first
        expect(rows(widget).first).to_be_visible(timeout=60_000)
        return opened, widget

    return one


def rows(widget: Locator) -> Locator:
    """Returns the rows of the list."""
    return widget.locator(".skillbook-left .skillbook-row")


def said(widget: Locator) -> Locator:
    """Returns what the import box says."""
    return widget.locator(".skillbook-import .skillbook-status-message")


def clean(opened: Opened) -> None:
    """Asserts that nothing went wrong and nothing left the machine."""
    assert opened.errors == []
    assert opened.outside == []


@COLOURS
@pytest.mark.parametrize("width", [1280, 700])
def test_catalog_looks(
    explored: Callable[..., tuple[Opened, Locator]], colours: str, width: int
) -> None:
    """Kits stand under headings; each kind of entry has its view; no word is cut."""
    opened, widget = explored(colours=colours, width=width)
    expect(widget.locator(".skillbook-status").first).to_contain_text("tokens (", timeout=30_000)
    headings = widget.locator(".skillbook-left .skillbook-row-heading")
    expect(headings).to_have_text(
        [
            "kit filesprovider LocalProvider(parent='kits')",
            "kit teaprovider MemoryProvider",
            "kit filesprovider MemoryProvider",
            "provider wiki",
            "kit githubprovider GitHubProvider",
        ]
    )
    pane = widget.locator(".skillbook-right")
    for title, word in (
        ("read", "Reading"),
        ("clerk", "You are a clerk"),
        ("torn", "malformed-frontmatter"),
        ("wiki", "the wiki did not answer"),
    ):
        rows(widget).get_by_text(title).first.click()
        expect(pane).to_contain_text(word)
        opened.picture(title)
    rows(widget).filter(has_text="shadowed").last.click()
    expect(pane).to_contain_text("which comes first and counts")
    opened.picture("shadowed")
    widget.locator("summary").first.click()
    opened.picture("overview")
    cut = widget.evaluate(
        """node => [...node.querySelectorAll('button, label, .widget-label, .skillbook-word')]
            .filter(each => each.offsetParent && each.scrollWidth > each.clientWidth + 1)
            .map(each => each.textContent)"""
    )
    assert cut == []
    assert widget.evaluate("n => n.scrollWidth - n.clientWidth") <= 0
    clean(opened)


def test_browse_by_kit_and_provider(explored: Callable[..., tuple[Opened, Locator]]) -> None:
    """The boxes hold the list to a provider, a kit, agents, shadowed names, or failures."""
    opened, widget = explored()
    expect(rows(widget)).to_have_count(10)
    for origin, number in (
        ("provider LocalProvider(parent='kits') 4", 4),
        ("kit tea 1", 1),
        ("kit files 6", 6),
        ("provider wiki 1", 1),
        ("everywhere", 10),
    ):
        widget.get_by_label("From", exact=True).select_option(origin)
        expect(rows(widget)).to_have_count(number)
    for show in ("agents 2", "shadowed 2", "failed 1", "skipped 1", "skills 4", "everything 10"):
        widget.get_by_label("Show", exact=True).select_option(show)
        expect(rows(widget)).to_have_count(int(show.split()[-1]))
    opened.run("memory.put(sb.SkillDef('tea:pour', 'Pour.', 'Pours tea.'))")
    widget.get_by_role("button", name="Refresh").click()
    expect(widget.locator(".skillbook-status-message").first).to_have_text(
        "Read anew: 1 added (tea:pour)."
    )
    expect(rows(widget)).to_have_count(11)
    clean(opened)


def test_catalog_import(
    explored: Callable[..., tuple[Opened, Locator]], github: FakeGitHub
) -> None:
    """A reference imports by button and by Enter; what came of it, or why not, stands there."""
    opened, widget = explored()
    box = widget.get_by_role("textbox", name="Import from GitHub")
    button = widget.get_by_role("button", name="Import", exact=True)
    allowed = widget.locator(".skillbook-import .skillbook-status")
    expect(allowed).to_contain_text("allowed: any repository token: none")
    button.click()
    expect(said(widget)).to_have_text("Type what to import first, such as owner/repo.")
    box.fill("acme/none")
    button.click()
    expect(said(widget)).to_contain_text("the repository acme/none is not there, or is private")
    opened.picture("error")
    box.fill("acme/pots")
    box.press("Enter")
    expect(said(widget)).to_contain_text(f"Imported acme/pots at commit {COMMIT}, 2 skills")
    expect(widget.locator(".skillbook-name")).to_have_text("acme/pots:cup")
    expect(rows(widget).get_by_text("acme/pots:jug", exact=True)).to_have_count(1)
    opened.picture("imported")
    github.body = "stalled"
    box.fill("acme/kilns")
    button.click()
    bar = widget.locator(".skillbook-import progress")
    expect(bar).to_be_visible()
    assert opened.run("print(1 + 1)").strip() == "2"  # the kernel answers meanwhile
    opened.picture("progress")
    widget.locator(".skillbook-import").get_by_role("button", name="Stop").click()
    expect(said(widget)).to_have_text("Stopping …")
    github.stop.set()
    expect(bar).to_be_hidden(timeout=30_000)
    expect(said(widget)).to_contain_text("nothing was imported", ignore_case=True)
    expect(button).to_be_enabled()
    expect(rows(widget)).to_have_count(12)
    clean(opened)
