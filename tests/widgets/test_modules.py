"""The small JavaScript modules and the style: plain, self-contained, and unable to run a text."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from skillbook.widgets.elements.parts import Buttons, Rows, Status

MODULES = {
    name: str(kind._esm)
    for name, kind in (("rows", Rows), ("status", Status), ("buttons", Buttons))
}
STYLE = files("skillbook.widgets.elements").joinpath("widgets.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MODULES)
def test_no_text_can_become_an_element(name: str) -> None:
    """No module knows a way to turn text into HTML or code, or to reach the network."""
    banned = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|import[ (]|fetch|XMLHttp|https?:|\.src\b|\.href\b|createContextualFragment|DOMParser"
    assert re.findall(banned, MODULES[name]) == []


@pytest.mark.parametrize("name", MODULES)
def test_a_view_takes_its_listeners_away(name: str) -> None:
    """Each module is one default export, and what it listens to it leaves again."""
    text = MODULES[name]
    assert text.count("export default { render };") == 1
    assert text.count("model.on(") == text.count("model.off(") == 1
    assert text.count('addEventListener("keydown", guard') == text.count(
        'removeEventListener("keydown", guard'
    )


def test_selectors_stay_inside() -> None:
    """Every selector begins with a class of ours, and nothing is loaded."""
    rules = re.sub(r"/\*.*?\*/", "", STYLE, flags=re.DOTALL)
    assert not re.search(r"@import|url\(|position:\s*fixed|!important", rules)
    for selectors in re.findall(r"([^{}]+)\{", rules):
        if selectors.strip().startswith("@"):
            continue
        for selector in re.split(r",(?![^(]*\))", selectors):
            assert selector.strip().startswith(".skillbook-"), selector


def test_colours_come_from_the_page() -> None:
    """Each colour is the page's own, a mixture of it, or a variable of JupyterLab's with a fallback."""
    rules = re.sub(r"/\*.*?\*/", "", STYLE, flags=re.DOTALL)
    assert not re.search(
        r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(|\b(?:white|black|red|gr[ae]y)\b(?!-)", rules
    )
    assert re.findall(r"var\((--jp-[a-z0-9-]+)\)", rules) == []
    for found in re.findall(r"(?<!-)background:\s*([^;]+);[^}]*\}", rules):
        assert (
            "color-mix(in srgb, currentColor" in found
            or found == "none"
            or found.startswith(("var(--jp-layout", "color-mix(in srgb, var"))
        )
