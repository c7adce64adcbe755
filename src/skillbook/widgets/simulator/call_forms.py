"""A call written out as it would travel: OpenAI's chat completions, Anthropic's messages, MCP.

The forms are those of the public API references (chat completions: ``tool_calls`` and the role
``tool``; messages: ``tool_use`` and ``tool_result``; MCP 2025-06-18: ``tools/call``). Ids are
stand-ins, since each API makes its own. Pure. Imports ``calls`` and ``tool``; no widget.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from skillbook.tool import Tool
from skillbook.widgets.simulator.calls import Call

OBJECTS_ONLY = "Here arguments are a JSON object. These are none, so no such call can be made."


@dataclass(frozen=True, slots=True)
class Written:
    """A call as it would travel.

    Attributes:
        told: what the model was told of the tool; None where there is no such tool.
        request: the message with the call; None where it cannot travel.
        result: the message with what came back.
        note: what to know of this form, or ``""``.
    """

    told: dict[str, Any] | None
    request: dict[str, Any] | None
    result: dict[str, Any] | None
    note: str = ""

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages in order."""
        return [each for each in (self.request, self.result) if each is not None]


def _object(call: Call) -> dict[str, Any] | None:
    """Returns the arguments where they are an object that JSON has; else None."""
    if not isinstance(call.args, Mapping):
        return None
    try:
        return cast("dict[str, Any]", json.loads(json.dumps(dict(call.args), allow_nan=False)))
    except (TypeError, ValueError, RecursionError):  # not a number, bytes, a circle
        return None


def _openai(tool: Tool | None, call: Call, text: str) -> Written:
    name = f"call_{call.number}"
    function = {"name": call.tool, "arguments": call.arguments}
    return Written(
        tool.to_openai() if tool else None,
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": name, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": name, "content": text},
        "There is no field that says error: the model reads it from the text."
        if call.result.is_error
        else "The arguments are text that holds JSON, as the model wrote it.",
    )


def _anthropic(tool: Tool | None, call: Call, text: str) -> Written:
    told = tool.to_anthropic() if tool else None
    given = _object(call)
    if given is None:
        return Written(told, None, None, OBJECTS_ONLY)
    name = f"toolu_{call.number}"
    use = {"type": "tool_use", "id": name, "name": call.tool, "input": given}
    answer: dict[str, Any] = {"type": "tool_result", "tool_use_id": name, "content": text}
    if call.result.is_error:
        answer["is_error"] = True
    return Written(
        told,
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [answer]},
        "The result travels in the user's next message.",
    )


def _mcp(tool: Tool | None, call: Call, text: str) -> Written:
    told = tool.to_mcp() if tool else None
    given = _object(call)
    if given is None:
        return Written(told, None, None, OBJECTS_ONLY)
    envelope = {"jsonrpc": "2.0", "id": call.number}
    params = {"name": call.tool, "arguments": given}
    content = [{"type": "text", "text": text}]
    return Written(
        told,
        {**envelope, "method": "tools/call", "params": params},
        {**envelope, "result": {"content": content, "isError": call.result.is_error}},
        "This goes between host and server; the model sees what its API makes of it.",
    )


_FORMS: dict[str, Callable[[Tool | None, Call, str], Written]] = {
    "OpenAI": _openai,
    "Anthropic": _anthropic,
    "MCP": _mcp,
}

FORMS = tuple(_FORMS)
"""The names of the forms."""


def written(form: str, call: Call, tool: Tool | None = None, *, exact: bool = True) -> Written:
    """Returns a call as it would travel.

    Args:
        form: one of ``FORMS``.
        call: the call.
        tool: the tool that was called, for what the model was told of it.
        exact: whether the output is exact; otherwise ``{root}`` stands for a root's path.

    Raises:
        ValueError: when there is no such form.
    """
    make = _FORMS.get(form)
    if make is None:
        raise ValueError(f"form is {form!r}; known are {', '.join(FORMS)}")
    return make(tool, call, call.result.output if exact else call.text)
