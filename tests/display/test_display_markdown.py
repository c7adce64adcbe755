"""Markdown: what it becomes, what stays text, and what is cut."""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Any

import pytest
from contract import HOSTILE, ROOT, Shown, keeps, made
from hypothesis import given
from hypothesis import strategies as st

from skillbook.display import markdown
from skillbook.model import Root, SkillInfo
from trees import build

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
HOSTILE_TEXT = st.lists(st.text() | st.sampled_from(HOSTILE)).map("\n\n".join)


def shown(text: str, skill: SkillInfo | None = None) -> Shown:
    """Returns what a parser finds in rendered Markdown, which keeps the contract."""
    return keeps(markdown.render(text, skill))


def inner(text: str) -> str:
    """Returns the HTML of a text without its frame."""
    return markdown.render(text).removeprefix('<div class="skillbook-body">').removesuffix("</div>")


def in_folder(folder: Path) -> SkillInfo:
    """Returns a skill whose folder is really there."""
    return made(location=str(folder / "SKILL.md"), root=Root("skills", str(folder.parent)))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "a *b* **c** ~~d~~ `e`",
            "<p>a <em>b</em> <strong>c</strong> <s>d</s> <code>e</code></p>\n",
        ),
        ("# A", '<h1 class="jp-toc-ignore">A</h1>\n'),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("3. a", '<ol start="3"><li>a</li>\n</ol>\n'),
        ("a  \nb\nc", "<p>a<br>\nb\nc</p>\n"),
        ("---", "<hr>\n"),
        ("    x $", '<pre class="skillbook-code"><code>x $\n</code></pre>\n'),
        ("```\n<b>\n```", '<pre class="skillbook-code"><code>&lt;b&gt;\n</code></pre>\n'),
        ("- [ ] a", "<ul>\n<li>[ ] a</li>\n</ul>\n"),
    ],
)
def test_elements(text: str, html: str) -> None:
    """Each kind of Markdown becomes the plain element for it."""
    assert inner(text) == html


def test_table() -> None:
    """A table keeps its alignment, each cell says its own, and headings say what they head."""
    assert inner("| a | b |\n|---|--:|\n| 1 | 2 |") == (
        '<div class="skillbook-wide"><table class="skillbook-table">\n'
        '<thead><tr><th style="text-align:left" scope="col">a</th>'
        '<th style="text-align:right" scope="col">b</th></tr>\n</thead>\n'
        '<tbody>\n<tr><td style="text-align:left">1</td>'
        '<td style="text-align:right">2</td></tr>\n</tbody></table></div>\n'
    )


def test_web_links_act() -> None:
    """Links to the web and to mail act, in a page of their own that learns nothing."""
    assert inner("[a](https://a.example/b) <mailto:c@d.example>") == (
        '<p><a href="https://a.example/b" rel="noopener noreferrer nofollow" target="_blank">a</a> '
        '<a href="mailto:c@d.example" rel="noopener noreferrer nofollow" target="_blank">'
        "mailto:c@d.example</a></p>\n"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a](references/b%20c.md)", "a (references/b c.md)"),
        ("[references/b.md](references/b.md)", "references/b.md"),
        ("[`b.md`](b.md)", "b.md"),
        ("[a](#heading)", "a"),
        ("[a](//host/x)", "a (//host/x)"),
        ("[a](/etc/passwd)", "a (/etc/passwd)"),
        ("[a](javascript:alert(1))", "a (javascript:alert(1))"),
        ("[a](data:text/html,x)", "a (data:text/html,x)"),
        ("[a](file:///etc/passwd)", "a (file:///etc/passwd)"),
        ("[a](JAVASCRIPT:x)", "a (JAVASCRIPT:x)"),
        ("[a](http:x)", "a (http:x)"),
        ("[a](<\tjavascript:x>)", "a (\tjavascript:x)"),
    ],
)
def test_other_links_are_text(text: str, said: str) -> None:
    """A link that leads anywhere else is text with its target beside, unless the text says it."""
    found = shown(text)
    assert "a" not in found.tags
    assert found.text.strip() == said


def test_remote_pictures_are_named() -> None:
    """A remote picture becomes its alt text and its host; nothing leads there."""
    found = shown("![count](https://track.example/p.png?who=you) ![](//q.example/q.png)")
    assert "img" not in found.tags
    assert found.text.strip() == (
        "[Picture: count, from track.example, not loaded] [Picture: from q.example, not loaded]"
    )


def test_local_picture_is_inline(tmp_path: Path) -> None:
    """A picture inside the skill's folder is shown, whatever its name says it is."""
    skill = in_folder(build(tmp_path / "one", {"assets/a b.txt": {"b64": DOT}}))
    found = shown("![*the* dot](assets/a%20b.txt?raw=true)", skill)
    assert found.values("src") == [f"data:image/png;base64,{DOT}"]
    assert found.values("alt") == ["the dot"]


def test_pictures_of_a_file_in_a_folder(tmp_path: Path) -> None:
    """In a file of a folder, paths are relative to that folder."""
    skill = in_folder(build(tmp_path / "one", {"references/dot.png": {"b64": DOT}}))
    found = keeps(markdown.render("![a](dot.png)", skill, folder="references"))
    assert found.values("src") == [f"data:image/png;base64,{DOT}"]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../secret.png", "it lies outside the skill's folder and is not read"),
        ("a/../dot.png", "it lies outside the skill's folder and is not read"),
        ("%2e%2e/secret.png", "it lies outside the skill's folder and is not read"),
        ("link.png", "it leads outside the skill's folder and is not read"),
        ("folder/secret.png", "it leads outside the skill's folder and is not read"),
        ("gone.png", "it does not exist"),
        ("a", "it is a folder, not a file"),
        ("drawing.svg", "it is no PNG, JPEG, GIF or WebP picture"),
        ("large.png", "it is larger than 200.0 kB"),
        ("x%00.png", "it lies outside the skill's folder and is not read"),
    ],
)
def test_pictures_that_are_not_shown(tmp_path: Path, path: str, why: str) -> None:
    """What lies outside, is no picture or is too large is named with the reason."""
    png = base64.b64decode(DOT)
    build(
        tmp_path,
        {
            "secret.png": png,
            "one/dot.png": png,
            "one/a/x": "",
            "one/link.png": {"link": "../secret.png"},
            "one/folder": {"link": ".."},
            "one/drawing.svg": "<svg onload='alert(1)'/>",
            "one/large.png": png + b"\0" * 200_000,
        },
    )
    found = shown(f"![it]({path})", in_folder(tmp_path / "one"))
    assert "img" not in found.tags
    assert found.text.strip().startswith("[Picture: it, ")
    assert found.text.strip().endswith(f": {why}]")


def test_absolute_pictures_are_not_read(tmp_path: Path, watch: Any) -> None:
    """A path from the root of the disk is not even opened."""
    skill = in_folder(build(tmp_path / "one", {"SKILL.md": ""}))
    watch.opened.clear()
    found = shown(
        f"![a](/etc/passwd) ![b]({tmp_path}/one/SKILL.md) ![c](file:///etc/passwd)", skill
    )
    assert "img" not in found.tags
    assert watch.opened == []


def test_pictures_fill_their_room(tmp_path: Path) -> None:
    """A body with very many pictures shows the first ones and names the others."""
    large = base64.b64decode(DOT) + b"\0" * 150_000
    names = [f"{number}.png" for number in range(8)]
    skill = in_folder(build(tmp_path / "one", dict.fromkeys(names, large)))
    found = shown("".join(f"![]({name})" for name in names), skill)
    assert found.tags.count("img") == 4
    assert "7.png: the text's other pictures fill the room" in found.text


def test_raw_html_is_text() -> None:
    """Raw HTML, in a block and in a line, is shown as it is written."""
    text = "<script>a</script>\n\nb <img src=x onerror=y> <!-- c -->\n"
    assert shown(text).text.strip() == "<script>a</script>\nb <img src=x onerror=y> <!-- c -->"


def test_nesting_is_cut_and_said() -> None:
    """10,000 quotations in one another neither hang nor raise, and the cut is said."""
    found = shown(">" * 10_000 + " deep")
    assert found.tags.count("blockquote") == markdown.MOST_NESTING
    assert "Cut: what is nested more than 20 levels deep is not shown." in found.text
    assert "Cut" not in shown("> " * 19 + "deep").text
    assert "Cut" in shown("- " * 60 + "deep").text


def test_large_table_is_cut_and_said() -> None:
    """A 3 MB body with a table of 20,000 rows is shown in part, and says which."""
    rows = "| a | " + "b" * 140 + " |\n"
    text = "| x | y |\n|---|---|\n" + rows * 20_000
    start = time.perf_counter()
    found = shown(text)
    assert time.perf_counter() - start < 20
    assert found.tags.count("tr") == markdown.MOST_ROWS + 1
    assert "Cut: 500 of 671 rows shown." in found.text
    assert "Cut: the first 99,999 of 2,980,020 characters are shown." in found.text


def test_wide_table_is_cut() -> None:
    """Rows that are filled up with empty cells cannot swell an output."""
    text = "|a" * 1000 + "|\n" + "|-" * 1000 + "|\n" + "b\n" * 20_000
    assert len(markdown.render(text)) < 1_000_000


def test_colours_have_a_bound() -> None:
    """Only so much code of one body is coloured; all of it is shown."""
    block = "```python\n" + "if x: pass\n" * 900 + "```\n\n"
    found = shown(block * 5)
    assert found.tags.count("pre") == 5
    assert found.tags.count("span") == 4 * 900 * 2


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "![",
        "[a](",
        "*a ",
        "a**b",
        "*a_",
        "`",
        "<a ",
        "&",
        "\\",
        "~~a",
        "- ",
        "1. ",
        "[a]: b\n",
        "[a\n",
        "|",
        "```\n",
        "<!--",
        "a\n=",
        "> - a\n",
        "$",
        "<http://",
        "**",
        "_a",
    ],
)
def test_no_text_hangs(piece: str) -> None:
    """Text made to be slow takes seconds at most, and keeps the contract."""
    start = time.perf_counter()
    shown(piece * (markdown.MOST // len(piece)))
    assert time.perf_counter() - start < 20


def test_linked_files() -> None:
    """The relative paths that a body links to or shows, each once, in its order."""
    text = "[b](b.md#part) ![c](c%20d.png) [b](b.md) [w](https://a.example) [h](#x) [r](/etc/x) <m@a.example>"
    assert markdown.linked_files(text) == ("b.md", "c d.png")


def test_without_a_skill_no_file_is_read() -> None:
    """A text that belongs to no skill names its pictures."""
    assert shown("![a](b.png)").text.strip() == "[Picture: a, b.png]"
    assert shown(
        "![a](b.png)", made(origin="logical", location="skill://x/", root=None)
    ).text.strip() == ("[Picture: a, b.png: a data skill only names its files]")
    assert ROOT.typed not in shown("![a](b.png)", made()).text


@given(HOSTILE_TEXT)
def test_hostile_bodies_keep_the_contract(text: str) -> None:
    """Whatever a body holds, only our elements and attributes come of it."""
    shown(text, made())
