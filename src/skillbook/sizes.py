"""Sizes: what a skill, a source or an inventory costs at each level, in characters and tokens.

Level 1 is the line in the catalogue, level 2 the body as the ``skill`` tool gives it, level 3 the
files beside it. Imports ``frames``, ``tokens``, ``prompt``, ``progress``, ``tool``, ``source``, ``words`` and the
records. Must not import displays or widgets.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skillbook import disk, progress, words
from skillbook.errors import SkillReadError
from skillbook.frames import frame
from skillbook.model import Shown, SkillInfo, printable
from skillbook.prompt import build
from skillbook.source import SkillInventory, SkillSource
from skillbook.tokens import Counter, CounterLike, as_counter
from skillbook.tool import envelope

MOST_BYTES = 10_000_000
"""Bytes of one file that are counted; a larger file is named and left out."""

ROOT = "{root}"
"""What stands for a root's absolute path, so that a size is the same on every machine."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a text.

    Attributes:
        chars: in characters (Unicode code points).
        tokens: in tokens, by the counter that is named beside it.
    """

    chars: int = 0
    tokens: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(self.chars + other.chars, self.tokens + other.tokens)

    def to_dict(self) -> dict[str, int]:
        """Returns the size as a JSON-safe mapping."""
        return {"chars": self.chars, "tokens": self.tokens}


@dataclass(frozen=True, slots=True)
class FileSize:
    """The size of one file beside a ``SKILL.md``.

    Attributes:
        path: relative to the skill's folder.
        bytes: on the disk; None where it could not be read.
        size: as text; None where it is none, or could not be read.
        problem: why it has no size, in plain words, or ``""``.
    """

    path: str
    bytes: int | None
    size: Size | None
    problem: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Returns the file's size as a JSON-safe mapping."""
        return {
            "path": printable(self.path),
            "bytes": self.bytes,
            "size": self.size.to_dict() if self.size else None,
            "problem": self.problem,
        }


@dataclass(frozen=True, slots=True)
class SkillSizes(Shown):
    """What one skill costs at each level.

    Attributes:
        name: the skill's name.
        counter: the name of what counted the tokens.
        catalogue: level 1, its line in the prompt; nothing where it has no description.
        body: level 2, what the ``skill`` tool gives; nothing where it cannot be read.
        each_file: level 3, the files beside it, in order.
        problems: what could not be counted and why, in plain words.
    """

    name: str
    counter: str
    catalogue: Size
    body: Size
    each_file: tuple[FileSize, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def files(self) -> Size:
        """Level 3 in all: the files that are text."""
        return _sum(file.size for file in self.each_file if file.size)

    def to_dict(self) -> dict[str, Any]:
        """Returns the sizes as a JSON-safe mapping."""
        return {
            "name": printable(self.name),
            "counter": self.counter,
            "catalogue": self.catalogue.to_dict(),
            "body": self.body.to_dict(),
            "files": self.files.to_dict(),
            "each_file": [file.to_dict() for file in self.each_file],
            "problems": list(self.problems),
        }


@dataclass(frozen=True, slots=True, repr=False)
class TokenSizes(Shown):
    """What a set of skills costs at each level.

    Attributes:
        counter: the name of what counted the tokens.
        skills: the sizes of each skill, in the order of the set.
        prompt: the whole text for the system prompt, where a source was counted; else None.
    """

    counter: str
    skills: tuple[SkillSizes, ...]
    prompt: Size | None = None

    @property
    def catalogue(self) -> Size:
        """Level 1 in all: the lines of the catalogue."""
        return _sum(skill.catalogue for skill in self.skills)

    @property
    def body(self) -> Size:
        """Level 2 in all: every body, as if each skill were loaded."""
        return _sum(skill.body for skill in self.skills)

    @property
    def files(self) -> Size:
        """Level 3 in all: every file that is text."""
        return _sum(skill.files for skill in self.skills)

    @property
    def problems(self) -> tuple[str, ...]:
        """What could not be counted and why, each with its skill's name."""
        return tuple(f"{skill.name}: {said}" for skill in self.skills for said in skill.problems)

    def __len__(self) -> int:
        return len(self.skills)

    def __iter__(self) -> Iterator[SkillSizes]:
        return iter(self.skills)

    def __getitem__(self, name: str) -> SkillSizes:
        """Returns the sizes of the skill of that name.

        Raises:
            KeyError: when it was not counted.
        """
        for skill in self.skills:
            if skill.name == name:
                return skill
        raise KeyError(name)

    def __repr__(self) -> str:
        levels = (("catalogue", self.catalogue), ("bodies", self.body), ("files", self.files))
        told = ", ".join(f"{what} {size.tokens:,}" for what, size in levels)
        problems = f"; {len(self.problems):,} not counted" if self.problems else ""
        return f"<TokenSizes of {words.count(len(self), 'skill')} in tokens by {self.counter}: {told}{problems}>"

    def to_dict(self) -> dict[str, Any]:
        """Returns the sizes as a JSON-safe mapping."""
        return {
            "counter": self.counter,
            "prompt": self.prompt.to_dict() if self.prompt else None,
            "catalogue": self.catalogue.to_dict(),
            "body": self.body.to_dict(),
            "files": self.files.to_dict(),
            "skills": [skill.to_dict() for skill in self.skills],
        }

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row a skill.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        levels = ("catalogue", "body", "files")
        return frame(
            {
                "name": printable(skill.name),
                **{f"{level}_chars": getattr(skill, level).chars for level in levels},
                **{f"{level}_tokens": getattr(skill, level).tokens for level in levels},
                "file_count": len(skill.each_file),
                "problems": "; ".join(skill.problems),
                "counter": self.counter,
            }
            for skill in self.skills
        )


def token_sizes(
    what: SkillInfo | SkillSource | SkillInventory,
    counter: CounterLike = None,
    *,
    root: str | None = ROOT,
) -> TokenSizes:
    """Returns what skills cost at each level, in characters and tokens.

    Bodies and files are read now. What cannot be read, and what is no text, is named in
    ``problems`` and counts nothing. Many skills show a progress bar after two seconds; an
    interrupt stops the counting without harm.

    Args:
        what: a skill, a source or an inventory.
        counter: see :func:`skillbook.tokens.as_counter`; None means ``cl100k_base``.
        root: what stands for the absolute path of a root in an envelope. As it is, a size is
            the same on every machine; None counts the exact text.

    Raises:
        TypeError: when ``what`` is none of these, or the counter nothing that counts.
        ValueError: when no encoding has the counter's name.
        SkillbookError: when an encoding cannot be loaded.
    """
    skills, limit = _skills(what)
    count = as_counter(counter)
    sizes = tuple(_measure(skill, count, limit, root) for skill in _shown_progress(skills))
    prompt = _size(what.prompt(), count) if isinstance(what, SkillSource) else None
    return TokenSizes(count.name, sizes, prompt)


def _skills(what: Any) -> tuple[Sequence[SkillInfo], int]:
    """Returns the skills of a set, and how many files its envelopes list."""
    if isinstance(what, SkillInfo):
        return [what], 0
    if isinstance(what, SkillSource):
        return list(what.skills.values()), what.sample_limit
    if isinstance(what, SkillInventory):
        return what.skills, 0
    raise TypeError(
        f"token_sizes takes a skill, a source or an inventory, not {type(what).__name__}; "
        "load_skills and list_skills give one, and so does the method source of a catalogue"
    )


def _shown_progress(skills: Sequence[SkillInfo]) -> Iterable[SkillInfo]:
    """Returns the skills, with a progress bar where going through them takes over two seconds."""
    if len(skills) < 2:
        return skills
    shown: Iterable[SkillInfo] = progress.bar(skills, desc="Counting tokens", unit="skill")
    return shown


def _measure(skill: SkillInfo, count: Counter, limit: int, root: str | None) -> SkillSizes:
    """Returns one skill's sizes; what cannot be read becomes a problem."""
    problems: list[str] = []
    result = envelope(skill, limit)
    body = Size()
    if result.is_error:
        problems.append(result.output)
    else:
        body = _size(result.rooted(root), count)
    return SkillSizes(
        printable(skill.name),
        count.name,
        _size(entry(skill), count),
        body,
        _files(skill, count, problems),
        tuple(printable(said) for said in problems),
    )


def _files(skill: SkillInfo, count: Counter, problems: list[str]) -> tuple[FileSize, ...]:
    """Returns the sizes of the files beside a skill, and adds what has none to the problems."""
    try:
        found = skill.reader.files(skill)
    except SkillReadError as error:
        if str(error) not in problems:
            problems.append(str(error))
        return ()
    sizes = []
    for path in found.paths:
        text, size, problem = file_text(skill, path)
        sizes.append(FileSize(path, size, None if text is None else _size(text, count), problem))
        if problem:
            problems.append(f"{path}: {problem}")
    for number, why in (
        (found.outside, "lie outside the skill and its root"),
        (found.unlisted, "have a path that cannot be listed"),
        (found.unread, "cannot be read"),
    ):
        if number:
            problems.append(f"{number:,} more files or folders {why}")
    return tuple(sizes)


def file_text(skill: SkillInfo, path: str) -> tuple[str | None, int | None, str]:
    """Returns the text of a file beside a skill, its bytes, and why it has no text.

    Args:
        skill: the skill.
        path: one of ``skill.files()``; nothing else is safe to open.

    Returns:
        Text (None where it is none), bytes (None where it cannot be read), problem or ``""``.
    """
    folder = skill.folder
    if folder is None:
        return None, None, "not counted: a data skill names its files and does not hold them"
    try:
        data = disk.read(os.path.join(folder, path), MOST_BYTES)
        size = len(data) if len(data) <= MOST_BYTES else os.path.getsize(f"{folder}/{path}")
    except OSError as error:
        return None, None, f"not counted: it cannot be read ({disk.words(error)})"
    if size > MOST_BYTES:
        return None, size, f"not counted: {size:,} bytes, over {MOST_BYTES // 1_000_000} MB"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return None, size, f"not counted: not text ({words.count(size, 'byte')})"
    return text, size, ""


def entry(skill: SkillInfo) -> str:
    """Returns a skill's line in the prompt; ``""`` where it has no description."""
    return "".join(text for _, text in build([skill]).entries)


def _size(text: str, count: Counter) -> Size:
    return Size(len(text), count(text))


def _sum(sizes: Iterable[Size]) -> Size:
    return sum(sizes, Size())
