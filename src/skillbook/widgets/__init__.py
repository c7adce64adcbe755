"""Widgets: what a notebook shows that can be clicked.

One file a widget; :mod:`skillbook.widgets.elements.base` holds what they share. Needs ipywidgets and
anywidget, and says so where they are missing. Nothing but ``magics`` and ``cli`` may import this
package.
"""

from __future__ import annotations

from importlib.util import find_spec

from skillbook.errors import MissingDependency

for _library in ("ipywidgets", "anywidget", "IPython"):
    if find_spec(_library) is None:
        raise MissingDependency(
            f"the widgets need {_library}; install it with: pip install ipywidgets anywidget"
            " (everything else works without, for example sb.list_skills)"
        )

from skillbook.widgets.budget.budget_view import BudgetView  # noqa: E402
from skillbook.widgets.editor.skill_editor import SkillEditor  # noqa: E402
from skillbook.widgets.explorer.browser import SkillBrowser, explore  # noqa: E402 - after the check
from skillbook.widgets.preview.catalog_preview import CatalogPreview  # noqa: E402
from skillbook.widgets.simulator.tool_simulator import ToolSimulator  # noqa: E402
from skillbook.widgets.trace.disclosure_trace import DisclosureTrace  # noqa: E402

__all__ = [
    "BudgetView",
    "CatalogPreview",
    "DisclosureTrace",
    "SkillBrowser",
    "SkillEditor",
    "ToolSimulator",
    "explore",
]
