"""The calls that a simulator made: what travelled, what came back, and how large it was.

Pure. Imports ``sizes`` and the records; no widget.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skillbook.model import printable
from skillbook.sizes import ROOT
from skillbook.tool import ToolResult


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, with what it gave.

    Attributes:
        number: its place in the history, from 1.
        tool: the name of the tool that was called; there may be none of that name.
        arguments: the arguments as they travelled: JSON, or text that should have been.
        args: what the tool got.
        result: what it gave.
        sample_limit: the ``sample_limit`` of the ``skill`` tool; None for any other.
        note: what a reader should know besides, or ``""``.
        text: the output as it is shown and counted, with ``{root}`` for a root's path.
        so_far: characters of this call's output and of all before it.
    """

    number: int
    tool: str
    arguments: str
    args: Any
    result: ToolResult
    sample_limit: int | None = None
    note: str = ""
    text: str = field(default="", repr=False)
    so_far: int = 0

    @property
    def size(self) -> int:
        """Characters of the output."""
        return len(self.text)

    @property
    def said(self) -> str:
        """The call in one line: the tool and its arguments."""
        return printable(f"{self.tool} {' '.join(self.arguments.split())}")

    def to_dict(self) -> dict[str, Any]:
        """Returns the call as a JSON-safe mapping."""
        return {
            "number": self.number,
            "tool": self.tool,
            "arguments": self.arguments,
            "sample_limit": self.sample_limit,
            "result": self.result.to_dict(),
            "characters": self.size,
            "so_far": self.so_far,
        }


def made(
    history: Sequence[Call],
    tool: str,
    arguments: str,
    *,
    args: Any,
    result: ToolResult,
    sample_limit: int | None = None,
    note: str = "",
) -> Call:
    """Returns the call that comes after those in the history."""
    text = result.rooted(ROOT)
    before = history[-1].so_far if history else 0
    return Call(
        len(history) + 1,
        tool,
        arguments,
        args,
        result,
        sample_limit,
        note,
        text,
        before + len(text),
    )


def parse(text: str) -> tuple[Any, str]:
    """Returns what a host makes of a model's arguments, and what is wrong with them.

    Args:
        text: the arguments as the model wrote them.

    Returns:
        The value, and ``""``; text that is no JSON comes back as it is, with what is wrong.
    """
    if not text.strip():
        return {}, "There were no arguments, which hosts take for {}."
    try:
        return json.loads(text), ""
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        return text, f"The arguments are no JSON ({where}: {error.msg}); the tool got them as text."
    except (ValueError, RecursionError) as error:  # a number of over 4,300 digits, deep nesting
        why = "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
        return text, f"The arguments cannot be read ({why}); the tool got them as text."


def as_json(args: Any, indent: int | None = None) -> str:
    """Returns a value as JSON; what JSON does not have stands as the name of its type."""
    try:
        text = json.dumps(
            args,
            ensure_ascii=False,
            indent=indent,
            default=lambda value: (
                dict(value) if isinstance(value, Mapping) else f"<{type(value).__name__}>"
            ),
        )
    except (TypeError, ValueError, RecursionError):  # odd keys, a circle
        text = json.dumps(f"<{type(args).__name__}>")
    return printable(text)
