"""One skill as two tools: the pair, its readme and references, its gate, its runs."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from skillbook import (
    FrontMatterError,
    SkillDef,
    SkillNotFound,
    SkillReadError,
    Tool,
    list_skills,
    load_skills,
)
from skillbook.pair import tool_name
from skillbook.references import find, read_page, references_of
from skillbook.tokens import count_tokens
from skillbook.wrapper import SkillTools, SkillWrapper, skill_wrapper
from trees import build, skill

GREET = {
    "SKILL.md": skill("greet", "Greets people.", "# Greet\n\nSay hello.\n"),
    "scripts/greet.py": "# Usage: greet.py <name> [greeting]\nimport sys\nprint('Hello,', sys.argv[1])\n",
}
GUIDE = {"references/Guide.md": "".join(f"line {n}\n" for n in range(1, 501))}


def greet(tmp_path: Path, files: dict[str, Any] | None = None, **options: Any) -> SkillTools:
    """Builds the greeting skill with more files; returns a fresh pair."""
    return skill_wrapper(build(tmp_path / "greet", {**GREET, **(files or {})}), **options)()


# --- the wrapper -------------------------------------------------------------------------------


def test_pair(tmp_path: Path) -> None:
    """Calling a wrapper gives a fresh pair of tools, named after the folder."""
    wrapper = skill_wrapper(build(tmp_path / "greet", GREET))
    one, two = wrapper(), wrapper()
    assert isinstance(one.load, Tool)
    assert isinstance(one.run, Tool)
    assert [tool.name for tool in one] == ["skill_load__greet", "skill_run__greet"]
    assert one.load is not two.load
    assert [tool.source for tool in one] == ["skill", "script"]
    assert repr(one) == "<SkillTools: load 'skill_load__greet', run 'skill_run__greet'>"
    assert wrapper.skill.name == "greet"


def test_no_scripts(tmp_path: Path) -> None:
    """A skill without scripts has nothing to run."""
    wrapper = skill_wrapper(build(tmp_path / "greet", {"SKILL.md": skill("greet")}))
    pair = wrapper()
    assert pair.run is None
    assert list(pair) == [pair.load]
    assert pair.load.call({}).output == "Body."


def test_fresh_pair_sees_new_scripts(tmp_path: Path) -> None:
    """A script that came since is in the next pair."""
    wrapper = skill_wrapper(build(tmp_path, {"SKILL.md": skill("greet")}))
    build(tmp_path, {"scripts/a.py": "print(1)"})
    pair = wrapper()
    assert pair.run is not None
    assert pair.run(file_name="a.py").stdout == "1\n"


def test_front_matter_is_parsed_once(tmp_path: Path, watch: Any) -> None:
    """The SKILL.md is opened when the skill is wrapped; the body is read at each call."""
    folder = build(tmp_path / "greet", GREET)
    document = str(folder / "SKILL.md")
    watch.opened.clear()
    wrapper = skill_wrapper(folder)
    assert watch.opened.count(document) == 1
    pair = wrapper()
    repr(wrapper), wrapper.skill.description
    assert watch.opened.count(document) == 1
    (folder / "SKILL.md").write_text(skill("greet", body="New.\n"))
    assert pair.load.call({}).output.startswith("New.")


def test_no_skill_md(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without SKILL.md raises SkillNotFound, which names it and says why."""
    build(
        tmp_path,
        {"empty/x": "", "wrong/skill.md": skill("x"), "file": "", "deep/a/SKILL.md": skill("a")},
    )
    monkeypatch.chdir(tmp_path)
    for path, why in (
        ("empty", r"no SKILL\.md in 'empty'$"),
        ("gone", r"no SKILL\.md in 'gone': this root does not exist"),
        ("file", r"no SKILL\.md in 'file': this root is a file"),
        ("wrong", r"no SKILL\.md in 'wrong': the file is called skill\.md"),
        ("deep", r"no SKILL\.md in 'deep'$"),
        ("deep/a/SKILL.md", "pass the folder that holds it"),
    ):
        with pytest.raises(SkillNotFound, match=why):
            skill_wrapper(path)


def test_no_skill_in_the_file(tmp_path: Path) -> None:
    """A SKILL.md that gives no skill raises, with the place and the line."""
    build(
        tmp_path,
        {
            "a/SKILL.md": "---\ndescription: D.\n---\n",
            "b/SKILL.md": "---\nname: \xff\n".encode("latin-1"),
        },
    )
    with pytest.raises(
        FrontMatterError, match=r"a/SKILL\.md gives no skill: the front matter has no name"
    ) as caught:
        skill_wrapper(tmp_path / "a")
    assert (caught.value.reason, caught.value.line) == ("missing-name", 1)
    build(tmp_path, {"c/SKILL.md/x": ""})
    with pytest.raises(SkillReadError, match=r"SKILL\.md is a folder"):
        skill_wrapper(tmp_path / "c")


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_path_that_no_file_has(path: str) -> None:
    """A path that no file can be called raises, and says so."""
    with pytest.raises(ValueError, match=r"^path is '.*', which no file can be called"):
        skill_wrapper(path)


@pytest.mark.parametrize("path", [None, "", 5, b"x"])
def test_wrong_path(path: Any) -> None:
    """What is no path raises, with the value found."""
    with pytest.raises((TypeError, ValueError)):
        skill_wrapper(path)


def test_wrong_options(tmp_path: Path) -> None:
    """Wrong options raise when the skill is wrapped, not at the first call."""
    build(tmp_path, GREET)
    with pytest.raises(ValueError, match="env is 'none'"):
        skill_wrapper(tmp_path, env="none")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="timeout is -1"):
        skill_wrapper(tmp_path, timeout=-1)
    with pytest.raises(TypeError, match="confirm is True"):
        skill_wrapper(tmp_path, confirm=True)  # type: ignore[arg-type]

    async def later(_: Any) -> bool:
        return True

    with pytest.raises(TypeError, match="which is async; pass a plain function"):
        skill_wrapper(tmp_path, confirm=later)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="which is async; pass a plain function"):
        skill_wrapper(tmp_path)(confirm=later)  # type: ignore[arg-type]
    run = skill_wrapper(tmp_path)().run
    assert run is not None
    with pytest.raises(TypeError, match="which is async; pass a plain function"):
        run(file_name="greet.py", args=["World"], confirm=later)


def test_skill_of_a_source(tmp_path: Path) -> None:
    """A skill that was loaded can be wrapped; a data skill cannot, and the error says why."""
    build(tmp_path / "greet", GREET)
    source = load_skills(tmp_path, skills=[SkillDef("data", "Body.", "D.")])
    assert skill_wrapper(source["greet"])().load.name == "skill_load__greet"
    with pytest.raises(ValueError, match="'data' is a data skill without a folder"):
        skill_wrapper(source["data"])


def test_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path works, also after the working folder has changed, and is shown as typed."""
    build(tmp_path / "skills" / "greet", GREET)
    monkeypatch.chdir(tmp_path)
    wrapper = skill_wrapper("skills/greet")
    monkeypatch.chdir("/")
    assert not wrapper().load.call({}).is_error
    assert repr(wrapper) == "<SkillWrapper 'greet' in skills/greet/SKILL.md>"


def test_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools of the working folder have its real name."""
    build(tmp_path / "greet", GREET)
    monkeypatch.chdir(tmp_path / "greet")
    assert skill_wrapper(".")().load.name == "skill_load__greet"


NAMES = [
    ("greet", "skill_load__greet"),
    ("my skill!", "skill_load__my_skill_"),
    ("smørrebrød", "skill_load__sm_rrebr_d"),
    ("a.b-c_d", "skill_load__a_b-c_d"),
    ("x" * 100, "skill_load__" + "x" * 52),
]


@pytest.mark.parametrize(("folder", "name"), NAMES)
def test_names(tmp_path: Path, folder: str, name: str) -> None:
    """Names are the folder's, of letters, digits, _ and -, and at most 64 long, with one ending."""
    pair = skill_wrapper(build(tmp_path / folder, {**GREET, "SKILL.md": skill("other")}))()
    assert pair.load.name == name
    assert pair.run is not None
    assert pair.run.name == name.replace("load", "run")
    assert len(pair.load.name) <= 64


def test_tool_name() -> None:
    """Every other character becomes one underscore."""
    assert tool_name("a/b c\n<é>") == "a_b_c____"


# --- the readme --------------------------------------------------------------------------------


def test_readme_form(tmp_path: Path) -> None:
    """The readme is the body, then the scripts with their usage, in the form that is promised."""
    folder = build(
        tmp_path / "greet",
        {"SKILL.md": GREET["SKILL.md"], "scripts/greet.R": "# Usage: greet.R [name]\n"},
    )
    assert skill_wrapper(folder)().load(action="readme").output == (
        "# Greet\n\nSay hello.\n"
        "\n"
        "## Available scripts\n"
        "Run them with `skill_run__greet`: `file_name` is the script, and `args` holds its arguments,"
        " one item per argument (`<x>` required, `[x]` optional).\n"
        "- greet.R [name]"
    )


def test_readme_with_references(tmp_path: Path) -> None:
    """Reference files stand after the body and before the scripts."""
    result = greet(tmp_path, GUIDE).load()
    assert str(result).splitlines() == [
        "# Greet",
        "",
        "Say hello.",
        "",
        "## Available reference files",
        "Read them with `skill_load__greet`: `action` is `reference`, and `file_name` is the file.",
        "- Guide.md",
        "",
        "## Available scripts",
        "Run them with `skill_run__greet`: `file_name` is the script, and `args` holds its arguments,"
        " one item per argument (`<x>` required, `[x]` optional).",
        "- greet.py <name> [greeting]",
    ]
    assert "".join(text for _, text in result.parts) == result.output
    assert result.metadata == {"name": "greet", "dir": str(tmp_path / "greet")}


def test_readme_is_the_default(tmp_path: Path) -> None:
    """Without an action, and without any arguments, the readme comes."""
    load = greet(tmp_path).load
    whole = load(action="readme").output
    assert [load().output, load.call(None).output, load.call({"action": None}).output] == [
        whole
    ] * 3


def test_readme_without_running(tmp_path: Path) -> None:
    """Where scripts may not run, the readme lists them and says so."""
    pair = skill_wrapper(build(tmp_path / "greet", GREET))(run=False)
    assert pair.run is None
    assert pair.load().output.splitlines()[-2:] == [
        "They cannot be run here: this host offers no tool for it.",
        "- greet.py <name> [greeting]",
    ]


def test_scripts_that_came_later(tmp_path: Path) -> None:
    """A pair that was made without a run tool never names one."""
    files = {"SKILL.md": GREET["SKILL.md"]}
    pair = skill_wrapper(build(tmp_path / "greet", files))()
    build(tmp_path / "greet", GREET)
    assert pair.run is None
    assert pair.load().output.splitlines()[-2:] == [
        "They cannot be run here: this host offers no tool for it.",
        "- greet.py <name> [greeting]",
    ]


def test_long_lists_are_cut(tmp_path: Path) -> None:
    """Of very many files, 200 are listed and the others counted."""
    files = {f"references/{number:04}.md": "" for number in range(1001)}
    lines = greet(tmp_path, files).load().output.splitlines()
    assert "- 0199.md" in lines
    assert "- … and 801 more" in lines


def test_readme_of_odd_bytes(tmp_path: Path) -> None:
    """A body that is not UTF-8 is read, and a host is told."""
    pair = greet(tmp_path, {"SKILL.md": skill("greet").encode() + b"\xff\n"})
    result = pair.load()
    assert result.output.startswith("Body.\n\ufffd")
    assert "not UTF-8" in (result.metadata or {})["warnings"][0]


def test_files_outside_are_told(tmp_path: Path) -> None:
    """A link that leads out of the skill is not listed, and a host is told how many there are."""
    build(tmp_path, {"secret.md": "secret"})
    pair = greet(tmp_path, {"references/secret.md": {"link": "../../secret.md"}})
    result = pair.load()
    assert "secret" not in result.output
    assert (result.metadata or {})["warnings"] == [
        "1 sibling file was left out, lying outside the skill"
    ]
    assert pair.load.input_schema["properties"]["action"]["enum"] == ["readme"]


def test_files_with_odd_names_are_told(tmp_path: Path) -> None:
    """Files whose names are not listed are counted for the host, as the envelope does."""
    pair = greet(tmp_path, {"scripts/<b>.py": "", "references/a\nb.md": ""})
    result = pair.load()
    assert "<b>" not in result.output
    assert (result.metadata or {})["warnings"] == [
        "2 sibling files were left out, with control characters, angle brackets or bytes that are not UTF-8"
        " in the path"
    ]


def test_load_changes_nothing(tmp_path: Path) -> None:
    """Reading a skill leaves its folder as it was."""
    pair = greet(tmp_path, GUIDE)

    def state() -> list[tuple[str, int, int]]:
        paths = sorted((tmp_path / "greet").rglob("*"))
        return [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in paths]

    before = state()
    pair.load()
    pair.load(action="reference", file_name="Guide.md", pattern="1")
    assert state() == before


# --- references --------------------------------------------------------------------------------


def test_reference_is_offered_where_there_are_some(tmp_path: Path) -> None:
    """The action reference and its arguments are offered only where there are reference files."""
    without = greet(tmp_path / "1").load.input_schema["properties"]
    with_some = greet(tmp_path / "2", GUIDE).load.input_schema["properties"]
    assert (list(without), without["action"]["enum"]) == (["action"], ["readme"])
    assert with_some["action"]["enum"] == ["readme", "reference"]
    assert list(with_some) == [
        *("action", "file_name", "pattern", "line_start", "n_lines", "column_start")
    ]
    assert (with_some["line_start"]["default"], with_some["n_lines"]["default"]) == (1, 200)


def test_which_files_are_references() -> None:
    """References are all files but scripts and assets; what lies in references/ has a short name."""
    paths = [
        "FORMS.md",
        "assets/a.png",
        "references/b.md",
        "references/x/c.md",
        "rules/d.md",
        "scripts/e.py",
    ]
    assert [(ref.name, ref.path) for ref in references_of(paths)] == [
        ("FORMS.md", "FORMS.md"),
        ("b.md", "references/b.md"),
        ("x/c.md", "references/x/c.md"),
        ("rules/d.md", "rules/d.md"),
    ]


def test_names_that_clash_are_whole() -> None:
    """Two files that would have one short name are listed with their folders."""
    names = [ref.name for ref in references_of(["a.md", "references/a.md", "reference/b.md"])]
    assert names == ["a.md", "references/a.md", "b.md"]


PATHS = ["assets/t.md", "FORMS.md", "references/Guide.md", "references/x/Deep.md", "scripts/a.py"]
FOUND = [
    ("Guide.md", "references/Guide.md"),
    ("guide.MD", "references/Guide.md"),
    ("references/Guide.md", "references/Guide.md"),
    ("./references/Guide.md", "references/Guide.md"),
    ("REFERENCES/GUIDE.MD", "references/Guide.md"),
    ("x/Deep.md", "references/x/Deep.md"),
    ("deep.md", "references/x/Deep.md"),
    ("forms.md", "FORMS.md"),
    ("assets/t.md", "assets/t.md"),
    ("scripts/a.py", "scripts/a.py"),
]


@pytest.mark.parametrize(("name", "path"), FOUND)
def test_find(name: str, path: str) -> None:
    """A file is found by its name or path, exactly or in any letter case, or without its folder."""
    assert find(name, PATHS) == path


@pytest.mark.parametrize(
    "name", ["../x", "/etc/passwd", "..\\x", "t.md", "a.py", "none", "references"]
)
def test_not_found(name: str) -> None:
    """What is no reference file is an error that lists those there are."""
    with pytest.raises(
        SkillReadError,
        match=r"not found\. Available reference files: FORMS\.md, Guide\.md, x/Deep\.md",
    ):
        find(name, PATHS)


def test_more_than_one(tmp_path: Path) -> None:
    """A name that is two files' is an error that names both."""
    with pytest.raises(SkillReadError, match=r'"c\.md" is more than one file: a/c\.md, b/c\.md'):
        find("c.md", ["a/c.md", "b/c.md"])
    with pytest.raises(SkillReadError, match=r"more than one file: A\.md, a\.md"):
        find("a.MD", ["A.md", "a.md"])


def test_reference(tmp_path: Path) -> None:
    """A reference comes in pages of 200 lines, with a header that says which of how many."""
    result = greet(tmp_path, GUIDE).load(action="reference", file_name="guide.md")
    lines = result.output.splitlines()
    assert lines[0] == "references/Guide.md: lines 1-200 of 500"
    assert (lines[1], lines[-1], len(lines)) == ("line 1", "line 200", 201)
    assert result.metadata == {"name": "greet", "file": "references/Guide.md"}


PAGES = [
    ({"line_start": 499}, ["lines 499-500 of 500", "line 499", "line 500"]),
    ({"line_start": 2, "n_lines": 1}, ["lines 2-2 of 500", "line 2"]),
    (
        {"pattern": "9[89]$", "n_lines": 3},
        [
            "lines 1-3 of 10 that match '9[89]$' (of 500 lines; these are lines 98-99, 198)",
            "line 98",
            "line 99",
            "line 198",
        ],
    ),
    (
        {"pattern": "9[89]$", "line_start": 10},
        ["lines 10-10 of 10 that match '9[89]$' (of 500 lines; these are lines 499)", "line 499"],
    ),
    ({"pattern": "nothing"}, ["no line of 500 lines matches 'nothing'"]),
    ({"pattern": ""}, ["lines 1-200 of 500", *(f"line {n}" for n in range(1, 201))]),
]


@pytest.mark.parametrize(("given", "lines"), PAGES)
def test_pages(tmp_path: Path, given: dict[str, Any], lines: list[str]) -> None:
    """A page starts where it is asked to; a pattern keeps the lines that match, as they are."""
    result = greet(tmp_path, GUIDE).load(action="reference", file_name="Guide.md", **given)
    assert not result.is_error
    assert result.output.strip().splitlines() == [f"references/Guide.md: {lines[0]}", *lines[1:]]


WRONG = [
    ({}, "file_name is missing; pass the file to read"),
    ({"file_name": 5}, "file_name is of type int"),
    ({"file_name": "nope"}, 'Reference file "nope" not found. Available reference files: Guide.md'),
    ({"line_start": 0}, "line_start is 0; pass a whole number from 1"),
    ({"line_start": "5"}, "line_start is '5'"),
    ({"line_start": True}, "line_start is True"),
    ({"line_start": 1.5}, "line_start is 1.5"),
    ({"n_lines": -1}, "n_lines is -1"),
    ({"n_lines": 10_001}, "n_lines is 10001; pass a whole number from 1 to 10,000"),
    ({"line_start": 10**5000}, "line_start is a value of type int; pass a whole number"),
    ({"column_start": 0}, "column_start is 0; pass a whole number from 1"),
    ({"line_start": 501}, "references/Guide.md has 500 lines; line_start is 501"),
    ({"pattern": 5}, "pattern is of type int"),
    ({"pattern": "(a"}, "the pattern '(a' is not one: "),
    ({"pattern": "[a"}, "the pattern '[a' is not one: "),
    ({"pattern": "(?<x"}, "is not one: "),
    ({"pattern": "(" * 400}, "is not one: "),
    ({"pattern": "x" * 501}, "the pattern is longer than 500 characters"),
    ({"pattern": "9$", "line_start": 51}, "has 50 lines that match '9$'; line_start is 51"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_reference(tmp_path: Path, given: dict[str, Any], message: str) -> None:
    """What cannot be read is an error result that says what is there instead."""
    load = greet(tmp_path, GUIDE).load
    load()
    if "file_name" not in given and given:
        given = {"file_name": "Guide.md", **given}
    result = load(action="reference", **given)
    assert result.is_error
    assert message in result.output
    assert "\n" not in result.output


RUNAWAY = [
    r"(a+)+$",
    r"((a{1,99}){1,99}){1,99}b",
    r"(?e)(?:" + "ab" * 100 + "c){e<=50}",
    "(?i)" + "ſ" * 496,
    r"(?P<x>a+)(?&x)*b",
    "|".join(map(str, range(120))) + "|(?:a?){250}b",
]


@pytest.mark.parametrize("pattern", RUNAWAY)
def test_runaway_pattern(tmp_path: Path, pattern: str) -> None:
    """A pattern that would run for ever ends within two seconds; nothing hangs."""
    build(tmp_path, {"a.md": ("a" * 50_000 + "ſ" * 50_000 + "!\n") * 60})
    start = time.monotonic()
    try:
        read_page(str(tmp_path), "a.md", pattern=pattern)
    except SkillReadError as error:
        assert "takes too long; pass a simpler one" in str(error)  # noqa: PT017 - some of them match
    assert time.monotonic() - start < 2


def test_runaway_pattern_is_an_error(tmp_path: Path) -> None:
    """A runaway pattern is an error result."""
    load = greet(tmp_path, {"references/a.md": "a" * 4000 + "!"}).load
    load()
    start = time.monotonic()
    result = load(action="reference", file_name="a.md", pattern=r"((a{1,99}){1,99}){1,99}b")
    assert time.monotonic() - start < 2
    assert result.is_error
    assert result.output.endswith("takes too long; pass a simpler one")


def test_long_lines_are_searched_at_their_start(tmp_path: Path) -> None:
    """Of a very long line a pattern sees the start, and the notes say so."""
    build(tmp_path, {"a.md": "x" * 6000 + "end\nend\n"})
    header, text, notes = read_page(str(tmp_path), "a.md", pattern="end")
    assert (text, header) == (
        "end",
        "a.md: lines 1-1 of 1 that match 'end' (of 2 lines; these are lines 2)",
    )
    assert notes == (
        "1 lines are longer than 5,000 characters; the pattern was tried on their start",
    )


def test_big_page_is_cut(tmp_path: Path) -> None:
    """A page of very long lines is cut, and the header says so."""
    build(tmp_path, {"a.md": "x" * 300_000})
    header, text, _ = read_page(str(tmp_path), "a.md")
    assert header == (
        "a.md: lines 1-1 of 1; cut after 100,000 of 300,000 characters, so read on with line_start"
        " 1 and column_start 100001"
    )
    assert len(text) == 100_000


def test_a_long_line_can_be_read_on(tmp_path: Path) -> None:
    """Following what the headers say gives the whole file, long lines and all."""
    long = "".join(map(str, range(50_000)))
    whole = "\n".join(["a", long, "b", "c" * (400_000 - len(long) - 4), "d" * 99_998, "end"])
    build(tmp_path, {"a.md": whole})
    line, column = 1, 1
    pages: list[str] = []
    while line:
        header, text, _ = read_page(str(tmp_path), "a.md", line_start=line, column_start=column)
        pages.append(text)
        on = re.search(r"line_start (\d+) and column_start (\d+)$", header)
        line, column = (int(on[1]), int(on[2])) if on else (0, 0)
    assert "".join(pages) == whole
    assert len(pages) == 6
    header, text, _ = read_page(str(tmp_path), "a.md", line_start=6, column_start=2)
    assert (header, text) == ("a.md: lines 6-6 of 6; from character 2 of line 6", "nd")


def test_no_such_column(tmp_path: Path) -> None:
    """A column behind the end of the line is an error that says how long the line is."""
    build(tmp_path, {"a.md": "abc\nd\n"})
    with pytest.raises(SkillReadError, match="has 3 characters; column_start is 5"):
        read_page(str(tmp_path), "a.md", column_start=5)


HUGE = [
    "a{99999999}",
    "(?:a{9999}){9999}",
    "(?:(?:a{9}){999}){9999}",
    "(?:ab){9999999}",
    "a{" + "9" * 300 + "}",
    "a{,99999999}",
    "(?x)a {999} # c\n {999}",
    "(?:a{99})(?#c){9999}",
    "(?V1)(?:[[a])]b{99}){999}",
]


@pytest.mark.parametrize("pattern", HUGE)
def test_counted_repeats_are_bounded(tmp_path: Path, pattern: str) -> None:
    """Counted repeats that would take gigabytes to compile are refused before that."""
    build(tmp_path, {"a.md": "aaa\n"})
    start = time.monotonic()
    with pytest.raises(SkillReadError, match="counted repeats that come to more than 10,000 items"):
        read_page(str(tmp_path), "a.md", pattern=pattern)
    assert time.monotonic() - start < 0.5


@pytest.mark.parametrize(
    "pattern", [r"\d{4}-\d{2}-\d{2}", r"[({]2{3}", r"(?:\w{1,63}\.){1,99}2", r"\p{L}{2}\{9999999"]
)
def test_usual_repeats_are_taken(tmp_path: Path, pattern: str) -> None:
    """Counted repeats as people write them are searched for."""
    build(tmp_path, {"a.md": "2024-01-31 ({222 a.b.2 ab{9999999\n"})
    assert "lines 1-1 of 1 that match" in read_page(str(tmp_path), "a.md", pattern=pattern)[0]


def test_literal_in_many_lines(tmp_path: Path) -> None:
    """Plain text is found in 400,000 lines in time, and the header stays short."""
    build(tmp_path, {"a.md": "".join(f"line {n}\n" for n in range(400_000))})
    start = time.monotonic()
    header, text, _ = read_page(str(tmp_path), "a.md", pattern="7", n_lines=1000)
    assert time.monotonic() - start < 2
    assert len(header) < 1000
    assert header.endswith(" more)")
    assert len(text.splitlines()) == 1000


def test_how_far_a_search_came(tmp_path: Path) -> None:
    """A search that is given up says at which line of how many."""
    build(tmp_path, {"a.md": "b\n" * 4 + "a" * 4000 + "!\n"})
    with pytest.raises(SkillReadError, match="was given up at line 5 of 5: it takes too long"):
        read_page(str(tmp_path), "a.md", pattern=r"((a{1,20}){1,20}){1,20}b")


def test_long_description(tmp_path: Path) -> None:
    """The load tool's description has at most 1,024 characters; what is cut ends with a mark."""
    build(tmp_path / "greet", {"SKILL.md": skill("greet", "Greets people. " * 200)})
    described = skill_wrapper(tmp_path / "greet")().load.description
    assert len(described) <= 1024
    assert described.endswith("…")


def test_what_is_no_text(tmp_path: Path) -> None:
    """A binary file, an empty one and a huge one are told apart."""
    build(
        tmp_path,
        {
            "a.png": b"\x89PNG\0\0",
            "b.md": "",
            "c.md": b"x" * 10_000_001,
            "d.md": b"\xef\xbb\xbfa\r\nb\xff",
        },
    )
    folder = str(tmp_path)
    with pytest.raises(SkillReadError, match=r"a\.png is no text \(6 bytes\)"):
        read_page(folder, "a.png")
    with pytest.raises(SkillReadError, match=r"c\.md is over 10 MB"):
        read_page(folder, "c.md")
    assert read_page(folder, "b.md") == ("b.md: no lines", "", ())
    assert read_page(folder, "d.md")[:2] == ("d.md: lines 1-2 of 2", "a\nb\ufffd")
    assert "not UTF-8" in read_page(folder, "d.md")[2][0]


def test_no_references(tmp_path: Path) -> None:
    """Asking for a reference of a skill that has none is an error that says so."""
    pair = greet(tmp_path)
    pair.load()
    result = pair.load(action="reference", file_name="x")
    assert (result.is_error, result.output) == (True, "the skill 'greet' has no reference files")


@pytest.mark.parametrize("args", [{"action": "delete"}, {"action": 5}, "readme", [1]])
def test_wrong_action(tmp_path: Path, args: Any) -> None:
    """An unknown action, and arguments that are no mapping, are error results."""
    pair = greet(tmp_path)
    pair.load()
    result = pair.load.call(args)
    assert result.is_error
    assert "pass 'readme' or 'reference'" in result.output or "pass a mapping" in result.output


# --- running -----------------------------------------------------------------------------------


def test_run(tmp_path: Path) -> None:
    """A script runs by its name, with its arguments, and gives its result."""
    run = greet(tmp_path).run
    assert run is not None
    result = run(file_name="greet.py", args=["World"])
    assert (result.stdout, result.exit_code, result.is_error) == ("Hello, World\n", 0, False)
    assert str(result) == "## stdout\nHello, World\n\n## stderr\n\nExit code: 0"
    assert result.metadata == {
        "name": "greet",
        "script": "scripts/greet.py",
        "exit_code": 0,
        "timed_out": False,
    }
    for name in ("scripts/greet.py", "./scripts/greet.py", "./greet.py"):
        assert run.call({"file_name": name, "args": ["World"]}) == result


def test_run_schema(tmp_path: Path) -> None:
    """The usage of each script stands in the run tool's schema."""
    run = greet(tmp_path, {"scripts/_lib.py": "", "scripts/.x.py": "", "scripts/b.sh": "echo"}).run
    assert run is not None
    properties = run.input_schema["properties"]
    assert list(properties) == ["file_name", "args", "envs"]
    assert run.input_schema["required"] == ["file_name"]
    assert properties["file_name"]["enum"] == ["b.sh", "greet.py"]
    assert properties["file_name"]["description"].splitlines()[1:] == [
        "- b.sh",
        "- greet.py <name> [greeting]",
    ]
    assert (properties["args"]["type"], properties["args"]["items"]) == (
        "array",
        {"type": "string"},
    )
    json.dumps([tool.to_openai() for tool in (run,)] + [run.to_gemini(), run.to_mcp()])


def test_unknown_argument_of_a_run(tmp_path: Path) -> None:
    """A script is not run without what a call meant for it."""
    pair = greet(tmp_path, {"scripts/a.py": "open('ran', 'w')"})
    pair.load()
    assert pair.run is not None
    assert pair.run(file_name="a.py", arguments=["x"]).output == (
        "there is no argument 'arguments', so nothing was run; it takes file_name, args, envs"
    )
    assert not (tmp_path / "greet" / "ran").exists()


def test_required_argument(tmp_path: Path) -> None:
    """A call that leaves out a required argument is refused with the usage, before anything runs."""
    files = {"scripts/copy.py": "# Usage: copy.py <from> <to> [mode]\nopen('ran', 'w')\n"}
    pair = greet(tmp_path, files)
    pair.load()
    assert pair.run is not None
    assert pair.run(file_name="copy.py", args=["a"]).output == (
        "copy.py is not given <to>, so it was not run. Usage: copy.py <from> <to> [mode]"
    )
    assert pair.run(file_name="copy.py").output.startswith("copy.py is not given <from> and <to>")
    assert not (tmp_path / "greet" / "ran").exists()
    assert not pair.run(file_name="copy.py", args=["a", "b"]).is_error


FORMS = [
    ("# Usage: x.py [--out FILE] <in>", ["--out", "f"], False),
    ("# Usage: x.py [--out FILE] <in>", ["--out", "f", "a"], True),
    ("# Usage: x.py (<file> | <url>)", ["a"], True),
    ("# Usage: x.py <in> > <out>", ["a"], True),
    ("# Usage: x.py <in> > <out>", [], False),
    ("# Usage:\n#   x.py add <a> <b>\n#   x.py list", ["list"], True),
    ("# Usage: x.py add <a> <b>\n#        x.py show <c>", [], False),
]


@pytest.mark.parametrize(("head", "args", "runs"), FORMS)
def test_forms_of_a_call(tmp_path: Path, head: str, args: list[str], runs: bool) -> None:
    """A call is refused only when it meets none of the forms of its usage."""
    pair = greet(tmp_path, {"scripts/x.py": f"{head}\nprint('ran')\n"})
    pair.load()
    assert pair.run is not None
    result = pair.run(file_name="x.py", args=args)
    assert ("ran" in result.output.splitlines(), result.is_error) == (runs, not runs)
    assert runs or " so it was not run. Usage: x.py " in result.output


def test_all_forms_are_in_the_readme(tmp_path: Path) -> None:
    """Several forms below a usage comment all stand in the readme."""
    text = "# Usage:\n#   multi.py add <a> <b>\n#   multi.py list\n#\n# multi.py is old.\n"
    readme = greet(tmp_path, {"scripts/multi.py": text}).load().output
    assert "- multi.py add <a> <b>, or multi.py list" in readme.splitlines()


def test_options_reach_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time, cap and environment of the wrapper hold for its scripts."""
    monkeypatch.setenv("SECRET", "1")
    files = {
        "scripts/env.py": "import os; print('SECRET' in os.environ, os.environ.get('A'))",
        "scripts/long.py": "print('x' * 100)",
        "scripts/slow.py": "import time; time.sleep(30)",
    }
    run = greet(tmp_path, files, env="clean", timeout=1, max_output=10).run
    assert run is not None
    assert run.call({"file_name": "env.py", "envs": ["A=1"]}).stdout == "False 1\n"
    assert run.call({"file_name": "long.py"}).stdout_cut == 91
    assert run.call({"file_name": "slow.py"}).timed_out


def test_confirm(tmp_path: Path) -> None:
    """A run is confirmed by whom the wrapper, the pair or the call names; each can refuse."""
    folder = build(tmp_path / "greet", GREET)
    asked: list[str] = []

    def yes(command: Any) -> bool:
        asked.append(str(command))
        return True

    def no(command: Any) -> bool:
        return False

    call = {"file_name": "greet.py", "args": ["World"]}
    refused = "'scripts/greet.py' was not run: it was not confirmed"
    for wrapper, pair, own, runs in (
        (yes, None, None, True),
        (no, None, None, False),
        (no, yes, None, True),
        (None, no, None, False),
        (yes, None, no, False),
        (no, None, yes, False),
        (None, None, yes, True),
        (None, None, no, False),
    ):
        tools = skill_wrapper(folder, confirm=wrapper)(confirm=pair)
        assert tools.run is not None
        result = tools.run(**call, **({"confirm": own} if own else {}))
        assert result.is_error is not runs
        assert runs or result.output.startswith(refused)
    assert len(asked) == 4
    assert asked[0].endswith("scripts/greet.py World")


def test_a_model_cannot_confirm(tmp_path: Path) -> None:
    """What a model sends as confirm is refused as any argument is that there is not."""
    for confirm in (None, lambda _: False):
        run = greet(tmp_path, confirm=confirm).run
        assert run is not None
        for sent in (True, "yes", {}):
            result = run.call({"file_name": "greet.py", "args": ["World"], "confirm": sent})
            assert result.is_error
            assert result.output.startswith("there is no argument 'confirm', so nothing was run")


WRONG_RUNS = [
    ({}, "file_name is missing; pass the script to run"),
    ({"file_name": ["a"]}, "file_name is of type list"),
    ({"file_name": "nope.py"}, 'Script "nope.py" not found. Available scripts: data.xyz, greet.py'),
    ({"file_name": "../out.py"}, "not found"),
    ({"file_name": "..\\out.py"}, "not found"),
    ({"file_name": "/etc/passwd"}, "not found"),
    ({"file_name": "_lib.py"}, "not found"),
    ({"file_name": "link.py"}, "not found"),
    ({"file_name": "data.xyz"}, "suffix is not known"),
    ({"file_name": "greet.py", "args": "World"}, "args is of type str"),
    ({"file_name": "greet.py", "args": ["World"], "envs": "A=1"}, "envs is of type str"),
    ({"file_name": "greet.py", "args": ["World"], "envs": ["secret"]}, "item 1 of envs"),
    ("greet.py", "pass a mapping"),
    (None, "file_name is missing"),
]


@pytest.mark.parametrize(("args", "message"), WRONG_RUNS)
def test_wrong_run(tmp_path: Path, args: Any, message: str) -> None:
    """What cannot be run is an error result that says what is there instead."""
    build(tmp_path, {"out.py": "open('ran', 'w')"})
    files = {
        "scripts/_lib.py": "open('ran', 'w')",
        "scripts/data.xyz": "",
        "scripts/link.py": {"link": "../../out.py"},
    }
    pair = greet(tmp_path, files)
    pair.load()
    assert pair.run is not None
    result = pair.run.call(args)
    assert result.is_error
    assert message in result.output
    assert "secret" not in result.output
    assert list(tmp_path.rglob("ran")) == []


def test_gone(tmp_path: Path) -> None:
    """When the skill is gone, each call is an error result that says so."""
    pair = greet(tmp_path, GUIDE)
    shutil.rmtree(tmp_path / "greet")
    assert pair.run is not None
    for result in (
        pair.load(),
        pair.load(action="reference", file_name="Guide.md"),
        pair.run(file_name="greet.py", args=["World"]),
    ):
        assert result.is_error
        assert "cannot be read: it does not exist" in result.output


def test_await(tmp_path: Path) -> None:
    """A host that awaits a script is not held up, and gets the same result."""
    pair = greet(tmp_path, {"scripts/slow.py": "import time; time.sleep(1); print('done')"})
    assert pair.run is not None
    ticks: list[float] = []

    async def tick() -> None:
        while True:
            ticks.append(time.monotonic())
            await asyncio.sleep(0.05)

    async def host() -> Any:
        task = asyncio.create_task(tick())
        result = await pair.run.execute({"file_name": "slow.py"})
        task.cancel()
        return result

    result = asyncio.run(host())
    assert result.stdout == "done\n"
    assert len(ticks) > 10


def test_call_inside_a_running_loop(tmp_path: Path) -> None:
    """The plain call works inside a running loop too, as in a notebook's cell."""
    pair = greet(tmp_path)

    async def cell() -> Any:
        return pair.run(file_name="greet.py", args=["World"]), pair.load()

    ran, loaded = asyncio.run(cell())
    assert ran.stdout == "Hello, World\n"
    assert loaded.output.startswith("# Greet")


def test_giving_up_ends_the_script(tmp_path: Path) -> None:
    """When a host gives up a call, the script is ended."""
    pair = greet(tmp_path, {"scripts/slow.sh": "echo $$ > pid\nsleep 60\n"})
    assert pair.run is not None

    async def host() -> None:
        await asyncio.wait_for(pair.run.execute({"file_name": "slow.sh"}), 1)

    with pytest.raises(TimeoutError):
        asyncio.run(host())
    pid = int((tmp_path / "greet" / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


# --- the gate ----------------------------------------------------------------------------------

SUMMARY = (
    "\n\nThe skill's readme was not read yet. In short:\n"
    "- name: greet\n"
    "- description: Greets people.\n"
    "- scripts: greet.py <name> [greeting]\n"
    "- reference files: Guide.md\n"
    'Read the readme first: call skill_load__greet with {"action": "readme"}.'
)


def failing(pair: SkillTools) -> list[Any]:
    """Returns failures of a pair: a reference, a call that is refused, a script that fails."""
    assert pair.run is not None
    return [
        pair.load(action="reference", file_name="nope"),
        pair.run(file_name="greet.py"),
        pair.run(file_name="fail.py"),
    ]


FAIL = {"scripts/fail.py": "import sys; sys.exit('failed')", **GUIDE}


def test_gate_before_the_readme(tmp_path: Path) -> None:
    """Before the readme a failure ends with a summary of the skill and the advice to read it."""
    summary = SUMMARY.replace("- scripts: ", "- scripts: fail.py; ")
    for result in failing(greet(tmp_path, FAIL)):
        assert result.is_error
        assert result.output.endswith(summary)
        assert not result.parts or "".join(text for _, text in result.parts) == result.output


def test_gate_lets_through(tmp_path: Path) -> None:
    """Before the readme, what succeeds is as it is."""
    pair = greet(tmp_path, GUIDE)
    assert pair.run is not None
    assert str(pair.run(file_name="greet.py", args=["World"])).endswith("Exit code: 0")
    assert pair.load(action="reference", file_name="Guide.md", n_lines=1).output.endswith(
        "\nline 1"
    )


def test_gate_after_the_readme(tmp_path: Path) -> None:
    """After the readme, errors are plain."""
    pair = greet(tmp_path, FAIL)
    pair.load(action="readme")
    for result in failing(pair):
        assert result.is_error
        assert "In short" not in result.output


def test_each_pair_has_a_gate(tmp_path: Path) -> None:
    """The readme of one pair opens no other's gate."""
    wrapper = skill_wrapper(build(tmp_path / "greet", {**GREET, **FAIL}))
    one, two = wrapper(), wrapper()
    one.load()
    assert all("In short" not in result.output for result in failing(one))
    assert all("In short" in result.output for result in failing(two))


def test_a_failed_readme_opens_no_gate(tmp_path: Path) -> None:
    """A readme that could not be read is a plain error, and the gate stays."""
    pair = greet(tmp_path, FAIL)
    document = tmp_path / "greet" / "SKILL.md"
    document.rename(document.with_name("x"))
    assert "In short" not in pair.load().output
    document.with_name("x").rename(document)
    assert all("In short" in result.output for result in failing(pair))


def test_summary_is_short(tmp_path: Path) -> None:
    """The summary of a large skill is about 200 tokens."""
    files = {f"references/reference-number-{n}.md": "" for n in range(300)}
    files |= {
        f"scripts/script-number-{n}.py": "# Usage: x <first-argument> [second]\n"
        for n in range(300)
    }
    files["SKILL.md"] = skill("greet", "Greets all kinds of people, at length. " * 100)
    pair = greet(tmp_path, files)
    assert pair.run is not None
    output = pair.run(file_name="nope").output
    summary = output[output.index("The skill's readme") :]
    assert 150 < int(count_tokens(summary)) < 260
    assert summary.count("\n") == 5
    assert "… and 29" in summary


# --- on real skills ----------------------------------------------------------------------------


@pytest.mark.corpus
def test_corpus(corpus: Path) -> None:
    """Every real skill can be wrapped, and its readme and each listed reference can be read."""
    for info in _real(corpus):
        wrapper = SkillWrapper(info)
        pair = wrapper()
        assert len(pair.load.name) <= 64
        readme = pair.load()
        assert not readme.is_error
        assert readme.output.startswith(info.content.strip())
        for reference in wrapper.references()[:200]:
            page = pair.load(action="reference", file_name=reference.name)
            assert not page.is_error or "is no text" in page.output, page.output
        assert (pair.run is not None) == bool(wrapper.scripts())


def _real(corpus: Path) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(list_skills(corpus).skills)
