"""The tool that a model calls: its envelope, its errors, its schemas."""

from __future__ import annotations

import asyncio
import copy
import json
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook import ALL, SkillDef, Tool, ToolResult, load_skills
from trees import build, skill

KINDS = {"tag", "title", "body", "base", "note", "files"}


def one(root: Path, text: str, files: dict[str, Any] | None = None, **given: Any) -> ToolResult:
    """Returns the envelope of a single skill ``a`` in ``root``."""
    build(
        root, {"a/SKILL.md": text} | {f"a/{path}": value for path, value in (files or {}).items()}
    )
    return load_skills(root, **given).tool.call({"name": "a"})


def of_data(**fields: Any) -> ToolResult:
    """Returns the envelope of a single data skill."""
    source = load_skills(skills=[SkillDef(**fields)])
    return source.tool.call({"name": next(iter(source))})


def block(result: ToolResult) -> list[str] | None:
    """Returns the paths of the file block, or None where it is left out."""
    files = [text for kind, text in result.parts if kind == "files"]
    if not files:
        return None
    lines = files[0].strip().splitlines()
    assert (lines[0], lines[-1]) == ("<skill_files>", "</skill_files>")
    return [line.removeprefix("<file>").removesuffix("</file>") for line in lines[1:-1] if line]


# --- calling ---------------------------------------------------------------------------------------


def test_three_ways_to_call(tmp_path: Path) -> None:
    """The tool answers the same with await, without it, and with keywords."""
    build(tmp_path, {"a/SKILL.md": skill("a")})
    tool = load_skills(tmp_path).tool
    awaited = asyncio.run(tool.execute({"name": "a"}))
    assert awaited == tool.call({"name": "a"}) == tool(name="a")
    assert not awaited.is_error
    assert asyncio.run(tool.execute({"name": "a"}, {"turn": 1})) == awaited


def test_call_inside_a_running_loop(tmp_path: Path) -> None:
    """The tool can be called without await where a loop is running, as in a notebook's cell."""
    build(tmp_path, {"a/SKILL.md": skill("a")})
    tool = load_skills(tmp_path).tool

    async def cell() -> ToolResult:
        return tool(name="a")

    assert asyncio.run(cell()) == tool(name="a")


def test_async_tool_without_await() -> None:
    """A tool whose function is async answers without await too, also inside a running loop."""

    async def run(args: Any, ctx: Any) -> ToolResult:
        await asyncio.sleep(0)
        return ToolResult(f"{args['x']} {ctx}")

    tool = Tool("echo", "Echoes.", {"type": "object", "properties": {"x": {}}}, run)

    async def cell() -> ToolResult:
        return tool.call({"x": "1"})

    assert tool(x="1").output == "1 None"
    assert asyncio.run(cell()).output == "1 None"
    assert asyncio.run(tool.execute({"x": "1"}, "ctx")).output == "1 ctx"


def test_result_reads_as_its_output(tmp_path: Path) -> None:
    """A result as text is its output."""
    result = one(tmp_path, skill("a"))
    assert str(result) == result.output
    assert json.loads(json.dumps(result.to_dict()))["output"] == result.output


def test_further_arguments_are_ignored(tmp_path: Path) -> None:
    """Arguments beyond the name change nothing."""
    build(tmp_path, {"a/SKILL.md": skill("a", body="$ARGUMENTS $1 {args}\n")})
    tool = load_skills(tmp_path).tool
    plain = tool.call({"name": "a"})
    assert tool.call({"name": "a", "args": "x y", "sample_limit": 1, "Name": None}) == plain
    assert "$ARGUMENTS $1 {args}" in plain.output


# --- what is not there ---------------------------------------------------------------------------------


ODD_ARGUMENTS: list[tuple[Any, str]] = [
    (None, ""),
    ([], ""),
    (["a"], ""),
    ("a", ""),
    (5, ""),
    ({}, ""),
    ({"Name": "a"}, ""),
    ({"name": None}, "None"),
    ({"name": ""}, ""),
    ({"name": 5}, "5"),
    ({"name": True}, "True"),
    ({"name": ["a"]}, "['a']"),
    ({"name": {"name": "a"}}, "{'name': 'a'}"),
    ({"name": "A"}, "A"),
    ({"name": " a"}, " a"),
    ({"name": "a\n"}, "a\n"),
    ({"name": "a/"}, "a/"),
    ({"name": "./a"}, "./a"),
    ({"name": "../../etc/passwd"}, "../../etc/passwd"),
    ({"name": "a/SKILL.md"}, "a/SKILL.md"),
    ({"name": "/etc/passwd"}, "/etc/passwd"),
    ({"name": "a\0"}, "a\0"),
]


@pytest.mark.parametrize(("args", "shown"), ODD_ARGUMENTS, ids=lambda value: repr(value)[:30])
def test_odd_arguments(tmp_path: Path, args: Any, shown: str) -> None:
    """Whatever a model passes, the answer is an error result that says what is there."""
    build(tmp_path, {"a/SKILL.md": skill("a"), "b/SKILL.md": skill("b")})
    tool = load_skills(tmp_path).tool
    for result in (tool.call(args), asyncio.run(tool.execute(args))):
        assert result.is_error
        assert result.metadata is None
        assert "not found. Available skills: a, b" in result.output
        assert result.output.startswith('Skill "')
    named = args["name"] if isinstance(args, dict) and "name" in args else ""
    if isinstance(named, str):
        assert tool.call(args).output.startswith(
            f'Skill "{shown}" not found. Available skills: a, b'
        )


@pytest.mark.parametrize("args", [{"name": 10**5000}, {"name": [[10**5000]]}, {"name": 1.5}])
def test_odd_numbers(args: Any) -> None:
    """A number that Python will not write out is an error result too."""
    result = load_skills(skills=[{"name": "a", "content": ""}]).tool.call(args)
    assert result.is_error
    assert len(result.output) < 1000


def test_long_names_that_are_alike() -> None:
    """A name that is not there is answered soon, however many long names are like it."""
    names = ["a" * 90 + f"{number:05}" for number in range(5_000)]
    tool = load_skills(skills=[{"name": name, "content": ""} for name in names]).tool
    begun = time.process_time()
    assert tool(name="ab" * 50).is_error
    assert f"Available skills: {names[7]}, " in tool(name=names[7] + "x").output
    assert time.process_time() - begun < 5.0


def test_any_argument_may_be_a_keyword() -> None:
    """Arguments beyond the name are ignored as keywords too, whatever they are called."""
    tool = load_skills(skills=[{"name": "a", "content": "Body."}]).tool
    assert tool(self=1, args=2, name="a") == tool.call({"name": "a"})


def test_odd_names_are_found() -> None:
    """A name that looks odd is found where a skill has just that name."""
    names = ["../../etc/passwd", "x" * 5000, "None", "a/b", "[]", "é", "A", "a"]
    source = load_skills(skills=[{"name": name, "content": f"of {name}"} for name in names])
    for name in names:
        result = source.tool.call({"name": name})
        assert not result.is_error
        assert f"of {name}" in result.output


def test_none_available() -> None:
    """Without skills the tool exists all the same, and says that there are none."""
    tool = load_skills().tool
    assert tool.call({"name": "x"}).output == 'Skill "x" not found. Available skills: none'


def test_long_name_is_echoed_short() -> None:
    """What was asked for is echoed up to 100 characters."""
    tool = load_skills(skills=[{"name": "a", "content": ""}]).tool
    output = tool.call({"name": "x" * 10_000}).output
    assert "x" * 100 in output
    assert "x" * 101 not in output
    assert len(output) < 300
    assert f'"{"y" * 100}"' in tool.call({"name": "y" * 100}).output


def test_available_names_are_sorted() -> None:
    """The names that are there come in code point order."""
    names = ["b", "a", "é", "B", "_"]
    tool = load_skills(skills=[{"name": name, "content": ""} for name in names]).tool
    assert tool.call({"name": "x"}).output.endswith("Available skills: B, _, a, b, é")


def test_many_names_are_cut() -> None:
    """A long list of names is cut with its count, and the names near to the one asked come first."""
    names = [
        f"{word}-{number:04d}" for number in range(5000) for word in ("pdf", "docx", "map", "x")
    ]
    tool = load_skills(skills=[{"name": name, "content": ""} for name in names]).tool
    begun = time.process_time()
    output = tool.call({"name": "docx_4711"}).output
    assert time.process_time() - begun < 3.0
    assert output.startswith('Skill "docx_4711" not found. Available skills: docx-4711')
    assert len(output) < 2000
    shown = output.partition("Available skills: ")[2].replace(" …", ",").split(", ")
    listed = [name for name in shown if name in set(names)]
    assert len(set(listed)) == len(listed)
    assert f"{20_000 - len(listed):,}" in output


def test_names_that_cannot_be_encoded() -> None:
    """A name that no UTF-8 encoder takes is echoed so that the answer can be encoded."""
    tool = load_skills(skills=[{"name": "a", "content": ""}]).tool
    result = tool.call({"name": "x\ud800"})
    assert result.is_error
    assert result.output.encode()
    assert tool.call({"name": ["\udfff"]}).output.encode()


# --- the envelope --------------------------------------------------------------------------------------


def test_rooted_changes_the_places_only(tmp_path: Path) -> None:
    """{root} stands in the base and the files; a body that holds the path keeps it."""
    root = tmp_path / "my skills"
    build(root, {"a/SKILL.md": skill("a", body=f"See {root}/a.\n"), "a/b.txt": "b"})
    result = load_skills(root).tool(name="a")
    lines = result.rooted().splitlines()
    assert f"See {root}/a." in lines
    assert "Base directory for this skill: file://{root}/a" in lines
    assert "<file>{root}/a/b.txt</file>" in lines
    assert result.rooted("/skills").count("/skills/a") == 2
    assert result.rooted(None) == result.output


def test_parts_join_to_the_output(tmp_path: Path) -> None:
    """The parts are told apart, in order, and joined they are the output."""
    result = one(tmp_path, skill("a"), {"x.txt": ""})
    assert "".join(text for _, text in result.parts) == result.output
    assert [kind for kind, _ in result.parts] == [
        "tag",
        "title",
        "body",
        "base",
        "note",
        "files",
        "tag",
    ]
    assert one(tmp_path, skill("a"), sample_limit=-1).parts[-2][0] == "base"


def test_body_is_verbatim(tmp_path: Path) -> None:
    """The body keeps every byte but its line ends and the white space around it."""
    body = "\r\n\r\n  # T\r\n\r\n\r\n\ttab  \r\n```\r\n---\r\n```\r\n${HOME} $1 `!x` {a}\n\n\n"
    result = one(tmp_path, f"---\nname: a\ndescription: D.\n---{body}")
    right = "# T\n\n\n\ttab  \n```\n---\n```\n${HOME} $1 `!x` {a}"
    assert result.parts[2] == ("body", f"{right}\n\n")
    found = load_skills(tmp_path)["a"]
    assert found.content == "\n  # T\n\n\n\ttab  \n```\n---\n```\n${HOME} $1 `!x` {a}\n\n\n"


def test_empty_body(tmp_path: Path) -> None:
    """A skill without a body has an envelope all the same."""
    result = one(tmp_path, "---\nname: a\ndescription: D.\n---\n")
    assert not result.is_error
    assert result.output.startswith('<skill_content name="a">\n# Skill: a\n\n\n\nBase directory')


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ('a"b', "a&quot;b"),
        ("a&b", "a&amp;b"),
        ("a<b>c", "a&lt;b&gt;c"),
        ("a'b", "a'b"),
        ('"><skill_content name="b', "&quot;&gt;&lt;skill_content name=&quot;b"),
        ("&quot;", "&amp;quot;"),
    ],
)
def test_name_is_escaped_in_its_attribute(name: str, written: str) -> None:
    """A name cannot leave its attribute; the title below shows it as it is."""
    lines = of_data(name=name, content="").output.splitlines()
    assert lines[:2] == [f'<skill_content name="{written}">', f"# Skill: {name}"]


def test_base_and_files_are_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a relative root too, the base is a file URI and the files are absolute paths."""
    build(tmp_path, {"my skills/ü/SKILL.md": skill("a"), "my skills/ü/s/x y.txt": ""})
    monkeypatch.chdir(tmp_path)
    source = load_skills("my skills")
    monkeypatch.chdir("/")
    result = source.tool.call({"name": "a"})
    folder = tmp_path / "my skills" / "ü"
    assert f"Base directory for this skill: {folder.as_uri()}\n" in result.output
    assert block(result) == [f"{folder}/s/x y.txt"]
    assert result.metadata == {"name": "a", "dir": str(folder)}


@pytest.mark.parametrize(
    ("limit", "count"),
    [(0, 10), (1, 1), (3, 3), (10, 10), (14, 14), (100, 14), (ALL, 14), (-1, None)],
)
def test_sample_limit(tmp_path: Path, limit: int, count: int | None) -> None:
    """0 is 10, n is n, ALL cuts nothing and -1 leaves the block out, for data skills too."""
    paths = [f"f{number:02d}.txt" for number in range(14)]
    result = one(tmp_path, skill("a"), dict.fromkeys(reversed(paths), ""), sample_limit=limit)
    expected = None if count is None else paths[:count]
    assert block(result) == (expected and [f"{tmp_path}/a/{path}" for path in expected])
    source = load_skills(
        skills=[{"name": "d", "content": "", "resources": paths}], sample_limit=limit
    )
    assert block(source.tool(name="d")) == expected
    assert ("Note: file list is sampled." in result.output) == (count is not None)


def test_files_are_not_walked_when_left_out(tmp_path: Path, watch) -> None:
    """With ``sample_limit=-1`` a call does not scan the skill's folder."""
    build(tmp_path, {"a/SKILL.md": skill("a"), "a/x.txt": ""})
    tool = load_skills(tmp_path, sample_limit=-1).tool
    watch.walked.clear()
    tool(name="a")
    assert [path for path in watch.walked if path.startswith(str(tmp_path))] == []


def test_a_call_opens_its_own_file_only(tmp_path: Path, watch) -> None:
    """A call reads the SKILL.md of that skill and opens no other file."""
    build(tmp_path, {"a/SKILL.md": skill("a"), "a/x.txt": "", "b/SKILL.md": skill("b")})
    tool = load_skills(tmp_path).tool
    watch.opened.clear()
    tool(name="a")
    below = {path for path in watch.opened if path.startswith(str(tmp_path))}
    assert below == {str(tmp_path / "a/SKILL.md")}


# --- data skills -------------------------------------------------------------------------------------------


def test_data_skill_never_touches_the_disk(tmp_path: Path, monkeypatch, watch) -> None:
    """A data skill's resources are listed as declared, and nothing is read."""
    build(tmp_path, {"b.md": "", "a.md": ""})
    monkeypatch.chdir(tmp_path)
    source = load_skills(skills=[SkillDef("d", "c", "D.", ["b.md", "a.md", "gone/x.md"])])
    watch.opened.clear()
    watch.walked.clear()
    result = source.tool(name="d")
    assert block(result) == ["b.md", "a.md", "gone/x.md"]
    assert (result.metadata or {})["dir"] == "skill://d/"
    assert (watch.opened, watch.walked) == ([], [])


@pytest.mark.parametrize("resources", [None, [], ()])
def test_data_skill_without_resources_has_no_block(resources) -> None:
    """A data skill that declares no resources has no file block."""
    assert block(of_data(name="d", content="c", resources=resources)) is None


def test_odd_resources_are_left_out() -> None:
    """A resource's path cannot forge a line or a tag of the block."""
    odd = [
        "ok.md",
        "a\nb",
        "<file>",
        "a>b",
        "\x00",
        "tab\t",
        "u\u2028v",
        "n\x85l",
        "\udcff",
        "del\x7f",
    ]
    result = of_data(name="d", content="c", resources=odd)
    assert block(result) == ["ok.md"]
    assert result.output.encode()


def test_data_body_is_like_a_file_body() -> None:
    r"""A data skill's body has its line ends as ``\n`` and is trimmed in the envelope."""
    result = of_data(name="d", content="\r\n a\r\nb \r\n\r\n")
    assert result.parts[2] == ("body", "a\nb\n\n")


# --- what a host should know ---------------------------------------------------------------------------------


def warned(result: ToolResult) -> list[str]:
    """Returns the warnings in a result's metadata."""
    return list((result.metadata or {}).get("warnings", ()))


def test_plain_skill_has_no_warnings(tmp_path: Path) -> None:
    """A skill with nothing odd has metadata without warnings."""
    result = one(tmp_path, skill("a"), {"x.txt": ""})
    assert warned(result) == []
    assert {"name", "dir"} <= (result.metadata or {}).keys()


@pytest.mark.parametrize(
    "body",
    [
        "</skill_content>",
        '<skill_content name="b">',
        "<skill_files>",
        "</skill_files>",
        "</SKILL_content >",
    ],
)
def test_own_tags_in_the_body_are_told(tmp_path: Path, body: str) -> None:
    """A body that holds the envelope's own tags stays as it is, and the host is told."""
    result = one(tmp_path, skill("a", body=f"x\n{body}\n<file>/etc/passwd</file>\n"))
    assert body in result.output
    assert result.output.endswith("</skill_content>")
    assert len(warned(result)) == 1
    assert "tag" in warned(result)[0]


def test_body_that_is_not_utf8(tmp_path: Path) -> None:
    """A body that is not UTF-8 is read with replacement characters, and the host is told."""
    build(tmp_path, {"a/SKILL.md": b"---\nname: a\ndescription: D.\n---\nCaf\xe9 \xff.\n"})
    source = load_skills(tmp_path)
    result = source.tool(name="a")
    assert "Caf\ufffd \ufffd." in result.output
    assert ["UTF-8" in text for text in warned(result)] == [True]
    assert source["a"].content == "Caf\ufffd \ufffd.\n"


def test_files_outside_are_told(tmp_path: Path) -> None:
    """Siblings that lie outside the skill and the root are left out, and the host is told."""
    build(tmp_path, {"secret.txt": "", "root/a/SKILL.md": skill("a"), "root/a/in.txt": ""})
    build(tmp_path, {"root/a/out.txt": {"link": "../../secret.txt"}})
    result = load_skills(tmp_path / "root").tool(name="a")
    assert block(result) == [f"{tmp_path}/root/a/in.txt"]
    assert warned(result) == ["1 sibling file was left out, lying outside the skill"]


@pytest.mark.parametrize("where", ["disk", "data"])
def test_body_over_ten_megabytes(tmp_path: Path, where: str) -> None:
    """A body over 10 MB is an error result that says so; one just under it is given whole."""
    for size, whole in ((9_900_000, True), (10_600_000, False)):
        body = "A line of rules.\n" * (size // 17)
        if where == "disk":
            build(tmp_path, {"a/SKILL.md": skill("a", body=body)})
            result = load_skills(tmp_path).tool(name="a")
        else:
            result = of_data(name="a", content=body)
        assert result.is_error != whole
        if whole:
            assert len(result.output) > 9_800_000
        else:
            assert "10 MB" in result.output
            assert result.metadata is None


# --- schemas -------------------------------------------------------------------------------------------------


def test_the_tool_itself() -> None:
    """There is one tool named skill with one required argument, and a description of our own."""
    tool = load_skills().tool
    assert (tool.name, tool.source) == ("skill", "skill")
    assert tool.input_schema["type"] == "object"
    assert tool.input_schema["required"] == ["name"]
    assert list(tool.input_schema["properties"]) == ["name"]
    assert tool.input_schema["properties"]["name"]["type"] == "string"
    assert len(tool.description) > 50


def test_schemas() -> None:
    """Each API gets the tool in its own form, as plain JSON."""
    tool = load_skills().tool
    names = {"name": "skill", "description": tool.description}
    assert tool.to_openai() == {
        "type": "function",
        "function": {**names, "parameters": tool.input_schema},
    }
    assert tool.to_anthropic() == {**names, "input_schema": tool.input_schema}
    assert tool.to_mcp() == {**names, "inputSchema": tool.input_schema}
    gemini = tool.to_gemini()
    assert {key: gemini[key] for key in names} == names
    assert gemini["parameters"]["required"] == ["name"]
    assert "additionalProperties" not in json.dumps(gemini)
    for form in (tool.to_openai(), tool.to_anthropic(), gemini, tool.to_mcp(), tool.to_dict()):
        assert json.loads(json.dumps(form)) == form


def test_gemini_keeps_an_argument_of_that_name() -> None:
    """Only the schema word additionalProperties is left out, not an argument that is called so."""
    schema = {
        "type": "object",
        "properties": {"additionalProperties": {"type": "string"}},
        "required": ["additionalProperties"],
        "additionalProperties": False,
    }
    tool = Tool("t", "T.", schema, lambda args, ctx: ToolResult(""))
    assert tool.to_gemini()["parameters"]["properties"] == schema["properties"]


GEMINI: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": ["string", "null"]}, {"type": "string", "nullable": True}),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "string", "nullable": True}),
    (
        {"type": ["string", "integer"]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    ),
    ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
    ({"enum": ["a", None]}, {"type": "string", "enum": ["a"], "nullable": True}),
    ({"enum": [1, 2], "title": "T"}, {"type": "integer", "description": "One of: 1, 2."}),
    (
        {"type": "integer", "enum": [1], "description": "How."},
        {"type": "integer", "description": "How. One of: 1."},
    ),
    ({"const": "x"}, {"type": "string", "enum": ["x"]}),
    ({"const": None}, {"nullable": True}),
    ({"type": "string", "enum": []}, {"type": "string"}),
    ({"type": "string", "anyOf": {"type": "null"}}, {"type": "string"}),
    ({"allOf": [{"type": "object", "required": 5}]}, {"type": "object"}),
    ({"$ref": "#/$defs/P", "description": "D."}, {"type": "string", "description": "D."}),
    (
        {"type": "array", "items": {"$ref": "#/$defs/P"}},
        {"type": "array", "items": {"type": "string"}},
    ),
    (
        {"$ref": "#/$defs/Tree"},
        {"type": "object", "properties": {"more": {"type": "object"}}},
    ),
    ({"$ref": "#/$defs/lost"}, {"type": "object"}),
    ({"allOf": [{"$ref": "#/$defs/P"}], "default": "x"}, {"type": "string", "default": "x"}),
    ({"type": "string", "format": "path"}, {"type": "string"}),
    ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
]


@pytest.mark.parametrize(("given", "wanted"), GEMINI)
def test_gemini_takes_a_subset(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """What Gemini does not take stands in its own words; references are resolved."""
    whole = {
        "$defs": {
            "P": {"type": "string", "title": "P"},
            "Tree": {"type": "object", "properties": {"more": {"$ref": "#/$defs/Tree"}}},
        },
        "type": "object",
        "properties": {"title": given},
    }
    tool = Tool("t", "T.", whole, lambda args, ctx: ToolResult(""))
    assert tool.to_gemini()["parameters"] == {"type": "object", "properties": {"title": wanted}}


def test_gemini_references_are_bounded() -> None:
    """Definitions that name each other twice do not double with each level for ever."""
    both = {
        f"d{n}": {"properties": {side: {"$ref": f"#/$defs/d{n + 1}"} for side in "xy"}}
        for n in range(40)
    }
    tool = Tool("t", "T.", {"$defs": both, "$ref": "#/$defs/d0"}, lambda args, ctx: ToolResult(""))
    begun = time.process_time()
    text = json.dumps(tool.to_gemini())
    assert time.process_time() - begun < 2.0
    assert len(text) < 200_000


@pytest.mark.parametrize("form", ["to_openai", "to_anthropic", "to_gemini", "to_mcp", "to_dict"])
def test_a_schema_given_out_is_a_copy(form: str) -> None:
    """A host that changes the schema it was given changes neither this tool nor another."""
    tool = load_skills().tool

    def spoil(value: Any) -> None:
        if isinstance(value, dict):
            for item in list(value.values()):
                spoil(item)
            value.clear()

    before = copy.deepcopy(tool.input_schema)
    try:
        spoil(getattr(tool, form)())
        assert tool.input_schema == before
        assert load_skills().tool.input_schema == before
    finally:
        tool.input_schema.update(before)  # where it is shared, other tests need it whole


def test_repr_has_no_address() -> None:
    """Tool and result have a repr that is the same on every run."""
    tool = load_skills(skills=[{"name": "a", "content": "b"}]).tool
    for thing in (tool, tool(name="a"), tool(name="x")):
        assert "0x" not in repr(thing)
    assert "skill" in repr(tool)


# --- any skill at all ---------------------------------------------------------------------------------------

XML_TEXT = st.text(
    alphabet=st.characters(
        exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff\u2028\u2029\x85"
    ),
    min_size=1,
    max_size=40,
).filter(lambda text: text.split())


@given(XML_TEXT, st.text(max_size=100), st.lists(st.text(max_size=20), max_size=5))
def test_any_data_skill(name: str, content: str, resources: list[str]) -> None:
    """Any envelope starts and ends with its tags, and its name reads back as XML."""
    result = of_data(name=name, content=content, description="D.", resources=resources)
    name = " ".join(name.split())
    assert not result.is_error
    assert {kind for kind, _ in result.parts} <= KINDS
    assert "".join(text for _, text in result.parts) == result.output
    first, _, rest = result.output.partition("\n")
    assert rest.endswith("\n</skill_content>")
    assert ET.fromstring(f"{first}</skill_content>").attrib == {"name": name}
    for path in block(result) or ():
        assert path in resources
    assert result.parts[0] == ("tag", f"{first}\n")
    assert result.parts[-1] == ("tag", "</skill_content>")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
    )
)
def test_any_arguments(value: Any) -> None:
    """Any JSON as arguments, or as the name, gives a result that can be encoded."""
    tool = load_skills(skills=[{"name": "a", "content": "b"}]).tool
    for args in (value, {"name": value}):
        result = tool.call(args)
        assert result.is_error == (args != {"name": "a"})
        assert result.output.encode()
