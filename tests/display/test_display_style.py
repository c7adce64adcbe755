"""The style: small, under one class, right in light and dark."""

from __future__ import annotations

import re

import pytest

from skillbook.display import style

NAMES = (style.SHEET, style.PAGE_SHEET)
COLOUR = (
    r"inherit|none|transparent|currentColor|color-mix\(in srgb, currentColor \d+%, transparent\)"
)


def rules(name: str) -> list[tuple[str, str]]:
    """The selectors and the declarations of a sheet, those in a media rule too."""
    text = re.sub(r"@media[^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}", r"\1", style.sheet(name))
    return [
        (selector.strip(), inner) for selector, inner in re.findall(r"([^{}]+)\{([^{}]*)\}", text)
    ]


def test_every_selector_is_ours() -> None:
    """No rule of a display reaches anything around it."""
    found = [
        part for selector, _ in rules(style.SHEET) for part in re.split(r",(?![^(]*\))", selector)
    ]
    assert len(found) > 50
    assert [part for part in found if not part.strip().startswith(".skillbook")] == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_fetched(name: str) -> None:
    """A sheet asks for nothing from anywhere, and covers nothing."""
    assert (
        re.findall(r"@import|url\(|@font-face|position: *fixed|</|z-index", style.sheet(name)) == []
    )


def test_colours_come_from_the_page() -> None:
    """Each colour is the text's own, stronger or weaker, so it is right in light and dark."""
    found = []
    for _, inner in rules(style.SHEET):
        for name, value in re.findall(r"([a-z-]+):\s*([^;]+);", inner):
            if "color" in name or name == "background":
                found.append(value.strip())
            elif name.startswith(("border", "outline")) and "radius" not in name:
                found += re.findall(r"solid (.+)", value)
    assert len(found) > 20
    assert [value for value in found if not re.fullmatch(COLOUR, value)] == []
    assert (
        re.findall(r"#[0-9a-fA-F]{3}|\brgba?\(|hsl|\bwhite\b(?!-)|\bblack\b", style.sheet()) == []
    )


def test_page_colours_are_the_system_s() -> None:
    """The page follows the reader's own light or dark scheme."""
    assert ":root { color-scheme: light dark; }" in style.sheet(style.PAGE_SHEET)
    assert re.findall(r"#[0-9a-fA-F]{3}|\brgba?\(|hsl", style.sheet(style.PAGE_SHEET)) == []


def test_sheet_is_small() -> None:
    """The style stands in every output of a notebook, so it has at most 10 kB and no comments."""
    assert len(style.sheet()) < 10_000
    assert "/*" not in style.sheet()
    assert style.style().startswith("<style>\n.skillbook")
