"""The tool that a model calls: ``Tool``, ``ToolResult``, the envelope and the sample.

Imports the records, errors, ``folder``, ``near`` and ``words``. ``asyncio`` is not needed here: a tool's function is either plain
or a coroutine function, and the caller's loop awaits it.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from skillbook.errors import SkillReadError
from skillbook.folder import listable_folder
from skillbook.model import ALL, Files, Root, Shown, SkillInfo, cut, printable, visible
from skillbook.near import near
from skillbook.words import count

DEFAULT_SAMPLE = 10
"""Sibling files that an envelope lists when ``sample_limit`` is 0."""

LEAVE_OUT = -1
"""The ``sample_limit`` that leaves the block of files out."""

_NAMES_IN_ERROR = 20


@dataclass(frozen=True, slots=True)
class ToolResult(Shown):
    """What a call of a tool gives.

    Attributes:
        output: the text that the model gets.
        is_error: whether the call failed; ``output`` then says what is there instead.
        metadata: what a host may want to know (``name``, ``dir``, ``warnings``), or None.
        parts: for an envelope, its parts in order as ``(kind, text)``; joined they are ``output``.
            Kinds are ``tag``, ``title``, ``body``, ``base``, ``note`` and ``files``. Displays tell
            parts apart by these, never by searching the text: a body can hold any tag.
        root: the root of the skill, so that a display can write ``{root}`` for its path.
    """

    output: str
    is_error: bool = False
    metadata: dict[str, Any] | None = None
    parts: tuple[tuple[str, str], ...] = field(default=(), repr=False, compare=False)
    root: Root | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.output, str):
            raise TypeError(f"output of ToolResult is {self.output!r:.200}; pass text")

    def __str__(self) -> str:
        return self.output

    def __repr__(self) -> str:
        kind = "error" if self.is_error else "ok"
        named = f" {self.metadata['name']!r}" if self.metadata and "name" in self.metadata else ""
        text = self.output if self.is_error and len(self.output) < 200 else ""
        text = "\n".join(map(visible, text.split("\n")))
        size = f"{len(self.rooted()):,} characters"
        return f"<ToolResult {kind}{named}: {text or size}>"

    def rooted(self, root: str | None = "{root}") -> str:
        """Returns the output with ``root`` for the absolute path of the skill's root.

        So it is the same on every machine. Only the parts that name the skill's place are
        changed, never the body.

        Args:
            root: what to write; None leaves the exact text.
        """
        if root is None or self.root is None or not self.parts:
            return self.output
        path = self.root.path.rstrip("/")
        uri = "file://" + quote(os.fsencode(path))
        texts = []
        for kind, text in self.parts:
            if kind == "base":
                texts.append(text.replace(uri, f"file://{root}", 1))
            elif kind == "files":
                texts.append(text.replace(f"<file>{path}/", f"<file>{root}/"))
            else:
                texts.append(text)
        return "".join(texts)

    def to_dict(self) -> dict[str, Any]:
        """Returns the result as a JSON-safe mapping."""
        return {"output": self.output, "is_error": self.is_error, "metadata": self.metadata}


Run = Callable[[Any, Any], "ToolResult | Awaitable[ToolResult]"]


class Tool(Shown):
    """A tool in the form that model APIs take: name, description, schema, and a function.

    ``await tool.execute(args)`` is what a host calls; ``tool.call(args)`` and ``tool(name="pdf")``
    do the same without await. None of them raises for what a model or a file can cause.

    Attributes:
        name: the tool's name.
        description: what a model reads of it.
        input_schema: the JSON schema of its arguments.
        source: what kind of thing offers it: ``skill``, ``python``, ``mcp`` …
    """

    __slots__ = ("_run", "description", "input_schema", "name", "source")

    def __init__(
        self,
        name: str,
        description: str,
        input_schema: dict[str, Any],
        run: Run,
        *,
        source: str = "",
    ) -> None:
        """Makes a tool.

        Args:
            name: the tool's name.
            description: what a model reads of it.
            input_schema: the JSON schema of its arguments.
            run: a function of the raw arguments and the host's context; plain or async.
            source: what kind of thing offers it.
        """
        self.name = name
        self.description = description
        self.input_schema = input_schema
        self.source = source
        self._run = run

    def __repr__(self) -> str:
        arguments = ", ".join(self._arguments())
        return visible(f"<Tool {self.name!r} from {self.source or 'code'}: {arguments}>")

    def _arguments(self) -> list[str]:
        required = self.input_schema.get("required", [])
        return [
            name if name in required else f"[{name}]"
            for name in self.input_schema.get("properties", {})
        ] or ["no arguments"]

    async def execute(self, args: Any, ctx: Any = None) -> ToolResult:
        """Runs the tool as a host does.

        Args:
            args: the raw arguments as the model gave them.
            ctx: the host's context, handed through.

        Returns:
            The result; what a model or a file can cause is a result with ``is_error=True``.
        """
        result = self._run(args, ctx)
        if inspect.isawaitable(result):
            result = await result
        return result

    def call(self, args: Any, ctx: Any = None) -> ToolResult:
        """Runs the tool without await, also inside a notebook's running loop.

        Args:
            args: the raw arguments, as ``execute`` takes them.
            ctx: the host's context, handed through.
        """
        result = self._run(args, ctx)
        if inspect.isawaitable(result):
            return _finish(result)
        return result

    def __call__(self, /, **args: Any) -> ToolResult:
        """Runs the tool without await, with its arguments as keywords: ``tool(name="pdf")``."""
        return self.call(args)

    def to_openai(self) -> dict[str, Any]:
        """Returns the tool as OpenAI's chat completions take it (``tools=[…]``)."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": deepcopy(self.input_schema),
            },
        }

    def to_anthropic(self) -> dict[str, Any]:
        """Returns the tool as Anthropic's messages API takes it (``tools=[…]``)."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": deepcopy(self.input_schema),
        }

    def to_gemini(self) -> dict[str, Any]:
        """Returns the tool as a Gemini function declaration.

        Gemini takes a subset of JSON schema; see :func:`skillbook.gemini.schema`.
        """
        from skillbook import gemini  # noqa: PLC0415 - needed by hosts of that API alone

        return {
            "name": self.name,
            "description": self.description,
            "parameters": gemini.schema(self.input_schema),
        }

    def to_mcp(self) -> dict[str, Any]:
        """Returns the tool as an MCP server lists it (``tools/list``)."""
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": deepcopy(self.input_schema),
        }

    def to_dict(self) -> dict[str, Any]:
        """Returns name, description, schema and source as a JSON-safe mapping."""
        return {**self.to_anthropic(), "source": self.source}


def _finish(awaitable: Awaitable[ToolResult]) -> ToolResult:
    """Awaits in a thread of its own, since a notebook's cell runs inside a loop already."""
    import asyncio  # noqa: PLC0415 - a third of a bare start-up, needed by async tools alone
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    async def wait() -> ToolResult:
        return await awaitable

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(wait())).result()


# --- the skill tool ----------------------------------------------------------------------------

_DESCRIPTION = (
    "Loads one skill: instructions for a kind of task, with the folder and the files that go with"
    " them. Call it when a task matches the description of a skill listed under Available Skills,"
    " before starting on the task, with that skill's exact name. The result holds the skill's full"
    " instructions, the base directory that its relative paths start from, and a list of its files;"
    " read those files only when the instructions ask for them."
)

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The name of the skill, as it is listed."}
    },
    "required": ["name"],
    "additionalProperties": False,
}


def skill_tool(skills: Mapping[str, SkillInfo], sample_limit: int = 0) -> Tool:
    """Returns the one tool named ``skill`` over a set of skills.

    Args:
        skills: the skills by name.
        sample_limit: how many sibling files an envelope lists, see :func:`check_sample_limit`.

    Raises:
        TypeError, ValueError: when ``sample_limit`` is none of these.
    """
    limit = check_sample_limit(sample_limit)

    def run(args: Any, _ctx: Any) -> ToolResult:
        name, hint = _asked(args)
        skill = skills.get(name)
        if skill is None:
            return ToolResult(not_found(name, skills) + hint, is_error=True)
        return envelope(skill, limit)

    return Tool("skill", _DESCRIPTION, deepcopy(_SCHEMA), run, source="skill")


def _asked(args: Any) -> tuple[str, str]:
    """Returns the name in raw arguments, and what to say where there is none."""
    if not isinstance(args, Mapping):
        return "", f'\nThe arguments are {_said(args)}; pass {{"name": "…"}}.'
    if "name" not in args:
        return "", '\nThe argument "name" is missing; pass {"name": "…"}.'
    name = args["name"]
    if isinstance(name, str):
        return name, ""
    try:
        asked = str(name)
    except (ValueError, RecursionError):  # a number of over 4,300 digits; lists in lists in lists
        asked = "…"
    return cut(asked), f'\nThe argument "name" is {_said(name)}; pass it as text.'


def _said(value: Any) -> str:
    return "null" if value is None else f"of type {type(value).__name__}"


def not_found(name: str, names: Mapping[str, Any], what: str = "Skill") -> str:
    """Returns the message for a name that is not there, and what is there instead.

    A long list of names is cut with its count, names near to the one asked for first.
    """
    available = sorted(names)
    listed = ", ".join(map(cut, available))
    if len(available) > _NAMES_IN_ERROR:
        first = near(name, available)
        shown = (first + [other for other in available if other not in first])[:_NAMES_IN_ERROR]
        listed = f"{', '.join(map(cut, shown))} … and {len(available) - len(shown):,} more"
    return (
        f'{what} "{printable(cut(name))}" not found. Available {what.lower()}s: {listed or "none"}'
    )


def check_sample_limit(limit: Any) -> int:
    """Returns a ``sample_limit`` that is one: 0 (means 10), a positive number, or -1.

    Raises:
        TypeError: when it is no whole number.
        ValueError: when it is below -1.
    """
    if isinstance(limit, bool) or not isinstance(limit, int):
        msg = f"sample_limit is {limit!r}; pass 0 (lists 10 files), a number, ALL, or -1 to leave the list out"
        raise TypeError(msg)
    if limit < LEAVE_OUT:
        msg = f"sample_limit is {limit}; pass 0 (lists 10 files), a number, ALL, or -1 to leave the list out"
        raise ValueError(msg)
    return limit


def envelope(skill: SkillInfo, sample_limit: int = 0) -> ToolResult:
    """Returns a skill as the ``skill`` tool gives it to a model.

    Args:
        skill: the skill; its body and files are read now.
        sample_limit: 0 lists 10 sibling files, n > 0 lists n, -1 leaves the block out.

    Returns:
        The envelope, or an error result where the skill cannot be read any more.
    """
    try:
        body = skill.reader.body(skill)
        notes = list(body.notes)
        files = None if sample_limit == LEAVE_OUT else _sample(skill, sample_limit, notes)
    except SkillReadError as error:
        return ToolResult(str(error), is_error=True)
    if _TAGS.search(body.text):
        notes.append("the body holds the envelope's own tags; only the outermost ones are real")
    if _TAGS.search(skill.name):
        notes.append("the name holds the envelope's own tags; only the outermost ones are real")
    parts = [
        ("tag", f'<skill_content name="{_attribute(skill.name)}">\n'),
        ("title", f"# Skill: {skill.name}\n\n"),
        ("body", f"{body.text.strip()}\n\n"),
        (
            "base",
            f"Base directory for this skill: {skill.base}\n"
            "Relative paths in this skill (e.g., scripts/, reference/) are relative to this base"
            " directory.\n",
        ),
    ]
    if files is not None:
        listed = "\n".join(f"<file>{path}</file>" for path in files)
        parts += [
            ("note", "Note: file list is sampled.\n\n"),
            ("files", f"<skill_files>\n{listed}\n</skill_files>\n"),
        ]
    parts.append(("tag", "</skill_content>"))
    metadata = {"name": skill.name, "dir": printable(skill.folder or skill.base)}
    return of_parts(parts, metadata, notes, skill.root)


def of_parts(
    parts: Iterable[tuple[str, str]],
    metadata: dict[str, Any],
    notes: Iterable[str],
    root: Root | None,
) -> ToolResult:
    """Returns the result that parts make, with what a host should know among its metadata."""
    parts, warnings = tuple(parts), list(notes)
    return ToolResult(
        "".join(text for _, text in parts),
        metadata={**metadata, "warnings": warnings} if warnings else metadata,
        parts=parts,
        root=root,
    )


_TAGS = re.compile(r"<\s*/?\s*(?:skill_content|skill_files|file)\b", re.IGNORECASE)


def _attribute(text: str) -> str:
    """Returns text as an XML attribute's value (XML 1.0, section 2.4)."""
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text


def left_out(files: Files) -> list[str]:
    """Returns which sibling files are not listed, and why, in sentences for a host."""
    told = (
        (files.outside, "lying outside the skill"),
        (
            files.unlisted,
            "with control characters, angle brackets or bytes that are not UTF-8 in the path",
        ),
    )
    notes = [
        f"{count(number, 'sibling file was', 'sibling files were')} left out, {why}"
        for number, why in told
        if number
    ]
    if files.unread:
        what = count(files.unread, "sibling file or folder", "sibling files or folders")
        notes.append(f"{what} could not be read")
    return notes


def _sample(skill: SkillInfo, limit: int, notes: list[str]) -> list[str] | None:
    """Returns the paths that the envelope lists; None leaves the block out."""
    files = skill.reader.files(skill)
    if skill.origin == "logical" and not skill.resources:
        return None
    notes += left_out(files)
    paths = files.paths[: DEFAULT_SAMPLE if limit == 0 else min(limit, ALL)]
    folder = listable_folder(skill)
    if folder is not None:
        return [f"{folder}/{path}" for path in paths]
    if skill.folder is not None:
        notes.append("the path of the folder is not listed as text; files are relative to the base")
    return list(paths)
