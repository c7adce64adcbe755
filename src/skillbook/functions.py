"""Python functions as tools: the schema from type hints and docstring, the call checked.

Imports ``pair`` for names of tools, and ``tool``; standard library only besides.
"""

from __future__ import annotations

import datetime as dt
import enum
import functools
import inspect
import json
import pathlib
import re
import types
import typing
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Union

from skillbook.errors import told_whole
from skillbook.pair import brief, tool_name
from skillbook.tool import Tool, ToolResult

_PLAIN: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    tuple: "array",
    set: "array",
    frozenset: "array",
    dict: "object",
    Sequence: "array",
    Iterable: "array",
    Mapping: "object",
    types.NoneType: "null",
}

# Types that stand as text in JSON: the schema's format, and what makes the value of the text.
_WRITTEN: dict[Any, tuple[str, Callable[[str], Any]]] = {
    pathlib.Path: ("path", pathlib.Path),
    dt.date: ("date", dt.date.fromisoformat),
    dt.datetime: ("date-time", dt.datetime.fromisoformat),
    dt.time: ("time", dt.time.fromisoformat),
}


def function_tool(function: Callable[..., Any]) -> Tool:
    """Makes a tool of a plain or async function.

    The name is the function's; the description is its docstring up to the first section; each
    argument's type comes from its hint (paths and dates are text, and arrive as such objects) and its description from the docstring's ``Args:`` section
    (Google style) or from ``Annotated[type, "…"]``. Arguments with a default are optional.

    Args:
        function: any callable with a name, whose arguments can be passed by keyword.

    Returns:
        A tool whose result is the text that the function returns, or its value as JSON. A call with
        wrong arguments, and an exception in the function, is an error result.

    Raises:
        ValueError: when an argument cannot be passed by keyword.
        Exception: what evaluating the type hints raises, a ``NameError`` for one that is not there.
    """
    named = _wrapped(function)
    name = tool_name(getattr(named, "__name__", type(named).__name__))
    signature = inspect.signature(function)
    hints = _hints(named)
    about, described = _docstring(inspect.getdoc(named) or "")
    properties: dict[str, Any] = {}
    required: list[str] = []
    more = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            more = True
            continue
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            raise ValueError(
                f"the argument {parameter.name!r} of {name} cannot be passed by keyword, as a tool's"
                " arguments are"
            )
        schema = schema_of(hints.get(parameter.name, Any))
        if parameter.name in described and "description" not in schema:
            schema["description"] = described[parameter.name]
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif _is_json(parameter.default):
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    whole = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": more,
    }

    def checked(args: Any) -> dict[str, Any] | ToolResult:
        wrong = _wrong(args, whole)
        if wrong:
            return ToolResult(f"{name}: {wrong}", is_error=True)
        given = {}
        for key, value in (args or {}).items():
            try:
                given[key] = _as(hints.get(key, Any), value)
            except (ValueError, OverflowError, TypeError) as error:
                why = f"{name}: {key} is {brief(value)}, which cannot be used: {error}"
                return ToolResult(why, is_error=True)
        return given

    def failed(error: BaseException) -> ToolResult:
        return ToolResult(f"{name} failed: {told_whole(error)}", is_error=True)

    # sys.exit() in a tool must not end the host, so SystemExit is a failure as others are.

    def run(args: Any, _ctx: Any) -> ToolResult | Awaitable[ToolResult]:
        given = checked(args)
        if isinstance(given, ToolResult):
            return given
        try:
            value = function(**given)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the model reads what it raises
            return failed(error)
        return finish(value) if inspect.isawaitable(value) else _result(value)

    async def finish(value: Awaitable[Any]) -> ToolResult:
        try:
            return _result(await value)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the model reads what it raises
            return failed(error)

    kind = Tool if inspect.iscoroutinefunction(function) else _PlainTool
    return kind(name, about, whole, run, source="python")


class _PlainTool(Tool):
    """A tool of a plain function: a host that awaits it is not held up, for it runs in a thread."""

    __slots__ = ()

    async def execute(self, args: Any, ctx: Any = None) -> ToolResult:
        """Runs the function in a thread, as :meth:`Tool.execute` does otherwise."""
        import asyncio  # noqa: PLC0415 - needed by hosts that await alone

        result = await asyncio.to_thread(self._run, args, ctx)
        return await result if inspect.isawaitable(result) else result


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the function that a ``functools.partial`` calls; any other function as it is."""
    while isinstance(function, functools.partial):
        function = function.func
    return function


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    if inspect.isclass(function):
        function = function.__init__
    elif not inspect.isroutine(function):
        function = type(function).__call__
    return typing.get_type_hints(function, include_extras=True)


def schema_of(hint: Any) -> dict[str, Any]:
    """Returns the JSON schema of a type hint; an empty one takes anything."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        texts = [extra for extra in args[1:] if isinstance(extra, str)]
        return schema_of(args[0]) | ({"description": texts[0]} if texts else {})
    if origin in (Union, types.UnionType):
        options = [schema_of(arg) for arg in args]
        kept = [option for option in options if option != {"type": "null"}]
        if len(kept) == 1 and set(kept[0]) == {"type"}:
            return {"type": [kept[0]["type"], "null"]}
        return {"anyOf": options}
    if origin is Literal:
        return _choices(list(args))
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return _choices([member.value for member in hint])
    if typing.is_typeddict(hint):
        return {
            "type": "object",
            "properties": {
                key: schema_of(value) for key, value in typing.get_type_hints(hint).items()
            },
            "required": sorted(hint.__required_keys__),
        }
    if hint in _WRITTEN:
        return {"type": "string", "format": _WRITTEN[hint][0]}
    kind = _PLAIN.get(origin or hint)
    if kind is None:
        return {}
    schema: dict[str, Any] = {"type": kind}
    args = tuple(arg for arg in args if arg is not Ellipsis)
    if kind == "array" and args and len(set(args)) == 1 and schema_of(args[0]):
        schema["items"] = schema_of(args[0])
    elif kind == "object" and len(args) == 2 and schema_of(args[1]):
        schema["additionalProperties"] = schema_of(args[1])
    elif kind == "array":
        schema["items"] = {}
    return schema


def _choices(values: list[Any]) -> dict[str, Any]:
    kinds = {_PLAIN.get(type(value)) for value in values}
    kind = kinds.pop() if len(kinds) == 1 else None
    return ({"type": kind} if kind else {}) | {"enum": values}


_SECTION = re.compile(r"(?:Args|Arguments|Parameters|Returns|Raises|Yields|Examples?|Notes?):\s*")
_ARGUMENT = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")


def _docstring(text: str) -> tuple[str, dict[str, str]]:
    """Returns a docstring's text before its first section, and its arguments' descriptions."""
    about: list[str] = []
    described: dict[str, str] = {}
    section = current = ""
    indent = 0
    for line in text.splitlines():
        if line == line.lstrip() and _SECTION.fullmatch(line):
            section, current, indent = line.strip(), "", 0
        elif not section:
            about.append(line)
        elif section.startswith(("Args", "Arguments", "Parameters")) and line.strip():
            depth = len(line) - len(line.lstrip())
            indent = indent or depth
            match = _ARGUMENT.fullmatch(line.strip()) if depth == indent else None
            if match:
                current = match[1]
                described[current] = match[2]
            elif current:
                described[current] = f"{described[current]} {line.strip()}".strip()
    return "\n".join(about).strip(), described


# --- one call ----------------------------------------------------------------------------------

_FITS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, (list, tuple)),
    "object": lambda value: isinstance(value, Mapping),
    "null": lambda value: value is None,
}


_CHECKED = ("type", "items", "enum", "anyOf", "properties", "required", "additionalProperties")
"""What of a schema a value is held against."""


def _wrong(args: Any, schema: dict[str, Any]) -> str:
    """Returns what is wrong with a call's arguments, or ``""``."""
    if args is not None and not isinstance(args, Mapping):
        return f"the arguments are of type {type(args).__name__}; pass a mapping"
    given = args or {}
    takes = ", ".join(schema["properties"]) or "no arguments"
    missing = [name for name in schema["required"] if name not in given]
    if missing:
        return f"the argument {missing[0]!r} is missing; it takes {takes}"
    for name, value in given.items():
        known = schema["properties"].get(name)
        if known is None and not schema["additionalProperties"]:
            return f"there is no argument {brief(name)}; it takes {takes}"
        if known is not None and not _fits(known, value):
            wanted = {key: known[key] for key in _CHECKED if key in known}
            return f"{name} is {brief(value)}; pass what fits {json.dumps(wanted, default=str)}"
    return ""


def _fits(schema: dict[str, Any], value: Any) -> bool:
    if "anyOf" in schema:
        return any(_fits(option, value) for option in schema["anyOf"])
    if "enum" in schema:
        return any(value == choice and type(value) is type(choice) for choice in schema["enum"])
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_FITS[kind](value) for kind in kinds):
        return False
    if isinstance(value, (list, tuple)) and schema.get("items"):
        return all(_fits(schema["items"], item) for item in value)
    if isinstance(value, Mapping):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", {})
        return all(key in value for key in schema.get("required", ())) and all(
            _fits(known.get(key, rest), item) for key, item in value.items()
        )
    return True


def _as(hint: Any, value: Any) -> Any:
    """Returns a value as the function wants it: an enumeration's member, a tuple, a set."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _as(args[0], value)
    if origin in (Union, types.UnionType):
        members = [arg for arg in args if arg is not types.NoneType]
        return _as(members[0], value) if len(members) == 1 and value is not None else value
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return hint(value)
    if hint in _WRITTEN:
        return _WRITTEN[hint][1](value)
    kind = origin or hint
    args = tuple(arg for arg in args if arg is not Ellipsis)
    if _PLAIN.get(kind) == "array" and len(set(args)) == 1:
        value = [_as(args[0], item) for item in value]
    if kind in (tuple, set, frozenset):
        return kind(value)
    return float(value) if kind is float and isinstance(value, int) else value


def _result(value: Any) -> ToolResult:
    if isinstance(value, ToolResult):
        return value
    if isinstance(value, str):
        return ToolResult(value)
    try:
        return ToolResult(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError):  # no JSON: a table, an array, an object of the caller's own
        try:
            return ToolResult(str(value))
        except Exception:  # noqa: BLE001 - a number of over 4,300 digits; a stranger's object
            return ToolResult(brief(value), is_error=True)


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True
