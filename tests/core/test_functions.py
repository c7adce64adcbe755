"""Python functions as tools: schema, description, the call, and what goes wrong."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime as dt
import enum
import functools
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, TypedDict

import pytest

from skillbook import ToolResult
from skillbook.functions import function_tool, schema_of


class Colour(enum.Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Point(TypedDict):
    """A point."""

    x: int
    y: float


def add(a: int, b: int = 1) -> int:
    """Adds two numbers.

    More on it
    in two lines.

    Args:
        a: the first, which
            goes on here.
        b (int): the second.

    Returns:
        The sum.
    """
    return a + b


async def greet(name: str) -> str:
    """Greets."""
    await asyncio.sleep(0)
    return f"Hello, {name}"


def test_tool() -> None:
    """Name, description and schema come from the function."""
    tool = function_tool(add)
    assert (tool.name, tool.source) == ("add", "python")
    assert tool.description == "Adds two numbers.\n\nMore on it\nin two lines."
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "a": {"type": "integer", "description": "the first, which goes on here."},
            "b": {"type": "integer", "description": "the second.", "default": 1},
        },
        "required": ["a"],
        "additionalProperties": False,
    }


def test_call() -> None:
    """The tool calls the function, and its value becomes text."""
    tool = function_tool(add)
    assert tool(a=1, b=2) == ToolResult("3")
    assert tool.call({"a": 1}) == ToolResult("2")
    assert asyncio.run(tool.execute({"a": 1})) == ToolResult("2")


def test_async() -> None:
    """An async function is awaited, with and without a running loop."""
    tool = function_tool(greet)
    assert asyncio.run(tool.execute({"name": "World"})).output == "Hello, World"
    assert tool(name="World").output == "Hello, World"

    async def cell() -> ToolResult:
        return tool(name="World")

    assert asyncio.run(cell()).output == "Hello, World"
    assert function_tool(functools.partial(greet)).call({"name": "x"}).output == "Hello, x"


HINTS: list[tuple[Any, dict[str, Any]]] = [
    (str, {"type": "string"}),
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (bool, {"type": "boolean"}),
    (Any, {}),
    (object, {}),
    (list, {"type": "array", "items": {}}),
    (list[str], {"type": "array", "items": {"type": "string"}}),
    (
        Sequence[list[int]],
        {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    ),
    (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
    (tuple[int, str], {"type": "array", "items": {}}),
    (set[str], {"type": "array", "items": {"type": "string"}}),
    (dict, {"type": "object"}),
    (Mapping[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
    (str | None, {"type": ["string", "null"]}),
    (Optional[int], {"type": ["integer", "null"]}),  # noqa: UP045 - the older way is meant
    (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
    (Literal["a", 1], {"enum": ["a", 1]}),
    (Colour, {"type": "string", "enum": ["red", "blue"]}),
    (Annotated[int, "how many"], {"type": "integer", "description": "how many"}),
    (
        Point,
        {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "number"}},
            "required": ["x", "y"],
        },
    ),
]


@pytest.mark.parametrize(("hint", "schema"), HINTS, ids=str)
def test_schema_of(hint: Any, schema: dict[str, Any]) -> None:
    """Each type hint gives its schema."""
    assert schema_of(hint) == schema


def test_without_hints() -> None:
    """A function without hints, docstring or arguments makes a tool all the same."""

    def plain(a, b=print):
        return a

    tool = function_tool(plain)
    assert tool.description == ""
    assert tool.input_schema["properties"] == {"a": {}, "b": {}}
    assert tool(a=[1, {"x": None}]).output == '[1, {"x": null}]'
    assert function_tool(lambda: "yes").name == "_lambda_"
    assert function_tool(lambda: "yes").call(None).output == "yes"


def test_values_arrive_as_hinted() -> None:
    """An enumeration's value arrives as its member, a list as a tuple or a set, a number as float."""
    seen: list[Any] = []

    def take(
        colour: Colour,
        pair: tuple[int, int],
        names: set[str] | None,
        size: Annotated[float, "in m"],
    ) -> None:
        seen.extend((colour, pair, names, size, type(size)))

    result = function_tool(take)(colour="red", pair=[1, 2], names=["a", "a"], size=2)
    assert result == ToolResult("null")
    assert seen == [Colour.RED, (1, 2), {"a"}, 2.0, float]


def test_more_keywords() -> None:
    """A function that takes any keywords gets them."""
    assert function_tool(lambda **given: given).call({"a": 1}).output == '{"a": 1}'


def test_object_and_method() -> None:
    """A method and an object that can be called make tools."""

    class Adder:
        def __call__(self, a: int) -> int:
            """Adds one."""
            return a + 1

        def twice(self, a: int) -> int:
            """Doubles."""
            return a * 2

    tool = function_tool(Adder())
    assert (tool.name, tool.input_schema["properties"]) == ("Adder", {"a": {"type": "integer"}})
    assert tool(a=1).output == "2"
    assert function_tool(Adder().twice)(a=2).output == "4"


def test_partial() -> None:
    """A partial function has the name and docstring of the function that it calls."""
    tool = function_tool(functools.partial(add, b=2))
    assert (tool.name, tool.description) == ("add", function_tool(add).description)


def test_class() -> None:
    """A class is a function too: its types are those that making one of it takes."""

    @dataclasses.dataclass
    class Pair:
        left: int
        right: list[str]

    properties = function_tool(Pair).input_schema["properties"]
    assert properties == {
        "left": {"type": "integer"},
        "right": {"type": "array", "items": {"type": "string"}},
    }


def test_mappings_are_checked() -> None:
    """What mappings hold is held against their hints, as the items of lists are."""

    def take(point: Point, counts: dict[str, int] | None = None) -> str:
        return "taken"

    tool = function_tool(take)
    point = {"x": 1, "y": 2.5}
    assert tool(point=point, counts={"a": 1}).output == "taken"
    for given in ({"point": {"x": 1}}, {"point": {"x": "1", "y": 2}}):
        assert tool.call(given).output.startswith("take: point is {'x': ")
    assert tool(point=point, counts={"a": "1"}).output.startswith("take: counts is {'a': '1'};")


def test_results() -> None:
    """A result is handed on, JSON is written as JSON, all else as its text."""
    given = ToolResult("no", is_error=True)
    assert function_tool(lambda: given).call({}) is given
    assert function_tool(lambda: {"é": 1.5}).call({}).output == '{"é": 1.5}'
    assert function_tool(lambda: Colour.RED).call({}).output == "Colour.RED"


WRONG: list[tuple[Any, str]] = [
    ({}, "take: the argument 'n' is missing; it takes n, tags, mode"),
    ({"n": 1, "x": 2}, "take: there is no argument 'x'; it takes n, tags, mode"),
    ({"n": "1"}, 'take: n is \'1\'; pass what fits {"type": "integer"}'),
    ({"n": True}, "take: n is True; pass what fits"),
    ({"n": 1, "tags": ["a", 1]}, "take: tags is ['a', 1]; pass what fits"),
    (
        {"n": 1, "mode": "z"},
        'take: mode is \'z\'; pass what fits {"type": "string", "enum": ["x"]}',
    ),
    ([1], "take: the arguments are of type list; pass a mapping"),
]


@pytest.mark.parametrize(("args", "message"), WRONG)
def test_wrong_arguments(args: Any, message: str) -> None:
    """Wrong arguments are an error result, and the function is not called."""
    called: list[int] = []

    def take(n: int, tags: list[str] | None = None, mode: Literal["x"] = "x") -> None:
        called.append(n)

    result = function_tool(take).call(args)
    assert result.is_error
    assert result.output.startswith(message)
    assert called == []


def test_function_that_raises() -> None:
    """What a function raises is an error result, with its kind and text."""

    def bad(a: int = 0) -> float:
        return 1 / a

    async def bad_too() -> None:
        raise KeyError("x")

    assert function_tool(bad).call({}) == ToolResult(
        "bad failed: ZeroDivisionError: division by zero", is_error=True
    )
    assert function_tool(bad_too).call({}).output == "bad_too failed: KeyError: 'x'"


def test_text_that_fails() -> None:
    """An exception or a result whose text cannot be had is an error result as well."""

    class Mute(Exception):  # noqa: N818 - no name for this is better
        def __str__(self) -> str:
            raise RuntimeError

        __repr__ = __str__

    def bad() -> None:
        raise Mute

    assert function_tool(bad).call({}).output == "bad failed: Mute (its message cannot be read)"

    def give() -> Exception:
        return Mute()

    result = function_tool(give).call({})
    assert result == ToolResult("a value of type Mute", is_error=True)


def test_what_makes_no_tool() -> None:
    """Arguments without a keyword, and hints that cannot be evaluated, raise."""

    def by_place(a, /):
        return a

    def many(*all_of_them):
        return all_of_them

    def unknown(a: NoSuchType):  # noqa: F821 - the fault is the test
        return a

    with pytest.raises(ValueError, match="'a' of by_place cannot be passed by keyword"):
        function_tool(by_place)
    with pytest.raises(ValueError, match="'all_of_them' of many cannot be passed"):
        function_tool(many)
    with pytest.raises(NameError):
        function_tool(unknown)


def test_exit_is_an_error() -> None:
    """A function that leaves by sys.exit() gives an error result; the host lives on."""

    def leave() -> None:
        sys.exit(3)

    async def leave_later() -> None:
        sys.exit(3)

    for function in (leave, leave_later):
        tool = function_tool(function)
        for result in (tool.call({}), asyncio.run(tool.execute({}))):
            assert (result.is_error, result.output) == (
                True,
                f"{function.__name__} failed: SystemExit: 3",
            )


def test_huge_numbers() -> None:
    """Numbers that no float holds and no text can say are error results, never exceptions."""

    def half(n: float, m: str = "") -> float:
        return n / 2

    def grow() -> int:
        return 10**5000

    huge = 10**5000
    assert (
        "n is a value of type int, which cannot be used"
        in function_tool(half).call({"n": huge}).output
    )
    assert "m is a value of type int; pass" in function_tool(half).call({"n": 1, "m": huge}).output
    assert "no argument a value of type int" in function_tool(half).call({"n": 1, huge: 1}).output
    assert function_tool(grow).call({}).is_error


def test_awaiting_a_plain_function_holds_nothing_up() -> None:
    """A plain function that is awaited runs in a thread, so that the loop goes on meanwhile."""

    def where() -> str:
        return threading.current_thread().name

    async def both() -> tuple[ToolResult, str]:
        return await function_tool(where).execute({}), threading.current_thread().name

    result, mine = asyncio.run(both())
    assert result.output != mine
    assert function_tool(where).call({}).output == threading.current_thread().name


def test_paths_and_dates() -> None:
    """Paths and dates are text in the schema, and arrive as what the hint says."""

    def show(
        place: Path, day: dt.date, at: dt.datetime | None = None, more: Sequence[Path] = ()
    ) -> str:
        return repr((place.name, day, at, [one.name for one in more]))

    tool = function_tool(show)
    assert tool.input_schema["properties"]["place"] == {"type": "string", "format": "path"}
    assert tool.input_schema["properties"]["day"] == {"type": "string", "format": "date"}
    given = {"place": "a/b", "day": "2024-01-31", "at": "2024-01-31T10:00:00", "more": ["c/d"]}
    assert tool.call(given).output == repr(
        ("b", dt.date(2024, 1, 31), dt.datetime(2024, 1, 31, 10), ["d"])  # noqa: DTZ001
    )
    wrong = tool.call({**given, "day": "soon"})
    assert wrong.is_error
    assert wrong.output.startswith("show: day is 'soon', which cannot be used: ")
