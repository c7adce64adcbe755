"""Static twins: where no widget can be shown, each widget stands as HTML and as text (nb-05).

Both say what the widget says at that moment, so that a saved notebook, nbconvert's HTML, GitHub and
front ends without ipywidgets show the same facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import ipywidgets
import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import skillbook as sb
from run_notebooks import tidy
from skillbook import widgets
from skillbook.widgets.elements.base import VIEW, Frame
from trees import build, skill

KILN = (
    "---\nname: kiln-log\ndescription: Keeps a log of kiln firings.\n---\n# Notes\n\nDo the work.\n"
)
TREE = {
    "kiln-log/SKILL.md": KILN,
    "scribe/SKILL.md": skill("scribe", "Writes letters. Use when a letter is due."),
    "torn/SKILL.md": "---\nname: [a, b\ndescription: x\n---\nBody.\n",
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two skills and a file that is skipped, below ``skills``; every widget is closed at the end."""
    build(tmp_path / "skills", TREE)
    monkeypatch.chdir(tmp_path)
    before = set(ipywidgets.widgets.widget._instances.values())
    yield
    for widget in set(ipywidgets.widgets.widget._instances.values()) - before:
        widget.close()


def simulator() -> Frame:
    """A simulator after a call and an error."""
    made = sb.ToolSimulator("skills")
    made.call("skill", {"name": "kiln-log"})
    made.call("skill", {"name": "nope"})
    return made


def trace() -> Frame:
    """A trace at its last step, in which a skill was loaded."""
    session = sb.Session(sb.load_skills("skills"), root="/skills")
    session.user("Log this firing.")
    session.load("kiln-log")
    return sb.DisclosureTrace(session, 3)


def editor() -> Frame:
    """An editor of a skill with a finding."""
    from skillbook.widgets.editor.skill_editor import SkillEditor

    return SkillEditor("skills/kiln-log")


# Each widget, and what its twins must say beside the facts of its status line.
WIDGETS: dict[str, tuple[Callable[[], Frame], list[str]]] = {
    "SkillBrowser": (
        lambda: sb.explore("skills"),
        [
            "kiln-log",
            "Keeps a log of kiln firings.",
            "scribe",
            "1 skipped",
            "malformed-frontmatter",
        ],
    ),
    "CatalogPreview": (lambda: sb.CatalogPreview("skills"), ["kiln-log", "scribe", "2 of 2 shown"]),
    "ToolSimulator": (
        simulator,
        ['{"name": "kiln-log"}', '{"name": "nope"}', "error", "sample_limit 10"],
    ),
    "DisclosureTrace": (
        trace,
        ["load kiln-log", "Log this firing.", "level 2", "this step", "everything up front"],
    ),
    "BudgetView": (
        lambda: sb.BudgetView("skills"),
        ["kiln-log", "scribe", "whole", "8,000 characters", "200,000 tokens of context"],
    ),
    "SkillEditor": (
        editor,
        ["kiln-log", "Keeps a log of kiln firings.", "SB401", "0 errors, 1 warning, 0 notes"],
    ),
}

each_widget = pytest.mark.parametrize(("make", "facts"), list(WIDGETS.values()), ids=list(WIDGETS))


class Reader(HTMLParser):
    """Reads the words of a page, without its styles, and the tags that it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: set[str] = set()
        self.hidden = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.hidden += tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.words.append(data)

    @property
    def text(self) -> str:
        """All words, with single spaces."""
        return " ".join("".join(self.words).split())


def test_every_widget_is_tried() -> None:
    """No widget that the package gives is left out of these tests."""
    given = {
        name
        for name in widgets.__all__
        if isinstance(getattr(widgets, name), type) and issubclass(getattr(widgets, name), Frame)
    }
    assert given <= set(WIDGETS)
    assert {name: type(make()).__name__ for name, (make, _) in WIDGETS.items()} == {
        name: name for name in WIDGETS
    }


@each_widget
def test_html_and_text_stand_beside_the_view(make: Callable[[], Frame], facts: list[str]) -> None:
    """The bundle has the view, HTML and text; both have the title, the status line and the facts."""
    made = make()
    bundle = made._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html", VIEW]
    assert bundle[VIEW]["model_id"] == made.model_id
    html, text = Reader(bundle["text/html"]).text, " ".join(bundle["text/plain"].split())
    status = [made.status.title, *made.status.facts]
    said = [fact for fact in status if not fact.startswith("…")]  # what is not counted yet
    for fact in [*said, *facts]:
        words = (
            fact if fact != "Disclosure trace" else "step 3 of 3"
        )  # its title in text is its class
        assert (fact in html, words in text) == (True, True), fact


@each_widget
def test_twins_need_no_script_and_no_style(make: Callable[[], Frame], facts: list[str]) -> None:
    """What GitHub keeps of the HTML, elements and their text alone, still has every fact."""
    kept = {
        "a", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em",
        *(f"h{n}" for n in range(1, 7)), "hr", "img", "ins", "kbd", "li", "ol", "p", "pre", "s",
        "samp", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th",
        "thead", "tr", "tt", "ul", "var",
    }  # fmt: skip
    page = Reader(make()._repr_html_())
    assert page.tags - kept <= {"style", "meter"}  # both are dropped, and say nothing in words
    for fact in facts:
        assert fact in page.text
    assert "display:none" not in make()._repr_html_().split("</style>")[1]


@each_widget
def test_a_closed_widget_is_its_twin(make: Callable[[], Frame], facts: list[str]) -> None:
    """After close there is no view to offer, and the twins say what they said."""
    made = make()
    before = made._repr_mimebundle_(exclude=[VIEW])
    made.close()
    assert made._repr_mimebundle_() == before


# --- a notebook ----------------------------------------------------------------------------------


CELLS = [
    "import skillbook as sb\nsource = sb.load_skills('skills')\nsource",
    "sb.list_skills('skills')",
    "browser = sb.explore(source)\nbrowser",
    "sb.CatalogPreview(source)",
    "simulator = sb.ToolSimulator(source)\nsimulator.call('skill', {'name': 'kiln-log'})\nsimulator",
    "session = sb.Session(source, root='/skills')\nsb.DisclosureTrace(session, 0)",
    "sb.BudgetView(source)",
]


def executed(cells: list[str], folder: Path) -> nbformat.NotebookNode:
    """Returns a notebook of these cells, run in a fresh kernel in a folder.

    As JupyterLab does, it saves the views of widgets and not their state. (With the state, nbconvert
    writes a script in place of the HTML that stands beside the view.)
    """
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=60,
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
    ).execute()
    return notebook


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    """A notebook that shows a source, an inventory and the widgets."""
    folder = tmp_path_factory.mktemp("notebook")
    build(folder / "skills", TREE)
    return executed(CELLS, folder)


def test_each_cell_has_one_output(notebook: nbformat.NotebookNode) -> None:
    """A shown object is one output with HTML and text; nothing is printed beside it."""
    outputs = [cell.outputs for cell in notebook.cells]
    assert [[output.output_type for output in each] for each in outputs] == [
        ["execute_result"]
    ] * len(CELLS)
    for number, (only,) in enumerate(outputs):
        assert {"text/plain", "text/html"} <= set(only.data)
        assert (VIEW in only.data) is (number > 1)


@pytest.mark.parametrize("is_tidied", [False, True], ids=["as-saved", "without-views"])
def test_page_shows_the_listing_without_a_kernel(
    notebook: nbformat.NotebookNode, is_tidied: bool
) -> None:
    """A page by nbconvert shows names, descriptions and what was skipped for every widget (nb-05)."""
    copy = nbformat.from_dict(notebook)
    if is_tidied:
        tidy(copy)
    page, _ = HTMLExporter().from_notebook_node(copy)
    areas = re.split(r'<div class="jp-Cell jp-CodeCell', page)[1:]
    assert len(areas) == len(CELLS)
    read = [Reader(f"<div {area}").text for area in areas]
    for shown in read[:3]:  # a source, an inventory and the explorer
        for fact in ("kiln-log", "Keeps a log of kiln firings.", "scribe", "1 skipped"):
            assert fact in shown
    assert "2 of 2 skills in the catalogue" in read[3]
    assert "1 call" in read[4]
    assert "Disclosure trace" in read[5]
    assert "of 8,000 characters used" in read[6]
    assert "Error displaying widget" not in page
