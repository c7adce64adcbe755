"""The text of a ``SKILL.md`` as it is, with line numbers and coloured front matter.

Pure. This module imports ``markup``, ``code``, ``words`` and ``frontmatter``.
"""

from __future__ import annotations

from collections.abc import Collection

from skillbook import frontmatter
from skillbook.display import code, words
from skillbook.display.markup import Markup, element, join, note
from skillbook.errors import FrontMatterError

MOST_LINES = 2_000
MOST_CHARACTERS = 200_000


def render(text: str, *, fault: int | None = None, found: Collection[int] = ()) -> Markup:
    r"""Returns a ``SKILL.md`` with line numbers.

    Args:
        text: the whole file, line ends as ``\n``.
        fault: the line to mark as wrong, from 1, or None.
        found: the lines to mark as those in which something was found.
    """
    shown = text[:MOST_CHARACTERS]
    front = _front(shown)
    lines = shown.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    total = text.count("\n") + (not text.endswith("\n"))
    lines = lines[:MOST_LINES]
    drawn = code.lines("\n".join(lines[:front]), "yaml") if front else []
    if lines[front:]:
        drawn += code.lines("\n".join(lines[front:]), "markdown")
    width = len(str(len(lines)))
    block = element(
        "pre",
        element(
            "code",
            join(
                (
                    _line(n, width, line, n <= front, _mark(n, fault, found))
                    for n, line in enumerate(drawn, 1)
                ),
                "\n",
            ),
        ),
        cls="code lines",
    )
    partly = len(shown) < len(text) and len(lines) < MOST_LINES and not shown.endswith("\n")
    if len(lines) == total and not partly:
        return block
    last = ", the last in part" if partly else ""
    return join((block, note(f"Cut: {words.of(len(lines), total, 'lines')}{last}.")))


def _front(text: str) -> int:
    """Returns how many lines the front matter has with its fences; 0 where there is none."""
    data = text.encode("utf-8", "replace")
    try:
        place = frontmatter.split(data)
    except FrontMatterError:
        return 0
    if place is None:
        return 0
    return data[: place.body].count(b"\n") + (not data[: place.body].endswith(b"\n"))


def _mark(number: int, fault: int | None, found: Collection[int]) -> str:
    return "  ← here" if number == fault else "  ← found" if number in found else ""


def _line(number: int, width: int, text: Markup, front: bool, mark: str) -> Markup:
    kinds = ["line", *(["front"] if front else []), *(["fault"] if mark else [])]
    return element(
        "span",
        element("span", f"{number:>{width}} ", cls="number"),
        text,
        element("strong", mark) if mark else None,
        cls=" ".join(kinds),
    )
