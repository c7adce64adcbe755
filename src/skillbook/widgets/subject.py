"""What a browser shows: where its skills come from, how they are read anew, and what changed.

Imports ``source``, ``discovery`` and the records; no widget. ``catalog_subject`` shows catalogues.
"""

from __future__ import annotations

import os
import posixpath
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from skillbook.discovery import discover, duplicate
from skillbook.display import words
from skillbook.errors import SkillReadError, SkillWarning
from skillbook.kits.catalog import CatalogView
from skillbook.model import Root, SkillInfo, SkillSkip, printable
from skillbook.source import SkillInventory, SkillSource, default_roots, list_skills

MOST_STAMPED = 1_000
"""Skills up to which a refresh notices changes in the files beside a ``SKILL.md``, too."""

MOST_FILES = 1_000
"""Files of one skill that are looked at for it."""

Kind = Literal["skill", "skipped", "broken", "agent", "root agent", "shadowed", "failed"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list: a skill, a file that was skipped, or a skill that broke since.

    Attributes:
        key: its name; for a skipped file its path as it is shown. No two have the same.
        kind: which of these it is; the other kinds are those of ``catalog_subject.Beside``.
        skill: the skill; for one that broke, as it last was.
        skip: why there is no skill, or None.
        origins: the provider and the kit it comes from, where a catalogue says so.
    """

    key: str
    kind: Kind
    skill: SkillInfo | None = None
    skip: SkillSkip | None = None
    origins: tuple[str, ...] = ()

    @property
    def root(self) -> Root | None:
        """The root that it was met in, or None."""
        record = self.skip or self.skill
        return record.root if record else None

    @property
    def title(self) -> str:
        """What stands in the list: the name, or the folder of a skipped file."""
        if self.skill is not None:
            return self.skill.name
        return posixpath.basename(posixpath.dirname(self.key)) or self.key

    @property
    def place(self) -> str:
        """Where a file was skipped: its path below the root, as it is shown."""
        if self.skip is None or self.skip.root is None:
            return self.key
        return Root("", self.skip.root.path).shown(self.skip.location).removeprefix("/")

    @property
    def text(self) -> str:
        """What stands below the title: the description, or where a file was skipped and why."""
        if self.skill is not None:
            return self.skill.description or ""
        return f"{self.place}: {self.skip.detail}" if self.skip else ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What reading the disk anew showed, as names, each sorted.

    Attributes:
        added: skills that were not there before.
        changed: skills whose ``SKILL.md`` or other file was written, added or removed since, or
            that lie elsewhere now; files that are skipped for another reason now.
        gone: skills that are not there any more.
        broken: skills whose ``SKILL.md`` gives no skill any more.
        mended: skills that were broken and are there again.
        skipped: files that give no skill and were not there before, by their entry's key.
        not_skipped: files that were skipped and are not any more, by the key that they had.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    not_skipped: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)

    def __str__(self) -> str:
        told = [
            f"{len(names):,} {what} ({_some(names)})"
            for what, names in (
                ("added", self.added),
                ("changed", self.changed),
                ("gone", self.gone),
                ("broken", self.broken),
                ("mended", self.mended),
                ("newly skipped", self.skipped),
                ("no longer skipped", self.not_skipped),
            )
            if names
        ]
        return f"Read anew: {', '.join(told) or 'nothing changed'}."


def _some(names: tuple[str, ...], most: int = 5) -> str:
    shown = ", ".join(map(_named, names[:most]))
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown


def _named(name: str) -> str:
    """Returns a name, of a long path its end."""
    name = printable(name)
    return f"…{name[-60:]}" if "/" in name and len(name) > 60 else words.cut(name, 60)


class Subject:
    """The skills that are shown, with what is needed to read them anew.

    Attributes:
        title: what to call them: the root as typed, or how many there are.
        source: the skills as they were last read.
        entries: the entries of the list by key: skills in order, then what gave none.
        view: what the last query of a catalogue found; None where no catalogue is shown.
        by_default: whether the folders are those where agents keep skills, since none was named.
    """

    view: CatalogView | None = None

    def __init__(self, what: Any = None) -> None:
        """Reads what is to be shown.

        Args:
            what: None for the folders where agents keep skills, one root or several, a source, an
                inventory, or an object whose ``source()`` gives a source.

        Raises:
            TypeError, ValueError: when it is none of these.
        """
        self.by_default = what is None
        self._read = _reader(what)
        self.source = what if isinstance(what, SkillSource) else self._read(None)
        self.title = _title(what, self.source)
        self._stamps: dict[str, Any] = {}
        self._last_good: dict[str, SkillInfo] = {}
        self._settle()

    def refresh(self) -> Changes:
        """Reads the disk anew and returns what changed."""
        before, stamps, broke = self.source, self._stamps, self._last_good
        skips = self._skips()
        with warnings.catch_warnings():  # what they would say is among the notices and skips
            warnings.simplefilter("ignore", SkillWarning)
            self.source = self._read(before)
        now = self.source.skills
        skipped = {skip.location for skip in self.source.skipped if skip.reason != "duplicate-name"}
        known = {**broke, **{skill.location: skill for skill in before.skills.values()}}
        self._last_good = {
            location: skill
            for location, skill in known.items()
            if location in skipped and skill.name not in now
        }
        broken = {skill.name for skill in self._last_good.values()}
        mended = {skill.name for skill in broke.values()} & now.keys()
        self._stamps = {}
        self._settle()
        shared = before.skills.keys() & now.keys()
        skips_now = self._skips()
        return Changes(
            tuple(sorted(now.keys() - before.skills.keys() - mended)),
            tuple(
                sorted(
                    [
                        name
                        for name in shared
                        if now[name] != before.skills[name]
                        or self._stamps.get(name) != stamps.get(name)
                    ]
                    + [
                        key
                        for key in skips.keys() & skips_now.keys()
                        if skips[key] != skips_now[key]
                    ]
                )
            ),
            tuple(
                sorted(
                    (before.skills.keys() | {skill.name for skill in broke.values()})
                    - now.keys()
                    - broken
                )
            ),
            tuple(sorted(broken - {skill.name for skill in broke.values()})),
            tuple(sorted(mended)),
            tuple(sorted(skips_now.keys() - skips.keys())),
            tuple(sorted(skips.keys() - skips_now.keys())),
        )

    def _skips(self) -> dict[str, SkillSkip]:
        """Returns the skipped files by the key of their entry."""
        return {
            key: entry.skip
            for key, entry in self.entries.items()
            if entry.kind == "skipped" and entry.skip
        }

    def _settle(self) -> None:
        """Makes the entries, and notes when each file was last written."""
        self.entries: dict[str, Entry] = {}
        for name, skill in self.source.skills.items():
            self._add(Entry(printable(name), "skill", skill))
            if skill.origin == "fs":
                self._stamps[name] = self.stamp(skill)
        for skip in self.source.skipped:
            self._add(self._without(skip))

    def stamp(self, skill: SkillInfo) -> Any:
        """Returns what changes when a skill's ``SKILL.md`` is written, or a file beside it.

        Among more than ``MOST_STAMPED`` skills only the ``SKILL.md`` is looked at.
        """
        if len(self.source.skills) > MOST_STAMPED or skill.folder is None:
            return stamp(skill.location)
        try:
            paths = skill.reader.files(skill).paths[:MOST_FILES]
        except SkillReadError:
            paths = ()
        beside = [(path, stamp(os.path.join(skill.folder, path))) for path in paths]
        return stamp(skill.location), beside

    def _without(self, skip: SkillSkip) -> Entry:
        """Returns the entry of a file that gave no skill."""
        good = self._last_good.get(skip.location)
        if good is not None:
            return Entry(printable(good.name), "broken", good, skip)
        shown = skip.root.shown(skip.location) if skip.root else printable(skip.location)
        return Entry(shown, "skipped", None, skip)

    def _add(self, entry: Entry) -> None:
        key, number = entry.key, 1
        while key in self.entries:  # two data skills without a name have one location
            number += 1
            key = f"{entry.key} ({number})"
        self.entries[key] = entry if key == entry.key else replace(entry, key=key)


def stamp(path: str) -> Any:
    """What of a file changes when it is written: times in nanoseconds, size, inode."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino


def _reader(what: Any) -> Callable[[SkillSource | None], SkillSource]:
    """Returns what reads the skills; it is given what was read before, or None."""
    if isinstance(what, (SkillSource, SkillInventory)):
        first = what if isinstance(what, SkillSource) else SkillSource(what)
        return lambda before: _anew(first, before) if before else first
    if callable(getattr(what, "source", None)):
        return lambda _before: what.source()
    if what is not None and not isinstance(what, (str, os.PathLike)) and not _is_several(what):
        raise TypeError(
            f"what to show is of type {type(what).__name__}; pass a path, several paths, a source,"
            " an inventory or a catalogue"
        )
    if what is None:
        return lambda _before: SkillSource(list_skills(default_roots()))
    return lambda before: _anew(before, before) if before else SkillSource(list_skills(what))


def _is_several(what: Any) -> bool:
    return isinstance(what, Iterable) and not isinstance(what, (bytes, Mapping))


def _anew(first: SkillSource, before: SkillSource) -> SkillSource:
    """Walks the roots of a source again; its data skills stay as they are."""
    found = discover(first.roots)
    taken = {skill.name: skill for skill in found.skills}
    for skill in before.skills.values():
        if skill.root is not None:
            continue
        if skill.name in taken:
            found.skipped.append(duplicate(skill.name, skill.location, taken[skill.name]))
        else:
            found.skills.append(skill)
    found.skipped.extend(skip for skip in before.skipped if skip.root is None)
    found.notices.extend(notice for notice in before.notices if notice.root is None)
    inventory = SkillInventory(found.skills, found.skipped, found.notices, first.roots)
    return SkillSource(inventory, filter=first.filter, sample_limit=first.sample_limit)


def _title(what: Any, source: SkillSource) -> str:
    """Returns what to call the skills that are shown."""
    roots: Iterable[Root] = source.roots
    typed = [printable(root.typed) for root in roots]
    if len(typed) == 1:
        return typed[0]
    if typed:
        return words.count(len(typed), "root")
    if what is None:
        return "No folder of skills"
    return "Skills from code" if source.skills else "No skills"
