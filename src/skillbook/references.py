"""Reference files: which files of a skill a model may read, and reading one in pages.

Imports ``disk``, ``frontmatter`` for decoding, ``model``, and ``tool`` for its messages; ``regex``
only where a pattern is given. Nothing here changes a file.
"""

from __future__ import annotations

import os
import re
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
from skillbook.words import count

N_LINES = 200
"""Lines that a page holds."""

MAX_FILE = 10_000_000
"""Bytes of a file that is read."""

MAX_PAGE = 100_000
"""Characters that a page holds."""

MAX_LINES = 10_000
"""Lines that a page may be asked to hold."""

MAX_PATTERN = 500
MAX_SEARCHED = 5_000
"""Characters of a line that a pattern is tried on. Some patterns cannot be interrupted within one
search; with both lengths bounded, none of those takes half a second."""

MAX_REPEATED = 10_000
"""Items that a pattern may have when its counted repeats are written out, as compiling does."""

_SEARCH_TIME = 1.3  # seconds for compiling and all lines; what cannot be interrupted comes on top
_LINE_TIME = 0.25  # seconds of processor time for one line
_RANGES = 50
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
    column_start: int = 1,
) -> tuple[str, str, tuple[str, ...]]:
    """Reads some lines of a file.

    Args:
        folder: the skill's folder.
        path: the file, relative to it, one that the skill lists.
        pattern: a regular expression; only the lines in which it is found are kept, and the page
            is one of these.
        line_start: the first line, from 1.
        n_lines: how many.
        column_start: the first character of the first line, from 1; so a line that is longer than a
            page can be read on.

    Returns:
        A header that says which lines of how many, the lines, and notes for a host.

    Raises:
        SkillReadError: when the file or the pattern cannot be read, or there is no such line.
    """
    lines, notes = _lines(folder, path)
    total = count(len(lines), "line")
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
            f"{path} has {count(len(numbers), 'line')}{matching}; line_start is {line_start:,}"
        )
    page = numbers[line_start - 1 : line_start - 1 + n_lines]
    longest = len(lines[page[0] - 1]) if page else 0
    if column_start > longest + 1:  # its end is where a page may have been cut
        raise SkillReadError(
            f"line {line_start:,} of {path}{matching} has {longest:,} characters; column_start is"
            f" {column_start:,}"
        )
    first, last = line_start, line_start + len(page) - 1
    header = (
        f"{path}: lines {first:,}-{last:,} of {len(numbers):,}" if page else f"{path}: no lines"
    )
    if matching:
        header += f"{matching} (of {total}; these are lines {_ranges(page)})"
    text = "\n".join(lines[number - 1] for number in page)[column_start - 1 :]
    if column_start > 1:
        header += f"; from character {column_start:,} of line {first:,}"
    if len(text) > MAX_PAGE:
        whole, text = len(text), text[:MAX_PAGE]
        full = text.count("\n")
        column = MAX_PAGE - text.rfind("\n") if full else column_start + MAX_PAGE
        header += (
            f"; cut after {MAX_PAGE:,} of {whole:,} characters, so read on with line_start"
            f" {line_start + full} and column_start {column}"
        )
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
    if len(pattern) > MAX_PATTERN:
        raise SkillReadError(f"the pattern is longer than {MAX_PATTERN} characters")
    long = sum(len(line) > MAX_SEARCHED for line in lines)
    if not _SPECIAL.search(pattern):
        found = [number for number, line in enumerate(lines, 1) if pattern in line[:MAX_SEARCHED]]
        return found, long
    deadline = time.monotonic() + _SEARCH_TIME
    compiled = _compiled(pattern)
    found = []
    for number, line in enumerate(lines, 1):
        try:
            if time.monotonic() > deadline:
                raise TimeoutError  # noqa: TRY301 - told below, as one that took too long is
            if compiled.search(line[:MAX_SEARCHED], timeout=_LINE_TIME, concurrent=True):
                found.append(number)
        except (TimeoutError, MemoryError, RecursionError):
            raise SkillReadError(
                f"the search for the pattern {pattern!r} was given up at line {number:,} of"
                f" {len(lines):,}: it takes too long; pass a simpler one"
            ) from None
    return found, long


_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")


def _compiled(pattern: str) -> Any:
    import regex  # noqa: PLC0415 - only needed for a pattern

    if _written_out(pattern) > MAX_REPEATED:
        raise SkillReadError(
            f"the pattern {pattern!r} has counted repeats that come to more than"
            f" {MAX_REPEATED:,} items, which takes too long; pass a simpler one"
        )
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        raise SkillReadError(f"the pattern {pattern!r} is not one: {error}") from error


_COUNTED = re.compile(r"\{\s*(\d*)\s*(?:,\s*(\d*)\s*)?\}")
_VERBOSE = re.compile(r"\(\?[A-Za-z0-9]*x")
_TOKEN = re.compile(
    r"(?P<comment>\(\?\#[^)]*\))|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\]|\\.)"
    r"|(?P<count>\{\s*\d*\s*(?:,\s*\d*\s*)?\})|(?P<other>.)",
    re.DOTALL,
)


def _written_out(pattern: str) -> int:
    """Returns how many items a pattern has at most when its counted repeats are written out.

    Compiling writes them out and cannot be interrupted, so this is asked first. Where the nesting
    cannot be told (spaces and comments between items, brackets that do not close), it is too high
    rather than too low.
    """
    if _VERBOSE.search(pattern):
        size = len(pattern)
        for match in _COUNTED.finditer(pattern):
            size *= max(1, _times(match[0]))
        return size
    groups = [0]  # the items so far of each open group, the outermost first
    last = 0
    for match in _TOKEN.finditer(pattern):
        char = match["other"]
        if match["comment"]:
            continue
        if match["count"]:
            more = last * max(1, _times(match[0])) - last
            last += more
            groups[-1] += more
        elif char == "(":
            groups.append(0)
            last = 0
        elif char == ")":
            last = 1 + groups.pop()
            groups = groups or [0]
            groups[-1] += last
        elif char not in ("?", "*", "+"):
            last = 1
            groups[-1] += 1
    return sum(groups)


def _times(counted: str) -> int:
    """Returns the highest number in ``{m,n}``; numbers of many digits count as one too many."""
    numbers = re.findall(r"\d+", counted)
    return max((int(n) if len(n) < 10 else MAX_REPEATED + 1 for n in numbers), default=1)


def _ranges(numbers: list[int]) -> str:
    """Returns line numbers in few words: ``4, 17-20``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    said = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs[:_RANGES])
    rest = sum(b - a + 1 for a, b in runs[_RANGES:])
    return f"{said} … and {rest:,} more" if rest else said
