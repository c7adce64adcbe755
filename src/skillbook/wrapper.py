"""One skill as two tools: ``skill_wrapper`` gives its load and run pair.

Imports ``discovery``, ``pair``, ``references``, ``script_files``, ``scripts`` and the records.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from skillbook import discovery
from skillbook.errors import FrontMatterError, SkillNotFound, SkillReadError
from skillbook.model import Shown, SkillInfo, visible
from skillbook.pair import LOAD, LONGEST_NAME, Pair, RunOptions, tool_name
from skillbook.references import Reference, references_of
from skillbook.script_files import Script, scripts_of
from skillbook.script_input import Environment
from skillbook.scripts import MAX_OUTPUT, TIMEOUT, Confirm, check_confirm, check_options
from skillbook.tool import Tool


@dataclass(frozen=True, slots=True)
class SkillTools(Shown):
    """The pair of tools for one skill; iterating gives those that there are.

    Attributes:
        load: gives the skill's text and its reference files.
        run: runs its scripts; None when it has none.
        skill: the skill.
    """

    load: Tool
    run: Tool | None
    skill: SkillInfo

    def __iter__(self) -> Iterator[Tool]:
        yield self.load
        if self.run is not None:
            yield self.run

    def __repr__(self) -> str:
        return f"<SkillTools: load {self.load.name!r}, run {self.run.name if self.run else None!r}>"


class SkillWrapper(Shown):
    """One skill that can be had as tools: calling it makes a fresh pair with a gate of its own.

    Attributes:
        skill: the skill, whose front matter was parsed once.
        name: what the tools' names end with.
        options: how its scripts run.
    """

    __slots__ = ("name", "options", "skill")

    def __init__(
        self, skill: SkillInfo, *, name: str | None = None, options: RunOptions | None = None
    ) -> None:
        """Wraps a skill that was loaded; :func:`skill_wrapper` is the usual way.

        Args:
            skill: a skill with a folder.
            name: what the tools' names end with; by default the folder's name.
            options: how its scripts run.

        Raises:
            ValueError: when it is a data skill.
        """
        if skill.folder is None:
            raise ValueError(
                f"skill {skill.name!r} is a data skill without a folder; its text comes by the skill"
                " tool of load_skills"
            )
        self.skill = skill
        self.name = tool_name(name or os.path.basename(skill.folder), LONGEST_NAME - len(LOAD))
        self.options = options or RunOptions()

    def __repr__(self) -> str:
        return visible(f"<SkillWrapper {self.skill.name!r} in {self.skill.shown_location}>")

    @property
    def folder(self) -> str:
        """The absolute path of the skill's folder."""
        return os.path.dirname(self.skill.location)

    def scripts(self) -> tuple[Script, ...]:
        """Returns the skill's scripts, read now.

        Raises:
            SkillReadError: when the folder is gone or cannot be read.
        """
        return scripts_of(self.folder, self.skill.files())

    def references(self) -> tuple[Reference, ...]:
        """Returns the skill's reference files, read now.

        Raises:
            SkillReadError: when the folder is gone or cannot be read.
        """
        return references_of(self.skill.files())

    def __call__(self, *, confirm: Confirm | None = None, run: bool = True) -> SkillTools:
        """Makes a fresh pair of tools, with a gate of their own.

        Args:
            confirm: is asked before each run of this pair, instead of the wrapper's own.
            run: whether scripts may run at all; otherwise ``tools.run`` is None.

        Raises:
            SkillReadError: when the folder is gone or cannot be read.
            TypeError: when ``confirm`` is no plain callable.
        """
        check_confirm(confirm)
        options = replace(self.options, confirm=confirm) if confirm else self.options
        files = self.skill.files()
        scripts = scripts_of(self.folder, files) if run else ()
        pair = Pair(self.skill, self.name, options, may_run=bool(scripts))
        return SkillTools(
            pair.load_tool(bool(references_of(files))),
            pair.run_tool(scripts) if scripts else None,
            self.skill,
        )


def skill_wrapper(
    path: str | os.PathLike[str] | SkillInfo,
    *,
    env: Environment = "caller",
    timeout: float = TIMEOUT,
    max_output: int = MAX_OUTPUT,
    confirm: Confirm | None = None,
) -> SkillWrapper:
    """Wraps one skill, so that a host can have it as two tools.

    Its front matter is parsed once, now; its body and files are read at each call. The working
    folder of its scripts is the skill's, so what they write by a relative path lands there.

    Args:
        path: the skill's folder, or a skill of a source.
        env: the environment of its scripts: ``caller`` for all of this process's, ``clean`` for
            what any process needs.
        timeout: how long a script may take, in seconds.
        max_output: what is kept of each stream of a script, in bytes.
        confirm: is shown each command before it runs; anything but True refuses it.

    Raises:
        SkillNotFound: when the folder holds no ``SKILL.md``.
        FrontMatterError, SkillReadError: when its ``SKILL.md`` gives no skill.
        TypeError, ValueError: when an argument is of the wrong type or value.
    """
    check_options(env, timeout, max_output)
    check_confirm(confirm)
    skill = path if isinstance(path, SkillInfo) else _read_skill(path)
    return SkillWrapper(skill, options=RunOptions(env, timeout, int(max_output), confirm))


def _read_skill(path: str | os.PathLike[str]) -> SkillInfo:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(
            f"skill_wrapper takes the folder of a skill, or one skill, not {type(path).__name__};"
            " of a source that is source[name], and the method source of a catalogue gives a source"
        )
    if not os.fspath(path):
        raise TypeError(f"path is {path!r}; pass the folder of a skill")
    root = discovery.root_of(path)
    try:
        found = discovery.discover([root])
    except ValueError:  # a NUL character, half a surrogate pair
        raise ValueError(f"path is {path!r}, which no file can be called; pass another") from None
    document = os.path.join(root.path, "SKILL.md")
    for skill in found.skills:
        if skill.location == document:
            return skill
    for skip in found.skipped:
        if skip.location == document:
            message = f"{root.shown(document)} gives no skill: {skip.detail}"
            if skip.reason == "unreadable":
                raise SkillReadError(message)
            raise FrontMatterError(skip.reason, message, skip.line)
    why = [
        notice.detail
        for notice in found.notices
        if notice.location == root.path or os.path.dirname(notice.location) == root.path
    ]
    raise SkillNotFound(f"no SKILL.md in {root.typed!r}{': ' if why else ''}{'; '.join(why)}")
