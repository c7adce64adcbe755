"""Toolkits: the skill tool, Python functions, ready tools and MCP servers under one roof.

Imports ``functions``, ``mcp_client``, ``pair``, ``source``, ``tool`` and ``wrapper``; ``asyncio`` comes with
``mcp_client``, which is loaded when there are servers.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from skillbook.data_skill import data_skill
from skillbook.errors import told
from skillbook.functions import function_tool
from skillbook.model import Shown, SkillDef, visible
from skillbook.pair import brief
from skillbook.source import DataSkills, Dirs, SkillSource, load_skills, warn
from skillbook.tool import Tool, ToolResult, not_found
from skillbook.wrapper import SkillTools, SkillWrapper

if TYPE_CHECKING:
    from skillbook.mcp_client import Loop

SkillProvider = Callable[[], "DataSkills | Awaitable[DataSkills]"]


class Toolkit(Shown):
    """Tools from several places, each under a name of its own.

    Attributes:
        tools: the tools, in the order they were gathered.
        source: the skills behind the skill tool, or None.
        failures: the parts that gave nothing, and why.
    """

    __slots__ = ("_loop", "failures", "source", "tools")

    def __init__(
        self,
        tools: Iterable[Tool],
        *,
        source: SkillSource | None = None,
        failures: Mapping[str, str] | None = None,
        loop: Loop | None = None,
    ) -> None:
        """Makes a toolkit of what was gathered; :func:`create_toolkit` is the usual way."""
        self.tools = list(tools)
        self.source = source
        self.failures = dict(failures or {})
        self._loop = loop

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def __contains__(self, name: object) -> bool:
        return any(name in (tool, tool.name) for tool in self.tools)

    def __getitem__(self, name: str) -> Tool:
        for tool in self.tools:
            if tool.name == name:
                return tool
        raise KeyError(not_found(str(name), {tool.name: tool for tool in self.tools}, "Tool"))

    def __repr__(self) -> str:
        names = ", ".join(tool.name for tool in self.tools) or "none"
        lines = [f"<Toolkit: {len(self.tools)} tools: {names}>"]
        lines += [f"  failed: {part} ({why})" for part, why in self.failures.items()]
        return "\n".join(map(visible, lines))

    def _ipython_key_completions_(self) -> list[str]:
        return [tool.name for tool in self.tools]

    @property
    def skill_prompt(self) -> str:
        """The text for the system prompt; empty where no skill tool is here to be called."""
        if self.source is None or self.source.tool not in self.tools:
            return ""
        return self.source.prompt()

    async def execute(self, name: str, args: Any = None, ctx: Any = None) -> ToolResult:
        """Runs a tool by its name, as a host does.

        Args:
            name: the tool's name, as the model gave it.
            args: the raw arguments.
            ctx: the host's context, handed through.

        Returns:
            The result; an unknown name is an error result that says what there is.
        """
        tools = {tool.name: tool for tool in self.tools}
        tool = tools.get(name) if isinstance(name, str) else None
        if tool is None:
            asked = name if isinstance(name, str) else brief(name)
            return ToolResult(not_found(asked, tools, "Tool"), is_error=True)
        return await tool.execute({} if args is None else args, ctx)

    def to_openai(self) -> list[dict[str, Any]]:
        """Returns the tools as OpenAI's chat completions take them."""
        return [tool.to_openai() for tool in self.tools]

    def to_anthropic(self) -> list[dict[str, Any]]:
        """Returns the tools as Anthropic's messages API takes them."""
        return [tool.to_anthropic() for tool in self.tools]

    def to_gemini(self) -> list[dict[str, Any]]:
        """Returns the tools as Gemini function declarations."""
        return [tool.to_gemini() for tool in self.tools]

    def to_dict(self) -> dict[str, Any]:
        """Returns tools, failures and prompt as a JSON-safe mapping."""
        return {
            "tools": [tool.to_dict() for tool in self.tools],
            "failures": dict(self.failures),
            "skill_prompt": self.skill_prompt,
        }

    async def close(self) -> None:
        """Ends the connections to MCP servers; their tools then give error results."""
        if self._loop is not None:
            await self._loop.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


async def create_toolkit(
    *,
    skills_dir: Dirs = None,
    skills: DataSkills | None = None,
    skill_provider: SkillProvider | None = None,
    skills_filter: Mapping[str, bool] | None = None,
    skill_sample_limit: int = 0,
    tools: Iterable[Tool | SkillTools | SkillWrapper | Callable[..., Any]] = (),
    mcp_servers: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    disable_tools: Iterable[str] = (),
) -> Toolkit:
    """Gathers tools from several places under one roof.

    The order is: the skill tool, then ``tools``, then the tools of MCP servers. Of two tools with
    one name the first wins, with a warning. A part that fails (the provider, a function without a
    usable schema, a server) is named in ``toolkit.failures``, and all others are there.

    Args:
        skills_dir: one root of skills or several.
        skills: data skills.
        skill_provider: a callable without arguments that gives data skills; may be async.
        skills_filter: names of skills to True or False, as ``load_skills`` takes it.
        skill_sample_limit: how many sibling files an envelope lists, as ``load_skills`` takes it.
        tools: Python functions (the schema comes from type hints and docstring), ready tools, and
            the pairs of a skill wrapper.
        mcp_servers: names to servers: ``{"command": …, "args": […]}``, ``{"url": …}``, or what the
            SDK's client takes; or the path of a JSON file with ``mcpServers``. Their tools are
            named ``<server>_<tool>``.
        disable_tools: names of tools to leave out.

    Returns:
        The toolkit, to be closed by ``async with`` or ``close()`` when it has servers.

    Raises:
        TypeError, ValueError: when an argument is of the wrong type or value.
    """
    given = _given(tools)
    servers = _servers(mcp_servers)
    disabled = _names(disable_tools)
    failures: dict[str, str] = {}
    source = None
    if skills_dir is not None or skills is not None or skill_provider is not None:
        provided = await _provided(skill_provider, failures)
        source = load_skills(
            skills_dir,
            skills=[*(skills or ()), *provided] if provided else skills,
            filter=skills_filter,
            sample_limit=skill_sample_limit,
        )
    found = [source.tool] if source is not None else []
    for item in given:
        if isinstance(item, Tool):
            found.append(item)
            continue
        try:
            found.append(function_tool(item))
        except Exception as error:  # noqa: BLE001 - a stranger's hints: whatever they raise
            name = getattr(item, "__name__", type(item).__name__)
            failures[_free(name, failures)] = f"no schema could be made: {told(error)}"
    loop = None
    if servers:
        remote, loop = await _connected(servers, failures)
        found += remote
    return Toolkit(_unique(found, disabled), source=source, failures=failures, loop=loop)


def _given(tools: Any) -> list[Tool | Callable[..., Any]]:
    """Returns ready tools and functions, pairs taken apart."""
    if isinstance(tools, (str, Mapping, Tool, SkillTools, SkillWrapper)) or not isinstance(
        tools, Iterable
    ):
        raise TypeError(f"tools is {tools!r}; pass a list of functions and tools")
    found: list[Tool | Callable[..., Any]] = []
    for item in tools:
        if isinstance(item, SkillWrapper):
            found += item()
        elif isinstance(item, SkillTools):
            found += item
        elif callable(item):  # a Tool is, too
            found.append(item)
        else:
            raise TypeError(f"tools holds {item!r}; pass functions and tools")
    return found


def _servers(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    from skillbook.mcp_client import server_settings  # noqa: PLC0415 - loads asyncio

    return server_settings(given)


def _names(given: Any) -> list[str]:
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"disable_tools is {given!r}; pass a list of names")
    return list(given)


async def _provided(provider: Any, failures: dict[str, str]) -> list[SkillDef]:
    """Calls the provider once; what goes wrong there is a failure of that part alone."""
    if provider is None:
        return []
    if not callable(provider):
        raise TypeError(
            f"skill_provider is {provider!r}; pass a callable without arguments that gives data skills"
        )
    found: list[SkillDef] = []
    try:
        given = provider()
        if inspect.isawaitable(given):
            given = await given
        if given is None or isinstance(given, (str, Mapping)):
            raise TypeError(f"it gave {given!r:.100}, not a list of data skills")  # noqa: TRY301
        for number, item in enumerate(given, 1):
            try:
                found.append(data_skill(item))
            except (TypeError, ValueError) as error:
                why = f"{told(error)} (item {number} of what it gave)"
                failures[_free("skill_provider", failures)] = why
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's code; the others load
        failures[_free("skill_provider", failures)] = told(error)
    return found


def _free(name: str, failures: Mapping[str, str]) -> str:
    """Returns a name for a failure that no other has: the name itself, else with a number."""
    number, free = 1, name
    while free in failures:
        number += 1
        free = f"{name} ({number})"
    return free


async def _connected(
    servers: Mapping[str, Any], failures: dict[str, str]
) -> tuple[list[Tool], Loop | None]:
    """Connects to the servers, all at once; each that fails is named."""
    import asyncio  # noqa: PLC0415 - loaded where it is used

    from skillbook.mcp_client import Loop, connect  # noqa: PLC0415

    wanted = {name: server for name, server in servers.items() if not _is_disabled(server)}
    loop = Loop()
    try:
        answers = await asyncio.gather(
            *(connect(name, server, loop) for name, server in wanted.items()),
            return_exceptions=True,
        )
    except BaseException:  # the stop button: nothing may stay connected
        await loop.close()
        raise
    found: list[Tool] = []
    for name, answer in zip(wanted, answers, strict=True):
        if isinstance(answer, list):
            found += answer
        else:
            failures[_free(name, failures)] = str(answer) or type(answer).__name__
    if not any(isinstance(answer, list) for answer in answers):
        await loop.close()
        return [], None
    return found, loop


def _is_disabled(server: Any) -> bool:
    return isinstance(server, Mapping) and server.get("disabled") is True


def _unique(tools: Iterable[Tool], disabled: list[str]) -> list[Tool]:
    """Returns the tools without those that are disabled, or whose name is taken."""
    kept: dict[str, Tool] = {}
    doubles: dict[str, None] = {}
    met = set()
    for tool in tools:
        met.add(tool.name)
        if tool.name in disabled:
            continue
        if tool.name in kept:
            doubles[tool.name] = None
        else:
            kept[tool.name] = tool
    if doubles:
        warn(f"tools with a name that is taken were left out: {', '.join(doubles)}")
    unknown = [name for name in disabled if name not in met]
    if unknown:
        warn(
            f"disable_tools names tools that are not there: {', '.join(unknown)} (there are:"
            f" {', '.join(sorted(met)[:20]) or 'none'})"
        )
    return list(kept.values())
