"""Field cases of rendering: inputs made after public bug reports, each with what is right.

The inputs are copied here, so that the tests need nothing beside the project.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from contract import Shown, fragment_keeps, parse

from skillbook import display
from skillbook.display import style
from skillbook.source import list_skills, load_skills
from trees import build

KILN = (
    "---\nname: kiln-log\ndescription: Keeps a log of kiln firings.\n---\n# Notes\n\nDo the work.\n"
)


@pytest.fixture(autouse=True)
def _working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def one(name: str) -> Shown:
    """Returns what a skill's display holds, by the contract."""
    return fragment_keeps(display.html(load_skills("skills")[name]))


def test_rd_01_raw_html_is_text(tmp_path: Path) -> None:
    """rd-01: raw HTML in a body makes no element and no handler; the text after it is shown."""
    build(
        tmp_path,
        {
            "skills/evil-html/SKILL.md": '---\nname: evil-html\ndescription: Has raw HTML.\n---\n<script>document.title=\'x\'</script>\n\n<img src=x onerror="alert(1)">\n\n<svg/onload=alert(2)>\n\n<iframe srcdoc="<script>1</script>"></iframe>\n\n<form action=//evil.example><input name=q></form>\n\nafter\n'
        },
    )
    found = one("evil-html")
    assert not set(found.tags) & {
        "script",
        "iframe",
        "object",
        "embed",
        "form",
        "meta",
        "base",
        "link",
        "img",
        "svg",
    }
    assert [
        name for _, name, _ in found.attributes if name.startswith("on") or name == "srcdoc"
    ] == []
    assert "after" in found.text


def test_rd_03_fields_are_text(tmp_path: Path) -> None:
    """rd-03: names, descriptions, paths and skip messages are text, escaped once."""
    build(
        tmp_path,
        {
            "skills/<i>odd/SKILL.md": "---\nname: <u>odd\n",
            "skills/cell-x/SKILL.md": "---\nname: cell-x\ndescription: '<img src=x onerror=alert(1)> & \"quotes\"'\nlicense: '<b>MIT</b>'\n---\nBody.\n",
        },
    )
    html = display.html(list_skills("skills"))
    found = fragment_keeps(html)
    assert '<img src=x onerror=alert(1)> & "quotes"' in found.text
    assert "skills/<i>odd/SKILL.md malformed-frontmatter" in found.text
    assert not set(found.tags) & {"img", "b", "i", "u"}
    assert "&amp;amp;" not in html
    skill = one("cell-x")
    assert "<b>MIT</b>" in skill.text
    assert not set(skill.tags) & {"img", "b"}


def test_rd_05_styles_of_a_body_do_nothing(tmp_path: Path) -> None:
    """rd-05: a body's style element and style attribute are text; our own style stays in its place."""
    build(
        tmp_path,
        {
            "skills/styler/SKILL.md": '---\nname: styler\ndescription: Brings its own style.\n---\n<style>body{display:none} .jp-Notebook{color:red}</style>\n\n<p style="position:fixed;top:0">text</p>\n'
        },
    )
    found = one("styler")
    assert found.style == style.sheet()
    assert set(found.values("style")) <= {"text-align:left"}
    assert "text" in found.text


def test_rd_06_pictures_are_not_fetched(tmp_path: Path) -> None:
    """rd-06: no picture leads to another host; a local one is inline; what lies above is not read."""
    build(
        tmp_path,
        {
            "skills/pixel/SKILL.md": '---\nname: pixel\ndescription: Has images.\n---\n![count](https://track.example/p.png?who=you) ![p2](//track.example/q.png) ![local](assets/dot.png) ![up](../../secret.png)\n\n<img srcset="https://track.example/r.png 2x">\n'
        },
        {
            "skills/pixel/assets/dot.png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        },
    )
    found = one("pixel")
    (source,) = found.values("src")
    assert source.startswith("data:image/png;base64,iVBOR")
    assert {name for _, name, _ in found.attributes} <= {"class", "style", "scope", "src", "alt"}
    assert "[Picture: count, from track.example, not loaded]" in found.text
    assert "[Picture: p2, from track.example, not loaded]" in found.text
    assert (
        "[Picture: up, ../../secret.png: it lies outside the skill's folder and is not read]"
        in found.text
    )


def test_rd_08_front_matter_makes_no_heading(tmp_path: Path) -> None:
    """rd-08: the first heading is the body's own, also with a byte order mark and CRLF."""
    build(
        tmp_path,
        {
            "skills/headed/SKILL.md": "---\nname: headed\ndescription: Has a title.\n---\n# Real title\n\nText.\n"
        },
        {
            "skills/headed-win/SKILL.md": "77u/LS0tDQpuYW1lOiBoZWFkZWQtd2luDQpkZXNjcmlwdGlvbjogSGFzIGEgdGl0bGUuDQotLS0NCiMgUmVhbCB0aXRsZQ0KDQpUZXh0Lg0K"
        },
    )
    for name in ("headed", "headed-win"):
        found = one(name)
        assert [text for level in range(1, 7) for text in found.within(f"h{level}")] == [
            "Real title"
        ]
        assert "Text." in found.text
        assert "\u240d" not in found.text


def test_rd_09_torn_file_is_shown_whole(tmp_path: Path) -> None:
    """rd-09: a file whose front matter is unclosed is shown whole, with the fault and its line."""
    build(
        tmp_path,
        {
            "skills/torn/SKILL.md": "---\nname: torn\ndescription: Torn: in two\n\n# Title\n\nText.\n"
        },
    )
    (skip,) = list_skills("skills").skipped
    found = fragment_keeps(display.html(skip))
    assert "malformed-frontmatter, line 1: " in found.text
    lines = "".join(found.within("pre")).split("\n")
    assert lines == [
        "1 ---  ← here",
        "2 name: torn",
        "3 description: Torn: in two",
        "4 ",
        "5 # Title",
        "6 ",
        "7 Text.",
    ]


def test_rd_11_colours_follow_the_theme() -> None:
    """rd-11: no colour is fixed, so none can be unreadable in a dark theme."""
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", style.sheet()) == []
    named = re.findall(r"(?:color|background): *([a-z]+)\b", style.sheet())
    assert set(named) <= {"color", "none", "inherit"}  # "color" begins "color-mix"


def test_rd_12_no_ids_nor_names(tmp_path: Path) -> None:
    """rd-12: no display has an id or a name, so nothing collides and nothing is clobbered."""
    build(
        tmp_path,
        {
            "skills/clobber/SKILL.md": '---\nname: clobber\ndescription: Has ids.\n---\n# Setup\n\n<a id="jupyter-config-data" name="body">x</a>\n',
            "skills/clobber2/SKILL.md": "---\nname: clobber2\ndescription: Has ids too.\n---\n# Setup\n",
        },
    )
    for name in ("clobber", "clobber2"):
        assert {attribute for _, attribute, _ in one(name).attributes} <= {
            "class",
            "style",
            "scope",
        }


def test_rd_14_reads_without_style(tmp_path: Path) -> None:
    """rd-14: without any style or class, each text is there once, in order, and nothing is hidden."""
    build(tmp_path, {"skills/kiln-log/SKILL.md": KILN})
    skill = load_skills("skills")["kiln-log"]
    bare = re.sub(
        r' (?:class|style)="[^"]*"',
        "",
        re.sub(r"<style>.*?</style>", "", display.html(skill), flags=re.DOTALL),
    )
    found = parse(bare.strip())
    texts = [
        "kiln-log",
        "Keeps a log of kiln firings.",
        "skills/kiln-log/SKILL.md",
        "Notes",
        "Do the work.",
    ]
    places = [found.text.index(text) for text in texts]
    assert places == sorted(places)
    assert found.text.count(texts[2]) == 1
    rest = found.text.replace(texts[2], "")  # which holds the name
    assert [rest.count(text) for text in texts if text != texts[2]] == [1] * 4
    assert not set(found.tags) & {"input", "script", "button"}
    assert "hidden" not in [name for _, name, _ in found.attributes]
    assert "kiln-log" in repr(skill)


def test_nb_06_reprs_are_the_same_everywhere(tmp_path: Path) -> None:
    """nb-06: two fresh processes with another hash seed give the same text and HTML."""
    build(
        tmp_path,
        {
            "skills/kiln-log/SKILL.md": KILN,
            "skills/b-two/SKILL.md": "---\nname: b-two\ndescription: B.\n---\n# Notes\n\nDo the work.\n",
        },
    )
    code = (
        "import sys, skillbook as sb\n"
        "s = sb.load_skills('skills')\n"
        "i = sb.list_skills('skills')\n"
        "for o in (s, i, s.tool, s.tool(name='b-two'), s.tool(name='x'), sb.SkillDef('a', 'b', handler=len)):\n"
        "    sys.stdout.buffer.write((repr(o) + str(o) + o._repr_html_()).encode())\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout.decode()
        for seed in ("0", "1")
    ]
    assert runs[0] == runs[1]
    assert re.findall(r" at 0x|[0-9a-f]{8}-[0-9a-f]{4}-", runs[0]) == []
