r"""Lines of a text and changes spliced into it, by places in characters.

Line ends are ``\n``, ``\r\n`` and ``\r``; nothing else ends a line. Imports nothing of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LINE_END = re.compile(r"\r\n?|\n")

Splice = tuple[int, int, str]
"""Where a change starts, where it ends, and what then stands there."""


def line_starts(text: str) -> list[int]:
    """Returns where each line of a text starts."""
    return [0, *(found.end() for found in LINE_END.finditer(text))]


def line_spans(text: str) -> list[tuple[int, int]]:
    """Returns where each line of a text starts and ends, without its line end."""
    spans = []
    at = 0
    for found in LINE_END.finditer(text):
        spans.append((at, found.start()))
        at = found.end()
    return [*spans, (at, len(text))]


def line_around(text: str, at: int) -> tuple[int, int]:
    """Returns where the line that holds a place starts and ends, without its line end."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    found = LINE_END.search(text, at)
    return start, found.start() if found else len(text)


def whole_lines(text: str) -> list[str]:
    """Returns the lines of a text with their line ends."""
    starts = line_starts(text)
    lines = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return lines if lines[-1] else lines[:-1]


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Returns a text with changes made; they must not overlap."""
    parts = []
    at = 0
    for start, end, new in sorted(splices):
        parts += [text[at:start], new]
        at = end
    return "".join((*parts, text[at:]))
