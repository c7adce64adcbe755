"""Toolkits: what is gathered, under which names, what fails, and MCP servers."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.server import Server

from skillbook import SkillDef, SkillWarning, Tool, ToolResult
from skillbook.toolkit import Toolkit, create_toolkit
from skillbook.wrapper import skill_wrapper
from trees import build, skill


def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


def made(**given: Any) -> Toolkit:
    """Makes a toolkit without servers."""
    return asyncio.run(create_toolkit(**given))


def names(toolkit: Toolkit) -> list[str]:
    """Returns the names of a toolkit's tools."""
    return [tool.name for tool in toolkit.tools]


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """A root with two skills, one of them with a script."""
    return build(
        tmp_path / "skills",
        {
            "a/SKILL.md": skill("a", "Does a."),
            "b/SKILL.md": skill("b", "Does b."),
            "b/scripts/hi.py": "print('hi')",
        },
    )


# --- gathering ---------------------------------------------------------------------------------


def test_skills(skills: Path) -> None:
    """The skill tool and the prompt are those of the skills given, filtered, with the sample."""
    toolkit = made(
        skills_dir=skills,
        skills=[{"name": "c", "content": "C.", "description": "Does c."}],
        skill_provider=lambda: [SkillDef("d", "D.", "Does d.")],
        skills_filter={"a": False},
        skill_sample_limit=-1,
    )
    assert names(toolkit) == ["skill"]
    assert [line for line in toolkit.skill_prompt.splitlines() if line.startswith("- ")] == [
        "- **b**: Does b.",
        "- **c**: Does c.",
        "- **d**: Does d.",
    ]
    result = asyncio.run(toolkit.execute("skill", {"name": "b"}))
    assert "<skill_files>" not in result.output
    assert toolkit.source is not None
    assert list(toolkit.source) == ["b", "c", "d"]


def test_async_provider() -> None:
    """The provider may be async."""

    async def provider() -> list[SkillDef]:
        await asyncio.sleep(0)
        return [SkillDef("d", "D.", "Does d.")]

    assert "- **d**: Does d." in made(skill_provider=provider).skill_prompt


def test_without_skills() -> None:
    """A toolkit without skills has no skill tool and no prompt; with none found it has both."""
    assert (names(made()), made().skill_prompt) == ([], "")
    empty = made(skills=[])
    assert names(empty) == ["skill"]
    assert empty.skill_prompt == "No skills are currently available."


def test_tools(skills: Path) -> None:
    """Functions, ready tools, pairs and wrappers are gathered in the order given."""
    ready = Tool("ready", "", {"type": "object", "properties": {}}, lambda *_: ToolResult("yes"))
    wrapper = skill_wrapper(skills / "b")
    toolkit = made(skills_dir=skills, tools=[add, ready, wrapper(), skill_wrapper(skills / "a")])
    assert names(toolkit) == [
        "skill",
        "add",
        "ready",
        "skill_load__b",
        "skill_run__b",
        "skill_load__a",
    ]
    assert asyncio.run(toolkit.execute("add", {"a": 1, "b": 2})).output == "3"
    assert asyncio.run(toolkit.execute("ready")).output == "yes"
    assert asyncio.run(toolkit.execute("skill_run__b", {"file_name": "hi.py"})).output.startswith(
        "## stdout\nhi\n"
    )


def test_unknown_tool() -> None:
    """An unknown name is an error result that says what there is."""
    toolkit = made(tools=[add])
    for name in ("ad", None, 5):
        result = asyncio.run(toolkit.execute(name))  # type: ignore[arg-type]
        assert result == ToolResult(f'Tool "{name}" not found. Available tools: add', is_error=True)


def test_collection() -> None:
    """A toolkit is a collection of its tools, by name."""
    toolkit = made(tools=[add])
    assert (len(toolkit), list(toolkit), "add" in toolkit) == (1, toolkit.tools, True)
    assert toolkit["add"] is toolkit.tools[0]
    assert toolkit["add"](a=1, b=1).output == "2"
    with pytest.raises(KeyError, match='Tool "x" not found'):
        toolkit["x"]
    assert repr(toolkit) == "<Toolkit: 1 tools: add>"


def test_schemas(skills: Path) -> None:
    """The tools can be had in the forms of the model APIs, and all of it as JSON."""
    toolkit = made(skills_dir=skills, tools=[add])
    assert [tool["function"]["name"] for tool in toolkit.to_openai()] == ["skill", "add"]
    assert [tool["input_schema"]["type"] for tool in toolkit.to_anthropic()] == ["object", "object"]
    assert "additionalProperties" not in json.dumps(toolkit.to_gemini())
    whole = json.loads(json.dumps(toolkit.to_dict()))
    assert (whole["failures"], whole["skill_prompt"]) == ({}, toolkit.skill_prompt)


def test_duplicates(skills: Path) -> None:
    """Of two tools with one name the first wins, with one warning."""
    other = Tool("add", "", {"type": "object", "properties": {}}, lambda *_: ToolResult("other"))
    mine = Tool("skill", "", {"type": "object", "properties": {}}, lambda *_: ToolResult("mine"))
    with pytest.warns(SkillWarning, match="name that is taken were left out: add, skill") as caught:
        toolkit = made(skills_dir=skills, tools=[add, other, mine])
    assert (len(caught), names(toolkit)) == (1, ["skill", "add"])
    assert toolkit["add"](a=1, b=1).output == "2"


def test_no_prompt_without_the_skill_tool(skills: Path) -> None:
    """A prompt that tells a model to call the skill tool is given only with that tool."""
    toolkit = made(skills_dir=skills, tools=[add], disable_tools=["skill"])
    assert toolkit.skill_prompt == ""
    assert toolkit.to_dict()["skill_prompt"] == ""


def test_disabled(skills: Path) -> None:
    """Disabled tools are left out, so a second of that name is too; unknown names warn."""
    assert names(made(skills_dir=skills, tools=[add], disable_tools=["skill"])) == ["add"]
    with pytest.warns(SkillWarning, match=r"tools that are not there: x \(there are: add\)"):
        assert names(made(tools=[add, add], disable_tools=["x", "add"])) == []


# --- what fails --------------------------------------------------------------------------------


def failing() -> Any:
    """A provider that raises."""
    raise RuntimeError("no network")


def leaving() -> Any:
    """A provider that leaves by sys.exit()."""
    sys.exit(3)


@pytest.mark.parametrize(
    ("provider", "why"),
    [
        (failing, "RuntimeError: no network"),
        (leaving, "SystemExit: 3"),
        (lambda: None, "TypeError: it gave None, not a list of data skills"),
        (lambda: "text", "TypeError: it gave 'text', not a list of data skills"),
        (lambda: 5, "TypeError: "),
        (lambda: [{"nom": "x"}], "ValueError: a data skill has the unknown key 'nom'"),
    ],
)
def test_failing_provider(skills: Path, provider: Any, why: str) -> None:
    """A provider that fails is named, and all else is there."""
    toolkit = made(skills_dir=skills, skill_provider=provider, tools=[add])
    assert toolkit.failures.keys() == {"skill_provider"}
    assert toolkit.failures["skill_provider"].startswith(why)
    assert names(toolkit) == ["skill", "add"]
    assert "**a**" in toolkit.skill_prompt
    assert f"failed: skill_provider ({why}" in repr(toolkit)


def test_one_bad_data_skill() -> None:
    """A data skill that is none is named, and the good ones of the same provider are there."""
    good = {"name": "a", "content": "A.", "description": "Does a."}
    toolkit = made(skill_provider=lambda: [good, {"nom": "x"}, 5, {**good, "name": "b"}])
    assert list(toolkit.source.skills) == ["a", "b"]
    assert list(toolkit.failures) == ["skill_provider", "skill_provider (2)"]
    assert toolkit.failures["skill_provider"].endswith("(item 2 of what it gave)")
    assert toolkit.failures["skill_provider (2)"].endswith("(item 3 of what it gave)")


def test_failures_of_one_name() -> None:
    """Two functions of one name that make no tool are both named."""
    one, two = (lambda a, /: a), (lambda b, /: b)
    toolkit = made(tools=[one, two])
    assert ["'a'" in toolkit.failures["<lambda>"], "'b'" in toolkit.failures["<lambda> (2)"]] == [
        True,
        True,
    ]


def test_name_that_has_no_text() -> None:
    """A number of any size as a tool's name is an error result."""
    assert asyncio.run(made(tools=[add]).execute(10**5000)).is_error  # type: ignore[arg-type]


def test_failing_function() -> None:
    """A function that makes no tool is named, and the others are there."""

    def by_place(a, /):
        return a

    toolkit = made(tools=[by_place, add])
    assert names(toolkit) == ["add"]
    assert toolkit.failures["by_place"].startswith("no schema could be made: ValueError: ")


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"tools": add}, TypeError, "pass a list of functions and tools"),
    ({"tools": ["add"]}, TypeError, "tools holds 'add'; pass functions and tools"),
    ({"disable_tools": "add"}, TypeError, "disable_tools is 'add'; pass a list of names"),
    ({"skill_provider": [1]}, TypeError, "skill_provider is "),
    ({"mcp_servers": ["x"]}, TypeError, "mcp_servers is "),
    ({"mcp_servers": "/no/such/file.json"}, ValueError, "cannot be read from the file"),
    ({"skills_filter": {"a": 1}, "skills": []}, TypeError, "filter holds 'a': 1"),
    ({"skills": "a"}, TypeError, "skills is 'a'"),
]


@pytest.mark.parametrize(("given", "kind", "message"), WRONG)
def test_wrong_arguments(given: dict[str, Any], kind: type[Exception], message: str) -> None:
    """Arguments of the wrong type raise, with the value found and what to pass."""
    with pytest.raises(kind, match=message):
        made(**given)


# --- MCP servers -------------------------------------------------------------------------------


def server(*tools: str, delay: float = 0.0) -> Server[Any]:
    """Returns a server in this process whose tools say what they were called with."""

    async def list_tools(_ctx: Any, params: Any) -> types.ListToolsResult:
        start = int((params.cursor if params else None) or 0)
        listed = [
            types.Tool(name=name, description=f"Does {name}.", input_schema={"type": "object"})
            for name in tools[start : start + 1]
        ]
        more = str(start + 1) if start + 1 < len(tools) else None
        return types.ListToolsResult(tools=listed, next_cursor=more)

    async def call_tool(_ctx: Any, params: Any) -> types.CallToolResult:
        await asyncio.sleep(delay)
        if params.name == "raise":
            raise ValueError("inside")
        if params.name == "picture":
            image = types.ImageContent(data="AAAA", mime_type="image/png")
            return types.CallToolResult(content=[types.TextContent(text="see"), image])
        if params.name == "structured":
            return types.CallToolResult(content=[], structured_content={"a": 1})
        text = types.TextContent(text=f"{params.name} {json.dumps(params.arguments)}")
        return types.CallToolResult(content=[text], is_error=params.name == "fail")

    return Server("demo", on_list_tools=list_tools, on_call_tool=call_tool)


class Mute(TypeError):  # noqa: N818 - no name for this is better
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError


def test_failures_without_a_text() -> None:
    """A provider whose exception has no text is a failure as others are, and the rest loads."""

    def provider() -> list[SkillDef]:
        raise Mute

    kit = made(tools=[add], skill_provider=provider)
    assert names(kit) == ["skill", "add"]
    assert kit.failures == {"skill_provider": "Mute (its message cannot be read)"}


def test_server_in_this_process() -> None:
    """A server's tools, from all pages, are gathered under its name, and called by await."""

    async def host() -> None:
        async with await create_toolkit(
            tools=[add], mcp_servers={"my demo": server("echo", "fail")}
        ) as kit:
            assert names(kit) == ["add", "my_demo_echo", "my_demo_fail"]
            assert (kit["my_demo_echo"].source, kit["my_demo_echo"].description) == (
                "mcp",
                "Does echo.",
            )
            assert kit["my_demo_echo"].input_schema == {"type": "object"}
            result = await kit.execute("my_demo_echo", {"a": 1})
            assert result == ToolResult('echo {"a": 1}', metadata={"server": "my demo"})
            assert (await kit.execute("my_demo_fail")).is_error

    asyncio.run(host())


def test_call_inside_a_running_loop() -> None:
    """The plain call of a server's tool works inside a running loop, as in a notebook's cell."""

    async def cell() -> None:
        async with await create_toolkit(mcp_servers={"demo": server("echo", delay=0.1)}) as kit:
            assert kit["demo_echo"](a=1).output == 'echo {"a": 1}'
            assert kit["demo_echo"].call(None).output == "echo {}"
            both = await asyncio.gather(kit.execute("demo_echo"), kit.execute("demo_echo"))
            assert [result.output for result in both] == ["echo {}", "echo {}"]

    asyncio.run(cell())


def test_call_without_a_loop() -> None:
    """A toolkit outlives the loop that made it; its tools are called without one."""
    kit = asyncio.run(create_toolkit(mcp_servers={"demo": server("echo")}))
    assert kit["demo_echo"].call({}).output == "echo {}"
    assert asyncio.run(kit.execute("demo_echo")).output == "echo {}"
    asyncio.run(kit.close())


def test_what_servers_give() -> None:
    """What is no text is named, structure comes as JSON, and what a server raises is an error."""

    async def host() -> list[ToolResult]:
        wanted = ["picture", "structured", "raise"]
        async with await create_toolkit(mcp_servers={"s": server(*wanted)}) as kit:
            found = [await kit.execute(f"s_{name}") for name in wanted]
            return [*found, kit["s_picture"].call([1])]

    picture, structured, raised, wrong = asyncio.run(host())
    assert picture.output == "see\n[image: image/png, 3 bytes]"
    assert structured.output == '{"a": 1}'
    assert raised.is_error
    assert raised.output.startswith("the server 's' failed: ")
    assert (wrong.is_error, wrong.output) == (
        True,
        "the arguments are of type list; pass a mapping",
    )


def test_closed() -> None:
    """After closing, a server's tools give error results; closing again does nothing."""

    async def host() -> None:
        before = threading.active_count()
        kit = await create_toolkit(mcp_servers={"demo": server("echo")})
        assert threading.active_count() > before
        await kit.close()
        await kit.close()
        result = await kit.execute("demo_echo")
        assert (result.is_error, result.output) == (True, "demo_echo: the toolkit is closed")
        assert kit["demo_echo"].call({}).is_error
        assert "skillbook-mcp" not in [thread.name for thread in threading.enumerate()]

    asyncio.run(host())


def test_closing_gives_up_calls() -> None:
    """A call that is under way when the toolkit closes does not wait for ever."""
    results: list[ToolResult] = []

    async def host() -> None:
        kit = await create_toolkit(mcp_servers={"demo": server("echo", delay=60)})
        waiting = threading.Thread(target=lambda: results.append(kit["demo_echo"].call({})))
        waiting.start()
        await asyncio.sleep(0.2)
        await kit.close()
        await asyncio.to_thread(waiting.join, 5)

    start = time.monotonic()
    asyncio.run(host())
    assert time.monotonic() - start < 10
    assert [result.is_error for result in results] == [True]


STDIO = textwrap.dedent(
    """
    import asyncio, os, sys
    import mcp_types as types
    from mcp.server import Server
    from mcp.server.stdio import stdio_server

    print("starting up", file=sys.stderr)
    if "fail" in sys.argv:
        sys.exit("no licence")

    async def list_tools(ctx, params):
        return types.ListToolsResult(tools=[types.Tool(name="env", input_schema={"type": "object"})])

    async def call_tool(ctx, params):
        if params.arguments.get("exit"):
            os._exit(1)
        text = os.environ.get("MINE", "") + " " + os.getcwd()
        return types.CallToolResult(content=[types.TextContent(text=text)])

    async def main():
        server = Server("s", on_list_tools=list_tools, on_call_tool=call_tool)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    asyncio.run(main())
    """
)


def test_server_in_another_process(tmp_path: Path) -> None:
    """A command is started with its arguments, variables and folder; what fails is isolated."""
    build(tmp_path, {"server.py": STDIO})
    good = {
        "command": sys.executable,
        "args": [str(tmp_path / "server.py")],
        "env": {"MINE": "yes"},
        "cwd": str(tmp_path),
        "type": "stdio",
    }
    file = build(
        tmp_path,
        {
            "servers.json": json.dumps(
                {
                    "mcpServers": {
                        "good": good,
                        "bad": {**good, "args": [*good["args"], "fail"]},
                        "none": {"command": "no-such-command-here"},
                        "odd": {"comand": "x"},
                        "empty": {},
                        "number": 5,
                        "off": {**good, "disabled": True},
                    }
                }
            )
        },
    )

    async def host() -> None:
        async with await create_toolkit(tools=[add], mcp_servers=file / "servers.json") as kit:
            assert names(kit) == ["add", "good_env"]
            assert kit.failures.keys() == {"bad", "none", "odd", "empty", "number"}
            assert kit.failures["bad"].endswith("the last it wrote was: no licence")
            assert "no-such-command-here" in kit.failures["none"]
            assert "there is no setting 'comand'" in kit.failures["odd"]
            assert "neither a command nor a url" in kit.failures["empty"]
            assert kit.failures["number"] == ('it is 5; pass a mapping such as {"command": "…"}')
            half = await kit.execute("good_env", {"x": "\ud800"})
            assert half.is_error
            assert half.output.startswith("the arguments cannot be written as JSON, so they were")
            assert (await kit.execute("good_env", {})).output == f"yes {tmp_path}"
            gone = await kit.execute("good_env", {"exit": True})
            assert gone.is_error
            assert gone.output.startswith("the server 'good' failed: ")

    asyncio.run(host())


def test_all_servers_fail() -> None:
    """When no server answers, the toolkit has the rest and no thread is left."""
    kit = asyncio.run(
        create_toolkit(tools=[add], mcp_servers={"x": {"command": "no-such-command"}})
    )
    assert (names(kit), list(kit.failures)) == (["add"], ["x"])
    assert "skillbook-mcp" not in [thread.name for thread in threading.enumerate()]


def test_server_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not answer is given up after a while, and named."""
    monkeypatch.setattr("skillbook.mcp_client.CONNECT", 1.0)
    silent = {"command": sys.executable, "args": ["-c", "import time; time.sleep(60)"]}
    kit = asyncio.run(create_toolkit(tools=[add], mcp_servers={"silent": silent}))
    assert (names(kit), kit.failures) == (["add"], {"silent": "it did not answer within 1 s"})


def test_server_that_writes_no_text(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A connection that breaks on the way is named with its cause, and nothing else is printed."""
    monkeypatch.setattr("skillbook.mcp_client.CONNECT", 2.0)
    code = "import os, time; os.write(1, b'\\xff\\n'); time.sleep(60)"
    kit = asyncio.run(
        create_toolkit(mcp_servers={"x": {"command": sys.executable, "args": ["-c", code]}})
    )
    gc.collect()
    assert kit.failures["x"].startswith("UnicodeDecodeError: ")
    assert capfd.readouterr().err == ""


def test_slow_call() -> None:
    """A call that takes longer than the server's timeout is an error result."""

    async def host() -> ToolResult:
        slow = {"command": sys.executable, "args": ["-c", SLOW], "timeout": 0.5}
        async with await create_toolkit(mcp_servers={"slow": slow}) as kit:
            return await kit.execute("slow_env", {})

    start = time.monotonic()
    result = asyncio.run(host())
    assert time.monotonic() - start < 20
    assert result.is_error
    assert "the server 'slow' failed: " in result.output


SLOW = STDIO.replace(
    "    if params.arguments.get", "    await asyncio.sleep(30)\n    if params.arguments.get"
)


def test_server_over_http() -> None:
    """A server is reached by its URL, with headers."""
    import socket

    import uvicorn

    seen: list[str | None] = []

    async def list_tools(ctx: Any, _params: Any) -> types.ListToolsResult:
        seen.append(ctx.request.headers.get("x-key"))
        return types.ListToolsResult(tools=[types.Tool(name="t", input_schema={"type": "object"})])

    demo = Server("http", on_list_tools=list_tools)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        app = demo.streamable_http_app()
        web = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=lambda: web.run(sockets=[listening]), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{port}/mcp"

        async def host() -> list[list[str]]:
            servers = {"a": {"url": url}, "b": {"url": url, "headers": {"x-key": "k"}}}
            async with await create_toolkit(mcp_servers=servers) as kit:
                return [names(kit), list(kit.failures)]

        assert asyncio.run(host()) == [["a_t", "b_t"], []]
        web.should_exit = True
        thread.join(10)
    assert set(seen) == {None, "k"}


def test_without_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the SDK a server is a failure that says what to install; the rest is there."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    kit = made(tools=[add], mcp_servers={"x": {"command": "y"}})
    assert names(kit) == ["add"]
    assert (
        kit.failures["x"]
        == "MCP needs the official SDK, 2.0 or later: pip install 'skillbook[mcp]'"
    )
