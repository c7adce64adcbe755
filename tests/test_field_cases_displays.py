"""Field cases of widgets: inputs made after public bug reports, each with what is right.

The inputs are copied here, so that the tests need nothing beside the project. The cases of rendering
stand in ``display/test_field_cases_display.py``, nb-04 in ``test_without_widgets.py``, nb-05 in
``test_static_twins.py``, those of notebooks in ``test_notebooks.py``.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from skillbook.widgets import explore
from skillbook.widgets.elements.base import VIEW
from trees import build

NB_02 = {
    "skills/a-one/SKILL.md": "---\nname: a-one\ndescription: A.\n---\n# Notes\n\nDo the work.\n",
    "skills/b-two/SKILL.md": "---\nname: b-two\ndescription: B.\n---\n# Notes\n\nDo the work.\n",
    "skills/c-three/SKILL.md": "---\nname: c-three\ndescription: C.\n---\n# Notes\n\nDo the work.\n",
}


def test_nb_02_one_preview(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nb-02: choosing three skills in turn leaves one preview in each pane, that of the last."""
    build(tmp_path, NB_02)
    monkeypatch.chdir(tmp_path)
    browser = explore("skills")
    tabs = range(len(browser.pane.tabs.children))
    names = ["b-two", "a-one", "c-three"]
    for name in names:
        browser.list.chosen = name  # as a click does
        assert browser.selected == name
        for tab in tabs:
            browser.pane.tabs.selected_index = tab
        panes = [browser.pane.head.value, *(pane.value for pane in browser.pane.panes.values())]
        assert [other for other in names if other in "".join(panes)] == [name]
        assert panes[0].count(f">{name}<") == 1
        # Rendered, as text, and in the envelope: once each.
        assert [pane.count("Do the work.") for pane in panes if "Do the work." in pane] == [1, 1, 1]
    browser.close()


def test_nb_02_one_output_a_cell(tmp_path: Path) -> None:
    """nb-02: a cell that shows the explorer has one output, and choosing adds none to any cell.

    Shown twice, it is the same model both times, so the two views agree; that they do is seen in a
    browser (``browser/test_explorer.py``).
    """
    build(tmp_path, NB_02)
    cells = [
        "import skillbook as sb\nbrowser = sb.explore('skills')",
        "browser",
        "for name in ('a-one', 'b-two', 'c-three'):\n    browser.list.chosen = name",
        "browser",
        "display(browser)",
        "shown = sb.explore('skills'); shown",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name="python3", timeout=60, resources=resources).execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert [[output.output_type for output in each] for each in outputs] == [
        [],
        ["execute_result"],
        [],
        ["execute_result"],
        ["display_data"],
        ["execute_result"],
    ]
    first, again, displayed, another = (each[0].data for each in outputs if each)
    assert first[VIEW] == again[VIEW] == displayed[VIEW] != another[VIEW]
    assert "chosen: a-one" in first["text/plain"]
    assert "chosen: c-three" in again["text/plain"]
    assert again["text/plain"] == displayed["text/plain"]
    assert again["text/html"] == displayed["text/html"]
