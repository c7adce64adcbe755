"""Activating a skill: its body with placeholders filled, or its handler run.

No command is ever run from a body. Imports ``tool`` and the records of kits.
"""

from __future__ import annotations

import inspect
import json
import re
import shlex
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from skillbook.errors import SkillReadError, told_whole
from skillbook.kits.errors import FAULTS
from skillbook.kits.records import ToolExecution
from skillbook.model import SkillInfo, printable
from skillbook.tool import Tool, ToolResult
from skillbook.words import count

# A backslash before what begins as a placeholder keeps its dollar. What follows a placeholder may
# be a letter of a script without spaces, so only ASCII goes on with a name.
_PLACEHOLDER = re.compile(
    r"(?P<kept>\\)\$(?=ARGUMENTS|[0-9]|\{SKILL_DIR\})"
    r"|\$ARGUMENTS(?:\[(?P<index>-?[0-9]+)\]|(?![A-Za-z0-9_]))"
    r"|\$(?P<short>[0-9]{1,4})(?![A-Za-z0-9_])"
    r"|\$\{(?P<folder>SKILL_DIR)\}"
)

_INDEX_DIGITS = 6
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")

_DESCRIPTION = (
    "Activates one skill for a task: gives its instructions with your arguments filled in, or runs"
    " it and gives its result where it is a skill that runs. Call it when a task matches the"
    " description of a skill listed under Available Skills and there is something to work on; to"
    " read a skill's instructions as they stand, call the skill tool instead."
)

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The name of the skill, as it is listed."},
        "arguments": {
            "type": "string",
            "description": "What the skill works on, as one text; words with spaces in quotes.",
        },
    },
    "required": ["name"],
    "additionalProperties": False,
}


def words(arguments: str) -> list[str]:
    """Returns arguments one by one: split at white space, quotes keep words together.

    A quote without its pair is text, and so are an apostrophe inside a word and a backslash (paths
    on Windows have them).
    """
    held = "\0" if "\0" not in arguments else "'"
    lexer = shlex.shlex(_APOSTROPHE.sub(held, arguments), posix=True)
    lexer.whitespace_split = True
    lexer.commenters = lexer.escape = ""
    try:
        return [word.replace(held, "'") for word in lexer]
    except ValueError:
        return arguments.split()


def fill(body: str, arguments: str, folder: str) -> tuple[str, list[str]]:
    r"""Fills the placeholders of a body, once: what is filled in is not looked at again.

    Args:
        body: the skill's body.
        arguments: as text.
        folder: what ``${SKILL_DIR}`` stands for.

    Returns:
        The text, and what a host should know. ``$ARGUMENTS`` is all arguments,
        ``$ARGUMENTS[n]`` the one at place n from 0 (empty where there is none), ``$n`` the same
        where there is one and no ASCII letter, digit or ``_`` follows (``$0.5`` and ``$0,5`` are
        filled); without one it stays, for it may be a price or a field of awk. ``\$`` before any
        of these, and before a digit, is a dollar. Arguments that went nowhere are appended in a last line.
    """
    given = words(arguments)
    used = False
    empty: list[str] = []

    def filled(match: re.Match[str]) -> str:
        nonlocal used
        whole = match[0]
        if match["kept"]:
            return "$"
        if match["folder"]:
            return folder
        number = match["index"] or match["short"]
        if number is None:
            used = True
            return arguments
        if len(number) <= _INDEX_DIGITS and 0 <= int(number) < len(given):
            used = True
            return given[int(number)]
        empty.append(whole)
        return whole if match["short"] else ""

    text = _PLACEHOLDER.sub(filled, body).strip()
    if arguments.strip() and not used:
        text += f"\n\nARGUMENTS: {arguments.strip()}"
    notes = []
    if empty:
        some = ", ".join(dict.fromkeys(empty))
        notes.append(
            f"the body names {some}, but {count(len(given), 'argument')} came with the call"
        )
    return text.strip(), notes


def execution(skill: SkillInfo, arguments: Any, context: Any = None) -> ToolExecution:
    """Returns a call of a skill.

    Args:
        skill: the skill.
        arguments: text, a mapping, or None for none.
        context: what the host hands through.

    Raises:
        TypeError: when ``arguments`` is of another type.
    """
    if arguments is None:
        arguments = ""
    if isinstance(arguments, Mapping):
        text = json.dumps(arguments, ensure_ascii=False, default=str)
        return ToolExecution(skill, text, dict(arguments), context)
    if not isinstance(arguments, str):
        raise TypeError(f"arguments is {arguments!r}; pass text, or a mapping")
    return ToolExecution(skill, arguments, _mapping(arguments), context)


def _mapping(text: str) -> dict[str, Any]:
    if text.lstrip().startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
    return {}


def activate(call: ToolExecution) -> ToolResult | Awaitable[ToolResult]:
    """Runs a skill's handler, or gives its body with the arguments filled in.

    What goes wrong, in a handler too, is a result with ``is_error=True``.
    """
    skill = call.skill
    if skill.handler is None:
        return _filled(call)
    try:
        answer = skill.handler(call)
    except FAULTS as error:  # a handler's fault is the tool's answer
        return _failed(skill, error)
    return _awaited(skill, answer) if inspect.isawaitable(answer) else _answer(skill, answer)


def _filled(call: ToolExecution) -> ToolResult:
    skill = call.skill
    try:
        body = skill.reader.body(skill)
    except SkillReadError as error:
        return ToolResult(str(error), is_error=True)
    folder = printable(skill.folder or skill.base)
    text, notes = fill(body.text, call.arguments, folder)
    metadata: dict[str, Any] = {"name": skill.name, "dir": folder}
    notes = [*body.notes, *notes]
    if notes:
        metadata["warnings"] = notes
    return ToolResult(text, metadata=metadata, root=skill.root)


async def _awaited(skill: SkillInfo, answer: Awaitable[Any]) -> ToolResult:
    try:
        return _answer(skill, await answer)
    except FAULTS as error:  # a handler's fault is the tool's answer
        return _failed(skill, error)


def _answer(skill: SkillInfo, answer: Any) -> ToolResult:
    if isinstance(answer, ToolResult):
        return answer
    if isinstance(answer, str):
        return ToolResult(answer, metadata={"name": skill.name})
    said = "nothing" if answer is None else f"something of type {type(answer).__name__}"
    return ToolResult(
        f"The skill {skill.name} ran and gave {said}; its handler must give text or a ToolResult.",
        is_error=True,
    )


def _failed(skill: SkillInfo, error: BaseException) -> ToolResult:
    return ToolResult(f"The skill {skill.name} failed: {told_whole(error)}", is_error=True)


def activate_tool(find: Callable[[str], SkillInfo | str]) -> Tool:
    """Returns the tool ``activate_skill``.

    Args:
        find: gives the skill of a name, or the message that there is none.
    """

    def run(args: Any, context: Any) -> ToolResult | Awaitable[ToolResult]:
        if not isinstance(args, Mapping) or not isinstance(args.get("name"), str):
            return ToolResult(
                'activate_skill takes {"name": "…", "arguments": "…"}, with the name as text.',
                is_error=True,
            )
        skill = find(args["name"])
        if isinstance(skill, str):
            return ToolResult(skill, is_error=True)
        try:
            call = execution(skill, args.get("arguments"), context)
        except TypeError as error:
            return ToolResult(str(error), is_error=True)
        return activate(call)

    return Tool("activate_skill", _DESCRIPTION, _SCHEMA, run, source="skill")
