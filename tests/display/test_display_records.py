"""What each record shows, held to the contract, also where every field is hostile."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from contract import HOSTILE, ROOT, MemoryReader, Shown, fragment_keeps, made
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbook import display
from skillbook.display import facts, records, style
from skillbook.display.markup import Markup, element
from skillbook.errors import SkillReadError
from skillbook.model import (
    Body,
    Files,
    KitPlace,
    Notice,
    Root,
    SkillDef,
    SkillInfo,
    SkillSkip,
)
from skillbook.model import (
    Shown as ShownMixin,
)
from skillbook.source import SkillInventory, SkillSource, list_skills, load_skills
from skillbook.tool import Tool, ToolResult
from trees import build, skill

TEXT = st.text() | st.sampled_from(HOSTILE)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


def shown(obj: object) -> Shown:
    """Returns what a parser finds in a record's display, which keeps the contract."""
    return fragment_keeps(display.html(obj))


def cells(found: Shown, *tags: str) -> list[str]:
    """The texts of a table's cells, each whole."""
    return [text for above, text in found.texts if set(tags) & set(above)]


# --- sets of skills ------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good skill, one without description, one skipped."""
    build(
        tmp_path,
        {
            "skills/tide/SKILL.md": skill("tide", "Reads tides."),
            "skills/tide/scripts/a.sh": "x",
            "skills/bare/SKILL.md": "---\nname: bare\n---\n",
            "skills/torn/SKILL.md": "---\nname: torn\n",
        },
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_source(folder: Path) -> None:
    """A source shows its skills, prompt, skips and notices; no absolute path is in it."""
    with pytest.warns(match="gave no skills"):
        source = load_skills(["skills", "gone"])
    found = shown(source)
    assert found.text.startswith(
        "Skill sourceFrom skills, gone2 skills, 1 skipped, 1 with warnings, 1 notice, up to 10 files listed"
    )
    assert found.within("th") == ["Name", "Description", "Files", "Warnings", "bare", "tide"]
    assert cells(found, "td")[-3:] == ["Reads tides.", "1", "none"]
    assert "- **tide**: Reads tides." in "".join(found.within("pre"))
    assert "skills/torn/SKILL.md malformed-frontmatter, line 1: " in found.text
    assert "gone missing-root: " in found.text
    assert str(folder) not in found.text


def test_inventory_has_no_prompt(folder: Path) -> None:
    """An inventory shows the same without a prompt."""
    found = shown(list_skills("skills"))
    assert found.text.startswith("Skill inventoryFrom skills2 skills, 1 skipped, 1 with warnings")
    assert "pre" not in found.tags
    assert "Prompt" not in found.text


def test_nothing_at_all() -> None:
    """No skills, from no folder, is said."""
    found = shown(load_skills())
    assert found.text == (
        "Skill sourceFrom no folder.0 skills, 0 skipped, up to 10 files listedNo skills."
        "Prompt, 34 charactersNo skills are currently available."
    )


def test_source_says_how_it_is_held() -> None:
    """A filter and the sample limit are said."""
    given = [SkillDef("a", "x", "A."), SkillDef("b", "x", "B.")]
    assert (
        "1 skill, 0 skipped, filtered, no files listed"
        in shown(load_skills(skills=given, filter={"a": True}, sample_limit=-1)).text
    )
    assert "up to 1 file listed" in shown(load_skills(skills=given, sample_limit=1)).text
    assert "From no folder: all skills are given in code." in shown(load_skills(skills=given)).text


def many(number: int, text: str) -> SkillInventory:
    """Returns an inventory of made records that all hold the same text."""
    skills = [made(f"{text}{n}", text, location=f"{ROOT.path}/{n}/SKILL.md") for n in range(number)]
    skips = [
        SkillSkip(f"{ROOT.path}/{text}{n}", "missing-name", text, 1, ROOT) for n in range(number)
    ]
    notices = [Notice(f"{ROOT.path}/{n}", "kind", text, None, ROOT) for n in range(number)]
    return SkillInventory(skills, skips, notices, [Root(text, "/x")] * number)


@pytest.mark.parametrize(
    "text", ["Reads tides, and more. ", "$" * 2_000, '<&"' * 700, "\u202e" * 2_000, "é" * 2_000]
)
def test_20_000_skills_are_capped(text: str) -> None:
    """20,000 skills give at most 200 KB, whatever their text, and say what is shown."""
    inventory = many(20_000, text)
    for obj in (inventory, SkillSource(inventory)):
        html = display.html(obj)
        assert len(html.encode()) <= 200_000
        found = fragment_keeps(html)
        assert re.search(r"\d+ of 20,000 skills shown\.", found.text)
        assert re.search(r"\d+ of 20,000 skipped files shown\.", found.text)
        assert re.search(r"\d+ of 20,000 notices shown\.", found.text)
    assert "Prompt, 20,000 skills" in found.text
    assert "characters are shown; source.prompt() gives it all." in found.text


def test_20_000_skills_read_no_more_than_is_shown() -> None:
    """Only the rows that are shown ask a disk for their files."""
    asked: list[str] = []

    class Counting(MemoryReader):
        def files(self, skill: SkillInfo) -> Files:
            asked.append(skill.name)
            return Files()

    skills = [made(str(n), "x", reader=Counting()) for n in range(20_000)]
    display.html(SkillSource(SkillInventory(skills)))
    assert len(asked) == facts.MOST_SKILLS


def test_folder_with_very_many_files(tmp_path: Path) -> None:
    """A folder with very many files is not counted to its end."""
    build(tmp_path, {"one/SKILL.md": skill("one"), **{f"one/{n}": "" for n in range(1_001)}})
    found = shown(list_skills(tmp_path))
    assert "over 1,000" in cells(found, "td")


# --- one skill -----------------------------------------------------------------------------------


def test_skill() -> None:
    """A skill shows its fields with their structure, its body and its files."""
    given = made(
        meta={
            "name": "tide-report",
            "description": "Reads tides.",
            "license": "MIT",
            "metadata": {"tags": ["a", 7], "x": None},
        },
        reader=MemoryReader("# Title\n", ("a.md",), ("the body is not UTF-8",)),
        warnings=(Notice("x", "kind", "line 3 is odd", 3), Notice("x", "kind", "it is long", 4)),
    )
    found = shown(given)
    assert found.text.startswith(
        "tide-report (skill)Reads tides.in a folder, body 7 characters, 1 file2 warnings"
    )
    assert "line 3 is oddline 4: it is long" in found.text
    assert found.within("th") == ["location", "license", "metadata"]
    assert "".join(cells(found, "td")) == "skills/one/SKILL.mdMITtags: a7x: empty"
    assert found.within("h1") == ["Title"]
    assert "Note: the body is not UTF-8." in found.text


def test_fields_that_differ_are_shown() -> None:
    """A name that the front matter writes otherwise stands among the fields."""
    found = shown(
        made(meta={"name": "tide  report", "description": 7}, place=KitPlace("kit", "local"))
    )
    assert found.within("th") == ["location", "kit", "provider", "name", "description"]


def test_skill_that_broke() -> None:
    """A skill whose file is gone is shown with its last known fields and what went wrong."""

    class Gone(MemoryReader):
        def body(self, skill: SkillInfo) -> Body:
            raise SkillReadError("it does not exist")

        def files(self, skill: SkillInfo) -> Files:
            raise SkillReadError("no folder")

    found = shown(made(reader=Gone()))
    assert "Reads tides.in a folder, 0 filesProblem: it does not exist" in found.text
    assert "Body, which cannot be readProblem: it does not exist" in found.text
    assert found.text.endswith("0 filesProblem: no folder")
    assert "unreadable" in shown(SkillInventory([made(reader=Gone())])).text


def test_empty_body_and_no_description() -> None:
    """A body that is empty and a description that is missing are said."""
    found = shown(made(description=None, content=" \n"))
    assert "No description, so it is not in the prompt." in found.text
    assert "The body is empty." in found.text


def test_data_skill() -> None:
    """A data skill shows what was given."""
    found = shown(SkillDef("refund", "# Refunds\n", "Gives $5 back.", ["a.md"], None, len))
    assert found.text == (
        "refund (data skill)Gives $5 back.given in code, body 9 characters, has a handler"
        "baseskill://refund/Body, 9 charactersRefunds\n1 resourcea.md"
    )


# --- what is no skill ----------------------------------------------------------------------------


def test_skip_shows_its_file(folder: Path) -> None:
    """A skip shows reason, line and detail, and its file with the line marked."""
    (skip,) = list_skills("skills").skipped
    found = shown(skip)
    assert found.text.startswith(
        "skills/torn/SKILL.md (skipped)malformed-frontmatter, line 1: the front matter"
    )
    assert found.text.endswith("1 ---  ← here\n2 name: torn")


def test_skip_outside_its_root_shows_no_text(tmp_path: Path) -> None:
    """The text of a file that leads outside its root is not shown."""
    build(tmp_path, {"secret": "top secret", "root/one/SKILL.md": {"link": "../../secret"}})
    (skip,) = list_skills(tmp_path / "root").skipped
    found = shown(skip)
    assert "secret" not in found.text
    assert found.text.endswith("Its text is not shown: it leads outside its root.")


def test_other_skips(tmp_path: Path) -> None:
    """A pipe, a file that is gone, binary data and an empty file are said; nothing is opened twice."""
    build(tmp_path, {"a": b"\0\1", "b": ""})
    os.mkfifo(tmp_path / "pipe")
    root = Root("r", str(tmp_path))
    said = {
        name: shown(
            SkillSkip(str(tmp_path / name), "unreadable", "d", None, root)
        ).text.removeprefix(f"r/{name} (skipped)unreadable: d")
        for name in ("a", "b", "pipe", "gone")
    }
    assert said == {
        "a": "Binary, 2 bytes.",
        "b": "The file is empty.",
        "pipe": "Its text cannot be shown: it is a named pipe, not a file.",
        "gone": "Its text cannot be shown: it does not exist.",
    }
    assert (
        shown(SkillSkip("skill://x/", "duplicate-name", "taken")).text
        == "skill://x/ (skipped)duplicate-name: taken"
    )


def test_notice() -> None:
    """A notice shows place, kind, line and detail."""
    given = Notice("/nowhere/skills/a/skill.md", "wrong-case", "it is called skill.md", 2, ROOT)
    assert (
        shown(given).text == "skills/a/skill.md (notice)wrong-case, line 2: it is called skill.md"
    )


# --- tools ---------------------------------------------------------------------------------------


def test_tool() -> None:
    """A tool shows its description, its arguments as a table and its schema."""
    found = shown(load_skills().tool)
    assert found.text.startswith("skill (tool)Loads one skill")
    assert found.within("th") == ["Argument", "Type", "Needed", "Description", "name"]
    assert cells(found, "td") == ["string", "required", "The name of the skill, as it is listed."]
    assert '"additionalProperties": false' in "".join(found.within("pre"))


def test_odd_schemas() -> None:
    """A schema of any shape is shown, also one that is nested too deeply for JSON."""
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"x": deep}
    odd = {"properties": {"a": {"type": ["string", "null"]}, "b": True}, "required": None}
    assert "any" in shown(Tool("t", "d", odd, lambda _args, _ctx: ToolResult(""))).text
    found = shown(Tool("t", "d", deep, lambda _args, _ctx: ToolResult("")))
    assert "It is nested too deeply to be shown." in found.text


def test_tool_result(folder: Path) -> None:
    """A result is named, an error is one in words."""
    source = load_skills("skills")
    assert shown(source.tool(name="tide")).text.startswith("tide (tool result)")
    error = shown(source.tool(name="nope"))
    assert (
        error.text
        == 'Tool resulterror, 52 charactersError: Skill "nope" not found. Available skills: bare, tide'
    )


# --- all of them ---------------------------------------------------------------------------------


def test_fragment_is_markup_only() -> None:
    """Plain text is refused where HTML is put together."""
    assert (
        display.fragment(Markup("x"))
        == f"{style.style()}\n{element('div', Markup('x'), cls='skillbook mathjax_ignore tex2jax_ignore')}\n"
    )
    with pytest.raises(TypeError, match="made of Markup"):
        display.fragment("<b>")  # type: ignore[arg-type]


def test_what_is_no_record() -> None:
    """Something else has no display; a record without one shows its text."""
    with pytest.raises(TypeError, match="has no display"):
        display.html(7)

    class Odd(ShownMixin):
        def __repr__(self) -> str:
            return "<Odd>"

    assert shown(Odd()).text == "<Odd>"
    assert Odd()._repr_html_() == display.html(Odd())


@settings(max_examples=200)
@given(
    name=TEXT,
    description=st.none() | TEXT,
    path=TEXT,
    detail=TEXT,
    meta=st.dictionaries(TEXT, VALUES, max_size=4),
    paths=st.lists(TEXT, max_size=4),
    body=st.lists(TEXT, max_size=5).map("\n\n".join),
)
def test_hostile_fields_keep_the_contract(
    name: str,
    description: str | None,
    path: str,
    detail: str,
    meta: dict[str, object],
    paths: list[str],
    body: str,
) -> None:
    """Whatever stands in any field of any record is text."""
    root = Root(path, "/nowhere/skills")
    notice = Notice(path, name, detail, 3, root)
    info = made(
        name,
        description,
        location=f"/nowhere/skills/{path}/SKILL.md",
        root=root,
        meta=meta,
        warnings=(notice,),
        reader=MemoryReader(body, tuple(paths), (detail,)),
        place=KitPlace(name, path),
    )
    data = made(
        name,
        description,
        location=path,
        origin="logical",
        root=None,
        declared_base=path,
        resources=tuple(paths),
        meta=meta,
    )
    skip = SkillSkip(path, "unreadable", detail, 2, root)
    inventory = SkillInventory([info, data], [skip], [notice], [root])
    tool = Tool(
        name,
        detail,
        {"properties": meta, "required": paths},
        lambda _args, _ctx: ToolResult(""),
        source=path,
    )
    for obj in (
        info,
        data,
        skip,
        notice,
        inventory,
        SkillSource(inventory),
        tool,
        SkillDef(name, body, description, paths, path),
        ToolResult(body, metadata=meta, root=root),
    ):
        shown(obj)


@pytest.mark.parametrize(
    "text",
    [text for text in HOSTILE if not re.search(r"[\r\n\x00-\x1f]|\ud83d|\u202e|^>|^-", text)],
)
def test_hostile_text_is_seen_as_it_is(text: str) -> None:
    """A hostile name, description or detail can be read letter by letter."""
    assert text in shown(made(name=text, description=f"a {text} b")).text
    assert text in shown(Notice("x", "kind", text)).text
    assert text in shown(SkillInventory([made(text, text)])).text


def test_same_bytes_on_every_run(folder: Path) -> None:
    """Two fresh processes with another hash seed give the same bytes, without addresses."""
    code = "from skillbook import *; s = load_skills('skills'); import sys; sys.stdout.buffer.write('|'.join(o._repr_html_() + repr(o) for o in (s, s['tide'], s.tool, s.tool(name='tide'), s.skipped[0], list_skills('skills'))).encode())"
    runs = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert b" at 0x" not in runs[0]
    assert len(runs[0]) > 10_000


def test_reads_well_without_style() -> None:
    """Without style and classes each fact of a skill stands once, in order."""
    found = shown(made("kiln-log", "Keeps a log of kiln firings.", "# Notes\n\nDo the work.\n"))
    for text in ("kiln-log", "Keeps a log of kiln firings.", "Notes", "Do the work."):
        assert found.text.count(text) == 1
    assert records.skill(made()).startswith("<p")
