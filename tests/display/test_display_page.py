"""``to_html``: one page that needs nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from contract import HOSTILE, MemoryReader, keeps, made
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbook.display import page, to_html
from skillbook.model import Notice, Root, SkillInfo, SkillSkip
from skillbook.source import SkillInventory, SkillSource, load_skills

ROOT = Root("skills", "/nowhere/skills")


def inventory(*skills: SkillInfo) -> SkillInventory:
    """Returns an inventory with one skip and one notice."""
    skip = SkillSkip("/nowhere/skills/torn/SKILL.md", "unreadable", "it is torn", 1, ROOT)
    return SkillInventory(
        list(skills), [skip], [Notice("/gone", "missing-root", "it is gone")], [ROOT]
    )


def inner(text: str) -> str:
    """Returns what stands in the page's body, with the anchors checked and taken out."""
    assert re.match(r'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">', text)
    body = re.search(r"<body>\n(.*)\n</body>\n</html>\n\Z", text, re.DOTALL)
    assert body
    anchors = re.findall(r' id="(skill-\d+)"', body[1])
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]*)"', body[1])) <= set(anchors)
    return re.sub(
        r' id="skill-\d+"',
        "",
        re.sub(r'<a href="#skill-\d+">(.*?)</a>', r"\1", body[1], flags=re.DOTALL),
    )


def test_page_holds_everything() -> None:
    """Index, prompt, skips, notices, and each skill with its rendered body and files are there."""
    skills = [
        made(
            f"skill-{n}",
            f"Does {n}.",
            f"# Title {n}\n",
            reader=MemoryReader(f"# Title {n}\n", ("a.sh",)),
        )
        for n in range(3)
    ]
    text = to_html(SkillSource(inventory(*skills)))
    found = keeps(inner(text))
    assert found.within("h2") == ["Index", "Prompt", "1 skipped", "1 notice", "Skills"]
    assert found.within("h1") == ["Skill source", "Title 0", "Title 1", "Title 2"]
    assert "- **skill-1**: Does 1." in found.text
    assert "skills/torn/SKILL.md unreadable, line 1: it is torn" in found.text
    assert "/gone missing-root: it is gone" in found.text
    assert text.count("a.sh") == 3
    assert "<title>3 skills from skills</title>" in text
    assert "cut" not in found.text


def test_page_asks_for_nothing() -> None:
    """The page forbids itself scripts and requests, and holds none."""
    text = to_html(inventory(made(content="![x](https://track.example/p.png)")))
    assert (
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';'
        " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
    ) in text
    assert re.findall(r"<script|<link|<iframe|src=\"(?!data:)|url\(", text) == []
    assert text == to_html(inventory(made(content="![x](https://track.example/p.png)")))


def test_page_is_written(tmp_path: Path) -> None:
    """With a path the page is written there, and the path comes back."""
    source = load_skills()
    target = to_html(source, tmp_path / "page.html")
    assert target == tmp_path / "page.html"
    assert target.read_bytes().decode() == to_html(source)
    assert "No skills." in to_html(source)


def test_page_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``~`` is the home folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert to_html(load_skills(), "~/page.html") == tmp_path / "page.html"
    assert (tmp_path / "page.html").is_file()


@pytest.mark.parametrize(
    ("path", "kind", "said"),
    [
        (5, TypeError, "path is 5; pass the file to write as text or Path, or None"),
        (True, TypeError, "path is True; pass the file to write as text or Path, or None"),
        (b"/x", TypeError, "path is b'/x'; pass the file to write as text or Path, or None"),
        ("", ValueError, "path is ''; pass the file to write, such as 'skills.html'"),
        ("a\0b", ValueError, "path is 'a\\x00b'; pass the file to write, such as 'skills.html'"),
        (
            "here",
            ValueError,
            "path is 'here', a folder; add a file name, such as 'here/skills.html'",
        ),
        (".", ValueError, "path is '.', a folder; add a file name, such as './skills.html'"),
        (
            "new/",
            ValueError,
            "path is 'new/', a folder; add a file name, such as 'new/skills.html'",
        ),
        (
            "gone/sub/page.html",
            FileNotFoundError,
            "[Errno 2] there is no folder 'gone/sub'; make it first: 'gone/sub/page.html'",
        ),
        (
            "file/page.html",
            NotADirectoryError,
            "[Errno 20] 'file' is no folder: 'file/page.html'",
        ),
    ],
)
def test_wrong_paths(
    path: object, kind: type, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that cannot be a file's is refused with what to pass, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(kind) as raised:
        to_html(load_skills(), path)  # type: ignore[call-overload]
    assert str(raised.value) == said
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["file", "here"]


def test_page_takes_sets_only() -> None:
    """Something else is refused with what to pass."""
    with pytest.raises(TypeError, match="takes a source or an inventory"):
        to_html("skills")  # type: ignore[call-overload]


def test_long_bodies_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the page would be too large, the longest bodies are cut, and it says so."""
    monkeypatch.setattr(page, "MOST", 100_000)
    skills = [made(f"s{n}", "x", "short\n") for n in range(5)] + [
        made("long", "x", "many words\n\n" * 9_000)
    ] * 2
    text = to_html(inventory(*skills))
    assert 90_000 < len(text.encode()) < 100_000
    found = keeps(inner(text))
    assert "The bodies of 2 skills are cut, so that the page stays under 5 MB." in found.text
    assert (
        len(re.findall(r"Cut: the first [\d,]+ of 108,000 characters are shown\.", found.text)) == 2
    )
    assert found.text.count("short") == 5


def test_page_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not even the fields of all skills fit, the index still has them, and the page says so."""
    monkeypatch.setattr(page, "MOST", 100_000)
    skills = [made(f"s{n}", "x", "$" * 5_000, meta={"license": "y" * 500}) for n in range(100)]
    text = to_html(inventory(*skills))
    assert len(text.encode()) < 100_000
    found = keeps(inner(text))
    assert re.search(r"Skills in full: \d+ of 100 shown\.", found.text)
    assert "The body is left out: the page is full." in found.text
    assert "s99" in found.text


def test_level() -> None:
    """The largest are cut to one level, and the small ones stay whole."""
    assert page.level([10, 20, 30], 100) == 30
    assert page.level([10, 20, 30], 50) == 20
    assert page.level([10, 100, 100], 110) == 50
    assert page.level([], 10) == 0
    assert page.level([5, 5], 0) == 0


@settings(max_examples=30)
@given(st.text() | st.sampled_from(HOSTILE), st.lists(st.sampled_from(HOSTILE)).map("\n\n".join))
def test_hostile_pages_keep_the_contract(text: str, body: str) -> None:
    """Whatever stands in a skill, the page holds only our elements."""
    keeps(inner(to_html(inventory(made(text, text, body)))))


@pytest.mark.corpus
def test_page_of_real_skills(corpus: Path) -> None:
    """374 real skills make a page under 5 MB that says what it cut."""
    text = to_html(load_skills(corpus))
    assert len(text.encode()) < 5_000_000
    assert re.search(r"The bodies of \d+ skills are cut, so that the page stays under 5 MB\.", text)
    keeps(inner(text))
