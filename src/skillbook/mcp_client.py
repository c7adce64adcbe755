"""The tools of MCP servers, as tools of ours.

Connections live on the loop of a background thread: the SDK ties a connection to the task that
opened it, and a notebook's cell runs inside a loop of its own, which must stay free to wait.

Imports ``pair`` for names of tools, ``tool`` and errors. Needs the extra ``mcp``; the SDK is
imported inside functions.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from typing import IO, Any, TypeVar

from skillbook.errors import MissingDependency, SkillbookError, told, told_whole
from skillbook.pair import tool_name
from skillbook.tool import Tool, ToolResult

CONNECT = 30.0
"""Seconds that a server may take to start and to list its tools."""

CALL = 300.0
"""Seconds that a call may take."""

_PAGES = 1000
_KEYS = ("command", "args", "env", "cwd", "url", "headers", "timeout", "disabled")
_IGNORED = ("type", "transport", "description")

T = TypeVar("T")


def need_mcp() -> None:
    """Checks that the SDK is there.

    Raises:
        MissingDependency: when it is not, or is older than 2.0.
    """
    try:
        from mcp import Client  # noqa: F401, PLC0415 - new in 2.0
    except ImportError:
        raise MissingDependency(
            "MCP needs the official SDK, 2.0 or later: pip install 'skillbook[mcp]'"
        ) from None


def server_settings(given: Any) -> dict[str, Any]:
    """Returns the servers by name, from a mapping or from a JSON file.

    Args:
        given: names to servers, or ``{"mcpServers": {…}}`` as other hosts have it, or the path of a
            JSON file that holds either.

    Raises:
        TypeError, ValueError: when it is none of these.
    """
    if isinstance(given, (str, os.PathLike)):
        try:
            with open(given, encoding="utf-8") as file:
                given = json.load(file)
        except (OSError, ValueError) as error:
            raise ValueError(f"mcp_servers cannot be read from the file: {error}") from error
    if isinstance(given, Mapping) and isinstance(given.get("mcpServers"), Mapping):
        given = given["mcpServers"]
    if not isinstance(given, Mapping):
        raise TypeError(
            f'mcp_servers is {given!r}; pass a mapping such as {{"name": {{"command": "…"}}}}'
        )
    return {str(name): server for name, server in given.items()}


class Loop:
    """A loop on a thread of its own, and what runs there until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="skillbook-mcp", daemon=True
        )
        self._thread.start()
        self._closers: list[Callable[[], Coroutine[Any, Any, None]]] = []

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Starts a coroutine there; the future can be waited for from any thread."""
        if self._loop.is_closed():
            work.close()
            raise SkillbookError("the toolkit is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def at_close(self, closer: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Notes what is awaited there when it is closed, the last first."""
        self._closers.append(closer)

    async def close(self) -> None:
        """Ends all connections and the thread; a second call does nothing."""
        if self._loop.is_closed():
            return
        while self._closers:
            await asyncio.wrap_future(self.submit(self._closers.pop()()))
        await asyncio.wrap_future(self.submit(_cancel_others()))
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()


async def _cancel_others() -> None:
    """Gives up what is still under way, so that nobody waits for it for ever."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def connect(name: str, server: Any, loop: Loop) -> list[Tool]:
    """Connects to a server and returns its tools, named ``<server>_<tool>``.

    Args:
        name: the server's name.
        server: its settings (``command``, ``args``, ``env``, ``cwd``; or ``url``, ``headers``;
            ``timeout`` in seconds for a call), or anything that the SDK's ``Client`` takes: a URL, a
            server in this process, a transport.
        loop: where the connection lives.

    Raises:
        MissingDependency: when the SDK is not there.
        Exception: what connecting raises.
    """
    need_mcp()
    connection = _Connection(name, server, loop)
    return await asyncio.wrap_future(loop.submit(connection.open()))


class _Connection:
    """One connection, opened and closed in one task of the background loop."""

    def __init__(self, name: str, server: Any, loop: Loop) -> None:
        self.name = name
        self.server = server
        self.loop = loop
        self.timeout = CALL
        self.client: Any = None
        self.log: IO[str] | None = None

    async def open(self) -> list[Tool]:
        """Connects, and returns the tools; the connection stays until the loop is closed."""
        target = self._target()
        ready: asyncio.Future[list[Tool]] = asyncio.get_running_loop().create_future()
        leave = asyncio.Event()
        task = asyncio.create_task(self._stay(target, ready, leave))

        async def close() -> None:
            leave.set()
            await asyncio.wait([task])
            if self.log is not None:
                self.log.close()

        try:
            tools = await asyncio.wait_for(asyncio.shield(ready), CONNECT)
        except BaseException as error:
            task.cancel()
            await asyncio.wait([task])
            # A connection that broke on the way is told of only now, and says more than the wait.
            broke = ready.exception() if ready.done() and not ready.cancelled() else None
            said = self._said(broke or error)
            await close()
            if isinstance(error, Exception):
                raise SkillbookError(said) from error
            raise
        self.loop.at_close(close)
        return tools

    async def _stay(
        self, target: Any, ready: asyncio.Future[list[Tool]], leave: asyncio.Event
    ) -> None:
        from mcp import Client  # noqa: PLC0415 - the extra

        try:
            async with Client(target) as client:
                self.client = client
                tools = [self._tool(tool) for tool in await _all_tools(client)]
                ready.set_result(tools)
                await leave.wait()
        except Exception as error:  # noqa: BLE001 - told to the one who waits, or the server is gone
            if not ready.done():
                ready.set_exception(error)
        finally:
            self.client = None
            if not ready.done():
                ready.cancel()

    def _target(self) -> Any:
        """Returns what the SDK's client connects to."""
        settings = self.server
        if settings is None or isinstance(settings, (bool, int, float, list)):
            raise TypeError(f'it is {settings!r:.100}; pass a mapping such as {{"command": "…"}}')
        if not isinstance(settings, Mapping):
            return settings
        unknown = [key for key in settings if key not in _KEYS and key not in _IGNORED]
        if unknown:
            raise ValueError(f"there is no setting {unknown[0]!r}; known are {', '.join(_KEYS)}")
        self.timeout = float(settings.get("timeout", CALL))
        if settings.get("command"):
            from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415

            # A kernel's stderr is no file that a process could write to.
            self.log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
            keys = ("command", "args", "env", "cwd")
            given = {key: settings[key] for key in keys if settings.get(key) is not None}
            return stdio_client(StdioServerParameters(**given), errlog=self.log)
        if settings.get("url"):
            return _over_http(settings["url"], settings.get("headers"))
        raise ValueError("it has neither a command nor a url")

    def _said(self, error: BaseException) -> str:
        """Returns why connecting failed, with the last that the server wrote to stderr."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if isinstance(error, TimeoutError):
            message = f"it did not answer within {CONNECT:g} s"
        else:
            message = told(error)
        if self.log is not None:
            self.log.seek(0)
            last = self.log.read()[-500:].strip().splitlines()
            message += f"; the last it wrote was: {last[-1]}" if last else ""
        return message

    def _tool(self, tool: Any) -> Tool:
        name = tool_name(f"{self.name}_{tool.name}")
        return _RemoteTool(name, tool.description or "", dict(tool.input_schema), self, tool.name)

    async def call(self, tool: str, args: Any) -> ToolResult:
        """Calls a tool of the server; whatever goes wrong is an error result."""
        metadata = {"server": self.name}
        if self.client is None:
            return ToolResult(f"the server {self.name!r} is no longer connected", True, metadata)
        if args is not None and not isinstance(args, Mapping):
            wrong = f"the arguments are of type {type(args).__name__}; pass a mapping"
            return ToolResult(wrong, True, metadata)
        given = dict(args or {})
        try:
            # Half a surrogate pair would end the connection in the middle of the sending.
            json.dumps(given, ensure_ascii=False, default=str).encode()
        except Exception as error:  # noqa: BLE001 - a stranger's object, whose text may fail
            wrong = f"the arguments cannot be written as JSON, so they were not sent: {told_whole(error)}"
            return ToolResult(wrong, True, metadata)
        try:
            result = await self.client.call_tool(tool, given, read_timeout_seconds=self.timeout)
        except Exception as error:  # noqa: BLE001 - the model reads what the server or SDK says
            return ToolResult(
                f"the server {self.name!r} failed: {told_whole(error)}", True, metadata
            )
        return ToolResult(_text(result), bool(result.is_error), metadata)


class _RemoteTool(Tool):
    """A tool of an MCP server, called on the background loop from wherever it is asked."""

    __slots__ = ("_connection", "_remote")

    def __init__(
        self,
        name: str,
        description: str,
        schema: dict[str, Any],
        connection: _Connection,
        remote: str,
    ) -> None:
        super().__init__(name, description, schema, lambda args, _: self.call(args), source="mcp")
        self._connection = connection
        self._remote = remote

    def _start(self, args: Any) -> Future[ToolResult]:
        connection = self._connection
        try:
            return connection.loop.submit(connection.call(self._remote, args))
        except SkillbookError as error:
            future: Future[ToolResult] = Future()
            future.set_result(ToolResult(f"{self.name}: {error}", is_error=True))
            return future

    async def execute(self, args: Any, ctx: Any = None) -> ToolResult:  # noqa: ARG002 - Tool's own
        """Calls the server without holding up the caller's loop."""
        return await asyncio.wrap_future(self._start(args))

    def call(self, args: Any, ctx: Any = None) -> ToolResult:  # noqa: ARG002 - Tool's own
        """Calls the server and waits, also inside a notebook's running loop."""
        future = self._start(args)
        try:
            return future.result()
        except CancelledError:
            return ToolResult(f"{self.name}: the call was given up", is_error=True)
        except BaseException:  # the stop button: the server need not go on either
            future.cancel()
            raise


async def _all_tools(client: Any) -> list[Any]:
    found: list[Any] = []
    cursor = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None:
            return found
    raise SkillbookError(f"it lists its tools on more than {_PAGES:,} pages")


def _over_http(url: str, headers: Mapping[str, str] | None) -> Any:
    """Returns what connects to a URL, with headers where there are some."""
    if not headers:
        return url
    from contextlib import asynccontextmanager  # noqa: PLC0415 - only needed here

    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415
    from mcp.shared._httpx_utils import create_mcp_http_client  # noqa: PLC0415

    @asynccontextmanager
    async def transport() -> Any:
        async with (
            create_mcp_http_client(headers=dict(headers)) as http,
            streamable_http_client(url, http_client=http) as streams,
        ):
            yield streams

    return transport()


def _text(result: Any) -> str:
    """Returns a call's result as text; what is no text is named, never lost in silence."""
    found = []
    for item in result.content:
        resource = getattr(item, "resource", None)
        text = getattr(item, "text", None) or getattr(resource, "text", None)
        if text is None:
            kind = getattr(item, "mime_type", None) or getattr(resource, "mime_type", None)
            data = getattr(item, "data", None) or getattr(resource, "blob", None) or ""
            where = getattr(item, "uri", None) or getattr(resource, "uri", None)
            text = f"[{item.type}: {kind or where}, {len(data) * 3 // 4:,} bytes]"
        found.append(text)
    if not found and result.structured_content is not None:
        found.append(json.dumps(result.structured_content, ensure_ascii=False))
    return "\n".join(found)
