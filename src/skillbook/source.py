"""Sources: ``load_skills`` and ``list_skills``, what they return, and where agents keep skills.

Imports ``discovery``, ``tool``, ``frames``, ``words`` and the
records.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skillbook.data_skill import data_info, data_skill, refuse_async
from skillbook.discovery import discover, duplicate, root_of
from skillbook.errors import SkillNotFound, SkillWarning, told
from skillbook.frames import frame
from skillbook.model import (
    Notice,
    Root,
    Shown,
    SkillDef,
    SkillInfo,
    SkillSkip,
    cut,
    printable,
    visible,
)
from skillbook.prompt import build
from skillbook.tool import Tool, check_sample_limit, not_found, skill_tool
from skillbook.words import count

Dirs = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None
DataSkills = Iterable[SkillDef | Mapping[str, Any]]

AGENT_FOLDERS = (
    ".agents/skills",
    ".claude/skills",
    ".codex/skills",
    ".copilot/skills",
    ".cursor/skills",
    ".gemini/skills",
    ".github/skills",
    ".goose/skills",
    ".opencode/skills",
    ".config/agents/skills",
    ".config/goose/skills",
    ".config/opencode/skills",
)


def warn(message: str) -> None:
    """Gives a ``SkillWarning`` with a fixed place, so that its text is the same in every run."""
    warnings.warn_explicit(visible(message), SkillWarning, "skillbook", 1, module="skillbook")


def default_roots() -> list[Path]:
    """Returns the folders where agents keep skills, those that exist: project first, then home.

    Looked for are ``.agents/skills``, ``.claude/skills`` and the like. The project is the working
    folder and, inside a git repository, each folder above it up to the repository's; the nearest
    comes first.
    """
    found: dict[Path, None] = {}
    for place in (*_project(), *_home()):
        for name in AGENT_FOLDERS:
            path = place / name
            if _is(path.is_dir):
                found[path] = None
    return list(found)


def _project() -> list[Path]:
    """Returns the working folder and those above it up to the repository's; else it alone."""
    try:
        here = Path.cwd()
    except OSError:  # it was deleted
        return []
    places = [here]
    for place in (here, *here.parents):
        if place != here:
            places.append(place)
        if _is((place / ".git").exists):
            return places
    return [here]


def _home() -> list[Path]:
    try:
        return [Path.home()]
    except RuntimeError:  # a user without an entry and without $HOME
        return []


def _is(ask: Callable[[], bool]) -> bool:
    """Asks the disk; what may not be looked at is not there."""
    try:
        return ask()
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class SkillInventory(Shown):
    """What was found, and what was skipped and why.

    Attributes:
        skills: the skills, in order.
        skipped: every ``SKILL.md`` or data skill that gave none.
        notices: what else explains an absence.
        roots: the roots that were walked, in order.
    """

    skills: list[SkillInfo] = field(default_factory=list)
    skipped: list[SkillSkip] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    roots: list[Root] = field(default_factory=list)

    def __repr__(self) -> str:
        return _summary(self, "SkillInventory", self.skills)

    def __len__(self) -> int:
        return len(self.skills)

    def __iter__(self) -> Iterator[SkillInfo]:
        return iter(self.skills)

    @property
    def names(self) -> list[str]:
        """The names of the skills, in order: what a filter is written from."""
        return [skill.name for skill in self.skills]

    def to_dict(self) -> dict[str, Any]:
        """Returns the inventory as a JSON-safe mapping."""
        return _to_dict(self, self.skills)

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row a skill or skip.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        return _to_pandas(self.skills, self.skipped)


class SkillSource(Shown, Mapping[str, SkillInfo]):
    """Skills by name, the one tool that loads them, and the prompt that lists them.

    Attributes:
        skills: the skills by name, in the order they were found.
        skipped: every ``SKILL.md`` or data skill that gave none.
        notices: what else explains an absence.
        roots: the roots that were walked, in order.
        sample_limit: how many sibling files an envelope lists (0 means 10, -1 leaves them out).
        filter: the filter that was applied, or None.
        filtered: the names of the skills that it left out, in order.
        tool: the one tool, named ``skill``.
    """

    __slots__ = (
        "_inventory",
        "filter",
        "filtered",
        "notices",
        "roots",
        "sample_limit",
        "skills",
        "skipped",
        "tool",
    )

    def __init__(
        self,
        inventory: SkillInventory,
        *,
        filter: Mapping[str, bool] | None = None,  # noqa: A002 - the public name
        sample_limit: int = 0,
    ) -> None:
        """Makes a source of an inventory; ``load_skills`` is the usual way."""
        self.sample_limit = check_sample_limit(sample_limit)
        self.filter = dict(filter) if filter else None
        self.skills = {skill.name: skill for skill in inventory.skills}
        self.filtered: tuple[str, ...] = ()
        if self.filter:
            names = kept(self.skills, self.filter)
            self.filtered = tuple(name for name in self.skills if name not in names)
            self.skills = {name: skill for name, skill in self.skills.items() if name in names}
        self._inventory = inventory
        self.skipped = inventory.skipped
        self.notices = inventory.notices
        self.roots = inventory.roots
        self.tool: Tool = skill_tool(self.skills, sample_limit)

    def __getitem__(self, name: str) -> SkillInfo:
        try:
            return self.skills[name]
        except (KeyError, TypeError):
            raise SkillNotFound(not_found(str(name), self.skills)) from None

    def __contains__(self, name: object) -> bool:
        return name in self.skills

    def __iter__(self) -> Iterator[str]:
        return iter(self.skills)

    def __len__(self) -> int:
        return len(self.skills)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return _summary(self, "SkillSource", list(self.skills.values()))

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.skills)

    def prompt(self, format: str = "markdown") -> str:  # noqa: A002 - the public name
        """Returns the text for the system prompt.

        Args:
            format: ``markdown``, a preamble and one line a described skill, sorted by name;
                ``xml``, the form of the format's reference tool; ``json``, a plain list.

        Raises:
            ValueError: when there is no such format.
        """
        return build(self.skills.values(), format).text

    def with_sample_limit(self, limit: int) -> SkillSource:
        """Returns the same source with another ``sample_limit``, without walking again.

        Raises:
            TypeError, ValueError: when ``limit`` is no ``sample_limit``.
        """
        return SkillSource(self._inventory, filter=self.filter, sample_limit=limit)

    def to_dict(self) -> dict[str, Any]:
        """Returns the source as a JSON-safe mapping."""
        return {
            **_to_dict(self, self.skills.values()),
            "filter": self.filter,
            "sample_limit": self.sample_limit,
        }

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row a skill or skip.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        return _to_pandas(self.skills.values(), self.skipped)


def kept(names: Iterable[str], filter: Mapping[str, bool]) -> set[str]:  # noqa: A002 - public
    """Returns the names that a filter keeps: any True makes an allowlist, else a drop list."""
    allowlist = any(filter.values())
    return {name for name in names if filter.get(name, not allowlist)}


def list_skills(
    dirs: Dirs = None,
    *,
    skills: DataSkills | None = None,
    provider: Callable[[], DataSkills] | None = None,
) -> SkillInventory:
    """Lists what is there and what was skipped and why; reads no body.

    Args:
        dirs: one root or several; relative paths and ``~`` work.
        skills: data skills, after those of the roots in precedence.
        provider: a callable without arguments that gives data skills; called once, last in
            precedence. When it fails, a warning says so and the others still load.

    Returns:
        The inventory. The first skill to have a name wins it.

    Raises:
        TypeError, ValueError: when an argument is of the wrong type.
    """
    roots = _roots(dirs)
    given = [data_skill(item) for item in _several(() if skills is None else skills, "skills")]
    found = discover(roots)
    given += _provided(provider, found.notices)
    if given:
        taken = {skill.name: skill for skill in found.skills}
        for item in given:
            info = data_info(item)
            if isinstance(info, SkillSkip):
                found.skipped.append(info)
            elif info.name in taken:
                found.skipped.append(duplicate(info.name, info.location, taken[info.name]))
            else:
                taken[info.name] = info
                found.skills.append(info)
    _warn_of_absences(found.notices, found.skipped)
    return SkillInventory(found.skills, found.skipped, found.notices, roots)


def load_skills(
    dirs: Dirs = None,
    *,
    skills: DataSkills | None = None,
    provider: Callable[[], DataSkills] | None = None,
    filter: Mapping[str, bool] | None = None,  # noqa: A002 - the public name
    sample_limit: int = 0,
) -> SkillSource:
    """Loads skills: what is there by name, the one tool, and the prompt.

    Args:
        dirs: one root or several; relative paths and ``~`` work.
        skills: data skills, after those of the roots in precedence.
        provider: a callable without arguments that gives data skills, last in precedence.
        filter: names to True or False. None or empty keeps all; any True keeps just those that
            are True; only False drops those. Applied before prompt and tool, so both agree.
        sample_limit: how many sibling files an envelope lists: 0 means 10, n > 0 means n,
            ``ALL`` cuts nothing, -1 leaves the list out.

    Returns:
        The source. Warnings (``SkillWarning``) tell of missing roots, duplicates, unknown filter
        names and a failing provider, one of each a call.

    Raises:
        TypeError, ValueError: when an argument is of the wrong type or value.
    """
    check_sample_limit(sample_limit)
    _check_filter(filter)
    return source_of(list_skills(dirs, skills=skills, provider=provider), filter, sample_limit)


def source_of(
    inventory: SkillInventory,
    filter: Mapping[str, bool] | None = None,  # noqa: A002 - the public name
    sample_limit: int = 0,
) -> SkillSource:
    """Returns a source of what was listed; a warning tells of unknown filter names.

    Raises:
        TypeError, ValueError: when an argument is of the wrong type or value.
    """
    _check_filter(filter)
    if filter:
        names = {skill.name for skill in inventory.skills}
        unknown = [name for name in filter if name not in names]
        if unknown:
            known = ", ".join(cut(name) for name in sorted(names)[:20]) or "none"
            warn(
                f"the filter names skills that are not there: {_some([cut(name) for name in unknown])} (there are: {known})"
            )
    return SkillSource(inventory, filter=filter, sample_limit=sample_limit)


def _check_filter(filter: Any) -> None:  # noqa: A002 - the public name
    if filter is None:
        return
    if not isinstance(filter, Mapping):
        msg = f'filter is {filter!r}; pass a mapping such as {{"pdf": True}}'
        raise TypeError(msg)
    for name, value in filter.items():
        if not isinstance(name, str) or not isinstance(value, bool):
            msg = f"filter holds {name!r}: {value!r}; pass names to True or False"
            raise TypeError(msg)


def _roots(dirs: Any) -> list[Root]:
    roots = []
    for path in _several(() if dirs is None else dirs, "dirs", single=(str, bytes, os.PathLike)):
        if not isinstance(path, (str, os.PathLike)) or isinstance(os.fspath(path), bytes):
            msg = f"dirs holds {path!r}; pass paths as text or Path"
            raise TypeError(msg)
        text = os.fspath(path)
        if not text:
            msg = "dirs holds an empty path; pass '.' for the working folder"
            raise ValueError(msg)
        try:
            fits = "\0" not in text and os.fsencode(text) is not None
        except UnicodeEncodeError:
            fits = False
        if not fits:
            msg = f"dirs holds {text!r}, which no file can be called; pass another path"
            raise ValueError(msg)
        roots.append(root_of(path))
    return roots


def _several(given: Any, what: str, *, single: tuple[type, ...] = ()) -> list[Any]:
    """Returns an argument as a list; one of the ``single`` types is a list of one."""
    if single and isinstance(given, single):
        return [given]
    if isinstance(given, (str, bytes, Mapping, SkillDef)) or not isinstance(given, Iterable):
        msg = f"{what} is {given!r}; pass a list"
        raise TypeError(msg)
    return list(given)


def _provided(
    provider: Callable[[], DataSkills] | None, notices: list[Notice]
) -> Sequence[SkillDef]:
    """Calls the provider once; what goes wrong there becomes a notice."""
    if provider is None:
        return ()
    if not callable(provider):
        msg = f"provider is {provider!r}; pass a callable without arguments that gives data skills"
        raise TypeError(msg)
    name = getattr(provider, "__qualname__", type(provider).__qualname__)
    try:
        given = refuse_async(provider())
        if not isinstance(given, Iterable):  # its repr may hold an address
            msg = f"what it gave is of type {type(given).__name__}; pass a list"
            raise TypeError(msg)  # noqa: TRY301 - told as what a stranger's code raises
        return [data_skill(item) for item in _several(given, "what it gave")]
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's code: others still load
        detail = f"the provider {name} failed: {told(error)}"
        notices.append(Notice(f"provider:{name}", "failing-provider", detail))
        return ()


_ROOT_KINDS = ("missing-root", "unreadable-root", "root-is-no-folder")


def _warn_of_absences(notices: list[Notice], skipped: list[SkillSkip]) -> None:
    bad = [notice for notice in notices if notice.kind in _ROOT_KINDS]
    if bad:
        told = [
            f"{notice.root or notice.location} ({notice.detail.removeprefix('this root ')})"
            for notice in bad
        ]
        warn(f"{count(len(bad), 'root')} gave no skills: {_some(told)}")
    doubles = [skip for skip in skipped if skip.reason == "duplicate-name"]
    if doubles:
        told = [f"{skip.shown_location} ({skip.detail})" for skip in doubles]
        warn(f"{count(len(doubles), 'skill')} skipped for a name that is taken: {_some(told)}")
    for notice in notices:
        if notice.kind == "failing-provider":
            warn(notice.detail)


def _some(items: Sequence[str], most: int = 5, total: int | None = None) -> str:
    """Returns items as one line, cut with its count."""
    total = len(items) if total is None else total
    more = f" … and {total - most:,} more" if total > most else ""
    return ", ".join(items[:most]) + more


def _summary(what: SkillInventory | SkillSource, kind: str, skills: list[SkillInfo]) -> str:
    """Returns the repr: the same facts as the HTML, in a few lines."""
    lines = [
        f"<{kind}: {count(len(skills), 'skill')}, {len(what.skipped):,} skipped,"
        f" {count(len(what.notices), 'notice')}>"
    ]
    for skill in skills[:10]:
        said = cut(" ".join((skill.description or "no description").split()))
        warned = f" ({count(len(skill.warnings), 'warning')})" if skill.warnings else ""
        lines.append(f"  {cut(skill.name)}: {said}{warned}")
    if len(skills) > 10:
        lines.append(f"  … and {len(skills) - 10:,} more skills")
    if what.skipped:
        told = [f"{skip.shown_location} ({skip.reason})" for skip in what.skipped[:6]]
        lines.append(f"  skipped: {_some(told, 5, len(what.skipped))}")
    if what.notices:
        told = [f"{notice.shown_location} ({notice.kind})" for notice in what.notices[:6]]
        lines.append(f"  notices: {_some(told, 5, len(what.notices))}")
    return "\n".join(map(visible, lines))


def _to_dict(what: SkillInventory | SkillSource, skills: Iterable[SkillInfo]) -> dict[str, Any]:
    return {
        "skills": [skill.to_dict() for skill in skills],
        "skipped": [skip.to_dict() for skip in what.skipped],
        "notices": [notice.to_dict() for notice in what.notices],
        "roots": [printable(root.typed) for root in what.roots],
    }


_COLUMNS = ("name", "description", "location", "origin", "root", "warnings", "skip_reason")


def _to_pandas(skills: Iterable[SkillInfo], skipped: Iterable[SkillSkip]) -> Any:
    rows: list[tuple[Any, ...]] = [
        (
            skill.name,
            skill.description,
            printable(skill.location),
            skill.origin,
            printable(skill.root.typed) if skill.root else None,
            "; ".join(notice.detail for notice in skill.warnings),
            None,
        )
        for skill in skills
    ]
    rows += [
        (
            None,
            None,
            printable(skip.location),
            None,
            printable(skip.root.typed) if skip.root else None,
            skip.detail,
            skip.reason,
        )
        for skip in skipped
    ]
    return frame(rows, _COLUMNS)
