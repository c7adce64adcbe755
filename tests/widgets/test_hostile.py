"""Strangers' text in every place that the explorer shows: it stays text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbook.display.markup import TAGS
from skillbook.model import Notice, SkillDef
from skillbook.source import load_skills
from skillbook.widgets import SkillBrowser, explore
from skillbook.widgets.elements.base import Pane
from trees import build

Browse = Callable[..., SkillBrowser]

ATTACKS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<style>*{display:none}</style>",
    '"><b data-commandlinker-command="notebook:run-all-cells">x</b>',
    "[x](javascript:alert(1)) ![p](https://track.example/p.png) <svg/onload=alert(1)>",
    "$x$ \\(y\\) <iframe srcdoc='<script>1</script>'>",
    "a\u202eb\x00\x1b[31m\ud800",
    "'; </span></div></pre><div class='jp-Notebook' style='position:fixed;inset:0'>",
)


class Checker(HTMLParser):
    """Holds HTML to the tags and attributes that a display may have."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a tag or attribute that is not on the list."""
        if tag not in TAGS:
            self.wrong.append(tag)
            return
        for name, value in attrs:
            if name not in TAGS[tag] and name != "class":
                self.wrong.append(f"{tag} {name}")
            if name == "class" and any(
                not each.startswith(
                    ("skillbook", "mathjax_ignore", "tex2jax_ignore", "jp-toc-ignore")
                )
                for each in (value or "").split()
            ):
                self.wrong.append(f"class {value}")
            if name == "href" and not (value or "").lower().startswith(
                ("http://", "https://", "mailto:")
            ):
                self.wrong.append(f"href {value}")
            if name == "src" and not (value or "").startswith("data:image/"):
                self.wrong.append(f"src {value}")


def wrong(html: str) -> list[str]:
    """Returns what in a fragment is not on the list."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    return checker.wrong


def panes(widget: Any) -> Iterator[Pane]:
    """Yields every place for HTML below a widget, and asserts that there is no other."""
    if isinstance(widget, Pane):
        yield widget
    assert not isinstance(widget, (ipywidgets.Output, ipywidgets.HTMLMath, ipywidgets.Label))
    assert isinstance(widget, Pane) or not isinstance(widget, ipywidgets.HTML)
    for child in getattr(widget, "children", ()):
        yield from panes(child)


def everything(browser: SkillBrowser) -> Iterator[str]:
    """Uses every control, and yields all HTML that is shown on the way."""
    for key in list(browser.entries):
        browser.selected = key
        for number in range(5):
            browser.pane.tabs.selected_index = number
        for file in [row[0] for row in browser.pane.tree.rows if row[0]]:
            browser.pane.tree.chosen = file
            yield browser.pane.preview.value
        for limit in (-1, 1, 10):
            browser.sample_limit = limit
        yield from (pane.value for pane in panes(browser))
        yield browser._repr_html_().split("</style>", 1)[1]


def test_hostile_folder(browse: Browse, tmp_path: Path) -> None:
    """Names, descriptions, fields, bodies, files and skipped files stay text in every view."""
    tree: dict[str, Any] = {}
    for number, attack in enumerate(ATTACKS):
        text = attack.encode("utf-8", "replace").decode().replace("\x00", "").replace("\x1b", "")
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        tree[f"s{number}/SKILL.md"] = (
            f'---\nname: "n{number} {quoted}"\ndescription: "{quoted}"\n"{quoted}": ["{quoted}"]\n---\n'
            f"# {text}\n\n{text}\n\n| {text} |\n| --- |\n| {text} |\n\n```{text}\n{text}\n```\n"
        )
        tree[f"s{number}/notes.md"] = f"# {text}\n\n{text}\n"
        tree[f"s{number}/code.py"] = f"x = '{text}'\n"
        tree[f"t{number}/SKILL.md"] = f"---\nname: [\ndescription: {text}\n---\n{text}\n"
    tree["s0/<img src=x onerror=alert(1)>.md"] = "x"
    build(tmp_path / "skills", tree)
    browser = browse(tmp_path / "skills")
    assert [found for html in everything(browser) for found in wrong(html)] == []


texts = st.one_of(
    st.text(max_size=80),
    st.sampled_from(ATTACKS),
    st.lists(st.sampled_from(ATTACKS)).map("\n".join),
)


@settings(max_examples=25)
@given(name=texts, description=st.none() | texts, body=texts, path=texts, search=texts)
def test_any_text_in_any_field(
    name: str, description: str | None, body: str, path: str, search: str
) -> None:
    """Whatever a skill holds and whatever is searched, only listed tags come out, and nothing fails."""
    source = load_skills(skills=[SkillDef(name, body, description, (path,)), SkillDef("", body)])
    source.notices.append(Notice(path, "odd", body))
    browser = explore(source)
    try:
        browser.search = search
        browser.search_bodies()
        assert [found for html in everything(browser) for found in wrong(html)] == []
        repr(browser).encode()
    finally:
        browser.close()


def test_checker_sees_what_it_looks_for() -> None:
    """The check itself finds each kind of attack, so that its silence means something."""
    assert wrong("<p onclick='x'><script>1</script><a href='javascript:x'>y</a><b>z</b>") == [
        "p onclick", "script", "href javascript:x", "b",
    ]  # fmt: skip
    assert wrong("<div class='jp-Notebook'><img src='https://e.example/p.png'></div>") == [
        "class jp-Notebook", "src https://e.example/p.png",
    ]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_words_of_ours_alone_reach_what_reads_mathematics(browse: Browse, attack: str) -> None:
    """Labels, buttons and tooltips hold no stranger's text; front ends read formulas in labels."""
    browser = browse(load_skills(skills=[SkillDef(f"a {attack}", attack, attack)]))
    browser.search = attack
    held = [
        browser.search_box.description, browser.bodies.description, browser.bodies.tooltip,
        browser.sort_box.description, browser.show_box.description, browser.origin_box.description,
        browser.refresh_button.description, browser.pane.limits.description, browser.list.label,
        *browser.pane.tabs.titles, *(label for label, _ in browser.pane.limits.options),
    ]  # fmt: skip
    assert not [text for text in held if attack in (text or "")]
