"""The ledger of progressive disclosure: what enters the context window, step by step, and why.

A :class:`Session` plays a conversation without a model: the catalogue enters at the start (level
1), a body when a skill is loaded (level 2), a file or a script's output when it is asked for
(level 3). Imports ``comparison``, ``host_numbers``, ``sizes``, ``tokens``, ``tool``, ``source`` and
the records; ``scripts`` only where one is run. Must not import displays or widgets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from skillbook.comparison import Comparison, compare
from skillbook.errors import SkillbookError, SkillReadError
from skillbook.frames import frame
from skillbook.host_numbers import context_window
from skillbook.model import Shown, SkillInfo, cut, printable, visible
from skillbook.sizes import ROOT, file_text
from skillbook.source import SkillSource
from skillbook.tokens import Counter, CounterLike, as_counter
from skillbook.tool import ToolResult, not_found
from skillbook.words import count

MOST_TITLE = 500
"""Characters of an entry's title; the message itself is whole."""

Kind = Literal["system prompt", "tool schema", "user", "load", "read", "run", "unload"]
Runner = Callable[[SkillInfo, str, Sequence[str]], "str | ToolResult"]


@dataclass(frozen=True, slots=True)
class Entry(Shown):
    """One message in the ledger.

    Attributes:
        step: the number of the step that brought it, from 1; the start brings two messages.
        kind: what it is.
        title: what happened, in a few words.
        level: 1 for the catalogue, 2 for a body, 3 for a file or a script's output; None for
            what a user says.
        text: the literal message; ``""`` where a step only takes away.
        tokens: what it adds to the context; below 0 where it takes away.
        total: what the context holds after it.
        skill: the skill it belongs to, or None.
        is_error: whether the model gets an error.
        note: what a reader should know, in plain words.
        shown: the message as displays show it, with ``{root}`` for a root's absolute path.
    """

    step: int
    kind: Kind
    title: str
    level: int | None
    text: str = field(repr=False)
    tokens: int
    total: int
    skill: str | None = None
    is_error: bool = False
    note: str = ""
    shown: str = field(default="", repr=False, compare=False)

    @property
    def stays(self) -> bool:
        """Whether it costs the same however skills are given: what a user says, a script prints."""
        return self.kind in ("user", "run")

    def to_dict(self) -> dict[str, Any]:
        """Returns the entry as a JSON-safe mapping."""
        return {
            "step": self.step,
            "kind": self.kind,
            "title": printable(self.title),
            "level": self.level,
            "tokens": self.tokens,
            "total": self.total,
            "skill": None if self.skill is None else printable(self.skill),
            "is_error": self.is_error,
            "note": self.note,
            "text": printable(self.text),
        }


_COLUMNS = tuple(each.name for each in fields(Entry) if each.name != "shown")


class Session(Shown):
    """A conversation that is played without a model, and the ledger of what it puts in the context.

    Each step adds an entry with its literal message and what that costs. What the model itself
    would say, its calls of tools included, is not part of it. The same skills and the same steps
    give the same ledger.

    Attributes:
        source: the skills.
        context: the size of the context window, in tokens.
        counter: what counts the tokens, with its name.
        root: what stands for the absolute path of a root in messages; None keeps the exact text.
        given: the texts that :meth:`read` was given for files that hold none, by skill and path.
    """

    def __init__(
        self,
        source: SkillSource,
        context: int = 200_000,
        *,
        counter: CounterLike = None,
        root: str | None = None,
        runner: Runner | None = None,
    ) -> None:
        """Begins a session; nothing is in the context yet.

        Args:
            source: what ``load_skills`` gives.
            context: the size of the context window, in tokens.
            counter: see :func:`skillbook.tokens.as_counter`; None means ``cl100k_base``.
            root: what to write for the absolute path of a root, such as ``"/skills"``. An
                envelope holds absolute paths, so without it the same skills cost a few tokens
                more or less from one machine to another.
            runner: runs a script for :meth:`run`: a callable of the skill, the file's path and
                the arguments that gives what the model would get. None runs it for real, see
                :func:`skillbook.scripts.run_script`.

        Raises:
            TypeError: when an argument is of the wrong type.
            ValueError: when ``context`` is not above 0, or too large.
        """
        if not isinstance(source, SkillSource):
            raise TypeError(
                f"source is {type(source).__name__}; pass what load_skills gives, or what the "
                "method source of a catalogue gives"
            )
        if root is not None:
            _check_text("root", root)
        if runner is not None and not callable(runner):
            raise TypeError(f"runner is {runner!r}; pass a callable of skill, path and arguments")
        self.source = source
        self.context = context_window(context)
        self.counter: Counter = as_counter(counter)
        self.root = root
        self._runner = runner
        self.given: dict[tuple[str, str], str] = {}
        self._entries: list[Entry] = []
        self._held: dict[str, list[Entry]] = {}

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The ledger: every message so far, in order."""
        return tuple(self._entries)

    @property
    def total(self) -> int:
        """Tokens in the context now: the sum over the entries."""
        return self._entries[-1].total if self._entries else 0

    @property
    def left(self) -> int:
        """Tokens of the context window that are free; below 0 where it is over-full."""
        return self.context - self.total

    @property
    def loaded(self) -> tuple[str, ...]:
        """The skills of which more than an error is in the context, in the order they came."""
        return tuple(
            name
            for name, entries in self._held.items()
            if not all(entry.is_error for entry in entries)
        )

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __repr__(self) -> str:
        lines = [
            f"<Session: {count(len(self), 'entry', 'entries')}, {self.total:,} of {self.context:,} tokens by {self.counter.name}"
        ]
        lines += [
            f"  {each.title}: {each.tokens:+,} = {each.total:,}" for each in self._entries[:20]
        ]
        if len(self) > 20:
            lines.append(f"  … and {len(self) - 20:,} more")
        return "\n".join(lines) + ">"

    def start(self) -> tuple[Entry, ...]:
        """Puts the system prompt and the tool's schema into the context (level 1).

        Other steps do this first where it was not done.

        Returns:
            The two entries.

        Raises:
            ValueError: when the session has begun.
        """
        if self._entries:
            raise ValueError("the session has begun; make a new Session to start again")
        tool = self.source.tool
        schema = json.dumps(tool.to_anthropic(), ensure_ascii=False)
        listed = sum(1 for skill in self.source.values() if skill.description)
        self._add(
            "system prompt",
            f"system prompt: {count(listed, 'skill')} listed",
            1,
            self.source.prompt(),
            step=1,
        )
        self._add("tool schema", f"the schema of the tool {tool.name!r}", 1, schema, step=1)
        return self.entries

    def user(self, text: str) -> Entry:
        """Adds what the user says.

        Raises:
            TypeError: when it is no text.
        """
        _check_text("text", text)
        self._begin()
        return self._add("user", "user", None, text)

    def load(self, name: str) -> Entry:
        """Loads a skill: what the ``skill`` tool gives enters the context (level 2).

        Args:
            name: the skill. A wrong one is an entry too: the model gets the tool's error.

        Raises:
            TypeError: when it is no text.
        """
        _check_text("name", name)
        self._begin()
        result = self.source.tool.call({"name": name})
        note = ""
        before = [entry for entry in self._held.get(name, ()) if entry.kind == "load"]
        if not result.is_error and not all(entry.is_error for entry in before):
            note = "It was loaded before: its text now stands in the context twice."
        title = f"load {name}"
        return self._add(
            "load", title, 2, result.rooted(self.root), skill=name, result=result, note=note
        )

    def read(self, name: str, path: str, *, text: str | None = None) -> Entry:
        """Reads a file beside a skill: its text enters the context (level 3).

        Args:
            name: the skill.
            path: the file, one of ``skill.files()``. A wrong one is an entry too: an error.
            text: what the file holds, where it is not on the disk (a data skill's resource).

        Raises:
            TypeError: when one of these is no text.
        """
        for what, value in (("name", name), ("path", path), ("text", "" if text is None else text)):
            _check_text(what, value)
        self._begin()
        result = self._read(name, path, text)
        title = f"read {path} of {name}"
        return self._add("read", title, 3, result.output, skill=name, result=result)

    def run(
        self,
        name: str,
        path: str,
        args: Sequence[str] = (),
        *,
        output: str | ToolResult | None = None,
    ) -> Entry:
        """Runs a script of a skill: what it prints enters the context, its code does not (level 3).

        Args:
            name: the skill.
            path: the script, one of ``skill.files()``. A wrong one is an entry too: an error.
            args: its arguments.
            output: what it prints; nothing is run then. None runs the script now, so a script
                that gives another output each time gives another ledger.

        Raises:
            TypeError: when one of these is no text, ``args`` no list of texts, or what a runner
                gives neither text nor a result.
        """
        _check_text("name", name)
        _check_text("path", path)
        if (
            isinstance(args, (str, bytes))
            or not isinstance(args, Sequence)
            or not all(isinstance(each, str) for each in args)
        ):
            raise TypeError(f"args is {args!r}; pass a list of texts, one an argument")
        if output is not None and not isinstance(output, (str, ToolResult)):
            raise TypeError(f"output is {output!r}; pass text, or what run_script gave")
        self._begin()
        result, note = self._found(name, path), ""
        if result is None:
            skill = self.source[name]
            given = (self._runner or _run_script)(skill, path, args) if output is None else output
            if not isinstance(given, (str, ToolResult)):
                raise TypeError(f"the runner gave {given!r}; it must give text or a ToolResult")
            result = ToolResult(given) if isinstance(given, str) else given
            code = file_text(skill, path)[0]
            if code is not None:
                note = f"Its code, {self.counter(code):,} tokens, stays out of the context."
        title = " ".join(("run", path, *args, "of", name))
        return self._add(
            "run", title, 3, result.rooted(self.root), skill=name, result=result, note=note
        )

    def unload(self, name: str) -> Entry:
        """Takes a skill out of the context again: its body, what was read and run of it, its errors.

        Raises:
            TypeError: when the name is no text.
            ValueError: when nothing of it is in the context.
        """
        _check_text("name", name)
        held = self._held.pop(name, None)
        if not held:
            there = visible(", ".join(self._held)) or "nothing"
            raise ValueError(f"nothing of {name!r} is in the context; there is: {there}")
        freed = sum(entry.tokens for entry in held)
        title = f"unload {name}: {count(len(held), 'message')} taken out"
        return self._add("unload", title, None, "", skill=name, tokens=-freed)

    def compare(self) -> Comparison:
        """Sets the session beside two other ways to give a model the same skills.

        A session that has not begun begins now.

        Everything up front: each skill as the ``skill`` tool gives it and each text file beside it
        stand in the system prompt. One tool a skill: each described skill is a tool with its name,
        its description and no arguments. The steps are the session's own: where a text is there
        from the start, loading and reading it add nothing, and nothing can be unloaded.
        """
        self._begin()
        return compare(
            self.source,
            self.counter,
            context=self.context,
            root=self.root,
            start=sum(entry.tokens for entry in self._entries if entry.step == 1),
            steps=sum(entry.tokens for entry in self._entries if entry.step > 1),
            said=sum(entry.tokens for entry in self._entries if entry.stays),
            given=self.given,
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the ledger as a JSON-safe mapping."""
        return {
            "counter": self.counter.name,
            "context": self.context,
            "total": self.total,
            "entries": [entry.to_dict() for entry in self._entries],
        }

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row an entry.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        rows = ({**entry.to_dict(), "counter": self.counter.name} for entry in self._entries)
        return frame(rows, [*_COLUMNS, "counter"])

    def _begin(self) -> None:
        if not self._entries:
            self.start()

    def _found(self, name: str, path: str) -> ToolResult | None:
        """Returns the error for a skill or a file that is not there, or None."""
        skill = self.source.skills.get(name)
        if skill is None:
            return ToolResult(not_found(name, self.source.skills), is_error=True)
        try:
            files = dict.fromkeys(skill.files())
        except SkillReadError as error:
            return ToolResult(str(error), is_error=True)
        if path not in files:
            return ToolResult(not_found(path, files, "File"), is_error=True)
        return None

    def _read(self, name: str, path: str, text: str | None) -> ToolResult:
        missing = self._found(name, path)
        if missing is not None:
            return missing
        found, _, problem = file_text(self.source[name], path)
        if text is not None:
            if found is None:
                self.given[name, path] = text
            return ToolResult(text)
        if found is None:
            why = problem.removeprefix("not counted: ")
            return ToolResult(f'File "{path}" of skill "{name}" has no text: {why}', is_error=True)
        return ToolResult(found)

    def _add(
        self,
        kind: Kind,
        title: str,
        level: int | None,
        text: str,
        *,
        step: int | None = None,
        skill: str | None = None,
        result: ToolResult | None = None,
        tokens: int | None = None,
        note: str = "",
    ) -> Entry:
        """Writes one message into the ledger."""
        if tokens is None:
            tokens = self.counter(text)
        total = self.total + tokens
        if total > self.context >= self.total:
            note = f"{note} The context window is over-full from here on.".lstrip()
        entry = Entry(
            step or (self._entries[-1].step + 1 if self._entries else 1),
            kind,
            cut(visible(" ".join(title.split())), MOST_TITLE),
            level,
            text,
            tokens,
            total,
            skill,
            result is not None and result.is_error,
            note,
            text if result is None else result.rooted(ROOT if self.root is None else self.root),
        )
        self._entries.append(entry)
        if skill is not None and kind != "unload":
            self._held.setdefault(skill, []).append(entry)
        return entry


def _run_script(skill: SkillInfo, path: str, args: Sequence[str]) -> ToolResult:
    """Runs a script for real; what keeps it from running is what the model gets."""
    from skillbook.scripts import run_script  # noqa: PLC0415 - needed where a script is run

    if skill.folder is None:
        return ToolResult(f"{path} cannot be run: a data skill has no files", is_error=True)
    try:
        return run_script(skill.folder, path, args)
    except SkillbookError as error:
        return ToolResult(str(error), is_error=True)


def _check_text(what: str, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{what} is {value!r}; pass it as text")
