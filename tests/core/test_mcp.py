"""Serving skills over MCP: what is offered, in this process and over stdio in another."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client

import skillbook.mcp
from skillbook import MissingDependency, SkillDef, load_skills
from skillbook.mcp import make_server, mcp_command, offer, serve_mcp
from skillbook.wrapper import skill_wrapper
from trees import build, skill

TREE = {
    "greet/SKILL.md": skill("greet", "Greets people.", "# Greet\n"),
    "greet/references/guide.md": "a\nb\nc\n",
    "greet/assets/dot.png": b"\x89PNG\0\xff",
    "greet/scripts/greet.py": (
        "# Usage: greet.py <name>\nimport os, sys\nprint('Hello,', sys.argv[1])\n"
        "print(os.environ.get('SKILLBOOK_USING_MCP'), 'SECRET' in os.environ)\n"
    ),
    "greet/scripts/slow.sh": "echo $$ > pid\nsleep 60\n",
    "plain/SKILL.md": skill("plain", "Is plain."),
    "shy/SKILL.md": "---\nname: shy\n---\nBody.\n",
}


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """A root with three skills, one with files and scripts, one without a description."""
    return build(tmp_path / "skills", TREE)


def ask(what: Any, question: Callable[[Client], Awaitable[Any]], **given: Any) -> Any:
    """Asks a server in this process something."""
    return asked(make_server(offer(what, **given)), question)


def asked(server: Any, question: Callable[[Client], Awaitable[Any]]) -> Any:
    """Asks a server; an error in the answer is raised as it is, not as one of a group."""

    async def host() -> tuple[Any, Exception | None]:
        async with Client(server) as client:
            try:
                return await question(client), None
            except MCPError as error:
                return None, error

    answer, error = asyncio.run(host())
    if error is not None:
        raise error
    return answer


def ask_process(question: Callable[[Client], Awaitable[Any]], *args: str, **env: str) -> Any:
    """Asks a server in another process something, over stdio, with the SDK's own client."""
    code = "from skillbook.mcp import mcp_command; mcp_command()"
    parameters = StdioServerParameters(
        command=sys.executable, args=["-c", code, *args], env={**os.environ, **env}
    )

    with open(os.devnull, "w") as log:
        return asked(stdio_client(parameters, errlog=log), question)


async def tool_names(client: Client) -> list[str]:
    """Lists the tools."""
    return [tool.name for tool in (await client.list_tools()).tools]


async def text(client: Client, tool: str, args: dict[str, Any]) -> tuple[bool, str]:
    """Calls a tool; returns whether it failed, and its text."""
    result = await client.call_tool(tool, args)
    return result.is_error, result.content[0].text


async def uris(client: Client) -> list[str]:
    """Lists all resources."""
    found: list[str] = []
    cursor = None
    while True:
        page = await client.list_resources(cursor=cursor)
        found += [resource.uri for resource in page.resources]
        cursor = page.next_cursor
        if cursor is None:
            return found


# --- over stdio, in a separate process -----------------------------------------------------------


def test_stdio_skill_tool(skills: Path) -> None:
    """A client lists the skill tool, loads a skill, and gets prompt and files."""

    async def question(client: Client) -> None:
        assert await tool_names(client) == ["skill"]
        source = load_skills(skills)
        assert client.instructions == source.prompt()
        failed, loaded = await text(client, "skill", {"name": "greet"})
        assert (failed, loaded) == (False, source.tool.call({"name": "greet"}).output)
        failed, missed = await text(client, "skill", {"name": "x"})
        assert (failed, missed) == (
            True,
            'Skill "x" not found. Available skills: greet, plain, shy',
        )
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["skills"]
        prompt = await client.get_prompt("skills")
        assert [message.content.text for message in prompt.messages] == [source.prompt()]
        assert await uris(client) == [
            "skill://greet/SKILL.md",
            "skill://greet/assets/dot.png",
            "skill://greet/references/guide.md",
            "skill://greet/scripts/greet.py",
            "skill://greet/scripts/slow.sh",
            "skill://plain/SKILL.md",
            "skill://shy/SKILL.md",
        ]
        (content,) = (await client.read_resource("skill://greet/references/guide.md")).contents
        assert (content.text, content.mime_type) == ("a\nb\nc\n", "text/markdown")

    ask_process(question, str(skills))


def test_stdio_pairs(skills: Path) -> None:
    """With --pairs and --allow-run a client loads, reads and runs, each skill by its own tools."""

    async def question(client: Client) -> None:
        assert await tool_names(client) == [
            "skill_load__greet",
            "skill_run__greet",
            "skill_load__plain",
            "skill_load__shy",
        ]
        failed, early = await text(client, "skill_run__greet", {"file_name": "greet.py"})
        assert failed
        assert "greet.py is not given <name>, so it was not run." in early
        assert 'call skill_load__greet with {"action": "readme"}' in early
        failed, readme = await text(client, "skill_load__greet", {})
        assert (failed, readme.splitlines()[0]) == (False, "# Greet")
        assert "- greet.py <name>" in readme
        page = {"action": "reference", "file_name": "guide.md", "line_start": 2, "n_lines": 1}
        assert (await text(client, "skill_load__greet", page))[1] == (
            "references/guide.md: lines 2-2 of 3\nb"
        )
        failed, ran = await text(
            client, "skill_run__greet", {"file_name": "greet.py", "args": ["World"]}
        )
        assert (failed, ran) == (
            False,
            "## stdout\nHello, World\nTRUE True\n\n## stderr\n\nExit code: 0",
        )
        assert (await text(client, "skill_run__greet", {"file_name": "greet.py"}))[1] == (
            "greet.py is not given <name>, so it was not run. Usage: greet.py <name>"
        )

    ask_process(question, str(skills), "--pairs", "--allow-run", SECRET="1")


def test_stdio_options(skills: Path) -> None:
    """The environment can be kept from scripts, and their time set."""

    async def question(client: Client) -> None:
        _, ran = await text(client, "skill_run__greet", {"file_name": "greet.py", "args": ["W"]})
        assert "TRUE False\n" in ran
        failed, slow = await text(client, "skill_run__greet", {"file_name": "slow.sh"})
        assert failed
        assert "(timed out after 0.5 s;" in slow

    options = ("--pairs", "--allow-run", "--clean-env", "--timeout", "0.5")
    ask_process(question, str(skills), *options, SECRET="1")


def test_stdio_without_allow_run(skills: Path) -> None:
    """With --pairs alone nothing can run, and the readme says so."""

    async def question(client: Client) -> None:
        assert await tool_names(client) == [
            "skill_load__greet",
            "skill_load__plain",
            "skill_load__shy",
        ]
        assert "They cannot be run here" in (await text(client, "skill_load__greet", {}))[1]
        with pytest.raises(MCPError, match='Tool "skill_run__greet" not found'):
            await client.call_tool("skill_run__greet", {"file_name": "greet.py", "args": ["W"]})

    ask_process(question, str(skills), "--pairs")


def gone(pid: int) -> bool:
    """Waits for a process to be gone."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_script_ends_with_its_client(skills: Path) -> None:
    """When the client leaves while a script runs, the script is ended."""

    async def question(client: Client) -> None:
        call = client.call_tool("skill_run__greet", {"file_name": "slow.sh"})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(call, 2)

    ask_process(question, str(skills), "--pairs", "--allow-run")
    assert gone(int((skills / "greet" / "pid").read_text()))


class Raw:
    """A server process whose streams are read as they are."""

    def __init__(self, *args: str) -> None:
        code = "from skillbook.mcp import mcp_command; mcp_command()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def send(self, number: int, method: str, **params: Any) -> None:
        """Sends one request."""
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def start(self) -> dict[str, Any]:
        """Shakes hands as an older client does; returns the answer."""
        self.send(
            1,
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "t", "version": "1"},
        )
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        assert self.process.stdin is not None
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self.process.stdin.write(json.dumps(note) + "\n")
        self.process.stdin.flush()
        return answer["result"]


def test_logs_go_to_stderr_only(skills: Path) -> None:
    """All that comes on stdout is the protocol; warnings and logs come on stderr."""
    build(skills, {"twice/SKILL.md": skill("greet")})
    raw = Raw(str(skills), "--pairs", "--allow-run")
    assert raw.start()["serverInfo"]["name"] == "skillbook"
    raw.send(
        2, "tools/call", name="skill_run__greet", arguments={"file_name": "greet.py", "args": ["W"]}
    )
    raw.send(3, "no/such/method")
    out, err = "", ""
    assert raw.process.stdout is not None
    lines = [raw.process.stdout.readline() for _ in range(2)]
    out, err = raw.process.communicate(timeout=20)
    lines += out.splitlines()
    assert sorted(json.loads(line)["id"] for line in lines if line) == [2, 3]
    assert "SkillWarning: 1 skill skipped for a name that is taken" in err
    assert "skillbook: 3 skills, 4 tools over stdio" in err
    assert raw.process.returncode == 0


def test_script_ends_with_the_server(skills: Path) -> None:
    """When the server is told to end, a script that it runs is ended first."""
    raw = Raw(str(skills), "--pairs", "--allow-run")
    raw.start()
    raw.send(2, "tools/call", name="skill_run__greet", arguments={"file_name": "slow.sh"})
    pid_file = skills / "greet" / "pid"
    deadline = time.monotonic() + 10
    while not (pid_file.exists() and pid_file.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    raw.process.send_signal(signal.SIGTERM)
    raw.process.communicate(timeout=20)
    assert gone(int(pid_file.read_text()))


# --- what is offered -----------------------------------------------------------------------------


def test_pairs_prompt(skills: Path) -> None:
    """The prompt of pairs names each described skill's tool, one line a skill."""
    build(
        skills,
        {
            "two/SKILL.md": skill("two", "Two\n  lines.").replace(
                "Two\n  lines.", "|\n  Two\n  lines."
            )
        },
    )
    assert offer(skills, pairs=True).prompt == (
        "Skills provide specialized instructions and workflows for specific tasks.\n"
        "Call the tool named beside a skill to load it when a task matches its description.\n"
        "\n"
        "## Available Skills\n"
        "- **greet** (`skill_load__greet`): Greets people.\n"
        "- **plain** (`skill_load__plain`): Is plain.\n"
        "- **two** (`skill_load__two`): Two lines."
    )
    empty = build(skills.parent / "empty", {})
    assert offer(empty, pairs=True).prompt == "No skills are currently available."


def test_folders_of_one_name(tmp_path: Path) -> None:
    """Skills whose folders share a name have tools of their own names; none is lost."""
    long = "x" * 60
    tree = {
        f"{above}/{folder}/SKILL.md": skill(f"{above}-{folder}")
        for above in "abc"
        for folder in ("same", long)
    }
    found = list(offer(build(tmp_path, tree), pairs=True).tools)
    assert sorted(found) == sorted(
        [f"skill_load__same{ending}" for ending in ("", "_2", "_3")]
        + [f"skill_load__{'x' * 52}", f"skill_load__{'x' * 50}_2", f"skill_load__{'x' * 50}_3"]
    )
    assert max(map(len, found)) == 64


def test_wrappers(skills: Path) -> None:
    """Wrappers are offered as pairs; their scripts run only where that is allowed."""
    one = skill_wrapper(skills / "greet", timeout=7)
    assert list(offer(one).tools) == ["skill_load__greet"]
    both = [one, skill_wrapper(skills / "plain")]
    offered = offer(both, allow_run=True)
    assert list(offered.tools) == ["skill_load__greet", "skill_run__greet", "skill_load__plain"]
    assert list(offered.skills) == ["greet", "plain"]
    call = {"file_name": "greet.py", "args": ["W"]}
    assert "TRUE" in offered.tools["skill_run__greet"].call(call).output
    assert "None" in one().run(**call).output  # type: ignore[misc]


def test_confirm_of_a_wrapper(skills: Path) -> None:
    """Over MCP too, a wrapper's own question is asked before each run."""
    wrapper = skill_wrapper(skills / "greet", confirm=lambda _: False)
    call = {"file_name": "greet.py", "args": ["W"]}
    failed, said = ask(
        wrapper, lambda client: text(client, "skill_run__greet", call), allow_run=True
    )
    assert failed
    assert said.startswith("'scripts/greet.py' was not run: it was not confirmed")


def test_data_skills(skills: Path) -> None:
    """Data skills come by the skill tool, beside the pairs of the others; their text is a resource."""
    source = load_skills(
        skills, skills=[SkillDef("data", "Data body.", "Is data.", resources=("a.md",))]
    )

    async def question(client: Client) -> None:
        assert (await tool_names(client))[-1] == "skill"
        assert "Data body." in (await text(client, "skill", {"name": "data"}))[1]
        assert (await text(client, "skill", {"name": "greet"}))[0]
        assert "- **data** (`skill`): Is data." in client.instructions
        (content,) = (await client.read_resource("skill://data/SKILL.md")).contents
        assert content.text == "Data body."
        assert "skill://data/a.md" not in await uris(client)

    ask(source, question, pairs=True)


def test_running_needs_pairs(skills: Path) -> None:
    """The skill tool runs nothing, so asking for it is an error."""
    with pytest.raises(ValueError, match="pass pairs=True with allow_run=True"):
        offer(skills, allow_run=True)
    result = CliRunner().invoke(mcp_command, [str(skills), "--allow-run"])
    assert result.exit_code == 2
    assert "--allow-run needs --pairs" in result.output


@pytest.mark.parametrize("timeout", ["inf", "nan", "1e12", "0"])
def test_command_checks_its_timeout(skills: Path, timeout: str) -> None:
    """The command refuses a number of seconds that no script can have."""
    result = CliRunner().invoke(mcp_command, [str(skills), "--timeout", timeout])
    assert result.exit_code == 2
    assert "Error: " in result.output


def test_command_checks_its_folders(tmp_path: Path) -> None:
    """The command refuses a folder that is not there, and none at all."""
    assert "does not exist" in CliRunner().invoke(mcp_command, [str(tmp_path / "x")]).output
    assert "Missing argument" in CliRunner().invoke(mcp_command, []).output


def test_annotations(skills: Path) -> None:
    """A client is told which tools only read."""

    async def question(client: Client) -> dict[str, Any]:
        tools = (await client.list_tools()).tools
        return {tool.name: tool.annotations.read_only_hint for tool in tools if tool.annotations}

    hints = ask(skills, question, pairs=True, allow_run=True)
    assert (hints["skill_load__greet"], hints["skill_run__greet"]) == (True, False)


# --- resources -----------------------------------------------------------------------------------


def test_resources_read(skills: Path) -> None:
    """Text comes as text, other bytes as base64, each with its type; an edit shows at once."""

    async def question(client: Client) -> list[Any]:
        read = [await client.read_resource(uri) for uri in await uris(client)]
        (skills / "plain" / "SKILL.md").write_text("new")
        return [*read, await client.read_resource("skill://plain/SKILL.md")]

    read = [item.contents[0] for item in ask(skills, question)]
    assert read[0].text == TREE["greet/SKILL.md"]
    assert (base64.b64decode(read[1].blob), read[1].mime_type) == (b"\x89PNG\0\xff", "image/png")
    assert [item.mime_type for item in read[2:4]] == ["text/markdown", "text/x-python"]
    assert read[-1].text == "new"


NONE = [
    "skill://greet/../plain/SKILL.md",
    "skill://greet/%2e%2e/plain/SKILL.md",
    "skill://greet//etc/passwd",
    "skill://greet/.env",
    "skill://greet/link.md",
    "skill://greet/nope.md",
    "skill://greet",
    "skill://nobody/SKILL.md",
    "file:///etc/passwd",
    "greet/SKILL.md",
    "",
]


@pytest.mark.parametrize("uri", NONE)
def test_no_such_resource(skills: Path, uri: str) -> None:
    """Nothing but what is listed can be read: no path and no link leads out of a skill."""
    build(skills, {"greet/.env": "secret", "greet/link.md": {"link": "../../out.md"}})
    build(skills.parent, {"out.md": "secret"})
    with pytest.raises(MCPError, match="there is no resource"):
        ask(skills, lambda client: client.read_resource(uri))


def test_resources_that_cannot_be_read(skills: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is too large, and a skill that has gone, are errors that say so."""
    monkeypatch.setattr(skillbook.mcp, "MAX_RESOURCE", 4)
    with pytest.raises(MCPError, match="of skill 'greet' is over"):
        ask(skills, lambda client: client.read_resource("skill://greet/references/guide.md"))
    source = load_skills(skills)
    for path in (skills / "plain").iterdir():
        path.unlink()
    with pytest.raises(MCPError, match="of skill 'plain' cannot be read: it does not exist"):
        ask(source, lambda client: client.read_resource("skill://plain/SKILL.md"))


def test_odd_names(tmp_path: Path) -> None:
    """Names with any characters make URIs that can be read back."""
    names = ["kit:pdf", "a/b", "ä ö%20", "#?&"]
    tree = {
        f"s{number}/{part}": content
        for number, name in enumerate(names)
        for part, content in (("SKILL.md", skill(json.dumps(name))), ("ä b#?.md", name))
    }

    async def question(client: Client) -> list[str]:
        found = [uri for uri in await uris(client) if not uri.endswith("SKILL.md")]
        return [(await client.read_resource(uri)).contents[0].text for uri in found]

    assert ask(build(tmp_path, tree), question) == names


def test_pages(tmp_path: Path) -> None:
    """Very many resources come in pages; each is listed once."""
    files = {f"many/{number:04}.md": "" for number in range(1200)}
    tree = {**files, "many/SKILL.md": skill("many")}
    tree |= {f"s{number:03}/SKILL.md": skill(f"s{number:03}") for number in range(400)}

    async def question(client: Client) -> tuple[int, list[str]]:
        first = await client.list_resources()
        return len(first.resources), await uris(client)

    first, found = ask(build(tmp_path, tree), question)
    assert first == 500
    assert (len(found), len(set(found))) == (1601, 1601)


@pytest.mark.parametrize("cursor", ["x", "1", "1.2.3", "a.b"])
def test_wrong_cursor(skills: Path, cursor: str) -> None:
    """A cursor that the server did not give is an error."""
    with pytest.raises(MCPError, match="is none that this server gave"):
        ask(skills, lambda client: client.list_resources(cursor=cursor))


@pytest.mark.parametrize("cursor", ["99.0", "-5.0", "0.-5"])
def test_cursor_elsewhere(skills: Path, cursor: str) -> None:
    """A cursor past the end, or before the start, gives a page of what is there."""
    page = ask(skills, lambda client: client.list_resources(cursor=cursor))
    assert len(page.resources) == (0 if cursor == "99.0" else 7)


def test_unknown_prompt(skills: Path) -> None:
    """An unknown prompt is an error that says which there is."""
    with pytest.raises(MCPError, match=r'Prompt "x" not found\. Available prompts: skills'):
        ask(skills, lambda client: client.get_prompt("x"))


def test_without_the_sdk(skills: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the SDK, serving says what to install."""
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    with pytest.raises(MissingDependency, match=r"pip install 'skillbook\[mcp\]'"):
        serve_mcp(skills)


def test_wrong_arguments(skills: Path) -> None:
    """Options of the wrong value raise before anything is served."""
    with pytest.raises(ValueError, match="env is 'x'"):
        serve_mcp(skills, env="x")
    with pytest.raises(TypeError):
        serve_mcp(5)


@pytest.mark.corpus
def test_corpus(corpus: Path) -> None:
    """Every real skill is offered as a pair, and each of its files as a resource."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = load_skills(corpus)

    async def question(client: Client) -> None:
        tools = await tool_names(client)
        assert sum(name.startswith("skill_load__") for name in tools) == len(source)
        assert len(set(tools)) == len(tools)
        found = await uris(client)
        assert len(found) == sum(1 + len(info.files()) for info in source.values())
        for uri in found[::50]:
            assert (await client.read_resource(uri)).contents

    ask(source, question, pairs=True, allow_run=True)
