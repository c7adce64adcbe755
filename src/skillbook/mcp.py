"""Serving skills over MCP: ``serve_mcp`` and the command ``skillbook mcp``.

A server offers the ``skill`` tool, or a load and run pair for each skill; the prompt; and every
skill's files as resources. What it says beside the protocol goes to stderr.

Imports ``disk``, ``pair``, ``prompt``, ``scripts``, ``source``, ``tool``,
``words`` and ``wrapper``. Needs the extra ``mcp``; the SDK
is imported inside functions.
"""

from __future__ import annotations

import base64
import mimetypes
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import click

from skillbook import disk
from skillbook.errors import MissingDependency, SkillReadError
from skillbook.model import SkillInfo
from skillbook.pair import LOAD, LONGEST_NAME, RunOptions, tool_name
from skillbook.prompt import NO_SKILLS
from skillbook.scripts import TIMEOUT, check_options
from skillbook.source import SkillSource, load_skills
from skillbook.tool import Tool, not_found, skill_tool
from skillbook.words import count
from skillbook.wrapper import SkillTools, SkillWrapper

if TYPE_CHECKING:
    from mcp.server import Server

SCHEME = "skill://"
MAX_RESOURCE = 10_000_000
"""Bytes of a file that a resource may have."""

_PAGE = 500
_PROMPT = "skills"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server offers.

    Attributes:
        skills: the skills by name.
        tools: the tools by name.
        prompt: the text for the system prompt.
    """

    skills: Mapping[str, SkillInfo]
    tools: Mapping[str, Tool]
    prompt: str


def offer(
    what: Any, *, pairs: bool = False, allow_run: bool = False, options: RunOptions | None = None
) -> Offer:
    """Returns what a server offers of some skills.

    Args:
        what: a source; roots, as ``load_skills`` takes them; or a skill wrapper or several.
        pairs: whether each skill has its load and run pair, instead of the one ``skill`` tool;
            wrappers always have.
        allow_run: whether scripts may run.
        options: how scripts of a source run; wrappers bring their own.

    Raises:
        TypeError: when ``what`` is none of these.
        ValueError: when scripts are to run without pairs.
    """
    wrappers = _wrappers(what)
    loose: dict[str, SkillInfo] = {}
    if wrappers is None:
        source = what if isinstance(what, SkillSource) else load_skills(what)
        if allow_run and not pairs:
            raise ValueError("running scripts needs the pairs; pass pairs=True with allow_run=True")
        if not pairs:
            return Offer(source.skills, {source.tool.name: source.tool}, source.prompt())
        # A data skill has no folder to run anything from: the skill tool gives it.
        loose = {name: skill for name, skill in source.skills.items() if skill.folder is None}
        wrappers = [
            SkillWrapper(skill, options=options)
            for name, skill in source.skills.items()
            if name not in loose
        ]
    made = [_pair(wrapper, allow_run) for wrapper in _named_apart(wrappers)]
    tools = {tool.name: tool for pair in made for tool in pair}
    named = [(pair.skill, pair.load.name) for pair in made]
    if loose:
        tool = skill_tool(loose)
        tools[tool.name] = tool
        named += [(skill, tool.name) for skill in loose.values()]
    return Offer({skill.name: skill for skill, _ in named}, tools, _pairs_prompt(named))


def _wrappers(what: Any) -> list[SkillWrapper] | None:
    """Returns wrappers where these were given, or None."""
    if isinstance(what, SkillWrapper):
        return [what]
    if isinstance(what, (str, os.PathLike, SkillSource)) or not isinstance(what, Iterable):
        return None
    items = list(what)
    return items if items and all(isinstance(item, SkillWrapper) for item in items) else None


def _named_apart(wrappers: Iterable[SkillWrapper]) -> Iterator[SkillWrapper]:
    """Yields wrappers whose tools have names of their own.

    Folders in different places can share a name, and names that differ in a letter that no tool's
    name may hold become one.
    """
    taken: set[str] = set()
    for wrapper in wrappers:
        longest = LONGEST_NAME - len(LOAD)
        name, number = wrapper.name, 1
        while name in taken:
            number += 1
            ending = f"_{number}"
            name = tool_name(wrapper.name, longest - len(ending)) + ending
        taken.add(name)
        yield SkillWrapper(wrapper.skill, name=name, options=wrapper.options)


def _pair(wrapper: SkillWrapper, allow_run: bool) -> SkillTools:
    over_mcp = SkillWrapper(
        wrapper.skill, name=wrapper.name, options=replace(wrapper.options, over_mcp=True)
    )
    return over_mcp(run=allow_run)


def _pairs_prompt(named: Iterable[tuple[SkillInfo, str]]) -> str:
    """Returns the prompt where each skill has a tool: one line a described skill, with the tool."""
    lines = [
        f"- **{skill.name}** (`{tool}`): {' '.join(skill.description.split())}"
        for skill, tool in sorted(named, key=lambda item: item[0].name)
        if skill.description
    ]
    if not lines:
        return NO_SKILLS
    preamble = (
        "Skills provide specialized instructions and workflows for specific tasks.\n"
        "Call the tool named beside a skill to load it when a task matches its description."
    )
    return "\n".join((preamble, "", "## Available Skills", *lines))


# --- the server --------------------------------------------------------------------------------


def make_server(offered: Offer, *, name: str = "skillbook") -> Server[Any]:
    """Returns the SDK's server for an offer; its ``Client`` can connect to it in this process.

    Args:
        offered: see :func:`offer`.
        name: the server's name.

    Raises:
        MissingDependency: when the SDK is not there.
    """
    try:
        import mcp_types as types  # noqa: PLC0415 - the extra
        from mcp.server import Server  # noqa: PLC0415
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415
    except ImportError:
        raise MissingDependency(
            "MCP needs the official SDK, 2.0 or later: pip install 'skillbook[mcp]'"
        ) from None
    import asyncio  # noqa: PLC0415 - the SDK has loaded it

    from skillbook import __version__  # noqa: PLC0415

    def wrong(message: str) -> MCPError:
        return MCPError(types.INVALID_PARAMS, message)

    async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_listed(tool) for tool in offered.tools.values()])

    async def call_tool(_ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = offered.tools.get(params.name)
        if tool is None:
            raise wrong(not_found(params.name, offered.tools, "Tool"))
        result = await tool.execute(params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=_utf8(result.output))], is_error=result.is_error
        )

    async def list_prompts(_ctx: Any, _params: Any) -> types.ListPromptsResult:
        about = "The skills that there are, for the system prompt."
        return types.ListPromptsResult(prompts=[types.Prompt(name=_PROMPT, description=about)])

    async def get_prompt(_ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != _PROMPT:
            raise wrong(not_found(params.name, {_PROMPT: None}, "Prompt"))
        content = types.TextContent(text=_utf8(offered.prompt))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def list_resources(
        _ctx: Any, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = params.cursor if params else None
        try:
            found, after = await asyncio.to_thread(_page, offered.skills, cursor)
        except ValueError as error:
            raise wrong(str(error)) from None
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=_uri(skill.name, path),
                    name=f"{skill.name}/{path}",
                    description=skill.description if path == "SKILL.md" else None,
                    mime_type=_mime(path),
                )
                for skill, path in found
            ],
            next_cursor=after,
        )

    async def read_resource(
        _ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = params.uri
        try:
            data, mime = await asyncio.to_thread(_read, offered.skills, uri)
        except SkillReadError as error:
            raise wrong(str(error)) from None
        contents: types.TextResourceContents | types.BlobResourceContents
        try:
            contents = types.TextResourceContents(uri=uri, mime_type=mime, text=data.decode())
        except UnicodeDecodeError:
            blob = base64.b64encode(data).decode()
            contents = types.BlobResourceContents(uri=uri, mime_type=mime, blob=blob)
        return types.ReadResourceResult(contents=[contents])

    def _listed(tool: Tool) -> types.Tool:
        reads = tool.source == "skill"
        return types.Tool(
            name=tool.name,
            description=_utf8(tool.description),
            input_schema=tool.input_schema,
            annotations=types.ToolAnnotations(read_only_hint=reads, open_world_hint=not reads),
        )

    return Server(
        name,
        version=__version__,
        instructions=_utf8(offered.prompt),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _uri(skill: str, path: str) -> str:
    return f"{SCHEME}{quote(_utf8(skill), safe='')}/{quote(path)}"


def _mime(path: str) -> str:
    if path.endswith(".md"):  # not in every system's table
        return "text/markdown"
    return mimetypes.guess_type(path)[0] or "application/octet-stream"


def _paths(skill: SkillInfo) -> tuple[str, ...]:
    """Returns what can be read of a skill: its ``SKILL.md``, and its files where it has a folder."""
    if skill.folder is None:
        return ("SKILL.md",)
    try:
        return ("SKILL.md", *skill.files())
    except SkillReadError:  # gone since: reading it says so
        return ("SKILL.md",)


def _page(
    skills: Mapping[str, SkillInfo], cursor: str | None
) -> tuple[list[tuple[SkillInfo, str]], str | None]:
    """Returns a page of resources, and the cursor of the next: a skill's number, a file's in it."""
    try:
        start, offset = map(int, (cursor or "0.0").split("."))
    except ValueError:
        raise ValueError(f"the cursor {cursor!r:.100} is none that this server gave") from None
    everything = list(skills.values())
    found: list[tuple[SkillInfo, str]] = []
    for number in range(max(0, start), len(everything)):
        skill = everything[number]
        paths = _paths(skill)[max(0, offset) :]
        room = _PAGE - len(found)
        found += [(skill, path) for path in paths[:room]]
        if len(paths) > room:
            return found, f"{number}.{max(0, offset) + room}"
        offset = 0
    return found, None


def _read(skills: Mapping[str, SkillInfo], uri: str) -> tuple[bytes, str]:
    """Returns a resource's bytes and type.

    Raises:
        SkillReadError: when there is none, or it cannot be read.
    """
    name, slash, path = uri.removeprefix(SCHEME).partition("/")
    skill = skills.get(unquote(name)) if uri.startswith(SCHEME) and slash else None
    path = unquote(path)
    # Only what the skill lists can be read, so no path leads out of it.
    if skill is None or path not in _paths(skill):
        raise SkillReadError(
            f"there is no resource {uri[:200]!r}; list the resources to see which are"
        )
    if skill.folder is None:
        return skill.content.encode("utf-8", "replace"), _mime(path)
    try:
        data = disk.read(os.path.join(skill.folder, path), MAX_RESOURCE)
    except OSError as error:
        raise SkillReadError(
            f"{path} of skill {skill.name!r} cannot be read: {disk.words(error)}"
        ) from error
    if len(data) > MAX_RESOURCE:
        raise SkillReadError(
            f"{path} of skill {skill.name!r} is over {MAX_RESOURCE // 1_000_000} MB"
        )
    return data, _mime(path)


# --- serving -----------------------------------------------------------------------------------


def serve_mcp(
    what: Any,
    *,
    pairs: bool = False,
    allow_run: bool = False,
    name: str = "skillbook",
    env: Any = "caller",
    timeout: float = TIMEOUT,
) -> None:
    """Serves skills over MCP on this process's standard streams, until the client leaves.

    Args:
        what: a source; roots, as ``load_skills`` takes them; or a skill wrapper or several.
        pairs: whether each skill has its load and run pair, instead of the one ``skill`` tool;
            wrappers always have.
        allow_run: whether the client may run the skills' scripts, with the rights of this process.
        name: the server's name.
        env: the environment of scripts, ``caller`` or ``clean``; wrappers bring their own.
        timeout: how long a script may take, in seconds; wrappers bring their own.

    Raises:
        MissingDependency: when the SDK is not there.
        TypeError, ValueError: when an argument is of the wrong type or value.
    """
    check_options(env, timeout, 1)
    offered = offer(
        what, pairs=pairs, allow_run=allow_run, options=RunOptions(env=env, timeout=timeout)
    )
    server = make_server(offered, name=name)
    import asyncio  # noqa: PLC0415 - only needed to serve

    asyncio.run(_serve(server, offered))


async def _serve(server: Server[Any], offered: Offer) -> None:
    import asyncio  # noqa: PLC0415
    import contextlib  # noqa: PLC0415
    import signal  # noqa: PLC0415

    from mcp.server.stdio import stdio_server  # noqa: PLC0415 - the extra

    this = asyncio.current_task()
    assert this is not None  # noqa: S101 - this runs in one
    with contextlib.suppress(NotImplementedError):  # on Windows
        # A script has a process group of its own, so it must be ended before this process is.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    _say(f"{count(len(offered.skills), 'skill')}, {count(len(offered.tools), 'tool')} over stdio")
    with contextlib.suppress(asyncio.CancelledError):
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())


def _say(text: str) -> None:
    """Says something to the person who started the server; stdout is the protocol's."""
    click.echo(f"skillbook: {text}", file=sys.stderr)


@click.command("mcp")
@click.argument(
    "folders",
    metavar="DIR...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False),
)
@click.option("--pairs", is_flag=True, help="Offer a load and run tool for each skill.")
@click.option(
    "--allow-run", is_flag=True, help="Let the client run the skills' scripts (with --pairs)."
)
@click.option("--clean-env", is_flag=True, help="Keep this process's environment from scripts.")
@click.option(
    "--timeout",
    default=TIMEOUT,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds that a script may take.",
)
def mcp_command(
    folders: tuple[str, ...], pairs: bool, allow_run: bool, clean_env: bool, timeout: float
) -> None:
    """Serve the skills in DIR to an MCP client, over the standard streams.

    Offers the skill tool, the prompt, and every skill's files as resources. Scripts run only with
    --allow-run, with your rights: allow it for skills that you trust.
    """
    if allow_run and not pairs:
        raise click.UsageError("--allow-run needs --pairs: the skill tool runs nothing")
    try:
        check_options("caller", timeout, 1)
    except ValueError as error:  # inf, nan
        raise click.UsageError(str(error)) from None
    serve_mcp(
        list(folders),
        pairs=pairs,
        allow_run=allow_run,
        env="clean" if clean_env else "caller",
        timeout=timeout,
    )
