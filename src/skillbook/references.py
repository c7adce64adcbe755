"""Reference files: which files of a skill a model may read, and reading one in pages.

Imports ``disk``, ``frontmatter`` for decoding, ``model``, and ``tool`` for its messages; ``regex``
only where a pattern is given. Nothing here changes a file.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skillbook import disk
from skillbook.errors import SkillReadError
from skillbook.frontmatter import body_text
from skillbook.model import printable
from skillbook.tool import not_found

N_LINES = 200
"""Lines that a page holds."""

MAX_FILE = 10_000_000
"""Bytes of a file that is read."""

MAX_PAGE = 100_000
"""Characters that a page holds."""

MAX_PATTERN = 500
MAX_SEARCHED = 5_000
"""Characters of a line that a pattern is tried on. Some patterns cannot be interrupted within one
search; with both lengths bounded, none of those takes half a second."""

_SEARCH_TIME = 0.8  # seconds for all lines
_LINE_TIME = 0.25  # seconds of processor time for one line
_FOLDERS = ("references", "reference")
_NO_REFERENCES = ("scripts", "assets")


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference file of a skill.

    Attributes:
        name: as it is listed: relative to ``references/`` where it lies there.
        path: relative to the skill's folder.
    """

    name: str
    path: str


def references_of(paths: Sequence[str]) -> tuple[Reference, ...]:
    """Returns the reference files among a skill's files, in their order.

    These are all but what lies in ``scripts/`` and ``assets/``: many skills keep what their body
    names beside it, or in folders of their own. (Specification, "references/".)
    """
    chosen = [
        path for path in paths if path.partition("/")[0] not in _NO_REFERENCES or "/" not in path
    ]
    names = [_name(path) for path in chosen]
    times = Counter(names)
    return tuple(
        Reference(name if times[name] == 1 else path, path)
        for name, path in zip(names, chosen, strict=True)
    )


def _name(path: str) -> str:
    top, _, rest = path.partition("/")
    return rest if rest and top in _FOLDERS else path


def find(name: str, paths: Sequence[str]) -> str:
    """Returns the path of the file that a model asks for.

    Args:
        name: the listed name or the path, exactly; or either in another letter case; or the file's
            own name without its folder.
        paths: the skill's files. Only these can be found, so no name leads out of the skill.

    Raises:
        SkillReadError: when there is none, or more than one.
    """
    listed = {reference.name: reference.path for reference in references_of(paths)}
    wanted = name.removeprefix("./")
    if wanted in listed:
        return listed[wanted]
    if wanted in paths:
        return wanted
    low = wanted.casefold()
    named = [path for shown, path in listed.items() if shown.casefold() == low]
    whole = [path for path in paths if path.casefold() == low]
    bare = [path for path in listed.values() if path.rpartition("/")[2].casefold() == low]
    for found in (named, whole, bare):
        if len(found) == 1:
            return found[0]
        if found:
            raise SkillReadError(
                f'"{printable(name)[:100]}" is more than one file: {", ".join(found[:20])}; pass one'
                " of these"
            )
    raise SkillReadError(not_found(name, listed, "Reference file"))


def read_page(
    folder: str,
    path: str,
    *,
    pattern: str | None = None,
    line_start: int = 1,
    n_lines: int = N_LINES,
) -> tuple[str, str, tuple[str, ...]]:
    """Reads some lines of a file.

    Args:
        folder: the skill's folder.
        path: the file, relative to it, one that the skill lists.
        pattern: a regular expression; only the lines in which it is found are kept, and the page
            is one of these.
        line_start: the first line, from 1.
        n_lines: how many.

    Returns:
        A header that says which lines of how many, the lines, and notes for a host.

    Raises:
        SkillReadError: when the file or the pattern cannot be read, or there is no such line.
    """
    lines, notes = _lines(folder, path)
    total = f"{len(lines):,} line{'' if len(lines) == 1 else 's'}"
    numbers = list(range(1, len(lines) + 1))
    matching = ""
    if pattern is not None:
        numbers, long = _matching(pattern, lines)
        if long:
            notes.append(
                f"{long:,} lines are longer than {MAX_SEARCHED:,} characters; the pattern was tried on"
                " their start"
            )
        if not numbers:
            return f"{path}: no line of {total} matches {pattern!r}", "", tuple(notes)
        matching = f" that match {pattern!r}"
    if line_start > max(1, len(numbers)):
        raise SkillReadError(
            f"{path} has {len(numbers):,} line{'' if len(numbers) == 1 else 's'}{matching};"
            f" line_start is {line_start:,}"
        )
    page = numbers[line_start - 1 : line_start - 1 + n_lines]
    first, last = line_start, line_start + len(page) - 1
    header = (
        f"{path}: lines {first:,}-{last:,} of {len(numbers):,}" if page else f"{path}: no lines"
    )
    if matching:
        header += f"{matching} (of {total}; these are lines {_ranges(page)})"
    text = "\n".join(lines[number - 1] for number in page)
    if len(text) > MAX_PAGE:
        header += f"; cut after {MAX_PAGE:,} of {len(text):,} characters, so ask for fewer lines"
        text = text[:MAX_PAGE]
    return header, text, tuple(notes)


def _lines(folder: str, path: str) -> tuple[list[str], list[str]]:
    try:
        data = disk.read(os.path.join(folder, path), MAX_FILE)
    except OSError as error:
        raise SkillReadError(f"{path} cannot be read: {disk.words(error)}") from error
    if len(data) > MAX_FILE:
        raise SkillReadError(f"{path} is over {MAX_FILE // 1_000_000} MB, more than is read here")
    if b"\0" in data[:8192]:
        raise SkillReadError(f"{path} is no text ({len(data):,} bytes)")
    text, bad = body_text(data.removeprefix(b"\xef\xbb\xbf"))
    notes = [] if bad is None else [f"{path} is not UTF-8; what could not be read stands as U+FFFD"]
    lines = text.split("\n")
    return (lines[:-1] if lines[-1] == "" else lines), notes


def _matching(pattern: str, lines: list[str]) -> tuple[list[int], int]:
    """Returns the numbers of the lines that match, and how many were too long to search whole."""
    import regex  # noqa: PLC0415 - only needed for a pattern

    if len(pattern) > MAX_PATTERN:
        raise SkillReadError(f"the pattern is longer than {MAX_PATTERN} characters")
    deadline = time.monotonic() + _SEARCH_TIME
    slow = SkillReadError(f"the pattern {pattern!r} takes too long; pass a simpler one")
    try:
        compiled: Any = regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        raise SkillReadError(f"the pattern {pattern!r} is not one: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        if time.monotonic() > deadline:
            raise slow
        try:
            if compiled.search(line[:MAX_SEARCHED], timeout=_LINE_TIME, concurrent=True):
                found.append(number)
        except (TimeoutError, MemoryError, RecursionError):
            raise slow from None
    return found, sum(len(line) > MAX_SEARCHED for line in lines)


def _ranges(numbers: list[int]) -> str:
    """Returns line numbers in few words: ``4, 17-20``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
