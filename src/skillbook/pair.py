"""The load and run tools of one skill: what they answer, and the gate that they share.

Imports ``references``, ``script_files``, ``scripts``, ``tool`` and the records; ``asyncio`` only
where a host awaits a call.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skillbook import references
from skillbook.errors import ScriptError, SkillReadError
from skillbook.model import SkillInfo, printable
from skillbook.references import MAX_LINES, N_LINES, references_of
from skillbook.script_files import Script, scripts_of
from skillbook.script_input import Environment, parse_args
from skillbook.scripts import (
    MAX_OUTPUT,
    TIMEOUT,
    Confirm,
    ScriptResult,
    check_confirm,
    run_script,
)
from skillbook.tool import Tool, ToolResult, left_out, not_found, of_parts

LOAD = "skill_load__"
RUN = "skill_run__"

LONGEST_NAME = 64
"""Characters of a tool's name that model APIs take."""

_LISTED = 200
_DESCRIBED = 1024
_HUGE = 10**12


def tool_name(text: str, longest: int = LONGEST_NAME) -> str:
    """Returns text as a tool's name: letters, digits, ``_`` and ``-``, all else as ``_``."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)[:longest]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a wrapper's scripts run; see :func:`skillbook.scripts.run_script`.

    Attributes:
        env: ``caller`` or ``clean``.
        timeout: in seconds.
        max_output: in bytes a stream.
        confirm: is asked before each run, or None.
        over_mcp: whether the tools are called over MCP.
    """

    env: Environment = "caller"
    timeout: float = TIMEOUT
    max_output: int = MAX_OUTPUT
    confirm: Confirm | None = None
    over_mcp: bool = False


class BlockingTool(Tool):
    """A tool whose function blocks: a host that awaits it is not held up.

    When the host gives the call up, the function is told by an event.
    """

    __slots__ = ("_work",)

    def __init__(
        self,
        name: str,
        description: str,
        schema: dict[str, Any],
        work: Callable[[Any, threading.Event], ToolResult],
        *,
        source: str,
    ) -> None:
        """Makes a tool of a function of the raw arguments and the event."""
        super().__init__(
            name,
            description,
            schema,
            lambda args, _ctx: work(args, threading.Event()),
            source=source,
        )
        self._work = work

    async def execute(self, args: Any, ctx: Any = None) -> ToolResult:  # noqa: ARG002 - Tool's own
        """Runs the tool in a thread, as :meth:`Tool.execute` does otherwise."""
        import asyncio  # noqa: PLC0415 - needed by hosts that await alone

        stop = threading.Event()
        try:
            return await asyncio.to_thread(self._work, args, stop)
        except asyncio.CancelledError:
            stop.set()
            raise


class Pair:
    """One pair of tools: the functions behind it, and its gate."""

    def __init__(self, skill: SkillInfo, name: str, options: RunOptions, *, may_run: bool) -> None:
        self.skill = skill
        self.folder = os.path.dirname(skill.location)
        self.options = options
        self.may_run = may_run
        self.load_name = LOAD + name
        self.run_name = RUN + name
        self.readme_was_read = False

    def load_tool(self, with_references: bool) -> Tool:
        """Returns the load tool; reading references is offered where there are some."""
        properties: dict[str, Any] = {
            "action": {
                "type": "string",
                "enum": ["readme"],
                "default": "readme",
                "description": "readme gives the skill's instructions and lists its files.",
            }
        }
        if with_references:
            properties["action"]["enum"] = ["readme", "reference"]
            properties["action"]["description"] += " reference gives one of its reference files."
            properties |= _REFERENCE_ARGUMENTS
        description = (
            f"Loads the skill {_line(self.skill.name, 100)!r}: its instructions, and the files that they name."
            " Call it with the action readme before starting on a task that the skill is for."
        )
        if self.skill.description:
            description += " What it is for: "
            description += _line(self.skill.description, _DESCRIBED - len(description) - 1)
        return BlockingTool(
            self.load_name, description, _schema(properties), self.load, source="skill"
        )

    def run_tool(self, scripts: Sequence[Script]) -> Tool:
        """Returns the run tool for these scripts."""
        usages = _listed(list(map(str, scripts)))
        properties = {
            "file_name": {
                "type": "string",
                "enum": [script.name for script in scripts],
                "description": f"The script to run, with the arguments that it takes:\n{usages}",
            },
            "args": {
                "type": "array",
                "items": {"type": "string"},
                "default": [],
                "description": "The script's arguments, one item per argument (<x> required, [x]"
                " optional). No shell reads them.",
            },
            "envs": {
                "type": "array",
                "items": {"type": "string"},
                "default": [],
                "description": "Environment variables for the script, each as KEY=VALUE.",
            },
        }
        description = (
            f"Runs a script of the skill {_line(self.skill.name, 100)!r} and gives what it printed and its exit"
            " code. The working folder is the skill's, and the variable SKILL_DIR holds its path."
            f" Read the skill's instructions first, with {self.load_name}."
        )
        return BlockingTool(
            self.run_name,
            description,
            _schema(properties, ["file_name"]),
            self.run,
            source="script",
        )

    # --- load --------------------------------------------------------------------------------

    def load(self, args: Any, _stop: threading.Event) -> ToolResult:
        """Gives the readme or a reference file; what cannot be read is an error result."""
        try:
            given = _mapping(args)
            action = given.get("action") or "readme"
            if action != "readme":
                return self._reference(given)
        except SkillReadError as error:
            return self.gated(ToolResult(str(error), is_error=True))
        try:
            result = self._readme()
        except SkillReadError as error:
            return ToolResult(str(error), is_error=True)
        self.readme_was_read = True
        return result

    def _readme(self) -> ToolResult:
        body = self.skill.reader.body(self.skill)
        files = self.skill.reader.files(self.skill)
        listed = references_of(files.paths)
        scripts = scripts_of(self.folder, files.paths)
        parts = [("body", body.text.strip())]
        if listed:
            how = (
                f"Read them with `{self.load_name}`: `action` is `reference`, and `file_name` is the"
                " file."
            )
            parts.append(_section("reference files", how, [ref.name for ref in listed]))
        if scripts:
            parts.append(_section("scripts", self._how_to_run(), list(map(str, scripts))))
        metadata = {"name": self.skill.name, "dir": printable(self.folder)}
        return of_parts(parts, metadata, (*body.notes, *left_out(files)), self.skill.root)

    def _how_to_run(self) -> str:
        if not self.may_run:
            return "They cannot be run here: this host offers no tool for it."
        return (
            f"Run them with `{self.run_name}`: `file_name` is the script, and `args` holds its"
            " arguments, one item per argument (`<x>` required, `[x]` optional)."
        )

    def _reference(self, given: Mapping[str, Any]) -> ToolResult:
        if given["action"] != "reference":
            raise SkillReadError(
                f"action is {brief(given['action'])}; pass 'readme' or 'reference'"
            )
        files = self.skill.files()
        if not references_of(files):
            raise SkillReadError(f"the skill {self.skill.name!r} has no reference files")
        path = references.find(_text(given, "file_name", "the file to read"), files)
        pattern = given.get("pattern")
        if pattern is not None and not isinstance(pattern, str):
            raise SkillReadError(f"pattern is of type {type(pattern).__name__}; pass it as text")
        header, text, notes = references.read_page(
            self.folder,
            path,
            pattern=pattern or None,
            line_start=_number(given, "line_start", 1),
            n_lines=_number(given, "n_lines", N_LINES, MAX_LINES),
            column_start=_number(given, "column_start", 1),
        )
        parts = (("title", f"{header}\n"), ("body", text))
        return of_parts(parts, {"name": self.skill.name, "file": path}, notes, self.skill.root)

    # --- run ---------------------------------------------------------------------------------

    def run(self, args: Any, stop: threading.Event) -> ToolResult:
        """Runs a script; what cannot be run, and what fails, is an error result."""
        try:
            result = self._run(_mapping(args), stop)
        except (SkillReadError, ScriptError) as error:
            return self.gated(ToolResult(str(error), is_error=True))
        metadata = {"name": self.skill.name, **(result.metadata or {})}
        return self.gated(replace(result, metadata=metadata, root=self.skill.root))

    def _run(self, given: Mapping[str, Any], stop: threading.Event) -> ScriptResult:
        for key in given:
            # A question comes from Python code alone: a model's arguments are data.
            asks = key == "confirm" and (given[key] is None or callable(given[key]))
            # To run a script without an argument that was given could do something else.
            if key not in _RUN_ARGUMENTS and not asks:
                raise ScriptError(
                    f"there is no argument {brief(key)}, so nothing was run; it takes file_name,"
                    " args, envs"
                )
        script = self._script(_text(given, "file_name", "the script to run"))
        arguments = parse_args(given.get("args"))
        missing = script.missing(arguments)
        if missing:
            raise ScriptError(
                f"{script.name} is not given {' and '.join(missing)}, so it was not run."
                f" Usage: {script}"
            )
        options = self.options
        return run_script(
            self.folder,
            script.path,
            arguments,
            envs=given.get("envs"),
            env=options.env,
            timeout=options.timeout,
            max_output=options.max_output,
            confirm=_both(options.confirm, given.get("confirm")),
            stop=stop,
            over_mcp=options.over_mcp,
        )

    def _script(self, name: str) -> Script:
        scripts = {script.name: script for script in scripts_of(self.folder, self.skill.files())}
        plain = name.removeprefix("./")
        script = scripts.get(plain) or scripts.get(plain.removeprefix("scripts/"))
        if script is None:
            raise ScriptError(not_found(name, scripts, "Script"))
        return script

    # --- the gate ----------------------------------------------------------------------------

    def gated(self, result: ToolResult) -> ToolResult:
        """Adds, to a failure before the readme was read, what the readme would have told."""
        if not result.is_error or self.readme_was_read:
            return result
        advice = f"\n\n{self.summary()}"
        parts = (*result.parts, ("note", advice)) if result.parts else ()
        return replace(result, output=result.output + advice, parts=parts)

    def summary(self) -> str:
        """Returns the skill in about 200 tokens, and the advice to read the readme first."""
        try:
            files: Sequence[str] = self.skill.files()
        except SkillReadError:
            files = ()
        scripts = [str(script) for script in scripts_of(self.folder, files)]
        listed = [reference.name for reference in references_of(files)]
        lines = [
            "The skill's readme was not read yet. In short:",
            f"- name: {_line(self.skill.name, 80)}",
            f"- description: {_line(self.skill.description or 'none', 300)}",
            f"- scripts: {_fitting(scripts, 200)}",
            f"- reference files: {_fitting(listed, 150)}",
            f'Read the readme first: call {self.load_name} with {{"action": "readme"}}.',
        ]
        return "\n".join(lines)


_RUN_ARGUMENTS = ("file_name", "args", "envs")
"""What a run takes from a model."""

_REFERENCE_ARGUMENTS: dict[str, Any] = {
    "file_name": {
        "type": "string",
        "description": "For reference: the file, as the readme lists it.",
    },
    "pattern": {
        "type": "string",
        "description": "For reference: a regular expression; only lines in which it is found are"
        " given.",
    },
    "line_start": {
        "type": "integer",
        "minimum": 1,
        "default": 1,
        "description": "For reference: the first line to give, from 1.",
    },
    "n_lines": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_LINES,
        "default": N_LINES,
        "description": "For reference: how many lines to give.",
    },
    "column_start": {
        "type": "integer",
        "minimum": 1,
        "default": 1,
        "description": "For reference: the first character to give of the first line, from 1; to"
        " read on in a line that was cut.",
    },
}


def _schema(properties: dict[str, Any], required: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _both(first: Confirm | None, second: Any) -> Confirm | None:
    """Returns one question from a wrapper's and a call's own: each of them may refuse."""
    if not callable(second):  # a model's arguments are data, so this comes from Python code alone
        return first
    check_confirm(second)
    if first is None:
        return second  # type: ignore[no-any-return]
    return lambda command: first(command) is True and second(command) is True


def _mapping(args: Any) -> Mapping[str, Any]:
    if args is None:
        return {}
    if not isinstance(args, Mapping):
        raise SkillReadError(f"the arguments are of type {type(args).__name__}; pass a mapping")
    return args


def _text(given: Mapping[str, Any], key: str, what: str) -> str:
    value = given.get(key)
    if not isinstance(value, str) or not value:
        found = "missing" if value in (None, "") else f"of type {type(value).__name__}"
        raise SkillReadError(f"{key} is {found}; pass {what}, as text")
    return value


def _number(given: Mapping[str, Any], key: str, default: int, most: int | None = None) -> int:
    value = given.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= (most or _HUGE):
        to = "" if most is None else f" to {most:,}"
        raise SkillReadError(f"{key} is {brief(value)}; pass a whole number from 1{to}")
    return value


def brief(value: Any) -> str:
    """Returns a value for a message; some have no text, such as a number of over 4,300 digits."""
    try:
        return f"{value!r:.100}"
    except Exception:  # noqa: BLE001 - a stranger's object: whatever it raises
        return f"a value of type {type(value).__name__}"


def _line(text: str, most: int) -> str:
    """Returns text on one line, cut at a number of characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most].rstrip() + "…"


def _section(what: str, how: str, items: Sequence[str]) -> tuple[str, str]:
    """Returns the part of a readme that lists files."""
    return ("files", f"\n\n## Available {what}\n{how}\n{_listed(items)}")


def _listed(items: Sequence[str]) -> str:
    """Returns the lines of a list, cut with its count."""
    lines = [f"- {item}" for item in items[:_LISTED]]
    if len(items) > _LISTED:
        lines.append(f"- … and {len(items) - _LISTED:,} more")
    return "\n".join(lines)


def _fitting(names: Sequence[str], most: int) -> str:
    """Returns names on one line, as many as fit, with the count of the rest."""
    text = ""
    for number, name in enumerate(names):
        longer = f"{text}; {name}" if text else name
        if len(longer) > most:
            return f"{text or name[:most]} … and {len(names) - max(1, number):,} more"
        text = longer
    return text or "none"
